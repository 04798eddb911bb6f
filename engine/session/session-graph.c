#include "engine/session/session-graph.h"

#include "engine/core/i18n.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/session/compare-set.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/view.h"
#include "engine/study/run/run-origin.h"

static void
keep_known (GobanSession *self, GobanCluster *own)
{
  goban_cluster_ref (own);
  g_clear_pointer (&self->known, goban_cluster_unref);
  self->known = own;
}

/* Opens @graph in place of the one that is open, with the undo stack that the session has by then.
 * @fresh: (transfer full) */
static void
session_replace_graph (GobanSession *self, GobanGraph *graph, const char *path, GobanState *fresh)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanState *empty;

  if (self->graph == NULL || goban_graph_get_n_nodes (self->graph) <= GOBAN_COMPARE_OTHER_NODES)
    goban_compare_set_keep_other (self->compared, self->state->current, graph);
  goban_session_get_log (self); /* while the words for its nodes are known */
  /* Whatever points into the old graph goes before the graph does. */
  while (goban_session_drop_edit (self))
    ;
  empty = goban_state_copy (self->state);
  goban_state_clear (empty);
  goban_compare_set_reset (self->compared);
  goban_session_become (self, empty);
  goban_session_keep_selection (self, nothing);
  goban_view_reset (self->view);
  self->has_draft = FALSE;
  /* A graph that is read again is the one that the notes are about. */
  if (self->graph == NULL || goban_graph_get_hash (self->graph) != goban_graph_get_hash (graph))
    goban_session_keep_notes (self, "");

  goban_graph_ref (graph);
  g_clear_pointer (&self->graph, goban_graph_unref);
  self->graph = graph;
  g_free (self->path);
  self->path = g_strdup (path);
  if (fresh->usual != NULL)
    keep_known (self, fresh->cluster);
  goban_session_become (self, fresh);
  goban_session_notify (self, GOBAN_SESSION_PROP_GRAPH);
  goban_session_notify_names (self);
}

/* --- derived graphs --------------------------------------------------------------------------- */

/* A graph with all that comes back with it. */
typedef struct
{
  GobanGraph *graph;
  char *path; /* (nullable) */
  GobanState *state;
  GobanHistory *history;
  GobanSelection *selection;
  char *notes;
  GobanSelection *hidden;
  GobanGrouping grouping;
  GobanNames *expanded;
  char *color;
  char *name; /* of the change that made the derived one of the two graphs that it lies between */
} Aside;

void
goban_aside_free (gpointer data)
{
  Aside *aside = data;

  goban_graph_unref (aside->graph);
  g_free (aside->path);
  goban_state_unref (aside->state);
  g_clear_pointer (&aside->history, goban_history_free);
  goban_selection_unref (aside->selection);
  g_ref_string_release (aside->notes);
  goban_selection_unref (aside->hidden);
  goban_names_unref (aside->expanded);
  g_free (aside->color);
  g_free (aside->name);
  g_free (aside);
}

/* --- setting aside ---------------------------------------------------------------------------- */

/* Pushes the open graph onto @stack, with its undo stack: the session gets a new one. */
static void
set_aside (GobanSession *self, GPtrArray *stack, const char *name)
{
  Aside *aside = g_new0 (Aside, 1);

  aside->graph = goban_graph_ref (self->graph);
  aside->path = g_strdup (self->path);
  aside->state = goban_state_ref (self->state);
  aside->history = self->history;
  aside->selection = goban_selection_ref (self->selection);
  aside->notes = g_ref_string_acquire (self->notes);
  aside->hidden = goban_selection_ref (goban_view_get_hidden (self->view));
  aside->grouping = goban_view_get_grouping (self->view);
  aside->expanded = goban_view_ref_expanded (self->view);
  aside->color = g_strdup (goban_view_get_color (self->view));
  aside->name = g_strdup (name);
  self->history = goban_history_new ();
  g_ptr_array_add (stack, aside);
}

/* Edits that are still simulated and jobs belong to the graph that is about to go. */
static void
begin (GobanSession *self)
{
  while (goban_session_drop_edit (self))
    ;
  if (self->job != NULL)
    {
      goban_job_cancel (self->job);
      goban_session_take_job (self, NULL); /* its result may be there already */
    }
  g_signal_emit_by_name (self, "replacing");
}

static void
show_look (GobanSession *self, const Aside *aside)
{
  goban_view_set_grouping (self->view, aside->grouping);
  goban_view_set_expanded (self->view, goban_names_get (aside->expanded));
  goban_view_set_hidden (self->view, aside->hidden, aside->graph);
  if (!g_str_equal (aside->color, "script"))
    goban_view_set_color (self->view, aside->color);
}

/* Opens the graph on top of @from, and pushes the open one onto @to. @line is logged before the
 * lines of the view, which name nodes of the opened graph. */
