/* lua-measure.c: module measure: plans of ONNX models, run on this machine's cores.
 *
 * There is no option for the library of the executor: a script that could name one could run any
 * code. The environment variable names it, or it is where libraries are installed. Decision A14
 * (app/NOTES.md).
 */
#include "app/lua/lua-measure.h"

#include "app/lua/lua-cluster.h"
#include "app/lua/lua-graph.h"
#include "app/lua/lua-handle.h"
#include "app/lua/lua-paths.h"
#include "app/lua/lua-put.h"
#include "app/lua/lua-run.h"
#include "app/lua/lua-value.h"
#include "app/lua/lua-work.h"

#include "engine/measure/measure-report.h"
#include "engine/run/graph-source.h"
#include "engine/run/policy-run.h"

#include <string.h>

#define MAX_CORES 1024
#define MAX_RUNS 10000

typedef struct
{
  GobanMeasurer *measurer;
  GPtrArray *recorded; /* GobanRun, of the measured timelines */
} Measurement;

static const GobanLuaType measurement_type;

static void
clear_measurement (gpointer value)
{
  Measurement *self = value;

  g_clear_pointer (&self->measurer, goban_measurer_free);
  g_clear_pointer (&self->recorded, g_ptr_array_unref);
}

static void
free_measurement (gpointer value)
{
  clear_measurement (value);
  g_free (value);
}

static Measurement *
check_measurement (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &measurement_type);
}

/* --- measuring ------------------------------------------------------------------------------- */

typedef struct
{
  const char *model;
  int policies;
  int plans;
  gint64 n_cores;
  gint64 n_runs;
  gint64 batch;
  gint64 seed;
  gint64 evals;
  double seconds;
  gboolean force;
  const char *folder;
} MeasureOptions;

