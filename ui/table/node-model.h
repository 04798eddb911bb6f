/* node-model.h: list model of a session's nodes in a chosen order.
 *
 * A GListModel of GobanNodeRow, which are made when somebody looks at them, and a GtkSelectionModel
 * whose selection is the session's: there is nothing to keep in step. The order is made in a
 * worker; until it is there, rows stay as they were.
 *
 * A row is a place, not a node: another order puts other nodes into the same rows, and says so by
 * "changed". As a list, only the number of rows changes: a list view would make its rows anew,
 * which takes 130 ms of 200 rows of ten cells.
 *
 * Signal: "changed": rows have other nodes, or their nodes other values.
 */
#pragma once

#include "engine/session/node-field.h"
#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_NODE_ROW (goban_node_row_get_type ())
G_DECLARE_FINAL_TYPE (GobanNodeRow, goban_node_row, GOBAN, NODE_ROW, GObject)

/* What is in the row now, or GOBAN_NO_NODE. */
GobanNodeId goban_node_row_get_node (GobanNodeRow *self);

#define GOBAN_TYPE_NODE_MODEL (goban_node_model_get_type ())
G_DECLARE_FINAL_TYPE (GobanNodeModel, goban_node_model, GOBAN, NODE_MODEL, GObject)

/* Empty until it is shown. */
GobanNodeModel *goban_node_model_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* While nobody sees it nothing is sorted; what has changed by then is made up for. */
void goban_node_model_set_active (GobanNodeModel *self, gboolean is_active);

/* The rows that somebody sees: they hear of a selection at once, the others when they are seen (row-teller.h). */
void goban_node_model_set_sight (GobanNodeModel *self, guint first, guint n);

/* @field (nullable): NULL is the order of the graph. */
void goban_node_model_sort (GobanNodeModel *self, const GobanNodeField *field,
                            gboolean is_descending);
/* @nodes (nullable): NULL shows all. */
void goban_node_model_filter (GobanNodeModel *self, GobanSelection *nodes);

/* Makes an order in a worker: the nodes of the rows, (transfer full) (array length=n), or NULL with an error set. */
typedef GobanNodeId *(*GobanNodeOrder) (gpointer data, const GobanProgress *progress, guint *n,
                                        GError **error);
/* The rows are as @order says, in place of fields and filters, until another is set. @data: (transfer full), may outlive the
 * model in a worker; @order (nullable): NULL has no rows. */
void goban_node_model_set_order (GobanNodeModel *self, GobanNodeOrder order, gpointer data,
                                 GDestroyNotify free_data);

/* TRUE while the rows are not yet in the order asked for. */
gboolean goban_node_model_is_sorting (GobanNodeModel *self);

/* (array length=n), borrowed until the next change: the nodes of the rows. */
const GobanNodeId *goban_node_model_get_nodes (GobanNodeModel *self, guint *n);
/* The row of a node; GTK_INVALID_LIST_POSITION if it has none. */
guint goban_node_model_find (GobanNodeModel *self, GobanNodeId node);
/* The first row that is selected; GTK_INVALID_LIST_POSITION if none is. */
guint goban_node_model_find_selected (GobanNodeModel *self);

/* TRUE while a change of the selection is the rows' own doing. */
gboolean goban_node_model_is_selecting (GobanNodeModel *self);

G_END_DECLS