static void
swap (GobanSession *self, GPtrArray *from, GPtrArray *to, const char *line)
{
  Aside *next;

  self->is_swapping = TRUE;
  begin (self);
  next = g_ptr_array_steal_index (from, from->len - 1);
  set_aside (self, to, next->name);
  goban_history_free (self->history);
  self->history = g_steal_pointer (&next->history);
  session_replace_graph (self, next->graph, next->path, goban_state_ref (next->state));
  self->is_swapping = FALSE;
  goban_session_keep_notes (self, next->notes);
  goban_session_keep_selection (self, next->selection);
  if (line != NULL)
    goban_session_log (self, line);
  show_look (self, next);
  goban_aside_free (next);
}

/* Graphs set aside: opens the one before or after the present one; %FALSE if there is none. */
static gboolean
session_undo_derived (GobanSession *self)
{
  if (self->before->len == 0)
    return FALSE;
  swap (self, self->before, self->after, "app.undo()");
  return TRUE;
}

static gboolean
session_redo_derived (GobanSession *self)
{
  if (self->after->len == 0)
    return FALSE;
  swap (self, self->after, self->before, "app.redo()");
  return TRUE;
}

static void
session_forget_derived (GobanSession *self)
{
  g_ptr_array_set_size (self->before, 0);
  g_ptr_array_set_size (self->after, 0);
}

/* The name of the change that lies between the present graph and the top of @stack; (nullable). */
static const char *
session_get_derived_name (GPtrArray *stack)
{
  return stack->len > 0 ? _ (((const Aside *) g_ptr_array_index (stack, stack->len - 1))->name)
                        : NULL;
}

static gboolean
has_graph (gconstpointer aside, gconstpointer graph)
{
  return ((const Aside *) aside)->graph == graph;
}

static gboolean
is_in (GPtrArray *stack, GobanGraph *graph)
{
  return g_ptr_array_find_with_equal_func (stack, graph, has_graph, NULL);
}

gboolean
goban_session_has_aside (GobanSession *self, GobanGraph *graph)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  return is_in (self->before, graph) || is_in (self->after, graph);
}

static gboolean
has_run (gconstpointer data, gconstpointer run)
{
  const Aside *aside = data;

  return goban_state_has_run (aside->state, (GobanRun *) run)
         || goban_history_has_run (aside->history, (GobanRun *) run);
}

static gboolean
session_has_run_aside (GobanSession *self, GobanRun *run)
{
  return g_ptr_array_find_with_equal_func (self->before, run, has_run, NULL)
         || g_ptr_array_find_with_equal_func (self->after, run, has_run, NULL);
}

/* --- deriving --------------------------------------------------------------------------------- */

/* Without its run, which is added as a change of its own, so that the document counts it. The
 * cluster of the run may have other numbers than the present one: both are of one origin. */
static GobanState *
make_state (GobanSession *self, GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanState *state = goban_state_new (cluster, NULL);

  state->costs = goban_cost_model_ref (goban_run_get_costs (run));
  state->is_chosen = self->state->is_chosen;
  if (self->state->usual != NULL)
    state->usual = goban_cluster_ref (self->state->usual);
  if (goban_what_if_have_same_shape (cluster, self->state->origin))
    goban_state_set_origin (state, self->state->origin);
  return state;
}

static void
log_derived (GobanSession *self, const GobanDerivation *derivation)
{
  if (derivation != NULL)
    goban_session_log_line (self, "view.derive(assert(%s))", derivation->code);
  else
    goban_session_log (self, "-- view.derive: a run that no line here can make");
}

void
goban_session_derive (GobanSession *self, GobanRun *run)
{
  const GobanDerivation *derivation;
  GobanState *next;

  g_return_if_fail (GOBAN_IS_SESSION (self) && run != NULL);
  g_return_if_fail (goban_run_get_graph (run) != self->graph);

  derivation = goban_run_get_derivation (run);
  next = make_state (self, run);
  if (self->graph != NULL)
    {
      begin (self);
      goban_history_forget_redo (self->history);
      g_ptr_array_set_size (self->after, 0);
      set_aside (self, self->before, derivation != NULL ? derivation->name : "derive a graph");
    }
  session_replace_graph (self, goban_run_get_graph (run), NULL, next);
  next = goban_state_copy (self->state);
  goban_state_add_run (next, run);
  goban_state_set_current (next, run);
  goban_session_become (self, next);
  goban_session_notify_names (self);
  log_derived (self, derivation);
}

/* --- going back ------------------------------------------------------------------------------- */

gboolean
goban_session_can_return (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  return self->before->len > 0;
}

GobanGraph *
goban_session_get_original (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->before->len > 0 ? ((const Aside *) g_ptr_array_index (self->before, 0))->graph
                               : self->graph;
}

