#include "app/lua/lua-console.h"

#include "app/lua/core/lua-paths.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-complete.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/i18n.h"
#include "engine/session/controls.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/run-list.h"
#include "ui/draw/figures/exhibit.h"

#define BATCH_MS 33
/* Limit of waiting output; more than a screen keeps, less than a memory problem. */
#define BATCH_BYTES (64 * 1024)
/* Notes in a line of the log are cut here; the pane of notes shows more of them and saves all. */
#define MAX_NOTES_BYTES 4000

/* A GobanLuaScript of its own. */
typedef struct
{
  char *code;
  char *path; /* (nullable) */
  char *name; /* (nullable): typed at the prompt */
} Waiting;

struct _GobanLuaConsole
{
  GObject parent_instance;

  GobanSession *session;
  GobanLuaHost *host;
  GString *pending; /* printed, not emitted yet; before the lines of the log that are not */
  guint n_shown;    /* lines of the log that are emitted ... */
  guint n_lines;    /* ... and those that there are */
  guint source;
  GTask *task;             /* (nullable): the evaluation that runs */
  Waiting *waiting;        /* (nullable): its code, before the functions of controls have ended */
  GobanControls *controls; /* the session's */
  gboolean has_moved;      /* a control's value has changed since its function was called */
  gboolean is_moving;      /* functions of controls run */
  GobanGraph *graph;       /* (nullable): inputs of results, as they were last */
  GobanCluster *cluster;
  GobanRun *run;
};

static void goban_lua_console_evaluator_init (GobanConsoleEvaluatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GobanLuaConsole, goban_lua_console, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GOBAN_TYPE_CONSOLE_EVALUATOR,
                                                      goban_lua_console_evaluator_init))

static Waiting *
waiting_new (const GobanLuaScript *chunk)
{
  Waiting *self = g_new (Waiting, 1);

  *self = (Waiting){ g_strdup (chunk->code), g_strdup (chunk->path), g_strdup (chunk->name) };
  return self;
}

static void
waiting_free (Waiting *self)
{
  g_free (self->code);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Waiting, waiting_free)

/* --- output -------------------------------------------------------------------------------- */

/* Whole characters only: a batch may end in the middle of one. */
static void
flush (GobanLuaConsole *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->pending->len > 0)
    {
      g_autofree char *text = g_utf8_make_valid (self->pending->str, self->pending->len);

      g_string_truncate (self->pending, 0);
      goban_console_evaluator_print (GOBAN_CONSOLE_EVALUATOR (self), GOBAN_CONSOLE_STDOUT, text);
    }
  while (self->n_shown < self->n_lines)
    {
      g_autofree char *start
          = goban_session_dup_log_start (self->session, self->n_shown++, MAX_NOTES_BYTES);
      g_autofree char *line = g_strconcat (start, "\n", NULL);

      goban_console_evaluator_print (GOBAN_CONSOLE_EVALUATOR (self), GOBAN_CONSOLE_LOG, line);
    }
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

  if (self->n_shown < self->n_lines)
    flush (self);
  g_string_append_len (self->pending, text, n);
  if (self->pending->len > BATCH_BYTES)
    flush (self);
  else if (self->source == 0)
    self->source = g_timeout_add (BATCH_MS, flush_cb, self);
}

/* Later, for a line may have no text yet: it is worded after the frame that shows its change. */
static void
log_cb (GobanLuaConsole *self, guint line)
{
  self->n_lines = line + 1;
  if (self->source == 0)
    self->source = g_timeout_add (BATCH_MS, flush_cb, self);
}

/* --- inputs -------------------------------------------------------------------------------- */

/* Whether the plan that results refer to was replaced by another one, and not just left. */
static gboolean
has_other_run (GobanLuaConsole *self)
{
  return self->run == NULL
         || !goban_run_list_find (goban_session_get_runs (self->session), self->run, NULL);
}

