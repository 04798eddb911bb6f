#include "ui/commands/commands-private.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/session/edit.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/measure/measure-report.h"
#include "ui/dialogs/calibrate-dialog.h"
#include "ui/dialogs/measure-dialog.h"
#include "ui/dialogs/parallel-dialog.h"
#include "ui/widgets/signals.h"

#include <math.h>

/* --- the cluster ------------------------------------------------------------------------------ */

static void
forget_wanted (GobanCommands *self)
{
  g_clear_pointer (&self->wanted.policy, g_free);
  g_clear_pointer (&self->wanted.cluster, goban_cluster_unref);
}

/* Plans for another number of devices are gone; the graph is placed again by the policy of the
 * shown plan. */
static void
place_on_cluster (GobanCommands *self)
{
  if (self->wanted.cluster == NULL
      || goban_session_get_cluster (self->site.session) != self->wanted.cluster)
    return;
  if (self->wanted.policy != NULL && goban_session_get_current_run (self->site.session) == NULL
      && goban_policy_exists (self->wanted.policy, NULL))
    goban_session_place (self->site.session, self->wanted.policy, 0);
  forget_wanted (self);
}

/* All plans are simulated on it in a worker. */
static void
adopt_cluster (GobanCommands *self, GobanCluster *cluster)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  g_autoptr (GobanEdit) edit = goban_edit_new (self->site.session, GOBAN_EDIT_CLUSTER, NULL);

  forget_wanted (self);
  self->wanted.policy
      = run != NULL ? g_strdup (goban_plan_get_policy (goban_run_get_plan (run))) : NULL;
  self->wanted.cluster = goban_cluster_ref (cluster);
  edit->cluster = goban_cluster_ref (cluster);
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
choose_preset (GobanCommands *self, GVariant *parameter)
{
  const char *spec = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);

  if (cluster == NULL)
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }

  adopt_cluster (self, cluster);
  /* A file may be gone the next time. */
  if (self->site.settings != NULL && !g_path_is_absolute (spec))
    goban_settings_set_string (self->site.settings, GOBAN_SETTING_CLUSTER, spec);
}

static void
open_cluster (gpointer data, GFile *file)
{
  GobanCommands *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (path != NULL ? path : "", &error);

  if (cluster != NULL)
    adopt_cluster (self, cluster);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

static void
choose_cluster_file (GobanCommands *self, GVariant *parameter)
{
  goban_file_chooser_open_cluster (self->parts.chooser, open_cluster, self);
}

/* --- dialogs and jobs ------------------------------------------------------------------------- */

/* Keeps a dialog at @at until it is closed. */
static void
present (GtkWidget **at, GtkWidget *dialog)
{
  *at = dialog;
  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *) at);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- parallel training ------------------------------------------------------------------ */

static void
take_result (GobanCommands *self, GobanParallelResult *result)
{
  GobanSession *session = self->site.session;

  goban_session_derive (session, result->run);
  if (self->dialogs.kind <= GOBAN_PARALLEL_PIPELINE)
    goban_view_set_color (goban_session_get_view (session), "micro_batch");
  if (goban_session_can_return (session))
    goban_session_say (session, FALSE, _ ("%s Undo goes back."), result->text);
  else
    goban_session_say (session, FALSE, "%s", result->text);
}

static void
made_cb (GobanJob *job, GobanCommands *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelResult) result = NULL;

  if (job != goban_session_get_job (self->site.session))
    return;
  result = goban_job_steal_result (job, &error);
  goban_session_take_job (self->site.session, NULL);
  if (result == NULL && self->dialogs.parallel != NULL
      && !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      goban_parallel_dialog_refuse (GOBAN_PARALLEL_DIALOG (self->dialogs.parallel), error->message);
      return;
    }
  goban_site_drop_dialog (&self->dialogs.parallel);
  if (result != NULL)
    take_result (self, result);
  else
    goban_session_say (self->site.session,
                       !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED), "%s",
                       error->message);
}

static void
make_cb (GobanParallelDialog *dialog, GobanCommands *self)
{
  const char *const titles[] = { _ ("Training in parallel"), _ ("Making a pipeline"),
                                 _ ("Copying the model"), _ ("Simulating a collective") };
  GobanSession *session = self->site.session;
  GobanParallelOrder *order = goban_parallel_dialog_make_order (dialog);
  GobanJob *job;

  self->dialogs.kind = order->kind;
  goban_session_cancel_job (session);
  job = goban_job_start (titles[self->dialogs.kind], goban_parallel_order_run, order,
                         (GDestroyNotify) goban_parallel_order_free,
                         (GDestroyNotify) goban_parallel_result_free);
  g_signal_connect_object (job, "done", G_CALLBACK (made_cb), self, 0);
  goban_session_take_job (session, job);
}

static void
schedule_chosen_cb (gpointer data, GFile *file)
{
  GobanCommands *self = data;
  g_autofree char *path = g_file_get_path (file);

  if (self->dialogs.parallel != NULL && path != NULL)
    goban_parallel_dialog_set_file (GOBAN_PARALLEL_DIALOG (self->dialogs.parallel), path);
}

static void
choose_schedule_cb (GobanCommands *self)
{
  goban_file_chooser_open (self->parts.chooser, _ ("Open a schedule"), schedule_chosen_cb, self);
}

static void
ask (GobanCommands *self, GobanParallelKind kind)
{
  GtkWidget *dialog;

  goban_site_drop_dialog (&self->dialogs.parallel);
  dialog = goban_parallel_dialog_new (GTK_WINDOW (self->site.window), self->site.session, kind);
  g_signal_connect_object (dialog, "make", G_CALLBACK (make_cb), self, 0);
  GOBAN_CONNECT (dialog, "choose-file", choose_schedule_cb, self);
  present (&self->dialogs.parallel, dialog);
}

