#include "app/lua/lua-host.h"

#include "app/lua/core/lua-account.h"
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-transcript.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-guest.h"

#include "engine/core/new-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFAULT_MAX_BYTES ((gsize) 2 << 30)
/* Texts of a script that is to stop: copying one takes a part of a millisecond. */
#define LARGE_BYTES ((gsize) 1 << 20)

/* --- memory -------------------------------------------------------------- */

/* What the allocator takes for a block: a string of seven letters has 32 bytes and takes 48. */
static gsize
get_taken (gsize size)
{
  const gsize header = sizeof (gsize), step = 2 * sizeof (gsize);

  if (size == 0)
    return 0;
  return MAX ((size + header + step - 1) / step * step, 2 * step);
}

static void *
allocate (void *user_data, void *block, size_t old_size, size_t new_size)
{
  GobanLuaHost *self = user_data;
  gsize held = block != NULL ? get_taken (old_size) : 0;
  gsize taken, outside;
  void *answer;

  if (new_size == 0)
    {
      free (block);
      self->used_bytes -= held;
      if (self->used_bytes + self->held_bytes + self->engine_bytes < self->forgive_bytes)
        self->n_refusals = 0;
      return NULL;
    }

  /* Shrinking must not fail, whatever the limit has become meanwhile; and a prompt can always
   * remove what takes the memory. */
  taken = get_taken (new_size);
  outside = MIN (self->held_bytes + self->engine_bytes, self->max_bytes - self->max_bytes / 16);
  if (taken > held && !self->is_lenient
      && self->used_bytes - held + outside > self->max_bytes - MIN (taken, self->max_bytes))
    {
      goban_lua_account_refuse (self);
      return NULL;
    }

  /* Few instructions may take as long as a hundred with short texts. */
  if (new_size >= LARGE_BYTES && self->running != NULL && goban_lua_is_stopped (self))
    lua_sethook (self->running, goban_lua_hook, LUA_MASKCOUNT, 1);
  answer = realloc (block, new_size);
  if (answer != NULL)
    self->used_bytes += taken - held;

  return answer;
}

void
goban_lua_host_set_terminal (GobanLuaHost *self, guint n_columns, gboolean is_ascii,
                             gboolean as_json)
{
  self->n_columns = n_columns;
  self->is_ascii = is_ascii;
  self->as_json = as_json;
}

void
goban_lua_host_set_progress (GobanLuaHost *self, GobanLuaProgress progress, gpointer user_data)
{
  self->progress = progress;
  self->progress_data = user_data;
}

void
goban_lua_host_set_memory_limit (GobanLuaHost *self, gsize size_bytes)
{
  self->max_bytes = size_bytes;
}

/* --- the session ------------------------------------------------------------ */

static void
session_changed_cb (GobanLuaHost *self)
{
  g_atomic_int_set (&self->is_seen_stale, 1);
}

static void
watch_session (GobanLuaHost *self)
{
  static const char *const seen[] = { "notify::cluster", "notify::current-run", "notify::graph" };

  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    g_signal_connect_swapped (self->session, seen[i], G_CALLBACK (session_changed_cb), self);
  session_changed_cb (self);
}

/* --- construction and disposal --------------------------------------------- */

/* Protected: a pointer to the opener, as light userdata. */
static int
call_open (lua_State *L)
{
  const GobanLuaOpen *open = lua_touserdata (L, 1);

  (*open) (L);
  return 0;
}

/* The user's language for messages; numbers, letters, their order and names of days as in C, so
 * that a script does the same everywhere. (transfer full) */
static locale_t
make_locale (void)
{
  const int masked = LC_ALL_MASK & ~(LC_MESSAGES_MASK | LC_CTYPE_MASK);
  locale_t users = duplocale (uselocale ((locale_t) 0));
  locale_t fixed = newlocale (masked, "C", users);
  locale_t utf8
      = newlocale (LC_CTYPE_MASK, "C.UTF-8", fixed); /* a failure leaves @fixed as it is */

  return utf8 != (locale_t) 0 ? utf8 : newlocale (LC_CTYPE_MASK, "C", fixed);
}

