/* row-teller.h: change notification for the rows of a long table, visible rows first.
 *
 * A list keeps widgets for 200 rows of which two dozen are seen, and all of them together take
 * longer than people wait: those in sight are told at once, the others when they come into sight.
 * Who owns one says what telling is. Until sight is known, and of short tables, all rows are in
 * sight.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows first..first+n-1; some are told twice. */
typedef void (*GobanTellRows) (guint first, guint n, gpointer user_data);

/* Owned by whoever it tells; zero and these two are a beginning. */
typedef struct
{
  GobanTellRows tell;
  gpointer user_data;

  gboolean has_sight;
  guint sight_first, sight_end;
  guint n_rows;
  guint first, end; /* rows that have been told since all were to be */
} GobanRowTeller;

/* All rows of a table of @n_rows are to be told. */
void goban_row_teller_tell (GobanRowTeller *self, guint n_rows);

/* What is in sight now; of these, what has not been told is told before it returns. */
void goban_row_teller_set_sight (GobanRowTeller *self, guint first, guint n);

G_END_DECLS
