/* fork-popover.h: choice of the search that goes on from the shown step, and of its budget.
 *
 * The window's action "fork" does the work.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_FORK_POPOVER (goban_fork_popover_get_type ())
G_DECLARE_FINAL_TYPE (GobanForkPopover, goban_fork_popover, GOBAN, FORK_POPOVER, GtkPopover)

GtkWidget *goban_fork_popover_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Chooses a policy by name, and its number of simulations. */
void goban_fork_popover_set (GobanForkPopover *self, const char *policy, guint64 n_evaluations);
/* Starts the chosen fork, as the button does. */
void goban_fork_popover_start (GobanForkPopover *self);

G_END_DECLS
