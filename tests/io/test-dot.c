#include "engine/core/error.h"
#include "tests/io/io-support.h"

#include "engine/io/dot/dot-check.h"
#include "engine/io/dot/dot-lock.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <graphviz/cgraph.h>
#include <math.h>
#include <string.h>

static void
test_node_attributes (void)
{
  GobanReadOptions options = { .time_unit_us = 1000 };
  g_autoptr (GobanGraph) graph
      = read_text_with ("dot",
                        "// a comment\n"
                        "strict digraph G { node [shape=box];\n"
                        "subgraph cluster_x { a [time=2 op=Conv bytes=64 memory=\"1 MB\"] }\n"
                        "b [weight=\"1.5 us\", flops=10, macs=5, colocation=x];\n"
                        "c [cost=3, colocation=x, phase=backward, \"time:gpu\"=1, "
                        "\"time:cpu\"=never];\n"
                        "MatMul_7 [label=<some <b>bold</b> words>];\n"
                        "a -> b -> c; a -> MatMul_7 }",
                        &options);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 4);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  /* a's two edges share one tensor. */
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 2);
  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 2000);
  g_assert_cmpfloat (time_of (graph, "b", "*"), ==, 1.5);
  g_assert_cmpfloat (time_of (graph, "c", "*"), ==, 3000);
  g_assert_cmpfloat (time_of (graph, "c", "gpu"), ==, 1000);
  g_assert_true (isinf (time_of (graph, "c", "cpu")));
  g_assert_true (isnan (time_of (graph, "MatMul_7", "*")));
  g_assert_cmpstr (node_of (graph, "a")->op, ==, "Conv");
  g_assert_cmpstr (node_of (graph, "MatMul_7")->op, ==, "MatMul");
  g_assert_cmpfloat (node_of (graph, "a")->param_bytes, ==, 1e6);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "a")), ==,
                     64);
  g_assert_cmpfloat (node_of (graph, "b")->flops, ==, 10);
  g_assert_cmpfloat (node_of (graph, "b")->macs, ==, 5);
  g_assert_cmpuint (node_of (graph, "b")->group, ==, node_of (graph, "c")->group);
  g_assert_cmpuint (node_of (graph, "a")->group, ==, GOBAN_NO_GROUP);
  g_assert_cmpint (node_of (graph, "c")->phase, ==, GOBAN_PHASE_BACKWARD);
  g_assert_cmpint (node_of (graph, "b")->time_source, ==, GOBAN_SOURCE_GIVEN);
  g_assert_cmpint (node_of (graph, "MatMul_7")->time_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_true (warns (graph, "1 of its 4 nodes have no time"));
}

/* Oliver Sinnen's files, and those of his students, have Weight. */
static void
test_spellings (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("dot", "digraph G {\n"
                          "a [Weight=5, SIZE=64, Memory=9, FLOPS=7, Op=Conv];\n"
                          "b [WEIGHT=2, Weight=3, weight=4];\n" /* the exact one counts */
                          "c [Time=6, weight=7];\n"             /* time goes before weight */
                          "d [\"TIME:gpu\"=8, Cost=1];\n"
                          "e [\"Time:gpu\"=1, \"time:gpu\"=9, Bytes=3, bytes=5];\n"
                          "a -> b [Weight=11]; a -> c [Bytes=12]; d -> e [Control=true] }");
  GobanNodeId a = goban_graph_find_node (graph, "a");
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, a, &n_tensors);

  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 5);
  g_assert_cmpfloat (time_of (graph, "b", "*"), ==, 4);
  g_assert_cmpfloat (time_of (graph, "c", "*"), ==, 6);
  g_assert_cmpfloat (time_of (graph, "d", "*"), ==, 1);
  g_assert_cmpfloat (time_of (graph, "d", "gpu"), ==, 8);
  g_assert_cmpfloat (time_of (graph, "e", "gpu"), ==, 9);
  g_assert_cmpfloat (node_of (graph, "a")->param_bytes, ==, 9);
  g_assert_cmpfloat (node_of (graph, "a")->flops, ==, 7);
  g_assert_cmpstr (node_of (graph, "a")->op, ==, "Conv");
  g_assert_cmpuint (n_tensors, ==, 2);
  g_assert_cmpfloat (transfer_of (graph, "a", "*", "*"), ==, 11);
  g_assert_cmpfloat (goban_graph_get_tensor (graph, first)->size_bytes, ==, 64);
  g_assert_cmpfloat (goban_graph_get_tensor (graph, first + 1)->size_bytes, ==, 12);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "e")), ==,
                     5);
  g_assert_true (goban_graph_get_tensor (graph, first + 2)->is_control);
}

