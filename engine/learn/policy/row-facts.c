/* Features of rows: figures of each row, and affinities by random walks between rows. */
#include "engine/learn/policy/rows-private.h"

#include "engine/graph/levels.h"
#include "engine/learn/nn/vector.h"

#define N_PHASES 3

/* --- traffic -------------------------------------------------------------------------------- */

/* traffic (R,R): transfer time between two rows, both ways; a tensor counts once for each row that
 * reads it. sent_us (R): of the outputs of a row. Returns the sum. */
static double
find_traffic (const GobanRows *self, float *traffic, double *sent_us)
{
  gsize R = self->n_rows;
  g_autofree double *transfers_us = g_new (double, self->n_tensors + 1);
  double total_us = 0;

  goban_cost_model_mean_transfers (self->units->costs, transfers_us);
  for (guint r = 0; r < R; r++)
    for (guint k = self->row_offsets[r]; k < self->row_offsets[r + 1]; k++)
      {
        guint producer = self->row_of[self->row_inputs[k].producer];
        double time_us = transfers_us[self->row_inputs[k].tensor];

        traffic[producer * R + r] += (float) time_us;
        traffic[r * R + producer] += (float) time_us;
        sent_us[producer] += time_us;
        total_us += time_us;
      }
  return total_us;
}

/* --- walks ---------------------------------------------------------------------------------- */

/* out (R,R) = a b, summed in the order of the inner index. */
static GOBAN_VECTOR void
multiply (float *restrict out, const float *restrict a, const float *restrict b, gsize R)
{
  memset (out, 0, R * R * sizeof *out);
  for (gsize i = 0; i < R; i++)
    for (gsize k = 0; k < R; k++)
      {
        float x = a[i * R + k];

        for (gsize j = 0; x != 0 && j < R; j++)
          out[i * R + j] += x * b[k * R + j];
      }
}

static float *
transpose (const float *a, gsize R)
{
  float *out = g_new (float, (gsize) R *R + 1);

  for (gsize i = 0; i < R; i++)
    for (gsize j = 0; j < R; j++)
      out[j * R + i] = a[i * R + j];
  return out;
}

/* Walks of one step; then of 2, 8 and 32 steps, each of which stays in place with probability one
 * half. */
static void
walk (GobanRows *self, float *step)
{
  static const guint doublings[GOBAN_ROWS_N_WALKS] = { 0, 1, 2, 2 };
  gsize R = self->n_rows;
  g_autofree float *power = g_new (float, (gsize) R *R + 1);
  g_autofree float *square = g_new (float, (gsize) R *R + 1);

  /* Normalises the traffic to transition probabilities; a walk stays at a row without traffic. */
  for (gsize i = 0; i < R; i++)
    {
      float *row = step + i * R;
      double sum = 0;

      for (gsize j = 0; j < R; j++)
        sum += (double) row[j];
      if (sum <= 0)
        row[i] = 1;
      for (gsize j = 0; sum > 0 && j < R; j++)
        row[j] = (float) ((double) row[j] / sum);
    }

  for (gsize i = 0; i < R * R; i++)
    power[i] = 0.5f * step[i] + (i % (R + 1) == 0 ? 0.5f : 0);
  self->walks[0] = transpose (step, R);
  for (guint k = 1; k < GOBAN_ROWS_N_WALKS; k++)
    {
      for (guint i = 0; i < doublings[k]; i++)
        {
          float *old = power;

          multiply (square, power, power, R);
          power = square;
          square = old;
        }
      self->walks[k] = transpose (power, R);
    }
}

/* --- facts ---------------------------------------------------------------------------------- */

/* Sums over the nodes of rows. */
typedef struct
{
  double *top_us;    /* (R) earliest start by times alone */
  double *bottom_us; /* (R) longest way to the end */
  double *phase_us;  /* (R, N_PHASES) */
  double critical_path_us;
} Paths;

