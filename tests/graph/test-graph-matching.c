/* Partners of nodes: of copies by origin, of renamed graphs by structure. */
#include "engine/graph/graph-matching.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/machine/parallel/micro-batches.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_SEEDS 40
#define NOTHING G_MAXUINT32

/* The same under other names, without the origin; @extra: an op of its own reads the outputs of
 * that node and writes them for its readers. ids (n_nodes): (out) of the nodes in it. */
static GobanGraph *
rename_graph (const GobanGraph *graph, GobanNodeId extra, GobanNodeId *ids)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("renamed", "test");
  g_autofree guint32 *tensors = g_new (guint32, goban_graph_get_n_tensors (graph) + 1);
  g_autofree GobanNodeId *numbers = NULL;
  guint32 added = NOTHING;
  GobanGraph *renamed;

  for (GobanNodeId v = 0; v < n; v++)
    {
      g_autofree char *name = g_strdup_printf ("op%u", n - v);

      goban_graph_builder_add_node (builder, name, goban_graph_get_node (graph, v)->op);
    }
  if (extra != NOTHING)
    added = goban_graph_builder_add_node (builder, "added", "Added");
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      tensors[t]
          = tensor->is_control
                ? goban_graph_builder_add_control_tensor (builder, tensor->producer)
                : goban_graph_builder_add_tensor (builder, tensor->producer, tensor->size_bytes);
      if (tensor->has_shape && !tensor->is_control)
        goban_graph_builder_set_tensor_shape (builder, tensors[t], tensor->dtype, tensor->dims,
                                              tensor->n_dims);
      if (tensor->producer == extra && !tensor->is_control)
        {
          goban_graph_builder_add_edge (builder, tensors[t], added);
          tensors[t] = goban_graph_builder_add_tensor (builder, added, tensor->size_bytes);
        }
    }
  for (GobanNodeId v = 0; v < n; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n; i++)
        goban_graph_builder_add_edge (builder,
                                      tensors[goban_graph_get_edge (graph, in.ids[i])->tensor], v);
    }
  renamed = goban_graph_builder_finish (builder, &numbers, NULL);
  g_assert_nonnull (renamed);
  memcpy (ids, numbers, n * sizeof *ids);
  return renamed;
}

/* Counts add up, partners are symmetric, and each has a partner that looks like it. */
static void
assert_sound (const GobanGraphMatching *self)
{
  for (guint side = 0; side < 2; side++)
    {
      GobanGraph *graph = goban_graph_matching_get_graph (self, side);
      GobanGraph *other = goban_graph_matching_get_graph (self, 1 - side);
      guint counts[GOBAN_N_MATCHES] = { 0 };

      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          GobanMatch match = goban_graph_matching_get (self, side, v);
          guint n, n_back;
          const GobanNodeId *partners = goban_graph_matching_get_partners (self, side, v, &n);

          counts[match]++;
          g_assert_cmpint (n > 0, ==, match != GOBAN_MATCH_NONE);
          for (guint i = 0; i < n; i++)
            {
              const GobanNodeId *back
                  = goban_graph_matching_get_partners (self, 1 - side, partners[i], &n_back);
              gboolean is_back = FALSE;

              for (guint k = 0; k < n_back; k++)
                is_back |= back[k] == v;
              g_assert_true (is_back);
              if (match == GOBAN_MATCH_STRUCTURE)
                g_assert_cmpstr (goban_graph_get_node (graph, v)->op, ==,
                                 goban_graph_get_node (other, partners[i])->op);
            }
        }
      for (guint m = 0; m < GOBAN_N_MATCHES; m++)
        g_assert_cmpuint (counts[m], ==, goban_graph_matching_count (self, side, m));
    }
}

static GobanGraphMatching *
match (GobanGraph *first, GobanGraph *second)
{
  GobanGraphMatching *self = goban_graph_matching_new (first, second);

  assert_sound (self);
  return self;
}

static void
test_renamed (void)
{
  for (guint64 seed = 1; seed <= N_SEEDS; seed++)
    {
      g_auto (RandomRun) random = { NULL };
      g_autoptr (GobanGraph) renamed = NULL;
      g_autoptr (GobanGraphMatching) both = NULL;
      g_autofree GobanNodeId *ids = NULL;

      random_run_init (&random, 40, seed);
      ids = g_new (GobanNodeId, goban_graph_get_n_nodes (random.graph));
      renamed = rename_graph (random.graph, NOTHING, ids);
      both = match (random.graph, renamed);
      for (guint side = 0; side < 2; side++)
        g_assert_cmpuint (goban_graph_matching_count (both, side, GOBAN_MATCH_STRUCTURE), ==,
                          goban_graph_get_n_nodes (random.graph));
    }
}

