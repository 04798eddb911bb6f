/* command-palette.h: command palette: a box over the window that finds commands by a few letters,
 * and nodes after "@".
 *
 * What fits best comes first, and of what fits alike what was run last. Enter runs, Esc closes.
 * Nodes are looked through in slices of the main loop; a newer text ends an older search.
 *
 * Signal: "closed".
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_COMMAND_PALETTE (goban_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (GobanCommandPalette, goban_command_palette, GOBAN, COMMAND_PALETTE, GtkWidget)

/* Hidden at first. @actions: what "win." names mean; borrowed, it outlives the palette. */
GtkWidget *goban_command_palette_new (GobanSession *session,
                                      GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;

/* Begins with @text: "" or "@". */
void goban_command_palette_open (GobanCommandPalette *self, const char *text);
void goban_command_palette_close (GobanCommandPalette *self);

void goban_command_palette_set_text (GobanCommandPalette *self, const char *text);
/* TRUE while nodes are still being looked through. */
gboolean goban_command_palette_is_searching (GobanCommandPalette *self);
/* Of GobanCommand: what is shown, the best first. */
GListModel *goban_command_palette_get_results (GobanCommandPalette *self);
/* As Enter: runs what is marked, and closes. FALSE: there is nothing. */
gboolean goban_command_palette_run (GobanCommandPalette *self);

G_END_DECLS
