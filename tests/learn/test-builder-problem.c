/* test-builder-problem.c: lessons of the plan builder, and what plans of them are worth. */
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/study/bench/suite.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static GobanBuilderProblem *
load (const GobanBuilderLesson *lesson)
{
  g_autoptr (GError) error = NULL;
  GobanBuilderProblem *problem = goban_builder_lesson_load (lesson, &error);

  g_assert_no_error (error);
  return problem;
}

static GobanCurriculum *
new_families (const char *const *left_out)
{
  g_autoptr (GError) error = NULL;
  GobanCurriculum *families = goban_curriculum_new (left_out, &error);

  g_assert_no_error (error);
  return families;
}

/* --- lessons -------------------------------------------------------------------------------- */

/* The same for the same seed, others for another; 2 to 8 devices; some unequal, some short of
 * memory. */
static void
test_lessons (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_slow = 0, n_tight = 0;

  for (gint i = 0; i < 200; i++)
    {
      g_autoptr (GobanBuilderLesson) a = goban_builder_lesson_draw (1, i, NULL);
      g_autoptr (GobanBuilderLesson) b = goban_builder_lesson_draw (1, i, NULL);
      g_autoptr (GobanBuilderLesson) c = goban_builder_lesson_draw (2, i, NULL);
      g_autofree char *text = goban_builder_lesson_to_text (b);
      char *name = goban_builder_lesson_to_text (a);

      g_assert_cmpstr (name, ==, text);
      g_assert_cmpstr (a->graph, !=, c->graph);
      g_assert_true (g_hash_table_add (seen, name));
      g_assert_true (g_str_has_prefix (a->graph, "synthetic:"));
      n_slow += a->slow > 0;
      n_tight += a->memory > 0;
    }
  g_assert_cmpuint (n_slow, >, 10);
  g_assert_cmpuint (n_tight, >, 25);
}

/* What chooses a network is nothing that any network learns on. */
static void
test_validation_is_apart (void)
{
  g_autoptr (GHashTable) taught = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint64 seed = 0; seed < 3; seed++)
    for (gint i = 0; i < 300; i++)
      {
        g_autoptr (GobanBuilderLesson) lesson = goban_builder_lesson_draw (seed, i, NULL);

        g_hash_table_add (taught, g_strndup (lesson->graph, strcspn (lesson->graph, ",")));
      }
  for (gint i = 1; i <= 50; i++)
    {
      g_autoptr (GobanBuilderLesson) a = goban_builder_lesson_draw (0, -i, NULL);
      g_autoptr (GobanBuilderLesson) b = goban_builder_lesson_draw (7, -i, NULL);
      g_autofree char *graph = g_strndup (a->graph, strcspn (a->graph, ","));

      g_assert_false (g_hash_table_contains (taught, graph));
      g_assert_cmpstr (a->graph, ==, b->graph);
      g_assert_cmpstr (a->cluster, ==, b->cluster);
    }
}

/* A family that is left out is never a lesson; nor is any graph of GO's first table. */
static void
test_left_out (void)
{
  const char *const left_out[] = { "rnnlm", NULL };
  g_autoptr (GobanCurriculum) families = new_families (left_out);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) suite = goban_suite_load ("go14", &error);
  guint n_of_families = 0;

  g_assert_no_error (error);
  for (gint i = 0; i < 400; i++)
    {
      g_autoptr (GobanBuilderLesson) lesson
          = goban_builder_lesson_draw (0, i, &(GobanBuilderLessonKinds){ .families = families });

      n_of_families += !g_str_has_prefix (lesson->graph, "synthetic:");
      g_assert_false (g_str_has_prefix (lesson->graph, "rnnlm"));
      for (guint k = 0; k < suite->graphs->len; k++)
        g_assert_cmpstr (lesson->graph, !=, goban_suite_get_graph (suite, k)->graph);
    }
  g_assert_cmpuint (n_of_families, >, 50);
}

