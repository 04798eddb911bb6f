#include "tests/io/io-support.h"

#include "engine/core/error.h"
#include "engine/graph/levels.h"
#include "tests/support/shared-data.h"

#include <string.h>

GobanGraph *
read_text_with (const char *format, const char *text, const GobanReadOptions *options)
{
  g_autoptr (GError) error = NULL;
  const GobanFormat *found = goban_format_find (format, &error);
  GobanGraph *graph;

  g_assert_no_error (error);
  graph = found->read (text, strlen (text), "test.txt", options, &error);
  g_assert_no_error (error);
  g_assert_nonnull (graph);
  return graph;
}

GobanGraph *
read_text (const char *format, const char *text)
{
  GobanReadOptions options = { 0 };

  return read_text_with (format, text, &options);
}

void
check_bad_texts (const char *format, const BadText *cases, gsize n)
{
  const GobanFormat *found = goban_format_find (format, NULL);
  GobanReadOptions options = { 0 };

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      GobanGraph *graph
          = found->read (cases[i].text, strlen (cases[i].text), "test.txt", &options, &error);

      if (graph != NULL)
        g_error ("this was read: %s", cases[i].text);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      if (strstr (error->message, cases[i].message) == NULL
          || !g_str_has_prefix (error->message, "test.txt:"))
        g_error ("“%s” is not said of %s\nbut: %s", cases[i].message, cases[i].text,
                 error->message);
    }
}

void
check_large_batch (const char *format, const char *text)
{
  GobanReadOptions options = { .batch = G_MAXINT64 };
  g_autoptr (GError) error = NULL;

  g_assert_null (
      goban_format_find (format, NULL)->read (text, strlen (text), "test.txt", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (
      error->message, ==,
      "test.txt: a batch of 9223372036854775807 is out of range; it may be at most 1000000000");
}

char *
corpus_path (const char *format, const char *name)
{
  g_autofree char *file = g_strconcat ("tests/fuzz/corpus/", format, "/", name, NULL);

  return project_path (file);
}

GobanGraph *
load_corpus (const char *format, const char *name, const GobanReadOptions *options)
{
  g_autofree char *path = corpus_path (format, name);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_graph_load (path, NULL, options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_format (graph), ==, format);
  return graph;
}

GobanGraph *
load_shared (const char *name, const char *format)
{
  g_autofree char *path = shared_data_path (name);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  if (path == NULL)
    return NULL;

  graph = goban_graph_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_format (graph), ==, format);
  return graph;
}

double
sum_ms (const GobanGraph *graph, const char *kind, GobanPhase phase)
{
  guint k = goban_graph_find_kind (graph, kind);
  double sum_us = 0;

  g_assert_cmpuint (k, !=, GOBAN_NO_KIND);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase == phase)
      sum_us += goban_graph_get_time_us (graph, v, k);
  return sum_us / 1e3;
}

static GobanNodeId
find (const GobanGraph *graph, const char *name)
{
  GobanNodeId node = goban_graph_find_node (graph, name);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  return node;
}

double
time_of (const GobanGraph *graph, const char *node, const char *kind)
{
  return goban_graph_get_time_us (graph, find (graph, node), goban_graph_find_kind (graph, kind));
}

const GobanNode *
node_of (const GobanGraph *graph, const char *name)
{
  return goban_graph_get_node (graph, find (graph, name));
}

double
bytes_of (const GobanGraph *graph, const char *name)
{
  return goban_graph_get_output_bytes (graph, find (graph, name));
}

gboolean
warns (const GobanGraph *graph, const char *part)
{
  const char *const *warnings = goban_graph_get_warnings (graph);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}

double
transfer_of (const GobanGraph *graph, const char *node, const char *from, const char *to)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, find (graph, node), &n);

  g_assert_cmpuint (n, >, 0);
  return goban_graph_get_transfer_us (graph, first, goban_graph_find_kind (graph, from),
                                      goban_graph_find_kind (graph, to));
}

double
path_ratio (const GobanGraph *graph, const char *kind)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree double *w = g_new (double, n);
  double sum_us = 0;

  for (GobanNodeId v = 0; v < n; v++)
    {
      w[v] = goban_graph_get_time_us (graph, v, goban_graph_find_kind (graph, kind));
      sum_us += w[v];
    }
  return goban_graph_longest_path (graph, w, NULL) / sum_us;
}
