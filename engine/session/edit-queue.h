/* edit-queue.h: queue of edits, for keys pressed faster than plans are simulated.
 *
 * Each is simulated in a worker on what the one before gave, and added to the session. Private to
 * the session, which owns it. Main thread.
 */
#pragma once

#include "engine/session/edit.h"

G_BEGIN_DECLS

typedef struct _GobanEditQueue GobanEditQueue;

/* @session is borrowed. */
GobanEditQueue *goban_edit_queue_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
void goban_edit_queue_free (GobanEditQueue *self);

/* Copies the edit, except its base and pins, which are taken from the session when the edit is
 * started. */
void goban_edit_queue_push (GobanEditQueue *self, const GobanEdit *edit);

/* Drops the edit pushed last, also while it is simulated; %FALSE if the queue is empty. */
gboolean goban_edit_queue_drop (GobanEditQueue *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanEditQueue, goban_edit_queue_free)

/* What pending-edit.h says: waits for the tickets of an edit that is simulated. */
guint goban_edit_queue_hold (GobanEditQueue *self);
void goban_edit_queue_let_go (GobanEditQueue *self, guint ticket);

G_END_DECLS
