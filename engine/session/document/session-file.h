/* session-file.h: session files: a session as text that can be read back and compared line by
 * line.
 *
 * A snapshot is what a session file holds, as one immutable, reference-counted value: it takes
 * references if the session has immutable values, so that taking one costs the main thread
 * nothing and a worker can write it.
 *
 * The text is JSON with sorted keys, one thing a line; the same session is the same bytes. The
 * graph is named and not held, by a path relative to the file where it lies below it, by its spec,
 * or line by line where a script made it; its hash tells whether it is still the same. A file of a
 * newer version is refused. A plan's numbers stand in rows of GOBAN_SESSION_ROW nodes, so that
 * moving a node changes one line.
 *
 * Decision E30 (engine/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#define GOBAN_SESSION_VERSION 1
#define GOBAN_SESSION_ROW 32
#define GOBAN_SESSION_SUFFIX ".goban"

typedef struct _GobanSnapshot GobanSnapshot;

/* A snapshot of the session; (nullable): NULL if no graph is open. Main thread. (transfer full) */
GobanSnapshot *goban_snapshot_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
GobanSnapshot *goban_snapshot_ref (GobanSnapshot *self);
void goban_snapshot_unref (GobanSnapshot *self);

/* The way in which a session with unsaved changes ended. */
typedef enum
{
  GOBAN_DEPARTURE_CRASH,
  GOBAN_DEPARTURE_CLOSED,   /* with its window */
  GOBAN_DEPARTURE_REPLACED, /* by another graph */
} GobanDeparture;

/* For recovery: the session file (nullable), the digest of its content when it was last read or
 * written (nullable), and the way in which the session ended. Only before the snapshot is
 * shared. */
typedef struct
{
  const char *file;
  const char *digest;
  GobanDeparture departure;
} GobanOrigin;
void goban_snapshot_set_origin (GobanSnapshot *self, const GobanOrigin *origin);
const char *goban_snapshot_get_origin (const GobanSnapshot *self);
/* (nullable): the digest of the file that the snapshot was read from or, for recovery, would be
 * saved to. */
const char *goban_snapshot_get_digest (const GobanSnapshot *self);

/* goban_snapshot_save_over() in a worker: a job whose result is the digest, the caller's to free.
 * Main thread. (transfer full) */
GobanJob *goban_snapshot_start_saving (GobanSnapshot *self, const char *title, const char *path,
                                       const char *known) G_GNUC_WARN_UNUSED_RESULT;

/* --- in any thread ---------------------------------------------------------------------------- */

/* @folder (nullable): the folder of the future file. (transfer full) (nullable) */
char *goban_snapshot_to_text (const GobanSnapshot *self, const char *folder, gsize *size,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The old file is replaced whole; %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_snapshot_save (const GobanSnapshot *self, const char *path, GError **error);
/* The same unless another program has changed the file since its content had the digest @known
 * (nullable: whatever is there is replaced). A file that is gone is written again. Returns:
 * (transfer full) (nullable): the digest of the written content; %NULL with %GOBAN_ERROR_CONFLICT
 * or _IO set */
char *goban_snapshot_save_over (const GobanSnapshot *self, const char *path, const char *known,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The number of decision logs that were too large for the last text or file. */
guint goban_snapshot_get_n_left_out (const GobanSnapshot *self);

/* Whether the bytes begin like a session file. */
gboolean goban_session_file_sniff (const char *head, gsize size);
/* The same of the file at a path; FALSE if it is not a regular one. */
gboolean goban_session_file_is (const char *path);

/* Options for the references of a session file. */
typedef struct
{
  GobanGraph *graph;      /* (nullable): the graph itself */
  const char *graph_path; /* (nullable): a file to use in place of the named one */
  char **
      missing; /* (nullable): (out): the path of the graph file if it is missing; (transfer full) */
  const GobanProgress *progress;
} GobanSnapshotOptions;

/**
 * goban_snapshot_read:
 * @path: name of the text in messages, and the base of relative paths
 *
 * Loads the graph and simulates the plans. Parts that do not fit a changed graph or cluster are
 * left out with a warning.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE ("path:line: ..."),
 *   %GOBAN_ERROR_UNSUPPORTED for a newer version, %GOBAN_ERROR_IO, or an error of loading the graph
 */
GobanSnapshot *goban_snapshot_read (const char *data, gsize size, const char *path,
                                    const GobanSnapshotOptions *options,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanSnapshot *goban_snapshot_load (const char *path, const GobanSnapshotOptions *options,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

GobanGraph *goban_snapshot_get_graph (const GobanSnapshot *self);
/* "gnmt.json": the display name of the graph. (transfer full) */
char *goban_snapshot_dup_title (const GobanSnapshot *self) G_GNUC_WARN_UNUSED_RESULT;
/* Elements are GobanRun, in their order; borrowed. */
const GPtrArray *goban_snapshot_get_runs (const GobanSnapshot *self);
GobanRun *goban_snapshot_get_current_run (const GobanSnapshot *self); /* (nullable) */
const char *const *goban_snapshot_get_warnings (const GobanSnapshot *self);

/* --- back into a session ---------------------------------------------------------------------- */

/* Opens the snapshot with an empty undo history, and reports its warnings. Main thread. */
void goban_session_open_snapshot (GobanSession *session, GobanSnapshot *snapshot);

/* Whether plans, cluster and pins of the session equal the snapshot's. Main thread. */
gboolean goban_snapshot_is_present (const GobanSnapshot *self, GobanSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSnapshot, goban_snapshot_unref)
