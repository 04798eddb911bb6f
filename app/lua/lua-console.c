#include "app/lua/lua-console.h"

#include "app/lua/lua-chunk.h"
#include "app/lua/lua-complete.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "app/lua/lua-paths.h"

#define BATCH_MS 33
/* What waits to be shown; more than a screen keeps, less than a memory problem. */
#define BATCH_BYTES (64 * 1024)

struct _GobanLuaConsole
{
  GObject parent_instance;

  GobanSession *session;
  GobanLuaHost *host;
  GString *pending; /* printed, not emitted yet */
  guint source;
  GTask *task; /* (nullable): the evaluation that runs */
};

static void goban_lua_console_evaluator_init (GobanConsoleEvaluatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GobanLuaConsole, goban_lua_console, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GOBAN_TYPE_CONSOLE_EVALUATOR,
                                                      goban_lua_console_evaluator_init))

/* --- output -------------------------------------------------------------------------------- */

/* Whole characters only: a batch may end in the middle of one. */
static void
flush (GobanLuaConsole *self)
{
  g_autofree char *text = NULL;

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->pending->len == 0)
    return;

  text = g_utf8_make_valid (self->pending->str, self->pending->len);
  g_string_truncate (self->pending, 0);
  goban_console_evaluator_print (GOBAN_CONSOLE_EVALUATOR (self), GOBAN_CONSOLE_STDOUT, text);
}

static gboolean
flush_cb (gpointer user_data)
{
  GobanLuaConsole *self = user_data;

  self->source = 0;
  flush (self);
  return G_SOURCE_REMOVE;
}

static void
write_cb (const char *text, gsize n, gpointer user_data)
{
  GobanLuaConsole *self = user_data;

  g_string_append_len (self->pending, text, n);
  if (self->pending->len > BATCH_BYTES)
    flush (self);
  else if (self->source == 0)
    self->source = g_timeout_add (BATCH_MS, flush_cb, self);
}

static void
log_cb (GobanLuaConsole *self, const char *lua)
{
  g_autofree char *line = g_strconcat (lua, "\n", NULL);

  flush (self);
  goban_console_evaluator_print (GOBAN_CONSOLE_EVALUATOR (self), GOBAN_CONSOLE_LOG, line);
}

/* --- evaluation ---------------------------------------------------------------------------- */

static void
done_cb (GobanLuaHost *host, const char *result, const GError *error, gpointer user_data)
{
  GobanLuaConsole *self = user_data;
  GTask *task = g_steal_pointer (&self->task);

  flush (self);
  if (error != NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_pointer (task, g_strdup (result), g_free);
  g_object_unref (task);
}

static void
evaluate_async (GobanConsoleEvaluator *evaluator, const char *text, GAsyncReadyCallback callback,
                gpointer user_data)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (evaluator);
  GTask *task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;

  if (goban_lua_host_start (self->host, text, done_cb, self, &error))
    {
      self->task = task;
      return;
    }

  g_task_return_error (task, error);
  g_object_unref (task);
}

static void
evaluate_script_async (GobanConsoleEvaluator *evaluator, const GobanConsoleScript *script,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (evaluator);
  GTask *task = g_task_new (self, NULL, callback, user_data);
  const GobanLuaScript lua = { script->text, script->path, script->name };
  GError *error = NULL;

  if (goban_lua_host_start_script (self->host, &lua, done_cb, self, &error))
    {
      self->task = task;
      return;
    }

  g_task_return_error (task, error);
  g_object_unref (task);
}

static char *
evaluate_finish (GobanConsoleEvaluator *evaluator, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
is_complete (GobanConsoleEvaluator *evaluator, const char *text)
{
  return goban_lua_host_is_complete (GOBAN_LUA_CONSOLE (evaluator)->host, text);
}

static char **
complete (GobanConsoleEvaluator *evaluator, const char *text, gsize cursor, gsize *start,
          char ***details)
{
  return goban_lua_host_complete (GOBAN_LUA_CONSOLE (evaluator)->host, text, cursor, start,
                                  details);
}

static char *
help (GobanConsoleEvaluator *evaluator, const char *text, gsize cursor)
{
  return goban_lua_host_help (GOBAN_LUA_CONSOLE (evaluator)->host, text, cursor);
}

static void
interrupt (GobanConsoleEvaluator *evaluator)
{
  goban_lua_host_interrupt (GOBAN_LUA_CONSOLE (evaluator)->host);
}

static const char *
get_language (GobanConsoleEvaluator *evaluator)
{
  return "lua";
}

static const char *
get_greeting (GobanConsoleEvaluator *evaluator)
{
  return "Lua 5.4. g is the graph, p the plan, r the run, sel the selection; help() tells the "
         "rest.";
}

static guint
get_number (GobanConsoleEvaluator *evaluator)
{
  return goban_lua_host_get_n_prompts (GOBAN_LUA_CONSOLE (evaluator)->host) + 1;
}

static void
goban_lua_console_evaluator_init (GobanConsoleEvaluatorInterface *iface)
{
  iface->evaluate_async = evaluate_async;
  iface->evaluate_finish = evaluate_finish;
  iface->evaluate_script_async = evaluate_script_async;
  iface->is_complete = is_complete;
  iface->complete = complete;
  iface->help = help;
  iface->interrupt = interrupt;
  iface->get_language = get_language;
  iface->get_greeting = get_greeting;
  iface->get_number = get_number;
}

/* --- life ---------------------------------------------------------------------------------- */

static void
goban_lua_console_dispose (GObject *object)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_pointer (&self->host, goban_lua_host_free);
  g_clear_object (&self->session);
  g_clear_handle_id (&self->source, g_source_remove);
  G_OBJECT_CLASS (goban_lua_console_parent_class)->dispose (object);
}

static void
goban_lua_console_finalize (GObject *object)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (object);

  g_string_free (self->pending, TRUE);
  G_OBJECT_CLASS (goban_lua_console_parent_class)->finalize (object);
}

static void
goban_lua_console_class_init (GobanLuaConsoleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = goban_lua_console_dispose;
  object_class->finalize = goban_lua_console_finalize;
}

static void
goban_lua_console_init (GobanLuaConsole *self)
{
  self->pending = g_string_new (NULL);
}

GobanLuaConsole *
goban_lua_console_new (GobanSession *session)
{
  GobanLuaConsole *self = g_object_new (GOBAN_TYPE_LUA_CONSOLE, NULL);

  self->session = g_object_ref (session);
  self->host = goban_lua_host_new (session, goban_lua_open_modules);
  goban_lua_host_confine (self->host);
  goban_lua_host_set_output (self->host, write_cb, self);
  g_signal_connect_swapped (session, "log", G_CALLBACK (log_cb), self);
  return self;
}