GobanLuaHost *
goban_lua_host_new (GobanSession *session, GobanLuaOpen open)
{
  GobanLuaHost *self = g_new0 (GobanLuaHost, 1);

  self->session = g_object_ref (session);
  self->home = g_thread_self ();
  self->max_bytes = DEFAULT_MAX_BYTES;
  self->recipes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->warned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->thread_ref = LUA_NOREF;
  self->printed = g_string_new (NULL);
  self->allowed = g_ptr_array_new_with_free_func (g_free);
  self->opened = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->c_locale = make_locale ();
  self->L = lua_newstate (allocate, self);
  *(GobanLuaHost **) lua_getextraspace (self->L) = self;
  watch_session (self);
  goban_lua_transcript_open (self);
  goban_lua_register_host (self);

  lua_pushcfunction (self->L, call_open);
  lua_pushlightuserdata (self->L, &open);
  if (lua_pcall (self->L, 1, 0, 0) != LUA_OK)
    g_error ("the Lua modules do not load: %s", lua_tostring (self->L, -1));

  return self;
}

void
goban_lua_host_free (GobanLuaHost *self)
{
  if (self == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->session, self);
  if (!goban_lua_unregister_host (self) || !goban_lua_host_end (self))
    return;                /* its thread is at work still: better lost than freed */
  self->is_lenient = TRUE; /* without memory to call it, Lua would skip a handle's __gc */
  lua_close (self->L);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->warned, g_hash_table_unref);
  g_clear_object (&self->edits);
  goban_lua_clear_current (self);
  g_clear_object (&self->session);
  goban_lua_transcript_free (self);
  g_hash_table_unref (self->recipes);
  g_string_free (self->printed, TRUE);
  g_ptr_array_unref (self->allowed);
  g_ptr_array_unref (self->opened);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->script_dir);
  g_free (self->left);
  g_strfreev (self->followers);
  freelocale (self->c_locale);
  g_free (self);
}

/* --- processes of sweeps -------------------------------------------------------------------- */

static void
print_nothing (const char *text, gsize n, gpointer user_data)
{
}

/* Without orders nobody needs what this process does. */
static gpointer
read_orders (gpointer data)
{
  GAsyncQueue *orders = data;
  FILE *input = fdopen (dup (STDIN_FILENO), "r");
  char *line = NULL;
  size_t size = 0;

  while (input != NULL && getline (&line, &size, input) > 0)
    g_async_queue_push (orders, g_strdup (line));
  _exit (EXIT_SUCCESS);
}

static void
follow (GobanLuaHost *self)
{
  int nothing = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  self->orders = g_async_queue_new (); /* the thread's for good */
  self->reports = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  dup2 (nothing, STDOUT_FILENO);
  self->output = print_nothing;
  goban_new_files_discard (TRUE);
  g_thread_unref (g_thread_new ("orders", read_orders, self->orders));
}

void
goban_lua_host_set_ranks (GobanLuaHost *self, GobanRanks *ranks)
{
  self->ranks = ranks;
  if (goban_ranks_get_rank (ranks) == 0)
    return;
  self->output = print_nothing;
  goban_new_files_discard (TRUE);
}

void
goban_lua_host_set_followers (GobanLuaHost *self, const char *const *argv)
{
  g_strfreev (self->followers);
  self->followers = g_strdupv ((char **) argv);
  if (argv == NULL)
    follow (self);
}

GobanSession *
goban_lua_host_get_session (GobanLuaHost *self)
{
  return self->session;
}

void
goban_lua_host_set_output (GobanLuaHost *self, GobanLuaOutput output, GobanLuaDisplay display,
                           gpointer user_data)
{
  self->output = output;
  self->display = display;
  self->output_data = user_data;
}
