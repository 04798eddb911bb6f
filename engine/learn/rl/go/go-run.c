#include "engine/learn/rl/go/go-run.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/learn/rl/learned-options.h"

#define FOLDER "policies"
#define FILE_NAME "go.net"

/* Number of updates between evaluations of the likeliest plan. */
#define GREEDY_EVERY 4

/* --- networks --------------------------------------------------------------------------------- */

static GobanNet *
load_net (const char *path, GobanTasks decisions, GError **error)
{
  g_autofree char *own = path == NULL ? goban_data_file_find (FOLDER, FILE_NAME) : NULL;
  g_autoptr (GobanNet) net = NULL;
  GobanTasks missing;

  if (path == NULL && own == NULL)
    {
      g_autofree char *folders = goban_data_file_dup_folders (FOLDER);

      goban_set_error (error, GOBAN_ERROR_IO,
                       "GO's network %s is in none of %s; install it again, or make one with "
                       "“goban-cli train go -o FILE” and name it with --network",
                       FILE_NAME, folders);
      return NULL;
    }
  net = goban_net_load (path != NULL ? path : own, error);
  if (net == NULL)
    return NULL;
  missing = decisions & ~goban_net_get_config (net)->decisions;
  if (missing != 0)
    {
      g_autofree char *names = goban_tasks_to_text (missing);

      goban_set_error (
          error, GOBAN_ERROR_INVALID,
          "%s: this network was not taught %s; leave it out of the tasks, or use “go”, which "
          "learns from nothing",
          path != NULL ? path : own, names);
      return NULL;
    }
  return g_steal_pointer (&net);
}

static GobanNet *
get_net (GobanGoRun *self, const GobanPlacerOptions *options, gboolean is_trained, GError **error)
{
  GobanRng rng;

  if (is_trained)
    return load_net (goban_learned_options (options)->network, self->settings.net.decisions, error);
  goban_rng_init (&rng, options->seed);
  return goban_net_new (&self->settings.net, &rng);
}

/* --- a run ---------------------------------------------------------------------------------- */

gboolean
goban_go_run_begin (GobanGoRun *self, GobanCostModel *costs, const GobanPlacerOptions *options,
                    gboolean is_trained, guint64 default_evaluations, GError **error)
{
  GobanProblemOptions how = { .start = goban_learned_options (options)->start };
  GobanNet *net;

  *self = (GobanGoRun){ .n_updates = 0 };
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
  net = get_net (self, options, is_trained, error);
  if (net == NULL)
    return FALSE;

  self->learner = goban_learner_new (net, &self->settings.ppo, options->seed);
  self->problem = goban_problem_new (costs, &how, options->progress, error);
  if (self->problem == NULL)
    return FALSE;
  goban_search_begin (&self->search, options, default_evaluations);
  /* Fused plans may be shorter than the bound of unfused ones. */
  self->search.bound_us
      = goban_tasks_have (how.decisions, GOBAN_TASK_FUSION) || how.fuses_alike || how.start != NULL
            ? goban_bounds_when_fused (costs).bound_us
            : goban_bounds (costs).bound_us;
  return TRUE;
}

void
goban_go_run_clear (GobanGoRun *self)
{
  goban_incumbent_clear (&self->incumbent);
  goban_search_clear (&self->search);
  g_clear_pointer (&self->problem, goban_problem_free);
  g_clear_pointer (&self->learner, goban_learner_free);
}

GobanPlan *
goban_go_run_end (GobanGoRun *self, guint64 *evaluations)
{
  return goban_search_end (&self->search, evaluations);
}

/* Elapsed share of the run up to share @end of its budget, in [0, 1]. */
static double
get_fraction (const GobanGoRun *self, double end)
{
  return end > 0 ? MIN (goban_search_get_fraction (&self->search) / end, 1) : 1;
}

static gboolean
has_room (const GobanGoRun *self)
{
  return self->search.best == NULL || goban_search_clip (&self->search, 1) > 0;
}

static void
try_greedy (GobanGoRun *self)
{
  if (has_room (self))
    goban_learner_try (self->learner, self->problem, TRUE, &self->search);
}

gboolean
goban_go_run_ask (GobanGoRun *self, guint n_samples, GError **error)
{
  try_greedy (self);
  for (guint i = 0;
       i < n_samples && has_room (self) && goban_search_go_on (&self->search, "asking", error); i++)
    goban_learner_try (self->learner, self->problem, FALSE, &self->search);
  return !self->search.is_cancelled;
}