static void
train_in_parallel (GobanCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_TRAINING);
}

static void
make_pipeline (GobanCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_PIPELINE);
}

static void
copy_model (GobanCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_COPIES);
}

static void
simulate_collective (GobanCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_COLLECTIVE);
}

/* --- measurements ----------------------------------------------------------------- */

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
  series->n = measurer->runs->len;
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
show_report (GobanCommands *self, const GobanMeasurer *measurer)
{
  GobanConsoleOutput *output
      = goban_console_view_get_output (goban_lower_pane_get_parts (self->lower)->console);
  g_autofree char *text = goban_measure_report_text (measurer);
  g_autoptr (GobanFigure) figure = make_figure (measurer);

  goban_console_output_end_line (output);
  goban_console_output_append (output, GOBAN_CONSOLE_STDOUT, text);
  if (goban_figure_complete (figure, NULL)) /* else there is nothing to draw */
    goban_console_output_show (output, &(GobanExhibit){ .figure = figure });
}

/* The largest error, as that of a plan alone says more than their mean. */
static void
say_result (GobanCommands *self, const GobanMeasurer *measurer)
{
  const char *doubt = measurer->doubt->str;
  guint n = measurer->runs->len, n_pairs, n_in_order;
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

static void
take_measurement (GobanCommands *self, const GobanMeasurement *measurement)
{
  GobanSession *session = self->site.session;
  const GobanMeasurer *measurer = measurement->measurer;
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
  goban_session_log (session, measurement->code);
  show_report (self, measurer);
  say_result (self, measurer);
}

/* Others may have used the machine: then people decide. */
static void
measured_cb (GobanJob *job, GobanCommands *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanMeasurement) measurement = NULL;

  if (job != goban_session_get_job (self->site.session))
    return;
  measurement = goban_job_steal_result (job, &error);
  goban_session_take_job (self->site.session, NULL);
  if (measurement != NULL)
    {
      goban_site_drop_dialog (&self->dialogs.measure);
      take_measurement (self, measurement);
    }
  else if (self->dialogs.measure != NULL
           && g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE))
    goban_measure_dialog_refuse (GOBAN_MEASURE_DIALOG (self->dialogs.measure), error->message);
  else
    {
      goban_site_drop_dialog (&self->dialogs.measure);
      goban_session_say (self->site.session,
                         !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED), "%s",
                         error->message);
    }
}

static void
measure_cb (GobanMeasureDialog *dialog, GobanCommands *self)
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

static gboolean
can_measure (GobanCommands *self)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_session_get_path (self->site.session) != NULL
         && g_str_equal (goban_graph_get_format (graph), "onnx");
}

static void
measure (GobanCommands *self, GVariant *parameter)
{
  GtkWidget *dialog;

  if (!can_measure (self))
    {
      goban_session_say (self->site.session, TRUE, "%s",
                         _ ("Only models from ONNX files can be measured: open one first"));
      return;
    }
  goban_site_drop_dialog (&self->dialogs.measure);
  dialog = goban_measure_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
  g_signal_connect_object (dialog, "measure", G_CALLBACK (measure_cb), self, 0);
  present (&self->dialogs.measure, dialog);
}

static void
times_chosen_cb (gpointer data, GFile *file)
{
  GobanCommands *self = data;
  g_autofree char *path = g_file_get_path (file);

  if (self->dialogs.measure != NULL && GOBAN_IS_CALIBRATE_DIALOG (self->dialogs.measure)
      && path != NULL)
    goban_calibrate_dialog_set_file (GOBAN_CALIBRATE_DIALOG (self->dialogs.measure), path);
}

static void
choose_times_cb (GobanCommands *self)
{
  goban_file_chooser_open (self->parts.chooser, _ ("Open measured times"), times_chosen_cb, self);
}

static void
calibrate (GobanCommands *self, GVariant *parameter)
{
  GtkWidget *dialog;

  goban_site_drop_dialog (&self->dialogs.measure);
  dialog = goban_calibrate_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
  GOBAN_CONNECT (dialog, "choose-file", choose_times_cb, self);
  present (&self->dialogs.measure, dialog);
}

/* A dialog is about the graph that was open, and a hidden one is waited for by its job alone. */
static void
graph_changed_cb (GobanCommands *self)
{
  static const char *const back[] = { "back-to-model", NULL };

  goban_site_drop_dialog (&self->dialogs.parallel);
  goban_site_drop_dialog (&self->dialogs.measure);
  goban_site_set_enabled (&self->site, back, goban_session_can_return (self->site.session));
}

static const GobanCommand commands[] = {
  { "cluster", G_CALLBACK (choose_preset) },
  { "cluster-file", G_CALLBACK (choose_cluster_file) },
  { "in-parallel", G_CALLBACK (train_in_parallel) },
  { "make-pipeline", G_CALLBACK (make_pipeline) },
  { "copy-model", G_CALLBACK (copy_model) },
  { "simulate-collective", G_CALLBACK (simulate_collective) },
  { "measure", G_CALLBACK (measure) },
  { "calibrate", G_CALLBACK (calibrate) },
};

void
goban_commands_connect_models (GobanCommands *self)
{
  GobanSession *session = self->site.session;

  GOBAN_CONNECT (session, "notify::cluster", place_on_cluster, self);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  graph_changed_cb (self);
  goban_site_connect (&self->site, commands, G_N_ELEMENTS (commands), self);
  goban_site_connect_command (&self->site, "back-to-model", G_CALLBACK (goban_session_return),
                              session);
}
