#include "engine/study/analysis/hierarchy/hierarchy.h"

#include "engine/core/i18n.h"
#include "engine/graph/cells.h"
#include "engine/study/analysis/hierarchy/cell-names.h"
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"
#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

/* The depth at which a draft shows as many boxes as can be read at once, and the
 * draft without the groups above it.
 *
 * At depth d, boxes are the groups d below the root, those less deep that hold no groups, and the
 * nodes directly in the root or in a less deep group that holds some.
 *
 * Decision E74 (engine/NOTES.md). */

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

/* The least depth with 12 to 60 boxes, else the one that comes nearest; 0 without groups. Returns
 * the factor by which it misses that range; 1: it is within it. */
static double
draft_find_depth (const GobanHierarchyDraft *self, guint32 *depth)
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

/* Removes the groups above a depth that hold others; their contents move to the root. */
static void
draft_cut (GobanHierarchyDraft *self, guint32 depth)
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

/* Groups by parameters and their uses, for graphs whose names say nothing: engine/graph/cells.h.
 *
 * Two levels: the parameters, and within each its uses; or the k-th uses of all parameters, and
 * within each use the parameters. Groups of one node are left out, and so is a group that holds
 * all of the one around it.
 */

/* Parameters with one use belong to no step. */
#define ONCE_NAME "used once"

/* One level of groups: the group of each cell. */
typedef struct
{
  guint n_groups;
  guint32 *of;      /* (n_cells) */
  guint32 *n_nodes; /* (n_groups) */
  GobanNodeId *first;
  char **names; /* (n_groups + 1) */
} Level;

