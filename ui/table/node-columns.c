#include "ui/table/node-columns.h"

#include "engine/session/session-log.h"
#include "ui/table/node-model.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* A column, as its cells and its sorter know it. */
typedef struct
{
  GobanNodeColumns *table;
  guint column;
  gboolean is_number;
  gboolean keeps_end;
  int width;
  guint fold_order;
} Column;

typedef struct
{
  GobanSession *session;
  GobanNodeModel *model;
  GtkWidget *scroller;
  GtkWidget *view;
  Column *columns; /* (n_columns) in their order */
  guint n_columns;
  guint fold_id;           /* hides and shows columns after an allocation, or 0 */
  int folded_to;           /* pixels: the room that they were last chosen for */
  GobanNodeRow *probes[2]; /* rows of no table, to ask the headers with */
  guint asked;             /* by the last question to the headers */
  GHashTable *cells;       /* GtkListItem: those that show something */
  GobanRowNotifier filler; /* of rows whose cells say something else now */
} GobanNodeColumnsPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GobanNodeColumns, goban_node_columns, GTK_TYPE_WIDGET)

static GobanNodeColumnsPrivate *
priv (GobanNodeColumns *self)
{
  return goban_node_columns_get_instance_private (self);
}

/* --- cells ------------------------------------------------------------------------------------ */

/* A short label shapes its text when it is drawn, and a GtkLabel when it is measured: of 200 rows
 * that a list keeps, a dozen are seen. */
static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const Column *column = user_data;
  GtkWidget *cell = goban_short_label_new (column->keeps_end ? GOBAN_KEEP_END : GOBAN_KEEP_START,
                                           column->is_number ? 1.0f : 0.0f);

  if (column->is_number)
    gtk_widget_add_css_class (cell, "numeric");
  g_object_set_data (G_OBJECT (cell), "goban-column", GUINT_TO_POINTER (column->column));
  gtk_list_item_set_child (item, cell);
}

static void
fill (GobanNodeColumns *self, GtkListItem *item)
{
  GobanNodeColumnsClass *klass = GOBAN_NODE_COLUMNS_GET_CLASS (self);
  GtkWidget *cell = gtk_list_item_get_child (item);
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "goban-column"));
  GobanNodeId node = goban_node_row_get_node (gtk_list_item_get_item (item));
  g_autofree char *text = klass->dup_cell (self, column, node);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (cell), text);
  if (klass->dress_cell != NULL)
    klass->dress_cell (self, column, cell, text);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanNodeColumns *self)
{
  g_hash_table_add (priv (self)->cells, item);
  fill (self, item);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanNodeColumns *self)
{
  g_hash_table_remove (priv (self)->cells, item);
}

static void
fill_rows (guint first, guint n, gpointer user_data)
{
  GobanNodeColumns *self = user_data;
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, priv (self)->cells);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    if (gtk_list_item_get_position (item) - first < n) /* a row before it is a large number */
      fill (self, item);
}

void
goban_node_columns_refill (GobanNodeColumns *self)
{
  g_return_if_fail (GOBAN_IS_NODE_COLUMNS (self));

  goban_row_notifier_notify (&priv (self)->filler,
                             g_list_model_get_n_items (G_LIST_MODEL (priv (self)->model)));
}

/* All rows are equally high. */
static void
viewport_changed_cb (GobanNodeColumns *self, GtkAdjustment *along)
{
  GobanNodeColumnsPrivate *own = priv (self);
  double upper = gtk_adjustment_get_upper (along);
  guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (own->model));
  double rows_per_px = upper > 0 ? n_rows / upper : 0;
  guint first = (guint) floor (gtk_adjustment_get_value (along) * rows_per_px);
  guint n = (guint) ceil (gtk_adjustment_get_page_size (along) * rows_per_px) + 1;

  if (n_rows == 0 || upper <= 0)
    return;
  goban_node_model_set_visible_rows (own->model, first, n);
  goban_row_notifier_set_visible (&own->filler, first, n);
}

static void
follow_scrolling (GobanNodeColumns *self)
{
  GtkAdjustment *along
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (priv (self)->scroller));

  GOBAN_CONNECT (along, "changed", viewport_changed_cb, self);
  GOBAN_CONNECT (along, "value-changed", viewport_changed_cb, self);
}

