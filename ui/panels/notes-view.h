/* notes-view.h: editor of the session's notes: plain text that the session file keeps.
 *
 * The name of a node or of a plan within the text is a link: "decoder/add", "[[name with spaces]]",
 * "plan:heft". A click follows it, and Ctrl+Enter the one at the cursor. The text is stored in the
 * session after a pause in typing, and at once when the focus leaves. Of a text that is too long
 * for GTK the beginning is shown, and cannot be changed.
 *
 * Signal "save" (const char *text): the whole text of that was asked for.
 *
 * Decision U49 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_NOTES_VIEW (goban_notes_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanNotesView, goban_notes_view, GOBAN, NOTES_VIEW, GtkWidget)

GtkWidget *goban_notes_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Stores pending text in the session. */
void goban_notes_view_flush (GobanNotesView *self);

/* A candidate link in the text of notes. */
typedef struct
{
  gsize from; /* in bytes, of the whole mention with brackets and "plan:" */
  gsize to;
  char *name;
  gboolean is_plan;
  gboolean is_bracketed;
} GobanNoteName;

/* (element-type GobanNoteName) (transfer full): every word and every bracketed text, in order. A
 * dot or a colon at the end of a word is punctuation. Any thread. */
GArray *goban_note_names (const char *text) G_GNUC_WARN_UNUSED_RESULT;
