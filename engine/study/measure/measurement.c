#include "engine/study/measure/measurement.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/sim/trace-recorded.h"
#include "engine/study/measure/machine.h"
#include "engine/study/measure/measure-report.h"
#include "engine/study/measure/ort.h"
#include "engine/study/measure/timing.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

#define DEFAULT_CORES 2
#define DEFAULT_RUNS 25
/* For the repeats of one plan, and as long again for the profiles of its kernels. */
#define MOST_US 3e6
#define DEFAULT_IDLE_MS 1000
#define FORCED_IDLE_MS 200
#define IDLE_STEP_MS 50
/* Predictions that are nearer to each other need not be measured in their order. */
#define APART 0.10

/* --- doubts ---------------------------------------------------------------------------------- */

/* FALSE with the error unless the measurement is forced. Takes @reason. */
static gboolean
go_on (const GobanMeasurer *self, char *reason, GError **error)
{
  g_autofree char *owned = reason;

  return self->options.is_forced
         || goban_refuse (error, GOBAN_ERROR_INFEASIBLE,
                          "this machine is not idle, so that times would mean nothing: %s; wait "
                          "until it is, or force the measurement (--force)",
                          owned);
}

/* All doubts in one sentence, however many plans were run. */
static void
sum_up (GobanMeasurer *self)
{
  g_string_truncate (self->doubt, 0);
  if (self->load > GOBAN_MACHINE_MOST_LOAD)
    g_string_append_printf (self->doubt,
                            self->is_busy
                                ? _ ("other processes took up to %.0f %% of its cores, so that "
                                     "times are processor times of the threads")
                                : _ ("other processes took up to %.0f %% of its cores"),
                            self->load * 100);
  if (self->uneven->len > 0)
    g_string_append_printf (self->doubt, _ ("%srepeats were uneven (%s)"),
                            self->doubt->len > 0 ? "; " : "", self->uneven->str);
}

static gboolean
check_load (GobanMeasurer *self, const GobanLoadWatch *watch, GError **error)
{
  double load;

  if (!goban_load_watch_get (watch, &load, error))
    return FALSE;
  self->load = MAX (self->load, load);
  sum_up (self);
  return load <= GOBAN_MACHINE_MOST_LOAD
         || go_on (self,
                   g_strdup_printf (_ ("other processes took %.0f %% of its cores"), load * 100),
                   error);
}

static gboolean
check_spread (GobanMeasurer *self, const GobanSpread *spread, guint n_runs, const char *what,
              GError **error)
{
  if (goban_spread_is_even (spread, n_runs))
    return TRUE;
  g_string_append_printf (self->uneven, "%s%s", self->uneven->len > 0 ? ", " : "", what);
  sum_up (self);
  return go_on (self,
                g_strdup_printf (_ ("the middle half of the repeats of %s differs by %.0f %%, and "
                                    "%u of %u are outliers"),
                                 what, 100 * spread->middle / MAX (spread->median, 1e-3),
                                 spread->n_outliers, n_runs),
                error);
}

/* Sleeps, and measures how much other programs ran meanwhile. */
static gboolean
check_idle (GobanMeasurer *self, GError **error)
{
  GobanLoadWatch watch;
  gboolean ok = goban_load_watch_init (&watch, self->cpus, self->options.n_cores, error);

  for (guint i = 0; ok && i < MAX (self->options.idle_ms / IDLE_STEP_MS, 1); i++)
    {
      g_usleep (IDLE_STEP_MS * 1000);
      ok = goban_progress_check (self->options.progress, error);
    }
  ok = ok && check_load (self, &watch, error);
  self->is_busy = self->load > GOBAN_MACHINE_MOST_LOAD;
  sum_up (self);
  goban_load_watch_clear (&watch);
  return ok;
}

/* --- calibration ----------------------------------------------------------------------------- */

static GobanTimingOptions
get_timing_options (const GobanMeasurer *self)
{
  return (GobanTimingOptions){ .cpus = self->cpus,
                               .n_runs = self->options.n_runs,
                               .most_us = MOST_US,
                               .is_own_time = self->is_busy,
                               .has_kernels = TRUE,
                               .progress = self->options.progress };
}

