#include "engine/study/analysis/moments/moment-shown.h"

#include "engine/core/error.h"
#include "engine/decisions/replay.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"

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

GobanMoment
goban_moment_find_newest (const GobanDecisions *decisions)
{
  GobanMoment last = goban_decisions_get_last (decisions);

  if (goban_moment_is_finished (decisions, last))
    return last;
  for (guint32 s = goban_decisions_get_n_spans (decisions); s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (!span->is_open && span->is_accepted && goban_decisions_has (decisions, span->last)
          && goban_moment_is_finished (decisions, span->last))
        return span->last;
    }
  return 0;
}

GobanMoment
goban_moment_find_plan (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecision decision = { 0 };
  guint32 s;

  if (goban_moment_is_finished (decisions, moment))
    return moment;
  /* The beginning leads where the first decision does. */
  if (goban_decisions_get_n_moments (decisions) == 0
      || !goban_decisions_get (decisions, MAX (moment, 1), NULL, &decision))
    return goban_moment_find_newest (decisions);
  for (s = decision.span; s != 0;)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (!span->is_open && span->last > moment && goban_moment_is_finished (decisions, span->last))
        return span->last;
      s = span->parent;
    }
  return goban_moment_find_newest (decisions);
}

GobanPlan *
goban_moment_new_plan (GobanRun *run, GobanMoment moment, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);

  if (decisions == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s has recorded no decisions: place the graph with a policy to see them",
                       goban_run_get_name (run));
      return NULL;
    }
  if (moment > goban_decisions_get_n_moments (decisions))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s has the moments 0 to %u, and no moment %u",
                       goban_run_get_name (run), goban_decisions_get_n_moments (decisions), moment);
      return NULL;
    }
  return goban_replay_plan (goban_run_get_costs (run), decisions,
                            goban_moment_find_plan (decisions, moment), error);
}

GobanRun *
goban_moment_new_run_within (GobanRun *base, GobanRun *finished, GobanMoment moment, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s, moment %u", goban_run_get_name (base), moment);
  g_autoptr (GobanPlan) plan = goban_replay_plan (goban_run_get_costs (base),
                                                  goban_run_get_decisions (base), moment, error);

  return plan != NULL ? goban_run_new_within (finished, plan, name, moment,
                                              moment != goban_run_get_moment (finished))
                      : NULL;
}

GobanRun *
goban_moment_new_shown_run (GobanRun *base, GobanMoment moment, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (base);
  GobanMoment finished = decisions != NULL ? goban_moment_find_plan (decisions, moment) : 0;
  g_autoptr (GobanRun) run = NULL;

  if (decisions != NULL && finished == goban_run_get_moment (base))
    run = goban_run_ref (base);
  else
    run = goban_moment_new_run (goban_run_get_costs (base), decisions, goban_run_get_name (base),
                                finished, error);
  return run != NULL ? goban_moment_new_run_within (base, run, moment, error) : NULL;
}

char *
goban_moment_describe_whole (const GobanCostModel *costs, const GobanDecisions *decisions,
                             GobanMoment moment)
{
  g_autofree char *path = goban_moment_describe_path (decisions, moment);
  g_autofree char *what = goban_moment_describe (costs, decisions, moment);

  return *path != '\0' ? g_strdup_printf ("%s: %s", path, what) : g_steal_pointer (&what);
}
