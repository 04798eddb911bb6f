/* graph-builder.h: builder of graphs: collects nodes, tensors and edges in any order.
 *
 * The builder counts nodes and tensors in the order of their adding; the ids it hands out are its
 * own and differ from those of the finished graph, which are topological. All strings are copied,
 * and made UTF-8 if they are not. A mistake in what a file says (a duplicate name, a cycle) is
 * found by goban_graph_builder_finish(); a builder id out of range is the caller's mistake.
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct _GobanGraphBuilder GobanGraphBuilder;

GobanGraphBuilder *goban_graph_builder_new (const char *name, const char *format);
void goban_graph_builder_free (GobanGraphBuilder *self);

/* The cluster that the file is meant for, as goban_cluster_new_from_spec() takes it; copied. */
void goban_graph_builder_set_cluster_spec (GobanGraphBuilder *self, const char *spec);

/* Adds a warning for users; equal warnings are kept once. */
void goban_graph_builder_warn (GobanGraphBuilder *self, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/**
 * goban_graph_builder_add_node:
 *
 * A node with every number 0, no group, and sources ESTIMATED; fill it through
 * goban_graph_builder_get_node(). An empty or repeated @name gets a suffix
 * "_1", "_2", ... that makes it unique.
 *
 * Returns: the builder's id of the node, ascending from 0
 */
guint32 goban_graph_builder_add_node (GobanGraphBuilder *self, const char *name, const char *op);

/* A copy of a node of another graph with its numbers, but without group and times. Under another
 * name it has that node as its origin, or the origin of that. */
guint32 goban_graph_builder_add_copy (GobanGraphBuilder *self, const GobanNode *source,
                                      const char *name);
void goban_graph_builder_set_origin (GobanGraphBuilder *self, guint32 node, const char *origin);

/* Borrowed until the next node is added. `name` and `op` are not to be changed. */
GobanNode *goban_graph_builder_get_node (GobanGraphBuilder *self, guint32 node);
guint goban_graph_builder_get_n_nodes (const GobanGraphBuilder *self);

/* Returns: the builder's id of a new tensor that @producer writes. */
guint32 goban_graph_builder_add_tensor (GobanGraphBuilder *self, guint32 producer,
                                        double size_bytes);

void goban_graph_builder_set_tensor_size (GobanGraphBuilder *self, guint32 tensor,
                                          double size_bytes);
/* Copies @dims. @dtype may be "". */
void goban_graph_builder_set_tensor_shape (GobanGraphBuilder *self, guint32 tensor,
                                           const char *dtype, const gint64 *dims, guint n_dims);

/* @head reads @tensor. The same pair twice is kept once. */
void goban_graph_builder_add_edge (GobanGraphBuilder *self, guint32 tensor, guint32 head);

/* @head may start only after @tail has finished; nothing but that fact is carried. */
void goban_graph_builder_add_control_edge (GobanGraphBuilder *self, guint32 tail, guint32 head);

/* The tensor of @producer's control edges, added if it is missing. So a file that lists its tensors
 * in order keeps that order. */
guint32 goban_graph_builder_add_control_tensor (GobanGraphBuilder *self, guint32 producer);

/* Kinds are numbered in the order in which they are first named, here or with a time. */
void goban_graph_builder_add_kind (GobanGraphBuilder *self, const char *kind);

/* Nodes given the same key, a number of the file's own, share a device. */
void goban_graph_builder_set_group (GobanGraphBuilder *self, guint32 node, guint64 key);

/* Time of a node on a kind of device; INFINITY: cannot run there. Marks the node with @source. */
void goban_graph_builder_set_time (GobanGraphBuilder *self, guint32 node, const char *kind,
                                   double time_us, GobanSource source);

/* Transfer time of a tensor between devices of two kinds, GOBAN_ANY_KIND for all. */
void goban_graph_builder_set_transfer (GobanGraphBuilder *self, guint32 tensor,
                                       const char *from_kind, const char *to_kind, double time_us);

/**
 * goban_graph_builder_finish:
 * @node_ids: (out) (optional) (transfer full): the graph's id of each of the builder's nodes
 *
 * Numbers the nodes topologically and checks the collected data. O((N + E) log N). The builder is
 * spent, whatever the outcome, and only to be freed. Tensors nobody reads are kept: they take
 * memory like any other.
 *
 * Returns: (transfer full) (nullable): a graph; or %NULL with %GOBAN_ERROR_INVALID_GRAPH
 *   set for a cycle, named by the nodes on it, a negative or non-finite size or time
 */
GobanGraph *goban_graph_builder_finish (GobanGraphBuilder *self, GobanNodeId **node_ids,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphBuilder, goban_graph_builder_free)
