/* lua-scene.c: module scene: the scenes of the session, shown in turn and edited. */
#include "app/lua/view/lua-view.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"

#include "engine/session/session-scenes.h"

#include <math.h>

static GobanSessionScenes *
get_scenes (lua_State *L)
{
  return goban_session_scenes_of (goban_lua_get_session (L));
}

/* The number at @index; without one the current scene's. */
static guint
opt_number (lua_State *L, int index)
{
  lua_Integer number
      = luaL_optinteger (L, index, goban_session_scenes_get_current (get_scenes (L)));

  return number >= 0 && number <= G_MAXINT ? (guint) number : 0;
}

static guint
check_number (lua_State *L, int index)
{
  luaL_checkinteger (L, index);
  return opt_number (L, index);
}

/* Nothing is returned, or the error raised. */
static int
finish (lua_State *L, gboolean is_done, GError *error)
{
  return is_done ? 0 : goban_lua_raise (L, error);
}

/* Field compare: the names of the plans. */
static void
put_compared (lua_State *L, const GobanSceneComparison *comparison)
{
  lua_createtable (L, (int) comparison->n_plans, 0);
  for (guint i = 0; i < comparison->n_plans; i++)
    {
      lua_pushstring (L, comparison->plans[i].name);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  lua_setfield (L, -2, "compare");
}

static int
scene_list (lua_State *L)
{
  GobanSessionScenes *scenes = get_scenes (L);
  const GobanSceneList *list = goban_session_scenes_get_list (scenes);

  lua_createtable (L, (int) goban_scene_list_get_n (list), 0);
  for (guint i = 0; i < goban_scene_list_get_n (list); i++)
    {
      const GobanScene *scene = goban_scene_list_get (list, i);

      lua_createtable (L, 0, 6);
      goban_lua_put_text (L, "text", scene->text);
      if (scene->plan != NULL)
        goban_lua_put_text (L, "plan", scene->plan);
      if (isfinite (scene->time_us))
        goban_lua_put_number (L, "time", scene->time_us / 1e6);
      if (scene->moment >= 0)
        goban_lua_put_integer (L, "moment", scene->moment);
      if (scene->comparison.n_plans > 0)
        put_compared (L, &scene->comparison);
      goban_lua_put_boolean (L, "current", goban_session_scenes_get_current (scenes) == i + 1);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

typedef struct
{
  const char *text;
  gint64 at;
} SceneOptions;

static const GobanLuaOption scene_options[] = {
  { "text", GOBAN_LUA_STRING, G_STRUCT_OFFSET (SceneOptions, text) },
  { "at", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (SceneOptions, at) },
  { NULL },
};

/* scene.add { text =, at = } or scene.add "text": the number of the new scene. */
static int
scene_add (lua_State *L)
{
  SceneOptions options = { "", 0 };
  GError *error = NULL;
  guint number;

  if (lua_type (L, 1) == LUA_TSTRING)
    options.text = lua_tostring (L, 1);
  else
    goban_lua_check_options (L, 1, "scene", scene_options, &options);
  number = goban_session_scenes_add (get_scenes (L), (guint) MIN (options.at, G_MAXINT),
                                     options.text, &error);
  if (number == 0)
    return goban_lua_raise (L, error);
  lua_pushinteger (L, number);
  return 1;
}

static int
scene_go (lua_State *L)
{
  GError *error = NULL;
  gboolean is_done = goban_session_scenes_show (get_scenes (L), check_number (L, 1), &error);

  return finish (L, is_done, error);
}

/* The number of the scene @by places on, which is shown; false if there is none. */
static int
turn (lua_State *L, int by)
{
  GobanSessionScenes *scenes = get_scenes (L);
  gint64 number = (gint64) goban_session_scenes_get_current (scenes) + by;

  if (number < 1 || number > goban_scene_list_get_n (goban_session_scenes_get_list (scenes)))
    {
      lua_pushboolean (L, FALSE);
      return 1;
    }
  goban_session_scenes_show (scenes, (guint) number, NULL);
  lua_pushinteger (L, number);
  return 1;
}

static int
scene_next (lua_State *L)
{
  return turn (L, 1);
}

static int
scene_previous (lua_State *L)
{
  return turn (L, -1);
}

static int
scene_update (lua_State *L)
{
  GError *error = NULL;
  gboolean is_done = goban_session_scenes_update (get_scenes (L), opt_number (L, 1), &error);

  return finish (L, is_done, error);
}

static int
scene_text (lua_State *L)
{
  guint number = check_number (L, 1);
  const char *text = luaL_checkstring (L, 2);
  GError *error = NULL;
  gboolean is_done = goban_session_scenes_set_text (get_scenes (L), number, text, &error);

  return finish (L, is_done, error);
}

static int
scene_move (lua_State *L)
{
  guint number = check_number (L, 1), to = check_number (L, 2);
  GError *error = NULL;
  gboolean is_done = goban_session_scenes_move (get_scenes (L), number, to, &error);

  return finish (L, is_done, error);
}

static int
scene_remove (lua_State *L)
{
  GError *error = NULL;
  gboolean is_done = goban_session_scenes_remove (get_scenes (L), opt_number (L, 1), &error);

  return finish (L, is_done, error);
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Scenes of a talk: caption, plan, moment, view and comparison.",
                    "scene.next()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "add", scene_add, "{text=, at=}",
                      "Makes a scene of what is shown. Its number.",
                      "scene.add{ text = \"HEFT leaves gpu:1 idle\" }"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "go", scene_go, "(n)", "Shows a scene.", "scene.go(1)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "list", scene_list, "()",
                      "A list of { text, plan, time, step, compare, current }."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "move", scene_move, "(n, to)",
                      "Gives a scene another place.", "scene.move(3, 1)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "next", scene_next, "()",
                      "The next scene; false after the last."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "previous", scene_previous, "()",
                      "The one before, or false."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "remove", scene_remove, "(n)",
                      "Removes scene n, or the current one and shows the next.", "scene.remove(2)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "text", scene_text, "(n, text)", "Changes a caption.",
                      "scene.text(1, \"The expert\")"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "update", scene_update, "(n)",
                      "Makes scene n what is shown now.", "scene.update(1)"),
  { NULL },
};

void
goban_lua_open_scene (lua_State *L)
{
  goban_lua_module (L, "scene", functions);
}
