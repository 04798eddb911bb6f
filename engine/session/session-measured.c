#include "engine/session/session-measured.h"

#include "engine/run/recorded-run.h"
#include "engine/session/log-lines.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/state-cluster.h"

/* --- the line of the log ---------------------------------------------------------------------- */

static void
append_list (GString *code, const char *key, const GPtrArray *items)
{
  g_autofree char *list = NULL;

  if (items->len <= 1) /* the NULL at its end */
    return;
  list = g_strjoinv (", ", (char **) items->pdata);
  g_string_append_printf (code, ", %s = { %s }", key, list);
}

/* Quoted, and NULL at the end. (transfer full) */
static GPtrArray *
quote (const char *const *texts)
{
  GPtrArray *quoted = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_ptr_array_add (quoted, goban_lua_quote (texts[i]));
  return quoted;
}

char *
goban_log_measure (const GobanMeasureWords *self)
{
  g_autofree char *model = goban_lua_quote (self->model);
  g_autoptr (GPtrArray) policies = quote (self->policies);
  g_autoptr (GPtrArray) plans = quote (self->plans);
  GString *code = g_string_new (NULL);

  g_string_printf (code, "assert(measure.run{ model = %s", model);
  for (guint i = 0; self->places != NULL && i < self->places->len; i++)
    g_ptr_array_insert (plans, (int) i,
                        g_strdup_printf ("%u", g_array_index (self->places, guint, i)));
  g_ptr_array_add (policies, NULL);
  g_ptr_array_add (plans, NULL);
  append_list (code, "policies", policies);
  append_list (code, "plans", plans);
  if (self->n_cores > 0)
    g_string_append_printf (code, ", cores = %u", self->n_cores);
  if (self->n_runs > 0)
    g_string_append_printf (code, ", runs = %u", self->n_runs);
  g_string_append (code, self->is_forced ? ", force = true }):show()" : " }):show()");
  return g_string_free (code, FALSE);
}

/* --- the change ------------------------------------------------------------------------------- */

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
goban_session_take_measured (GobanSession *self, GobanCostModel *costs, GPtrArray *runs)
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
  goban_session_commit (self, "measure plans", next);
  if (n_dropped > 0)
    goban_session_say (self, FALSE, "%u of %u plans do not fit the cluster %s and were left out",
                       n_dropped, n_old, goban_cluster_get_name (next->cluster));
}