/* A pass has put an op into a model: its surroundings are still found, and it has no partner. */
static void
test_changed (void)
{
  g_autoptr (GobanGraph) model
      = goban_workload_generate ("gpt:layers=3,batch=1,granularity=op", NULL);
  guint n;
  GobanRng rng;

  g_assert_nonnull (model);
  n = goban_graph_get_n_nodes (model);
  goban_rng_init (&rng, 3);
  for (guint i = 0; i < 10; i++)
    {
      g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
      GobanNodeId at = goban_rng_below (&rng, n);
      g_autoptr (GobanGraph) changed = rename_graph (model, at, ids);
      g_autoptr (GobanGraphMatching) both = match (model, changed);
      GobanNodeId added = goban_graph_find_node (changed, "added");
      guint n_right = 0, n_partners;

      g_assert_cmpint (goban_graph_matching_get (both, 1, added), ==, GOBAN_MATCH_NONE);
      for (GobanNodeId v = 0; v < n; v++)
        {
          const GobanNodeId *partners = goban_graph_matching_get_partners (both, 0, v, &n_partners);

          n_right += n_partners == 1 && partners[0] == ids[v];
        }
      g_assert_cmpuint (n_right, >=, n * 95 / 100);
    }
}

static GobanMicroBatches *
repeat (const GobanGraph *graph, guint n_batches)
{
  g_autoptr (GError) error = NULL;
  GobanMicroBatches *made = goban_micro_batches_new (
      graph, &(GobanMicroBatchOptions){ .n_batches = n_batches }, &error);

  g_assert_no_error (error);
  return made;
}

/* Against the model, a node's partner is the origin that the derivation knows; of more and fewer
 * micro-batches, those that both have are partners, the others have none. */
static void
test_derived (void)
{
  for (guint64 seed = 1; seed <= N_SEEDS; seed++)
    {
      g_auto (RandomRun) random = { NULL };
      g_autoptr (GobanMicroBatches) few = NULL;
      g_autoptr (GobanMicroBatches) many = NULL;
      g_autoptr (GobanGraphMatching) to_model = NULL;
      g_autoptr (GobanGraphMatching) both = NULL;
      g_autofree GobanNodeId *ids = NULL;
      guint n, n_partners;

      random_run_init (&random, 25, seed);
      few = repeat (random.graph, 2);
      many = repeat (random.graph, 4);
      to_model = match (few->graph, random.graph);
      n = goban_graph_get_n_nodes (few->graph);
      for (GobanNodeId v = 0; v < n; v++)
        if (few->origins[v] != GOBAN_NO_NODE)
          {
            const GobanNodeId *partners
                = goban_graph_matching_get_partners (to_model, 0, v, &n_partners);

            g_assert_cmpuint (n_partners, ==, 1);
            g_assert_cmpuint (partners[0], ==, few->origins[v]);
          }
      both = match (few->graph, many->graph);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (many->graph); v++)
        if (many->origins[v] != GOBAN_NO_NODE)
          {
            const GobanNode *node = goban_graph_get_node (many->graph, v);
            const GobanNodeId *partners
                = goban_graph_matching_get_partners (both, 1, v, &n_partners);

            if (node->micro_batch != GOBAN_NO_BATCH && node->micro_batch >= 2)
              {
                g_assert_cmpuint (n_partners, ==, 0);
                continue;
              }
            g_assert_cmpuint (n_partners, ==, 1);
            g_assert_cmpuint (few->origins[partners[0]], ==, many->origins[v]);
            g_assert_cmpuint (goban_graph_get_node (few->graph, partners[0])->micro_batch, ==,
                              node->micro_batch);
          }
    }
}

/* One graph and itself: by name, each node with itself. */
static void
test_same (void)
{
  g_autoptr (GobanGraph) model = goban_workload_generate ("gpt:layers=2,batch=1", NULL);
  g_autoptr (GobanGraph) other = goban_workload_generate ("gpt:layers=2,batch=1,tp=2", NULL);
  g_autoptr (GobanGraphMatching) both = match (model, model);
  g_autoptr (GobanGraphMatching) split = match (model, other);
  g_autofree char *words
      = goban_graph_matching_describe (split, (const char *const[]){ "one", "two" });
  guint n = goban_graph_get_n_nodes (model);

  g_assert_cmpuint (goban_graph_matching_count (both, 0, GOBAN_MATCH_NAME), ==, n);
  g_assert_cmpuint (goban_graph_matching_count (split, 0, GOBAN_MATCH_NAME), ==, n);
  g_assert_cmpuint (goban_graph_matching_count (split, 1, GOBAN_MATCH_NONE), ==,
                    goban_graph_get_n_nodes (other) - n);
  g_assert_nonnull (strstr (words, "by name, 0 by structure; 0 are in one alone"));
}

TEST_PROGRAM (graph_matching)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/graph-matching/renamed", test_renamed);
  g_test_add_func ("/graph/graph-matching/changed", test_changed);
  g_test_add_func ("/graph/graph-matching/derived", test_derived);
  g_test_add_func ("/graph/graph-matching/same", test_same);
  return g_test_run ();
}
