/* session-file.c: snapshots: how a session becomes one, and one a session. */
#include "engine/session/document/session-file.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/document/snapshot.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/run/graph-source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Extra state of a session that only its file needs, beside the graph that it belongs to. */
typedef struct
{
  guint64 graph_hash;
  GobanLoadOptions load;
} Kept;

static guint64
get_hash (GobanSession *session)
{
  GobanGraph *graph = goban_session_get_graph (session);

  return graph != NULL ? goban_graph_get_hash (graph) : 0;
}

/* The kept data belong to the open graph; another one has none. */
static Kept *
get_kept (GobanSession *session)
{
  Kept *kept = g_object_get_data (G_OBJECT (session), "goban-kept");

  if (kept != NULL && kept->graph_hash == get_hash (session))
    return kept;

  kept = g_new0 (Kept, 1);
  kept->graph_hash = get_hash (session);
  g_object_set_data_full (G_OBJECT (session), "goban-kept", kept, g_free);
  return kept;
}

static GobanLoadOptions
copy_load (const GobanLoadOptions *load)
{
  GobanLoadOptions copy = *load;

  copy.format = g_intern_string (load->format);
  copy.progress = NULL;
  return copy;
}

/* How the graph was loaded is known of graphs that a session file brought. */
static void
keep_load (GobanSession *session, const GobanLoadOptions *load)
{
  get_kept (session)->load = copy_load (load);
}

/* --- construction and disposal ---------------------------------------------------------------- */

