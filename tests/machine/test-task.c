#include "engine/core/error.h"
#include "engine/machine/plan/task.h"
#include "tests/support/test-program.h"

static void
test_round_trip (void)
{
  for (GobanTasks all = 1; all <= GOBAN_TASKS_ALL; all++)
    {
      g_autofree char *text = goban_tasks_to_text (all);
      g_autoptr (GError) error = NULL;
      GobanTasks back = 0;

      g_assert_true (goban_tasks_parse (text, &back, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (back, ==, all);
    }
}

static void
test_order_and_all (void)
{
  g_autofree char *text = NULL;
  GobanTasks decisions = 0;

  g_assert_true (goban_tasks_parse ("scheduling, fusion", &decisions, NULL));
  g_assert_cmpuint (decisions, ==, 1u << GOBAN_TASK_FUSION | 1u << GOBAN_TASK_SCHEDULING);
  text = goban_tasks_to_text (decisions);
  g_assert_cmpstr (text, ==, "fusion,scheduling");

  g_assert_true (goban_tasks_parse ("all", &decisions, NULL));
  g_assert_cmpuint (decisions, ==, GOBAN_TASKS_ALL);
  g_assert_cmpstr (goban_task_get_name (GOBAN_TASK_PLACEMENT), ==, "placement");
}

static void
test_rejects (void)
{
  static const char *const texts[][2] = {
    { "", "no decision is named" }, { "  ", "no decision is named" },
    { "placing", "“placing”" },     { "placement,", "no decision “”" },
    { "placement,all", "“all”" },   { "fusion,placement,fusion", "“fusion” is there twice" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      GobanTasks decisions = 77;

      g_assert_false (goban_tasks_parse (texts[i][0], &decisions, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, texts[i][1]));
      g_assert_cmpuint (decisions, ==, 77);
    }
}

TEST_PROGRAM (task)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task/round-trip", test_round_trip);
  g_test_add_func ("/task/order-and-all", test_order_and_all);
  g_test_add_func ("/task/rejects", test_rejects);
  return g_test_run ();
}
