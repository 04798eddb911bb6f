#include "engine/session/document/document.h"

#include "engine/core/attached-object.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/session/document/snapshot.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/study/log/log-lines.h"

/* File state of a graph that the session has set aside (session-derived.h). */
typedef struct
{
  GobanGraph *graph;
  char *path;           /* (nullable) */
  GobanSnapshot *saved; /* (nullable) */
  char *digest;         /* (nullable) */
} Aside;

struct _GobanDocument
{
  GObject parent_instance;

  GobanSession *session; /* borrowed: it owns us */
  char *path;            /* (nullable) */
  GobanSnapshot *saved;  /* (nullable): content of the file, or the state that was opened */
  gboolean is_changed;
  GobanJob *saving; /* (nullable) */
  char *digest;     /* (nullable): of the last content read from the file or written to it */
  char *next_path;  /* (nullable): to be saved to when that is done */
  gboolean next_anyway;
  gboolean is_opening;      /* changes made now do not count */
  GobanSnapshot *discarded; /* (nullable): state that may be replaced without a question */
  GPtrArray *asides;        /* Aside */
  guint discard_id;         /* looks whether something is still being opened, or 0 */
};

enum
{
  PROP_PATH = 1,
  PROP_CHANGED,
  N_PROPS
};

enum
{
  TOUCHED,
  REPLACED,
  SAVED,
  CONFLICT,
  GRAPH_MISSING,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanDocument, goban_document, G_TYPE_OBJECT)

static void
aside_free (gpointer data)
{
  Aside *aside = data;

  goban_graph_unref (aside->graph);
  g_free (aside->path);
  g_clear_pointer (&aside->saved, goban_snapshot_unref);
  g_free (aside->digest);
  g_free (aside);
}

static void
goban_document_finalize (GObject *object)
{
  GobanDocument *self = GOBAN_DOCUMENT (object);

  if (self->saving != NULL)
    goban_job_stop_and_join (self->saving);
  g_clear_object (&self->saving);
  g_clear_handle_id (&self->discard_id, g_source_remove);
  g_clear_pointer (&self->discarded, goban_snapshot_unref);
  g_ptr_array_unref (self->asides);
  g_clear_pointer (&self->saved, goban_snapshot_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->digest, g_free);
  g_clear_pointer (&self->next_path, g_free);
  G_OBJECT_CLASS (goban_document_parent_class)->finalize (object);
}

