/* lua-color.c: view.color: what fills nodes, by a word or by a script's own function. */
#include "app/lua/view/lua-color.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/coloring.h"

#include <math.h>

const char *
goban_lua_check_color (lua_State *L, const char *color)
{
  GError *error = NULL;

  if (!goban_color_check (color, &error))
    goban_lua_raise (L, error);

  return color;
}

GobanNodeValues *
goban_lua_dup_color_values (lua_State *L, const char *color, GobanGraph *graph, GobanRun *run)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanView *view = goban_session_get_view (session);
  GobanNodeValues *values = goban_view_get_script_values (view);
  GobanNodeContext context = { NULL, run };
  GError *error = NULL;

  if (color != NULL && g_str_equal (color, "script"))
    {
      if (values == NULL || graph != goban_session_get_graph (session))
        luaL_error (L,
                    "no script has found numbers for this graph: view.color(function(n) ... end)");
      return goban_node_values_ref (values);
    }

  context.costs = run != NULL ? goban_run_get_costs (run) : goban_lua_get_costs (L, graph);
  if (color != NULL)
    {
      if (!goban_color_find_values (color, &context, &values, &error))
        goban_lua_raise (L, error);
      return values;
    }
  if (graph == goban_session_get_graph (session)
      && g_str_equal (goban_view_get_color (view), "script"))
    return values != NULL ? goban_node_values_ref (values) : NULL;

  return goban_color_get_values (goban_view_get_color (view), &context);
}

/* --- by a function ------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  const char *palette;
  const char *unit;
} ColorOptions;

static const GobanLuaOption color_options[] = {
  { "name", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ColorOptions, name) },
  { "palette", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ColorOptions, palette) },
  { "unit", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ColorOptions, unit) },
  { NULL },
};

/* A palette, or a table of options, at 2. */
static ColorOptions
check_color_options (lua_State *L)
{
  ColorOptions options = { NULL, NULL, NULL };

  if (lua_type (L, 2) == LUA_TSTRING)
    options.palette = lua_tostring (L, 2);
  else
    goban_lua_check_options (L, 2, "opts", color_options, &options);
  if (options.palette != NULL && !g_str_equal (options.palette, "viridis"))
    luaL_error (L, "there is no palette '%s'; there is: viridis", options.palette);
  if (options.unit != NULL && !g_str_equal (options.unit, "s") && !g_str_equal (options.unit, "B"))
    luaL_error (L, "there is no unit '%s'; there are: s, B", options.unit);
  return options;
}

/* The result of the function for a node lies on top: a number, or nil for none. */
static void
keep_answer (lua_State *L, GobanGraph *graph, GobanNodeId node, double *numbers)
{
  if (!lua_isnil (L, -1) && lua_type (L, -1) != LUA_TNUMBER)
    luaL_error (L, "a number or nil expected for the node %s, got %s",
                goban_graph_get_node (graph, node)->name, luaL_typename (L, -1));
  numbers[node] = lua_isnil (L, -1) ? (double) NAN : lua_tonumber (L, -1);
  lua_settop (L, 5);
}

/* The script's name of its unit, at 5. Times are seconds to a script. */
static GobanFieldKind
take_unit (lua_State *L, double *numbers, guint n)
{
  const char *unit = lua_tostring (L, 5);

  if (g_str_equal (unit, "B"))
    return GOBAN_FIELD_BYTES;
  if (!g_str_equal (unit, "s"))
    return GOBAN_FIELD_COUNT;

  for (guint i = 0; i < n; i++)
    numbers[i] *= 1e6;
  return GOBAN_FIELD_TIME;
}

/* The stack as ask_next() has it. */
static int
take_numbers (lua_State *L)
{
  GobanLuaSet *set = lua_touserdata (L, 3);
  GobanGraph *graph = goban_cost_model_get_graph (set->costs);
  GobanSession *session = goban_lua_get_session (L);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  double *numbers = lua_touserdata (L, 4);
  GobanFieldKind kind;
  GobanNodeValues *values;

  /* People may have opened another graph while the function was asked. */
  if (graph != goban_session_get_graph (session))
    return luaL_error (L, "the graph %s is no longer open", goban_graph_get_name (graph));

  kind = take_unit (L, numbers, n_nodes);
  values = goban_node_values_new_from_numbers (lua_tostring (L, 2), kind, numbers, n_nodes);
  goban_view_set_script_values (goban_session_get_view (session), values);
  goban_node_values_unref (values);
  return 0;
}

/* Called after node @context - 1. Stack: function, name of the values, empty set of the graph and
 * the run, numbers, unit. */
static int
ask_next (lua_State *L, int status, lua_KContext context)
{
  GobanLuaSet *set = lua_touserdata (L, 3);
  double *numbers = lua_touserdata (L, 4);
  GobanGraph *graph = goban_cost_model_get_graph (set->costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId next = context;; next++)
    {
      if (next > 0)
        keep_answer (L, graph, next - 1, numbers);
      if (next == n_nodes)
        break;

      lua_pushvalue (L, 1);
      goban_lua_push_node (L, set->costs, set->run, next);
      /* runs Lua: the set owns what it shows, and no script can reach it */
      lua_callk (L, 1, 1, next + 1, ask_next);
    }
  return goban_lua_call_on_main (L, take_numbers);
}

static int
color_by_function (lua_State *L)
{
  const GobanLuaCurrent *seen = goban_lua_get_current (L);
  GobanGraph *graph = seen->graph;
  ColorOptions options = check_color_options (L);

  luaL_argcheck (L, graph != NULL, 1, "no graph is open");
  lua_pushstring (L, options.unit != NULL ? options.unit : "");
  lua_pushstring (L, options.name != NULL ? options.name : "script");
  lua_replace (L, 2);
  goban_lua_push_set (L, seen->costs, seen->run, 0);
  lua_newuserdatauv (L, MAX (goban_graph_get_n_nodes (graph), 1) * sizeof (double), 0);
  lua_rotate (L, 3, -1); /* the unit goes last */
  return ask_next (L, LUA_OK, 0);
}

static int
color_by_word (lua_State *L)
{
  GobanView *view = goban_session_get_view (goban_lua_get_session (L));
  const char *color;

  color = goban_lua_check_color (L, luaL_checkstring (L, 1));
  check_color_options (L);
  luaL_argcheck (L, !g_str_equal (color, "script") || goban_view_get_script_values (view) != NULL,
                 1, "no script has found numbers for this graph: view.color(function(n) ... end)");
  goban_view_set_color (view, color);
  return 0;
}

/* view.color (word), or view.color (function, palette or {name=, palette=, unit=}) */
static int
view_color (lua_State *L)
{
  lua_settop (L, 2);
  return lua_isfunction (L, 1) ? color_by_function (L) : goban_lua_call_on_main (L, color_by_word);
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (
      "color", view_color, "(field or function, opts)",
      "Colours nodes by \"device\", \"op\", \"priority\" or any field that is a "
      "number: cost, memory, bytes, start, slack, entropy and the others of a node. Or "
      "by a function that is asked of every node for a number, nil where it has "
      "none; opts: name, unit (\"s\" or \"B\"), palette (\"viridis\"). \"script\" "
      "shows again what a function found.",
      "view.color(function(n) return n.finish - n.ready end, { name = \"time in "
      "all\", unit = \"s\" })"),
  { NULL },
};

void
goban_lua_open_color (lua_State *L)
{
  goban_lua_module (L, "view", functions);
}
