/* hierarchy.h: nodes put into groups within groups: what the graph pane closes and opens.
 *
 * Immutable and reference-counted; made in any thread; the same graph, grouping and plan give the same
 * bytes. Groups are numbered so that a parent comes before its children and children are in the order
 * of their first nodes; group 0 is the whole graph. Every node is in exactly one group, the innermost
 * that holds it, and a group's nodes are those of all groups below it as well.
 *
 *   scope    by the parts of names between '/'; a chain of scopes with one child each is one group
 *   layer    the outermost numbered scope, "encoder/layer_3"; what has none is outside all groups
 *   step     the outermost numbered scope that is a time step, "step_12", "t12", "while_12"
 *   cluster  what the plan fuses; ops that are fused with nothing are outside all groups
 *
 * Five or more siblings whose names differ in one number only are put into one more group, a fold,
 * "layer_[0-23]" (TensorBoard folds from five on); more than 1000 children are put into folds by
 * ranges, "nodes 1-1000" (Model Explorer's limit). So nobody ever sees more than about 1000 boxes at once
 * that they did not open themselves.
 */
#pragma once

#include "engine/plan/plan.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

#define GOBAN_FOLD_LEAST 5
#define GOBAN_GROUP_MOST 1000

typedef struct _GobanHierarchy GobanHierarchy;

typedef struct
{
  const char *name; /* what to show: "layer_3", "layer_[0-23]" */
  const char *path; /* its full name, unlike any other's: "encoder/layer_3"; "" of the root */
  guint32 parent;   /* of the root: itself */
  guint32 depth;    /* of the root: 0 */
  guint32 n_groups; /* directly below */
  guint32 n_own;    /* nodes directly in it */
  guint32 n_nodes;  /* in it and below */
  guint8 is_fold;   /* stands for siblings that repeat each other, or for a range */
} GobanGroup;

/**
 * goban_hierarchy_new:
 * @grouping: AUTO: SCOPE where the graph has more than 1000 nodes and scopes put them into fewer groups
 * @plan: (nullable): for CLUSTER; without one nothing is fused
 *
 * O(N) in the characters of all names.
 *
 * Returns: (transfer full): with NONE, or where no name says anything, the root alone
 */
GobanHierarchy *goban_hierarchy_new (GobanGraph *graph, GobanGrouping grouping,
                                     const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
GobanHierarchy *goban_hierarchy_ref (GobanHierarchy *self);
void goban_hierarchy_unref (GobanHierarchy *self);

/* Never AUTO. */
GobanGrouping goban_hierarchy_get_grouping (const GobanHierarchy *self);
guint goban_hierarchy_get_n_groups (const GobanHierarchy *self);
const GobanGroup *goban_hierarchy_get_group (const GobanHierarchy *self, guint32 group);
/* The innermost group of a node. */
guint32 goban_hierarchy_get_group_of (const GobanHierarchy *self, GobanNodeId node);

/* Borrowed, ascending: groups directly below; nodes directly in; nodes in and below. */
const guint32 *goban_hierarchy_get_children (const GobanHierarchy *self, guint32 group, guint *n);
const GobanNodeId *goban_hierarchy_get_own (const GobanHierarchy *self, guint32 group, guint *n);
GobanSelection *goban_hierarchy_dup_nodes (const GobanHierarchy *self,
                                           guint32 group) G_GNUC_WARN_UNUSED_RESULT;

/* By its path; G_MAXUINT32 where there is none. */
guint32 goban_hierarchy_find (const GobanHierarchy *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHierarchy, goban_hierarchy_unref)

G_END_DECLS
