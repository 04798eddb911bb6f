/* lua-edit.c: set:move and its like: edits of the shown plan, which the session makes while the
 * script waits. */
#include "app/lua/view/lua-edit.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-view.h"

#include "engine/core/progress.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-marks.h"

/* How often a waiting script looks whether it is stopped. */
#define LOOK_MS 20

/* --- waiting for the session ------------------------------------------------------------------ */

/* Edits that the session makes, and the chunk that waits for them. */
typedef struct
{
  gatomicrefcount ref_count;
  GCancellable *cancellable;
  GThread *home; /* whose main loop the session needs */
  GMutex mutex;  /* protects what follows */
  GCond cond;
  guint n_left;
  GobanRun *run; /* (nullable): the last that was made */
  GError *error; /* (nullable) */
} Asked;

static Asked *
asked_ref (Asked *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
asked_unref (gpointer data)
{
  Asked *self = data;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* After a failure the edits behind it are dropped. */
static void
edited_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Asked *self = data;
  GobanRun *run = NULL;
  GError *error = NULL;

  goban_session_edit_finish (result, &run, &error);
  if (error != NULL)
    g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->mutex);
  self->n_left--;
  goban_run_set (&self->run, run);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_clear_error (&error);
  g_clear_pointer (&run, goban_run_unref);
  asked_unref (self);
}

static gboolean
look_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Without a thread of the chunk's own, nobody else runs the main loop. */
static gboolean
wait_for_edits (Asked *self, const GobanProgress *progress, GError **error)
{
  gboolean is_home = g_thread_self () == self->home;
  guint source = is_home ? g_timeout_add (LOOK_MS, look_cb, NULL) : 0;
  gboolean is_done;

  g_mutex_lock (&self->mutex);
  while (self->n_left > 0 && goban_progress_check (progress, error))
    if (is_home)
      {
        g_mutex_unlock (&self->mutex);
        g_main_context_iteration (NULL, TRUE);
        g_mutex_lock (&self->mutex);
      }
    else
      g_cond_wait_until (&self->cond, &self->mutex,
                         g_get_monotonic_time () + LOOK_MS * G_TIME_SPAN_MILLISECOND);
  is_done = self->n_left == 0;
  if (is_done && self->error != NULL)
    g_propagate_error (error, g_error_copy (self->error));
  is_done = is_done && self->error == NULL;
  g_mutex_unlock (&self->mutex);
  g_clear_handle_id (&source, g_source_remove);
  if (!is_done)
    g_cancellable_cancel (self->cancellable);
  return is_done;
}

/* Stack: ..., edits, what the main thread does afterwards. */
static int
finish_edits (lua_State *L)
{
  Asked *asked = *(gpointer *) lua_touserdata (L, -2);
  lua_CFunction finish = lua_tocfunction (L, -1);
  const GobanProgress *progress = goban_lua_begin_work (L);
  GError *error = NULL;
  gboolean is_done = wait_for_edits (asked, progress, &error);

  goban_lua_end_work (L, &error);
  lua_pop (L, 1);
  return is_done ? goban_lua_call_on_main (L, finish) : goban_lua_fail (L, error);
}

int
goban_lua_edit (lua_State *L, const GobanEdit *edits, guint n, lua_CFunction finish)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  gpointer *kept = goban_lua_push_kept (L, asked_unref);
  Asked *asked = *kept = g_new0 (Asked, 1);

  g_atomic_ref_count_init (&asked->ref_count);
  asked->cancellable = g_cancellable_new ();
  asked->home = g_thread_self ();
  g_mutex_init (&asked->mutex);
  g_cond_init (&asked->cond);
  asked->n_left = n;
  g_set_object (&host->edits, asked->cancellable); /* tells whose lines the log gets */
  for (guint i = 0; i < n; i++)
    goban_session_edit_async (host->session, &edits[i], asked->cancellable, edited_cb,
                              asked_ref (asked));
  lua_pushcfunction (L, finish);
  return goban_lua_then (L, finish_edits);
}

/* --- edits of a plan -------------------------------------------------------------------------- */

static int
push_edited (lua_State *L)
{
  const Asked *asked = *(gpointer *) lua_touserdata (L, -1);

  goban_lua_sync_globals (L);
  goban_lua_push_run (L, asked->run);
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

/* Makes the edit with the set at 1, on the current run. */
static int
start_edit (lua_State *L, GobanEdit edit)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_selection_unref);

  show_base (L, edit.base);
  edit.base = NULL; /* also while a step of it is shown */
  edit.nodes = *kept = goban_selection_new (set->ids, set->n);
  return goban_lua_edit (L, &edit, 1, push_edited);
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
      "g:nodes{ \"image/conv1\", \"image/conv2\" }:fuse()"),
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
