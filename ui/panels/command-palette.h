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

/* An entry: a command, policy, cluster, file or node. It activates one of the window's actions, and
 * shows the equivalent Lua. */
#define GOBAN_TYPE_PALETTE_ENTRY (goban_palette_entry_get_type ())
G_DECLARE_FINAL_TYPE (GobanPaletteEntry, goban_palette_entry, GOBAN, PALETTE_ENTRY, GObject)

/* Text is owned; "" if there is none. */
struct _GobanPaletteEntry
{
  GObject parent;

  char *label;
  char *note;       /* description */
  char *keys;       /* "Ctrl+O" */
  char *lua;        /* equivalent Lua */
  char *action;     /* detailed: "win.color::device" */
  GobanNodeId node; /* to select instead of an action, or GOBAN_NO_NODE */

  int score;   /* of the last search */
  guint order; /* in the list */
};

/* The available commands: enabled actions without a missing parameter, "Place with" each policy,
 * clusters, recent files. (transfer full) (element-type GobanPaletteEntry) */
GPtrArray *goban_command_list_new (GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;

/* Longer inputs are unlikely; the rest of a longer text is ignored. */
#define GOBAN_FUZZY_MOST_TYPED 64
#define GOBAN_FUZZY_MOST_TEXT 512

/* A score for typed letters that occur in order in a text. Words between spaces are matched
 * separately, in any order. Letters score more at the beginning of a word and next to each other,
 * and less the more lies between. Pure; any thread. Only ASCII is case-insensitive; other letters
 * match themselves. 0: no match; else higher is better. An empty @typed matches everything with
 * 1. */
int goban_fuzzy_score (const char *typed, const char *text);

#define GOBAN_TYPE_COMMAND_PALETTE (goban_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (GobanCommandPalette, goban_command_palette, GOBAN, COMMAND_PALETTE, GtkWidget)

/* Hidden at first. @actions: resolves "win." names; borrowed, must outlive the palette. */
GtkWidget *goban_command_palette_new (GobanSession *session,
                                      GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;

/* Opens the palette with @text in the entry. */
void goban_command_palette_open (GobanCommandPalette *self, const char *text);
