#include "engine/session/document/autosave.h"

#include "engine/core/file-read.h"
#include "engine/core/i18n.h"
#include "engine/core/json-reader.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LOCK_SUFFIX ".lock"

/* A recovery file that this process holds. */
typedef struct
{
  char *path;
  char *lock_path;
  int lock; /* open and locked */
} Claim;

struct _GobanRecovery
{
  Claim *claim; /* NULL: discarded or given away */
  char *text;
};

struct _GobanAutosave
{
  GobanDocument *document; /* borrowed: its session outlives us */
  char *folder;
  guint delay_ms;
  gboolean is_enabled;
  gboolean is_closed;
  gboolean is_stale; /* the file is older than the session */
  guint timeout_id;
  Claim *claim;               /* (nullable): made when there is something to write */
  GobanJob *writer;           /* (nullable) */
  GPtrArray *leaving;         /* Leaving: sessions that were replaced, being written or set aside */
  GobanAutosaveFunc replaced; /* (nullable) */
  gpointer replaced_data;
};

typedef enum
{
  LEAVING_GONE,  /* nothing but its file brings it back */
  LEAVING_ASIDE, /* undo brings it back */
  LEAVING_BACK,
} LeavingState;

/* A session that another graph took the place of. */
typedef struct
{
  GobanAutosave *autosave; /* borrowed */
  GobanSnapshot *snapshot;
  LeavingState state;
  gboolean is_known; /* the other graph is open: the state was requested */
  char *text;        /* (nullable): for its recovery, once it is written */
  Claim *claim;      /* (nullable): given away */
  GobanJob *job;
} Leaving;

char *
goban_recovery_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "goban", "recovery", NULL);
}

/* --- claims ----------------------------------------------------------------------------------- */

/* (transfer full) (nullable): %NULL if another process holds the file, or it cannot be locked. */
static Claim *
claim_new (const char *path)
{
  g_autofree char *lock_path = g_strconcat (path, LOCK_SUFFIX, NULL);
  int lock = open (lock_path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  Claim *claim;

  if (lock < 0)
    return NULL;
  if (flock (lock, LOCK_EX | LOCK_NB) != 0)
    {
      close (lock);
      return NULL;
    }
  claim = g_new0 (Claim, 1);
  claim->path = g_strdup (path);
  claim->lock_path = g_steal_pointer (&lock_path);
  claim->lock = lock;
  return claim;
}

/* Lets go of the file, which stays. */
static void
claim_release (Claim *claim)
{
  close (claim->lock);
  g_free (claim->path);
  g_free (claim->lock_path);
  g_free (claim);
}

/* The lock is deleted last, so that no other process takes the file in between. */
static void
claim_remove (Claim *claim)
{
  g_unlink (claim->path);
  g_unlink (claim->lock_path);
  claim_release (claim);
}

/* --- finding ---------------------------------------------------------------------------------- */

/* Content for goban_writer_add_path(). (transfer full) (nullable) */
static char *
dup_path (GobanJsonValue object, const char *key)
{
  g_autofree char *bytes_key = g_strconcat (key, "_bytes", NULL);
  const char *encoded = goban_json_peek_text (goban_json_find (object, bytes_key));

  return encoded != NULL ? g_uri_unescape_string (encoded, NULL)
                         : g_strdup (goban_json_peek_text (goban_json_find (object, key)));
}

static const char *
describe_departure (GobanJsonValue recovery)
{
  if (goban_json_has (recovery, "closed"))
    return _ ("Changes were not saved when the window was closed");
  if (goban_json_has (recovery, "replaced"))
    return _ ("Changes were not saved when another graph was opened");
  return _ ("Goban ended unexpectedly");
}

/* The question about the file; (transfer full) (nullable): %NULL if it is not a session. The graph
 * is not loaded for it. */
static char *
describe (const char *path)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_SESSION, .only_regular = TRUE };
  g_autoptr (GobanJsonReader) json
      = goban_json_reader_new_for_file (path, &reading, NULL); /* it is not offered */
  GobanJsonValue root, graph;
  g_autofree char *title = NULL;
  g_autofree char *file = NULL;
  GobanJsonItems runs;
  guint n;

  if (json == NULL)
    return NULL;
  root = goban_json_reader_get_root (json);
  if (!goban_json_has (root, "runs")
      || !goban_json_get_list (root, "runs", &runs, NULL)) /* nor this */
    return NULL;
  n = runs.n;
  graph = goban_json_find (root, "graph");
  file = dup_path (goban_json_find (root, "recovery"), "file");
  if (file == NULL)
    file = dup_path (graph, "path");
  if (file != NULL)
    title = g_filename_display_basename (file);
  else
    title = g_strdup (goban_json_peek_text (goban_json_find (graph, "spec")));
  /* Translators: the reason; then the number of plans, and the name of their graph. */
  return g_strdup_printf (goban_i18n_get_plural ("%s; %u plan of %s can be restored",
                                                 "%s; %u plans of %s can be restored", n),
                          describe_departure (goban_json_find (root, "recovery")), n,
                          title != NULL ? title : _ ("an unsaved graph"));
}

