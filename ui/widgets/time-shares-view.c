#include "ui/widgets/time-shares-view.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/coalescing-worker.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

/* Shares of so few nodes take no time. */
#define FEW_NODES 4000

/* Asked and answered: the runs, and their shares once they are made. */
typedef struct
{
  GobanRun *runs[2];          /* the second is (nullable) */
  GobanTimeShares *shares[2]; /* (nullable) */
} Shown;

struct _GobanTimeSharesView
{
  GtkWidget parent;

  GtkWidget *area;
  GobanCoalescingWorker *worker;
  GobanRun *runs[2]; /* (nullable): the request */
  Shown *shown;      /* (nullable) */
  GPtrArray *names;
  char *words;
  GobanTimeBars bars;
  GobanTextCache *text;
};

G_DEFINE_FINAL_TYPE (GobanTimeSharesView, goban_time_shares_view, GTK_TYPE_WIDGET)

/* --- making ----------------------------------------------------------------------------------- */

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&shown->runs[i], goban_run_unref);
      g_clear_pointer (&shown->shares[i], goban_time_shares_free);
    }
  g_free (shown);
}

static gpointer
make (const GobanProgress *progress, gpointer data, GError **error)
{
  const Shown *question = data;
  Shown *answer = g_new0 (Shown, 1);

  for (guint i = 0; i < 2 && question->runs[i] != NULL; i++)
    {
      GobanTrace *trace = goban_run_get_trace (question->runs[i]);

      answer->runs[i] = goban_run_ref (question->runs[i]);
      answer->shares[i]
          = goban_time_shares_new_of_devices (trace, 0, goban_trace_get_makespan (trace));
    }
  return answer;
}

/* --- showing ---------------------------------------------------------------------------------- */

static void
describe (GobanTimeSharesView *self)
{
  GString *words = g_string_new (_ ("What the devices do with their time"));

  for (guint d = 0; self->shown != NULL && d < self->names->len; d++)
    for (guint i = 0; i < 2 && self->shown->shares[i] != NULL; i++)
      {
        g_autofree char *line = goban_time_shares_describe_device (
            self->shown->shares[i], goban_run_get_trace (self->shown->runs[i]), d);

        g_string_append_printf (words, "\n%s%s",
                                self->shown->shares[1] == NULL ? ""
                                : i == 0                       ? "A "
                                                               : "B ",
                                line);
      }
  g_free (self->words);
  self->words = g_string_free (words, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->words, -1);
}

static void
resize (GobanTimeSharesView *self)
{
  int width = gtk_widget_get_width (self->area);
  double scale = goban_text_scale_of (self->area);
  int height = (int) ceil (
      scale * floor (goban_time_bars_get_height (&self->bars, MAX (width, 200) / scale)));

  if (gtk_drawing_area_get_content_height (GTK_DRAWING_AREA (self->area)) != height)
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->area), height);
}

/* @shown: (transfer full) (nullable) */
static void
show (GobanTimeSharesView *self, Shown *shown)
{
  GobanCluster *cluster = shown != NULL ? goban_run_get_cluster (shown->runs[0]) : NULL;

  g_clear_pointer (&self->shown, shown_free);
  self->shown = shown;
  g_ptr_array_set_size (self->names, 0);
  for (guint d = 0; cluster != NULL && d < goban_cluster_get_n_devices (cluster); d++)
    g_ptr_array_add (self->names,
                     g_strdup (goban_cluster_get_device (cluster, (GobanDeviceId) d)->name));
  self->bars.names = (const char *const *) self->names->pdata;
  self->bars.hover = -1;
  for (guint i = 0; i < 2; i++)
    self->bars.shares[i] = shown != NULL ? shown->shares[i] : NULL;
  describe (self);
  gtk_widget_set_visible (self->area, shown != NULL);
  resize (self);
  gtk_widget_queue_draw (self->area);
}

static void
take (gpointer answer, gpointer user_data)
{
  GobanTimeSharesView *self = user_data;
  Shown *shown = answer;

  if (shown->runs[0] == self->runs[0] && shown->runs[1] == self->runs[1])
    show (self, shown);
  else
    shown_free (shown);
}

