#include "engine/machine/cluster/link-pair.h"
#include "tests/support/test-program.h"

#define DEVICE(name)                                                                               \
  "{ \"name\": \"" name "\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1e9,"         \
  " \"memory\": 1 }"
#define LINK(from, to, latency, bytes)                                                             \
  "{ \"from\": \"" from "\", \"to\": \"" to "\", \"latency\": \"" latency " us\""                  \
  ", \"bytes_per_us\": " bytes " }"

/* clang-format off */
#define SWITCHED                                                                                   \
  "{ \"devices\": [" DEVICE ("a") "," DEVICE ("b") "," DEVICE ("c") "],"                           \
  " \"switches\": [\"s\"], \"links\": [" LINK ("a", "s", "3", "4000") ","                          \
  LINK ("s", "b", "5", "2000") "," LINK ("a", "c", "1", "8000") "] }"
/* clang-format on */

/* a and b by a switch, 3 and 5 us away from it; a and c directly. */
static GobanCluster *
switched (void)
{
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (SWITCHED, -1, "switched", &error);

  g_assert_no_error (error);
  return cluster;
}

static void
test_route (void)
{
  g_autoptr (GobanCluster) cluster = switched ();
  g_autofree GobanLinkPair *way = goban_link_pair_new (cluster, 0, 1);

  g_assert_cmpuint (way->n_forward, ==, 2);
  g_assert_cmpuint (way->n, ==, 4);
  g_assert_cmpfloat (goban_link_pair_get_latency_us (way, cluster), ==, 8);
  g_assert_cmpfloat (goban_link_pair_get_bytes_per_us (way, cluster), ==, 2000);
}

static void
test_direct_link (void)
{
  g_autoptr (GobanCluster) cluster = switched ();
  g_autofree GobanLinkPair *way = goban_link_pair_new (cluster, 2, 0);

  g_assert_cmpuint (way->n_forward, ==, 1);
  g_assert_cmpuint (way->n, ==, 2);
  g_assert_cmpstr (goban_cluster_get_vertex_name (
                       cluster, goban_cluster_get_link (cluster, way->links[0])->from),
                   ==, "c");
  g_assert_cmpfloat (goban_link_pair_get_latency_us (way, cluster), ==, 1);
}

/* Both directions change, and the other links do not. */
static void
test_set (void)
{
  g_autoptr (GobanCluster) cluster = switched ();
  g_autofree GobanLinkPair *way = goban_link_pair_new (cluster, 0, 1);
  g_autofree GobanLinkPair *back = goban_link_pair_new (cluster, 1, 0);
  g_autofree GobanLinkPair *other = goban_link_pair_new (cluster, 0, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) slow = goban_link_pair_set (way, cluster, "latency_us", 20, &error);
  g_autoptr (GobanCluster) narrow = goban_link_pair_set (way, cluster, "bytes_per_us", 7, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (goban_link_pair_get_latency_us (way, slow), ==, 20);
  g_assert_cmpfloat (goban_link_pair_get_latency_us (back, slow), ==, 20);
  g_assert_cmpfloat (goban_link_pair_get_latency_us (other, slow), ==, 1);
  g_assert_cmpfloat (goban_link_pair_get_bytes_per_us (back, narrow), ==, 7);
  g_assert_cmpfloat (goban_link_pair_get_bytes_per_us (way, cluster), ==, 2000);
}

static void
test_refuses (void)
{
  g_autoptr (GobanCluster) cluster = switched ();
  g_autofree GobanLinkPair *way = goban_link_pair_new (cluster, 0, 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_link_pair_set (way, cluster, "bytes_per_us", -1, &error));
  g_assert_nonnull (error);
}

TEST_PROGRAM (link_pair)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/link-pair/route", test_route);
  g_test_add_func ("/link-pair/direct-link", test_direct_link);
  g_test_add_func ("/link-pair/set", test_set);
  g_test_add_func ("/link-pair/refuses", test_refuses);
  return g_test_run ();
}
