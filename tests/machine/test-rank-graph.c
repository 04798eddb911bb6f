#include "engine/machine/parallel/rank-graph.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/collectives.h"
#include "engine/graph/training.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_SEEDS 40

static GobanRng
new_rng (guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  return rng;
}

/* Layers of random ops, each of which reads the one before it and now and then an earlier one of
 * its layer, between "embed" and "head"; some ops are products and have weights. */
static GobanGraph *
new_inference (GobanRng *rng, guint n_layers)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("random", "test");
  guint32 last = G_MAXUINT32;

  for (guint layer = 0; layer < n_layers + 2; layer++)
    {
      guint n_ops = layer == 0 || layer > n_layers ? 1 : 1 + goban_rng_below (rng, 5);
      guint32 first = G_MAXUINT32;

      for (guint i = 0; i < n_ops; i++)
        {
          g_autofree char *name
              = layer == 0 ? g_strdup ("embed/gather")
                           : (layer > n_layers ? g_strdup ("head/loss")
                                               : g_strdup_printf ("layer_%u/op%u", layer - 1, i));
          guint32 v = goban_graph_builder_add_node (builder, name, "Op");
          GobanNode *node = goban_graph_builder_get_node (builder, v);
          gboolean is_product = goban_rng_below (rng, 2) == 0;

          node->flops = 1e9 * (1 + goban_rng_below (rng, 9));
          node->macs = is_product ? node->flops / 2 : 0;
          node->read_bytes = node->written_bytes = 1e6;
          node->param_bytes = is_product ? 4e6 : 0;
          node->param_count = node->param_bytes / 4;
          if (last != G_MAXUINT32)
            goban_graph_builder_add_edge (builder, last, v);
          if (first != G_MAXUINT32 && goban_rng_below (rng, 3) == 0)
            goban_graph_builder_add_edge (builder, first, v);
          last = goban_graph_builder_add_tensor (builder, v, 1e6 * (1 + goban_rng_below (rng, 4)));
          first = first == G_MAXUINT32 ? last : first;
        }
    }
  return toy_finish (builder);
}

static GobanGraph *
new_training (GobanRng *rng, guint n_layers)
{
  g_autoptr (GobanGraph) graph = new_inference (rng, n_layers);
  GobanTrainingCosts costs = goban_training_costs_default ();
  GobanGraph *training = goban_graph_new_training (graph, &costs, NULL);

  g_assert_nonnull (training);
  return training;
}

static GobanRankGraph *
make (const GobanGraph *graph, GobanRankOptions options)
{
  g_autoptr (GError) error = NULL;
  GobanRankGraph *self;

  options.n_copies = MAX (options.n_copies, 1);
  options.n_expert_copies = MAX (options.n_expert_copies, 1);
  self = goban_rank_graph_new (graph, &options, &error);
  g_assert_no_error (error);
  return self;
}

static double
sum_flops (const GobanGraph *graph, GobanPhase phase, const char *prefix)
{
  double sum = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (node->phase == phase && g_str_has_prefix (node->name, prefix))
        sum += node->flops;
    }
  return sum;
}

/* Bytes of all collectives of a kind. */
static double
sum_bytes (const GobanGraph *graph, GobanCollectiveKind kind)
{
  guint n;
  const GobanNodeCollective *all = goban_graph_get_collectives (graph, &n);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += all[i].kind == kind ? all[i].bytes : 0;
  return sum;
}

/* Bytes of gradients that updates read. */
static double
sum_gradients (const GobanGraph *graph)
{
  double sum = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (graph, t);
      gboolean is_read = FALSE;

      for (guint r = 0; r < readers.n; r++)
        is_read |= goban_graph_get_node (graph, goban_graph_get_edge (graph, readers.ids[r])->head)
                       ->phase
                   == GOBAN_PHASE_UPDATE;
      if (is_read
          && goban_graph_get_node (graph, goban_graph_get_tensor (graph, t)->producer)->phase
                 == GOBAN_PHASE_BACKWARD)
        sum += goban_graph_get_tensor (graph, t)->size_bytes;
    }
  return sum;
}

/* --- layers --------------------------------------------------------------------------------- */