static void
test_no_weights (void)
{
  g_autoptr (GobanGraph) other
      = read_text ("dot", "digraph { a [load=5, color=red]; b [load=3]; a -> b [w=2] }");
  g_autoptr (GobanGraph) bare = read_text ("dot", "digraph { a -> b }");

  g_assert_true (warns (other, "no node has a weight that is known here"));
  g_assert_true (warns (other, "its nodes have “color”, “load”")
                 || warns (other, "its nodes have “load”, “color”"));
  g_assert_true (warns (bare, "no node has a weight that is known here"));
}

static void
test_edge_attributes (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("dot", "digraph { a [bytes=8] a -> b [weight=3]; a -> c "
                          "[time=4, size=\"2 kB\"];\n"
                          "a -> d; a -> e; a -> f [control=true]\n"
                          "b -> c [\"time:gpu>cpu\"=7] }");

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 6);
  /* b's own, c's own, d's and e's shared one, a control tensor; and b's. */
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 5);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "a")), ==,
                     8 + 2000 + 8);
  /* The shared one comes first. */
  g_assert_true (isnan (transfer_of (graph, "a", "*", "*")));
  g_assert_cmpfloat (goban_graph_get_transfer_us (graph, 1, goban_graph_find_kind (graph, "*"),
                                                  goban_graph_find_kind (graph, "*")),
                     ==, 3);
  g_assert_cmpfloat (transfer_of (graph, "b", "gpu", "cpu"), ==, 7);
}

static void
test_undirected (void)
{
  g_autoptr (GobanGraph) graph = read_text ("dot", "graph { b -- a; b -- {c d} }");

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  g_assert_cmpuint (goban_graph_find_node (graph, "b"), ==, 0);
  g_assert_true (warns (graph, "undirected"));
}

static void
test_xla_labels (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("dot", "digraph { \"p7.83\" [label=\"p7.83 \\n bf16[30522,16]\"];\n"
                          "\"add.2\" [label=\"add.2 \\n f32[] add(f32[] %a\"];\n"
                          "\"tuple.3\" [label=\"tuple.3 \\n (bf16[4]{0}, s64[])\"];\n"
                          "\"convert.1402\" [label=\"convert.1402 \\n f32[30522,16]\"];\n"
                          "\"p7.83\" -> \"convert.1402\" }");
  GobanNodeId convert = goban_graph_find_node (graph, "convert.1402");
  guint n;
  const GobanTensor *tensor
      = goban_graph_get_tensor (graph, goban_graph_get_node_tensors (graph, convert, &n));

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (node_of (graph, "p7.83")->op, ==, "parameter");
  g_assert_cmpstr (node_of (graph, "add.2")->op, ==, "add");
  g_assert_cmpstr (goban_graph_get_node (graph, convert)->op, ==, "convert");
  g_assert_cmpfloat (tensor->size_bytes, ==, 30522.0 * 16 * 4);
  g_assert_cmpstr (tensor->dtype, ==, "f32");
  g_assert_cmpuint (tensor->n_dims, ==, 2);
  g_assert_cmpint (tensor->dims[0], ==, 30522);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "tuple.3")),
                     ==, 16);
  /* What an instruction moves is known; a parameter moves nothing. */
  g_assert_cmpfloat (goban_graph_get_node (graph, convert)->read_bytes, ==, 30522.0 * 16 * 2);
  g_assert_cmpfloat (goban_graph_get_node (graph, convert)->written_bytes, ==, 30522.0 * 16 * 4);
  g_assert_cmpfloat (node_of (graph, "p7.83")->written_bytes, ==, 0);
}

