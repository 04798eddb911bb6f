#include "engine/core/jobs/coalescing-worker.h"
#include "tests/support/test-program.h"

/* Doubles numbers; a worker waits for its turn, so that tests say what happens meanwhile. */
typedef struct
{
  GMutex mutex;
  GCond changed;
  guint n_started;
  gboolean is_held;
} Gate;

static Gate gate;

typedef struct
{
  GArray *taken; /* int */
  GobanCoalescingWorker *latest;
  int asks_again; /* asks for that when it takes something; 0: nothing */
} Taker;

static gpointer
double_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  g_mutex_lock (&gate.mutex);
  gate.n_started++;
  g_cond_broadcast (&gate.changed);
  while (gate.is_held)
    g_cond_wait (&gate.changed, &gate.mutex);
  g_mutex_unlock (&gate.mutex);
  return g_memdup2 (&(int){ 2 * *(int *) data }, sizeof (int));
}

static void
take (gpointer answer, gpointer user_data)
{
  Taker *taker = user_data;
  int again = taker->asks_again;

  g_array_append_val (taker->taken, *(int *) answer);
  g_free (answer);
  taker->asks_again = 0;
  if (again != 0)
    goban_coalescing_worker_ask (taker->latest, g_memdup2 (&again, sizeof again));
}

static const GobanCoalescingWorkerKind doubling
    = { "doubling", double_worker, g_free, g_free, take };

static void
begin (Taker *taker, gboolean is_held)
{
  gate.n_started = 0;
  gate.is_held = is_held;
  taker->taken = g_array_new (FALSE, FALSE, sizeof (int));
  taker->latest = goban_coalescing_worker_new (&doubling, taker);
  taker->asks_again = 0;
}

static void
ask (Taker *taker, int number)
{
  goban_coalescing_worker_ask (taker->latest, g_memdup2 (&number, sizeof number));
}

static void
wait_until_started (guint n)
{
  g_mutex_lock (&gate.mutex);
  while (gate.n_started < n)
    g_cond_wait (&gate.changed, &gate.mutex);
  g_mutex_unlock (&gate.mutex);
}

static void
open_gate (void)
{
  g_mutex_lock (&gate.mutex);
  gate.is_held = FALSE;
  g_cond_broadcast (&gate.changed);
  g_mutex_unlock (&gate.mutex);
}

static void
settle (Taker *taker)
{
  while (goban_coalescing_worker_is_busy (taker->latest))
    g_main_context_iteration (NULL, TRUE);
}

static int
taken (Taker *taker, guint i)
{
  return g_array_index (taker->taken, int, i);
}

static void
end (Taker *taker)
{
  g_clear_pointer (&taker->latest, goban_coalescing_worker_free);
  g_array_unref (taker->taken);
}

/* What runs is delivered; of what waits only the newest is worked on. */
static void
test_newest_of_what_waits (void)
{
  Taker taker;

  begin (&taker, TRUE);
  g_assert_false (goban_coalescing_worker_is_busy (taker.latest));
  ask (&taker, 1);
  wait_until_started (1);
  ask (&taker, 2);
  ask (&taker, 3);
  open_gate ();
  settle (&taker);
  g_assert_cmpuint (taker.taken->len, ==, 2);
  g_assert_cmpint (taken (&taker, 0), ==, 2);
  g_assert_cmpint (taken (&taker, 1), ==, 6);
  g_assert_cmpuint (gate.n_started, ==, 2);
  end (&taker);
}

static void
test_asks_again_when_it_takes (void)
{
  Taker taker;

  begin (&taker, FALSE);
  taker.asks_again = 5;
  ask (&taker, 1);
  settle (&taker);
  g_assert_cmpuint (taker.taken->len, ==, 2);
  g_assert_cmpint (taken (&taker, 1), ==, 10);
  end (&taker);
}

static void
test_at_once (void)
{
  Taker taker;

  begin (&taker, FALSE);
  goban_coalescing_worker_ask_now (taker.latest, g_memdup2 (&(int){ 4 }, sizeof (int)));
  g_assert_cmpuint (taker.taken->len, ==, 1);
  g_assert_cmpint (taken (&taker, 0), ==, 8);
  g_assert_false (goban_coalescing_worker_is_busy (taker.latest));
  end (&taker);
}

static gboolean
is_idle_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Nothing is heard of what was forgotten, however far it is. */
static void
test_forgets (void)
{
  Taker taker;
  gboolean is_idle = FALSE;

  begin (&taker, TRUE);
  ask (&taker, 1);
  wait_until_started (1);
  ask (&taker, 2);
  goban_coalescing_worker_forget (taker.latest);
  g_assert_false (goban_coalescing_worker_is_busy (taker.latest));
  ask (&taker, 3);
  open_gate ();
  settle (&taker);
  g_assert_cmpuint (taker.taken->len, ==, 1);
  g_assert_cmpint (taken (&taker, 0), ==, 6);

  gate.is_held = TRUE;
  ask (&taker, 7);
  wait_until_started (3);
  end (&taker);
  open_gate ();
  g_idle_add_full (G_PRIORITY_LOW, is_idle_cb, &is_idle, NULL);
  while (!is_idle)
    g_main_context_iteration (NULL, TRUE);
}

static void
free_signal (gpointer data)
{
  g_mutex_lock (&gate.mutex);
  *(gboolean *) data = TRUE;
  g_cond_broadcast (&gate.changed);
  g_mutex_unlock (&gate.mutex);
}

static void
test_frees_aside (void)
{
  gboolean is_free = FALSE;

  goban_free_aside (NULL, free_signal);
  goban_free_aside (&is_free, free_signal);
  g_mutex_lock (&gate.mutex);
  while (!is_free)
    g_cond_wait (&gate.changed, &gate.mutex);
  g_mutex_unlock (&gate.mutex);
}

TEST_PROGRAM (coalescing_worker)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jobs/coalescing-worker/newest-of-what-waits", test_newest_of_what_waits);
  g_test_add_func ("/jobs/coalescing-worker/asks-again-when-it-takes",
                   test_asks_again_when_it_takes);
  g_test_add_func ("/jobs/coalescing-worker/at-once", test_at_once);
  g_test_add_func ("/jobs/coalescing-worker/forgets", test_forgets);
  g_test_add_func ("/jobs/coalescing-worker/frees-aside", test_frees_aside);
  return g_test_run ();
}
