#include "ui/table/node-table.h"

#include "engine/core/i18n.h"
#include "engine/study/analysis/node-list.h"
#include "ui/widgets/signals.h"

#define MIN_HEIGHT 170

typedef struct
{
  const char *field;
  const char *title;
  int width; /* pixels of the design */
} TableColumn;

static const TableColumn columns[] = {
  { "name", N_ ("Name"), 330 },    { "op", N_ ("Op"), 120 },      { "device", N_ ("Device"), 80 },
  { "prio", N_ ("Priority"), 80 }, { "cost", N_ ("Cost"), 90 },   { "memory", N_ ("Memory"), 90 },
  { "bytes", N_ ("Output"), 90 },  { "start", N_ ("Start"), 90 }, { "finish", N_ ("Finish"), 90 },
  { "slack", N_ ("Slack"), 90 },
};

struct _GobanNodeTable
{
  GobanNodeColumns parent;
};

G_DEFINE_FINAL_TYPE (GobanNodeTable, goban_node_table, GOBAN_TYPE_NODE_COLUMNS)

static GobanNodeColumns *
base (GobanNodeTable *self)
{
  return GOBAN_NODE_COLUMNS (self);
}

static const GobanNodeField *
get_field (guint column)
{
  return goban_node_field_find (columns[column].field, NULL); /* our own names */
}

static GobanNodeContext
get_context (GobanNodeColumns *self)
{
  GobanSession *session = goban_node_columns_get_session (self);

  return (GobanNodeContext){ goban_session_get_costs (session),
                             goban_session_get_shown_run (session) };
}

static char *
goban_node_table_dup_cell (GobanNodeColumns *self, guint column, GobanNodeId node)
{
  GobanNodeContext context = get_context (self);

  if (context.costs == NULL
      || node >= goban_graph_get_n_nodes (goban_cost_model_get_graph (context.costs)))
    return NULL;
  return goban_node_list_cell (&context, get_field (column), node);
}

static void
goban_node_table_sort_rows (GobanNodeColumns *self, guint column, gboolean is_descending)
{
  goban_node_model_sort (goban_node_columns_get_model (self),
                         column != GOBAN_NO_COLUMN ? get_field (column) : NULL, is_descending);
}

static void
goban_node_table_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_node_table_parent_class)->map (widget);
  goban_node_columns_reveal_selected (GOBAN_NODE_COLUMNS (widget));
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
  GobanNodeColumnsClass *columns_class = GOBAN_NODE_COLUMNS_CLASS (klass);

  columns_class->dup_cell = goban_node_table_dup_cell;
  columns_class->sort = goban_node_table_sort_rows;
  widget_class->map = goban_node_table_map;
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
goban_node_table_init (GobanNodeTable *self)
{
}

GtkWidget *
goban_node_table_new (GobanSession *session)
{
  GobanNodeTable *self = g_object_new (GOBAN_TYPE_NODE_TABLE, NULL);
  GobanNodeColumn shown[G_N_ELEMENTS (columns)];

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    shown[i] = (GobanNodeColumn){
      .title = _ (columns[i].title),
      .width = columns[i].width,
      .is_number = get_field (i)->kind != GOBAN_FIELD_TEXT,
      .keeps_end = g_str_equal (columns[i].field, "name"),
    };
  goban_node_columns_build (base (self), session, shown, G_N_ELEMENTS (shown), _ ("Nodes"));
  GOBAN_CONNECT (goban_node_columns_get_model (base (self)), "changed",
                 goban_node_columns_reveal_selected, self);
  /* A header and a few rows: the minimum height of a useful table. */
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, MIN_HEIGHT);
  return GTK_WIDGET (self);
}

void
goban_node_table_filter (GobanNodeTable *self, GobanSelection *nodes)
{
  g_return_if_fail (GOBAN_IS_NODE_TABLE (self));

  goban_node_model_filter (goban_node_columns_get_model (base (self)), nodes);
}

char *
goban_node_table_dup_tsv (GobanNodeTable *self)
{
  const char *fields[G_N_ELEMENTS (columns) + 1] = { NULL };
  GobanNodeModel *model;
  GobanNodeContext context;
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  const GobanNodeId *nodes;
  guint n;

  g_return_val_if_fail (GOBAN_IS_NODE_TABLE (self), NULL);

  model = goban_node_columns_get_model (base (self));
  context = get_context (base (self));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    fields[i] = columns[i].field;
  nodes = goban_node_model_get_nodes (model, &n);
  for (guint i = 0; i < n; i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model), i))
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
