#include "engine/io/dot/dot-check.h"
#include "engine/io/dot/dot-lock.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <graphviz/cgraph.h>
#include <string.h>

/* a0 -> a1 -> ... -> a@n */
static GString *
make_chain (guint n)
{
  GString *text = g_string_new ("a0");

  for (guint i = 1; i <= n; i++)
    g_string_append_printf (text, " -> a%u", i);
  return text;
}

/* cgraph's parser takes 2,498 links. Attributes are those of all edges of a chain. */
static void
test_chains (void)
{
  static const guint lengths[] = { 1, 255, 256, 257, 2499, 2500, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GString) chain = make_chain (lengths[i]);
      g_autofree char *text = g_strdup_printf (
          "digraph { a0 [time=1]\n %s [bytes=7] [bytes=9]\n b -> a0 }", chain->str);
      g_autoptr (GobanGraph) graph = read_text ("dot", text);

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, lengths[i] + 2);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, lengths[i] + 1);
      for (guint32 t = 0; t < goban_graph_get_n_tensors (graph); t++)
        {
          const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
          gboolean is_chain = goban_graph_get_node (graph, tensor->producer)->name[0] == 'a';

          g_assert_cmpfloat (tensor->size_bytes, ==, is_chain ? 9 : 0);
        }
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* (transfer full): the edges of a text, sorted: "a->b:e:w ..." with ports and an attribute. */
static char *
list_edges (const char *text, gsize size)
{
  GobanReadOptions options = { 0 };
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *messages = NULL;
  Agraph_t *dot;

  g_assert_true (goban_dot_lock (NULL, NULL));
  dot = goban_dot_parse (text, size, &options, NULL);
  g_assert_nonnull (dot);
  for (Agnode_t *node = agfstnode (dot); node != NULL; node = agnxtnode (dot, node))
    for (Agedge_t *edge = agfstout (dot, node); edge != NULL; edge = agnxtout (dot, edge))
      {
        static char tail[] = "tailport", head[] = "headport", weight[] = "w";
        const char *from = agget (edge, tail), *to = agget (edge, head), *w = agget (edge, weight);

        g_ptr_array_add (list, g_strdup_printf ("%s:%s->%s:%s[%s]", agnameof (agtail (edge)),
                                                from != NULL ? from : "", agnameof (aghead (edge)),
                                                to != NULL ? to : "", w != NULL ? w : ""));
      }
  agclose (dot);
  messages = goban_dot_unlock ();
  g_ptr_array_sort (list, compare_texts);
  g_ptr_array_add (list, NULL);
  return g_strjoinv (" ", (char **) list->pdata);
}

/* Statements of all forms, between so many links that they are cut: the edges are those that cgraph
 * finds in the uncut text. */
static void
test_cut_chains (void)
{
  static const char *const operands[] = {
    "x",
    "x:p",
    "\"x y\":p:ne",
    "x, y",
    "x:p, \"y\"",
    "\"x\" + \"y\"",
    "-5",
    "-.5",
    "<x<b>y</b>>",
    "{x y}",
    "{x -> y}",
    "{x -> y; y -> z [w=3]}",
    "subgraph {x y}",
    "subgraph s {x y}",
    "subgraph \"s t\" {x; {y}}",
    "{}",
    "{edge [w=5] x -> y}",
    "/* a comment */ x // another\n",
    "5a",
  };
  static const char *const ends[]
      = { "", ";", " [w=7]", " [w=7] [u=\"]\" ]", "[w=\"a\nb\"]\n\n", " q -> r", "; s = t\n" };

  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
      {
        g_autoptr (GString) text = g_string_new ("digraph {");
        g_auto (GobanDotChecked) checked = { 0 };
        g_autoptr (GError) error = NULL;
        g_autofree char *expected = NULL;
        g_autofree char *edges = NULL;

        for (guint n = 0; n < 300; n++)
          g_string_append_printf (text, "m%u -> ", n);
        for (guint n = 0; n < 300; n++)
          g_string_append_printf (text, "%s -> ", operands[i]);
        g_string_append_printf (text, "last %s }", ends[k]);
        g_assert_true (goban_dot_check (text->str, text->len, "x", &checked, &error));
        g_assert_no_error (error);
        g_assert_nonnull (checked.split);
        expected = list_edges (text->str, text->len);
        edges = list_edges (checked.split->str, checked.split->len);
        g_test_message ("%s %s", operands[i], ends[k]);
        g_assert_cmpstr (edges, ==, expected);
      }
}

