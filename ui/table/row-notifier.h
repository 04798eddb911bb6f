/* row-notifier.h: change notification for the rows of a long table, visible rows first.
 *
 * A list keeps widgets for 200 rows, of which two dozen are visible, and updating all of them
 * causes a noticeable delay. So visible rows are updated at once, the others when they become
 * visible. The owner provides the update function. Before the visible range is known, and in short
 * tables, all rows count as visible.
 *
 * Decision U43 (ui/NOTES.md).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Updates rows first..first+n-1; some are updated twice. */
typedef void (*GobanTellRows) (guint first, guint n, gpointer user_data);

/* Embedded in its owner; initialised to zero except for these two. */
typedef struct
{
  GobanTellRows tell;
  gpointer user_data;

  gboolean has_range;
  guint range_first, range_end;
  guint n_rows;
  guint first, end; /* rows updated since the last request for all */
} GobanRowNotifier;

/* Requests an update of all rows of a table of @n_rows. */
void goban_row_notifier_notify (GobanRowNotifier *self, guint n_rows);

/* Sets the visible rows, and updates those of them that are out of date. */
void goban_row_notifier_set_visible (GobanRowNotifier *self, guint first, guint n);

G_END_DECLS
