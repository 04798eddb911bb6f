/* lua-recipe.c: expressions of graphs, kept by the host, and of plans, kept by their runs. */
#include "app/lua/core/lua-recipe.h"

#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"

#include "engine/session/session-log.h"
#include "engine/study/log/log-lines.h"

void
goban_lua_take_graph_recipe (lua_State *L, GobanGraph *graph, char *recipe)
{
  guint64 hash = goban_graph_get_hash (graph);

  g_hash_table_replace (goban_lua_get_host (L)->recipes, g_memdup2 (&hash, sizeof hash), recipe);
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
