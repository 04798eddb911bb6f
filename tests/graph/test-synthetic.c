/* Random networks: whole, repeatable, all different, of a useful size. */
#include "tests/graph/workload-probe.h"

#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_SEEDS 60

static const char *const styles[] = { "grid", "towers", "deep", "branches", "multi" };

static void
test_sizes (void)
{
  guint n_small = 0;
  guint n_large = 0;

  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u", seed);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      guint n = goban_graph_get_n_nodes (graph);

      g_assert_cmpuint (n, >=, 100);
      g_assert_cmpuint (n, <=, 4000);
      n_small += n < 600;
      n_large += n > 1500;
    }
  g_assert_cmpuint (n_small, >=, N_SEEDS / 10);
  g_assert_cmpuint (n_large, >=, N_SEEDS / 10);
}

/* Nothing is left over from one call to the next, and no two seeds are alike. */
static void
test_seeds (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u", seed);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      g_autoptr (GobanGraph) again = probe_generate (spec);
      gint64 hash = (gint64) goban_graph_get_hash (graph);

      g_assert_cmpuint (goban_graph_get_hash (again), ==, (guint64) hash);
      g_assert_true (g_hash_table_add (seen, g_memdup2 (&hash, sizeof hash)));
    }
}

/* Numbers are drawn one after the other: no compiler and no option of it may change a graph, nor
 * the networks that are trained on such graphs. */
static void
test_fixed (void)
{
  static const double first_params[] = { 1310720, 1296, 2160 };

  for (guint i = 0; i < G_N_ELEMENTS (first_params); i++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u", i + 1);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      GobanNodeId v = 0;

      while (goban_graph_get_node (graph, v)->param_count == 0)
        v++;
      g_assert_cmpfloat (goban_graph_get_node (graph, v)->param_count, ==, first_params[i]);
    }
}

/* Every variable is applied once, embeddings by rows: nothing is built that nobody reads. */
static void
assert_trained (const GobanGraph *graph)
{
  guint n_variables = 0;
  guint n_applied = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      n_variables += node->param_count > 0;
      n_applied += node->phase == GOBAN_PHASE_UPDATE && strstr (node->op, "Apply") != NULL;
    }
  g_assert_cmpuint (n_variables, >, 0);
  g_assert_cmpuint (n_applied, ==, n_variables);
}

static void
test_styles (gconstpointer data)
{
  const char *style = data;

  for (guint seed = 0; seed < 6; seed++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u,style=%s", seed, style);
      g_autofree char *asked = g_strconcat (spec, ",mode=inference", NULL);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      g_autoptr (GobanGraph) forward = probe_generate (asked);

      assert_trained (graph);
      g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_FORWARD), >, 0);
      g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_BACKWARD), >,
                         probe_macs (graph, GOBAN_PHASE_FORWARD) * 0.9);
      g_assert_cmpfloat (probe_macs (forward, GOBAN_PHASE_FORWARD), ==,
                         probe_macs (graph, GOBAN_PHASE_FORWARD));
      g_assert_cmpuint (goban_graph_get_n_nodes (forward), <, goban_graph_get_n_nodes (graph));
    }
}

static void
test_knobs (void)
{
  g_autoptr (GobanGraph) small = probe_generate ("synthetic:seed=7,style=deep,nodes=300");
  g_autoptr (GobanGraph) large = probe_generate ("synthetic:seed=7,style=deep,nodes=6000");
  g_autoptr (GobanGraph) wide = probe_generate ("synthetic:seed=7,style=deep,nodes=300,batch=48");

  g_assert_cmpuint (goban_graph_get_n_nodes (small), <, 900);
  g_assert_cmpuint (goban_graph_get_n_nodes (large), >, 4000);
  g_assert_cmpuint (goban_graph_get_n_nodes (wide), ==, goban_graph_get_n_nodes (small));
  g_assert_cmpfloat (probe_macs (wide, GOBAN_PHASE_FORWARD), !=,
                     probe_macs (small, GOBAN_PHASE_FORWARD));
}

TEST_PROGRAM (synthetic)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/synthetic/sizes", test_sizes);
  g_test_add_func ("/workloads/synthetic/seeds-differ", test_seeds);
  g_test_add_func ("/workloads/synthetic/fixed", test_fixed);
  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      g_autofree char *path = g_strdup_printf ("/workloads/synthetic/style-%s", styles[i]);

      g_test_add_data_func (path, styles[i], test_styles);
    }
  g_test_add_func ("/workloads/synthetic/knobs", test_knobs);
  return g_test_run ();
}