/* (transfer full) (nullable) */
static GobanRecovery *
take (const char *path)
{
  Claim *claim = claim_new (path);
  GobanRecovery *self;
  char *text;

  if (claim == NULL)
    return NULL;
  /* Its owner may have removed it while we waited for the lock, and a lock may be all that is
   * left. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      claim_remove (claim);
      return NULL;
    }
  text = describe (path);
  if (text == NULL)
    {
      claim_release (claim);
      return NULL;
    }
  self = g_new0 (GobanRecovery, 1);
  self->claim = claim;
  self->text = text;
  return self;
}

static int
compare_ages (gconstpointer a, gconstpointer b)
{
  const char *left = *(const char *const *) a, *right = *(const char *const *) b;
  GStatBuf x = { 0 }, y = { 0 };

  g_stat (left, &x);
  g_stat (right, &y);
  if (x.st_mtime != y.st_mtime)
    return x.st_mtime < y.st_mtime ? -1 : 1;
  return strcmp (left, right);
}

GPtrArray *
goban_recovery_find (const char *folder)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_recovery_free);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* no folder, nothing left behind */
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, GOBAN_SESSION_SUFFIX))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_ages);
  for (guint i = 0; i < paths->len; i++)
    {
      GobanRecovery *recovery = take (g_ptr_array_index (paths, i));

      if (recovery != NULL)
        g_ptr_array_add (found, recovery);
    }
  return found;
}

const char *
goban_recovery_get_text (GobanRecovery *self)
{
  return self->text;
}

const char *
goban_recovery_get_path (GobanRecovery *self)
{
  return self->claim != NULL ? self->claim->path : NULL;
}

void
goban_recovery_discard (GobanRecovery *self)
{
  g_clear_pointer (&self->claim, claim_remove);
}

