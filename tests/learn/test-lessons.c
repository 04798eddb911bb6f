/* Every lesson and trial of the program's own curriculum can be learned on: it has a plan that
 * fits. */
#include "engine/learn/rl/go/problem-cache.h"

#include "engine/placers/policies.h"
#include "tests/support/test-program.h"

/* Of the three that the reference is chosen from, and of the memory that the cache believes to
 * use. */
static void
check_lesson (GobanProblemCache *cache, const GobanLesson *lesson)
{
  static const GobanPlacer *const placers[]
      = { &goban_placer_single, &goban_placer_expert, &goban_placer_m_etf };
  g_autoptr (GError) error = NULL;
  GobanProblem *problem = goban_problem_cache_get (cache, lesson, NULL, &error);
  guint n_valid = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (placers); i++)
    {
      GobanPlacerOptions options = { 0 };
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan = goban_placer_place (
          placers[i], goban_problem_get_costs (problem), &options, &evaluations, NULL);
      GobanOutcome outcome;

      if (plan == NULL) /* it has nothing to say */
        continue;
      goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
      n_valid += outcome.overflow_bytes <= 0;
    }
  g_test_message ("%u of 3 fit: %s on %s, reference %.0f us", n_valid, lesson->graph,
                  lesson->cluster, goban_problem_get_reference_us (problem));
  if (n_valid == 0)
    g_test_fail_printf ("no plan fits: %s on %s", lesson->graph, lesson->cluster);
}

static void
test_fit (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCurriculum) curriculum = goban_curriculum_new (NULL, &error);
  g_autoptr (GobanProblemCache) cache = NULL;

  g_assert_no_error (error);
  goban_curriculum_add_built_in (curriculum);
  cache = goban_problem_cache_new (
      curriculum, &(GobanProblemOptions){ .n_rows = 256, .decisions = GOBAN_TASKS_DEFAULT }, 1);
  for (guint i = 0; i < goban_curriculum_get_n_lessons (curriculum); i++)
    check_lesson (cache, goban_curriculum_get_lesson (curriculum, i));
  for (guint i = 0; i < goban_curriculum_get_n_trials (curriculum); i++)
    check_lesson (cache, goban_curriculum_get_trial (curriculum, i));
}

TEST_PROGRAM (lessons)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/lessons/fit", test_fit);
  return g_test_run ();
}