static void
test_layers (void)
{
  static const char *const names[]
      = { "embed",          "layer_2/a",       "gradients/layer_10/b", "model/layers.3/c",
          "block_x/layer_", "optimizer/h.0/d", "relayer_5/e",          "layer_2" };
  static const guint expected[] = { GOBAN_NO_LAYER, 1, 3, 2, GOBAN_NO_LAYER, 0, GOBAN_NO_LAYER, 1 };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("names", "test");
  g_autoptr (GobanGraph) graph = NULL;
  guint layers[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    goban_graph_builder_add_node (builder, names[i], "Op");
  graph = toy_finish (builder);
  g_assert_cmpuint (goban_graph_find_layers (graph, layers), ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpuint (layers[goban_graph_find_node (graph, names[i])], ==, expected[i]);
}

/* Stages differ by a layer at most and follow each other; a layer's backward ops and updates are on
 * its stage. */
static void
test_cut (void)
{
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      GobanRng rng = new_rng (seed);
      guint n_layers = 1 + goban_rng_below (&rng, 9);
      guint n_stages = 1 + goban_rng_below (&rng, n_layers);
      g_autoptr (GobanGraph) graph = new_training (&rng, n_layers);
      guint n_nodes = goban_graph_get_n_nodes (graph);
      g_autofree guint *stages = g_new (guint, n_nodes);
      g_autofree guint *layers = g_new (guint, n_nodes);
      g_autofree guint *counts = g_new0 (guint, n_stages);
      g_autofree guint *of_layer = g_new0 (guint, n_layers);

      g_assert_true (goban_graph_cut_layers (graph, n_stages, stages, NULL));
      g_assert_cmpuint (goban_graph_find_layers (graph, layers), ==, n_layers);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          const char *name = goban_graph_get_node (graph, v)->name;

          if (layers[v] != GOBAN_NO_LAYER)
            of_layer[layers[v]] = stages[v];
          else
            g_assert_cmpuint (stages[v], ==, strstr (name, "head") != NULL ? n_stages - 1 : 0);
        }
      for (GobanNodeId v = 0; v < n_nodes; v++)
        if (layers[v] != GOBAN_NO_LAYER)
          g_assert_cmpuint (stages[v], ==, of_layer[layers[v]]);
      for (guint l = 0; l < n_layers; l++)
        {
          g_assert_cmpuint (of_layer[l], >=, l > 0 ? of_layer[l - 1] : 0);
          counts[of_layer[l]]++;
        }
      for (guint s = 0; s < n_stages; s++)
        {
          g_assert_cmpuint (counts[s], >=, n_layers / n_stages);
          g_assert_cmpuint (counts[s], <=, (n_layers + n_stages - 1) / n_stages);
        }
    }
}

static void
test_too_few_layers (void)
{
  GobanRng rng = new_rng (1);
  g_autoptr (GobanGraph) graph = new_training (&rng, 2);
  g_autofree guint *stages = g_new (guint, goban_graph_get_n_nodes (graph));
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_graph_cut_layers (graph, 3, stages, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "has 2 layers"));
}

/* --- recomputation -------------------------------------------------------------------------- */

/* FLOPs of the model stay, those of the layers' forward ops come once more, and no backward op
 * reads an activation of its layer that is computed again. */
static void
test_recompute (void)
{
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      GobanRng rng = new_rng (seed);
      g_autoptr (GobanGraph) graph = new_training (&rng, 1 + goban_rng_below (&rng, 6));
      g_autoptr (GobanRankGraph) full
          = make (graph, (GobanRankOptions){ .recompute = GOBAN_RECOMPUTE_FULL });
      g_autofree guint *layers = g_new (guint, goban_graph_get_n_nodes (full->graph));

      g_assert_cmpfloat (sum_flops (full->graph, GOBAN_PHASE_FORWARD, ""), ==,
                         sum_flops (graph, GOBAN_PHASE_FORWARD, ""));
      g_assert_cmpfloat (sum_flops (full->graph, GOBAN_PHASE_BACKWARD, "grad/"), ==,
                         sum_flops (graph, GOBAN_PHASE_BACKWARD, "grad/"));
      g_assert_cmpfloat (sum_flops (full->graph, GOBAN_PHASE_BACKWARD, "recompute/layer_"), ==,
                         sum_flops (graph, GOBAN_PHASE_FORWARD, "layer_"));
      goban_graph_find_layers (full->graph, layers);
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (full->graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (full->graph, e);
          const GobanNode *tail = goban_graph_get_node (full->graph, edge->tail);
          const GobanNode *head = goban_graph_get_node (full->graph, edge->head);

          g_assert_false (head->phase == GOBAN_PHASE_BACKWARD && tail->phase == GOBAN_PHASE_FORWARD
                          && layers[edge->head] != GOBAN_NO_LAYER
                          && layers[edge->head] == layers[edge->tail]);
        }
    }
}

