/* The graph cut into balanced parts with few bytes between them, by METIS itself.
 *
 * Vertices are units weighing their mean time; an edge weighs the bytes of all tensors that
 * would cross if its ends were apart. Part i goes to device i, whose share of the time is its
 * share of the speed. METIS knows neither which device can run what nor memory: a unit
 * that cannot run on its part's device goes to the device it shares most bytes with.
 */
#include "engine/placers/metis-cut.h"
#include "engine/placers/policies.h"

#include <math.h>

typedef struct
{
  guint32 from;
  guint32 to;
  double bytes;
} Link;

/* Both directions of every pair of units a tensor connects; a tensor read by several nodes of a
 * unit would cross once, so it counts once. */
static GArray *
gather_links (const GobanUnits *units)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (Link));
  g_autofree guint32 *seen_by = g_new (guint32, units->n_units);

  for (guint u = 0; u < units->n_units; u++)
    seen_by[u] = GOBAN_NO_TENSOR;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (units->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (units->graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (units->graph, t);
      guint32 from = units->unit_of[tensor->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 to = units->unit_of[goban_graph_get_edge (units->graph, edges.ids[i])->head];
          Link both[] = { { from, to, tensor->size_bytes }, { to, from, tensor->size_bytes } };

          if (to == from || seen_by[to] == t)
            continue;
          seen_by[to] = t;
          g_array_append_vals (links, both, G_N_ELEMENTS (both));
        }
    }
  return links;
}

/* Sorts the links into rows and adds up those between the same two units. */
static void
fill_graph (GobanCutGraph *self, const GobanUnits *units)
{
  g_autoptr (GArray) links = gather_links (units);
  g_autofree guint32 *row_starts = g_new0 (guint32, units->n_units + 1);
  g_autofree guint32 *by_row = g_new (guint32, links->len);
  g_autofree guint32 *place = g_new (guint32, units->n_units); /* of a head in the row at hand */

  for (guint i = 0; i < links->len; i++)
    row_starts[g_array_index (links, Link, i).from + 1]++;
  for (guint u = 0; u < units->n_units; u++)
    row_starts[u + 1] += row_starts[u];
  self->offsets = g_memdup2 (row_starts, (units->n_units + 1) * sizeof *row_starts);
  for (guint i = 0; i < links->len; i++)
    by_row[self->offsets[g_array_index (links, Link, i).from]++] = i;

  self->n_vertices = units->n_units;
  self->weights = g_new (double, units->n_units);
  goban_units_mean_times (units, self->weights);
  self->heads = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->costs = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint u = 0; u < units->n_units; u++)
    place[u] = G_MAXUINT32;

  for (guint u = 0; u < units->n_units; u++)
    {
      self->offsets[u] = self->heads->len;
      for (guint i = row_starts[u]; i < row_starts[u + 1]; i++)
        {
          const Link *link = &g_array_index (links, Link, by_row[i]);

          /* A place before this row is one of an earlier row. */
          if (place[link->to] == G_MAXUINT32 || place[link->to] < self->offsets[u])
            {
              place[link->to] = self->heads->len;
              g_array_append_val (self->heads, link->to);
              g_array_append_val (self->costs, link->bytes);
            }
          else
            g_array_index (self->costs, double, place[link->to]) += link->bytes;
        }
    }
  self->offsets[units->n_units] = self->heads->len;
}

/* How fast the device is on what it can run, compared with the mean of all; 0 where it can run
 * nothing. */
static double
find_speed (const GobanUnits *units, GobanDeviceId device, const double *mean_us)
{
  double mean_sum_us = 0;
  double own_sum_us = 0;
  gboolean runs_any = FALSE;
  double speed;

  for (guint u = 0; u < units->n_units; u++)
    if (goban_units_can_run (units, u, device))
      {
        mean_sum_us += mean_us[u];
        own_sum_us += goban_units_time_us (units, u, device);
        runs_any = TRUE;
      }
  if (!runs_any)
    return 0;

  speed = mean_sum_us / own_sum_us;
  return isfinite (speed) && speed > 0 ? speed : 1;
}

static gboolean
assign_parts (const GobanUnits *units, const GobanCutGraph *graph,
              const GobanPlacerOptions *options, GobanDeviceId *devices, GError **error)
{
  g_autofree double *shares = g_new (double, units->n_devices);
  g_autofree GobanDeviceId *part_devices = g_new (GobanDeviceId, units->n_devices);
  g_autofree guint32 *parts = g_new (guint32, units->n_units);
  guint n_parts = 0;

  for (guint d = 0; d < units->n_devices; d++)
    {
      double speed = find_speed (units, (GobanDeviceId) d, graph->weights);

      if (speed == 0)
        continue;
      shares[n_parts] = speed;
      part_devices[n_parts++] = (GobanDeviceId) d;
    }

  if (!goban_metis_cut (graph, shares, n_parts, options->seed, parts, error))
    return FALSE;
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = part_devices[parts[u]];
  return TRUE;
}

/* Moves what cannot run where it was put to the device it shares most bytes with, ties to the
 * faster. */
static void
repair (const GobanUnits *units, const GobanCutGraph *graph, GobanDeviceId *devices)
{
  g_autofree double *shared_bytes = g_new (double, units->n_devices);

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId best = goban_units_fastest_device (units, u);

      if (goban_units_can_run (units, u, devices[u]))
        continue;

      for (guint d = 0; d < units->n_devices; d++)
        shared_bytes[d] = 0;
      for (guint i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
        shared_bytes[devices[g_array_index (graph->heads, guint32, i)]]
            += g_array_index (graph->costs, double, i);
      for (guint d = 0; d < units->n_devices; d++)
        if (goban_units_can_run (units, u, (GobanDeviceId) d)
            && shared_bytes[d] > shared_bytes[best])
          best = (GobanDeviceId) d;
      devices[u] = best;
    }
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  g_auto (GobanCutGraph) graph = { 0 };

  if (units == NULL)
    return NULL;

  fill_graph (&graph, units);
  devices = g_new (GobanDeviceId, units->n_units);
  if (!goban_progress_check (options->progress, error)
      || !assign_parts (units, &graph, options, devices, error)
      || !goban_progress_check (options->progress, error))
    return NULL;

  repair (units, &graph, devices);
  return goban_units_new_plan (units, devices);
}

const GobanPlacer goban_placer_metis = {
  .name = "metis",
  .blurb = "balanced parts with few bytes between them, by METIS's k-way partitioning",
  .source = "Karypis and Kumar, Multilevel k-way Partitioning Scheme for Irregular Graphs, 1998",
  .place = place,
};
