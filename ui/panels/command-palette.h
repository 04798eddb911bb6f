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

G_END_DECLS
