/* coming.h: time for pictures before an edit counts.
 *
 * When an edit is simulated, a session emits "coming" with its run, and becomes it when whoever shows runs is ready to
 * show this one: a handler that needs time for its picture holds the session, asks a worker, and lets go when that is
 * done. So numbers and pictures change in one frame. Without handlers nothing waits; who holds for long is not waited
 * for. Undo meanwhile takes the edit back, and nobody is told.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* From a handler of "coming". Returns a ticket, never 0, to let go with. */
guint goban_session_hold (GobanSession *self) G_GNUC_WARN_UNUSED_RESULT;
/* 0 and tickets of what is over are nothing. */
void goban_session_let_go (GobanSession *self, guint ticket);

G_END_DECLS
