/* document.h: the session file of a session, and its "changed since the last save" state.
 *
 * A GObject of the main thread, one per session, created on first use. Plans, cluster, pins and
 * notes count as changes. Undoing back to the saved state does not, and neither does the view,
 * although the file contains it.
 *
 * Properties: "path" (string, nullable; notified after each save, too), "changed" (boolean).
 * Signals:
 *   "touched" (): something that a session file holds has changed
 *   "replaced" (GobanSnapshot *snapshot): another graph was opened while changes were neither saved
 *     nor discarded: the previous state of the session
 *   "saved" (gboolean is_saved): saving in a worker has ended, unless with a conflict
 *   "conflict" (const char *path): another program has changed the file; it was not overwritten
 *   "graph-missing" (const char *path, const char *graph_path): a session was not opened, since
 *     its graph is missing
 *
 * Decision U55 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/document/session-file.h"

#define GOBAN_TYPE_DOCUMENT (goban_document_get_type ())
G_DECLARE_FINAL_TYPE (GobanDocument, goban_document, GOBAN, DOCUMENT, GObject)

/* Borrowed from the session. */
GobanDocument *goban_document_get (GobanSession *session);

GobanSession *goban_document_get_session (GobanDocument *self);
const char *goban_document_get_path (GobanDocument *self); /* (nullable) */
gboolean goban_document_is_changed (GobanDocument *self);

/* Saves in a worker, and emits "saved". During a running save, only the newest request is queued.
 * The document's own file is not overwritten if another program has changed it: "conflict". */
void goban_document_save (GobanDocument *self, const char *path);
/* The same without the check for changes by others: the user has agreed to overwrite the file. */
void goban_document_save_anyway (GobanDocument *self, const char *path);
/* Synchronous goban_document_save(); %FALSE with @error set. */
gboolean goban_document_save_now (GobanDocument *self, const char *path, GError **error);
/* Marks the present changes as discarded by the user: the next graph may replace them. Later
 * changes count again, and so do all if nothing is opened. */
void goban_document_discard (GobanDocument *self);
/* Emits "replaced" for changes that could not be carried over to another graph. */
void goban_document_keep_replaced (GobanDocument *self, GobanSnapshot *snapshot);
/* Marks the present state as one that need not be saved, such as the set-up of a lesson; or marks
 * the session as unsaved, regardless of its file. */
void goban_document_set_settled (GobanDocument *self, gboolean is_settled);
/* A snapshot for recovery, with the path of the session file. (transfer full) (nullable) */
GobanSnapshot *goban_document_make_snapshot (GobanDocument *self,
                                             GobanDeparture departure) G_GNUC_WARN_UNUSED_RESULT;
/* Waits for the worker before the program exits. */
void goban_document_finish (GobanDocument *self);

/* Loads in a worker as the session's job, then replaces the open graph. A failure is reported and
 * changes nothing. @graph_path (nullable): a graph to use in place of the one that the file
 * names */
void goban_document_open (GobanDocument *self, const char *path, const char *graph_path);

/* The same synchronously; %FALSE with @error set. */
gboolean goban_document_open_now (GobanDocument *self, const char *path, GError **error);

/* Opens a recovery file as an unsaved session. @opened (nullable) is called with the result. */
typedef void (*GobanDocumentFunc) (gboolean is_open, gpointer user_data);
void goban_document_recover (GobanDocument *self, const char *path, GobanDocumentFunc opened,
                             gpointer user_data);
