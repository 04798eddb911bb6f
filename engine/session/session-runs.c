#include "engine/session/session-runs.h"

#include "engine/core/i18n.h"
#include "engine/session/edit.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/study/run/run-source.h"

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