/* --- columns that have room ------------------------------------------------------------------- */

/* The width of the columns that stay if those that fold at @order or later are hidden. */
static int
sum_widths (const GobanNodeColumnsPrivate *own, guint order)
{
  int width = 0;

  for (guint i = 0; i < own->n_columns; i++)
    if (own->columns[i].fold_order < order)
      width += own->columns[i].width;
  return width;
}

/* Not in an allocation, which must not change the widths it measures. */
static gboolean
fold_cb (gpointer user_data)
{
  GobanNodeColumns *self = user_data;
  GobanNodeColumnsPrivate *own = priv (self);
  GListModel *headers = gtk_column_view_get_columns (GTK_COLUMN_VIEW (own->view));
  int room = gtk_widget_get_width (own->scroller);
  g_autoptr (GtkColumnViewColumn) first = g_list_model_get_item (headers, 0);
  guint order = 1;

  own->fold_id = 0;
  /* Widths set by the user stay until the table has another width. */
  if (room == own->folded_to)
    return G_SOURCE_REMOVE;
  own->folded_to = room;
  while (order <= own->n_columns && sum_widths (own, order + 1) <= room)
    order++;
  for (guint i = 0; i < own->n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) header = g_list_model_get_item (headers, i);

      gtk_column_view_column_set_visible (header, own->columns[i].fold_order < order);
    }
  gtk_column_view_column_set_fixed_width (
      first, MAX (own->columns[0].width, own->columns[0].width + room - sum_widths (own, order)));
  return G_SOURCE_REMOVE;
}

static void
goban_node_columns_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanNodeColumnsPrivate *own = priv (GOBAN_NODE_COLUMNS (widget));

  gtk_widget_allocate (own->scroller, width, height, baseline, NULL);
  if (own->fold_id == 0 && gtk_widget_get_width (own->scroller) != own->folded_to)
    own->fold_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fold_cb, widget, NULL);
}

static void
goban_node_columns_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  gtk_widget_measure (priv (GOBAN_NODE_COLUMNS (widget))->scroller, orientation, for_size, minimum,
                      natural, minimum_baseline, natural_baseline);
}

/* --- order ------------------------------------------------------------------------------------ */

/* No rows are compared here: the headers are asked which of them comes first, and a worker
 * sorts. */
static int
tell_column (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Column *column = user_data;

  priv (column->table)->asked = column->column;
  return GTK_ORDERING_SMALLER;
}

static void
headers_changed_cb (GobanNodeColumns *self)
{
  GobanNodeColumnsPrivate *own = priv (self);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view));
  GtkOrdering order;

  own->asked = GOBAN_NO_COLUMN;
  order = gtk_sorter_compare (sorter, own->probes[0], own->probes[1]);
  GOBAN_NODE_COLUMNS_GET_CLASS (self)->sort (self, own->asked, order == GTK_ORDERING_LARGER);
}

/* --- following -------------------------------------------------------------------------------- */

/* The list inside the column view, below its headers: scrolling is its action. */
static GtkWidget *
get_list (GtkWidget *view)
{
  GtkWidget *child = gtk_widget_get_first_child (view);

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL ? child : view;
}

void
goban_node_columns_reveal_selected (GobanNodeColumns *self)
{
  guint row;

  g_return_if_fail (GOBAN_IS_NODE_COLUMNS (self));

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  row = goban_node_model_find_selected (priv (self)->model);
  if (row != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (get_list (priv (self)->view), "list.scroll-to-item", "u", row);
}

static void
selection_changed_cb (GobanNodeColumns *self)
{
  if (!goban_node_model_is_selecting (priv (self)->model))
    goban_node_columns_reveal_selected (self);
}

static void
goban_node_columns_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_node_columns_parent_class)->map (widget);
  goban_node_model_set_active (priv (GOBAN_NODE_COLUMNS (widget))->model, TRUE);
}

static void
goban_node_columns_unmap (GtkWidget *widget)
{
  goban_node_model_set_active (priv (GOBAN_NODE_COLUMNS (widget))->model, FALSE);
  GTK_WIDGET_CLASS (goban_node_columns_parent_class)->unmap (widget);
}

