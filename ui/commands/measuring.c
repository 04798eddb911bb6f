#include "ui/commands/measuring.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/measure/measure-report.h"
#include "ui/dialogs/calibrate-dialog.h"
#include "ui/dialogs/measure-dialog.h"

#include <math.h>

struct _GobanMeasuring
{
  GObject parent;

  GobanSite site;
  GobanConsoleView *console;
  GobanFileChooser *chooser;
  GtkWidget *dialog; /* (nullable): kept hidden while its order is measured */
};

G_DEFINE_FINAL_TYPE (GobanMeasuring, goban_measuring, G_TYPE_OBJECT)

/* --- the report ------------------------------------------------------------------------------- */

/* Measured makespans over the predicted ones, a point a plan. (transfer full) */
static GobanFigure *
make_figure (const GobanMeasurer *measurer)
{
  GobanFigure *figure = goban_figure_new (GOBAN_FIGURE_SCATTER, 1);
  GobanFigureSeries *series = &figure->series[0];
  GobanFigureAxis *axes[] = { &figure->x, &figure->y };
  const char *const labels[] = { _ ("predicted"), _ ("measured") };

  g_free (figure->title);
  figure->title = g_strdup (_ ("Makespans, predicted and measured"));
  figure->has_identity = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_free (axes[i]->label);
      g_free (axes[i]->unit);
      axes[i]->label = g_strdup (labels[i]);
      axes[i]->unit = g_strdup ("s");
    }
  series->n = goban_measurer_get_n_runs (measurer);
  series->name = g_strdup ("");
  series->x = g_new (double, series->n + 1);
  series->y = g_new (double, series->n + 1);
  series->labels = g_new0 (char *, series->n + 1);
  for (guint i = 0; i < series->n; i++)
    {
      const GobanMeasuredRun *run = goban_measurer_get_run (measurer, i);

      series->x[i] = goban_run_get_makespan_us (run->predicted) / 1e6;
      series->y[i] = run->makespan_us.median / 1e6;
      series->labels[i] = g_strdup (goban_run_get_name (run->predicted));
    }
  return figure;
}

static void
show_report (GobanMeasuring *self, const GobanMeasurer *measurer)
{
  GobanConsoleOutput *output = goban_console_view_get_output (self->console);
  g_autofree char *text = goban_measure_report_text (measurer);
  g_autoptr (GobanFigure) figure = make_figure (measurer);

  goban_console_output_end_line (output);
  goban_console_output_append (output, GOBAN_CONSOLE_STDOUT, text);
  if (goban_figure_complete (figure, NULL)) /* else there is nothing to draw */
    goban_console_output_show (output, &(GobanExhibit){ .figure = figure });
}

/* The largest error, as that of a plan alone says more than their mean. */
static void
say_result (GobanMeasuring *self, const GobanMeasurer *measurer)
{
  const char *doubt = goban_measurer_get_doubt (measurer);
  guint n = goban_measurer_get_n_runs (measurer), n_pairs, n_in_order;
  double worst = 0;

  for (guint i = 0; i < n; i++)
    worst = MAX (worst, fabs (goban_measurer_get_run (measurer, i)->error));
  goban_measurer_count_pairs (measurer, &n_pairs, &n_in_order);
  goban_session_say (self->site.session, FALSE,
                     _ ("Measured %u plans: predictions are at most %.1f %% off, %u of %u pairs "
                        "are in the predicted order%s%s"),
                     n, worst * 100, n_in_order, n_pairs,
                     *doubt != '\0' ? _ ("; provisional: ") : "", doubt);
}

/* --- the job ---------------------------------------------------------------------------------- */

static void
take_measurement (GobanMeasuring *self, const GobanMeasurement *measurement)
{
  GobanSession *session = self->site.session;
  const GobanMeasurer *measurer = goban_measurement_get_measurer (measurement);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GobanCostModel) costs
      = goban_measurement_make_runs (measurement, goban_session_get_graph (session), &runs, &error);

  if (costs == NULL)
    {
      goban_session_say (session, TRUE, "%s", error->message);
      return;
    }
  goban_session_add_measured (session, costs, runs);
  goban_session_log (session, goban_measurement_get_code (measurement));
  show_report (self, measurer);
  say_result (self, measurer);
}

