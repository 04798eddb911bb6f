/* lua-view.c: module view: what the panes show, and pictures and tables of it as files; lua-look.c has how they show it.
 *
 * Everything but save acts on the session, which the window follows; without a window the
 * same calls decide what save draws.
 */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/analysis/node-csv.h"
#include "engine/analysis/step.h"
#include "engine/base/file.h"
#include "engine/session/log-lines.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-lanes.h"
#include "engine/session/view-time.h"
#include "ui/draw/export.h"
#include "ui/draw/graph-plot.h"
#include "ui/draw/timeline-scene.h"

#include <string.h>

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
  const char *recipe = goban_lua_get_recipe (run);
  char *quoted;

  if (recipe == NULL || !is_on_session_cluster (session, run))
    return FALSE;

  if (g_str_equal (name, goban_plan_get_policy (goban_run_get_plan (run))))
    {
      g_string_append_printf (line, "sim.run(%s)", recipe);
      return TRUE;
    }
  quoted = goban_log_quote (name);
  g_string_append_printf (line, "sim.run(%s, { name = %s })", recipe, quoted);
  g_free (quoted);
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

      char *quoted = goban_log_quote (goban_run_get_name (run));

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
  gboolean is_open = graph == goban_session_get_graph (session);
  char *name;

  for (guint i = 1; i < runs->len; i++)
    if (goban_run_compare (g_ptr_array_index (runs, i), best) < 0)
      best = g_ptr_array_index (runs, i);

  if (runs->len > 1)
    name = g_strdup_printf ("add %u plans", runs->len);
  else
    name = g_strdup_printf ("add %s", goban_run_get_name (best));
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

  if (g_list_store_find (G_LIST_STORE (goban_session_get_runs (session)), run, NULL))
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

/* A run, or its place in the session's list, from 1. Pushes it, to keep it alive. */
static GobanRun *
check_run_or_place (lua_State *L, int index)
{
  GListModel *runs = goban_session_get_runs (goban_lua_get_session (L));
  lua_Integer place;
  GobanRun *run;

  if (lua_type (L, index) != LUA_TNUMBER)
    return goban_lua_check_run (L, index);

  place = luaL_checkinteger (L, index);
  luaL_argcheck (L, place >= 1 && place <= g_list_model_get_n_items (runs), index,
                 "there are not so many runs in the list");
  run = g_list_model_get_item (runs, place - 1);
  g_object_unref (run); /* the list has it */
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
        luaL_error (L, "number %d of the list is no run", (int) i);
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
view_remove (lua_State *L)
{
  goban_session_remove_run (goban_lua_get_session (L), check_run_or_place (L, 1));
  goban_lua_sync_globals (L);
  return 0;
}

/* --- pictures -------------------------------------------------------------------------------------- */

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

typedef struct
{
  char *path;
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *run;           /* (nullable) */
  GobanNodeValues *values; /* (nullable): what fills nodes */
  GobanGrouping grouping;
  char **expanded;        /* (nullable) */
  GobanSelection *hidden; /* (nullable) */
  GobanArrangement arrangement;
  char **pinned; /* (nullable): lanes, of the open graph */
  char **hidden_lanes;
  char **order;
  GobanExportOptions options;
  gboolean is_timeline;
  gboolean is_step; /* run is that of a step */
} Picture;

static void
free_picture (gpointer data)
{
  Picture *picture = data;

  g_free (picture->path);
  goban_graph_unref (picture->graph);
  goban_cost_model_unref (picture->costs);
  g_clear_object (&picture->run);
  g_clear_pointer (&picture->values, goban_node_values_unref);
  g_strfreev (picture->expanded);
  g_clear_pointer (&picture->hidden, goban_selection_unref);
  g_strfreev (picture->pinned);
  g_strfreev (picture->hidden_lanes);
  g_strfreev (picture->order);
  g_free (picture);
}

static gboolean
draw_graph (const Picture *picture, const GobanProgress *progress, GError **error)
{
  GobanTrace *trace = picture->run != NULL ? goban_run_get_trace (picture->run) : NULL;
  GobanLook look = { .grouping = picture->grouping,
                     .expanded = (const char *const *) picture->expanded,
                     .hidden = picture->hidden,
                     .arrangement = picture->arrangement,
                     .trace = trace,
                     .progress = progress };
  g_autoptr (GobanPlot) plot = goban_plot_new (picture->graph, &look, error);
  g_autoptr (GobanGraphScene) scene = NULL;

  if (plot == NULL)
    return FALSE;

  scene = goban_plot_take_scene (plot, goban_graph_scene_new (picture->graph, NULL, NULL, trace));
  goban_graph_scene_set_values (scene, picture->values);
  goban_graph_scene_set_step (scene, picture->is_step ? picture->run : NULL);
  return goban_export_graph (scene, plot->layout, &picture->options, picture->path, error);
}

/* The hidden nodes of the open graph are no more in its table than in its picture. */
static gboolean
write_table (const Picture *picture, GError **error)
{
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanNodeContext context = { picture->costs, picture->run };
  g_autofree char *csv = NULL;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (picture->graph); v++)
    if (picture->hidden == NULL || !goban_selection_contains (picture->hidden, v))
      g_array_append_val (shown, v);
  csv = goban_node_csv_to_text (&context, (const GobanNodeId *) (void *) shown->data, shown->len);
  return goban_file_write (picture->path, csv, strlen (csv), error);
}

