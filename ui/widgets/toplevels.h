/* toplevels.h: rules for every window of the program, dialogs too.
 *
 * - It has the style class "dark" while the theme is dark, and "high-contrast" while it is of high
 *   contrast, which data/style.css goes by.
 * - Once closed, it is not asked for its size. GTK 4.8 leaves the answer to "compute-size"
 *   connected to the surface as a window is destroyed. Where something still holds the surface, an
 *   event for example, and a new size was due, GDK asks the freed window (4.8.3,
 *   gtk_window_unrealize(), X11).
 * - Once closed, its widgets of our classes are disposed of, so that none holds a session. GTK 4.8
 *   may keep a reference to a widget that was shown and hidden dozens of times.
 * - What is dropped on a widget leaves it, and so does what is dragged over one that is hidden. On
 *   X11, GTK 4.8 tells the widget at the next drag, if it does (gdkdrop-x11.c:515): until then an
 *   entry draws a caret for the drop, perhaps behind the end of its text (gtktext.c:4689).
 * - It is no target of its own, of which GTK 4.8 thinks that the last drag is over it still
 *   (gtkdroptargetasync.c:271).
 * - The lists of file dialogs do not follow their folders, but read them as they open. GTK 4.8 ends
 *   the program if a file comes and goes while its folder is read (gtkfilechooserwidget.c:4496):
 *   its model then holds the file twice. Ctrl+F does not search in these lists: GTK 4.8 puts the
 *   entry for it behind the heads of columns, which tears its memory (gtktreeview.c).
 * - Ctrl+Shift+U begins no character by its number: GTK 4.8 writes behind the room for its digits
 *   (gtkimcontextsimple.c).
 */
#pragma once

#include <gtk/gtk.h>

/* From now on, for all windows; GTK must have been initialised. */
void goban_toplevels_watch (void);
/* Data of a monitor of the program's own, which goes on telling of changes. */
#define GOBAN_OWN_MONITOR "goban-own"
