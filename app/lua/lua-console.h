/* lua-console.h: console evaluator that runs Lua in a host.
 *
 * What scripts print is gathered and emitted at most every 33 ms, so that a loop of prints
 * cannot drown the view.
 */
#pragma once

#include "app/lua/lua-host.h"
#include "ui/console/console-evaluator.h"

#define GOBAN_TYPE_LUA_CONSOLE (goban_lua_console_get_type ())
G_DECLARE_FINAL_TYPE (GobanLuaConsole, goban_lua_console, GOBAN, LUA_CONSOLE, GObject)

/* Makes a host of its own for the session. (transfer full) */
GobanLuaConsole *goban_lua_console_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
