/* lua-film.c: Run.film and view.film, runs as moving pictures. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/view/lua-drawing.h"
#include "app/lua/view/lua-view.h"

#include "engine/session/session.h"
#include "ui/draw/export/film.h"

typedef struct
{
  int runs;
  const char *training;
  gboolean steps;
  const char *theme;
  double seconds;
  double fps;
  double width;
  double height;
} FilmOptions;

static const GobanLuaOption film_options[] = {
  { "runs", GOBAN_LUA_ANY, G_STRUCT_OFFSET (FilmOptions, runs) },
  { "training", GOBAN_LUA_STRING, G_STRUCT_OFFSET (FilmOptions, training) },
  { "steps", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (FilmOptions, steps) },
  { "theme", GOBAN_LUA_STRING, G_STRUCT_OFFSET (FilmOptions, theme) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (FilmOptions, seconds) },
  { "fps", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (FilmOptions, fps) },
  { "width", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (FilmOptions, width) },
  { "height", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (FilmOptions, height) },
  { NULL },
};

/* The number of runs in the list at @index; raises if anything else is in it. 0: no list. */
static guint
check_runs (lua_State *L, int index)
{
  guint n;

  if (index == 0)
    return 0;
  if (lua_type (L, index) != LUA_TTABLE || lua_rawlen (L, index) == 0)
    return (guint) luaL_error (L, "opts.runs: a list of runs is needed");
  n = (guint) lua_rawlen (L, index);
  for (guint i = 0; i < n; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, index, (lua_Integer) i + 1);
      goban_lua_check_run (L, -1);
    }
  return n;
}

/* The costs of the run's graph, without one of the open graph's. Raises. */
static GobanCostModel *
check_training (lua_State *L, const FilmOptions *options, GobanRun *run)
{
  GobanCostModel *costs = run != NULL ? goban_run_get_costs (run)
                                      : goban_session_get_costs (goban_lua_get_session (L));

  if (options->runs != 0 || options->steps)
    luaL_error (L, "opts.training: a film is of runs, of steps or of a training");
  if (costs == NULL)
    luaL_error (L, "opts.training: there is no graph to place; open one first");
  return costs;
}

/* @run: (nullable): in place of a list. Path and options are at 2 and 3. */
static int
film (lua_State *L, GobanRun *run)
{
  const char *path = luaL_checkstring (L, 2);
  FilmOptions options = { 0 };
  GobanCostModel *costs = NULL; /* of a training */
  GobanTheme theme;
  GobanFilm *self;
  gpointer *kept;
  GError *error = NULL;
  guint n;

  lua_settop (L, 3);
  goban_lua_check_options (L, 3, "opts", film_options, &options);
  theme = goban_lua_check_theme (L, options.theme);
  n = check_runs (L, options.runs);
  if (options.training != NULL)
    costs = check_training (L, &options, run);
  if (!goban_film_check_path (path, &error) || !goban_lua_may_write (L, path, &error)
      || (options.training != NULL && !goban_lua_may_copy (L, options.training, &error)))
    return goban_lua_fail (L, error);
  if (n == 0 && run == NULL && costs == NULL)
    return luaL_error (L, "there is no run to show: view.show one, or say runs=");

  kept = goban_lua_push_kept (L, goban_film_free);
  *kept = self = goban_film_new (path);
  self->theme = theme;
  self->seconds = options.seconds;
  self->fps = options.fps;
  self->width = (int) MIN (options.width, 1e6);
  self->height = (int) MIN (options.height, 1e6);
  for (guint i = 0; i < n; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, options.runs, (lua_Integer) i + 1);
      g_ptr_array_add (self->runs, goban_run_ref (goban_lua_check_run (L, -1)));
    }
  if (costs != NULL)
    goban_film_set_training (self, options.training, costs);
  if (n == 0 && options.steps && !goban_film_add_steps (self, run, &error))
    return goban_lua_fail (L, error);
  if (n == 0 && !options.steps && costs == NULL)
    g_ptr_array_add (self->runs, goban_run_ref (run));
  return goban_lua_write_drawing (L, goban_film_run);
}

static int
run_film (lua_State *L)
{
  return film (L, goban_lua_check_run (L, 1));
}

/* view.film (path, opts): of the run that is shown. */
static int
view_film (lua_State *L)
{
  lua_settop (L, 2);
  lua_pushnil (L);
  lua_insert (L, 1);
  return film (L, goban_session_get_current_run (goban_lua_get_session (L)));
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION ("film", run_film, "(path, opts)", "Films the run, as view.film does.",
                      "r:film \"run.gif\""),
  { NULL },
};

static const GobanLuaEntry view_functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "film", view_film,
                      "(path, {runs=, steps=, training=, seconds=, fps=, width=, height=, theme=})",
                      "Films the shown run, its steps, a list of runs, or the plans of the open "
                      "graph by the networks that a training kept (training, the file of its "
                      "network): .gif or .webm by ffmpeg, or .apng.",
                      "view.film(\"talk.apng\", { steps = true })"),
  { NULL },
};

void
goban_lua_open_film (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
  goban_lua_module (L, "view", view_functions);
}
