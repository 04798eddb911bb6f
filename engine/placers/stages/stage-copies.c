#include "engine/placers/stages/stage-copies.h"

#include "engine/core/error.h"

#include <math.h>

/* Halvings of the interval of the slowest time: as many as a double has bits. */
#define N_HALVINGS 60

typedef struct
{
  const GobanStageChain *chain;
  const GobanStageRequest *request;
  GobanStageSums sums; /* of the request's devices */
  double *cuts_us;     /* (n_blocks + 1) */
  /* ((n_devices + 1) x (n_devices + 1)) bytes per us of the slowest link of the ring of the devices
   * from one on, so many */
  double *ring_rates;
  gboolean in_memory; /* whether a stage must fit */
  guint *reach;       /* (n_devices + 1) blocks that the first devices take within the limit */
  guint *last;        /* (n_devices + 1) copies of the last stage of those; 0: a device is idle */
} Copying;

static void
copying_clear (Copying *self)
{
  goban_stage_sums_clear (&self->sums);
  g_free (self->cuts_us);
  g_free (self->ring_rates);
  g_free (self->reach);
  g_free (self->last);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Copying, copying_clear)

/* --- sums ------------------------------------------------------------------------------------- */

static void
find_rings (Copying *self)
{
  const GobanCluster *cluster = self->chain->units->cluster;
  const GobanDeviceId *devices = self->request->devices;
  guint n = self->request->n_stages;

  self->ring_rates = g_new0 (double, (gsize) (n + 1) * (n + 1));
  for (guint first = 0; first < n; first++)
    for (guint m = 2; first + m <= n; m++)
      {
        double slowest = INFINITY;

        for (guint i = 0; i < m; i++)
          slowest = MIN (slowest, goban_cluster_get_route (cluster, devices[first + i],
                                                           devices[first + (i + 1) % m])
                                      ->bytes_per_us);
        self->ring_rates[(gsize) first * (n + 1) + m] = slowest;
      }
}

/* --- one stage -------------------------------------------------------------------------------- */

/* T of the blocks [@start, @end) on @m devices from @first on. */
static double
get_time (const Copying *self, guint start, guint end, guint first, guint m)
{
  gsize n_sums = self->chain->n_blocks + 1;
  guint n = self->request->n_stages;
  double time_us = 0;

  for (guint d = first; d < first + m; d++)
    {
      gsize offset = d * n_sums;

      if (self->sums.refusals[offset + end] > self->sums.refusals[offset + start])
        return INFINITY;
      time_us
          = MAX (time_us, self->sums.times_us[offset + end] - self->sums.times_us[offset + start]);
    }
  if (m > 1)
    time_us = MAX (time_us, 2.0 * (m - 1) * (self->sums.params[end] - self->sums.params[start])
                                / self->ring_rates[(gsize) first * (n + 1) + m]);
  return time_us / m;
}

/* Micro-batches that a copy has in memory: PipeDream starts as many as fill the devices from the
 * stage on, shared out among its copies. */
static gboolean
fits (const Copying *self, guint start, guint end, guint first, guint m)
{
  guint n_in_flight = MIN (self->request->n_batches, (self->request->n_stages - first + m - 1) / m);
  double bytes = self->sums.params[end] - self->sums.params[start]
                 + (self->sums.outputs[end] - self->sums.outputs[start]) * n_in_flight;

  for (guint d = first; self->in_memory && d < first + m; d++)
    if (bytes > goban_cluster_get_device (self->chain->units->cluster, self->request->devices[d])
                    ->memory_bytes)
      return FALSE;
  return TRUE;
}

/* The farthest end of a stage from block @start on within the limit, at a cut that keeps to it;
 * @start if there is none. Time and memory grow with the end: bisection, then back to a cut. */
static guint
extend (const Copying *self, guint start, guint first, guint m, double limit_us)
{
  guint low = start, high = self->chain->n_blocks;

  while (low < high)
    {
      guint middle = low + (high - low + 1) / 2;

      if (get_time (self, start, middle, first, m) <= limit_us
          && fits (self, start, middle, first, m))
        low = middle;
      else
        high = middle - 1;
    }
  while (low > start && low < self->chain->n_blocks && self->cuts_us[low] > limit_us)
    low--;
  return low;
}

