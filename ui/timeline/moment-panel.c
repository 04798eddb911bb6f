#include "ui/timeline/moment-panel.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"
#include "ui/draw/shorten.h"
#include "ui/timeline/queue-list.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

/* A device's row. */
typedef struct
{
  GtkWidget *widget; /* a row of the list, borrowed */
  GtkWidget *name;
  GtkWidget *op;
  GtkWidget *until;
  GtkWidget *progress;
  GtkWidget *counts;
  char *said; /* (nullable) the accessible name */
} Row;

struct _GobanMomentPanel
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *box;
  GtkWidget *list;
  GtkWidget *queues;
  GArray *rows;    /* of Row, by device */
  guint n_devices; /* rows that are seen */
  guint tick_id;   /* an update with the next frame, or 0 */
};

G_DEFINE_FINAL_TYPE (GobanMomentPanel, goban_moment_panel, GTK_TYPE_WIDGET)

static double
get_time_us (GobanMomentPanel *self)
{
  return goban_view_get_time_us (goban_session_get_view (self->session));
}

gboolean
goban_moment_panel_has_moment (GobanMomentPanel *self)
{
  g_return_val_if_fail (GOBAN_IS_MOMENT_PANEL (self), FALSE);

  return goban_session_get_shown_run (self->session) != NULL && isfinite (get_time_us (self));
}

/* --- rows of devices -------------------------------------------------------------------------- */

static GtkWidget *
new_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
clear_row (gpointer row)
{
  g_free (((Row *) row)->said);
}

static void
add_row (GobanMomentPanel *self)
{
  GtkWidget *grid = gtk_grid_new ();
  Row row = { .widget = gtk_list_box_row_new () };

  row.name = new_label ("device-name");
  row.op = goban_short_label_new (GOBAN_KEEP_END, 0);
  row.until = new_label ("note");
  row.progress = gtk_progress_bar_new ();
  goban_set_accessible_label (row.progress, _ ("Progress of the op"));
  row.counts = goban_short_label_new (GOBAN_KEEP_START, 0);
  gtk_widget_set_hexpand (row.op, TRUE);
  gtk_widget_add_css_class (row.until, "numeric");
  gtk_widget_add_css_class (row.counts, "note");
  gtk_widget_add_css_class (row.counts, "numeric");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_attach (GTK_GRID (grid), row.name, 0, 0, 1, 1);
  gtk_widget_set_valign (row.progress, GTK_ALIGN_CENTER);
  gtk_grid_attach (GTK_GRID (grid), row.op, 1, 0, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), row.progress, 0, 1, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), row.until, 2, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), row.counts, 0, 2, 3, 1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row.widget), grid);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row.widget);
  g_array_append_val (self->rows, row);
}

static void
show_op (const Row *row, GobanRun *run, const GobanDeviceMoment *moment, double time_us)
{
  GobanGraph *graph = goban_run_get_graph (run);
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  g_autofree char *until = NULL;
  const char *name = _ ("nothing left to run");
  char time[GOBAN_QUANTITY_LEN];
  double share = 0;

  if (moment->running.n > 0)
    {
      const GobanOpSpan *span = &ops[moment->running.items[0]];

      name = goban_graph_get_node (graph, moment->running.items[0])->name;
      until = g_strdup_printf (_ ("until %s"), goban_format_time (time, span->finish_us));
      share = (time_us - span->start_us) / (span->finish_us - span->start_us);
    }
  else if (moment->next != GOBAN_NO_NODE)
    {
      name = _ ("idle");
      until
          = g_strdup_printf (_ ("until %s"), goban_format_time (time, ops[moment->next].start_us));
    }
  goban_short_label_set_text (GOBAN_SHORT_LABEL (row->op), name);
  goban_short_label_set_keep (GOBAN_SHORT_LABEL (row->op),
                              moment->running.n > 0 ? GOBAN_KEEP_END : GOBAN_KEEP_START);
  goban_set_label_text (row->until, until != NULL ? until : "");
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (row->progress), CLAMP (share, 0, 1));
  if (moment->running.n > 0)
    gtk_widget_remove_css_class (row->op, "dim-label");
  else
    gtk_widget_add_css_class (row->op, "dim-label");
}

static void
show_counts (const Row *row, const GobanDevice *device, const GobanDeviceMoment *moment)
{
  char used[GOBAN_QUANTITY_LEN], size[GOBAN_QUANTITY_LEN], n[GOBAN_QUANTITY_LEN];
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, _ ("%s ready"), goban_format_grouped (n, moment->ready.n_all));
  if (moment->sending.n_all > 0)
    g_string_append_printf (text, _ (" · sends %s"),
                            goban_format_grouped (n, moment->sending.n_all));
  if (moment->waiting.n_all > 0)
    g_string_append_printf (text, _ (" · %s wait"),
                            goban_format_grouped (n, moment->waiting.n_all));
  if (moment->receiving.n_all > 0)
    g_string_append_printf (text, _ (" · receives %s"),
                            goban_format_grouped (n, moment->receiving.n_all));
  if (isfinite (moment->memory_bytes))
    g_string_append_printf (text, _ (" · %s of %s"),
                            goban_format_bytes (used, moment->memory_bytes),
                            goban_format_bytes (size, device->memory_bytes));
  goban_short_label_set_text (GOBAN_SHORT_LABEL (row->counts), text->str);
  if (moment->memory_bytes > device->memory_bytes)
    gtk_widget_add_css_class (row->counts, "error");
  else
    gtk_widget_remove_css_class (row->counts, "error");
}

