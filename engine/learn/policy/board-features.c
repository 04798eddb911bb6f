/* board-features.c: row features of the policy network.
 *
 * Quantities that span many powers of ten are logarithms to base 2, scaled and shifted so that
 * usual values are near 0; all are clamped to [-3, 3].
 */
#include "engine/learn/policy/board-private.h"
#include "engine/learn/policy/op-kinds.h"
#include "engine/learn/policy/spectrum.h"

G_STATIC_ASSERT (GOBAN_N_OP_KINDS == GOBAN_BOARD_N_KINDS);
G_STATIC_ASSERT (GOBAN_SPECTRUM_SIZE == GOBAN_BOARD_N_EIGEN);

#define N_DIMS 4
#define GRAIN 1e-3 /* share of a mean row; much smaller values make no difference */
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
  return goban_board_clamp (log2 (1 + MAX (amount, 0)) / 8 - 2);
}

/* Maps a share of memory: 0 to -1, all of it to 1. */
static float
squash_memory (double share)
{
  return goban_board_clamp (log2 (MEMORY_GRAIN + share) / 8 + 1);
}

/* --- features of ops ------------------------------------------------------------------------ */

static float
squash_degree (const GobanSegments *segments, guint row)
{
  return goban_board_clamp (log2 (1.0 + segments->offsets[row + 1] - segments->offsets[row]) / 3);
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
fill_costs (GobanBoard *self, const GobanBoardSums *sums, guint row, double memory_bytes)
{
  float *x = get_row (self, row);

  Amounts sum = { 0 };

  for (guint i = self->offsets[row]; i < self->offsets[row + 1]; i++)
    {
      const GobanNodeFacts *node = &self->facts->nodes[self->nodes[i]];

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
  x[GOBAN_FEATURE_SHARE] = goban_board_clamp (share / (1 + share));
  x[GOBAN_FEATURE_TIME] = goban_board_clamp (
      goban_board_log_ratio (sums->times_us[row], mean_us, GRAIN * mean_us) / 4);
  x[GOBAN_FEATURE_TRANSFER] = goban_board_clamp (
      goban_board_log_ratio (sums->sent_us[row], sums->times_us[row],
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
          const GobanNodeFacts *node = &self->facts->nodes[self->nodes[i]];

          top = MIN (top, node->top_us);
          bottom = MAX (bottom, node->bottom_us);
          through = MAX (through, node->top_us + node->bottom_us);
        }
      x[GOBAN_FEATURE_TOP] = goban_board_clamp (2 * top / longest_us - 1);
      x[GOBAN_FEATURE_BOTTOM] = goban_board_clamp (2 * bottom / longest_us - 1);
      x[GOBAN_FEATURE_SLACK] = goban_board_clamp (MAX (1 - through / longest_us, 0));
    }
}

void
goban_board_fill_features (GobanBoard *self, const GobanBoardSums *sums)
{
  double memory_bytes = goban_board_mean_memory (self);
  double kept_bytes = 0;
  double pressure, crowding;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->units->graph); v++)
    {
      const GobanNodeFacts *node = &self->facts->nodes[v];
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
      const GobanNodeFacts *largest = NULL;

      for (guint i = self->offsets[row]; i < self->offsets[row + 1]; i++)
        {
          const GobanNodeFacts *node = &self->facts->nodes[self->nodes[i]];

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
        get_row (self, row)[GOBAN_FEATURE_DIMS + d] = goban_board_clamp (log2 (1 + dims[d]) / 5);

      kept_bytes += fill_costs (self, sums, r, memory_bytes);
      x[GOBAN_FEATURE_IN_DEGREE] = squash_degree (&self->inputs, r);
      x[GOBAN_FEATURE_OUT_DEGREE] = squash_degree (&self->outputs, r);
      x[GOBAN_FEATURE_POSITION]
          = self->n_rows > 1 ? goban_board_clamp (2.0 * r / (self->n_rows - 1) - 1) : 0;
      x[GOBAN_FEATURE_SIZE] = goban_board_clamp (log2 (row_size (self, r)) / 4);
    }

  pressure = kept_bytes / goban_cost_model_total_memory (self->units->costs);
  crowding = goban_board_log_ratio (sums->all_sent_us, sums->total_us,
                                    GRAIN * MAX (sums->total_us, sums->all_sent_us));
  for (guint r = 0; r < self->n_rows; r++)
    {
      float *x = get_row (self, r);

      x[GOBAN_FEATURE_N_DEVICES] = goban_board_clamp (log2 (self->n_devices) / 2 - 1);
      x[GOBAN_FEATURE_CROWDING] = goban_board_clamp (crowding / 4);
      x[GOBAN_FEATURE_PRESSURE] = squash_memory (pressure);
    }
}

void
goban_board_fill_eigenvectors (GobanBoard *self)
{
  g_autofree float *vectors = g_new (float, (gsize) self->n_rows *GOBAN_SPECTRUM_SIZE);
  double values[GOBAN_SPECTRUM_SIZE];

  goban_spectrum (vectors, values, &self->both);
  for (guint r = 0; r < self->n_rows; r++)
    for (guint k = 0; k < GOBAN_SPECTRUM_SIZE; k++)
      get_row (self, r)[GOBAN_FEATURE_EIGEN + k]
          = goban_board_clamp ((double) vectors[(gsize) r * GOBAN_SPECTRUM_SIZE + k]);
}

void
goban_board_pool_eigenvectors (GobanBoard *self, const GobanBoard *fine, const guint32 *row_of)
{
  g_autofree guint *counts = g_new0 (guint, self->n_rows);

  for (guint r = 0; r < fine->n_rows; r++)
    counts[row_of[r]]++;
  for (guint r = 0; r < fine->n_rows; r++)
    for (guint k = 0; k < GOBAN_SPECTRUM_SIZE; k++)
      get_row (self, row_of[r])[GOBAN_FEATURE_EIGEN + k]
          += get_row (fine, r)[GOBAN_FEATURE_EIGEN + k] / (float) counts[row_of[r]];
}

/* --- names --------------------------------------------------------------------------------- */

const char *
goban_board_get_feature_name (guint column)
{
  static const char *const names[GOBAN_BOARD_N_FEATURES] = {
#define FEATURE_NAME(kind, name) [GOBAN_FEATURE_KIND + GOBAN_OP_##kind] = "kind: " name,
    GOBAN_OP_KINDS (FEATURE_NAME)
#undef FEATURE_NAME
        [GOBAN_FEATURE_KIND + GOBAN_OP_OTHER]
    = "kind: other",
    [GOBAN_FEATURE_DIMS] = "dimension 1",
    [GOBAN_FEATURE_DIMS + 1] = "dimension 2",
    [GOBAN_FEATURE_DIMS + 2] = "dimension 3",
    [GOBAN_FEATURE_DIMS + 3] = "dimension 4",
    [GOBAN_FEATURE_OUT_BYTES] = "output bytes",
    [GOBAN_FEATURE_IN_DEGREE] = "inputs",
    [GOBAN_FEATURE_OUT_DEGREE] = "readers",
    [GOBAN_FEATURE_POSITION] = "position",
    [GOBAN_FEATURE_TIME] = "time",
    [GOBAN_FEATURE_SHARE] = "share of all work",
    [GOBAN_FEATURE_FLOPS] = "FLOPs",
    [GOBAN_FEATURE_TRAFFIC] = "bytes read and written",
    [GOBAN_FEATURE_PARAMS] = "parameter bytes",
    [GOBAN_FEATURE_TRANSFER] = "transfer over time",
    [GOBAN_FEATURE_MEMORY] = "memory",
    [GOBAN_FEATURE_TOP] = "top level",
    [GOBAN_FEATURE_BOTTOM] = "bottom level",
    [GOBAN_FEATURE_SLACK] = "slack",
    [GOBAN_FEATURE_SIZE] = "ops",
    [GOBAN_FEATURE_PHASE] = "forward",
    [GOBAN_FEATURE_PHASE + 1] = "backward",
    [GOBAN_FEATURE_PHASE + 2] = "update",
    [GOBAN_FEATURE_EIGEN] = "eigenvector 1",
    [GOBAN_FEATURE_EIGEN + 1] = "eigenvector 2",
    [GOBAN_FEATURE_EIGEN + 2] = "eigenvector 3",
    [GOBAN_FEATURE_EIGEN + 3] = "eigenvector 4",
    [GOBAN_FEATURE_EIGEN + 4] = "eigenvector 5",
    [GOBAN_FEATURE_EIGEN + 5] = "eigenvector 6",
    [GOBAN_FEATURE_EIGEN + 6] = "eigenvector 7",
    [GOBAN_FEATURE_EIGEN + 7] = "eigenvector 8",
    [GOBAN_FEATURE_N_DEVICES] = "devices",
    [GOBAN_FEATURE_CROWDING] = "transfers over work",
    [GOBAN_FEATURE_PRESSURE] = "memory of all",
  };

  g_return_val_if_fail (column < GOBAN_BOARD_N_FEATURES, NULL);
  return names[column];
}
