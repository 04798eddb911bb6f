#include "engine/study/measure/measurement.h"

#include "engine/core/error.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/sim/trace-recorded.h"
#include "engine/study/measure/measure-report.h"
#include "engine/study/measure/ort.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/recorded-run.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

struct _GobanMeasurement
{
  GobanMeasurer *measurer;
  GPtrArray *recordings; /* GobanRun, one a plan */
  char *code;
};

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
    .seed = goban_run_get_seed (run),
    .evaluations = goban_run_get_evaluations (run),
    .seconds = goban_run_get_seconds (run),
    .expression = goban_run_get_expression (run),
  };

  if (!goban_plan_check (goban_run_get_plan (run), costs, error))
    return NULL;
  goban_run_origin_set_decisions (&origin, run);
  return goban_run_new_kept (costs, goban_run_get_plan (run), goban_run_get_name (run), &origin);
}

static gboolean
measure_all (GobanMeasurement *self, const GobanMeasureOrder *order, GError **error)
{
  GobanCostModel *costs = goban_measurer_get_costs (self->measurer);

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

const char *
goban_measurement_get_code (const GobanMeasurement *self)
{
  return self->code;
}

GobanMeasurer *
goban_measurement_get_measurer (const GobanMeasurement *self)
{
  return self->measurer;
}

GobanRun *
goban_measurement_get_recording (const GobanMeasurement *self, guint i)
{
  return g_ptr_array_index (self->recordings, i);
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
  const GobanCalibration *calibration = goban_measurer_get_calibration (self->measurer);
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
  for (guint i = 0; i < goban_measurer_get_n_runs (self->measurer); i++)
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
