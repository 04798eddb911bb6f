#include "engine/core/error.h"
#include "engine/io/dot/dot-check.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <string.h>

static GobanGraph *
load (const char *name)
{
  return load_corpus ("gxl", name, NULL);
}

/* Attributes are those of DOT, in capitals or not; nodes may be in graphs of other nodes. */
static void
test_toy (void)
{
  g_autoptr (GobanGraph) graph = load ("toy.gxl");
  GobanNodeId c = goban_graph_find_node (graph, "c");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 2.5);
  g_assert_cmpfloat (time_of (graph, "c", "gpu"), ==, 10);
  g_assert_cmpfloat (time_of (graph, "d", "*"), ==, 1);
  g_assert_cmpstr (goban_graph_get_node (graph, 0)->op, ==, "Conv");
  g_assert_cmpfloat (goban_graph_get_node (graph, 0)->param_bytes, ==, 4000);
  g_assert_cmpstr (goban_graph_get_node (graph, c)->op, ==, "A&B");
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, c), ==, 64);
  g_assert_cmpfloat (transfer_of (graph, "a", "*", "*"), ==, 3);
  g_assert_true (warns (graph, "only the first graph"));
  g_assert_true (warns (graph, "1 relations of more than two nodes are left out"));
}

/* The same graph in both formats. */
static void
test_as_dot (void)
{
  g_autoptr (GobanGraph) gxl = load ("outputs.gxl");
  g_autoptr (GobanGraph) dot
      = read_text ("dot", "digraph { \"a\001<\" [bytes=\"1,2,3\"]; b; \"a\001<\" -> b [tensor=2];\n"
                          "\"a\001<\" -> b [control=true] }");

  g_assert_cmphex (goban_graph_get_hash (gxl), ==, goban_graph_get_hash (dot));
}

/* Times without a unit are in the unit that is asked for. */
static void
test_unit (void)
{
  GobanReadOptions options = { .time_unit_us = 1000 };
  g_autoptr (GobanGraph) graph = read_text_with (
      "gxl", "<gxl><graph><node id='a'><attr name='time'><int>2</int></attr></node></graph></gxl>",
      &options);

  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 2000);
}

/* In names and values, in each other, and not in CDATA. */
static void
test_entities (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("gxl", "<!DOCTYPE gxl SYSTEM 'gxl.dtd' [<!ENTITY w \"5\">\n"
                          "<!ENTITY long '&w;0'> <!ENTITY n \"a&amp;&#66;\">]>"
                          "<gxl><graph><node id='&n;'><attr name='time'><int>&long;</int></attr>"
                          "</node><node id='c'><attr name='op'><string><![CDATA[&w;]]>&w;"
                          "</string></attr></node><edge from='&n;' to='c'/></graph></gxl>");

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_cmpfloat (time_of (graph, "a&B", "*"), ==, 50);
  g_assert_cmpstr (node_of (graph, "c")->op, ==, "&w;5");
}

