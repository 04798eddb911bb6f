/* gui.h: helpers for tests with a display: waiting, and finding widgets.
 *
 * No test may depend on the speed of the machine. A test waits for a state that is to become true;
 * a state that must not change has to outlast gui_rest() or gui_draw(), which end after a number of
 * events and not after a time.
 */
#pragma once

#include <gtk/gtk.h>

typedef gboolean (*GuiCondition) (gpointer data);

/* Runs the main loop until @condition holds; what takes four minutes hangs, and the test fails. */
void gui_wait (GuiCondition condition, gpointer data, const char *what);
/* Runs the main loop until all has been done that waits to be done now: idle work too. */
void gui_rest (void);
/* Lets the window of @widget lay out and paint what has changed, and the display server answer. */
void gui_draw (GtkWidget *widget);

/* Waits until @widget is from @min to @max pixels high, and sees that it stays so. */
void gui_wait_height (GtkWidget *widget, int min, int max);
/* Drops the caller's reference, and waits until @object is gone. */
void gui_wait_finalized (gpointer object);

/* For gui_wait(): @data is a widget. */
gboolean gui_is_mapped (gpointer data);
gboolean gui_is_unmapped (gpointer data);

/* Sends a key to the controllers of @widget, as if it came from the keyboard; one must use it. */
void gui_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers);
/* The same; FALSE if none uses it. */
gboolean gui_try_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers);

/* The text of a label of either kind, shortened or not; NULL for another widget. */
const char *gui_get_text (GtkWidget *widget);
/* The object that the template of @widget names @id; there must be one. Borrowed. */
gpointer gui_child (gpointer widget, const char *id);
/* The text of such a label, or of what is written in. */
const char *gui_child_text (gpointer widget, const char *id);
/* Sorts the table below @root, as by clicks on the head of the column with that title. */
void gui_sort (GtkWidget *root, const char *title, gboolean is_descending);
/* Writes into the prompt of a console, with the cursor behind it. */
void gui_set_input (gpointer console, const char *text);
/* The first descendant of that type, or NULL. */
GtkWidget *gui_find (GtkWidget *root, GType type);
/* The first button with that label, or NULL. */
GtkWidget *gui_find_button (GtkWidget *root, const char *label);
