#include "engine/study/measure/device-fit.h"

#include "engine/core/error.h"
#include "engine/core/pattern-search.h"
#include "engine/core/quantity.h"
#include "engine/graph/collectives.h"
#include "engine/study/measure/spread.h"

#include <math.h>
#include <string.h>

#define LEAST_NODES 3
/* So many nodes at equal distances are enough to search with: errors are those of all. */
#define MOST_SEARCHED 4000

enum
{
  COMPUTE,
  MEMORY,
  LAUNCH,
  N_CONSTANTS
};

/* What the data sheet says of a node. */
typedef struct
{
  double compute_us;
  double memory_us;
  double measured_us;
} Sample;

typedef struct
{
  const Sample *samples;
  guint n;
  guint stride;
} Samples;

static double
estimate_us (const Sample *sample, const double *constants)
{
  return MAX (sample->compute_us / constants[COMPUTE], sample->memory_us / constants[MEMORY])
         + constants[LAUNCH];
}

static double
find_error (const double *constants, gpointer data)
{
  const Samples *self = data;
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->n; i += self->stride, n++)
    sum += fabs (log (estimate_us (&self->samples[i], constants) / self->samples[i].measured_us));
  return sum / n;
}

GobanFitErrors
goban_fit_errors_new (double *errors, guint n)
{
  GobanFitErrors found = { 0 };
  GobanSpread spread;

  for (guint i = 0; i < n; i++)
    found.mean += errors[i] / n;
  spread = goban_spread_new (errors, n);
  found.median = spread.median;
  found.high = spread.high;
  return found;
}

static GobanFitErrors
find_errors (const Samples *self, const double *constants)
{
  g_autofree double *errors = g_new (double, self->n);

  for (guint i = 0; i < self->n; i++)
    errors[i]
        = fabs (estimate_us (&self->samples[i], constants) / self->samples[i].measured_us - 1);
  return goban_fit_errors_new (errors, self->n);
}

static GArray *
gather (const GobanCostModel *costs, GobanDeviceId device_id)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanDevice *device
      = goban_cluster_get_device (goban_cost_model_get_cluster (costs), device_id);
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      const Sample sample = {
        node->flops / goban_cost_model_get_peak_flops (costs, v, device_id),
        (node->read_bytes + node->written_bytes) / device->memory_bytes_per_us,
        goban_cost_model_time_us (costs, v, device_id),
      };

      if (goban_cost_model_get_source (costs, v, device_id) != GOBAN_SOURCE_ESTIMATED
          && isfinite (sample.measured_us) && sample.measured_us > 0
          && sample.compute_us + sample.memory_us > 0
          && goban_graph_find_collective (graph, v) == NULL)
        g_array_append_val (samples, sample);
    }
  return samples;
}

/* The error has several minima, as which of the two bounds a node changes: so the search begins at
 * several places. */
static void
search (Samples *self, double launch_us, double *best)
{
  static const double shares[] = { 1, 0.3, 0.08 };
  double least = INFINITY;

  for (gsize i = 0; i < G_N_ELEMENTS (shares) * G_N_ELEMENTS (shares); i++)
    {
      const double start[N_CONSTANTS]
          = { shares[i / G_N_ELEMENTS (shares)], shares[i % G_N_ELEMENTS (shares)], launch_us };
      double found[N_CONSTANTS];
      double error = goban_pattern_search (start, N_CONSTANTS, find_error, self, found);

      if (error < least)
        memcpy (best, found, sizeof found);
      least = MIN (least, error);
    }
  /* No factor leads to 0. */
  const double without[N_CONSTANTS] = { best[COMPUTE], best[MEMORY], 0 };

  if (find_error (without, self) <= least)
    best[LAUNCH] = 0;
}

/* The first device of that kind or, if it is NULL, of one that the costs have a measured time for;
 * GOBAN_NO_DEVICE if there is none. */
static GobanDeviceId
find_device (const GobanCostModel *costs, const char *kind)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      GobanDeviceId device = (GobanDeviceId) d;
      gboolean is_found
          = kind != NULL && strcmp (goban_cluster_get_device (cluster, device)->kind, kind) == 0;

      for (GobanNodeId v = 0; kind == NULL && v < n_nodes && !is_found; v++)
        is_found = goban_cost_model_get_source (costs, v, device) != GOBAN_SOURCE_ESTIMATED;
      if (is_found)
        return device;
    }
  return GOBAN_NO_DEVICE;
}

