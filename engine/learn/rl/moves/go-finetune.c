/* go-finetune and go-one: the decoder learns on the graph, then moves improve its best plan.
 *
 * The moves (engine/learn/rl/moves/improver.h) start at the best plan of the decoder, or at the
 * best of some contiguous splits of cells under the static orders; neither names nor the expert's
 * plan are used. Proposals by hand-set weights, an untrained network or uniform draws are controls.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/learn/rl/builder/decoding.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/moves/improver.h"
#include "engine/learn/rl/moves/joint-search.h"
#include "engine/learn/rl/policies.h"
#include "engine/learn/rl/setting-fields.h"
#include "engine/placers/placer.h"
#include "engine/placers/policies.h"

#include <math.h>
#include <string.h>

/* Share of the budget in which the decoder learns. */
#define LEARNING_SHARE 0.5

/* Numbers of splits to try, and the budget from which on more are tried. */
#define FEW_SPLITS 5
#define MANY_SPLITS 13
#define MANY_EVALUATIONS 60

/* Chosen by the budget. */
#define ANY_UPDATES G_MAXUINT

/* With several tasks: budget from which on splits are tried beside the plan builder's plan. */
#define LEAST_FOR_SPLITS 100

typedef enum
{
  PROPOSALS_BOTH, /* the network's and those by hand-set weights in turn */
  PROPOSALS_NETWORK,
  PROPOSALS_HAND,
  PROPOSALS_UNTRAINED,
  PROPOSALS_UNIFORM,
} Proposals;

static const char *const proposal_names[]
    = { "both", "network", "hand", "untrained", "uniform", NULL };

typedef struct
{
  GobanCostModel *costs;
  const GobanPlacerOptions *options;
  Proposals proposals;
  gboolean has_builder;
  GobanDecodingUse decoding; /* of the decoder, before the moves */
  gboolean is_fifo;          /* placement only, FIFO order */
  GobanTasks decisions;
  GobanImproverSettings settings;
  GobanScorerNet *net;    /* (nullable): uniform */
  GobanScorerNet *second; /* (nullable): in turn with the network */
  GobanMoveProblem *problem;
  GobanMoveStep *step; /* (nullable) */
  GobanSearch search;
} Improving;

/* --- settings ------------------------------------------------------------------------------- */

#define FIELD(kind, key, member, ...)                                                              \
  GOBAN_SETTING_FIELD (kind, Improving, key, member, __VA_ARGS__, NULL)
#define WORDS(...) GOBAN_SETTING_WORDS (Improving, __VA_ARGS__)

static const GobanSettingField fields[] = {
  WORDS ("proposals", proposals, proposal_names),
  WORDS ("start", has_builder, ((const char *const[]){ "cells", "builder", NULL })),
  WORDS ("order", is_fifo, ((const char *const[]){ "best", "fifo", NULL })),
  FIELD (NUMBER, "heat", settings.heat, 0, 1),
  FIELD (NUMBER, "rate", decoding.tuning.rate, 0, 1),
  FIELD (NUMBER, "store", decoding.tuning.store, 0, 100),
  FIELD (NUMBER, "floor", decoding.tuning.entropy_floor, 0, 10),
  FIELD (NUMBER, "kl", decoding.tuning.most_kl, 0, 10),
  FIELD (NUMBER, "temperature", decoding.tuning.temperature, 0.01, 100),
  FIELD (COUNT, "updates", decoding.n_updates, 0, GOBAN_DECODING_MOST_UPDATES),
  FIELD (NUMBER, "uniform", settings.uniform, 0, 1),
  FIELD (COUNT, "groups", settings.n_groups, 1, 1024),
};