static void
level_clear (Level *self)
{
  g_free (self->of);
  g_free (self->n_nodes);
  g_free (self->first);
  g_strfreev (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* --- levels ------------------------------------------------------------------------------ */

static Level
level_of_params (const GobanGraph *graph, const GobanCells *cells)
{
  return (Level){ .n_groups = cells->n_params,
                  .of = g_memdup2 (cells->param_of, cells->n_cells * sizeof *cells->param_of),
                  .names = goban_cell_names_new (graph, cells) };
}

/* The last group has the nodes of parameters that are used once; it may stay empty. */
static Level
level_of_uses (const GobanCells *cells)
{
  guint n_uses = goban_cells_get_max_uses (cells);
  Level self = { .n_groups = n_uses + 1,
                 .of = g_new (guint32, cells->n_cells),
                 .names = g_new0 (char *, (gsize) n_uses + 2) };

  for (guint32 c = 0; c < cells->n_cells; c++)
    self.of[c] = cells->n_uses[cells->param_of[c]] > 1 ? cells->use_of[c] : n_uses;
  for (guint k = 0; k < n_uses; k++)
    self.names[k] = goban_cell_dup_use_name (k);
  self.names[n_uses] = g_strdup (ONCE_NAME);
  return self;
}

/* Each cell by itself: it is called like its group in @level, the other coordinate. */
static Level
level_of_cells (const GobanCells *cells, const Level *level)
{
  Level self = { .n_groups = cells->n_cells,
                 .of = g_new (guint32, cells->n_cells),
                 .names = g_new0 (char *, (gsize) cells->n_cells + 1) };

  for (guint32 c = 0; c < cells->n_cells; c++)
    {
      self.of[c] = c;
      self.names[c] = g_strdup (level->names[level->of[c]]);
    }
  return self;
}

static void
count_nodes (Level *self, const GobanCells *cells)
{
  self->n_nodes = g_new0 (guint32, self->n_groups);
  self->first = g_new0 (GobanNodeId, self->n_groups);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    {
      guint32 group = self->of[cells->cell_of[v]];

      if (self->n_nodes[group]++ == 0)
        self->first[group] = v;
    }
}

/* --- groups ------------------------------------------------------------------------------ */

static guint32
add_group (GobanHierarchyDraft *draft, guint32 parent, const Level *level, guint32 number)
{
  GobanGroupDraft group = { .parent = parent, .first = level->first[number] };
  const char *above = parent != 0 ? goban_draft_group (draft, parent)->path : NULL;
  const char *own = level->names[number];
  const char *name = own + goban_name_skip_separators (own, strlen (own), 0);
  g_autofree char *path = above != NULL ? g_strdup_printf ("%s/%s", above, name) : g_strdup (own);

  group.path = g_string_chunk_insert (draft->texts, path);
  group.name = group.path + strlen (path) - strlen (name);
  g_array_append_val (draft->groups, group);
  return draft->groups->len - 1;
}

/* The draft group of every cell. */
static guint32 *
add_groups (GobanHierarchyDraft *draft, const GobanCells *cells, const Level *outer,
            const Level *inner)
{
  g_autofree guint32 *numbers = g_new0 (guint32, outer->n_groups);
  guint32 *of = g_new (guint32, cells->n_cells);

  for (guint32 i = 0; i < outer->n_groups; i++)
    if (outer->n_nodes[i] > 1 && outer->n_nodes[i] < cells->n_nodes)
      numbers[i] = add_group (draft, 0, outer, i);
  for (guint32 c = 0; c < cells->n_cells; c++)
    {
      guint32 parent = outer->of[c];
      gboolean is_part = inner->n_nodes[c] > 1 && inner->n_nodes[c] < outer->n_nodes[parent];

      of[c] = is_part ? add_group (draft, numbers[parent], inner, c) : numbers[parent];
    }
  return of;
}

static void
group_cells (GobanHierarchyDraft *draft, const GobanCells *cells, Level *outer, Level *other)
{
  g_auto (Level) inner = level_of_cells (cells, other);
  g_autofree guint32 *of = NULL;

  count_nodes (outer, cells);
  count_nodes (&inner, cells);
  of = add_groups (draft, cells, outer, &inner);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    draft->of[v] = of[cells->cell_of[v]];
}

/* By PARAMETER or USE; adds no group if the graph has neither. */
static void
draft_read_cells (GobanHierarchyDraft *self, GobanGrouping grouping)
{
  g_autoptr (GobanCells) cells = goban_cells_new_of_params (self->graph, NULL);
  g_auto (Level) params = { 0 };
  g_auto (Level) uses = { 0 };

  if (cells == NULL || (grouping == GOBAN_GROUPING_USE && goban_cells_get_max_uses (cells) < 2))
    return;

  params = level_of_params (self->graph, cells);
  uses = level_of_uses (cells);
  if (grouping == GOBAN_GROUPING_USE)
    group_cells (self, cells, &uses, &params);
  else
    group_cells (self, cells, &params, &uses);
}

/* Graphs of so few nodes have no groups unless they are asked for: they are few boxes already. */
#define FEW_NODES 12

struct _GobanHierarchy
{
  gatomicrefcount refs;
  GobanGraph *graph;
  GobanGrouping grouping;
  guint n_groups;
  GobanGroup *groups;
  guint32 *of;       /* (n_nodes) */
  guint32 *children; /* (n_groups - 1) of group g: children_at[g] .. children_at[g + 1] */
  guint32 *children_at;
  GobanNodeId *own; /* (n_nodes) */
  guint32 *own_at;
  GStringChunk *texts;
  guint32 *by_path; /* (mask + 1) a hash table of groups; G_MAXUINT32 is empty */
  guint32 mask;
};

/* --- order ---------------------------------------------------------------------------------- */

/* Drafts by their first nodes. */
static guint32 *
sort_by_first (const GobanHierarchyDraft *draft)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  guint n = draft->groups->len;
  g_autofree guint32 *starts = g_new0 (guint32, (gsize) n_nodes + 2);
  guint32 *order = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    starts[goban_draft_group (draft, i)->first + 1]++;
  for (guint v = 0; v <= n_nodes; v++)
    starts[v + 1] += starts[v];
  for (guint32 i = 0; i < n; i++)
    order[starts[goban_draft_group (draft, i)->first]++] = i;
  return order;
}

/* Drafts by parent, siblings by first node: (n - 1), and where each draft's begin (n + 1). */
static guint32 *
sort_by_parent (const GobanHierarchyDraft *draft, guint32 **starts)
{
  guint n = draft->groups->len;
  g_autofree guint32 *order = sort_by_first (draft);
  g_autofree guint32 *next = g_new0 (guint32, (gsize) n + 1);
  guint32 *children = g_new (guint32, n);

  *starts = g_new0 (guint32, (gsize) n + 1);
  for (guint32 i = 1; i < n; i++)
    (*starts)[goban_draft_group (draft, i)->parent + 1]++;
  for (guint32 i = 0; i < n; i++)
    (*starts)[i + 1] += (*starts)[i];
  memcpy (next, *starts, ((gsize) n + 1) * sizeof *next);
  for (guint32 i = 0; i < n; i++)
    if (order[i] != 0)
      children[next[goban_draft_group (draft, order[i])->parent]++] = order[i];
  return children;
}

/* The number of every draft in preorder. */
static guint32 *
number_groups (const GobanHierarchyDraft *draft)
{
  guint n = draft->groups->len;
  g_autofree guint32 *starts = NULL;
  g_autofree guint32 *children = sort_by_parent (draft, &starts);
  g_autofree guint32 *stack = g_new (guint32, n);
  guint32 *numbers = g_new (guint32, n);
  guint depth = 1;
  guint32 number = 0;

  stack[0] = 0;
  while (depth > 0)
    {
      guint32 i = stack[--depth];

      numbers[i] = number++;
      for (guint32 k = starts[i + 1]; k-- > starts[i];)
        stack[depth++] = children[k];
    }
  g_assert (number == n);
  return numbers;
}

/* --- names ---------------------------------------------------------------------------------- */

static const char *
insert_text (GobanHierarchy *self, const char *text, gsize length)
{
  return g_string_chunk_insert_len (self->texts, text, (gssize) length);
}

static void
name_group (GobanHierarchy *self, GobanGroup *group, const GobanGroupDraft *draft)
{
  const char *name;

  if (draft->path != NULL)
    {
      group->path = insert_text (self, draft->path, strlen (draft->path));
      group->name = insert_text (self, draft->name, strlen (draft->name));
      return;
    }
  /* The root of a graph without nodes has none to be named after. */
  name = draft->length > 0 ? goban_graph_get_node (self->graph, draft->first)->name : "";
  group->path = insert_text (self, name, draft->length);
  group->name = group->path + draft->start;
}

static guint32
find_slot (const GobanHierarchy *self, const char *path)
{
  guint32 slot = g_str_hash (path);

  for (slot = (slot ^ slot >> 15) & self->mask; self->by_path[slot] != GOBAN_NO_SUCH_GROUP;
       slot = (slot + 1) & self->mask)
    if (g_str_equal (self->groups[self->by_path[slot]].path, path))
      break;
  return slot;
}

/* Scopes of the graph first: a fold that is called like one takes another name. */
static void
index_paths (GobanHierarchy *self)
{
  self->mask = 15;
  while (self->mask < 2 * self->n_groups)
    self->mask = 2 * self->mask + 1;
  self->by_path = g_new (guint32, (gsize) self->mask + 1);
  memset (self->by_path, 0xff, ((gsize) self->mask + 1) * sizeof *self->by_path);

  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = 0; i < self->n_groups; i++)
      {
        GobanGroup *group = &self->groups[i];
        guint32 slot;

        if (group->is_fold != (pass == 1))
          continue;
        slot = find_slot (self, group->path);
        for (guint k = 2; self->by_path[slot] != GOBAN_NO_SUCH_GROUP; k++)
          {
            g_autofree char *path = g_strdup_printf ("%s (%u)", group->path, k);

            slot = find_slot (self, path);
            if (self->by_path[slot] == GOBAN_NO_SUCH_GROUP)
              group->path = insert_text (self, path, strlen (path));
          }
        self->by_path[slot] = i;
      }
}

