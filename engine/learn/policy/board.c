#include "engine/learn/policy/board.h"

#include "engine/learn/policy/op-kinds.h"
#include "engine/learn/policy/spectrum.h"
#include "engine/placers/search/unit-groups.h"

#include <math.h>

void
goban_neighbours_clear (GobanNeighbours *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->ids, g_free);
}

GobanSegments
goban_neighbours_get_segments (const GobanNeighbours *self)
{
  return (GobanSegments){ self->offsets, self->ids, (int) self->n_rows };
}

/* Offsets of each row's items once they are sorted by row: (n_rows + 1). (transfer full) */
static guint32 *
count_items (const guint32 *row_of, guint n_items, guint n_rows)
{
  guint32 *offsets = g_new0 (guint32, n_rows + 1);

  for (guint i = 0; i < n_items; i++)
    offsets[row_of[i] + 1]++;
  for (guint r = 0; r < n_rows; r++)
    offsets[r + 1] += offsets[r];
  return offsets;
}

GobanNeighbours
goban_neighbours_transpose (const GobanNeighbours *self)
{
  guint32 n_ids = self->offsets[self->n_rows];
  guint32 *offsets = count_items (self->ids, n_ids, self->n_rows);
  guint32 *ids = g_new (guint32, n_ids + 1);
  g_autofree guint32 *next = g_memdup2 (offsets, (self->n_rows + 1) * sizeof *next);

  for (guint r = 0; r < self->n_rows; r++)
    for (guint32 i = self->offsets[r]; i < self->offsets[r + 1]; i++)
      ids[next[self->ids[i]]++] = r;
  return (GobanNeighbours){ offsets, ids, self->n_rows };
}

GobanNeighbours
goban_neighbours_unite (const GobanNeighbours *a, const GobanNeighbours *b)
{
  guint n_rows = a->n_rows;
  guint32 *offsets = g_new0 (guint32, n_rows + 1);
  guint32 *ids = g_new (guint32, (gsize) a->offsets[n_rows] + b->offsets[n_rows] + 1);
  guint32 n = 0;

  for (guint r = 0; r < n_rows; r++)
    {
      guint32 i = a->offsets[r], j = b->offsets[r];

      while (i < a->offsets[r + 1] || j < b->offsets[r + 1])
        {
          guint32 x = i < a->offsets[r + 1] ? a->ids[i] : G_MAXUINT32;
          guint32 y = j < b->offsets[r + 1] ? b->ids[j] : G_MAXUINT32;

          ids[n++] = MIN (x, y);
          i += x <= y;
          j += y <= x;
        }
      offsets[r + 1] = n;
    }
  return (GobanNeighbours){ offsets, ids, n_rows };
}

/* --- facts: contributions of nodes and tensors to rows, read once ----------------------------- */

/* Contribution of a node to its row. */
typedef struct
{
  double flops;
  double traffic_bytes;
  double param_bytes;
  double output_bytes;
  double top_us;    /* downward rank */
  double bottom_us; /* upward rank */
  double largest_bytes;
  GobanTensorId
      largest;  /* the first of its largest outputs that have a shape, or GOBAN_NO_TENSOR */
  guint8 kind;  /* GobanOpKind */
  guint8 phase; /* GobanPhase */
} NodeFacts;

struct _GobanBoardFacts
{
  NodeFacts *nodes;
  double longest_us;     /* of all paths */
  double *transfers_us;  /* (n_tensors) mean */
  guint32 *first_reader; /* (n_tensors + 1) into readers */
  guint32 *readers;      /* units that read the tensor, once each, but its producer's */
};

/* Sums by row, from which the features are computed; dropped when the board is done. */
typedef struct
{
  guint n_classes;
  double *class_us; /* (N x n_classes) of all the row, INFINITY if some of it cannot run */
  double *times_us; /* (N) mean over the devices that the row may run on */
  double total_us;
  double *sent_us; /* (N) mean transfers of the tensors that leave the row */
  double all_sent_us;
} Sums;

