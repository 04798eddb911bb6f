/* Graph formats: a graph keeps what graph.h promises, and is written and read again. */
#include "tests/fuzz/targets.h"

#include "engine/core/error.h"

#include <math.h>

void
fuzz_check_graph (const GobanGraph *graph)
{
  FUZZ_CHECK (goban_graph_get_n_nodes (graph) > 0);
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    FUZZ_CHECK (goban_graph_get_edge (graph, e)->tail < goban_graph_get_edge (graph, e)->head);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    FUZZ_CHECK (isfinite (goban_graph_get_tensor (graph, t)->size_bytes)
                && goban_graph_get_tensor (graph, t)->size_bytes >= 0);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      FUZZ_CHECK (g_utf8_validate (goban_graph_get_node (graph, v)->name, -1, NULL));
      FUZZ_CHECK (goban_graph_find_node (graph, goban_graph_get_node (graph, v)->name) == v);
      for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
        FUZZ_CHECK (!(goban_graph_get_time_us (graph, v, k) < 0));
    }
}

/* All that a graph knows survives our own format. */
static void
check_round_trip (const GobanGraph *graph)
{
  const GobanFormat *json = goban_format_find ("json", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) again = NULL;
  g_autofree char *text = NULL;
  gsize size;

  text = json->write (graph, &size, &error);
  FUZZ_CHECK (text != NULL);
  again = json->read (text, size, FUZZ_ORIGIN, &options, &error);
  if (again == NULL)
    fuzz_fail (error->message, text);
  FUZZ_CHECK (goban_graph_get_hash (graph) == goban_graph_get_hash (again));
}

/* Another format keeps nodes and edges. */
static void
check_written (const GobanGraph *graph, const char *format)
{
  const GobanFormat *found = goban_format_find (format, NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) again = NULL;
  g_autofree char *text = NULL;
  gsize size;

  text = found->write (graph, &size, &error);
  if (text == NULL) /* what the format cannot say */
    {
      FUZZ_CHECK (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED));
      return;
    }
  again = found->read (text, size, FUZZ_ORIGIN, &options, &error);
  if (again == NULL)
    {
      /* It may be more than the reader takes, but it is not broken. */
      if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED))
        fuzz_fail (error->message, text);
      return;
    }
  FUZZ_CHECK (goban_graph_get_n_nodes (graph) == goban_graph_get_n_nodes (again));
  FUZZ_CHECK (goban_graph_get_n_edges (graph) == goban_graph_get_n_edges (again));
}

static void
read_once (const GobanFormat *format, const char *data, gsize size, const GobanReadOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = format->read (data, size, FUZZ_ORIGIN, options, &error);

  fuzz_check_outcome (graph != NULL, error, FUZZ_ORIGIN);
  if (graph == NULL)
    return;
  fuzz_check_graph (graph);
  check_round_trip (graph);
  check_written (graph, "dot");
  check_written (graph, "model-explorer");
  check_written (graph, "cost-graph-binary");
}

void
fuzz_graph (const char *format, const char *data, gsize size)
{
  const GobanReadOptions options[]
      = { { .with_backward = TRUE }, { .batch = 7, .keep_constants = TRUE } };
  const GobanFormat *found = goban_format_find (format, NULL);

  FUZZ_CHECK (found != NULL);
  /* An empty file is refused before anybody is asked. */
  if (size > 0)
    found->sniff (data, size, FUZZ_ORIGIN);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    read_once (found, data, size, &options[i]);
}
