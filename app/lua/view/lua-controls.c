/* lua-controls.c: Lua's Control. scripts/prelude/controls.lua has the functions that run when a
 * value is set; here is what they read and set. */
#include "app/lua/view/lua-controls.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"

#include "engine/core/find-word.h"
#include "engine/core/quantity.h"
#include "engine/session/controls.h"

typedef struct
{
  GobanControls *controls;
  guint id;
} LuaControl;

static void
clear_control (gpointer value)
{
  g_clear_object (&((LuaControl *) value)->controls);
}

static const GobanLuaType control_type;

/* The table at 1: kind, name, min, max, step, value and choices, which the prelude has checked. */
static double
get_number (lua_State *L, const char *key)
{
  double number;

  goban_lua_raw_field (L, 1, key);
  number = lua_tonumber (L, -1);
  lua_pop (L, 1);
  return number;
}

/* Nobody finds one of more; each takes as long to add as there are others. */
#define MAX_CONTROLS 1000

/* Raises if there are too many; one of the same kind and name is replaced. */
static void
check_room (lua_State *L, const GobanControl *added)
{
  GobanControls *controls = goban_controls_of (G_OBJECT (goban_lua_get_session (L)));
  guint n = goban_controls_get_n (controls);
  const GobanControl *other;

  if (n < MAX_CONTROLS)
    return;
  for (guint i = 0; (other = goban_controls_get (controls, i)) != NULL; i++)
    if (other->kind == added->kind && g_str_equal (other->name, added->name))
      return;
  luaL_error (L,
              "there are %d controls, the most that are shown; remove some, or all with "
              "ui.clear()",
              MAX_CONTROLS);
}

/* ui.add (table): the Control */
static int
ui_add (lua_State *L)
{
  GobanControl control = { 0 };
  LuaControl *self;

  luaL_checktype (L, 1, LUA_TTABLE);
  lua_settop (L, 1);
  control.kind = (GobanControlKind) get_number (L, "kind");
  control.min = get_number (L, "min");
  control.max = get_number (L, "max");
  control.step = get_number (L, "step");
  control.value = get_number (L, "value");
  goban_lua_raw_field (L, 1, "name");
  luaL_checkstring (L, 2);
  if (goban_lua_raw_field (L, 1, "choices") == LUA_TTABLE)
    goban_lua_check_texts (L, 3, "opts.choices");
  control.name = (char *) lua_tostring (L, 2);
  check_room (L, &control);
  self = goban_lua_push_handle (L, &control_type, 0);
  control.choices = lua_type (L, 3) == LUA_TTABLE ? goban_lua_dup_texts (L, 3) : NULL;
  self->controls = g_object_ref (goban_controls_of (G_OBJECT (goban_lua_get_session (L))));
  self->id = goban_controls_add (self->controls, &control);
  g_strfreev (control.choices);
  return 1;
}

static int
ui_clear (lua_State *L)
{
  goban_controls_clear (goban_controls_of (G_OBJECT (goban_lua_get_session (L))));
  return 0;
}

static const GobanControl *
check_control (lua_State *L)
{
  LuaControl *self = goban_lua_check_handle (L, 1, &control_type);

  return goban_controls_find (self->controls, self->id);
}

static int
control_remove (lua_State *L)
{
  LuaControl *self = goban_lua_check_handle (L, 1, &control_type);

  goban_controls_remove (self->controls, self->id);
  return 0;
}

/* The place of a choice by its text, or raises with those there are. */
static double
check_choice (lua_State *L, const GobanControl *control)
{
  const char *text = luaL_checkstring (L, 2);
  const char *const *choices = (const char *const *) control->choices;
  int place = goban_find_word (choices, g_strv_length (control->choices), text);

  if (place >= 0)
    return place;
  lua_pushfstring (L, "there is no '%s'; there are:", text);
  for (guint i = 0; control->choices[i] != NULL; i++)
    {
      lua_pushfstring (L, "%s %s", lua_tostring (L, -1), control->choices[i]);
      lua_remove (L, -2);
    }
  return luaL_argerror (L, 2, lua_tostring (L, -1));
}

/* s:set (value); of a button, s:set () presses it. The prelude calls the function then. */
static int
control_set (lua_State *L)
{
  const GobanControl *control = check_control (L);
  LuaControl *self = goban_lua_check_handle (L, 1, &control_type);
  double value;

  if (control == NULL)
    return luaL_error (L, "this control has been removed");
  value = control->kind == GOBAN_CONTROL_SLIDER   ? luaL_checknumber (L, 2)
          : control->kind == GOBAN_CONTROL_CHOICE ? check_choice (L, control)
                                                  : control->value + 1;
  goban_controls_set_value (self->controls, self->id, value);
  lua_settop (L, 1);
  return 1;
}

static int
get_value (lua_State *L)
{
  const GobanControl *control = check_control (L);

  if (control == NULL)
    lua_pushnil (L);
  else if (control->kind == GOBAN_CONTROL_CHOICE)
    lua_pushstring (L, control->choices[(guint) control->value]);
  else
    goban_lua_push_count (L, control->value);
  return 1;
}

static int
get_name (lua_State *L)
{
  const GobanControl *control = check_control (L);

  lua_pushstring (L, control != NULL ? control->name : "");
  return 1;
}

static int
get_id (lua_State *L)
{
  lua_pushinteger (L, ((LuaControl *) goban_lua_check_handle (L, 1, &control_type))->id);
  return 1;
}

static int
control_tostring (lua_State *L)
{
  static const char *const kinds[] = { "Slider", "Choice", "Button" };
  const GobanControl *control = check_control (L);
  char number[GOBAN_QUANTITY_LEN];

  if (control == NULL)
    lua_pushstring (L, "Control, removed");
  else if (control->kind == GOBAN_CONTROL_BUTTON)
    lua_pushfstring (L, "Button %s", control->name);
  else
    lua_pushfstring (L, "%s %s: %s", kinds[control->kind], control->name,
                     control->kind == GOBAN_CONTROL_CHOICE
                         ? control->choices[(guint) control->value]
                         : g_ascii_formatd (number, sizeof number, "%.6g", control->value));
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "remove", control_remove, "()",
                      "Removes it from the panel."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "set", control_set, "(value)",
                      "Sets the value, or presses the button, and calls its function; returns the "
                      "control.",
                      "s:set(4)"),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "id", FUNCTION, get_id, "Its number."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "name", FUNCTION, get_name, "The words beside it."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "value", FUNCTION, get_value,
                   "Its value: a number, a word of a choice, or how often a button was pressed."),
  GOBAN_LUA_META (GOBAN_LUA_ON_MAIN "__tostring", control_tostring),
  { NULL },
};

static const GobanLuaType control_type = {
  .name = "Control",
  .variable = "s",
  .sentence = "A slider, a choice or a button.",
  .example = "s = ui.slider(\"n\", 1, 8, 2)",
  .size = sizeof (LuaControl),
  .clear = clear_control,
  .is_on_main = TRUE,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("A panel beside the console with controls whose changes re-run functions.",
                    "ui.slider(\"GB/s\", 1, 100, 12, function(v) print(v) end)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "add", ui_add, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "clear", ui_clear, "()", "Removes all controls."),
  { NULL },
};

void
goban_lua_open_controls (lua_State *L)
{
  goban_lua_register (L, &control_type);
  goban_lua_module (L, "ui", functions);
}
