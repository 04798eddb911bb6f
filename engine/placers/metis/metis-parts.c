#include "engine/placers/metis/metis-parts.h"

#include <math.h>
#include <metis.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"

/* --- cuts ----------------------------------------------------------------- */

/* METIS draws from the C library's one
 * random number generator, so a lock lets one thread in at a time; with that, the
 * result is a function of the arguments.
 *
 * Decision E13 (engine/NOTES.md). */

/* Undirected, every edge in both directions, without loops, in compressed rows. */
typedef struct
{
  guint n_vertices;
  guint n_weights;  /* at least 1 */
  double *weights;  /* (n_vertices x n_weights) not negative; parts are balanced by each */
  guint32 *offsets; /* (n_vertices + 1) into heads and costs */
  GArray *heads;    /* guint32 */
  GArray *costs;    /* double: of cutting the edge, not negative */
} GobanCutGraph;

/* A call of METIS: the vertices of parts first .. first + n_parts - 1, in two or all at once. */
typedef struct
{
  guint first;
  guint n_parts;
  gboolean is_in_two; /* the first n_parts / 2 parts are one side */
} GobanCut;

/* METIS sums weights in idx_t, of 32 bits on most systems. */
#define LARGEST_SUM (1 << 29)

/* Smallest share for METIS, which uses single precision. */
#define LEAST_SHARE 1e-6

/* Allowed excess of a part over its share, in 1/1000: METIS's custom, and the share of it that each
 * of three bisections in a row may use. */
#define IMBALANCE 30
#define IMBALANCE_OF_HALVES 10

/* METIS stops merging vertices at about so many for each part. */
#define VERTICES_PER_PART 30

static GMutex metis_lock;

static void
cut_graph_clear (GobanCutGraph *self)
{
  g_clear_pointer (&self->weights, g_free);
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->heads, g_array_unref);
  g_clear_pointer (&self->costs, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanCutGraph, cut_graph_clear)

/* Whole numbers in proportion to every @stride th of the values, at least @least each, that add up
 * to no more than METIS can add up; all 1 if there is nothing to be in proportion to. */
static void
scale_column (const double *values, guint n, guint stride, idx_t least, idx_t *weights)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[(gsize) i * stride];
  for (guint i = 0; i < n; i++)
    weights[(gsize) i * stride]
        = sum > 0 && isfinite (sum)
              ? least + (idx_t) (values[(gsize) i * stride] / sum * LARGEST_SUM)
              : 1;
}

