/* lua-measure.c: module measure: plans of ONNX models, run on this machine's cores.
 *
 * There is no option for the library of the executor: a script that could name one could run any
 * code. The environment variable names it, or it is where libraries are installed. Decision A14
 * (app/NOTES.md).
 */
#include "app/lua/jobs/lua-measure.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/view/lua-view.h"

#include "engine/core/error.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/log/measure-line.h"
#include "engine/study/measure/measure-report.h"
#include "engine/study/measure/measurement.h"
#include "engine/study/run/run-list.h"

static const GobanLuaType measurement_type;

static GobanMeasurement *
check_measurement (lua_State *L)
{
  return goban_lua_check_pointer (L, 1, &measurement_type);
}

static GobanMeasurer *
check_measurer (lua_State *L)
{
  return check_measurement (L)->measurer;
}

static const GobanCalibration *
check_calibration (lua_State *L)
{
  return check_measurer (L)->calibration;
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

/* On the order on top of the stack. */
static int
run_order (lua_State *L)
{
  GobanMeasureOrder *order = *(gpointer *) lua_touserdata (L, -1);
  GobanMeasurement **handle = goban_lua_push_handle (L, &measurement_type, 0);
  const GobanProgress *progress = goban_lua_begin_work (L);
  GError *error = NULL;

  *handle = goban_measure_order_run (progress, order, &error);
  goban_lua_end_work (L, &error);
  return *handle != NULL ? 1 : goban_lua_fail (L, error);
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

/* Paths, runs, and places of runs in the list. */
static void
check_plans (lua_State *L, int index)
{
  luaL_argcheck (L, lua_istable (L, index), 1, "opts.plans: a list of paths, runs or places");
  for (lua_Integer i = 1; lua_rawgeti (L, index, i) != LUA_TNIL; i++)
    {
      if (lua_type (L, -1) == LUA_TNUMBER)
        goban_lua_check_run_place (L, lua_gettop (L));
      else if (lua_type (L, -1) != LUA_TSTRING && goban_lua_test_run (L, lua_gettop (L)) == NULL)
        luaL_argerror (L, 1, "opts.plans: a path, a run or its place in the list expected");
      lua_pop (L, 1);
    }
  lua_pop (L, 1);
}

/* With its place, if it is in the list. */
static void
add_run (lua_State *L, GobanMeasureOrder *order, GArray *places, GobanRun *run)
{
  guint place;

  g_ptr_array_add (order->runs, goban_run_ref (run));
  if (!goban_run_list_find (goban_session_get_runs (goban_lua_get_session (L)), run, &place))
    return;
  place++;
  g_array_append_val (places, place);
}

/* Checked: nothing raises. */
static void
take_plans (lua_State *L, int index, GobanMeasureOrder *order, GArray *places)
{
  GPtrArray *paths = g_ptr_array_new ();

  order->runs = goban_run_array_new ();
  for (lua_Integer i = 1; lua_rawgeti (L, index, i) != LUA_TNIL; i++)
    {
      if (lua_type (L, -1) == LUA_TSTRING)
        g_ptr_array_add (paths, g_strdup (lua_tostring (L, -1)));
      else if (lua_type (L, -1) == LUA_TNUMBER)
        add_run (L, order, places, goban_lua_check_run_place (L, lua_gettop (L)));
      else
        add_run (L, order, places, goban_lua_test_run (L, lua_gettop (L)));
      lua_pop (L, 1);
    }
  lua_pop (L, 1);
  g_ptr_array_add (paths, NULL);
  order->plans = (char **) g_ptr_array_free (paths, FALSE);
}

static void
check_options (lua_State *L, const MeasureOptions *options)
{
  static const char *const default_policies[] = { "single", "heft", NULL };

  luaL_argcheck (L, options->model != NULL, 1, "opts.model: the path of which ONNX model?");
  luaL_argcheck (L, options->n_cores <= GOBAN_MAX_DEVICES, 1, "opts.cores is too large");
  luaL_argcheck (L, options->n_runs <= GOBAN_MEASURER_MOST_RUNS, 1, "opts.runs is too large");
  if (options->policies != 0)
    check_policies (L, options->policies);
  if (options->plans != 0)
    check_plans (L, options->plans);
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
  GobanMeasureOrder *order;
  GArray *places;
  gpointer *kept;

  luaL_checktype (L, 1, LUA_TTABLE);
  goban_lua_check_options (L, 1, "opts", measure_options, &options);
  check_options (L, &options);
  goban_lua_check_write (L, options.folder);
  goban_lua_note_opened (L, options.model);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_measure_order_free);
  *kept = order = goban_measure_order_new (options.model);
  places = g_array_new (FALSE, FALSE, sizeof (guint));
  order->folder = g_strdup (options.folder);
  order->policies = options.policies != 0 ? goban_lua_dup_texts (L, options.policies) : NULL;
  if (options.plans != 0)
    take_plans (L, options.plans, order, places);
  order->code = goban_log_measure (&(GobanMeasureWords){
      .model = order->model,
      .policies = (const char *const *) order->policies,
      .plans = (const char *const *) order->plans,
      .places = places,
      .n_cores = (guint) options.n_cores,
      .n_runs = (guint) options.n_runs,
      .is_forced = options.force,
  });
  g_array_unref (places);
  order->options = (GobanMeasureOptions){ .n_cores = (guint) options.n_cores,
                                          .n_runs = (guint) options.n_runs,
                                          .batch = options.batch,
                                          .is_forced = options.force };
  order->spending = (GobanRunOptions){ .seed = (guint64) options.seed,
                                       .max_evaluations = (guint64) options.evals,
                                       .max_seconds = options.seconds };
  return goban_lua_then (L, run_order);
}

/* --- results --------------------------------------------------------------------------------- */

static void
push_plan (lua_State *L, const GobanMeasurement *self, guint i)
{
  const GobanMeasuredRun *run = goban_measurer_get_run (self->measurer, i);

  lua_createtable (L, 0, 15);
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
  goban_lua_put_integer (L, "outliers", run->makespan_us.n_outliers);
  goban_lua_push_run (L, run->predicted);
  lua_setfield (L, -2, "run");
  goban_lua_push_run (L, self->recordings->pdata[i]);
  lua_setfield (L, -2, "recorded");
}

static int
measurement_plans (lua_State *L)
{
  const GobanMeasurement *self = check_measurement (L);
  guint n = self->measurer->runs->len;

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
  const GobanMeasurer *self = check_measurer (L);
  lua_Integer i = luaL_checkinteger (L, 2);
  const GobanMeasuredRun *run;
  guint n_nodes;

  luaL_argcheck (L, i >= 1 && i <= self->runs->len, 2, "there is no plan of that number");
  run = goban_measurer_get_run (self, (guint) (i - 1));
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
  goban_lua_take_string (L, goban_measure_report_text (check_measurer (L)));
  return 1;
}

static int
measurement_csv (lua_State *L)
{
  goban_lua_take_string (L, goban_measure_report_csv (check_measurer (L)));
  return 1;
}

static int
measurement_json (lua_State *L)
{
  goban_lua_take_string (L, goban_measure_report_json (check_measurer (L)));
  return 1;
}

static int
get_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, check_calibration (L)->cluster);
  return 1;
}

