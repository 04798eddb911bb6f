#include "engine/sim/fusion/contraction.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/sim/fusion/fusion-tables.h"

/* Traffic of one node for tensors that never leave its cluster. */
typedef struct
{
  double read_bytes;
  double written_bytes;
} FusionTraffic;

struct _GobanContraction
{
  FusionTables *tables;
  GobanContracted all;
  guint32 *by_number;  /* (n_nodes) op of each fusion number */
  guint32 *number;     /* (n_nodes) compact numbers, if the plan's are large */
  guint64 *keys;       /* (n_nodes) */
  guint32 *cursor;     /* (n_nodes) */
  FusionTraffic *kept; /* (n_nodes) */
};

static const char *
name_of (const GobanContraction *self, GobanNodeId node)
{
  return goban_graph_get_node (goban_cost_model_get_graph (self->tables->costs), node)->name;
}

/* --- members ----------------------------------------------------------------------------- */

/* At most one of a class: the second is refused, together with the first. */
static gboolean
check_single (const GobanContraction *self, const GobanNodeId *members, guint n,
              GobanFusionClass class, GError **error)
{
  GobanNodeId first = GOBAN_NO_NODE;

  for (guint i = 0; i < n; i++)
    {
      if (self->tables->kind[members[i]] != class)
        continue;
      if (first != GOBAN_NO_NODE)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "nodes “%s” and “%s” are fused, but a kernel has at most one %s op",
                             name_of (self, first), name_of (self, members[i]),
                             goban_fusion_class_name (class));
      first = members[i];
    }
  return TRUE;
}

static gboolean
check_members (const GobanContraction *self, const GobanPlan *plan, guint32 op, GError **error)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->tables->costs);
  const GobanGraph *graph = goban_cost_model_get_graph (self->tables->costs);
  const GobanNodeId *members = self->all.member + self->all.first_member[op];
  guint n = self->all.first_member[op + 1] - self->all.first_member[op];

  for (guint i = 0; i < n && n > 1; i++)
    {
      GobanDeviceId home = goban_plan_get_device (plan, members[0]);
      GobanDeviceId device = goban_plan_get_device (plan, members[i]);

      if (device != home)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "nodes “%s” and “%s” are fused but on %s and %s",
                             name_of (self, members[0]), name_of (self, members[i]),
                             goban_cluster_get_device (cluster, home)->name,
                             goban_cluster_get_device (cluster, device)->name);
      if (self->tables->kind[members[i]] == GOBAN_FUSION_OPAQUE)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "node “%s” is fused with “%s”, but its op “%s” cannot be fused",
                             name_of (self, members[i]), name_of (self, members[i > 0 ? 0 : 1]),
                             goban_graph_get_node (graph, members[i])->op);
    }
  if (n > GOBAN_FUSION_MAX_OPS)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%u nodes are fused with “%s”, but a kernel has at most %u", n,
                         name_of (self, members[0]), GOBAN_FUSION_MAX_OPS);
  return n == 1
         || (check_single (self, members, n, GOBAN_FUSION_HEAVY, error)
             && check_single (self, members, n, GOBAN_FUSION_REDUCTION, error));
}

/* --- cycles ------------------------------------------------------------------------------ */

/* An edge that enters an op. */
typedef struct
{
  GobanNodeId tail;
  GobanNodeId head;
} Entry;

/* One that comes from an op which is stuck too; there always is one. */
static Entry
find_entry (const GobanContraction *self, const guint8 *is_stuck, guint32 op)
{
  const FusionTables *tables = self->tables;
  const GobanContracted *all = &self->all;

  for (guint32 i = all->first_member[op]; i < all->first_member[op + 1]; i++)
    for (guint32 k = tables->first_input[all->member[i]];
         k < tables->first_input[all->member[i] + 1]; k++)
      {
        GobanNodeId tail = fusion_tail (tables, tables->input_edge[k]);

        if (all->op_of[tail] != op && is_stuck[all->op_of[tail]])
          return (Entry){ tail, all->member[i] };
      }
  g_return_val_if_reached (((Entry){ 0, 0 }));
}

