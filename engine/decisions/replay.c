#include "engine/decisions/replay.h"

#include "engine/core/error.h"
#include "engine/core/fnv.h"
#include "engine/decisions/decisions-private.h"

/* --- settlings ------------------------------------------------------------------------------ */

static GobanDeviceId
get_device (const GobanDecisionState *state, GobanNodeId node)
{
  guint32 device = state->choices[GOBAN_TASK_PLACEMENT][node];

  return device == GOBAN_UNDECIDED ? 0 : (GobanDeviceId) device;
}

/* NULL if all values are @usual. */
static GBytes *
make_column (const gint32 *values, guint n, gint32 usual)
{
  for (guint i = 0; i < n; i++)
    if (values[i] != usual)
      return g_bytes_new (values, n * sizeof *values);
  return NULL;
}

GobanSettledPlan
goban_settling_make (GobanMoment moment, const GobanDecisionState *state, const GobanPlan *plan)
{
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  g_autoptr (GByteArray) moved = g_byte_array_new ();
  GobanSettledPlan self = { .moment = moment,
                            .order = goban_plan_get_order (plan),
                            .digest = goban_settling_digest_plan (plan) };

  self.columns[GOBAN_SETTLED_PRIORITIES]
      = make_column (goban_plan_get_priorities (plan), state->n_nodes, 0);
  self.columns[GOBAN_SETTLED_FUSIONS]
      = make_column (goban_plan_get_fusions (plan), state->n_nodes, GOBAN_NO_FUSION);
  if (transfers != NULL)
    self.columns[GOBAN_SETTLED_TRANSFERS]
        = g_bytes_new (transfers, goban_plan_get_n_tensors (plan) * sizeof *transfers);
  for (GobanNodeId v = 0; v < state->n_nodes; v++)
    if (devices[v] != get_device (state, v))
      {
        const GobanMovedNode one = { v, devices[v] };

        g_byte_array_append (moved, (const guint8 *) &one, sizeof one);
      }
  if (moved->len > 0)
    self.columns[GOBAN_SETTLED_MOVED] = g_byte_array_free_to_bytes (g_steal_pointer (&moved));
  return self;
}

gsize
goban_settlings_append (GArray *settlings, GobanSettledPlan settling)
{
  const GobanSettledPlan *last
      = settlings->len > 0 ? &g_array_index (settlings, GobanSettledPlan, settlings->len - 1)
                           : NULL;
  gsize n_bytes = sizeof settling;

  for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
    if (settling.columns[c] != NULL && last != NULL && last->columns[c] != NULL
        && g_bytes_equal (settling.columns[c], last->columns[c]))
      {
        g_bytes_unref (settling.columns[c]);
        settling.columns[c] = g_bytes_ref (last->columns[c]);
      }
    else if (settling.columns[c] != NULL)
      n_bytes += g_bytes_get_size (settling.columns[c]);
  g_array_append_val (settlings, settling);
  return n_bytes;
}

GArray *
goban_settlings_copy (const GArray *settlings)
{
  GArray *copy = g_array_copy ((GArray *) settlings);

  g_array_set_clear_func (copy, goban_settling_clear);
  for (guint i = 0; i < copy->len; i++)
    for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
      if (g_array_index (copy, GobanSettledPlan, i).columns[c] != NULL)
        g_bytes_ref (g_array_index (copy, GobanSettledPlan, i).columns[c]);
  return copy;
}

/* Only settlings in a row share a column: it counts for the first of them. */
gsize
goban_settlings_get_n_bytes (const GArray *settlings)
{
  static const GobanSettledPlan none;
  const GobanSettledPlan *previous = &none;
  gsize n_bytes = settlings->len * sizeof (GobanSettledPlan);

  for (guint i = 0; i < settlings->len; i++)
    {
      const GobanSettledPlan *settling = &g_array_index (settlings, GobanSettledPlan, i);

      for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
        if (settling->columns[c] != NULL && settling->columns[c] != previous->columns[c])
          n_bytes += g_bytes_get_size (settling->columns[c]);
      previous = settling;
    }
  return n_bytes;
}

void
goban_settling_clear (gpointer settling)
{
  for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
    g_clear_pointer (&((GobanSettledPlan *) settling)->columns[c], g_bytes_unref);
}

/* FNV-1a of numbers in place of bytes, which is faster: searches settle plan after plan. */
static guint64
add_number (guint64 digest, guint32 number)
{
  return (digest ^ number) * GOBAN_FNV_PRIME;
}

static guint64
add_numbers (guint64 digest, const gint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    digest = add_number (digest, (guint32) numbers[i]);
  return digest;
}