static int
get_graph (lua_State *L)
{
  goban_lua_push_graph (L, check_calibration (L)->graph);
  return 1;
}

static double
get_single (const GobanMeasurement *self)
{
  return self->measurer->calibration->single_us.median;
}

static double
get_latency (const GobanMeasurement *self)
{
  return self->measurer->calibration->hand_over.latency_us;
}

static const char *
get_doubt (const GobanMeasurement *self)
{
  return self->measurer->doubt->str;
}

static const char *
get_note (const GobanMeasurement *self)
{
  return self->measurer->note;
}

static int
measurement_tostring (lua_State *L)
{
  const GobanMeasurement *self = check_measurement (L);

  lua_pushfstring (
      L, "Measurement of %s: %d plan%s%s", goban_graph_get_name (check_calibration (L)->graph),
      (int) check_measurer (L)->runs->len, check_measurer (L)->runs->len == 1 ? "" : "s",
      *get_doubt (self) != '\0' ? ", provisional" : "");
  return 1;
}

/* m:show (): true, or nil and the reason */
static int
measurement_show (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanGraph *graph = goban_session_get_graph (session);
  GobanCostModel *costs;
  GPtrArray *runs;
  GError *error = NULL;

  if (graph == NULL)
    goban_set_error (&error, GOBAN_ERROR_INVALID, "open the measured model first: app.open");
  costs = graph != NULL ? goban_measurement_make_runs (check_measurement (L), graph, &runs, &error)
                        : NULL;
  if (costs == NULL)
    return goban_lua_fail (L, error);
  goban_session_add_measured (session, costs, runs);
  goban_session_log (session, check_measurement (L)->code);
  g_ptr_array_unref (runs);
  goban_cost_model_unref (costs);
  goban_lua_sync_globals (L);
  lua_pushboolean (L, TRUE);
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("csv", measurement_csv, "()",
                      "A line per plan: predicted and measured, for a scatter plot.",
                      "app.write(\"plans.csv\", m:csv())"),
  GOBAN_LUA_FUNCTION ("json", measurement_json, "()",
                      "The same for programs, as goban-cli measure --json.",
                      "app.write(\"measurement.json\", m:json())"),
  GOBAN_LUA_FUNCTION ("ops", measurement_ops, "(i)",
                      "A table per node of the i-th plan: node, predicted_start, predicted, start, "
                      "measured, inside.",
                      "m:ops(1)[1].measured"),
  GOBAN_LUA_FUNCTION ("plans", measurement_plans, "()",
                      "A table per plan: name, predicted, measured (the median), low and high "
                      "(percentiles 10 and 90), error, op_error, inside_share, segments, "
                      "hand_overs, runs, outliers, run (the simulated one) and recorded (the "
                      "measured one, of a graph of its own).",
                      "view.show(m:plans()[1].recorded)"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "show", measurement_show, "()",
      "Gives the open graph the measured times and the measured cores, and adds the "
      "plans to the list, simulated and measured, as one change: behind a simulated "
      "run lies the measured one."),
  GOBAN_LUA_FUNCTION ("text", measurement_text, "()", "Costs and a table of the plans for people.",
                      "print(m:text())"),
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_cluster, "The cores as a cluster.", "m.cluster"),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_graph, "The model with its measured times.",
                   "plan.heft(m.graph, m.cluster)"),
  GOBAN_LUA_FIELD ("latency", TIME, get_latency, "Time of handing a small tensor to another core."),
  GOBAN_LUA_FIELD ("note", TEXT, get_note, "Remarks, such as random weights; \"\" for none."),
  GOBAN_LUA_FIELD ("provisional", TEXT, get_doubt,
                   "The reason why the times are provisional; \"\" if the machine was idle."),
  GOBAN_LUA_FIELD ("single", TIME, get_single, "Time of the whole model on one core."),
  GOBAN_LUA_META ("__tostring", measurement_tostring),
  { NULL },
};

