#include "engine/sim/fusion/fusion.h"

#include "engine/sim/fusion/fusion-order.h"

#include <string.h>

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
