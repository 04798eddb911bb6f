#include "ui/table/node-table.h"

#include "engine/base/words.h"
#include "engine/session/node-list.h"
#include "ui/table/node-columns.h"
#include "ui/widgets/text.h"

#define MIN_HEIGHT 170

typedef struct
{
  const char *field;
  const char *title;
  int width; /* pixels of the design */
} TableColumn;

static const TableColumn columns[] = {
  { "name", N_ ("Name"), 330 },    { "op", N_ ("Op"), 120 },      { "device", N_ ("Device"), 80 },
  { "prio", N_ ("Priority"), 80 }, { "cost", N_ ("Cost"), 90 },   { "mem", N_ ("Memory"), 90 },
  { "bytes", N_ ("Output"), 90 },  { "start", N_ ("Start"), 90 }, { "finish", N_ ("Finish"), 90 },
  { "slack", N_ ("Slack"), 90 },
};

/* What a sorter of a column says when it is asked: which column it was. */
typedef struct
{
  GobanNodeTable *table;
  const GobanNodeField *field;
} ColumnSorter;

struct _GobanNodeTable
{
  GtkWidget parent;

  GobanSession *session;
  GobanNodeModel *model;
  GtkWidget *scroller;
  GtkWidget *view;
  ColumnSorter sorters[G_N_ELEMENTS (columns)];
  GobanNodeRow *probes[2];     /* rows of no table, to ask the headers with */
  const GobanNodeField *asked; /* by the last question to the headers */
  GHashTable *cells;           /* GtkListItem: those that show something */
};

G_DEFINE_FINAL_TYPE (GobanNodeTable, goban_node_table, GTK_TYPE_WIDGET)

/* --- cells --------------------------------------------------------------------------------------- */

/* An inscription shapes its text when it is drawn, and a label when it is measured: of 200 rows that a
 * list keeps, a dozen are seen. */
static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const GobanNodeField *field = user_data;
  GtkWidget *cell = gtk_inscription_new (NULL);
  gboolean is_text = field->kind == GOBAN_FIELD_TEXT;

  gtk_inscription_set_xalign (GTK_INSCRIPTION (cell), is_text ? 0.0f : 1.0f);
  /* The end of a name says more than its scopes do. */
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     g_str_equal (field->name, "name")
                                         ? GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_START
                                         : GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), 4);
  if (!is_text)
    gtk_widget_add_css_class (cell, "numeric");
  g_object_set_data (G_OBJECT (cell), "goban-field", user_data);
  gtk_list_item_set_child (item, cell);
}

static void
fill (GobanNodeTable *self, GtkListItem *item)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  const GobanNodeField *field = g_object_get_data (G_OBJECT (cell), "goban-field");
  GobanNodeContext context
      = { goban_session_get_costs (self->session), goban_session_get_shown_run (self->session) };
  GobanNodeId node = goban_node_row_get_node (gtk_list_item_get_item (item));
  g_autofree char *text = NULL;

  if (context.costs != NULL
      && node < goban_graph_get_n_nodes (goban_cost_model_get_graph (context.costs)))
    text = goban_node_list_cell (&context, field, node);
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanNodeTable *self)
{
  g_hash_table_add (self->cells, item);
  fill (self, item);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanNodeTable *self)
{
  g_hash_table_remove (self->cells, item);
}

/* --- sorting ---------------------------------------------------------------------------------------- */

/* No rows are compared here: the headers are asked which of them comes first, and the worker sorts. */
static int
tell_column (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const ColumnSorter *sorter = user_data;

  sorter->table->asked = sorter->field;
  return GTK_ORDERING_SMALLER;
}

static void
headers_changed_cb (GobanNodeTable *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  GtkOrdering order;

  self->asked = NULL;
  order = gtk_sorter_compare (sorter, self->probes[0], self->probes[1]);
  goban_node_model_sort (self->model, self->asked, order == GTK_ORDERING_LARGER);
}

void
goban_node_table_sort (GobanNodeTable *self, const char *field, gboolean is_descending)
{
  g_return_if_fail (GOBAN_IS_NODE_TABLE (self));

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (g_str_equal (columns[i].field, field))
      goban_node_columns_sort_by (GTK_COLUMN_VIEW (self->view), i, is_descending);
}

/* --- following ------------------------------------------------------------------------------------- */

static void
scroll_to_selected (GobanNodeTable *self)
{
  goban_node_columns_reveal_selected (GTK_COLUMN_VIEW (self->view), self->model);
}

static void
selection_changed_cb (GobanNodeTable *self)
{
  if (!goban_node_model_is_selecting (self->model) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    scroll_to_selected (self);
}

static void
rows_changed_cb (GobanNodeTable *self)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    fill (self, item);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    scroll_to_selected (self);
}