static gboolean
parse_settings (Improving *self, const char *settings, GError **error)
{
  g_autofree char *wrong
      = goban_setting_fields_apply (fields, G_N_ELEMENTS (fields), settings, self);

  if (wrong == NULL)
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "“%s” is not a setting of this policy; write "
      "proposals=both|network|hand|untrained|uniform, start=builder|cells, order=best|fifo, "
      "updates=NUMBER up to %d, rate=RATE, temperature=T, floor=NATS, kl=NATS, store=WEIGHT, "
      "heat=SHARE, uniform=SHARE or groups=NUMBER",
      wrong, GOBAN_DECODING_MOST_UPDATES);
}

/* --- network -------------------------------------------------------------------------------- */

/* The network of moves: the one that is named, if it is one of moves. (nullable) */
static GobanScorerNet *
load_net (const GobanPlacerOptions *options, GError **error)
{
  const char *named = goban_learned_options (options)->network;
  g_autofree char *own = NULL;

  if (named == NULL || !goban_move_net_is_file (named))
    named = own = goban_scorer_net_find_own ("moves.net", "moves", error);
  return named != NULL ? goban_move_net_load (named, error) : NULL;
}

/* FALSE with an error set. */
static gboolean
choose_net (Improving *self, GError **error)
{
  GobanRng rng;

  goban_rng_init (&rng, self->options->seed);
  if (self->proposals == PROPOSALS_BOTH)
    self->second = goban_move_net_new_by_hand ();
  if (self->proposals == PROPOSALS_BOTH || self->proposals == PROPOSALS_NETWORK)
    self->net = load_net (self->options, error);
  else if (self->proposals == PROPOSALS_HAND)
    self->net = goban_move_net_new_by_hand ();
  else if (self->proposals == PROPOSALS_UNTRAINED)
    self->net = goban_move_net_new (&rng);
  return self->net != NULL || self->proposals == PROPOSALS_UNIFORM;
}

/* --- policy --------------------------------------------------------------------------------- */

static gboolean
decides (const Improving *self, GobanTask decision)
{
  return goban_tasks_have (self->decisions, decision);
}

/* Whether the joint search is needed; placement only, under static orders, uses goban_improve(). */
static gboolean
is_joint (const Improving *self)
{
  return self->is_fifo || (self->decisions & ~GOBAN_TASKS_DEFAULT) != 0;
}

/* Opens a part of the search in the decisions; what is tried belongs to it. */
static void
open_round (Improving *self, const char *name)
{
  self->search.decisions = goban_decisions_writer_open (
      self->options->decisions, &(GobanSpanHead){ .name = name, .level = GOBAN_LEVEL_ROUND });
}

/* outcome: of its last plan. */
static void
close_round (Improving *self, GobanOutcome outcome)
{
  const GobanSpanResult result = goban_search_get_result (outcome);

  goban_decisions_writer_close (self->search.decisions, &result, TRUE);
  self->search.decisions = self->options->decisions;
}

/* Evaluations of the decoder: its first round, those of its updates, and the likeliest plans
 * between and at last. */
static guint64
get_decoder_evaluations (Improving *self)
{
  guint64 budget = self->search.max_evaluations;
  guint64 n = (guint64) (LEARNING_SHARE * (double) budget) / GOBAN_DECODING_FELLOWS;

  if (self->decoding.n_updates == ANY_UPDATES)
    self->decoding.n_updates
        = (guint) (budget > 0 ? MIN (n, GOBAN_DECODING_MOST_UPDATES) : GOBAN_DECODING_MOST_UPDATES);
  n = self->decoding.n_updates;
  if (n == 0)
    return GOBAN_DECODING_EVALUATIONS;
  return GOBAN_DECODING_EVALUATIONS + n * GOBAN_DECODING_FELLOWS + n / GOBAN_DECODING_CHECK_EVERY
         + 2;
}

/* Returns the best plan of the decoder, whose plans count as evaluations. in_order: (nullable): a
 * plan whose order it keeps. (transfer full) (nullable) */
