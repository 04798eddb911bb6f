#include "engine/session/session-runs.h"

#include "engine/core/i18n.h"
#include "engine/session/edit.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/state.h"
#include "engine/study/analysis/coloring.h"
#include "engine/study/run/run-origin.h"

/* --- measured times --------------------------------------------------------------------------- */

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

/* --- colours ---------------------------------------------------------------------------------- */

/* The values of so few nodes are computed at once. */
#define FEW_NODES 2000

GobanNodeValues *
goban_session_dup_color_values (GobanSession *session)
{
  GobanView *view = goban_session_get_view (session);
  GobanGraph *graph = goban_session_get_graph (session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  GobanNodeContext context
      = { goban_session_get_costs (session), goban_session_get_shown_run (session) };

  if (graph == NULL)
    return NULL;
  if (!g_str_equal (goban_view_get_color (view), "script"))
    return goban_color_get_values (goban_view_get_color (view), &context);
  if (script == NULL || script->n_nodes != goban_graph_get_n_nodes (graph))
    return NULL;

  return goban_node_values_ref (script);
}

gboolean
goban_session_has_color_values (GobanSession *session)
{
  const char *color = goban_view_get_color (goban_session_get_view (session));
  const GobanNodeField *field = goban_node_field_find (color, NULL); /* or none: op, script */
  GobanGraph *graph = goban_session_get_graph (session);
  GobanRun *run = goban_session_get_shown_run (session);

  return graph == NULL || run == NULL || goban_graph_get_n_nodes (graph) <= FEW_NODES
         || field == NULL || field->kind == GOBAN_FIELD_TEXT
         || goban_node_values_are_kept (field, run);
}

/* The choice of the shown plan is not a change by itself, but is restored with changes. Runs have
 * positions in the list, from 1, that are the same wherever the same runs are added. */
void
goban_session_set_current_run (GobanSession *self, GobanRun *run)
{
  GobanState *next;
  guint position;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  goban_session_end_live (self);
  if (run == self->state->current)
    return;

  next = goban_state_copy (self->state);
  goban_state_set_current (next, run);
  goban_session_become (self, next);
  if (run != NULL && g_ptr_array_find (next->runs, run, &position))
    goban_session_log_line (self, "view.show(%u)", position + 1);
}

static gboolean
is_taken (const GPtrArray *runs, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (goban_run_get_name (g_ptr_array_index (runs, i)), name))
      return TRUE;
  return FALSE;
}

void
goban_session_name_runs (GobanSession *self, GPtrArray *runs)
{
  const GPtrArray *listed = self->state->runs;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);
      const char *name = goban_run_get_name (run);
      gboolean is_of_graph = goban_run_get_graph (run) == self->graph;
      g_autofree char *numbered = g_strdup (name);

      if (goban_state_has_run (self->state, run) || goban_edit_is_by_hand (run))
        continue;
      for (guint number = 2; (is_of_graph && is_taken (listed, listed->len, numbered))
                             || is_taken (runs, i, numbered);
           number++)
        {
          g_free (numbered);
          numbered = g_strdup_printf ("%s %u", name, number);
        }
      if (!g_str_equal (numbered, name))
        goban_run_rename (run, numbered);
    }
}

/* The graph of a run may be set aside: it is not opened anew. */
static void
open_graph_of (GobanSession *self, GobanRun *run)
{
  GobanGraph *graph = goban_run_get_graph (run);

  if (graph != self->graph && !goban_session_reopen (self, graph))
    goban_session_set_graph (self, graph, NULL);
}

void
goban_session_add_runs (GobanSession *self, const char *name, GPtrArray *runs, GobanRun *shown)
{
  GobanState *next;

  g_return_if_fail (GOBAN_IS_SESSION (self) && runs != NULL && runs->len > 0);

  open_graph_of (self, shown);

  goban_session_name_runs (self, runs);
  next = goban_state_copy (self->state);
  for (guint i = 0; i < runs->len; i++)
    goban_state_add_run (next, g_ptr_array_index (runs, i));
  goban_state_set_current (next, shown);
  if (name != NULL || goban_history_get_undo_name (self->history) != NULL)
    {
      goban_session_commit (self, name != NULL ? name : _ ("place"), next);
      return;
    }
  goban_history_clear (self->history);
  goban_session_become (self, next);
  goban_session_notify_names (self);
}

void
goban_session_add_run (GobanSession *self, GobanRun *run)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree char *name = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && run != NULL);

  open_graph_of (self, run);
  if (goban_state_has_run (self->state, run))
    {
      goban_session_set_current_run (self, run);
      return;
    }

  g_ptr_array_add (runs, run);
  goban_session_name_runs (self, runs);
  name = g_strdup_printf (_ ("add %s"), goban_run_get_name (run));
  goban_session_add_runs (self, name, runs, run);
}

void
goban_session_remove_run (GobanSession *self, GobanRun *run)
{
  g_autofree char *name = NULL;
  GobanState *next;
  guint position;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (!g_ptr_array_find (self->state->runs, run, &position))
    return;

  name = g_strdup_printf (_ ("remove %s"), goban_run_get_name (run));
  next = goban_state_copy (self->state);
  goban_state_remove_run (next, run);
  goban_session_commit (self, name, next);
  goban_session_log_line (self, "view.remove(%u)", position + 1);
}
