/* graph-private.h: data layout of a graph, private to graph.c and its builder.
 *
 * Everything is flat arrays indexed by id, filled once by the builder. Edges are
 * stored sorted by (tail, tensor, head), so the out-edges of a node, and those of a
 * tensor, are runs of consecutive edge ids; in-edges are a permutation of edge ids
 * grouped by head.
 */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/graph/graph.h"

struct _GobanGraph
{
  gatomicrefcount refs;
  char *name;
  char *format;
  char **warnings;
  char *cluster_spec;

  guint n_nodes;
  guint n_tensors;
  guint n_edges;
  guint n_groups;
  guint n_kinds;

  GobanNode *nodes;
  GobanTensor *tensors;
  GobanEdge *edges;
  guint32 *tensor_offsets;      /* (n_nodes + 1) first tensor of each node */
  guint32 *out_offsets;         /* (n_nodes + 1) first out-edge of each node */
  guint32 *tensor_edge_offsets; /* (n_tensors + 1) first edge of each tensor */
  guint32 *in_offsets;          /* (n_nodes + 1) into in_edges */
  GobanEdgeId *in_edges;        /* (n_edges) */
  GobanEdgeId *edge_ids;        /* (n_edges) 0, 1, 2, ...: target of the spans of outputs */
  GobanEdgeId *added_edges;     /* (n_edges) in the order of adding */

  char **kinds;                     /* (n_kinds + 1) */
  double *times_us;                 /* (n_nodes x n_kinds), NULL without kinds */
  double *transfers_us;             /* (n_tensors x n_kinds x n_kinds), NULL if none was given */
  const char **file_devices;        /* (n_nodes), NULL if none was given */
  GobanNodeCollective *collectives; /* (n_collectives) by their nodes, one a node */
  guint n_collectives;

  GHashTable *by_name;   /* name -> id, keys owned by strings */
  GStringChunk *strings; /* names, ops, dtypes */
  gint64 *dims;          /* pool of all shapes */
  guint64 hash;
};

/* Fills edge_ids, offsets and the hash once nodes, tensors, sorted edges and in_edges are there. */
void goban_graph_seal (GobanGraph *self);
