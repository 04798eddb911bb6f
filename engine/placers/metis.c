/* The graph cut into balanced parts with few bytes between them, by METIS itself.
 *
 * Vertices are units weighing their mean time; an edge weighs the bytes of all tensors that
 * would cross if its ends were apart. Part i goes to device i, whose share of the time is its
 * share of the speed. METIS knows neither which device can run what nor memory: a unit
 * that cannot run on its part's device goes to the device it shares most bytes with. The
 * only file that includes metis.h.
 */
#include "engine/base/error.h"
#include "engine/placers/policies.h"

#include <math.h>
#include <metis.h>

/* The k-way partitioner's own tolerance: a part may weigh 1.03 times its share. In 1/1000. */
#define IMBALANCE 30

/* METIS sums weights in idx_t, of 32 bits on most systems. */
#define LARGEST_SUM (1 << 29)

/* METIS draws from the C library's one random number generator, so that two runs at once would
 * disturb each other. */
static GMutex metis_lock;

/* Undirected, no vertex beside itself, in compressed rows. */
typedef struct
{
  guint n_vertices;
  guint32 *offsets; /* (n_vertices + 1) */
  GArray *heads;    /* guint32 */
  GArray *bytes;    /* double */
} Graph;

static void
graph_clear (Graph *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->heads, g_array_unref);
  g_clear_pointer (&self->bytes, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

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
graph_init (Graph *self, const GobanUnits *units)
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
  self->bytes = g_array_new (FALSE, FALSE, sizeof (double));
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
              g_array_append_val (self->bytes, link->bytes);
            }
          else
            g_array_index (self->bytes, double, place[link->to]) += link->bytes;
        }
    }
  self->offsets[units->n_units] = self->heads->len;
}

/* Whole numbers in proportion to the values, at least @least each, that add up to no more than
 * METIS can add up; all 1 where there is nothing to be in proportion to. */
static idx_t *
scale_weights (const double *values, guint n, idx_t least)
{
  idx_t *weights = g_new (idx_t, MAX (n, 1));
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];
  for (guint i = 0; i < n; i++)
    weights[i] = sum > 0 && isfinite (sum) ? least + (idx_t) (values[i] / sum * LARGEST_SUM) : 1;
  return weights;
}

static idx_t *
to_idx (const guint32 *values, guint n)
{
  idx_t *result = g_new (idx_t, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    result[i] = (idx_t) values[i];
  return result;
}

/* shares (n_devices): of the work, in proportion to how fast each device is compared with the mean of
 * all on what it can run; 0 where it can run nothing. They add up to 1. */
static void
find_shares (const GobanUnits *units, const double *mean_us, double *shares)
{
  double sum = 0;

  for (guint d = 0; d < units->n_devices; d++)
    {
      double mean_sum_us = 0;
      double own_sum_us = 0;
      gboolean runs_any = FALSE;

      for (guint u = 0; u < units->n_units; u++)
        if (goban_units_can_run (units, u, (GobanDeviceId) d))
          {
            mean_sum_us += mean_us[u];
            own_sum_us += goban_units_time_us (units, u, (GobanDeviceId) d);
            runs_any = TRUE;
          }
      shares[d] = runs_any ? 1 : 0;
      if (own_sum_us > 0 && mean_sum_us > 0)
        shares[d] = mean_sum_us / own_sum_us;
      sum += shares[d];
    }

  for (guint d = 0; d < units->n_devices; d++)
    shares[d] /= sum;
}

static const char *
describe_status (int status)
{
  switch (status)
    {
    case METIS_ERROR_INPUT:
      return "it does not accept the graph";
    case METIS_ERROR_MEMORY:
      return "it ran out of memory";
    default:
      return "it gives no reason";
    }
}

/* part (n_vertices): the index among @shares (n_parts), which are positive. */
static gboolean
cut (const Graph *graph, const double *vertex_us, const real_t *shares, guint n_parts,
     const GobanPlacerOptions *placing, idx_t *part, GError **error)
{
  g_autofree idx_t *xadj = to_idx (graph->offsets, graph->n_vertices + 1);
  g_autofree idx_t *adjncy
      = to_idx ((const guint32 *) (gpointer) graph->heads->data, graph->heads->len);
  g_autofree idx_t *vwgt = scale_weights (vertex_us, graph->n_vertices, 0);
  g_autofree idx_t *adjwgt
      = scale_weights ((const double *) (gpointer) graph->bytes->data, graph->heads->len, 1);
  g_autofree real_t *tpwgts = g_memdup2 (shares, n_parts * sizeof *shares);
  idx_t options[METIS_NOPTIONS];
  idx_t nvtxs = (idx_t) graph->n_vertices;
  idx_t ncon = 1;
  idx_t nparts = (idx_t) n_parts;
  idx_t edgecut;
  int status;

  METIS_SetDefaultOptions (options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_UFACTOR] = IMBALANCE;
  options[METIS_OPTION_SEED] = (idx_t) ((placing->seed ^ (placing->seed >> 32)) & 0x7fffffff);

  g_mutex_lock (&metis_lock);
  status = METIS_PartGraphKway (&nvtxs, &ncon, xadj, adjncy, vwgt, NULL, adjwgt, &nparts, tpwgts,
                                NULL, options, &edgecut, part);
  g_mutex_unlock (&metis_lock);
  if (status == METIS_OK)
    return TRUE;

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED,
               "METIS cannot cut a graph of %u units into %u parts: %s", graph->n_vertices, n_parts,
               describe_status (status));
  return FALSE;
}