static void
test_real_xla (void)
{
  g_autoptr (GobanGraph) graph = load_shared ("hlo/bert_single.dot", "dot");

  if (graph == NULL)
    return;
  /* 1381 nodes are declared and 191 more are named by edges; of 2066 edges 35
   * are drawn twice. */
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1572);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2031);
  g_assert_true (warns (graph, "191 of its 1572 nodes have neither time nor size"));
  g_assert_true (warns (graph, "times are estimated"));
}

/* The twin must tell the same as graph.txt. */
static void
test_real_pipedream (void)
{
  g_autoptr (GobanGraph) graph = load_shared ("pipedream/inception_v3.graph.dot", "dot");
  g_autoptr (GobanGraph) twin = NULL;

  if (graph == NULL)
    return;
  twin = load_shared ("pipedream/inception_v3.graph.txt", "pipedream");
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 326);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 362);
  assert_near (sum_ms (graph, "gpu", GOBAN_PHASE_FORWARD),
               sum_ms (twin, "gpu", GOBAN_PHASE_FORWARD), 1e-9);
  assert_near (path_ratio (graph, "gpu"), path_ratio (twin, "gpu"), 1e-12);
  g_assert_cmpstr (node_of (graph, "node77")->op, ==, "Conv2d");
  g_assert_cmpfloat (node_of (graph, "node77")->param_bytes, ==, 221184);
  g_assert_cmpint (node_of (graph, "node77")->time_source, ==, GOBAN_SOURCE_MEASURED);
}

/* --- writing
 * ------------------------------------------------------------------ */

static GobanGraph *
write_and_read (const GobanGraph *graph)
{
  const GobanFormat *dot = goban_format_find ("dot", NULL);
  g_autoptr (GError) error = NULL;
  gsize size;
  g_autofree char *text = dot->write (graph, &size, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (size, ==, strlen (text));
  g_assert_cmpint (dot->sniff (text, size, "x"), >, 0);
  return read_text ("dot", text);
}

static void
assert_same_edges (const GobanGraph *a, const GobanGraph *b)
{
  g_assert_cmpuint (goban_graph_get_n_edges (a), ==, goban_graph_get_n_edges (b));
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (a); e++)
    {
      const GobanEdge *x = goban_graph_get_edge (a, e), *y = goban_graph_get_edge (b, e);
      const GobanTensor *s = goban_graph_get_tensor (a, x->tensor);
      const GobanTensor *t = goban_graph_get_tensor (b, y->tensor);

      g_assert_cmpuint (x->tail, ==, y->tail);
      g_assert_cmpuint (x->head, ==, y->head);
      g_assert_cmpfloat (s->size_bytes, ==, t->size_bytes);
      g_assert_cmpint (s->is_control, ==, t->is_control);
    }

  /* Inputs keep their order. */
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (a); v++)
    {
      GobanEdgeSpan x = goban_graph_get_in_edges (a, v), y = goban_graph_get_in_edges (b, v);

      g_assert_cmpmem (x.ids, x.n * sizeof *x.ids, y.ids, y.n * sizeof *y.ids);
    }
}

static void
assert_same_nodes (const GobanGraph *a, const GobanGraph *b)
{
  g_assert_cmpuint (goban_graph_get_n_nodes (a), ==, goban_graph_get_n_nodes (b));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (a); v++)
    {
      const GobanNode *x = goban_graph_get_node (a, v), *y = goban_graph_get_node (b, v);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpstr (x->op, ==, y->op);
      g_assert_cmpfloat (x->param_bytes, ==, y->param_bytes);
      g_assert_cmpint (x->phase, ==, y->phase);
      g_assert_cmpint (x->time_source, ==, y->time_source);
      g_assert_cmpint (x->size_source, ==, y->size_source);
      g_assert_cmpint (x->group == GOBAN_NO_GROUP, ==, y->group == GOBAN_NO_GROUP);
      g_assert_cmpfloat (goban_graph_get_output_bytes (a, v), ==,
                         goban_graph_get_output_bytes (b, v));
      for (guint k = 0; k < goban_graph_get_n_kinds (a); k++)
        {
          double time_us = goban_graph_get_time_us (a, v, k);
          double again_us = time_of (b, y->name, goban_graph_get_kind (a, k));

          g_assert_true (time_us == again_us || (isnan (time_us) && isnan (again_us)));
        }
    }
}

