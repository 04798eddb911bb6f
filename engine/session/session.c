#include "engine/analysis/step.h"
#include "engine/base/i18n.h"
#include "engine/session/edit-queue.h"
#include "engine/session/history.h"
#include "engine/session/log-lines.h"
#include "engine/session/pending-edit.h"
#include "engine/session/session-private.h"
#include "engine/session/set-words.h"
#include "engine/session/stepper.h"
#include "engine/session/what-if.h"

#define DEFAULT_CLUSTER "p100x4"

struct _GobanSession
{
  GObject parent_instance;

  GobanGraph *graph;
  char *path;
  GobanCluster *known;   /* (nullable): the last that a graph's file named */
  GobanState *state;     /* the present: what can be undone */
  GobanHistory *history; /* of the open graph */
  GobanEditQueue *edits; /* asked for, not yet made */
  GListStore *runs;      /* the state's runs, as a list model */
  GobanSelection *selection;
  GobanView *view;
  GobanStepper *stepper;
  GobanCompareSet *compared;
  GobanJob *job;
  char *notes;        /* of the open graph; never NULL */
  gboolean has_draft; /* the notes are not logged yet */
  GPtrArray *log;     /* char *, lines of Lua */
};

enum
{
  PROP_GRAPH = 1,
  PROP_CLUSTER,
  PROP_CURRENT_RUN,
  PROP_GHOST,
  PROP_PINNED,
  PROP_SELECTION,
  PROP_UNDO_NAME,
  PROP_REDO_NAME,
  PROP_JOB,
  PROP_NOTES,
  PROP_SHOWN_RUN,
  N_PROPS
};

enum
{
  REPLACING,
  MESSAGE,
  ZOOM,
  LOG,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanSession, goban_session, G_TYPE_OBJECT)

static void
goban_session_dispose (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  if (self->job != NULL)
    {
      goban_job_cancel (self->job);
      g_signal_handlers_disconnect_by_data (self->job, self);
      g_clear_object (&self->job);
    }
  g_clear_pointer (&self->edits, goban_edit_queue_free);
  g_clear_pointer (&self->stepper, goban_stepper_free);
  g_clear_object (&self->compared);
  g_list_store_remove_all (self->runs);
  G_OBJECT_CLASS (goban_session_parent_class)->dispose (object);
}

static void
goban_session_finalize (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  g_clear_pointer (&self->history, goban_history_free);
  g_clear_pointer (&self->state, goban_state_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->selection, goban_selection_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->known, goban_cluster_unref);
  g_clear_pointer (&self->notes, g_free);
  g_clear_object (&self->runs);
  g_clear_object (&self->view);
  g_clear_pointer (&self->log, g_ptr_array_unref);
  G_OBJECT_CLASS (goban_session_parent_class)->finalize (object);
}