/* log2 of a ratio of two quantities of one unit, either of which may be 0; 0 if both are. @grain: a
 * quantity that is negligible beside them. */
static inline double
log_ratio (double above, double below, double grain)
{
  return grain > 0 ? log2 ((above + grain) / (below + grain)) : 0;
}

/* Clamps an input of the network; 0 for NAN. */
static inline float
clamp (double value)
{
  return (float) (value != value ? 0 : CLAMP (value, -3.0, 3.0));
}

static void
fill_node_kinds (GobanBoardFacts *self, const GobanGraph *graph)
{
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;
      gpointer kind;

      if (!g_hash_table_lookup_extended (kinds, op, NULL, &kind))
        {
          kind = GUINT_TO_POINTER (goban_op_kind_from_word (op));
          g_hash_table_insert (kinds, (gpointer) op, kind);
        }
      self->nodes[v].kind = (guint8) GPOINTER_TO_UINT (kind);
    }
}

static void
find_largest_output (NodeFacts *self, const GobanGraph *graph, GobanNodeId node)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n);

  self->largest = GOBAN_NO_TENSOR;
  for (GobanTensorId t = first; t < first + n; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      if (!tensor->has_shape
          || (self->largest != GOBAN_NO_TENSOR && tensor->size_bytes <= self->largest_bytes))
        continue;
      self->largest = t;
      self->largest_bytes = tensor->size_bytes;
    }
}

static void
fill_node_levels (GobanBoardFacts *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *top_us = g_new (double, n_nodes);
  g_autofree double *bottom_us = g_new (double, n_nodes);

  goban_units_downward_ranks (units, top_us);
  goban_units_upward_ranks (units, bottom_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->nodes[v].top_us = top_us[v];
      self->nodes[v].bottom_us = bottom_us[v];
      self->longest_us = MAX (self->longest_us, bottom_us[v]);
    }
}

static void
list_readers (GobanBoardFacts *self, const GobanUnits *units)
{
  const GobanGraph *graph = units->graph;
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree GobanTensorId *seen_by = g_new (GobanTensorId, units->n_units);
  guint32 n = 0;

  for (guint u = 0; u < units->n_units; u++)
    seen_by[u] = GOBAN_NO_TENSOR;
  self->first_reader = g_new0 (guint32, (gsize) n_tensors + 1);
  self->readers = g_new (guint32, (gsize) goban_graph_get_n_edges (graph) + 1);
  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      guint32 own = units->unit_of[goban_graph_get_tensor (graph, t)->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 unit = units->unit_of[goban_graph_get_edge (graph, edges.ids[i])->head];

          if (unit == own || seen_by[unit] == t)
            continue;
          seen_by[unit] = t;
          self->readers[n++] = unit;
        }
      self->first_reader[t + 1] = n;
    }
}

static GobanBoardFacts *
facts_new (const GobanUnits *units)
{
  GobanBoardFacts *self = g_new0 (GobanBoardFacts, 1);

  self->nodes = g_new0 (NodeFacts, goban_graph_get_n_nodes (units->graph));
  self->transfers_us = g_new (double, goban_graph_get_n_tensors (units->graph));
  goban_cost_model_mean_transfers (units->costs, self->transfers_us);
  fill_node_kinds (self, units->graph);

  const GobanGraph *graph = units->graph;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      NodeFacts *facts = &self->nodes[v];

      facts->flops = node->flops;
      facts->traffic_bytes = node->read_bytes + node->written_bytes;
      facts->param_bytes = goban_cost_model_param_bytes (units->costs, v);
      facts->output_bytes = goban_graph_get_output_bytes (graph, v);
      facts->phase = (guint8) node->phase;
      find_largest_output (facts, graph, v);
    }

  fill_node_levels (self, units);
  list_readers (self, units);
  return self;
}

