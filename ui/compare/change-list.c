#include "ui/compare/change-list.h"

#include "engine/base/words.h"
#include "ui/table/node-columns.h"
#include "ui/widgets/text.h"

typedef struct
{
  GobanChangeColumn column;
  const char *title;
  int width; /* pixels of the design */
} ListColumn;

static const ListColumn columns[] = {
  { GOBAN_CHANGE_ROW_NODE, "Node", 150 },    { GOBAN_CHANGE_ROW_OP, "Op", 78 },
  { GOBAN_CHANGE_ROW_FROM, "From", 56 },     { GOBAN_CHANGE_ROW_TO, "To", 56 },
  { GOBAN_CHANGE_ROW_RANK, "Rank", 56 },     { GOBAN_CHANGE_ROW_START, "Start", 86 },
  { GOBAN_CHANGE_ROW_FINISH, "Finish", 86 }, { GOBAN_CHANGE_ROW_FUSION, "Fusion", 110 },
};

/* What a sorter of a column says when it is asked: which column it was. */
typedef struct
{
  GobanChangeList *list;
  GobanChangeColumn column;
} ColumnSorter;

struct _GobanChangeList
{
  GtkWidget parent;

  GobanSession *session;
  GobanDifference *difference; /* (nullable) */
  GobanNodeModel *model;
  GtkWidget *scroller;
  GtkWidget *view;
  ColumnSorter sorters[G_N_ELEMENTS (columns)];
  GobanNodeRow *probes[2];  /* rows of no list, to ask the headers with */
  GobanChangeColumn column; /* of the order; GOBAN_N_CHANGE_ROWS: that of the graph */
  gboolean is_descending;
  GobanChangeColumn asked; /* by the last question to the headers */
  GHashTable *cells;       /* GtkListItem: those that show something */
};

G_DEFINE_FINAL_TYPE (GobanChangeList, goban_change_list, GTK_TYPE_WIDGET)

/* --- cells -------------------------------------------------------------------------------------- */

static gboolean
is_text (GobanChangeColumn column)
{
  return column < GOBAN_CHANGE_ROW_RANK || column == GOBAN_CHANGE_ROW_FUSION;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GobanChangeColumn column = (GobanChangeColumn) GPOINTER_TO_UINT (user_data);
  GtkWidget *cell = gtk_inscription_new (NULL);

  gtk_inscription_set_xalign (GTK_INSCRIPTION (cell), is_text (column) ? 0.0f : 1.0f);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     column == GOBAN_CHANGE_ROW_NODE
                                         ? GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_START
                                         : GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), 4);
  if (!is_text (column))
    gtk_widget_add_css_class (cell, "numeric");
  g_object_set_data (G_OBJECT (cell), "goban-column", user_data);
  gtk_list_item_set_child (item, cell);
}

static void
mark_sense (GtkWidget *cell, const char *text)
{
  gtk_widget_remove_css_class (cell, "better");
  gtk_widget_remove_css_class (cell, "worse");
  if (*text == '-')
    gtk_widget_add_css_class (cell, "better");
  else if (*text == '+')
    gtk_widget_add_css_class (cell, "worse");
}

static void
fill (GobanChangeList *self, GtkListItem *item)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  GobanChangeColumn column
      = (GobanChangeColumn) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "goban-column"));
  GobanNodeId node = goban_node_row_get_node (gtk_list_item_get_item (item));
  g_autofree char *text = NULL;

  if (self->difference != NULL
      && node < goban_graph_get_n_nodes (
             goban_run_get_graph (goban_difference_get_after (self->difference))))
    text = goban_change_rows_cell (self->difference, column, node);
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
  if (!is_text (column))
    mark_sense (cell, text != NULL ? text : "");
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanChangeList *self)
{
  g_hash_table_add (self->cells, item);
  fill (self, item);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanChangeList *self)
{
  g_hash_table_remove (self->cells, item);
}

/* --- order ---------------------------------------------------------------------------------------- */

typedef struct
{
  GobanDifference *difference;
  GobanChangeColumn column;
  gboolean is_descending;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  goban_difference_unref (order->difference);
  g_free (order);
}

static GobanNodeId *
sort_worker (gpointer data, const GobanProgress *progress, guint *n, GError **error)
{
  const Order *order = data;
  GobanChangeColumn column
      = order->column < GOBAN_N_CHANGE_ROWS ? order->column : GOBAN_CHANGE_ROW_FINISH;

  return goban_change_rows_sort (order->difference, column, order->is_descending, progress, n,
                                 error);
}

static void
ask_for_rows (GobanChangeList *self)
{
  Order *order;

  if (self->difference == NULL)
    {
      goban_node_model_set_order (self->model, NULL, NULL, NULL);
      return;
    }
  order = g_new (Order, 1);
  *order = (Order){ goban_difference_ref (self->difference), self->column, self->is_descending };
  goban_node_model_set_order (self->model, sort_worker, order, order_free);
}

