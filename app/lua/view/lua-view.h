/* lua-view.h: module view, and the runs of the session's list. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/analysis/hierarchy/grouping.h"

void goban_lua_open_view (lua_State *L);
void goban_lua_open_film (lua_State *L);   /* Run.film and view.film */
void goban_lua_open_scene (lua_State *L);  /* module scene */
void goban_lua_open_lesson (lua_State *L); /* module lesson, but for its prelude */
void goban_lua_open_look (lua_State *L);   /* the half that is the session's GobanView */
void goban_lua_open_save (lua_State *L);   /* save */

/* Adds a run to the session, makes it the current one, and logs it. */
void goban_lua_show_run (lua_State *L, GobanRun *run);
/* The run at the place in the session's list that the number at @index names. The list keeps it. */
GobanRun *goban_lua_check_run_place (lua_State *L, int index);
/* The present grouping of nodes, as a word. Raises. */
GobanGrouping goban_lua_check_grouping (lua_State *L, int index);