static void
facts_free (GobanBoardFacts *self)
{
  g_free (self->nodes);
  g_free (self->transfers_us);
  g_free (self->first_reader);
  g_free (self->readers);
  g_free (self);
}

/* --- features of devices ---------------------------------------------------------------------- */

#define GRAIN 1e-3 /* share of a mean; much smaller values make no difference */

/* Time of all rows that can run on the device, over their time on their fastest devices; in
 * log2. */
static double
compare_speed (const GobanBoard *self, const Sums *sums, guint device)
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
  return log_ratio (here_us, best_us, GRAIN * sums->total_us / self->n_rows);
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

/* Mean memory of the devices with limited memory; INFINITY if there is none. */
static double
mean_memory (const GobanBoard *self)
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

/* devices (D, GOBAN_DEVICE_N_FEATURES). */
static void
fill_devices (GobanBoard *self, const Sums *sums)
{
  const GobanCluster *cluster = self->units->cluster;
  double mean_bytes = mean_memory (self);
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

      row[GOBAN_DEVICE_SPEED] = clamp (compare_speed (self, sums, d) / 2);
      if (isfinite (bytes))
        row[GOBAN_DEVICE_MEMORY] = clamp (log_ratio (bytes, mean_bytes, GRAIN * mean_bytes) / 2);
      row[GOBAN_DEVICE_BANDWIDTH]
          = clamp (log_ratio (mean_slowness, slownesses[d], GRAIN * mean_slowness) / 2);
      row[GOBAN_DEVICE_COUNT] = clamp (log2 (self->n_devices) / 2 - 1);

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

/* --- features of rows ------------------------------------------------------------------------- */

/* Quantities that span many powers of ten are logarithms to base 2, scaled and shifted so that
 * usual values are near 0; all are clamped to [-3, 3]. */
G_STATIC_ASSERT (GOBAN_N_OP_KINDS == GOBAN_BOARD_N_KINDS);
G_STATIC_ASSERT (GOBAN_SPECTRUM_SIZE == GOBAN_BOARD_N_EIGEN);

#define N_DIMS 4
#define MEMORY_GRAIN (1.0 / (1 << 16)) /* of a device */

static float *
get_row (const GobanBoard *self, guint row)
{
  return &self->x[(gsize) row * GOBAN_BOARD_N_FEATURES];
}

static guint
row_size (const GobanBoard *self, guint row)
{
  return self->offsets[row + 1] - self->offsets[row];
}

/* Maps FLOPs or bytes: 0 to -2, a million to 0.5. */
static float
squash_amount (double amount)
{
  return clamp (log2 (1 + MAX (amount, 0)) / 8 - 2);
}

/* Maps a share of memory: 0 to -1, all of it to 1. */
static float
squash_memory (double share)
{
  return clamp (log2 (MEMORY_GRAIN + share) / 8 + 1);
}

static float
squash_degree (const GobanSegments *segments, guint row)
{
  return clamp (log2 (1.0 + segments->offsets[row + 1] - segments->offsets[row]) / 3);
}

/* --- features of costs ---------------------------------------------------------------------- */

typedef struct
{
  double flops;
  double traffic_bytes;
  double param_bytes;
  double output_bytes;
} Amounts;

/* Returns the most bytes that the row keeps in memory: its parameters and outputs. */
static double
fill_costs (GobanBoard *self, const Sums *sums, guint row, double memory_bytes)
{
  float *x = get_row (self, row);

  Amounts sum = { 0 };

  for (guint i = self->offsets[row]; i < self->offsets[row + 1]; i++)
    {
      const NodeFacts *node = &self->facts->nodes[self->nodes[i]];

      sum.flops += node->flops;
      sum.traffic_bytes += node->traffic_bytes;
      sum.param_bytes += node->param_bytes;
      sum.output_bytes += node->output_bytes;
    }

  double mean_us = sums->total_us / self->n_rows;
  double share = (double) self->weights[row] * self->n_devices;
  double kept_bytes = sum.param_bytes + sum.output_bytes;

  x[GOBAN_FEATURE_OUT_BYTES] = squash_amount (sum.output_bytes);
  x[GOBAN_FEATURE_FLOPS] = squash_amount (sum.flops);
  x[GOBAN_FEATURE_TRAFFIC] = squash_amount (sum.traffic_bytes);
  x[GOBAN_FEATURE_PARAMS] = squash_amount (sum.param_bytes);
  x[GOBAN_FEATURE_MEMORY] = squash_memory (kept_bytes / memory_bytes);
  x[GOBAN_FEATURE_SHARE] = clamp (share / (1 + share));
  x[GOBAN_FEATURE_TIME] = clamp (log_ratio (sums->times_us[row], mean_us, GRAIN * mean_us) / 4);
  x[GOBAN_FEATURE_TRANSFER]
      = clamp (log_ratio (sums->sent_us[row], sums->times_us[row],
                          GRAIN * MAX (mean_us, sums->all_sent_us / self->n_rows))
               / 4);
  return kept_bytes;
}

/* --- features of position ------------------------------------------------------------------- */

/* Levels over the longest path, in [-1, 1]; the slack of the most urgent op, in [0, 1]. */
static void
fill_levels (GobanBoard *self)
{
  double longest_us = self->facts->longest_us;

  if (longest_us == 0)
    return;

  for (guint r = 0; r < self->n_rows; r++)
    {
      double top = G_MAXDOUBLE, bottom = 0, through = 0;
      float *x = get_row (self, r);

      for (guint i = self->offsets[r]; i < self->offsets[r + 1]; i++)
        {
          const NodeFacts *node = &self->facts->nodes[self->nodes[i]];

          top = MIN (top, node->top_us);
          bottom = MAX (bottom, node->bottom_us);
          through = MAX (through, node->top_us + node->bottom_us);
        }
      x[GOBAN_FEATURE_TOP] = clamp (2 * top / longest_us - 1);
      x[GOBAN_FEATURE_BOTTOM] = clamp (2 * bottom / longest_us - 1);
      x[GOBAN_FEATURE_SLACK] = clamp (MAX (1 - through / longest_us, 0));
    }
}

/* x: all columns but the eigenvectors, which are 0. */
static void
fill_features (GobanBoard *self, const Sums *sums)
{
  double memory_bytes = mean_memory (self);
  double kept_bytes = 0;
  double pressure, crowding;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->units->graph); v++)
    {
      const NodeFacts *node = &self->facts->nodes[v];
      float *row = get_row (self, self->row_of[v]);
      float share = 1.0f / (float) row_size (self, self->row_of[v]);

      row[GOBAN_FEATURE_KIND + node->kind] += share;
      row[GOBAN_FEATURE_PHASE + node->phase] += share;
    }

  fill_levels (self);
  for (guint r = 0; r < self->n_rows; r++)
    {
      float *x = get_row (self, r);

      /* Dimensions beyond the fourth are multiplied into it; unknown or missing ones are 0. */
      guint row = r;
      /* The first of the largest outputs with a shape, or NULL. */
      const NodeFacts *largest = NULL;

      for (guint i = self->offsets[row]; i < self->offsets[row + 1]; i++)
        {
          const NodeFacts *node = &self->facts->nodes[self->nodes[i]];

          if (node->largest != GOBAN_NO_TENSOR
              && (largest == NULL || node->largest_bytes > largest->largest_bytes))
            largest = node;
        }
      const GobanTensor *tensor
          = largest != NULL ? goban_graph_get_tensor (self->units->graph, largest->largest) : NULL;

      double dims[N_DIMS] = { 0 };

      for (guint d = 0; tensor != NULL && d < tensor->n_dims; d++)
        {
          double dim = (double) MAX (tensor->dims[d], 0);

          if (d < N_DIMS)
            dims[d] = dim;
          else
            dims[N_DIMS - 1] *= dim;
        }
      for (guint d = 0; d < N_DIMS; d++)
        get_row (self, row)[GOBAN_FEATURE_DIMS + d] = clamp (log2 (1 + dims[d]) / 5);

      kept_bytes += fill_costs (self, sums, r, memory_bytes);
      x[GOBAN_FEATURE_IN_DEGREE] = squash_degree (&self->inputs, r);
      x[GOBAN_FEATURE_OUT_DEGREE] = squash_degree (&self->outputs, r);
      x[GOBAN_FEATURE_POSITION] = self->n_rows > 1 ? clamp (2.0 * r / (self->n_rows - 1) - 1) : 0;
      x[GOBAN_FEATURE_SIZE] = clamp (log2 (row_size (self, r)) / 4);
    }

  pressure = kept_bytes / goban_cost_model_total_memory (self->units->costs);
  crowding = log_ratio (sums->all_sent_us, sums->total_us,
                        GRAIN * MAX (sums->total_us, sums->all_sent_us));
  for (guint r = 0; r < self->n_rows; r++)
    {
      float *x = get_row (self, r);

      x[GOBAN_FEATURE_N_DEVICES] = clamp (log2 (self->n_devices) / 2 - 1);
      x[GOBAN_FEATURE_CROWDING] = clamp (crowding / 4);
      x[GOBAN_FEATURE_PRESSURE] = squash_memory (pressure);
    }
}

