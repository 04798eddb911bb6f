/* lua-app.c: module app: the program itself and the files scripts write. */
#include "app/lua/lua-app.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-edit.h"

#include "engine/core/checked-path.h"
#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/folders.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/session/document/document.h"
#include "engine/session/edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

/* Numbers of a device that one call can change. */
#define MOST_NUMBERS 12

/* --- the cluster ---------------------------------------------------------------------------- */

static int
push_session_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, goban_session_get_cluster (goban_lua_get_session (L)));
  return 1;
}

static int
finish_cluster (lua_State *L)
{
  goban_lua_sync_globals (L);
  return push_session_cluster (L);
}

/* Without an argument, the session's cluster; else its new one, on which all runs are made anew. */
static int
app_cluster (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanGraph *graph = goban_session_get_graph (session);
  GobanEdit edit = { .kind = GOBAN_EDIT_CLUSTER };

  lua_settop (L, 1);
  if (lua_isnil (L, 1))
    return push_session_cluster (L);

  edit.cluster
      = graph != NULL ? goban_lua_opt_cluster_for (L, 1, graph) : goban_lua_opt_cluster (L, 1);
  return goban_lua_edit (L, &edit, 1, finish_cluster);
}

/* A value of what-if.h: a number as it is, to the last bit, or a text with a unit. */
static double
check_value (lua_State *L, int index, const char *what)
{
  if (lua_type (L, index) == LUA_TNUMBER)
    return lua_tonumber (L, index);
  if (g_str_equal (what, "launch") || g_str_equal (what, "latency"))
    return goban_lua_check_time_us (L, index) / 1e6;
  return goban_lua_check_bytes (L, index);
}

/* The words of app.device that are about the time of ops. */
static gboolean
changes_times (const char *word)
{
  return !g_str_equal (word, "memory") && !g_str_equal (word, "bus_efficiency");
}

/* The cluster, and a sentence if the speed of the device at index 1 changes no times. */
static int
finish_device (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanCostModel *costs = goban_session_get_costs (session);
  guint n = costs != NULL ? goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)) : 0;
  guint n_given = 0;
  GobanDeviceId device;

  finish_cluster (L);
  device = goban_lua_check_device (L, 1, goban_session_get_cluster (session));
  for (GobanNodeId v = 0; v < n; v++)
    n_given += goban_cost_model_get_source (costs, v, device) != GOBAN_SOURCE_ESTIMATED;
  if (n_given == 0)
    return 1;
  lua_pushfstring (
      L, "%d of %d ops have times that were given for %s, which its speed does not change",
      (int) n_given, (int) n,
      goban_cluster_get_device (goban_cost_model_get_cluster (costs), device)->kind);
  return 2;
}

/* Makes one change for every key of the table on top of the stack, in the order of @words, which
 * ends with NULL; with the key "alike" also of all equal devices or links. @change: the device or
 * link. Raises if a key is unknown. */
static int
change_numbers (lua_State *L, const char *const *words, GobanWhatIf change)
{
  GobanCluster *origin = goban_session_get_origin (goban_lua_get_session (L));
  int table = lua_gettop (L);
  GobanEdit edits[MOST_NUMBERS];
  gpointer *kept;
  GError *error = NULL;
  guint n = 0;
  gboolean is_timed = FALSE;

  luaL_checktype (L, table, LUA_TTABLE);
  for (lua_pushnil (L); lua_next (L, table) != 0; lua_pop (L, 1))
    {
      lua_pushvalue (L, -2);
      if (!lua_isstring (L, -1) || !g_str_equal (lua_tostring (L, -1), "alike"))
        luaL_checkoption (L, -1, NULL, words);
      lua_pop (L, 1);
    }

  goban_lua_raw_field (L, table, "alike");
  change.is_alike = lua_toboolean (L, -1);
  lua_pop (L, 1);
  /* All are tried in turn before the first is made. */
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_cluster_unref);
  *kept = goban_cluster_ref (goban_session_get_cluster (goban_lua_get_session (L)));
  for (guint i = 0; words[i] != NULL; i++)
    {
      goban_lua_raw_field (L, table, words[i]);
      if (!lua_isnil (L, -1))
        {
          GobanCluster *before = *kept;
          GobanCluster *changed;

          change.what = words[i];
          is_timed = is_timed || (!change.is_link && changes_times (words[i]));
          change.value = check_value (L, -1, words[i]);
          changed = goban_what_if (before, origin, &change, &error);
          if (changed == NULL)
            goban_lua_raise (L, error);
          *kept = changed;
          goban_cluster_unref (before);
          edits[n++] = (GobanEdit){ .kind = change.is_link ? GOBAN_EDIT_LINK : GOBAN_EDIT_DEVICE,
                                    .device = change.from,
                                    .from = change.from,
                                    .to = change.to,
                                    .what = change.what,
                                    .value = change.value,
                                    .is_alike = change.is_alike };
        }
      lua_pop (L, 1);
    }
  return n == 0 ? push_session_cluster (L)
                : goban_lua_edit (L, edits, n, is_timed ? finish_device : finish_cluster);
}