/* --- making it ------------------------------------------------------------------------------ */

static void
fill_groups (GobanHierarchy *self, const GobanHierarchyDraft *draft, const guint32 *numbers)
{
  for (guint32 i = 0; i < self->n_groups; i++)
    {
      const GobanGroupDraft *from = goban_draft_group (draft, i);
      GobanGroup *group = &self->groups[numbers[i]];

      group->parent = numbers[from->parent];
      group->is_fold = from->is_fold;
      group->end = numbers[i] + 1;
      name_group (self, group, from);
    }
  for (guint32 g = 1; g < self->n_groups; g++)
    {
      GobanGroup *group = &self->groups[g];

      group->depth = self->groups[group->parent].depth + 1;
      self->groups[group->parent].n_groups++;
    }
}

static void
count_groups (GobanHierarchy *self)
{
  for (guint32 g = 0; g < self->n_groups; g++)
    self->groups[g].n_nodes = self->groups[g].n_own;
  for (guint32 g = self->n_groups; g-- > 1;)
    {
      GobanGroup *parent = &self->groups[self->groups[g].parent];

      parent->n_nodes += self->groups[g].n_nodes;
      parent->end = MAX (parent->end, self->groups[g].end);
    }
}

static void
list_members (GobanHierarchy *self, guint n_nodes)
{
  g_autofree guint32 *next = g_new (guint32, self->n_groups);

  self->children = g_new (guint32, self->n_groups);
  self->children_at = g_new0 (guint32, (gsize) self->n_groups + 1);
  self->own = g_new (GobanNodeId, (gsize) n_nodes + 1);
  self->own_at = g_new0 (guint32, (gsize) self->n_groups + 1);
  for (guint32 g = 0; g < self->n_groups; g++)
    {
      self->children_at[g + 1] = self->children_at[g] + self->groups[g].n_groups;
      self->own_at[g + 1] = self->own_at[g] + self->groups[g].n_own;
    }
  memcpy (next, self->children_at, self->n_groups * sizeof *next);
  for (guint32 g = 1; g < self->n_groups; g++)
    self->children[next[self->groups[g].parent]++] = g;
  memcpy (next, self->own_at, self->n_groups * sizeof *next);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->own[next[self->of[v]]++] = v;
}

