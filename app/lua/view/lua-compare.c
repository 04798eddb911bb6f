/* lua-compare.c: module compare: runs side by side, plans by their differences.
 *
 * compare (a, b, ...) itself is the prelude's: it simulates plans first, then calls compare.runs.
 */
#include "app/lua/view/lua-compare.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/core/quantity.h"
#include "engine/study/analysis/difference/change-rows.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-list.h"

#include <math.h>

static const GobanLuaType comparison_type;

GobanComparison *
goban_lua_check_comparison (lua_State *L)
{
  return goban_lua_check_pointer (L, 1, &comparison_type);
}

gboolean
goban_lua_check_diff (lua_State *L, GobanRun **before, GobanRun **after)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  GobanDeviceMatching *matching;
  GError *error = NULL;

  if (goban_comparison_get_n_runs (comparison) < 2)
    return luaL_error (L, "one run alone has no difference");
  *before = goban_comparison_get_run (comparison, 0);
  *after = goban_comparison_get_run (comparison, 1);
  if (!goban_difference_check (*before, *after, &error))
    return goban_lua_raise (L, error);
  matching = goban_comparison_get_matching (comparison);
  if (matching != NULL)
    *after = matching->matched;
  return TRUE;
}

static GobanRun *
last_run (GobanComparison *comparison)
{
  return goban_comparison_get_run (comparison, goban_comparison_get_n_runs (comparison) - 1);
}

/* --- making -------------------------------------------------------------------------------- */

static int
compare_runs (lua_State *L)
{
  int n = lua_gettop (L);
  GobanRun *first = goban_lua_check_run (L, 1);
  GobanComparison **handle;
  GPtrArray *runs;

  for (int i = 2; i <= n; i++)
    if (goban_run_get_graph (goban_lua_check_run (L, i)) != goban_run_get_graph (first))
      luaL_error (
          L,
          "compare: run %d is a run of another graph; compare.causes and compare.graphs take "
          "runs of two graphs",
          i);

  handle = goban_lua_push_handle (L, &comparison_type, 0);
  runs = goban_run_array_new ();
  for (int i = 1; i <= n; i++)
    g_ptr_array_add (runs, goban_run_ref (goban_lua_test_run (L, i)));
  *handle = goban_comparison_new (runs);
  g_ptr_array_unref (runs);
  return 1;
}

/* compare.policies (g, names, opts) for policies of the table; the prelude adds those in Lua. */
static int
compare_policies (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanLuaPlaceOptions options = { 0 };
  GobanExecution execution;
  GobanTasks decisions;
  GobanCluster *cluster;
  GobanCostModel *costs;
  GobanRunOptions own;
  GError *error = NULL;
  gpointer *handle;
  char **policies;

  goban_lua_check_texts (L, 2, "names");
  lua_settop (L, 3);
  cluster = goban_lua_check_place_options (L, 3, graph, &options);
  execution = options.contention_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS;
  decisions = goban_lua_check_tasks (L, options.tasks);
  handle = goban_lua_push_handle (L, &comparison_type, 0);

  costs = goban_lua_dup_costs (L, graph, cluster, execution);
  policies = goban_lua_dup_texts (L, 2);
  own = goban_lua_dup_run_options (L, &options);
  own.decisions = decisions;
  goban_lua_warn_of_settings (L, (const char *const *) policies, options.settings);
  own.progress = goban_lua_begin_work (L);
  *handle = goban_compare_policies (costs, (const char *const *) policies, &own, NULL, &error);
  goban_lua_end_work (L, &error);
  goban_run_options_clear (&own);
  g_strfreev (policies);
  goban_cost_model_unref (costs);
  return *handle != NULL ? 1 : goban_lua_fail (L, error);
}

/* --- differences --------------------------------------------------------------------------- */

