#include "engine/learn/policy/rows-private.h"

#include "engine/placers/policies.h"
#include "engine/placers/search/unit-groups.h"

#include <math.h>
#include <string.h>

/* --- nodes ------------------------------------------------------------------------------------ */

static void
sort_nodes (GobanRows *self)
{
  self->order = g_new (GobanNodeId, self->n_nodes + 1);
  self->ranks_us = g_new (double, self->n_nodes + 1);
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
  self->node_offsets = g_new (guint32, self->n_nodes + 1);
  self->node_inputs = g_new (GobanRowInput, goban_graph_get_n_edges (graph) + 1);
  self->is_idle = g_new0 (guint8, self->n_nodes + 1);
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
  self->row_offsets = g_new (guint32, self->n_rows + 1);
  self->row_inputs = g_new (GobanRowInput, self->node_offsets[self->n_nodes] + 1);
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

  self->allowed = g_new (guint8, self->n_rows * self->n_devices + 1);
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

  self->row_times_us = g_new0 (double, (gsize) self->n_rows *D + 1);
  self->row_work_us = g_new0 (double, self->n_rows + 1);
  self->follows = g_new (guint8, self->n_rows + 1);
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

  self->units = units;
  self->n_nodes = goban_graph_get_n_nodes (units->graph);
  self->n_tensors = goban_graph_get_n_tensors (units->graph);
  self->n_rows = n_rows;
  self->n_devices = units->n_devices;
  self->row_of = g_new (guint32, self->n_nodes + 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    self->row_of[v] = row_of[v];
  sort_nodes (self);
  self->times_us = g_new (double, (gsize) self->n_nodes * self->n_devices + 1);
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
  self->row_bytes = g_new0 (double, self->n_rows + 1);
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
  self->capacity_bytes = g_new (double, self->n_devices);
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

  goban_rows_describe (self, work_us);
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
  g_free (self->row_of);
  g_free (self->allowed);
  g_free (self->order);
  g_free (self->ranks_us);
  g_free (self->times_us);
  g_free (self->node_offsets);
  g_free (self->node_inputs);
  g_free (self->row_offsets);
  g_free (self->row_inputs);
  g_free (self->is_idle);
  g_free (self->follows);
  g_free (self->row_times_us);
  g_free (self->row_work_us);
  g_free (self->row_bytes);
  g_free (self->capacity_bytes);
  g_free (self->facts);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    g_free (self->walks[k]);
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