static void
goban_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanSession *self = GOBAN_SESSION (object);

  switch (id)
    {
    case PROP_GRAPH:
      g_value_set_pointer (value, self->graph);
      break;
    case PROP_CLUSTER:
      g_value_set_pointer (value, self->state->cluster);
      break;
    case PROP_CURRENT_RUN:
      g_value_set_object (value, self->state->current);
      break;
    case PROP_GHOST:
      g_value_set_object (value, self->state->ghost);
      break;
    case PROP_PINNED:
      g_value_set_boxed (value, self->state->pinned);
      break;
    case PROP_SELECTION:
      g_value_set_boxed (value, self->selection);
      break;
    case PROP_UNDO_NAME:
      g_value_set_string (value, goban_history_get_undo_name (self->history));
      break;
    case PROP_REDO_NAME:
      g_value_set_string (value, goban_history_get_redo_name (self->history));
      break;
    case PROP_JOB:
      g_value_set_object (value, self->job);
      break;
    case PROP_NOTES:
      g_value_set_string (value, self->notes);
      break;
    case PROP_SHOWN_RUN:
      g_value_set_object (value, goban_session_get_shown_run (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_session_class_init (GobanSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = goban_session_dispose;
  object_class->finalize = goban_session_finalize;
  object_class->get_property = goban_session_get_property;

  props[PROP_GRAPH] = g_param_spec_pointer ("graph", NULL, NULL, flags);
  props[PROP_CLUSTER] = g_param_spec_pointer ("cluster", NULL, NULL, flags);
  props[PROP_CURRENT_RUN] = g_param_spec_object ("current-run", NULL, NULL, GOBAN_TYPE_RUN, flags);
  props[PROP_GHOST] = g_param_spec_object ("ghost", NULL, NULL, GOBAN_TYPE_RUN, flags);
  props[PROP_PINNED] = g_param_spec_boxed ("pinned", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[PROP_SELECTION] = g_param_spec_boxed ("selection", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[PROP_UNDO_NAME] = g_param_spec_string ("undo-name", NULL, NULL, NULL, flags);
  props[PROP_REDO_NAME] = g_param_spec_string ("redo-name", NULL, NULL, NULL, flags);
  props[PROP_JOB] = g_param_spec_object ("job", NULL, NULL, GOBAN_TYPE_JOB, flags);
  props[PROP_NOTES] = g_param_spec_string ("notes", NULL, NULL, "", flags);
  props[PROP_SHOWN_RUN] = g_param_spec_object ("shown-run", NULL, NULL, GOBAN_TYPE_RUN, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[REPLACING] = g_signal_new ("replacing", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  signals[MESSAGE] = g_signal_new ("message", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  signals[ZOOM] = g_signal_new ("zoom", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[LOG] = g_signal_new ("log", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("pending-edit", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, GOBAN_TYPE_RUN);
}

static void
shown_changed (GobanSession *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHOWN_RUN]);
}

static void
goban_session_init (GobanSession *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (DEFAULT_CLUSTER, &error);

  g_assert_no_error (error);
  self->state = goban_state_new (cluster, NULL);
  self->history = goban_history_new ();
  self->edits = goban_edit_queue_new (self);
  self->runs = g_list_store_new (GOBAN_TYPE_RUN);
  self->log = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_strdup ("");
  self->selection = goban_selection_new (NULL, 0);
  self->view = goban_view_new ();
  self->compared = goban_compare_set_new (G_LIST_MODEL (self->runs));
  g_signal_connect_object (self->view, "log", G_CALLBACK (goban_session_log), self,
                           G_CONNECT_SWAPPED);
  self->stepper = goban_stepper_new (self, shown_changed);
  g_signal_connect_object (self->compared, "log", G_CALLBACK (goban_session_log), self,
                           G_CONNECT_SWAPPED);
}

GobanSession *
goban_session_new (void)
{
  return g_object_new (GOBAN_TYPE_SESSION, NULL);
}

/* --- getters ---------------------------------------------------------------------------- */

GobanGraph *
goban_session_get_graph (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->graph;
}

const char *
goban_session_get_path (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->path;
}

GobanCluster *
goban_session_get_cluster (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->cluster;
}

GobanCostModel *
goban_session_get_costs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->costs;
}

GListModel *
goban_session_get_runs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return G_LIST_MODEL (self->runs);
}

GobanRun *
goban_session_get_current_run (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->current;
}

GobanRun *
goban_session_get_ghost (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->ghost;
}

GobanRun *
goban_session_get_shown_run (GobanSession *self)
{
  GobanRun *step;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  step = self->stepper != NULL ? goban_stepper_get_run (self->stepper) : NULL;
  return step != NULL ? step : self->state->current;
}

GobanRun *
goban_session_get_shown_ghost (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  if (self->stepper != NULL && goban_stepper_get_run (self->stepper) != NULL)
    return goban_stepper_get_before (self->stepper);
  return self->state->ghost;
}

GobanSelection *
goban_session_get_pinned (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->pinned;
}

const char *
goban_session_get_undo_name (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return goban_history_get_undo_name (self->history);
}

const char *
goban_session_get_redo_name (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return goban_history_get_redo_name (self->history);
}

GobanState *
goban_session_get_state (GobanSession *self)
{
  return self->state;
}

GobanSelection *
goban_session_get_selection (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->selection;
}

GobanView *
goban_session_get_view (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->view;
}

GobanCompareSet *
goban_session_get_compare_set (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->compared;
}

GobanJob *
goban_session_get_job (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->job;
}

/* --- saying things ------------------------------------------------------------------------ */

void
goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (_ (format), args);
  va_end (args);
  /* File names need not be UTF-8, but displayed text must be. */
  shown = g_utf8_make_valid (text, -1);
  g_signal_emit (self, signals[MESSAGE], 0, is_error, shown);
}

void
goban_session_log (GobanSession *self, const char *lua)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && lua != NULL);

  g_ptr_array_add (self->log, g_strdup (lua));
  g_signal_emit (self, signals[LOG], 0, lua);
}

const GPtrArray *
goban_session_get_log (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->log;
}

static void log_line (GobanSession *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
log_line (GobanSession *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  goban_session_log (self, text);
}

void
goban_session_zoom (GobanSession *self, const char *what)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  g_signal_emit (self, signals[ZOOM], 0, what);
}

/* --- notes and selection ----------------------------------------------------------------------- */

static void
notify (GobanSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

const char *
goban_session_get_notes (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), "");

  return self->notes;
}

void
goban_session_keep_notes (GobanSession *self, const char *notes)
{
  if (g_str_equal (self->notes, notes))
    return;

  g_free (self->notes);
  self->notes = g_utf8_make_valid (notes, -1);
  notify (self, PROP_NOTES);
}

void
goban_session_set_notes (GobanSession *self, const char *notes)
{
  g_autofree char *quoted = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && notes != NULL);

  if (g_str_equal (self->notes, notes) && !self->has_draft)
    return;

  self->has_draft = FALSE;
  goban_session_keep_notes (self, notes);
  quoted = goban_log_quote (self->notes);
  log_line (self, "app.notes %s", quoted);
}

void
goban_session_draft_notes (GobanSession *self, const char *notes)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && notes != NULL);

  if (g_str_equal (self->notes, notes))
    return;

  self->has_draft = TRUE;
  goban_session_keep_notes (self, notes);
}