/* app.device ("gpu:1", { flops = 5e12, memory = "8GB" }): the session's cluster, a change a key. */
static int
app_device (lua_State *L)
{
  static const char *const words[] = { "speed",
                                       "flops",
                                       "bandwidth",
                                       "memory",
                                       "launch",
                                       "tf32_flops",
                                       "f16_flops",
                                       "f8_flops",
                                       "i8_flops",
                                       "compute_efficiency",
                                       "memory_efficiency",
                                       "bus_efficiency",
                                       NULL };
  GobanSession *session = goban_lua_get_session (L);
  GobanDeviceId device;

  lua_settop (L, 2);
  device = goban_lua_check_device (L, 1, goban_session_get_cluster (session));
  return change_numbers (L, words, (GobanWhatIf){ .from = device });
}

static guint
check_vertex (lua_State *L, int index)
{
  GobanCluster *cluster = goban_session_get_cluster (goban_lua_get_session (L));
  GError *error = NULL;
  guint vertex = goban_what_if_find_vertex (cluster, luaL_checkstring (L, index), &error);

  if (vertex == G_MAXUINT)
    goban_lua_raise (L, error);
  return vertex;
}

/* app.link ("gpu:0", "gpu:1", { bandwidth = "10GB", latency = "5us" }): both directions. */
static int
app_link (lua_State *L)
{
  static const char *const words[] = { "bandwidth", "latency", NULL };
  GobanWhatIf change = { .is_link = TRUE };

  lua_settop (L, 3);
  change.from = check_vertex (L, 1);
  change.to = check_vertex (L, 2);
  return change_numbers (L, words, change);
}

/* The nodes that are pinned, as a set. */
static int
app_pinned (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanGraph *graph = goban_session_get_graph (session);

  if (graph == NULL)
    return luaL_error (L, "no graph is open");
  goban_lua_push_selection (L, graph, goban_session_get_pinned (session));
  return 1;
}

static int
app_log (lua_State *L)
{
  const GPtrArray *log = goban_session_get_log (goban_lua_get_session (L));

  lua_createtable (L, log->len, 0);
  for (guint i = 0; i < log->len; i++)
    {
      lua_pushstring (L, g_ptr_array_index (log, i));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* Returns the undone change, by name, or nil. */
static int
app_undo (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);

  lua_pushstring (L, goban_session_get_undo_name (session));
  goban_session_undo (session);
  goban_lua_sync_globals (L);
  return 1;
}

static int
app_redo (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);

  lua_pushstring (L, goban_session_get_redo_name (session));
  goban_session_redo (session);
  goban_lua_sync_globals (L);
  return 1;
}

static int
app_quit (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    {
      g_application_quit (application);
      return 0;
    }
  if (host->is_threaded)
    return luaL_error (L, "there is no application to quit");

  host->exit_code = 0;
  host->is_exiting = TRUE;
  return goban_lua_stop (L);
}

static int
app_write (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  size_t n;
  const char *text = luaL_checklstring (L, 2, &n);
  GError *error = NULL;

  return goban_lua_answer_path (
      L, 1, goban_lua_may_write (L, path, &error) && goban_file_write (path, text, n, &error),
      &error);
}

/* app.save_session (path): graph, plans, view and notes as a session file. */
static int
app_save_session (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;

  return goban_lua_answer_path (
      L, 1,
      goban_lua_may_write (L, path, &error)
          && goban_document_save_now (goban_document_get (goban_lua_get_session (L)), path, &error),
      &error);
}

/* Whether a file is a session; app.open asks. */
static int
app_is_session (lua_State *L)
{
  lua_pushboolean (L, goban_session_file_is (luaL_checkstring (L, 1)));
  return 1;
}

/* Opens a session file here and now; true. */
static int
app_open_session (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;

  goban_lua_note_opened (L, path);
  if (!goban_document_open_now (goban_document_get (goban_lua_get_session (L)), path, &error))
    return goban_lua_fail (L, error);

  goban_lua_sync_globals (L);
  lua_pushboolean (L, TRUE);
  return 1;
}

/* Without an argument the session's notes; else sets them. */
static int
app_notes (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);

  lua_settop (L, 1);
  if (!lua_isnil (L, 1))
    {
      const char *text = luaL_checkstring (L, 1);

      goban_session_set_notes (session, text);
      /* A copy of megabytes takes time, and notes differ only if the text was not UTF-8. */
      if (g_str_equal (goban_session_get_notes (session), text))
        return 1;
    }
  lua_pushstring (L, goban_session_get_notes (session));
  return 1;
}

/* The text of a file, for data that scripts keep. */
static int
app_read (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;
  GBytes *bytes = goban_lua_may_read (L, path, &error)
                      ? goban_file_read (path, GOBAN_FILE_TEXT, &error)
                      : NULL;
  gconstpointer text;
  gsize n;

  if (bytes == NULL)
    return goban_lua_fail (L, error);

  text = g_bytes_get_data (bytes, &n);
  if (n > 0 && memchr (text, '\0', n) != NULL)
    {
      g_bytes_unref (bytes);
      return goban_lua_fail (L, g_error_new (GOBAN_ERROR, GOBAN_ERROR_PARSE,
                                             "%s: it is not a text: it contains zero bytes", path));
    }

  char *copy = g_strndup (n > 0 ? text : "", n);

  g_bytes_unref (bytes);
  goban_lua_take_string (L, copy);
  return 1;
}

