/* lua-graph-load.c: graphs from files and to files, and what the log says of where they are from. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/graph/training.h"
#include "engine/run/graph-source.h"
#include "engine/session/log-lines.h"
#include "engine/session/session-log.h"

/* --- loading ----------------------------------------------------------------------------------- */

typedef struct
{
  char *path;
  char *format;
  GobanLoadOptions options;
} Loading;

static void
free_loading (gpointer data)
{
  Loading *loading = data;

  g_free (loading->path);
  g_free (loading->format);
  g_free (loading);
}

typedef struct
{
  GobanGraph *graph;
  char *recipe;
} Loaded;

static void
free_loaded (gpointer data)
{
  Loaded *loaded = data;

  g_clear_pointer (&loaded->graph, goban_graph_unref);
  g_free (loaded->recipe);
  g_free (loaded);
}

/* graph.load("/a/model.onnx", { batch = 8 }) */
static char *
make_recipe (const Loading *loading)
{
  const GobanLoadOptions *options = &loading->options;
  GString *line = g_string_new ("graph.load(");
  GString *opts = g_string_new (NULL);
  char *path = goban_log_path (loading->path);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (options->format != NULL)
    {
      char *format = goban_log_quote (options->format);

      g_string_append_printf (opts, ", format = %s", format);
      g_free (format);
    }
  if (options->time_unit_us > 0)
    g_string_append_printf (
        opts, ", time_unit = \"%sus\"",
        g_ascii_formatd (number, sizeof number, "%.17g", options->time_unit_us));
  if (options->batch > 0)
    g_string_append_printf (opts, ", batch = %" G_GINT64_FORMAT, options->batch);
  g_string_append (opts, options->with_backward ? ", with_backward = true" : "");
  g_string_append (opts, options->training ? ", training = true" : "");
  g_string_append (opts, options->keep_constants ? ", keep_constants = true" : "");

  g_string_append (line, path);
  if (opts->len > 0)
    g_string_append_printf (line, ", {%s }", opts->str + 1);
  g_string_append_c (line, ')');
  g_free (path);
  g_string_free (opts, TRUE);
  return g_string_free (line, FALSE);
}

static gpointer
run_loading (const GobanProgress *progress, gpointer data, GError **error)
{
  Loading *loading = data;

  GobanGraph *graph;
  Loaded *loaded;

  loading->options.progress = progress;
  graph = goban_graph_source_load (loading->path, &loading->options, error);
  if (graph == NULL)
    return NULL;

  loaded = g_new0 (Loaded, 1);
  loaded->graph = graph;
  loaded->recipe = make_recipe (loading);
  return loaded;
}

/* Takes @recipe. Kept by what the graph holds, since handles and graphs come and go. */
static void
take_recipe (lua_State *L, GobanGraph *graph, char *recipe)
{
  guint64 hash = goban_graph_get_hash (graph);

  g_hash_table_replace (goban_lua_get_host (L)->recipes, g_memdup2 (&hash, sizeof hash), recipe);
}

void
goban_lua_keep_spec (lua_State *L, GobanGraph *graph)
{
  char *quoted = goban_log_quote (goban_graph_get_name (graph));

  take_recipe (L, graph, g_strdup_printf ("graph.generate(%s)", quoted));
  g_free (quoted);
}

typedef struct
{
  GobanSession *session;
  GobanGraph *graph;
  char *recipe; /* NULL for a graph that is not that of the session's file */
} Opened;

static void
look_up_path_cb (gpointer data)
{
  Opened *self = data;
  const char *path = goban_session_get_path (self->session);
  char *quoted;

  if (path == NULL || self->graph != goban_session_get_graph (self->session))
    return;
  quoted = goban_log_path (path);
  self->recipe = g_strdup_printf ("graph.load(%s)", quoted);
  g_free (quoted);
}

char *
goban_lua_dup_graph_recipe (lua_State *L, GobanGraph *graph)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  guint64 hash = goban_graph_get_hash (graph);
  const char *known = g_hash_table_lookup (host->recipes, &hash);
  Opened opened = { host->session, graph, NULL };

  if (known != NULL)
    return g_strdup (known);

  goban_lua_on_main (host, look_up_path_cb, &opened);
  return opened.recipe;
}

void
goban_lua_log_open (lua_State *L, GobanGraph *graph)
{
  char *recipe = goban_lua_dup_graph_recipe (L, graph);
  char *line = recipe != NULL ? g_strdup_printf ("view.open(%s)", recipe)
                              : g_strdup ("-- view.open: a graph that no line here can load");

  goban_session_log (goban_lua_get_session (L), line);
  g_free (line);
  g_free (recipe);
}

static int
finish_loading (lua_State *L, gpointer result)
{
  Loaded *loaded = result;
  GobanGraph *graph = g_steal_pointer (&loaded->graph);

  *(GobanGraph **) lua_touserdata (L, -1) = graph;
  take_recipe (L, graph, g_steal_pointer (&loaded->recipe));
  free_loaded (loaded);
  goban_lua_charge_graph (L, -1, graph);
  return 1;
}

static const GobanLuaOption load_options[] = {
  { "format", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLoadOptions, format) },
  { "time_unit", GOBAN_LUA_TIME_US, G_STRUCT_OFFSET (GobanLoadOptions, time_unit_us) },
  { "batch", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLoadOptions, batch) },
  { "with_backward", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, with_backward) },
  { "training", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, training) },
  { "keep_constants", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLoadOptions, keep_constants) },
  { NULL },
};

int
goban_lua_graph_load (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GobanLoadOptions options = { 0 };
  Loading *loading;

  goban_lua_check_options (L, 2, "opts", load_options, &options);
  goban_lua_push_empty_graph (L);

  loading = g_new0 (Loading, 1);
  loading->path = g_strdup (path);
  loading->format = g_strdup (options.format);
  loading->options = options;
  loading->options.format = loading->format;
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Loading a graph",
                                             .run = run_loading,
                                             .data = loading,
                                             .free_data = free_loading,
                                             .free_result = free_loaded,
                                             .finish = finish_loading });
}

int
goban_lua_graph_save (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *path = luaL_checkstring (L, 2);
  const char *format = luaL_optstring (L, 3, NULL);
  GError *error = NULL;

  if (!goban_lua_may_write (L, path, &error)
      || !goban_graph_source_save (graph, path, format, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
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
  take_recipe (
      L, training,
      g_strdup_printf ("%s:training{ with_params = %s, without_params = %s, state_ratio = %s }",
                       base, with, without, ratio));
  g_free (base);
}

int
goban_lua_graph_training (lua_State *L)
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
