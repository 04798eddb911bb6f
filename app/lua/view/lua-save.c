/* lua-save.c: view.save, pictures and tables of nodes as files. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/view/lua-color.h"
#include "app/lua/view/lua-drawing.h"
#include "app/lua/view/lua-picture.h"
#include "app/lua/view/lua-view.h"

#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "ui/draw/export/picture.h"

typedef struct
{
  const char *view;
  const char *color;
  const char *theme;
  int run;
  int graph;
  gboolean critical;
  double width;
  double height;
  double from_us;
  double to_us;
  double scale;
  int region;
  gboolean transparent;
  gboolean histogram;
  /* Found from them: borrowed. */
  GobanGraph *subject;
  GobanRun *shown; /* (nullable) */
  gboolean is_step;
} SaveOptions;

static const GobanLuaOption save_options[] = {
  { "view", GOBAN_LUA_STRING, G_STRUCT_OFFSET (SaveOptions, view) },
  { "color", GOBAN_LUA_STRING, G_STRUCT_OFFSET (SaveOptions, color) },
  { "theme", GOBAN_LUA_STRING, G_STRUCT_OFFSET (SaveOptions, theme) },
  { "run", GOBAN_LUA_ANY, G_STRUCT_OFFSET (SaveOptions, run) },
  { "graph", GOBAN_LUA_ANY, G_STRUCT_OFFSET (SaveOptions, graph) },
  { "critical", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (SaveOptions, critical) },
  { "width", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, width) },
  { "height", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, height) },
  { "from", GOBAN_LUA_TIME_US, G_STRUCT_OFFSET (SaveOptions, from_us) },
  { "to", GOBAN_LUA_TIME_US, G_STRUCT_OFFSET (SaveOptions, to_us) },
  { "scale", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, scale) },
  { "region", GOBAN_LUA_ANY, G_STRUCT_OFFSET (SaveOptions, region) },
  { "transparent", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (SaveOptions, transparent) },
  { "histogram", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (SaveOptions, histogram) },
  { NULL },
};

/* The open graph is drawn as the window shows it, any other as one that was opened just now. */
static void
take_look (GobanSession *session, GobanExportPicture *picture)
{
  GobanView *view = goban_session_get_view (session);

  picture->grouping = goban_view_get_grouping (view);
  picture->arrangement = goban_view_get_layout (view);
  if (goban_cost_model_get_graph (picture->costs) != goban_session_get_graph (session))
    return;

  picture->expanded = g_strdupv ((char **) goban_view_get_expanded (view));
  picture->hidden = goban_selection_ref (goban_view_get_hidden (view));
  goban_own_lanes_set (&picture->lanes, goban_view_get_lanes (view));
  picture->has_lanes = TRUE;
}

/* opts.region, { x0, y0, x1, y1 } of the graph's plane. */
static GobanBox
check_region (lua_State *L, int index)
{
  double v[4] = { 0 };

  if (index == 0)
    return (GobanBox){ 0, 0, 0, 0 };

  if (lua_type (L, index) != LUA_TTABLE)
    luaL_error (L, "opts.region: it is a list of x0, y0, x1, y1");
  for (int i = 0; i < 4; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, index, i + 1);
      if (!lua_isnumber (L, -1))
        luaL_error (L, "opts.region: it is a list of x0, y0, x1, y1");
      v[i] = lua_tonumber (L, -1);
    }
  if (!(v[0] < v[2] && v[1] < v[3]))
    luaL_error (L, "opts.region: x0 is less than x1, and y0 less than y1");
  return (GobanBox){ v[0], v[1], v[2], v[3] };
}

/* The run of the moment that the view shows, if @run is the current one. Pushes it, to keep it
 * alive. */
static GobanRun *
find_moment (lua_State *L, GobanRun *run)
{
  GobanSession *session = goban_lua_get_session (L);
  int moment = goban_view_get_moment (goban_session_get_view (session));
  GobanRun *shown = goban_session_get_shown_run (session);
  GError *error = NULL;
  gpointer *kept;

  if (run == NULL || moment == GOBAN_NO_MOMENT || run != goban_session_get_current_run (session))
    return run;
  /* Without a main loop it is not made yet. */
  if (shown == run || goban_run_get_moment (shown) != (GobanMoment) moment)
    {
      kept = goban_lua_push_kept (L, (GDestroyNotify) goban_run_unref);
      *kept = shown = goban_moment_new_shown_run (run, (GobanMoment) moment, &error);
      if (shown == NULL)
        goban_lua_raise (L, error);
    }
  else
    goban_lua_push_run (L, shown);
  return shown;
}

/* The graph and the run to draw: the open graph and the current run unless given. Pushes their
 * owners. */