static GobanHierarchy *
finish (const GobanHierarchyDraft *draft, GobanGrouping grouping)
{
  GobanHierarchy *self = g_new0 (GobanHierarchy, 1);
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  g_autofree guint32 *numbers = number_groups (draft);

  g_atomic_ref_count_init (&self->refs);
  self->graph = goban_graph_ref (draft->graph);
  self->grouping = grouping;
  self->n_groups = draft->groups->len;
  self->groups = g_new0 (GobanGroup, self->n_groups);
  self->of = g_new (guint32, (gsize) n_nodes + 1);
  self->texts = g_string_chunk_new (1 << 16);
  fill_groups (self, draft, numbers);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->of[v] = numbers[draft->of[v]];
      self->groups[self->of[v]].n_own++;
    }
  count_groups (self);
  list_members (self, n_nodes);
  index_paths (self);
  return self;
}

static gboolean
is_by_names (GobanGrouping grouping)
{
  return grouping == GOBAN_GROUPING_SCOPE || grouping == GOBAN_GROUPING_LAYER
         || grouping == GOBAN_GROUPING_STEP;
}

/* @scopes: (transfer full) (nullable): a draft with the scopes of names, if they have been read */
static GobanHierarchyDraft *
make_draft (GobanGraph *graph, GobanGrouping grouping, const GobanPlan *plan,
            GobanHierarchyDraft *scopes)
{
  GobanHierarchyDraft *draft = scopes != NULL ? scopes : goban_draft_new (graph);

  if (grouping == GOBAN_GROUPING_NONE || (grouping == GOBAN_GROUPING_CLUSTER && plan == NULL))
    return draft;

  if (grouping == GOBAN_GROUPING_CLUSTER)
    goban_draft_read_plan (draft, plan);
  else if (!is_by_names (grouping))
    draft_read_cells (draft, grouping);
  else
    {
      if (scopes == NULL)
        goban_draft_read_scopes (draft);
      goban_draft_keep_names (draft, grouping);
    }
  goban_draft_fold (draft, is_by_names (grouping));
  return draft;
}