/* An op that is no product is computed again, and only such. */
static void
test_selective (void)
{
  GobanRng rng = new_rng (7);
  g_autoptr (GobanGraph) graph = new_training (&rng, 6);
  g_autoptr (GobanRankGraph) made
      = make (graph, (GobanRankOptions){ .recompute = GOBAN_RECOMPUTE_SELECTIVE });
  guint n = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      g_autofree char *name = g_strconcat ("recompute/", node->name, NULL);
      gboolean is_again = goban_graph_find_node (made->graph, name) != GOBAN_NO_NODE;

      g_assert_cmpint (is_again, ==, g_str_has_prefix (node->name, "layer_") && node->macs == 0);
      n += is_again;
    }
  g_assert_cmpuint (n, >, 0);
}

/* The first recomputed ops of a layer wait for the gradient of its output. */
static void
test_recompute_waits (void)
{
  GobanRng rng = new_rng (3);
  g_autoptr (GobanGraph) graph = new_training (&rng, 4);
  g_autoptr (GobanRankGraph) made
      = make (graph, (GobanRankOptions){ .recompute = GOBAN_RECOMPUTE_FULL });

  for (guint layer = 0; layer < 4; layer++)
    {
      g_autofree char *name = g_strdup_printf ("recompute/layer_%u/op0", layer);
      g_autofree char *next = layer < 3 ? g_strdup_printf ("grad/layer_%u/op0", layer + 1)
                                        : g_strdup ("grad/head/loss");
      GobanEdgeSpan in
          = goban_graph_get_in_edges (made->graph, goban_graph_find_node (made->graph, name));
      gboolean waits = FALSE;

      for (guint i = 0; i < in.n; i++)
        waits |= goban_graph_get_edge (made->graph, in.ids[i])->tail
                 == goban_graph_find_node (made->graph, next);
      g_assert_true (waits);
    }
}

static void
assert_refused (const GobanGraph *graph, GobanRankOptions options, const char *words)
{
  g_autoptr (GError) error = NULL;

  options.n_copies = options.n_expert_copies = MAX (options.n_copies, 1);
  g_assert_null (goban_rank_graph_new (graph, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refusals (void)
{
  GobanRng rng = new_rng (5);
  g_autoptr (GobanGraph) inference = new_inference (&rng, 2);
  g_autoptr (GobanGraph) no_layers = new_training (&rng, 0);

  assert_refused (inference, (GobanRankOptions){ .recompute = GOBAN_RECOMPUTE_FULL },
                  "has no backward ops");
  assert_refused (no_layers, (GobanRankOptions){ .recompute = GOBAN_RECOMPUTE_FULL },
                  "a scope such as layer_0");
  assert_refused (no_layers, (GobanRankOptions){ .zero = 4 }, "stages 0 to 3, not 4");
  assert_refused (no_layers, (GobanRankOptions){ .n_copies = 2, .zero = 3 }, "variables");
}

/* --- copies and ZeRO ------------------------------------------------------------------------ */

static double
sum_state (const GobanGraph *graph)
{
  double sum = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase == GOBAN_PHASE_UPDATE)
      sum += goban_graph_get_node (graph, v)->param_bytes;
  return sum;
}

/* All gradients are reduced once, updates read what was reduced, and ZeRO divides what it says. */
static void
test_copies (void)
{
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      GobanRng rng = new_rng (seed);
      guint n_copies = 2 + goban_rng_below (&rng, 7);
      guint zero = goban_rng_below (&rng, 3);
      g_autoptr (GobanGraph) graph = new_training (&rng, 1 + goban_rng_below (&rng, 6));
      g_autoptr (GobanRankGraph) made
          = make (graph, (GobanRankOptions){ .n_copies = n_copies, .zero = zero });
      double gradients = sum_gradients (graph);
      double share = zero > 0 ? 1.0 / n_copies : 1;
      guint n;
      const GobanNodeCollective *all = goban_graph_get_collectives (made->graph, &n);

      g_assert_cmpfloat (gradients, >, 0);
      g_assert_cmpfloat (sum_bytes (made->graph, GOBAN_COLLECTIVE_ALL_REDUCE), ==,
                         zero > 0 ? 0 : gradients);
      g_assert_cmpfloat (sum_bytes (made->graph, GOBAN_COLLECTIVE_REDUCE_SCATTER), ==,
                         zero > 0 ? gradients : 0);
      g_assert_cmpfloat (sum_bytes (made->graph, GOBAN_COLLECTIVE_ALL_GATHER), ==,
                         zero > 0 ? gradients : 0);
      g_assert_cmpfloat (fabs (sum_state (made->graph) - share * sum_state (graph)), <, 1);
      g_assert_cmpfloat (fabs (sum_flops (made->graph, GOBAN_PHASE_UPDATE, "update/")
                               - share * sum_flops (graph, GOBAN_PHASE_UPDATE, "update/")),
                         <, 1);
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpuint (all[i].n_ranks, ==, n_copies);
          g_assert_cmpstr (all[i].group, ==, "dp");
        }
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (made->graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (made->graph, e);

          if (g_str_has_prefix (goban_graph_get_node (made->graph, edge->head)->name, "update/"))
            g_assert_false (goban_graph_get_node (made->graph, edge->tail)->phase
                                == GOBAN_PHASE_BACKWARD
                            && !goban_graph_get_tensor (made->graph, edge->tensor)->is_control);
        }
    }
}

