/* lua-compare-set.c: module compare, the session's set of plans that are shown side by side. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/view/lua-compare.h"
#include "app/lua/view/lua-view.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"

static GobanCompareSet *
set_of (lua_State *L)
{
  return goban_session_get_compare_set (goban_lua_get_session (L));
}

/* A run of the session's list, or its place there, from 1; the list keeps it. Runs of other graphs
 * are kept by the set, the newest at -1. */
static GobanRun *
check_listed (lua_State *L, int index)
{
  GListModel *runs = goban_session_get_runs (goban_lua_get_session (L));
  GListModel *others = goban_compare_set_get_others (set_of (L));
  GobanRun *run;

  if (lua_type (L, index) == LUA_TNUMBER && lua_tointeger (L, index) < 0)
    {
      run = goban_run_list_get (others, (guint) -lua_tointeger (L, index) - 1);
      luaL_argcheck (L, run != NULL, index, "not so many plans of other graphs were shown");
      return run;
    }
  if (lua_type (L, index) == LUA_TNUMBER)
    return goban_lua_check_run_place (L, index);

  run = goban_lua_check_run (L, index);
  if (goban_run_get_graph (run) != goban_session_get_graph (goban_lua_get_session (L)))
    goban_compare_set_keep_other (set_of (L), run,
                                  goban_session_get_graph (goban_lua_get_session (L)));
  luaL_argcheck (L,
                 goban_run_list_find (runs, run, NULL) || goban_run_list_find (others, run, NULL),
                 index, "it is not in the list; view.show it first");
  return run;
}

/* compare.show (1, 2): these plans, the first as the baseline; without arguments those of before,
 * else the current and the best other one. */
static int
compare_show (lua_State *L)
{
  GobanRun *runs[GOBAN_COMPARE_MAX];
  int n = lua_gettop (L);

  luaL_argcheck (L, n <= GOBAN_COMPARE_MAX, GOBAN_COMPARE_MAX + 1,
                 "four plans beside each other are the most");
  luaL_argcheck (L, n != 1, 1, "one plan alone has nothing beside it");
  for (int i = 0; i < n; i++)
    {
      runs[i] = check_listed (L, i + 1);
      for (int j = 0; j < i; j++)
        luaL_argcheck (L, runs[i] != runs[j], i + 1, "it is there twice");
    }

  if (n == 0)
    goban_compare_set_open (set_of (L));
  else
    goban_compare_set_show (set_of (L), runs, (guint) n);
  return 0;
}

static int
compare_close (lua_State *L)
{
  goban_compare_set_close (set_of (L));
  return 0;
}

static guint
check_place (lua_State *L, int index)
{
  lua_Integer place = luaL_checkinteger (L, index);

  luaL_argcheck (L, place >= 1 && place <= goban_compare_set_get_n_runs (set_of (L)), index,
                 "not so many plans are compared");
  return (guint) place - 1;
}

/* compare.pair (1, 3): the difference is that of the first and the third that are compared. */
static int
compare_pair (lua_State *L)
{
  guint before = check_place (L, 1);
  guint after = check_place (L, 2);

  luaL_argcheck (L, before != after, 2, "a plan does not differ from itself");
  goban_compare_set_set_pair (set_of (L), before, after);
  return 0;
}

static int
compare_swap (lua_State *L)
{
  goban_compare_set_swap (set_of (L));
  return 0;
}

static int
compare_mode (lua_State *L)
{
  const char *word = luaL_checkstring (L, 1);
  GobanCompareMode mode = GOBAN_COMPARE_SIDE;

  luaL_argcheck (L, goban_compare_mode_find (word, &mode), 1,
                 "one of side, overlay, blink, difference is needed");
  goban_compare_set_set_mode (set_of (L), mode);
  return 0;
}

