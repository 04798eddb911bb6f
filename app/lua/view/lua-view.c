/* lua-view.c: module view: the graph and the runs that the panes show.
 *
 * Everything but save acts on the session, which the window follows; without a window the
 * same calls decide what save draws.
 */
#include "app/lua/view/lua-view.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-run.h"

#include "engine/core/i18n.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/export/export.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/timeline-scene.h"

static int
view_open (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *path = luaL_optstring (L, 2, NULL);

  if (graph != goban_session_get_graph (goban_lua_get_session (L)))
    {
      goban_lua_note_opened (L, path);
      goban_session_set_graph (goban_lua_get_session (L), graph, path);
      goban_lua_log_open (L, graph);
    }
  goban_lua_sync_globals (L);
  return 0;
}

static int
view_zoom (lua_State *L)
{
  static const char *const places[] = { "fit", "selection", NULL };

  goban_session_zoom (goban_lua_get_session (L), places[luaL_checkoption (L, 1, "fit", places)]);
  return 0;
}

/* Whether "sim.run (plan)" would make the run again: on the session's cluster, by its rules. */
static gboolean
is_on_session_cluster (GobanSession *session, GobanRun *run)
{
  return goban_run_get_cluster (run) == goban_session_get_cluster (session)
         && !goban_cost_model_is_contention_free (goban_run_get_costs (run));
}

/* Appends "sim.run(plan.heft(g))" to @line, or returns FALSE if no line can make the run again. */
static gboolean
append_recipe (GString *line, GobanSession *session, GobanRun *run)
{
  const char *name = goban_run_get_name (run);
  const char *recipe = goban_run_get_origin (run)->expression;
  char *text;

  if (recipe == NULL || !is_on_session_cluster (session, run))
    return FALSE;

  if (g_str_equal (name, goban_plan_get_policy (goban_run_get_plan (run))))
    {
      g_string_append_printf (line, "sim.run(%s)", recipe);
      return TRUE;
    }
  text = goban_log_run (recipe, name);
  g_string_append (line, text);
  g_free (text);
  return TRUE;
}

static void
log_show (GobanSession *session, GPtrArray *runs)
{
  gboolean is_list = runs->len > 1;
  GString *line = g_string_new (is_list ? "view.show{" : "view.show(");

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);

      if (i > 0)
        g_string_append (line, ", ");
      if (append_recipe (line, session, run))
        continue;

      char *quoted = goban_lua_text_quote (goban_run_get_name (run));

      g_string_printf (line, "-- view.show: %s is a run that no line here can make", quoted);
      g_free (quoted);
      goban_session_log (session, line->str);
      g_string_free (line, TRUE);
      return;
    }
  g_string_append_c (line, is_list ? '}' : ')');
  goban_session_log (session, line->str);
  g_string_free (line, TRUE);
}

/* Adds runs of one graph as one change, and shows the best. Never raises. */
static void
show_runs (lua_State *L, GPtrArray *runs)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *best = g_ptr_array_index (runs, 0);
  GobanGraph *graph = goban_run_get_graph (best);
  gboolean is_open
      = graph == goban_session_get_graph (session) || goban_session_reopen (session, graph);
  char *name;

  for (guint i = 1; i < runs->len; i++)
    if (goban_run_compare (g_ptr_array_index (runs, i), best) < 0)
      best = g_ptr_array_index (runs, i);

  goban_session_name_runs (session, runs);
  if (runs->len > 1)
    name = g_strdup_printf (_ ("add %u plans"), runs->len);
  else
    name = g_strdup_printf (_ ("add %s"), goban_run_get_name (best));
  goban_session_add_runs (session, name, runs, best);
  g_free (name);
  if (!is_open)
    goban_lua_log_open (L, graph);
  log_show (session, runs);
}

void
goban_lua_show_run (lua_State *L, GobanRun *run)
{
  GobanSession *session = goban_lua_get_session (L);

  /* The list of a graph that is set aside may have the run. */
  goban_session_reopen (session, goban_run_get_graph (run));
  if (goban_run_list_find (goban_session_get_runs (session), run, NULL))
    {
      goban_session_set_current_run (session, run);
    }
  else
    {
      GPtrArray *runs = g_ptr_array_new ();

      g_ptr_array_add (runs, run);
      show_runs (L, runs);
      g_ptr_array_unref (runs);
    }
  goban_lua_sync_globals (L);
}