/* Returns FALSE if nothing changes. The caller logs it, because not every change is the user's. */
static gboolean
change_selection (GobanSession *self, GobanSelection *selection)
{
  if (goban_selection_equal (self->selection, selection))
    return FALSE;

  goban_selection_ref (selection);
  goban_selection_unref (self->selection);
  self->selection = selection;
  notify (self, PROP_SELECTION);
  return TRUE;
}

/* --- the present --------------------------------------------------------------------------- */

static gboolean
is_in (GPtrArray *runs, guint from, gpointer run)
{
  for (guint i = from; i < runs->len; i++)
    if (g_ptr_array_index (runs, i) == run)
      return TRUE;
  return FALSE;
}

/* Updates the list model to @runs. Runs in both stay, unless the order differs, so that a change of
 * one run emits one or two changes of the list. Lists of plans are short. */
static void
show_runs (GobanSession *self, GPtrArray *runs)
{
  GListModel *list = G_LIST_MODEL (self->runs);

  for (guint i = 0; i < runs->len || i < g_list_model_get_n_items (list);)
    {
      guint n_left = g_list_model_get_n_items (list) - i;
      guint n_gone = 0, n_new = 0;

      for (; n_gone < n_left; n_gone++)
        {
          g_autoptr (GobanRun) shown = g_list_model_get_item (list, i + n_gone);

          if (is_in (runs, i, shown))
            break;
        }
      while (i + n_new < runs->len
             && !g_list_store_find (self->runs, g_ptr_array_index (runs, i + n_new), NULL))
        n_new++;
      if (n_gone + n_new == 0)
        {
          g_autoptr (GobanRun) shown = g_list_model_get_item (list, i);

          if (shown != g_ptr_array_index (runs, i))
            {
              n_gone = n_left;
              n_new = runs->len - i;
            }
        }
      if (n_gone + n_new > 0)
        g_list_store_splice (self->runs, i, n_gone, runs->pdata + i, n_new);
      i += n_new + (n_gone + n_new == 0);
    }
}

