/* hierarchy.h: hierarchy of node groups that the graph pane opens and closes.
 *
 * Immutable and reference-counted; made in any thread; the same graph, grouping and plan give the
 * same bytes. Groups are numbered in preorder: a parent comes before what is below it, and that is
 * one run of numbers; children are in the order of their first nodes; group 0 is the whole graph.
 * Every node is in exactly one group, the innermost that holds it, and a group's nodes are those of
 * all groups below it as well.
 *
 *   scope    by the parts of names between '/'. A chain of scopes with one child each is one group,
 *            a scope of one node is none, and a node named like a scope is in it. Names without '/'
 *            are cut at dots ("layer.3.conv"), and where no name has a '/', after numbered words
 *            ("stage2_conv3_fwd")
 *   layer    the outermost numbered scope, "encoder/layer_3", that is no time step and has siblings
 *            of the same name; what has none is in the outermost scope that holds no layer
 *   step     the time step, "step_12", "t12", "while_12", "segment_12", of all layers together: the
 *            scopes before the first number and the step, "encoder/step_12". What has none is with
 *            its like: weights of all layers in "encoder", what has no steps at all in its
 *            outermost scope
 *   parameter  the ops that work for one parameter (engine/graph/cells.h), under its name, and
 *            within it its uses: "encoder/layer_1/use 3". Nothing but that is read from names
 *   use      the k-th use of every parameter, "use 3", and within it the parameters: "use
 *            3/encoder/layer_1". What works for a parameter with one use is in "used once"
 *   cluster  what the plan fuses, under the name of its first node; ops that are fused with nothing
 *            are outside all groups
 *
 * Five or more siblings whose names differ in one number only are put into one more group, a fold,
 * "layer_[0-23]" (TensorBoard folds from five on), unless nothing else would be left beside it;
 * nodes fold if they also have one op, and not those outside all groups, whose numbers only count
 * them. Parameters, uses and clusters do not fold: a box of all "Conv_[1-53]" would be the whole
 * network. More than 1000 children are put into folds by ranges, "1-1000" (Model Explorer's limit).
 * So nobody ever sees more than about 1000 boxes at once that they did not open themselves.
 *
 * Decision E26 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/plan.h"
#include "engine/study/analysis/hierarchy/grouping.h"
#include "engine/study/run/selection.h"

#define GOBAN_FOLD_LEAST 5
#define GOBAN_GROUP_MOST 1000

#define GOBAN_NO_SUCH_GROUP G_MAXUINT32

typedef struct _GobanHierarchy GobanHierarchy;

typedef struct
{
  const char *name; /* display name: "layer_3", "layer_[0-23]" */
  const char *path; /* full name, unique: "encoder/layer_3"; "" for the root */
  guint32 parent;   /* the root's is itself */
  guint32 end;      /* its descendants have the numbers from its own + 1 to end - 1 */
  guint32 depth;    /* 0 for the root */
  guint32 n_groups; /* directly below */
  guint32 n_own;    /* nodes directly in it */
  guint32 n_nodes;  /* in it and below */
  gboolean is_fold; /* represents repeating siblings, or a range of them */
} GobanGroup;

/**
 * goban_hierarchy_new:
 * @grouping: AUTO: the first of SCOPE, LAYER and PARAMETER that has a depth with 12 to 60 boxes,
 *   groups and nodes outside them, else the one that comes nearest; NONE of up to 12 nodes. Groups
 *   above that depth are left out, and so are folds among its boxes while there are at most 40
 * @plan: (nullable): for CLUSTER; without one nothing is fused
 *
 * O(N) in the characters of all names; by parameters and uses O(N + E log E).
 *
 * Returns: (transfer full): with NONE, or if there is nothing to group by, the root alone
 */
GobanHierarchy *goban_hierarchy_new (GobanGraph *graph, GobanGrouping grouping,
                                     const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
GobanHierarchy *goban_hierarchy_ref (GobanHierarchy *self);
void goban_hierarchy_unref (GobanHierarchy *self);

/* Never AUTO. */
GobanGrouping goban_hierarchy_get_grouping (const GobanHierarchy *self);
/* The reason, as a sentence for users, if a grouping was requested but there are no groups; %NULL
 * if there are. Untranslated, borrowed. */
const char *goban_hierarchy_get_flat_reason (const GobanHierarchy *self);
guint goban_hierarchy_get_n_groups (const GobanHierarchy *self);
const GobanGroup *goban_hierarchy_get_group (const GobanHierarchy *self, guint32 group);
/* The innermost group of a node. */
guint32 goban_hierarchy_get_group_of (const GobanHierarchy *self, GobanNodeId node);
/* The label of a node inside its group: its name without the path of the innermost group that
 * prefixes it. Borrowed. */
const char *goban_hierarchy_get_label_of (const GobanHierarchy *self, GobanNodeId node);

/* The child groups, and the nodes directly in a group, in order. Borrowed. */
const guint32 *goban_hierarchy_get_children (const GobanHierarchy *self, guint32 group, guint *n);
const GobanNodeId *goban_hierarchy_get_own (const GobanHierarchy *self, guint32 group, guint *n);
/* Nodes in it and below. */
GobanSelection *goban_hierarchy_dup_nodes (const GobanHierarchy *self,
                                           guint32 group) G_GNUC_WARN_UNUSED_RESULT;

/* Finds a group by its path; GOBAN_NO_SUCH_GROUP if there is none. */
guint32 goban_hierarchy_find (const GobanHierarchy *self, const char *path);

/* The tree as text, one group per line: "  layer_[1-8]  12080 nodes, 8 groups, fold". */
char *goban_hierarchy_to_text (const GobanHierarchy *self,
                               guint max_depth) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHierarchy, goban_hierarchy_unref)
