/* node-columns.h: base class of tables of nodes: rows, column view, cells and sorting.
 *
 * A base of widgets. It owns the rows (ui/table/node-model), the column view and its cells, and
 * says which header comes first; who derives from it owns what the cells say and how rows are
 * ordered. Nothing is sorted while nobody sees it; what is selected elsewhere is scrolled to, and a
 * row that is activated is zoomed to.
 */
#pragma once

#include "ui/table/node-model.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_NODE_COLUMNS (goban_node_columns_get_type ())
G_DECLARE_DERIVABLE_TYPE (GobanNodeColumns, goban_node_columns, GOBAN, NODE_COLUMNS, GtkWidget)

/* Of an order that no header asks for. */
#define GOBAN_NO_COLUMN G_MAXUINT

typedef struct
{
  const char *title; /* of the header, as people read it */
  int width;         /* pixels of the design */
  gboolean is_number;
  gboolean keeps_end; /* of a text too long: the end of a name says more than its scopes do */
} GobanNodeColumn;

struct _GobanNodeColumnsClass
{
  GtkWidgetClass parent_class;

  /* What the cell says; (transfer full) (nullable). */
  char *(*dup_cell) (GobanNodeColumns *self, guint column, GobanNodeId node);
  /* The headers ask for the order of @column, or of GOBAN_NO_COLUMN. */
  void (*sort) (GobanNodeColumns *self, guint column, gboolean is_descending);
  /* Dresses a cell for its text; (nullable), as cells are. */
  void (*dress_cell) (GobanNodeColumns *self, guint column, GtkWidget *cell, const char *text);
};

/* Once, by whoever derives: the columns in their order, the first of which takes the room that is left, and what the table is
 * called. Copies the columns. */
void goban_node_columns_build (GobanNodeColumns *self, GobanSession *session,
                               const GobanNodeColumn *columns, guint n_columns, const char *name);

GobanSession *goban_node_columns_get_session (GobanNodeColumns *self);
GobanNodeModel *goban_node_columns_get_model (GobanNodeColumns *self);

/* Asks for what the cells say anew: those in sight at once, the others when they are seen (row-teller.h). */
void goban_node_columns_refill (GobanNodeColumns *self);
/* Scrolls to the first selected row; nothing if none is, or nobody sees it. */
void goban_node_columns_reveal_selected (GobanNodeColumns *self);
/* As a click on the header of @column, or two. */
void goban_node_columns_sort_by (GobanNodeColumns *self, guint column, gboolean is_descending);

G_END_DECLS
