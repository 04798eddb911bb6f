/* edit-queue.h: edits of a session that a worker simulates, in a queue for keys pressed faster than
 * that.
 *
 * Each is simulated on the result of the one before, and added to the session. A session that has
 * simulated an edit emits "pending-edit" with the new run. A view whose picture takes time holds
 * the edit, draws in a worker, and releases it. The session then commits the run: numbers and
 * pictures change in one frame. Without holders the run is committed at once; a quarter of a second
 * later it is committed all the same. Undoing takes back the edit that was pushed last, also while
 * it is simulated, and no signal is emitted. Main thread.
 *
 * Decision E48 (engine/NOTES.md).
 */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* Simulates in a worker (for another cluster, all plans of the list), then adds the run: the action
 * of keys, menus and released sliders. Further edits are queued, so that each builds on the one
 * before. Failures are reported. */
void goban_session_edit (GobanSession *session, const GobanEdit *edit);

/* Whether an edit is being simulated, or waits for that. */
gboolean goban_session_has_pending_edit (GobanSession *self);

/* Called in a handler of "pending-edit". Returns a ticket, never 0, for the release. */
guint goban_session_hold_pending_edit (GobanSession *self) G_GNUC_WARN_UNUSED_RESULT;
/* Ignores 0 and tickets of edits that have been committed or dropped. */
void goban_session_release_pending_edit (GobanSession *self, guint ticket);

G_END_DECLS