static gboolean
draw_timeline (const Picture *picture, GError **error)
{
  g_autoptr (GobanTimelineScene) scene = NULL;

  scene = goban_timeline_scene_new (goban_run_get_trace (picture->run));
  if (picture->pinned != NULL)
    {
      const GobanLaneWishes wishes
          = { (const char *const *) picture->pinned, (const char *const *) picture->hidden_lanes,
              (const char *const *) picture->order };

      goban_timeline_scene_arrange (scene, &wishes);
    }
  goban_timeline_scene_set_values (scene, picture->values);
  return goban_export_timeline (scene, &picture->options, picture->path, error);
}

static gpointer
run_picture (const GobanProgress *progress, gpointer data, GError **error)
{
  Picture *picture = data;
  gboolean is_drawn;

  picture->options.progress = progress;
  if (goban_node_csv_is_path (picture->path))
    is_drawn = write_table (picture, error);
  else
    is_drawn = picture->is_timeline ? draw_timeline (picture, error)
                                    : draw_graph (picture, progress, error);

  return is_drawn ? g_strdup (picture->path) : NULL;
}

static int
finish_picture (lua_State *L, gpointer result)
{
  goban_lua_take_string (L, result);
  return 1;
}

/* One of @words, by its index, for an option; @fallback if it is absent. */
static int
check_word (lua_State *L, const char *key, const char *value, const char *const *words,
            int fallback)
{
  if (value == NULL)
    return fallback;

  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], value))
      return i;

  return luaL_error (L, "opts.%s: there is no '%s'; there are: %s, %s", key, value, words[0],
                     words[1]);
}