static int
compare_unchanged (lua_State *L)
{
  const char *word = luaL_checkstring (L, 1);
  GobanUnchanged unchanged = GOBAN_UNCHANGED_SHOW;

  luaL_argcheck (L, goban_unchanged_find (word, &unchanged), 1, "one of show, dim, hide is needed");
  goban_compare_set_set_unchanged (set_of (L), unchanged);
  return 0;
}

static int
compare_threshold (lua_State *L)
{
  double min_change_us = goban_lua_check_time_us (L, 1);

  luaL_argcheck (L, min_change_us >= 0 && min_change_us < 1e18, 1,
                 "a time of at least 0 is needed");
  goban_compare_set_set_min_change_us (set_of (L), min_change_us);
  return 0;
}

/* compare.scales "own": each plan has a ramp of its own for values of nodes; "common": one ramp. */
static int
compare_scales (lua_State *L)
{
  static const char *const words[] = { "common", "own", NULL };

  goban_compare_set_set_own_scales (set_of (L), luaL_checkoption (L, 1, NULL, words) == 1);
  return 0;
}

/* compare.race (), compare.race (false) */
static int
compare_race (lua_State *L)
{
  gboolean is_racing = lua_isnoneornil (L, 1) || lua_toboolean (L, 1);

  luaL_argcheck (L, !is_racing || goban_compare_set_is_open (set_of (L)), 1,
                 "no plans are compared; compare.show is first");
  goban_compare_set_set_racing (set_of (L), is_racing);
  return 0;
}

/* compare.devices "own": devices are compared by name; "matched": exchangeable ones are matched. */
static int
compare_devices (lua_State *L)
{
  static const char *const words[] = { "matched", "own", NULL };

  goban_compare_set_set_own_devices (set_of (L), luaL_checkoption (L, 1, NULL, words) == 1);
  return 0;
}

/* compare.lanes "all": the timeline has links and memory, too; "devices": it has not. */
static int
compare_lanes (lua_State *L)
{
  static const char *const words[] = { "devices", "all", NULL };

  goban_compare_set_set_all_lanes (set_of (L), luaL_checkoption (L, 1, NULL, words) == 1);
  return 0;
}

static const struct
{
  const char *name;
  GobanSync flag;
} syncs[] = {
  { "view", GOBAN_SYNC_VIEW },
  { "time", GOBAN_SYNC_TIME },
  { "selection", GOBAN_SYNC_SELECTION },
};

/* compare.sync{ view = false }: other switches stay. */
static int
compare_sync (lua_State *L)
{
  GobanSync sync = goban_compare_set_get_sync (set_of (L));

  luaL_checktype (L, 1, LUA_TTABLE);
  lua_settop (L, 1);
  for (lua_pushnil (L); lua_next (L, 1) != 0; lua_pop (L, 1))
    {
      gsize i = 0;

      while (i < G_N_ELEMENTS (syncs)
             && (lua_type (L, -2) != LUA_TSTRING
                 || !g_str_equal (syncs[i].name, lua_tostring (L, -2))))
        i++;
      if (i == G_N_ELEMENTS (syncs) || !lua_isboolean (L, -1))
        return luaL_error (L, "sync.%s: panes share view, time and selection, each true or false",
                           lua_type (L, -2) == LUA_TSTRING ? lua_tostring (L, -2) : "?");
      sync = lua_toboolean (L, -1) ? sync | syncs[i].flag : sync & ~syncs[i].flag;
    }
  goban_compare_set_set_sync (set_of (L), sync);
  return 0;
}

