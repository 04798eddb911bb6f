/* play-on-popover.h: choice of the search that goes on from the shown decision, and of its budget.
 *
 * The window's action "fork" does the work.
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_PLAY_ON_POPOVER (goban_play_on_popover_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlayOnPopover, goban_play_on_popover, GOBAN, PLAY_ON_POPOVER, GtkPopover)

GtkWidget *goban_play_on_popover_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Chooses a policy by name, and its number of simulations. */
void goban_play_on_popover_set (GobanPlayOnPopover *self, const char *policy,
                                guint64 n_evaluations);
/* Starts the chosen fork, as the button does. */
void goban_play_on_popover_start (GobanPlayOnPopover *self);
