#include "engine/placers/metis/metis-cut.h"

#include "engine/core/error.h"

#include <math.h>
#include <metis.h>

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

void
goban_cut_graph_clear (GobanCutGraph *self)
{
  g_clear_pointer (&self->weights, g_free);
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->heads, g_array_unref);
  g_clear_pointer (&self->costs, g_array_unref);
}

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

  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "METIS cannot cut a graph of %u vertices into %u parts: %s", graph->n_vertices,
                   request->n_parts, describe_status (status));
  return FALSE;
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

gboolean
goban_metis_cut (const GobanCutGraph *graph, const double *shares, guint n_parts, guint64 seed,
                 guint32 *parts, GArray *cuts, GError **error)
{
  const GobanCut all = { 0, n_parts, FALSE };

  if (n_parts == 1)
    g_array_append_val (cuts, all);
  return cut_parts (graph, shares, all, seed, parts, cuts, error);
}