/* An activated row is shown in the graph. */
static void
activate_cb (GobanNodeColumns *self, guint position)
{
  goban_session_zoom (priv (self)->session, "selection");
}

static void
goban_node_columns_dispose (GObject *object)
{
  GobanNodeColumnsPrivate *own = priv (GOBAN_NODE_COLUMNS (object));

  /* Headers that go ask for another order. */
  if (own->scroller != NULL)
    g_signal_handlers_disconnect_by_func (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view)),
                                          headers_changed_cb, object);
  g_clear_handle_id (&own->fold_id, g_source_remove);
  g_clear_pointer (&own->scroller, gtk_widget_unparent);
  g_clear_pointer (&own->cells, g_hash_table_unref);
  g_clear_object (&own->probes[0]);
  g_clear_object (&own->probes[1]);
  g_clear_object (&own->model);
  g_clear_object (&own->session);

  G_OBJECT_CLASS (goban_node_columns_parent_class)->dispose (object);
}

static void
goban_node_columns_finalize (GObject *object)
{
  g_free (priv (GOBAN_NODE_COLUMNS (object))->columns);

  G_OBJECT_CLASS (goban_node_columns_parent_class)->finalize (object);
}

static void
goban_node_columns_class_init (GobanNodeColumnsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_node_columns_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_node_columns_finalize;
  widget_class->map = goban_node_columns_map;
  widget_class->unmap = goban_node_columns_unmap;
  widget_class->measure = goban_node_columns_measure;
  widget_class->size_allocate = goban_node_columns_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "nodetable");
}

static void
goban_node_columns_init (GobanNodeColumns *self)
{
}

static void
add_column (GobanNodeColumns *self, guint i, const GobanNodeColumn *described)
{
  GobanNodeColumnsPrivate *own = priv (self);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) header = gtk_column_view_column_new (described->title, factory);
  g_autoptr (GtkSorter) sorter = NULL;

  own->columns[i] = (Column){
    self, i, described->is_number, described->keeps_end, described->width, described->fold_order
  };
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), &own->columns[i]);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
  sorter = GTK_SORTER (gtk_custom_sorter_new (tell_column, &own->columns[i], NULL));
  gtk_column_view_column_set_sorter (header, sorter);
  gtk_column_view_column_set_resizable (header, TRUE);
  gtk_column_view_column_set_fixed_width (header, described->width);
  gtk_column_view_column_set_expand (header, i == 0);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (own->view), header);
}

void
goban_node_columns_build (GobanNodeColumns *self, GobanSession *session,
                          const GobanNodeColumn *columns, guint n_columns, const char *name)
{
  GobanNodeColumnsPrivate *own = priv (self);

  own->session = g_object_ref (session);
  own->model = goban_node_model_new (session);
  own->cells = g_hash_table_new (NULL, NULL);
  own->filler = (GobanRowNotifier){ .tell = fill_rows, .user_data = self };
  own->probes[0] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  own->probes[1] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  own->columns = g_new (Column, n_columns);
  own->n_columns = n_columns;
  own->view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (own->model)));
  gtk_widget_add_css_class (own->view, "data-table");
  goban_set_accessible_label (own->view, name);
  for (guint i = 0; i < n_columns; i++)
    add_column (self, i, &columns[i]);
  goban_explain_columns (GTK_COLUMN_VIEW (own->view));
  own->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (own->scroller), own->view);
  gtk_widget_set_parent (own->scroller, GTK_WIDGET (self));
  follow_scrolling (self);

  GOBAN_CONNECT (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view)), "changed",
                 headers_changed_cb, self);
  GOBAN_CONNECT (own->view, "activate", activate_cb, self);
  GOBAN_CONNECT (own->model, "changed", goban_node_columns_refill, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
}

GobanSession *
goban_node_columns_get_session (GobanNodeColumns *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_COLUMNS (self), NULL);

  return priv (self)->session;
}

GobanNodeModel *
goban_node_columns_get_model (GobanNodeColumns *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_COLUMNS (self), NULL);

  return priv (self)->model;
}