static GobanPlan *
new_built (Improving *self, const GobanPlan *in_order, guint *order, GError **error)
{
  GobanPlacerOptions options = *self->options;
  const GobanLearnedOptions *given = goban_learned_options (self->options);
  const GobanLearnedOptions learned
      = { .start = in_order,
          .decisions = self->decisions,
          .network = given->network != NULL && goban_move_net_is_file (given->network)
                         ? NULL
                         : given->network,
          .curve = given->curve };
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  guint64 budget = self->search.max_evaluations;
  guint64 n_used = 0, found;
  guint n_improvements;
  g_autoptr (GobanPlan) plan = NULL;
  GobanPartProgress part;

  options.progress = goban_part_progress_begin (&part, self->options->progress, 0, 1, NULL);
  options.settings = NULL;
  options.decisions = self->search.decisions;
  options.learned = &learned;
  if (options.improvements == NULL)
    options.improvements = own;
  options.max_evaluations = get_decoder_evaluations (self);
  if (budget > 0)
    options.max_evaluations = MIN (budget, options.max_evaluations);
  part.share = budget > 0 ? (double) options.max_evaluations / (double) budget : LEARNING_SHARE;
  plan = goban_decoding_place (self->costs, &options, &self->decoding, &n_used, error);
  if (plan == NULL)
    return NULL;
  /* It counts where the builder found it; one that lacks memory is no improvement. */
  n_improvements = options.improvements->len;
  found
      = n_improvements > 0
            ? g_array_index (options.improvements, GobanImprovement, n_improvements - 1).evaluation
            : n_used;
  self->search.n_evaluations = found - 1;
  goban_search_consider (&self->search, plan,
                         goban_simulator_evaluate (self->problem->improver->simulator, plan));
  self->search.n_evaluations = self->search.written = n_used;
  self->search.best_moment = goban_decisions_writer_get_moment (self->search.decisions);
  *order = goban_static_orders_find (self->problem->improver->orders, plan);
  return g_steal_pointer (&plan);
}

static GobanPlan *
new_split (Improving *self, guint *order, GError **error)
{
  guint64 budget = self->search.max_evaluations;
  gboolean is_small = budget > 0 && budget < MANY_EVALUATIONS;

  return goban_move_problem_start (self->problem, &self->search,
                                   is_small ? FEW_SPLITS : MANY_SPLITS, order, error);
}

/* The given plan, with its order and kernels. (transfer full) (nullable) */
static GobanPlan *
new_given (Improving *self, const GobanPlan *start, guint *order, GError **error)
{
  if (!goban_plan_check (start, self->costs, error))
    return NULL;
  goban_search_offer (&self->search, start,
                      goban_simulator_evaluate (self->problem->improver->simulator, start));
  *order = goban_static_orders_find (self->problem->improver->orders, start);
  return goban_plan_copy (start);
}

static GobanPlan *
new_start (Improving *self, guint *order, GError **error)
{
  if (goban_learned_options (self->options)->start != NULL)
    return new_given (self, goban_learned_options (self->options)->start, order, error);
  return self->has_builder ? new_built (self, NULL, order, error) : new_split (self, order, error);
}

/* Begins the moves in the decisions. */
static void
begin_moves (Improving *self)
{
  close_round (self, self->search.outcome);
  open_round (self, "moves");
  self->step = goban_move_step_new (&self->search);
  self->problem->improver->step = self->step;
}

/* --- tasks together ------------------------------------------------------------------------- */

/* Returns the plan for undecided tasks: the start; without one, the expert's placement, FIFO and
 * unfused. (transfer full) (nullable) */
static GobanPlan *
new_base (const Improving *self, GError **error)
{
  GobanPlacerOptions quiet = { .progress = self->options->progress };
  const GobanPlan *start = goban_learned_options (self->options)->start;
  g_autoptr (GobanPlan) plan = NULL;
  guint64 n_used = 0;

  if (start != NULL && !goban_plan_check (start, self->costs, error))
    return NULL;
  if (start != NULL)
    return goban_plan_copy (start);
  if (decides (self, GOBAN_TASK_PLACEMENT))
    return goban_plan_new (self->problem->units->graph, self->problem->units->n_devices);
  plan = goban_placer_place (&goban_placer_expert, self->costs, &quiet, &n_used, error);
  if (plan != NULL)
    goban_plan_set_order (plan, GOBAN_ORDER_FIFO);
  return g_steal_pointer (&plan);
}