static int
app_mkdir (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;

  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  if (!goban_checked_path_make_folder (path))
    {
      int code = errno;

      lua_pushfstring (L, "%s: cannot be made: %s", path, g_strerror (code));
      return goban_lua_fail_with (L);
    }

  lua_pushboolean (L, TRUE);
  return 1;
}

/* Possible places of the samples: beside the program, in the source that was built, or
 * installed. */
static int
app_sample (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  char *beside = goban_data_file_dup_folder ("samples", 0);
  const char *const folders[] = { beside, GOBAN_SAMPLES_SOURCE, GOBAN_SAMPLES_INSTALLED, NULL };
  GError *error = NULL;
  char *path = goban_sample_find (folders, name, &error);

  g_free (beside);
  if (path == NULL)
    return goban_lua_fail (L, error);
  goban_lua_take_string (L, path);
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("The program itself, and files. Scripts write files, and read them as text, "
                    "in their own folder and those that were chosen: headless the working folder "
                    "and what the command line names (goban-cli run --trust lifts this), in the "
                    "window those of the graph and the session that you opened or saved, those "
                    "that you chose in its dialogs to save or export something, and goban-out.",
                    "app.version"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "cluster", app_cluster, "(cluster)",
      "The session's cluster; with an argument, its new one, on which all plans are "
      "simulated again.",
      "app.cluster \"p100x8\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "device", app_device, "(device, numbers)",
                      "Changes a device of the session's cluster: speed (times that of the cluster "
                      "it began as), flops, bandwidth, memory, launch, tf32_flops, f16_flops, "
                      "f8_flops, i8_flops, compute_efficiency, memory_efficiency, bus_efficiency, "
                      "a change each; with alike = true all that were like it in that cluster too. "
                      "All plans are simulated "
                      "again. Returns the cluster, and a sentence if ops have times that were "
                      "given: a device's speed does not change those.",
                      "app.device(\"gpu:1\", { flops = 5e12, memory = \"8GB\" })"),
  GOBAN_LUA_FUNCTION ("is_session", app_is_session, "(path)", "Whether a file is a session.",
                      "app.is_session \"toy.goban\""),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "link", app_link, "(a, b, numbers)",
      "Changes what joins two devices or switches, both ways: bandwidth, latency; "
      "with alike = true all links that were like it.",
      "app.link(\"gpu:0\", \"gpu:1\", { bandwidth = \"10GB\", latency = \"5us\" })"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "log", app_log, "()",
                      "What has been done, as lines of Lua that do it again.", "pp(app.log())"),
  GOBAN_LUA_FUNCTION ("mkdir", app_mkdir, "(path)",
                      "Makes a folder and those above it; fine where it is there.",
                      "app.mkdir \"goban-out\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "notes", app_notes, "(text)",
                      "What is written down about the session; with a text, what is to be. The "
                      "session file keeps it.",
                      "app.notes \"heft wins by its transfers\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "open_session", app_open_session, "(path)",
                      "Opens a session file; app.open does for whatever it is.",
                      "app.open_session \"toy.goban\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "pinned", app_pinned, "()",
                      "The nodes that are pinned, a set.", "app.pinned():unpin()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "quit", app_quit, "()", "Leaves the program."),
  GOBAN_LUA_FUNCTION ("read", app_read, "(path)",
                      "The text of a file of up to 256 MB, or nil and why not.",
                      "app.read \"notes.txt\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "redo", app_redo, "()",
                      "Makes the change again that was undone last; returns its name, or nil."),
  GOBAN_LUA_FUNCTION ("sample", app_sample, "(name)",
                      "The path of a graph that comes with the program.",
                      "g = graph.load(app.sample \"toy.dot\")"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "save_session", app_save_session, "(path)",
                      "Saves the session: the graph's name, all plans, pins, view and notes. "
                      "Returns the path, or nil and the reason if another program has changed "
                      "its file meanwhile.",
                      "app.save_session \"toy.goban\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "undo", app_undo, "()",
                      "Takes the last change back: plans, cluster and pins are as before it; "
                      "returns its name, or nil."),
  GOBAN_LUA_FUNCTION ("write", app_write, "(path, text)", "Writes a text file; returns the path.",
                      "app.write(\"notes.txt\", d:report())"),
  { NULL },
};

void
goban_lua_open_app (lua_State *L)
{
  goban_lua_module (L, "app", functions);
  lua_pushglobaltable (L);
  goban_lua_raw_field (L, -1, "app");
  goban_lua_put_text (L, "version", GOBAN_VERSION);
  goban_lua_add_doc (L, "app.version", "app.version", NULL, "The program's version.", NULL);
  lua_pop (L, 2);
}
