/* option-row.h: row of a decision card: one option, its share of the policy's belief, and a bar of
 * its difference to the best.
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_OPTION_ROW (goban_option_row_get_type ())
G_DECLARE_FINAL_TYPE (GobanOptionRow, goban_option_row, GOBAN, OPTION_ROW, GtkListBoxRow)

/* Contents of a row; copied. */
typedef struct
{
  guint32 option;
  guint device; /* whose colour it has; G_MAXUINT: none */
  const char *name;
  const char *belief;     /* "49 %"; "" */
  const char *difference; /* "+8.9 µs", "★ best", "does not fit: memory"; "" */
  double share;           /* of the bar, 0..1; NAN: no bar */
  gboolean is_chosen, is_best, is_allowed;
  const char *details; /* for the tooltip */
} GobanOptionContent;

/* @names: gives the names of all rows one width, so that their bars can be compared. */
GtkWidget *goban_option_row_new (GtkSizeGroup *names) G_GNUC_WARN_UNUSED_RESULT;

void goban_option_row_show (GobanOptionRow *self, const GobanOptionContent *content);
/* Marks the row whose option is previewed. */
void goban_option_row_set_aimed (GobanOptionRow *self, gboolean is_aimed);

guint32 goban_option_row_get_option (GobanOptionRow *self);
/* For tests: the share of its bar, and the text beside it. */
double goban_option_row_get_share (GobanOptionRow *self);
const char *goban_option_row_get_difference (GobanOptionRow *self);
