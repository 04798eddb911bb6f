#include "app/lua/core/lua-account.h"

#include "app/lua/core/lua-stop.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

/* Limit of names, captions and words: whatever is shown on a line or in a box. */
#define MAX_TEXT_BYTES ((gsize) 64 * 1024)
/* Limit of notes. */
#define MAX_NOTES_BYTES ((gsize) 16 * 1024 * 1024)
/* Tables in tables that are searched for long texts, and values looked at: what
 * is left is found by measuring. */
#define MAX_DEPTH 3
#define MAX_LOOKS 65536
/* Between two looks of work that asks often. */
#define LOOK_MS 5
/* Measuring takes one part of the time at most, unless much has come since. */
#define MEASURE_SHARE 20
/* Refusals before the chunk ends. Each costs a collection of all that the script holds, 1 to 3 s at
 * the default limit; Lua asks twice for what it does not get. */
#define MAX_REFUSALS 64

/* --- measuring ------------------------------------------------------------------------------- */

/* Sanitizers replace the allocator, and count themselves. */
extern size_t __sanitizer_get_current_allocated_bytes (void) __attribute__ ((weak));

/* What the program has allocated and not freed; 0 where nobody knows. It takes
 * a while if memory is in many pieces. */
static gsize
measure_allocated (void)
{
  if (__sanitizer_get_current_allocated_bytes != NULL)
    return __sanitizer_get_current_allocated_bytes ();
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

/* Pages in memory, a bound of what is allocated that is quick to read; all
 * there is if it cannot be read. */
static gsize
read_resident (void)
{
  static int fd = -1;
  char text[128];
  char *end;
  gssize n;
  int opened;

  if (g_atomic_int_get (&fd) < 0)
    {
      opened = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
      if (!g_atomic_int_compare_and_exchange (&fd, -1, opened) && opened >= 0)
        close (opened);
    }
  n = g_atomic_int_get (&fd) >= 0 ? pread (fd, text, sizeof text - 1, 0) : -1;
  if (n <= 0)
    return G_MAXSIZE;
  text[n] = '\0';
  strtoull (text, &end, 10);
  return (gsize) strtoull (end, NULL, 10) * (gsize) sysconf (_SC_PAGESIZE);
}

void
goban_lua_account_begin (GobanLuaHost *self)
{
  gsize allocated = measure_allocated (), resident = read_resident ();

  g_atomic_int_set (&self->is_over, 0);
  self->n_refusals = 0;
  self->measure_next_us = 0;
  self->alien_resident_bytes = resident - MIN (self->caused_bytes, resident);
  self->trimmed_bytes = 0;
  self->alien_bytes = allocated - MIN (self->caused_bytes, allocated);
}

static void
measure (GobanLuaHost *self)
{
  gsize allocated = measure_allocated ();
  gsize counted = self->used_bytes + self->held_bytes;

  self->caused_bytes = allocated - MIN (self->alien_bytes, allocated);
  self->engine_bytes = self->caused_bytes - MIN (counted, self->caused_bytes);
}

void
goban_lua_account_end (GobanLuaHost *self)
{
  measure (self);
}

/* Whether what was measured last still tells: a heap in many pieces takes long to measure. */
static gboolean
is_measured (const GobanLuaHost *self, gsize resident)
{
  return g_get_monotonic_time () < self->measure_next_us
         && resident < self->measured_resident_bytes + self->max_bytes / 32;
}

static gboolean
is_over (GobanLuaHost *self, gboolean is_fresh)
{
  static GMutex mutex;
  gsize most = self->max_bytes;
  gsize resident;
  gint64 begun_us, now_us;

  if (g_atomic_int_get (&self->is_over))
    return TRUE;
  /* Far from the limit one number is enough. */
  resident = read_resident ();
  resident -= MIN (self->alien_resident_bytes, resident);
  if (resident < most / 2 || !g_mutex_trylock (&mutex))
    return FALSE;
  if (is_fresh || !is_measured (self, resident))
    {
      begun_us = g_get_monotonic_time ();
      measure (self);
      now_us = g_get_monotonic_time ();
      self->measure_next_us = now_us + MEASURE_SHARE * (now_us - begun_us);
      self->measured_resident_bytes = resident;
    }
  /* Freed, but kept by the allocator. */
  if (self->caused_bytes <= most && resident > most && resident > self->trimmed_bytes + most / 8)
    {
      malloc_trim (0);
      self->trimmed_bytes = resident;
    }
  g_mutex_unlock (&mutex);
  return self->caused_bytes > most;
}

gboolean
goban_lua_account_is_over (GobanLuaHost *self)
{
  return is_over (self, FALSE);
}

void
goban_lua_account_refuse (GobanLuaHost *self)
{
  gsize counted_bytes = self->used_bytes + self->held_bytes + self->engine_bytes;

  /* With little in the account the value is too large, and the collection is quick. */
  if (counted_bytes < self->max_bytes / 4)
    return;
  self->forgive_bytes = counted_bytes - self->max_bytes / 8;
  if (++self->n_refusals >= MAX_REFUSALS)
    {
      self->caused_bytes = MAX (self->caused_bytes, counted_bytes); /* for the message */
      g_atomic_int_set (&self->is_over, 1);
    }
  /* The next hundred instructions may collect a hundred times. */
  if (goban_lua_is_stopped (self) && self->running != NULL)
    lua_sethook (self->running, goban_lua_hook, LUA_MASKCOUNT, 1);
}

void
goban_lua_account_look (GobanLuaHost *self)
{
  is_over (self, TRUE); /* the caller has a limit of its own */
}

gboolean
goban_lua_account_is_over_meanwhile (GobanLuaHost *self)
{
  gint now_ms = (gint) (g_get_monotonic_time () / 1000 % G_MAXINT);

  if (ABS (now_ms - g_atomic_int_get (&self->last_look_ms)) < LOOK_MS)
    return FALSE;
  g_atomic_int_set (&self->last_look_ms, now_ms);
  return goban_lua_account_is_over (self);
}

void
goban_lua_account_check (lua_State *L)
{
  GobanLuaHost *self = goban_lua_get_host (L);

  if (self->is_lenient || !goban_lua_account_is_over (self))
    return;
  if (!g_atomic_int_get (&self->is_over))
    {
      lua_gc (L, LUA_GCCOLLECT);
      if (!is_over (self, TRUE))
        return;
      g_atomic_int_set (&self->is_over, 1);
    }
  goban_lua_stop (L);
}

void
goban_lua_account_set_error (const GobanLuaHost *self, GError **error)
{
  char held[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];

  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "not enough memory: what scripts made the program keep takes %s, and may "
                   "take "
                   "%s; remove some of it, such as runs, controls, scenes or notes",
                   goban_format_bytes (held, (double) self->caused_bytes),
                   goban_format_bytes (most, (double) self->max_bytes));
}