guint64
goban_settling_digest_plan (const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  guint64 digest = add_number (GOBAN_FNV_START, goban_plan_get_order (plan));

  for (guint v = 0; v < n; v++)
    digest = add_number (digest, devices[v]);
  digest = add_numbers (digest, goban_plan_get_priorities (plan), n);
  digest = add_numbers (digest, goban_plan_get_fusions (plan), n);
  if (transfers != NULL)
    digest = add_numbers (digest, transfers, goban_plan_get_n_tensors (plan));
  return MAX (digest, 1);
}

/* --- replay --------------------------------------------------------------------------------- */

/* The settling of @moment itself; else the next one that it leads to, else the last one before it,
 * else the first. */
static const GobanSettledPlan *
find_settling (const GobanDecisions *self, GobanMoment moment)
{
  const GobanSettledPlan *found = NULL;
  guint64 least = G_MAXUINT64;

  for (guint i = 0; i < self->settlings->len; i++)
    {
      const GobanSettledPlan *settling = &g_array_index (self->settlings, GobanSettledPlan, i);
      GobanMoment at = settling->moment;
      guint64 rank = at > moment ? at - moment : moment - at;

      if (at < moment)
        rank |= G_GUINT64_CONSTANT (1) << 32;
      /* Chains are long: they are looked at only if it matters. */
      else if (at > moment && rank < least
               && goban_decisions_find_ancestor (self, at, moment) != moment)
        rank |= G_GUINT64_CONSTANT (2) << 32;
      if (rank == 0 || (rank < least && !settling->is_lost))
        {
          least = rank;
          found = settling;
        }
    }
  return found;
}

static const gint32 *
get_column (const GobanSettledPlan *settling, guint column)
{
  return settling->columns[column] != NULL ? g_bytes_get_data (settling->columns[column], NULL)
                                           : NULL;
}

static void
settle_plan (GobanPlan *plan, const GobanSettledPlan *settling, gboolean is_settled,
             const GobanCostModel *costs)
{
  const gint32 *priorities = get_column (settling, GOBAN_SETTLED_PRIORITIES);
  const gint32 *fusions = get_column (settling, GOBAN_SETTLED_FUSIONS);
  GBytes *moved = settling->columns[GOBAN_SETTLED_MOVED];
  guint n_nodes = goban_plan_get_n_nodes (plan);

  goban_plan_set_order (plan, settling->order);
  for (GobanNodeId v = 0; priorities != NULL && v < n_nodes; v++)
    goban_plan_set_priority (plan, v, priorities[v]);
  goban_plan_set_transfer_priorities (plan, get_column (settling, GOBAN_SETTLED_TRANSFERS));
  if (!is_settled)
    return;

  for (GobanNodeId v = 0; fusions != NULL && v < n_nodes; v++)
    goban_plan_set_fusion (plan, v, fusions[v]);
  if (moved != NULL)
    {
      gsize n_bytes;
      const GobanMovedNode *nodes = g_bytes_get_data (moved, &n_bytes);

      for (gsize i = 0; i < n_bytes / sizeof *nodes; i++)
        goban_plan_set_device (plan, nodes[i].node, (GobanDeviceId) nodes[i].device);
    }
  if (settling->proven_bound_us > 0)
    goban_plan_set_proven_bound_us (plan, costs, settling->proven_bound_us);
}

GobanPlan *
goban_replay_plan (const GobanCostModel *costs, const GobanDecisions *decisions, GobanMoment moment,
                   GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  const GobanSettledPlan *settling;
  GobanDecisionState state = { 0 };
  GobanPlan *plan;

  if (decisions->n_nodes != n_nodes || decisions->n_devices != n_devices)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the decisions are about %u nodes on %u devices, not %u on %u: replay them "
                       "with the graph and the cluster of their run",
                       decisions->n_nodes, decisions->n_devices, n_nodes, n_devices);
      return NULL;
    }
  if (!goban_decisions_has (decisions, moment))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       moment > decisions->n_moments
                           ? "there is no moment %u: the last one is %u"
                           : "moment %u of %u was dropped to save memory: choose a later one",
                       moment, decisions->n_moments);
      return NULL;
    }
  settling = find_settling (decisions, moment);
  if (settling != NULL && settling->is_lost)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the plan of moment %u was dropped to save memory: choose a later one",
                       moment);
      return NULL;
    }
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  plan = goban_plan_new (goban_cost_model_get_graph (costs), n_devices);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (plan, v, get_device (&state, v));
  if (settling != NULL)
    settle_plan (plan, settling, settling->moment == moment, costs);
  goban_decision_state_clear (&state);
  return plan;
}
