/* hierarchy-draft.h: a hierarchy under construction. Private to hierarchy*.c.
 *
 * hierarchy-scopes.c reads groups out of names or a plan, hierarchy-cells.c out of parameters,
 * hierarchy-folds.c puts siblings into folds, and hierarchy.c numbers what came out. Group 0 is the
 * root. A parent comes before its children until folds are made; then only parents tell what is
 * where.
 */
#pragma once

#include "engine/session/hierarchy.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 parent;
  GobanNodeId first; /* the least of its nodes */
  guint32 n_nodes;   /* in it and below */
  guint32 length;    /* its path is so much of the name of its first node, */
  guint32 start;     /* and from here on what is shown */
  const char *path;  /* (nullable): where it was made up instead, in the draft's texts */
  const char *name;
  gboolean is_fold;
} GobanGroupDraft;

typedef struct
{
  GobanGraph *graph; /* borrowed */
  GArray *groups;    /* GobanGroupDraft */
  guint32 *of;       /* (n_nodes) the innermost group of each */
  GStringChunk *texts;
  guint n_boxes; /* right below the root, before ranges */
} GobanHierarchyDraft;

static inline GobanGroupDraft *
goban_draft_group (const GobanHierarchyDraft *self, guint32 group)
{
  return &g_array_index (self->groups, GobanGroupDraft, group);
}

/* The root alone. */
GobanHierarchyDraft *goban_draft_new (GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
void goban_draft_free (GobanHierarchyDraft *self);

/* Replaces the root alone by what the grouping tells. @plan (nullable) */
void goban_draft_read_names (GobanHierarchyDraft *self, GobanGrouping grouping);
void goban_draft_read_plan (GobanHierarchyDraft *self, const GobanPlan *plan);
/* By PARAMETER or USE; leaves the root alone if the graph has nothing of the kind. */
void goban_draft_read_cells (GobanHierarchyDraft *self, GobanGrouping grouping);

/* Puts repeating siblings and long rows of them into folds. */
void goban_draft_fold (GobanHierarchyDraft *self, gboolean by_number);

/* Where a node's label inside a group of this path begins in its name. */
gsize goban_draft_label_start (const char *name, gsize length, const char *path, gsize path_length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHierarchyDraft, goban_draft_free)

G_END_DECLS
