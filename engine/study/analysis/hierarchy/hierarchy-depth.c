/* hierarchy-depth.c: the depth at which a draft shows as many boxes as can be read at once, and the
 * draft without the groups above it.
 *
 * At depth d, boxes are the groups d below the root, those less deep that hold no groups, and the
 * nodes directly in the root or in a less deep group that holds some.
 *
 * Decision E74 (engine/NOTES.md). */
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"

#include <string.h>

#define LEAST_BOXES 12
#define MOST_BOXES 60
#define MOST_BOXES_OPEN 40

/* Factor by which a number of boxes is too small or too large; 1: it is right. */
static double
miss_of (guint n_boxes)
{
  if (n_boxes < LEAST_BOXES)
    return (double) LEAST_BOXES / MAX (n_boxes, 1);
  return MAX ((double) n_boxes / MOST_BOXES, 1);
}

typedef struct
{
  guint32 *depths;   /* (groups) 0 for the root */
  guint32 *n_groups; /* (groups) directly below */
  guint32 *n_own;    /* (groups) nodes directly in it */
  guint32 *n_nodes;  /* (groups) in it and below */
  guint32 deepest;
} Tree;

static void
tree_clear (Tree *self)
{
  g_free (self->depths);
  g_free (self->n_groups);
  g_free (self->n_own);
  g_free (self->n_nodes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* Parents may come after their children: folds do. */
static Tree
measure (const GobanHierarchyDraft *draft)
{
  guint n = draft->groups->len;
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  Tree self = { g_new0 (guint32, n), g_new0 (guint32, n), g_new0 (guint32, n), NULL, 0 };

  for (guint32 i = 1; i < n; i++)
    {
      self.n_groups[goban_draft_group (draft, i)->parent]++;
      for (guint32 at = i; at != 0; at = goban_draft_group (draft, at)->parent)
        self.depths[i]++;
      self.deepest = MAX (self.deepest, self.depths[i]);
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self.n_own[draft->of[v]]++;
  self.n_nodes = g_memdup2 (self.n_own, n * sizeof *self.n_own);
  for (guint32 depth = self.deepest; depth > 0; depth--)
    for (guint32 i = 1; i < n; i++)
      if (self.depths[i] == depth)
        self.n_nodes[goban_draft_group (draft, i)->parent] += self.n_nodes[i];
  return self;
}

static guint
count_boxes (const Tree *self, guint32 n, guint32 depth)
{
  guint n_boxes = self->n_own[0];

  for (guint32 i = 1; i < n; i++)
    if (self->depths[i] == depth || (self->depths[i] < depth && self->n_groups[i] == 0))
      n_boxes++;
    else if (self->depths[i] < depth)
      n_boxes += self->n_own[i];
  return n_boxes;
}

double
goban_draft_find_depth (const GobanHierarchyDraft *self, guint32 *depth)
{
  g_auto (Tree) tree = measure (self);
  double least = G_MAXDOUBLE;

  *depth = 0;
  for (guint32 d = 1; d <= tree.deepest && least > 1; d++)
    {
      double miss = miss_of (count_boxes (&tree, self->groups->len, d));

      if (miss < least)
        {
          least = miss;
          *depth = d;
        }
    }
  return least;
}

/* Opens folds among the boxes, the largest first, as long as there are not too many boxes: eight
 * layers say more than one box of "layer_[1-8]". */
static void
open_folds (const GobanHierarchyDraft *draft, const Tree *tree, guint32 depth, guint8 *is_open)
{
  guint n_boxes = count_boxes (tree, draft->groups->len, depth);

  for (;;)
    {
      guint32 best = 0;

      for (guint32 i = 1; i < draft->groups->len; i++)
        {
          const GobanGroupDraft *group = goban_draft_group (draft, i);
          gboolean is_box = !is_open[i] && (group->parent == 0 || is_open[group->parent]);

          if (is_box && group->is_fold && tree->n_groups[i] > 0
              && n_boxes + tree->n_groups[i] + tree->n_own[i] - 1 <= MOST_BOXES_OPEN
              && (best == 0 || tree->n_nodes[i] > tree->n_nodes[best]))
            best = i;
        }
      if (best == 0)
        return;
      is_open[best] = TRUE;
      n_boxes += tree->n_groups[best] + tree->n_own[best] - 1;
    }
}

/* Names begin where that of the outermost open scope around them began: "encoder/layer_1". */
static void
lengthen_name (const GobanHierarchyDraft *draft, GobanGroupDraft *group)
{
  for (guint32 at = group->parent; at != 0; at = goban_draft_group (draft, at)->parent)
    {
      const GobanGroupDraft *outer = goban_draft_group (draft, at);
      gsize start
          = outer->path != NULL ? strlen (outer->path) - strlen (outer->name) : outer->start;

      if (outer->is_fold)
        continue;
      if (group->path != NULL)
        group->name = MIN (group->name, group->path + start);
      else
        group->start = MIN (group->start, (guint32) start);
    }
}

void
goban_draft_cut (GobanHierarchyDraft *self, guint32 depth)
{
  guint n = self->groups->len;
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  g_auto (Tree) tree = measure (self);
  g_autofree guint8 *is_open = g_malloc0 (n);
  g_autofree guint32 *numbers = g_new0 (guint32, n);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (GobanGroupDraft));

  for (guint32 i = 1; i < n; i++)
    is_open[i] = tree.depths[i] < depth && tree.n_groups[i] > 0;
  open_folds (self, &tree, depth, is_open);
  for (guint32 i = 0; i < n; i++)
    if (!is_open[i])
      {
        GobanGroupDraft group = *goban_draft_group (self, i);

        if (is_open[group.parent])
          lengthen_name (self, &group);
        numbers[i] = groups->len;
        g_array_append_val (groups, group);
      }
  for (guint32 i = 0; i < groups->len; i++)
    {
      GobanGroupDraft *group = &g_array_index (groups, GobanGroupDraft, i);

      group->parent = numbers[group->parent]; /* of an open group: the root's */
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->of[v] = numbers[self->of[v]];
  g_array_unref (self->groups);
  self->groups = g_steal_pointer (&groups);
}