static const GobanLuaOption measure_options[] = {
  { "model", GOBAN_LUA_STRING, G_STRUCT_OFFSET (MeasureOptions, model) },
  { "policies", GOBAN_LUA_ANY, G_STRUCT_OFFSET (MeasureOptions, policies) },
  { "plans", GOBAN_LUA_ANY, G_STRUCT_OFFSET (MeasureOptions, plans) },
  { "cores", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (MeasureOptions, n_cores) },
  { "runs", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (MeasureOptions, n_runs) },
  { "batch", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (MeasureOptions, batch) },
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (MeasureOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (MeasureOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (MeasureOptions, seconds) },
  { "force", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (MeasureOptions, force) },
  { "folder", GOBAN_LUA_STRING, G_STRUCT_OFFSET (MeasureOptions, folder) },
  { NULL },
};

/* For the worker, which may not know Lua's. */
typedef struct
{
  char *model;
  char **policies; /* (nullable) */
  char **plans;    /* (nullable): paths */
  char *folder;    /* (nullable) */
  GobanMeasureOptions options;
  GobanRunOptions spending;
} Order;

static void
free_order (gpointer data)
{
  Order *order = data;

  g_free (order->model);
  g_strfreev (order->policies);
  g_strfreev (order->plans);
  g_free (order->folder);
  g_free (order);
}

/* Takes @predicted (nullable), as the error of making it is set then. */
static gboolean
measure_run (Measurement *self, GobanRun *predicted, GError **error)
{
  const GobanMeasuredRun *measured
      = predicted != NULL ? goban_measurer_run (self->measurer, predicted, error) : NULL;
  GobanRun *recorded = measured != NULL ? goban_measured_run_new_recorded (measured, error) : NULL;

  g_clear_pointer (&predicted, goban_run_unref);
  if (recorded == NULL)
    return FALSE;
  g_ptr_array_add (self->recorded, recorded);
  return TRUE;
}

static GobanRun *
load_run (GobanCostModel *costs, const char *path, GError **error)
{
  g_autoptr (GobanPlan) plan = goban_plan_load (path, costs, error);
  g_autofree char *name = g_path_get_basename (path);

  return plan != NULL ? goban_run_new (costs, plan, name) : NULL;
}

static gboolean
measure_all (Measurement *self, const Order *order, GError **error)
{
  GobanCostModel *costs = goban_measurer_get_costs (self->measurer);

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

static gpointer
run_order (const GobanProgress *progress, gpointer data, GError **error)
{
  Order *order = data;
  GobanLoadOptions loading = { .batch = order->options.batch, .progress = progress };
  g_autoptr (GobanGraph) graph = goban_graph_source_load (order->model, &loading, error);
  Measurement *self;

  if (graph == NULL)
    return NULL;
  order->options.progress = order->spending.progress = progress;
  self = g_new0 (Measurement, 1);
  self->recorded = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_unref);
  self->measurer = goban_measurer_new (order->model, graph, &order->options, error);
  if (self->measurer != NULL && measure_all (self, order, error))
    return self;
  free_measurement (self);
  return NULL;
}

static int
finish_order (lua_State *L, gpointer result)
{
  *(Measurement *) lua_touserdata (L, -1) = *(Measurement *) result;
  g_free (result);
  return 1;
}

/* Before minutes are spent on measurements. */
static void
check_policies (lua_State *L, int index)
{
  GError *error = NULL;
  lua_Integer n = (lua_Integer) lua_rawlen (L, index);

  goban_lua_check_texts (L, index, "opts.policies");
  for (lua_Integer i = 1; i <= n; i++)
    {
      lua_rawgeti (L, index, i);
      if (!goban_policy_exists (lua_tostring (L, -1), &error))
        goban_lua_raise_argument (L, 1, error);
      lua_pop (L, 1);
    }
}

static void
check_options (lua_State *L, const MeasureOptions *options)
{
  static const char *const default_policies[] = { "single", "heft", NULL };

  luaL_argcheck (L, options->model != NULL, 1, "opts.model: the path of which ONNX model?");
  luaL_argcheck (L, options->n_cores <= MAX_CORES, 1, "opts.cores is too large");
  luaL_argcheck (L, options->n_runs <= MAX_RUNS, 1, "opts.runs is too large");
  if (options->policies != 0)
    check_policies (L, options->policies);
  if (options->plans != 0)
    goban_lua_check_texts (L, options->plans, "opts.plans");
  if (options->policies == 0 && options->plans == 0)
    luaL_argerror (L, 1,
                   lua_pushfstring (L, "opts.policies: which? Such as %s and %s",
                                    default_policies[0], default_policies[1]));
}

/* measure.run{ model =, policies =, plans =, cores =, runs =, ..., force =, folder = } */
static int
measure_run_all (lua_State *L)
{
  MeasureOptions options = { 0 };
  Order *order;

  luaL_checktype (L, 1, LUA_TTABLE);
  goban_lua_check_options (L, 1, "opts", measure_options, &options);
  check_options (L, &options);
  goban_lua_check_write (L, options.folder);
  goban_lua_note_opened (L, options.model);
  goban_lua_push_handle (L, &measurement_type, 0);
  order = g_new0 (Order, 1);
  order->model = g_strdup (options.model);
  order->folder = g_strdup (options.folder);
  order->policies = options.policies != 0 ? goban_lua_dup_texts (L, options.policies) : NULL;
  order->plans = options.plans != 0 ? goban_lua_dup_texts (L, options.plans) : NULL;
  order->options = (GobanMeasureOptions){ .n_cores = (guint) options.n_cores,
                                          .n_runs = (guint) options.n_runs,
                                          .batch = options.batch,
                                          .is_forced = options.force };
  order->spending = (GobanRunOptions){ .seed = (guint64) options.seed,
                                       .max_evaluations = (guint64) options.evals,
                                       .max_seconds = options.seconds };
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Measuring plans",
                                             .run = run_order,
                                             .data = order,
                                             .free_data = free_order,
                                             .free_result = free_measurement,
                                             .finish = finish_order });
}

/* --- results --------------------------------------------------------------------------------- */

static void
push_plan (lua_State *L, Measurement *self, guint i)
{
  const GobanMeasuredRun *run = goban_measurer_get_run (self->measurer, i);

  lua_createtable (L, 0, 14);
  goban_lua_put_text (L, "name", goban_run_get_name (run->predicted));
  goban_lua_put_number (L, "predicted", goban_run_get_makespan_us (run->predicted) / 1e6);
  goban_lua_put_number (L, "measured", run->makespan_us.median / 1e6);
  goban_lua_put_number (L, "low", run->makespan_us.low / 1e6);
  goban_lua_put_number (L, "high", run->makespan_us.high / 1e6);
  goban_lua_put_number (L, "error", run->error);
  goban_lua_put_number (L, "op_error", run->median_op_error);
  goban_lua_put_number (L, "inside_share", run->inside_share);
  goban_lua_put_integer (L, "segments", run->n_segments);
  goban_lua_put_integer (L, "hand_overs", run->n_hand_overs);
  goban_lua_put_integer (L, "runs", run->n_runs);
  goban_lua_push_run (L, run->predicted);
  lua_setfield (L, -2, "run");
  goban_lua_push_run (L, g_ptr_array_index (self->recorded, i));
  lua_setfield (L, -2, "recorded");
}

