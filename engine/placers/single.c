/* Everything on one device: what every other policy has to beat.
 *
 * The device is the one with the least sum of times among those whose memory holds the parameters
 * and that can run everything; where there is none of these, one that holds the parameters,
 * else any. Units it cannot run go to the device that runs them fastest.
 */
#include "engine/placers/policies.h"

typedef struct
{
  GobanDeviceId device;
  gboolean fits;
  gboolean runs_all;
  double time_us;
} Candidate;

static Candidate
examine_device (const GobanUnits *units, GobanDeviceId device)
{
  Candidate candidate = { .device = device, .runs_all = TRUE };
  double param_bytes = 0;

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId host = device;

      if (goban_units_can_run (units, u, device))
        param_bytes += units->param_bytes[u];
      else
        {
          host = goban_units_fastest_device (units, u);
          candidate.runs_all = FALSE;
        }
      candidate.time_us += goban_units_time_us (units, u, host);
    }
  candidate.fits = param_bytes <= goban_cluster_get_device (units->cluster, device)->memory_bytes;
  return candidate;
}

static gboolean
is_better (const Candidate *a, const Candidate *b)
{
  if (a->fits != b->fits)
    return a->fits;
  if (a->runs_all != b->runs_all)
    return a->runs_all;
  return a->time_us < b->time_us;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  Candidate best;

  if (units == NULL)
    return NULL;

  best = examine_device (units, 0);
  for (guint d = 1; d < units->n_devices; d++)
    {
      Candidate candidate;

      if (!goban_progress_check (options->progress, error))
        return NULL;
      candidate = examine_device (units, (GobanDeviceId) d);
      if (is_better (&candidate, &best))
        best = candidate;
    }

  devices = g_new (GobanDeviceId, units->n_units);
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = goban_units_can_run (units, u, best.device)
                     ? best.device
                     : goban_units_fastest_device (units, u);
  return goban_units_new_plan (units, devices);
}

const GobanPlacer goban_placer_single = {
  .name = "single",
  .blurb = "everything on the one device that runs it fastest",
  .source = "the baseline of every paper on placement",
  .place = place,
};