static idx_t *
scale_weights (const double *values, guint n, guint stride, idx_t least)
{
  idx_t *weights = g_new (idx_t, MAX ((gsize) n * stride, 1));

  for (guint k = 0; k < stride; k++)
    scale_column (values + k, n, stride, least, weights + k);
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

/* Every column adds up to 1. */
static real_t *
to_fractions (const double *shares, guint n_parts, guint n_weights)
{
  real_t *fractions = g_new (real_t, (gsize) n_parts * n_weights);

  for (guint k = 0; k < n_weights; k++)
    {
      double total = 0;
      double sum = 0;

      for (guint i = 0; i < n_parts; i++)
        total += shares[i * n_weights + k];
      for (guint i = 0; i < n_parts; i++)
        sum += MAX (shares[i * n_weights + k] / total, LEAST_SHARE);
      for (guint i = 0; i < n_parts; i++)
        fractions[i * n_weights + k]
            = (real_t) (MAX (shares[i * n_weights + k] / total, LEAST_SHARE) / sum);
    }
  return fractions;
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

typedef struct
{
  const double *shares;
  guint n_parts;
  guint64 seed;
  idx_t imbalance;
} Request;

static gboolean
call_metis (const GobanCutGraph *graph, const Request *request, guint32 *parts, GError **error)
{
  guint n_heads = graph->heads->len;
  g_autofree idx_t *xadj = to_idx (graph->offsets, graph->n_vertices + 1);
  g_autofree idx_t *adjncy = to_idx ((const guint32 *) (gpointer) graph->heads->data, n_heads);
  g_autofree idx_t *vwgt = scale_weights (graph->weights, graph->n_vertices, graph->n_weights, 0);
  g_autofree idx_t *adjwgt
      = scale_weights ((const double *) (gpointer) graph->costs->data, n_heads, 1, 1);
  g_autofree real_t *tpwgts = to_fractions (request->shares, request->n_parts, graph->n_weights);
  g_autofree idx_t *part = g_new0 (idx_t, graph->n_vertices);
  idx_t options[METIS_NOPTIONS];
  idx_t nvtxs = (idx_t) graph->n_vertices;
  idx_t ncon = (idx_t) graph->n_weights;
  idx_t nparts = (idx_t) request->n_parts;
  idx_t edgecut;
  int status;

  METIS_SetDefaultOptions (options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_UFACTOR] = request->imbalance;
  options[METIS_OPTION_SEED] = (idx_t) ((request->seed ^ (request->seed >> 32)) & 0x7fffffff);

  g_mutex_lock (&metis_lock);
  status = METIS_PartGraphKway (&nvtxs, &ncon, xadj, adjncy, vwgt, NULL, adjwgt, &nparts, tpwgts,
                                NULL, options, &edgecut, part);
  g_mutex_unlock (&metis_lock);

  for (guint v = 0; v < graph->n_vertices; v++)
    parts[v] = (guint32) part[v];
  if (status == METIS_OK)
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "METIS cannot cut a graph of %u vertices into %u parts: %s",
                       graph->n_vertices, request->n_parts, describe_status (status));
}

/* METIS halves its coarsest graph again and again to begin with. Where a few vertices weigh more
 * than a part should, or there are few at all, a half may end up empty, and METIS then says so
 * on standard output, which belongs to the program. Cutting in two never gets there. */
static gboolean
can_balance (const GobanCutGraph *graph, const double *shares, guint n_parts, guint k)
{
  guint n_weights = graph->n_weights;
  double least_share = shares[k];
  double all_shares = 0;
  double heaviest = 0;
  double total = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      least_share = MIN (least_share, shares[i * n_weights + k]);
      all_shares += shares[i * n_weights + k];
    }
  for (guint v = 0; v < graph->n_vertices; v++)
    {
      heaviest = MAX (heaviest, graph->weights[(gsize) v * n_weights + k]);
      total += graph->weights[(gsize) v * n_weights + k];
    }
  return heaviest / total <= least_share / all_shares;
}

static gboolean
can_cut_at_once (const GobanCutGraph *graph, const double *shares, guint n_parts)
{
  if (n_parts == 2)
    return TRUE;
  if (graph->n_vertices < VERTICES_PER_PART * n_parts)
    return FALSE;
  for (guint k = 0; k < graph->n_weights; k++)
    if (!can_balance (graph, shares, n_parts, k))
      return FALSE;
  return TRUE;
}

/* The graph among the vertices whose side is @wanted; ids gets their numbers in @graph. */
static void
init_side (GobanCutGraph *side, GArray *ids, const GobanCutGraph *graph, const guint32 *sides,
           guint32 wanted)
{
  g_autofree guint32 *numbers = g_new (guint32, graph->n_vertices);

  for (guint v = 0; v < graph->n_vertices; v++)
    {
      numbers[v] = ids->len;
      if (sides[v] == wanted)
        g_array_append_val (ids, v);
    }

  side->n_vertices = ids->len;
  side->n_weights = graph->n_weights;
  side->weights = g_new (double, (gsize) ids->len * graph->n_weights);
  side->offsets = g_new (guint32, ids->len + 1);
  side->heads = g_array_new (FALSE, FALSE, sizeof (guint32));
  side->costs = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < ids->len; i++)
    {
      guint32 v = g_array_index (ids, guint32, i);

      for (guint k = 0; k < graph->n_weights; k++)
        side->weights[i * graph->n_weights + k] = graph->weights[(gsize) v * graph->n_weights + k];
      side->offsets[i] = side->heads->len;
      for (guint e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
        {
          guint32 head = g_array_index (graph->heads, guint32, e);

          if (sides[head] != wanted)
            continue;
          g_array_append_val (side->heads, numbers[head]);
          g_array_append_val (side->costs, g_array_index (graph->costs, double, e));
        }
    }
  side->offsets[ids->len] = side->heads->len;
}

