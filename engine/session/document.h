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
 */
#pragma once

#include "engine/session/session-file.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_DOCUMENT (goban_document_get_type ())
G_DECLARE_FINAL_TYPE (GobanDocument, goban_document, GOBAN, DOCUMENT, GObject)

/* Borrowed from the session. */
GobanDocument *goban_document_get (GobanSession *session);

GobanSession *goban_document_get_session (GobanDocument *self);
const char *goban_document_get_path (GobanDocument *self); /* (nullable) */
gboolean goban_document_is_changed (GobanDocument *self);

/* Saves in a worker, and says how it went; where one is being saved, the newest follows it. The document's own file is not
 * replaced if somebody else has changed it: "conflict". */
void goban_document_save (GobanDocument *self, const char *path);
/* The same without looking at what is there: somebody has agreed to its being replaced. */
void goban_document_save_anyway (GobanDocument *self, const char *path);
/* goban_document_save() here and now; %FALSE with @error set. */
gboolean goban_document_save_now (GobanDocument *self, const char *path, GError **error);
/* Somebody has decided against the changes: what takes their place next may do so. What is changed after this call
 * counts again, and all of it does if nothing is opened. */
void goban_document_discard (GobanDocument *self);
/* Emits "replaced" for changes that were to go on with another graph, and did not. */
void goban_document_keep_replaced (GobanDocument *self, GobanSnapshot *snapshot);
/* What is open has no file that holds it, whatever it was made from. */
void goban_document_set_unsaved (GobanDocument *self);
/* For recovery: the session, and which file it would be saved to. (transfer full) (nullable) */
GobanSnapshot *goban_document_make_snapshot (GobanDocument *self,
                                             GobanDeparture departure) G_GNUC_WARN_UNUSED_RESULT;
/* Waits for the worker, for the end of a program. */
void goban_document_finish (GobanDocument *self);

/* Loads in a worker as the session's job, then takes the place of what is open; what fails is said and changes nothing.
 * @graph_path (nullable): a graph in place of the one that the file names */
void goban_document_open (GobanDocument *self, const char *path, const char *graph_path);

/* The same here and now; %FALSE with @error set. */
gboolean goban_document_open_now (GobanDocument *self, const char *path, GError **error);

/* Opens a file for recovery, as a session that has not been saved. @opened (nullable) is told whether it was. */
typedef void (*GobanDocumentFunc) (gboolean is_open, gpointer user_data);
void goban_document_recover (GobanDocument *self, const char *path, GobanDocumentFunc opened,
                             gpointer user_data);

G_END_DECLS
