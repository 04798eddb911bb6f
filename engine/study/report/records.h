/* records.h: tables of records: rows of cells with a text each, a number to sort by, and the nodes
 * or the run behind the row.
 *
 * Filled by its maker, then shared by reference and never changed. Any thread.
 */
#pragma once

#include "engine/study/run/reference.h"

typedef struct
{
  char *name;
  gboolean is_number; /* right-aligned */
  char **texts;       /* (n_rows) */
  double *numbers;    /* (n_rows) NAN: sorted by text */
} GobanRecordColumn;

typedef struct
{
  gatomicrefcount n_references;
  GobanRecordColumn *columns;
  guint n_columns;
  guint n_rows;
  guint n_left_out;      /* rows that were too many */
  GPtrArray *references; /* (n_rows) GobanReference, some NULL */
} GobanRecords;

/* Cells are empty. (transfer full) */
GobanRecords *goban_records_new (guint n_columns, guint n_rows) G_GNUC_WARN_UNUSED_RESULT;
GobanRecords *goban_records_ref (GobanRecords *self);
void goban_records_unref (GobanRecords *self);

/* The order of two rows by a column: numbers first, then texts. */
int goban_records_compare (const GobanRecords *self, guint column, guint a, guint b);
const char *goban_records_get_text (const GobanRecords *self, guint column, guint row);
/* "4 rows: name, makespan; heft, 12.4 ms; …" for screen readers and logs. (transfer full) */
char *goban_records_describe (const GobanRecords *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRecords, goban_records_unref)
