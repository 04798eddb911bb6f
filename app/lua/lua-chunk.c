/* lua-chunk.c: a chunk's way from text to its end, here or in a thread of its own.
 *
 * Every chunk is a coroutine. The host ends it by a yield that nobody resumes, which no pcall() of
 * the script's can swallow. While a script is inside a C function that cannot yield, such as
 * table.sort() with a comparison of its own, an error takes the place of the yield.
 */
#include "app/lua/lua-chunk.h"

#include "app/lua/core/lua-account.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-transcript.h"
#include "app/lua/core/lua-unknown.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/lua-prelude.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"

#include <string.h>

/* Meaning of "x?". */
#define HELP "help [==["

typedef enum
{
  ENDED,
  FAILED,
  INTERRUPTED,
  OVER,
  EXITED,
} Outcome;

/* --- errors as people read them ---------------------------------------------- */

#define TYPED "in local 'chunk'" /* the whole text typed at a prompt */

/* A line of a longer text, without its end. */
typedef struct
{
  const char *at; /* NULL before the first */
  gsize n;
} Line;

/* FALSE at the end of the text. */
static gboolean
next_line (Line *self, const char *text)
{
  if (self->at != NULL && self->at[self->n] == '\0')
    return FALSE;
  self->at = self->at != NULL ? self->at + self->n + 1 : text;
  self->n = strcspn (self->at, "\n");
  return TRUE;
}

static const char *
find_in_line (const Line *self, const char *words)
{
  return g_strstr_len (self->at, (gssize) self->n, words);
}

/* Lines about the prelude and about C say nothing to the author of a script. */
static gboolean
is_ours (const Line *line)
{
  return find_in_line (line, "[C]: in ") != NULL || find_in_line (line, "(goban ") != NULL
         || find_in_line (line, "(...tail calls...)") != NULL;
}

/* The message behind a place in the prelude, "(goban session):40: ". */
static const char *
skip_our_place (const char *message)
{
  const char *rest = g_str_has_prefix (message, "(goban ") ? strstr (message, "):") : NULL;

  if (rest == NULL)
    return message;
  rest += strlen ("):");
  while (g_ascii_isdigit (*rest))
    rest++;
  return g_str_has_prefix (rest, ": ") ? rest + strlen (": ") : message;
}

/* Adds "script.lua:3: ", where the script called what failed in the prelude. */
static void
add_place (luaL_Buffer *buffer, const char *traceback)
{
  Line line = { NULL, 0 };

  while (next_line (&line, traceback))
    {
      const char *end = find_in_line (&line, ": in ");

      if (end == NULL || is_ours (&line))
        continue;
      /* Without its tab, with the colon and the blank. */
      luaL_addlstring (buffer, line.at + 1, (size_t) (end - line.at) + 1);
      return;
    }
}

/* Adds "bad argument #1 to 'causes' (...)" of a function in the prelude with the name by which the
 * script called it, not that of what it wraps. Other messages as they are. */
static void
add_message (luaL_Buffer *buffer, const char *message, const char *traceback)
{
  const char *to = g_str_has_prefix (message, "bad argument #") ? strstr (message, "to '") : NULL;
  const char *end = to != NULL ? strstr (to, "' (") : NULL;
  const char *name = NULL;
  Line line = { NULL, 0 };

  while (end != NULL && next_line (&line, traceback)
         && (line.n == 0 || name == NULL || is_ours (&line)))
    {
      const char *quote
          = find_in_line (&line, "(goban ") != NULL ? find_in_line (&line, " '") : NULL;

      if (quote != NULL)
        name = quote + strlen (" '");
    }
  if (name != NULL)
    {
      luaL_addlstring (buffer, message, (size_t) (to - message) + strlen ("to '"));
      luaL_addlstring (buffer, name, strcspn (name, "'\n"));
      message = end;
    }
  luaL_addstring (buffer, message);
}

/* Pushes the name in "(global 'plto')", which Lua adds to errors about nil; FALSE without one. */
static gboolean
push_unknown (lua_State *L, const char *message)
{
  const char *begin = strstr (message, "(global '");
  const char *end;

  if (begin == NULL || strstr (message, "a nil value") == NULL)
    return FALSE;
  begin += strlen ("(global '");
  end = strchr (begin, '\'');
  if (end == NULL)
    return FALSE;
  lua_pushlstring (L, begin, (size_t) (end - begin));
  return TRUE;
}