void
goban_time_shares_view_set_runs (GobanTimeSharesView *self, GobanRun *run, GobanRun *other)
{
  Shown *question;

  g_return_if_fail (GOBAN_IS_TIME_SHARES_VIEW (self));

  if (run == self->runs[0] && other == self->runs[1])
    return;
  goban_run_set (&self->runs[0], run);
  goban_run_set (&self->runs[1], other);
  if (run == NULL)
    {
      goban_coalescing_worker_forget (self->worker);
      show (self, NULL);
      return;
    }
  question = g_new0 (Shown, 1);
  question->runs[0] = goban_run_ref (run);
  question->runs[1] = other != NULL ? goban_run_ref (other) : NULL;
  if (goban_graph_get_n_nodes (goban_run_get_graph (run)) > FEW_NODES)
    goban_coalescing_worker_ask (self->worker, question);
  else
    goban_coalescing_worker_ask_now (self->worker, question);
}

/* --- area ------------------------------------------------------------------------------------- */

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanTimeSharesView *self = user_data;
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, self->text);

  self->bars.theme = goban_theme_of (GTK_WIDGET (area));
  self->bars.ui_scale = goban_text_scale_of (GTK_WIDGET (area));
  goban_time_bars_paint (&self->bars, pen);
}

static void
theme_changed_cb (GobanTimeSharesView *self)
{
  resize (self);
  gtk_widget_queue_draw (self->area);
}

static void
resize_cb (GtkDrawingArea *area, int width, int height, gpointer user_data)
{
  resize (user_data);
}

static void
set_hover (GobanTimeSharesView *self, int hover)
{
  g_autofree char *text = NULL;

  if (hover == self->bars.hover)
    return;
  self->bars.hover = hover;
  if (hover >= 0)
    text = goban_time_bars_describe (&self->bars, hover);
  goban_set_tooltip (self->area, text);
  gtk_widget_queue_draw (self->area);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanTimeSharesView *self = user_data;
  double scale = goban_text_scale_of (self->area);

  set_hover (self, goban_time_bars_find (&self->bars, gtk_widget_get_width (self->area) / scale,
                                         (GobanPoint){ x / scale, y / scale }));
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  set_hover (user_data, -1);
}

static const GobanCoalescingWorkerKind making = { "Adding up", make, shown_free, shown_free, take };

static void
goban_time_shares_view_dispose (GObject *object)
{
  GobanTimeSharesView *self = GOBAN_TIME_SHARES_VIEW (object);

  g_clear_pointer (&self->worker, goban_coalescing_worker_free);
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->runs[i], goban_run_unref);
      self->bars.shares[i] = NULL;
    }
  g_clear_pointer (&self->shown, shown_free);
  g_clear_pointer (&self->area, gtk_widget_unparent);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_time_shares_view_parent_class)->dispose (object);
}

static void
goban_time_shares_view_class_init (GobanTimeSharesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_time_shares_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "timeshares");
}

static void
goban_time_shares_view_init (GobanTimeSharesView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->text = goban_text_cache_new ();
  self->worker = goban_coalescing_worker_new (&making, self);
  self->bars.hover = -1;
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, "visible", FALSE, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  g_signal_connect (self->area, "resize", G_CALLBACK (resize_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->area, motion);
  gtk_widget_set_parent (self->area, GTK_WIDGET (self));
  goban_theme_connect (self->area, self, G_CALLBACK (theme_changed_cb));
  describe (self);
}

GtkWidget *
goban_time_shares_view_new (void)
{
  return g_object_new (GOBAN_TYPE_TIME_SHARES_VIEW, NULL);
}

gboolean
goban_time_shares_view_is_busy (GobanTimeSharesView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIME_SHARES_VIEW (self), FALSE);

  return goban_coalescing_worker_is_busy (self->worker);
}

const GobanTimeBars *
goban_time_shares_view_get_bars (GobanTimeSharesView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIME_SHARES_VIEW (self), NULL);

  return &self->bars;
}

const char *
goban_time_shares_view_get_text (GobanTimeSharesView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIME_SHARES_VIEW (self), NULL);

  return self->words;
}
