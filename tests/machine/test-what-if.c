#include "engine/machine/cluster/what-if.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
test_cables_change_both_ways (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", NULL); /* it is */
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) changed = goban_what_if_link (cluster, 0, 1, "bandwidth", 8e9, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (goban_cluster_get_route (changed, 0, 1)->bytes_per_us, ==, 8e3);
  g_assert_cmpfloat (goban_cluster_get_route (changed, 1, 0)->bytes_per_us, ==, 8e3);
  g_assert_cmpuint (goban_what_if_find_vertex (cluster, "gpu:2", &error), ==, 2);
  g_assert_cmpuint (goban_what_if_find_vertex (cluster, "gpu:7", &error), ==, G_MAXUINT);
  g_assert_nonnull (strstr (error->message, "there are: gpu:0 gpu:1 gpu:2 gpu:3"));
}

static void
test_origin_is_guessed_by_name (void)
{
  g_autoptr (GobanCluster) origin = goban_cluster_new_from_spec ("p100x4", NULL);
  g_autoptr (GError) error = NULL;
  const GobanWhatIf change = { .what = "flops", .value = 1e15 }; /* of device 0 */
  g_autoptr (GobanCluster) faster = goban_what_if (origin, origin, &change, &error);
  g_autoptr (GobanCluster) guessed = goban_what_if_guess_origin (faster);
  g_autoptr (GobanCluster) pattern = goban_cluster_new_from_spec ("equal:3", &error);
  g_autoptr (GobanCluster) itself = goban_what_if_guess_origin (pattern);

  g_assert_no_error (error);
  g_assert_false (goban_what_if_is_same (faster, origin));
  g_assert_true (goban_what_if_is_same (guessed, origin));
  g_assert_true (itself == pattern);
}

TEST_PROGRAM (what_if)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/what-if/cables-change-both-ways", test_cables_change_both_ways);
  g_test_add_func ("/what-if/origin-is-guessed-by-name", test_origin_is_guessed_by_name);
  return g_test_run ();
}