static gboolean
check_cycles (GobanContraction *self, GError **error)
{
  guint n_ops = self->all.n_ops;
  g_autofree guint32 *order = g_new (guint32, n_ops + 1);
  g_autofree guint8 *is_stuck = NULL;
  guint n_sorted;
  guint32 stuck = 0;

  if (goban_contraction_sort (self, order, &n_sorted))
    return TRUE;
  is_stuck = g_new (guint8, n_ops);
  memset (is_stuck, TRUE, n_ops);
  for (guint i = 0; i < n_sorted; i++)
    is_stuck[order[i]] = FALSE;
  while (!is_stuck[stuck])
    stuck++;

  /* Walks backwards among the stuck ops until it comes to one for the second time, then round
   * once more until a cluster of several: the graph has no cycle, so one is on the way. */
  const GobanContracted *all = &self->all;
  g_autofree guint8 *is_seen = g_new0 (guint8, all->n_ops);
  guint32 op = stuck;
  Entry into = find_entry (self, is_stuck, op);
  Entry out;

  while (!is_seen[op])
    {
      is_seen[op] = TRUE;
      into = find_entry (self, is_stuck, op);
      op = all->op_of[into.tail];
    }
  /* From now on every op met is on the cycle; "out" leaves the op at hand. */
  out = into;
  while (all->first_member[op + 1] - all->first_member[op] == 1)
    {
      out = find_entry (self, is_stuck, op);
      op = all->op_of[out.tail];
    }
  into = find_entry (self, is_stuck, op);
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "the nodes fused with “%s” wait for themselves: “%s” comes before “%s”, which "
      "comes before “%s”",
      name_of (self, all->member[all->first_member[op]]), name_of (self, out.tail),
      name_of (self, out.head), name_of (self, into.head));
}

/* --- all of it --------------------------------------------------------------------------- */

gboolean
goban_contraction_check (GobanContraction *self, const GobanPlan *plan, GError **error)
{
  goban_contraction_fill (self, plan);
  for (guint32 op = 0; op < self->all.n_ops; op++)
    if (!check_members (self, plan, op, error))
      return FALSE;
  return check_cycles (self, error);
}

gboolean
goban_fusion_check (const GobanPlan *plan, GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanContraction) contraction = NULL;

  if (!goban_plan_is_fused (plan))
    return TRUE;
  contraction = goban_contraction_new (costs);
  return goban_contraction_check (contraction, plan, error);
}

guint
goban_fusion_dissolve_split (GobanPlan *plan)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autoptr (GHashTable) first = NULL; /* number -> its first node + 1 */
  g_autoptr (GHashTable) split = NULL; /* numbers */
  guint n_freed = 0;

  if (!goban_plan_is_fused (plan))
    return 0;
  first = g_hash_table_new (NULL, NULL);
  split = g_hash_table_new (NULL, NULL);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gpointer number = GINT_TO_POINTER (fusions[v]);
      guint node = GPOINTER_TO_UINT (g_hash_table_lookup (first, number));

      if (fusions[v] == GOBAN_NO_FUSION)
        continue;
      if (node == 0)
        g_hash_table_insert (first, number, GUINT_TO_POINTER (v + 1));
      else if (goban_plan_get_device (plan, node - 1) != goban_plan_get_device (plan, v))
        g_hash_table_add (split, number);
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (fusions[v] != GOBAN_NO_FUSION
        && g_hash_table_contains (split, GINT_TO_POINTER (fusions[v])))
      {
        goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
        n_freed++;
      }
  return n_freed;
}

/* --- construction and disposal ----------------------------------------------------------- */

