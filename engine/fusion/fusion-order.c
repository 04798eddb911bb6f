#include "engine/fusion/fusion-order.h"

#include <stdlib.h>

/* What a search marks clusters with: three numbers of its own. */
enum
{
  MERGED,
  AHEAD,
  BEHIND,
  N_MARKS,
};

/* --- the depth-first tree ---------------------------------------------------------------- */

static guint32
first_out (const FusionTables *tables, guint32 v)
{
  return tables->first_edge[tables->first_tensor[v]];
}

/* A path along the tree is one in the graph, so that one comparison proves that a node is
 * reached; most merges across a training graph are refused by it. */
static void
grow_tree (FusionOrder *self)
{
  const FusionTables *tables = self->tables;
  guint n_nodes = tables->n_nodes;
  g_autofree guint32 *next_edge = g_new (guint32, n_nodes);
  guint32 time = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      self->enter[v] = FUSION_NONE;
      next_edge[v] = first_out (tables, v);
    }
  for (guint root = 0; root < n_nodes; root++)
    {
      guint32 v = root;

      if (self->enter[root] != FUSION_NONE)
        continue;
      self->enter[root] = time++;
      self->parent[root] = FUSION_NONE;
      while (v != FUSION_NONE)
        {
          guint32 head;

          if (next_edge[v] == first_out (tables, v + 1))
            {
              self->leave[v] = time;
              v = self->parent[v];
              continue;
            }
          head = tables->edge_head[next_edge[v]++];
          if (self->enter[head] != FUSION_NONE)
            continue;
          self->enter[head] = time++;
          self->parent[head] = v;
          v = head;
        }
    }
}

static gboolean
is_below (const FusionOrder *self, guint32 u, guint32 v)
{
  return self->enter[u] <= self->enter[v] && self->enter[v] < self->leave[u];
}

/* --- life -------------------------------------------------------------------------------- */

void
fusion_order_init (FusionOrder *self, const FusionTables *tables)
{
  guint n_nodes = tables->n_nodes;

  *self = (FusionOrder){ .tables = tables };
  self->cluster = g_new (guint32, n_nodes);
  self->next = g_new (guint32, n_nodes);
  self->size = g_new (guint32, n_nodes);
  self->position = g_new (guint32, n_nodes);
  self->mark = g_new0 (guint32, n_nodes);
  self->n_searches = 1;
  self->enter = g_new (guint32, n_nodes);
  self->leave = g_new (guint32, n_nodes);
  self->parent = g_new (guint32, n_nodes);
  self->forward = g_array_sized_new (FALSE, FALSE, sizeof (guint64), FUSION_MAX_SEARCH);
  self->backward = g_array_sized_new (FALSE, FALSE, sizeof (guint64), FUSION_MAX_SEARCH);
  self->pool = g_array_sized_new (FALSE, FALSE, sizeof (guint32), 3 * FUSION_MAX_SEARCH);
  grow_tree (self);
}

void
fusion_order_clear (FusionOrder *self)
{
  g_free (self->cluster);
  g_free (self->next);
  g_free (self->size);
  g_free (self->position);
  g_free (self->mark);
  g_free (self->enter);
  g_free (self->leave);
  g_free (self->parent);
  g_array_unref (self->forward);
  g_array_unref (self->backward);
  g_array_unref (self->pool);
}

void
fusion_order_reset (FusionOrder *self)
{
  for (guint v = 0; v < self->tables->n_nodes; v++)
    {
      self->cluster[v] = self->next[v] = self->position[v] = v;
      self->size[v] = 1;
    }
}

/* --- the search -------------------------------------------------------------------------- */

static gboolean
is_marked (const FusionOrder *self, guint32 cluster, guint32 mark)
{
  return self->mark[cluster] == self->n_searches * N_MARKS + mark;
}

static void
set_mark (FusionOrder *self, guint32 cluster, guint32 mark)
{
  self->mark[cluster] = self->n_searches * N_MARKS + mark;
}

/* Marks start anew before they run out. */
static void
begin_search (FusionOrder *self)
{
  if (++self->n_searches >= G_MAXUINT32 / N_MARKS - 1)
    {
      for (guint v = 0; v < self->tables->n_nodes; v++)
        self->mark[v] = 0;
      self->n_searches = 1;
    }
}

static void
add_seen (FusionOrder *self, GArray *seen, guint32 cluster, guint32 mark)
{
  guint64 key = (guint64) self->position[cluster] << 32 | cluster;

  set_mark (self, cluster, mark);
  g_array_append_val (seen, key);
}

/* FALSE where one of the merged is reached from a cluster that is not. */
static gboolean
look_ahead (FusionOrder *self, guint32 cluster, guint32 last)
{
  const FusionTables *tables = self->tables;
  gboolean is_merged = is_marked (self, cluster, MERGED);
  guint32 v = cluster;

  do
    {
      guint32 end = first_out (tables, v + 1);

      for (guint32 e = first_out (tables, v); e < end; e++)
        {
          guint32 head = self->cluster[tables->edge_head[e]];

          if (is_marked (self, head, MERGED))
            {
              if (!is_merged)
                return FALSE;
            }
          else if (self->position[head] < last && !is_marked (self, head, AHEAD))
            add_seen (self, self->forward, head, AHEAD);
        }
      v = self->next[v];
    }
  while (v != cluster);
  return TRUE;
}