static gboolean
calibrate (GobanMeasurer *self, GError **error)
{
  GobanTimingOptions options = get_timing_options (self);
  GobanLoadWatch watch;
  gboolean ok = goban_load_watch_init (&watch, self->cpus, self->options.n_cores, error);

  if (ok)
    self->calibration
        = goban_calibration_new (self->ort, self->parts, self->options.n_cores, &options, error);
  ok = self->calibration != NULL && check_load (self, &watch, error)
       && check_spread (self, &self->calibration->single_us, self->calibration->n_runs,
                        _ ("the model on one core"), error);
  goban_load_watch_clear (&watch);
  return ok;
}

static void
make_note (GobanMeasurer *self, const char *shared_cores)
{
  guint n_random = goban_model_parts_get_n_random (self->parts);
  g_autofree char *weights
      = n_random > 0
            ? g_strdup_printf (_ ("%u constants without data got random numbers"), n_random)
            : NULL;

  if (shared_cores != NULL && weights != NULL)
    self->note = g_strdup_printf ("%s; %s", shared_cores, weights);
  else
    self->note = g_strdup (shared_cores != NULL ? shared_cores : weights != NULL ? weights : "");
}

/* Calibrating takes about as long as a plan. */
static void
tell (const GobanMeasurer *self, guint n_done, const char *what)
{
  guint n_plans = self->options.n_plans;

  goban_progress_step (self->options.progress, n_plans > 0 ? MIN (n_done / (n_plans + 1.0), 1) : -1,
                       what);
}

GobanMeasurer *
goban_measurer_new (const char *path, GobanGraph *graph, const GobanMeasureOptions *options,
                    GError **error)
{
  g_autoptr (GobanMeasurer) self = g_new0 (GobanMeasurer, 1);
  g_autofree char *shared_cores = NULL;

  self->options = *options;
  self->options.runtime = NULL; /* the caller's, and needed here alone */
  if (self->options.n_cores == 0)
    self->options.n_cores = DEFAULT_CORES;
  if (self->options.n_runs == 0)
    self->options.n_runs = DEFAULT_RUNS;
  if (self->options.idle_ms == 0)
    self->options.idle_ms = options->is_forced ? FORCED_IDLE_MS : DEFAULT_IDLE_MS;
  self->doubt = g_string_new (NULL);
  self->uneven = g_string_new (NULL);
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_measured_run_free);
  if (self->options.n_cores > GOBAN_MAX_DEVICES)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "at most %u cores can be measured",
                       GOBAN_MAX_DEVICES);
      return NULL;
    }
  self->cpus = g_new0 (guint, self->options.n_cores + 1);
  self->ort = goban_ort_load (options->runtime, error);
  if (self->ort == NULL
      || !goban_machine_choose (self->options.n_cores, self->cpus, &shared_cores, error))
    return NULL;
  self->parts = goban_model_parts_new (path, graph, options->batch, error);
  if (self->parts == NULL || !check_idle (self, error))
    return NULL;
  tell (self, 0, _ ("calibrating the model on one core"));
  if (!calibrate (self, error))
    return NULL;
  make_note (self, shared_cores);
  return g_steal_pointer (&self);
}

void
goban_measurer_free (GobanMeasurer *self)
{
  g_clear_pointer (&self->calibration, goban_calibration_free);
  g_clear_pointer (&self->parts, goban_model_parts_free);
  g_clear_pointer (&self->ort, goban_ort_free);
  g_ptr_array_unref (self->runs);
  g_string_free (self->doubt, TRUE);
  g_string_free (self->uneven, TRUE);
  g_free (self->cpus);
  g_free (self->note);
  g_free (self);
}

/* --- plans ----------------------------------------------------------------------------------- */

const GobanMeasuredRun *
goban_measurer_run (GobanMeasurer *self, GobanRun *predicted, GError **error)
{
  GobanTimingOptions options = get_timing_options (self);
  const char *name = goban_run_get_name (predicted);
  g_autofree char *what = g_strdup_printf (_ ("running %s"), name);
  GobanMeasuredRun *measured = NULL;
  GobanLoadWatch watch;
  gboolean ok;

  g_return_val_if_fail (goban_run_get_costs (predicted) == self->calibration->costs, NULL);

  tell (self, self->runs->len + 1, what);
  ok = goban_load_watch_init (&watch, self->cpus, self->options.n_cores, error);
  if (ok)
    measured = goban_measured_run_new (self->ort, self->parts, self->calibration, predicted,
                                       &options, error);
  ok = measured != NULL && check_load (self, &watch, error)
       && check_spread (self, &measured->makespan_us, measured->n_runs, name, error);
  goban_load_watch_clear (&watch);
  if (!ok)
    {
      g_clear_pointer (&measured, goban_measured_run_free);
      return NULL;
    }
  g_ptr_array_add (self->runs, measured);
  return measured;
}

