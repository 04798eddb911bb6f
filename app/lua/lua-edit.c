/* lua-edit.c: set:move and set:prio: the plan in view, changed by hand and simulated again. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/session/edit.h"

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
  g_clear_object (&edited->run);
  g_free (edited);
}

typedef struct
{
  Edited *edited;
} LuaEdited;

static void
clear_edited (gpointer value)
{
  g_clear_pointer (&((LuaEdited *) value)->edited, free_edited);
}

static const GobanLuaType edited_type = {
  .name = "Edited",
  .size = sizeof (LuaEdited),
  .clear = clear_edited,
};

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
  Edited *edited = ((LuaEdited *) lua_touserdata (L, -1))->edited = result;

  goban_session_add_edit (goban_lua_get_host (L)->session, edited->edit, edited->run);
  goban_lua_sync_globals (L);
  goban_lua_push_run (L, edited->run);
  return 1;
}

/* Whether people see the run, so that what they see is what they change. */
static gboolean
is_in_session (GobanSession *session, GobanRun *run)
{
  return g_list_store_find (G_LIST_STORE (goban_session_get_runs (session)), run, NULL);
}

/* The session's current run; the run that the set was looked up in where nobody has seen it. */
static GobanRun *
check_base (lua_State *L, const GobanLuaSet *set)
{
  GobanSession *session = goban_lua_get_host (L)->session;
  GobanRun *current = goban_lua_get_run (L, goban_cost_model_get_graph (set->costs));
  GobanRun *base = set->run != NULL && (current == NULL || !is_in_session (session, set->run))
                       ? set->run
                       : current;

  if (base == NULL)
    luaL_error (L, "there is no plan to change: view.show a run of this graph first");
  return base;
}

/* Runs the edit with what is in the set at 1. */
static int
start_edit (lua_State *L, const GobanLuaSet *set, GobanEdit edit)
{
  goban_lua_push_handle (L, &edited_type, 0);
  edit.nodes = goban_selection_new (set->ids, set->n);
  g_object_ref (edit.base);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Simulating a change",
                                             .run = run_edit,
                                             .data = g_memdup2 (&edit, sizeof edit),
                                             .free_data = free_edit,
                                             .free_result = free_edited,
                                             .finish = finish_edit });
}

/* A base that nobody has seen is shown first: the log then has what the change is to. */
static void
show_base (lua_State *L, GobanRun *base)
{
  if (!is_in_session (goban_lua_get_host (L)->session, base))
    goban_lua_show_run (L, base);
}

int
goban_lua_set_move (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  GobanRun *base = check_base (L, set);
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (base));

  show_base (L, base);
  return start_edit (L, set, (GobanEdit){ .base = base, .is_move = TRUE, .device = device });
}

int
goban_lua_set_prio (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  GobanRun *base = check_base (L, set);
  lua_Integer priority = luaL_checkinteger (L, 2);

  luaL_argcheck (L, priority >= G_MININT32 && priority <= G_MAXINT32, 2, "it is too large");
  show_base (L, base);
  return start_edit (L, set, (GobanEdit){ .base = base, .priority = priority });
}

void
goban_lua_open_edit (lua_State *L)
{
  goban_lua_register (L, &edited_type);
}