/* Tries splits of cells, fused and ordered by the tasks, and returns the better of the best one and
 * @built. (transfer full) */
static GobanPlan *
try_splits (Improving *self, GobanPlan *built, const GobanPlan *base, GError **error)
{
  GobanMoveProblem *problem = self->problem;
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (problem->splits, MANY_SPLITS);
  g_autoptr (GobanJointExecutor) executor
      = goban_joint_executor_new (problem->units, problem->improver->orders);
  g_autoptr (GobanJointChoices) choices = goban_joint_choices_new (goban_plan_get_n_nodes (built));
  GobanPlan *best = built;

  if (decides (self, GOBAN_TASK_SCHEDULING))
    choices->order = GOBAN_STATIC_TRANSFERS;
  if (decides (self, GOBAN_TASK_FUSION))
    choices->fusion = GOBAN_FUSES_TRAFFIC;
  for (guint i = 0; i < cuts->len && goban_search_go_on (&self->search, "splitting cells", error);
       i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_copy (base);
      GobanOutcome outcome;

      goban_cell_splits_place (problem->splits, cuts->pdata[i], plan);
      goban_joint_executor_apply (executor, choices, plan);
      outcome = goban_simulator_evaluate (problem->improver->simulator, plan);
      if (!goban_search_offer (&self->search, plan, outcome))
        continue;
      goban_plan_unref (best);
      best = g_steal_pointer (&plan);
    }
  return best;
}

/* Returns the given start; else the plan builder's best plan, in any order if the order is a task.
 * (transfer full) (nullable) */
static GobanPlan *
new_joint_start (Improving *self, GError **error)
{
  g_autoptr (GobanPlan) base = new_base (self, error);
  guint order;

  if (base == NULL)
    return NULL;
  if (goban_learned_options (self->options)->start == NULL && decides (self, GOBAN_TASK_PLACEMENT))
    {
      GobanPlan *built = decides (self, GOBAN_TASK_SCHEDULING)
                             ? new_start (self, &order, error)
                             : new_built (self, base, &order, error);

      return built != NULL && self->search.max_evaluations >= LEAST_FOR_SPLITS
                 ? try_splits (self, built, base, error)
                 : built;
    }
  goban_search_offer (&self->search, base,
                      goban_simulator_evaluate (self->problem->improver->simulator, base));
  return g_steal_pointer (&base);
}

static void
improve_jointly (Improving *self, GError **error)
{
  g_autoptr (GobanPlan) start = new_joint_start (self, error);
  g_autoptr (GobanJointSearch) joint = NULL;

  if (start == NULL)
    return;
  begin_moves (self);
  joint = goban_joint_search_new (self->problem->improver, self->decisions);
  goban_joint_search_run (joint, self->net, start, &self->search, error);
  close_round (self, self->problem->improver->outcome);
}

/* Returns the lower bound of plans; fused plans may be shorter than the bound of unfused ones. */
static double
find_bound_us (const Improving *self)
{
  gboolean may_fuse
      = decides (self, GOBAN_TASK_FUSION) || goban_learned_options (self->options)->start != NULL;

  return may_fuse ? goban_bounds_when_fused (self->costs).bound_us
                  : goban_bounds (self->costs).bound_us;
}

static void
improve_placement (Improving *self, GError **error)
{
  GobanImprover *improver = self->problem->improver;
  guint order;
  g_autoptr (GobanPlan) start = new_start (self, &order, error);

  if (start == NULL)
    return;
  begin_moves (self);
  goban_improve (improver, self->net, start, order, &self->search, error);
  close_round (self, improver->outcome);
}