/* The open graph is drawn as the window shows it, any other as one that was opened just now. */
static void
take_look (GobanSession *session, Picture *picture)
{
  GobanView *view = goban_session_get_view (session);

  picture->grouping = goban_view_get_grouping (view);
  picture->arrangement = goban_view_get_layout (view);
  if (picture->graph != goban_session_get_graph (session))
    return;

  picture->expanded = g_strdupv ((char **) goban_view_get_expanded (view));
  picture->hidden = goban_selection_ref (goban_view_get_hidden (view));
  picture->pinned = g_strdupv ((char **) goban_view_get_lanes (view)->pinned);
  picture->hidden_lanes = g_strdupv ((char **) goban_view_get_lanes (view)->hidden);
  picture->order = g_strdupv ((char **) goban_view_get_lanes (view)->order);
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

/* In place of the session's current run that of the step which its view shows. Pushes it, to keep it alive. */
static GobanRun *
find_step (lua_State *L, GobanRun *run)
{
  GobanSession *session = goban_lua_get_session (L);
  int step = goban_view_get_step (goban_session_get_view (session));
  GobanRun *shown = goban_session_get_shown_run (session);
  GError *error = NULL;

  if (run == NULL || step == GOBAN_NO_STEP || run != goban_session_get_current_run (session))
    return run;
  /* Without a main loop it is not made yet. */
  if (shown == run || goban_steps_count (shown) != (guint) step)
    {
      goban_lua_push_empty_run (L);
      shown = goban_steps_new_run (run, (guint) step, &error);
      if (shown == NULL)
        goban_lua_raise (L, error);
      goban_lua_fill_run (L, shown);
    }
  else
    goban_lua_push_run (L, shown);
  return shown;
}

/* view.save (path, opts): the open graph and the current run, unless told. */
static int
view_save (lua_State *L)
{
  static const char *const views[] = { "graph", "timeline", NULL };
  static const char *const themes[] = { "light", "dark", NULL };
  const char *path = luaL_checkstring (L, 1);
  GobanSession *session = goban_lua_get_session (L);
  SaveOptions save = { 0 };
  Picture *picture;
  GobanGraph *graph;
  GobanRun *run;
  GobanNodeValues *values;
  const char *color;
  GobanBox region;
  gboolean is_step = FALSE;
  int view, theme;
  GError *error = NULL;

  lua_settop (L, 2);
  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  goban_lua_check_options (L, 2, "opts", save_options, &save);
  view = check_word (L, "view", save.view, views, 0);
  color = save.color != NULL ? goban_lua_check_color (L, save.color)
                             : goban_view_get_color (goban_session_get_view (session));
  theme = check_word (L, "theme", save.theme, themes, 0);
  region = check_region (L, save.region);
  luaL_argcheck (L, save.scale >= 0 && save.scale <= 16, 2,
                 "opts.scale is more than 0 and at most 16");
  run = save.run != 0 ? goban_lua_check_run (L, save.run) : NULL;
  graph = save.graph != 0 ? goban_lua_check_graph (L, save.graph) : NULL;
  if (graph == NULL)
    graph = run != NULL ? goban_run_get_graph (run) : goban_session_get_graph (session);
  if (graph == NULL)
    return luaL_error (L, "there is no graph to draw: view.open one, or say graph= or run=");
  if (run == NULL)
    {
      GobanRun *current = goban_lua_get_run (L, graph);

      run = find_step (L, current);
      is_step = run != current;
    }
  if (run != NULL && goban_run_get_graph (run) != graph)
    return luaL_error (L, "opts.run: it is a run of another graph");
  if (run == NULL && view == 1)
    return luaL_error (L, "a timeline needs a run: view.show one, or say run=");

  values = goban_lua_dup_color_values (L, save.color, graph, run); /* the last that may raise */
  picture = g_new0 (Picture, 1);
  picture->path = g_strdup (path);
  picture->graph = goban_graph_ref (graph);
  picture->costs = goban_cost_model_ref (run != NULL ? goban_run_get_costs (run)
                                                     : goban_lua_get_costs (L, graph));
  picture->run = run != NULL ? g_object_ref (run) : NULL;
  picture->values = values;
  picture->is_timeline = view == 1;
  picture->is_step = is_step;
  take_look (session, picture);
  picture->options = (GobanExportOptions){
    .theme = theme == 1 ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT,
    .fill = goban_fill_of_color (color),
    .show_critical = save.critical,
    .width = save.width,
    .height = save.height,
    .from_us = save.from_us,
    .to_us = save.to_us,
    .scale = save.scale,
    .region = region,
    .is_transparent = save.transparent,
    .has_histogram = save.histogram,
  };
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Drawing",
                                             .run = run_picture,
                                             .data = picture,
                                             .free_data = free_picture,
                                             .free_result = g_free,
                                             .finish = finish_picture });
}

static const luaL_Reg functions[] = {
  { GOBAN_LUA_ON_MAIN "open", view_open },
  { GOBAN_LUA_ON_MAIN "remove", view_remove },
  { GOBAN_LUA_ON_MAIN "save", view_save },
  { GOBAN_LUA_ON_MAIN "show", view_show },
  { GOBAN_LUA_ON_MAIN "timeline", view_show },
  { GOBAN_LUA_ON_MAIN "zoom", view_zoom },
  { NULL, NULL },
};

void
goban_lua_open_view (lua_State *L)
{
  goban_lua_module (L, "view", functions);
}
