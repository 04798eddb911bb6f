#include "ui/console/sortable-table.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

/* Limits of the rows in sight at once; heights in pixels. */
#define MAX_ROWS 6
#define ROW_HEIGHT 22
#define HEADER_HEIGHT 30

/* --- rows ------------------------------------------------------------------------------------- */

#define RECORD_TYPE_ROW (record_row_get_type ())
G_DECLARE_FINAL_TYPE (RecordRow, record_row, RECORD, ROW, GObject)

struct _RecordRow
{
  GObject parent;
  GobanRecords *records;
  guint i;
};

G_DEFINE_FINAL_TYPE (RecordRow, record_row, G_TYPE_OBJECT)

static void
record_row_finalize (GObject *object)
{
  goban_records_unref (RECORD_ROW (object)->records);
  G_OBJECT_CLASS (record_row_parent_class)->finalize (object);
}

static void
record_row_class_init (RecordRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = record_row_finalize;
}

static void
record_row_init (RecordRow *self)
{
}

/* --- the table -------------------------------------------------------------------------------- */

struct _GobanSortableTable
{
  GtkWidget parent;

  GobanRecords *records;
  GtkWidget *view;
  GtkWidget *scroller;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (GobanSortableTable, goban_sortable_table, GTK_TYPE_WIDGET)

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (object), "column"));
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanSortableTable *self)
{
  const GobanRecordColumn *column = &self->records->columns[column_of (factory)];
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, column->is_number ? 1 : 0);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), GOBAN_SORTABLE_TABLE_MAX_CHARS);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanSortableTable *self)
{
  RecordRow *row = gtk_list_item_get_item (item);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_list_item_get_child (item)),
                              goban_records_get_text (self->records, column_of (factory), row->i));
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer column)
{
  const RecordRow *first = a, *second = b;

  return goban_records_compare (first->records, GPOINTER_TO_UINT (column), first->i, second->i);
}

/* The first text column fills the rest of the frame; columns of numbers share it if there is
 * none. */
static gboolean
is_wide (const GobanRecords *records, guint c)
{
  for (guint i = 0; i < records->n_columns; i++)
    if (!records->columns[i].is_number)
      return i == c;
  return TRUE;
}

static void
add_column (GobanSortableTable *self, guint c)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkSorter) sorter
      = GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (c), NULL));
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (c));
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  column = gtk_column_view_column_new (self->records->columns[c].name, factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, is_wide (self->records, c));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

static GListModel *
model_of (GobanSortableTable *self)
{
  return G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (self->view)));
}

static void
fill (GobanSortableTable *self)
{
  GListStore *store = g_list_store_new (RECORD_TYPE_ROW);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  GtkSortListModel *sorted = gtk_sort_list_model_new (G_LIST_MODEL (store), g_object_ref (sorter));
  GtkSingleSelection *selection = gtk_single_selection_new (G_LIST_MODEL (sorted));

  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_single_selection_set_selected (selection, GTK_INVALID_LIST_POSITION);
  for (guint i = 0; i < self->records->n_rows; i++)
    {
      g_autoptr (RecordRow) row = g_object_new (RECORD_TYPE_ROW, NULL);

      row->records = goban_records_ref (self->records);
      row->i = i;
      g_list_store_append (store, row);
    }
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (selection));
  gtk_single_selection_set_selected (selection, GTK_INVALID_LIST_POSITION);
  g_object_unref (selection);
}

static void
activate_cb (GtkColumnView *view, guint row, GobanSortableTable *self)
{
  g_autoptr (RecordRow) item = g_list_model_get_item (model_of (self), row);
  const GobanReference *reference = g_ptr_array_index (self->records->references, item->i);

  if (reference != NULL)
    g_signal_emit_by_name (self, "follow", reference);
}

char *
goban_sortable_table_dup_cell (GobanSortableTable *self, guint column, guint row)
{
  g_autoptr (RecordRow) item = NULL;

  g_return_val_if_fail (GOBAN_IS_SORTABLE_TABLE (self), NULL);

  item = g_list_model_get_item (model_of (self), row);
  return item != NULL ? g_strdup (goban_records_get_text (self->records, column, item->i)) : NULL;
}

static void
goban_sortable_table_dispose (GObject *object)
{
  goban_remove_children (GTK_WIDGET (object));
  g_clear_pointer (&GOBAN_SORTABLE_TABLE (object)->records, goban_records_unref);

  G_OBJECT_CLASS (goban_sortable_table_parent_class)->dispose (object);
}

static void
goban_sortable_table_class_init (GobanSortableTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_sortable_table_dispose;
  gtk_widget_class_set_css_name (widget_class, "records");
  goban_template_set (widget_class, "console/sortable-table.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanSortableTable, view, scroller, more);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, activate_cb);
  goban_signal_add (klass, "follow", 1, G_TYPE_POINTER);
}

static void
goban_sortable_table_init (GobanSortableTable *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_sortable_table_new (GobanRecords *records)
{
  GobanSortableTable *self = g_object_new (GOBAN_TYPE_SORTABLE_TABLE, NULL);
  g_autofree char *words = goban_records_describe (records);
  g_autofree char *label = g_strdup_printf (_ ("Table. %s"), words);

  self->records = goban_records_ref (records);
  for (guint c = 0; c < records->n_columns; c++)
    add_column (self, c);
  goban_explain_columns (GTK_COLUMN_VIEW (self->view));
  fill (self);
  goban_set_accessible_label (self->view, label);
  /* A list says that it needs one row. */
  gtk_scrolled_window_set_min_content_height (
      GTK_SCROLLED_WINDOW (self->scroller),
      HEADER_HEIGHT + ROW_HEIGHT * (int) MIN (records->n_rows, MAX_ROWS));
  if (records->n_left_out > 0)
    {
      char n[GOBAN_QUANTITY_LEN];
      g_autofree char *more
          = g_strdup_printf (records->n_left_out == 1 ? _ ("%s more row") : _ ("%s more rows"),
                             goban_format_grouped (n, records->n_left_out));

      goban_set_label_text (self->more, more);
      gtk_widget_set_visible (self->more, TRUE);
    }
  return GTK_WIDGET (self);
}
