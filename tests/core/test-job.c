#include "engine/core/jobs/job.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <math.h>

static gpointer
count_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  for (guint i = 0; i <= 1000; i++)
    goban_progress_step (progress, i / 1000.0, "counting");
  return g_strdup (data);
}

static void
counter_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_delivers_its_result (void)
{
  g_autoptr (GobanJob) job
      = goban_job_start ("counting", count_worker, g_strdup ("done"), g_free, g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  static guint n_updates; /* a later main loop may still count */

  n_updates = 0;
  g_signal_connect (job, "notify::fraction", G_CALLBACK (counter_cb), &n_updates);
  goban_job_wait (job);
  g_assert_true (goban_job_is_done (job));
  result = goban_job_steal_result (job, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result, ==, "done");
  g_assert_cmpfloat (goban_job_get_fraction (job), ==, 1); /* at once */

  /* The mailbox keeps the latest of a thousand posts; it is emptied by the clock. */
  while (g_main_context_pending (NULL) || n_updates == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_updates, <, 500);
  g_assert_cmpfloat (goban_job_get_fraction (job), ==, 1);
  g_assert_cmpstr (goban_job_get_what (job), ==, "counting");

  g_assert_null (goban_job_steal_result (job, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

static gpointer
endless_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  while (goban_progress_check (progress, error))
    g_usleep (500);
  return NULL;
}

static void
test_stops_when_cancelled (void)
{
  g_autoptr (GobanJob) job = goban_job_start ("waiting", endless_worker, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;

  goban_job_cancel (job);
  goban_job_wait (job);
  g_assert_null (goban_job_steal_result (job, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* Counts how often it asked, until it is cancelled. */
static gpointer
asking_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  for (guint i = 0; goban_progress_check (progress, NULL); i++) /* being cancelled is its end */
    {
      g_atomic_int_inc ((gint *) data);
      goban_progress_step (progress, 0.1 + 0.4 * (1 - 1.0 / (i + 1)), "asking");
      g_usleep (200);
    }
  return g_strdup ("saved");
}

static void
test_is_held_and_let_go (void)
{
  gint n_asked = 0;
  g_autoptr (GobanJob) job = goban_job_start ("asking", asking_worker, &n_asked, NULL, g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  static guint n_updates; /* a later main loop may still count */
  gint n;

  n_updates = 0;
  g_signal_connect (job, "notify::paused", G_CALLBACK (counter_cb), &n_updates);
  g_assert_true (isnan (goban_job_get_seconds_left (job)) || goban_job_get_seconds_left (job) >= 0);
  while (g_atomic_int_get (&n_asked) < 3)
    g_usleep (100);
  goban_job_set_paused (job, TRUE);
  goban_job_set_paused (job, TRUE);
  g_assert_true (goban_job_is_paused (job));
  n = g_atomic_int_get (&n_asked);
  g_usleep (20000);
  /* It may have had its answer, and not yet counted it. */
  g_assert_cmpint (g_atomic_int_get (&n_asked), <=, n + 1);
  g_assert_true (isnan (goban_job_get_seconds_left (job))); /* a second tells */

  goban_job_set_paused (job, FALSE);
  while (isnan (goban_job_get_seconds_left (job)))
    g_usleep (1000);
  g_assert_cmpfloat (goban_job_get_seconds_left (job), >, 0);
  n = g_atomic_int_get (&n_asked);
  while (g_atomic_int_get (&n_asked) < n + 3)
    g_usleep (100);
  g_assert_cmpuint (n_updates, ==, 2);

  /* Who is held hears of the end, and may still say what there is. */
  goban_job_set_paused (job, TRUE);
  goban_job_cancel (job);
  goban_job_wait (job);
  g_assert_false (goban_job_is_paused (job));
  g_assert_cmpfloat (goban_job_get_seconds_left (job), ==, 0);
  result = goban_job_steal_result (job, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result, ==, "saved");
}

/* Without the main loop, as at the end of a program. */
static void
test_joins (void)
{
  gint n_asked = 0;
  GobanJob *job = goban_job_start ("asking", asking_worker, &n_asked, NULL, g_free);
  gint n;

  goban_job_set_paused (job, TRUE);
  goban_job_stop_and_join (job);
  n = g_atomic_int_get (&n_asked);
  g_usleep (2000);
  g_assert_cmpint (g_atomic_int_get (&n_asked), ==, n);
  goban_job_wait (job);
  g_object_unref (job);
}

static void
test_keeps_itself_alive (void)
{
  GobanJob *job = goban_job_start ("counting", count_worker, g_strdup ("x"), g_free, g_free);

  /* Nobody holds it but its worker: it goes when the work is done. */
  g_object_add_weak_pointer (G_OBJECT (job), (gpointer *) &job);
  g_object_unref (job);
  while (job != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static gpointer
nothing_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return NULL;
}

static void
gone_cb (gpointer thread, GObject *job)
{
  *(GThread **) thread = g_thread_self ();
}

/* Whoever listens to a job is of the main thread, so its last reference goes there. */
static void
test_freed_by_main (void)
{
  for (guint i = 0; i < 3000; i++)
    {
      GobanJob *job = goban_job_start ("Nothing", nothing_worker, NULL, NULL, NULL);
      GThread *thread = NULL;

      g_object_weak_ref (G_OBJECT (job), gone_cb, &thread);
      while (!goban_job_is_done (job))
        g_main_context_iteration (NULL, TRUE);
      g_object_unref (job);
      while (thread == NULL)
        g_thread_yield ();
      g_assert_true (thread == g_thread_self ());
    }
}

TEST_PROGRAM (job)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jobs/job/delivers-its-result", test_delivers_its_result);
  g_test_add_func ("/jobs/job/stops-when-cancelled", test_stops_when_cancelled);
  g_test_add_func ("/jobs/job/is-held-and-let-go", test_is_held_and_let_go);
  g_test_add_func ("/jobs/job/joins", test_joins);
  g_test_add_func ("/jobs/job/keeps-itself-alive", test_keeps_itself_alive);
  g_test_add_func ("/jobs/job/freed-by-main", test_freed_by_main);
  return g_test_run ();
}