GobanContraction *
goban_contraction_new (GobanCostModel *costs)
{
  GobanContraction *self = g_new0 (GobanContraction, 1);
  FusionTables *tables = fusion_tables_new (costs);
  guint n_nodes = tables->n_nodes;
  GobanContracted *all = &self->all;

  self->tables = tables;
  all->op_of = g_new (guint32, n_nodes);
  all->first_member = g_new (guint32, n_nodes + 1);
  all->member = g_new (GobanNodeId, n_nodes);
  all->device = g_new (GobanDeviceId, n_nodes);
  all->priority = g_new (gint32, n_nodes);
  all->time_us = g_new (double, n_nodes);
  all->param_bytes = g_new (double, n_nodes);
  all->output_bytes = g_new (double, n_nodes);
  all->first_tensor = g_new (guint32, n_nodes + 1);
  all->tensor = g_new (GobanTensorId, tables->n_tensors);
  all->tensor_op = g_new (guint32, tables->n_tensors);
  all->first_edge = g_new (guint32, tables->n_tensors + 1);
  all->edge_head = g_new (guint32, tables->n_edges + 1);
  all->first_input = g_new (guint32, n_nodes + 1);
  all->edge_input = g_new (guint32, tables->n_edges);
  self->by_number = g_new (guint32, n_nodes);
  self->number = g_new (guint32, n_nodes);
  self->keys = g_new (guint64, n_nodes);
  self->cursor = g_new (guint32, n_nodes);
  self->kept = g_new (FusionTraffic, n_nodes);
  return self;
}

void
goban_contraction_free (GobanContraction *self)
{
  if (self == NULL)
    return;
  fusion_tables_free (self->tables);
  g_free (self->all.op_of);
  g_free (self->all.first_member);
  g_free (self->all.member);
  g_free (self->all.device);
  g_free (self->all.priority);
  g_free (self->all.time_us);
  g_free (self->all.param_bytes);
  g_free (self->all.output_bytes);
  g_free (self->all.first_tensor);
  g_free (self->all.tensor);
  g_free (self->all.tensor_op);
  g_free (self->all.first_edge);
  g_free (self->all.edge_head);
  g_free (self->all.first_input);
  g_free (self->all.edge_input);
  g_free (self->by_number);
  g_free (self->number);
  g_free (self->keys);
  g_free (self->cursor);
  g_free (self->kept);
  g_free (self);
}

/* --- clusters ---------------------------------------------------------------------------- */

static int
compare_keys (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* Numbers beyond the nodes come from files only: they are replaced by small ones. */
static const guint32 *
shrink_numbers (GobanContraction *self, const gint32 *fusions, guint n_nodes)
{
  guint32 n_numbers = 0;

  for (guint v = 0; v < n_nodes; v++)
    self->keys[v] = (guint64) (guint32) fusions[v] << 32 | v;
  qsort (self->keys, n_nodes, sizeof *self->keys, compare_keys);
  for (guint i = 0; i < n_nodes; i++)
    {
      guint32 v = (guint32) self->keys[i];

      n_numbers += i > 0 && self->keys[i] >> 32 != self->keys[i - 1] >> 32;
      self->number[v] = fusions[v] == GOBAN_NO_FUSION ? FUSION_NONE : n_numbers;
    }
  return self->number;
}

/* Ops by their lowest node, and the members of each. */
static void
gather_members (GobanContraction *self, const gint32 *fusions)
{
  GobanContracted *all = &self->all;
  guint n_nodes = self->tables->n_nodes;
  const guint32 *number = (const guint32 *) fusions;
  guint32 *by_number = self->by_number;
  gint32 largest = GOBAN_NO_FUSION;
  guint32 n_ops = 0;
  guint32 n_before = 0;

  for (guint v = 0; v < n_nodes; v++)
    largest = MAX (largest, fusions[v]);
  if (largest >= 0 && (guint) largest >= n_nodes)
    number = shrink_numbers (self, fusions, n_nodes);
  memset (by_number, 0xff, n_nodes * sizeof *by_number);

  /* GOBAN_NO_FUSION is FUSION_NONE. */
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 op = number[v] == FUSION_NONE ? FUSION_NONE : by_number[number[v]];

      if (op == FUSION_NONE)
        {
          op = n_ops++;
          self->cursor[op] = 0;
          if (number[v] != FUSION_NONE)
            by_number[number[v]] = op;
        }
      all->op_of[v] = op;
      self->cursor[op]++;
    }
  for (guint32 op = 0; op < n_ops; op++)
    {
      all->first_member[op] = n_before;
      n_before += self->cursor[op];
      self->cursor[op] = all->first_member[op];
    }
  all->first_member[n_ops] = n_before;
  for (guint v = 0; v < n_nodes; v++)
    all->member[self->cursor[all->op_of[v]]++] = v;
  all->n_ops = n_ops;
}