gboolean
goban_lua_has_difference (GobanComparison *comparison)
{
  return goban_comparison_get_n_runs (comparison) == 2
         && goban_difference_check (goban_comparison_get_run (comparison, 0),
                                    goban_comparison_get_run (comparison, 1), NULL); /* yes or no */
}

/* Pushes the difference of the first two runs. Raises if there is none. */
GobanDifference *
goban_lua_push_difference (lua_State *L, double min_change_us)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  GobanRun *before, *after;
  GError *error = NULL;
  gpointer *kept;

  if (goban_comparison_get_n_runs (comparison) < 2)
    luaL_error (L, "one run alone has no difference");

  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_difference_unref);
  before = goban_comparison_get_run (comparison, 0);
  after = goban_comparison_get_run (comparison, 1);
  *kept = goban_difference_new_matched (before, after, goban_comparison_get_matching (comparison),
                                        min_change_us, &error);
  if (*kept == NULL)
    goban_lua_raise (L, error);
  return *kept;
}

/* A least change at @index, as "10us"; any without one. */
static double
opt_min_change_us (lua_State *L, int index)
{
  double min_change_us = lua_isnoneornil (L, index) ? 0 : goban_lua_check_time_us (L, index);

  luaL_argcheck (L, min_change_us >= 0, index, "it is negative");
  return min_change_us;
}

/* The nodes as they were in the second run. */
static GobanLuaSet *
push_empty_set (lua_State *L, const GobanDifference *difference)
{
  GobanRun *run = difference->after;

  return goban_lua_push_set (L, goban_run_get_costs (run), run, 0);
}

static int
push_changed (lua_State *L, GobanChange change, double min_change_us)
{
  GobanDifference *difference = goban_lua_push_difference (L, min_change_us);
  GobanLuaSet *set = push_empty_set (L, difference);

  goban_lua_fill_set (set, goban_difference_get_nodes (difference, change));
  return 1;
}

/* d:unmatched (): the same runs, compared by the names of devices. */
static int
comparison_unmatched (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  GobanComparison **handle = goban_lua_push_handle (L, &comparison_type, 0);
  GPtrArray *runs = g_ptr_array_new ();

  for (guint i = 0; i < goban_comparison_get_n_runs (comparison); i++)
    g_ptr_array_add (runs, goban_comparison_get_run (comparison, i));
  *handle = goban_comparison_new (runs);
  goban_comparison_set_own_devices (*handle, TRUE);
  g_ptr_array_unref (runs);
  return 1;
}

/* d:moved (): all; d:moved (from, to): from one device to another. */
static int
comparison_moved (lua_State *L)
{
  GobanDifference *difference;
  GobanCluster *cluster;
  GobanSelection *moves;
  GobanDeviceId from, to;
  GobanLuaSet *set;

  if (lua_isnoneornil (L, 2))
    return push_changed (L, GOBAN_CHANGE_DEVICE, 0);

  difference = goban_lua_push_difference (L, 0);
  cluster = goban_run_get_cluster (difference->after);
  from = goban_lua_check_device (L, 2, cluster);
  to = goban_lua_check_device (L, 3, cluster);
  set = push_empty_set (L, difference);
  moves = goban_difference_dup_moves (difference, from, to);
  goban_lua_take_nodes (set, moves);
  return 1;
}

static int
comparison_reprioritised (lua_State *L)
{
  return push_changed (L, GOBAN_CHANGE_PRIORITY, 0);
}

static int
comparison_refused (lua_State *L)
{
  return push_changed (L, GOBAN_CHANGE_FUSION, 0);
}

static int
comparison_retimed (lua_State *L)
{
  goban_lua_check_comparison (L);
  return push_changed (L, GOBAN_CHANGE_TIME, opt_min_change_us (L, 2));
}

