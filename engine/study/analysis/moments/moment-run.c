#include "engine/study/analysis/moments/moment-run.h"

#include "engine/core/error.h"
#include "engine/decisions/replay.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

/* (n_nodes + 1), of which the last is 0 if no other is known. */
static float *
find_entropies (const GobanDecisions *decisions, GobanMoment until)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  float *entropies = g_new (float, n_nodes + 1);

  for (guint v = 0; v < n_nodes; v++)
    entropies[v] = (float) NAN;
  entropies[n_nodes] = 0;
  for (GobanMoment m = until; m > 0; m = goban_decisions_get_previous (decisions, m))
    {
      GobanDecision decision;

      if (!goban_decisions_get (decisions, m, NULL, &decision)
          || decision.task != GOBAN_TASK_PLACEMENT || isnan (decision.entropy))
        continue;
      entropies[n_nodes] = 1;
      for (guint k = 0; k < decision.n_nodes; k++)
        if (isnan (entropies[decision.nodes[k]]))
          entropies[decision.nodes[k]] = decision.entropy;
    }
  return entropies;
}

const float *
goban_moments_get_entropies (GobanRun *run)
{
  GQuark key = g_quark_from_static_string ("goban-run-entropies");
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  const float *entropies = goban_run_get_derived (run, key);

  if (decisions == NULL)
    return NULL;
  if (entropies == NULL)
    entropies = goban_run_keep_derived (
        run, key, find_entropies (decisions, goban_run_get_moment (run)), g_free);
  return entropies[goban_decisions_get_n_nodes (decisions)] > 0 ? entropies : NULL;
}

GobanRun *
goban_moment_new_run (GobanCostModel *costs, GobanDecisions *decisions, const char *name,
                      GobanMoment moment, GError **error)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree char *own_name = NULL;

  if (decisions == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s has recorded no decisions: a policy's run does, a plan made by hand or "
                       "read from a file does not",
                       name);
      return NULL;
    }
  plan = goban_replay_plan (costs, decisions, moment, error);
  if (plan == NULL)
    return NULL;
  own_name = g_strdup_printf ("%s, moment %u", name, moment);
  return goban_run_new_kept (
      costs, plan, own_name,
      &(GobanRunOrigin){ .evaluations = 1,
                         .decisions = decisions,
                         .is_within = moment != goban_decisions_get_last (decisions),
                         .moment = moment });
}

typedef struct
{
  GobanCostModel *costs;
  GobanDecisions *decisions; /* (nullable) */
  char *name;
  GobanMoment moment;
} Work;

gpointer
goban_moment_new_work (GobanCostModel *costs, GobanDecisions *decisions, const char *name,
                       GobanMoment moment)
{
  Work *work = g_new (Work, 1);

  *work = (Work){ goban_cost_model_ref (costs),
                  decisions != NULL ? goban_decisions_ref (decisions) : NULL, g_strdup (name),
                  moment };
  return work;
}

void
goban_moment_free_work (gpointer data)
{
  Work *work = data;

  goban_cost_model_unref (work->costs);
  g_clear_pointer (&work->decisions, goban_decisions_unref);
  g_free (work->name);
  g_free (work);
}

gpointer
goban_moment_work (const GobanProgress *progress, gpointer data, GError **error)
{
  const Work *work = data;

  return goban_moment_new_run (work->costs, work->decisions, work->name, work->moment, error);
}
