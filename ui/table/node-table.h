/* node-table.h: table of the nodes of a session: sortable, filtered by the search, with the
 * session's selection. Ctrl+C copies the selected rows. */
#pragma once

#include "ui/table/node-columns.h"

#define GOBAN_TYPE_NODE_TABLE (goban_node_table_get_type ())
G_DECLARE_FINAL_TYPE (GobanNodeTable, goban_node_table, GOBAN, NODE_TABLE, GobanNodeColumns)

GtkWidget *goban_node_table_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* @nodes (nullable): NULL shows all. */
void goban_node_table_filter (GobanNodeTable *self, GobanSelection *nodes);

/* Copies the selected rows, or all if none is selected, as tab-separated lines. */
void goban_node_table_copy (GobanNodeTable *self);
char *goban_node_table_dup_tsv (GobanNodeTable *self) G_GNUC_WARN_UNUSED_RESULT;
