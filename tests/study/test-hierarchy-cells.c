/* Groups by parameters and uses: an unrolled net without any scopes, real files, and what must hold
 * of every graph. */
#include "engine/study/analysis/hierarchy/hierarchy.h"

#include "engine/graph/cells.h"
#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "tests/sim/scenario.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* --- an unrolled net ----------------------------------------------------------------- */

static guint32
add_node (GobanGraphBuilder *builder, const char *name, const char *op, double param_bytes)
{
  guint32 v = goban_graph_builder_add_node (builder, name, op);
  GobanNode *node = goban_graph_builder_get_node (builder, v);

  node->param_bytes = param_bytes;
  node->macs = node->flops = g_str_equal (op, "MatMul") ? 100 : 0;
  return v;
}

static void
link_nodes (GobanGraphBuilder *builder, guint32 from, guint32 to, double bytes)
{
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, from, bytes), to);
}

/* Weights w1 and w2 of three uses each, and w3 of one; a use is a product and a tanh, in one chain:
 *
 *   x - mul w1 - tanh - mul w2 - tanh - ...     three times, and then     mul w3 - tanh
 */
static GobanGraph *
make_net (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("net", "test");
  guint32 weights[]
      = { add_node (builder, "w1", "Variable", 1e6), add_node (builder, "w2", "Variable", 1e6),
          add_node (builder, "w3", "Variable", 1e6) };
  guint32 last = add_node (builder, "x", "Placeholder", 0);
  guint n = 0;

  for (guint k = 0; k < 3; k++)
    for (guint w = 0; w < (k < 2 ? 2 : 3); w++)
      {
        g_autofree char *product = g_strdup_printf ("n%u", n++);
        g_autofree char *squashed = g_strdup_printf ("n%u", n++);
        guint32 mul = add_node (builder, product, "MatMul", 0);
        guint32 tanh = add_node (builder, squashed, "Tanh", 0);

        link_nodes (builder, weights[w], mul, 1e6);
        link_nodes (builder, last, mul, 1000);
        link_nodes (builder, mul, tanh, 4000);
        last = tanh;
      }
  return toy_finish (builder);
}

static void
assert_text (GobanGraph *graph, GobanGrouping grouping, const char *expected)
{
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, grouping, NULL);
  g_autofree char *text = goban_hierarchy_to_text (hierarchy, G_MAXUINT);

  g_assert_cmpstr (text, ==, expected);
  g_assert_null (goban_hierarchy_get_flat_reason (hierarchy));
}

static void
test_by_parameter (void)
{
  g_autoptr (GobanGraph) graph = make_net ();
  g_autoptr (GobanHierarchy) hierarchy
      = goban_hierarchy_new (graph, GOBAN_GROUPING_PARAMETER, NULL);

  assert_text (graph, GOBAN_GROUPING_PARAMETER,
               "all  18 nodes, 3 groups\n"
               "  w1  8 nodes, 3 groups\n"
               "    use 1  4 nodes\n"
               "    use 2  2 nodes\n"
               "    use 3  2 nodes\n"
               "  w2  7 nodes, 3 groups\n"
               "    use 1  3 nodes\n"
               "    use 2  2 nodes\n"
               "    use 3  2 nodes\n"
               "  w3  3 nodes\n");
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "w2/use 3"), ==, 8);
}

/* What is used once belongs to no step. */
static void
test_by_use (void)
{
  g_autoptr (GobanGraph) graph = make_net ();
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_USE, NULL);
  guint32 step = goban_hierarchy_find (hierarchy, "use 3/w2");

  assert_text (graph, GOBAN_GROUPING_USE,
               "all  18 nodes, 4 groups\n"
               "  use 1  7 nodes, 2 groups\n"
               "    w1  4 nodes\n"
               "    w2  3 nodes\n"
               "  used once  3 nodes\n"
               "  use 2  4 nodes, 2 groups\n"
               "    w1  2 nodes\n"
               "    w2  2 nodes\n"
               "  use 3  4 nodes, 2 groups\n"
               "    w1  2 nodes\n"
               "    w2  2 nodes\n");
  g_assert_cmpuint (step, !=, GOBAN_NO_SUCH_GROUP);
  g_assert_cmpuint (goban_hierarchy_get_group_of (hierarchy, goban_graph_find_node (graph, "n10")),
                    ==, step);
}