/* The columns of eigenvectors. */
static void
fill_eigenvectors (GobanBoard *self)
{
  g_autofree float *vectors = g_new (float, (gsize) self->n_rows *GOBAN_SPECTRUM_SIZE);
  double values[GOBAN_SPECTRUM_SIZE];

  goban_spectrum (vectors, values, &self->both);
  for (guint r = 0; r < self->n_rows; r++)
    for (guint k = 0; k < GOBAN_SPECTRUM_SIZE; k++)
      get_row (self, r)[GOBAN_FEATURE_EIGEN + k]
          = clamp ((double) vectors[(gsize) r * GOBAN_SPECTRUM_SIZE + k]);
}

/* The same as means over the rows of @fine; row_of (fine->n_rows). */
static void
pool_eigenvectors (GobanBoard *self, const GobanBoard *fine, const guint32 *row_of)
{
  g_autofree guint *counts = g_new0 (guint, self->n_rows);

  for (guint r = 0; r < fine->n_rows; r++)
    counts[row_of[r]]++;
  for (guint r = 0; r < fine->n_rows; r++)
    for (guint k = 0; k < GOBAN_SPECTRUM_SIZE; k++)
      get_row (self, row_of[r])[GOBAN_FEATURE_EIGEN + k]
          += get_row (fine, r)[GOBAN_FEATURE_EIGEN + k] / (float) counts[row_of[r]];
}