gboolean
goban_session_return (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  if (self->before->len == 0)
    return FALSE;
  while (self->before->len > 1)
    swap (self, self->before, self->after, NULL);
  swap (self, self->before, self->after, "view.back()");
  return TRUE;
}

/* Whether redo leads from the open graph to @graph through no other change. */
static gboolean
is_next (GobanSession *self, GobanGraph *graph)
{
  GobanHistory *history = self->history;

  for (guint i = self->after->len; i > 0; i--)
    {
      const Aside *aside = g_ptr_array_index (self->after, i - 1);

      if (goban_history_get_redo_name (history) != NULL)
        return FALSE;
      if (aside->graph == graph)
        return TRUE;
      history = aside->history;
    }
  return FALSE;
}

gboolean
goban_session_reopen (GobanSession *self, GobanGraph *graph)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && graph != NULL, FALSE);

  if (is_in (self->before, graph))
    goban_session_return (self);
  else if (!is_next (self, graph))
    return FALSE;
  while (self->graph != graph)
    session_redo_derived (self);
  return TRUE;
}

/* --- undo and redo ---------------------------------------------------------------------------- */

const char *
goban_session_get_undo_name (GobanSession *self)
{
  const char *name;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  name = goban_history_get_undo_name (self->history);
  return name != NULL ? name : session_get_derived_name (self->before);
}

const char *
goban_session_get_redo_name (GobanSession *self)
{
  const char *name;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  name = goban_history_get_redo_name (self->history);
  return name != NULL ? name : session_get_derived_name (self->after);
}

gboolean
goban_session_undo (GobanSession *self)
{
  GobanState *before;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  /* Undo first cancels the pending edit, which was asked for last. */
  if (goban_session_drop_edit (self))
    return TRUE;

  before = goban_history_undo (self->history, self->state);
  if (before == NULL)
    return session_undo_derived (self);

  goban_session_become (self, before);
  goban_session_log (self, "app.undo()");
  goban_session_notify_names (self);
  return TRUE;
}

gboolean
goban_session_redo (GobanSession *self)
{
  GobanState *after;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  after = goban_history_redo (self->history, self->state);
  if (after == NULL)
    return session_redo_derived (self);

  goban_session_become (self, after);
  goban_session_log (self, "app.redo()");
  goban_session_notify_names (self);
  return TRUE;
}

gboolean
goban_session_has_seen_run (GobanSession *self, GobanRun *run)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && run != NULL, FALSE);

  return goban_state_has_run (self->state, run) || goban_history_has_run (self->history, run)
         || session_has_run_aside (self, run);
}

/* --- opening ---------------------------------------------------------------------------------- */

GobanCluster *
goban_session_get_known_cluster (GobanSession *self)
{
  return self->known;
}

GobanCluster *
goban_session_get_cluster_for (GobanSession *self, GobanGraph *graph)
{
  g_autoptr (GobanCluster) own = NULL;

  g_return_val_if_fail (GOBAN_IS_SESSION (self) && graph != NULL, NULL);

  if (graph == self->graph)
    return self->state->cluster;
  if (!self->state->is_chosen)
    own = goban_own_cluster_dup (graph, self->known);
  if (own == NULL)
    return self->state->usual != NULL ? self->state->usual : self->state->cluster;

  keep_known (self, own);
  return self->known;
}

void
goban_session_prefer_cluster (GobanSession *self, GobanCluster *cluster)
{
  GobanState *next;

  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  if (!goban_what_if_is_same (self->state->cluster, cluster))
    return;

  next = goban_state_copy (self->state);
  goban_state_set_chosen (next);
  goban_session_become (self, next);
}

void
goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  goban_session_become (self, goban_state_with_usual_cluster (self->state, cluster));
}

void
goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                          GobanState *fresh)
{
  if (self->graph != NULL)
    g_signal_emit_by_name (self, "replacing");
  session_forget_derived (self);
  goban_history_clear (self->history);
  session_replace_graph (self, graph, path, fresh);
}

void
goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && graph != NULL);

  goban_session_take_graph (self, graph, path,
                            goban_state_for_graph (self->state, graph, self->known, FALSE));
}

void
goban_session_restore (GobanSession *self, GobanGraph *graph, const char *path,
                       const GobanState *state)
{
  g_autoptr (GobanCluster) origin = goban_what_if_guess_origin (state->cluster);
  GobanState *own = goban_state_copy (state);

  goban_state_set_origin (own, origin);
  goban_session_set_graph (self, graph, path);
  own->is_chosen = self->state->is_chosen;
  if (self->state->usual != NULL && goban_what_if_is_same (origin, self->state->origin))
    own->usual = goban_cluster_ref (self->state->usual);
  else if (self->state->usual != NULL)
    own->is_chosen = TRUE;
  goban_session_become (self, own);
}