/* A table that is looked up at one end and multiplied at the other is two parameters. */
static void
test_tied_names (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("tied", "test");
  guint32 table = add_node (builder, "table", "Variable", 1e6);
  guint32 ids = add_node (builder, "ids", "Placeholder", 0);
  guint32 gather = add_node (builder, "gather", "Gather", 0);
  guint32 mul = add_node (builder, "mul", "MatMul", 0);
  g_autoptr (GobanGraph) graph = NULL;

  link_nodes (builder, table, gather, 1e6);
  link_nodes (builder, ids, gather, 256);
  link_nodes (builder, gather, mul, 1000);
  link_nodes (builder, table, mul, 1e6);
  graph = toy_finish (builder);
  assert_text (graph, GOBAN_GROUPING_PARAMETER,
               "all  4 nodes, 1 groups, 1 loose\n"
               "  table (Gather)  3 nodes\n");
}

/* Separators before a name are of its path; nodes are called by what their group does not say. */
static void
test_labels (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("labels", "test");
  guint32 x = add_node (builder, "/x", "Input", 0);
  guint32 first = add_node (builder, "/a/first/MatMul", "MatMul", 1e6);
  guint32 relu = add_node (builder, "/a/first/Relu", "Relu", 0);
  guint32 second = add_node (builder, "/b/MatMul", "MatMul", 1e6);
  guint32 other = add_node (builder, "/c/Relu", "Relu", 0);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanHierarchy) hierarchy = NULL;

  link_nodes (builder, x, first, 10);
  link_nodes (builder, first, relu, 4000);
  link_nodes (builder, relu, second, 10);
  link_nodes (builder, second, other, 4000);
  graph = toy_finish (builder);
  assert_text (graph, GOBAN_GROUPING_PARAMETER,
               "all  5 nodes, 2 groups\n"
               "  a  3 nodes\n"
               "  b  2 nodes\n");
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_PARAMETER, NULL);
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "/b"), ==, 2);
  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, relu), ==, "first/Relu");
  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, other), ==, "c/Relu");
}

/* --- nothing to group by ------------------------------------------------------------- */

static void
assert_flat (GobanGraph *graph, GobanGrouping grouping, const char *reason)
{
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, grouping, NULL);

  g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), ==, grouping);
  g_assert_cmpuint (goban_hierarchy_get_n_groups (hierarchy), ==, 1);
  if (reason != NULL)
    g_assert_nonnull (strstr (goban_hierarchy_get_flat_reason (hierarchy), reason));
  else
    g_assert_null (goban_hierarchy_get_flat_reason (hierarchy));
}

/* Each weight is used once by the op that holds it: layers, but no steps. */
static GobanGraph *
make_chain (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");
  guint32 last = add_node (builder, "x", "Input", 0);

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("fc_%u", i);
      g_autofree char *after = g_strdup_printf ("relu_%u", i);
      guint32 fc = add_node (builder, name, "MatMul", 1e6);
      guint32 relu = add_node (builder, after, "Relu", 0);

      link_nodes (builder, last, fc, 1000);
      link_nodes (builder, fc, relu, 1000);
      last = relu;
    }
  return toy_finish (builder);
}

static void
test_flat (void)
{
  g_autoptr (GobanGraph) tasks = toy_two_chains (20);
  g_autoptr (GobanGraph) chain = make_chain ();

  assert_flat (tasks, GOBAN_GROUPING_PARAMETER, "fewer than two parameters");
  assert_flat (tasks, GOBAN_GROUPING_USE, "used more than once");
  assert_flat (tasks, GOBAN_GROUPING_SCOPE, "no scopes");
  assert_flat (tasks, GOBAN_GROUPING_LAYER, "no numbered layers");
  assert_flat (tasks, GOBAN_GROUPING_STEP, "no numbered time steps");
  assert_flat (tasks, GOBAN_GROUPING_CLUSTER, "fuses nothing");
  assert_flat (tasks, GOBAN_GROUPING_NONE, NULL);
  assert_flat (chain, GOBAN_GROUPING_USE, "used more than once");
  assert_text (chain, GOBAN_GROUPING_PARAMETER,
               "all  7 nodes, 3 groups\n"
               "  fc_1  3 nodes\n"
               "  fc_2  2 nodes\n"
               "  fc_3  2 nodes\n");
}

