#include "engine/graph/drawing.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <string.h>

/* One op, as a new drawing has. */
static GobanGraph *
new_sheet (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("drawing", "json");
  guint32 node = goban_graph_builder_add_node (builder, "a", "Input");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (builder, node, 1000);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* Replaces @graph by the changed one; @code: the Lua of the change. */
static void
change (GobanGraph **graph, GobanDrawChange change, const char *code)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *next = goban_drawing_change (*graph, &change, &error);
  g_autofree char *lua = goban_drawing_dup_code (*graph, &change);

  g_assert_no_error (error);
  g_assert_cmpstr (lua, ==, code);
  g_assert_true (goban_drawing_is (next));
  goban_graph_unref (*graph);
  *graph = next;
}

static GobanNodeId
find (const GobanGraph *graph, const char *name)
{
  return goban_graph_find_node (graph, name);
}

/* a -> b -> c, then without b -> c, with other values of b, without b. */
static void
test_changes (void)
{
  g_autoptr (GobanGraph) graph = new_sheet ();

  change (&graph,
          (GobanDrawChange){
              .kind = GOBAN_DRAW_ADD, .name = "b", .op = "MatMul", .time_us = 20, .bytes = 500 },
          "g:edit{ add = { { name = \"b\", op = \"MatMul\", times = 2.0000000000000002e-05, "
          "outputs = { 500 } } } }");
  change (&graph, (GobanDrawChange){ .kind = GOBAN_DRAW_ADD, .name = "c", .op = "Relu" },
          "g:edit{ add = { { name = \"c\", op = \"Relu\", times = 0, outputs = { 0 } } } }");
  change (&graph,
          (GobanDrawChange){
              .kind = GOBAN_DRAW_CONNECT, .node = find (graph, "a"), .to = find (graph, "b") },
          "g:edit{ rewire = { { \"b\", input = 1, from = \"a\" } } }");
  change (&graph,
          (GobanDrawChange){
              .kind = GOBAN_DRAW_CONNECT, .node = find (graph, "a"), .to = find (graph, "c") },
          "g:edit{ rewire = { { \"c\", input = 1, from = \"a\" } } }");
  change (&graph,
          (GobanDrawChange){
              .kind = GOBAN_DRAW_CONNECT, .node = find (graph, "b"), .to = find (graph, "c") },
          "g:edit{ rewire = { { \"c\", input = 2, from = \"b\" } } }");
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, find (graph, "b")), ==, 500);
  g_assert_cmpfloat (goban_graph_get_time_us (graph, find (graph, "b"), 0), ==, 20);

  change (&graph,
          (GobanDrawChange){
              .kind = GOBAN_DRAW_DISCONNECT, .node = find (graph, "b"), .to = find (graph, "c") },
          "g:edit{ rewire = { { \"c\", input = 2, from = false } } }");
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  change (&graph,
          (GobanDrawChange){ .kind = GOBAN_DRAW_SET,
                             .node = find (graph, "b"),
                             .op = "Conv",
                             .time_us = 1e6,
                             .bytes = 7 },
          "g:edit{ where = { \"b\" }, set = { op = \"Conv\", times = 1, outputs = { 7 } } }");
  g_assert_cmpstr (goban_graph_get_node (graph, find (graph, "b"))->op, ==, "Conv");
  g_assert_cmpfloat (goban_graph_get_time_us (graph, find (graph, "b"), 0), ==, 1e6);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, find (graph, "b")), ==, 7);
  change (&graph, (GobanDrawChange){ .kind = GOBAN_DRAW_REMOVE, .node = find (graph, "b") },
          "g:edit{ where = { \"b\" }, remove = true }");
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
}

static void
refuse (const GobanGraph *graph, GobanDrawChange change, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_drawing_change (graph, &change, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID_GRAPH);
  g_assert_nonnull (strstr (error->message, words));
}

/* A cycle, the last op, and graphs that a change would lose something of. */
static void
test_refused (void)
{
  g_autoptr (GobanGraph) graph = new_sheet ();
  GraphGen gen = graph_gen_small (GOBAN_DRAWING_MOST_NODES + 1);
  g_autoptr (GobanGraph) other = NULL;

  refuse (graph, (GobanDrawChange){ .kind = GOBAN_DRAW_REMOVE }, "a is the last op");
  change (&graph, (GobanDrawChange){ .kind = GOBAN_DRAW_ADD, .name = "b", .op = "" },
          "g:edit{ add = { { name = \"b\", op = \"\", times = 0, outputs = { 0 } } } }");
  change (&graph, (GobanDrawChange){ .kind = GOBAN_DRAW_CONNECT, .node = 0, .to = 1 },
          "g:edit{ rewire = { { \"b\", input = 1, from = \"a\" } } }");
  refuse (graph, (GobanDrawChange){ .kind = GOBAN_DRAW_CONNECT, .node = 1, .to = 0 }, "cycle");
  other = graph_gen_new (&gen, 1);
  g_assert_false (goban_drawing_is (other));
}

TEST_PROGRAM (drawing)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/drawing/changes", test_changes);
  g_test_add_func ("/graph/drawing/refused", test_refused);
  return g_test_run ();
}
