#include "engine/session/session-measured.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/state-cluster.h"
#include "engine/study/run/recorded-run.h"

/* Whether @runs have a run of that plan. */
static gboolean
has_plan (const GPtrArray *runs, const GobanPlan *plan)
{
  for (guint i = 0; i < runs->len; i++)
    if (goban_run_get_plan (g_ptr_array_index (runs, i)) == plan)
      return TRUE;
  return FALSE;
}

/* Adds the plans of @old that fit the state's costs. Returns how many do not. */
static guint
add_old_runs (GobanState *next, const GobanState *old, const GPtrArray *runs)
{
  guint n_dropped = 0;

  for (guint i = 0; i < old->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (old->runs, i);
      g_autoptr (GobanRun) fresh = NULL;

      if (goban_run_is_recorded (run) || has_plan (runs, goban_run_get_plan (run)))
        continue;
      fresh = goban_rerun (run, next->costs, NULL); /* a yes or no */
      if (fresh != NULL)
        goban_state_add_run (next, fresh);
      else
        n_dropped++;
    }
  return n_dropped;
}

static GobanRun *
find_best (const GPtrArray *runs)
{
  GobanRun *best = NULL;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);

      if (!goban_run_is_recorded (run) && (best == NULL || goban_run_compare (run, best) < 0))
        best = run;
    }
  return best;
}

void
goban_session_add_measured (GobanSession *self, GobanCostModel *costs, GPtrArray *runs)
{
  GobanState *next;
  guint n_dropped, n_old;

  g_return_if_fail (GOBAN_IS_SESSION (self));
  g_return_if_fail (goban_cost_model_get_graph (costs) == self->graph && runs->len > 0);

  next = goban_state_new (goban_cost_model_get_cluster (costs), NULL);
  next->costs = goban_cost_model_ref (costs);
  goban_state_set_pinned (next, self->state->pinned);
  goban_state_set_scenes (next, self->state->scenes);
  goban_state_set_chosen (next);
  n_old = self->state->runs->len;
  n_dropped = add_old_runs (next, self->state, runs);
  for (guint i = 0; i < runs->len; i++)
    goban_state_add_run (next, g_ptr_array_index (runs, i));
  goban_state_set_current (next, find_best (runs));
  goban_session_commit (self, _ ("measure plans"), next);
  if (n_dropped > 0)
    goban_session_say (self, FALSE, "%u of %u plans do not fit the cluster %s and were left out",
                       n_dropped, n_old, goban_cluster_get_name (next->cluster));
}
