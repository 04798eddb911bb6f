#include "engine/sim/fusion/fusion.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sim/fusion/fusion-tables.h"

/* --- order ---------------------------------------------------------------- */

/* Private to engine/sim/fusion. A merge is refused if a path leads from one of the clusters to
 * another through a third: it would close a cycle. As in Pearce and Kelly, "A dynamic topological
 * sort algorithm for directed acyclic graphs" (2006), only clusters between the first and the
 * last of those merged are looked at, and only their positions change.
 *
 * A search that has seen more than FUSION_MAX_SEARCH clusters gives up, and the merge is refused:
 * so a pass takes O(N) steps whatever the graph. Nothing illegal comes of it. */

#define FUSION_MAX_SEARCH 256
/* Data of a cluster that a search reads, in one place. */
typedef struct
{
  guint32 position; /* ascends along every edge between two clusters */
  guint32 mark;     /* the search that has visited it, and its role */
} FusionPlace;

/* Visited clusters of a search: the position in the upper half, the cluster in the lower. */
typedef struct
{
  guint64 keys[FUSION_MAX_SEARCH + 1];
  guint n; /* FUSION_MAX_SEARCH + 1: too many */
} FusionSeen;

typedef struct
{
  const FusionTables *tables;
  guint32 *first_out; /* (n_nodes + 1) edges that leave a node */
  guint32 *cluster;   /* (n_nodes) of each node, named by one of its members */
  guint32 *next;      /* (n_nodes) the next member, in a ring */
  guint32 *size;      /* (n_nodes) by cluster */
  FusionPlace *place; /* (n_nodes) by cluster */
  guint32 n_searches;
  guint32 *enter;  /* (n_nodes) of a depth-first tree of the graph: v is below u if */
  guint32 *leave;  /* enter[u] <= enter[v] < leave[u] */
  guint32 *parent; /* (n_nodes) in the tree, or FUSION_NONE */
  FusionSeen forward;
  FusionSeen backward;
} FusionOrder;

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

static void
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

static void
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

/* Resets all clusters to single nodes. */
static void
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

/* Merges @n different clusters under the name of the largest; FALSE, without any change, if that
 * would close a cycle or takes too long to find out. */
static gboolean
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

/* --- fusion --------------------------------------------------------------- */

struct _GobanFuser
{
  FusionTables *tables;
  FusionOrder order;
  guint8 *n_heavy;     /* (n_nodes) by cluster */
  guint8 *n_reduction; /* (n_nodes) by cluster */
  guint8 *is_control;  /* (n_tensors) */
  guint32 *n_taken;    /* (n_nodes) of its consumers' edges, in the cluster that grows */
  guint32 *taken_by;   /* (n_nodes) the root of that cluster */
  guint64 *keys;       /* (n_nodes) */
  guint64 *sorted;     /* (n_nodes) */
  guint32 *seen;       /* (n_nodes) by cluster: the node that gathered it */
  guint32 gathered[GOBAN_FUSION_MAX_OPS + 1];
  const GobanDeviceId *device; /* the plan's, only during a pass */
  gboolean has_pairs;
};

GobanFuser *
goban_fuser_new (GobanCostModel *costs)
{
  GobanFuser *self = g_new0 (GobanFuser, 1);
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes;

  self->tables = fusion_tables_new (costs);
  fusion_order_init (&self->order, self->tables);
  n_nodes = self->tables->n_nodes;
  self->n_heavy = g_new (guint8, n_nodes);
  self->n_reduction = g_new (guint8, n_nodes);
  self->is_control = g_new (guint8, self->tables->n_tensors);
  self->n_taken = g_new (guint32, n_nodes);
  self->taken_by = g_new (guint32, n_nodes);
  self->keys = g_new (guint64, n_nodes);
  self->sorted = g_new (guint64, n_nodes);
  self->seen = g_new (guint32, n_nodes);
  for (guint t = 0; t < self->tables->n_tensors; t++)
    self->is_control[t] = goban_graph_get_tensor (graph, t)->is_control;
  return self;
}

void
goban_fuser_free (GobanFuser *self)
{
  if (self == NULL)
    return;
  fusion_order_clear (&self->order);
  fusion_tables_free (self->tables);
  g_free (self->n_heavy);
  g_free (self->n_reduction);
  g_free (self->is_control);
  g_free (self->n_taken);
  g_free (self->taken_by);
  g_free (self->keys);
  g_free (self->sorted);
  g_free (self->seen);
  g_free (self);
}

static void
begin (GobanFuser *self, const GobanPlan *plan)
{
  fusion_order_reset (&self->order);
  self->device = goban_plan_get_devices (plan);
  for (guint v = 0; v < self->tables->n_nodes; v++)
    {
      self->n_heavy[v] = self->tables->kind[v] == GOBAN_FUSION_HEAVY;
      self->n_reduction[v] = self->tables->kind[v] == GOBAN_FUSION_REDUCTION;
    }
}

