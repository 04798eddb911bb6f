/* lua-share.c: Run.share and view.share, runs as one HTML page. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/view/lua-compare.h" /* goban_lua_open_share() */
#include "app/lua/view/lua-drawing.h"

#include "engine/core/error.h"
#include "ui/draw/reports/share.h"

/* The path at @index, or NULL with @error set; raises if it is no string. */
static const char *
check_path (lua_State *L, int index, GError **error)
{
  const char *path = luaL_checkstring (L, index);

  if (!goban_share_is_path (path))
    goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "%s: a page to share ends in .html", path);
  else if (goban_lua_may_write (L, path, error))
    return path;
  return NULL;
}

static int
run_share (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GError *error = NULL;
  const char *path = check_path (L, 2, &error);
  GobanSharing *sharing;
  gpointer *kept;

  if (path == NULL)
    return goban_lua_fail (L, error);
  kept = goban_lua_push_kept (L, goban_sharing_free);
  *kept = sharing = goban_sharing_new (path);
  g_ptr_array_add (sharing->runs, goban_run_ref (run));
  return goban_lua_write_drawing (L, goban_sharing_run);
}

/* view.share (path): all plans of the window. */
static int
view_share (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GListModel *rows = goban_session_get_runs (session);
  GError *error = NULL;
  const char *path = check_path (L, 1, &error);
  gpointer *kept;

  if (path != NULL && g_list_model_get_n_items (rows) == 0)
    goban_set_error (&error, GOBAN_ERROR_INVALID, "There is no plan to share: make one first");
  if (error != NULL)
    return goban_lua_fail (L, error);
  kept = goban_lua_push_kept (L, goban_sharing_free);
  *kept = goban_sharing_new_of_rows (rows, goban_session_get_current_run (session), path);
  return goban_lua_write_drawing (L, goban_sharing_run);
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION ("share", run_share, "(path)",
                      "Writes one HTML file that any browser shows without a network: graph, "
                      "timeline and steps; returns the path.",
                      "r:share \"plan.html\""),
  { NULL },
};

static const GobanLuaEntry view_functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "share", view_share, "(path)",
                      "Writes one HTML file with all plans, that any browser shows without a "
                      "network; returns the path.",
                      "view.share \"plans.html\""),
  { NULL },
};

void
goban_lua_open_share (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
  goban_lua_module (L, "view", view_functions);
}
