#include "engine/placers/memory-fit.h"

/* Plans of one maker, each with more memory kept free than the last. */
#define MAX_TRIES 12
/* A plan that frees exactly the missing bytes often lacks a few again. */
#define HEADROOM_PER_OVERFLOW 1.1

/* (transfer full) (nullable) */
static GobanPlan *
make (const GobanPlanMaker *maker, GobanAttempt *attempt, guint64 evaluation,
      GobanDecisionsWriter *decisions, GError **error)
{
  GobanPlan *plan;

  attempt->decisions
      = goban_decisions_writer_open (decisions, &(GobanSpanHead){ .name = "attempt",
                                                                  .level = GOBAN_LEVEL_PLAN,
                                                                  .evaluation = evaluation,
                                                                  .key = maker->words->key,
                                                                  .ties = maker->words->ties,
                                                                  .has_base = TRUE });
  plan = maker->make (maker->data, attempt, error);
  if (plan != NULL)
    goban_decisions_writer_settle (attempt->decisions, plan);
  return plan;
}

/* Takes the plan. */
static GobanOutcome
consider (GobanMemoryFit *self, GobanPlan *plan, const GobanAttempt *attempt)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->simulator, plan);
  gboolean is_best = self->best == NULL || goban_outcome_compare (&outcome, &self->outcome) < 0;

  self->n_evaluations++;
  goban_decisions_writer_close (
      attempt->decisions, &(GobanSpanResult){ outcome.makespan_us, outcome.overflow_bytes, NULL },
      is_best);
  if (is_best)
    {
      g_clear_pointer (&self->best, goban_plan_unref);
      self->best = goban_plan_ref (plan);
      self->outcome = outcome;
    }
  goban_plan_unref (plan);
  return outcome;
}

gboolean
goban_memory_fit_try (GobanMemoryFit *self, const GobanPlanMaker *maker, GError **error)
{
  guint64 n = self->max_tries > 0 ? MIN (self->max_tries, MAX_TRIES) : MAX_TRIES;
  GobanAttempt attempt = { 0 };

  for (guint64 i = 0; i < n; i++)
    {
      GobanPlan *plan = make (maker, &attempt, self->n_evaluations + 1, self->decisions, error);
      GobanOutcome outcome;

      if (plan == NULL)
        return FALSE;
      outcome = consider (self, plan, &attempt);
      if (outcome.overflow_bytes == 0)
        break;
      attempt.headroom_bytes += HEADROOM_PER_OVERFLOW * outcome.overflow_bytes;
    }
  return TRUE;
}

/* Not if every device could hold all there is at once, a copy of each tensor included. */
static gboolean
may_overflow (const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  double all_bytes = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    all_bytes += goban_cost_model_param_bytes (costs, v) + goban_graph_get_output_bytes (graph, v);
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    if (goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes < all_bytes)
      return TRUE;
  return FALSE;
}

GobanPlan *
goban_memory_fit_plan (GobanCostModel *costs, const GobanPlanMaker *maker,
                       const GobanPlacerOptions *options, guint64 *evaluations, GError **error)
{
  g_autoptr (GobanSimulator) simulator = NULL;
  GobanMemoryFit self = { .max_tries = options->max_evaluations, .decisions = options->decisions };

  if (options->max_evaluations == 1 || !may_overflow (costs))
    {
      GobanAttempt attempt = { 0 };
      GobanPlan *plan = make (maker, &attempt, 0, options->decisions, error);

      if (plan != NULL)
        goban_decisions_writer_close (attempt.decisions, NULL, TRUE);
      return plan;
    }

  self.simulator = simulator = goban_simulator_new (costs);
  if (!goban_memory_fit_try (&self, maker, error))
    g_clear_pointer (&self.best, goban_plan_unref);
  *evaluations += self.n_evaluations;
  return self.best;
}