/* Adds ": did you mean plot?" if the message is about a global that is nearly one that there is. */
static void
add_nearest (lua_State *L, const char *message, luaL_Buffer *buffer)
{
  const char *nearest;

  if (!push_unknown (L, message))
    return;
  lua_pushglobaltable (L);
  nearest = goban_lua_find_nearest_key (L, -1, lua_tostring (L, -2));
  lua_pop (L, 2);
  if (nearest == NULL)
    return;
  luaL_addstring (buffer, ": did you mean ");
  luaL_addstring (buffer, nearest);
  luaL_addchar (buffer, '?');
}

/* Adds the message beside a nil that was dropped, if the message is about a nil. */
static void
add_failure (lua_State *L, const char *message, luaL_Buffer *buffer)
{
  if (strstr (message, "a nil value") == NULL && !g_str_has_suffix (message, "got nil)"))
    return;
  goban_lua_last_failure (L);
  if (!lua_isstring (L, -1))
    {
      lua_pop (L, 1);
      return;
    }
  lua_pushfstring (L, "; the last call that failed said: %s", lua_tostring (L, -1));
  lua_remove (L, -2);
  luaL_addvalue (buffer);
}

static int
format_error (lua_State *L)
{
  lua_State *thread = lua_touserdata (L, 1);
  const char *whole = luaL_tolstring (L, 2, NULL);
  const char *message = skip_our_place (whole);
  Line line = { NULL, 0 };
  const char *traceback;
  luaL_Buffer buffer;

  luaL_traceback (L, thread, NULL, 0);
  traceback = lua_tostring (L, -1);
  luaL_buffinit (L, &buffer);
  if (message != whole)
    {
      add_place (&buffer, traceback);
      add_message (&buffer, message, traceback);
    }
  else
    luaL_addstring (&buffer, message);
  add_nearest (L, message, &buffer);
  add_failure (L, message, &buffer);
  while (next_line (&line, traceback))
    {
      if (is_ours (&line) || find_in_line (&line, TYPED) != NULL
          || find_in_line (&line, "stack traceback") == line.at)
        continue;
      luaL_addchar (&buffer, '\n');
      luaL_addlstring (&buffer, line.at, line.n);
    }
  luaL_pushresult (&buffer);
  return 1;
}

GError *
goban_lua_make_error (GobanLuaHost *self, lua_State *thread)
{
  lua_State *L = self->L;
  lua_State *running = self->running;
  GError *error;
  int status;

  lua_pushcfunction (L, format_error);
  lua_pushlightuserdata (L, thread);
  lua_xmove (thread, L, 1);
  self->running = L; /* __tostring of the raised value is the script's */
  status = lua_pcall (L, 2, 1, 0);
  self->running = running;
  if (status != LUA_OK && !lua_isstring (L, -1))
    {
      lua_pop (L, 1);
      return g_error_new_literal (GOBAN_ERROR, GOBAN_ERROR_INVALID, "an error without a message");
    }

  error = g_error_new_literal (GOBAN_ERROR, GOBAN_ERROR_INVALID, lua_tostring (L, -1));
  lua_pop (L, 1);
  return error;
}

/* --- one slice --------------------------------------------------------------- */

static int
sync_and_drop (lua_State *L)
{
  goban_lua_sync_globals (L);
  return 0;
}

static void
sync_safely (GobanLuaHost *self)
{
  lua_pushcfunction (self->L, sync_and_drop);
  if (lua_pcall (self->L, 0, 0, 0) != LUA_OK)
    lua_pop (self->L, 1);
}

static Outcome
resume (GobanLuaHost *self)
{
  int n_results = 0;
  int status;

  self->is_paused = FALSE;
  self->running = self->thread;
  /* Below the arguments of a coroutine that has not begun lies its function. */
  status = lua_resume (self->thread, self->L, lua_gettop (self->thread) - 1, &n_results);
  self->running = NULL;

  if (self->is_exiting)
    return EXITED;
  if (g_atomic_int_get (&self->is_interrupted))
    return INTERRUPTED;
  if (g_atomic_int_get (&self->is_over))
    return OVER;

  return status == LUA_OK ? ENDED : FAILED;
}

