#include "engine/graph/graph-builder.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <math.h>

/* Adds nodes named by the letters of names. */
static void
add_letters (GobanGraphBuilder *builder, const char *names)
{
  for (; *names != '\0'; names++)
    {
      char name[] = { *names, '\0' };

      goban_graph_builder_add_tensor (builder, goban_graph_builder_add_node (builder, name, "Op"),
                                      4);
    }
}

static char *
node_names (const GobanGraph *graph)
{
  GString *names = g_string_new (NULL);

  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_string_append_printf (names, "%s%s", v > 0 ? " " : "", goban_graph_get_node (graph, v)->name);
  return g_string_free (names, FALSE);
}

/*  c -> b -> a, d alone: the lowest of the ready nodes comes first. */
static void
test_numbers_topologically (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("letters", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree GobanNodeId *ids = NULL;
  g_autofree char *names = NULL;

  add_letters (builder, "abcd");
  goban_graph_builder_add_edge (builder, 1, 0);
  goban_graph_builder_add_edge (builder, 2, 1);
  graph = goban_graph_builder_finish (builder, &ids, &error);
  g_assert_no_error (error);

  names = node_names (graph);
  g_assert_cmpstr (names, ==, "c b a d");
  g_assert_cmpuint (ids[0], ==, 2);
  g_assert_cmpuint (ids[3], ==, 3);
  g_assert_cmpuint (goban_graph_find_node (graph, "b"), ==, 1);
  g_assert_cmpuint (goban_graph_find_node (graph, "x"), ==, GOBAN_NO_NODE);
}

static void
test_names_the_cycle (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("letters", "test");
  g_autoptr (GError) error = NULL;

  /* x -> a -> b -> c -> a, c -> y */
  add_letters (builder, "xabcy");
  goban_graph_builder_add_edge (builder, 0, 1);
  goban_graph_builder_add_edge (builder, 1, 2);
  goban_graph_builder_add_edge (builder, 2, 3);
  goban_graph_builder_add_edge (builder, 3, 1);
  goban_graph_builder_add_edge (builder, 3, 4);

  g_assert_null (goban_graph_builder_finish (builder, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID_GRAPH);
  g_assert_cmpstr (error->message, ==, "the graph has a cycle: a → b → c → a");
}

static void
test_refuses_a_self_loop (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("letters", "test");
  g_autoptr (GError) error = NULL;

  add_letters (builder, "ab");
  goban_graph_builder_add_edge (builder, 1, 1);
  g_assert_null (goban_graph_builder_finish (builder, NULL, &error));
  g_assert_cmpstr (error->message, ==, "the graph has a cycle: b → b");
}

static void
test_makes_names_unique (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("names", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree char *names = NULL;
  static const char *const wanted[] = { "add", "add_1", "add", "add", "", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    goban_graph_builder_add_node (builder, wanted[i], "Add");
  graph = goban_graph_builder_finish (builder, NULL, NULL); /* nothing in it can fail */
  names = node_names (graph);
  g_assert_cmpstr (names, ==, "add add_1 add_2 add_3 node node_1");
}

static void
test_mends_texts (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g\xe8", "test");
  g_autoptr (GobanGraph) graph = NULL;

  goban_graph_builder_add_node (builder, "n\xff", "O\xe8p");
  goban_graph_builder_add_node (builder, "n\xff", "Op");
  goban_graph_builder_warn (builder, "what is \xfe");
  graph = goban_graph_builder_finish (builder, NULL, NULL); /* nothing in it can fail */
  g_assert_cmpstr (goban_graph_get_name (graph), ==, "g\xef\xbf\xbd");
  g_assert_cmpstr (goban_graph_get_node (graph, 0)->name, ==, "n\xef\xbf\xbd");
  g_assert_cmpstr (goban_graph_get_node (graph, 1)->name, ==, "n\xef\xbf\xbd_1");
  g_assert_cmpstr (goban_graph_get_node (graph, 0)->op, ==, "O\xef\xbf\xbdp");
  g_assert_true (g_utf8_validate (goban_graph_get_warnings (graph)[0], -1, NULL));
}

static void
test_keeps_inputs_in_order (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("letters", "test");
  g_autoptr (GobanGraph) graph = NULL;
  GobanEdgeSpan in;

  add_letters (builder, "abcd");
  goban_graph_builder_add_edge (builder, 2, 3);
  goban_graph_builder_add_edge (builder, 0, 3);
  goban_graph_builder_add_edge (builder, 2, 3);
  goban_graph_builder_add_control_edge (builder, 1, 3);
  graph = goban_graph_builder_finish (builder, NULL, NULL); /* nothing in it can fail */

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  in = goban_graph_get_in_edges (graph, 3);
  g_assert_cmpuint (in.n, ==, 3);
  g_assert_cmpuint (goban_graph_get_edge (graph, in.ids[0])->tail, ==, 2);
  g_assert_cmpuint (goban_graph_get_edge (graph, in.ids[1])->tail, ==, 0);
  g_assert_cmpuint (goban_graph_get_edge (graph, in.ids[2])->tail, ==, 1);
  g_assert_true (
      goban_graph_get_tensor (graph, goban_graph_get_edge (graph, in.ids[2])->tensor)->is_control);
}

static void
test_refuses_endless_sizes (void)
{
  static const double bad[] = { -1, (double) INFINITY, (double) NAN };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("bad", "test");
      g_autoptr (GError) error = NULL;

      add_letters (builder, "a");
      goban_graph_builder_set_tensor_size (builder, 0, bad[i]);
      g_assert_null (goban_graph_builder_finish (builder, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID_GRAPH);
      g_assert_nonnull (strstr (error->message, "“a”"));
    }
}

static void
test_keeps_times_and_shapes (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("letters", "test");
  g_autoptr (GobanGraph) graph = NULL;
  static const gint64 dims[] = { 1, 3, -1 };
  const GobanTensor *tensor;

  add_letters (builder, "ab");
  goban_graph_builder_add_edge (builder, 1, 0);
  goban_graph_builder_set_tensor_shape (builder, 1, "f32", dims, 3);
  goban_graph_builder_set_time (builder, 1, "cpu", 7, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (builder, 1, "gpu", (double) INFINITY, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_transfer (builder, 1, "gpu", "cpu", 3);
  goban_graph_builder_set_group (builder, 0, 99);
  graph = goban_graph_builder_finish (builder, NULL, NULL); /* nothing in it can fail */

  tensor = goban_graph_get_tensor (graph, 0);
  g_assert_cmpuint (tensor->n_dims, ==, 3);
  g_assert_cmpint (tensor->dims[2], ==, -1);
  g_assert_cmpstr (tensor->dtype, ==, "f32");
  g_assert_cmpuint (goban_graph_find_kind (graph, "gpu"), ==, 1);
  g_assert_cmpuint (goban_graph_find_kind (graph, "tpu"), ==, GOBAN_NO_KIND);
  g_assert_cmpfloat (goban_graph_get_time_us (graph, 0, 0), ==, 7);
  g_assert_true (isinf (goban_graph_get_time_us (graph, 0, 1)));
  g_assert_true (isnan (goban_graph_get_time_us (graph, 1, 0)));
  g_assert_cmpfloat (goban_graph_get_transfer_us (graph, 0, 1, 0), ==, 3);
  g_assert_true (isnan (goban_graph_get_transfer_us (graph, 0, 0, 1)));
  g_assert_cmpuint (goban_graph_get_node (graph, 0)->group, ==, GOBAN_NO_GROUP);
  g_assert_cmpuint (goban_graph_get_node (graph, 1)->group, ==, 0);
  g_assert_cmpuint (goban_graph_get_node (graph, 0)->time_source, ==, GOBAN_SOURCE_MEASURED);
}

/* Whatever the builder was given: edges go up, runs are sorted, both directions agree. */
static void
test_invariants_hold (void)
{
  for (guint seed = 0; seed < 200; seed++)
    {
      GraphGen gen = graph_gen_small (1 + seed % 40);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      guint n_edges = goban_graph_get_n_edges (graph);
      guint n_in = 0;

      for (guint e = 0; e < n_edges; e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, e);

          g_assert_cmpuint (edge->tail, <, edge->head);
          g_assert_cmpuint (goban_graph_get_tensor (graph, edge->tensor)->producer, ==, edge->tail);
          if (e > 0)
            {
              const GobanEdge *before = goban_graph_get_edge (graph, e - 1);

              g_assert_true (before->tensor < edge->tensor
                             || (before->tensor == edge->tensor && before->head < edge->head));
            }
        }

      for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

          n_in += in.n;
          for (guint i = 0; i < in.n; i++)
            g_assert_cmpuint (goban_graph_get_edge (graph, in.ids[i])->head, ==, v);
        }
      g_assert_cmpuint (n_in, ==, n_edges);
    }
}

static void
test_hash_tells_graphs_apart (void)
{
  GraphGen gen = graph_gen_small (20);
  g_autoptr (GobanGraph) a = graph_gen_new (&gen, 1);
  g_autoptr (GobanGraph) b = graph_gen_new (&gen, 1);
  g_autoptr (GobanGraph) c = graph_gen_new (&gen, 2);

  g_assert_cmpuint (goban_graph_get_hash (a), ==, goban_graph_get_hash (b));
  g_assert_cmpuint (goban_graph_get_hash (a), !=, goban_graph_get_hash (c));
}

static void
test_empty_graph_is_a_graph (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  goban_graph_builder_warn (builder, "said %s", "once");
  goban_graph_builder_warn (builder, "said %s", "once");
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 0);
  g_assert_cmpuint (g_strv_length ((char **) goban_graph_get_warnings (graph)), ==, 1);
}

TEST_PROGRAM (graph_builder)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/builder/numbers-topologically", test_numbers_topologically);
  g_test_add_func ("/graph/builder/names-the-cycle", test_names_the_cycle);
  g_test_add_func ("/graph/builder/refuses-a-self-loop", test_refuses_a_self_loop);
  g_test_add_func ("/graph/builder/makes-names-unique", test_makes_names_unique);
  g_test_add_func ("/graph/builder/mends-texts", test_mends_texts);
  g_test_add_func ("/graph/builder/keeps-inputs-in-order", test_keeps_inputs_in_order);
  g_test_add_func ("/graph/builder/refuses-endless-sizes", test_refuses_endless_sizes);
  g_test_add_func ("/graph/builder/keeps-times-and-shapes", test_keeps_times_and_shapes);
  g_test_add_func ("/graph/builder/invariants-hold", test_invariants_hold);
  g_test_add_func ("/graph/builder/hash-tells-graphs-apart", test_hash_tells_graphs_apart);
  g_test_add_func ("/graph/builder/empty-graph-is-a-graph", test_empty_graph_is_a_graph);
  return g_test_run ();
}
