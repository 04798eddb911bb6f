/* preview.h: live preview: the simulated result of an edit while the user is still dragging, or of
 * another option of a decision.
 *
 * A GObject of the main thread. Edits are simulated in a worker, one at a time; a newer request
 * replaces the waiting one. The session is not changed before the release
 * (goban_preview_commit()).
 *
 * A session has one for all its panes, so that they show the same run in one frame.
 *
 * Signal: "changed": there is a newer result, or the result was dropped.
 *
 * Decision U28 (ui/NOTES.md).
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/session/edit.h"
#include "engine/session/session.h"

#define GOBAN_TYPE_PREVIEW (goban_preview_get_type ())
G_DECLARE_FINAL_TYPE (GobanPreview, goban_preview, GOBAN, PREVIEW, GObject)

GobanPreview *goban_preview_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The session's preview, which all panes show. The caller that requests an edit also drops it.
 * Borrowed. */
GobanPreview *goban_preview_of (GobanSession *session);

/* Requests an edit, which must have a base, and is copied. */
void goban_preview_ask (GobanPreview *self, const GobanEdit *edit);

/* Requests another option of a decision (force.h): the result is a run of the same moment, in which
 * that option was taken, and there is no edit. */
void goban_preview_ask_force (GobanPreview *self, GobanRun *run, GobanMoment moment,
                              guint32 option);

/* Drops the result and all requests. */
void goban_preview_drop (GobanPreview *self);

/* %TRUE until the latest request has a result. */
gboolean goban_preview_is_busy (GobanPreview *self);

/* The latest result, all (nullable), borrowed until "changed": the edit, and its run or the error
 * message. If the run is the edit's base, the edit changes nothing. */
const GobanEdit *goban_preview_get_edit (GobanPreview *self);
GobanRun *goban_preview_get_run (GobanPreview *self);
const char *goban_preview_get_trouble (GobanPreview *self);

/* "−3.1 %, 182.4 ms, 2 transfers fewer" if the result belongs to @edit, or the error message; "…"
 * while it is pending. (transfer full) */
char *goban_preview_describe (GobanPreview *self, const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

/* Commits @edit to the session, with the simulated run if it belongs to @edit, and drops the
 * preview. If the edit changes the cluster, a worker simulates all plans, and the preview stays
 * visible until they are done. */
void goban_preview_commit (GobanPreview *self, GobanSession *session, const GobanEdit *edit);
