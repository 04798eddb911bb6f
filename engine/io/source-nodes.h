/* source-nodes.h: nodes of a graph by the nodes of the file that it was read from.
 *
 * For writers that change a copy of the file node by node. Names alone do not suffice: a reader
 * numbers equal names, folds constants and makes one node of a loop.
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  /* (n): the graph's, by the file's, in its order; a folded constant has the node that reads it
   * first, or GOBAN_NO_NODE */
  GobanNodeId *nodes;
  guint8 *is_folded; /* (n) of ONNX: constants that are not in the graph; else NULL */
  char **names;      /* (n) of ONNX: as the file has them, "" for none; else NULL */
  /* (n) of TensorFlow, else NULL: of nodes that are not in the graph because no output needs them,
   * the devices in the file; NULL for the others */
  char **devices;
  gsize n;
  gboolean is_text;      /* protobuf's text format */
  guint depth;           /* of GraphDef in the file's message: 1 MetaGraphDef, 2 SavedModel */
  GobanNodeId with_body; /* of ONNX: the first If, Loop or Scan, or GOBAN_NO_NODE */
  char *external;        /* (nullable): a file beside the model that holds weights */
} GobanSourceNodes;

/**
 * goban_onnx_find_nodes:
 * @bytes: the file
 * @graph: read from it
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set, which names a node
 *   that only one of file and graph has, or the error of reading the file
 */
GobanSourceNodes *goban_onnx_find_nodes (GBytes *bytes, const char *path, const GobanGraph *graph,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of TensorFlow's files. */
GobanSourceNodes *goban_graphdef_find_nodes (GBytes *bytes, const char *path,
                                             const GobanGraph *graph,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_source_nodes_free (GobanSourceNodes *self);

/* For readers: the graph's node of the name that the builder gave to its node @id; GOBAN_NO_NODE
 * with @error set. */
GobanNodeId goban_source_nodes_find (const GobanGraph *graph, const char *name, const char *path,
                                     GError **error);
/* Whether each node of the graph is a node of the file. */
gboolean goban_source_nodes_check (const GobanSourceNodes *self, const GobanGraph *graph,
                                   const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSourceNodes, goban_source_nodes_free)
