/* lua-compare.c: module compare: runs side by side, plans by their differences.
 *
 * compare (a, b, ...) itself is the prelude's: it simulates plans first, then calls compare.runs.
 */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/base/file.h"
#include "engine/base/quantity.h"
#include "engine/session/attribution.h"
#include "engine/session/report.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanComparison *comparison;
} LuaComparison;

/* Kept in a handle while tables are made of it. */
typedef struct
{
  GobanPlanDiff *diff;
} LuaDiff;

static const GobanLuaType comparison_type;

static void
clear_comparison (gpointer value)
{
  g_clear_pointer (&((LuaComparison *) value)->comparison, goban_comparison_free);
}

static void
clear_diff (gpointer value)
{
  g_clear_pointer (&((LuaDiff *) value)->diff, goban_plan_diff_free);
}

static const GobanLuaType diff_type = {
  .name = "PlanDiff",
  .size = sizeof (LuaDiff),
  .clear = clear_diff,
};

static GobanComparison *
check_comparison (lua_State *L)
{
  return ((LuaComparison *) goban_lua_check_handle (L, 1, &comparison_type))->comparison;
}

static GobanRun *
last_run (GobanComparison *comparison)
{
  return goban_comparison_get_run (comparison, goban_comparison_get_n_runs (comparison) - 1);
}

/* --- making -------------------------------------------------------------------------------------- */

static int
compare_runs (lua_State *L)
{
  int n = lua_gettop (L);
  GobanRun *first = goban_lua_check_run (L, 1);
  LuaComparison *handle;
  GPtrArray *runs;

  for (int i = 2; i <= n; i++)
    luaL_argcheck (L,
                   goban_run_get_graph (goban_lua_check_run (L, i)) == goban_run_get_graph (first),
                   i, "it is a run of another graph");

  handle = goban_lua_push_handle (L, &comparison_type, 0);
  runs = g_ptr_array_new_with_free_func (g_object_unref);
  for (int i = 1; i <= n; i++)
    g_ptr_array_add (runs, g_object_ref (goban_lua_test_run (L, i)));
  handle->comparison = goban_comparison_new (runs);
  g_ptr_array_unref (runs);
  return 1;
}

typedef struct
{
  GobanCostModel *costs;
  char **policies;
  GobanRunOptions options;
} Comparing;

static void
free_comparing (gpointer data)
{
  Comparing *comparing = data;

  goban_cost_model_unref (comparing->costs);
  goban_lua_clear_run_options (&comparing->options);
  g_strfreev (comparing->policies);
  g_free (comparing);
}

static gpointer
run_comparing (const GobanProgress *progress, gpointer data, GError **error)
{
  Comparing *comparing = data;

  comparing->options.progress = progress;
  return goban_compare_policies (comparing->costs, (const char *const *) comparing->policies,
                                 &comparing->options, error);
}

static int
finish_comparing (lua_State *L, gpointer result)
{
  ((LuaComparison *) lua_touserdata (L, -1))->comparison = result;
  return 1;
}

/* compare.policies (g, names, opts) for policies of the table; the prelude adds those in Lua. */
static int
compare_policies (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanLuaPlaceOptions options = { 0 };
  GobanExecution execution;
  GobanDecisions decisions;
  GobanCluster *cluster;
  Comparing *comparing;
  guint n;

  luaL_checktype (L, 2, LUA_TTABLE);
  n = lua_rawlen (L, 2);
  for (guint i = 1; i <= n; i++)
    {
      lua_rawgeti (L, 2, i);
      if (lua_type (L, -1) != LUA_TSTRING)
        return luaL_error (L, "names[%d]: string expected, got %s", i, luaL_typename (L, -1));
      lua_pop (L, 1);
    }
  lua_settop (L, 3);
  cluster = goban_lua_check_place_options (L, 3, &options);
  execution = goban_lua_check_execution (L, options.model, options.contention_free);
  decisions = goban_lua_check_tasks (L, options.tasks);
  goban_lua_push_handle (L, &comparison_type, 0);

  comparing = g_new0 (Comparing, 1);
  comparing->costs = goban_lua_dup_costs (L, graph, cluster, execution);
  comparing->policies = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      lua_rawgeti (L, 2, i + 1);
      comparing->policies[i] = g_strdup (lua_tostring (L, -1));
      lua_pop (L, 1);
    }
  comparing->options = goban_lua_dup_run_options (L, &options);
  comparing->options.decisions = decisions;
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Comparing policies",
                                             .run = run_comparing,
                                             .data = comparing,
                                             .free_data = free_comparing,
                                             .free_result = (GDestroyNotify) goban_comparison_free,
                                             .finish = finish_comparing });
}

/* --- differences ------------------------------------------------------------------------------------ */

