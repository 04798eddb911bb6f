/* Names of parameters: their own, or numbers if these say nothing; each once. */
#include "engine/study/analysis/hierarchy/cell-names.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* A chain of products with weights of these names. */
static GobanGraph *
make_chain (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");
  guint32 before = G_MAXUINT32;

  for (; *names != NULL; names++)
    {
      guint32 v = goban_graph_builder_add_node (builder, *names, "MatMul");

      goban_graph_builder_get_node (builder, v)->param_bytes = 1e6;
      goban_graph_builder_get_node (builder, v)->macs = 100;
      if (before != G_MAXUINT32)
        goban_graph_builder_add_edge (builder, before, v);
      before = goban_graph_builder_add_tensor (builder, v, 1000);
    }
  return toy_finish (builder);
}

static void
assert_names (const char *const *own, const char *const *expected)
{
  g_autoptr (GobanGraph) graph = make_chain (own);
  g_autoptr (GobanCells) cells = goban_cells_new_of_params (graph, NULL);
  g_auto (GStrv) names = goban_cell_names_new (graph, cells);

  g_assert_cmpstrv (names, expected);
}

static void
test_names (void)
{
  static const char *const own[]
      = { "conv1/kernel", "17", "parameter 2", "\xc3\xa9", "_4.2", NULL };
  static const char *const expected[]
      = { "conv1", "parameter 2", "parameter 2 (2)", "\xc3\xa9", "parameter 5", NULL };

  assert_names (own, expected);
}

/* What tells a parameter from all others is enough. */
static void
test_scopes (void)
{
  static const char *const own[]
      = { "enc/layer_1/kernel",   "enc/layer_2/fw/kernel", "enc/layer_2/bw/kernel",
          "soft/max/kernel",      "dec/q_kernel",          "dec/q_kernel/half",
          "bert.layer.1.query.w", "bert.layer.2.query.w",  NULL };
  static const char *const expected[]
      = { "enc/layer_1",       "enc/layer_2/fw", "enc/layer_2/bw", "soft", "dec/q_kernel",
          "dec/q_kernel/half", "bert.layer.1",   "bert.layer.2",   NULL };

  assert_names (own, expected);
}

/* A stem that all nodes have says nothing of any. */
static void
test_counted (void)
{
  static const char *const counted[] = { "node4", "node5", "node12", NULL };
  static const char *const numbers[] = { "parameter 1", "parameter 2", "parameter 3", NULL };
  static const char *const named[] = { "node4", "node5", "nodes12", NULL };
  static const char *const bare[] = { "node4", "node", NULL };

  assert_names (counted, numbers);
  assert_names (named, named);
  assert_names (bare, bare);
}

/* A table that is looked up at one end and multiplied at the other is two parameters. */
static void
test_tied (void)
{
  static const char *const expected[] = { "table (Gather)", "table (MatMul)", NULL };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("tied", "test");
  guint32 table = goban_graph_builder_add_node (builder, "table", "Variable");
  guint32 ids = goban_graph_builder_add_node (builder, "ids", "Placeholder");
  guint32 gather = goban_graph_builder_add_node (builder, "gather", "Gather");
  guint32 mul = goban_graph_builder_add_node (builder, "mul", "MatMul");
  guint32 weights = goban_graph_builder_add_tensor (builder, table, 1e6);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCells) cells = NULL;
  g_auto (GStrv) names = NULL;

  goban_graph_builder_get_node (builder, table)->param_bytes = 1e6;
  goban_graph_builder_get_node (builder, mul)->macs = 100;
  goban_graph_builder_add_edge (builder, weights, gather);
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, ids, 256),
                                gather);
  goban_graph_builder_add_edge (builder, weights, mul);
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, gather, 1000),
                                mul);
  graph = toy_finish (builder);
  cells = goban_cells_new_of_params (graph, NULL);
  names = goban_cell_names_new (graph, cells);
  g_assert_cmpstrv (names, expected);
}

static void
test_uses (void)
{
  g_autofree char *name = goban_cell_dup_use_name (2);

  g_assert_cmpstr (name, ==, "use 3");
}

TEST_PROGRAM (cell_names)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/cell-names/names", test_names);
  g_test_add_func ("/analysis/cell-names/scopes", test_scopes);
  g_test_add_func ("/analysis/cell-names/counted", test_counted);
  g_test_add_func ("/analysis/cell-names/tied", test_tied);
  g_test_add_func ("/analysis/cell-names/uses", test_uses);
  return g_test_run ();
}