static const GobanLuaType measurement_type = {
  .name = "Measurement",
  .variable = "m",
  .sentence = "Plans of a model: predicted, and measured on this machine.",
  .example = "m = measure.run{ model = \"samples/inception-v3.onnx\", policies = { \"heft\" } }",
  .free = (GDestroyNotify) goban_measurement_free,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Plans of ONNX models, run on this machine's cores by ONNX Runtime.",
                    "m = assert(measure.run{ model = \"samples/inception-v3.onnx\", policies = { "
                    "\"heft\", \"single\" } })"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "run", measure_run_all, "(opts)",
      "Measures what ops and hand-overs take, has policies plan with that, and runs "
      "the plans; opts: model (a path), policies, plans (paths, runs or places in "
      "the list), cores (2), runs (25; up to four times as many if their times "
      "still change), batch, seed, evals, seconds, force (even if the machine is "
      "busy), folder (for all results). The library is where the variable "
      "GOBAN_ONNXRUNTIME says, or installed.",
      "m = measure.run{ model = \"samples/inception-v3.onnx\", policies = { "
      "\"heft\" }, cores = 2 }"),
  { NULL },
};

void
goban_lua_open_measure (lua_State *L)
{
  goban_lua_register (L, &measurement_type);
  goban_lua_module (L, "measure", functions);
}