/* d:change (node): { start=, finish=, rank= }, the second run's less the first's. */
static int
comparison_change (lua_State *L)
{
  GobanDifference *difference = goban_lua_push_difference (L, 0);
  const GobanTimeChange *times = difference->times;
  GobanGraph *graph = goban_run_get_graph (difference->after);
  GobanNodeId node = goban_lua_check_node_of (L, 2, graph);

  lua_createtable (L, 0, 3);
  goban_lua_put_integer (L, "rank", goban_difference_get_rank_change (difference, node));
  if (times != NULL)
    {
      goban_lua_put_number (L, "start", times[node].start_us / 1e6);
      goban_lua_put_number (L, "finish", times[node].finish_us / 1e6);
    }
  return 1;
}

/* d:changes (min_change): a row for each node that differs. */
static int
comparison_changes (lua_State *L)
{
  double min_change_us = opt_min_change_us (L, 2);
  GobanDifference *difference = goban_lua_push_difference (L, min_change_us);
  const GobanTimeChange *times = difference->times;
  GobanRun *before = difference->before;
  GobanRun *after = difference->after;
  GobanCluster *cluster = goban_run_get_cluster (after);
  GobanLuaSet *set = push_empty_set (L, difference);
  GobanSelection *changed = goban_change_rows_find (difference);

  goban_lua_take_nodes (set, changed);
  lua_createtable (L, (int) set->n, 0);
  for (guint i = 0; i < set->n; i++)
    {
      GobanNodeId v = set->ids[i];
      const GobanNode *node = goban_graph_get_node (goban_run_get_graph (after), v);
      GobanDeviceId from = goban_plan_get_device (goban_run_get_plan (before), v);
      GobanDeviceId to = goban_plan_get_device (goban_run_get_plan (after), v);

      lua_createtable (L, 0, 8);
      goban_lua_put_text (L, "node", node->name);
      goban_lua_put_text (L, "op", node->op);
      goban_lua_put_text (L, "from", goban_cluster_get_device (cluster, from)->name);
      goban_lua_put_text (L, "to", goban_cluster_get_device (cluster, to)->name);
      goban_lua_put_integer (L, "rank", goban_difference_get_rank_change (difference, v));
      goban_lua_put_boolean (L, "refused",
                             goban_selection_contains (
                                 goban_difference_get_nodes (difference, GOBAN_CHANGE_FUSION), v));
      if (times != NULL)
        {
          goban_lua_put_number (L, "start", times[v].start_us / 1e6);
          goban_lua_put_number (L, "finish", times[v].finish_us / 1e6);
        }
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* d:csv (min_change): the same as a file has it; times in microseconds. */
static int
comparison_csv (lua_State *L)
{
  double min_change_us = opt_min_change_us (L, 2);
  GobanDifference *difference = goban_lua_push_difference (L, min_change_us);
  GobanSelection *changed = goban_change_rows_find (difference);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (changed, &n);
  char *csv = goban_change_rows_to_csv (difference, ids, n);

  goban_selection_unref (changed);
  goban_lua_take_string (L, csv);
  return 1;
}

/* d:describe (min_change, n): n lines of a kind, 10 by default. */
static int
comparison_describe (lua_State *L)
{
  double min_change_us = opt_min_change_us (L, 2);
  lua_Integer n = luaL_optinteger (L, 3, 10);

  luaL_argcheck (L, n >= 0, 3, "it is negative");
  goban_lua_take_string (L, goban_difference_describe (goban_lua_push_difference (L, min_change_us),
                                                       (guint) MIN (n, G_MAXINT)));
  return 1;
}

/* matrix[from][to]: how many nodes moved; devices without a move are left out. */
static int
comparison_matrix (lua_State *L)
{
  GobanDifference *difference = goban_lua_push_difference (L, 0);
  GobanCluster *cluster = goban_run_get_cluster (difference->after);
  guint n_devices = difference->n_devices;

  lua_newtable (L);
  for (guint from = 0; from < n_devices; from++)
    {
      guint n_moves = 0;

      lua_newtable (L);
      for (guint to = 0; to < n_devices; to++)
        {
          guint n = goban_difference_get_n_moves (difference, from, to);

          if (n == 0)
            continue;
          goban_lua_put_integer (L, goban_cluster_get_device (cluster, to)->name, n);
          n_moves += n;
        }
      if (n_moves > 0)
        lua_setfield (L, -2, goban_cluster_get_device (cluster, from)->name);
      else
        lua_pop (L, 1);
    }
  return 1;
}

/* --- reports ------------------------------------------------------------------------------- */

static int
comparison_table (lua_State *L)
{
  goban_lua_take_string (L, goban_report_comparison_text (goban_lua_check_comparison (L)));
  return 1;
}

/* Whether any run is invalid or more than so many percent slower than the first. */
static int
comparison_worse (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  double percent = luaL_optnumber (L, 2, 0);
  gboolean is_worse = FALSE;

  for (guint i = 1; i < goban_comparison_get_n_runs (comparison); i++)
    is_worse |= goban_comparison_is_worse (comparison, i, percent);

  lua_pushboolean (L, is_worse);
  return 1;
}

/* --- fields -------------------------------------------------------------------------------- */

static double
get_delta_us (GobanComparison *comparison)
{
  return goban_run_get_makespan_us (last_run (comparison))
         - goban_run_get_makespan_us (goban_comparison_get_run (comparison, 0));
}

static int
get_runs (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  guint n = goban_comparison_get_n_runs (comparison);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      goban_lua_push_run (L, goban_comparison_get_run (comparison, i));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
get_best (lua_State *L)
{
  GobanRun *best = goban_comparison_get_best (goban_lua_check_comparison (L));

  if (best == NULL)
    lua_pushnil (L);
  else
    goban_lua_push_run (L, best);
  return 1;
}

static int
get_n_runs (lua_State *L)
{
  lua_pushinteger (L, goban_comparison_get_n_runs (goban_lua_check_comparison (L)));
  return 1;
}

/* Makespans may be infinite. */
static const char *
format_delta (char *buffer, double delta_us)
{
  if (!isfinite (delta_us))
    return "one cannot run";

  return goban_format_time_change (buffer, delta_us);
}

static int
comparison_tostring (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  guint n = goban_comparison_get_n_runs (comparison);
  GobanRun *a = goban_comparison_get_run (comparison, 0);
  GobanRun *best = goban_comparison_get_best (comparison);
  char buffer[GOBAN_QUANTITY_LEN];
  GobanDifference *difference;
  guint n_moved, n_reprioritised;

  if (!goban_lua_has_difference (comparison))
    {
      lua_pushfstring (L, "Comparison of %d run%s: ", (int) n, n == 1 ? "" : "s");
      if (best == NULL)
        lua_pushliteral (L, "none is valid");
      else
        lua_pushfstring (L, "best is %s, %s", goban_run_get_name (best),
                         goban_format_time (buffer, goban_run_get_makespan_us (best)));
      lua_concat (L, 2);
      return 1;
    }

  difference = goban_lua_push_difference (L, 0);
  goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n_moved);
  goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_PRIORITY),
                           &n_reprioritised);
  lua_pushfstring (L, "Diff: %d moved, %d re-prioritised, %s", (int) n_moved, (int) n_reprioritised,
                   format_delta (buffer, goban_run_get_makespan_us (last_run (comparison))
                                             - goban_run_get_makespan_us (a)));
  return 1;
}

