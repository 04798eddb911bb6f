/* graph-source.h: graphs by file path or generator spec: loading, saving, and checks of formats.
 * Any thread. */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/graph.h"
#include "engine/machine/cluster/cluster.h"

/* %TRUE if @text is the spec of a generated graph ("gnmt:layers=2") and no file has its name. */
gboolean goban_graph_source_is_spec (const char *text);

/* The name, and the file with the first op, of graphs that are drawn by hand. */
#define GOBAN_UNTITLED "untitled"
/* (transfer full) (nullable) */
char *goban_graph_source_dup_template (void) G_GNUC_WARN_UNUSED_RESULT;
/* The title of a graph for people: the name of its file, or else its own. @graph: (nullable):
 * before it is loaded; @path: (nullable): it may be a spec. (transfer full) */
char *goban_graph_source_dup_title (const char *path,
                                    const GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;

/* Options for loading a graph; all 0 are the defaults. */
typedef struct
{
  const char *format; /* (nullable): NULL is detected from the content */
  double time_unit_us;
  gint64 batch;
  gboolean with_backward;  /* PipeDream: keep the file's backward times */
  gboolean training;       /* turn an inference graph into a training graph */
  gboolean keep_constants; /* ONNX */
  gboolean only_regular;   /* refuse anything but regular files, for paths that come from a file */
  const GobanProgress *progress;
} GobanLoadOptions;

/* @path: a file, "-" for standard input, or a spec. (transfer full) (nullable): %NULL with @error
 *   set */
GobanGraph *goban_graph_source_load (const char *path, const GobanLoadOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of a text in memory, which no path of @options names. (transfer full) (nullable) */
GobanGraph *goban_graph_source_parse (const char *text, gsize size, const GobanLoadOptions *options,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The graph as the text of a file. (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED
 * set if the format is not written here, or is not a text. */
char *goban_graph_source_to_text (GobanGraph *graph, const char *format,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A copy of @graph with the times of a profile at @path (engine/io/traces/measured-times.h); its
 * last warning has the number of times that were used. Those of kinds that @cluster has not count
 * for every device. (transfer full) (nullable): %NULL with @error set */
GobanGraph *goban_graph_source_measure (GobanGraph *graph, const char *path,
                                        const GobanCluster *cluster, const GobanProgress *progress,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the file's beginning is that of a profile, packed or not. */
gboolean goban_graph_source_is_profile (const char *path);
/* @format (nullable): NULL is chosen by the suffix of the path. */
gboolean goban_graph_source_save (GobanGraph *graph, const char *path, const char *format,
                                  GError **error);

/* Check of a format before long work: FALSE with %GOBAN_ERROR_UNSUPPORTED set, whose message lists
 * the formats. @format (nullable): NULL is detected from the content, or chosen by the suffix of
 * the path. */
gboolean goban_graph_source_check_reader (const char *format, GError **error);
gboolean goban_graph_source_check_writer (const char *path, const char *format, GError **error);

/* Names of the formats that can be read: "onnx, graphdef, ...". (transfer full) */
char *goban_graph_source_list_readers (void) G_GNUC_WARN_UNUSED_RESULT;
