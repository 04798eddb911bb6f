/* lua-look.c: module view, the session's GobanView: selected and hidden nodes, groups, time, lanes,
 * bookmarks. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-view.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"

#include <math.h>
#include <string.h>

static GobanView *
get_view (lua_State *L)
{
  return goban_session_get_view (goban_lua_get_session (L));
}

/* The set, node or nothing at 1, as a selection of the open graph; (transfer full). */
static GobanSelection *
check_nodes (lua_State *L)
{
  GobanGraph *graph = goban_session_get_graph (goban_lua_get_session (L));
  GobanNodeId id;

  luaL_argcheck (L, graph != NULL, 1, "no graph is open");
  if (lua_isnoneornil (L, 1))
    return goban_selection_new (NULL, 0);
  if (goban_lua_test_set (L, 1) != NULL)
    return goban_lua_check_open_nodes (L);

  id = goban_lua_check_node_of (L, 1, graph);
  return goban_selection_new (&id, 1);
}

static int
view_select (lua_State *L)
{
  GobanSelection *nodes = check_nodes (L);

  goban_session_set_selection (goban_lua_get_session (L), nodes);
  goban_selection_unref (nodes);
  goban_lua_sync_globals (L);
  return 0;
}

/* Sets the hidden nodes: these and no others; nothing: all are shown. */
static int
view_hide (lua_State *L)
{
  GobanSelection *nodes = check_nodes (L);

  goban_view_set_hidden (get_view (L), nodes, goban_session_get_graph (goban_lua_get_session (L)));
  goban_selection_unref (nodes);
  return 0;
}

/* set:hide (): these, too. */
static int
set_hide (lua_State *L)
{
  GobanView *view = get_view (L);
  GobanSelection *nodes, *all;

  goban_lua_check_set (L, 1);
  nodes = check_nodes (L);
  all = goban_selection_union (goban_view_get_hidden (view), nodes);
  goban_view_set_hidden (view, all, goban_session_get_graph (goban_lua_get_session (L)));
  goban_selection_unref (all);
  goban_selection_unref (nodes);
  lua_settop (L, 1);
  return 1;
}

/* Raises an error that lists the valid words, the results of @name_of. */
static void
raise_no_word (lua_State *L, const char *what, const char *word, int n,
               const char *(*name_of) (int) )
{
  luaL_Buffer buffer;

  luaL_buffinit (L, &buffer);
  for (int i = 0; i < n; i++)
    {
      luaL_addchar (&buffer, ' ');
      luaL_addstring (&buffer, name_of (i));
    }
  luaL_pushresult (&buffer);
  luaL_error (L, "there is no %s '%s'; there are:%s", what, word, lua_tostring (L, -1));
}

static const char *
name_of_grouping (int i)
{
  return goban_grouping_names[(GobanGrouping) i];
}

static const char *
name_of_arrangement (int i)
{
  return goban_arrangement_name ((GobanArrangement) i);
}

GobanGrouping
goban_lua_check_grouping (lua_State *L, int index)
{
  const char *word = luaL_checkstring (L, index);
  GobanGrouping grouping = GOBAN_GROUPING_AUTO;

  if (!goban_grouping_find (word, &grouping))
    raise_no_word (L, "grouping", word, GOBAN_N_GROUPINGS, name_of_grouping);
  return grouping;
}

static int
view_group (lua_State *L)
{
  GobanGrouping grouping = goban_lua_check_grouping (L, 1);

  goban_view_set_grouping (get_view (L), grouping);
  return 0;
}

static int
view_layout (lua_State *L)
{
  const char *word = luaL_checkstring (L, 1);
  GobanArrangement layout = GOBAN_ARRANGE_AUTO;

  if (!goban_arrangement_find (word, &layout))
    raise_no_word (L, "layout", word, GOBAN_N_ARRANGEMENTS, name_of_arrangement);
  goban_view_set_layout (get_view (L), layout);
  return 0;
}

static int
view_expand (lua_State *L)
{
  goban_view_expand (get_view (L), luaL_checkstring (L, 1), TRUE);
  return 0;
}

static int
view_collapse (lua_State *L)
{
  goban_view_expand (get_view (L), luaL_checkstring (L, 1), FALSE);
  return 0;
}

/* The list on top of the stack as names of a @what, ending with NULL, in a userdata above it; the
 * list keeps the strings. */
static const char **
check_names (lua_State *L, const char *what)
{
  lua_Integer n = (lua_Integer) lua_rawlen (L, -1);
  const char **names = lua_newuserdatauv (L, ((gsize) n + 1) * sizeof *names, 0); /* list names */

  for (lua_Integer i = 0; i < n; i++)
    {
      if (lua_rawgeti (L, -2, i + 1) != LUA_TSTRING)
        luaL_error (L, "number %d of the list is not the name of a %s", (int) i + 1, what);
      names[i] = lua_tostring (L, -1);
      lua_pop (L, 1);
    }
  names[n] = NULL;
  return names;
}