/* Drops the chunk, whatever its state. */
static void
drop_thread (GobanLuaHost *self)
{
  /* Closing handlers of the script run here. Not after a stop: an error raised by a hook leaves the
   * coroutine without hooks, and nothing could end a handler then. */
  self->running = self->thread;
  if (!goban_lua_is_stopped (self))
    lua_resetthread (self->thread);
  self->running = NULL;
  luaL_unref (self->L, LUA_REGISTRYINDEX, self->thread_ref);
  self->thread_ref = LUA_NOREF;
  self->thread = NULL;
}

/* --- from text to a coroutine -------------------------------------------------- */

typedef struct
{
  const char *code;
  gsize length;
  const char *name; /* with '=' or '@' in front; (nullable) of a prompt: its number */
  const char *const *args;
  const char *function; /* (nullable): of the prelude, in place of code */
  gboolean is_prompt;
} Chunk;

/* Whether the syntax error on top of the stack is only that the text ends too early. A string in
 * quotes cannot go on in another line. */
static gboolean
is_unfinished (lua_State *L)
{
  const char *message = lua_tostring (L, -1);

  return message != NULL && g_str_has_suffix (message, "<eof>")
         && strstr (message, "unfinished string near") == NULL;
}

/* A prompt shows the values of an expression, so "return" is tried first. Messages name the text by
 * its number. */
static int
load_prompt (lua_State *L, const Chunk *chunk, gboolean *is_expression)
{
  const char *code = chunk->code;
  const char *name = chunk->name;
  char number[32];
  const char *as_expression = lua_pushfstring (L, "return %s", code);
  int status;

  if (name == NULL)
    {
      g_snprintf (number, sizeof number, "=console[%u]", ++goban_lua_get_host (L)->n_prompts);
      name = number;
    }
  status = luaL_loadbufferx (L, as_expression, strlen (as_expression), name, "t");
  lua_remove (L, -2);
  *is_expression = status == LUA_OK;
  if (status == LUA_OK)
    return status;

  lua_pop (L, 1);
  return luaL_loadbufferx (L, code, strlen (code), name, "t");
}

static const char *
skip_shebang (const Chunk *chunk)
{
  const char *newline;

  if (chunk->length == 0 || chunk->code[0] != '#')
    return chunk->code;

  newline = memchr (chunk->code, '\n', chunk->length);
  return newline != NULL ? newline : chunk->code + chunk->length;
}

/* Protected: light userdata chunk. Returns a coroutine that has the function and its arguments. */
static int
prepare (lua_State *L)
{
  const Chunk *chunk = lua_touserdata (L, 1);
  lua_State *thread = lua_newthread (L); /* chunk thread */
  gboolean is_expression = FALSE;
  int n_args = 0;
  int status;

  if (chunk->function != NULL)
    {
      goban_lua_push_prelude (L, chunk->function);
      status = LUA_OK;
    }
  else if (chunk->is_prompt)
    {
      goban_lua_push_prelude (L, "evaluate"); /* chunk thread evaluate */
      status = load_prompt (L, chunk, &is_expression);
    }
  else
    {
      const char *code = skip_shebang (chunk);

      status = luaL_loadbufferx (L, code, chunk->length - (code - chunk->code), chunk->name, "t");
    }
  if (status != LUA_OK)
    return lua_error (L);
  if (chunk->is_prompt && !g_str_has_prefix (chunk->code, HELP))
    goban_lua_transcript_begin (goban_lua_get_host (L), chunk->code, is_expression);

  if (chunk->is_prompt)
    lua_pushstring (L, chunk->code); /* the second argument of evaluate */
  for (; chunk->args != NULL && chunk->args[n_args] != NULL; n_args++)
    {
      luaL_checkstack (L, 2, "too many arguments");
      lua_pushstring (L, chunk->args[n_args]);
    }
  luaL_checkstack (thread, n_args + 3, "too many arguments");
  lua_xmove (L, thread, lua_gettop (L) - 2);
  return 1;
}