static void
test_round_trip_random (void)
{
  for (guint i = 0; i < 60; i++)
    {
      GraphGen gen = graph_gen_small (2 + i);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanGraph) again = write_and_read (graph);

      assert_same_nodes (graph, again);
      assert_same_edges (graph, again);
    }
}

static void
test_round_trip_kinds (void)
{
  static const char csv[] = "task,c_task,dir_succ,p0,p1,pc01,pc10,mi\n"
                            "0,\"5,6\",\"1,2\",1,2,\"1e-9,4\",5,7e19\n1,8,2,3,,1,2,3\n2,,,0,0,,,\n";
  g_autoptr (GobanGraph) graph = read_text ("moirai", csv);
  g_autoptr (GobanGraph) again = write_and_read (graph);

  assert_same_nodes (graph, again);
  assert_same_edges (graph, again);
  g_assert_cmpfloat (transfer_of (again, "task0", "p0", "p1"), ==, 1e-9 * 1e3);
  g_assert_cmpfloat (transfer_of (again, "task1", "p1", "p0"), ==, 2000);
}

/* Names that DOT must quote: keywords, quotes, backslashes, line ends, markup.
 */
static void
test_round_trip_names (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("json", "{\"goban\": \"graph\", \"version\": 1,\n"
                           "\"name\": \"the \\\"new\\\" {net}\", \"nodes\": [\n"
                           "{\"name\": \"node\", \"op\": \"say \\\"x\\\"\", \"outputs\": [1]},\n"
                           "{\"name\": \"a b;c\", \"op\": \"<b>\", \"inputs\": [\"node\"]},\n"
                           "{\"name\": \"\xc3\xa9t\xc3\xa9 -> {\", \"op\": \"1.5\"},\n"
                           "{\"name\": \"two\\nlines\", \"op\": \"graph\"}]}");
  g_autoptr (GobanGraph) again = write_and_read (graph);

  for (GobanNodeId v = 0; v < 4; v++)
    {
      g_assert_cmpstr (goban_graph_get_node (graph, v)->name, ==,
                       goban_graph_get_node (again, v)->name);
      g_assert_cmpstr (goban_graph_get_node (graph, v)->op, ==,
                       goban_graph_get_node (again, v)->op);
    }
}

static void
test_graph_names (void)
{
  static const char *const names[]
      = { "x", "-2.5", "\"a b\"", "\"a\\\"{\"", "\"a\" + /* and */ \"b\"", "<a <b>{x</b>>", "" };
  const GobanFormat *dot = goban_format_find ("dot", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("digraph %s {a -> b}", names[i]);
      g_autoptr (GobanGraph) graph = NULL;

      g_test_message ("%s", text);
      g_assert_cmpint (dot->sniff (text, strlen (text), "x"), >, 0);
      /* Nor beyond the end of what is there. */
      for (gsize n = 0; n < strlen (text) - strlen ("{a -> b}"); n++)
        {
          g_autofree char *part = g_memdup2 (text, n);

          g_assert_cmpint (dot->sniff (part, n, "x"), ==, 0);
        }
      graph = read_text ("dot", text);
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
    }
}

/* What DOT cannot say must at least be read again, as one node with its edge.
 */
static void
test_backslashes (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("json", "{\"goban\": \"graph\", \"version\": 1, \"nodes\": [\n"
                           "{\"name\": \"end\\\\\", \"op\": \"a\\\\\\\"b\", \"outputs\": [1]},\n"
                           "{\"name\": \"x\\\\\\ny\", \"inputs\": [\"end\\\\\"]}]}");
  g_autoptr (GobanGraph) again = write_and_read (graph);

  g_assert_cmpstr (goban_graph_get_node (graph, 0)->name, ==, "end\\");
  g_assert_cmpuint (goban_graph_get_n_nodes (again), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (again), ==, 1);
}

