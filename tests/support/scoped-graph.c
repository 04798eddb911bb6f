#include "tests/support/scoped-graph.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"

static char *
make_name (GobanRng *rng, guint v, guint n)
{
  static const char *const outer[] = { "embed", "encoder", "decoder", "loss" };
  static const char *const inner[] = { "attention", "mlp", "norm" };
  static const char *const innermost[] = { "query", "key" };
  /* About in the order of the graph, but not quite. */
  guint part = MIN (v * 4 / MAX (n, 1) + goban_rng_below (rng, 2), 3);
  guint depth = goban_rng_below (rng, 4);

  if (depth == 0)
    return g_strdup_printf ("op%u", v);
  if (depth == 1)
    return g_strdup_printf ("%s/op%u", outer[part], v);
  if (depth == 2)
    return g_strdup_printf ("%s/%s/op%u", outer[part], inner[goban_rng_below (rng, 3)], v);
  return g_strdup_printf ("%s/%s/%s/op%u", outer[part], inner[goban_rng_below (rng, 3)],
                          innermost[goban_rng_below (rng, 2)], v);
}

GobanGraph *
scoped_graph_new (guint n_nodes, guint64 seed)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("scoped", "random");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint v = 0; v < n_nodes; v++)
    {
      g_autofree char *name = make_name (&rng, v, n_nodes);

      goban_graph_builder_add_node (builder, name, v % 3 == 0 ? "MatMul" : "Add");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 1 + goban_rng_below (&rng, 9),
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 1 + goban_rng_below (&rng, 100));
      for (guint k = 0; v > 0 && k < 1 + goban_rng_below (&rng, 2); k++)
        goban_graph_builder_add_edge (builder, v - 1 - goban_rng_below (&rng, MIN (v, 12)), v);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}
