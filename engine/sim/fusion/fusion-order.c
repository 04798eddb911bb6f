#include "engine/sim/fusion/fusion-order.h"

#include <stdlib.h>

/* Marks of clusters during a search: three numbers that differ from those of other searches. */
enum
{
  MERGED,
  AHEAD,
  BEHIND,
  N_MARKS,
};

/* --- the depth-first tree ---------------------------------------------------------------- */

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
      next_edge[v] = self->first_out[v];
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

          if (next_edge[v] == self->first_out[v + 1])
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

/* --- construction and disposal ----------------------------------------------------------- */

void
fusion_order_init (FusionOrder *self, const FusionTables *tables)
{
  guint n_nodes = tables->n_nodes;

  *self = (FusionOrder){ .tables = tables };
  self->first_out = g_new (guint32, n_nodes + 1);
  for (guint v = 0; v <= n_nodes; v++)
    self->first_out[v] = tables->first_edge[tables->first_tensor[v]];
  self->cluster = g_new (guint32, n_nodes);
  self->next = g_new (guint32, n_nodes);
  self->size = g_new (guint32, n_nodes);
  self->place = g_new0 (FusionPlace, n_nodes);
  self->n_searches = 1;
  self->enter = g_new (guint32, n_nodes);
  self->leave = g_new (guint32, n_nodes);
  self->parent = g_new (guint32, n_nodes);
  grow_tree (self);
}

void
fusion_order_clear (FusionOrder *self)
{
  g_free (self->first_out);
  g_free (self->cluster);
  g_free (self->next);
  g_free (self->size);
  g_free (self->place);
  g_free (self->enter);
  g_free (self->leave);
  g_free (self->parent);
}

void
fusion_order_reset (FusionOrder *self)
{
  for (guint v = 0; v < self->tables->n_nodes; v++)
    {
      self->cluster[v] = self->next[v] = self->place[v].position = v;
      self->size[v] = 1;
    }
}

/* --- the search -------------------------------------------------------------------------- */

static guint32
make_mark (const FusionOrder *self, guint32 as)
{
  return self->n_searches * N_MARKS + as;
}

static gboolean
is_merged (const FusionOrder *self, guint32 cluster)
{
  return self->place[cluster].mark == make_mark (self, MERGED);
}

/* Marks start anew before they run out. */
static void
begin_search (FusionOrder *self)
{
  self->forward.n = self->backward.n = 0;
  if (++self->n_searches >= G_MAXUINT32 / N_MARKS - 1)
    {
      for (guint v = 0; v < self->tables->n_nodes; v++)
        self->place[v].mark = 0;
      self->n_searches = 1;
    }
}

/* FALSE if the search has now seen too many. */
static inline gboolean
add_seen (FusionSeen *seen, FusionPlace *place, guint32 cluster, guint32 mark)
{
  place->mark = mark;
  seen->keys[seen->n++] = (guint64) place->position << 32 | cluster;
  return seen->n <= FUSION_MAX_SEARCH;
}

/* FALSE if one of the merged is reached from a cluster that is not, or too many are seen. */
static gboolean
look_ahead (FusionOrder *self, guint32 cluster, guint32 last)
{
  const guint32 *edge_head = self->tables->edge_head;
  const guint32 *first_out = self->first_out;
  const guint32 *cluster_of = self->cluster;
  const guint32 *next = self->next;
  FusionPlace *places = self->place;
  guint32 merged = make_mark (self, MERGED);
  guint32 ahead = make_mark (self, AHEAD);
  gboolean is_own = places[cluster].mark == merged;
  guint32 v = cluster;

  do
    {
      guint32 end = first_out[v + 1];

      for (guint32 e = first_out[v]; e < end; e++)
        {
          guint32 head = cluster_of[edge_head[e]];
          FusionPlace *place = &places[head];

          if (place->mark == merged)
            {
              if (!is_own)
                return FALSE;
            }
          else if (place->position < last && place->mark != ahead
                   && !add_seen (&self->forward, place, head, ahead))
            return FALSE;
        }
      v = next[v];
    }
  while (v != cluster);
  return TRUE;
}