static void
goban_node_table_map (GtkWidget *widget)
{
  GobanNodeTable *self = GOBAN_NODE_TABLE (widget);

  GTK_WIDGET_CLASS (goban_node_table_parent_class)->map (widget);
  goban_node_model_set_active (self->model, TRUE);
  scroll_to_selected (self);
}

static void
goban_node_table_unmap (GtkWidget *widget)
{
  GobanNodeTable *self = GOBAN_NODE_TABLE (widget);

  goban_node_model_set_active (self->model, FALSE);
  GTK_WIDGET_CLASS (goban_node_table_parent_class)->unmap (widget);
}

/* A row that is activated is where people want to be. */
static void
activate_cb (GobanNodeTable *self, guint position)
{
  goban_session_zoom (self->session, "selection");
}

/* --- life ------------------------------------------------------------------------------------------- */

static void
goban_node_table_dispose (GObject *object)
{
  GobanNodeTable *self = GOBAN_NODE_TABLE (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  g_clear_object (&self->probes[0]);
  g_clear_object (&self->probes[1]);
  g_clear_object (&self->model);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_node_table_parent_class)->dispose (object);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  goban_node_table_copy (GOBAN_NODE_TABLE (widget));
}

static void
goban_node_table_class_init (GobanNodeTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_node_table_dispose;
  widget_class->map = goban_node_table_map;
  widget_class->unmap = goban_node_table_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "nodetable");
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
goban_node_table_init (GobanNodeTable *self)
{
}

static void
add_column (GobanNodeTable *self, guint i)
{
  const GobanNodeField *field = goban_node_field_find (columns[i].field, NULL); /* our own names */
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column
      = gtk_column_view_column_new (_ (columns[i].title), factory);
  g_autoptr (GtkSorter) sorter = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), (gpointer) field);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
  self->sorters[i] = (ColumnSorter){ self, field };
  sorter = GTK_SORTER (gtk_custom_sorter_new (tell_column, &self->sorters[i], NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column, columns[i].width);
  gtk_column_view_column_set_expand (column, i == 0);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

static void
build (GobanNodeTable *self)
{
  self->view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->model)));
  gtk_column_view_set_show_column_separators (GTK_COLUMN_VIEW (self->view), FALSE);
  gtk_widget_add_css_class (self->view, "data-table");
  goban_set_accessible_label (self->view, _ ("Nodes"));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (self, i);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  /* A header and some rows: with fewer it is no table. */
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, MIN_HEIGHT);
}

GtkWidget *
goban_node_table_new (GobanSession *session)
{
  GobanNodeTable *self = g_object_new (GOBAN_TYPE_NODE_TABLE, NULL);

  self->session = g_object_ref (session);
  self->model = goban_node_model_new (session);
  self->cells = g_hash_table_new (NULL, NULL);
  self->probes[0] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  self->probes[1] = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  build (self);
  g_signal_connect_object (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)), "changed",
                           G_CALLBACK (headers_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (rows_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::selection", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

/* --- for the window ------------------------------------------------------------------------------------ */

void
goban_node_table_filter (GobanNodeTable *self, GobanSelection *nodes)
{
  g_return_if_fail (GOBAN_IS_NODE_TABLE (self));

  goban_node_model_filter (self->model, nodes);
}

char *
goban_node_table_dup_tsv (GobanNodeTable *self)
{
  const char *fields[G_N_ELEMENTS (columns) + 1] = { NULL };
  GobanNodeContext context;
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  const GobanNodeId *nodes;
  guint n;

  g_return_val_if_fail (GOBAN_IS_NODE_TABLE (self), NULL);

  context = (GobanNodeContext){ goban_session_get_costs (self->session),
                                goban_session_get_shown_run (self->session) };
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    fields[i] = columns[i].field;
  nodes = goban_node_model_get_nodes (self->model, &n);
  for (guint i = 0; i < n; i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->model), i))
      g_array_append_val (chosen, nodes[i]);
  if (chosen->len == 0 && n > 0)
    g_array_append_vals (chosen, nodes, n);
  return goban_node_list_to_tsv (&context, fields, (const GobanNodeId *) (void *) chosen->data,
                                 chosen->len);
}

void
goban_node_table_copy (GobanNodeTable *self)
{
  g_autofree char *text = goban_node_table_dup_tsv (self);

  g_return_if_fail (text != NULL);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

GobanNodeModel *
goban_node_table_get_model (GobanNodeTable *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_TABLE (self), NULL);

  return self->model;
}