static void
look_behind (FusionOrder *self, guint32 cluster, guint32 first)
{
  const FusionTables *tables = self->tables;
  guint32 v = cluster;

  do
    {
      for (guint32 i = tables->first_input[v]; i < tables->first_input[v + 1]; i++)
        {
          guint32 tail = self->cluster[fusion_tail (tables, tables->input_edge[i])];

          if (self->position[tail] > first && !is_marked (self, tail, MERGED)
              && !is_marked (self, tail, BEHIND))
            add_seen (self, self->backward, tail, BEHIND);
        }
      v = self->next[v];
    }
  while (v != cluster);
}

static guint32
seen_cluster (const GArray *seen, guint i)
{
  return (guint32) g_array_index (seen, guint64, i);
}

/* All that the merged lead to before the last of them; FALSE for a cycle or a search too long. */
static gboolean
search_ahead (FusionOrder *self, const guint32 *clusters, guint n, guint32 last)
{
  g_array_set_size (self->forward, 0);
  for (guint i = 0; i < n; i++)
    if (self->position[clusters[i]] < last && !look_ahead (self, clusters[i], last))
      return FALSE;
  for (guint i = 0; i < self->forward->len; i++)
    if (i == FUSION_MAX_SEARCH || !look_ahead (self, seen_cluster (self->forward, i), last))
      return FALSE;
  return TRUE;
}

static gboolean
search_behind (FusionOrder *self, const guint32 *clusters, guint n, guint32 first)
{
  g_array_set_size (self->backward, 0);
  for (guint i = 0; i < n; i++)
    if (self->position[clusters[i]] > first)
      look_behind (self, clusters[i], first);
  for (guint i = 0; i < self->backward->len; i++)
    {
      if (i == FUSION_MAX_SEARCH)
        return FALSE;
      look_behind (self, seen_cluster (self->backward, i), first);
    }
  return TRUE;
}

/* TRUE where the tree leads from one of the nodes to another, the last step from elsewhere. */
static gboolean
is_cycle_in_tree (const FusionOrder *self, const guint32 *clusters, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        guint32 parent = self->parent[clusters[j]];

        if (i != j && parent != FUSION_NONE && is_below (self, clusters[i], parent)
            && !is_marked (self, self->cluster[parent], MERGED))
          return TRUE;
      }
  return FALSE;
}

/* --- the merge --------------------------------------------------------------------------- */

static int
compare_keys (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static int
compare_positions (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* What leads to the merged takes the first positions there are among all concerned, then comes the
 * merged cluster, and what it leads to takes the last. */
static guint32
shift (FusionOrder *self, const guint32 *clusters, guint n)
{
  GArray *pool = self->pool;
  guint n_ahead = self->forward->len;
  guint n_behind = self->backward->len;

  g_array_set_size (pool, 0);
  for (guint i = 0; i < n; i++)
    g_array_append_val (pool, self->position[clusters[i]]);
  for (guint i = 0; i < n_ahead; i++)
    g_array_append_val (pool, self->position[seen_cluster (self->forward, i)]);
  for (guint i = 0; i < n_behind; i++)
    g_array_append_val (pool, self->position[seen_cluster (self->backward, i)]);
  g_array_sort (pool, compare_positions);
  g_array_sort (self->forward, compare_keys);
  g_array_sort (self->backward, compare_keys);

  for (guint i = 0; i < n_behind; i++)
    self->position[seen_cluster (self->backward, i)] = g_array_index (pool, guint32, i);
  for (guint i = 0; i < n_ahead; i++)
    self->position[seen_cluster (self->forward, i)]
        = g_array_index (pool, guint32, pool->len - n_ahead + i);
  return g_array_index (pool, guint32, n_behind);
}

static void
join (FusionOrder *self, guint32 into, guint32 from)
{
  guint32 v = from;
  guint32 kept = self->next[into];

  do
    {
      self->cluster[v] = into;
      v = self->next[v];
    }
  while (v != from);
  self->next[into] = self->next[from];
  self->next[from] = kept;
  self->size[into] += self->size[from];
}

gboolean
fusion_order_merge (FusionOrder *self, const guint32 *clusters, guint n)
{
  guint32 first = G_MAXUINT32;
  guint32 last = 0;
  guint32 largest = clusters[0];
  guint32 position;

  begin_search (self);
  for (guint i = 0; i < n; i++)
    {
      set_mark (self, clusters[i], MERGED);
      first = MIN (first, self->position[clusters[i]]);
      last = MAX (last, self->position[clusters[i]]);
      if (self->size[clusters[i]] > self->size[largest])
        largest = clusters[i];
    }
  if (is_cycle_in_tree (self, clusters, n) || !search_ahead (self, clusters, n, last))
    return FALSE;

  /* Where nothing comes after any of them before the last, that is the place for all. */
  position = last;
  if (self->forward->len > 0)
    {
      if (!search_behind (self, clusters, n, first))
        return FALSE;
      position = shift (self, clusters, n);
    }
  for (guint i = 0; i < n; i++)
    if (clusters[i] != largest)
      join (self, largest, clusters[i]);
  self->position[largest] = position;
  return TRUE;
}