/* compare.state (): all of the above as a table. */
static int
compare_state (lua_State *L)
{
  GobanCompareSet *set = set_of (L);
  guint n = goban_compare_set_get_n_runs (set);
  guint before, after;

  lua_createtable (L, 0, 10);
  goban_lua_put_text (L, "devices", goban_compare_set_get_own_devices (set) ? "own" : "matched");
  goban_lua_put_boolean (L, "open", goban_compare_set_is_open (set));
  lua_createtable (L, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      goban_lua_push_run (L, goban_compare_set_get_run (set, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  lua_setfield (L, -2, "runs");
  if (goban_compare_set_get_pair (set, &before, &after))
    {
      lua_createtable (L, 2, 0);
      lua_pushinteger (L, before + 1);
      lua_rawseti (L, -2, 1);
      lua_pushinteger (L, after + 1);
      lua_rawseti (L, -2, 2);
      lua_setfield (L, -2, "pair");
    }
  goban_lua_put_text (L, "mode", goban_compare_mode_name (goban_compare_set_get_mode (set)));
  goban_lua_put_text (L, "unchanged", goban_unchanged_name (goban_compare_set_get_unchanged (set)));
  goban_lua_put_number (L, "threshold", goban_compare_set_get_min_change_us (set) / 1e6);
  goban_lua_put_boolean (L, "race", goban_compare_set_is_racing (set));
  goban_lua_put_text (L, "scales", goban_compare_set_get_own_scales (set) ? "own" : "common");
  goban_lua_put_text (L, "lanes", goban_compare_set_get_all_lanes (set) ? "all" : "devices");
  lua_createtable (L, 0, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    goban_lua_put_boolean (L, syncs[i].name,
                           (goban_compare_set_get_sync (set) & syncs[i].flag) != 0);
  lua_setfield (L, -2, "sync");
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "close", compare_close, "()", "Goes back to one plan."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "devices", compare_devices, "(which)",
                      "Exchangeable devices of compared plans are \"matched\" to those of the "
                      "first, or each plan has its \"own\".",
                      "compare.devices \"own\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "lanes", compare_lanes, "(which)",
                      "The timeline of two plans has lanes of \"devices\" alone, or \"all\": links "
                      "and memory, too.",
                      "compare.lanes \"all\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "mode", compare_mode, "(how)",
                      "How plans are beside each other: \"side\" by side, \"overlay\" in one "
                      "picture, \"blink\" from one to the other, or the \"difference\" only.",
                      "compare.mode \"overlay\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "pair", compare_pair, "(i, j)",
                      "Of more than two that are compared, the two that differences are of: the "
                      "i-th and the j-th.",
                      "compare.pair(1, 3)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "race", compare_race, "([yes])",
                      "The policies of the compared plans decide side by side, on one clock, and "
                      "their makespans are hidden until the end; false: no more.",
                      "compare.race()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "scales", compare_scales, "(whose)",
                      "Numbers that fill nodes have one \"common\" scale for all plans that are "
                      "compared, or each plan its \"own\".",
                      "compare.scales \"own\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "show", compare_show, "(a, b, ...)",
                      "Puts two to four plans beside each other, runs or their places in the list, "
                      "from 1, of other graphs that were shown from -1, the newest; the first is "
                      "what the others are measured by. Nothing: those of before, else the current "
                      "plan and the best other one.",
                      "compare.show(1, 2)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "state", compare_state, "()",
                      "How plans are compared now: open, runs, pair, mode, unchanged, threshold, "
                      "race, scales, lanes, devices, sync.",
                      "pp(compare.state())"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "swap", compare_swap, "()",
                      "The two that differences are of change places."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "sync", compare_sync, "{view=, time=, selection=}",
                      "What the panes share: where one looks, the moment that is shown, what is "
                      "selected; each true or false, and what is not said stays.",
                      "compare.sync{ view = false }"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "threshold", compare_threshold, "(t)",
                      "From when on a change of a node's time counts as one.",
                      "compare.threshold \"1ms\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "unchanged", compare_unchanged, "(how)",
                      "What becomes of nodes that both plans have alike: \"show\", \"dim\" or "
                      "\"hide\".",
                      "compare.unchanged \"hide\""),
  { NULL },
};

void
goban_lua_open_compare_set (lua_State *L)
{
  goban_lua_module (L, "compare", functions);
}