/* --- mistakes
 * ------------------------------------------------------------------ */

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "digraph", "test.txt:1: there is no graph in braces" },
    { "digraph {", "test.txt:1: the graph that begins here never ends" },
    { "digraph {}", "no nodes" },
    { "digraph {\n a -> \n}", "test.txt:3: syntax error" },
    { "digraph { a -- b }", "test.txt:1: syntax error" },
    { "digraph {\n a [time=10us, bytes=8] }", "test.txt:2: syntax error near ','; values such as" },
    { "digraph { a [bytes=2e6] }", "\"2e6\" need quotes" },
    { "digraph {\n\n\"a }", "test.txt:3: the string that begins here" },
    { "digraph { a [label=<b }", "the text in <>" },
    { "} digraph {}", "test.txt:1: this brace closes nothing" },
    { "digraph { a -> b -> a }", "cycle: " },
    { "digraph { a -> a }", "cycle: a" },
    { "digraph { a [time=x] }", "node “a”: “x” is not a valid time" },
    { "digraph { a [time=-1] }", "“-1” is not a valid time" },
    { "digraph { a [time=nan] }", "“nan” is not a valid time" },
    { "digraph { a [time=inf] }", "“inf” is not a valid time" },
    { "digraph {\n a [bytes=1e999] }", "test.txt:2: syntax error" },
    { "digraph { a [bytes=\"1e999\"] }", "“1e999” is not a valid size" },
    { "digraph { a [memory=lots] }", "“lots” is not a valid size" },
    { "digraph { a [bytes=unlimited] }", "“unlimited” is not a valid size" },
    { "digraph { a [flops=x] }", "“x” is not a valid flops" },
    { "digraph { a -> b [time=x] }", "edge “a” -> “b”: “x” is not a valid time" },
    { "digraph { a -> b [bytes=x] }", "“x” is not a valid size" },
    { "digraph { a -> b [tensor=1] }", "“1” is not a valid output of its tail" },
    { "digraph { a [label=\"\xff\"] }", "not UTF-8" },
  };

  check_bad_texts ("dot", cases, G_N_ELEMENTS (cases));
}

/* A short text may not ask for gigabytes, nor for a deep recursion. */
static void
test_out_of_proportion (void)
{
  g_autofree char *braces = g_strnfill (100000, '{');
  g_autofree char *deep = g_strconcat ("digraph ", braces, NULL);
  g_autoptr (GString) product = g_string_new ("digraph { {");
  g_autoptr (GString) named = g_string_new ("digraph { subgraph s {");
  g_autoptr (GString) attributes = g_string_new ("digraph { n [");
  BadText cases[4] = { { deep, "nested here more than 250 deep" } };

  for (guint i = 0; i < 20000; i++)
    {
      g_string_append_printf (product, "a%u;", i);
      g_string_append_printf (named, "a%u;", i);
      g_string_append_printf (attributes, "k%u=1,", i);
    }
  g_string_append (product, "} -> {");
  g_string_append (named, "} subgraph s -> subgraph s }");
  g_string_append (attributes, "] ");
  for (guint i = 0; i < 20000; i++)
    {
      g_string_append_printf (product, "b%u;", i);
      g_string_append_printf (attributes, "b%u;", i);
    }
  g_string_append (product, "} }");
  g_string_append (attributes, "}");
  cases[1] = (BadText){ product->str, "edges" };
  cases[2] = (BadText){ named->str, "edges" };
  cases[3] = (BadText){ attributes->str, "attributes" };
  check_bad_texts ("dot", cases, G_N_ELEMENTS (cases));
}

/* cgraph would begin the next text with the rest of the last. */
static void
test_leftovers (void)
{
  static const char *const texts[] = {
    "digraph { a } digraph { b -> c }",
    "digraph { a } nonsense {",
    "digraph { a } }}}",
    "digraph { a } digraph { b } graph { c } x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GobanGraph) graph = read_text ("dot", texts[i]);
      g_autoptr (GobanGraph) next = read_text ("dot", "digraph { x -> y }");

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
      g_assert_true (warns (graph, "only the first graph"));
      g_assert_cmpuint (goban_graph_find_node (next, "x"), ==, 0);
      g_assert_false (warns (next, "first graph"));
    }
}

/* The scanner stays within the string, comment or markup in which a text ended.
 */