/* --- every graph --------------------------------------------------------------------- */

static char *
dump (GobanGraph *graph, GobanGrouping grouping)
{
  g_autoptr (GobanHierarchy) self = goban_hierarchy_new (graph, grouping, NULL);
  GString *text = g_string_new (NULL);

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (self); g++)
    g_string_append_printf (text, "%s|%s\n", goban_hierarchy_get_group (self, g)->path,
                            goban_hierarchy_get_group (self, g)->name);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_string_append_printf (text, "%u\n", goban_hierarchy_get_group_of (self, v));
  return g_string_free (text, FALSE);
}

/* Every node is in one group; groups are worth a box, and found by their paths. */
static void
check_groups (GobanGraph *graph, GobanGrouping grouping)
{
  g_autoptr (GobanHierarchy) self = goban_hierarchy_new (graph, grouping, NULL);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *seen = g_new0 (guint8, n_nodes + 1);
  gboolean is_flat = goban_hierarchy_get_flat_reason (self) != NULL;

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (self); g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (self, g);
      guint n;
      const GobanNodeId *own = goban_hierarchy_get_own (self, g, &n);

      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpuint (goban_hierarchy_get_group_of (self, own[i]), ==, g);
          g_assert_cmpuint (seen[own[i]]++, ==, 0);
        }
      g_assert_cmpuint (goban_hierarchy_find (self, group->path), ==, g);
      g_assert_true (is_flat || group->n_groups + group->n_own <= GOBAN_GROUP_MOST);
      g_assert_true (g == 0 || group->n_nodes >= 2);
      g_assert_false (g != 0 && group->n_own == 0 && group->n_groups == 1);
      g_assert_true (g == 0 || g_str_has_suffix (group->path, group->name));
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    g_assert_cmpuint (seen[v], ==, 1);
}

/* Nodes of one group that no fold holds have the same coordinate, nodes of two have not. */
static void
check_coordinates (GobanGraph *graph)
{
  g_autoptr (GobanCells) cells = goban_cells_new_of_params (graph, NULL);
  g_autoptr (GobanHierarchy) self = goban_hierarchy_new (graph, GOBAN_GROUPING_PARAMETER, NULL);
  g_autofree guint32 *group_of = NULL;

  if (cells == NULL)
    return;
  group_of = g_new0 (guint32, cells->n_params);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    {
      guint32 param = cells->param_of[cells->cell_of[v]];
      guint32 g = goban_hierarchy_get_group_of (self, v);

      while (goban_hierarchy_get_group (self, g)->depth > 1)
        g = goban_hierarchy_get_group (self, g)->parent;
      if (g == 0 || goban_hierarchy_get_group (self, g)->is_fold)
        continue;
      g_assert_true (group_of[param] == 0 || group_of[param] == g);
      group_of[param] = g;
    }
  for (guint32 p = 0; p < cells->n_params; p++)
    for (guint32 q = 0; q < p && p < 100; q++)
      g_assert_true (cells->n_params == 1 || group_of[p] == 0 || group_of[p] != group_of[q]);
}

static void
check_graph (GobanGraph *graph)
{
  static const GobanGrouping groupings[] = { GOBAN_GROUPING_PARAMETER, GOBAN_GROUPING_USE };

  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    {
      g_autofree char *text = dump (graph, groupings[i]);
      g_autofree char *again = dump (graph, groupings[i]);

      check_groups (graph, groupings[i]);
      g_assert_cmpstr (text, ==, again);
    }
  check_coordinates (graph);
}

static void
test_families (void)
{
  static const char *const specs[]
      = { "rnnlm:layers=2,steps=6", "gnmt:layers=2", "transformer-xl:layers=2",
          "inception-v3",           "amoebanet",     "wavenet:stacks=1,layers=8" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], &error);

      g_assert_no_error (error);
      check_graph (graph);
    }
}