static void
find_paths (const GobanRows *self, const double *work_us, Paths *paths)
{
  const GobanGraph *graph = self->units->graph;
  g_autofree double *top_us = g_new (double, self->n_nodes + 1);
  g_autofree double *bottom_us = g_new (double, self->n_nodes + 1);

  goban_graph_top_levels (graph, top_us, work_us, NULL);
  goban_graph_bottom_levels (graph, bottom_us, work_us, NULL);
  for (guint r = 0; r < self->n_rows; r++)
    paths->top_us[r] = INFINITY;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      guint r = self->row_of[v];

      paths->critical_path_us = MAX (paths->critical_path_us, bottom_us[v]);
      paths->phase_us[r * N_PHASES + goban_graph_get_node (graph, v)->phase] += work_us[v];
      if (work_us[v] <= 0)
        continue;
      paths->top_us[r] = MIN (paths->top_us[r], top_us[v]);
      paths->bottom_us[r] = MAX (paths->bottom_us[r], bottom_us[v]);
    }
  paths->critical_path_us = MAX (paths->critical_path_us, 1e-9);
}

static double
find_pressure (const GobanRows *self)
{
  double capacity = 0;

  for (guint d = 0; d < self->n_devices; d++)
    capacity += self->capacity_bytes[d];
  return isfinite (capacity) && capacity > 0 ? MIN (self->total_bytes / capacity, 2) : 0;
}

static void
fill_row (const GobanRows *self, guint r, const Paths *paths, double sent_us, float *x)
{
  double path_us = paths->critical_path_us;
  double top_us = isfinite (paths->top_us[r]) ? paths->top_us[r] : 0;
  double unit_us = self->row_work_us[r] + 0.1 * self->mean_row_us;
  double sum_us = self->row_work_us[r] + 1e-12;

  x[GOBAN_ROW_TIME]
      = (float) (goban_log ((self->row_work_us[r] + 1e-3 * self->mean_row_us) / self->mean_row_us)
                 / 3);
  x[GOBAN_ROW_TRANSFER] = (float) (goban_log (1 + sent_us / unit_us) / 3);
  x[GOBAN_ROW_SLACK] = (float) ((path_us - top_us - paths->bottom_us[r]) / path_us);
  x[GOBAN_ROW_TOP] = (float) (top_us / path_us);
  x[GOBAN_ROW_BOTTOM] = (float) (paths->bottom_us[r] / path_us);
  for (guint p = 0; p < N_PHASES; p++)
    x[GOBAN_ROW_FORWARD + p] = (float) (paths->phase_us[r * N_PHASES + p] / sum_us);
  x[GOBAN_ROW_MEMORY]
      = self->total_bytes > 0
            ? (float) (goban_log (1 + self->row_bytes[r] / self->total_bytes * self->n_rows) / 2)
            : 0;
}

void
goban_rows_describe (GobanRows *self, const double *work_us)
{
  gsize R = self->n_rows;
  g_autofree float *traffic = g_new0 (float, (gsize) R *R + 1);
  g_autofree double *sent_us = g_new0 (double, R + 1);
  g_autofree double *top_us = g_new0 (double, R + 1);
  g_autofree double *bottom_us = g_new0 (double, R + 1);
  g_autofree double *phase_us = g_new0 (double, (gsize) R *N_PHASES + 1);
  Paths paths = { top_us, bottom_us, phase_us, 0 };
  double transfers_us = find_traffic (self, traffic, sent_us);

  find_paths (self, work_us, &paths);
  self->scale_us = MAX (paths.critical_path_us, self->ideal_us);
  self->facts = g_new0 (float, R *GOBAN_ROW_N_STATIC + 1);
  for (guint r = 0; r < R; r++)
    {
      float *x = self->facts + r * GOBAN_ROW_N_STATIC;

      fill_row (self, r, &paths, sent_us[r], x);
      x[GOBAN_ROW_N_DEVICES] = (float) (goban_log (self->n_devices) / 2);
      x[GOBAN_ROW_CROWDING] = (float) (goban_log (transfers_us / self->total_us + 1e-3) / 3);
      x[GOBAN_ROW_WIDTH] = (float) (goban_log (self->total_us / paths.critical_path_us) / 3);
      x[GOBAN_ROW_PRESSURE] = (float) find_pressure (self);
    }
  walk (self, traffic);
}
