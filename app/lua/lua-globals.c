/* lua-globals.c: g, r, p and sel, set before each chunk and each completion if they are stale. */
#include "app/lua/lua-globals.h"

#include "app/lua/core/lua-docs.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

static void
graph_changed_cb (GobanLuaHost *self)
{
  self->stale = GOBAN_LUA_STALE_ALL;
}

/* The selected nodes are those of the plan in view. */
static void
run_changed_cb (GobanLuaHost *self)
{
  self->stale |= GOBAN_LUA_STALE_RUN | GOBAN_LUA_STALE_SELECTION;
}

static void
selection_changed_cb (GobanLuaHost *self)
{
  self->stale |= GOBAN_LUA_STALE_SELECTION;
}

static void
set_global (lua_State *L, const char *name, gboolean is_there)
{
  if (!is_there)
    lua_pushnil (L);

  goban_lua_set_raw_global (L, name);
}

static void
sync_run (lua_State *L, GobanRun *run)
{
  if (run != NULL)
    goban_lua_push_run (L, run);
  set_global (L, "r", run != NULL);

  if (run != NULL)
    goban_lua_push_plan (L, goban_run_get_plan (run), goban_run_get_costs (run));
  set_global (L, "p", run != NULL);
}

static int
sync_globals (lua_State *L)
{
  GobanLuaHost *self = goban_lua_get_host (L);
  GobanGraph *graph = goban_session_get_graph (self->session);
  guint stale = self->stale;

  self->stale = 0;
  if (stale & GOBAN_LUA_STALE_GRAPH)
    {
      if (graph != NULL)
        goban_lua_push_graph (L, graph);
      set_global (L, "g", graph != NULL);
    }

  if (stale & GOBAN_LUA_STALE_RUN)
    sync_run (L, goban_session_get_current_run (self->session));

  if (stale & GOBAN_LUA_STALE_SELECTION)
    {
      if (graph != NULL)
        goban_lua_push_selection (L, graph, goban_session_get_selection (self->session));
      set_global (L, "sel", graph != NULL);
    }
  return 0;
}

void
goban_lua_open_globals (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  GobanSession *session = host->session;

  /* The host disconnects them. */
  g_signal_connect_swapped (session, "notify::graph", G_CALLBACK (graph_changed_cb), host);
  g_signal_connect_swapped (session, "notify::current-run", G_CALLBACK (run_changed_cb), host);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (selection_changed_cb), host);
  host->stale = GOBAN_LUA_STALE_ALL;
  host->sync = sync_globals;

  goban_lua_add_doc (L, "g", "g", NULL, "The open graph; follows the window.", "g:stats()");
  goban_lua_add_doc (L, "p", "p", NULL, "The plan of the current run.", "p:device \"image/conv1\"");
  goban_lua_add_doc (L, "r", "r", NULL, "The current run.", "r.makespan");
  goban_lua_add_doc (L, "sel", "sel", NULL, "The selected nodes.", "describe(sel)");
}
