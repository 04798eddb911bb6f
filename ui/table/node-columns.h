/* node-columns.h: base class of tables of nodes: rows, column view, cells and sorting.
 *
 * It owns the rows (ui/table/node-model), the column view, its cells and the sort header; a
 * subclass provides the text of the cells and the order of the rows. An invisible table is not
 * sorted. A selection made elsewhere is scrolled into view, and an activated row is zoomed to.
 *
 * Decision U24 (ui/NOTES.md).
 */
#pragma once

#include "ui/table/node-model.h"

#define GOBAN_TYPE_NODE_COLUMNS (goban_node_columns_get_type ())
G_DECLARE_DERIVABLE_TYPE (GobanNodeColumns, goban_node_columns, GOBAN, NODE_COLUMNS, GtkWidget)

/* No sort column. */
#define GOBAN_NO_COLUMN G_MAXUINT

typedef struct
{
  const char *title; /* of the header, translated */
  int width;         /* pixels of the design */
  gboolean is_number;
  gboolean keeps_end; /* ellipsis at the start: the end of a name is more useful than its scopes */
  guint fold_order;   /* 0: always shown; without room for all, the highest is hidden first */
} GobanNodeColumn;

struct _GobanNodeColumnsClass
{
  GtkWidgetClass parent_class;

  /* The text of a cell; (transfer full) (nullable). */
  char *(*dup_cell) (GobanNodeColumns *self, guint column, GobanNodeId node);
  /* The user sorted by @column, or by GOBAN_NO_COLUMN. */
  void (*sort) (GobanNodeColumns *self, guint column, gboolean is_descending);
  /* Styles a cell for its text; (nullable), unstyled. */
  void (*dress_cell) (GobanNodeColumns *self, guint column, GtkWidget *cell, const char *text);
};

/* To be called once by the subclass: the columns in their order, of which the first expands, and
 * the name of the table. Copies the columns. */
void goban_node_columns_build (GobanNodeColumns *self, GobanSession *session,
                               const GobanNodeColumn *columns, guint n_columns, const char *name);

GobanSession *goban_node_columns_get_session (GobanNodeColumns *self);
GobanNodeModel *goban_node_columns_get_model (GobanNodeColumns *self);

/* Updates the cells: visible ones at once, the others when they become visible
 * (GobanRowNotifier). */
void goban_node_columns_refill (GobanNodeColumns *self);
/* Scrolls to the first selected row; does nothing if there is none, or the table is invisible. */
void goban_node_columns_reveal_selected (GobanNodeColumns *self);
