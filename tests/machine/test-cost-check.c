#include "engine/machine/cluster/cost-model.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Two nodes that take 10 us on the first of the kinds and 20 us on the second; the output of the
 * first node moves between the two kinds in 5 us, if transfers are given. */
typedef struct
{
  const char *kinds[2];
  const char *own;
  double size_bytes;
  gboolean gives_transfers;
  gboolean is_unnamed;
} Recipe;

static GobanGraph *
make_graph (const Recipe *recipe)
{
  g_autoptr (GobanGraphBuilder) builder
      = goban_graph_builder_new (recipe->is_unnamed ? "" : "pair", "test");
  guint32 a = goban_graph_builder_add_node (builder, "a", "op");
  guint32 b = goban_graph_builder_add_node (builder, "b", "op");
  guint32 tensor = goban_graph_builder_add_tensor (builder, a, recipe->size_bytes);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint k = 0; k < 2 && recipe->kinds[k] != NULL; k++)
    {
      goban_graph_builder_set_time (builder, a, recipe->kinds[k], 10 * (k + 1), GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, b, recipe->kinds[k], 10 * (k + 1), GOBAN_SOURCE_GIVEN);
    }
  if (recipe->gives_transfers)
    {
      goban_graph_builder_set_transfer (builder, tensor, recipe->kinds[0], recipe->kinds[1], 5);
      goban_graph_builder_set_transfer (builder, tensor, recipe->kinds[1], recipe->kinds[0], 5);
    }
  goban_graph_builder_add_edge (builder, tensor, b);
  if (recipe->own != NULL)
    goban_graph_builder_set_cluster_spec (builder, recipe->own);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

typedef struct
{
  const char *name;
  Recipe recipe;
  const char *cluster;
  const char *refused; /* in the message, if it is refused */
  const char *warning; /* in the warning, if there is one */
} Case;

static const Case cases[] = {
  { "no-times", { .size_bytes = 4 }, "p100x2", NULL, NULL },
  { "any-kind", { .kinds = { "*" } }, "p100x2", NULL, NULL },
  { "known-kinds", { .kinds = { "gpu", "cpu" }, .size_bytes = 4 }, "cpu+gpu", NULL, NULL },
  { "known-transfers",
    { .kinds = { "gpu", "cpu" }, .gives_transfers = TRUE },
    "cpu+gpu",
    NULL,
    NULL },
  /* The speed of “p0” is anybody's guess, so that its times say nothing about a “gpu”. */
  { "foreign-kinds",
    { .kinds = { "p0", "p1" }, .gives_transfers = TRUE, .own = "devices:p0=14,p1" },
    "p100x2",
    "pair: the graph has times for devices of the kinds “p0”, “p1”; p100x2 has devices of the kind "
    "“gpu”, for which the times of 2 nodes cannot be estimated; choose its own cluster, "
    "devices:p0=14,p1,",
    NULL },
  { "foreign-kinds-without-own-cluster",
    { .kinds = { "npu" } },
    "p100x2",
    "choose a cluster with devices of the kinds “npu”, such as devices:npu",
    NULL },
  { "unnamed-foreign-kinds",
    { .kinds = { "npu" }, .is_unnamed = TRUE },
    "p100x2",
    "the graph has times for devices of the kinds “npu”; p100x2 has devices",
    NULL },
  /* The cluster says how fast its “p0” is. */
  { "one-foreign-device", { .kinds = { "p0" } }, "devices:p0,x", NULL, "on the kind “x” of" },
  /* Speeds of “gpu” and “cpu” are known, so times can be scaled. */
  { "scaled",
    { .kinds = { "gpu", "cpu" }, .size_bytes = 4 },
    "devices:gpu,tpu",
    NULL,
    "on the kind “tpu” of devices:gpu,tpu the times of 2 nodes are estimated from those by speed" },
  { "unnamed-scaled",
    { .kinds = { "gpu", "cpu" }, .size_bytes = 4, .is_unnamed = TRUE },
    "devices:gpu,tpu",
    NULL,
    "the graph has times for devices of the kinds “gpu”, “cpu”; on the kind “tpu”" },
  /* Given between the CPU and the GPU, but the cluster has two GPUs. */
  { "free-transfers",
    { .kinds = { "gpu", "cpu" }, .gives_transfers = TRUE },
    "p100x2",
    NULL,
    "1 outputs have given times to be moved, but not between all devices of p100x2" },
  /* With a size they cost what the link makes of it. */
  { "sized-transfers",
    { .kinds = { "gpu", "cpu" }, .size_bytes = 4, .gives_transfers = TRUE },
    "p100x2",
    NULL,
    NULL },
};

static void
test_check (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = make_graph (&c->recipe);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (c->cluster, &error);
  g_autofree char *warning = NULL;
  gboolean is_good;

  g_assert_no_error (error);
  is_good = goban_cluster_check_times (cluster, graph, &warning, &error);
  if (error != NULL)
    g_test_message ("%s", error->message);
  if (warning != NULL)
    g_test_message ("%s", warning);
  g_assert_cmpint (is_good, ==, c->refused == NULL);
  g_assert_cmpint (warning != NULL, ==, c->warning != NULL);
  if (c->refused != NULL)
    {
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, c->refused));
      g_assert_true (error->message[0] != ':');
    }
  if (c->warning != NULL)
    {
      g_assert_nonnull (strstr (warning, c->warning));
      g_assert_true (warning[0] != ':');
    }
}

static void
test_own (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph
      = make_graph (&(Recipe){ .kinds = { "p0", "p1" }, .own = "devices:p0=14,p1" });
  g_autoptr (GobanGraph) none = make_graph (&(Recipe){ .kinds = { "p0" } });
  g_autoptr (GobanCluster) cluster = goban_cluster_new_for_graph (graph, &error);
  g_autofree char *warning = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 2);
  g_assert_cmpstr (goban_cluster_get_device (cluster, 0)->name, ==, "p0");
  g_assert_cmpstr (goban_cluster_get_device (cluster, 1)->kind, ==, "p1");
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 0)->memory_bytes, ==, 14);
  g_assert_false (goban_cluster_is_contention_free (cluster));
  g_assert_true (goban_cluster_check_times (cluster, graph, &warning, &error));
  g_assert_null (warning);

  g_assert_null (goban_cluster_new_for_graph (none, &error));
  g_assert_no_error (error);
}

/* A graph's file may not make us read another one. */
static void
test_bad_own (void)
{
  static const char *const specs[]
      = { "/dev/null", "x.json", "-", "devices:", "devices:a,a", "nought" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = make_graph (&(Recipe){ .own = specs[i] });

      g_assert_null (goban_cluster_new_for_graph (graph, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
    }
}

TEST_PROGRAM (cost_check)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cluster/cost-check/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_check);
    }
  g_test_add_func ("/cluster/cost-check/own-cluster", test_own);
  g_test_add_func ("/cluster/cost-check/bad-own-cluster", test_bad_own);
  return g_test_run ();
}