/* Pushes the difference of the first two plans. Raises where there are none. */
static GobanPlanDiff *
push_diff (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
  LuaDiff *handle;
  GobanPlan *a, *b;

  if (goban_comparison_get_n_runs (comparison) < 2)
    luaL_error (L, "one run alone has no difference");

  a = goban_run_get_plan (goban_comparison_get_run (comparison, 0));
  b = goban_run_get_plan (goban_comparison_get_run (comparison, 1));
  if (goban_plan_get_n_devices (a) != goban_plan_get_n_devices (b))
    luaL_error (L, "the plans are for different numbers of devices");

  handle = goban_lua_push_handle (L, &diff_type, 0);
  handle->diff = goban_plan_diff (a, b);
  return handle->diff;
}

static int
push_nodes (lua_State *L, const GobanNodeId *ids, guint n)
{
  GobanRun *run = goban_comparison_get_run (check_comparison (L), 1);
  GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, n);

  for (guint i = 0; i < n; i++)
    set->ids[i] = ids[i];
  return 1;
}

static int
comparison_moved (lua_State *L)
{
  GobanPlanDiff *diff = push_diff (L);

  return push_nodes (L, diff->moved, diff->n_moved);
}

static int
comparison_reprioritised (lua_State *L)
{
  GobanPlanDiff *diff = push_diff (L);

  return push_nodes (L, diff->reprioritised, diff->n_reprioritised);
}