void
goban_recovery_free (GobanRecovery *self)
{
  g_clear_pointer (&self->claim, claim_release);
  g_free (self->text);
  g_free (self);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void touched_cb (GobanAutosave *self);

static void
written_cb (GobanJob *job, gpointer user_data)
{
  GobanAutosave *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *digest = goban_job_steal_result (job, &error);

  g_clear_object (&self->writer);
  if (digest == NULL)
    g_debug ("%s", error->message);
  if (self->is_stale)
    touched_cb (self);
}

/* (transfer full) (nullable) */
static GobanSnapshot *
take_snapshot (GobanAutosave *self)
{
  return goban_document_make_snapshot (self->document, self->is_closed ? GOBAN_DEPARTURE_CLOSED
                                                                       : GOBAN_DEPARTURE_CRASH);
}

static gboolean
has_claim (GobanAutosave *self)
{
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;

  if (self->claim != NULL)
    return TRUE;
  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    {
      g_debug ("%s: %s", self->folder, g_strerror (errno));
      return FALSE;
    }
  id = g_uuid_string_random ();
  name = g_strconcat (id, GOBAN_SESSION_SUFFIX, NULL);
  path = g_build_filename (self->folder, name, NULL);
  self->claim = claim_new (path);
  return self->claim != NULL;
}

static void
write_now (GobanAutosave *self)
{
  g_autoptr (GobanSnapshot) snapshot = NULL;

  self->is_stale = FALSE;
  if (!self->is_enabled || !goban_document_is_changed (self->document))
    {
      g_clear_pointer (&self->claim, claim_remove);
      return;
    }
  snapshot = take_snapshot (self);
  if (snapshot == NULL || !has_claim (self))
    return;
  self->writer = goban_snapshot_start_saving (snapshot, "Writing down", self->claim->path, NULL);
  g_signal_connect (self->writer, "done", G_CALLBACK (written_cb), self);
}

static gboolean
timeout_cb (gpointer user_data)
{
  GobanAutosave *self = user_data;

  self->timeout_id = 0;
  if (self->writer == NULL)
    write_now (self);
  return G_SOURCE_REMOVE;
}

static void
touched_cb (GobanAutosave *self)
{
  self->is_stale = TRUE;
  if (self->timeout_id == 0 && !self->is_closed)
    self->timeout_id = g_timeout_add (self->delay_ms, timeout_cb, self);
}

static void
stop (GobanAutosave *self)
{
  g_clear_handle_id (&self->timeout_id, g_source_remove);
  if (self->writer == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->writer, self);
  goban_job_stop_and_join (self->writer);
  g_clear_object (&self->writer);
}

/* --- replaced sessions ------------------------------------------------------------------------ */

/* The program waits at its end until pending writes are done. */
static void
leaving_free (Leaving *leaving)
{
  g_signal_handlers_disconnect_by_data (leaving->job, leaving);
  goban_job_stop_and_join (leaving->job);
  g_object_unref (leaving->job);
  g_clear_pointer (&leaving->claim, claim_release);
  goban_snapshot_unref (leaving->snapshot);
  g_free (leaving->text);
  g_free (leaving);
}

static gpointer
leave_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Leaving *leaving = data;

  if (!goban_snapshot_save (leaving->snapshot, leaving->claim->path, error))
    return NULL;
  return describe (leaving->claim->path);
}

/* Written: gives it away, or removes its file if the session is back. */
static void
finish_leaving (GobanAutosave *self, Leaving *leaving)
{
  if (leaving->state == LEAVING_ASIDE)
    return;
  if (leaving->state == LEAVING_BACK)
    g_clear_pointer (&leaving->claim, claim_remove);
  else if (self->replaced != NULL)
    {
      GobanRecovery *recovery = g_new0 (GobanRecovery, 1);

      recovery->claim = g_steal_pointer (&leaving->claim);
      recovery->text = g_steal_pointer (&leaving->text);
      self->replaced (recovery, self->replaced_data);
    }
  g_ptr_array_remove (self->leaving, leaving);
}

static void
left_cb (GobanJob *job, Leaving *leaving)
{
  GobanAutosave *self = leaving->autosave;
  g_autoptr (GError) error = NULL;

  leaving->text = goban_job_steal_result (job, &error);
  if (error != NULL)
    goban_session_say (goban_document_get_session (self->document), TRUE, "%s", error->message);
  if (leaving->text != NULL)
    finish_leaving (self, leaving);
  else
    g_ptr_array_remove (self->leaving, leaving);
}

/* The graph of a session that is set aside comes back as it was only by the session's own undo and
 * redo. */
static LeavingState
find_state (const Leaving *leaving, GobanSession *session)
{
  GobanGraph *graph = goban_snapshot_get_graph (leaving->snapshot);

  if (goban_session_has_aside (session, graph))
    return LEAVING_ASIDE;
  return session->is_swapping && goban_session_get_graph (session) == graph ? LEAVING_BACK
                                                                            : LEAVING_GONE;
}