const GobanMeasuredRun *
goban_measurer_get_run (const GobanMeasurer *self, guint i)
{
  return g_ptr_array_index (self->runs, i);
}

void
goban_measurer_count_pairs (const GobanMeasurer *self, guint *n_pairs, guint *n_in_order)
{
  *n_pairs = *n_in_order = 0;
  for (guint i = 0; i < self->runs->len; i++)
    for (guint j = 0; j < self->runs->len; j++)
      {
        const GobanMeasuredRun *a = g_ptr_array_index (self->runs, i);
        const GobanMeasuredRun *b = g_ptr_array_index (self->runs, j);

        if (!(goban_run_get_makespan_us (b->predicted)
              > goban_run_get_makespan_us (a->predicted) * (1 + APART)))
          continue;
        ++*n_pairs;
        if (b->makespan_us.median > a->makespan_us.median)
          ++*n_in_order;
      }
}

/* --- orders ---------------------------------------------------------------------------------- */

GobanMeasureOrder *
goban_measure_order_new (const char *model)
{
  GobanMeasureOrder *self = g_new0 (GobanMeasureOrder, 1);

  self->model = g_strdup (model);
  return self;
}

void
goban_measure_order_free (GobanMeasureOrder *self)
{
  g_free (self->model);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_strfreev (self->policies);
  g_strfreev (self->plans);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_free (self->code);
  g_free (self->folder);
  g_free (self->runtime);
  goban_run_options_clear (&self->spending);
  g_free (self);
}

/* Takes @predicted (nullable), as the error of making it is set then. */
static gboolean
measure_run (GobanMeasurement *self, GobanRun *predicted, GError **error)
{
  g_autoptr (GobanRun) owned = predicted;
  const GobanMeasuredRun *measured
      = owned != NULL ? goban_measurer_run (self->measurer, owned, error) : NULL;
  GobanRun *recording = measured != NULL ? goban_measured_run_new_recorded (measured, error) : NULL;

  if (recording == NULL)
    return FALSE;
  g_ptr_array_add (self->recordings, recording);
  return TRUE;
}

static GobanRun *
load_run (GobanCostModel *costs, const char *path, GError **error)
{
  g_autoptr (GobanPlan) plan = goban_plan_load (path, costs, error);
  g_autofree char *name = g_path_get_basename (path);

  return plan != NULL ? goban_run_new (costs, plan, name) : NULL;
}

/* The same plan with measured costs, and with the record of its policy. */
static GobanRun *
run_again (GobanCostModel *costs, GobanRun *run, GError **error)
{
  GobanRunOrigin origin = {
    .seed = goban_run_get_origin (run)->seed,
    .evaluations = goban_run_get_origin (run)->evaluations,
    .seconds = goban_run_get_origin (run)->seconds,
    .expression = goban_run_get_origin (run)->expression,
  };

  if (!goban_plan_check (goban_run_get_plan (run), costs, error))
    return NULL;
  goban_run_origin_set_decisions (&origin, run);
  return goban_run_new_kept (costs, goban_run_get_plan (run), goban_run_get_name (run), &origin);
}

static gboolean
measure_all (GobanMeasurement *self, const GobanMeasureOrder *order, GError **error)
{
  GobanCostModel *costs = self->measurer->calibration->costs;

  for (guint i = 0; order->runs != NULL && i < order->runs->len; i++)
    if (!measure_run (self, run_again (costs, g_ptr_array_index (order->runs, i), error), error))
      return FALSE;
  for (guint i = 0; order->plans != NULL && order->plans[i] != NULL; i++)
    if (!measure_run (self, load_run (costs, order->plans[i], error), error))
      return FALSE;
  for (guint i = 0; order->policies != NULL && order->policies[i] != NULL; i++)
    if (!measure_run (
            self, goban_run_new_from_policy (costs, order->policies[i], &order->spending, error),
            error))
      return FALSE;
  return order->folder == NULL || goban_measure_save (self->measurer, order->folder, error);
}

