/* preview.h: what an edit would give, while the hand still moves.
 *
 * A GObject of the main thread. Edits are simulated in a worker, one at a time, and the latest asked for counts: one that
 * is asked for while another is simulated replaces the one that waits. The session is not touched; whoever lets go takes
 * the run by goban_session_add_edit().
 *
 * Signal: "changed": there is a newer answer, or what was there is dropped.
 */
#pragma once

#include "engine/session/edit.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PREVIEW (goban_preview_get_type ())
G_DECLARE_FINAL_TYPE (GobanPreview, goban_preview, GOBAN, PREVIEW, GObject)

GobanPreview *goban_preview_new (void) G_GNUC_WARN_UNUSED_RESULT;

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

G_END_DECLS
