/* command-palette.h: command palette: a box over the window that finds commands by a few letters,
 * and nodes after "@".
 *
 * The best match comes first; ties go to the most recently run command. Enter runs, Esc closes.
 * Nodes are searched in slices of the main loop; a newer text cancels an older search.
 *
 * Signal: "closed".
 *
 * Decision U25 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_COMMAND_PALETTE (goban_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (GobanCommandPalette, goban_command_palette, GOBAN, COMMAND_PALETTE, GtkWidget)

/* Hidden at first. @actions: resolves "win." names; borrowed, must outlive the palette. */
GtkWidget *goban_command_palette_new (GobanSession *session,
                                      GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;

/* Opens the palette with @text, "" or "@", in the entry. */
void goban_command_palette_open (GobanCommandPalette *self, const char *text);
void goban_command_palette_close (GobanCommandPalette *self);

void goban_command_palette_set_text (GobanCommandPalette *self, const char *text);
/* TRUE while nodes are being searched. */
gboolean goban_command_palette_is_searching (GobanCommandPalette *self);
/* The visible commands (GobanCommand), the best first. */
GListModel *goban_command_palette_get_results (GobanCommandPalette *self);
/* Like Enter: runs the highlighted command, and closes. FALSE if there is none. */
gboolean goban_command_palette_run (GobanCommandPalette *self);

G_END_DECLS
