/* lua-thread.c: the thread of a started chunk, and its traffic with the main thread.
 *
 * A chunk of a window runs in a thread of its own, so that nothing that it does, in Lua or in a C
 * function of the interpreter, keeps the main loop from turning. What touches the session is handed
 * to the main thread, which runs it in a turn of its loop while the chunk waits. The interpreter is
 * used by one thread at a time: the chunk's, or the main one while the chunk waits for it.
 *
 * Decision A10 (app/NOTES.md).
 */
#include "app/lua/core/lua-thread.h"

#include "app/lua/core/lua-state.h"

/* More than a screen keeps; a chunk that prints faster than this is shown waits. */
#define PRINTED_BYTES (64 * 1024)
/* The chunk may be inside a long C function when a prompt asks for a completion. */
#define VISIT_WAIT_US (20 * G_TIME_SPAN_MILLISECOND)
/* A chunk that does not end although it was stopped is left alone for good. */
#define END_WAIT_US (3 * G_TIME_SPAN_SECOND)
#define LOOK_US (20 * G_TIME_SPAN_MILLISECOND)

/* The host whose chunk runs in this thread; NULL in all others. */
static GPrivate current_host = G_PRIVATE_INIT (NULL);

gboolean
goban_lua_is_in_thread (GobanLuaHost *self)
{
  return g_private_get (&current_host) == self;
}

/* Attached, never invoked: GLib would call the function here if the main loop rests. */
static guint
add_source (GSourceFunc function, GobanLuaHost *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, function, self, NULL);
  return g_source_attach (source, NULL);
}

/* --- calls of the main thread ---------------------------------------------------------------- */

/* With the lock held. */
static void
serve_request (GobanLuaHost *self)
{
  GobanLuaMainFunc function = self->request;

  if (function == NULL)
    return;
  /* The main thread may serve it while it waits; the source goes with the request. */
  g_clear_handle_id (&self->request_source, g_source_remove);
  g_mutex_unlock (&self->mutex);
  self->is_serving = TRUE;
  function (self->request_data);
  self->is_serving = FALSE;
  g_mutex_lock (&self->mutex);
  self->request = NULL;
  g_cond_broadcast (&self->cond);
}

static gboolean
serve_cb (gpointer user_data)
{
  GobanLuaHost *self = user_data;

  g_mutex_lock (&self->mutex);
  serve_request (self);
  g_mutex_unlock (&self->mutex);
  return G_SOURCE_REMOVE;
}