/* A file of a kilobyte that would be of gigabytes, or take hours to become nothing. */
static void
test_many_entities (void)
{
  static const char *const cores[] = { "xxxxxxxxxx", "" };

  for (gsize c = 0; c < G_N_ELEMENTS (cores); c++)
    {
      g_autoptr (GString) text = g_string_new ("<!DOCTYPE gxl [<!ENTITY e0 '");
      g_autoptr (GError) error = NULL;

      g_string_append_printf (text, "%s'>", cores[c]);
      for (guint i = 1; i < 12; i++)
        {
          g_string_append_printf (text, "<!ENTITY e%u '", i);
          for (guint k = 0; k < 10; k++)
            g_string_append_printf (text, "&e%u;", i - 1);
          g_string_append (text, "'>");
        }
      g_string_append (text, "]><gxl><graph><node id='&e11;'/></graph></gxl>");
      g_assert_null (goban_format_find ("gxl", NULL)
                         ->read (text->str, text->len, "x.gxl", &(GobanReadOptions){ 0 }, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
    }
}

/* Of each name cgraph would keep a value for every node. */
static void
test_many_attributes (void)
{
  g_autoptr (GString) text = g_string_new ("<gxl><graph><node id='a'>");
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "<attr name='x%u'><int>1</int></attr>", i);
  g_string_append (text, "</node></graph></gxl>");
  graph = read_text ("gxl", text->str);
  g_assert_true (warns (graph, "44 attributes are left out: there are more than 256 names"));
}

/* Values are of text: what else is inside is passed over, attributes among it. */
static void
test_elements_in_values (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("gxl", "<gxl><graph><node id='a'><attr name='time'><int>1<attr name='x'/>2"
                          "<node id='b'>7</node><int>8</int>5</int></attr></node></graph></gxl>");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
  g_assert_cmpfloat (time_of (graph, "a", "*"), ==, 125);
}

/* One node with many attributes gives all others room for as many. */
static void
test_too_many_values (void)
{
  g_autoptr (GString) text = g_string_new ("<gxl><graph><node id='a'>");
  g_autoptr (GError) error = NULL;
  GobanReadOptions options = { 0 };

  for (guint i = 0; i < 256; i++)
    g_string_append_printf (text, "<attr name='x%u'><int>1</int></attr>", i);
  g_string_append (text, "</node>");
  for (guint i = 0; i < 260000; i++)
    g_string_append_printf (text, "<node id='%x'/>", i + 16);
  g_string_append (text, "</graph></gxl>");
  g_assert_null (
      goban_format_find ("gxl", NULL)->read (text->str, text->len, "test.txt", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "test.txt: 260001 nodes with 256 attributes are more than fit here");
}

/* The first node too many is where reading ends: what follows is not even looked at. */
static void
test_too_many_nodes (void)
{
  g_autoptr (GString) text = g_string_new ("<gxl><graph>");
  g_autoptr (GError) error = NULL;
  GobanReadOptions options = { 0 };

  for (guint i = 0; i <= GOBAN_DOT_MAX_NODES; i++)
    g_string_append_printf (text, "<node id='%x'/>", i);
  g_string_append (text, "</nonsense>");
  g_assert_null (
      goban_format_find ("gxl", NULL)->read (text->str, text->len, "test.txt", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (
      error->message, ==,
      "test.txt: a graph in DOT or GXL may have at most 1000000 nodes; this one has more");
}

static gboolean
stop_after (gpointer data)
{
  guint *n_left = data;

  return (*n_left)-- == 0;
}

/* A stop is heard while the elements are read, and when they have been. */
static void
test_cancelled (void)
{
  static const char text[] = "<gxl><graph><node id='a'/></graph></gxl>";
  GobanReadOptions options = { 0 };
  guint n_left = 0;
  GobanProgress progress = { .should_stop = stop_after, .user_data = &n_left };

  options.progress = &progress;
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GError) error = NULL;

      n_left = i;
      g_assert_null (goban_format_find ("gxl", NULL)
                         ->read (text, strlen (text), "test.txt", &options, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
}

static void
test_sniff (void)
{
  static const struct
  {
    const char *text;
    int score;
  } cases[] = {
    { "<?xml version=\"1.0\"?>\n<gxl>", 90 },
    { "\xef\xbb\xbf<!-- x --><gxl xmlns='y'>", 90 },
    { " <gxl\n>", 90 },
    { "<gxlx>", 0 },
    { "<net><gxl", 0 },
    { "digraph { a [label=\"<gxl>\"] }", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (
        goban_format_find ("gxl", NULL)->sniff (cases[i].text, strlen (cases[i].text), "x.xml"), ==,
        cases[i].score);
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "<gxl>\n<graph><node/></graph></gxl>", "test.txt:2: <node> has no “id”" },
    { "<gxl><graph><edge from='a'/></graph></gxl>", "<edge> has no “to”" },
    { "<gxl><graph><node id='a'><attr/></node></graph></gxl>", "<attr> has no “name”" },
    { "<gxl><graph><node id='a'/>\n<edge from='a' to='b'/></graph></gxl>",
      "test.txt:2: there is no node with the id “b”" },
    { "<gxl><graph><node id='a'/>\n\n<node id='a'/></graph></gxl>",
      "test.txt:3: the id “a” is given twice" },
    { "<gxl>\n<graph></gxl>", "test.txt:2: Element “gxl” was closed" },
    { "<gxl>\n<graph>", "test.txt:2: Document ended unexpectedly" },
    { "<gxl><graph><node id='a'><attr "
      "name='bytes'><string>much</string></attr></node></graph></gxl>",
      "node “a”: “much” is not a valid size" },
    { "<gxl>\n<\xc2\xbf/></(xl>", "test.txt:2:" },
    { "<gxl\xc2\xbfgraph><node id=\"a\"/>\"/></graph></(xl>", "test.txt:1:" },
    { "<gxl/>", "no nodes" },
    { "<!DOCTYPE gxl [<!ENTITY a '&a;'>]><gxl><graph><node id='&a;'/></graph></gxl>",
      "Entity name “a” is not known" },
    { "<gxl>\xff</gxl>", "UTF-8" },
  };

  check_bad_texts ("gxl", cases, G_N_ELEMENTS (cases));
}

/* XML names its encoding. */
static void
test_encoding (void)
{
  static const char latin[] = "<?xml version=\"1.0\" encoding='ISO-8859-1'?>\n<gxl><graph>"
                              "<node id=\"\xe4\"/><node id=\"b\"/><edge from=\"\xe4\" to=\"b\"/>"
                              "</graph></gxl>";
  static const BadText cases[] = {
    { "<?xml version=\"1.0\" encoding=\"x-none\"?>\n<gxl><graph><node id=\"\xe4\"/></graph></gxl>",
      "test.txt:1: the text is not in the encoding “x-none” that it names: save it as UTF-8" },
    { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gxl><graph><node id=\"\xe4\"/></graph></gxl>",
      " is not UTF-8 text" },
    { "<?xml encoding=><gxl><graph><node id=\"\xe4\"/></graph></gxl>", "test.txt:1: " },
  };
  g_autoptr (GobanGraph) graph = read_text ("gxl", latin);

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  node_of (graph, "\xc3\xa4");
  check_bad_texts ("gxl", cases, G_N_ELEMENTS (cases));
}

TEST_PROGRAM (gxl)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/gxl/reads/toy", test_toy);
  g_test_add_func ("/io/gxl/reads/as-dot", test_as_dot);
  g_test_add_func ("/io/gxl/reads/unit", test_unit);
  g_test_add_func ("/io/gxl/reads/encoding", test_encoding);
  g_test_add_func ("/io/gxl/reads/entities", test_entities);
  g_test_add_func ("/io/gxl/rejects/many-entities", test_many_entities);
  g_test_add_func ("/io/gxl/reads/many-attributes", test_many_attributes);
  g_test_add_func ("/io/gxl/reads/elements-in-values", test_elements_in_values);
  g_test_add_func ("/io/gxl/rejects/too-many-values", test_too_many_values);
  g_test_add_func ("/io/gxl/rejects/too-many-nodes", test_too_many_nodes);
  g_test_add_func ("/io/gxl/rejects/cancelled", test_cancelled);
  g_test_add_func ("/io/gxl/sniffs", test_sniff);
  g_test_add_func ("/io/gxl/rejects/bad-texts", test_bad);
  return g_test_run ();
}
