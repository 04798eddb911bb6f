/* go-oneshot: a new network of whole plans learns on the graph that it places. An ablation: all
 * rows decide at once, and see no partial schedule. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/go/learner.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"

#define DEFAULT_EVALUATIONS 2000

/* Number of updates between evaluations of the likeliest plan. */
#define GREEDY_EVERY 4

typedef struct
{
  GobanGoSettings settings;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanSearch search;
  GobanBaseline baseline;
  guint n_updates;
  const GobanCurveSink *curve; /* (nullable) borrowed: gets the updates */
} Run;

static gboolean
begin (Run *self, GobanCostModel *costs, const GobanPlacerOptions *options, GError **error)
{
  GobanProblemOptions how = { .start = goban_learned_options (options)->start };
  GobanRng rng;

  if (!goban_go_settings_parse (&self->settings, options->settings, error))
    return FALSE;
  self->curve = goban_learned_options (options)->curve;
  self->settings.net.decisions = goban_learned_options (options)->decisions != 0
                                     ? goban_learned_options (options)->decisions
                                     : GOBAN_TASKS_DEFAULT;
  how.decisions = self->settings.net.decisions;
  how.n_rows = self->settings.n_rows;
  how.ranks_alike = self->settings.order != GOBAN_GO_ORDER_FIFO;
  how.fuses_alike = self->settings.fuses_alike;
  goban_rng_init (&rng, options->seed);
  self->learner = goban_learner_new (goban_net_new (&self->settings.net, &rng), &self->settings.ppo,
                                     options->seed);
  self->problem = goban_problem_new (costs, &how, options->progress, error);
  if (self->problem == NULL)
    return FALSE;
  goban_search_begin (&self->search, options, DEFAULT_EVALUATIONS);
  /* Fused plans may be shorter than the bound of unfused ones. */
  self->search.bound_us
      = goban_tasks_have (how.decisions, GOBAN_TASK_FUSION) || how.fuses_alike || how.start != NULL
            ? goban_bounds_when_fused (costs).bound_us
            : goban_bounds (costs).bound_us;
  return TRUE;
}

static void
clear (Run *self)
{
  goban_search_clear (&self->search);
  g_clear_pointer (&self->problem, goban_problem_free);
  g_clear_pointer (&self->learner, goban_learner_free);
}

/* Counts an update that was begun at @begun_us. */
static void
end_update (Run *self, const GobanUpdate *update, gint64 begun_us)
{
  double reference_us = self->problem->reference_us;
  GobanCurvePoint point = { .step = ++self->n_updates };

  if (self->curve == NULL)
    return;
  point.values[GOBAN_CURVE_MEAN] = update->mean_us / reference_us;
  point.values[GOBAN_CURVE_BEST] = update->best_us / reference_us;
  point.values[GOBAN_CURVE_VALID] = (double) update->n_valid / MAX (update->n_rollouts, 1);
  point.values[GOBAN_CURVE_REWARD] = update->mean_reward;
  point.values[GOBAN_CURVE_ENTROPY] = update->entropy;
  point.values[GOBAN_CURVE_GRADIENT] = update->gradient_norm;
  point.values[GOBAN_CURVE_CLIPPED] = update->clipped;
  point.values[GOBAN_CURVE_SECONDS]
      = (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  point.values[GOBAN_CURVE_TOP_SHARE] = update->top_share;
  self->curve->add (&point, self->curve->user_data);
}

static gboolean
learn (Run *self, GError **error)
{
  while (goban_search_go_on (&self->search, "learning", error))
    {
      gint64 begun_us = g_get_monotonic_time ();
      GobanUpdate update;

      if (!goban_learner_update (self->learner, self->problem, &self->baseline, &self->search,
                                 goban_search_get_fraction (&self->search), &update, error))
        return FALSE;
      end_update (self, &update, begun_us);
      if (self->n_updates % GREEDY_EVERY == 0
          && (self->search.best == NULL || goban_search_clip (&self->search, 1) > 0))
        goban_learner_try (self->learner, self->problem, &self->search);
    }
  return !self->search.is_cancelled;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  Run run = { 0 };
  GobanPlan *plan = NULL;

  if (begin (&run, costs, options, error) && learn (&run, error))
    plan = goban_search_end (&run.search, evaluations);
  clear (&run);
  return plan;
}

const GobanPlacer goban_placer_go_oneshot = {
  .name = "go-oneshot",
  .blurb = N_ ("ablation: a network that decides all rows at once learns on this graph"),
  .about = N_ ("What go-one is without its decoder. GraphSAGE with max pooling over the rows' "
               "neighbours, recurrent attention over segments of the topological order, modulation "
               "by the graph embedding, and a head for each task behind one shared attention "
               "layer; trained by PPO with a ratio per row. All rows decide at once, and see no "
               "partial schedule. If scheduling is not a task, ops go by upward rank; --set "
               "order=fifo is TensorFlow's order. --set preset=paper is GO as literally as it is "
               "published: every op a row, first in first out."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_PLAN,
  .why_no_forcing = "decides all rows of a plan at once and learns from many plans, so that it "
                    "cannot go on from one",
  .place = place,
};