static void
goban_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanDocument *self = GOBAN_DOCUMENT (object);

  switch (id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_CHANGED:
      g_value_set_boolean (value, self->is_changed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_document_class_init (GobanDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = goban_document_finalize;
  object_class->get_property = goban_document_get_property;
  props[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  props[PROP_CHANGED] = g_param_spec_boolean ("changed", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[TOUCHED] = g_signal_new ("touched", GOBAN_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[REPLACED] = g_signal_new ("replaced", GOBAN_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SAVED] = g_signal_new ("saved", GOBAN_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[CONFLICT] = g_signal_new ("conflict", GOBAN_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[GRAPH_MISSING]
      = g_signal_new ("graph-missing", GOBAN_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
goban_document_init (GobanDocument *self)
{
  self->asides = g_ptr_array_new_with_free_func (aside_free);
}

/* --- changes ---------------------------------------------------------------------------------- */

static void
set_path (GobanDocument *self, const char *path)
{
  if (g_strcmp0 (self->path, path) == 0)
    return;
  g_free (self->path);
  self->path = g_strdup (path);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PATH]);
}

static void
set_changed (GobanDocument *self, gboolean is_changed)
{
  if (self->is_changed == is_changed)
    return;
  self->is_changed = is_changed;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CHANGED]);
}

/* (transfer full) (nullable) */
static void
set_saved (GobanDocument *self, GobanSnapshot *saved)
{
  g_clear_pointer (&self->saved, goban_snapshot_unref);
  self->saved = saved;
}

static void
compare (GobanDocument *self)
{
  if (goban_session_get_graph (self->session) == NULL)
    set_changed (self, FALSE);
  else
    set_changed (self,
                 self->saved == NULL || !goban_snapshot_is_present (self->saved, self->session));
}

static void
session_touched_cb (GobanDocument *self)
{
  if (self->is_opening)
    return;

  /* The plans with which a graph is opened are not the user's work. */
  if (self->path == NULL && self->saved != NULL
      && goban_session_get_undo_name (self->session) == NULL
      && goban_session_get_redo_name (self->session) == NULL
      && g_str_equal (self->saved->notes, goban_session_get_notes (self->session)))
    set_saved (self, goban_snapshot_new (self->session));
  compare (self);
  g_signal_emit (self, signals[TOUCHED], 0);
}

/* The file of the graph that is about to be replaced, in case that it comes back. */
static void
keep_aside (GobanDocument *self)
{
  Aside *aside = g_new0 (Aside, 1);

  aside->graph = goban_graph_ref (goban_session_get_graph (self->session));
  aside->path = g_strdup (self->path);
  aside->saved = self->saved != NULL ? goban_snapshot_ref (self->saved) : NULL;
  aside->digest = g_strdup (self->digest);
  g_ptr_array_add (self->asides, aside);
}

/* Drops file states of graphs that cannot come back. TRUE if the open graph has come back, with its
 * file. */
static gboolean
take_aside (GobanDocument *self)
{
  gboolean is_found = FALSE;

  for (guint i = self->asides->len; i-- > 0;)
    {
      Aside *aside = g_ptr_array_index (self->asides, i);

      if (goban_session_has_aside (self->session, aside->graph))
        continue;
      if (self->session->is_swapping && aside->graph == goban_session_get_graph (self->session))
        {
          is_found = TRUE;
          set_saved (self, g_steal_pointer (&aside->saved));
          set_path (self, aside->path);
          g_free (self->digest);
          self->digest = g_steal_pointer (&aside->digest);
        }
      g_ptr_array_remove_index (self->asides, i);
    }
  return is_found;
}

/* Another graph is another document. */
static void
graph_changed_cb (GobanDocument *self)
{
  gboolean is_back = take_aside (self);

  if (self->is_opening)
    return;
  if (is_back)
    {
      compare (self);
      g_signal_emit (self, signals[TOUCHED], 0);
      return;
    }

  set_saved (self, goban_snapshot_new (self->session));
  set_path (self, NULL);
  g_clear_pointer (&self->digest, g_free);
  session_touched_cb (self);
}

/* --- discarding ------------------------------------------------------------------------------- */

static void
forget_discarded (GobanDocument *self)
{
  g_clear_handle_id (&self->discard_id, g_source_remove);
  g_clear_pointer (&self->discarded, goban_snapshot_unref);
}

static gboolean
look_for_job_cb (gpointer user_data)
{
  GobanDocument *self = user_data;

  self->discard_id = 0;
  if (goban_session_get_job (self->session) == NULL)
    forget_discarded (self);
  return G_SOURCE_REMOVE;
}

/* A job that has opened nothing ends the wait. Its result is open when idle work is done. */
static void
job_changed_cb (GobanDocument *self)
{
  if (self->discarded != NULL && self->discard_id == 0)
    self->discard_id = g_idle_add (look_for_job_cb, self);
}

/* Every way of opening a graph passes here, so that the replaced document is always handled. Graphs
 * that undo or redo sets aside are kept by them, and lost as any other undone change. */
static void
replacing_cb (GobanDocument *self)
{
  gboolean is_wanted
      = self->is_changed && !self->session->is_swapping
        && (self->discarded == NULL || !goban_snapshot_is_present (self->discarded, self->session));
  g_autoptr (GobanSnapshot) snapshot
      = is_wanted ? goban_document_make_snapshot (self, GOBAN_DEPARTURE_REPLACED) : NULL;

  forget_discarded (self);
  keep_aside (self);
  if (snapshot != NULL)
    g_signal_emit (self, signals[REPLACED], 0, snapshot);
}

GobanSnapshot *
goban_document_make_snapshot (GobanDocument *self, GobanDeparture departure)
{
  GobanSnapshot *snapshot = goban_snapshot_new (self->session);
  GobanOrigin origin = { self->path, self->digest, departure };

  if (snapshot != NULL)
    goban_snapshot_set_origin (snapshot, &origin);
  return snapshot;
}

static GObject *
new_document (GObject *owner)
{
  /* Not the moment that is shown: playback would change it with each frame. */
  static const char *const looks[]
      = { "notify::color",  "notify::hidden", "notify::grouping", "notify::expanded",
          "notify::layout", "notify::lanes",  "notify::moment",   "bookmarked" };
  static const char *const changes[]
      = { "notify::cluster",   "notify::current-run", "notify::pinned",
          "notify::selection", "notify::undo-name",   "notify::notes" };
  static const char *const compared[] = { "notify::open", "notify::runs",      "notify::pair",
                                          "notify::mode", "notify::unchanged", "notify::min-change",
                                          "notify::sync", "notify::scales",    "notify::lanes" };
  GobanSession *session = GOBAN_SESSION (owner);
  GobanDocument *self = g_object_new (GOBAN_TYPE_DOCUMENT, NULL);

  self->session = session;
  self->saved = goban_snapshot_new (session);
  /* A pending note is stored first. */
  g_signal_connect_object (session, "replacing", G_CALLBACK (replacing_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (session, "notify::job", G_CALLBACK (job_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::graph", G_CALLBACK (graph_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_runs (session), "items-changed",
                           G_CALLBACK (session_touched_cb), self, G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_object (session, changes[i], G_CALLBACK (session_touched_cb), self,
                             G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (goban_session_get_view (session), looks[i],
                             G_CALLBACK (session_touched_cb), self, G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (compared); i++)
    g_signal_connect_object (goban_session_get_compare_set (session), compared[i],
                             G_CALLBACK (session_touched_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_view_get_marks (goban_session_get_view (session)), "changed",
                           G_CALLBACK (session_touched_cb), self, G_CONNECT_SWAPPED);
  return G_OBJECT (self);
}

GobanDocument *
goban_document_get (GobanSession *session)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return goban_attached_object (G_OBJECT (session), "goban-document", new_document);
}

GobanSession *
goban_document_get_session (GobanDocument *self)
{
  g_return_val_if_fail (GOBAN_IS_DOCUMENT (self), NULL);

  return self->session;
}

const char *
goban_document_get_path (GobanDocument *self)
{
  g_return_val_if_fail (GOBAN_IS_DOCUMENT (self), NULL);

  return self->path;
}

gboolean
goban_document_is_changed (GobanDocument *self)
{
  g_return_val_if_fail (GOBAN_IS_DOCUMENT (self), FALSE);

  return self->is_changed;
}

void
goban_document_discard (GobanDocument *self)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self));

  forget_discarded (self);
  self->discarded = goban_snapshot_new (self->session);
  job_changed_cb (self);
}

void
goban_document_keep_replaced (GobanDocument *self, GobanSnapshot *snapshot)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self) && snapshot != NULL);

  g_signal_emit (self, signals[REPLACED], 0, snapshot);
}

void
goban_document_set_settled (GobanDocument *self, gboolean is_settled)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self));

  set_saved (self, is_settled ? goban_snapshot_new (self->session) : NULL);
  compare (self);
  g_signal_emit (self, signals[TOUCHED], 0);
}

/* --- saving ----------------------------------------------------------------------------------- */

/* State of the file as last read or written; (nullable): neither has happened. */
static const char *
peek_known (GobanDocument *self, const char *path)
{
  if (g_strcmp0 (path, self->path) != 0)
    return NULL;
  /* A recovery file may not say: no file has this digest. */
  return self->digest != NULL ? self->digest : "";
}

/* @snapshot: (transfer full): the file's present content. */
static void
take_saved (GobanDocument *self, GobanSnapshot *snapshot, const char *path, const char *digest)
{
  /* Another graph may have been opened in the meantime; the file does not belong to it. */
  if (goban_snapshot_get_graph (snapshot) != goban_session_get_graph (self->session))
    {
      goban_snapshot_unref (snapshot);
      return;
    }
  set_saved (self, snapshot);
  g_free (self->path);
  self->path = g_strdup (path);
  g_free (self->digest);
  self->digest = g_strdup (digest);
  /* Even if the path is the same, its content is not. */
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PATH]);
  compare (self);
  g_signal_emit (self, signals[TOUCHED], 0);
}

