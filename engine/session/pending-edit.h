/* pending-edit.h: edits whose pictures are not ready yet.
 *
 * A session that has simulated an edit emits "pending-edit" with the new run. A view whose picture takes time holds
 * the edit, draws in a worker, and releases it. The session then commits the run: numbers and pictures change in one
 * frame. Without holders the run is committed at once; a quarter of a second later it is
 * committed all the same. Undoing a pending edit drops it, and no signal is emitted.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* Called in a handler of "pending-edit". Returns a ticket, never 0, for the release. */
guint goban_session_hold_pending_edit (GobanSession *self) G_GNUC_WARN_UNUSED_RESULT;
/* Ignores 0 and tickets of edits that have been committed or dropped. */
void goban_session_release_pending_edit (GobanSession *self, guint ticket);

G_END_DECLS
