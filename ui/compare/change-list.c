#include "ui/compare/change-list.h"

#include "engine/core/i18n.h"

typedef struct
{
  GobanChangeColumn column;
  const char *title;
  int width; /* pixels of the design */
  guint fold_order;
} ListColumn;

/* The moved node and its effect: the other columns exist elsewhere. */
static const ListColumn columns[] = {
  { GOBAN_CHANGE_ROW_NODE, N_ ("Node"), 150, 0 },
  { GOBAN_CHANGE_ROW_OP, N_ ("Op"), 88, 2 },
  { GOBAN_CHANGE_ROW_FROM, N_ ("From"), 56, 0 },
  { GOBAN_CHANGE_ROW_TO, N_ ("To"), 56, 0 },
  { GOBAN_CHANGE_ROW_RANK, N_ ("Rank"), 56, 3 },
  { GOBAN_CHANGE_ROW_START, N_ ("Start"), 96, 1 },
  { GOBAN_CHANGE_ROW_FINISH, N_ ("Finish"), 96, 0 },
  { GOBAN_CHANGE_ROW_FUSION, N_ ("Fusion"), 110, 4 },
};

struct _GobanChangeList
{
  GobanNodeColumns parent;

  GobanDifference *difference; /* (nullable) */
  GobanChangeColumn column;    /* of the order */
  gboolean is_descending;
};

G_DEFINE_FINAL_TYPE (GobanChangeList, goban_change_list, GOBAN_TYPE_NODE_COLUMNS)

/* --- cells ------------------------------------------------------------------------------------ */

static gboolean
is_number (guint column)
{
  return columns[column].column >= GOBAN_CHANGE_ROW_RANK
         && columns[column].column != GOBAN_CHANGE_ROW_FUSION;
}

static char *
goban_change_list_dup_cell (GobanNodeColumns *base, guint column, GobanNodeId node)
{
  GobanDifference *difference = GOBAN_CHANGE_LIST (base)->difference;

  if (difference == NULL
      || node >= goban_graph_get_n_nodes (goban_run_get_graph (difference->after)))
    return NULL;
  return goban_change_rows_cell (difference, columns[column].column, node);
}

/* Earlier is better, later is worse. */
static void
goban_change_list_dress_cell (GobanNodeColumns *base, guint column, GtkWidget *cell,
                              const char *text)
{
  if (!is_number (column))
    return;
  gtk_widget_remove_css_class (cell, "better");
  gtk_widget_remove_css_class (cell, "worse");
  if (text != NULL && g_str_has_prefix (text, "−"))
    gtk_widget_add_css_class (cell, "better");
  else if (text != NULL && *text == '+')
    gtk_widget_add_css_class (cell, "worse");
}

/* --- order ------------------------------------------------------------------------------------ */

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

  return goban_change_rows_sort (order->difference, order->column, order->is_descending, progress,
                                 n, error);
}

static void
ask_for_rows (GobanChangeList *self)
{
  GobanNodeModel *model = goban_node_columns_get_model (GOBAN_NODE_COLUMNS (self));
  Order *order;

  if (self->difference == NULL)
    {
      goban_node_model_set_order (model, NULL, NULL, NULL);
      return;
    }
  order = g_new (Order, 1);
  *order = (Order){ goban_difference_ref (self->difference), self->column, self->is_descending };
  goban_node_model_set_order (model, sort_worker, order, order_free);
}

static void
goban_change_list_sort_rows (GobanNodeColumns *base, guint column, gboolean is_descending)
{
  GobanChangeList *self = GOBAN_CHANGE_LIST (base);

  self->column = column != GOBAN_NO_COLUMN ? columns[column].column : GOBAN_CHANGE_ROW_FINISH;
  self->is_descending = is_descending;
  ask_for_rows (self);
}

static void
goban_change_list_dispose (GObject *object)
{
  g_clear_pointer (&GOBAN_CHANGE_LIST (object)->difference, goban_difference_unref);

  G_OBJECT_CLASS (goban_change_list_parent_class)->dispose (object);
}

static void
goban_change_list_class_init (GobanChangeListClass *klass)
{
  GobanNodeColumnsClass *columns_class = GOBAN_NODE_COLUMNS_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_change_list_dispose;
  columns_class->dup_cell = goban_change_list_dup_cell;
  columns_class->dress_cell = goban_change_list_dress_cell;
  columns_class->sort = goban_change_list_sort_rows;
}

static void
goban_change_list_init (GobanChangeList *self)
{
  self->column = GOBAN_CHANGE_ROW_FINISH;
}

GtkWidget *
goban_change_list_new (GobanSession *session)
{
  GobanChangeList *self = g_object_new (GOBAN_TYPE_CHANGE_LIST, NULL);
  GobanNodeColumn shown[G_N_ELEMENTS (columns)];

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    shown[i]
        = (GobanNodeColumn){ _ (columns[i].title), columns[i].width, is_number (i),
                             columns[i].column == GOBAN_CHANGE_ROW_NODE, columns[i].fold_order };
  goban_node_columns_build (GOBAN_NODE_COLUMNS (self), session, shown, G_N_ELEMENTS (shown),
                            _ ("Changes"));
  ask_for_rows (self);
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
  goban_node_columns_refill (GOBAN_NODE_COLUMNS (self));
  ask_for_rows (self);
}

GobanChangeColumn
goban_change_list_get_order (GobanChangeList *self, gboolean *is_descending)
{
  g_return_val_if_fail (GOBAN_IS_CHANGE_LIST (self), GOBAN_CHANGE_ROW_FINISH);

  *is_descending = self->is_descending;
  return self->column;
}
