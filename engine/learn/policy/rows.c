#include "engine/learn/policy/rows.h"

#include "engine/core/arrays.h"
#include "engine/graph/levels.h"
#include "engine/learn/nn/vector.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/unit-groups.h"

#include <math.h>
#include <string.h>

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
transpose (GobanRows *self, const float *a)
{
  gsize R = self->n_rows;
  float *out = goban_arrays_add (self->arrays, R * R, sizeof *out);

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
  self->walks[0] = transpose (self, step);
  for (guint k = 1; k < GOBAN_ROWS_N_WALKS; k++)
    {
      for (guint i = 0; i < doublings[k]; i++)
        {
          float *old = power;

          multiply (square, power, power, R);
          power = square;
          square = old;
        }
      self->walks[k] = transpose (self, power);
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

/* Fills facts and walks. work_us (n_nodes) mean times. */
static void
describe (GobanRows *self, const double *work_us)
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
  self->facts = goban_own (self, float, R *GOBAN_ROW_N_STATIC + 1);
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

/* --- nodes ------------------------------------------------------------------------------------ */

static void
sort_nodes (GobanRows *self)
{
  self->order = goban_own (self, GobanNodeId, self->n_nodes + 1);
  self->ranks_us = goban_own (self, double, self->n_nodes + 1);
  goban_units_upward_ranks (self->units, self->ranks_us);
  goban_policy_sort_by_rank (self->order, self->ranks_us, self->n_nodes);
}

/* Lists each tensor once, although nodes may read it twice. Nodes are in topological order. */
static void
fill_node_inputs (GobanRows *self, const double *work_us)
{
  const GobanGraph *graph = self->units->graph;
  g_autofree guint32 *reader = g_new (guint32, self->n_tensors + 1);
  guint32 n = 0;

  memset (reader, 0xff, (gsize) self->n_tensors * sizeof *reader);
  self->node_offsets = goban_own (self, guint32, self->n_nodes + 1);
  self->node_inputs = goban_own (self, GobanRowInput, goban_graph_get_n_edges (graph) + 1);
  self->is_idle = goban_own (self, guint8, self->n_nodes + 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      gboolean is_idle = work_us[v] <= 0;

      self->node_offsets[v] = n;
      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);

          is_idle = is_idle && self->is_idle[edge->tail];
          if (reader[edge->tensor] == v)
            continue;
          reader[edge->tensor] = v;
          self->node_inputs[n++] = (GobanRowInput){ edge->tensor, edge->tail };
        }
      self->is_idle[v] = is_idle;
    }
  self->node_offsets[self->n_nodes] = n;
}

/* --- rows ----------------------------------------------------------------------------------- */

static void
fill_row_inputs (GobanRows *self)
{
  g_autofree guint32 *offsets = g_new (guint32, self->n_rows + 1);
  g_autofree GobanNodeId *members = g_new (GobanNodeId, self->n_nodes + 1);
  g_autofree guint32 *reader = g_new (guint32, self->n_tensors + 1);
  guint32 n = 0;

  /* members (n_nodes): nodes by row, ascending; offsets (R + 1). */
  memset (offsets, 0, (self->n_rows + 1) * sizeof *offsets);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    offsets[self->row_of[v] + 1]++;
  for (guint r = 0; r < self->n_rows; r++)
    offsets[r + 1] += offsets[r];
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    members[offsets[self->row_of[v]]++] = v;
  for (guint r = self->n_rows; r > 0; r--)
    offsets[r] = offsets[r - 1];
  offsets[0] = 0;

  memset (reader, 0xff, (gsize) self->n_tensors * sizeof *reader);
  self->row_offsets = goban_own (self, guint32, self->n_rows + 1);
  self->row_inputs = goban_own (self, GobanRowInput, self->node_offsets[self->n_nodes] + 1);
  for (guint r = 0; r < self->n_rows; r++)
    {
      self->row_offsets[r] = n;
      for (guint i = offsets[r]; i < offsets[r + 1]; i++)
        for (guint k = self->node_offsets[members[i]]; k < self->node_offsets[members[i] + 1]; k++)
          {
            GobanRowInput input = self->node_inputs[k];

            if (self->row_of[input.producer] == r || reader[input.tensor] == r)
              continue;
            reader[input.tensor] = r;
            self->row_inputs[n++] = input;
          }
    }
  self->row_offsets[self->n_rows] = n;
}

static void
allow (GobanRows *self)
{
  const GobanUnits *units = self->units;

  self->allowed = goban_own (self, guint8, self->n_rows * self->n_devices + 1);
  memset (self->allowed, 1, self->n_rows * self->n_devices);
  for (guint u = 0; u < units->n_units; u++)
    for (guint d = 0; d < self->n_devices; d++)
      if (!goban_units_can_run (units, u, (GobanDeviceId) d))
        self->allowed[self->row_of[units->nodes[units->offsets[u]]] * self->n_devices + d] = 0;
  for (guint r = 0; r < self->n_rows; r++)
    if (memchr (self->allowed + r * self->n_devices, 1, self->n_devices) == NULL)
      memset (self->allowed + r * self->n_devices, 1, self->n_devices);
}

static void
add_up_times (GobanRows *self, const double *work_us)
{
  guint D = self->n_devices;

  self->row_times_us = goban_own (self, double, (gsize) self->n_rows *D + 1);
  self->row_work_us = goban_own (self, double, self->n_rows + 1);
  self->follows = goban_own (self, guint8, self->n_rows + 1);
  memset (self->follows, 1, self->n_rows);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      guint r = self->row_of[v];

      self->row_work_us[r] += work_us[v];
      self->total_us += work_us[v];
      if (work_us[v] > 0
          && goban_graph_get_node (self->units->graph, v)->phase != GOBAN_PHASE_UPDATE)
        self->follows[r] = 0;
      for (guint d = 0; d < D; d++)
        {
          double time_us = self->times_us[(gsize) v * D + d];

          self->row_times_us[(gsize) r * D + d] += isfinite (time_us) ? time_us : work_us[v];
        }
    }
  self->total_us = MAX (self->total_us, 1e-9);
  self->ideal_us = self->total_us / D;
  self->mean_row_us = self->total_us / MAX (self->n_rows, 1);
}

