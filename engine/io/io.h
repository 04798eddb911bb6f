/* io.h: reading and writing graphs, one format a row behind one table.
 *
 * The format is found by content, not only by the file's ending. Every size a file claims is
 * bounded by the file's own length before anything is allocated. Error messages name path:line or
 * path and node, and what was expected.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/graph.h"

typedef struct
{
  double time_unit_us; /* microseconds per unit of times without a unit (DOT, STG); 0: 1 */
  gint64 batch;        /* the value of an open first dimension (ONNX, GraphDef); 0: 1 */
  /* keep nodes that are no work of the model: ONNX's constants, which are parameters else; in
   * TensorFlow those that its signature does not need */
  gboolean keep_constants;
  gboolean with_backward; /* PipeDream: a node "grad/NAME" for the backward time of each node */
  gboolean only_regular;  /* a file names the path: it must be that of a regular file */
  /* the text is not needed again: its pages may be given back while they are read */
  gboolean may_forget;
  const GobanProgress *progress; /* (nullable) */
} GobanReadOptions;

typedef struct
{
  const char *name;       /* as the command line takes it: "onnx", "dot", ... */
  const char *extensions; /* separated by spaces: ".onnx"; the first is the usual one */
  const char *blurb;
  /* Limit of a file's size, for readers that need many times its memory; 0: the usual limit. */
  gsize most_bytes;
  /* How sure this is the format, 0 (no) to 100; sees at least min (size, 4096) bytes and
   * at least one. */
  int (*sniff) (const char *head, gsize size, const char *path);
  /* (nullable) @path names the text in messages and lends the graph its name. */
  GobanGraph *(*read) (const char *data, gsize size, const char *path,
                       const GobanReadOptions *options, GError **error);
  /* (nullable): NULL if we only read. (transfer full) */
  char *(*write) (const GobanGraph *graph, gsize *size, GError **error);
} GobanFormat;

const GobanFormat *goban_formats (gsize *n);
/* "onnx, graphdef, ...", of all or of those that can be written. (transfer full) */
char *goban_formats_list_names (gboolean writable) G_GNUC_WARN_UNUSED_RESULT;

/* By name, or %NULL with %GOBAN_ERROR_UNSUPPORTED set, which lists the names. */
const GobanFormat *goban_format_find (const char *name, GError **error);

/* The format that goban_graph_save() would write, or %NULL with %GOBAN_ERROR_UNSUPPORTED set. */
const GobanFormat *goban_format_find_writer (const char *path, const char *format, GError **error);

/**
 * goban_graph_load:
 * @path: a path, or "-" for standard input
 * @format: (nullable): a format's name; %NULL to find it by content
 * @options: (nullable)
 *
 * Returns: (transfer full) (nullable): a graph, or %NULL with @error set
 */
GobanGraph *goban_graph_load (const char *path, const char *format, const GobanReadOptions *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same of a text; @origin names it in messages, and a guess of its format may use its ending.
 * (transfer full) (nullable): %NULL with @error set */
GobanGraph *goban_graph_parse (const char *data, gsize size, const char *origin, const char *format,
                               const GobanReadOptions *options,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The format is the one of @path's ending unless @format names it. */
gboolean goban_graph_save (const GobanGraph *graph, const char *path, const char *format,
                           GError **error);
