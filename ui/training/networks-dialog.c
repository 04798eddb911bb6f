#include "ui/training/networks-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

/* --- rows ------------------------------------------------------------------------------------- */

#define NETWORK_TYPE_ROW (network_row_get_type ())
G_DECLARE_FINAL_TYPE (NetworkRow, network_row, NETWORK, ROW, GObject)

struct _NetworkRow
{
  GObject parent;
  const GobanNetworkInfo *info; /* of the dialog's list */
  gboolean is_used;
};

G_DEFINE_FINAL_TYPE (NetworkRow, network_row, G_TYPE_OBJECT)

static void
network_row_class_init (NetworkRowClass *klass)
{
}

static void
network_row_init (NetworkRow *self)
{
}

/* --- columns ---------------------------------------------------------------------------------- */

static char *
dup_name (const NetworkRow *row)
{
  return row->is_used ? g_strdup_printf (_ ("%s (in use)"), row->info->name)
                      : g_strdup (row->info->name);
}

static char *
dup_origin (const NetworkRow *row)
{
  return row->info->is_shipped ? g_strdup (_ ("Comes with Goban")) : g_strdup (row->info->file);
}

static char *
dup_network (const NetworkRow *row)
{
  return g_strdup (row->info->network);
}

static char *
dup_decides (const NetworkRow *row)
{
  return g_strdup (row->info->decides);
}

static char *
dup_trained_on (const NetworkRow *row)
{
  return g_strdup (row->info->trained_on);
}

static char *
dup_count (guint64 n)
{
  char text[GOBAN_QUANTITY_LEN];

  return g_strdup (n > 0 ? goban_format_grouped (text, n) : "");
}

static char *
dup_updates (const NetworkRow *row)
{
  return dup_count (row->info->n_updates);
}

static char *
dup_score (const NetworkRow *row)
{
  return isfinite (row->info->score) ? g_strdup_printf ("%.3f", row->info->score) : g_strdup ("");
}

static char *
dup_parameters (const NetworkRow *row)
{
  return dup_count (row->info->n_parameters);
}

static const struct
{
  const char *title;
  char *(*dup_text) (const NetworkRow *row);
  gboolean is_number;
  gboolean expands;
} columns[] = {
  { N_ ("Name"), dup_name, FALSE, FALSE },
  { N_ ("Kind"), dup_network, FALSE, FALSE },
  { N_ ("Decides"), dup_decides, FALSE, TRUE },
  { N_ ("Trained on"), dup_trained_on, FALSE, FALSE },
  { N_ ("Updates"), dup_updates, TRUE, FALSE },
  { N_ ("Trials"), dup_score, TRUE, FALSE },
  { N_ ("Parameters"), dup_parameters, TRUE, FALSE },
  { N_ ("File"), dup_origin, FALSE, FALSE },
};

/* --- the dialog ------------------------------------------------------------------------------- */

struct _GobanNetworksDialog
{
  GtkWindow parent;

  GobanJob *job;       /* reads the files; NULL when it has */
  GPtrArray *networks; /* (nullable) GobanNetworkInfo */
  gboolean (*is_used) (const GobanNetworkInfo *info, gpointer user_data); /* (nullable) */
  gpointer used_data;
  GListStore *rows; /* NetworkRow */
  GtkSingleSelection *selection;
  GtkWidget *reading;
  GtkWidget *view;
  GtkWidget *use;
};

G_DEFINE_FINAL_TYPE (GobanNetworksDialog, goban_networks_dialog, GTK_TYPE_WINDOW)

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  guint c = GPOINTER_TO_UINT (column);
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, columns[c].is_number ? 1 : 0);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), 36);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  g_autofree char *text
      = columns[GPOINTER_TO_UINT (column)].dup_text (gtk_list_item_get_item (item));

  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_list_item_get_child (item)), text);
}

static void
add_column (GobanNetworksDialog *self, guint c)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column
      = gtk_column_view_column_new (_ (columns[c].title), factory);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (c));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (c));
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, columns[c].expands);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