static void save (GobanDocument *self, const char *path, gboolean is_anyway);

static void
saved_cb (GobanJob *job, GobanDocument *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *digest = goban_job_steal_result (job, &error);
  const char *path = g_object_get_data (G_OBJECT (job), "path");
  GobanSnapshot *snapshot = g_object_get_data (G_OBJECT (job), "snapshot");
  g_autofree char *next_path = g_steal_pointer (&self->next_path);
  g_autoptr (GobanJob) held = g_object_ref (job);

  if (digest != NULL)
    {
      g_autofree char *name = g_filename_display_basename (path);
      guint n_left_out = goban_snapshot_get_n_left_out (snapshot);

      take_saved (self, goban_snapshot_ref (snapshot), path, digest);
      if (n_left_out > 0)
        goban_session_say (
            self->session, FALSE,
            goban_i18n_get_plural ("Saved %s without the decisions that led to %u plan: they are "
                                   "more than a session file holds",
                                   "Saved %s without the decisions that led to %u plans: they are "
                                   "more than a session file holds",
                                   n_left_out),
            name, n_left_out);
      else
        goban_session_say (self->session, FALSE, "Saved %s", name);
    }
  else if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CONFLICT))
    goban_session_say (self->session, TRUE, "%s", error->message);
  g_clear_object (&self->saving);
  if (next_path != NULL)
    save (self, next_path, self->next_anyway);
  else if (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CONFLICT))
    g_signal_emit (self, signals[CONFLICT], 0, path);
  else
    g_signal_emit (self, signals[SAVED], 0, digest != NULL);
}

