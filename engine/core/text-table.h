/* text-table.h: rows of cells as aligned text columns.
 *
 * Widths are counted in characters, not bytes. The first column is aligned to the left,
 * and so is any whose heading starts with '<'; the others to the right.
 */
#pragma once

#include <glib.h>

typedef struct _GobanTable GobanTable;

/* @headings: NULL-terminated. */
GobanTable *goban_table_new (const char *const *headings) G_GNUC_WARN_UNUSED_RESULT;
void goban_table_free (GobanTable *self);

/* Fills the next cell; after the last column, a new row begins. */
void goban_table_add (GobanTable *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Appends headings and rows, a line each, without columns that are empty in every row. */
void goban_table_append_to (const GobanTable *self, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTable, goban_table_free)