/* The groups that are open, as a list; with a list, these and no others. */
static int
view_expanded (lua_State *L)
{
  GobanView *view = get_view (L);

  lua_settop (L, 1);
  if (!lua_isnil (L, 1))
    {
      luaL_checktype (L, 1, LUA_TTABLE);
      goban_lua_check_list (L, 1, (lua_Integer) lua_rawlen (L, 1), "names");
      goban_view_set_expanded (view, check_names (L, "group"));
    }
  goban_lua_push_texts (L, goban_view_get_expanded (view));
  return 1;
}

/* The moment at 1: a time, or the name of a mark. */
static double
check_moment (lua_State *L)
{
  GobanTimeMarks *marks = goban_view_get_marks (get_view (L));
  const GobanTimeMark *mark
      = lua_type (L, 1) == LUA_TSTRING ? goban_time_marks_find (marks, lua_tostring (L, 1)) : NULL;
  double time_us = mark != NULL ? mark->time_us : goban_lua_check_time_us (L, 1);

  luaL_argcheck (L, !(time_us < 0), 1, "the run starts at 0");
  return time_us;
}

/* The moment of the run that the graph shows; nothing: none. */
static int
view_time (lua_State *L)
{
  double time_us = lua_isnoneornil (L, 1) ? (double) NAN : check_moment (L);

  goban_view_set_time_us (get_view (L), time_us);
  return 0;
}

/* Marks a time; without a name, the first letter that is free. */
static int
view_mark (lua_State *L)
{
  double time_us = goban_lua_check_time_us (L, 1);
  const char *name = luaL_optstring (L, 2, NULL);

  luaL_argcheck (L, !(time_us < 0), 1, "the run starts at 0");
  luaL_argcheck (L, name == NULL || (*name != '\0' && strpbrk (name, "\r\n") == NULL), 2,
                 "a name is one line");
  goban_time_marks_put (goban_view_get_marks (get_view (L)), time_us, name);
  return 0;
}

/* Takes a mark away, by its time or name; nothing: all of them. */
static int
view_unmark (lua_State *L)
{
  GobanTimeMarks *marks = goban_view_get_marks (get_view (L));

  if (lua_isnoneornil (L, 1))
    goban_time_marks_clear (marks);
  else
    goban_time_marks_remove (marks, check_moment (L));
  return 0;
}

