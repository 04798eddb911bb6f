#include "engine/session/job.h"

#include "engine/base/error.h"

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
  guint n_updates = 0;

  g_signal_connect (job, "notify::fraction", G_CALLBACK (counter_cb), &n_updates);
  goban_job_wait (job);
  g_assert_true (goban_job_is_done (job));
  result = goban_job_steal_result (job, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result, ==, "done");

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/job/delivers-its-result", test_delivers_its_result);
  g_test_add_func ("/session/job/stops-when-cancelled", test_stops_when_cancelled);
  g_test_add_func ("/session/job/keeps-itself-alive", test_keeps_itself_alive);
  return g_test_run ();
}