static void
save (GobanDocument *self, const char *path, gboolean is_anyway)
{
  g_autofree char *absolute = NULL;
  GobanSnapshot *snapshot;

  if (self->saving != NULL)
    {
      self->next_anyway = is_anyway;
      g_free (self->next_path);
      self->next_path = g_strdup (path);
      return;
    }
  snapshot = goban_snapshot_new (self->session);
  if (snapshot == NULL)
    {
      goban_session_say (self->session, TRUE, "There is no session to save: open a graph first");
      g_signal_emit (self, signals[SAVED], 0, FALSE);
      return;
    }
  absolute = g_canonicalize_filename (path, NULL);
  self->saving = goban_snapshot_start_saving (snapshot, "Saving", absolute,
                                              is_anyway ? NULL : peek_known (self, absolute));
  g_object_set_data_full (G_OBJECT (self->saving), "path", g_strdup (absolute), g_free);
  g_object_set_data_full (G_OBJECT (self->saving), "snapshot", snapshot,
                          (GDestroyNotify) goban_snapshot_unref);
  g_signal_connect_object (self->saving, "done", G_CALLBACK (saved_cb), self, 0);
}

void
goban_document_save (GobanDocument *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL);

  save (self, path, FALSE);
}

void
goban_document_save_anyway (GobanDocument *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL);

  save (self, path, TRUE);
}

gboolean
goban_document_save_now (GobanDocument *self, const char *path, GError **error)
{
  g_autofree char *absolute = NULL;
  g_autofree char *digest = NULL;
  g_autoptr (GobanSnapshot) snapshot = NULL;

  g_return_val_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL, FALSE);

  absolute = g_canonicalize_filename (path, NULL);
  snapshot = goban_snapshot_new (self->session);
  if (snapshot == NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "there is no session to save: open a graph first");
  digest = goban_snapshot_save_over (snapshot, absolute, peek_known (self, absolute), error);
  if (digest == NULL)
    return FALSE;
  take_saved (self, g_steal_pointer (&snapshot), absolute, digest);
  return TRUE;
}

void
goban_document_finish (GobanDocument *self)
{
  g_return_if_fail (GOBAN_IS_DOCUMENT (self));

  if (self->saving != NULL)
    goban_job_stop_and_join (self->saving);
}

/* --- opening ---------------------------------------------------------------------------------- */

typedef struct
{
  char *path;
  char *graph_path; /* (nullable) */
  char *missing;    /* (nullable) the worker's, ours after it */
  gboolean is_recovery;
  GobanDocumentFunc opened;
  gpointer user_data;
} Opening;

static void
opening_clear (gpointer data)
{
  Opening *opening = data;

  g_free (opening->path);
  g_free (opening->graph_path);
  g_free (opening->missing);
}

