#include "engine/study/analysis/moments/moment-run.h"

#include "engine/core/error.h"
#include "engine/decisions/replay.h"
#include "engine/study/run/run-origin.h"

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
