/* graph-builder-private.h: state of a graph builder, shared by its three source files.
 *
 * graph-builder.c collects, graph-numbering.c orders, graph-finish.c checks and fills. Ids in here
 * are the builder's own, in the order of adding.
 */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/graph/graph-builder.h"

G_BEGIN_DECLS

typedef struct
{
  double size_bytes;
  const char *dtype;
  guint32 producer;
  guint32 first_dim; /* into dims */
  guint n_dims : 30;
  guint has_shape : 1;
  guint is_control : 1;
} BuilderTensor;

typedef struct
{
  guint32 tensor;
  guint32 head;
} BuilderEdge;

typedef struct
{
  guint32 tensor;
  guint32 from_kind;
  guint32 to_kind;
  double time_us;
} BuilderTransfer;

typedef struct
{
  guint32 node;
  guint32 kind;
  double time_us;
} BuilderTime;

typedef struct
{
  guint32 node;
  const char *name;
} BuilderDevice;

struct _GobanGraphBuilder
{
  char *name;
  char *format;
  GPtrArray *warnings;
  char *cluster_spec;   /* (nullable) */
  GArray *nodes;        /* GobanNode */
  GArray *tensors;      /* BuilderTensor */
  GArray *edges;        /* BuilderEdge */
  GArray *dims;         /* gint64 */
  GArray *times;        /* BuilderTime */
  GArray *transfers;    /* BuilderTransfer */
  GArray *file_devices; /* BuilderDevice */
  GArray *collectives;  /* GobanNodeCollective */
  GArray *controls;     /* guint32 per node: its control tensor, or GOBAN_NO_TENSOR */
  GPtrArray *kinds;
  GHashTable *names;  /* name -> number of nodes that requested it */
  GHashTable *groups; /* key -> group number + 1 */
  GStringChunk *strings;
};

static inline GobanNode *
builder_node (GobanGraphBuilder *self, guint32 node)
{
  return &g_array_index (self->nodes, GobanNode, node);
}

static inline BuilderTensor *
builder_tensor (GobanGraphBuilder *self, guint32 tensor)
{
  return &g_array_index (self->tensors, BuilderTensor, tensor);
}

static inline guint32
builder_edge_tail (GobanGraphBuilder *self, const BuilderEdge *edge)
{
  return builder_tensor (self, edge->tensor)->producer;
}

/**
 * goban_graph_builder_number:
 * @new_ids: (out) (array length=n_nodes): where each of the builder's nodes goes
 *
 * Kahn's algorithm, the lowest ready node first, so that the order stays as near to the file's as
 * the edges allow. O((N + E) log N), O(E) for a file in topological order.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID_GRAPH set, which names the nodes of a cycle
 */
gboolean goban_graph_builder_number (GobanGraphBuilder *self, guint32 *new_ids, GError **error);

G_END_DECLS
