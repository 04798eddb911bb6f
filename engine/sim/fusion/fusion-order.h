/* fusion-order.h: growing clusters with a topological order that is updated incrementally.
 *
 * Private to engine/sim/fusion. A merge is refused if a path leads from one of the clusters to
 * another through a third: it would close a cycle. As in Pearce and Kelly, "A dynamic topological
 * sort algorithm for directed acyclic graphs" (2006), only clusters between the first and the
 * last of those merged are looked at, and only their positions change.
 *
 * A search that has seen more than FUSION_MAX_SEARCH clusters gives up, and the merge is refused:
 * so a pass takes O(N) steps whatever the graph. Nothing illegal comes of it.
 */
#pragma once

#include "engine/sim/fusion/fusion-tables.h"

G_BEGIN_DECLS

#define FUSION_MAX_SEARCH 256

/* Data of a cluster that a search reads, in one place. */
typedef struct
{
  guint32 position; /* ascends along every edge between two clusters */
  guint32 mark;     /* the search that has visited it, and its role */
} FusionPlace;

/* Visited clusters of a search: the position in the upper half, the cluster in the lower. */
typedef struct
{
  guint64 keys[FUSION_MAX_SEARCH + 1];
  guint n; /* FUSION_MAX_SEARCH + 1: too many */
} FusionSeen;

typedef struct
{
  const FusionTables *tables;
  guint32 *first_out; /* (n_nodes + 1) edges that leave a node */
  guint32 *cluster;   /* (n_nodes) of each node, named by one of its members */
  guint32 *next;      /* (n_nodes) the next member, in a ring */
  guint32 *size;      /* (n_nodes) by cluster */
  FusionPlace *place; /* (n_nodes) by cluster */
  guint32 n_searches;
  guint32 *enter;  /* (n_nodes) of a depth-first tree of the graph: v is below u if */
  guint32 *leave;  /* enter[u] <= enter[v] < leave[u] */
  guint32 *parent; /* (n_nodes) in the tree, or FUSION_NONE */
  FusionSeen forward;
  FusionSeen backward;
} FusionOrder;

void fusion_order_init (FusionOrder *self, const FusionTables *tables);
void fusion_order_clear (FusionOrder *self);

/* Resets all clusters to single nodes. */
void fusion_order_reset (FusionOrder *self);

/* Merges @n different clusters under the name of the largest; FALSE, without any change, if that
 * would close a cycle or takes too long to find out. */
gboolean fusion_order_merge (FusionOrder *self, const guint32 *clusters, guint n);

G_END_DECLS