/* --- rows --------------------------------------------------------------------------------- */

static void
list_nodes (GobanBoard *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->units->graph);
  g_autofree guint32 *next = NULL;

  self->offsets = count_items (self->row_of, n_nodes, self->n_rows);
  self->nodes = g_new (GobanNodeId, n_nodes);
  next = g_memdup2 (self->offsets, (self->n_rows + 1) * sizeof *next);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[next[self->row_of[v]]++] = v;
}

/* --- neighbours --------------------------------------------------------------------------- */

/* The distinct readers of each row, in the order of their first edges. */
static GobanNeighbours
gather_outputs (const GobanBoard *self, const guint32 *row_of_unit)
{
  const GobanGraph *graph = self->units->graph;
  const GobanBoardFacts *facts = self->facts;
  guint32 *offsets = g_new0 (guint32, self->n_rows + 1);
  guint32 *heads = g_new (guint32, facts->first_reader[goban_graph_get_n_tensors (graph)] + 1);
  g_autofree guint32 *seen_by = g_new (guint32, self->n_rows);
  guint32 n = 0;

  for (guint r = 0; r < self->n_rows; r++)
    seen_by[r] = G_MAXUINT32;
  for (guint r = 0; r < self->n_rows; r++)
    {
      for (guint i = self->offsets[r]; i < self->offsets[r + 1]; i++)
        {
          guint n_tensors;
          GobanTensorId first = goban_graph_get_node_tensors (graph, self->nodes[i], &n_tensors);
          guint32 end = facts->first_reader[first + n_tensors];

          for (guint32 j = facts->first_reader[first]; j < end; j++)
            {
              guint32 head = row_of_unit[facts->readers[j]];

              if (head == r || seen_by[head] == r)
                continue;
              seen_by[head] = r;
              heads[n++] = head;
            }
        }
      offsets[r + 1] = n;
    }
  return (GobanNeighbours){ offsets, heads, self->n_rows };
}

