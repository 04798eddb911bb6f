/* A device by lot for every unit, among those that can run it. */
#include "engine/core/i18n.h"
#include "engine/core/rng.h"
#include "engine/placers/policies.h"

static GobanDeviceId
draw_device (const GobanUnits *units, guint32 unit, GobanRng *rng)
{
  guint n_feasible = 0;
  guint drawn;
  guint d = 0;

  for (guint i = 0; i < units->n_devices; i++)
    n_feasible += goban_units_can_run (units, unit, (GobanDeviceId) i);

  drawn = goban_rng_below (rng, n_feasible);
  while (!goban_units_can_run (units, unit, (GobanDeviceId) d) || drawn-- > 0)
    d++;
  return (GobanDeviceId) d;
}

/* Nothing is compared. */
static const GobanChoiceWords words = { NULL, GOBAN_SCORE_NONE, FALSE, NULL };

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  GobanUnitDecisions decisions;
  GobanPlan *plan;
  GobanRng rng;

  if (units == NULL)
    return NULL;

  goban_rng_init (&rng, options->seed);
  devices = g_new (GobanDeviceId, units->n_units);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      if (!goban_policy_go_on (options, u, units->n_units, error))
        return NULL;
      devices[u] = goban_unit_decisions_make (&decisions, u, draw_device (units, u, &rng), NULL);
    }
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_random = {
  .name = "random",
  .blurb = N_ ("a device by lot for every node, colocation groups together"),
  .about = N_ (
      "Every colocation group, and every node without a group, draws one of the devices that can "
      "run it, all equally likely, from the seed. Ops run in the order in which they become ready. "
      "It says what a placement is worth that knows nothing."),
  .source = "the baseline of every search",
  .is_random = TRUE,
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
