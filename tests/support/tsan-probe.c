/* tsan-probe.c: two threads hand a number over in one of GLib's ways: tsan-probe WAY [race].
 *
 * With "race" a second number is written by both without any order, which the thread sanitizer has
 * to report. */
#include <gio/gio.h>

#include <stdlib.h>

static GMutex lock;
static int ordered;
static int disordered;
static gboolean races;
static GMainLoop *loop;

static void
count (int *number)
{
  for (int i = 0; i < 1000; i++)
    ++*number;
}

static gpointer
count_locked (gpointer data)
{
  if (races)
    count (&disordered);
  g_mutex_lock (&lock);
  count (&ordered);
  g_mutex_unlock (&lock);
  return NULL;
}

static void
by_mutex (void)
{
  GThread *threads[2];

  for (int i = 0; i < 2; i++)
    threads[i] = g_thread_new ("count", count_locked, NULL);
  for (int i = 0; i < 2; i++)
    g_thread_join (threads[i]);
}

static gpointer
count_first (gpointer data)
{
  static gsize is_done = 0;

  if (races)
    count (&disordered);
  if (g_once_init_enter (&is_done))
    {
      count (&ordered);
      g_once_init_leave (&is_done, 1);
    }
  return GINT_TO_POINTER (ordered);
}

static void
by_once (void)
{
  GThread *threads[2];

  for (int i = 0; i < 2; i++)
    threads[i] = g_thread_new ("first", count_first, NULL);
  for (int i = 0; i < 2; i++)
    g_thread_join (threads[i]);
}

static void
count_item (gpointer item, gpointer data)
{
  count (item);
  if (races)
    count (&disordered);
  g_mutex_lock (&lock);
  ordered = 1;
  g_mutex_unlock (&lock);
}

static void
by_pool (void)
{
  GThreadPool *pool = g_thread_pool_new (count_item, NULL, 1, FALSE, NULL);
  int *item = g_new0 (int, 1);
  gboolean is_done = FALSE;

  count (item);
  g_thread_pool_push (pool, item, NULL);
  if (races)
    count (&disordered);
  while (!is_done)
    {
      g_mutex_lock (&lock);
      is_done = ordered == 1;
      g_mutex_unlock (&lock);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
}

static void
count_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  count (&ordered);
  if (races)
    count (&disordered);
  g_task_return_boolean (task, TRUE);
}

static void
end_task (GObject *source, GAsyncResult *result, gpointer data)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
  count (&ordered);
  g_main_loop_quit (loop);
}

static void
by_task (void)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, end_task, NULL);

  loop = g_main_loop_new (NULL, FALSE);
  count (&ordered);
  g_task_run_in_thread (task, count_task);
  if (races)
    count (&disordered);
  g_main_loop_run (loop);
}

static gboolean
end_idle (gpointer number)
{
  count (number);
  if (races)
    count (&disordered);
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static gpointer
add_idle (gpointer data)
{
  count (&ordered);
  g_idle_add (end_idle, &ordered);
  if (races)
    count (&disordered);
  return NULL;
}

static void
by_idle (void)
{
  GThread *thread;

  loop = g_main_loop_new (NULL, FALSE);
  thread = g_thread_new ("idle", add_idle, NULL);
  g_main_loop_run (loop);
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";

  races = argc > 2;
  if (g_str_equal (way, "mutex"))
    by_mutex ();
  else if (g_str_equal (way, "once"))
    by_once ();
  else if (g_str_equal (way, "pool"))
    by_pool ();
  else if (g_str_equal (way, "task"))
    by_task ();
  else if (g_str_equal (way, "idle"))
    by_idle ();
  else
    return EXIT_FAILURE;
  return EXIT_SUCCESS;
}