/* --- memory --------------------------------------------------------------------------------- */

/* Peak memory of one device that runs all nodes in order: parameters, and each tensor from its
 * producer to its last reader. */
static double
find_peak_bytes (const GobanRows *self, double *param_bytes)
{
  const GobanGraph *graph = self->units->graph;
  g_autofree guint32 *n_readers = g_new0 (guint32, self->n_tensors + 1);
  double level = 0;
  double peak = 0;

  *param_bytes = 0;
  for (guint i = 0; i < self->node_offsets[self->n_nodes]; i++)
    n_readers[self->node_inputs[i].tensor]++;
  for (guint i = 0; i < self->n_nodes; i++)
    {
      GobanNodeId v = self->order[i];

      *param_bytes += goban_cost_model_param_bytes (self->units->costs, v);
      level += goban_graph_get_output_bytes (graph, v);
      peak = MAX (peak, level);
      for (guint k = self->node_offsets[v]; k < self->node_offsets[v + 1]; k++)
        if (--n_readers[self->node_inputs[k].tensor] == 0)
          level -= goban_graph_get_tensor (graph, self->node_inputs[k].tensor)->size_bytes;
    }
  return peak + *param_bytes;
}

/* --- construction --------------------------------------------------------------------------- */

/* (n_nodes) mean times, of ops that kernels save time on the shares; (transfer full) */
static double *
new_work_us (const GobanUnits *units, const double *shares)
{
  guint n = goban_graph_get_n_nodes (units->graph);
  double *work_us = g_new (double, n + 1);

  goban_cost_model_mean_times (units->costs, work_us);
  for (GobanNodeId v = 0; shares != NULL && v < n; v++)
    work_us[v] *= shares[v];
  return work_us;
}

static GobanRows *
new_without_walks (const GobanUnits *units, const guint32 *row_of, guint n_rows,
                   const double *shares)
{
  GobanRows *self = g_new0 (GobanRows, 1);
  g_autofree double *work_us = new_work_us (units, shares);

  self->arrays = goban_arrays_new ();
  self->units = units;
  self->n_nodes = goban_graph_get_n_nodes (units->graph);
  self->n_tensors = goban_graph_get_n_tensors (units->graph);
  self->n_rows = n_rows;
  self->n_devices = units->n_devices;
  self->row_of = goban_own (self, guint32, self->n_nodes + 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    self->row_of[v] = row_of[v];
  sort_nodes (self);
  self->times_us = goban_own (self, double, (gsize) self->n_nodes * self->n_devices + 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    for (guint d = 0; d < self->n_devices; d++)
      self->times_us[(gsize) v * self->n_devices + d]
          = goban_cost_model_time_us (self->units->costs, v, (GobanDeviceId) d)
            * (shares != NULL ? shares[v] : 1);

  fill_node_inputs (self, work_us);
  fill_row_inputs (self);
  allow (self);
  add_up_times (self, work_us);

  /* Scales outputs so that the sum over all rows is the peak, because most outputs are freed
   * before it. */
  double param_bytes;
  double output_bytes = 0;
  double share;

  self->total_bytes = find_peak_bytes (self, &param_bytes);
  self->row_bytes = goban_own (self, double, self->n_rows + 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (work_us[v] > 0)
      output_bytes += goban_graph_get_output_bytes (self->units->graph, v);
  share = output_bytes > 0 ? (self->total_bytes - param_bytes) / output_bytes : 0;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      self->row_bytes[self->row_of[v]] += goban_cost_model_param_bytes (self->units->costs, v);
      if (work_us[v] > 0)
        self->row_bytes[self->row_of[v]]
            += share * goban_graph_get_output_bytes (self->units->graph, v);
    }
  self->capacity_bytes = goban_own (self, double, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    self->capacity_bytes[d]
        = goban_cluster_get_device (self->units->cluster, (GobanDeviceId) d)->memory_bytes;

  return self;
}

GobanRows *
goban_rows_new (const GobanUnits *units, const guint32 *row_of, guint n_rows, const double *shares)
{
  GobanRows *self = new_without_walks (units, row_of, n_rows, shares);
  g_autofree double *work_us = new_work_us (units, shares);

  describe (self, work_us);
  return self;
}

GobanRows *
goban_rows_new_of_units (const GobanUnits *units, const double *shares)
{
  return new_without_walks (units, units->unit_of, units->n_units, shares);
}

GobanRows *
goban_rows_new_connected (const GobanUnits *units, guint n_wanted, const double *shares)
{
  g_autoptr (GobanUnitGroups) groups = goban_unit_groups_new (units, n_wanted);
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree guint32 *row_of = g_new (guint32, n_nodes + 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    row_of[v] = groups->group_of[units->unit_of[v]];
  return goban_rows_new (units, row_of, groups->n_groups, shares);
}

void
goban_rows_free (GobanRows *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

void
goban_rows_place (const GobanRows *self, const guint32 *devices, GobanPlan *plan)
{
  const GobanUnits *units = self->units;

  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 wanted = devices[self->row_of[units->nodes[units->offsets[u]]]];
      GobanDeviceId device = goban_units_find_host (units, u, (GobanDeviceId) wanted);

      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        goban_plan_set_device (plan, units->nodes[i], device);
    }
}
