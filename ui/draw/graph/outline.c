#include "ui/draw/graph/outline.h"

#include "engine/core/key-sort.h"

/* Which of a group's nodes determines its place: the one that this part of them come before. */
#define EARLY_PART 5

/* State of a group: a hull if it and all around it are open, else it is within a closed one. */
typedef struct
{
  guint32 hull;    /* or GOBAN_NO_ITEM */
  guint32 closed;  /* the outermost closed group at or above it, or GOBAN_NO_GROUP */
  guint32 n_nodes; /* in it and below, not hidden */
} Fate;

static gboolean *
find_open (const GobanHierarchy *hierarchy, const char *const *expanded)
{
  gboolean *is_open = g_new0 (gboolean, goban_hierarchy_get_n_groups (hierarchy));

  is_open[0] = TRUE;
  for (guint i = 0; expanded != NULL && expanded[i] != NULL; i++)
    {
      guint32 group = goban_hierarchy_find (hierarchy, expanded[i]);

      if (group != G_MAXUINT32)
        is_open[group] = TRUE;
    }
  return is_open;
}

static guint8 *
find_hidden (guint n_nodes, const GobanSelection *hidden)
{
  guint8 *is_hidden = g_malloc0 (MAX (n_nodes, 1));
  guint n = 0;
  const GobanNodeId *ids = hidden != NULL ? goban_selection_get_ids (hidden, &n) : NULL;

  for (guint i = 0; i < n; i++)
    if (ids[i] < n_nodes)
      is_hidden[ids[i]] = TRUE;
  return is_hidden;
}

/* (groups) How many nodes each shows: children come after their parents. */
static Fate *
count_nodes (const GobanOutline *self, const guint8 *is_hidden)
{
  guint n_groups = goban_hierarchy_get_n_groups (self->hierarchy);
  Fate *fates = g_new0 (Fate, n_groups);

  for (guint v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (!is_hidden[v])
      fates[goban_hierarchy_get_group_of (self->hierarchy, v)].n_nodes++;
  for (guint g = n_groups; g-- > 1;)
    fates[goban_hierarchy_get_group (self->hierarchy, g)->parent].n_nodes += fates[g].n_nodes;
  return fates;
}

static void
make_hulls (GobanOutline *self, Fate *fates, const gboolean *is_open)
{
  guint n_groups = goban_hierarchy_get_n_groups (self->hierarchy);

  self->hulls = g_new0 (GobanOutlineHull, n_groups);
  for (guint g = 0; g < n_groups; g++)
    {
      Fate *above = &fates[goban_hierarchy_get_group (self->hierarchy, g)->parent];
      GobanOutlineHull *hull = &self->hulls[self->n_hulls];

      fates[g].hull = GOBAN_NO_ITEM;
      fates[g].closed = g > 0 ? above->closed : GOBAN_NO_GROUP;
      if (fates[g].closed != GOBAN_NO_GROUP || (g > 0 && fates[g].n_nodes == 0))
        continue;
      if (!is_open[g])
        {
          fates[g].closed = g;
          continue;
        }
      fates[g].hull = self->n_hulls++;
      hull->group = g;
      hull->parent = g > 0 ? above->hull : 0;
      hull->depth = g > 0 ? self->hulls[hull->parent].depth + 1 : 0;
      hull->n_nodes = fates[g].n_nodes;
    }
}

/* Nodes that are shown, and the outermost closed groups of all others, as they are first met. */
static void
make_items (GobanOutline *self, const Fate *fates, const guint8 *is_hidden)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  guint n_groups = goban_hierarchy_get_n_groups (self->hierarchy);
  g_autofree guint32 *item_of_group = g_new (guint32, n_groups);

  for (guint g = 0; g < n_groups; g++)
    item_of_group[g] = GOBAN_NO_ITEM;
  for (guint v = 0; v < n_nodes; v++)
    {
      const Fate *fate = &fates[goban_hierarchy_get_group_of (self->hierarchy, v)];
      gboolean is_closed = fate->closed != GOBAN_NO_GROUP;
      GobanOutlineItem *item = &self->items[self->n_items];

      self->item_of[v] = GOBAN_NO_ITEM;
      if (is_hidden[v])
        continue;
      if (is_closed && item_of_group[fate->closed] != GOBAN_NO_ITEM)
        {
          self->item_of[v] = item_of_group[fate->closed];
          continue;
        }
      *item = (GobanOutlineItem){ GOBAN_NO_GROUP, v, 1, fate->hull, v };
      if (is_closed)
        {
          guint32 parent = goban_hierarchy_get_group (self->hierarchy, fate->closed)->parent;

          item->group = fate->closed;
          item->n_nodes = fates[fate->closed].n_nodes;
          item->hull = fates[parent].hull;
          item_of_group[fate->closed] = self->n_items;
          self->n_closed++;
        }
      self->item_of[v] = self->n_items++;
    }
}