static void
graph_changed_cb (GobanAutosave *self)
{
  GobanSession *session = goban_document_get_session (self->document);

  for (guint i = self->leaving->len; i-- > 0;)
    {
      Leaving *leaving = g_ptr_array_index (self->leaving, i);

      /* Only a session that has just been replaced, or was set aside, can still be restored. */
      if (leaving->is_known && leaving->state != LEAVING_ASIDE)
        continue;
      leaving->is_known = TRUE;
      leaving->state = find_state (leaving, session);
      if (leaving->text != NULL)
        finish_leaving (self, leaving);
    }
}

/* The file of the last autosave becomes that of the replaced session, which is written once
 * more. */
static void
replaced_cb (GobanAutosave *self, GobanSnapshot *snapshot)
{
  Leaving *leaving;

  stop (self);
  if (!has_claim (self))
    {
      goban_session_say (goban_document_get_session (self->document), TRUE,
                         "%s: the replaced session cannot be kept there: %s", self->folder,
                         g_strerror (errno));
      return;
    }
  leaving = g_new0 (Leaving, 1);
  leaving->autosave = self;
  leaving->snapshot = goban_snapshot_ref (snapshot);
  leaving->claim = g_steal_pointer (&self->claim);
  leaving->job = goban_job_start ("Writing down", leave_worker, leaving, NULL, g_free);
  g_signal_connect (leaving->job, "done", G_CALLBACK (left_cb), leaving);
  g_ptr_array_add (self->leaving, leaving);
}

/* --- construction and disposal ---------------------------------------------------------------- */

GobanAutosave *
goban_autosave_new (GobanDocument *document, const char *folder, guint delay_ms)
{
  GobanAutosave *self = g_new0 (GobanAutosave, 1);

  self->document = document;
  self->folder = g_strdup (folder);
  self->delay_ms = delay_ms;
  self->is_enabled = TRUE;
  self->leaving = g_ptr_array_new_with_free_func ((GDestroyNotify) leaving_free);
  g_signal_connect_swapped (document, "touched", G_CALLBACK (touched_cb), self);
  g_signal_connect_swapped (document, "replaced", G_CALLBACK (replaced_cb), self);
  g_signal_connect_swapped (goban_document_get_session (document), "notify::graph",
                            G_CALLBACK (graph_changed_cb), self);
  if (goban_document_is_changed (document))
    touched_cb (self);
  return self;
}

void
goban_autosave_set_replaced_func (GobanAutosave *self, GobanAutosaveFunc func, gpointer user_data)
{
  self->replaced = func;
  self->replaced_data = user_data;
}

void
goban_autosave_close (GobanAutosave *self)
{
  g_autoptr (GobanSnapshot) snapshot = NULL;

  if (self->is_closed)
    return;
  stop (self);
  self->is_closed = TRUE;
  g_ptr_array_set_size (self->leaving, 0);
  if (!goban_document_is_changed (self->document))
    {
      g_clear_pointer (&self->claim, claim_remove);
      return;
    }
  snapshot = take_snapshot (self);
  if (snapshot == NULL || !has_claim (self))
    return;
  /* The final write at exit; a full disk can no longer be reported, but the previous file stays. */
  goban_snapshot_save (snapshot, self->claim->path, NULL);
  g_clear_pointer (&self->claim, claim_release);
}

void
goban_autosave_free (GobanAutosave *self)
{
  stop (self);
  g_ptr_array_unref (self->leaving);
  g_signal_handlers_disconnect_by_data (goban_document_get_session (self->document), self);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_pointer (&self->claim, claim_release);
  g_free (self->folder);
  g_free (self);
}

void
goban_autosave_set_enabled (GobanAutosave *self, gboolean is_enabled)
{
  if (self->is_enabled == is_enabled)
    return;
  self->is_enabled = is_enabled;
  touched_cb (self);
}

void
goban_autosave_adopt (GobanAutosave *self, GobanRecovery *recovery)
{
  stop (self);
  g_clear_pointer (&self->claim, claim_remove);
  self->claim = g_steal_pointer (&recovery->claim);
  goban_recovery_free (recovery);
  touched_cb (self);
}

const char *
goban_autosave_get_path (GobanAutosave *self)
{
  return self->claim != NULL ? self->claim->path : NULL;
}
