#include "engine/placers/exact/exact-problem.h"

#include <math.h>
#include <string.h>

gboolean
exact_problem_fits (const GobanUnits *units)
{
  return goban_graph_get_n_nodes (units->graph) <= EXACT_MAX_NODES
         && goban_graph_get_n_tensors (units->graph) <= EXACT_MAX_TENSORS
         && units->n_devices <= EXACT_MAX_DEVICES;
}

static void
fill_nodes (ExactProblem *self)
{
  const GobanUnits *units = self->units;

  self->first_tensor = g_new (guint32, self->N + 1);
  for (guint v = 0; v < self->N; v++)
    {
      guint n_tensors;

      self->first_tensor[v] = goban_graph_get_node_tensors (units->graph, v, &n_tensors);
      self->first_tensor[v + 1] = self->first_tensor[v] + n_tensors;
      self->param_bytes[v] = ceil (goban_cost_model_param_bytes (units->costs, v));
      for (guint d = 0; d < self->D; d++)
        self->time_us[v][d] = goban_units_can_run (units, units->unit_of[v], d)
                                  ? goban_cost_model_time_us (units->costs, v, d)
                                  : (double) INFINITY;
    }
}

static void
fill_edges (ExactProblem *self)
{
  const GobanGraph *graph = self->units->graph;
  guint n = 0;

  self->edges = g_new (ExactEdge, self->E);
  self->first_edge = g_new (guint, self->N + 1);
  for (guint v = 0; v < self->N; v++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);

      self->first_edge[v] = n;
      for (guint i = 0; i < inputs.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, inputs.ids[i]);

          self->edges[n++] = (ExactEdge){ edge->tail, edge->head, edge->tensor };
        }
    }
  self->first_edge[self->N] = n;
}

static void
fill_tensors (ExactProblem *self)
{
  const GobanUnits *units = self->units;

  self->tensor_bytes = g_new (double, self->T);
  self->producer = g_new (guint8, self->T);
  self->transfer_us = g_new (double, (gsize) self->T * self->D * self->D);
  for (guint t = 0; t < self->T; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (units->graph, t);

      self->tensor_bytes[t] = ceil (tensor->size_bytes);
      self->producer[t] = tensor->producer;
      for (guint pair = 0; pair < self->D * self->D; pair++)
        self->transfer_us[(gsize) t * self->D * self->D + pair]
            = goban_cost_model_transfer_us (units->costs, t, pair / self->D, pair % self->D);
    }
}

static gboolean
routes_meet (const ExactProblem *self, guint a, guint b)
{
  guint D = self->D;
  const GobanRoute *x;
  const GobanRoute *y;

  if (a / D == a % D || b / D == b % D)
    return FALSE;
  if (a / D == b / D || a % D == b % D)
    return TRUE;
  x = goban_cluster_get_route (self->units->cluster, a / D, a % D);
  y = goban_cluster_get_route (self->units->cluster, b / D, b % D);
  for (guint i = 0; i < x->n_links; i++)
    for (guint j = 0; j < y->n_links; j++)
      if (x->links[i] == y->links[j])
        return TRUE;
  return FALSE;
}

static void
fill_devices (ExactProblem *self)
{
  guint n_pairs = self->D * self->D;
  double all_bytes = 0;

  self->conflicts = g_new0 (gboolean, (gsize) n_pairs * n_pairs);
  for (guint i = 0; i < n_pairs * n_pairs; i++)
    self->conflicts[i] = !self->is_contention_free && routes_meet (self, i / n_pairs, i % n_pairs);
  for (guint v = 0; v < self->N; v++)
    all_bytes += self->param_bytes[v];
  for (guint t = 0; t < self->T; t++)
    all_bytes += self->tensor_bytes[t];
  for (guint d = 0; d < self->D; d++)
    {
      self->capacity_bytes[d] = goban_cluster_get_device (self->units->cluster, d)->memory_bytes;
      self->may_overflow |= all_bytes > self->capacity_bytes[d];
    }
}

static guint
swapped (guint d, guint a, guint b)
{
  return d == a ? b : d == b ? a : d;
}

/* TRUE if swapping the two devices changes nothing but their numbers. */
static gboolean
are_twins (const ExactProblem *self, guint a, guint b)
{
  guint D = self->D;
  guint n_pairs = D * D;

  if (self->capacity_bytes[a] != self->capacity_bytes[b])
    return FALSE;
  for (guint v = 0; v < self->N; v++)
    if (self->time_us[v][a] != self->time_us[v][b])
      return FALSE;
  for (guint t = 0; t < self->T; t++)
    for (guint p = 0; p < n_pairs; p++)
      if (exact_transfer_us (self, t, p / D, p % D)
          != exact_transfer_us (self, t, swapped (p / D, a, b), swapped (p % D, a, b)))
        return FALSE;
  for (guint p = 0; p < n_pairs; p++)
    for (guint q = 0; q < n_pairs; q++)
      if (exact_in_conflict (self, p / D, p % D, q / D, q % D)
          != exact_in_conflict (self, swapped (p / D, a, b), swapped (p % D, a, b),
                                swapped (q / D, a, b), swapped (q % D, a, b)))
        return FALSE;
  return TRUE;
}