static void
test_scanner_state (void)
{
  static const char *const texts[] = {
    "digraph { a } \"never ends",
    "digraph { a } /* never ends",
    "digraph { a } <<<never ends",
    "digraph { a } <x <!-- never ends",
    "digraph { a } # a line",
    "digraph { a } digraph { \"b",
    "digraph { a } digraph { b } digraph {",
    "digraph { a } // a line",
    "\"never ends",
    "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      static const char good[] = "digraph \"x\" { y }";
      GobanReadOptions options = { 0 };
      struct Agraph_s *dot;
      g_autofree char *messages = NULL;

      g_assert_true (goban_dot_lock (NULL, NULL));
      dot = goban_dot_parse (texts[i], strlen (texts[i]), &options, NULL);
      if (dot != NULL)
        agclose (dot);
      dot = goban_dot_parse (good, strlen (good), &options, NULL);
      g_assert_nonnull (dot);
      g_assert_cmpint (agnnodes (dot), ==, 1);
      agclose (dot);
      messages = goban_dot_unlock ();
    }
}

static gpointer
read_often_worker (gpointer data)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (GobanGraph) graph = read_text ("dot", "digraph { a -> b -> c; a -> c }");
      BadText bad[] = { { "digraph {\n\n a -> }", "test.txt:3" } };

      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
      check_bad_texts ("dot", bad, 1);
    }
  return NULL;
}

/* cgraph's parser is one for the whole program. */
static void
test_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < 4; i++)
    threads[i] = g_thread_new ("reader", read_often_worker, NULL);
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

static gboolean
stop_soon (gpointer data)
{
  return ++*(guint *) data > 3;
}

/* Files of cgraph are read one after the other: who waits for a long one can be
 * stopped. */
