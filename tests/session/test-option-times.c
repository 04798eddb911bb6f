/* Makespans of options: questions, reviews, and both at the same time. */
#include "engine/session/option-times.h"

#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define N_NODES 12
/* Far more than a review of the small graph takes. */
#define PATIENCE_US (60 * G_USEC_PER_SEC)

typedef struct
{
  GobanSession *session;
  GobanRun *run;
  GobanOptionTimes *times; /* the session's */
  guint n_progress;
} Fixture;

static void
progress_cb (Fixture *f)
{
  f->n_progress++;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (N_NODES, 5, "p100x4");
  g_autoptr (GError) error = NULL;

  f->session = goban_session_new ();
  goban_session_set_graph (f->session, goban_cost_model_get_graph (costs), NULL);
  f->run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, &error);
  g_assert_no_error (error);
  goban_session_add_run (f->session, f->run);
  f->times = goban_option_times_of (f->session);
  g_signal_connect_swapped (f->times, "progress", G_CALLBACK (progress_cb), f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_run_unref (f->run);
  g_assert_finalize_object (f->session);
}

static gboolean
is_known (Fixture *f, GobanMoment moment)
{
  return !isnan (goban_option_times_get_loss_us (f->times, moment));
}

static void
wait_for (Fixture *f, GobanMoment moment)
{
  gint64 begun_us = g_get_monotonic_time ();

  while (!is_known (f, moment))
    {
      g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PATIENCE_US);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
}

/* All decisions that can be measured; of GobanMoment. */
static GArray *
list_moments (Fixture *f)
{
  GobanDecisions *decisions = goban_run_get_decisions (f->run);
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      GobanDecision decision;

      if (goban_decisions_get (decisions, m, NULL, &decision)
          && goban_regret_can_measure (&decision))
        g_array_append_val (moments, m);
    }
  g_assert_cmpuint (moments->len, >, 3);
  return moments;
}

/* A question is answered with the makespans of all options. */
static void
test_question (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) moments = list_moments (f);
  GobanMoment moment = g_array_index (moments, GobanMoment, 1);
  g_autofree double *expected = NULL;
  const double *made;
  guint n, n_expected;

  g_assert_null (goban_option_times_peek (f->times, moment, &n));
  goban_option_times_ask (f->times, moment);
  wait_for (f, moment);
  expected = goban_regret_dup_makespans_us (f->run, moment, NULL, &n_expected, NULL);
  made = goban_option_times_peek (f->times, moment, &n);
  g_assert_cmpuint (n, ==, n_expected);
  for (guint k = 0; k < n; k++)
    g_assert_true (made[k] == expected[k] || (isnan (made[k]) && isnan (expected[k])));
  g_assert_null (goban_option_times_get_trouble (f->times));
}

/* A question that is asked shortly before a review ends is answered after it. */
static void
test_question_at_the_end_of_a_review (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) moments = list_moments (f);
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  GobanMoment asked = g_array_index (moments, GobanMoment, 2);

  g_array_append_val (first, g_array_index (moments, GobanMoment, 0));
  goban_option_times_review (f->times, first);
  goban_option_times_ask (f->times, asked);
  wait_for (f, asked);
  g_assert_true (is_known (f, g_array_index (first, GobanMoment, 0)));
  g_assert_false (goban_option_times_is_reviewing (f->times));
}

/* A review that is stopped says so, although a question goes on. */
static void
test_stopped_review (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) moments = list_moments (f);
  GobanMoment asked = g_array_index (moments, GobanMoment, moments->len - 1);

  goban_option_times_review (f->times, moments);
  goban_option_times_ask (f->times, asked);
  g_assert_true (goban_option_times_is_reviewing (f->times));
  f->n_progress = 0;
  goban_option_times_stop (f->times);
  g_assert_false (goban_option_times_is_reviewing (f->times));
  g_assert_cmpuint (f->n_progress, >, 0);
  wait_for (f, asked);
}

/* All decisions of a review are known at its end, and those of another run are forgotten. */
static void
test_review (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) moments = list_moments (f);
  gint64 begun_us = g_get_monotonic_time ();

  goban_option_times_review (f->times, moments);
  while (goban_option_times_is_reviewing (f->times))
    {
      g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PATIENCE_US);
      g_assert_cmpfloat (goban_option_times_get_fraction (f->times), <=, 1);
      g_main_context_iteration (NULL, TRUE);
    }
  for (guint i = 0; i < moments->len; i++)
    g_assert_cmpfloat (
        goban_option_times_get_loss_us (f->times, g_array_index (moments, GobanMoment, i)), >=, 0);
  goban_session_set_current_run (f->session, NULL);
  g_assert_false (is_known (f, g_array_index (moments, GobanMoment, 0)));
}

TEST_PROGRAM (option_times)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/session/option-times/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("question", test_question);
  ADD ("question-at-the-end-of-a-review", test_question_at_the_end_of_a_review);
  ADD ("stopped-review", test_stopped_review);
  ADD ("review", test_review);
#undef ADD
  return g_test_run ();
}