/* Devices that get a share, and the parts METIS makes for them; fewer units than devices need no
 * cutting: one each. */
static gboolean
assign_parts (const GobanUnits *units, const Graph *graph, const GobanPlacerOptions *options,
              GobanDeviceId *devices, GError **error)
{
  g_autofree double *mean_us = g_new (double, units->n_units);
  g_autofree double *shares = g_new (double, units->n_devices);
  g_autofree real_t *part_shares = g_new (real_t, units->n_devices);
  g_autofree GobanDeviceId *part_devices = g_new (GobanDeviceId, units->n_devices);
  g_autofree idx_t *part = g_new0 (idx_t, MAX (units->n_units, 1));
  guint n_parts = 0;

  goban_units_mean_times (units, mean_us);
  find_shares (units, mean_us, shares);
  for (guint d = 0; d < units->n_devices; d++)
    if (shares[d] > 0)
      {
        part_shares[n_parts] = (real_t) shares[d];
        part_devices[n_parts++] = (GobanDeviceId) d;
      }

  if (units->n_units <= n_parts)
    for (guint u = 0; u < units->n_units; u++)
      part[u] = (idx_t) u;
  else if (n_parts > 1 && !cut (graph, mean_us, part_shares, n_parts, options, part, error))
    return FALSE;

  for (guint u = 0; u < units->n_units; u++)
    devices[u] = part_devices[part[u]];
  return TRUE;
}

/* Moves what cannot run where it was put to the device it shares most bytes with, ties to the faster. */
static void
repair (const GobanUnits *units, const Graph *graph, GobanDeviceId *devices)
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
            += g_array_index (graph->bytes, double, i);
      for (guint d = 0; d < units->n_devices; d++)
        if (goban_units_can_run (units, u, (GobanDeviceId) d)
            && shared_bytes[d] > shared_bytes[best])
          best = (GobanDeviceId) d;
      devices[u] = best;
    }
}

GobanPlan *
goban_place_metis (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                   GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  g_auto (Graph) graph = { 0 };

  if (units == NULL)
    return NULL;

  graph_init (&graph, units);
  devices = g_new (GobanDeviceId, units->n_units);
  if (!goban_progress_check (options->progress, error)
      || !assign_parts (units, &graph, options, devices, error)
      || !goban_progress_check (options->progress, error))
    return NULL;

  repair (units, &graph, devices);
  return goban_units_new_plan (units, devices);
}
