#include "engine/core/parallel.h"

/* Loops that may be shared at once; a caller that finds all taken runs its own alone. */
#define N_LOOPS 8

/* Maximum number of threads, whatever is requested. */
#define MAX_THREADS 256

/* Number of times that a thread polls for work, or for the end of a loop, before it sleeps: 20 to
 * 50 us. Waking a sleeper costs as much, and a network's layers follow each other faster than
 * that. */
#define N_LOOKS 1000

/* A shared loop. A thread increments n_inside before it takes parts, so the loop is done exactly
 * when no part is left and n_inside is 0. A thread may read func and data after it has taken a
 * part: they do not change until all parts are done. */
typedef struct
{
  int is_taken; /* atomic: some caller's, from before the first part to after the last */
  int n_left;   /* atomic: parts not yet taken, negative after late attempts; setting it opens */
  int n_inside; /* atomic: helpers */

  guint n_parts;
  GobanPartFunc func;
  gpointer data;

  char padding[64]; /* two callers do not share a line of the cache */
} Loop;

/* The process's own: threads are made when the first loop needs them, and sleep until it ends. */
static struct
{
  Loop loops[N_LOOPS];
  int max_threads; /* atomic: 0 until first used */
  int n_helpers;   /* atomic: made so far; grows under lock */

  GMutex lock;
  GCond wake;    /* some loop was opened, or the limit has moved */
  GCond limit;   /* the limit has moved */
  GCond done;    /* some loop has no thread inside */
  int n_asleep;  /* atomic: helpers that wait for wake; grows under lock, before the last look */
  int n_waiting; /* atomic: callers that wait for done, likewise */
} pool;

/* TRUE in helpers, and in callers while they work. */
static _Thread_local gboolean is_inside;

static inline void
rest (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#endif
}

static void
work_off (Loop *loop)
{
  int left;

  while (g_atomic_int_get (&loop->n_left) > 0 && (left = g_atomic_int_add (&loop->n_left, -1)) > 0)
    loop->func (loop->n_parts - (guint) left, loop->data);
}

/* --- helpers ------------------------------------------------------------------------------ */

static int
bound_threads (guint n_threads)
{
  return (int) MIN (n_threads > 0 ? n_threads : g_get_num_processors (), MAX_THREADS);
}

/* Asking for the number of processors is a call of the system, which is made once. */
static int
get_max_threads (void)
{
  if (g_atomic_int_get (&pool.max_threads) == 0)
    g_atomic_int_compare_and_exchange (&pool.max_threads, 0, bound_threads (0));
  return g_atomic_int_get (&pool.max_threads);
}

static gboolean
is_allowed (int helper)
{
  return helper + 1 < get_max_threads ();
}

/* A loop with parts left for this helper, or NULL. */
static Loop *
find_loop (int helper)
{
  if (!is_allowed (helper))
    return NULL;
  for (guint i = 0; i < N_LOOPS; i++)
    if (g_atomic_int_get (&pool.loops[i].n_left) > 0)
      return &pool.loops[i];
  return NULL;
}

/* Helpers beyond the limit sleep elsewhere, so that they are not woken in place of others. */
static Loop *
sleep_until_loop (int helper)
{
  Loop *loop;

  g_mutex_lock (&pool.lock);
  g_atomic_int_inc (&pool.n_asleep);
  while ((loop = find_loop (helper)) == NULL)
    if (is_allowed (helper))
      g_cond_wait (&pool.wake, &pool.lock);
    else
      {
        g_atomic_int_add (&pool.n_asleep, -1);
        g_cond_wait (&pool.limit, &pool.lock);
        g_atomic_int_inc (&pool.n_asleep);
      }
  g_atomic_int_add (&pool.n_asleep, -1);
  g_mutex_unlock (&pool.lock);
  return loop;
}

static Loop *
wait_for_loop (int helper)
{
  Loop *loop;

  for (guint i = 0; i < N_LOOKS; i++)
    {
      if ((loop = find_loop (helper)) != NULL)
        return loop;
      rest ();
    }
  return sleep_until_loop (helper);
}