/* Counts an update that was begun at @begun_us. */
static void
end_update (GobanGoRun *self, const GobanUpdate *update, gint64 begun_us)
{
  GobanCurvePoint point;

  self->n_updates++;
  if (self->curve == NULL)
    return;
  point = goban_update_get_point (update, self->n_updates,
                                  goban_problem_get_reference_us (self->problem),
                                  (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC);
  self->curve->add (&point, self->curve->user_data);
}

/* Updates with whole plans: all rows decide at once. */
static gboolean
learn_directly (GobanGoRun *self, double end, guint n_updates, GError **error)
{
  while (goban_search_go_on (&self->search, "learning", error) && get_fraction (self, end) < 1
         && self->n_updates < n_updates)
    {
      gint64 begun_us = g_get_monotonic_time ();
      GobanUpdate update;

      if (!goban_learner_update (self->learner, self->problem, &self->direct, &self->search,
                                 get_fraction (self, end), &update, error))
        return FALSE;
      end_update (self, &update, begun_us);
      if (self->n_updates % GREEDY_EVERY == 0)
        try_greedy (self);
    }
  return !self->search.is_cancelled;
}

/* Writes the plan that is to be changed, unless the decisions are there; its levels are known now
 * that rollouts change them. */
static void
write_start (GobanGoRun *self)
{
  const GobanUnits *units = goban_problem_get_board (self->problem)->units;
  GobanIncumbent *start = &self->incumbent;
  GobanSearch *search = &self->search;
  guint n_nodes = goban_plan_get_n_nodes (start->plan);
  gboolean is_best
      = search->best_moment != 0
        && goban_settling_digest_plan (search->best) == goban_settling_digest_plan (start->plan);
  const GobanSpanResult result = goban_search_get_result (start->outcome);
  g_autofree GobanDecisionChange *changes = g_new (GobanDecisionChange, n_nodes + 1);
  GobanDecisionHead head = { .options = GOBAN_OPTION_PLAN,
                             .changes = changes,
                             .n_options = 1,
                             .flags = GOBAN_DECISION_AT_ONCE };
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      search->decisions, &(GobanSpanHead){ .name = "start",
                                           .level = GOBAN_LEVEL_PLAN,
                                           .evaluation = is_best ? search->best_evaluation : 0,
                                           .has_base = is_best,
                                           .base = search->best_moment });

  if (!is_best)
    {
      goban_decisions_writer_set_plan (span, &head, start->plan);
      goban_decisions_writer_settle (span, start->plan);
    }
  for (head.task = 0; head.task < GOBAN_N_TASKS; head.task++)
    {
      const guint32 *levels = start->choices.of[head.task];

      if (head.task == GOBAN_TASK_PLACEMENT || levels == NULL)
        continue;
      for (GobanNodeId v = 0; v < n_nodes; v++)
        changes[v] = (GobanDecisionChange){ .task = head.task,
                                            .node = v,
                                            .to = levels[units->unit_of[v]] };
      head.n_changes = n_nodes;
      goban_decisions_writer_decide (span, &head, 0);
    }
  if (is_best)
    goban_search_set_best (search, span, NULL);
  else
    goban_decisions_writer_settle (span, start->plan);
  start->moment = goban_decisions_writer_get_moment (span);
  goban_decisions_writer_close (span, &result, TRUE);
}

static gboolean
begin_to_improve (GobanGoRun *self, GError **error)
{
  self->incumbent.tries_orders = self->settings.order == GOBAN_GO_ORDER_BEST;
  self->incumbent.leaves_out_cells = !self->settings.starts_with_cells;
  if (!goban_incumbent_begin (&self->incumbent, self->problem, self->settings.start, &self->search,
                              error))
    return FALSE;
  if (self->search.best != NULL)
    goban_incumbent_set_plan (&self->incumbent, self->problem, self->search.best, &self->search);
  if (self->search.decisions != NULL)
    write_start (self);
  return TRUE;
}

static gboolean
improve (GobanGoRun *self, double end, guint n_updates, GError **error)
{
  /* The start plan is an evaluation, and may exhaust the budget. */
  if (self->search.best != NULL && !goban_search_go_on (&self->search, "learning", error))
    return !self->search.is_cancelled;
  if (!begin_to_improve (self, error))
    return FALSE;
  while (goban_search_go_on (&self->search, "learning", error) && get_fraction (self, end) < 1
         && self->n_updates < n_updates)
    {
      gint64 begun_us = g_get_monotonic_time ();
      GobanUpdate update;

      if (!goban_learner_improve (self->learner, self->problem, &self->incumbent, &self->improved,
                                  &self->search, get_fraction (self, end), &update, error))
        return FALSE;
      end_update (self, &update, begun_us);
    }
  return !self->search.is_cancelled;
}

gboolean
goban_go_run_learn (GobanGoRun *self, double end, guint n_updates, GError **error)
{
  if (self->settings.direct > 0
      && !learn_directly (self, end * self->settings.direct, n_updates, error))
    return FALSE;
  return self->settings.direct >= 1 || improve (self, end, n_updates, error);
}

gboolean
goban_go_run_try_changes (GobanGoRun *self, GError **error)
{
  if (self->settings.start == GOBAN_START_NOTHING)
    return TRUE;
  goban_learner_stop_learning (self->learner);
  self->curve = NULL;
  return improve (self, 1, G_MAXUINT, error);
}
