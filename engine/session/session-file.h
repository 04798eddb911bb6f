/* session-file.h: session files: a session as text that can be read back and compared line by
 * line.
 *
 * A snapshot is what a session file holds, as one immutable, reference-counted value: it takes
 * references if the session has immutable values, so that taking one costs the main thread
 * nothing and a worker can write it.
 *
 * The text is JSON with sorted keys, one thing a line; the same session is the same bytes. The
 * graph is named and not held, by a path relative to the file where it lies below it, by its spec,
 * or line by line where a script made it; its hash tells whether it is still the same. Files of
 * older versions are read; a newer one is refused. A plan's numbers stand in rows of
 * GOBAN_SESSION_ROW nodes, so that moving a node changes one line.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

#define GOBAN_SESSION_VERSION 3
#define GOBAN_SESSION_ROW 32
#define GOBAN_SESSION_SUFFIX ".goban"

typedef struct _GobanSnapshot GobanSnapshot;

/* What the session is now; (nullable): NULL if no graph is open. Main thread. (transfer full) */
GobanSnapshot *goban_snapshot_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
GobanSnapshot *goban_snapshot_ref (GobanSnapshot *self);
void goban_snapshot_unref (GobanSnapshot *self);

/* How a session went that left changes which nobody saved. */
typedef enum
{
  GOBAN_DEPARTURE_CRASH,
  GOBAN_DEPARTURE_CLOSED,   /* with its window */
  GOBAN_DEPARTURE_REPLACED, /* by another graph */
} GobanDeparture;

/* For recovery: which session file it would have been saved to (nullable), with the digest of its content as it was last
 * read or written (nullable), and how the session went. Only before others have the snapshot. */
typedef struct
{
  const char *file;
  const char *digest;
  GobanDeparture departure;
} GobanOrigin;
void goban_snapshot_set_origin (GobanSnapshot *self, const GobanOrigin *origin);
const char *goban_snapshot_get_origin (const GobanSnapshot *self);
/* (nullable): of the file that the snapshot was read from, or for recovery, of the file that it would be saved to. */
const char *goban_snapshot_get_digest (const GobanSnapshot *self);

/* goban_snapshot_save_over() in a worker: a job whose result is the digest, the caller's to free. Main thread.
 * (transfer full) */
GobanJob *goban_snapshot_start_saving (GobanSnapshot *self, const char *title, const char *path,
                                       const char *known) G_GNUC_WARN_UNUSED_RESULT;

/* --- in any thread ------------------------------------------------------------------------------ */

/* @folder (nullable): where the file will lie. (transfer full) (nullable) */
char *goban_snapshot_to_text (const GobanSnapshot *self, const char *folder, gsize *size,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The old file is replaced whole; %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_snapshot_save (const GobanSnapshot *self, const char *path, GError **error);
/* The same unless somebody else has changed the file since its content had the digest @known (nullable: whatever is there
 * is replaced). A file that is gone is written again.
 * Returns: (transfer full) (nullable): the digest of what was written; %NULL with %GOBAN_ERROR_CONFLICT or _IO set */
char *goban_snapshot_save_over (const GobanSnapshot *self, const char *path, const char *known,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* How many plans' decisions the last text or file had no room for. */
guint goban_snapshot_get_n_left_out (const GobanSnapshot *self);

/* Whether bytes begin as session files do. */
gboolean goban_session_file_sniff (const char *head, gsize size);

/* How to find what a session file names. */
typedef struct
{
  GobanGraph *graph;      /* (nullable): the graph itself */
  const char *graph_path; /* (nullable): a file in place of the one that is named */
  char **
      missing; /* (nullable): where the file that is named is not there, its path; (transfer full) */
  const GobanProgress *progress;
} GobanSnapshotOptions;

/**
 * goban_snapshot_read:
 * @path: what messages call the text, and where relative paths begin
 *
 * Loads the graph, simulates the plans. What a changed graph or cluster does not allow is left out with a
 * warning.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE ("path:line: ..."),
 *   %GOBAN_ERROR_UNSUPPORTED for a newer version, %GOBAN_ERROR_IO, or what loading the graph says
 */
GobanSnapshot *goban_snapshot_read (const char *data, gsize size, const char *path,
                                    const GobanSnapshotOptions *options,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanSnapshot *goban_snapshot_load (const char *path, const GobanSnapshotOptions *options,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

GobanGraph *goban_snapshot_get_graph (const GobanSnapshot *self);
/* "gnmt.json": what people call the graph. (transfer full) */
char *goban_snapshot_dup_title (const GobanSnapshot *self) G_GNUC_WARN_UNUSED_RESULT;
/* Of GobanRun, in their order; borrowed. */
const GPtrArray *goban_snapshot_get_runs (const GobanSnapshot *self);
GobanRun *goban_snapshot_get_current_run (const GobanSnapshot *self); /* (nullable) */
const char *const *goban_snapshot_get_warnings (const GobanSnapshot *self);

/* --- back into a session ---------------------------------------------------------------------------- */

/* Opens what the snapshot holds: a new history begins. Warnings are said. Main thread. */
void goban_session_open_snapshot (GobanSession *session, GobanSnapshot *snapshot);

/* Whether nothing that a person or a policy has made differs: plans, cluster and pins. Main thread. */
gboolean goban_snapshot_is_present (const GobanSnapshot *self, GobanSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSnapshot, goban_snapshot_unref)

G_END_DECLS
