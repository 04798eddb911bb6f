#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static const char small[]
    = "{\"maxFPGAs\": 2, \"maxCPUs\": 1, \"maxSizePerFPGA\": 1000000, \"nodes\": [\n"
      "{\"id\": 7, \"supportedOnFpga\": 0, \"cpuLatency\": 3, \"fpgaLatency\": 1,"
      " \"isBackwardNode\": 1, \"colorClass\": -5, \"size\": 64, \"name\": \"x/Add_3\"},\n"
      "{\"id\": 2, \"supportedOnFpga\": true, \"cpuLatency\": 2.5, \"fpgaLatency\": 0.5,"
      " \"isBackwardNode\": false, \"colorClass\": -5, \"size\": 0},\n"
      "{\"id\": 3, \"cpuLatency\": 0, \"fpgaLatency\": 0}],\n"
      "\"edges\": [{\"sourceId\": 2, \"destId\": 7, \"cost\": 4, \"size\": 100},\n"
      "{\"sourceId\": 2, \"destId\": 3, \"cost\": 4, \"size\": 100},\n"
      "{\"sourceId\": 3, \"destId\": 7, \"cost\": 1}]}";

static void
test_fields (void)
{
  g_autoptr (GobanGraph) graph = read_text ("msr", small);
  const GobanNode *add = goban_graph_get_node (graph, goban_graph_find_node (graph, "x/Add_3"));
  const GobanNode *node2 = goban_graph_get_node (graph, goban_graph_find_node (graph, "node2"));

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  /* Edges of one source that cost the same carry one tensor. */
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 2);
  g_assert_cmpstr (add->op, ==, "Add");
  g_assert_cmpint (add->phase, ==, GOBAN_PHASE_BACKWARD);
  g_assert_cmpfloat (add->param_bytes, ==, 64);
  g_assert_cmpuint (add->group, ==, node2->group);
  g_assert_true (isinf (time_of (graph, "x/Add_3", "gpu")));
  g_assert_cmpfloat (time_of (graph, "x/Add_3", "cpu"), ==, 3000);
  g_assert_cmpfloat (time_of (graph, "node2", "gpu"), ==, 500);
  g_assert_cmpfloat (transfer_of (graph, "node2", "gpu", "cpu"), ==, 4000);
  g_assert_cmpfloat (transfer_of (graph, "node2", "cpu", "gpu"), ==, 4000);
  g_assert_cmpfloat (transfer_of (graph, "node2", "gpu", "gpu"), ==, 8000);
  g_assert_cmpfloat (transfer_of (graph, "node2", "cpu", "cpu"), ==, 0);
  g_assert_nonnull (strstr (goban_graph_get_warnings (graph)[0], "2 accelerators"));
  g_assert_null (goban_graph_get_warnings (graph)[1]);
}

static gboolean
warns_of_seconds (const GobanGraph *graph)
{
  for (const char *const *w = goban_graph_get_warnings (graph); *w != NULL; w++)
    if (strstr (*w, "look like seconds") != NULL)
      return TRUE;
  return FALSE;
}

static void
test_real (void)
{
  static const struct
  {
    const char *name;
    guint n_nodes, n_edges;
    double gpu_ms, cpu_ms;
    gboolean odd_costs;
  } expected[] = {
    { "latency-layer-bert24_inference", 32, 55, 92.406, 924.06, FALSE },
    { "latency-op-bert_l-3_inference", 235, 250, 49.3526, 1135.109, FALSE },
    { "throughput-layer-gnmt_training", 192, 244, 520.453, 5204.53, TRUE },
    { "throughput-op-bert_l-12_training", 2012, 2751, 1891.7423, 43510.0734, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *name = g_strdup_printf ("msr/%s.json", expected[i].name);
      g_autoptr (GobanGraph) graph = load_shared (name, "msr");

      if (graph == NULL)
        return;
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, expected[i].n_nodes);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, expected[i].n_edges);
      assert_near (sum_ms (graph, "gpu", GOBAN_PHASE_FORWARD)
                       + sum_ms (graph, "gpu", GOBAN_PHASE_BACKWARD),
                   expected[i].gpu_ms, 1e-3);
      assert_near (sum_ms (graph, "cpu", GOBAN_PHASE_FORWARD)
                       + sum_ms (graph, "cpu", GOBAN_PHASE_BACKWARD),
                   expected[i].cpu_ms, 1e-3);
      g_assert_cmpint (warns_of_seconds (graph), ==, expected[i].odd_costs);
    }
}

