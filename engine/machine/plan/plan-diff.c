#include "engine/machine/plan/plan-diff.h"

#include <string.h>

static gboolean
has_same_transfers (const GobanPlan *a, const GobanPlan *b)
{
  const gint32 *x = goban_plan_get_transfer_priorities (a);
  const gint32 *y = goban_plan_get_transfer_priorities (b);

  if (x == NULL || y == NULL)
    return x == y;
  return memcmp (x, y, goban_plan_get_n_tensors (a) * sizeof *x) == 0;
}

GobanPlanDiff *
goban_plan_diff (const GobanPlan *a, const GobanPlan *b)
{
  guint n_nodes = goban_plan_get_n_nodes (a);
  guint n_devices = goban_plan_get_n_devices (a);
  GobanPlanDiff *diff;

  g_return_val_if_fail (n_nodes == goban_plan_get_n_nodes (b), NULL);
  g_return_val_if_fail (n_devices == goban_plan_get_n_devices (b), NULL);
  g_return_val_if_fail (goban_plan_get_graph_hash (a) == goban_plan_get_graph_hash (b), NULL);

  diff = g_new0 (GobanPlanDiff, 1);
  diff->moved = g_new (GobanNodeId, n_nodes);
  diff->reprioritised = g_new (GobanNodeId, n_nodes);
  diff->refused = g_new (GobanNodeId, n_nodes);
  diff->n_devices = n_devices;
  diff->matrix = g_new0 (guint, (gsize) n_devices * n_devices);
  diff->same_order = goban_plan_get_order (a) == goban_plan_get_order (b);
  diff->same_transfers = has_same_transfers (a, b);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanDeviceId from = goban_plan_get_devices (a)[v];
      GobanDeviceId to = goban_plan_get_devices (b)[v];

      if (from != to)
        {
          diff->moved[diff->n_moved++] = v;
          diff->matrix[(gsize) from * n_devices + to]++;
        }
      if (goban_plan_get_priorities (a)[v] != goban_plan_get_priorities (b)[v])
        diff->reprioritised[diff->n_reprioritised++] = v;
      if (goban_plan_get_fusions (a)[v] != goban_plan_get_fusions (b)[v])
        diff->refused[diff->n_refused++] = v;
    }
  return diff;
}

static gboolean
are_equal (const void *a, const void *b, gsize n_bytes)
{
  return n_bytes == 0 || memcmp (a, b, n_bytes) == 0;
}

gboolean
goban_plan_decides_same (const GobanPlan *a, const GobanPlan *b)
{
  const GobanDeviceId *devices = goban_plan_get_devices (a);
  const gint32 *priorities = goban_plan_get_priorities (a);
  const gint32 *fusions = goban_plan_get_fusions (a);
  gsize n = goban_plan_get_n_nodes (a);

  return goban_plan_get_n_nodes (b) == n
         && goban_plan_get_n_devices (a) == goban_plan_get_n_devices (b)
         && goban_plan_get_order (a) == goban_plan_get_order (b)
         && are_equal (devices, goban_plan_get_devices (b), n * sizeof *devices)
         && are_equal (priorities, goban_plan_get_priorities (b), n * sizeof *priorities)
         && are_equal (fusions, goban_plan_get_fusions (b), n * sizeof *fusions)
         && has_same_transfers (a, b);
}

void
goban_plan_diff_free (GobanPlanDiff *diff)
{
  if (diff == NULL)
    return;

  g_free (diff->moved);
  g_free (diff->reprioritised);
  g_free (diff->refused);
  g_free (diff->matrix);
  g_free (diff);
}
