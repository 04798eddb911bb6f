/* lua-graph-load.c: graphs from files and to files, and training graphs. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-graph.h"

#include "engine/graph/training.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/graph-source.h"

/* --- loading ------------------------------------------------------------------------------- */

static const GobanLuaOption load_options[] = {
  { "format", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLoadOptions, format) },
  { "time_unit", GOBAN_LUA_TIME_US, G_STRUCT_OFFSET (GobanLoadOptions, time_unit_us) },
  { "batch", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLoadOptions, batch) },
  { "with_backward", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, with_backward) },
  { "training", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, training) },
  { "keep_constants", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, keep_constants) },
  { NULL },
};

/* The graph of a path or spec, or of a text. */
static int
load (lua_State *L, gboolean is_text)
{
  size_t size;
  const char *source = luaL_checklstring (L, 1, &size);
  GobanLoadOptions options = { 0 };
  GError *error = NULL;
  GobanGraph **slot;
  char *format, *recipe = NULL;

  goban_lua_check_options (L, 2, "opts", load_options, &options);
  slot = goban_lua_push_empty_graph (L);
  options.format = format = g_strdup (options.format);
  options.progress = goban_lua_begin_work (L);
  *slot = is_text ? goban_graph_source_parse (source, size, &options, &error)
                  : goban_graph_source_load (source, &options, &error);
  if (*slot != NULL && !is_text)
    recipe = goban_log_load (source, &options);
  goban_lua_end_work (L, &error);
  g_free (format);
  if (*slot == NULL)
    return goban_lua_fail (L, error);
  if (recipe != NULL)
    goban_lua_take_graph_recipe (L, *slot, recipe);
  goban_lua_charge_graph (L, -1, *slot);
  return 1;
}

static int
graph_load (lua_State *L)
{
  return load (L, FALSE);
}

static int
graph_parse (lua_State *L)
{
  return load (L, TRUE);
}

static int
graph_text (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GError *error = NULL;
  char *text = goban_graph_source_to_text (graph, luaL_optstring (L, 2, "json"), &error);

  if (text == NULL)
    return goban_lua_fail (L, error);
  goban_lua_take_string (L, text);
  return 1;
}

static int
graph_save (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *path = luaL_checkstring (L, 2);
  const char *format = luaL_optstring (L, 3, NULL);
  GError *error = NULL;

  return goban_lua_answer_path (L, 2,
                                goban_lua_may_write (L, path, &error)
                                    && goban_graph_source_save (graph, path, format, &error),
                                &error);
}

/* --- training -------------------------------------------------------------------------------- */

static const GobanLuaOption training_options[] = {
  { "with_params", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (GobanTrainingCosts, with_params) },
  { "without_params", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (GobanTrainingCosts, without_params) },
  { "state_ratio", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (GobanTrainingCosts, state_bytes_ratio) },
  { NULL },
};

static void
keep_training_recipe (lua_State *L, GobanGraph *graph, GobanGraph *training,
                      const GobanTrainingCosts *costs)
{
  char with[G_ASCII_DTOSTR_BUF_SIZE], without[G_ASCII_DTOSTR_BUF_SIZE];
  char ratio[G_ASCII_DTOSTR_BUF_SIZE];
  char *base = goban_lua_dup_graph_recipe (L, graph);

  if (base == NULL)
    return;

  g_ascii_dtostr (with, sizeof with, costs->with_params);
  g_ascii_dtostr (without, sizeof without, costs->without_params);
  g_ascii_dtostr (ratio, sizeof ratio, costs->state_bytes_ratio);
  goban_lua_take_graph_recipe (
      L, training,
      g_strdup_printf ("%s:training{ with_params = %s, without_params = %s, state_ratio = %s }",
                       base, with, without, ratio));
  g_free (base);
}

static int
graph_training (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanTrainingCosts costs = goban_training_costs_default ();
  GError *error = NULL;
  GobanGraph **slot;

  goban_lua_check_options (L, 2, "opts", training_options, &costs);
  slot = goban_lua_push_empty_graph (L);
  *slot = goban_graph_new_training (graph, &costs, &error);
  if (*slot == NULL)
    return goban_lua_fail (L, error);

  keep_training_recipe (L, graph, *slot, &costs);
  goban_lua_charge_graph (L, -1, *slot);
  return 1;
}

/* --- measured times -------------------------------------------------------------------------- */

static int
graph_with_costs (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *path = luaL_checkstring (L, 2);
  GobanCluster *cluster = goban_session_get_cluster_for (goban_lua_get_session (L), graph);
  GError *error = NULL;
  GobanGraph **slot = goban_lua_push_empty_graph (L);
  char *base, *quoted;

  *slot = goban_graph_source_measure (graph, path, cluster, NULL, &error);
  if (*slot == NULL)
    return goban_lua_fail (L, error);

  base = goban_lua_dup_graph_recipe (L, graph);
  if (base != NULL)
    {
      quoted = goban_log_path (path);
      goban_lua_take_graph_recipe (L, *slot, g_strdup_printf ("%s:with_costs(%s)", base, quoted));
      g_free (quoted);
    }
  g_free (base);
  goban_lua_charge_graph (L, -1, *slot);
  return 1;
}

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION ("save", graph_save, "(path, format)",
                      "Writes the graph; the ending tells the format. Returns the path.",
                      "g:save \"toy.json\""),
  GOBAN_LUA_FUNCTION ("text", graph_text, "(format)",
                      "The graph as the text of a file, of our own JSON unless told; graph.parse "
                      "reads it again.",
                      "print(g:text \"dot\")"),
  GOBAN_LUA_FUNCTION (
      "training", graph_training, "(opts)",
      "The training graph of an inference graph; opts: with_params, without_params, "
      "state_ratio.",
      "t = g:training()"),
  GOBAN_LUA_FUNCTION ("with_costs", graph_with_costs, "(path)",
                      "A copy with the measured times of a profile of ONNX Runtime or a Chrome "
                      "trace; its last warning tells what was not found.",
                      "view.open(g:with_costs \"profile.json\")"),
  { NULL },
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Graphs of operations, read from files or generated.",
                    "g = graph.load \"samples/toy.dot\""),
  GOBAN_LUA_FUNCTION (
      "load", graph_load, "(path or spec, opts)",
      "Reads a graph, or makes that of a spec such as rnnlm:layers=2; opts: format, "
      "batch, time_unit, with_backward, training, keep_constants.",
      "g = assert(graph.load(\"samples/inception-v3.onnx\", { batch = 8 }))"),
  GOBAN_LUA_FUNCTION ("parse", graph_parse, "(text, opts)",
                      "The graph of a text as a file has it; opts as of graph.load.",
                      "graph.parse \"digraph pair { a -> b }\""),
  { NULL },
};

void
goban_lua_open_graph_load (lua_State *L)
{
  goban_lua_module (L, "graph", functions);
  goban_lua_extend (L, "Graph", graph_entries);
}