/* --- sums --------------------------------------------------------------------------------- */

static void
sum_times (GobanBoard *self, const guint32 *row_of_unit, Sums *sums)
{
  const GobanUnits *units = self->units;
  guint n_classes = units->n_classes;

  sums->n_classes = n_classes;
  sums->class_us = g_new0 (double, (gsize) self->n_rows *n_classes);
  sums->times_us = g_new0 (double, self->n_rows);
  for (guint u = 0; u < units->n_units; u++)
    {
      for (guint c = 0; c < n_classes; c++)
        sums->class_us[(gsize) row_of_unit[u] * n_classes + c]
            += units->times_us[(gsize) u * n_classes + c];
    }

  for (guint r = 0; r < self->n_rows; r++)
    {
      guint n = 0;

      for (guint d = 0; d < self->n_devices; d++)
        {
          double time_us = sums->class_us[(gsize) r * n_classes + units->classes[d]];

          if (!isfinite (time_us))
            continue;
          self->allowed[(gsize) r * self->n_devices + d] = 1;
          sums->times_us[r] += time_us;
          n++;
        }
      sums->times_us[r] /= n;
      sums->total_us += sums->times_us[r];
    }
  for (guint r = 0; r < self->n_rows; r++)
    self->weights[r]
        = (float) (sums->total_us > 0 ? sums->times_us[r] / sums->total_us : 1.0 / self->n_rows);
}

static gboolean
leaves_row (const GobanBoardFacts *facts, const guint32 *row_of_unit, GobanTensorId tensor,
            guint32 row)
{
  for (guint32 i = facts->first_reader[tensor]; i < facts->first_reader[tensor + 1]; i++)
    if (row_of_unit[facts->readers[i]] != row)
      return TRUE;
  return FALSE;
}

/* --- construction and disposal ------------------------------------------------------------ */