gboolean
goban_device_fit (const GobanCostModel *costs, const char *kind, GobanDeviceFit *fit,
                  GError **error)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  GobanDeviceId id = find_device (costs, kind);
  g_autoptr (GArray) list = NULL;
  const GobanDevice *device;
  double least_us = INFINITY;
  double best[N_CONSTANTS], sheet[N_CONSTANTS] = { 1, 1, 0 };
  Samples samples = { .stride = 1 };

  if (id == GOBAN_NO_DEVICE && kind != NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no device of the kind “%s”",
                         goban_cluster_get_name (cluster), kind);
  if (id == GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "no op has a measured time on a device of %s: choose another cluster, or "
                         "take times from a profile",
                         goban_cluster_get_name (cluster));
  list = gather (costs, id);
  samples.samples = (const Sample *) (gpointer) list->data;
  samples.n = list->len;
  device = goban_cluster_get_device (cluster, id);
  sheet[LAUNCH] = device->launch_us;
  if (samples.n < LEAST_NODES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: %u nodes have FLOPs or bytes and a measured time on the kind %s; at "
                         "least %d are needed",
                         goban_graph_get_name (goban_cost_model_get_graph (costs)), samples.n,
                         device->kind, LEAST_NODES);
  for (guint i = 0; i < samples.n; i++)
    least_us = MIN (least_us, samples.samples[i].measured_us);
  samples.stride = samples.n / MOST_SEARCHED + 1;
  search (&samples, least_us / 2, best);

  *fit = (GobanDeviceFit){
    .kind = device->kind,
    .n_nodes = samples.n,
    .compute_efficiency = best[COMPUTE],
    .memory_efficiency = best[MEMORY],
    .launch_us = best[LAUNCH],
    .fitted = find_errors (&samples, best),
    .sheet = find_errors (&samples, sheet),
  };
  for (guint i = 0; i < samples.n; i++)
    fit->n_compute += samples.samples[i].compute_us / best[COMPUTE]
                      > samples.samples[i].memory_us / best[MEMORY];
  return TRUE;
}

GobanCluster *
goban_device_fit_apply (const GobanDeviceFit *self, const GobanCluster *cluster, GError **error)
{
  const struct
  {
    const char *field;
    double value;
  } constants[] = {
    { "compute_efficiency", self->compute_efficiency },
    { "memory_efficiency", self->memory_efficiency },
    { "launch_us", self->launch_us },
  };
  GobanCluster *changed = goban_cluster_ref ((GobanCluster *) cluster);

  for (gsize i = 0; i < G_N_ELEMENTS (constants) && changed != NULL; i++)
    {
      g_autoptr (GobanCluster) old = changed;

      changed = goban_cluster_with_kind (old, self->kind, constants[i].field, constants[i].value,
                                         error);
    }
  return changed;
}

char *
goban_device_fit_to_text (const GobanDeviceFit *self)
{
  GString *text = g_string_new (NULL);
  char launch[GOBAN_QUANTITY_LEN];
  const GobanFitErrors *fitted = &self->fitted, *sheet = &self->sheet;

  if (self->is_of_iterations)
    g_string_append_printf (text, "calibrated  %s, %u iterations\n", self->kind, self->n_nodes);
  else
    g_string_append_printf (text, "calibrated  %s, %u ops, of which arithmetic bounds %u\n",
                            self->kind, self->n_nodes, self->n_compute);
  g_string_append_printf (
      text,
      "compute     %.4g of the peak%s\n"
      "memory      %.4g of the bandwidth%s\n"
      "launch      %s\n"
      "error       mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n"
      "data sheet  mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n",
      self->compute_efficiency, self->n_compute > 0 ? "" : ": unknown, it bounds no op",
      self->memory_efficiency,
      self->n_compute < self->n_nodes || self->is_of_iterations ? "" : ": unknown, it bounds no op",
      goban_format_time (launch, self->launch_us), 100 * fitted->mean, 100 * fitted->median,
      100 * fitted->high, 100 * sheet->mean, 100 * sheet->median, 100 * sheet->high);
  return g_string_free (text, FALSE);
}
