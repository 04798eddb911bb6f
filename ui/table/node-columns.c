#include "ui/table/node-columns.h"

/* The list inside the column view, below its headers: scrolling is its action. */
static GtkWidget *
get_list (GtkColumnView *view)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view));

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL ? child : GTK_WIDGET (view);
}

void
goban_node_columns_reveal_selected (GtkColumnView *view, GobanNodeModel *model)
{
  guint row = goban_node_model_find_selected (model);

  if (row != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (get_list (view), "list.scroll-to-item", "u", row);
}

void
goban_node_columns_sort_by (GtkColumnView *view, guint i, gboolean is_descending)
{
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), i);

  gtk_column_view_sort_by_column (view, column,
                                  is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}
