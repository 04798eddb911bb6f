/* Names of parameters: their own, or numbers if these say nothing; each once. */
#include "engine/session/cell-names.h"

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
test_names (void)
{
  static const char *const own[]
      = { "conv1/kernel", "17", "parameter 2", "\xc3\xa9", "_4.2", NULL };
  static const char *const expected[]
      = { "conv1/kernel", "parameter 2", "parameter 2 (2)", "\xc3\xa9", "parameter 5", NULL };
  g_autoptr (GobanGraph) graph = make_chain (own);
  g_autoptr (GobanCells) cells = goban_cells_new_of_params (graph, NULL);
  g_auto (GStrv) names = goban_cell_names_new (graph, cells);

  g_assert_cmpstrv (names, expected);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/cell-names/names", test_names);
  g_test_add_func ("/session/cell-names/tied", test_tied);
  g_test_add_func ("/session/cell-names/uses", test_uses);
  return g_test_run ();
}