static int
measurement_plans (lua_State *L)
{
  Measurement *self = check_measurement (L);
  guint n = goban_measurer_get_n_runs (self->measurer);

  lua_createtable (L, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      push_plan (L, self, i);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static void
push_op (lua_State *L, const GobanMeasuredRun *run, GobanNodeId v)
{
  const GobanMeasuredOp *op = &run->ops[v];

  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "node",
                      goban_graph_get_node (goban_run_get_graph (run->predicted), v)->name);
  goban_lua_put_number (L, "predicted_start", op->predicted_start_us / 1e6);
  goban_lua_put_number (L, "predicted", op->predicted_us / 1e6);
  goban_lua_put_number (L, "start", op->start_us / 1e6);
  goban_lua_put_number (L, "measured", op->measured_us / 1e6);
  goban_lua_put_boolean (L, "inside", !op->is_outside);
}

/* m:ops(i): of the i-th plan, in the order of the graph's nodes */
static int
measurement_ops (lua_State *L)
{
  Measurement *self = check_measurement (L);
  lua_Integer i = luaL_checkinteger (L, 2);
  const GobanMeasuredRun *run;
  guint n_nodes;

  luaL_argcheck (L, i >= 1 && i <= goban_measurer_get_n_runs (self->measurer), 2,
                 "there is no plan of that number");
  run = goban_measurer_get_run (self->measurer, (guint) (i - 1));
  n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run->predicted));
  lua_createtable (L, (int) n_nodes, 0);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      push_op (L, run, v);
      lua_rawseti (L, -2, v + 1);
    }
  return 1;
}

static int
measurement_text (lua_State *L)
{
  goban_lua_take_string (L, goban_measure_report_text (check_measurement (L)->measurer));
  return 1;
}

static int
measurement_csv (lua_State *L)
{
  goban_lua_take_string (L, goban_measure_report_csv (check_measurement (L)->measurer));
  return 1;
}

static int
measurement_json (lua_State *L)
{
  goban_lua_take_string (L, goban_measure_report_json (check_measurement (L)->measurer));
  return 1;
}

static int
get_cluster (lua_State *L)
{
  goban_lua_push_cluster (
      L, goban_measurer_get_calibration (check_measurement (L)->measurer)->cluster);
  return 1;
}

static int
get_graph (lua_State *L)
{
  goban_lua_push_graph (L, goban_measurer_get_calibration (check_measurement (L)->measurer)->graph);
  return 1;
}

static double
get_single (const GobanMeasurer *measurer)
{
  return goban_measurer_get_calibration (measurer)->single_us.median;
}

static double
get_latency (const GobanMeasurer *measurer)
{
  return goban_measurer_get_calibration (measurer)->hand_over.latency_us;
}

static int
measurement_tostring (lua_State *L)
{
  Measurement *self = check_measurement (L);

  lua_pushfstring (L, "Measurement of %s: %d plans%s",
                   goban_graph_get_name (goban_measurer_get_calibration (self->measurer)->graph),
                   (int) goban_measurer_get_n_runs (self->measurer),
                   *goban_measurer_get_doubt (self->measurer) != '\0' ? ", provisional" : "");
  return 1;
}

static const luaL_Reg methods[] = {
  { "csv", measurement_csv },     { "json", measurement_json }, { "ops", measurement_ops },
  { "plans", measurement_plans }, { "text", measurement_text }, { NULL, NULL },
};

static const GobanLuaField fields[] = {
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_cluster, "The cores as a cluster.", "m.cluster"),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_graph, "The model with its measured times.",
                   "plan.heft(m.graph, m.cluster)"),
  GOBAN_LUA_FIELD ("latency", TIME, get_latency, "Time of handing a small tensor to another core."),
  GOBAN_LUA_FIELD ("note", TEXT, goban_measurer_get_note,
                   "Remarks, such as random weights; \"\" for none."),
  GOBAN_LUA_FIELD ("provisional", TEXT, goban_measurer_get_doubt,
                   "The reason why the times are provisional; \"\" if the machine was idle."),
  GOBAN_LUA_FIELD ("single", TIME, get_single, "Time of the whole model on one core."),
  { NULL },
};

static const luaL_Reg meta[] = {
  { "__tostring", measurement_tostring },
  { NULL, NULL },
};

static const GobanLuaType measurement_type = {
  .name = "Measurement",
  .variable = "m",
  .size = sizeof (Measurement),
  .clear = clear_measurement,
  .methods = methods,
  .fields = fields,
  .meta = meta,
};

static const luaL_Reg functions[] = {
  { "run", measure_run_all },
  { NULL, NULL },
};

void
goban_lua_open_measure (lua_State *L)
{
  goban_lua_register (L, &measurement_type);
  goban_lua_module (L, "measure", functions);
}