ExactProblem *
exact_problem_new (const GobanUnits *units)
{
  ExactProblem *self = g_new0 (ExactProblem, 1);

  self->units = units;
  self->N = goban_graph_get_n_nodes (units->graph);
  self->D = units->n_devices;
  self->T = goban_graph_get_n_tensors (units->graph);
  self->E = goban_graph_get_n_edges (units->graph);
  self->is_contention_free = goban_cost_model_is_contention_free (units->costs);
  fill_nodes (self);
  fill_edges (self);
  fill_tensors (self);
  fill_devices (self);
  for (guint d = 0; d < self->D; d++)
    {
      guint twin = 0;

      while (twin < d && (self->twin_of[twin] != twin || !are_twins (self, twin, d)))
        twin++;
      self->twin_of[d] = twin;
    }
  return self;
}

void
exact_problem_free (ExactProblem *self)
{
  g_free (self->transfer_us);
  g_free (self->tensor_bytes);
  g_free (self->producer);
  g_free (self->edges);
  g_free (self->first_edge);
  g_free (self->first_tensor);
  g_free (self->conflicts);
  g_free (self);
}

/* --- bounds ------------------------------------------------------------------------------ */

static void
sort_by_head (ExactJob *jobs, guint n)
{
  for (guint i = 1; i < n; i++)
    {
      ExactJob job = jobs[i];
      guint j = i;

      for (; j > 0 && jobs[j - 1].head_us > job.head_us; j--)
        jobs[j] = jobs[j - 1];
      jobs[j] = job;
    }
}

double
exact_machine_bound (ExactJob *jobs, guint n)
{
  double now_us = 0;
  double bound_us = 0;
  guint n_left = n;

  sort_by_head (jobs, n);
  /* At any time works on the job with the longest tail among those that have come. */
  while (n_left > 0)
    {
      double next_us = (double) INFINITY;
      guint best = n;

      for (guint i = 0; i < n; i++)
        {
          if (jobs[i].time_us < 0)
            continue;
          if (jobs[i].head_us > now_us)
            {
              next_us = jobs[i].head_us;
              break;
            }
          if (best == n || jobs[i].tail_us > jobs[best].tail_us)
            best = i;
        }
      if (best == n)
        {
          now_us = next_us;
          continue;
        }
      if (now_us + jobs[best].time_us > next_us)
        {
          jobs[best].time_us = MAX (0, jobs[best].time_us - (next_us - now_us));
          now_us = next_us;
          continue;
        }
      now_us += jobs[best].time_us;
      bound_us = MAX (bound_us, now_us + jobs[best].tail_us);
      jobs[best].time_us = -1; /* done */
      n_left--;
    }
  return bound_us;
}

/* Earliest starts and longest rests of every node on every device it may still have. */
typedef struct
{
  const ExactProblem *problem;
  const guint8 *device;
  double head_us[EXACT_MAX_NODES][EXACT_MAX_DEVICES];
  double tail_us[EXACT_MAX_NODES][EXACT_MAX_DEVICES];
} Levels;

static inline gboolean
may_be_on (const Levels *self, guint v, guint d)
{
  return self->device[v] == EXACT_NONE ? isfinite (self->problem->time_us[v][d])
                                       : self->device[v] == d;
}

static inline gboolean
are_one_unit (const ExactProblem *problem, guint v, guint w)
{
  return problem->units->unit_of[v] == problem->units->unit_of[w];
}

static void
find_heads (Levels *self)
{
  const ExactProblem *problem = self->problem;

  memset (self->head_us, 0, sizeof self->head_us);
  for (guint e = 0; e < problem->E; e++)
    {
      ExactEdge edge = problem->edges[e];

      for (guint d = 0; d < problem->D; d++)
        {
          double least_us = (double) INFINITY;

          if (!may_be_on (self, edge.head, d))
            continue;
          for (guint from = 0; from < problem->D; from++)
            if (may_be_on (self, edge.tail, from)
                && (from == d || !are_one_unit (problem, edge.tail, edge.head)))
              least_us = MIN (least_us, self->head_us[edge.tail][from]
                                            + problem->time_us[edge.tail][from]
                                            + exact_transfer_us (problem, edge.tensor, from, d));
          self->head_us[edge.head][d] = MAX (self->head_us[edge.head][d], least_us);
        }
    }
}