static void
show_device (GobanMomentPanel *self, GobanRun *run, const GobanDeviceMoments *moments,
             GobanDeviceId d)
{
  const GobanDevice *device = goban_cluster_get_device (goban_run_get_cluster (run), d);
  Row *row = &g_array_index (self->rows, Row, d);
  g_autofree char *said = goban_device_moments_describe (moments, run, d);

  gtk_widget_set_visible (row->widget, TRUE);
  goban_set_label_text (row->name, device->name);
  show_op (row, run, &moments->devices[d], moments->time_us);
  show_counts (row, device, &moments->devices[d]);
  if (g_strcmp0 (said, row->said) == 0)
    return;
  goban_set_accessible_label (row->widget, said);
  g_free (row->said);
  row->said = g_steal_pointer (&said);
}

/* --- the moment ------------------------------------------------------------------------------- */

static GobanDeviceId
get_chosen (GobanMomentPanel *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  int at = row != NULL ? gtk_list_box_row_get_index (row) : 0;

  return (GobanDeviceId) (at >= 0 && at < (int) self->n_devices ? at : 0);
}

void
goban_moment_panel_update (GobanMomentPanel *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  g_autoptr (GobanDeviceMoments) moments = NULL;

  g_return_if_fail (GOBAN_IS_MOMENT_PANEL (self));

  if (!goban_moment_panel_has_moment (self))
    return;
  moments = goban_device_moments_new (run, get_time_us (self), GOBAN_MOMENT_MOST);
  /* A plan for more devices than there are does not start. */
  self->n_devices
      = MIN (moments->n_devices, goban_cluster_get_n_devices (goban_run_get_cluster (run)));
  while (self->rows->len < self->n_devices)
    add_row (self);
  for (guint d = 0; d < self->n_devices; d++)
    show_device (self, run, moments, d);
  for (guint d = self->n_devices; d < self->rows->len; d++)
    gtk_widget_set_visible (g_array_index (self->rows, Row, d).widget, FALSE);
  if (gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list)) == NULL && self->n_devices > 0)
    gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                             GTK_LIST_BOX_ROW (g_array_index (self->rows, Row, 0).widget));
  if (self->n_devices > 0)
    goban_queue_list_show (GOBAN_QUEUE_LIST (self->queues), run, moments, get_chosen (self));
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanMomentPanel *self = GOBAN_MOMENT_PANEL (widget);

  self->tick_id = 0;
  goban_moment_panel_update (self);
  return G_SOURCE_REMOVE;
}

static void
queue_update (GobanMomentPanel *self)
{
  if (self->tick_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

/* The device of an op that is selected elsewhere. */
static void
selection_changed_cb (GobanMomentPanel *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  GobanDeviceId device;

  if (run == NULL || n == 0)
    return;
  device = goban_plan_get_device (goban_run_get_plan (run), ids[0]);
  if (device < self->n_devices)
    gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                             GTK_LIST_BOX_ROW (g_array_index (self->rows, Row, device).widget));
}

static void
append_row_text (GString *text, const Row *row)
{
  g_string_append_printf (text, "%s  %s  %s  %s\n", gtk_label_get_text (GTK_LABEL (row->name)),
                          goban_short_label_get_text (GOBAN_SHORT_LABEL (row->op)),
                          gtk_label_get_text (GTK_LABEL (row->until)),
                          goban_short_label_get_text (GOBAN_SHORT_LABEL (row->counts)));
}

char *
goban_moment_panel_dup_text (GobanMomentPanel *self)
{
  g_autofree char *queues = NULL;
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (GOBAN_IS_MOMENT_PANEL (self), NULL);

  for (guint d = 0; d < self->n_devices; d++)
    append_row_text (text, &g_array_index (self->rows, Row, d));
  queues = goban_queue_list_dup_text (GOBAN_QUEUE_LIST (self->queues));
  g_string_append (text, queues);
  return g_string_free (text, FALSE);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_moment_panel_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_moment_panel_parent_class)->map (widget);
  goban_moment_panel_update (GOBAN_MOMENT_PANEL (widget));
}

static void
goban_moment_panel_dispose (GObject *object)
{
  GobanMomentPanel *self = GOBAN_MOMENT_PANEL (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->rows, g_array_unref);
  self->n_devices = 0;
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_moment_panel_parent_class)->dispose (object);
}

static void
goban_moment_panel_class_init (GobanMomentPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_moment_panel_dispose;
  widget_class->map = goban_moment_panel_map;
  gtk_widget_class_set_css_name (widget_class, "momentpanel");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  goban_template_set (widget_class, "timeline/moment-panel.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanMomentPanel, box, list);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, queue_update);
}

static void
goban_moment_panel_init (GobanMomentPanel *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (self->rows, clear_row);
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_moment_panel_new (GobanSession *session)
{
  GobanMomentPanel *self = g_object_new (GOBAN_TYPE_MOMENT_PANEL, NULL);

  self->session = g_object_ref (session);
  self->queues = goban_queue_list_new (session);
  gtk_box_append (GTK_BOX (self->box), self->queues);
  GOBAN_CONNECT (session, "notify::shown-run", queue_update, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::time", queue_update, self);

  return GTK_WIDGET (self);
}