GobanSnapshot *
goban_snapshot_new_empty (GobanGraph *graph, GobanState *state)
{
  static const char *const nothing[] = { NULL };
  GobanSnapshot *self = g_new0 (GobanSnapshot, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->graph = goban_graph_ref (graph);
  self->state = state;
  self->selection = goban_selection_new (NULL, 0);
  self->hidden = goban_selection_new (NULL, 0);
  self->notes = g_strdup ("");
  self->color = g_strdup ("device");
  self->expanded = goban_names_new (nothing);
  self->time_us = (double) NAN;
  self->moment = GOBAN_NO_MOMENT;
  self->places = goban_navigation_new ();
  goban_own_lanes_set (&self->lanes, &(GobanLanes){ NULL });
  self->compared.pair[1] = 1;
  self->compared.looks = goban_compare_looks_usual ();
  self->marks = g_new0 (char *, 1);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  return self;
}

GobanSnapshot *
goban_snapshot_ref (GobanSnapshot *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_snapshot_unref (GobanSnapshot *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  goban_graph_unref (self->graph);
  goban_state_unref (self->state);
  goban_selection_unref (self->selection);
  goban_selection_unref (self->hidden);
  g_free (self->path);
  g_free (self->notes);
  g_free (self->color);
  goban_names_unref (self->expanded);
  goban_navigation_free (self->places);
  goban_own_lanes_clear (&self->lanes);
  for (guint i = 0; i < self->compared.n_runs; i++)
    goban_run_unref (self->compared.runs[i]);
  g_strfreev (self->marks);
  g_free (self->origin);
  g_free (self->digest);
  g_ptr_array_unref (self->warnings);
  g_free (self);
}

/* A file of another folder is meant wherever the program stands later. (transfer full)
 * (nullable) */
static char *
dup_place (const char *path)
{
  if (path == NULL || g_str_equal (path, "-"))
    return NULL;
  if (goban_graph_source_is_spec (path))
    return g_strdup (path);
  return g_canonicalize_filename (path, NULL);
}

static void
copy_compared (GobanSnapshot *self, GobanSession *session)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GobanCompared *compared = &self->compared;

  /* A session that goes has none any more. */
  if (set == NULL)
    return;
  for (guint i = 0; i < goban_compare_set_get_n_runs (set); i++)
    {
      GobanRun *run = goban_compare_set_get_run (set, i);

      if (goban_run_get_graph (run) == goban_session_get_graph (session))
        compared->runs[compared->n_runs++] = goban_run_ref (run);
    }
  /* A file has one graph. */
  compared->pair[1] = 1;
  if (compared->n_runs == goban_compare_set_get_n_runs (set))
    {
      goban_compare_set_get_pair (set, &compared->pair[0], &compared->pair[1]);
      compared->is_open = goban_compare_set_is_open (set);
    }
  compared->looks = goban_compare_set_get_looks (set);
}

GobanSnapshot *
goban_snapshot_new (GobanSession *session)
{
  GobanView *view;
  GobanSnapshot *self;
  Kept *kept;

  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  if (goban_session_get_graph (session) == NULL)
    return NULL;

  view = goban_session_get_view (session);
  kept = get_kept (session);
  self = goban_snapshot_new_empty (
      goban_session_get_graph (session),
      /* A copy holds its runs: one that only a history holds may lose its trace. */
      goban_state_copy (goban_session_get_state (session)));
  goban_selection_unref (self->selection);
  goban_selection_unref (self->hidden);
  g_free (self->notes);
  g_free (self->color);
  goban_names_unref (self->expanded);
  self->path = dup_place (goban_session_get_path (session));
  self->load = copy_load (&kept->load);
  self->notes = g_strdup (goban_session_get_notes (session));
  self->selection = goban_selection_ref (goban_session_get_selection (session));
  self->hidden = goban_selection_ref (goban_view_get_hidden (view));
  self->color = g_strdup (goban_view_get_color (view));
  self->expanded = goban_view_ref_expanded (view);
  self->grouping = goban_view_get_grouping (view);
  self->layout = goban_view_get_layout (view);
  self->time_us = goban_view_get_time_us (view);
  self->moment = goban_view_get_moment (view);
  goban_navigation_copy_bookmarks (self->places, goban_view_get_places (view));
  goban_own_lanes_set (&self->lanes, goban_view_get_lanes (view));
  copy_compared (self, session);
  g_strfreev (self->marks);
  self->marks = goban_time_marks_to_texts (goban_view_get_marks (view));
  return self;
}

/* --- accessors -------------------------------------------------------------------------------- */

void
goban_snapshot_set_origin (GobanSnapshot *self, const GobanOrigin *origin)
{
  g_return_if_fail (g_atomic_ref_count_compare (&self->ref_count, 1));

  g_free (self->origin);
  g_free (self->digest);
  self->origin = g_strdup (origin->file);
  self->digest = g_strdup (origin->digest);
  self->departure = origin->departure;
}

const char *
goban_snapshot_get_digest (const GobanSnapshot *self)
{
  return self->digest;
}

const char *
goban_snapshot_get_origin (const GobanSnapshot *self)
{
  return self->origin;
}

GobanGraph *
goban_snapshot_get_graph (const GobanSnapshot *self)
{
  return self->graph;
}

char *
goban_snapshot_dup_title (const GobanSnapshot *self)
{
  return goban_graph_source_dup_title (self->path, self->graph);
}

const GPtrArray *
goban_snapshot_get_runs (const GobanSnapshot *self)
{
  return self->state->runs;
}

GobanRun *
goban_snapshot_get_current_run (const GobanSnapshot *self)
{
  return self->state->current;
}

const char *const *
goban_snapshot_get_warnings (const GobanSnapshot *self)
{
  static const char *const none[] = { NULL };

  return self->warnings->len > 0 ? (const char *const *) self->warnings->pdata : none;
}

guint
goban_snapshot_get_n_left_out (const GobanSnapshot *self)
{
  return (guint) g_atomic_int_get (&self->n_left_out);
}

/* --- files ------------------------------------------------------------------------------------ */

gboolean
goban_session_file_sniff (const char *head, gsize size)
{
  return g_strstr_len (head, (gssize) MIN (size, 512), "\"goban_session\"") != NULL;
}

gboolean
goban_session_file_is (const char *path)
{
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "rb") : NULL;
  char head[512];
  gsize n = file != NULL ? fread (head, 1, sizeof head, file) : 0;

  g_clear_pointer (&file, fclose);
  return goban_session_file_sniff (head, n);
}

/* Whether the file is unchanged, or gone. Reading it takes less time than writing it, and unlike
 * times and sizes its content shows whether anything would be lost. */
static gboolean
check_unchanged (const char *path, const char *known, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *digest = NULL;

  /* A pipe or a device keeps nothing that could be lost. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  bytes = goban_file_read (path, GOBAN_FILE_SESSION, error);
  if (bytes == NULL)
    return FALSE;
  digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  if (g_str_equal (digest, known))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_CONFLICT,
                       "%s: another program has changed the file since it was read: open it again, "
                       "or save under another name",
                       path);
}

char *
goban_snapshot_save_over (const GobanSnapshot *self, const char *path, const char *known,
                          GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autofree char *text = NULL;
  gsize size;

  text = goban_snapshot_to_text (self, folder, &size, error);
  /* Compared last, after all slow steps. */
  if (text == NULL || (known != NULL && !check_unchanged (path, known, error))
      || !goban_file_write (path, text, size, error))
    return NULL;
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, (gssize) size);
}

