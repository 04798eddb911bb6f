#include "tests/io/io-support.h"

#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#define FIELDS(f, b, a, p)                                                                         \
  "forward_compute_time=" #f ", backward_compute_time=" #b ", activation_size=" #a                 \
  ", parameter_size=" #p

static const char small[] = "node2 -- LSTM(  (a = b): x -- y) -- " FIELDS (
    1.5, 2.5, [8.0; 4.0], 16.0) " -- stage_id=1\n"
                                "node1 -- Input0 -- " FIELDS (0.0, 0.0, 32.0,
                                                              0.0) "\r\n"
                                                                   "\tnode1 -- node2\n"
                                                                   "\n";

static void
test_fields (void)
{
  g_autoptr (GobanGraph) graph = read_text ("pipedream", small);
  GobanNodeId input = goban_graph_find_node (graph, "node1");
  GobanNodeId lstm = goban_graph_find_node (graph, "node2");
  const GobanNode *node = goban_graph_get_node (graph, lstm);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_cmpuint (input, <, lstm);
  g_assert_cmpstr (node->op, ==, "LSTM");
  g_assert_cmpfloat (node->param_bytes, ==, 16);
  g_assert_cmpfloat (node->param_count, ==, 4);
  g_assert_cmpint (node->time_source, ==, GOBAN_SOURCE_MEASURED);
  g_assert_cmpfloat (time_of (graph, "node2", "gpu"), ==, 1500);
  /* The parts of a bracketed list are one tensor of their sum. */
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, lstm), ==, 12);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, input), ==, 32);
  g_assert_nonnull (goban_graph_get_warnings (graph)[0]);
  g_assert_cmpstr (goban_graph_get_name (graph), ==, "test");
}

static void
test_backward (void)
{
  GobanReadOptions options = { .with_backward = TRUE };
  g_autoptr (GobanGraph) graph = read_text_with ("pipedream", small, &options);
  GobanNodeId forward = goban_graph_find_node (graph, "node2");
  GobanNodeId backward = goban_graph_find_node (graph, "grad/node2");
  GobanNodeId last = goban_graph_find_node (graph, "grad/node1");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 4);
  /* node1 -> node2, each node -> its gradient, grad/node2 -> grad/node1 */
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 4);
  g_assert_cmpuint (backward, <, last);
  g_assert_cmpfloat (time_of (graph, "grad/node2", "gpu"), ==, 2500);
  g_assert_cmpint (goban_graph_get_node (graph, backward)->phase, ==, GOBAN_PHASE_BACKWARD);
  g_assert_cmpuint (goban_graph_get_node (graph, backward)->group, ==,
                    goban_graph_get_node (graph, forward)->group);
  g_assert_cmpuint (goban_graph_get_node (graph, last)->group, !=,
                    goban_graph_get_node (graph, forward)->group);
  /* The gradient of what node1 wrote is as large as it. */
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, backward), ==, 32);
}

static void
test_real (void)
{
  static const struct
  {
    const char *name;
    guint n_nodes, n_edges;
    double forward_ms, backward_ms, ratio;
  } expected[] = {
    { "inception_v3", 326, 362, 311.0, 399.8, 0.63 },
    { "nasnetalarge", 1251, 1468, 416.1, 249.2, 0.29 },
    { "gnmt", 48, 58, 33.5, 55.9, 0.999 },
    { "resnet50", 177, 193, 201.5, 260.9, 0.93 },
  };
  GobanReadOptions options = { .with_backward = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *name = g_strdup_printf ("pipedream/%s.graph.txt", expected[i].name);
      g_autoptr (GobanGraph) graph = load_shared (name, "pipedream");
      g_autoptr (GobanGraph) training = NULL;
      g_autofree char *path = NULL;

      if (graph == NULL)
        return;
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, expected[i].n_nodes);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, expected[i].n_edges);
      assert_near (sum_ms (graph, "gpu", GOBAN_PHASE_FORWARD), expected[i].forward_ms, 0.0501);
      assert_near (path_ratio (graph, "gpu"), expected[i].ratio, 0.005);

      path = shared_data_path (name);
      training = goban_graph_load (path, NULL, &options, NULL);
      g_assert_cmpuint (goban_graph_get_n_nodes (training), ==, 2 * expected[i].n_nodes);
      assert_near (sum_ms (training, "gpu", GOBAN_PHASE_BACKWARD), expected[i].backward_ms, 0.0501);
    }
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "\n\n", "no nodes" },
    { "node1 -- Input0\n", "test.txt:1: a node is" },
    { "node1 -- A -- forward_compute_time=1.0", "backward_compute_time is missing" },
    { "node1 -- A -- " FIELDS (x, 0, 0, 0), "forward_compute_time is “x”" },
    { "node1 -- A -- " FIELDS (nan, 0, 0, 0), "not an amount" },
    { "node1 -- A -- " FIELDS (-1, 0, 0, 0), "not an amount" },
    { "node1 -- A -- " FIELDS (1e999, 0, 0, 0), "not an amount" },
    { "node1 -- A -- " FIELDS (1, 0, [1; 2, 0), "not an amount" },
    { " -- A -- " FIELDS (1, 0, 0, 0), "test.txt:1: " },
    { "a -- A -- " FIELDS (1, 0, 0, 0) "\na -- A -- " FIELDS (1, 0, 0, 0), "test.txt:2: node “a”" },
    { "a -- A -- " FIELDS (1, 0, 0, 0) "\n\ta -- b\n", "test.txt:2: the edge names node “b”" },
    { "a -- A -- " FIELDS (1, 0, 0, 0) "\n\ta\n", "test.txt:2: an edge is" },
    { "a -- A -- " FIELDS (1, 0, 0, 0) "\n\ta -- a\n", "cycle" },
    { "a -- \xff -- " FIELDS (1, 0, 0, 0), "not UTF-8" },
  };

  check_bad_texts ("pipedream", cases, G_N_ELEMENTS (cases));
}

TEST_PROGRAM (pipedream)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/pipedream/reads/fields", test_fields);
  g_test_add_func ("/io/pipedream/reads/backward", test_backward);
  g_test_add_func ("/io/pipedream/reads/real-profiles", test_real);
  g_test_add_func ("/io/pipedream/rejects/bad-texts", test_bad);
  return g_test_run ();
}