/* The list keeps it. */
GobanRun *
goban_lua_check_run_place (lua_State *L, int index)
{
  GListModel *runs = goban_session_get_runs (goban_lua_get_session (L));
  lua_Integer place = luaL_checkinteger (L, index);

  luaL_argcheck (L, place >= 1 && place <= g_list_model_get_n_items (runs), index,
                 "there are not so many runs in the list");
  return goban_run_list_get (runs, (guint) place - 1);
}

/* A run, or its place in the session's list, from 1. Pushes it, to keep it alive. */
static GobanRun *
check_run_or_place (lua_State *L, int index)
{
  GobanRun *run;

  if (lua_type (L, index) != LUA_TNUMBER)
    return goban_lua_check_run (L, index);

  run = goban_lua_check_run_place (L, index);
  goban_lua_push_run (L, run);
  return run;
}

/* The table at 1 as a list of runs of one graph, borrowed from it; (transfer container). */
static GPtrArray *
check_runs (lua_State *L)
{
  lua_Integer n = (lua_Integer) lua_rawlen (L, 1);
  GobanGraph *graph = NULL;
  GPtrArray *runs;

  luaL_argcheck (L, n > 0, 1, "there is no run in the list");
  for (lua_Integer i = 1; i <= n; i++, lua_pop (L, 1))
    {
      GobanRun *run;

      lua_rawgeti (L, 1, i);
      run = goban_lua_test_run (L, -1);
      if (run == NULL)
        luaL_error (L, "number %d of the list is not a run", (int) i);
      if (graph != NULL && goban_run_get_graph (run) != graph)
        luaL_error (L, "number %d of the list is a run of another graph", (int) i);
      graph = goban_run_get_graph (run);
    }

  runs = g_ptr_array_new ();
  for (lua_Integer i = 1; i <= n; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, 1, i);
      g_ptr_array_add (runs, goban_lua_test_run (L, -1));
    }
  return runs;
}

static int
view_show (lua_State *L)
{
  if (lua_istable (L, 1))
    {
      GPtrArray *runs = check_runs (L);

      show_runs (L, runs);
      g_ptr_array_unref (runs);
      goban_lua_sync_globals (L);
      return 0;
    }

  goban_lua_show_run (L, check_run_or_place (L, 1));
  return 0;
}

static int
view_derive (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *run = goban_lua_check_run (L, 1);

  if (goban_run_get_graph (run) == goban_session_get_graph (session))
    return luaL_error (L, "the run is of the open graph: view.show adds it to the list");
  goban_session_derive (session, run);
  goban_lua_sync_globals (L);
  return 0;
}

/* Whether there was a graph to go back to. */
static int
view_back (lua_State *L)
{
  lua_pushboolean (L, goban_session_return (goban_lua_get_session (L)));
  goban_lua_sync_globals (L);
  return 1;
}

static int
view_remove (lua_State *L)
{
  goban_session_remove_run (goban_lua_get_session (L), check_run_or_place (L, 1));
  goban_lua_sync_globals (L);
  return 0;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("What the window shows, and pictures as files.", "view.open(g)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "back", view_back, "()",
                      "From a graph that view.derive has opened to the one it was made from; "
                      "whether there was one."),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "derive", view_derive, "(run, figures)",
      "Opens the graph of a run that was made from the open one, such as that of a "
      "pipeline, with the run. Undo brings the open one back as it was, and so does "
      "view.back. Figures, which g:pipeline and others return besides, change "
      "nothing.",
      "view.derive(assert(g:pipeline{ micro_batches = 4 }))"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "open", view_open, "(g, path)",
                      "Opens a graph; runs and selection are forgotten. The window offers to "
                      "restore changes that were not saved.",
                      "view.open(g)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "remove", view_remove, "(run or place)",
                      "Takes a run off the list.", "view.remove(r)"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "show", view_show, "(run, list of runs or place)",
      "Makes a run the current one, and adds it to the list: of a list of runs, all "
      "as one change, the best; or the run at that place, from 1. One of the model "
      "of a derived graph goes back.",
      "view.show(sim.run(g, p))"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "timeline", view_show, "(run)",
                      "The same as view.show: the timeline shows the current run.",
                      "view.timeline(r)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "zoom", view_zoom, "(what)",
                      "Goes to \"fit\", which is everything, or to the \"selection\".",
                      "view.zoom \"selection\""),
  { NULL },
};

void
goban_lua_open_view (lua_State *L)
{
  goban_lua_module (L, "view", functions);
}