gboolean
goban_snapshot_save (const GobanSnapshot *self, const char *path, GError **error)
{
  g_autofree char *digest = goban_snapshot_save_over (self, path, NULL, error);

  return digest != NULL;
}

typedef struct
{
  GobanSnapshot *snapshot;
  char *path;
  char *known; /* (nullable) */
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  goban_snapshot_unref (saving->snapshot);
  g_free (saving->path);
  g_free (saving->known);
  g_free (saving);
}

static gpointer
save_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Saving *saving = data;

  return goban_snapshot_save_over (saving->snapshot, saving->path, saving->known, error);
}

GobanJob *
goban_snapshot_start_saving (GobanSnapshot *self, const char *title, const char *path,
                             const char *known)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->snapshot = goban_snapshot_ref (self);
  saving->path = g_strdup (path);
  saving->known = g_strdup (known);
  return goban_job_start (title, save_worker, saving, saving_free, g_free);
}

GobanSnapshot *
goban_snapshot_load (const char *path, const GobanSnapshotOptions *options, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_SESSION, error);
  GobanSnapshot *self;
  const char *data;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  self = goban_snapshot_read (data != NULL ? data : "", size, path, options, error);
  /* A recovery file is never the target of a save. */
  if (self != NULL && self->origin == NULL)
    {
      g_free (self->digest);
      self->digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
    }
  return self;
}

/* --- back into a session ---------------------------------------------------------------------- */

static void
restore_compared (GobanSession *session, const GobanCompared *compared)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);

  goban_compare_set_restore_looks (set, &compared->looks);
  goban_compare_set_restore (set, compared->runs, compared->n_runs, compared->pair,
                             compared->is_open);
}

void
goban_session_open_snapshot (GobanSession *session, GobanSnapshot *snapshot)
{
  GobanView *view;

  g_return_if_fail (GOBAN_IS_SESSION (session) && snapshot != NULL);

  view = goban_session_get_view (session);
  goban_session_restore (session, snapshot->graph, snapshot->path, snapshot->state);
  keep_load (session, &snapshot->load);
  goban_session_keep_notes (session, snapshot->notes);
  /* Another grouping closes all groups, so it comes before them. */
  goban_view_set_grouping (view, snapshot->grouping);
  goban_view_set_expanded (view, goban_names_get (snapshot->expanded));
  goban_view_set_hidden (view, snapshot->hidden, snapshot->graph);
  goban_view_set_layout (view, snapshot->layout);
  goban_view_set_color (view, snapshot->color);
  goban_view_set_time_us (view, snapshot->time_us);
  goban_view_set_lanes (view, &snapshot->lanes.lanes);
  goban_time_marks_set_texts (goban_view_get_marks (view), (const char *const *) snapshot->marks);
  goban_navigation_copy_bookmarks (goban_view_get_places (view), snapshot->places);
  if (snapshot->state->current != NULL)
    goban_view_set_moment (view, snapshot->moment);
  goban_session_set_selection (session, snapshot->selection);
  restore_compared (session, &snapshot->compared);
  for (guint i = 0; i < snapshot->warnings->len && g_ptr_array_index (snapshot->warnings, i); i++)
    goban_session_say (session, FALSE, "%s", (char *) g_ptr_array_index (snapshot->warnings, i));
}

static gboolean
has_same_runs (const GPtrArray *a, const GPtrArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof *a->pdata) == 0);
}

gboolean
goban_snapshot_is_present (const GobanSnapshot *self, GobanSession *session)
{
  const GobanState *present = goban_session_get_state (session);
  const GobanState *kept = self->state;

  return self->graph == goban_session_get_graph (session) && kept->cluster == present->cluster
         && goban_selection_equal (kept->pinned, present->pinned)
         && goban_scene_list_equal (kept->scenes, present->scenes)
         && has_same_runs (kept->runs, present->runs)
         && g_str_equal (self->notes, goban_session_get_notes (session));
}
