/* graph-matching.h: nodes of two graphs that are the same op: by origin, else by name, else by
 * structure.
 *
 * Partners are nodes of one class. By origin, a class is all copies of a node of the model for a
 * micro-batch (derivations record it); against a graph without micro-batches, for all of them. By
 * structure, nodes have the same op, the same outputs and neighbours that are partners or look
 * alike. Immutable and reference-counted; any thread.
 */
#pragma once

#include "engine/graph/graph.h"

typedef enum
{
  GOBAN_MATCH_ORIGIN,
  GOBAN_MATCH_NAME,
  GOBAN_MATCH_STRUCTURE,
  GOBAN_MATCH_NONE, /* in one of the graphs alone */
  GOBAN_N_MATCHES
} GobanMatch;

/* In which a node may differ from its partner. */
typedef enum
{
  GOBAN_CHANGED_OP,
  GOBAN_CHANGED_EDGES, /* inputs: of other nodes, or in another order */
  GOBAN_CHANGED_BYTES, /* of its outputs */
  GOBAN_CHANGED_DIMS,  /* of its outputs, or their types */
  GOBAN_CHANGED_COSTS, /* times, FLOPs and bytes read and written */
  GOBAN_CHANGED_PARAMETERS,
  GOBAN_CHANGED_GROUP, /* whether it has one */
  GOBAN_N_GRAPH_CHANGES
} GobanGraphChange;

typedef struct _GobanGraphMatching GobanGraphMatching;

/* O((N + E) log (N + E)) for each round in which nodes are found by their neighbours, at most 32.
 * (transfer full) */
GobanGraphMatching *goban_graph_matching_new (GobanGraph *first,
                                              GobanGraph *second) G_GNUC_WARN_UNUSED_RESULT;
GobanGraphMatching *goban_graph_matching_ref (GobanGraphMatching *self);
void goban_graph_matching_unref (GobanGraphMatching *self);

/* @side: 0 for the first graph, 1 for the second, here and below. Borrowed. */
GobanGraph *goban_graph_matching_get_graph (const GobanGraphMatching *self, guint side);
GobanMatch goban_graph_matching_get (const GobanGraphMatching *self, guint side, GobanNodeId node);
/* The nodes of the graph that are matched like this, or not at all. */
guint goban_graph_matching_count (const GobanGraphMatching *self, guint side, GobanMatch match);
/* The node's partners in the other graph, ascending; borrowed, valid as long as the matching. */
const GobanNodeId *goban_graph_matching_get_partners (const GobanGraphMatching *self, guint side,
                                                      GobanNodeId node, guint *n);

/* A bit for each field in which a node of the first graph differs from its partner; 0 unless each
 * is the only partner of the other. */
guint goban_graph_matching_get_changes (const GobanGraphMatching *self, GobanNodeId node);
/* "join: 4 MB → 9 MB", or only the name. (transfer full) */
char *goban_graph_matching_describe_change (const GobanGraphMatching *self, GobanNodeId node,
                                            GobanGraphChange field) G_GNUC_WARN_UNUSED_RESULT;

/* "120 of 128 nodes of A are in B, too: 96 by origin, ...; 8 are in A alone, 0 in B".
 * (transfer full) */
char *goban_graph_matching_describe (const GobanGraphMatching *self,
                                     const char *const names[2]) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphMatching, goban_graph_matching_unref)
