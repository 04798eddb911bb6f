#include "engine/placers/metis/metis-parts.h"

#include "engine/core/i18n.h"
#include "engine/placers/metis/metis-cut.h"

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

/* One weight a unit, its mean time, or two: its bytes as well. */
static void
fill_weights (GobanCutGraph *self, const GobanUnits *units, const double *mean_us, guint n_weights)
{
  self->n_weights = n_weights;
  self->weights = g_new (double, (gsize) units->n_units *n_weights);
  for (guint u = 0; u < units->n_units; u++)
    {
      double *weights = &self->weights[(gsize) u * n_weights];

      weights[0] = mean_us[u];
      if (n_weights > 1)
        weights[1] = units->param_bytes[u] + units->output_bytes[u];
    }
}

/* Speed of the device on the nodes that it can run, compared with the mean of all; 0 if it can run
 * none. */
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

/* Useful capacity of a device for @total_bytes: memory beyond that is of no use to it. */
static double
find_capacity (const GobanUnits *units, GobanDeviceId device, double total_bytes)
{
  return MIN (goban_cluster_get_device (units->cluster, device)->memory_bytes, total_bytes);
}

/* The units of the cut's parts, but for those that cannot run in theirs, which are repaired later.
 * Sides are the parts, or the two halves of them, each on its first part's device. */
static void
write_cut (GobanDecisionsWriter *span, const GobanUnits *units, const GobanCutGraph *graph,
           const GobanCut *cut, const guint32 *parts, const GobanDeviceId *part_devices)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  g_autofree guint32 *sides = g_new (guint32, units->n_units);
  GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                             .options = GOBAN_OPTION_PLAN,
                             .score = GOBAN_SCORE_BYTES,
                             .n_options = 1,
                             .flags = GOBAN_DECISION_AT_ONCE };
  double both_ways_bytes = 0;

  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 part = parts[u] - cut->first;

      sides[u] = G_MAXUINT32;
      if (part >= cut->n_parts)
        continue;
      if (cut->is_in_two)
        part = part < cut->n_parts / 2 ? 0 : cut->n_parts / 2;
      sides[u] = cut->first + part;
      if (!goban_units_can_run (units, u, part_devices[sides[u]]))
        continue;
      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        {
          const GobanDecisionChange change
              = { GOBAN_TASK_PLACEMENT, units->nodes[i], 0, part_devices[sides[u]] };

          g_array_append_val (changes, change);
        }
    }
  for (guint u = 0; u < graph->n_vertices; u++)
    for (guint i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
      {
        guint32 other = sides[g_array_index (graph->heads, guint32, i)];

        if (sides[u] != G_MAXUINT32 && other != G_MAXUINT32 && other != sides[u])
          both_ways_bytes += g_array_index (graph->costs, double, i);
      }
  head.changes = (const GobanDecisionChange *) (gconstpointer) changes->data;
  head.n_changes = changes->len;
  goban_decisions_writer_score (span, 0, both_ways_bytes / 2, 0);
  goban_decisions_writer_decide (span, &head, 0);
}

static gboolean
assign_parts (const GobanUnits *units, const GobanCutGraph *graph, const double *mean_us,
              guint64 seed, GobanDeviceId *devices, GobanDecisionsWriter *span, GError **error)
{
  guint n_weights = graph->n_weights;
  g_autofree double *shares = g_new (double, (gsize) units->n_devices *n_weights);
  g_autofree GobanDeviceId *part_devices = g_new (GobanDeviceId, units->n_devices);
  g_autofree guint32 *parts = g_new (guint32, units->n_units);
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (GobanCut));
  double total_bytes = 0;
  guint n_parts = 0;

  for (guint u = 0; u < units->n_units; u++)
    total_bytes += units->param_bytes[u] + units->output_bytes[u];
  for (guint d = 0; d < units->n_devices; d++)
    {
      double speed = find_speed (units, (GobanDeviceId) d, mean_us);

      if (speed == 0)
        continue;
      shares[n_parts * n_weights] = speed;
      if (n_weights > 1)
        shares[n_parts * n_weights + 1] = find_capacity (units, (GobanDeviceId) d, total_bytes);
      part_devices[n_parts++] = (GobanDeviceId) d;
    }

  if (!goban_metis_cut (graph, shares, n_parts, seed, parts, cuts, error))
    return FALSE;
  for (guint i = 0; i < cuts->len && span != NULL; i++)
    write_cut (span, units, graph, &g_array_index (cuts, GobanCut, i), parts, part_devices);
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = part_devices[parts[u]];
  return TRUE;
}

/* (untranslated) why there are no finer decisions */
static const char why[]
    = N_ ("METIS decides about all ops at once: its interface returns the parts and the cut, and "
          "neither the levels of coarsening nor those of refinement");

/* Moves units whose device cannot run them to the device they share most bytes with, ties to the
 * faster. */
static void
repair (const GobanUnits *units, const GobanCutGraph *graph, GobanDeviceId *devices,
        GobanDecisionsWriter *span)
{
  g_autofree double *shared_bytes = g_new (double, units->n_devices);

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId best = goban_units_fastest_device (units, u);
      const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                       .options = GOBAN_OPTION_DEVICE,
                                       .score = GOBAN_SCORE_BYTES,
                                       .nodes = &units->nodes[units->offsets[u]],
                                       .n_nodes = units->offsets[u + 1] - units->offsets[u],
                                       .n_options = units->n_devices,
                                       .note = "repair" };

      if (goban_units_can_run (units, u, devices[u]))
        continue;

      for (guint d = 0; d < units->n_devices; d++)
        shared_bytes[d] = 0;
      for (guint i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
        shared_bytes[devices[g_array_index (graph->heads, guint32, i)]]
            += g_array_index (graph->costs, double, i);
      for (guint d = 0; d < units->n_devices; d++)
        {
          gboolean can_run = goban_units_can_run (units, u, (GobanDeviceId) d);

          if (can_run && shared_bytes[d] > shared_bytes[best])
            best = (GobanDeviceId) d;
          goban_decisions_writer_score (span, d, shared_bytes[d],
                                        can_run ? 0 : GOBAN_REFUSAL_CANNOT_RUN);
        }
      devices[u] = (GobanDeviceId) goban_decisions_writer_decide (span, &head, best);
    }
}

GobanPlan *
goban_metis_place (GobanCostModel *costs, gboolean with_memory, const GobanPlacerOptions *options,
                   GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  g_autofree double *mean_us = NULL;
  g_auto (GobanCutGraph) graph = { 0 };
  GobanDecisionsWriter *span;
  GobanPlan *plan;

  if (units == NULL)
    return NULL;

  mean_us = g_new (double, units->n_units);
  goban_units_mean_times (units, mean_us);
  fill_weights (&graph, units, mean_us, with_memory ? 2 : 1);
  fill_graph (&graph, units);
  devices = g_new (GobanDeviceId, units->n_units);
  span = goban_decisions_writer_open (
      options->decisions,
      &(GobanSpanHead){ .name = "cut", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
  if (!goban_progress_check (options->progress, error)
      || !assign_parts (units, &graph, mean_us, options->seed, devices, span, error)
      || !goban_progress_check (options->progress, error))
    return NULL;

  repair (units, &graph, devices, span);
  plan = goban_units_new_plan (units, devices);
  goban_decisions_writer_settle (span, plan);
  goban_decisions_writer_close (span, &(GobanSpanResult){ .why = why }, TRUE);
  return plan;
}
