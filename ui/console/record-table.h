/* record-table.h: a table of records among the console's output: sorted by a click on a header; a
 * click on a row or Enter follows what is behind it.
 *
 * Signal "follow" (const GobanReference *reference).
 */
#pragma once

#include "engine/report/records.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_RECORD_TABLE (goban_record_table_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecordTable, goban_record_table, GOBAN, RECORD_TABLE, GtkWidget)

GtkWidget *goban_record_table_new (GobanRecords *records) G_GNUC_WARN_UNUSED_RESULT;

/* The text of a cell, of the rows in their present order. (transfer full) */
char *goban_record_table_dup_cell (GobanRecordTable *self, guint column, guint row);
void goban_record_table_sort (GobanRecordTable *self, guint column, gboolean is_descending);
/* Like a click on a row. */
void goban_record_table_follow (GobanRecordTable *self, guint row);

G_END_DECLS