/* Nodes are met in ascending order, so it is the one before which enough of a group have been. */
static void
find_early (GobanOutline *self)
{
  g_autofree guint32 *in_item = g_new0 (guint32, MAX (self->n_items, 1));
  g_autofree guint32 *in_hull = g_new0 (guint32, self->n_hulls);

  for (guint v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      GobanOutlineItem *item;

      if (self->item_of[v] == GOBAN_NO_ITEM)
        continue;
      item = &self->items[self->item_of[v]];
      if (in_item[self->item_of[v]]++ == item->n_nodes / EARLY_PART)
        item->early = v;
      for (guint32 h = item->hull;; h = self->hulls[h].parent)
        {
          if (in_hull[h]++ == self->hulls[h].n_nodes / EARLY_PART)
            self->hulls[h].early = v;
          if (h == 0)
            break;
        }
    }
}

/* The whole graph as it is. */
static void
take_whole (GobanOutline *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  self->is_whole = TRUE;
  self->n_items = n_nodes;
  for (guint v = 0; v < n_nodes; v++)
    {
      self->items[v] = (GobanOutlineItem){ GOBAN_NO_GROUP, v, 1, 0, v };
      self->item_of[v] = v;
    }
  self->n_hulls = 1;
  self->hulls = g_new0 (GobanOutlineHull, 1);
  self->hulls[0].n_nodes = n_nodes;
  self->n_edges = goban_graph_get_n_edges (self->graph);
  self->edges = g_new (GobanOutlineEdge, MAX (self->n_edges, 1));
  for (guint e = 0; e < self->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, e);

      self->edge_of[e] = e;
      self->edges[e]
          = (GobanOutlineEdge){ edge->tail, edge->head, 1,
                                goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes };
    }
}

/* Nodes without groups, less those that are hidden. */
static void
take_visible (GobanOutline *self, const guint8 *is_hidden)
{
  for (guint v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      self->item_of[v] = is_hidden[v] ? GOBAN_NO_ITEM : self->n_items;
      if (!is_hidden[v])
        self->items[self->n_items++] = (GobanOutlineItem){ GOBAN_NO_GROUP, v, 1, 0, v };
    }
  self->n_hulls = 1;
  self->hulls = g_new0 (GobanOutlineHull, 1);
  self->hulls[0].n_nodes = self->n_items;
}

/* One edge for all from one item to another. */
static void
make_edges (GobanOutline *self)
{
  guint n = goban_graph_get_n_edges (self->graph);
  g_autofree double *keys = g_new (double, MAX (n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  double last = -1;
  guint n_between = 0;

  for (guint e = 0; e < n; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, e);
      guint32 tail = self->item_of[edge->tail];
      guint32 head = self->item_of[edge->head];

      self->edge_of[e] = GOBAN_NO_ITEM;
      if (tail == GOBAN_NO_ITEM || head == GOBAN_NO_ITEM || tail == head)
        continue;
      keys[e] = (double) tail * self->n_items + head;
      order[n_between++] = e;
    }
  goban_key_sort (order, keys, n_between);
  self->edges = g_new (GobanOutlineEdge, MAX (n_between, 1));
  for (guint i = 0; i < n_between; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, order[i]);

      if (keys[order[i]] != last)
        self->edges[self->n_edges++]
            = (GobanOutlineEdge){ self->item_of[edge->tail], self->item_of[edge->head], 0, 0 };
      last = keys[order[i]];
      self->edge_of[order[i]] = self->n_edges - 1;
      self->edges[self->n_edges - 1].n_edges++;
      self->edges[self->n_edges - 1].bytes
          += goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes;
    }
}

GobanOutline *
goban_outline_new (GobanGraph *graph, GobanHierarchy *hierarchy, const char *const *expanded,
                   const GobanSelection *hidden)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanOutline *self = g_new0 (GobanOutline, 1);
  g_autofree guint8 *is_hidden = find_hidden (n_nodes, hidden);
  guint n_hidden = 0;

  g_atomic_ref_count_init (&self->ref_count);
  self->graph = goban_graph_ref (graph);
  self->item_of = g_new (guint32, MAX (n_nodes, 1));
  self->edge_of = g_new (guint32, MAX (goban_graph_get_n_edges (graph), 1));
  self->items = g_new (GobanOutlineItem, n_nodes + 1);
  if (hidden != NULL)
    goban_selection_get_ids (hidden, &n_hidden);
  if (hierarchy != NULL && goban_hierarchy_get_n_groups (hierarchy) > 1)
    {
      g_autofree gboolean *is_open = find_open (hierarchy, expanded);
      g_autofree Fate *fates = NULL;

      self->hierarchy = goban_hierarchy_ref (hierarchy);
      fates = count_nodes (self, is_hidden);
      make_hulls (self, fates, is_open);
      make_items (self, fates, is_hidden);
      find_early (self);
    }
  else if (n_hidden > 0)
    take_visible (self, is_hidden);
  else
    {
      take_whole (self);
      return self;
    }
  make_edges (self);
  return self;
}

