/* node-model.h: list model of a session's nodes in a chosen order.
 *
 * A GListModel of GobanNodeRow, which are made on demand, and a GtkSelectionModel whose selection
 * is the session's, so that nothing needs synchronising. A worker computes the order; until it is
 * done, rows keep the old one.
 *
 * A row is a position, not a node: a new order assigns other nodes to the same rows and emits
 * "changed". The list itself changes only in length, because a list view would otherwise make its
 * rows again, which takes 130 ms for 200 rows of ten cells.
 *
 * Signal: "changed": rows have other nodes, or their nodes other values.
 *
 * Decision U38 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/node-field.h"

#include <gtk/gtk.h>

/* Change notification for the rows of a long table, visible rows first.
 *
 * A list keeps widgets for 200 rows, of which two dozen are visible, and updating all of them
 * causes a noticeable delay. So visible rows are updated at once, the others when they become
 * visible. The owner provides the update function. Before the visible range is known, and in short
 * tables, all rows count as visible.
 *
 * Decision U43 (ui/NOTES.md).
 */
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

#define GOBAN_TYPE_NODE_ROW (goban_node_row_get_type ())
G_DECLARE_FINAL_TYPE (GobanNodeRow, goban_node_row, GOBAN, NODE_ROW, GObject)

/* The present node of the row, or GOBAN_NO_NODE. */
GobanNodeId goban_node_row_get_node (GobanNodeRow *self);

#define GOBAN_TYPE_NODE_MODEL (goban_node_model_get_type ())
G_DECLARE_FINAL_TYPE (GobanNodeModel, goban_node_model, GOBAN, NODE_MODEL, GObject)

/* Empty until it is activated. */
GobanNodeModel *goban_node_model_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* An inactive model is not sorted; activation catches up. */
void goban_node_model_set_active (GobanNodeModel *self, gboolean is_active);

/* The visible rows: they are notified of a selection at once, the others when they become visible
 * (GobanRowNotifier). */
void goban_node_model_set_visible_rows (GobanNodeModel *self, guint first, guint n);

/* @field (nullable): NULL is the order of the graph. */
void goban_node_model_sort (GobanNodeModel *self, const GobanNodeField *field,
                            gboolean is_descending);
/* @nodes (nullable): NULL shows all. */
void goban_node_model_filter (GobanNodeModel *self, GobanSelection *nodes);

/* Computes an order in a worker: the nodes of the rows, (transfer full) (array length=n), or NULL
 * with an error set. */
typedef GobanNodeId *(*GobanNodeOrder) (gpointer data, const GobanProgress *progress, guint *n,
                                        GError **error);
/* Sets a custom order in place of fields and filters, until another is set. @data: (transfer full),
 * may outlive the model in a worker; @order (nullable): NULL has no rows. */
void goban_node_model_set_order (GobanNodeModel *self, GobanNodeOrder order, gpointer data,
                                 GDestroyNotify free_data);

/* TRUE while the requested order is being computed. */
gboolean goban_node_model_is_sorting (GobanNodeModel *self);

/* (array length=n), borrowed until the next change: the nodes of the rows. */
const GobanNodeId *goban_node_model_get_nodes (GobanNodeModel *self, guint *n);
/* The row of a node; GTK_INVALID_LIST_POSITION if it has none. */
guint goban_node_model_find (GobanNodeModel *self, GobanNodeId node);
/* The first row that is selected; GTK_INVALID_LIST_POSITION if none is. */
guint goban_node_model_find_selected (GobanNodeModel *self);

/* TRUE while the model itself changes the selection. */
gboolean goban_node_model_is_selecting (GobanNodeModel *self);