/* --- time -------------------------------------------------------------------------------- */

/* The time of the n members as one kernel, as contraction.h says; kept is by node. */
static double
fusion_time_us (const FusionTables *tables, const GobanNodeId *members, guint n, guint class,
                const FusionTraffic *kept)
{
  const FusionDevice *device = &tables->device[class];
  double flops[GOBAN_N_PEAKS] = { 0 }, flops_us = 0, bytes = 0; /* of estimated members */
  double launch_us = 0;
  double sum_us = 0, longest_us = 0; /* of those with times */
  double launches_us = 0;
  double traffic_bytes = 0;
  double estimated_us, given_us;

  for (guint i = 0; i < n; i++)
    {
      GobanNodeId v = members[i];
      const FusionWork *work = &tables->work[v];
      double time_us = tables->time_us[(gsize) v * tables->n_classes + class];

      if (!tables->is_timed[v])
        {
          flops[device->peaks[work->peak]] += work->flops;
          bytes += work->read_bytes - MIN (work->read_bytes, kept[v].read_bytes);
          bytes += work->written_bytes - MIN (work->written_bytes, kept[v].written_bytes);
          if (time_us > 0)
            launch_us = device->launch_us;
          continue;
        }
      sum_us += time_us;
      launches_us += MIN (time_us, device->launch_us);
      longest_us = MAX (longest_us, time_us);
      traffic_bytes += kept[v].read_bytes + kept[v].written_bytes;
    }
  for (guint k = 0; k < GOBAN_N_PEAKS; k++)
    if (flops[k] > 0)
      flops_us += flops[k] / device->flops_per_us[k];
  estimated_us = MAX (flops_us, bytes / device->bytes_per_us);
  launches_us -= MIN (longest_us, device->launch_us);
  given_us = sum_us - launches_us - traffic_bytes / device->bytes_per_us;
  return estimated_us + MAX (launch_us, MAX (given_us, longest_us));
}

/* --- tensors and edges ------------------------------------------------------------------- */

/* An internal tensor: read inside its cluster, and nowhere else. */
static void
keep_tensor (GobanContraction *self, guint32 t)
{
  const FusionTables *tables = self->tables;
  double bytes = tables->tensor_bytes[t];

  self->kept[tables->tensor_node[t]].written_bytes += bytes;
  for (guint32 e = tables->first_edge[t]; e < tables->first_edge[t + 1]; e++)
    self->kept[tables->edge_head[e]].read_bytes += bytes;
  self->all.saved_bytes += bytes * (1 + tables->first_edge[t + 1] - tables->first_edge[t]);
}

static void
contract_edges (GobanContraction *self)
{
  const FusionTables *tables = self->tables;
  GobanContracted *all = &self->all;
  const guint32 *op_of = all->op_of;
  guint32 n_tensors = 0, n_edges = 0;

  memset (self->kept, 0, tables->n_nodes * sizeof *self->kept);
  memset (self->cursor, 0, tables->n_nodes * sizeof *self->cursor);
  all->saved_bytes = 0;
  for (guint32 op = 0; op < all->n_ops; op++)
    {
      double output_bytes = 0;

      all->first_tensor[op] = n_tensors;
      for (guint32 i = all->first_member[op]; i < all->first_member[op + 1]; i++)
        for (guint32 t = tables->first_tensor[all->member[i]];
             t < tables->first_tensor[all->member[i] + 1]; t++)
          {
            guint32 first = n_edges;
            guint32 end = tables->first_edge[t + 1];

            for (guint32 e = tables->first_edge[t]; e < end; e++)
              {
                guint32 head = op_of[tables->edge_head[e]];

                /* Written down either way and kept if it leaves: a coin toss. */
                all->edge_head[n_edges] = head;
                self->cursor[head] += head != op;
                n_edges += head != op;
              }
            if (n_edges == first && end > tables->first_edge[t])
              {
                keep_tensor (self, t);
                continue;
              }
            all->tensor[n_tensors] = t;
            all->tensor_op[n_tensors] = op;
            all->first_edge[n_tensors++] = first;
            output_bytes += tables->tensor_bytes[t];
          }
      all->output_bytes[op] = output_bytes;
    }
  all->first_tensor[all->n_ops] = all->n_tensors = n_tensors;
  all->first_edge[n_tensors] = all->n_edges = n_edges;
}