static void
find_subject (lua_State *L, SaveOptions *save, gboolean is_timeline)
{
  GobanRun *run = save->run != 0 ? goban_lua_check_run (L, save->run) : NULL;
  GobanGraph *graph = save->graph != 0 ? goban_lua_check_graph (L, save->graph) : NULL;

  if (graph == NULL)
    graph = run != NULL ? goban_run_get_graph (run)
                        : goban_session_get_graph (goban_lua_get_session (L));
  if (graph == NULL)
    luaL_error (L, "there is no graph to draw: view.open one, or say graph= or run=");
  if (run == NULL)
    {
      GobanRun *current = goban_lua_get_run (L, graph);

      run = find_moment (L, current);
      save->is_step = run != current;
    }
  if (run != NULL && goban_run_get_graph (run) != graph)
    luaL_error (L, "opts.run: it is a run of another graph");
  if (run == NULL && is_timeline)
    luaL_error (L, "a timeline needs a run: view.show one, or say run=");
  save->subject = graph;
  save->shown = run;
}

/* The last that may raise comes first. (transfer full) */
static GobanExportPicture *
new_picture (lua_State *L, const SaveOptions *save, const char *path)
{
  GobanNodeValues *values = goban_lua_dup_color_values (L, save->color, save->subject, save->shown);
  GobanExportPicture *picture = g_new0 (GobanExportPicture, 1);
  GobanRun *run = save->shown;

  picture->path = g_strdup (path);
  picture->costs = goban_cost_model_ref (run != NULL ? goban_run_get_costs (run)
                                                     : goban_lua_get_costs (L, save->subject));
  picture->run = goban_run_ref (run);
  picture->values = values;
  picture->is_step = save->is_step;
  take_look (goban_lua_get_session (L), picture);
  picture->options = (GobanExportOptions){
    .show_critical = save->critical,
    .width = save->width,
    .height = save->height,
    .from_us = save->from_us,
    .to_us = save->to_us,
    .scale = save->scale,
    .is_transparent = save->transparent,
    .has_histogram = save->histogram,
  };
  return picture;
}

/* Parses the options at @index, for a file at @path. The last step that may raise comes first.
 * (transfer full) */
static GobanExportPicture *
check_picture (lua_State *L, int index, const char *path)
{
  static const char *const views[] = { "graph", "timeline" };
  SaveOptions save = { 0 };
  GobanView *view = goban_session_get_view (goban_lua_get_session (L));
  GobanExportPicture *picture;
  const char *color;
  GobanBox region;
  GobanTheme theme;
  gboolean is_timeline;

  goban_lua_check_options (L, index, "opts", save_options, &save);
  is_timeline = goban_lua_check_word (L, "view", save.view, views) == 1;
  color = save.color != NULL ? goban_lua_check_color (L, save.color) : goban_view_get_color (view);
  theme = goban_lua_check_theme (L, save.theme);
  region = check_region (L, save.region);
  luaL_argcheck (L, save.scale >= 0 && save.scale <= 16, index,
                 "opts.scale is more than 0 and at most 16");
  find_subject (L, &save, is_timeline);

  picture = new_picture (L, &save, path);
  picture->is_timeline = is_timeline;
  picture->options.theme = theme;
  picture->options.fill = goban_fill_of_color (color);
  picture->options.region = region;
  return picture;
}

/* view.save (path, opts) */
static int
view_save (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;
  gpointer *kept;

  lua_settop (L, 2);
  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_export_picture_free);
  *kept = check_picture (L, 2, path);
  lua_settop (L, 3);
  return goban_lua_write_drawing (L, goban_export_picture_run);
}

/* view.picture (opts) */
static int
view_picture (lua_State *L)
{
  gpointer *slot;

  lua_settop (L, 1);
  slot = goban_lua_push_picture (L);
  *slot = goban_export_picture_to_rendering (check_picture (L, 1, ""));
  lua_settop (L, 2);
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "picture", view_picture, "(opts)",
                      "A picture of the graph or of a timeline, for show() and for files; opts as "
                      "of view.save.",
                      "show(view.picture{ view = \"timeline\", run = r })"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "save", view_save, "(path, opts)",
      "Writes a picture as .svg, .png or .pdf, or the nodes as .csv; opts: view "
      "(graph, timeline), run, graph, color, theme, critical, width, height, scale, "
      "transparent, histogram, region ({x0, y0, x1, y1} of the graph's plane), "
      "from, to.",
      "view.save(\"timeline.svg\", { view = \"timeline\", run = r })"),
  { NULL },
};

void
goban_lua_open_save (lua_State *L)
{
  goban_lua_module (L, "view", functions);
}
