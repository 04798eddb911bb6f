#include "app/lua/view/lua-picture.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/view/lua-compare.h"
#include "app/lua/view/lua-drawing.h"
#include "app/lua/view/lua-figure.h"

static const GobanLuaType picture_type;

gpointer *
goban_lua_push_picture (lua_State *L)
{
  return goban_lua_push_handle (L, &picture_type, 0);
}

/* p:save (path, opts) */
static int
picture_save (lua_State *L)
{
  return goban_lua_save_drawing (L, NULL, goban_lua_check_pointer (L, 1, &picture_type));
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

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "save", picture_save, "(path, opts)",
                      "Writes it as .svg, .png or .pdf, or the nodes of a graph or a run as .csv; "
                      "opts: theme (light, dark), width, height, scale.",
                      "show(compare(1, 2)):save \"compared.svg\""),
  GOBAN_LUA_META ("__tostring", picture_tostring),
  { NULL },
};

static const GobanLuaType picture_type = {
  .name = "Picture",
  .variable = "p",
  .sentence = "A picture of a graph, a timeline or a comparison.",
  .example = "p = show(r)",
  .free = (GDestroyNotify) goban_rendering_unref,
  .entries = entries,
};

void
goban_lua_open_picture (lua_State *L)
{
  goban_lua_register (L, &picture_type);
}