static void
test_split_is_no_graph (void)
{
  g_autoptr (GError) error = NULL;
  const GobanFormat *msr = goban_format_find ("msr", NULL);
  const char *split = "{\"fpgas\": [{\"load\": 1, \"nodes\": [1]}], \"cpus\": []}";

  g_assert_cmpint (msr->sniff (split, strlen (split), "x.json"), ==, 0);
}

#define NODE "{\"id\": 1, \"cpuLatency\": 1, \"fpgaLatency\": 1}"

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "[]", "the top level is a list: an object is needed" },
    { "{", "test.txt:1:" },
    { "{\"nodes\": [\n{\"id\": 1", "test.txt:2:" },
    { "{}", "test.txt:1: nodes is missing" },
    { "{\"nodes\": {}}", "nodes is an object: a list is needed" },
    { "{\"nodes\": [" NODE "]}", "edges is missing" },
    { "{\"nodes\": [], \"edges\": []}", "no nodes" },
    { "{\"nodes\": [\n3], \"edges\": []}", "test.txt:2: nodes[0] is 3: an object is needed" },
    { "{\"nodes\": [{}], \"edges\": []}", "nodes[0].id is missing" },
    { "{\"nodes\": [{\"id\": \"1\"}], \"edges\": []}", "nodes[0].id is “1”: a whole number from" },
    { "{\"nodes\": [{\"id\": 1.5}], \"edges\": []}", "nodes[0].id is 1.5: a whole number from" },
    { "{\"nodes\": [{\"id\": 1, \"cpuLatency\": 1}], \"edges\": []}",
      "nodes[0].fpgaLatency is missing" },
    { "{\"nodes\": [{\"id\": 1, \"fpgaLatency\": 1}], \"edges\": []}",
      "nodes[0].cpuLatency is missing" },
    { "{\"nodes\": [{\"id\": 1, \"fpgaLatency\": -1}], \"edges\": []}",
      "nodes[0].fpgaLatency is -1: a number of at least 0 is needed" },
    { "{\"nodes\": [{\"id\": 1, \"fpgaLatency\": NaN}], \"edges\": []}", "test.txt:1:" },
    { "{\"nodes\": [{\"id\": 1, \"fpgaLatency\": 1e999}], \"edges\": []}",
      "nodes[0].fpgaLatency is 1e999: a number of at least 0 is needed" },
    { "{\"nodes\": [{\"id\": 1, \"supportedOnFpga\": 2}], \"edges\": []}",
      "nodes[0].supportedOnFpga is 2: true or false is needed" },
    { "{\"nodes\": [{\"id\": 1, \"name\": 2}], \"edges\": []}",
      "nodes[0].name is 2: a text is needed" },
    { "{\"nodes\": [" NODE ",\n" NODE "], \"edges\": []}",
      "test.txt:2: nodes[1]: the id 1 is given twice" },
    { "{\"nodes\": [" NODE "], \"edges\": [\n{\"sourceId\": 1, \"destId\": 9, \"cost\": 1}]}",
      "test.txt:2: edges[0]: destId: there is no node with the id 9" },
    { "{\"nodes\": [" NODE "], \"edges\": [{\"sourceId\": 1, \"destId\": 1}]}",
      "edges[0].cost is missing" },
    { "{\"nodes\": [" NODE "], \"edges\": [{\"sourceId\": 1, \"destId\": 1, \"cost\": 1}]}",
      "cycle: node1" },
    { "{\"nodes\": [], \"x\": \"\xff\"}", "not UTF-8" },
    { "{\"nodes\": [/* no */], \"edges\": []}", "unexpected “/”; a value is expected" },
    { "{\"nodes\": [], \"edges\": [], \"name\": \"\\ud800\"}",
      "this escape does not stand for a character" },
  };

  check_bad_texts ("msr", cases, G_N_ELEMENTS (cases));
}

/* json-glib recurses: 100,000 brackets would end the program. */
static void
test_deep (void)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *text = g_strconcat ("{\"nodes\": ", deep, NULL);
  BadText cases[] = { { text, "nests too deeply" } };

  check_bad_texts ("msr", cases, 1);
}

TEST_PROGRAM (msr)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/msr/reads/fields", test_fields);
  g_test_add_func ("/io/msr/reads/real-graphs", test_real);
  g_test_add_func ("/io/msr/sniffs/no-split-files", test_split_is_no_graph);
  g_test_add_func ("/io/msr/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/msr/rejects/deep-nesting", test_deep);
  return g_test_run ();
}