/* Refuses starts that do not fit the settings: splits of cells are compared under static orders. */
static gboolean
check_start (const Improving *self, GError **error)
{
  if (self->has_builder || !is_joint (self) || decides (self, GOBAN_TASK_SCHEDULING))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "start=cells chooses an order, too: add scheduling to the tasks, or leave "
                       "out start=cells");
}

/* @is_untrained: the decoder begins as a new network */
static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 default_evaluations,
       gboolean is_untrained, guint64 *evaluations, GError **error)
{
  Improving self = { .costs = costs,
                     .options = options,
                     .has_builder = TRUE,
                     .decisions = goban_learned_options (options)->decisions != 0
                                      ? goban_learned_options (options)->decisions
                                      : GOBAN_TASKS_DEFAULT,
                     .decoding = { .default_evaluations = GOBAN_DECODING_EVALUATIONS,
                                   .is_untrained = is_untrained,
                                   .n_updates = ANY_UPDATES,
                                   .tuning = goban_fine_tuning_settings_default () },
                     .settings = goban_improver_settings_default };
  GobanPlan *plan = NULL;

  if (parse_settings (&self, options->settings, error) && check_start (&self, error)
      && choose_net (&self, error))
    self.problem = goban_move_problem_new (costs, error);
  if (self.problem != NULL)
    {
      self.problem->improver->settings = self.settings;
      self.problem->improver->second = self.second;
      goban_rng_init (&self.problem->improver->rng, options->seed);
      goban_search_begin (&self.search, options, default_evaluations);
      self.search.bound_us = find_bound_us (&self);
      open_round (&self, "build");
      if (is_joint (&self))
        improve_jointly (&self, error);
      else
        improve_placement (&self, error);
      plan = goban_search_end (&self.search, evaluations);
    }
  goban_search_clear (&self.search);
  goban_move_step_free (self.step);
  g_clear_pointer (&self.problem, goban_move_problem_free);
  g_clear_pointer (&self.net, goban_scorer_net_free);
  g_clear_pointer (&self.second, goban_scorer_net_free);
  return plan;
}

#define DEFAULT_EVALUATIONS 800
#define DEFAULT_EVALUATIONS_ONE 2000

static GobanPlan *
fine_tune (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
           GError **error)
{
  return place (costs, options, DEFAULT_EVALUATIONS, FALSE, evaluations, error);
}

static GobanPlan *
learn_from_nothing (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                    GError **error)
{
  return place (costs, options, DEFAULT_EVALUATIONS_ONE, TRUE, evaluations, error);
}

const GobanPlacer goban_placer_go_finetune = {
  .name = "go-finetune",
  .blurb = N_ ("a trained network learns on this graph; moves improve its best plan"),
  .about
  = N_ ("The first 17 plans are those of go-zeroshot. Then the network is updated on this graph, "
        "fewer than 50 times, by 16 plans each: REINFORCE with a floor under the entropy of its "
        "decisions, a limit of the change of an update, and its own best plan so far as an "
        "example. With the rest of the budget the best plan is improved by moves of groups of "
        "ops. --set updates=N says how many updates, rate=0 learns nothing; start=cells begins "
        "with splits instead of the network. --tasks adds scheduling and fusion: rules for both "
        "are tried as a whole, then moves of keys and of fusion levels share the evaluations "
        "with moves of placement. What is not a task stays as in the plan that --start names, or "
        "first in, first out and unfused; for placement alone --set order=fifo says so. A plan "
        "that is given is where the moves begin, in place of the network's. --network FILE names "
        "another network; goban-cli train builder makes one."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .has_start = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = fine_tune,
};

const GobanPlacer goban_placer_go_one = {
  .name = "go-one",
  .blurb = N_ ("a new network learns on this graph alone; moves improve its best plan"),
  .about = N_ ("As go-finetune, but nothing is learned beforehand: the network begins with random "
               "weights and an earliest-start rule."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS_ONE,
  .has_tasks = TRUE,
  .has_start = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = learn_from_nothing,
};