/* Writes the clusters down, each by its lowest node. */
static guint
finish (GobanFuser *self, GobanPlan *plan)
{
  guint32 *lowest = self->seen;
  guint n_clusters = 0;

  memset (lowest, 0xff, self->tables->n_nodes * sizeof *lowest);
  for (guint v = 0; v < self->tables->n_nodes; v++)
    {
      guint32 cluster = self->order.cluster[v];

      if (self->order.size[cluster] == 1)
        {
          goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
          continue;
        }
      if (lowest[cluster] == FUSION_NONE)
        {
          lowest[cluster] = v;
          n_clusters++;
        }
      goban_plan_set_fusion (plan, v, (gint32) lowest[cluster]);
    }
  goban_plan_set_proven_bound_us (plan, NULL, 0);
  self->device = NULL;
  return n_clusters;
}

/* --- the baseline ------------------------------------------------------------------------ */

static guint32
first_out (const FusionTables *tables, guint32 v)
{
  return tables->first_edge[tables->first_tensor[v]];
}

/* XLA's rules about the producer and its consumers, all in one cluster. */
static gboolean
may_feed (const FusionTables *tables, guint32 producer)
{
  guint32 end = first_out (tables, producer + 1);

  if (tables->kind[producer] == GOBAN_FUSION_OPAQUE
      || tables->kind[producer] == GOBAN_FUSION_REDUCTION)
    return FALSE;
  if (tables->kind[producer] != GOBAN_FUSION_HEAVY)
    return TRUE;
  for (guint32 e = first_out (tables, producer); e < end; e++)
    {
      guint8 kind = tables->kind[tables->edge_head[e]];

      if (kind == GOBAN_FUSION_BROADCAST || kind == GOBAN_FUSION_HEAVY)
        return FALSE;
    }
  return TRUE;
}

/* No reduction is taken in, so a cluster has one at most: its root. */
static gboolean
has_room (const GobanFuser *self, guint32 cluster, guint32 producer)
{
  return self->order.size[cluster] < GOBAN_FUSION_MAX_OPS
         && self->n_heavy[cluster] + self->n_heavy[producer] <= 1;
}

static void
grow (GobanFuser *self, guint32 root)
{
  const FusionTables *tables = self->tables;
  guint32 members[GOBAN_FUSION_MAX_OPS] = { root };
  guint n = 1;

  for (guint i = 0; i < n; i++)
    for (guint32 k = tables->first_input[members[i]]; k < tables->first_input[members[i] + 1]; k++)
      {
        guint32 producer = fusion_tail (tables, tables->input_edge[k]);

        if (self->taken_by[producer] != root)
          {
            self->taken_by[producer] = root;
            self->n_taken[producer] = 0;
          }
        if (++self->n_taken[producer]
                < first_out (tables, producer + 1) - first_out (tables, producer)
            || self->device[producer] != self->device[root] || !may_feed (tables, producer)
            || !has_room (self, root, producer))
          continue;

        /* The producer comes before all of the cluster, so nothing is to be put in order. */
        FusionOrder *order = &self->order;

        order->cluster[producer] = root;
        order->next[producer] = order->next[root];
        order->next[root] = producer;
        order->size[root]++;
        self->n_heavy[root] += self->n_heavy[producer];

        members[n++] = producer;
      }
}

guint
goban_fuser_fuse_default (GobanFuser *self, GobanPlan *plan)
{
  guint n_nodes = self->tables->n_nodes;

  g_return_val_if_fail (goban_plan_get_n_nodes (plan) == n_nodes, 0);

  begin (self, plan);
  memset (self->taken_by, 0xff, n_nodes * sizeof *self->taken_by);
  for (guint v = n_nodes; v-- > 0;)
    if (self->order.cluster[v] == v && self->tables->kind[v] != GOBAN_FUSION_OPAQUE)
      grow (self, v);
  return finish (self, plan);
}

/* --- by priority ------------------------------------------------------------------------- */

#define DIGIT_BITS 11
#define N_VALUES (1u << DIGIT_BITS)

/* The nodes to visit, the highest priority first, then the lowest id: a radix sort that leaves
 * digits out in which all are the same, so that a few levels cost one pass. */
static guint
sort_nodes (GobanFuser *self, const gint32 *priorities)
{
  guint n = 0;

  for (guint v = 0; v < self->tables->n_nodes; v++)
    if (priorities[v] > 0 && self->tables->kind[v] != GOBAN_FUSION_OPAQUE)
      self->keys[n++] = (guint64) (guint32) (G_MAXINT32 - priorities[v]) << 32 | v;

  for (guint shift = 32; shift < 64 && n > 0; shift += DIGIT_BITS)
    {
      guint32 count[N_VALUES] = { 0 };
      guint32 sum = 0;
      guint64 *swap = self->keys;

      for (guint i = 0; i < n; i++)
        count[self->keys[i] >> shift & (N_VALUES - 1)]++;
      if (count[self->keys[0] >> shift & (N_VALUES - 1)] == n)
        continue;
      for (guint value = 0; value < N_VALUES; value++)
        {
          guint32 here = count[value];

          count[value] = sum;
          sum += here;
        }
      for (guint i = 0; i < n; i++)
        self->sorted[count[self->keys[i] >> shift & (N_VALUES - 1)]++] = self->keys[i];
      self->keys = self->sorted;
      self->sorted = swap;
    }
  return n;
}

