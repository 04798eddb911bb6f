#include "engine/learn/rl/go/problem.h"

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/joint-choices.h"
#include "engine/placers/placed-ranks.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/search/unit-groups.h"
#include "engine/sim/fusion/fusion.h"

#include <math.h>
#include <string.h>

#define WORST_REWARD (-10.0)

/* Working data for making a plan; one per plan made in parallel. */
typedef struct
{
  GobanFuser *fuser;
  double *ranks_us;   /* (n_nodes) */
  gint32 *priorities; /* (n_nodes) */
} Executor;

struct _GobanProblem
{
  GobanCostModel *costs;
  GobanTasks decisions;
  gboolean fuses_alike, ranks_alike;
  GobanBoard *fine;   /* a row per unit */
  GobanBoard *groups; /* NULL if every unit is a row */
  const GobanBoard *board;
  GobanEvaluator *evaluator;
  GobanPlan *base; /* the plan into which choices are written */
  GobanKnownPlans known;
  GArray *executors; /* of Executor, made as they are needed */
  GobanPass *pass;
  char *pass_config; /* that the pass is for */
};

static gboolean
decides (const GobanProblem *self, GobanTask decision)
{
  return goban_tasks_have (self->decisions, decision);
}

static void
executor_clear (gpointer data)
{
  Executor *self = data;

  g_clear_pointer (&self->fuser, goban_fuser_free);
  g_clear_pointer (&self->ranks_us, g_free);
  g_clear_pointer (&self->priorities, g_free);
}

/* --- construction --------------------------------------------------------------------------- */

static GobanPlan *
new_base (GobanProblem *self, const GobanProblemOptions *options, const GobanProgress *progress,
          GError **error)
{
  GobanPlacerOptions quiet = { .progress = progress };
  g_autoptr (GobanPlan) base = NULL;
  guint64 evaluations = 0;

  if (options->start != NULL && !goban_plan_check (options->start, self->costs, error))
    return NULL;
  if (options->start != NULL)
    base = goban_plan_copy (options->start);
  else if (decides (self, GOBAN_TASK_PLACEMENT))
    base = goban_plan_new (self->board->units->graph, self->board->n_devices);
  else
    base = goban_placer_place (&goban_placer_expert, self->costs, &quiet, &evaluations, error);
  if (base == NULL)
    return NULL;

  /* Kernels of one placement need not be legal for another. */
  if (decides (self, GOBAN_TASK_PLACEMENT) || options->start == NULL)
    for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (base); v++)
      goban_plan_set_fusion (base, v, GOBAN_NO_FUSION);
  if (options->start == NULL)
    goban_plan_set_order (base, GOBAN_ORDER_FIFO);
  if (decides (self, GOBAN_TASK_SCHEDULING) || self->ranks_alike)
    {
      goban_plan_set_order (base, GOBAN_ORDER_PRIORITY);
      goban_plan_set_transfer_priorities (base, NULL);
    }
  goban_plan_set_proven_bound_us (base, NULL, 0);
  return g_steal_pointer (&base);
}

static void
choose_rows (GobanProblem *self, guint n_rows)
{
  GobanBoard *fine = self->fine;

  self->board = fine;
  if (n_rows > 0 && n_rows < fine->n_rows)
    {
      g_autoptr (GobanUnitGroups) groups = goban_unit_groups_new_even (fine->units, n_rows);

      self->groups = goban_board_new_grouped (fine, groups->group_of, groups->n_groups);
      self->board = self->groups;
    }
}

