#include "tests/support/graph-gen.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"

GraphGen
graph_gen_small (guint n_nodes)
{
  return (GraphGen){
    .n_nodes = n_nodes,
    .edges_per_node = 1.6,
    .max_time_us = 9,
    .max_bytes = 12,
    .max_param_bytes = 5,
    .control_share = 0.1,
    .group_share = 0.2,
    .max_tensors = 2,
  };
}

GraphGen
graph_gen_ten (void)
{
  return (GraphGen){
    .n_nodes = 10,
    .edges_per_node = 1.5,
    .max_time_us = 30,
    .max_bytes = 80,
    .control_share = 0.05,
    .max_tensors = 1,
  };
}

static double
whole_number (GobanRng *rng, double max)
{
  return goban_rng_below (rng, (guint32) max + 1);
}

GobanGraph *
graph_gen_new (const GraphGen *gen, guint64 seed)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("random", "random");
  g_autofree guint32 *first_tensor = g_new (guint32, gen->n_nodes + 1);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  first_tensor[0] = 0;
  for (guint v = 0; v < gen->n_nodes; v++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", v);
      guint n_tensors = 1 + goban_rng_below (&rng, MAX (gen->max_tensors, 1));
      double param_bytes = whole_number (&rng, gen->max_param_bytes);

      goban_graph_builder_add_node (builder, name, v % 3 == 0 ? "MatMul" : "Add");
      goban_graph_builder_get_node (builder, v)->param_bytes = param_bytes;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND,
                                    whole_number (&rng, gen->max_time_us), GOBAN_SOURCE_GIVEN);
      if (goban_rng_uniform (&rng) < gen->group_share)
        goban_graph_builder_set_group (builder, v, goban_rng_below (&rng, gen->n_nodes / 3 + 1));

      for (guint t = 0; t < n_tensors; t++)
        goban_graph_builder_add_tensor (builder, v, whole_number (&rng, gen->max_bytes));
      first_tensor[v + 1] = first_tensor[v] + n_tensors;
    }

  for (guint v = 1; v < gen->n_nodes; v++)
    {
      guint reach = gen->width == 0 ? v : MIN (gen->width, v);
      double wanted = gen->edges_per_node;

      for (; wanted > 0; wanted -= 1)
        {
          guint32 tail = v - 1 - goban_rng_below (&rng, reach);
          guint32 n_tensors = first_tensor[tail + 1] - first_tensor[tail];

          if (wanted < 1 && goban_rng_uniform (&rng) >= wanted)
            continue;
          if (goban_rng_uniform (&rng) < gen->control_share)
            goban_graph_builder_add_control_edge (builder, tail, v);
          else
            goban_graph_builder_add_edge (
                builder, first_tensor[tail] + goban_rng_below (&rng, n_tensors), v);
        }
    }

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}
