/* session-edit.h: the one way of an edit into a session, for the mouse, scripts and lessons.
 *
 * Edits are queued, so that each builds on the one before, and simulated in a worker. A simulated
 * edit is announced by "pending-edit", with a hold that views keep while they prepare their
 * pictures in workers. When nobody holds it any more, the session commits it as one undoable change
 * and logs it: numbers and pictures change in one frame. Undo takes back the edit that was asked
 * for last, also before it is made. Main thread.
 *
 * Decision E48 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/drawing.h"
#include "engine/session/edit.h"
#include "engine/session/session.h"

/* An edit of the current run with the pinned nodes of the session. @nodes: (nullable). (transfer
 * full) */
GobanEdit *goban_edit_new (GobanSession *session, GobanEditKind kind,
                           GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_session_edit_async:
 * @edit: is copied; applies to the run that is current when its turn comes. Edits of the cluster
 *   need none, and all plans of the list are simulated again
 * @cancellable: (nullable): an edit that is not made yet is dropped
 * @callback: (nullable): without one, a failure is reported as a message of the session
 *
 * Replaces the base in the list if that was itself made by hand; a policy's run is kept. The base
 * becomes the ghost. Side effects are reported as messages. An edit is dropped with
 * %GOBAN_ERROR_CANCELLED if it is undone before it is made, or if its graph is closed.
 */
void goban_session_edit_async (GobanSession *self, const GobanEdit *edit, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);

/**
 * goban_session_edit_finish:
 * @run: (out) (transfer full) (nullable) (optional): the run that was made; the base if the edit
 *   changes nothing, %NULL without a plan
 *
 * The session may be gone by then, so it is not asked for.
 */
gboolean goban_session_edit_finish (GAsyncResult *result, GobanRun **run, GError **error);

/* Whether an edit has been asked for and is not made yet. */
gboolean goban_session_has_pending_edit (GobanSession *self);
/* While an edit is committed: what it can be cancelled with; (nullable), borrowed. */
GCancellable *goban_session_get_committing (GobanSession *self);

/* Second argument of "pending-edit". The edit is committed when the last reference is dropped,
 * unless it was dropped itself. */
typedef struct _GobanEditHold GobanEditHold;
GobanEditHold *goban_edit_hold_ref (GobanEditHold *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_edit_hold_unref (GobanEditHold *self);

/* --- drawing ---------------------------------------------------------------------------------- */

/* Drawing a small graph by hand: each change opens the changed graph. A change is an undoable one
 * (session-derived.h), is logged as a line of Lua, and its graph is placed at once. */

/* Whether the open graph can be drawn on (goban_drawing_is()). */
gboolean goban_session_is_drawing (GobanSession *self);

/* %FALSE with @error set as by goban_drawing_change(); then nothing has changed. */
gboolean goban_session_draw (GobanSession *self, const GobanDrawChange *change, GError **error);