static void
test_waiting (void)
{
  static const char *const texts[][2]
      = { { "dot", "digraph { a }" }, { "gxl", "<gxl><graph><node id='a'/></graph></gxl>" } };
  g_autofree char *messages = NULL;

  g_assert_true (goban_dot_lock (NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      guint n_asked = 0;
      GobanProgress progress = { .should_stop = stop_soon, .user_data = &n_asked };
      GobanReadOptions options = { .progress = &progress };
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_format_find (texts[i][0], NULL)
                         ->read (texts[i][1], strlen (texts[i][1]), "x", &options, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
  messages = goban_dot_unlock ();
}

/* cgraph takes seconds for a large file, which do not keep anybody waiting who
 * stops it. */
static void
test_stopped (void)
{
  g_autoptr (GString) text = g_string_new ("digraph {\n");
  guint n_asked = 0;
  GobanProgress progress = { .should_stop = stop_soon, .user_data = &n_asked };
  GobanReadOptions options = { .progress = &progress };
  g_autofree char *messages = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "node_%u [time=%u];\n", i, i);
  g_string_append (text, "}\n");
  g_assert_true (goban_dot_lock (NULL, NULL));
  g_assert_null (goban_dot_parse (text->str, text->len, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_cmpuint (n_asked, ==, 4);
  messages = goban_dot_unlock ();
  test_scanner_state ();
}

/* Nodes are counted by their names, in quotes or not, however often they are
 * named. */
static void
test_too_many_nodes (void)
{
  g_autoptr (GString) text = g_string_new ("digraph { a [label=z] \"a\"; a -> { \"a\" a }\n");
  g_autoptr (GError) error = NULL;
  g_auto (GobanDotChecked) checked = { 0 };

  for (guint i = 1; i < GOBAN_DOT_MAX_NODES; i++)
    g_string_append_printf (text, "n%x;", i);
  g_string_append (text, "n1 -> \"n2\" -> n3 }");
  g_assert_true (goban_dot_check (text->str, text->len, "g.dot", &checked, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (checked.end, ==, text->len);
  g_assert_null (checked.split);

  g_string_truncate (text, text->len - 1);
  g_string_append (text, "n0; \"never ends");
  g_assert_false (goban_dot_check (text->str, text->len, "g.dot", &checked, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "g.dot: a graph in DOT or GXL may have at most 1000000 "
                   "nodes; this one has more");
}

/* Whatever cgraph calls an error ends the reading, even where it returns a
 * graph: so it does for more links than its parser's stack can hold, which
 * dot-check.c does not pass on. */
static void
test_errors (void)
{
  static const BadText cases[]
      = { { "digraph {\r\n a -> b\r\n c -> ;\r\n}", "test.txt:3: syntax error" } };
  g_autoptr (GString) text = g_string_new ("digraph { a");
  g_autofree char *messages = NULL;
  GobanReadOptions options = { 0 };

  check_bad_texts ("dot", cases, G_N_ELEMENTS (cases));
  for (guint i = 0; i < 2600; i++)
    g_string_append (text, " -> a");
  g_string_append (text, " }");
  g_assert_true (goban_dot_lock (NULL, NULL));
  g_assert_null (goban_dot_parse (text->str, text->len, &options, NULL));
  messages = goban_dot_unlock ();
  g_assert_nonnull (strstr (messages, "memory exhausted"));
}

/* --- encodings and labels
 * -------------------------------------------------------------------- */

static void
test_latin1 (void)
{
  static const char *const good[]
      = { "digraph { charset=\"latin1\"; \"\xe4\" -> b [label=\"\xff\"] }",
          "digraph { graph [charset = \"ISO-8859-1\"] \"\xe4\" -> b }",
          "digraph { charset=\"iso-8859-1\" \xe4 -> b }" };
  static const BadText bad[] = {
    { "digraph {\n\"\xe4\" }", "test.txt:2: byte 11 is not UTF-8 text; if it "
                               "is Latin-1, write charset" },
    { "digraph {\n charset=\"utf-8\"; latin1 -> \xe4 }", "test.txt:2: byte" },
    { "digraph { charset=latin1x; \xe4 }", "not UTF-8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GobanGraph) graph = read_text ("dot", good[i]);

      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
      g_assert_cmpuint (goban_graph_find_node (graph, "\xc3\xa4"), !=, GOBAN_NO_NODE);
    }
  check_bad_texts ("dot", bad, G_N_ELEMENTS (bad));
}

static void
test_line_ends (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("dot", "digraph {\r\n# x\r\n \"a\" [time=3];\r\n // y\r\n a -> b\r\n}\r\n");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 3);
}

static void
test_ops_of_labels (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("dot", "digraph { node [shape=box]\n 139912345601 [label=AddmmBackward0]\n"
                          "139912345603 [label=\"fc.bias\n (10)\" fillcolor=lightblue]\n"
                          "139912345603 -> 139912345601\n 7 [label=<<b>conv1</b> (Conv2D)>, "
                          "op=Mine]\n"
                          "8 [label=<<b>conv1</b><br/><i>(Conv2D)</i>>] }");

  g_assert_cmpstr (node_of (graph, "139912345601")->op, ==, "AddmmBackward0");
  g_assert_cmpstr (node_of (graph, "139912345603")->op, ==, "bias");
  g_assert_cmpstr (node_of (graph, "7")->op, ==, "Mine");
  g_assert_cmpstr (node_of (graph, "8")->op, ==, "Conv2D");
}

/* The values of ../shared/data/README.md. */
static void
test_cases (void)
{
  static const struct
  {
    const char *name;
    guint n_nodes;
    guint n_edges;
  } cases[] = { { "d16c_chain_2500.dot", 2500, 2499 },
                { "d8_bom_crlf.dot", 2, 1 },
                { "d20_torchviz.dot", 6, 5 } };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) last = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("cases/", cases[i].name, NULL);

      g_clear_pointer (&last, goban_graph_unref);
      last = load_shared (name, "dot");
      if (last == NULL)
        return;
      g_assert_cmpuint (goban_graph_get_n_nodes (last), ==, cases[i].n_nodes);
      g_assert_cmpuint (goban_graph_get_n_edges (last), ==, cases[i].n_edges);
    }
  g_assert_cmpstr (node_of (last, "139912345601")->op, ==, "AddmmBackward0");
  g_assert_cmpstr (node_of (last, "139912345602")->op, ==, "AccumulateGrad");
  path = shared_data_path ("cases/d13_utf16.dot");
  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "UTF-16"));
}

static gboolean
has_edge (const GobanGraph *graph, const char *tail, const char *head)
{
  GobanEdgeSpan span = goban_graph_get_in_edges (graph, goban_graph_find_node (graph, head));

  for (guint i = 0; i < span.n; i++)
    if (goban_graph_get_edge (graph, span.ids[i])->tail == goban_graph_find_node (graph, tail))
      return TRUE;
  return FALSE;
}

/* Arrows at the tail, nowhere, and edges that are not drawn at all. */
static void
test_arrows (void)
{
  /* MXNet draws from a layer to its input. */
  g_autoptr (GobanGraph) back = read_text (
      "dot", "digraph { conv -> data [dir=back arrowtail=open]; act -> conv [dir=back] }");
  /* torchviz: the parameter is saved by the product that it leads to. */
  g_autoptr (GobanGraph) saved = read_text (
      "dot", "digraph { 11 -> 12; 12 -> 13; 13 -> 11 [dir=none]; 13 -> 14 [dir=none] }");
  g_autoptr (GobanGraph) plain = read_text ("dot", "digraph { edge [dir=none]; a -> b -> c }");
  g_autoptr (GobanGraph) mixed = read_text ("dot", "digraph { a -> b; a -> b [dir=none]; b -> c }");
  g_autoptr (GobanGraph) invisible
      = read_text ("dot", "digraph { a -> b; b -> a [style=invis]; b -> c [style=dashed] }");

  g_assert_true (has_edge (back, "data", "conv"));
  g_assert_true (has_edge (back, "conv", "act"));
  g_assert_cmpuint (goban_graph_get_n_edges (saved), ==, 4);
  g_assert_true (has_edge (saved, "11", "13"));
  g_assert_true (has_edge (saved, "14", "13"));
  g_assert_true (has_edge (plain, "a", "b"));
  g_assert_true (has_edge (mixed, "a", "b"));
  g_assert_cmpuint (goban_graph_get_n_edges (invisible), ==, 2);
  g_assert_true (has_edge (invisible, "b", "c"));
}

TEST_PROGRAM (dot)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/dot/reads/node-attributes", test_node_attributes);
  g_test_add_func ("/io/dot/reads/spellings", test_spellings);
  g_test_add_func ("/io/dot/reads/arrows", test_arrows);
  g_test_add_func ("/io/dot/reads/no-weights", test_no_weights);
  g_test_add_func ("/io/dot/reads/edge-attributes", test_edge_attributes);
  g_test_add_func ("/io/dot/reads/undirected", test_undirected);
  g_test_add_func ("/io/dot/reads/xla-labels", test_xla_labels);
  g_test_add_func ("/io/dot/reads/real-xla", test_real_xla);
  g_test_add_func ("/io/dot/reads/real-pipedream", test_real_pipedream);
  g_test_add_func ("/io/dot/reads/first-of-several", test_leftovers);
  g_test_add_func ("/io/dot/reads/after-unended-texts", test_scanner_state);
  g_test_add_func ("/io/dot/reads/in-threads", test_threads);
  g_test_add_func ("/io/dot/reads/graph-names", test_graph_names);
  g_test_add_func ("/io/dot/round-trip/random", test_round_trip_random);
  g_test_add_func ("/io/dot/round-trip/kinds", test_round_trip_kinds);
  g_test_add_func ("/io/dot/round-trip/names", test_round_trip_names);
  g_test_add_func ("/io/dot/round-trip/backslashes", test_backslashes);
  g_test_add_func ("/io/dot/rejects/waiting", test_waiting);
  g_test_add_func ("/io/dot/rejects/stopped", test_stopped);
  g_test_add_func ("/io/dot/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/dot/rejects/out-of-proportion", test_out_of_proportion);
  g_test_add_func ("/io/dot/rejects/too-many-nodes", test_too_many_nodes);
  g_test_add_func ("/io/dot/rejects/errors", test_errors);
  g_test_add_func ("/io/dot/reads/latin1", test_latin1);
  g_test_add_func ("/io/dot/reads/line-ends", test_line_ends);
  g_test_add_func ("/io/dot/reads/ops-of-labels", test_ops_of_labels);
  g_test_add_func ("/io/dot/reads/shared-cases", test_cases);
  return g_test_run ();
}
