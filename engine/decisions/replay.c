#include "engine/decisions/replay.h"

#include "engine/core/error.h"
#include "engine/core/fnv.h"
#include "engine/decisions/decisions-private.h"

/* A node to which the rule gives something else than the plan has. */
typedef struct
{
  GobanNodeId node;
  gint32 priority;
  gint32 fusion;
  GobanDeviceId device;
} Patch;

struct _GobanSettled
{
  gatomicrefcount refs;
  GobanSettling settling;
  GobanOrder order;
  GArray *patches;             /* of Patch */
  gint32 *transfer_priorities; /* (n_tensors) (nullable) */
  guint n_tensors;
};

static GobanDeviceId
get_device (const GobanDecisionState *state, GobanNodeId node)
{
  guint32 device = state->choices[GOBAN_TASK_PLACEMENT][node];

  return device == GOBAN_UNDECIDED ? 0 : (GobanDeviceId) device;
}

static gint32
get_priority (const GobanSettling *settling, const GobanDecisionState *state, GobanNodeId node)
{
  guint32 choice = state->choices[GOBAN_TASK_SCHEDULING][node];

  return settling->rule == GOBAN_SETTLE_DEVICES || choice == GOBAN_UNDECIDED ? 0 : (gint32) choice;
}

GobanSettled *
goban_settled_new (const GobanSettling *settling, const GobanDecisionState *state,
                   const GobanPlan *plan)
{
  GobanSettled *self = g_new0 (GobanSettled, 1);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  const gint32 *priorities = goban_plan_get_priorities (plan);
  const gint32 *fusions = goban_plan_get_fusions (plan);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);

  g_atomic_ref_count_init (&self->refs);
  self->settling = *settling;
  self->order = goban_plan_get_order (plan);
  self->patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  for (GobanNodeId v = 0; v < state->n_nodes; v++)
    if (devices[v] != get_device (state, v) || priorities[v] != get_priority (settling, state, v)
        || fusions[v] != GOBAN_NO_FUSION)
      {
        const Patch patch = { v, priorities[v], fusions[v], devices[v] };

        g_array_append_val (self->patches, patch);
      }
  self->n_tensors = goban_plan_get_n_tensors (plan);
  if (transfers != NULL)
    self->transfer_priorities = g_memdup2 (transfers, self->n_tensors * sizeof *transfers);
  return self;
}

guint64
goban_settling_digest_plan (const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  const guint8 order = (guint8) goban_plan_get_order (plan);
  guint64 digest = GOBAN_FNV_START;

  digest = goban_fnv_add (digest, &order, sizeof order);
  digest = goban_fnv_add (digest, goban_plan_get_devices (plan), n * sizeof (GobanDeviceId));
  digest = goban_fnv_add (digest, goban_plan_get_priorities (plan), n * sizeof (gint32));
  digest = goban_fnv_add (digest, goban_plan_get_fusions (plan), n * sizeof (gint32));
  if (transfers != NULL)
    digest = goban_fnv_add (digest, transfers, goban_plan_get_n_tensors (plan) * sizeof (gint32));
  return MAX (digest, 1);
}

GobanSettled *
goban_settled_ref (GobanSettled *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_settled_unref (GobanSettled *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->patches);
  g_free (self->transfer_priorities);
  g_free (self);
}

gsize
goban_settled_get_n_bytes (const GobanSettled *self)
{
  return sizeof *self + self->patches->len * sizeof (Patch)
         + (self->transfer_priorities != NULL ? self->n_tensors * sizeof (gint32) : 0);
}

GobanPlan *
goban_settled_new_plan (const GobanSettled *self, const GobanDecisionState *state,
                        gboolean is_settled, const GobanCostModel *costs)
{
  GobanPlan *plan
      = goban_plan_new (goban_cost_model_get_graph (costs),
                        goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)));

  goban_plan_set_order (plan, self->order);
  for (GobanNodeId v = 0; v < state->n_nodes; v++)
    {
      goban_plan_set_device (plan, v, get_device (state, v));
      goban_plan_set_priority (plan, v, get_priority (&self->settling, state, v));
    }
  if (!is_settled)
    return plan;

  for (guint i = 0; i < self->patches->len; i++)
    {
      const Patch *patch = &g_array_index (self->patches, Patch, i);

      goban_plan_set_device (plan, patch->node, patch->device);
      goban_plan_set_priority (plan, patch->node, patch->priority);
      goban_plan_set_fusion (plan, patch->node, patch->fusion);
    }
  goban_plan_set_transfer_priorities (plan, self->transfer_priorities);
  if (self->settling.proven_bound_us > 0)
    goban_plan_set_proven_bound_us (plan, costs, self->settling.proven_bound_us);
  return plan;
}

/* The settling of @moment itself, else the next one after it: the plan that it leads to. */
static const Settling *
find_settling (const GobanDecisions *self, GobanMoment moment)
{
  const Settling *found = NULL;

  for (guint i = self->settlings->len; i > 0; i--)
    {
      const Settling *settling = &g_array_index (self->settlings, Settling, i - 1);

      if (settling->moment == moment)
        return settling;
      if (settling->settled == NULL)
        continue;
      if (found == NULL || settling->moment > moment)
        found = settling;
    }
  return found;
}

GobanPlan *
goban_replay_plan (const GobanCostModel *costs, const GobanDecisions *decisions, GobanMoment moment,
                   GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  const Settling *settling;
  g_autoptr (GobanSettled) by_default = NULL;
  GobanDecisionState state = { 0 };
  GobanPlan *plan;

  if (goban_decisions_get_n_nodes (decisions) != n_nodes
      || goban_decisions_get_n_devices (decisions) != n_devices)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the decisions are about %u nodes on %u devices, not %u on %u: replay them "
                       "with the graph and the cluster of their run",
                       goban_decisions_get_n_nodes (decisions),
                       goban_decisions_get_n_devices (decisions), n_nodes, n_devices);
      return NULL;
    }
  if (!goban_decisions_has (decisions, moment))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       moment > goban_decisions_get_n_moments (decisions)
                           ? "there is no moment %u: the last one is %u"
                           : "moment %u of %u was dropped to save memory: choose a later one",
                       moment, goban_decisions_get_n_moments (decisions));
      return NULL;
    }
  settling = find_settling (decisions, moment);
  if (settling != NULL && settling->settled == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the plan of moment %u was dropped to save memory: choose a later one",
                       moment);
      return NULL;
    }
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  if (settling == NULL)
    {
      g_autoptr (GobanPlan) empty = goban_plan_new (goban_cost_model_get_graph (costs), n_devices);

      by_default
          = goban_settled_new (&(GobanSettling){ GOBAN_SETTLE_PRIORITIES, 0 }, &state, empty);
    }
  plan = goban_settled_new_plan (settling != NULL ? settling->settled : by_default, &state,
                                 settling != NULL && settling->moment == moment, costs);
  goban_decision_state_clear (&state);
  return plan;
}
