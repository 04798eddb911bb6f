/* lua-edit.c: set:move and its like: edits of the shown plan, simulated again. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-view.h"

#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-marks.h"

/* An edit and the run that came of it. */
typedef struct
{
  GobanEdit *edit;
  GobanRun *run; /* (nullable) until it is made */
} Edited;

static void
free_edited (gpointer data)
{
  Edited *edited = data;

  goban_edit_free (edited->edit);
  g_clear_pointer (&edited->run, goban_run_unref);
  g_free (edited);
}

static void
free_edit (gpointer data)
{
  goban_edit_free (data);
}

static gpointer
run_edit (const GobanProgress *progress, gpointer data, GError **error)
{
  GobanRun *run = goban_edit_run (data, error);
  Edited *edited;

  if (run == NULL)
    return NULL;

  edited = g_new0 (Edited, 1);
  edited->edit = goban_edit_copy (data);
  edited->run = run;
  return edited;
}

static int
finish_edit (lua_State *L, gpointer result)
{
  Edited *edited = *(gpointer *) lua_touserdata (L, -1) = result;
  GError *error = NULL;

  if (!goban_session_add_edit (goban_lua_get_session (L), edited->edit, edited->run, &error))
    return goban_lua_fail (L, error);

  goban_lua_sync_globals (L);
  goban_lua_push_run (L, edited->run);
  return 1;
}

/* The session's current run, or the run of the set if that was never in the session. */
static GobanRun *
check_base (lua_State *L, const GobanLuaSet *set)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *current = goban_lua_get_run (L, goban_cost_model_get_graph (set->costs));
  GobanRun *base
      = set->run != NULL && (current == NULL || !goban_session_has_seen_run (session, set->run))
            ? set->run
            : current;

  if (base == NULL)
    luaL_error (L, "there is no plan to change: view.show a run of this graph first");
  return base;
}

/* A base that was never in the session is added first: the log then contains what the change
 * applies to. */
static void
show_base (lua_State *L, GobanRun *base)
{
  if (base != goban_session_get_current_run (goban_lua_get_session (L)))
    goban_lua_show_run (L, base);
}

/* Runs the edit with the set at 1, on the current run. */
static int
start_edit (lua_State *L, GobanEdit edit)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanLuaSet *set = goban_lua_check_set (L, 1);

  show_base (L, edit.base);
  goban_lua_push_kept (L, free_edited);
  edit.nodes = goban_selection_new (set->ids, set->n);
  edit.pinned = goban_selection_ref (goban_session_get_pinned (session));
  goban_run_ref (edit.base);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Simulating a change",
                                             .run = run_edit,
                                             .data = g_memdup2 (&edit, sizeof edit),
                                             .free_data = free_edit,
                                             .free_result = free_edited,
                                             .finish = finish_edit });
}

static int
set_move (lua_State *L)
{
  GobanRun *base = check_base (L, goban_lua_check_set (L, 1));
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (base));

  return start_edit (L, (GobanEdit){ .kind = GOBAN_EDIT_MOVE, .base = base, .device = device });
}

/* set:prio (n), or past the next op: set:prio "up". */
static int
set_prio (lua_State *L)
{
  GobanRun *base = check_base (L, goban_lua_check_set (L, 1));
  const char *word
      = lua_type (L, 2) == LUA_TSTRING && !lua_isnumber (L, 2) ? lua_tostring (L, 2) : "";
  gboolean is_up = g_str_equal (word, "up");
  lua_Integer priority;

  if (is_up || g_str_equal (word, "down"))
    return start_edit (
        L, (GobanEdit){ .kind = GOBAN_EDIT_URGENCY, .base = base, .priority = is_up ? 1 : -1 });

  luaL_argcheck (L, lua_isnumber (L, 2), 2, "a number, \"up\" or \"down\" expected");
  priority = luaL_checkinteger (L, 2);
  luaL_argcheck (L, priority >= G_MININT32 && priority <= G_MAXINT32, 2, "it is too large");
  return start_edit (
      L, (GobanEdit){ .kind = GOBAN_EDIT_PRIORITY, .base = base, .priority = (gint32) priority });
}

static int
set_fuse (lua_State *L)
{
  GobanRun *base = check_base (L, goban_lua_check_set (L, 1));

  return start_edit (L, (GobanEdit){ .kind = GOBAN_EDIT_FUSE, .base = base });
}

static int
set_unfuse (lua_State *L)
{
  GobanRun *base = check_base (L, goban_lua_check_set (L, 1));

  return start_edit (L, (GobanEdit){ .kind = GOBAN_EDIT_UNFUSE, .base = base });
}

/* --- pins ----------------------------------------------------------------------------------- */

static int
pin (lua_State *L, gboolean is_pinned)
{
  GobanSelection *nodes = goban_lua_check_open_nodes (L);

  goban_session_pin (goban_lua_get_session (L), nodes, is_pinned);
  goban_selection_unref (nodes);
  lua_settop (L, 1);
  return 1;
}

static int
set_pin (lua_State *L)
{
  return pin (L, TRUE);
}

static int
set_unpin (lua_State *L)
{
  return pin (L, FALSE);
}

static const GobanLuaEntry set_entries[] = {
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "fuse", set_fuse, "()",
      "Makes one kernel of the nodes, and of what they are fused with, in a copy of "
      "the plan in view; returns the run, or nil and why they cannot be fused.",
      "g:nodes{ \"conv1\", \"relu1\" }:fuse()"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "move", set_move, "(device)",
      "Puts the nodes on a device in a copy of the plan in view, simulates and shows "
      "it; returns the run. Colocation groups move whole; what is pinned stays.",
      "g:where{ op = \"Conv\" }:move \"gpu:1\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "pin", set_pin, "()",
                      "Keeps the nodes on their devices: moving by hand leaves them, and policies "
                      "that place the graph in the window, or with { pinned = true }, do too.",
                      "g:where{ op = \"Variable\" }:pin()"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "prio", set_prio, "(n, \"up\" or \"down\")",
      "Gives the nodes a priority in a copy of the plan in view, or takes them past "
      "the next op of their device; simulates and shows it; returns the run.",
      "sel:prio(100)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "unfuse", set_unfuse, "()",
                      "Takes the kernels apart that the nodes are in; returns the run.",
                      "sel:unfuse()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "unpin", set_unpin, "()",
                      "Frees the nodes that were pinned.", "g:nodes():unpin()"),
  { NULL },
};

void
goban_lua_open_edit (lua_State *L)
{
  goban_lua_extend (L, "Set", set_entries);
}