static gboolean
begin (GobanLuaHost *self, const Chunk *chunk, GError **error)
{
  lua_State *L = self->L;

  if (goban_lua_host_is_running (self))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s", "a script is running; stop it first");

  if (!goban_lua_set_at_work (self, TRUE))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s",
                         "a policy written in Lua is running; stop it first");

  lua_pushcfunction (L, prepare);
  lua_pushlightuserdata (L, (gpointer) chunk);
  if (lua_pcall (L, 1, 1, 0) != LUA_OK)
    {
      goban_lua_set_at_work (self, FALSE);
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s",
                       lua_isstring (L, -1) ? lua_tostring (L, -1) : "out of memory");
      lua_pop (L, 1);
      return FALSE;
    }

  self->thread = lua_tothread (L, -1);
  self->thread_ref = luaL_ref (L, LUA_REGISTRYINDEX);
  g_atomic_int_set (&self->is_interrupted, 0);
  goban_lua_account_begin (self);
  goban_lua_set_left (self, NULL);
  self->hides_learning = FALSE;
  return TRUE;
}

/* --- to the end ------------------------------------------------------------------ */

static void
print_result (GobanLuaHost *self)
{
  gsize n;
  const char *text;

  if (lua_gettop (self->thread) == 0 || !lua_isstring (self->thread, -1))
    return;

  text = lua_tolstring (self->thread, -1, &n);
  if (n > 0)
    {
      goban_lua_write (self, text, n);
      goban_lua_write (self, "\n", 1);
    }
}

static int
finish (GobanLuaHost *self, Outcome outcome, gboolean is_prompt, GError **error)
{
  GError *failure = outcome == FAILED ? goban_lua_make_error (self, self->thread) : NULL;

  /* A stop may have come while the error was put into words. */
  if (failure != NULL && g_atomic_int_get (&self->is_interrupted))
    {
      g_clear_error (&failure);
      outcome = INTERRUPTED;
    }
  switch (outcome)
    {
    case ENDED:
      if (is_prompt)
        print_result (self);
      return GOBAN_LUA_EXIT_OK;
    case EXITED:
      return self->exit_code;
    case FAILED:
      g_propagate_error (error, failure);
      return GOBAN_LUA_EXIT_FAILED;
    case OVER:
      goban_lua_account_set_error (self, error);
      return GOBAN_LUA_EXIT_FAILED;
    case INTERRUPTED:
      break;
    }

  goban_set_error (error, GOBAN_ERROR_CANCELLED, "interrupted%s%s", self->left != NULL ? ": " : "",
                   self->left != NULL ? self->left : "");
  return GOBAN_LUA_EXIT_INTERRUPTED;
}

/* A stop may also have come while closing handlers ran. */
static int
note_late_stop (GobanLuaHost *self, Outcome outcome, int code, GError **error)
{
  if (outcome == EXITED || !g_atomic_int_get (&self->is_interrupted))
    return code;

  g_clear_error (error);
  return finish (self, INTERRUPTED, FALSE, error);
}