/* Replaces the present state and emits signals for the differences. Handlers see the complete new
 * state. @next: (transfer full) */
static void
become (GobanSession *self, GobanState *next)
{
  g_autoptr (GobanState) last = self->state;
  g_autoptr (GobanState) held = goban_state_ref (next);

  self->state = next;
  if (last->current != next->current)
    {
      goban_stepper_forget (self->stepper);
      goban_view_play_step (self->view, GOBAN_NO_STEP);
    }
  show_runs (self, next->runs);
  goban_compare_set_follow (self->compared, last, next);
  if (last->cluster != next->cluster)
    notify (self, PROP_CLUSTER);
  if (last->ghost != next->ghost)
    notify (self, PROP_GHOST);
  if (last->current != next->current)
    {
      notify (self, PROP_CURRENT_RUN);
      notify (self, PROP_SHOWN_RUN);
    }
  if (!goban_selection_equal (last->pinned, next->pinned))
    notify (self, PROP_PINNED);
}

static void
notify_names (GobanSession *self)
{
  notify (self, PROP_UNDO_NAME);
  notify (self, PROP_REDO_NAME);
}

void
goban_session_commit (GobanSession *self, const char *name, GobanState *next)
{
  /* A history is of a graph, and begins with it. */
  if (self->graph != NULL)
    goban_history_record (self->history, name, self->state);
  become (self, next);
  notify_names (self);
}

gboolean
goban_session_undo (GobanSession *self)
{
  GobanState *before;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  /* What was asked for last and is not there yet is what is taken back. */
  if (goban_edit_queue_drop (self->edits))
    return TRUE;

  before = goban_history_undo (self->history, self->state);
  if (before == NULL)
    return FALSE;

  become (self, before);
  goban_session_log (self, "app.undo()");
  notify_names (self);
  return TRUE;
}

gboolean
goban_session_redo (GobanSession *self)
{
  GobanState *after;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  after = goban_history_redo (self->history, self->state);
  if (after == NULL)
    return FALSE;

  become (self, after);
  goban_session_log (self, "app.redo()");
  notify_names (self);
  return TRUE;
}

/* --- changes -------------------------------------------------------------------------------- */

void
goban_session_set_selection (GobanSession *self, GobanSelection *selection)
{
  g_autofree char *nodes = NULL;
  guint n;

  g_return_if_fail (GOBAN_IS_SESSION (self) && selection != NULL);

  if (!change_selection (self, selection) || self->graph == NULL)
    return;

  goban_selection_get_ids (selection, &n);
  nodes = goban_set_words_to_lua (goban_view_get_words (self->view), self->graph, selection,
                                  goban_session_get_current_run (self));
  log_line (self, "view.select(%s)", n > 0 ? nodes : "");
}

/* The choice of the shown plan is not a change by itself, but is restored with changes. Runs have
 * positions in the list, from 1, that are the same wherever the same runs are added. */
void
goban_session_set_current_run (GobanSession *self, GobanRun *run)
{
  GobanState *next;
  guint position;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (run == self->state->current)
    return;

  next = goban_state_copy (self->state);
  goban_state_set_current (next, run);
  become (self, next);
  if (run != NULL && g_ptr_array_find (next->runs, run, &position))
    log_line (self, "view.show(%u)", position + 1);
}

