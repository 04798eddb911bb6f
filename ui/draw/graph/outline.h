/* outline.h: outline of a graph: its visible nodes, closed groups, and the open groups around them.
 *
 * An item is a node or a closed group; a hull is an open group, and hull 0 is the whole graph.
 * Hidden nodes are left out, and so is a group of hidden nodes only; everything else still includes
 * them. Edges join items: one edge for all edges of the graph from one item to another; edges
 * within an item are left out. Items are in the order of their first nodes, parents of hulls come
 * before their children, and edges are sorted by tail and head. If nothing is grouped and nothing
 * hidden, items and edges are the graph's own, with the same ids.
 *
 * Immutable and reference-counted; made in any thread; read-only for others.
 *
 * Decision U11 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/hierarchy/hierarchy.h"

#define GOBAN_NO_ITEM G_MAXUINT32

typedef struct
{
  guint32 group;     /* a closed group of the hierarchy, or GOBAN_NO_GROUP */
  GobanNodeId first; /* the node itself, or the first visible one of the group */
  guint32 n_nodes;   /* visible nodes */
  guint32 hull;      /* the innermost around it */
  /* its 20 % quantile of node ids, for its place in the order of the graph; a mean would put all
   * layers of a training graph in one place, because their backward ops mirror the forward ones */
  GobanNodeId early;
} GobanOutlineItem;

typedef struct
{
  guint32 group;  /* of the hierarchy */
  guint32 parent; /* a hull; of hull 0: itself */
  guint32 depth;  /* of hull 0: 0 */
  guint32 n_nodes;
  GobanNodeId early;
} GobanOutlineHull;

typedef struct
{
  guint32 tail; /* items */
  guint32 head;
  guint32 n_edges; /* of the graph */
  double bytes;    /* sum over the edges: a tensor with two readers counts twice */
} GobanOutlineEdge;

typedef struct
{
  gatomicrefcount ref_count;
  GobanGraph *graph;
  GobanHierarchy *hierarchy; /* (nullable) */
  gboolean is_whole;         /* TRUE: items and edges are the graph's, with the same ids */
  guint n_items;
  guint n_hulls; /* at least 1 */
  guint n_edges;
  guint n_closed; /* items that are groups */
  GobanOutlineItem *items;
  GobanOutlineHull *hulls;
  GobanOutlineEdge *edges;
  guint32 *item_of; /* (nodes) the item that a node is in, or GOBAN_NO_ITEM */
  guint32 *edge_of; /* (edges of the graph) the edge it is in, or GOBAN_NO_ITEM */
} GobanOutline;

/**
 * goban_outline_new:
 * @hierarchy: (nullable): of @graph
 * @expanded: (nullable): paths of open groups; other paths, and those within a closed group, are
 * ignored
 * @hidden: (nullable)
 *
 * O(N + E).
 *
 * Returns: (transfer full)
 */
GobanOutline *goban_outline_new (GobanGraph *graph, GobanHierarchy *hierarchy,
                                 const char *const *expanded,
                                 const GobanSelection *hidden) G_GNUC_WARN_UNUSED_RESULT;
GobanOutline *goban_outline_ref (GobanOutline *self);
void goban_outline_unref (GobanOutline *self);

/* Name and path of a hull or of a closed group; NULL of an item that is a node. Borrowed. */
const GobanGroup *goban_outline_get_hull_group (const GobanOutline *self, guint32 hull);
const GobanGroup *goban_outline_get_item_group (const GobanOutline *self, guint32 item);

/* The innermost hull around both. */
guint32 goban_outline_meet (const GobanOutline *self, guint32 hull, guint32 other);
gboolean goban_outline_is_within (const GobanOutline *self, guint32 hull, guint32 outer);

/* The item or hull of a group: FALSE if it is neither, for it is in a closed one or hidden. */
gboolean goban_outline_find_group (const GobanOutline *self, const char *path, guint32 *item,
                                   guint32 *hull);

/* The visible nodes of an item, of several, or of a hull; (transfer full). */
GobanSelection *goban_outline_dup_item_nodes (const GobanOutline *self,
                                              guint32 item) G_GNUC_WARN_UNUSED_RESULT;
GobanSelection *goban_outline_dup_items_nodes (const GobanOutline *self, const guint32 *items,
                                               guint n) G_GNUC_WARN_UNUSED_RESULT;
GobanSelection *goban_outline_dup_hull_nodes (const GobanOutline *self,
                                              guint32 hull) G_GNUC_WARN_UNUSED_RESULT;

/* The items that contain some of a set of nodes. */
typedef struct
{
  guint32 *items; /* ascending; those with all their nodes first */
  guint n;
  guint n_whole; /* number of items with all of their nodes in the set */
} GobanOutlineMarks;

GobanOutlineMarks goban_outline_mark (const GobanOutline *self, const GobanNodeId *nodes, guint n);
void goban_outline_marks_clear (GobanOutlineMarks *marks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOutline, goban_outline_unref)