/* The cursor holds how many inputs each op has. */
static void
number_inputs (GobanContraction *self)
{
  GobanContracted *all = &self->all;
  guint32 n = 0;

  for (guint32 op = 0; op < all->n_ops; op++)
    {
      all->first_input[op] = n;
      n += self->cursor[op];
      self->cursor[op] = all->first_input[op];
    }
  all->first_input[all->n_ops] = n;
  for (guint32 e = 0; e < all->n_edges; e++)
    all->edge_input[e] = self->cursor[all->edge_head[e]]++;
}

const GobanContracted *
goban_contraction_fill (GobanContraction *self, const GobanPlan *plan)
{
  g_return_val_if_fail (goban_plan_get_n_nodes (plan) == self->tables->n_nodes, NULL);
  g_return_val_if_fail (goban_plan_get_n_devices (plan) == self->tables->n_devices, NULL);

  gather_members (self, goban_plan_get_fusions (plan));
  contract_edges (self);
  number_inputs (self);
  for (guint32 op = 0; op < self->all.n_ops; op++)
    {
      /* In a plan with little or no fusion most ops are one node, with its own figures. */
      const FusionTables *tables = self->tables;
      GobanContracted *all = &self->all;
      guint32 first = all->first_member[op];
      guint32 n = all->first_member[op + 1] - first;
      const GobanNodeId *members = all->member + first;
      const gint32 *priorities = goban_plan_get_priorities (plan);
      GobanDeviceId device = goban_plan_get_devices (plan)[members[0]];
      guint class = tables->device_class[device];

      all->device[op] = device;
      all->priority[op] = priorities[members[0]];
      all->param_bytes[op] = tables->work[members[0]].param_bytes;
      for (guint32 i = 1; i < n; i++)
        {
          all->priority[op] = MAX (all->priority[op], priorities[members[i]]);
          all->param_bytes[op] += tables->work[members[i]].param_bytes;
        }
      if (n == 1)
        all->time_us[op] = tables->time_us[(gsize) members[0] * tables->n_classes + class];
      else
        all->time_us[op] = fusion_time_us (tables, members, n, class, self->kept);
    }
  return &self->all;
}

/* Kahn's algorithm; the ordered prefix is also the queue. */
gboolean
goban_contraction_sort (GobanContraction *self, guint32 *order, guint *n)
{
  const GobanContracted *all = &self->all;
  guint32 *missing = self->cursor;
  guint32 n_sorted = 0;

  for (guint32 op = 0; op < all->n_ops; op++)
    {
      missing[op] = all->first_input[op + 1] - all->first_input[op];
      if (missing[op] == 0)
        order[n_sorted++] = op;
    }
  for (guint32 i = 0; i < n_sorted; i++)
    {
      guint32 first = all->first_edge[all->first_tensor[order[i]]];
      guint32 end = all->first_edge[all->first_tensor[order[i] + 1]];

      for (guint32 e = first; e < end; e++)
        if (--missing[all->edge_head[e]] == 0)
          order[n_sorted++] = all->edge_head[e];
    }
  if (n != NULL)
    *n = n_sorted;
  return n_sorted == all->n_ops;
}