/* The clusters of the node and its consumers on its device; 0 if they may not be one, 1 if they are
 * already. */
static guint
gather (GobanFuser *self, guint32 node, const gint32 *priorities)
{
  const FusionTables *tables = self->tables;
  FusionOrder *order = &self->order;
  guint32 own = order->cluster[node];
  guint size = order->size[own];
  guint n_heavy = self->n_heavy[own];
  guint n_reduction = self->n_reduction[own];
  guint n = 1;

  self->gathered[0] = own;
  self->seen[own] = node;
  for (guint32 e = first_out (tables, node); e < first_out (tables, node + 1); e++)
    {
      guint32 head = tables->edge_head[e];
      guint32 cluster = order->cluster[head];

      if (self->device[head] != self->device[node] || self->is_control[tables->edge_tensor[e]])
        continue;
      if (priorities[head] <= 0 || tables->kind[head] == GOBAN_FUSION_OPAQUE)
        return 0;
      if (self->seen[cluster] == node)
        continue;
      self->seen[cluster] = node;
      size += order->size[cluster];
      n_heavy += self->n_heavy[cluster];
      n_reduction += self->n_reduction[cluster];
      if (size > GOBAN_FUSION_MAX_OPS || n_heavy > 1 || n_reduction > 1)
        return 0;
      self->gathered[n++] = cluster;
    }
  return n;
}

static void
fuse_forward (GobanFuser *self, guint32 node, const gint32 *priorities)
{
  guint n = gather (self, node, priorities);
  guint8 n_heavy = 0, n_reduction = 0;

  if (n < 2)
    return;
  for (guint i = 0; i < n; i++)
    {
      n_heavy += self->n_heavy[self->gathered[i]];
      n_reduction += self->n_reduction[self->gathered[i]];
    }
  if (!fusion_order_merge (&self->order, self->gathered, n))
    return;
  self->n_heavy[self->order.cluster[node]] = n_heavy;
  self->n_reduction[self->order.cluster[node]] = n_reduction;
}

/* FALSE if the two clusters are one, or may not be. */
static gboolean
fuse_pair (GobanFuser *self, guint32 a, guint32 b)
{
  FusionOrder *order = &self->order;
  guint32 pair[] = { order->cluster[a], order->cluster[b] };
  guint n_heavy = self->n_heavy[pair[0]] + self->n_heavy[pair[1]];
  guint n_reduction = self->n_reduction[pair[0]] + self->n_reduction[pair[1]];

  if (pair[0] == pair[1] || order->size[pair[0]] + order->size[pair[1]] > GOBAN_FUSION_MAX_OPS
      || n_heavy > 1 || n_reduction > 1 || !fusion_order_merge (order, pair, 2))
    return FALSE;
  self->n_heavy[order->cluster[a]] = (guint8) n_heavy;
  self->n_reduction[order->cluster[a]] = (guint8) n_reduction;
  return TRUE;
}

guint
goban_fuser_fuse_by_priority (GobanFuser *self, GobanPlan *plan, const gint32 *priorities)
{
  guint n_nodes = self->tables->n_nodes;
  guint n;

  g_return_val_if_fail (goban_plan_get_n_nodes (plan) == n_nodes, 0);

  begin (self, plan);
  memset (self->seen, 0xff, n_nodes * sizeof *self->seen);
  n = sort_nodes (self, priorities);
  for (guint i = 0; i < n; i++)
    fuse_forward (self, (guint32) self->keys[i], priorities);
  if (self->has_pairs)
    for (guint i = 0; i < n; i++)
      {
        /* The node with each of its consumers that it may be fused with. */
        guint32 node = (guint32) self->keys[i];
        const FusionTables *tables = self->tables;

        for (guint32 e = first_out (tables, node); e < first_out (tables, node + 1); e++)
          {
            guint32 head = tables->edge_head[e];

            if (self->device[head] == self->device[node]
                && !self->is_control[tables->edge_tensor[e]] && priorities[head] > 0
                && tables->kind[head] != GOBAN_FUSION_OPAQUE)
              fuse_pair (self, node, head);
          }
      }
  return finish (self, plan);
}

void
goban_fuser_set_pairs (GobanFuser *self, gboolean has_pairs)
{
  self->has_pairs = has_pairs;
}

/* --- by themselves ----------------------------------------------------------------------- */

guint
goban_fusion_default (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanFuser) fuser = goban_fuser_new (costs);

  return goban_fuser_fuse_default (fuser, plan);
}

guint
goban_fusion_by_priority (GobanCostModel *costs, GobanPlan *plan, const gint32 *priorities)
{
  g_autoptr (GobanFuser) fuser = goban_fuser_new (costs);

  return goban_fuser_fuse_by_priority (fuser, plan, priorities);
}