/* Speeds and memory are as the lesson says. */
static void
test_devices (void)
{
  GobanBuilderLesson lesson = { .graph = (char *) "synthetic:seed=3,nodes=200",
                                .cluster = (char *) "p100x4",
                                .memory = 1.6,
                                .slow = 0.5,
                                .rows = { 1, 1 } };
  g_autoptr (GobanBuilderProblem) problem = load (&lesson);
  const GobanCluster *cluster = problem->units->cluster;
  const GobanDevice *fast = goban_cluster_get_device (cluster, 0);
  const GobanDevice *slow = goban_cluster_get_device (cluster, 1);
  g_autofree guint32 *one = g_new0 (guint32, problem->rows->n_rows);

  g_assert_cmpfloat (slow->flops_per_us, ==, fast->flops_per_us / 2);
  g_assert_cmpfloat (slow->memory_bytes, ==, fast->memory_bytes);
  g_assert_cmpfloat (
      goban_builder_problem_evaluate (problem, one, GOBAN_STATIC_FIFO).overflow_bytes, >, 0);
}

/* Rows that are no cells: as many as asked for, more than cells if they are to be, and each
 * connected or of few units. */
static void
test_connected_rows (void)
{
  GobanBuilderLesson lesson = { .graph = (char *) "synthetic:seed=3,nodes=600",
                                .cluster = (char *) "p100x4",
                                .rows = { .n_connected = 100 } };
  g_autoptr (GobanBuilderProblem) problem = load (&lesson);
  g_autofree char *name = goban_builder_lesson_to_text (&lesson);
  const GobanUnits *units = problem->units;
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);
  GobanRng rng;

  g_assert_nonnull (strstr (name, "100 connected rows"));
  g_assert_null (problem->cells);
  g_assert_cmpuint (problem->rows->n_rows, >, 50);
  g_assert_cmpuint (problem->rows->n_rows, <=, 100);
  for (guint u = 0; u < units->n_units; u++)
    for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
      g_assert_cmpuint (problem->rows->row_of[units->nodes[i]], ==,
                        problem->rows->row_of[units->nodes[units->offsets[u]]]);
  goban_rng_init (&rng, 4);
  g_assert_cmpfloat (goban_builder_problem_anneal (problem, 100, &rng, devices), >, 0);
}

/* --- worth ---------------------------------------------------------------------------------- */

static void
test_rewards (void)
{
  g_autoptr (GobanBuilderLesson) lesson = goban_builder_lesson_draw (0, 5, NULL);
  g_autoptr (GobanBuilderProblem) problem = load (lesson);
  GobanOutcome fits = { .makespan_us = problem->reference_us };
  GobanOutcome lacks = { .makespan_us = problem->reference_us, .overflow_bytes = 1 };
  double reference = goban_builder_score_us (problem->units->cluster, fits);

  g_assert_cmpfloat_with_epsilon (goban_builder_problem_reward (problem, reference), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_builder_problem_reward (problem, reference / 2), log (2),
                                  1e-9);
  g_assert_cmpfloat (goban_builder_problem_reward (problem, reference * 1e9), ==, -3);
  g_assert_cmpfloat (goban_builder_score_us (problem->units->cluster, lacks), >=, 2 * reference);
}

/* Annealing ends no worse than the split that it begins with, and its plan is worth what it
 * says. */
static void
test_anneal (void)
{
  g_autoptr (GobanBuilderLesson) lesson = goban_builder_lesson_draw (0, 9, NULL);
  g_autoptr (GobanBuilderProblem) problem = load (lesson);
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);
  GobanRng rng;
  double begin_us, end_us;

  goban_rng_init (&rng, 1);
  begin_us = goban_builder_problem_anneal (problem, 0, &rng, devices);
  end_us = goban_builder_problem_anneal (problem, 150, &rng, devices);
  g_assert_cmpfloat (end_us, <=, begin_us);
  g_assert_cmpfloat (end_us, ==,
                     goban_builder_score_us (problem->units->cluster,
                                             goban_builder_problem_evaluate (
                                                 problem, devices, GOBAN_STATIC_TRANSFERS)));
}

TEST_PROGRAM (builder_problem)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/builder-lessons/repeatable-and-different", test_lessons);
  g_test_add_func ("/rl/builder-lessons/validation-is-apart", test_validation_is_apart);
  g_test_add_func ("/rl/builder-lessons/left-out", test_left_out);
  g_test_add_func ("/rl/builder-lessons/devices", test_devices);
  g_test_add_func ("/rl/builder-problem/connected-rows", test_connected_rows);
  g_test_add_func ("/rl/builder-problem/rewards", test_rewards);
  g_test_add_func ("/rl/builder-problem/anneal", test_anneal);
  return g_test_run ();
}
