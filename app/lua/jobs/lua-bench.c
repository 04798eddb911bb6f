/* lua-bench.c: module bench: policies measured on a suite of graphs, a graph at a time.
 *
 * bench.run (opts) itself is the prelude's: it makes a bench, steps through its graphs and calls
 * what wants to know of each. A row is made by a worker and then only read.
 */
#include "app/lua/jobs/lua-bench.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-place.h"

#include "engine/study/bench/bench-table.h"
#include "engine/study/bench/suite.h"
#include "engine/study/report/bench-report.h"

typedef struct
{
  GobanBench *bench;
  GPtrArray *rows; /* GobanBenchRow, of the graphs done so far */
} LuaBench;

static const GobanLuaType bench_type;

static void
clear_bench (gpointer value)
{
  LuaBench *self = value;

  g_clear_pointer (&self->bench, goban_bench_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
}

static LuaBench *
check_bench (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &bench_type);
}

/* --- making -------------------------------------------------------------------------------- */

typedef struct
{
  const char *suite;
  int policies;
  const char *graphs;
  const char *task;
  const char *fusion;
  gint64 seed;
  gint64 seeds;
  gint64 evals;
  double seconds;
  const char *network;
  const char *settings;
  const char *tasks;
  const char *journal;
} BenchOptions;

static const GobanLuaOption bench_options[] = {
  { "suite", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, suite) },
  { "policies", GOBAN_LUA_ANY, G_STRUCT_OFFSET (BenchOptions, policies) },
  { "graphs", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, graphs) },
  { "task", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, task) },
  { "fusion", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, fusion) },
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (BenchOptions, seed) },
  { "seeds", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (BenchOptions, seeds) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (BenchOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (BenchOptions, seconds) },
  { "network", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, network) },
  { "settings", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, settings) },
  { "tasks", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, tasks) },
  { "journal", GOBAN_LUA_STRING, G_STRUCT_OFFSET (BenchOptions, journal) },
  { NULL },
};

/* (transfer full) (nullable): a journal is gone on with if there is one already. */
static GobanBenchJournal *
open_journal (const char *path, GError **error)
{
  return goban_bench_journal_open (path, g_file_test (path, G_FILE_TEST_EXISTS), error);
}

/* Never raises. (transfer full) (nullable) */
static GobanBench *
make_bench (lua_State *L, const BenchOptions *options, GError **error)
{
  GobanBenchOptions making = {
    .pattern = options->graphs,
    .first_seed = options->seed,
    .n_seeds = CLAMP (options->seeds, 1, 1000),
    .max_evaluations = options->evals,
    .max_seconds = options->seconds,
    .network = options->network,
    .settings = options->settings,
  };
  char **names = options->policies != 0 ? goban_lua_dup_texts (L, options->policies) : NULL;
  GobanBench *bench = NULL;

  making.policies = (const char *const *) names;
  making.suite = goban_suite_load (options->suite, error);
  if (making.suite != NULL
      && (options->task == NULL || goban_suite_task_find (options->task, &making.task, error))
      && (options->tasks == NULL || goban_tasks_parse (options->tasks, &making.decisions, error))
      && goban_fusing_parse (options->fusion, &making.fusing, error))
    {
      if (options->journal != NULL)
        making.journal = open_journal (options->journal, error);
      if (options->journal == NULL || making.journal != NULL)
        bench = goban_bench_new (&making, error);
    }

  g_clear_pointer (&making.journal, goban_bench_journal_unref);
  g_clear_pointer (&making.suite, goban_suite_unref);
  g_strfreev (names);
  return bench;
}

static int
bench_new (lua_State *L)
{
  BenchOptions options = { 0 };
  GError *error = NULL;
  LuaBench *self;

  luaL_checktype (L, 1, LUA_TTABLE);
  goban_lua_check_options (L, 1, "opts", bench_options, &options);
  if (options.suite == NULL)
    return luaL_error (L, "opts.suite: which? bench.suites() lists those there are");
  if (options.policies != 0)
    goban_lua_check_texts (L, options.policies, "opts.policies");
  goban_lua_check_write (L, options.journal);

  self = goban_lua_push_handle (L, &bench_type, 0);
  self->bench = make_bench (L, &options, &error);
  if (self->bench == NULL)
    return goban_lua_fail (L, error);
  goban_lua_warn_of_settings (L, goban_bench_get_settings (self->bench)->policies,
                              options.settings);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_bench_row_free);
  return 1;
}

static int
bench_suites (lua_State *L)
{
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_strfreev);

  *kept = goban_suite_names ();
  goban_lua_push_texts (L, *kept);
  return 1;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* Result of one seed. */
static void
push_cell (lua_State *L, const GobanBenchRow *row, guint policy, guint seed)
{
  const GobanBenchCell *cell = goban_bench_row_get_cell (row, policy, seed);

  lua_createtable (L, 0, 6);
  goban_lua_put_count (L, "seed", (double) (row->settings->first_seed + seed));
  goban_lua_put_boolean (L, "valid", cell->state == GOBAN_CELL_VALID);
  goban_lua_put_text (L, "why", cell->why);
  goban_lua_put_number (L, "makespan", cell->makespan_us / 1e6);
  goban_lua_put_count (L, "evaluations", (double) cell->evaluations);
  goban_lua_put_number (L, "seconds", cell->seconds);
}