void
goban_lua_leave (GobanLuaHost *self)
{
  g_mutex_lock (&self->mutex);
  if (self->guest != g_thread_self ())
    self->is_away = TRUE;
  self->is_outside = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* The main thread goes on to handle the calls of a policy that it waits for. */
void
goban_lua_enter (GobanLuaHost *self)
{
  gboolean is_guest;

  g_mutex_lock (&self->mutex);
  is_guest = self->guest == g_thread_self ();
  while (self->has_visitor || (!is_guest && self->guest != NULL))
    {
      if (!goban_lua_is_in_thread (self))
        serve_request (self);
      g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
    }
  self->is_outside = FALSE;
  if (!is_guest)
    self->is_away = FALSE;
  g_mutex_unlock (&self->mutex);
}

void
goban_lua_on_main (GobanLuaHost *self, GobanLuaMainFunc function, gpointer data)
{
  if (!goban_lua_is_in_thread (self))
    {
      function (data);
      return;
    }

  g_mutex_lock (&self->mutex);
  self->request = function;
  self->request_data = data;
  self->request_source = add_source (serve_cb, self);
  g_cond_broadcast (&self->cond);
  /* No visit meanwhile: the caller holds pointers that Lua could free. */
  while (self->request != NULL)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

/* --- policies in other threads --------------------------------------------------------------- */

gboolean
goban_lua_become_guest (GobanLuaHost *self, const GobanGuestTask *task, gpointer *before)
{
  gboolean is_stopped = FALSE;

  g_mutex_lock (&self->mutex);
  while (!is_stopped
         && (self->guest != NULL || self->has_visitor || (self->is_at_work && !self->is_away)))
    {
      g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
      is_stopped = goban_guest_task_is_stopped (task) || self->is_closing;
    }
  if (!is_stopped)
    {
      self->guest = g_thread_self ();
      self->is_outside = FALSE;
    }
  g_mutex_unlock (&self->mutex);
  if (is_stopped)
    return FALSE;

  *before = g_private_get (&current_host);
  g_private_set (&current_host, self);
  return TRUE;
}

void
goban_lua_end_guest (GobanLuaHost *self, gpointer before)
{
  g_private_set (&current_host, before);
  g_mutex_lock (&self->mutex);
  self->guest = NULL;
  self->is_outside = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

gboolean
goban_lua_set_at_work (GobanLuaHost *self, gboolean is_at_work)
{
  gboolean is_free;

  g_mutex_lock (&self->mutex);
  is_free = !is_at_work || self->guest == NULL;
  if (is_free)
    {
      self->is_at_work = is_at_work;
      self->is_away = FALSE;
      g_cond_broadcast (&self->cond);
    }
  g_mutex_unlock (&self->mutex);
  return is_free;
}

gboolean
goban_lua_wait_for_guests (GobanLuaHost *self)
{
  gint64 end_us = g_get_monotonic_time () + END_WAIT_US;

  g_mutex_lock (&self->mutex);
  self->is_closing = TRUE;
  while (g_atomic_int_get (&self->n_guests) > 0 && g_get_monotonic_time () < end_us)
    {
      serve_request (self);
      g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
    }
  g_mutex_unlock (&self->mutex);
  return g_atomic_int_get (&self->n_guests) == 0;
}

/* --- visits of the main thread ------------------------------------------------------------- */

/* By another thread, with the lock held. */
static gboolean
is_in_use (const GobanLuaHost *self)
{
  return !self->is_outside && (self->guest != NULL || (self->is_threaded && !self->is_ended));
}

gboolean
goban_lua_visit (GobanLuaHost *self)
{
  gint64 end_us = g_get_monotonic_time () + VISIT_WAIT_US;
  gboolean is_free = TRUE;

  if (goban_lua_is_in_thread (self))
    return TRUE;

  g_atomic_int_set (&self->is_visit_wanted, 1);
  g_mutex_lock (&self->mutex);
  while (is_free && is_in_use (self))
    {
      serve_request (self); /* the chunk gets no further without it */
      is_free = !is_in_use (self) || g_cond_wait_until (&self->cond, &self->mutex, end_us);
    }
  self->has_visitor = is_free;
  g_mutex_unlock (&self->mutex);
  g_atomic_int_set (&self->is_visit_wanted, 0);
  return is_free;
}

void
goban_lua_end_visit (GobanLuaHost *self)
{
  if (goban_lua_is_in_thread (self))
    return;
  g_mutex_lock (&self->mutex);
  self->has_visitor = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

void
goban_lua_admit_visit (GobanLuaHost *self)
{
  gint64 end_us = g_get_monotonic_time () + VISIT_WAIT_US;

  if (!g_atomic_int_get (&self->is_visit_wanted))
    return;
  g_mutex_lock (&self->mutex);
  self->is_outside = TRUE;
  g_cond_broadcast (&self->cond);
  while (g_atomic_int_get (&self->is_visit_wanted)
         && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;
  while (self->has_visitor)
    g_cond_wait (&self->cond, &self->mutex);
  self->is_outside = FALSE;
  g_mutex_unlock (&self->mutex);
}

/* --- output -------------------------------------------------------------------------------- */

static gboolean
print_cb (gpointer user_data)
{
  GobanLuaHost *self = user_data;
  g_autofree char *text = NULL;
  gboolean is_more;
  gsize n;

  g_mutex_lock (&self->mutex);
  n = MIN (self->printed->len, PRINTED_BYTES);
  text = g_strndup (self->printed->str, n);
  g_string_erase (self->printed, 0, n);
  is_more = self->printed->len > 0;
  if (!is_more)
    self->print_source = 0;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);

  if (n > 0)
    goban_lua_print (self, text, n);
  return is_more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void
goban_lua_write (GobanLuaHost *self, const char *text, gsize n)
{
  if (!goban_lua_is_in_thread (self))
    {
      goban_lua_print (self, text, n);
      return;
    }

  g_mutex_lock (&self->mutex);
  g_string_append_len (self->printed, text, n);
  if (self->print_source == 0)
    self->print_source = add_source (print_cb, self);
  while (self->printed->len > PRINTED_BYTES && !g_atomic_int_get (&self->is_interrupted))
    g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
  if (g_atomic_int_get (&self->is_interrupted))
    g_string_truncate (self->printed, MIN (self->printed->len, PRINTED_BYTES));
  g_mutex_unlock (&self->mutex);
}

/* --- construction and disposal ------------------------------------------------------------- */

static gpointer
chunk_thread (gpointer user_data)
{
  GobanLuaHost *self = user_data;

  g_private_set (&current_host, self);
  self->chunk_main (self);
  g_mutex_lock (&self->mutex);
  self->is_ended = TRUE;
  self->end_source = add_source (self->chunk_ended, self);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

void
goban_lua_start_thread (GobanLuaHost *self)
{
  self->is_threaded = TRUE;
  self->is_ended = FALSE;
  self->is_outside = FALSE;
  self->chunk_thread = g_thread_new ("lua", chunk_thread, self);
}

void
goban_lua_end_threads (GobanLuaHost *self)
{
  g_clear_pointer (&self->chunk_thread, g_thread_join);
  g_clear_handle_id (&self->end_source, g_source_remove);
  g_clear_handle_id (&self->request_source, g_source_remove);
  g_clear_handle_id (&self->print_source, g_source_remove);
  while (self->printed->len > 0)
    print_cb (self);
  self->is_threaded = FALSE;
}

gboolean
goban_lua_wait_for_thread (GobanLuaHost *self)
{
  gint64 end_us = g_get_monotonic_time () + END_WAIT_US;
  gboolean is_ended;

  g_mutex_lock (&self->mutex);
  while (!self->is_ended && g_get_monotonic_time () < end_us)
    {
      serve_request (self);
      g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
    }
  is_ended = self->is_ended;
  g_mutex_unlock (&self->mutex);
  return is_ended;
}
