/* Everything on one device: the baseline of all other policies.
 *
 * Devices that run everything come before those that do not, then the least sum of times decides.
 * The first of these in whose memory a simulated run fits is taken; if there is none,
 * the one that lacks least. Units a device cannot run go to the one that runs them
 * fastest. Devices of one class with equal memory are equal: one of them is tried.
 */
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"

typedef struct
{
  GobanDeviceId device;
  gboolean runs_all;
  double time_us;
} Candidate;

static GobanDeviceId
find_host (const GobanUnits *units, guint32 unit, GobanDeviceId device)
{
  return goban_units_can_run (units, unit, device) ? device
                                                   : goban_units_fastest_device (units, unit);
}

static Candidate
examine_device (const GobanUnits *units, GobanDeviceId device)
{
  Candidate candidate = { .device = device, .runs_all = TRUE };

  for (guint u = 0; u < units->n_units; u++)
    {
      candidate.runs_all &= goban_units_can_run (units, u, device);
      candidate.time_us += goban_units_time_us (units, u, find_host (units, u, device));
    }
  return candidate;
}

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a;
  const Candidate *y = b;

  if (x->runs_all != y->runs_all)
    return x->runs_all ? -1 : 1;
  if (x->time_us != y->time_us)
    return x->time_us < y->time_us ? -1 : 1;
  return x->device - y->device;
}

static gboolean
are_alike (const GobanUnits *units, GobanDeviceId a, GobanDeviceId b)
{
  return units->classes[a] == units->classes[b]
         && goban_cluster_get_device (units->cluster, a)->memory_bytes
                == goban_cluster_get_device (units->cluster, b)->memory_bytes;
}

/* One of every sort of device, the best first. */
static GArray *
gather_candidates (const GobanUnits *units)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint d = 0; d < units->n_devices; d++)
    {
      gboolean is_new = TRUE;
      Candidate candidate;

      for (guint i = 0; i < candidates->len && is_new; i++)
        is_new = !are_alike (units, (GobanDeviceId) d,
                             g_array_index (candidates, Candidate, i).device);
      if (!is_new)
        continue;
      candidate = examine_device (units, (GobanDeviceId) d);
      g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

static const GobanChoiceWords words = { .score = GOBAN_SCORE_TIME_US };

static GobanPlan *
new_plan (const GobanUnitDecisions *decisions, GobanDeviceId device)
{
  const GobanUnits *units = decisions->units;
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);

  for (guint u = 0; u < units->n_units; u++)
    {
      for (guint d = 0; d < units->n_devices && decisions->span != NULL; d++)
        goban_unit_decisions_weigh (decisions, (GobanDeviceId) d,
                                    goban_units_time_us (units, u, (GobanDeviceId) d), 0);
      devices[u] = goban_unit_decisions_make (decisions, u, find_host (units, u, device), NULL);
    }
  return goban_units_new_plan (units, devices);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanSimulator) simulator = NULL;
  g_autoptr (GArray) candidates = NULL;
  g_autoptr (GobanPlan) best = NULL;
  double least_overflow_bytes = 0;

  if (units == NULL)
    return NULL;

  simulator = goban_simulator_new (costs);
  candidates = gather_candidates (units);
  for (guint i = 0; i < candidates->len && (best == NULL || least_overflow_bytes > 0); i++)
    {
      GobanDeviceId device = g_array_index (candidates, Candidate, i).device;
      g_autoptr (GobanPlan) plan = NULL;
      GobanUnitDecisions decisions;
      GobanOutcome outcome;
      gboolean is_best;

      if (!goban_progress_check (options->progress, error))
        return NULL;
      decisions = goban_unit_decisions_begin (options, units, &words, *evaluations + 1);
      plan = new_plan (&decisions, device);
      outcome = goban_simulator_evaluate (simulator, plan);
      (*evaluations)++;
      is_best = best == NULL || outcome.overflow_bytes < least_overflow_bytes;
      goban_unit_decisions_end (
          &decisions, plan, &(GobanSpanResult){ outcome.makespan_us, outcome.overflow_bytes, NULL },
          is_best);
      if (!is_best)
        continue;
      g_clear_pointer (&best, goban_plan_unref);
      best = g_steal_pointer (&plan);
      least_overflow_bytes = outcome.overflow_bytes;
    }
  return g_steal_pointer (&best);
}

const GobanPlacer goban_placer_single = {
  .name = "single",
  .blurb = N_ ("everything on the one device that runs it fastest"),
  .about
  = N_ ("Puts everything on the device that takes least time for it. On nearly sequential graphs "
        "nothing beats that, and a policy that loses to it has gained nothing. Ours: one "
        "simulation for each sort of device tells whether its memory suffices, outputs "
        "included; one that overflows is passed over while another does not. Nodes that the "
        "device cannot run go to the one that runs them fastest."),
  .source = "the baseline of every paper on placement",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
