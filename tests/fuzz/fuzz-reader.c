#include "tests/fuzz/fuzz-reader.h"

#include "engine/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* abort(), since libFuzzer keeps the input of that and not of g_error(). */
#define CHECK(what)                                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(what))                                                                                   \
      fail (#what, "");                                                                            \
  }                                                                                                \
  G_STMT_END

static void
fail (const char *what, const char *text)
{
  g_printerr ("fuzz: %s\n%s", what, text);
  abort ();
}

/* What graph.h promises of every graph. */
static void
check_graph (const GobanGraph *graph)
{
  CHECK (goban_graph_get_n_nodes (graph) > 0);
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    CHECK (goban_graph_get_edge (graph, e)->tail < goban_graph_get_edge (graph, e)->head);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    CHECK (isfinite (goban_graph_get_tensor (graph, t)->size_bytes)
           && goban_graph_get_tensor (graph, t)->size_bytes >= 0);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      CHECK (g_utf8_validate (goban_graph_get_node (graph, v)->name, -1, NULL));
      CHECK (goban_graph_find_node (graph, goban_graph_get_node (graph, v)->name) == v);
      for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
        CHECK (!(goban_graph_get_time_us (graph, v, k) < 0));
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
  CHECK (text != NULL);
  again = json->read (text, size, "fuzz", &options, &error);
  if (again == NULL)
    fail (error->message, text);
  CHECK (goban_graph_get_hash (graph) == goban_graph_get_hash (again));
}

static void
check_dot (const GobanGraph *graph)
{
  const GobanFormat *dot = goban_format_find ("dot", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) again = NULL;
  g_autofree char *text = NULL;
  gsize size;

  text = dot->write (graph, &size, &error);
  CHECK (text != NULL);
  again = dot->read (text, size, "fuzz", &options, &error);
  if (again == NULL)
    {
      /* It may be more than the reader takes, but it is not broken. */
      if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED))
        fail (error->message, text);
      return;
    }
  CHECK (goban_graph_get_n_nodes (graph) == goban_graph_get_n_nodes (again));
  CHECK (goban_graph_get_n_edges (graph) == goban_graph_get_n_edges (again));
}

static void
read_once (const GobanFormat *format, const char *data, gsize size, const GobanReadOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = format->read (data, size, "fuzz", options, &error);

  CHECK ((graph == NULL) == (error != NULL));
  if (graph == NULL)
    {
      CHECK (error->domain == GOBAN_ERROR);
      CHECK (g_utf8_validate (error->message, -1, NULL));
      if (!g_str_has_prefix (error->message, "fuzz"))
        g_error ("fuzz: the message names no file: %s", error->message);
      return;
    }
  check_graph (graph);
  check_round_trip (graph);
  check_dot (graph);
}

void
fuzz_reader (const GobanFormat *format, const char *data, gsize size)
{
  const GobanReadOptions options[]
      = { { .with_backward = TRUE }, { .batch = 7, .keep_constants = TRUE } };
  /* A block of exactly this size, so that a sanitizer sees the first byte beyond. */
  g_autofree char *exact = g_memdup2 (data, size);

  /* An empty file is refused before anybody is asked. */
  if (size > 0)
    format->sniff (exact, size, "fuzz");
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    read_once (format, exact, size, &options[i]);
}

int
fuzz_one_input (const char *format, const guint8 *data, gsize size)
{
  const GobanFormat *found = goban_format_find (format, NULL);

  CHECK (found != NULL);
  fuzz_reader (found, (const char *) data, size);
  return 0;
}
