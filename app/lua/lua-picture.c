#include "app/lua/lua-picture.h"

#include "app/lua/lua-compare.h"
#include "app/lua/lua-figure.h"
#include "app/lua/lua-handle.h"
#include "app/lua/lua-paths.h"
#include "app/lua/lua-value.h"
#include "app/lua/lua-work.h"

static void
free_rendering (gpointer rendering)
{
  goban_rendering_unref (rendering);
}

static const GobanLuaType picture_type;

gpointer *
goban_lua_push_picture (lua_State *L)
{
  return goban_lua_push_handle (L, &picture_type, 0);
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct
{
  GobanRendering *rendering;
  GobanRenderingSize size;
  char *path;
} SaveWork;

static gpointer
run_save (const GobanProgress *progress, gpointer data, GError **error)
{
  SaveWork *work = data;

  return goban_rendering_write (work->rendering, &work->size, work->path, error)
             ? g_strdup (work->path)
             : NULL;
}

static void
free_save (gpointer data)
{
  SaveWork *work = data;

  goban_rendering_unref (work->rendering);
  g_free (work->path);
  g_free (work);
}

static int
finish_save (lua_State *L, gpointer result)
{
  goban_lua_take_string (L, result);
  return 1;
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

/* p:save (path, opts) */
static int
picture_save (lua_State *L)
{
  GobanRendering *rendering = goban_lua_check_pointer (L, 1, &picture_type);
  const char *path = luaL_checkstring (L, 2);
  SaveOptions save = { .theme = "light" };
  gboolean is_dark;
  GError *error = NULL;
  SaveWork *work;

  lua_settop (L, 3);
  goban_lua_check_options (L, 3, "opts", save_options, &save);
  is_dark = g_str_equal (save.theme, "dark");
  if (!is_dark && !g_str_equal (save.theme, "light"))
    return luaL_error (L, "opts.theme: there is no '%s'; there are: light, dark", save.theme);
  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  work = g_new0 (SaveWork, 1);
  work->rendering = goban_rendering_ref (rendering);
  work->path = g_strdup (path);
  work->size = (GobanRenderingSize){ is_dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT, save.width,
                                     save.height, save.scale };
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Drawing",
                                             .run = run_save,
                                             .data = work,
                                             .free_data = free_save,
                                             .free_result = g_free,
                                             .finish = finish_save });
}

static int
picture_tostring (lua_State *L)
{
  lua_pushstring (L, goban_rendering_get_title (goban_lua_check_pointer (L, 1, &picture_type)));
  return 1;
}

/* --- for the prelude -------------------------------------------------------------------------- */

/* core.picture_of (diff) */
static int
core_picture_of (lua_State *L)
{
  GobanRun *before, *after;
  gpointer *slot;

  if (!goban_lua_check_diff (L, &before, &after))
    return luaL_error (L, "these runs have no difference to show");
  slot = goban_lua_push_picture (L);
  *slot = goban_rendering_new_comparison (before, after);
  return 1;
}

/* core.display_picture (picture, slot) */
static int
core_display_picture (lua_State *L)
{
  GobanExhibit exhibit = { .rendering = goban_lua_check_pointer (L, 1, &picture_type),
                           .slot = (guint) luaL_optinteger (L, 2, 0) };

  lua_pushboolean (L, goban_lua_exhibit (L, &exhibit));
  return 1;
}

static const luaL_Reg core[] = {
  { "display_picture", core_display_picture },
  { "picture_of", core_picture_of },
  { NULL, NULL },
};

void
goban_lua_add_picture_core (lua_State *L)
{
  luaL_setfuncs (L, core, 0);
}

/* --- the type --------------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
  { GOBAN_LUA_ON_MAIN "save", picture_save },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__tostring", picture_tostring },
  { NULL, NULL },
};

static const GobanLuaType picture_type = {
  .name = "Picture",
  .variable = "p",
  .free = free_rendering,
  .methods = methods,
  .meta = meta,
};

void
goban_lua_open_picture (lua_State *L)
{
  goban_lua_register (L, &picture_type);
}
