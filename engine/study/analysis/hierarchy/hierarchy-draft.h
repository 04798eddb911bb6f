/* hierarchy-draft.h: a hierarchy under construction. Private to hierarchy*.c.
 *
 * hierarchy-scopes.c reads groups out of names or a plan and puts siblings into folds; hierarchy.c
 * reads them out of parameters, cuts off what is above the modules, and numbers the result. Group 0
 * is the root. A parent comes before its children until folds are made; from then on only the
 * parent fields define the tree.
 */
#pragma once

#include "engine/study/analysis/hierarchy/hierarchy.h"

typedef struct
{
  guint32 parent;
  GobanNodeId first; /* the lowest of its nodes */
  guint32 n_nodes;   /* in it and below */
  guint32 length;    /* length of its path, a prefix of the name of its first node */
  guint32 start;     /* start of the displayed part in it */
  const char *path;  /* (nullable): a generated path, in the draft's texts */
  const char *name;
  gboolean is_fold;
} GobanGroupDraft;

typedef struct
{
  GobanGraph *graph; /* borrowed */
  GArray *groups;    /* GobanGroupDraft */
  guint32 *of;       /* (n_nodes) the innermost group of each */
  GStringChunk *texts;
} GobanHierarchyDraft;

static inline GobanGroupDraft *
goban_draft_group (const GobanHierarchyDraft *self, guint32 group)
{
  return &g_array_index (self->groups, GobanGroupDraft, group);
}

/* The root alone. */
GobanHierarchyDraft *goban_draft_new (GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
void goban_draft_free (GobanHierarchyDraft *self);

/* Replaces the lone root by the scopes of all names, which groupings by names begin with. */
void goban_draft_read_scopes (GobanHierarchyDraft *self);
/* A draft of the scopes that were read, before any are left out. (transfer full) */
GobanHierarchyDraft *
goban_draft_copy_scopes (const GobanHierarchyDraft *self) G_GNUC_WARN_UNUSED_RESULT;
/* Replaces the scopes that were read by the groups of SCOPE, LAYER or STEP. */
void goban_draft_keep_names (GobanHierarchyDraft *self, GobanGrouping grouping);
/* Replaces the lone root by the groups of the grouping. @plan (nullable) */
void goban_draft_read_plan (GobanHierarchyDraft *self, const GobanPlan *plan);

/* Folds repeating siblings and long runs of siblings. */
void goban_draft_fold (GobanHierarchyDraft *self, gboolean by_number);

/* The offset of a node's label in its name, inside a group of this path. */
gsize goban_draft_label_start (const char *name, gsize length, const char *path, gsize path_length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHierarchyDraft, goban_draft_free)