static void
keep_known (GobanSession *self, GobanCluster *own)
{
  goban_cluster_ref (own);
  g_clear_pointer (&self->known, goban_cluster_unref);
  self->known = own;
}

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
  become (self, next);
}

void
goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  become (self, goban_state_with_usual_cluster (self->state, cluster));
}

void
goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                          GobanState *fresh)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanState *empty;

  if (self->graph != NULL)
    g_signal_emit (self, signals[REPLACING], 0);
  /* Whatever points into the old graph goes before the graph does. */
  while (goban_edit_queue_drop (self->edits))
    ;
  empty = goban_state_copy (self->state);
  goban_state_clear (empty);
  goban_history_clear (self->history);
  goban_compare_set_reset (self->compared);
  become (self, empty);
  change_selection (self, nothing);
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
  become (self, fresh);
  notify (self, PROP_GRAPH);
  notify_names (self);
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
  become (self, own);
}

void
goban_session_add_runs (GobanSession *self, const char *name, GPtrArray *runs, GobanRun *shown)
{
  GobanState *next;

  g_return_if_fail (GOBAN_IS_SESSION (self) && runs != NULL && runs->len > 0);

  if (goban_run_get_graph (shown) != self->graph)
    goban_session_set_graph (self, goban_run_get_graph (shown), NULL);

  next = goban_state_copy (self->state);
  for (guint i = 0; i < runs->len; i++)
    goban_state_add_run (next, g_ptr_array_index (runs, i));
  goban_state_set_current (next, shown);
  if (name != NULL || goban_history_get_undo_name (self->history) != NULL)
    {
      goban_session_commit (self, name != NULL ? name : "place", next);
      return;
    }
  goban_history_clear (self->history);
  become (self, next);
  notify_names (self);
}

void
goban_session_add_run (GobanSession *self, GobanRun *run)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree char *name = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && GOBAN_IS_RUN (run));

  if (goban_run_get_graph (run) != self->graph)
    goban_session_set_graph (self, goban_run_get_graph (run), NULL);
  if (goban_state_has_run (self->state, run))
    {
      goban_session_set_current_run (self, run);
      return;
    }

  name = g_strdup_printf ("add %s", goban_run_get_name (run));
  g_ptr_array_add (runs, run);
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

  name = g_strdup_printf ("remove %s", goban_run_get_name (run));
  next = goban_state_copy (self->state);
  goban_state_remove_run (next, run);
  goban_session_commit (self, name, next);
  log_line (self, "view.remove(%u)", position + 1);
}

void
goban_session_edit (GobanSession *self, const GobanEdit *edit)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && edit != NULL);

  /* The displayed step is not the plan that would be changed. */
  if (edit->base != NULL && edit->nodes != NULL && edit->base == self->state->current
      && goban_view_get_step (self->view) != GOBAN_NO_STEP)
    {
      goban_session_say (
          self, FALSE,
          "A step of %s is shown: keep it as a plan, or go back to the plan itself, to "
          "change something",
          goban_run_get_name (edit->base));
      return;
    }
  goban_edit_queue_push (self->edits, edit);
}

guint
goban_session_hold_pending_edit (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && self->edits != NULL, 0);

  return goban_edit_queue_hold (self->edits);
}

void
goban_session_release_pending_edit (GobanSession *self, guint ticket)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->edits != NULL)
    goban_edit_queue_let_go (self->edits, ticket);
}

gboolean
goban_session_has_seen_run (GobanSession *self, GobanRun *run)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && run != NULL, FALSE);

  return goban_state_has_run (self->state, run) || goban_history_has_run (self->history, run);
}

void
goban_session_take_job (GobanSession *self, GobanJob *job)
{
  g_clear_object (&self->job);
  self->job = job;
  notify (self, PROP_JOB);
}

void
goban_session_cancel_job (GobanSession *self)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->job != NULL)
    goban_job_cancel (self->job);
}
