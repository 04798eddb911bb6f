#include "engine/study/run/training-log.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  MEAN,
  ENTROPY,
  TRIAL,
  N_SERIES
};

static const GobanTrainingSeries series[N_SERIES] = {
  [MEAN] = { "mean", "Mean", GOBAN_SERIES_RATIO, FALSE },
  [ENTROPY] = { "entropy", "Entropy", GOBAN_SERIES_ENTROPY, FALSE },
  [TRIAL] = { "trial", "Trial", GOBAN_SERIES_RATIO, TRUE },
};

static void
add (GobanTrainingLog *log, guint step, guint subject, double value)
{
  gboolean is_trial = subject > 0;
  GobanTrainingPoint point = goban_training_point_new (step, subject, is_trial);

  point.values[is_trial ? TRIAL : MEAN] = value;
  goban_training_log_add (log, &point);
}

/* A lesson called a"b, and two trials. */
static GobanTrainingLog *
new_log (void)
{
  static const char *const names[] = { "a\"b", "c", "d", NULL };
  GobanTrainingLog *log = goban_training_log_new ();

  goban_training_log_begin (log, series, N_SERIES, names);
  return log;
}

static void
test_before_begin (void)
{
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autofree char *csv = goban_training_log_to_csv (log);
  GobanTrainingPoint point;
  guint n;

  goban_training_log_get_series (log, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (goban_training_log_get_n_points (log), ==, 0);
  g_assert_cmpuint (goban_training_log_read (log, 0, &point, 1), ==, 0);
  g_assert_cmpstr (goban_training_log_get_name (log, 0), ==, "");
  g_assert_true (isnan (goban_training_log_get_trial_mean (log, 0, TRUE)));
  g_assert_cmpstr (csv, ==, "kind,step,graph\n");
  g_assert_cmpuint (goban_training_log_get_last_step (log), ==, 0);
}

static void
test_read (void)
{
  g_autoptr (GobanTrainingLog) log = new_log ();
  GobanTrainingPoint points[4];

  add (log, 0, 1, 2);
  add (log, 1, 0, 0.5);
  add (log, 2, 0, 0.25);
  g_assert_cmpuint (goban_training_log_read (log, 1, points, 4), ==, 2);
  g_assert_cmpuint (points[0].step, ==, 1);
  g_assert_false (points[0].is_trial);
  g_assert_cmpfloat (points[1].values[MEAN], ==, 0.25);
  g_assert_true (isnan (points[1].values[ENTROPY]));
  g_assert_cmpuint (goban_training_log_read (log, 1, points, 1), ==, 1);
  g_assert_cmpuint (goban_training_log_read (log, 3, points, 4), ==, 0);
  g_assert_cmpuint (goban_training_log_get_last_step (log), ==, 2);
  g_assert_cmpstr (goban_training_log_get_name (log, points[0].subject), ==, "a\"b");
}

/* Means are geometric, and skip what was not measured or is not a ratio. */
static void
test_means (void)
{
  g_autoptr (GobanTrainingLog) log = new_log ();

  add (log, 0, 1, 4);
  add (log, 0, 2, 1);
  add (log, 1, 0, 8);
  add (log, 2, 0, NAN);
  add (log, 3, 0, 2);
  add (log, 3, 1, 0.5);
  add (log, 3, 2, INFINITY);
  g_assert_cmpfloat_with_epsilon (goban_training_log_get_trial_mean (log, TRIAL, FALSE), 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (goban_training_log_get_trial_mean (log, TRIAL, TRUE), 0.5, 1e-12);
}

static void
test_csv (void)
{
  g_autoptr (GobanTrainingLog) log = new_log ();
  g_autofree char *csv = NULL;

  add (log, 0, 1, 2);
  add (log, 1, 0, 0.5);
  csv = goban_training_log_to_csv (log);
  g_assert_cmpstr (csv, ==,
                   "kind,step,graph,mean,entropy,trial\n"
                   "trial,0,\"c\",,,2\n"
                   "update,1,\"a\"\"b\",0.5,,\n");
}

#define N_POINTS 20000

static gpointer
write_points (gpointer data)
{
  for (guint i = 1; i <= N_POINTS; i++)
    add (data, i, 0, i);
  return NULL;
}

/* A reader sees whole points, in order, while another thread writes. */
static void
test_threads (void)
{
  g_autoptr (GobanTrainingLog) log = new_log ();
  GThread *writer = g_thread_new ("writer", write_points, log);
  GobanTrainingPoint points[64];
  guint n = 0;

  while (n < N_POINTS)
    {
      guint n_new = goban_training_log_read (log, n, points, G_N_ELEMENTS (points));

      for (guint i = 0; i < n_new; i++)
        {
          g_assert_cmpuint (points[i].step, ==, ++n);
          g_assert_cmpfloat (points[i].values[MEAN], ==, n);
        }
    }
  g_thread_join (writer);
  g_assert_cmpuint (goban_training_log_get_n_points (log), ==, N_POINTS);
}

static void
test_warning (void)
{
  g_autoptr (GobanTrainingLog) log = new_log ();

  g_assert_null (goban_training_log_get_warning (log));
  goban_training_log_set_warning (log, "every sample is on one device");
  g_assert_cmpstr (goban_training_log_get_warning (log), ==, "every sample is on one device");
}

TEST_PROGRAM (training_log)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training/log/before-begin", test_before_begin);
  g_test_add_func ("/training/log/read", test_read);
  g_test_add_func ("/training/log/means", test_means);
  g_test_add_func ("/training/log/csv", test_csv);
  g_test_add_func ("/training/log/threads", test_threads);
  g_test_add_func ("/training/log/warning", test_warning);
  return g_test_run ();
}
