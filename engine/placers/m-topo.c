/* m-TOPO of Baechi (Jeon et al., 2020): fills device after device in topological order.
 *
 * A device is full when the next unit would take it beyond the cap: an equal share of all
 * memory the graph asks for, and the largest unit on top, so that the last device never
 * gets more than the others. Memory is parameters and outputs, as if all outputs lived to
 * the end. Where a device is smaller than the cap, its own memory is the limit.
 */
#include "engine/core/i18n.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/policies.h"

typedef struct
{
  const GobanUnits *units;
  double cap_bytes;
  double *used_bytes; /* (n_devices) */
  guint current;      /* devices before it are full */
} Filling;

static double
unit_bytes (const GobanUnits *units, guint32 unit)
{
  return units->param_bytes[unit] + units->output_bytes[unit];
}

static double
find_cap (const GobanUnits *units)
{
  double total_bytes = 0;
  double largest_bytes = 0;

  for (guint u = 0; u < units->n_units; u++)
    {
      total_bytes += unit_bytes (units, u);
      largest_bytes = MAX (largest_bytes, unit_bytes (units, u));
    }
  return total_bytes / units->n_devices + largest_bytes;
}

/* Memory left on a device, negative if the unit is too large for it. */
static double
room_after (const Filling *self, guint device, guint32 unit)
{
  return goban_cluster_get_device (self->units->cluster, (GobanDeviceId) device)->memory_bytes
         - self->used_bytes[device] - unit_bytes (self->units, unit);
}

/* Beyond the cap: the device with the most room, so that memory is exceeded only where it must
 * be. */
static guint
find_roomiest (const Filling *self, guint32 unit)
{
  guint best = G_MAXUINT;

  for (guint d = 0; d < self->units->n_devices; d++)
    if (goban_units_can_run (self->units, unit, (GobanDeviceId) d)
        && (best == G_MAXUINT || room_after (self, d, unit) > room_after (self, best, unit)
            || (room_after (self, d, unit) == room_after (self, best, unit)
                && self->used_bytes[d] < self->used_bytes[best])))
      best = d;
  return best;
}

static guint
find_device (Filling *self, guint32 unit)
{
  for (guint d = self->current; d < self->units->n_devices; d++)
    {
      /* One that cannot run this unit may still take the next. */
      if (!goban_units_can_run (self->units, unit, (GobanDeviceId) d))
        continue;
      if (self->used_bytes[d] + unit_bytes (self->units, unit) <= self->cap_bytes
          && room_after (self, d, unit) >= 0)
        return d;
      if (d == self->current)
        self->current++;
    }
  return find_roomiest (self, unit);
}

static const GobanChoiceWords words = { NULL, GOBAN_SCORE_BYTES, FALSE, NULL };

static void
weigh_devices (const Filling *self, const GobanUnitDecisions *decisions, guint32 unit)
{
  for (guint d = 0; d < self->units->n_devices; d++)
    {
      double used_bytes = self->used_bytes[d] + unit_bytes (self->units, unit);
      guint refusals = 0;

      if (d < self->current || used_bytes > self->cap_bytes)
        refusals |= GOBAN_REFUSAL_RULE;
      if (room_after (self, d, unit) < 0)
        refusals |= GOBAN_REFUSAL_MEMORY;
      goban_unit_decisions_weigh (decisions, (GobanDeviceId) d, used_bytes, refusals);
    }
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new_coplaced (costs, GOBAN_COPLACE_READERS, error);
  g_autofree GobanDeviceId *devices = NULL;
  GobanUnitDecisions decisions;
  GobanPlan *plan;
  g_autofree double *used_bytes = NULL;
  Filling filling;

  if (units == NULL)
    return NULL;

  used_bytes = g_new0 (double, units->n_devices);
  filling = (Filling){ units, find_cap (units), used_bytes, 0 };
  devices = g_new (GobanDeviceId, units->n_units);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      guint device;

      if (!goban_policy_go_on (options, u, units->n_units, error))
        return NULL;
      device = find_device (&filling, u);
      weigh_devices (&filling, &decisions, u);
      devices[u] = goban_unit_decisions_make (&decisions, u, (GobanDeviceId) device, NULL);
      used_bytes[devices[u]] += unit_bytes (units, u);
    }
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_m_topo = {
  .name = "m-topo",
  .blurb = N_ ("m-TOPO: fills device after device in topological order, by memory"),
  .about
  = N_ ("Walks through the nodes in topological order and fills device after device up to a "
        "cap: an equal share of all memory the graph asks for, and the largest unit on top. It "
        "knows no times. Before that a node with a single consumer joins its group, what "
        "multiplies by a variable joins the variable, and gradients their forward op, as in "
        "m-etf; a group goes where its first node goes. Ours: the largest unit is a group, not "
        "a node, so that every group has room; a device that is smaller than the cap is filled "
        "up to its own memory, and what fits under no cap goes where most memory is left."),
  .source = "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
