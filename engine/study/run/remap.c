#include "engine/study/run/remap.h"

#include "engine/core/error.h"
#include "engine/placers/units.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

guint
goban_remap_count (GobanGraph *old, GobanGraph *fresh)
{
  guint n = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (fresh); v++)
    n += goban_graph_find_node (old, goban_graph_get_node (fresh, v)->name) != GOBAN_NO_NODE;
  return n;
}

GobanSelection *
goban_remap_nodes (GobanGraph *old, GobanGraph *fresh, const GobanSelection *nodes)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n;
  const GobanNodeId *before = goban_selection_get_ids (nodes, &n);

  for (guint i = 0; i < n; i++)
    {
      GobanNodeId now = goban_graph_find_node (fresh, goban_graph_get_node (old, before[i])->name);

      if (now != GOBAN_NO_NODE)
        g_array_append_val (ids, now);
    }
  return goban_selection_new ((const GobanNodeId *) (gpointer) ids->data, ids->len);
}

/* --- one plan ------------------------------------------------------------------------------- */

typedef struct
{
  GobanPlan *old;
  GobanGraph *fresh;
  GobanUnits *units;
  GobanNodeId *before;    /* (n_nodes of fresh) the node of that name, or GOBAN_NO_NODE */
  GobanDeviceId *devices; /* (n_units) GOBAN_NO_DEVICE: not yet */
  GobanDeviceId most_used;
} Carrier;

static void
carrier_clear (Carrier *self)
{
  g_clear_pointer (&self->units, goban_units_free);
  g_free (self->before);
  g_free (self->devices);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Carrier, carrier_clear)

/* The device with the most votes among those that can run the unit; the lowest among equals,
 * GOBAN_NO_DEVICE without one. */
static GobanDeviceId
find_winner (const Carrier *self, guint32 unit, const guint *votes)
{
  GobanDeviceId best = GOBAN_NO_DEVICE;

  for (guint d = 0; d < self->units->n_devices; d++)
    if (votes[d] > 0 && goban_units_can_run (self->units, unit, (GobanDeviceId) d)
        && (best == GOBAN_NO_DEVICE || votes[d] > votes[best]))
      best = (GobanDeviceId) d;
  return best;
}

static GobanDeviceId
ask_names (const Carrier *self, guint32 unit, guint *votes)
{
  const GobanUnits *units = self->units;

  memset (votes, 0, units->n_devices * sizeof *votes);
  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    if (self->before[units->nodes[i]] != GOBAN_NO_NODE)
      votes[goban_plan_get_device (self->old, self->before[units->nodes[i]])]++;
  return find_winner (self, unit, votes);
}

static GobanDeviceId
ask_neighbours (const Carrier *self, guint32 unit, gboolean producers, guint *votes)
{
  const GobanUnits *units = self->units;

  memset (votes, 0, units->n_devices * sizeof *votes);
  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    {
      GobanEdgeSpan edges = producers ? goban_graph_get_in_edges (self->fresh, units->nodes[i])
                                      : goban_graph_get_out_edges (self->fresh, units->nodes[i]);

      for (guint e = 0; e < edges.n; e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->fresh, edges.ids[e]);
          GobanDeviceId there = self->devices[units->unit_of[producers ? edge->tail : edge->head]];

          if (there != GOBAN_NO_DEVICE)
            votes[there]++;
        }
    }
  return find_winner (self, unit, votes);
}

/* Known names first; then forward along the edges, then backward, each a step further from matched
 * nodes. */
static void
place_units (Carrier *self)
{
  guint n = self->units->n_units;
  g_autofree guint *votes = g_new (guint, self->units->n_devices);

  for (guint32 u = 0; u < n; u++)
    self->devices[u] = ask_names (self, u, votes);
  for (guint32 u = 0; u < n; u++)
    if (self->devices[u] == GOBAN_NO_DEVICE)
      self->devices[u] = ask_neighbours (self, u, TRUE, votes);
  for (guint32 u = n; u-- > 0;)
    if (self->devices[u] == GOBAN_NO_DEVICE)
      self->devices[u] = ask_neighbours (self, u, FALSE, votes);
  for (guint32 u = 0; u < n; u++)
    if (self->devices[u] == GOBAN_NO_DEVICE)
      self->devices[u] = goban_units_can_run (self->units, u, self->most_used)
                             ? self->most_used
                             : goban_units_fastest_device (self->units, u);
}

