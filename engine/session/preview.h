/* preview.h: live preview: the simulated result of an edit while the user is still dragging.
 *
 * A GObject of the main thread. Edits are simulated in a worker, one at a time; a newer request
 * replaces the waiting one. The session is not changed; on release, the caller adds the run with
 * goban_session_add_edit().
 *
 * A session has one for all its panes, so that they show the same run in one frame.
 *
 * Signal: "changed": there is a newer result, or the result was dropped.
 */
#pragma once

#include "engine/session/edit.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PREVIEW (goban_preview_get_type ())
G_DECLARE_FINAL_TYPE (GobanPreview, goban_preview, GOBAN, PREVIEW, GObject)

GobanPreview *goban_preview_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The one that all panes of a session show; whoever asks says when it is over. Borrowed. */
GobanPreview *goban_preview_of (GobanSession *session);

/* Copies the edit, which has a base. */
void goban_preview_ask (GobanPreview *self, const GobanEdit *edit);

/* Forgets the answer, and all that is asked for. */
void goban_preview_drop (GobanPreview *self);

/* %TRUE until the latest that was asked for is answered. */
gboolean goban_preview_is_busy (GobanPreview *self);

/* The latest answer, all (nullable), borrowed until "changed": the edit that was asked for, and its run, or why there is
 * none. A run that is the edit's base says that it changes nothing. */
const GobanEdit *goban_preview_get_edit (GobanPreview *self);
GobanRun *goban_preview_get_run (GobanPreview *self);
const char *goban_preview_get_trouble (GobanPreview *self);

/* "-3.1 %, 182.4 ms, 2 transfers fewer" if the answer is to @edit, or why there is none; "…" before it is known.
 * (transfer full) */
char *goban_preview_describe (GobanPreview *self, const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

/* Lets go: makes @edit a change of the session, of the run it has already where that is an answer to it, and forgets. Where a
 * cluster changes all plans are simulated in a worker, and the answer is shown until they are. */
void goban_preview_commit (GobanPreview *self, GobanSession *session, const GobanEdit *edit);

G_END_DECLS