/* Identities: values are immutable, so undo brings back the same. */
static guint64
make_stamp (const GobanLuaConsole *self)
{
  const guint64 parts[] = { (guint64) (gsize) self->graph, (guint64) (gsize) self->cluster,
                            (guint64) (gsize) self->run };
  guint64 stamp = 14695981039346656037u;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    stamp = (stamp ^ parts[i]) * 1099511628211u;
  return stamp;
}

/* Only existing results can change. Between two graphs there is no plan, and without a plan there
 * are no results to compare with. */
static void
inputs_cb (GobanLuaConsole *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_session_get_current_run (self->session);
  GobanCluster *cluster = goban_session_get_cluster (self->session);
  const char *change = NULL;

  if (graph != self->graph)
    change = self->graph != NULL ? _ ("another graph was opened") : "";
  else if (cluster != self->cluster)
    change = self->cluster != NULL ? _ ("the cluster was changed") : "";
  else if (run != NULL && has_other_run (self) && run != self->run)
    change = self->run != NULL ? _ ("the plan was changed") : "";
  if (change == NULL)
    return;
  if (graph != NULL)
    goban_graph_ref (graph);
  g_clear_pointer (&self->graph, goban_graph_unref);
  self->graph = graph;
  if (cluster != NULL)
    goban_cluster_ref (cluster);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  self->cluster = cluster;
  if (has_other_run (self))
    goban_run_set (&self->run, run);
  flush (self);
  goban_console_evaluator_set_inputs (GOBAN_CONSOLE_EVALUATOR (self), make_stamp (self), change);
}

/* --- plots and tables ---------------------------------------------------------------------- */

static void
display_cb (const GobanExhibit *exhibit, gpointer user_data)
{
  GobanLuaConsole *self = user_data;

  flush (self);
  goban_console_evaluator_set_inputs (GOBAN_CONSOLE_EVALUATOR (self), make_stamp (self), "");
  goban_console_evaluator_exhibit (GOBAN_CONSOLE_EVALUATOR (self), exhibit);
}

static void
progress_cb (double fraction, const char *text, gpointer user_data)
{
  goban_console_evaluator_set_progress (GOBAN_CONSOLE_EVALUATOR (user_data), fraction, text);
}

static void
show_run (GobanLuaConsole *self, GobanRun *run)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree char *name = g_strdup_printf (_ ("add %s"), goban_run_get_name (run));

  if (goban_run_list_find (goban_session_get_runs (self->session), run, NULL))
    {
      goban_session_set_current_run (self->session, run);
      return;
    }
  g_ptr_array_add (runs, run);
  goban_session_add_runs (self->session, name, runs, run);
}

static void
follow (GobanConsoleEvaluator *evaluator, const GobanReference *reference)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (evaluator);

  if (reference->run != NULL)
    show_run (self, reference->run);
  else if (reference->graph == goban_session_get_graph (self->session))
    goban_session_set_selection (self->session, reference->nodes);
  else
    goban_session_say (self->session, FALSE, "%s",
                       "These nodes are of a graph that is not open any more");
}

/* --- controls ------------------------------------------------------------------------------ */

static void start_waiting (GobanLuaConsole *self);
static void start_controls (GobanLuaConsole *self);

static void
controls_done_cb (GobanLuaHost *host, const char *result, const GError *error, gpointer user_data)
{
  GobanLuaConsole *self = user_data;

  self->is_moving = FALSE;
  flush (self);
  if (error != NULL)
    {
      g_autofree char *line = g_strconcat (error->message, "\n", NULL);

      goban_console_evaluator_print (GOBAN_CONSOLE_EVALUATOR (self), GOBAN_CONSOLE_ERROR, line);
    }
  goban_console_evaluator_set_busy (GOBAN_CONSOLE_EVALUATOR (self), FALSE);
  start_waiting (self);
  start_controls (self);
}