static gpointer
help_worker (gpointer data)
{
  int helper = GPOINTER_TO_INT (data);

  is_inside = TRUE;
  for (;;)
    {
      Loop *loop = wait_for_loop (helper);

      g_atomic_int_inc (&loop->n_inside);
      work_off (loop);
      if (g_atomic_int_dec_and_test (&loop->n_inside) && g_atomic_int_get (&pool.n_waiting) > 0)
        {
          g_mutex_lock (&pool.lock);
          g_cond_broadcast (&pool.done);
          g_mutex_unlock (&pool.lock);
        }
    }
  return NULL;
}

/* --- callers ------------------------------------------------------------------------------ */

static Loop *
take_loop (void)
{
  for (guint i = 0; i < N_LOOPS; i++)
    if (g_atomic_int_compare_and_exchange (&pool.loops[i].is_taken, 0, 1))
      return &pool.loops[i];
  return NULL;
}

static void
open_loop (Loop *loop, guint n_parts, GobanPartFunc func, gpointer data)
{
  loop->n_parts = n_parts;
  loop->func = func;
  loop->data = data;
  g_atomic_int_set (&loop->n_left, (int) n_parts);

  if (g_atomic_int_get (&pool.n_asleep) == 0)
    return;
  g_mutex_lock (&pool.lock);
  for (int i = MIN (g_atomic_int_get (&pool.n_asleep), (int) n_parts - 1); i > 0; i--)
    g_cond_signal (&pool.wake);
  g_mutex_unlock (&pool.lock);
}

static void
wait_for_helpers (Loop *loop)
{
  for (guint i = 0; i < N_LOOKS; i++)
    {
      if (g_atomic_int_get (&loop->n_inside) == 0)
        return;
      rest ();
    }
  g_mutex_lock (&pool.lock);
  g_atomic_int_inc (&pool.n_waiting);
  while (g_atomic_int_get (&loop->n_inside) > 0)
    g_cond_wait (&pool.done, &pool.lock);
  g_atomic_int_add (&pool.n_waiting, -1);
  g_mutex_unlock (&pool.lock);
}

void
goban_parallel_for (guint n_parts, GobanPartFunc func, gpointer data)
{
  int n_threads;
  Loop *loop;

  g_assert (n_parts <= G_MAXINT);
  if (n_parts < 2 || is_inside || (n_threads = get_max_threads ()) < 2
      || (loop = take_loop ()) == NULL)
    {
      for (guint part = 0; part < n_parts; part++)
        func (part, data);
      return;
    }

  if (g_atomic_int_get (&pool.n_helpers) < n_threads - 1)
    {
      /* If the system refuses a thread, loops use fewer; that is not an error. */
      int n_wanted = n_threads - 1;
      int helper;

      g_mutex_lock (&pool.lock);
      while ((helper = g_atomic_int_get (&pool.n_helpers)) < n_wanted)
        {
          GThread *thread
              = g_thread_try_new ("parallel", help_worker, GINT_TO_POINTER (helper), NULL);

          if (thread == NULL)
            break;
          g_thread_unref (thread);
          g_atomic_int_inc (&pool.n_helpers);
        }
      g_mutex_unlock (&pool.lock);
    }
  is_inside = TRUE;
  open_loop (loop, n_parts, func, data);
  work_off (loop);
  wait_for_helpers (loop);
  is_inside = FALSE;
  g_atomic_int_set (&loop->is_taken, 0);
}

guint
goban_parallel_get_max_threads (void)
{
  return (guint) get_max_threads ();
}

void
goban_parallel_set_max_threads (guint n_threads)
{
  g_mutex_lock (&pool.lock);
  g_atomic_int_set (&pool.max_threads, bound_threads (n_threads));
  g_cond_broadcast (&pool.wake);
  g_cond_broadcast (&pool.limit);
  g_mutex_unlock (&pool.lock);
}