/* --- all stages ------------------------------------------------------------------------------- */

/* Fills reach and last; TRUE if the devices take all blocks. */
static gboolean
fill (Copying *self, double limit_us)
{
  guint n = self->request->n_stages;
  guint most_copies = self->request->n_batches > 0 ? self->request->n_batches : n;

  self->reach[0] = 0;
  for (guint devices = 1; devices <= n; devices++)
    {
      self->reach[devices] = self->reach[devices - 1];
      self->last[devices] = 0;
      for (guint m = 1; m <= MIN (devices, most_copies); m++)
        {
          guint end = extend (self, self->reach[devices - m], devices - m, m, limit_us);

          if (end > self->reach[devices])
            {
              self->reach[devices] = end;
              self->last[devices] = m;
            }
        }
    }
  return self->reach[n] == self->chain->n_blocks;
}

/* No stage is slower than all blocks, without those that its devices cannot run; no cut than the
 * slowest. */
static double
get_most (const Copying *self)
{
  guint n_blocks = self->chain->n_blocks;
  guint n = self->request->n_stages;
  double most_us = 0;

  for (guint d = 0; d < n; d++)
    {
      most_us = MAX (most_us, self->sums.times_us[(gsize) d * (n_blocks + 1) + n_blocks]);
      for (guint m = 2; d + m <= n; m++)
        most_us = MAX (most_us,
                       2 * self->sums.params[n_blocks] / self->ring_rates[(gsize) d * (n + 1) + m]);
    }
  for (guint b = 0; b <= n_blocks; b++)
    most_us = MAX (most_us, self->cuts_us[b]);
  return most_us;
}

static gboolean
find_least (Copying *self, gboolean in_memory)
{
  double low_us = 0;
  double high_us = get_most (self);

  self->in_memory = in_memory;
  if (!fill (self, high_us))
    return FALSE;
  for (guint i = 0; i < N_HALVINGS; i++)
    {
      double middle_us = low_us + (high_us - low_us) / 2;

      if (fill (self, middle_us))
        high_us = middle_us;
      else
        low_us = middle_us;
    }
  return fill (self, high_us);
}

/* Traces back from the last stage to the first, by the best choice for each number of devices. */
static GArray *
collect (const Copying *self, double *slowest_us)
{
  GArray *stages = g_array_new (FALSE, FALSE, sizeof (GobanCopiedStage));
  guint devices = self->request->n_stages;

  *slowest_us = 0;
  while (devices > 0)
    {
      guint m = self->last[devices];
      guint first = devices - m, start = self->reach[first], end = self->reach[devices];
      GobanCopiedStage stage = { end, first, m };

      if (m == 0)
        {
          devices--;
          continue;
        }
      *slowest_us = MAX (*slowest_us, get_time (self, start, end, first, m));
      if (start > 0)
        *slowest_us = MAX (*slowest_us, self->cuts_us[start]);
      g_array_prepend_val (stages, stage);
      devices = first;
    }
  return stages;
}

GArray *
goban_stages_copy (const GobanStageChain *chain, const GobanStageRequest *request,
                   GobanCopiesOutcome *outcome, GError **error)
{
  g_auto (Copying) self = { .chain = chain, .request = request };
  double slowest_us;
  GArray *stages;

  self.sums = goban_stage_chain_sum (chain, request->devices, request->n_stages);
  find_rings (&self);
  self.cuts_us = goban_stage_chain_new_cuts (chain);
  self.reach = g_new0 (guint, request->n_stages + 1);
  self.last = g_new0 (guint, request->n_stages + 1);
  if (!find_least (&self, TRUE) && !find_least (&self, FALSE))
    {
      goban_set_error (error, GOBAN_ERROR_INFEASIBLE,
                       "no stages on %u devices give every device ops that it can run",
                       request->n_stages);
      return NULL;
    }
  stages = collect (&self, &slowest_us);
  if (outcome != NULL)
    *outcome = (GobanCopiesOutcome){ slowest_us, self.in_memory };
  return stages;
}
