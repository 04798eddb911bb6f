/* lua-node.h: fields of nodes as Lua values: times in seconds, sizes in bytes, nil for unknown. */
#pragma once

#include "app/lua/lua-modules.h"
#include "engine/analysis/node-field.h"

G_BEGIN_DECLS

/* The field named at @index, or raises with the names there are. */
const GobanNodeField *goban_lua_check_field (lua_State *L, int index);

void goban_lua_push_field (lua_State *L, const GobanNodeField *field,
                           const GobanNodeContext *context, GobanNodeId id);

/* Gives a set the ids of a selection in place of its own. Never raises. */
void goban_lua_fill_set (GobanLuaSet *set, const GobanSelection *selection);

/* Removes duplicates from a set, keeping the first. Never raises. */
void goban_lua_make_unique (GobanLuaSet *set);

G_END_DECLS
