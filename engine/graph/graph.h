/* graph.h: an immutable directed acyclic graph of operations and tensors.
 *
 * Made by a GobanGraphBuilder, then never changed: any thread may read it
 * without a lock, and anyone may keep it alive with a reference.
 *
 * Nodes are numbered 0..n_nodes-1 in topological order, so every edge goes from
 * a lower id to a higher one; a file that is already in topological order keeps
 * its order. A tensor is one output of one node; each edge says which tensor it
 * carries, so a tensor read by three nodes is three edges and one tensor. Tensor
 * ids ascend with their producers. A control edge carries a tensor of no bytes.
 *
 * Times in a graph were measured or given with it, per kind of device ("gpu",
 * "cpu", or "*" for any); if it has none, the cost model estimates.
 *
 * Decisions E1, E3, E4 and E34 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

typedef guint32 GobanNodeId;
typedef guint32 GobanTensorId;
typedef guint32 GobanEdgeId;

#define GOBAN_NO_NODE ((GobanNodeId) G_MAXUINT32)
#define GOBAN_NO_TENSOR ((GobanTensorId) G_MAXUINT32)
#define GOBAN_NO_GROUP G_MAXUINT32
#define GOBAN_NO_KIND G_MAXUINT
#define GOBAN_NO_LANE G_MAXUINT32
#define GOBAN_NO_BATCH G_MAXUINT32

/* The kind of device whose times apply to every device. */
#define GOBAN_ANY_KIND "*"

typedef struct _GobanGraph GobanGraph;

/* Source of a quantity, from the most to the least trustworthy. */
typedef enum
{
  GOBAN_SOURCE_MEASURED,  /* profiled on a real device */
  GOBAN_SOURCE_GIVEN,     /* written in the file by its author */
  GOBAN_SOURCE_ESTIMATED, /* computed by us, by shape inference or the roofline */
  GOBAN_N_SOURCES
} GobanSource;

typedef enum
{
  GOBAN_PHASE_FORWARD,
  GOBAN_PHASE_BACKWARD,
  GOBAN_PHASE_UPDATE, /* the optimiser's step on a parameter */
} GobanPhase;

typedef struct
{
  const char *name;     /* unique in the graph; scopes are separated by '/' */
  const char *op;       /* the format's own word: "Conv", "MatMul", "LSTM(2048, 1024)" is "LSTM" */
  double flops;         /* floating-point operations of one run, 2 per multiply-accumulate */
  double macs;          /* multiply-accumulates of convolutions and matrix products */
  double read_bytes;    /* device memory read, parameters included */
  double written_bytes; /* device memory written */
  double param_bytes;   /* resident on the node's device as long as the program runs */
  double param_count;
  guint32 group; /* colocation group, or GOBAN_NO_GROUP; members share a device */
  /* device of the file's cluster that ran the node when the file was recorded, or GOBAN_NO_LANE;
   * nodes of such a file are numbered in the order of their starts */
  guint32 lane;
  guint32 micro_batch; /* of a pipeline's graph, or GOBAN_NO_BATCH */
  const char *origin;  /* (nullable): name of the node of another graph that it is a copy of */
  /* Bytes, as a graph may have millions of nodes. */
  GobanPhase phase : 8;
  GobanSource time_source : 8; /* MEASURED or GIVEN if the graph has times for this node */
  GobanSource size_source : 8; /* of bytes and FLOPs */
} GobanNode;

typedef struct
{
  double size_bytes;
  const char *dtype;  /* "f32", "s64"; "" when unknown */
  const gint64 *dims; /* n_dims of them, -1 for an unknown extent */
  GobanNodeId producer;
  guint n_dims : 30;
  guint has_shape : 1; /* 0: unknown; 1 with n_dims == 0: a scalar */
  guint is_control : 1;
} GobanTensor;

typedef struct
{
  GobanNodeId tail;
  GobanNodeId head;
  GobanTensorId tensor;
} GobanEdge;

/* A run of edge ids inside a graph: borrowed, valid while the graph lives. */
typedef struct
{
  const GobanEdgeId *ids;
  guint n;
} GobanEdgeSpan;

GobanGraph *goban_graph_ref (GobanGraph *self);
void goban_graph_unref (GobanGraph *self);

/* "" if the file names none. */
const char *goban_graph_get_name (const GobanGraph *self);
/* The format it was read from: "onnx", "dot", "pipedream", "msr", "stg", "json", ... */
const char *goban_graph_get_format (const GobanGraph *self);
/* The cluster that the file is meant for, as goban_cluster_new_from_spec() takes it; "" if it
 * names none. */
const char *goban_graph_get_cluster_spec (const GobanGraph *self);
/* Warnings of the reader for users, NULL-terminated; never NULL itself. */
const char *const *goban_graph_get_warnings (const GobanGraph *self);

guint goban_graph_get_n_nodes (const GobanGraph *self);
guint goban_graph_get_n_tensors (const GobanGraph *self);
guint goban_graph_get_n_edges (const GobanGraph *self);
guint goban_graph_get_n_groups (const GobanGraph *self);

const GobanNode *goban_graph_get_node (const GobanGraph *self, GobanNodeId node);
const GobanTensor *goban_graph_get_tensor (const GobanGraph *self, GobanTensorId tensor);
const GobanEdge *goban_graph_get_edge (const GobanGraph *self, GobanEdgeId edge);

/* Edges out of a node, sorted by (tensor, head): the edges of a tensor are one run. */
GobanEdgeSpan goban_graph_get_out_edges (const GobanGraph *self, GobanNodeId node);
/* Edges into a node, in the order in which its inputs were added. */
GobanEdgeSpan goban_graph_get_in_edges (const GobanGraph *self, GobanNodeId node);
/* Edges that carry a tensor, sorted by head. Edge ids of one tensor are consecutive. */
GobanEdgeSpan goban_graph_get_tensor_edges (const GobanGraph *self, GobanTensorId tensor);
/* The tensors of a node are first .. first + n - 1. */
GobanTensorId goban_graph_get_node_tensors (const GobanGraph *self, GobanNodeId node, guint *n);
/* Sum over the node's tensors. */
double goban_graph_get_output_bytes (const GobanGraph *self, GobanNodeId node);

/* The node of that name, or GOBAN_NO_NODE. */
GobanNodeId goban_graph_find_node (const GobanGraph *self, const char *name);

/* --- times that came with the graph ------------------------------------- */

/* Kinds of device the graph has times for; 0 if it has none. */
guint goban_graph_get_n_kinds (const GobanGraph *self);
const char *goban_graph_get_kind (const GobanGraph *self, guint kind);
/* The index of a kind, of "*" if the graph lacks it, else GOBAN_NO_KIND. */
guint goban_graph_find_kind (const GobanGraph *self, const char *kind);

/* NAN if the graph does not say; INFINITY if the node cannot run on that kind. */
double goban_graph_get_time_us (const GobanGraph *self, GobanNodeId node, guint kind);

/* TRUE if the graph gives a finite time for some kind, so that no estimate is needed. */
gboolean goban_graph_has_time (const GobanGraph *self, GobanNodeId node);

/* Time to move a tensor between two devices of these kinds; NAN if the graph does not say. */
double goban_graph_get_transfer_us (const GobanGraph *self, GobanTensorId tensor, guint from_kind,
                                    guint to_kind);

/* A fingerprint of names, ops, edges, sizes and times: equal for equal graphs, whatever the
 * file. */
guint64 goban_graph_get_hash (const GobanGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraph, goban_graph_unref)
