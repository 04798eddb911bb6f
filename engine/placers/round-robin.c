/* Devices in turn: every unit, in topological order, goes to the next one that can run it. */
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"

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
  guint turn = 0;

  if (units == NULL)
    return NULL;

  devices = g_new (GobanDeviceId, units->n_units);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      if (!goban_policy_go_on (options, u, units->n_units, error))
        return NULL;

      while (!goban_units_can_run (units, u, (GobanDeviceId) turn))
        turn = (turn + 1) % units->n_devices;
      devices[u] = goban_unit_decisions_make (&decisions, u, (GobanDeviceId) turn, NULL);
      turn = (turn + 1) % units->n_devices;
    }
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_round_robin = {
  .name = "round-robin",
  .blurb = N_ ("devices in turn, in topological order"),
  .about = N_ ("Every colocation group, and every node without a group, gets the next device in "
               "turn that can "
               "run it, in topological order. It balances the number of nodes and nothing else, "
               "and moves nearly every tensor."),
  .source = "the baseline of every scheduler",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