/* Fills all fields but the eigenvectors, for numbered rows. */
static void
fill (GobanBoard *self)
{
  const GobanUnits *units = self->units;
  g_autofree guint32 *row_of_unit = g_new (guint32, units->n_units);
  Sums sums = { 0 };

  for (guint u = 0; u < units->n_units; u++)
    row_of_unit[u] = self->row_of[units->nodes[units->offsets[u]]];
  self->n_devices = units->n_devices;
  list_nodes (self);

  GobanNeighbours met = gather_outputs (self, row_of_unit);
  GobanNeighbours inputs = goban_neighbours_transpose (&met);
  GobanNeighbours outputs = goban_neighbours_transpose (&inputs);
  GobanNeighbours both = goban_neighbours_unite (&inputs, &outputs);

  self->inputs = goban_neighbours_get_segments (&inputs);
  self->outputs = goban_neighbours_get_segments (&outputs);
  self->both = goban_neighbours_get_segments (&both);
  self->neighbours[0] = inputs;
  self->neighbours[1] = outputs;
  self->neighbours[2] = both;
  goban_neighbours_clear (&met);

  self->allowed = g_new0 (guint8, (gsize) self->n_rows * self->n_devices);
  self->weights = g_new0 (float, self->n_rows);
  self->x = g_new0 (float, (gsize) self->n_rows *GOBAN_BOARD_N_FEATURES);
  self->devices = g_new0 (float, (gsize) self->n_devices *GOBAN_DEVICE_N_FEATURES);
  sum_times (self, row_of_unit, &sums);

  /* Sums the transfers to other rows; a tensor counts once, however many nodes read it. */
  const GobanGraph *graph = self->units->graph;
  const double *transfers_us = self->facts->transfers_us;

  sums.sent_us = g_new0 (double, self->n_rows);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      guint32 row = self->row_of[goban_graph_get_tensor (graph, t)->producer];

      if (!isfinite (transfers_us[t]) || !leaves_row (self->facts, row_of_unit, t, row))
        continue;
      sums.sent_us[row] += transfers_us[t];
      sums.all_sent_us += transfers_us[t];
    }

  fill_features (self, &sums);
  fill_devices (self, &sums);

  g_free (sums.class_us);
  g_free (sums.times_us);
  g_free (sums.sent_us);
}

/* A board whose rows are groups of the rows of @fine, numbered by their first nodes; takes it.
 * group_of (fine->n_rows) */
static GobanBoard *
new_grouped (GobanBoard *fine, const guint32 *group_of, guint n_groups)
{
  guint n_nodes = goban_graph_get_n_nodes (fine->units->graph);
  GobanBoard *self = g_new0 (GobanBoard, 1);
  g_autofree guint32 *number = g_new (guint32, n_groups);
  g_autofree guint32 *row_of = g_new (guint32, fine->n_rows);

  for (guint g = 0; g < n_groups; g++)
    number[g] = G_MAXUINT32;
  for (guint r = 0; r < fine->n_rows; r++)
    {
      if (number[group_of[r]] == G_MAXUINT32)
        number[group_of[r]] = self->n_rows++;
      row_of[r] = number[group_of[r]];
    }
  self->fine = fine;
  self->units = fine->units;
  self->facts = fine->facts;
  self->row_of = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->row_of[v] = row_of[fine->row_of[v]];
  fill (self);
  pool_eigenvectors (self, fine, row_of);
  return self;
}

GobanBoard *
goban_board_new (GobanCostModel *costs, guint n_wanted, GError **error)
{
  GobanUnits *units = goban_units_new (costs, error);
  g_autoptr (GobanUnitGroups) groups = NULL;
  GobanBoard *self;

  if (units == NULL)
    return NULL;

  self = g_new0 (GobanBoard, 1);
  self->units = units;
  self->facts = facts_new (units);
  self->n_rows = units->n_units;
  self->row_of
      = g_memdup2 (units->unit_of, goban_graph_get_n_nodes (units->graph) * sizeof *self->row_of);
  fill (self);
  fill_eigenvectors (self);
  if (n_wanted == 0 || n_wanted >= self->n_rows)
    return self;
  groups = goban_unit_groups_new_even (units, n_wanted);
  return new_grouped (self, groups->group_of, groups->n_groups);
}

guint
goban_board_get_n_actions (const GobanBoard *self, GobanTask task)
{
  return task == GOBAN_TASK_PLACEMENT ? self->n_devices : GOBAN_N_LEVELS;
}

void
goban_board_free (GobanBoard *self)
{
  if (self->fine != NULL)
    goban_board_free (self->fine);
  else
    {
      goban_units_free (self->units);
      facts_free (self->facts);
    }
  for (guint k = 0; k < G_N_ELEMENTS (self->neighbours); k++)
    goban_neighbours_clear (&self->neighbours[k]);
  g_free (self->row_of);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self->x);
  g_free (self->devices);
  g_free (self->allowed);
  g_free (self->weights);
  g_free (self);
}