GobanProblem *
goban_problem_new (GobanCostModel *costs, const GobanProblemOptions *options,
                   const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanProblem) self = g_new0 (GobanProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->decisions = options->decisions != 0 ? options->decisions : GOBAN_TASKS_DEFAULT;
  /* A start overrides the defaults; its kernels are kept if its placement is. */
  self->fuses_alike
      = options->fuses_alike && (options->start == NULL || decides (self, GOBAN_TASK_PLACEMENT));
  self->ranks_alike = options->ranks_alike && options->start == NULL;
  self->executors = g_array_new (FALSE, TRUE, sizeof (Executor));
  g_array_set_clear_func (self->executors, executor_clear);
  self->fine = goban_board_new (costs, 0, error);
  if (self->fine == NULL)
    return NULL;

  choose_rows (self, options->n_rows);
  self->evaluator = goban_search_new_evaluator (costs);
  self->base = new_base (self, options, progress, error);
  if (self->base == NULL
      || !goban_known_plans_measure (&self->known, costs, self->evaluator, progress, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
goban_problem_free (GobanProblem *self)
{
  g_clear_pointer (&self->pass, goban_pass_free);
  g_clear_pointer (&self->pass_config, g_free);
  g_clear_pointer (&self->executors, g_array_unref);
  g_clear_pointer (&self->base, goban_plan_unref);
  g_clear_pointer (&self->evaluator, goban_evaluator_free);
  g_clear_pointer (&self->groups, goban_board_free);
  g_clear_pointer (&self->fine, goban_board_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self);
}

const GobanBoard *
goban_problem_get_board (const GobanProblem *self)
{
  return self->board;
}

GobanPlan *
goban_problem_get_base (const GobanProblem *self)
{
  return self->base;
}

GobanTasks
goban_problem_get_decisions (const GobanProblem *self)
{
  return self->decisions;
}

double
goban_problem_get_reference_us (const GobanProblem *self)
{
  return self->known.reference_us;
}

GobanEvaluator *
goban_problem_get_evaluator (const GobanProblem *self)
{
  return self->evaluator;
}

GobanPass *
goban_problem_get_pass (GobanProblem *self, const GobanNetConfig *config)
{
  g_autofree char *text = goban_net_config_to_text (config);

  if (g_strcmp0 (text, self->pass_config) != 0)
    {
      g_clear_pointer (&self->pass, goban_pass_free);
      g_free (self->pass_config);
      self->pass = goban_pass_new (config, self->board);
      self->pass_config = g_steal_pointer (&text);
    }
  return self->pass;
}

/* --- executors ------------------------------------------------------------------------------- */

/* Sets priorities by upward rank; the level of a row shifts its ops (levels nullable). */
static void
schedule_units (GobanProblem *self, Executor *executor, GobanPlan *plan, const guint32 *levels)
{
  const GobanUnits *units = self->board->units;
  guint n_nodes = goban_plan_get_n_nodes (plan);
  double longest_us = 0;

  goban_placed_ranks (units, plan, executor->ranks_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    longest_us = MAX (longest_us, executor->ranks_us[v]);
  for (GobanNodeId v = 0; v < n_nodes && levels != NULL; v++)
    {
      double level
          = ((double) levels[units->unit_of[v]] - GOBAN_MIDDLE_LEVEL) / (GOBAN_N_LEVELS - 1);

      executor->ranks_us[v] += level * GOBAN_LEVEL_REACH * longest_us;
    }
  goban_plan_set_priorities_by_key (plan, executor->ranks_us);
}

/* choices: (n_units) by task. */
static GobanPlan *
make_plan (GobanProblem *self, Executor *executor, guint32 *const *choices)
{
  GobanPlan *plan = goban_plan_copy (self->base);

  if (decides (self, GOBAN_TASK_PLACEMENT))
    {
      const GobanUnits *units = self->board->units;
      const guint32 *devices = choices[GOBAN_TASK_PLACEMENT];

      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        goban_plan_set_device (plan, v, (GobanDeviceId) devices[units->unit_of[v]]);
    }
  if (decides (self, GOBAN_TASK_FUSION))
    {
      /* Fuses units by descending level, ties by id; level 0 is not fused. */
      const GobanUnits *units = self->board->units;
      const guint32 *levels = choices[GOBAN_TASK_FUSION];

      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        executor->priorities[v] = (gint32) levels[units->unit_of[v]];
      goban_fuser_fuse_by_priority (executor->fuser, plan, executor->priorities);
    }
  else if (self->fuses_alike)
    goban_fuser_fuse_default (executor->fuser, plan);
  if (decides (self, GOBAN_TASK_SCHEDULING))
    schedule_units (self, executor, plan, choices[GOBAN_TASK_SCHEDULING]);
  else if (self->ranks_alike)
    schedule_units (self, executor, plan, NULL);
  return plan;
}

typedef struct
{
  GobanProblem *problem;
  GobanChoices *const *choices;
  GobanPlan **plans;
} Making;

static void
make_part (guint part, gpointer data)
{
  Making *making = data;
  GobanProblem *self = making->problem;
  const GobanUnits *units = self->board->units;
  const GobanChoices *choices = making->choices[part];
  guint32 *const *chosen = choices->chosen[choices->n_iterations - 1];
  guint32 *spread[GOBAN_N_TASKS] = { NULL };

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, k) && chosen[k] != NULL)
      {
        spread[k] = g_new (guint32, units->n_units);
        goban_board_spread_choices (self->board, chosen[k], spread[k]);
      }
  making->plans[part] = make_plan (self, &g_array_index (self->executors, Executor, part), spread);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_free (spread[k]);
}

static void
grow_executors (GobanProblem *self, guint n)
{
  guint n_nodes = goban_plan_get_n_nodes (self->base);

  while (self->executors->len < n)
    {
      Executor executor = { .fuser = goban_fuser_new (self->costs),
                            .ranks_us = g_new (double, n_nodes),
                            .priorities = g_new (gint32, n_nodes) };

      g_array_append_val (self->executors, executor);
    }
}

void
goban_problem_new_plans (GobanProblem *self, GobanChoices *const *choices, guint n,
                         GobanPlan **plans)
{
  Making making = { self, choices, plans };

  grow_executors (self, n);
  goban_parallel_for (n, make_part, &making);
}

double
goban_problem_reward (const GobanProblem *self, const GobanOutcome *outcome)
{
  double reward = -sqrt (outcome->makespan_us / self->known.reference_us);

  if (outcome->overflow_bytes > 0)
    {
      const GobanCluster *cluster = self->board->units->cluster;
      double least_bytes = INFINITY;

      for (guint d = 0; d < self->board->n_devices; d++)
        least_bytes = MIN (least_bytes,
                           goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes);
      /* Worse than any valid plan, and worse the more memory is missing. */
      reward = MIN (reward, -1) - 1 - 4 * outcome->overflow_bytes / MAX (least_bytes, 1);
    }
  return MAX (reward, WORST_REWARD);
}
