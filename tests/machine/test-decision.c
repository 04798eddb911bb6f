#include "engine/core/error.h"
#include "engine/machine/plan/decision.h"
#include "tests/support/test-program.h"

static void
test_round_trip (void)
{
  for (GobanDecisions all = 1; all <= GOBAN_DECISIONS_ALL; all++)
    {
      g_autofree char *text = goban_decisions_to_text (all);
      g_autoptr (GError) error = NULL;
      GobanDecisions back = 0;

      g_assert_true (goban_decisions_parse (text, &back, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (back, ==, all);
    }
}

static void
test_order_and_all (void)
{
  g_autofree char *text = NULL;
  GobanDecisions decisions = 0;

  g_assert_true (goban_decisions_parse ("scheduling, fusion", &decisions, NULL));
  g_assert_cmpuint (decisions, ==, 1u << GOBAN_DECIDE_FUSION | 1u << GOBAN_DECIDE_SCHEDULING);
  text = goban_decisions_to_text (decisions);
  g_assert_cmpstr (text, ==, "fusion,scheduling");

  g_assert_true (goban_decisions_parse ("all", &decisions, NULL));
  g_assert_cmpuint (decisions, ==, GOBAN_DECISIONS_ALL);
  g_assert_cmpstr (goban_decision_get_name (GOBAN_DECIDE_PLACEMENT), ==, "placement");
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
      GobanDecisions decisions = 77;

      g_assert_false (goban_decisions_parse (texts[i][0], &decisions, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, texts[i][1]));
      g_assert_cmpuint (decisions, ==, 77);
    }
}

TEST_PROGRAM (decision)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decision/round-trip", test_round_trip);
  g_test_add_func ("/decision/order-and-all", test_order_and_all);
  g_test_add_func ("/decision/rejects", test_rejects);
  return g_test_run ();
}