/* Chains within the groups of chains share one stack; too many groups are refused. */
static void
test_nested (void)
{
  g_autoptr (GString) text = g_string_new ("digraph {");
  g_autoptr (GString) braces = g_string_new ("digraph {\n\n");
  g_auto (GobanDotChecked) checked = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *edges = NULL;
  BadText bad[1];

  for (guint i = 0; i < 100; i++)
    {
      for (guint k = 0; k < 20; k++)
        g_string_append (text, "a -> b -> ");
      g_string_append (text, "{");
      g_string_append (braces, "{");
    }
  g_string_append (text, "b -> last");
  for (guint i = 0; i < 101; i++)
    g_string_append (text, "}");
  g_assert_true (goban_dot_check (text->str, text->len, "x", &checked, &error));
  g_assert_no_error (error);
  g_assert_nonnull (checked.split);
  edges = list_edges (checked.split->str, checked.split->len);
  g_assert_nonnull (strstr (edges, "b:->last:[]"));

  for (guint i = 0; i < 160; i++)
    g_string_append (braces, "{");
  bad[0] = (BadText){ braces->str, "test.txt:3: groups in braces are nested here more than 250" };
  check_bad_texts ("dot", bad, 1);
}

/* A chain whose long attributes would be repeated thousands of times. */
static void
test_long_attributes (void)
{
  g_autoptr (GString) chain = make_chain (100000);
  g_autofree char *label = g_strnfill (1000000, 'x');
  g_autofree char *text = g_strdup_printf ("digraph { %s [label=\"%s\"] }", chain->str, label);
  const BadText bad = { text, "a chain of edges has attributes that are too long" };

  check_bad_texts ("dot", &bad, 1);
}

/* Strings of a million characters are read in linear time, and lines are counted as before. */
static void
test_long_strings (void)
{
  g_autofree char *word = g_strnfill (1000000, 'x');
  g_autofree char *label = g_strnfill (4000000, 'y');
  g_autofree char *text = g_strdup_printf (
      "digraph {\n%s -> \"%s\\\"%s\" [label=<%s>];\n \"%s\" [label=\"%s\", time=3];\n b -> c\n}",
      word, word, word, label, word, label);
  g_autofree char *bad_text
      = g_strdup_printf ("digraph {\n%s -> \"%s\" [label=\"a\nb\"];\n b -> ;\n}", word, label);
  g_autofree char *quoted = g_strconcat (word, "\"", word, NULL);
  g_autoptr (GobanGraph) graph = read_text ("dot", text);
  const BadText bad = { bad_text, "test.txt:4: syntax error" };

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 4);
  g_assert_cmpfloat (time_of (graph, word, "*"), ==, 3);
  g_assert_cmpuint (goban_graph_find_node (graph, quoted), !=, GOBAN_NO_NODE);
  check_bad_texts ("dot", &bad, 1);
}

TEST_PROGRAM (dot_edits)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/dot-edits/chains", test_chains);
  g_test_add_func ("/io/dot-edits/every-operand", test_cut_chains);
  g_test_add_func ("/io/dot-edits/nested", test_nested);
  g_test_add_func ("/io/dot-edits/long-attributes", test_long_attributes);
  g_test_add_func ("/io/dot-edits/long-strings", test_long_strings);
  return g_test_run ();
}
