#include "ui/commands/edge-walk.h"

#include "engine/graph/graph-builder.h"
#include "tests/support/test-program.h"

/*      a     b
 *     /|\   /|      a -> c twice, a small tensor and a large one to e
 *    c d e f |
 *       \ | /
 *         g       and h alone */
static GobanGraph *
make (void)
{
  GobanGraphBuilder *builder = goban_graph_builder_new ("walk", "test");
  g_autoptr (GError) error = NULL;
  guint32 a, b, ids[8], large, small, twin, of_b, of_d, of_f;
  GobanGraph *graph;

  for (guint i = 0; i < 8; i++)
    ids[i] = goban_graph_builder_add_node (builder, (char[]){ (char) ('a' + i), '\0' }, "Op");
  a = ids[0];
  b = ids[1];
  small = goban_graph_builder_add_tensor (builder, a, 10);
  twin = goban_graph_builder_add_tensor (builder, a, 10);
  large = goban_graph_builder_add_tensor (builder, a, 1000);
  of_b = goban_graph_builder_add_tensor (builder, b, 10);
  of_d = goban_graph_builder_add_tensor (builder, ids[3], 10);
  of_f = goban_graph_builder_add_tensor (builder, ids[5], 20);
  goban_graph_builder_add_edge (builder, small, ids[2]);
  goban_graph_builder_add_edge (builder, twin, ids[2]);
  goban_graph_builder_add_edge (builder, small, ids[3]);
  goban_graph_builder_add_edge (builder, large, ids[4]);
  goban_graph_builder_add_edge (builder, of_b, ids[5]);
  goban_graph_builder_add_edge (builder, of_b, ids[6]);
  goban_graph_builder_add_edge (builder, of_d, ids[6]);
  goban_graph_builder_add_edge (builder, of_f, ids[6]);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  goban_graph_builder_free (builder);
  return graph;
}

/* The letter of what a step from the node of that letter comes to; '-' for nothing. */
static char
letter (GobanGraph *graph, GobanNodeId node)
{
  return node == GOBAN_NO_NODE ? '-' : *goban_graph_get_node (graph, node)->name;
}

static GobanNodeId
find (GobanGraph *graph, char name)
{
  return goban_graph_find_node (graph, (char[]){ name, '\0' });
}

static void
test_along (void)
{
  g_autoptr (GobanGraph) graph = make ();

  g_assert_cmpint (letter (graph, goban_edge_walk_output (graph, find (graph, 'a'))), ==, 'e');
  g_assert_cmpint (letter (graph, goban_edge_walk_output (graph, find (graph, 'b'))), ==, 'f');
  g_assert_cmpint (letter (graph, goban_edge_walk_output (graph, find (graph, 'g'))), ==, '-');
  g_assert_cmpint (letter (graph, goban_edge_walk_input (graph, find (graph, 'g'))), ==, 'f');
  g_assert_cmpint (letter (graph, goban_edge_walk_input (graph, find (graph, 'c'))), ==, 'a');
  g_assert_cmpint (letter (graph, goban_edge_walk_input (graph, find (graph, 'h'))), ==, '-');
}

/* Round and round, and back the same way. */
static void
test_siblings (void)
{
  g_autoptr (GobanGraph) graph = make ();
  static const char *const rounds[] = { "cde", "fg", "ab", "h" };

  for (gsize i = 0; i < G_N_ELEMENTS (rounds); i++)
    for (gsize k = 0; rounds[i][k] != '\0'; k++)
      {
        char next = rounds[i][k + 1] != '\0' ? rounds[i][k + 1] : rounds[i][0];

        /* What is beside a node need not be so for the node beside it: g reads d and f as well. */
        if (rounds[i][k] == 'g' || rounds[i][k] == 'a' || rounds[i][k] == 'b')
          continue;
        g_assert_cmpint (
            letter (graph, goban_edge_walk_sibling (graph, find (graph, rounds[i][k]), 1)), ==,
            next);
      }
  g_assert_cmpint (letter (graph, goban_edge_walk_sibling (graph, find (graph, 'c'), -1)), ==, 'e');
  g_assert_cmpint (letter (graph, goban_edge_walk_sibling (graph, find (graph, 'e'), -1)), ==, 'd');
  g_assert_cmpint (letter (graph, goban_edge_walk_sibling (graph, find (graph, 'h'), -1)), ==, 'h');
}

static void
test_neighbours (void)
{
  static const char *const cases[][2]
      = { { "a", "cde" }, { "g", "bdf" }, { "f", "bg" }, { "h", "" } };
  g_autoptr (GobanGraph) graph = make ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n;
      g_autofree GobanNodeId *ids
          = goban_edge_walk_neighbours (graph, find (graph, *cases[i][0]), &n);
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < n; k++)
        g_string_append_c (text, letter (graph, ids[k]));
      g_assert_cmpstr (text->str, ==, cases[i][1]);
    }
}

TEST_PROGRAM (edge_walk)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edge-walk/along", test_along);
  g_test_add_func ("/edge-walk/siblings", test_siblings);
  g_test_add_func ("/edge-walk/neighbours", test_neighbours);
  return g_test_run ();
}
