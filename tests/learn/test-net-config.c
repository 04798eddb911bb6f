/* test-net-config.c: configurations of the network as text and back. */
#include "engine/core/error.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
assert_round_trip (GobanNetConfig config)
{
  g_autofree char *text = goban_net_config_to_text (&config);
  g_autoptr (GError) error = NULL;
  GobanNetConfig parsed = goban_net_config_paper ();

  g_assert_true (goban_net_config_parse (text, &parsed, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (&parsed, sizeof parsed, &config, sizeof config);
}

static void
test_round_trip (void)
{
  GobanNetConfig config = goban_net_config_goban ();

  assert_round_trip (goban_net_config_paper ());
  assert_round_trip (config);
  config.decisions = GOBAN_TASKS_ALL;
  config.n_iterations = GOBAN_NET_MAX_ITERATIONS;
  config.n_attention = 0;
  config.graph_embedding = FALSE;
  assert_round_trip (config);
}

/* Every field is in the text: where any int differs, so does the text. */
static void
test_all_fields (void)
{
  GobanNetConfig config = goban_net_config_goban ();
  g_autofree char *before = goban_net_config_to_text (&config);

  for (gsize at = 0; at < sizeof config; at += sizeof (int))
    {
      GobanNetConfig changed = config;
      g_autofree char *after = NULL;

      G_STRUCT_MEMBER (int, &changed, at) ^= 1;
      after = goban_net_config_to_text (&changed);
      g_assert_cmpstr (before, !=, after);
    }
}

static void
test_left_out (void)
{
  GobanNetConfig goban = goban_net_config_goban (), config = goban;

  g_assert_true (goban_net_config_parse ("", &config, NULL)); /* asserted */
  g_assert_cmpmem (&config, sizeof config, &goban, sizeof goban);
  g_assert_true (goban_net_config_parse ("decisions=scheduling+placement,heads=8,width=128",
                                         &config, NULL)); /* asserted */
  g_assert_cmpint (config.width, ==, 128);
  g_assert_cmpint (config.n_heads, ==, 8);
  g_assert_cmpint (config.n_sage, ==, goban.n_sage);
  g_assert_cmpuint (config.decisions, ==,
                    (1u << GOBAN_TASK_PLACEMENT) | (1u << GOBAN_TASK_SCHEDULING));
}

static void
test_refused (void)
{
  static const char *const rows[][2] = {
    { "width=1e3", "“width” is “1e3”, which is not a number from 1 to 1024" },
    { "width=2000", "not a number from 1 to 1024" },
    { "width", "“width” has no value" },
    { "width=64,width=64", "“width” is given twice" },
    { "depth=3", "“depth” is unknown" },
    { "width=64,", "has no value" },
    { "width=10", "not a multiple of its heads" },
    { "iterations=0", "not a number from 1 to 8" },
    { "decisions=", "“decisions” are wrong" },
    { "decisions=placement+placement", "“decisions” are wrong" },
    { "directed=2", "not a number from 0 to 1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GobanNetConfig goban = goban_net_config_goban (), config = goban;
      g_autoptr (GError) error = NULL;

      g_assert_false (goban_net_config_parse (rows[i][0], &config, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      if (strstr (error->message, rows[i][1]) == NULL)
        g_error ("“%s” does not say “%s”", error->message, rows[i][1]);
      g_assert_cmpmem (&config, sizeof config, &goban, sizeof goban);
    }
}

TEST_PROGRAM (net_config)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net-config/round-trip", test_round_trip);
  g_test_add_func ("/net-config/all-fields", test_all_fields);
  g_test_add_func ("/net-config/left-out", test_left_out);
  g_test_add_func ("/net-config/refused", test_refused);
  return g_test_run ();
}