/* Text, or nil. */
static int
get_renamed (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  GobanDeviceMatching *matching = goban_comparison_get_matching (comparison);
  char *text = matching != NULL
                   ? goban_device_matching_describe (matching, goban_run_get_name (matching->run))
                   : NULL;

  if (text == NULL)
    lua_pushnil (L);
  else
    goban_lua_take_string (L, text);
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("change", comparison_change, "(node)",
                      "By how much it starts and finishes later, and by how many places in the "
                      "order of priorities: start, finish, rank.",
                      "d:change(\"image/conv1\").finish"),
  GOBAN_LUA_FUNCTION ("changes", comparison_changes, "(min_change)",
                      "A row for each node that differs: node, op, from, to, rank, refused, start, "
                      "finish.",
                      "#d:changes \"100us\""),
  GOBAN_LUA_FUNCTION ("csv", comparison_csv, "(min_change)",
                      "The same as CSV; times in microseconds.",
                      "app.write(\"changes.csv\", d:csv \"100us\")"),
  GOBAN_LUA_FUNCTION ("describe", comparison_describe, "(min_change, n)",
                      "What differs, a sentence and n lines of moves, priorities and times.",
                      "print(d:describe \"10us\")"),
  GOBAN_LUA_FUNCTION ("matrix", comparison_matrix, "()",
                      "How many nodes moved from where to where.", "pp(d:matrix())"),
  GOBAN_LUA_FUNCTION ("moved", comparison_moved, "(from, to)",
                      "The nodes on another device in the second than in the first; with two "
                      "devices, from the one to the other.",
                      "d:moved():show()"),
  GOBAN_LUA_FUNCTION ("refused", comparison_refused, "()",
                      "The nodes that are fused with others than before.", "#d:refused()"),
  GOBAN_LUA_FUNCTION ("reprioritised", comparison_reprioritised, "()",
                      "The nodes of another priority.", "#d:reprioritised()"),
  GOBAN_LUA_FUNCTION ("retimed", comparison_retimed, "(min_change)",
                      "The nodes that finish at another time, by so much at least.",
                      "d:retimed \"10us\""),
  GOBAN_LUA_FUNCTION ("table", comparison_table, "()", "A line per run, as text.",
                      "print(d:table())"),
  GOBAN_LUA_FUNCTION ("unmatched", comparison_unmatched, "()",
                      "The same runs, compared by names of devices; else exchangeable ones are "
                      "called as in the first.",
                      "#d:unmatched():moved()"),
  GOBAN_LUA_FUNCTION ("worse", comparison_worse, "(percent)",
                      "Whether any run is not valid or that much slower than the first.",
                      "os.exit(d:worse(2) and 1 or 0)"),
  GOBAN_LUA_FIELD ("best", FUNCTION, get_best, "The shortest valid run."),
  GOBAN_LUA_FIELD ("delta", TIME, get_delta_us,
                   "Seconds by which the last is longer than the first.", "d.delta * 1e3"),
  GOBAN_LUA_FIELD ("renamed", FUNCTION, get_renamed,
                   "Which exchangeable devices of the second run have the names they have in the "
                   "first; nil for none.",
                   "print(d.renamed)"),
  GOBAN_LUA_FIELD ("runs", FUNCTION, get_runs, "The runs, in the order given.", "d.runs[1]"),
  GOBAN_LUA_FIELD ("verdict", TAKEN_TEXT, goban_comparison_get_verdict,
                   "One sentence: how far from the bound, and whether one device does as well.",
                   "print(d.verdict)"),
  GOBAN_LUA_META ("__len", get_n_runs),
  GOBAN_LUA_META ("__tostring", comparison_tostring),
  { NULL },
};

static const GobanLuaType comparison_type = {
  .name = "Diff",
  .variable = "d",
  .sentence = "Runs of one graph, compared; the first is what the others are measured by.",
  .example = "d = compare(plan.single(g), p)",
  .free = (GDestroyNotify) goban_comparison_free,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Runs or plans side by side.", "compare(plan.single(g), plan.heft(g))"),
  GOBAN_LUA_FUNCTION ("policies", compare_policies, "(g, names, opts)", NULL), /* the prelude's */
  GOBAN_LUA_FUNCTION ("runs", compare_runs, "(a, b, ...)", "The same as compare(), for runs alone.",
                      "compare.runs(r1, r2)"),
  { NULL },
};

void
goban_lua_open_compare (lua_State *L)
{
  goban_lua_register (L, &comparison_type);
  goban_lua_module (L, "compare", functions);
}
