/* sortable-table.h: a table of records among the console's output: sorted by a click on a header; a
 * click on a row or Enter follows what is behind it.
 *
 * Signal "follow" (const GobanReference *reference).
 */
#pragma once

#include "engine/study/report/records.h"

#include <gtk/gtk.h>

/* Longer texts of cells are shortened. */
#define GOBAN_SORTABLE_TABLE_MAX_CHARS 40

#define GOBAN_TYPE_SORTABLE_TABLE (goban_sortable_table_get_type ())
G_DECLARE_FINAL_TYPE (GobanSortableTable, goban_sortable_table, GOBAN, SORTABLE_TABLE, GtkWidget)

GtkWidget *goban_sortable_table_new (GobanRecords *records) G_GNUC_WARN_UNUSED_RESULT;

/* The text of a cell, of the rows in their present order. (transfer full) */
char *goban_sortable_table_dup_cell (GobanSortableTable *self, guint column, guint row);