/* No rows are compared here: the headers are asked which of them comes first, and the worker sorts. */
static int
tell_column (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const ColumnSorter *sorter = user_data;

  sorter->list->asked = sorter->column;
  return GTK_ORDERING_SMALLER;
}

static void
headers_changed_cb (GobanChangeList *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  GtkOrdering order;

  self->asked = GOBAN_N_CHANGE_ROWS;
  order = gtk_sorter_compare (sorter, self->probes[0], self->probes[1]);
  self->column = self->asked;
  self->is_descending = order == GTK_ORDERING_LARGER;
  ask_for_rows (self);
}

void
goban_change_list_sort (GobanChangeList *self, GobanChangeColumn column, gboolean is_descending)
{
  g_return_if_fail (GOBAN_IS_CHANGE_LIST (self));

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].column == column)
      goban_node_columns_sort_by (GTK_COLUMN_VIEW (self->view), i, is_descending);
}

/* --- following ------------------------------------------------------------------------------------- */

static void
scroll_to_selected (GobanChangeList *self)
{
  goban_node_columns_reveal_selected (GTK_COLUMN_VIEW (self->view), self->model);
}

static void
selection_changed_cb (GobanChangeList *self)
{
  if (!goban_node_model_is_selecting (self->model) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    scroll_to_selected (self);
}

static void
fill_all (GobanChangeList *self)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    fill (self, item);
}

static void
goban_change_list_map (GtkWidget *widget)
{
  GobanChangeList *self = GOBAN_CHANGE_LIST (widget);

  GTK_WIDGET_CLASS (goban_change_list_parent_class)->map (widget);
  goban_node_model_set_active (self->model, TRUE);
}

static void
goban_change_list_unmap (GtkWidget *widget)
{
  GobanChangeList *self = GOBAN_CHANGE_LIST (widget);

  goban_node_model_set_active (self->model, FALSE);
  GTK_WIDGET_CLASS (goban_change_list_parent_class)->unmap (widget);
}

/* A row that is activated is where people want to be. */
static void
activate_cb (GobanChangeList *self, guint position)
{
  goban_session_zoom (self->session, "selection");
}

/* --- life ------------------------------------------------------------------------------------------- */

static void
goban_change_list_dispose (GObject *object)
{
  GobanChangeList *self = GOBAN_CHANGE_LIST (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  g_clear_object (&self->probes[0]);
  g_clear_object (&self->probes[1]);
  g_clear_object (&self->model);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_change_list_parent_class)->dispose (object);
}

static void
goban_change_list_class_init (GobanChangeListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_change_list_dispose;
  widget_class->map = goban_change_list_map;
  widget_class->unmap = goban_change_list_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "nodetable");
}

static void
goban_change_list_init (GobanChangeList *self)
{
  self->column = GOBAN_CHANGE_ROW_FINISH;
}

static void
add_column (GobanChangeList *self, guint i)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (columns[i].title, factory);
  g_autoptr (GtkSorter) sorter = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (columns[i].column));
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
  self->sorters[i] = (ColumnSorter){ self, columns[i].column };
  sorter = GTK_SORTER (gtk_custom_sorter_new (tell_column, &self->sorters[i], NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column, columns[i].width);
  gtk_column_view_column_set_expand (column, i == 0);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

GtkWidget *
goban_change_list_new (GobanSession *session)
{
  GobanChangeList *self = g_object_new (GOBAN_TYPE_CHANGE_LIST, NULL);

  self->session = g_object_ref (session);
  self->model = goban_node_model_new (session);
  self->cells = g_hash_table_new (NULL, NULL);
  self->probes[0] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  self->probes[1] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  goban_node_model_set_order (self->model, NULL, NULL, NULL);
  self->view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->model)));
  gtk_widget_add_css_class (self->view, "data-table");
  goban_set_accessible_label (self->view, _ ("Changes"));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (self, i);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));

  g_signal_connect_object (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)), "changed",
                           G_CALLBACK (headers_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (fill_all), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::selection", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
goban_change_list_set_difference (GobanChangeList *self, GobanDifference *difference)
{
  g_return_if_fail (GOBAN_IS_CHANGE_LIST (self));

  if (self->difference == difference)
    return;
  if (difference != NULL)
    goban_difference_ref (difference);
  g_clear_pointer (&self->difference, goban_difference_unref);
  self->difference = difference;
  fill_all (self);
  ask_for_rows (self);
}

GobanNodeModel *
goban_change_list_get_model (GobanChangeList *self)
{
  g_return_val_if_fail (GOBAN_IS_CHANGE_LIST (self), NULL);

  return self->model;
}

char *
goban_change_list_dup_csv (GobanChangeList *self)
{
  const GobanNodeId *nodes;
  guint n;

  g_return_val_if_fail (GOBAN_IS_CHANGE_LIST (self), NULL);

  if (self->difference == NULL)
    return NULL;
  nodes = goban_node_model_get_nodes (self->model, &n);
  return goban_change_rows_to_csv (self->difference, nodes, n);
}
