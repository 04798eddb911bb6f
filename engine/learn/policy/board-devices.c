/* board-devices.c: device features of the policy network, one row per device. */
#include "engine/learn/policy/board-private.h"

#define GRAIN 1e-3 /* share of a mean; much smaller values make no difference */

/* Time of all rows that can run on the device, over their time on their fastest devices; in
 * log2. */
static double
compare_speed (const GobanBoard *self, const GobanBoardSums *sums, guint device)
{
  guint class = self->units->classes[device];
  double here_us = 0, best_us = 0;

  for (guint r = 0; r < self->n_rows; r++)
    {
      const double *row_us = &sums->class_us[(gsize) r * sums->n_classes];
      double least_us = row_us[class];

      if (!isfinite (row_us[class]))
        continue;
      for (guint c = 0; c < sums->n_classes; c++)
        least_us = MIN (least_us, row_us[c]);
      here_us += row_us[class];
      best_us += least_us;
    }
  return goban_board_log_ratio (here_us, best_us, GRAIN * sums->total_us / self->n_rows);
}

/* Mean microseconds per byte, over both directions. */
static double
slowness (const GobanCluster *cluster, guint device)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  double sum = 0;

  for (guint other = 0; other < n_devices; other++)
    if (other != device)
      {
        GobanDeviceId a = (GobanDeviceId) device, b = (GobanDeviceId) other;

        sum += 0.5 / goban_cluster_get_route (cluster, a, b)->bytes_per_us;
        sum += 0.5 / goban_cluster_get_route (cluster, b, a)->bytes_per_us;
      }
  return n_devices > 1 ? sum / (n_devices - 1) : 0;
}

double
goban_board_mean_memory (const GobanBoard *self)
{
  const GobanCluster *cluster = self->units->cluster;
  double sum_bytes = 0;
  guint n = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      double bytes = goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes;

      if (!isfinite (bytes))
        continue;
      sum_bytes += bytes;
      n++;
    }
  return n > 0 ? sum_bytes / n : (double) INFINITY;
}

void
goban_board_fill_devices (GobanBoard *self, const GobanBoardSums *sums)
{
  const GobanCluster *cluster = self->units->cluster;
  double mean_bytes = goban_board_mean_memory (self);
  g_autofree double *slownesses = g_new (double, self->n_devices);
  double mean_slowness = 0;

  for (guint d = 0; d < self->n_devices; d++)
    {
      slownesses[d] = slowness (cluster, d);
      mean_slowness += slownesses[d] / self->n_devices;
    }
  for (guint d = 0; d < self->n_devices; d++)
    {
      float *row = &self->devices[(gsize) d * GOBAN_DEVICE_N_FEATURES];
      double bytes = goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes;

      row[GOBAN_DEVICE_SPEED] = goban_board_clamp (compare_speed (self, sums, d) / 2);
      if (isfinite (bytes))
        row[GOBAN_DEVICE_MEMORY]
            = goban_board_clamp (goban_board_log_ratio (bytes, mean_bytes, GRAIN * mean_bytes) / 2);
      row[GOBAN_DEVICE_BANDWIDTH] = goban_board_clamp (
          goban_board_log_ratio (mean_slowness, slownesses[d], GRAIN * mean_slowness) / 2);
      row[GOBAN_DEVICE_COUNT] = goban_board_clamp (log2 (self->n_devices) / 2 - 1);

      guint n_devices = self->n_devices;

      for (guint k = 1; k <= 8; k++)
        row[GOBAN_DEVICE_WAVE + k - 1] = (float) cos (G_PI * k * (d + 0.5) / n_devices);
      row[GOBAN_DEVICE_PLACE + d % GOBAN_BOARD_N_PLACES] = 1;
    }
}

/* --- equal devices -------------------------------------------------------------------------- */

static gboolean
are_routes_alike (const GobanCluster *cluster, guint from, guint to, guint other_from,
                  guint other_to)
{
  const GobanRoute *route
      = goban_cluster_get_route (cluster, (GobanDeviceId) from, (GobanDeviceId) to);
  const GobanRoute *other
      = goban_cluster_get_route (cluster, (GobanDeviceId) other_from, (GobanDeviceId) other_to);

  return route->latency_us == other->latency_us && route->bytes_per_us == other->bytes_per_us
         && route->n_links == other->n_links;
}

static gboolean
are_devices_alike (const GobanCluster *cluster, guint a, guint b)
{
  const GobanDevice *one = goban_cluster_get_device (cluster, (GobanDeviceId) a);
  const GobanDevice *other = goban_cluster_get_device (cluster, (GobanDeviceId) b);

  return goban_device_speeds_alike (one, other) && one->memory_bytes == other->memory_bytes;
}

static gboolean
may_exchange (const GobanBoard *self, guint a, guint b)
{
  const GobanCluster *cluster = self->units->cluster;
  guint D = self->n_devices;

  if (self->units->classes[a] != self->units->classes[b] || !are_devices_alike (cluster, a, b)
      || !are_routes_alike (cluster, a, b, b, a))
    return FALSE;
  for (guint d = 0; d < D; d++)
    if (d != a && d != b
        && (!are_routes_alike (cluster, a, d, b, d) || !are_routes_alike (cluster, d, a, d, b)))
      return FALSE;
  for (guint n = 0; n < self->n_rows; n++)
    if (self->allowed[(gsize) n * D + a] != self->allowed[(gsize) n * D + b])
      return FALSE;
  return TRUE;
}

guint32 *
goban_board_dup_equal_devices (const GobanBoard *self)
{
  guint32 *first = g_new (guint32, self->n_devices);

  for (guint d = 0; d < self->n_devices; d++)
    {
      first[d] = d;
      for (guint other = 0; other < d && first[d] == d; other++)
        if (first[other] == other && may_exchange (self, other, d))
          first[d] = other;
    }
  return first;
}