static void
test_random (void)
{
  for (guint64 seed = 0; seed < 100; seed++)
    {
      GraphGen gen = graph_gen_small (1 + (guint) seed);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);

      check_graph (graph);
    }
}

/* --- files --------------------------------------------------------------------------- */

static void
test_sample (void)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  g_autoptr (GobanHierarchy) hierarchy = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  check_graph (graph);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_PARAMETER, NULL);
  text = goban_hierarchy_to_text (hierarchy, 1);
  golden_assert ("hierarchy-resnet-50-parameters.txt", text);
}

static void
test_real_files (void)
{
  static const char *const files[]
      = { "onnx/light_resnet50.onnx", "msr/throughput-op-bert_l-12_training.json",
          "pipedream/gnmt.graph.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = shared_data_path (files[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;

      if (path == NULL)
        return;
      graph = goban_graph_load (path, NULL, NULL, &error);
      g_assert_no_error (error);
      check_graph (graph);
    }
}

/* --- unasked ------------------------------------------------------------------------- */

/* The same graph with numbers for names. */
static GobanGraph *
strip_names (GobanGraph *graph)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("stripped", "test");
  g_autofree guint32 *tensors = g_new (guint32, goban_graph_get_n_tensors (graph));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      g_autofree char *name = g_strdup_printf ("%u", v);
      guint32 id = goban_graph_builder_add_node (builder, name, node->op);
      GobanNode *copy = goban_graph_builder_get_node (builder, id);
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      copy->flops = node->flops;
      copy->macs = node->macs;
      copy->param_bytes = node->param_bytes;
      copy->phase = node->phase;
      for (GobanTensorId t = first; t < first + n_tensors; t++)
        tensors[t] = goban_graph_builder_add_tensor (builder, id,
                                                     goban_graph_get_tensor (graph, t)->size_bytes);
      for (guint i = 0; i < in.n; i++)
        goban_graph_builder_add_edge (builder,
                                      tensors[goban_graph_get_edge (graph, in.ids[i])->tensor], id);
    }
  return toy_finish (builder);
}

/* A graph whose names say nothing is grouped by parameter at first glance. */
static void
test_auto (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) named = goban_workload_generate ("rnnlm:layers=2,steps=40", &error);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) small = make_net ();
  g_autoptr (GobanHierarchy) hierarchy = NULL;

  g_assert_no_error (error);
  graph = strip_names (named);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_AUTO, NULL);
  g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), ==, GOBAN_GROUPING_PARAMETER);
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "parameter 2/use 40"), !=,
                    GOBAN_NO_SUCH_GROUP);
  g_clear_pointer (&hierarchy, goban_hierarchy_unref);
  hierarchy = goban_hierarchy_new (named, GOBAN_GROUPING_AUTO, NULL);
  g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), ==, GOBAN_GROUPING_SCOPE);
  g_clear_pointer (&hierarchy, goban_hierarchy_unref);
  hierarchy = goban_hierarchy_new (small, GOBAN_GROUPING_AUTO, NULL);
  g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), ==, GOBAN_GROUPING_PARAMETER);
}

TEST_PROGRAM (hierarchy_cells)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/hierarchy-cells/by-parameter", test_by_parameter);
  g_test_add_func ("/analysis/hierarchy-cells/by-use", test_by_use);
  g_test_add_func ("/analysis/hierarchy-cells/labels", test_labels);
  g_test_add_func ("/analysis/hierarchy-cells/tied-names", test_tied_names);
  g_test_add_func ("/analysis/hierarchy-cells/flat", test_flat);
  g_test_add_func ("/analysis/hierarchy-cells/families", test_families);
  g_test_add_func ("/analysis/hierarchy-cells/random", test_random);
  g_test_add_func ("/analysis/hierarchy-cells/sample", test_sample);
  g_test_add_func ("/analysis/hierarchy-cells/real-files", test_real_files);
  g_test_add_func ("/analysis/hierarchy-cells/auto", test_auto);
  return g_test_run ();
}