/* The grouping, and the depth of it, whose number of boxes can be read at once or comes nearest to
 * that; no groups at all if there are none. */
static GobanHierarchyDraft *
make_auto_draft (GobanGraph *graph, GobanGrouping *grouping)
{
  static const GobanGrouping tried[]
      = { GOBAN_GROUPING_SCOPE, GOBAN_GROUPING_LAYER, GOBAN_GROUPING_PARAMETER };
  g_autoptr (GobanHierarchyDraft) best = goban_draft_new (graph);
  g_autoptr (GobanHierarchyDraft) scopes = goban_draft_new (graph);
  guint n_tried = goban_graph_get_n_nodes (graph) > FEW_NODES ? G_N_ELEMENTS (tried) : 0;
  guint32 best_depth = 0;
  double least = G_MAXDOUBLE;

  *grouping = GOBAN_GROUPING_NONE;
  if (n_tried > 0)
    goban_draft_read_scopes (scopes);
  for (guint i = 0; i < n_tried && least > 1; i++)
    {
      /* Reading names takes longest, and is the same for both groupings by them. */
      GobanHierarchyDraft *known = i == 0                   ? goban_draft_copy_scopes (scopes)
                                   : is_by_names (tried[i]) ? g_steal_pointer (&scopes)
                                                            : NULL;
      g_autoptr (GobanHierarchyDraft) draft = make_draft (graph, tried[i], NULL, known);
      guint32 depth;
      double miss = draft_find_depth (draft, &depth);

      if (miss >= least)
        continue;
      goban_draft_free (best);
      best = g_steal_pointer (&draft);
      best_depth = depth;
      least = miss;
      *grouping = tried[i];
    }
  draft_cut (best, best_depth);
  return g_steal_pointer (&best);
}

GobanHierarchy *
goban_hierarchy_new (GobanGraph *graph, GobanGrouping grouping, const GobanPlan *plan)
{
  g_autoptr (GobanHierarchyDraft) draft = NULL;

  g_return_val_if_fail (grouping < GOBAN_N_GROUPINGS, NULL);
  g_return_val_if_fail (
      plan == NULL || goban_plan_get_n_nodes (plan) == goban_graph_get_n_nodes (graph), NULL);

  draft = grouping == GOBAN_GROUPING_AUTO ? make_auto_draft (graph, &grouping)
                                          : make_draft (graph, grouping, plan, NULL);
  return finish (draft, grouping);
}