static void
find_tails (Levels *self)
{
  const ExactProblem *problem = self->problem;

  memset (self->tail_us, 0, sizeof self->tail_us);
  for (guint e = problem->E; e-- > 0;)
    {
      ExactEdge edge = problem->edges[e];

      for (guint d = 0; d < problem->D; d++)
        {
          double least_us = (double) INFINITY;

          if (!may_be_on (self, edge.tail, d))
            continue;
          for (guint to = 0; to < problem->D; to++)
            if (may_be_on (self, edge.head, to)
                && (to == d || !are_one_unit (problem, edge.tail, edge.head)))
              least_us = MIN (least_us, exact_transfer_us (problem, edge.tensor, d, to)
                                            + problem->time_us[edge.head][to]
                                            + self->tail_us[edge.head][to]);
          self->tail_us[edge.tail][d] = MAX (self->tail_us[edge.tail][d], least_us);
        }
    }
}

/* Every path, and all work spread evenly. */
static double
bound_by_paths (const Levels *self)
{
  const ExactProblem *problem = self->problem;
  double bound_us = 0;
  double work_us = 0;

  for (guint v = 0; v < problem->N; v++)
    {
      double least_us = (double) INFINITY;
      double least_time_us = (double) INFINITY;

      for (guint d = 0; d < problem->D; d++)
        if (may_be_on (self, v, d))
          {
            double time_us = problem->time_us[v][d];

            least_us = MIN (least_us, self->head_us[v][d] + time_us + self->tail_us[v][d]);
            least_time_us = MIN (least_time_us, time_us);
          }
      bound_us = MAX (bound_us, least_us);
      work_us += least_time_us;
    }
  return MAX (bound_us, work_us / problem->D);
}

/* Nodes placed on one device run one after another. */
static double
bound_by_device (const Levels *self, guint d)
{
  const ExactProblem *problem = self->problem;
  ExactJob jobs[EXACT_MAX_NODES];
  double resident_bytes = 0;
  guint n = 0;

  for (guint v = 0; v < problem->N; v++)
    if (self->device[v] == d)
      {
        jobs[n++] = (ExactJob){ self->head_us[v][d], problem->time_us[v][d], self->tail_us[v][d] };
        resident_bytes += problem->param_bytes[v];
      }
  if (resident_bytes > problem->capacity_bytes[d])
    return (double) INFINITY;
  return exact_machine_bound (jobs, n);
}

/* So do transfers that certainly pass through its send channel, or its receive channel. */
static double
bound_by_channel (const Levels *self, guint d, gboolean is_sender)
{
  const ExactProblem *problem = self->problem;
  ExactJob jobs[EXACT_MAX_MOVES];
  guint16 key[EXACT_MAX_MOVES];
  guint n = 0;

  for (guint e = 0; e < problem->E && n < EXACT_MAX_MOVES; e++)
    {
      ExactEdge edge = problem->edges[e];
      guint from = self->device[edge.tail];
      guint to = self->device[edge.head];
      double tail_us;
      guint i = 0;

      if (from == to || from == EXACT_NONE || to == EXACT_NONE || (is_sender ? from : to) != d)
        continue;
      tail_us = problem->time_us[edge.head][to] + self->tail_us[edge.head][to];
      while (i < n && key[i] != edge.tensor * problem->D + (is_sender ? to : from))
        i++;
      if (i == n)
        {
          key[n] = edge.tensor * problem->D + (is_sender ? to : from);
          jobs[n++]
              = (ExactJob){ self->head_us[edge.tail][from] + problem->time_us[edge.tail][from],
                            exact_transfer_us (problem, edge.tensor, from, to), 0 };
        }
      jobs[i].tail_us = MAX (jobs[i].tail_us, tail_us);
    }
  return exact_machine_bound (jobs, n);
}

double
exact_placement_bound (const ExactProblem *self, const guint8 *device)
{
  Levels levels = { .problem = self, .device = device };
  double bound_us;

  find_heads (&levels);
  find_tails (&levels);
  bound_us = bound_by_paths (&levels);
  for (guint d = 0; d < self->D; d++)
    bound_us = fmax (bound_us, bound_by_device (&levels, d));
  if (!self->is_contention_free)
    for (guint d = 0; d < self->D; d++)
      {
        bound_us = fmax (bound_us, bound_by_channel (&levels, d, TRUE));
        bound_us = fmax (bound_us, bound_by_channel (&levels, d, FALSE));
      }
  return bound_us;
}