/* The marks by time, as a list of tables { time, name }. */
static int
view_marks (lua_State *L)
{
  guint n;
  const GobanTimeMark *marks = goban_time_marks_list (goban_view_get_marks (get_view (L)), &n);

  lua_createtable (L, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 2);
      goban_lua_put_number (L, "time", marks[i].time_us / 1e6);
      goban_lua_put_text (L, "name", marks[i].name);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

typedef struct
{
  int open;
  int pinned;
  int order;
  gboolean strips;
} LaneOptions;

static const GobanLuaOption lane_options[] = {
  { "pinned", GOBAN_LUA_ANY, G_STRUCT_OFFSET (LaneOptions, pinned) },
  { "open", GOBAN_LUA_ANY, G_STRUCT_OFFSET (LaneOptions, open) },
  { "order", GOBAN_LUA_ANY, G_STRUCT_OFFSET (LaneOptions, order) },
  { "strips", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (LaneOptions, strips) },
  { NULL },
};

/* The list at @index, a copy of which stays on the stack with its names; NULL for 0. */
static const char **
check_lanes (lua_State *L, int index)
{
  if (index == 0)
    return NULL;

  lua_pushvalue (L, index);
  luaL_argexpected (L, lua_istable (L, -1), 1, "table of lists of lanes");
  return check_names (L, "lane");
}

static const char *
name_of_workspace (int i)
{
  return goban_workspace_name ((GobanWorkspace) i);
}

/* Without an argument, the name of the workspace that is shown. */
static int
view_workspace (lua_State *L)
{
  GobanWorkspace workspace = GOBAN_WORKSPACE_EXPLORE;

  if (lua_isnoneornil (L, 1))
    {
      lua_pushstring (L, goban_workspace_name (goban_view_get_workspace (get_view (L))));
      return 1;
    }
  if (!goban_workspace_find (luaL_checkstring (L, 1), &workspace))
    raise_no_word (L, "workspace", lua_tostring (L, 1), GOBAN_N_WORKSPACES, name_of_workspace);
  goban_view_set_workspace (get_view (L), workspace);
  return 0;
}

static void
put_names (lua_State *L, const char *key, const char *const *names)
{
  goban_lua_push_texts (L, names);
  lua_setfield (L, -2, key);
}

/* Sets the open, the pinned and the first lanes of the timeline; returns them without an
 * argument. */
static int
view_lanes (lua_State *L)
{
  GobanView *view = get_view (L);
  GobanLanes lanes = { NULL };
  LaneOptions options = { 0 };

  if (lua_isnoneornil (L, 1))
    {
      lua_createtable (L, 0, 4);
      put_names (L, "open", goban_view_get_lanes (view)->open);
      put_names (L, "pinned", goban_view_get_lanes (view)->pinned);
      put_names (L, "order", goban_view_get_lanes (view)->order);
      goban_lua_put_boolean (L, "strips", goban_view_get_lanes (view)->is_strips);
      return 1;
    }

  goban_lua_check_options (L, 1, "lanes", lane_options, &options);
  lanes.open = check_lanes (L, options.open);
  lanes.pinned = check_lanes (L, options.pinned);
  lanes.order = check_lanes (L, options.order);
  lanes.is_strips = options.strips;
  goban_view_set_lanes (view, &lanes);
  return 0;
}

/* --- bookmarks -------------------------------------------------------------------------------- */

static guint
check_bookmark (lua_State *L)
{
  lua_Integer number = luaL_checkinteger (L, 1);

  luaL_argcheck (L, number >= 1 && number <= GOBAN_BOOKMARKS, 1, "bookmarks have numbers 1 to 9");
  return (guint) number;
}

static int
view_snapshot (lua_State *L)
{
  goban_view_snapshot (get_view (L), check_bookmark (L));
  return 0;
}

static int
view_recall (lua_State *L)
{
  guint number = check_bookmark (L);

  luaL_argcheck (L, goban_view_recall (get_view (L), number), 1,
                 "there is no such bookmark; view.snapshot makes one");
  return 0;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "collapse", view_collapse, "(group)", "Closes it.",
                      "view.collapse \"decoder\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "expand", view_expand, "(group)",
                      "Opens the group of that name.", "view.expand \"decoder/layer_1\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "expanded", view_expanded, "(names)",
                      "The names of the open groups; with a list, opens these and no others.",
                      "view.expanded{ \"decoder\", \"decoder/layer_1\" }"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "group", view_group, "(how)",
                      "Puts nodes together by \"scope\", \"layer\" or \"step\" of their names; by "
                      "the \"parameter\" that they work for; by its first, second, ... \"use\"; by "
                      "\"cluster\" (what is fused); or \"none\". \"auto\": a large graph by scope, "
                      "or by parameter if names have no scopes.",
                      "view.group \"layer\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "hide", view_hide, "(set or node)",
                      "Hides these nodes and no others; nothing: all are shown.",
                      "view.hide(g:where{ op = \"Const\" })"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "lanes", view_lanes, "{open=, pinned=, order=, strips=}",
      "Opens sub-rows of the timeline: \"memory\" or \"links\" of all devices, all of one device, "
      "\"gpu:0\", or \"gpu:0/memory\" and \"gpu:0/links\". Pinned sub-rows (\"gpu:0/memory\", "
      "\"gpu:0>gpu:1\") stay when others close, pinned devices stay at the top; order lists the "
      "first ones. A list that is left out is empty. strips: bars are 8 pixels high. Without an "
      "argument, returns the present options.",
      "view.lanes{ open = { \"memory\" }, pinned = { \"gpu:0>gpu:1\" } }"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "layout", view_layout, "(how)",
                      "Puts nodes in layers: \"layered\", \"wrapped\" into columns, or \"auto\", "
                      "the better of the two; or into \"lanes\" by time and device.",
                      "view.layout \"lanes\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "mark", view_mark, "(t, name)",
                      "Marks a time of the timeline, or gives the mark there another name; without "
                      "a name, the first letter that is free.",
                      "view.mark(\"1.5ms\", \"warm-up\")"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "marks", view_marks, "()",
                      "The marks of the timeline by time, as a list of { time, name }.",
                      "pp(view.marks())"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "recall", view_recall, "(n)", "Goes back to a bookmark.",
                      "view.recall(1)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "select", view_select, "(set or node)",
                      "Selects nodes; nothing: none.", "view.select(g:where{ op = \"Conv\" })"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "snapshot", view_snapshot, "(n)",
                      "Keeps how the graph is looked at as bookmark 1 to 9: what is in sight, "
                      "colour, groups and layout.",
                      "view.snapshot(1)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "time", view_time, "(t or name)",
                      "Shows what waits, runs and is done at that time of the run, or at the mark "
                      "of that name; nothing: no time.",
                      "view.time \"1.5ms\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "unmark", view_unmark, "(t or name)",
                      "Takes a mark of the timeline away; nothing: all of them.",
                      "view.unmark \"warm-up\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "workspace", view_workspace, "(name)",
                      "Shows a workspace of the window: \"explore\", \"decisions\", \"compare\", "
                      "\"train\" or \"script\"; nothing: the name of the one that is shown.",
                      "view.workspace \"decisions\""),
  { NULL },
};

static const GobanLuaEntry set_entries[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "hide", set_hide, "()",
                      "Hides the nodes, beside what is hidden.",
                      "g:where{ op = \"Const\" }:hide()"),
  { NULL },
};

void
goban_lua_open_look (lua_State *L)
{
  goban_lua_module (L, "view", functions);
  goban_lua_extend (L, "Set", set_entries);
}