GobanOutline *
goban_outline_ref (GobanOutline *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_outline_unref (GobanOutline *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  goban_graph_unref (self->graph);
  g_clear_pointer (&self->hierarchy, goban_hierarchy_unref);
  g_free (self->items);
  g_free (self->hulls);
  g_free (self->edges);
  g_free (self->item_of);
  g_free (self->edge_of);
  g_free (self);
}

/* --- questions ---------------------------------------------------------------------------- */

const GobanGroup *
goban_outline_get_hull_group (const GobanOutline *self, guint32 hull)
{
  return self->hierarchy != NULL
             ? goban_hierarchy_get_group (self->hierarchy, self->hulls[hull].group)
             : NULL;
}

const GobanGroup *
goban_outline_get_item_group (const GobanOutline *self, guint32 item)
{
  return self->items[item].group != GOBAN_NO_GROUP
             ? goban_hierarchy_get_group (self->hierarchy, self->items[item].group)
             : NULL;
}

guint32
goban_outline_meet (const GobanOutline *self, guint32 hull, guint32 other)
{
  while (hull != other)
    if (self->hulls[hull].depth >= self->hulls[other].depth)
      hull = self->hulls[hull].parent;
    else
      other = self->hulls[other].parent;
  return hull;
}

static gboolean
is_within (const GobanOutline *self, guint32 hull, guint32 outer)
{
  while (self->hulls[hull].depth > self->hulls[outer].depth)
    hull = self->hulls[hull].parent;
  return hull == outer;
}

gboolean
goban_outline_find_group (const GobanOutline *self, const char *path, guint32 *item, guint32 *hull)
{
  guint32 group
      = self->hierarchy != NULL ? goban_hierarchy_find (self->hierarchy, path) : G_MAXUINT32;

  *item = *hull = GOBAN_NO_ITEM;
  if (group == G_MAXUINT32)
    return FALSE;
  for (guint h = 0; h < self->n_hulls; h++)
    if (self->hulls[h].group == group)
      *hull = h;
  for (guint i = 0; i < self->n_items && *hull == GOBAN_NO_ITEM; i++)
    if (self->items[i].group == group)
      *item = i;
  return *item != GOBAN_NO_ITEM || *hull != GOBAN_NO_ITEM;
}

GobanSelection *
goban_outline_dup_item_nodes (const GobanOutline *self, guint32 item)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, self->items[item].n_nodes);
  guint n = 0;

  for (guint v = self->items[item].first; n < self->items[item].n_nodes; v++)
    if (self->item_of[v] == item)
      ids[n++] = v;
  return goban_selection_new (ids, n);
}

GobanSelection *
goban_outline_dup_items_nodes (const GobanOutline *self, const guint32 *items, guint n)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  g_autofree guint8 *is_chosen = g_malloc0 (MAX (self->n_items, 1));
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, MAX (n_nodes, 1));
  guint n_ids = 0;

  for (guint i = 0; i < n; i++)
    is_chosen[items[i]] = TRUE;
  for (guint v = 0; v < n_nodes; v++)
    if (self->item_of[v] != GOBAN_NO_ITEM && is_chosen[self->item_of[v]])
      ids[n_ids++] = v;
  return goban_selection_new (ids, n_ids);
}

GobanSelection *
goban_outline_dup_hull_nodes (const GobanOutline *self, guint32 hull)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, MAX (self->hulls[hull].n_nodes, 1));
  guint n = 0;

  for (guint v = 0; n < self->hulls[hull].n_nodes; v++)
    if (self->item_of[v] != GOBAN_NO_ITEM
        && is_within (self, self->items[self->item_of[v]].hull, hull))
      ids[n++] = v;
  return goban_selection_new (ids, n);
}

GobanOutlineMarks
goban_outline_mark (const GobanOutline *self, const GobanNodeId *nodes, guint n)
{
  g_autofree guint32 *count = g_new0 (guint32, MAX (self->n_items, 1));
  GobanOutlineMarks marks = { 0 };

  for (guint i = 0; i < n; i++)
    if (self->item_of[nodes[i]] != GOBAN_NO_ITEM && count[self->item_of[nodes[i]]]++ == 0)
      marks.n++;
  marks.items = g_new (guint32, MAX (marks.n, 1));
  marks.n = 0;
  for (guint i = 0; i < self->n_items; i++)
    if (count[i] == self->items[i].n_nodes)
      marks.items[marks.n++] = i;
  marks.n_whole = marks.n;
  for (guint i = 0; i < self->n_items; i++)
    if (count[i] > 0 && count[i] < self->items[i].n_nodes)
      marks.items[marks.n++] = i;
  return marks;
}

void
goban_outline_marks_clear (GobanOutlineMarks *marks)
{
  g_clear_pointer (&marks->items, g_free);
  marks->n = marks->n_whole = 0;
}
