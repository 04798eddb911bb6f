/* toplevels.h: mends what GTK 4.8 does with every window of the program that is closed.
 *
 * As a window is destroyed, GTK leaves its answer to "compute-size" connected to the surface. Where
 * something still holds the surface, an event for example, and a new size was due, GDK asks the
 * window that is freed by then. (GTK 4.8.3, gtk_window_unrealize(), X11.)
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on, for all windows; GTK must have been initialised. */
void goban_toplevels_watch (void);

G_END_DECLS