static void
opening_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, opening_clear);
}

static gpointer
open_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Opening *opening = data;
  GobanSnapshotOptions options
      = { .graph_path = opening->graph_path, .missing = &opening->missing, .progress = progress };

  return goban_snapshot_load (opening->path, &options, error);
}

/* One line for the log: the rest is in the session file. */
static void
log_opened (GobanDocument *self, const char *path)
{
  g_autofree char *quoted = goban_log_path (path);
  g_autofree char *line = g_strdup_printf ("app.open %s", quoted);

  goban_session_log (self->session, line);
}

static void
adopt (GobanDocument *self, GobanSnapshot *snapshot, const Opening *opening)
{
  self->is_opening = TRUE;
  log_opened (self, opening->path);
  goban_session_open_snapshot (self->session, snapshot);
  self->is_opening = FALSE;
  if (opening->is_recovery)
    {
      set_saved (self, NULL);
      set_path (self, goban_snapshot_get_origin (snapshot));
    }
  else
    {
      set_saved (self, goban_snapshot_ref (snapshot));
      set_path (self, opening->path);
    }
  g_free (self->digest);
  self->digest = g_strdup (goban_snapshot_get_digest (snapshot));
  compare (self);
  g_signal_emit (self, signals[TOUCHED], 0);
}

gboolean
goban_document_open_now (GobanDocument *self, const char *path, GError **error)
{
  g_autofree char *absolute = NULL;
  g_autoptr (GobanSnapshot) snapshot = NULL;

  g_return_val_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL, FALSE);

  absolute = g_canonicalize_filename (path, NULL);
  snapshot = goban_snapshot_load (absolute, NULL, error);
  if (snapshot == NULL)
    return FALSE;
  adopt (self, snapshot, &(Opening){ .path = absolute });
  return TRUE;
}

static void
opened_cb (GobanJob *job, GobanDocument *self)
{
  Opening *opening = g_object_get_data (G_OBJECT (job), "opening");
  g_autoptr (GobanJob) held = g_object_ref (job);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSnapshot) snapshot = NULL;
  gboolean is_ours = job == goban_session_get_job (self->session);

  if (is_ours)
    {
      snapshot = goban_job_steal_result (job, &error);
      goban_session_take_job (self->session, NULL);
    }
  if (snapshot != NULL)
    adopt (self, snapshot, opening);
  else if (is_ours && opening->missing != NULL)
    g_signal_emit (self, signals[GRAPH_MISSING], 0, opening->path, opening->missing);
  if (error != NULL)
    goban_session_say (self->session, !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED),
                       "%s", error->message);
  if (opening->opened != NULL)
    opening->opened (snapshot != NULL, opening->user_data);
}

/* @opening: (transfer full) */
static void
start (GobanDocument *self, Opening *opening)
{
  g_autofree char *name = g_filename_display_basename (opening->path);
  g_autofree char *title
      = opening->is_recovery ? g_strdup ("Restoring") : g_strdup_printf ("Opening %s", name);
  GobanJob *job;

  goban_session_cancel_job (self->session);
  job = goban_job_start (title, open_worker, g_atomic_rc_box_acquire (opening), opening_release,
                         (GDestroyNotify) goban_snapshot_unref);
  g_object_set_data_full (G_OBJECT (job), "opening", opening, opening_release);
  g_signal_connect_object (job, "done", G_CALLBACK (opened_cb), self, 0);
  goban_session_take_job (self->session, job);
}

void
goban_document_open (GobanDocument *self, const char *path, const char *graph_path)
{
  Opening *opening;

  g_return_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL);

  opening = g_atomic_rc_box_new0 (Opening);
  opening->path = g_canonicalize_filename (path, NULL);
  opening->graph_path = g_strdup (graph_path);
  start (self, opening);
}

void
goban_document_recover (GobanDocument *self, const char *path, GobanDocumentFunc opened,
                        gpointer user_data)
{
  Opening *opening;

  g_return_if_fail (GOBAN_IS_DOCUMENT (self) && path != NULL);

  opening = g_atomic_rc_box_new0 (Opening);
  opening->path = g_strdup (path);
  opening->is_recovery = TRUE;
  opening->opened = opened;
  opening->user_data = user_data;
  start (self, opening);
}