static gboolean cut_parts (const GobanCutGraph *graph, const double *shares, GobanCut cut,
                           guint64 seed, guint32 *parts, GArray *cuts, GError **error);

/* In two, and each half on its own: cut_parts() calls itself through here. */
static gboolean
cut_in_halves (const GobanCutGraph *graph, const double *shares, GobanCut cut, guint64 seed,
               guint32 *parts, GArray *cuts, GError **error)
{
  guint n_left = cut.n_parts / 2;
  guint n_weights = graph->n_weights;
  g_autofree double *half_shares = g_new0 (double, 2 * n_weights);
  Request request = { half_shares, 2, seed, IMBALANCE_OF_HALVES };
  g_autofree guint32 *sides = g_new (guint32, graph->n_vertices);

  for (guint i = 0; i < cut.n_parts; i++)
    for (guint k = 0; k < n_weights; k++)
      half_shares[(i < n_left ? 0 : n_weights) + k] += shares[i * n_weights + k];
  if (!call_metis (graph, &request, sides, error))
    return FALSE;

  for (guint32 s = 0; s < 2; s++)
    {
      guint first = s == 0 ? 0 : n_left;
      const GobanCut half = { cut.first + first, s == 0 ? n_left : cut.n_parts - n_left, FALSE };
      g_auto (GobanCutGraph) side = { 0 };
      g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree guint32 *side_parts = NULL;

      init_side (&side, ids, graph, sides, s);
      side_parts = g_new (guint32, side.n_vertices);
      if (!cut_parts (&side, shares + first * n_weights, half, seed, side_parts, cuts, error))
        return FALSE;
      for (guint i = 0; i < ids->len; i++)
        parts[g_array_index (ids, guint32, i)] = side_parts[i];
    }
  return TRUE;
}

static gboolean
cut_parts (const GobanCutGraph *graph, const double *shares, GobanCut cut, guint64 seed,
           guint32 *parts, GArray *cuts, GError **error)
{
  Request request = { shares, cut.n_parts, seed, IMBALANCE };
  gboolean is_small = graph->n_vertices <= cut.n_parts || cut.n_parts == 1;

  cut.is_in_two = !is_small && !can_cut_at_once (graph, shares, cut.n_parts);
  if (cut.n_parts > 1)
    g_array_append_val (cuts, cut);
  if (cut.is_in_two)
    return cut_in_halves (graph, shares, cut, seed, parts, cuts, error);
  for (guint v = 0; v < graph->n_vertices; v++)
    parts[v] = cut.n_parts == 1 ? 0 : v;
  if (!is_small && !call_metis (graph, &request, parts, error))
    return FALSE;
  for (guint v = 0; v < graph->n_vertices; v++)
    parts[v] += cut.first;
  return TRUE;
}

/* @shares: (n_parts x n_weights) of each weight, positive, to go to each part
 * @parts: (out caller-allocates): the part of each vertex
 * @cuts: (element-type GobanCut): receives the calls, in their order
 *
 * A part may weigh 1.03 times its share of each weight, METIS's custom, or more if the
 * vertices are too heavy or too few for that.
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED set if METIS fails, which says why
 */
static gboolean
metis_cut (const GobanCutGraph *graph, const double *shares, guint n_parts, guint64 seed,
           guint32 *parts, GArray *cuts, GError **error)
{
  const GobanCut all = { 0, n_parts, FALSE };

  if (n_parts == 1)
    g_array_append_val (cuts, all);
  return cut_parts (graph, shares, all, seed, parts, cuts, error);
}

/* --- parts ---------------------------------------------------------------- */

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
        shares[n_parts * n_weights + 1]
            = MIN (goban_cluster_get_device (units->cluster, (GobanDeviceId) d)->memory_bytes,
                   total_bytes);
      part_devices[n_parts++] = (GobanDeviceId) d;
    }

  if (!metis_cut (graph, shares, n_parts, seed, parts, cuts, error))
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