/* matrix[from][to]: how many nodes moved; devices without a move are left out. */
static int
comparison_matrix (lua_State *L)
{
  GobanPlanDiff *diff = push_diff (L);
  GobanRun *run = goban_comparison_get_run (check_comparison (L), 1);
  GobanCluster *cluster = goban_run_get_cluster (run);

  lua_newtable (L);
  for (guint from = 0; from < diff->n_devices; from++)
    {
      guint n_moves = 0;

      lua_newtable (L);
      for (guint to = 0; to < diff->n_devices; to++)
        {
          guint n = diff->matrix[from * diff->n_devices + to];

          if (n == 0 || from == to)
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

/* --- attribution ----------------------------------------------------------------------------------- */

typedef struct
{
  GobanAttribution *attribution;
} LuaAttribution;

static void
clear_attribution (gpointer value)
{
  g_clear_pointer (&((LuaAttribution *) value)->attribution, goban_attribution_free);
}

/* Kept in a handle while tables are made of it. */
static const GobanLuaType attribution_type = {
  .name = "Attribution",
  .size = sizeof (LuaAttribution),
  .clear = clear_attribution,
};

typedef struct
{
  GobanRun *before;
  GobanRun *after;
} Explaining;

static void
free_explaining (gpointer data)
{
  Explaining *explaining = data;

  g_object_unref (explaining->before);
  g_object_unref (explaining->after);
  g_free (explaining);
}

static gpointer
run_explaining (const GobanProgress *progress, gpointer data, GError **error)
{
  const Explaining *explaining = data;

  return goban_attribution_new (explaining->before, explaining->after, progress, error);
}

/* Stack: comparison, rows, attribution. */
static int
finish_explaining (lua_State *L, gpointer result)
{
  const GobanAttribution *attribution = ((LuaAttribution *) lua_touserdata (L, 3))->attribution
      = result;
  guint n = MIN (lua_tointeger (L, 2), attribution->n_shares);

  lua_createtable (L, n, 3);
  for (guint i = 0; i < n; i++)
    {
      const GobanShare *share = &attribution->shares[i];

      lua_createtable (L, 0, 4);
      goban_lua_put_text (L, "group", share->name);
      goban_lua_put_integer (L, "nodes", share->n_nodes);
      goban_lua_put_number (L, "delta", share->delta_us / 1e6);
      goban_lua_put_boolean (L, "valid", share->is_valid);
      lua_rawseti (L, -2, i + 1);
    }
  goban_lua_put_number (L, "delta", attribution->delta_us / 1e6);
  goban_lua_put_number (L, "remainder", attribution->remainder_us / 1e6);
  goban_lua_take_string (L, goban_attribution_to_text (attribution, n));
  lua_setfield (L, -2, "text");
  return 1;
}

/* d:explain (n): the n largest shares. The prelude makes the list printable. */
static int
comparison_explain (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
  lua_Integer n = luaL_optinteger (L, 2, 10);
  Explaining *explaining;

  luaL_argcheck (L, n >= 0, 2, "it is negative");
  push_diff (L); /* or raises where there is none */
  lua_settop (L, 1);
  lua_pushinteger (L, MIN (n, G_MAXINT));
  goban_lua_push_handle (L, &attribution_type, 0);
  explaining = g_new0 (Explaining, 1);
  explaining->before = g_object_ref (goban_comparison_get_run (comparison, 0));
  explaining->after = g_object_ref (goban_comparison_get_run (comparison, 1));
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Explaining a difference",
                                             .run = run_explaining,
                                             .data = explaining,
                                             .free_data = free_explaining,
                                             .free_result = (GDestroyNotify) goban_attribution_free,
                                             .finish = finish_explaining });
}

/* --- reports -------------------------------------------------------------------------------------- */

static char *
make_report (GobanComparison *comparison)
{
  if (goban_comparison_get_n_runs (comparison) == 2)
    return goban_report_diff_text (goban_comparison_get_run (comparison, 0),
                                   goban_comparison_get_run (comparison, 1));

  return goban_report_comparison_text (comparison);
}

static int
comparison_report (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
  const char *path = luaL_optstring (L, 2, NULL);
  GError *error = NULL;
  char *text = make_report (comparison);

  if (path == NULL)
    {
      goban_lua_take_string (L, text);
      return 1;
    }

  goban_file_write (path, text, strlen (text), &error);
  g_free (text);
  if (error != NULL)
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static int
comparison_table (lua_State *L)
{
  goban_lua_take_string (L, goban_report_comparison_text (check_comparison (L)));
  return 1;
}

/* Whether any run is invalid or more than so many percent slower than the first. */
static int
comparison_worse (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
  double percent = luaL_optnumber (L, 2, 0);
  gboolean is_worse = FALSE;

  for (guint i = 1; i < goban_comparison_get_n_runs (comparison); i++)
    is_worse |= goban_comparison_is_worse (comparison, i, percent);

  lua_pushboolean (L, is_worse);
  return 1;
}

/* --- fields ---------------------------------------------------------------------------------------- */

static int
get_delta (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);

  goban_lua_push_number (L, (goban_run_get_makespan_us (last_run (comparison))
                             - goban_run_get_makespan_us (goban_comparison_get_run (comparison, 0)))
                                / 1e6);
  return 1;
}

static int
get_runs (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
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
  GobanRun *best = goban_comparison_get_best (check_comparison (L));

  if (best == NULL)
    lua_pushnil (L);
  else
    goban_lua_push_run (L, best);
  return 1;
}

static int
get_verdict (lua_State *L)
{
  goban_lua_take_string (L, goban_comparison_get_verdict (check_comparison (L)));
  return 1;
}

static int
get_n_runs (lua_State *L)
{
  lua_pushinteger (L, goban_comparison_get_n_runs (check_comparison (L)));
  return 1;
}

/* "+" or "-" and a time; makespans may be infinite. */
static const char *
format_delta (char *buffer, double delta_us)
{
  if (!isfinite (delta_us))
    return "one cannot run";

  *buffer = delta_us < 0 ? '-' : '+';
  goban_format_time (buffer + 1, fabs (delta_us));
  return buffer;
}

static int
comparison_tostring (lua_State *L)
{
  GobanComparison *comparison = check_comparison (L);
  guint n = goban_comparison_get_n_runs (comparison);
  GobanRun *a = goban_comparison_get_run (comparison, 0);
  GobanRun *best = goban_comparison_get_best (comparison);
  char buffer[GOBAN_QUANTITY_LEN + 1];
  GobanPlanDiff *diff;

  if (n != 2
      || goban_plan_get_n_devices (goban_run_get_plan (a))
             != goban_plan_get_n_devices (goban_run_get_plan (last_run (comparison))))
    {
      lua_pushfstring (L, "Comparison of %d runs: ", (int) n);
      if (best == NULL)
        lua_pushliteral (L, "none is valid");
      else
        lua_pushfstring (L, "best is %s, %s", goban_run_get_name (best),
                         goban_format_time (buffer, goban_run_get_makespan_us (best)));
      lua_concat (L, 2);
      return 1;
    }

  diff = push_diff (L);
  lua_pushfstring (L, "Diff: %d moved, %d re-prioritised, %s", (int) diff->n_moved,
                   (int) diff->n_reprioritised,
                   format_delta (buffer, goban_run_get_makespan_us (last_run (comparison))
                                             - goban_run_get_makespan_us (a)));
  return 1;
}

/* --- tables ----------------------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
  { "explain", comparison_explain },
  { "matrix", comparison_matrix },
  { "moved", comparison_moved },
  { "report", comparison_report },
  { "reprioritised", comparison_reprioritised },
  { "table", comparison_table },
  { "worse", comparison_worse },
  { NULL, NULL },
};

static const luaL_Reg fields[] = {
  { "best", get_best },       { "delta", get_delta }, { "runs", get_runs },
  { "verdict", get_verdict }, { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__len", get_n_runs },
  { "__tostring", comparison_tostring },
  { NULL, NULL },
};

static const GobanLuaType comparison_type = {
  .name = "Diff",
  .size = sizeof (LuaComparison),
  .clear = clear_comparison,
  .methods = methods,
  .fields = fields,
  .meta = meta,
};

static const luaL_Reg functions[] = {
  { "policies", compare_policies },
  { "runs", compare_runs },
  { NULL, NULL },
};

void
goban_lua_open_compare (lua_State *L)
{
  goban_lua_register (L, &comparison_type);
  goban_lua_register (L, &attribution_type);
  goban_lua_register (L, &diff_type);
  goban_lua_module (L, "compare", functions);
}