static GobanDeviceId
find_most_used (const GobanPlan *plan)
{
  guint n_devices = goban_plan_get_n_devices (plan);
  g_autofree guint *counts = g_new0 (guint, n_devices);
  GobanDeviceId best = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    counts[goban_plan_get_device (plan, v)]++;
  for (guint d = 1; d < n_devices; d++)
    if (counts[d] > counts[best])
      best = (GobanDeviceId) d;
  return best;
}

/* A new op is as urgent as the most urgent of those that read it. */
static void
write_priorities (const Carrier *self, GobanPlan *plan)
{
  for (GobanNodeId v = goban_plan_get_n_nodes (plan); v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (self->fresh, v);
      gint32 priority = self->before[v] != GOBAN_NO_NODE
                            ? goban_plan_get_priority (self->old, self->before[v])
                            : 0;

      for (guint e = 0; self->before[v] == GOBAN_NO_NODE && e < out.n; e++)
        {
          gint32 of_reader = goban_plan_get_priority (
              plan, goban_graph_get_edge (self->fresh, out.ids[e])->head);

          priority = e == 0 ? of_reader : MAX (priority, of_reader);
        }
      goban_plan_set_priority (plan, v, priority);
    }
}

static GobanPlan *
make_plan (Carrier *self)
{
  GobanPlan *plan = goban_plan_new (self->fresh, goban_plan_get_n_devices (self->old));

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, self->devices[self->units->unit_of[v]]);
  write_priorities (self, plan);
  goban_plan_set_order (plan, goban_plan_get_order (self->old));
  goban_plan_set_policy (plan, goban_plan_get_policy (self->old));
  return plan;
}

static gboolean
check_devices (GobanPlan *plan, GobanCostModel *costs, const char *name, GError **error)
{
  if (goban_plan_get_n_devices (plan)
      == goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID, "%s is for another number of devices", name);
}

GobanPlan *
goban_remap_plan (GobanGraph *old, GobanPlan *plan, GobanCostModel *costs, GError **error)
{
  g_auto (Carrier) self = { .old = plan };
  guint n_nodes;

  if (!check_devices (plan, costs, "the plan", error))
    return NULL;
  self.fresh = goban_cost_model_get_graph (costs);
  self.units = goban_units_new (costs, error);
  if (self.units == NULL)
    return NULL;
  n_nodes = goban_graph_get_n_nodes (self.fresh);
  self.before = g_new (GobanNodeId, MAX (n_nodes, 1));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self.before[v] = goban_graph_find_node (old, goban_graph_get_node (self.fresh, v)->name);
  self.devices = g_new (GobanDeviceId, MAX (self.units->n_units, 1));
  self.most_used = find_most_used (self.old);
  for (guint32 u = 0; u < self.units->n_units; u++)
    self.devices[u] = GOBAN_NO_DEVICE;
  place_units (&self);
  return make_plan (&self);
}

GobanRun *
goban_remap_run (GobanRun *run, GobanCostModel *costs, GError **error)
{
  gboolean is_same = goban_graph_get_hash (goban_run_get_graph (run))
                     == goban_graph_get_hash (goban_cost_model_get_graph (costs));
  g_autoptr (GobanPlan) plan = NULL;
  GobanRunOrigin origin = { .seed = goban_run_get_origin (run)->seed,
                            .evaluations = goban_run_get_origin (run)->evaluations,
                            .seconds = goban_run_get_origin (run)->seconds };

  if (!check_devices (goban_run_get_plan (run), costs, goban_run_get_name (run), error))
    return NULL;
  plan = is_same
             ? goban_plan_ref (goban_run_get_plan (run))
             : goban_remap_plan (goban_run_get_graph (run), goban_run_get_plan (run), costs, error);
  if (plan == NULL || !goban_plan_check (plan, costs, error))
    return NULL;
  /* How it was come by is told of the plan that was. */
  if (is_same)
    {
      origin.improvements = goban_run_get_origin (run)->improvements;
      goban_run_origin_set_decisions (&origin, run);
    }
  return goban_run_new_kept (costs, plan, goban_run_get_name (run), &origin);
}