/* FALSE if too many are seen. */
static gboolean
look_behind (FusionOrder *self, guint32 cluster, guint32 first)
{
  const FusionTables *tables = self->tables;
  guint32 merged = make_mark (self, MERGED);
  guint32 behind = make_mark (self, BEHIND);
  guint32 v = cluster;

  do
    {
      for (guint32 i = tables->first_input[v]; i < tables->first_input[v + 1]; i++)
        {
          guint32 tail = self->cluster[fusion_tail (tables, tables->input_edge[i])];
          FusionPlace *place = &self->place[tail];

          if (place->position > first && place->mark != merged && place->mark != behind
              && !add_seen (&self->backward, place, tail, behind))
            return FALSE;
        }
      v = self->next[v];
    }
  while (v != cluster);
  return TRUE;
}

static guint32
seen_cluster (const FusionSeen *seen, guint i)
{
  return (guint32) seen->keys[i];
}

/* All that the merged lead to before the last of them; FALSE for a cycle or a search too long. */
static gboolean
search_ahead (FusionOrder *self, const guint32 *clusters, guint n, guint32 last)
{
  for (guint i = 0; i < n; i++)
    if (self->place[clusters[i]].position < last && !look_ahead (self, clusters[i], last))
      return FALSE;
  for (guint i = 0; i < self->forward.n; i++)
    if (!look_ahead (self, seen_cluster (&self->forward, i), last))
      return FALSE;
  return TRUE;
}

/* TRUE if the tree leads from one of the nodes to another, the last step from elsewhere. */
static gboolean
is_cycle_in_tree (const FusionOrder *self, const guint32 *clusters, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        guint32 parent = self->parent[clusters[j]];

        if (i != j && parent != FUSION_NONE && is_below (self, clusters[i], parent)
            && !is_merged (self, self->cluster[parent]))
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
      FusionPlace *place = &self->place[clusters[i]];

      place->mark = make_mark (self, MERGED);
      first = MIN (first, place->position);
      last = MAX (last, place->position);
      if (self->size[clusters[i]] > self->size[largest])
        largest = clusters[i];
    }
  if (is_cycle_in_tree (self, clusters, n) || !search_ahead (self, clusters, n, last))
    return FALSE;

  /* If nothing comes after any of them before the last, that is the place for all. */
  position = last;
  if (self->forward.n > 0)
    {
      for (guint i = 0; i < n; i++)
        if (self->place[clusters[i]].position > first && !look_behind (self, clusters[i], first))
          return FALSE;
      for (guint i = 0; i < self->backward.n; i++)
        if (!look_behind (self, seen_cluster (&self->backward, i), first))
          return FALSE;

      /* Among the positions of all concerned clusters, ancestors of the merged cluster take the
       * first ones, then comes the merged cluster, and its descendants take the last ones. */
      FusionSeen *ahead = &self->forward;
      FusionSeen *behind = &self->backward;
      guint32 pool[2 * FUSION_MAX_SEARCH + GOBAN_FUSION_MAX_OPS];
      guint n_pool = 0;

      for (guint i = 0; i < n; i++)
        pool[n_pool++] = self->place[clusters[i]].position;
      for (guint i = 0; i < ahead->n; i++)
        pool[n_pool++] = self->place[seen_cluster (ahead, i)].position;
      for (guint i = 0; i < behind->n; i++)
        pool[n_pool++] = self->place[seen_cluster (behind, i)].position;
      qsort (pool, n_pool, sizeof *pool, compare_positions);
      qsort (ahead->keys, ahead->n, sizeof *ahead->keys, compare_keys);
      qsort (behind->keys, behind->n, sizeof *behind->keys, compare_keys);

      for (guint i = 0; i < behind->n; i++)
        self->place[seen_cluster (behind, i)].position = pool[i];
      for (guint i = 0; i < ahead->n; i++)
        self->place[seen_cluster (ahead, i)].position = pool[n_pool - ahead->n + i];
      position = pool[behind->n];
    }
  for (guint i = 0; i < n; i++)
    if (clusters[i] != largest)
      {
        guint32 from = clusters[i];
        guint32 v = from;
        guint32 kept = self->next[largest];

        do
          {
            self->cluster[v] = largest;
            v = self->next[v];
          }
        while (v != from);
        self->next[largest] = self->next[from];
        self->next[from] = kept;
        self->size[largest] += self->size[from];
      }
  self->place[largest].position = position;
  return TRUE;
}