/* Values that change while functions run are seen by the next run: the newest counts. */
static void
start_controls (GobanLuaConsole *self)
{
  /* Without a host it is being disposed of. */
  if (!self->has_moved || self->task != NULL || self->host == NULL
      || goban_lua_host_is_running (self->host))
    return;
  self->has_moved = FALSE;
  self->is_moving = goban_lua_host_start_controls (self->host, controls_done_cb, self, NULL);
  if (self->is_moving)
    goban_console_evaluator_set_busy (GOBAN_CONSOLE_EVALUATOR (self), TRUE);
}

static void
moved_cb (GobanLuaConsole *self)
{
  self->has_moved = TRUE;
  start_controls (self);
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
  start_controls (self);
}

static gboolean
start (GobanLuaConsole *self, const GobanLuaScript *chunk, GError **error)
{
  if (chunk->name == NULL)
    return goban_lua_host_start (self->host, chunk->code, done_cb, self, error);
  return goban_lua_host_start_script (self->host, chunk, done_cb, self, error);
}

static void
start_waiting (GobanLuaConsole *self)
{
  g_autoptr (Waiting) waiting = g_steal_pointer (&self->waiting);
  GError *error = NULL;

  if (waiting == NULL
      || start (self, &(GobanLuaScript){ waiting->code, waiting->path, waiting->name }, &error))
    return;
  g_task_return_error (self->task, error);
  g_clear_object (&self->task);
}

/* @chunk: without a name it was typed at the prompt. */
static void
evaluate (GobanLuaConsole *self, const GobanLuaScript *chunk, GAsyncReadyCallback callback,
          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;

  if (self->is_moving && self->task == NULL)
    {
      self->task = task;
      self->waiting = waiting_new (chunk);
      return;
    }
  if (start (self, chunk, &error))
    {
      self->task = task;
      return;
    }

  g_task_return_error (task, error);
  g_object_unref (task);
}

static void
evaluate_async (GobanConsoleEvaluator *evaluator, const char *text, GAsyncReadyCallback callback,
                gpointer user_data)
{
  evaluate (GOBAN_LUA_CONSOLE (evaluator), &(GobanLuaScript){ .code = text }, callback, user_data);
}

static void
evaluate_script_async (GobanConsoleEvaluator *evaluator, const GobanConsoleScript *script,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  evaluate (GOBAN_LUA_CONSOLE (evaluator),
            &(GobanLuaScript){ script->text, script->path, script->name }, callback, user_data);
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
  return _ (
      "Lua 5.4. g is the graph, p the plan, r the run, sel the selection; help() explains the "
      "rest.");
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
  iface->follow = follow;
  iface->interrupt = interrupt;
  iface->get_language = get_language;
  iface->get_greeting = get_greeting;
  iface->get_number = get_number;
}

/* --- construction and disposal ------------------------------------------------------------- */

static void
goban_lua_console_dispose (GObject *object)
{
  GobanLuaConsole *self = GOBAN_LUA_CONSOLE (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->controls != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->controls, self);
      goban_controls_clear (self->controls);
    }
  g_clear_object (&self->controls);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_pointer (&self->run, goban_run_unref);
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
  g_clear_pointer (&self->waiting, waiting_free);
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
  self->n_shown = self->n_lines = goban_session_get_log (session)->len;
  self->host = goban_lua_host_new (session, goban_lua_open_modules);
  goban_lua_host_confine (self->host);
  goban_lua_host_set_output (self->host, write_cb, display_cb, self);
  goban_lua_host_set_progress (self->host, progress_cb, self);
  g_signal_connect_swapped (session, "log", G_CALLBACK (log_cb), self);
  g_signal_connect_swapped (session, "notify::graph", G_CALLBACK (inputs_cb), self);
  g_signal_connect_swapped (session, "notify::cluster", G_CALLBACK (inputs_cb), self);
  g_signal_connect_swapped (session, "notify::current-run", G_CALLBACK (inputs_cb), self);
  inputs_cb (self);
  self->controls = g_object_ref (goban_controls_of (G_OBJECT (session)));
  g_signal_connect_swapped (self->controls, "moved", G_CALLBACK (moved_cb), self);
  return self;
}
