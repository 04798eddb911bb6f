/* test-curriculum.c: graphs of families and clusters that trainings learn on. */
#include "engine/learn/rl/builder/builder-lessons.h"

#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/bench/suite.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char *const families[]
    = { "rnnlm", "gnmt", "transformer-xl", "inception-v3", "amoebanet", "wavenet" };

static GobanCurriculum *
make (const char *const *left_out)
{
  g_autoptr (GError) error = NULL;
  GobanCurriculum *self = goban_curriculum_new (left_out, &error);

  g_assert_no_error (error);
  return self;
}

static char *
canonical (const char *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (graph, &error);

  g_assert_no_error (error);
  return g_strdup (spec->text);
}

/* None of GO's graphs is learned on, nor is any graph there twice. */
static void
test_keeps_apart (void)
{
  g_autoptr (GobanCurriculum) all = make (NULL);
  g_autoptr (GHashTable) taught = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) go14 = goban_suite_load ("go14", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->graphs->len, ==, 42);
  for (guint i = 0; i < all->graphs->len; i++)
    g_assert_true (g_hash_table_add (taught, canonical (g_ptr_array_index (all->graphs, i))));
  for (guint i = 0; i < go14->graphs->len; i++)
    {
      g_autofree char *graph = canonical (goban_suite_get_graph (go14, i)->graph);

      g_assert_false (g_hash_table_contains (taught, graph));
    }
}

static void
test_leaves_out (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    {
      const char *const left_out[] = { families[f], NULL };
      g_autoptr (GobanCurriculum) rest = make (left_out);

      g_assert_cmpuint (rest->graphs->len, ==, 35);
      for (guint i = 0; i < 35; i++)
        g_assert_false (g_str_has_prefix (g_ptr_array_index (rest->graphs, i), families[f]));
    }
}

/* Names of left-out families are sorted, each once. */
static void
test_names (void)
{
  static const char *const left_out[] = { "wavenet", "gnmt", "wavenet", NULL };
  g_autoptr (GobanCurriculum) self = make (left_out);

  g_assert_cmpstr (self->left_out[0], ==, "gnmt");
  g_assert_cmpuint (g_strv_length ((char **) self->left_out), ==, 2);
  g_assert_cmpuint (self->graphs->len, ==, 28);
}

static void
test_makes_clusters (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster
      = goban_curriculum_new_cluster ("p100x6,bandwidth=6GB/s,latency=7us", &error);
  g_autoptr (GobanCluster) usual = goban_curriculum_new_cluster ("p100x4", &error);
  static const char *const wrong[] = { "p100x1", "p100x3,width=2", "p100x3,latency=1us,latency=2us",
                                       "p100x",  "k80x2",          "v100x2,bandwidth=nix" };

  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 6);
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 0)->bytes_per_us, ==, 6000);
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 0)->latency_us, ==, 7);
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 5)->flops_per_us, ==,
                     goban_cluster_get_device (usual, 0)->flops_per_us);
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 5)->memory_bytes, ==,
                     goban_cluster_get_device (usual, 0)->memory_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (goban_curriculum_new_cluster (wrong[i], &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
}

static void
test_refuses_unknown_families (void)
{
  static const char *const left_out[] = { "bert", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_curriculum_new (left_out, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "“bert” to leave out; the families are rnnlm, gnmt"));
}

TEST_PROGRAM (curriculum)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/curriculum/keeps-apart", test_keeps_apart);
  g_test_add_func ("/rl/curriculum/leaves-out", test_leaves_out);
  g_test_add_func ("/rl/curriculum/left-out-names", test_names);
  g_test_add_func ("/rl/curriculum/makes-clusters", test_makes_clusters);
  g_test_add_func ("/rl/curriculum/refuses-unknown-families", test_refuses_unknown_families);
  return g_test_run ();
}