/* The learning curve of each seed: a list of lists of {evaluation =, makespan =}. */
static void
push_improvements (lua_State *L, const GobanBenchRow *row, guint policy)
{
  guint n_seeds = row->settings->n_seeds;

  lua_createtable (L, n_seeds, 0);
  for (guint s = 0; s < n_seeds; s++)
    {
      const GArray *steps = goban_bench_row_get_cell (row, policy, s)->improvements;
      guint n = steps != NULL ? steps->len : 0;

      lua_createtable (L, n, 0);
      for (guint i = 0; i < n; i++)
        {
          const GobanImprovement *step = &g_array_index (steps, GobanImprovement, i);

          lua_createtable (L, 0, 2);
          goban_lua_put_count (L, "evaluation", step->evaluation);
          goban_lua_put_number (L, "makespan", step->makespan_us / 1e6);
          lua_rawseti (L, -2, i + 1);
        }
      lua_rawseti (L, -2, s + 1);
    }
}

static void
push_result (lua_State *L, const GobanBenchRow *row, guint policy)
{
  guint n_bad;
  GobanCellState state = goban_bench_row_get_state (row, policy, &n_bad);
  double makespan_ms = goban_bench_row_get_value (row, policy, GOBAN_METRIC_MAKESPAN_MS);

  lua_createtable (L, 0, 12);
  goban_lua_put_text (L, "policy", row->settings->policies[policy]);
  goban_lua_put_boolean (L, "valid", state == GOBAN_CELL_VALID);
  goban_lua_put_text (L, "state", goban_cell_state_names[state]);
  goban_lua_put_text (L, "why", goban_bench_row_get_cell (row, policy, 0)->why);
  goban_lua_put_number (L, "makespan", makespan_ms / 1e3);
  for (guint m = GOBAN_METRIC_RATIO_TO_EXPERT; m < GOBAN_N_METRICS; m++)
    goban_lua_put_count (L, goban_metrics[m].key, goban_bench_row_get_value (row, policy, m));
  lua_createtable (L, row->settings->n_seeds, 0);
  for (guint s = 0; s < row->settings->n_seeds; s++)
    {
      push_cell (L, row, policy, s);
      lua_rawseti (L, -2, s + 1);
    }
  lua_setfield (L, -2, "seeds");
  push_improvements (L, row, policy);
  lua_setfield (L, -2, "improvements");
}

static void
push_row (lua_State *L, const GobanBenchRow *row)
{
  lua_createtable (L, 0, 7);
  goban_lua_put_text (L, "name", row->graph->name);
  goban_lua_put_text (L, "graph", row->graph->graph);
  goban_lua_put_text (L, "cluster", row->cluster);
  goban_lua_put_count (L, "nodes", row->n_nodes);
  goban_lua_put_count (L, "devices", row->n_devices);
  goban_lua_put_number (L, "bound", row->bound_us / 1e6);
  lua_newtable (L);
  for (guint p = 0; p < row->settings->n_policies; p++)
    {
      push_result (L, row, p);
      lua_rawseti (L, -2, p + 1);
    }
  lua_setfield (L, -2, "results");
}

