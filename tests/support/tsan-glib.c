/* tsan-glib.c: tells the thread sanitizer how GLib, which is not instrumented, orders memory
 * between threads.
 *
 * Loaded before GLib by scripts/dev/tsan.sh. What is done before an unlock, a push or a return is
 * seen after the lock, the call or the propagation that answers it. */
#include <dlfcn.h>
#include <gio/gio.h>

/* Programs that a test starts, such as Python, have them not: there is nobody to tell then. */
void __tsan_acquire (void *address) __attribute__ ((weak));
void __tsan_release (void *address) __attribute__ ((weak));

static void
acquire (void *address)
{
  if (__tsan_acquire != NULL)
    __tsan_acquire (address);
}

static void
release (void *address)
{
  if (__tsan_release != NULL)
    __tsan_release (address);
}

/* GLib's macros of these names look at the place themselves before they call. */
#undef g_once_init_enter
#undef g_once_init_leave

/* The function that GLib itself has of this name. */
#define GLIBS(function) ((__typeof__ (&(function))) dlsym (RTLD_NEXT, #function))

/* --- locks ------------------------------------------------------------------------------------ */

void
g_mutex_lock (GMutex *mutex)
{
  GLIBS (g_mutex_lock) (mutex);
  acquire (mutex);
}

void
g_mutex_unlock (GMutex *mutex)
{
  release (mutex);
  GLIBS (g_mutex_unlock) (mutex);
}

gboolean
g_once_init_enter (volatile void *location)
{
  gboolean is_first = GLIBS (g_once_init_enter) (location);

  acquire ((void *) location);
  return is_first;
}

void
g_once_init_leave (volatile void *location, gsize result)
{
  release ((void *) location);
  GLIBS (g_once_init_leave) (location, result);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  release (mutex);
  GLIBS (g_cond_wait) (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean is_signalled;

  release (mutex);
  is_signalled = GLIBS (g_cond_wait_until) (cond, mutex, end_time);
  acquire (mutex);
  return is_signalled;
}

/* --- queues ----------------------------------------------------------------------------------- */

/* GLib's own calls of its locks are not seen here. */
void
g_async_queue_push (GAsyncQueue *queue, void *item)
{
  release (item);
  GLIBS (g_async_queue_push) (queue, item);
}

void *
g_async_queue_try_pop (GAsyncQueue *queue)
{
  void *item = GLIBS (g_async_queue_try_pop) (queue);

  if (item != NULL)
    acquire (item);
  return item;
}

/* --- functions that another thread calls ------------------------------------------------------ */

typedef struct
{
  GFunc run;
  gpointer user_data;
} Work;

static void
run_work (gpointer item, gpointer data)
{
  Work *work = data;

  acquire (item);
  work->run (item, work->user_data);
}

/* A pool lives as long as the program, and so does what is allocated here. */
GThreadPool *
g_thread_pool_new (GFunc func, gpointer user_data, gint max_threads, gboolean exclusive,
                   GError **error)
{
  Work *work = g_new (Work, 1);

  *work = (Work){ func, user_data };
  return GLIBS (g_thread_pool_new) (run_work, work, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer item, GError **error)
{
  release (item);
  return GLIBS (g_thread_pool_push) (pool, item, error);
}

typedef struct
{
  GSourceFunc call;
  gpointer user_data;
  GDestroyNotify notify;
} Call;

static gboolean
run_call (gpointer data)
{
  Call *call = data;

  acquire (call);
  return call->call (call->user_data);
}

static void
free_call (gpointer data)
{
  Call *call = data;

  if (call->notify != NULL)
    call->notify (call->user_data);
  g_free (call);
}

guint
g_idle_add_full (gint priority, GSourceFunc function, gpointer user_data, GDestroyNotify notify)
{
  Call *call = g_new (Call, 1);

  *call = (Call){ function, user_data, notify };
  release (call);
  return GLIBS (g_idle_add_full) (priority, run_call, call, free_call);
}

guint
g_idle_add (GSourceFunc function, gpointer user_data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, function, user_data, NULL);
}

/* --- tasks ------------------------------------------------------------------------------------ */

static GQuark
function_quark (void)
{
  return g_quark_from_static_string ("tsan-glib-function");
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc *function;

  acquire (task);
  function = g_object_get_qdata (G_OBJECT (task), function_quark ());
  (*function) (task, source, data, cancellable);
  release (task);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc function)
{
  GTaskThreadFunc *kept = g_new (GTaskThreadFunc, 1);

  *kept = function;
  g_object_set_qdata_full (G_OBJECT (task), function_quark (), kept, g_free);
  release (task);
  GLIBS (g_task_run_in_thread) (task, run_task);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  acquire (task);
  return GLIBS (g_task_propagate_pointer) (task, error);
}

gboolean
g_task_propagate_boolean (GTask *task, GError **error)
{
  acquire (task);
  return GLIBS (g_task_propagate_boolean) (task, error);
}
