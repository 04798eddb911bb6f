#include "ui/timeline/queue-list.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

typedef struct
{
  GtkWidget *widget; /* a row of the list, borrowed */
  GtkWidget *name;
  GtkWidget *key;
  GobanNodeId node; /* or GOBAN_NO_NODE: a heading, or a count */
} Row;

struct _GobanQueueList
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *list;
  GArray *rows;   /* of Row: all that have been made */
  guint n_filled; /* those that are seen */
};

G_DEFINE_FINAL_TYPE (GobanQueueList, goban_queue_list, GTK_TYPE_WIDGET)

/* --- rows ------------------------------------------------------------------------------------- */

static GtkWidget *
new_label (GtkWidget *box, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
add_row (GobanQueueList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  Row row = { .widget = gtk_list_box_row_new (), .node = GOBAN_NO_NODE };

  row.name = goban_short_label_new (GOBAN_KEEP_END, 0);
  gtk_box_append (GTK_BOX (box), row.name);
  gtk_widget_set_hexpand (row.name, TRUE);
  row.key = new_label (box, 1.0, "note");
  gtk_widget_add_css_class (row.key, "numeric");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row.widget), box);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row.widget);
  g_array_append_val (self->rows, row);
}

/* @node: GOBAN_NO_NODE for a heading or a count, which cannot be activated. */
static void
fill_row (GobanQueueList *self, const char *name, const char *key, GobanNodeId node)
{
  Row *row;

  if (self->n_filled == self->rows->len)
    add_row (self);
  row = &g_array_index (self->rows, Row, self->n_filled++);
  row->node = node;
  goban_short_label_set_text (GOBAN_SHORT_LABEL (row->name), name);
  goban_set_label_text (row->key, key);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row->widget), node != GOBAN_NO_NODE);
  gtk_widget_set_visible (row->widget, TRUE);
}

static void
fill_heading (GobanQueueList *self, const char *title, const GobanQueueHead *queue)
{
  GtkWidget *name;
  char count[GOBAN_QUANTITY_LEN];

  fill_row (self, title, goban_format_grouped (count, queue->n_all), GOBAN_NO_NODE);
  name = g_array_index (self->rows, Row, self->n_filled - 1).name;
  gtk_widget_add_css_class (name, "pane-heading");
}

static void
fill_rest (GobanQueueList *self, const GobanQueueHead *queue)
{
  char count[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;

  if (queue->n_all == queue->n)
    return;
  text = g_strdup_printf (_ ("and %s more"), goban_format_grouped (count, queue->n_all - queue->n));
  fill_row (self, text, "", GOBAN_NO_NODE);
}

/* --- queues ----------------------------------------------------------------------------------- */

/* The order's key: the first item has the highest priority, or has waited longest. */
static void
fill_ready (GobanQueueList *self, GobanRun *run, const GobanQueueHead *queue)
{
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  gboolean is_by_priority = goban_plan_get_order (goban_run_get_plan (run)) == GOBAN_ORDER_PRIORITY;

  fill_heading (self, is_by_priority ? _ ("Ready, by priority") : _ ("Ready, by arrival"), queue);
  for (guint i = 0; i < queue->n; i++)
    {
      GobanNodeId node = queue->items[i];
      char time[GOBAN_QUANTITY_LEN];
      g_autofree char *key = NULL;

      goban_format_time (time, ops[node].ready_us);
      if (is_by_priority)
        key = g_strdup_printf ("%d", goban_device_moment_get_priority (run, node));
      else
        key = g_strdup_printf (_ ("since %s"), time);
      fill_row (self, goban_graph_get_node (goban_run_get_graph (run), node)->name, key, node);
    }
  fill_rest (self, queue);
}

/* "until 12 ms" under way, "since 10 ms" waiting. */
static void
fill_transfer (GobanQueueList *self, GobanRun *run, const GobanTransfer *transfer,
               gboolean is_received, gboolean is_waiting)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanNodeId node = goban_graph_get_tensor (graph, transfer->tensor)->producer;
  const char *other = goban_cluster_get_device (goban_run_get_cluster (run),
                                                is_received ? transfer->from : transfer->to)
                          ->name;
  g_autofree char *name = g_strdup_printf (is_received ? "%s ← %s" : "%s → %s",
                                           goban_graph_get_node (graph, node)->name, other);
  g_autofree char *key = NULL;
  char time[GOBAN_QUANTITY_LEN];

  if (is_waiting)
    key = g_strdup_printf (_ ("since %s"), goban_format_time (time, transfer->ready_us));
  else
    key = g_strdup_printf (_ ("until %s"), goban_format_time (time, transfer->finish_us));
  fill_row (self, name, key, node);
}

/* Nothing without transfers: most devices have none most of the time. */
static void
fill_transfers (GobanQueueList *self, GobanRun *run, const char *title,
                const GobanDeviceMoment *moment, const GobanQueueHead *queue)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  if (queue->n_all == 0)
    return;
  fill_heading (self, title, queue);
  for (guint i = 0; i < queue->n; i++)
    fill_transfer (self, run, &transfers[queue->items[i]], queue == &moment->receiving,
                   queue == &moment->waiting);
  fill_rest (self, queue);
}

void
goban_queue_list_show (GobanQueueList *self, GobanRun *run, const GobanDeviceMoments *moments,
                       GobanDeviceId device)
{
  const GobanDeviceMoment *moment = &moments->devices[device];

  g_return_if_fail (GOBAN_IS_QUEUE_LIST (self));

  for (guint i = 0; i < self->n_filled; i++)
    gtk_widget_remove_css_class (g_array_index (self->rows, Row, i).name, "pane-heading");
  self->n_filled = 0;
  fill_ready (self, run, &moment->ready);
  fill_transfers (self, run, _ ("Sending"), moment, &moment->sending);
  fill_transfers (self, run, _ ("Waiting to be sent"), moment, &moment->waiting);
  fill_transfers (self, run, _ ("Receiving"), moment, &moment->receiving);
  for (guint i = self->n_filled; i < self->rows->len; i++)
    gtk_widget_set_visible (g_array_index (self->rows, Row, i).widget, FALSE);
}

char *
goban_queue_list_dup_text (GobanQueueList *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (GOBAN_IS_QUEUE_LIST (self), NULL);

  for (guint i = 0; i < self->n_filled; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      g_string_append_printf (text, "%s  %s\n",
                              goban_short_label_get_text (GOBAN_SHORT_LABEL (row->name)),
                              gtk_label_get_text (GTK_LABEL (row->key)));
    }
  return g_string_free (text, FALSE);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
activated_cb (GobanQueueList *self, GtkListBoxRow *activated)
{
  const Row *row = &g_array_index (self->rows, Row, gtk_list_box_row_get_index (activated));
  g_autoptr (GobanSelection) selection = NULL;

  if (row->node == GOBAN_NO_NODE)
    return;
  selection = goban_selection_new (&row->node, 1);
  goban_session_set_selection (self->session, selection);
}

static void
goban_queue_list_dispose (GObject *object)
{
  GobanQueueList *self = GOBAN_QUEUE_LIST (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_queue_list_parent_class)->dispose (object);
}

static void
goban_queue_list_class_init (GobanQueueListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_queue_list_dispose;
  gtk_widget_class_set_css_name (widget_class, "queuelist");
  goban_template_set (widget_class, "timeline/queue-list.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanQueueList, list);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, activated_cb);
}

static void
goban_queue_list_init (GobanQueueList *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_queue_list_new (GobanSession *session)
{
  GobanQueueList *self = g_object_new (GOBAN_TYPE_QUEUE_LIST, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}