GobanHierarchy *
goban_hierarchy_ref (GobanHierarchy *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_hierarchy_unref (GobanHierarchy *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;

  goban_graph_unref (self->graph);
  g_free (self->groups);
  g_free (self->of);
  g_free (self->children);
  g_free (self->children_at);
  g_free (self->own);
  g_free (self->own_at);
  g_free (self->by_path);
  g_string_chunk_free (self->texts);
  g_free (self);
}

/* --- asking it ------------------------------------------------------------------------------ */

GobanGrouping
goban_hierarchy_get_grouping (const GobanHierarchy *self)
{
  return self->grouping;
}

const char *
goban_hierarchy_get_flat_reason (const GobanHierarchy *self)
{
  static const char *const reasons[GOBAN_N_GROUPINGS] = {
    [GOBAN_GROUPING_SCOPE] = N_ ("The names of this graph have no scopes: every node is shown"),
    [GOBAN_GROUPING_LAYER]
    = N_ ("The names of this graph have no numbered layers: every node is shown"),
    [GOBAN_GROUPING_STEP]
    = N_ ("The names of this graph have no numbered time steps: every node is shown"),
    [GOBAN_GROUPING_PARAMETER]
    = N_ ("This graph has fewer than two parameters to group by: every node is shown"),
    [GOBAN_GROUPING_USE]
    = N_ ("No parameter of this graph is used more than once: every node is shown"),
    [GOBAN_GROUPING_CLUSTER] = N_ ("The plan fuses nothing: every node is shown"),
  };

  return self->n_groups == 1 ? reasons[self->grouping] : NULL;
}

guint
goban_hierarchy_get_n_groups (const GobanHierarchy *self)
{
  return self->n_groups;
}

const GobanGroup *
goban_hierarchy_get_group (const GobanHierarchy *self, guint32 group)
{
  g_return_val_if_fail (group < self->n_groups, NULL);

  return &self->groups[group];
}

guint32
goban_hierarchy_get_group_of (const GobanHierarchy *self, GobanNodeId node)
{
  g_return_val_if_fail (node < goban_graph_get_n_nodes (self->graph), 0);

  return self->of[node];
}

const char *
goban_hierarchy_get_label_of (const GobanHierarchy *self, GobanNodeId node)
{
  guint32 group = goban_hierarchy_get_group_of (self, node);
  const char *name = goban_graph_get_node (self->graph, node)->name;

  while (self->groups[group].is_fold || !g_str_has_prefix (name, self->groups[group].path))
    group = self->groups[group].parent;
  return name
         + goban_draft_label_start (name, strlen (name), self->groups[group].path,
                                    strlen (self->groups[group].path));
}

const guint32 *
goban_hierarchy_get_children (const GobanHierarchy *self, guint32 group, guint *n)
{
  g_return_val_if_fail (group < self->n_groups, NULL);

  *n = self->groups[group].n_groups;
  return self->children + self->children_at[group];
}

const GobanNodeId *
goban_hierarchy_get_own (const GobanHierarchy *self, guint32 group, guint *n)
{
  g_return_val_if_fail (group < self->n_groups, NULL);

  *n = self->groups[group].n_own;
  return self->own + self->own_at[group];
}

/* Groups below are one run of numbers, so their nodes are one run too. */
GobanSelection *
goban_hierarchy_dup_nodes (const GobanHierarchy *self, guint32 group)
{
  g_return_val_if_fail (group < self->n_groups, NULL);

  return goban_selection_new (self->own + self->own_at[group], self->groups[group].n_nodes);
}

guint32
goban_hierarchy_find (const GobanHierarchy *self, const char *path)
{
  return self->by_path[find_slot (self, path)];
}

char *
goban_hierarchy_to_text (const GobanHierarchy *self, guint max_depth)
{
  GString *text = g_string_new (NULL);

  for (guint32 g = 0; g < self->n_groups; g++)
    {
      const GobanGroup *group = &self->groups[g];

      if (group->depth > max_depth)
        continue;
      g_string_append_printf (text, "%*s%s  %u nodes", 2 * (int) group->depth, "",
                              g == 0 ? "all" : group->name, group->n_nodes);
      if (group->n_groups > 0)
        g_string_append_printf (text, ", %u groups", group->n_groups);
      if (group->n_groups > 0 && group->n_own > 0)
        g_string_append_printf (text, ", %u loose", group->n_own);
      g_string_append (text, group->is_fold ? ", fold\n" : "\n");
    }
  return g_string_free (text, FALSE);
}
