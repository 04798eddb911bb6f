#include "app/lua/view/lua-drawing.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"

#include "engine/core/find-word.h"
#include "ui/draw/figures/figure-painter.h"

int
goban_lua_check_word (lua_State *L, const char *key, const char *value, const char *const words[2])
{
  int i = value != NULL ? goban_find_word (words, 2, value) : 0;

  if (i < 0)
    return luaL_error (L, "opts.%s: there is no '%s'; there are: %s, %s", key, value, words[0],
                       words[1]);
  return i;
}

GobanTheme
goban_lua_check_theme (lua_State *L, const char *value)
{
  static const char *const themes[]
      = { [GOBAN_THEME_LIGHT] = "light", [GOBAN_THEME_DARK] = "dark" };

  return (GobanTheme) goban_lua_check_word (L, "theme", value, themes);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Stack: ..., the drawing, the function that writes it. */
static int
draw (lua_State *L)
{
  GobanJobFunc run = (GobanJobFunc) lua_touserdata (L, -1);
  gpointer data = *(gpointer *) lua_touserdata (L, -2);
  const GobanProgress *progress = goban_lua_begin_work (L);
  GError *error = NULL;
  char *path = run (progress, data, &error);

  goban_lua_end_work (L, &error);
  if (path == NULL)
    return goban_lua_fail (L, error);
  goban_lua_take_string (L, path);
  return 1;
}

int
goban_lua_write_drawing (lua_State *L, GobanJobFunc run)
{
  lua_pushlightuserdata (L, (gpointer) run);
  return goban_lua_then (L, draw);
}

typedef struct
{
  GobanFigure *figure;       /* either this, */
  GobanRendering *rendering; /* or this */
  GobanPaintingOptions options;
  char *path;
} Saving;

static gpointer
run_saving (const GobanProgress *progress, gpointer data, GError **error)
{
  const Saving *saving = data;
  gboolean is_written
      = saving->figure != NULL
            ? goban_figure_write (saving->figure, &saving->options, saving->path, error)
            : goban_rendering_write (saving->rendering, &saving->options, saving->path, error);

  return is_written ? g_strdup (saving->path) : NULL;
}

static void
free_saving (gpointer data)
{
  Saving *saving = data;

  goban_figure_unref (saving->figure);
  goban_rendering_unref (saving->rendering);
  g_free (saving->path);
  g_free (saving);
}

typedef struct
{
  const char *theme;
  double width;
  double height;
  double scale;
} SaveOptions;

static const GobanLuaOption save_options[] = {
  { "theme", GOBAN_LUA_STRING, G_STRUCT_OFFSET (SaveOptions, theme) },
  { "width", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, width) },
  { "height", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, height) },
  { "scale", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (SaveOptions, scale) },
  { NULL },
};

int
goban_lua_save_drawing (lua_State *L, GobanFigure *figure, GobanRendering *rendering)
{
  const char *path = luaL_checkstring (L, 2);
  SaveOptions save = { 0 };
  GobanTheme theme;
  GError *error = NULL;
  Saving *saving;
  gpointer *kept;

  lua_settop (L, 3);
  goban_lua_check_options (L, 3, "opts", save_options, &save);
  theme = goban_lua_check_theme (L, save.theme);
  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  kept = goban_lua_push_kept (L, free_saving);
  *kept = saving = g_new0 (Saving, 1);
  saving->figure = figure != NULL ? goban_figure_ref (figure) : NULL;
  saving->rendering = rendering != NULL ? goban_rendering_ref (rendering) : NULL;
  saving->path = g_strdup (path);
  saving->options = (GobanPaintingOptions){ theme, save.width, save.height, save.scale };
  return goban_lua_write_drawing (L, run_saving);
}