gpointer
goban_measure_order_run (const GobanProgress *progress, gpointer data, GError **error)
{
  GobanMeasureOrder *order = data;
  GobanLoadOptions loading = { .batch = order->options.batch, .progress = progress };
  g_autoptr (GobanGraph) graph = order->graph != NULL
                                     ? goban_graph_ref (order->graph)
                                     : goban_graph_source_load (order->model, &loading, error);
  g_autoptr (GobanMeasurement) self = NULL;

  if (graph == NULL)
    return NULL;
  order->options.runtime = order->runtime;
  order->options.n_plans = (order->runs != NULL ? order->runs->len : 0)
                           + (order->plans != NULL ? g_strv_length (order->plans) : 0)
                           + (order->policies != NULL ? g_strv_length (order->policies) : 0);
  order->options.progress = order->spending.progress = progress;
  self = g_new0 (GobanMeasurement, 1);
  self->recordings = goban_run_array_new ();
  self->code = g_strdup (order->code);
  self->measurer = goban_measurer_new (order->model, graph, &order->options, error);
  if (self->measurer == NULL || !measure_all (self, order, error))
    return NULL;
  return g_steal_pointer (&self);
}

char *
goban_measure_find_runtime (GError **error)
{
  g_autoptr (GobanOrt) ort = goban_ort_load (NULL, error);

  return ort != NULL ? g_strdup (goban_ort_get_version (ort)) : NULL;
}

/* --- results --------------------------------------------------------------------------------- */

void
goban_measurement_free (GobanMeasurement *self)
{
  g_clear_pointer (&self->measurer, goban_measurer_free);
  g_clear_pointer (&self->recordings, g_ptr_array_unref);
  g_free (self->code);
  g_free (self);
}

static gboolean
has_same_nodes (const GobanGraph *a, const GobanGraph *b)
{
  guint n_nodes = goban_graph_get_n_nodes (a);

  if (goban_graph_get_n_nodes (b) != n_nodes)
    return FALSE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (strcmp (goban_graph_get_node (a, v)->name, goban_graph_get_node (b, v)->name) != 0)
      return FALSE;
  return TRUE;
}

static GobanRun *
make_measured (const GobanMeasuredRun *measured, GobanCostModel *costs, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  g_autofree double *start_us = g_new (double, n_nodes + 1);
  g_autofree double *finish_us = g_new (double, n_nodes + 1);
  g_autofree char *name
      = g_strconcat (goban_run_get_name (measured->predicted), GOBAN_MEASURED_SUFFIX, NULL);
  g_autoptr (GobanTrace) trace = NULL;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      start_us[v] = measured->ops[v].start_us;
      finish_us[v] = measured->ops[v].start_us + measured->ops[v].measured_us;
    }
  trace = goban_trace_new_recorded (costs, goban_run_get_plan (measured->predicted), start_us,
                                    finish_us, error);
  return trace != NULL ? goban_run_new_recorded (trace, name) : NULL;
}

GobanCostModel *
goban_measurement_make_runs (const GobanMeasurement *self, GobanGraph *graph, GPtrArray **runs,
                             GError **error)
{
  const GobanCalibration *calibration = self->measurer->calibration;
  g_autoptr (GPtrArray) made = goban_run_array_new ();
  g_autoptr (GobanCostModel) costs = NULL;

  if (!has_same_nodes (calibration->graph, graph))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the measured model has other nodes than the graph that is open");
      return NULL;
    }
  costs = goban_cost_model_new_given (graph, calibration->cluster, GOBAN_EXECUTION_EVENTS,
                                      goban_cost_model_get_given_times (calibration->costs));
  for (guint i = 0; i < self->measurer->runs->len; i++)
    {
      const GobanMeasuredRun *measured = goban_measurer_get_run (self->measurer, i);
      GobanRun *simulated = run_again (costs, measured->predicted, error);
      GobanRun *recorded = simulated != NULL ? make_measured (measured, costs, error) : NULL;

      if (simulated != NULL)
        g_ptr_array_add (made, simulated);
      if (recorded == NULL)
        return NULL;
      g_ptr_array_add (made, recorded);
    }
  *runs = g_steal_pointer (&made);
  return g_steal_pointer (&costs);
}
