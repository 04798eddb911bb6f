/* bar.h: a row of controls that leaves out what it can spare where it is narrow: children of the
 * class "spare", from the last, then those of "spare-last".
 */
#pragma once

#include <gtk/gtk.h>

/* Property "spacing": pixels between two children. */
#define GOBAN_TYPE_BAR (goban_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanBar, goban_bar, GOBAN, BAR, GtkWidget)
