/* collective.h: collective operations as transfers and sums of chunks, in any graph.
 *
 * Each rank holds a tensor. An operation is expanded into the steps of its algorithm: chunks that
 * one rank makes and the next one reads, so that the simulator sends them over the links of the
 * cluster, with contention. A step that adds up is a node "Reduce", one that passes on "Forward".
 *
 *   all-reduce      every rank gets the sum of all: ring, or tree (a binomial tree to the first
 *                   rank and back)
 *   reduce-scatter  rank r gets chunk r of the sum: ring
 *   all-gather      every rank gets the chunks of all: ring
 *   all-to-all      rank r gets chunk r of each: direct
 *   broadcast       every rank gets the first one's: tree
 *   send            the last rank gets the first one's: direct
 *
 * A ring of n ranks takes 2 (n - 1) steps of 1/n of the bytes for all-reduce, n - 1 for its halves
 * (Patarasuk and Yuan, 2009).
 */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/graph/graph-builder.h"

#define GOBAN_MAX_COLLECTIVE_RANKS 1024

typedef struct
{
  GobanCollectiveKind kind;
  gboolean is_tree; /* of all-reduce; the others have one algorithm */
  guint n_ranks;    /* at least 2 */
  double bytes;     /* bytes of a rank's tensor; of all-gather, of the result of every rank */
} GobanCollective;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names. @algorithm (nullable): "ring",
 * "tree" or "direct". */
gboolean goban_collective_parse (const char *kind, const char *algorithm, GobanCollective *self,
                                 GError **error);
const char *goban_collective_get_name (const GobanCollective *self);
const char *goban_collective_get_algorithm (const GobanCollective *self);

/**
 * goban_collective_add:
 * @producers: (n_ranks): the builder's nodes that make the ranks' tensors; chunks become outputs of
 *   theirs
 * @scope: begins the names of the steps
 * @results: (n_ranks) arrays of guint32: receive the tensors that are the rank's result together
 *
 * Returns: (transfer full) (element-type GobanCollectiveStep): the nodes that were added
 */
GArray *goban_collective_add (GobanGraphBuilder *builder, const GobanCollective *self,
                              const guint32 *producers, const char *scope,
                              GArray **results) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  guint32 node; /* the builder's */
  guint rank;
} GobanCollectiveStep;

/* The operation alone: "rank0/start" and "rank0/done" around it. @ranks: (out) (transfer full):
 * (n_nodes) the rank of each node. (transfer full) (nullable) */
GobanGraph *goban_collective_new_graph (const GobanCollective *self, guint **ranks,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