/* --- texts ----------------------------------------------------------------------------------- */

typedef struct
{
  const char *call;
  gsize most_bytes;
  guint n_looks;
} Texts;

/* The value on top of the stack. */
static void
check_text (lua_State *L, Texts *self, int depth)
{
  char most[GOBAN_QUANTITY_LEN], length[GOBAN_QUANTITY_LEN];

  if (lua_type (L, -1) == LUA_TSTRING && lua_rawlen (L, -1) > self->most_bytes)
    luaL_error (L, "%s: a text of %s is too long; at most %s are kept", self->call,
                goban_format_bytes (length, (double) lua_rawlen (L, -1)),
                goban_format_bytes (most, (double) self->most_bytes));
  if (!lua_istable (L, -1) || depth == MAX_DEPTH)
    return;
  luaL_checkstack (L, 4, "too many tables in each other");
  for (lua_pushnil (L); lua_next (L, -2) != 0; lua_pop (L, 1))
    {
      if (++self->n_looks > MAX_LOOKS)
        {
          lua_pop (L, 2);
          return;
        }
      check_text (L, self, depth + 1);
    }
}

void
goban_lua_account_check_texts (lua_State *L, int index, const char *call)
{
  gboolean is_notes = g_str_has_prefix (call, "notes") || g_str_has_prefix (call, "app.notes");

  Texts self = { call, is_notes ? MAX_NOTES_BYTES : MAX_TEXT_BYTES, 0 };

  luaL_checkstack (L, 4, "too many arguments");
  lua_pushvalue (L, index);
  check_text (L, &self, 0);
  lua_pop (L, 1);
}