static int
run (GobanLuaHost *self, const Chunk *chunk, GError **error)
{
  int top = lua_gettop (self->L);
  GError *failure = NULL;
  Outcome outcome;
  locale_t users;
  int code;

  if (!begin (self, chunk, error))
    return GOBAN_LUA_EXIT_FAILED;

  users = uselocale (self->c_locale);
  sync_safely (self);
  outcome = resume (self);
  code = finish (self, outcome, chunk->is_prompt, &failure);
  drop_thread (self);
  code = note_late_stop (self, outcome, code, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  uselocale (users);
  if (chunk->is_prompt)
    goban_lua_transcript_end (self, code == GOBAN_LUA_EXIT_OK);
  goban_lua_account_end (self);
  goban_lua_set_at_work (self, FALSE);
  g_assert (lua_gettop (self->L) == top);
  return code;
}

/* `arg` as lua(1) has it: the script at 0. Protected: light userdata path, args. */
static int
set_arg (lua_State *L)
{
  const char *path = lua_touserdata (L, 1);
  const char *const *args = lua_touserdata (L, 2);

  lua_newtable (L);
  lua_pushstring (L, path);
  lua_rawseti (L, -2, 0);
  for (int i = 0; args != NULL && args[i] != NULL; i++)
    {
      lua_pushstring (L, args[i]);
      lua_rawseti (L, -2, i + 1);
    }

  goban_lua_set_raw_global (L, "arg");
  return 0;
}

/* Files on the command line were chosen by the user: PATH, --out PATH, --out=PATH. */
static void
allow_arguments (GobanLuaHost *self, const char *const *args)
{
  for (; args != NULL && *args != NULL; args++)
    {
      const char *value = g_str_has_prefix (*args, "-") ? strchr (*args, '=') : NULL;

      if (value != NULL)
        goban_lua_host_allow (self, value + 1);
      else if (**args != '-' && **args != '\0')
        goban_lua_host_allow (self, *args);
    }
}

int
goban_lua_host_run_file (GobanLuaHost *self, const char *path, const char *const *args,
                         GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_TEXT, error);
  g_autofree char *name = NULL;
  Chunk chunk = { .args = args };

  if (bytes == NULL)
    return GOBAN_LUA_EXIT_FILE;

  self->has_scripts = TRUE;
  g_free (self->script_dir);
  self->script_dir = g_str_equal (path, "-") ? NULL : g_path_get_dirname (path);
  allow_arguments (self, args);
  name = g_strconcat ("@", path, NULL);
  chunk.code = g_bytes_get_data (bytes, &chunk.length);
  chunk.name = name;
  if (chunk.code == NULL)
    chunk.code = "";

  lua_pushcfunction (self->L, set_arg);
  lua_pushlightuserdata (self->L, (gpointer) path);
  lua_pushlightuserdata (self->L, (gpointer) args);
  if (lua_pcall (self->L, 2, 0, 0) != LUA_OK)
    lua_pop (self->L, 1);

  return run (self, &chunk, error);
}

int
goban_lua_host_run_string (GobanLuaHost *self, const char *code, const char *name, GError **error)
{
  g_autofree char *chunk_name = g_strconcat ("=", name, NULL);
  Chunk chunk = { .code = code, .length = strlen (code), .name = chunk_name };

  return run (self, &chunk, error);
}

/* "x?" is help, and "?" all of it: (transfer full). */
static char *
expand_prompt (const char *code)
{
  g_autofree char *line = g_strstrip (g_strdup (code));
  gsize n = strlen (line);

  if (n == 0 || line[n - 1] != '?' || strchr (line, '\n') != NULL)
    return g_steal_pointer (&line);
  if (n == 1)
    return g_strdup ("help ()");

  line[n - 1] = '\0';
  g_strchomp (line);
  return g_strdup_printf (HELP "%s]==]", line);
}

int
goban_lua_host_evaluate (GobanLuaHost *self, const char *code, GError **error)
{
  g_autofree char *line = expand_prompt (code);
  Chunk chunk = { .code = line, .is_prompt = TRUE };

  return run (self, &chunk, error);
}

/* "1 +" is unfinished as an expression, "for i = 1, 2 do" as a statement. */
static int
check_complete (lua_State *L)
{
  const char *code = lua_touserdata (L, 1);
  const char *as_expression = lua_pushfstring (L, "return %s", code);
  gboolean is_complete
      = luaL_loadbufferx (L, as_expression, strlen (as_expression), "=console", "t") == LUA_OK
        || (!is_unfinished (L)
            && (luaL_loadbufferx (L, code, strlen (code), "=console", "t") == LUA_OK
                || !is_unfinished (L)));

  lua_pushboolean (L, is_complete);
  return 1;
}

gboolean
goban_lua_host_is_complete (GobanLuaHost *self, const char *code)
{
  g_autofree char *line = expand_prompt (code);
  gboolean answer = TRUE;

  if (!goban_lua_visit (self))
    return TRUE;
  lua_pushcfunction (self->L, check_complete);
  lua_pushlightuserdata (self->L, line);
  if (lua_pcall (self->L, 1, 1, 0) == LUA_OK)
    answer = lua_toboolean (self->L, -1);

  lua_pop (self->L, 1);
  goban_lua_end_visit (self);
  return answer;
}

/* --- in a thread -------------------------------------------------------------------- */