/* --- sends ---------------------------------------------------------------------------------- */

/* Data leaves its stage through a send alone, each tensor once for each other stage. */
static void
test_sends (void)
{
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      GobanRng rng = new_rng (seed);
      guint n_layers = 2 + goban_rng_below (&rng, 6);
      guint n_stages = 2 + goban_rng_below (&rng, n_layers - 1);
      g_autoptr (GobanGraph) graph = new_training (&rng, n_layers);
      g_autofree guint *stages = g_new (guint, goban_graph_get_n_nodes (graph));
      g_autofree guint *places = g_new (guint, n_stages);
      g_autoptr (GobanRankGraph) made = NULL;
      g_autoptr (GHashTable) sent = g_hash_table_new (NULL, NULL);
      double crossing = 0;

      for (guint s = 0; s < n_stages; s++)
        places[s] = s;
      g_assert_true (goban_graph_cut_layers (graph, n_stages, stages, NULL));
      made = make (graph, (GobanRankOptions){ .stages = stages, .places = places });
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, e);
          guint64 key = (guint64) edge->tensor * n_stages + stages[edge->head] + 1;

          if (stages[edge->tail] != stages[edge->head]
              && g_hash_table_add (sent, GSIZE_TO_POINTER (key)))
            crossing += goban_graph_get_tensor (graph, edge->tensor)->size_bytes;
        }
      g_assert_cmpfloat (sum_bytes (made->graph, GOBAN_COLLECTIVE_SEND), ==, crossing);
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (made->graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (made->graph, e);
          const GobanNodeCollective *send = goban_graph_find_collective (made->graph, edge->tail);

          g_assert_true (made->stages[edge->tail] == made->stages[edge->head]
                         || goban_graph_get_tensor (made->graph, edge->tensor)->is_control
                         || (send != NULL && strcmp (send->group, "pp") == 0));
        }
    }
}

TEST_PROGRAM (rank_graph)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rank-graph/layers", test_layers);
  g_test_add_func ("/rank-graph/cut", test_cut);
  g_test_add_func ("/rank-graph/too-few-layers", test_too_few_layers);
  g_test_add_func ("/rank-graph/recompute", test_recompute);
  g_test_add_func ("/rank-graph/selective", test_selective);
  g_test_add_func ("/rank-graph/recompute-waits", test_recompute_waits);
  g_test_add_func ("/rank-graph/refusals", test_refusals);
  g_test_add_func ("/rank-graph/copies", test_copies);
  g_test_add_func ("/rank-graph/sends", test_sends);
  return g_test_run ();
}