/* Others may have used the machine: then people decide. */
static void
measured_cb (GobanJob *job, GobanMeasuring *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanMeasurement) measurement = NULL;

  if (job != goban_session_get_job (self->site.session))
    return;
  measurement = goban_job_steal_result (job, &error);
  goban_session_take_job (self->site.session, NULL);
  if (measurement != NULL)
    {
      goban_site_drop_dialog (&self->dialog);
      take_measurement (self, measurement);
    }
  else if (self->dialog != NULL && g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE))
    goban_measure_dialog_refuse (GOBAN_MEASURE_DIALOG (self->dialog), error->message);
  else
    {
      goban_site_drop_dialog (&self->dialog);
      goban_session_say (self->site.session,
                         !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED), "%s",
                         error->message);
    }
}

static void
measure_cb (GobanMeasureDialog *dialog, GobanMeasuring *self)
{
  GobanSession *session = self->site.session;
  GobanJob *job;

  goban_session_cancel_job (session);
  job = goban_job_start (
      _ ("Measuring plans"), goban_measure_order_run, goban_measure_dialog_make_order (dialog),
      (GDestroyNotify) goban_measure_order_free, (GDestroyNotify) goban_measurement_free);
  g_signal_connect_object (job, "done", G_CALLBACK (measured_cb), self, 0);
  goban_session_take_job (session, job);
}

/* --- asking ----------------------------------------------------------------------------------- */

static gboolean
can_measure (GobanMeasuring *self)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_session_get_path (self->site.session) != NULL
         && g_str_equal (goban_graph_get_format (graph), "onnx");
}

static void
measure (GobanMeasuring *self, GVariant *parameter)
{
  if (!can_measure (self))
    {
      goban_session_say (self->site.session, TRUE, "%s",
                         _ ("Only models from ONNX files can be measured: open one first"));
      return;
    }
  goban_site_drop_dialog (&self->dialog);
  self->dialog = goban_measure_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
  g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
  g_signal_connect_object (self->dialog, "measure", G_CALLBACK (measure_cb), self, 0);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
file_chosen_cb (gpointer data, GFile *file)
{
  GobanMeasuring *self = data;
  g_autofree char *path = g_file_get_path (file);

  if (self->dialog != NULL && GOBAN_IS_CALIBRATE_DIALOG (self->dialog) && path != NULL)
    goban_calibrate_dialog_set_file (GOBAN_CALIBRATE_DIALOG (self->dialog), path);
}

static void
choose_file_cb (GobanMeasuring *self)
{
  goban_file_chooser_open (self->chooser, _ ("Open measured times"), file_chosen_cb, self);
}

static void
calibrate (GobanMeasuring *self, GVariant *parameter)
{
  goban_site_drop_dialog (&self->dialog);
  self->dialog = goban_calibrate_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
  g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
  g_signal_connect_object (self->dialog, "choose-file", G_CALLBACK (choose_file_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

/* A dialog is about the graph that was open, and a hidden one is waited for by its job alone. */
static void
graph_changed_cb (GobanMeasuring *self)
{
  goban_site_drop_dialog (&self->dialog);
}

static const GobanCommand commands[] = {
  { "measure", G_CALLBACK (measure) },
  { "calibrate", G_CALLBACK (calibrate) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_measuring_dispose (GObject *object)
{
  goban_site_drop_dialog (&GOBAN_MEASURING (object)->dialog);
  G_OBJECT_CLASS (goban_measuring_parent_class)->dispose (object);
}

static void
goban_measuring_class_init (GobanMeasuringClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_measuring_dispose;
}

static void
goban_measuring_init (GobanMeasuring *self)
{
}

GobanMeasuring *
goban_measuring_new (const GobanSite *site, GobanConsoleView *console, GobanFileChooser *chooser)
{
  GobanMeasuring *self = g_object_new (GOBAN_TYPE_MEASURING, NULL);

  self->site = *site;
  self->console = console;
  self->chooser = chooser;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (graph_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