static int
bench_rows (lua_State *L)
{
  LuaBench *self = check_bench (L);

  lua_createtable (L, self->rows->len, 0);
  for (guint i = 0; i < self->rows->len; i++)
    {
      push_row (L, g_ptr_array_index (self->rows, i));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* --- running ------------------------------------------------------------------------------- */

/* The next graph's row; nil after the last, or with why. */
static int
bench_step (lua_State *L)
{
  LuaBench *self = check_bench (L);
  GobanBench *bench = self->bench;
  guint i = self->rows->len;
  const GobanProgress *progress;
  GError *error = NULL;
  GobanBenchRow *row;

  lua_settop (L, 1);
  if (i == goban_bench_get_settings (bench)->n_graphs)
    {
      lua_pushnil (L);
      return 1;
    }

  goban_bench_ref (bench);
  progress = goban_lua_begin_work (L);
  row = goban_bench_run_graph (bench, i, progress, &error);
  goban_lua_end_work (L, &error);
  goban_bench_unref (bench);
  if (row == NULL)
    return goban_lua_fail (L, error);
  self = goban_lua_test_handle (L, 1, &bench_type);
  if (self == NULL) /* a policy in Lua has closed it meanwhile */
    {
      goban_bench_row_free (row);
      check_bench (L);
    }
  g_ptr_array_add (self->rows, row);
  push_row (L, row);
  return 1;
}

/* --- reports ------------------------------------------------------------------------------- */

static int
push_report (lua_State *L, char *(*report) (const GPtrArray *rows))
{
  LuaBench *self = check_bench (L);

  if (self->rows->len == 0)
    return luaL_error (L, "nothing is measured yet: b:step() measures the next graph");
  goban_lua_take_string (L, report (self->rows));
  return 1;
}

static int
bench_text (lua_State *L)
{
  return push_report (L, goban_bench_to_text);
}

static int
bench_json (lua_State *L)
{
  return push_report (L, goban_bench_to_json);
}

static int
bench_csv (lua_State *L)
{
  return push_report (L, goban_bench_to_csv);
}

/* Geometric means over the graphs measured: a list, a table per policy. */
static int
bench_means (lua_State *L)
{
  LuaBench *self = check_bench (L);
  guint n_policies = goban_bench_get_settings (self->bench)->n_policies;

  lua_createtable (L, n_policies, 0);
  for (guint p = 0; p < n_policies; p++)
    {
      guint n;
      double makespan_ms = goban_bench_get_mean (self->rows, p, GOBAN_METRIC_MAKESPAN_MS, &n);

      lua_createtable (L, 0, 8);
      goban_lua_put_text (L, "policy", goban_bench_get_settings (self->bench)->policies[p]);
      goban_lua_put_count (L, "valid", n);
      goban_lua_put_number (L, "makespan", makespan_ms / 1e3);
      for (guint m = GOBAN_METRIC_RATIO_TO_EXPERT; m < GOBAN_N_METRICS; m++)
        goban_lua_put_count (L, goban_metrics[m].key, goban_bench_get_mean (self->rows, p, m, &n));
      lua_rawseti (L, -2, p + 1);
    }
  return 1;
}

/* --- fields -------------------------------------------------------------------------------- */

static const char *
get_suite_name (const GobanBench *bench)
{
  return goban_bench_get_settings (bench)->suite->name;
}

static guint
get_n_graphs (const GobanBench *bench)
{
  return goban_bench_get_settings (bench)->n_graphs;
}

static int
get_policies (lua_State *L)
{
  GobanBench *bench = check_bench (L)->bench;
  guint n = goban_bench_get_settings (bench)->n_policies;

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      lua_pushstring (L, goban_bench_get_settings (bench)->policies[i]);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
get_n_rows (lua_State *L)
{
  lua_pushinteger (L, check_bench (L)->rows->len);
  return 1;
}

static int
bench_tostring (lua_State *L)
{
  LuaBench *self = check_bench (L);

  lua_pushfstring (L, "Bench %s: %d of %d graphs, %d polic%s",
                   goban_bench_get_settings (self->bench)->suite->name, (int) self->rows->len,
                   (int) goban_bench_get_settings (self->bench)->n_graphs,
                   (int) goban_bench_get_settings (self->bench)->n_policies,
                   goban_bench_get_settings (self->bench)->n_policies == 1 ? "y" : "ies");
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("csv", bench_csv, "()", "A line per graph, policy and seed.",
                      "app.write(\"bench.csv\", b:csv())"),
  GOBAN_LUA_FUNCTION ("json", bench_json, "()", "The same for programs, as goban-cli bench --json.",
                      "app.write(\"bench.json\", b:json())"),
  GOBAN_LUA_FUNCTION ("means", bench_means, "()",
                      "Geometric means over the graphs, a list with a table per policy.",
                      "pp(b:means())"),
  GOBAN_LUA_FUNCTION ("rows", bench_rows, "()",
                      "The rows so far: name, graph, cluster, nodes, devices, bound and results, a "
                      "list with a table per policy; its improvements are the learning curve of "
                      "each seed, a list of {evaluation =, makespan =}.",
                      "b:rows()[1].results[1].makespan"),
  GOBAN_LUA_FUNCTION ("step", bench_step, "()",
                      "Measures the next graph and returns its row; nil after the last."),
  GOBAN_LUA_FUNCTION ("text", bench_text, "()", "Tables for people.", "print(b:text())"),
  GOBAN_LUA_FIELD ("n_graphs", WHOLE, get_n_graphs, "How many graphs there are to measure."),
  GOBAN_LUA_FIELD ("policies", FUNCTION, get_policies, "The names of the policies, a list.",
                   "b.policies[1]"),
  GOBAN_LUA_FIELD ("suite", TEXT, get_suite_name, "The suite's name."),
  GOBAN_LUA_META ("__len", get_n_rows),
  GOBAN_LUA_META ("__tostring", bench_tostring),
  { NULL },
};

static const GobanLuaType bench_type = {
  .name = "Bench",
  .variable = "b",
  .sentence = "What policies made of a suite's graphs; #b is how many graphs are measured.",
  .example = "b = bench.run{ suite = \"quick\" }",
  .size = sizeof (LuaBench),
  .clear = clear_bench,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Policies measured on suites of graphs.",
                    "print(bench.run{ suite = \"quick\" }:text())"),
  GOBAN_LUA_FUNCTION ("new", bench_new, "(opts)",
                      "The same without a graph measured yet, for b:step().",
                      "b = bench.new{ suite = \"go14\", graphs = \"gnmt\" }"),
  GOBAN_LUA_FUNCTION ("suites", bench_suites, "()", "The suites that come with the program.",
                      "pp(bench.suites())"),
  { NULL },
};

void
goban_lua_open_bench (lua_State *L)
{
  goban_lua_register (L, &bench_type);
  goban_lua_module (L, "bench", functions);
}
