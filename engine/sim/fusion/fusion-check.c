#include "engine/core/error.h"
#include "engine/sim/fusion/contraction-private.h"

#include <string.h>

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