static void
run_threaded (gpointer host)
{
  GobanLuaHost *self = host;
  locale_t users = uselocale (self->c_locale);
  Outcome outcome;

  goban_lua_watch (self->L); /* for formatting errors */
  goban_lua_watch (self->thread);
  outcome = resume (self);
  if (outcome == ENDED)
    self->result = g_strdup (lua_gettop (self->thread) > 0 && lua_isstring (self->thread, -1)
                                 ? lua_tostring (self->thread, -1)
                                 : "");
  else
    finish (self, outcome, FALSE, &self->error);
  drop_thread (self);
  note_late_stop (self, outcome, 0, &self->error);
  lua_sethook (self->L, NULL, 0, 0);
  uselocale (users);
}

static gboolean
end_threaded (gpointer host)
{
  GobanLuaHost *self = host;
  GobanLuaDone done = g_steal_pointer (&self->done);
  g_autofree char *result = NULL;
  g_autoptr (GError) error = NULL;

  goban_lua_end_threads (self);
  goban_lua_account_end (self);
  goban_lua_set_at_work (self, FALSE);
  result = g_steal_pointer (&self->result);
  error = g_steal_pointer (&self->error);
  goban_lua_transcript_end (self, error == NULL);
  done (self, error == NULL ? result : NULL, error, self->done_data);
  return G_SOURCE_REMOVE;
}

static gboolean
start (GobanLuaHost *self, const Chunk *chunk, GobanLuaDone done, gpointer user_data,
       GError **error)
{
  if (!begin (self, chunk, error))
    return FALSE;

  sync_safely (self);
  self->done = done;
  self->done_data = user_data;
  self->chunk_main = run_threaded;
  self->chunk_ended = end_threaded;
  goban_lua_start_thread (self);
  return TRUE;
}

gboolean
goban_lua_host_start (GobanLuaHost *self, const char *code, GobanLuaDone done, gpointer user_data,
                      GError **error)
{
  g_autofree char *line = expand_prompt (code);

  return start (self, &(Chunk){ .code = line, .is_prompt = TRUE }, done, user_data, error);
}

gboolean
goban_lua_host_start_controls (GobanLuaHost *self, GobanLuaDone done, gpointer user_data,
                               GError **error)
{
  return start (self, &(Chunk){ .function = "run_controls" }, done, user_data, error);
}

gboolean
goban_lua_host_start_script (GobanLuaHost *self, const GobanLuaScript *script, GobanLuaDone done,
                             gpointer user_data, GError **error)
{
  g_autofree char *name = g_strconcat ("=", script->name, NULL);

  /* `arg` is a global: not while another chunk uses it. */
  if (!goban_lua_host_is_running (self))
    {
      self->has_scripts = TRUE;
      g_free (self->script_dir);
      self->script_dir = script->path != NULL ? g_path_get_dirname (script->path) : NULL;
      lua_pushcfunction (self->L, set_arg);
      lua_pushlightuserdata (self->L, (gpointer) script->name);
      lua_pushlightuserdata (self->L, NULL);
      if (lua_pcall (self->L, 2, 0, 0) != LUA_OK)
        lua_pop (self->L, 1);
    }
  return start (self, &(Chunk){ .code = script->code, .name = name, .is_prompt = TRUE }, done,
                user_data, error);
}

void
goban_lua_host_interrupt (GobanLuaHost *self)
{
  /* The hook of a chunk in another thread looks by itself. */
  lua_State *running = self->is_threaded ? NULL : self->running;

  g_atomic_int_set (&self->is_interrupted, 1);
  if (running != NULL)
    lua_sethook (running, goban_lua_hook, LUA_MASKCOUNT, 1);
}

gboolean
goban_lua_host_end (GobanLuaHost *self)
{
  if (self->is_threaded)
    {
      goban_lua_host_interrupt (self);
      if (!goban_lua_wait_for_thread (self))
        return FALSE;
      end_threaded (self);
    }
  goban_lua_end_threads (self); /* policies that other threads called have printed, too */
  return TRUE;
}

guint
goban_lua_host_get_n_prompts (const GobanLuaHost *self)
{
  return self->n_prompts;
}

gboolean
goban_lua_host_is_exiting (const GobanLuaHost *self)
{
  return self->is_exiting;
}

gboolean
goban_lua_host_is_running (const GobanLuaHost *self)
{
  return self->is_threaded || self->thread != NULL;
}
