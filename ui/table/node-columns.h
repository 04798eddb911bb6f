/* node-columns.h: what tables of nodes ask of a column view, whatever their columns show. */
#pragma once

#include "ui/table/node-model.h"

G_BEGIN_DECLS

/* Scrolls to the first selected row of @model, which @view shows; nothing where none is selected. */
void goban_node_columns_reveal_selected (GtkColumnView *view, GobanNodeModel *model);

/* As a click on the header of column @i, or two. */
void goban_node_columns_sort_by (GtkColumnView *view, guint i, gboolean is_descending);

G_END_DECLS