/* (nullable) borrowed */
static NetworkRow *
get_selected (GobanNetworksDialog *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

/* A network that no policy lets choose cannot be used. */
static void
selected_cb (GobanNetworksDialog *self)
{
  NetworkRow *row = get_selected (self);

  gtk_widget_set_sensitive (self->use, row != NULL && row->info->users[0] != NULL);
}

static void
mark_rows (GobanNetworksDialog *self)
{
  guint n;

  if (self->is_used == NULL)
    return;
  n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (NetworkRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      row->is_used = self->is_used (row->info, self->used_data);
    }
  g_list_model_items_changed (G_LIST_MODEL (self->rows), 0, n, n);
}

void
goban_networks_dialog_mark (GobanNetworksDialog *self,
                            gboolean (*is_used) (const GobanNetworkInfo *info, gpointer user_data),
                            gpointer user_data)
{
  g_return_if_fail (GOBAN_IS_NETWORKS_DIALOG (self));

  self->is_used = is_used;
  self->used_data = user_data;
  mark_rows (self);
}

static void
listed_cb (GobanNetworksDialog *self, GobanJob *job)
{
  if (job != self->job)
    return;
  self->networks = goban_job_steal_result (job, NULL); /* which is empty at worst */
  g_clear_object (&self->job);
  for (guint i = 0; i < self->networks->len; i++)
    {
      g_autoptr (NetworkRow) row = g_object_new (NETWORK_TYPE_ROW, NULL);

      row->info = g_ptr_array_index (self->networks, i);
      g_list_store_append (self->rows, row);
    }
  gtk_widget_set_visible (self->reading, FALSE);
  mark_rows (self);
  selected_cb (self);
}

void
goban_networks_dialog_use (GobanNetworksDialog *self)
{
  guint i;
  NetworkRow *row;

  g_return_if_fail (GOBAN_IS_NETWORKS_DIALOG (self));

  row = get_selected (self);
  i = gtk_single_selection_get_selected (self->selection);
  if (row == NULL || row->info->users[0] == NULL)
    return;
  g_signal_emit_by_name (self, "use", row->info->file);
  gtk_single_selection_set_selected (self->selection, i); /* the marks may have reset it */
}

const GobanNetworkInfo *
goban_networks_dialog_get_selected (GobanNetworksDialog *self)
{
  NetworkRow *row;

  g_return_val_if_fail (GOBAN_IS_NETWORKS_DIALOG (self), NULL);

  row = get_selected (self);
  return row != NULL ? row->info : NULL;
}

char *
goban_networks_dialog_dup_text (GobanNetworksDialog *self, guint column, guint i)
{
  g_autoptr (NetworkRow) row = NULL;

  g_return_val_if_fail (GOBAN_IS_NETWORKS_DIALOG (self), NULL);
  g_return_val_if_fail (column < G_N_ELEMENTS (columns), NULL);

  row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
  return row != NULL ? columns[column].dup_text (row) : NULL;
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_networks_dialog_dispose (GObject *object)
{
  GobanNetworksDialog *self = GOBAN_NETWORKS_DIALOG (object);

  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  if (self->view != NULL)
    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->networks, g_ptr_array_unref);

  G_OBJECT_CLASS (goban_networks_dialog_parent_class)->dispose (object);
}

static void
goban_networks_dialog_class_init (GobanNetworksDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_networks_dialog_dispose;
  goban_signal_add (klass, "use", 1, G_TYPE_STRING);
  goban_template_set (widget_class, "training/networks-dialog.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanNetworksDialog, reading, view, use);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, goban_networks_dialog_use);
}

static void
goban_networks_dialog_init (GobanNetworksDialog *self)
{
  goban_template_init (GTK_WIDGET (self));
  self->rows = g_list_store_new (NETWORK_TYPE_ROW);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));
  GOBAN_CONNECT (self->selection, "notify::selected", selected_cb, self);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    add_column (self, c);
  goban_explain_columns (GTK_COLUMN_VIEW (self->view));
}

GtkWidget *
goban_networks_dialog_new (GtkWindow *parent, const char *const *folders)
{
  GobanNetworksDialog *self
      = g_object_new (GOBAN_TYPE_NETWORKS_DIALOG, "transient-for", parent, NULL);

  self->job = goban_networks_start_list (folders);
  GOBAN_CONNECT (self->job, "done", listed_cb, self);
  selected_cb (self);
  return GTK_WIDGET (self);
}
