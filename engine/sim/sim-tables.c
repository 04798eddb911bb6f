#include "engine/sim/simulator-private.h"

static void
fill_edges (GobanSimulator *self, const GobanGraph *graph)
{
  g_autofree guint32 *new_id = g_new (guint32, self->own.n_edges);
  guint32 n = 0;

  self->own.first_edge = g_new (guint32, self->own.n_tensors + 1);
  self->own.tensor_node = g_new (guint32, self->own.n_tensors);
  self->own.size_bytes = g_new (double, self->own.n_tensors);
  self->own.tensor_bytes = g_new (double, self->own.n_tensors);
  self->own.edge_head = g_new (guint32, self->own.n_edges);
  self->own.edge_input = g_new (guint32, self->own.n_edges);

  for (guint t = 0; t < self->own.n_tensors; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);

      self->own.tensor_node[t] = tensor->producer;
      self->own.size_bytes[t] = tensor->size_bytes;
      self->own.tensor_bytes[t] = sim_whole_bytes (tensor->size_bytes);
      self->own.tensors_bytes += self->own.tensor_bytes[t];
      self->own.output_bytes[tensor->producer] += self->own.tensor_bytes[t];
      self->own.first_edge[t] = n;
      for (guint i = 0; i < edges.n; i++)
        {
          self->own.edge_head[n] = goban_graph_get_edge (graph, edges.ids[i])->head;
          new_id[edges.ids[i]] = n++;
        }
    }
  self->own.first_edge[self->own.n_tensors] = n;

  for (guint v = 0; v < self->own.n_nodes; v++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < inputs.n; i++)
        self->own.edge_input[new_id[inputs.ids[i]]] = self->own.first_input[v] + i;
    }
}

static gboolean
has_given_moves (const GobanGraph *graph)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);

  for (guint t = 0; t < goban_graph_get_n_tensors (graph); t++)
    for (guint i = 0; i < n_kinds * n_kinds; i++)
      if (!isnan (goban_graph_get_transfer_us (graph, t, i / n_kinds, i % n_kinds)))
        return TRUE;
  return FALSE;
}

/* TRUE at links that two transfers without a common sender or receiver may contend for. If not
 * all pairs of a link share their sender and not all share their receiver, then two of
 * them share neither, since pairs that all meet pairwise form a star. */
static gboolean *
find_shared_links (const GobanSimulator *self, const GobanCluster *cluster, gboolean *any)
{
  guint n_links = goban_cluster_get_n_links (cluster);
  g_autofree guint32 *user = g_new (guint32, n_links);
  g_autofree guint8 *differs = g_new0 (guint8, n_links);
  gboolean *shared = g_new0 (gboolean, n_links);

  for (guint l = 0; l < n_links; l++)
    user[l] = SIM_NONE;
  *any = FALSE;

  for (guint pair = 0; pair < self->n_devices * self->n_devices; pair++)
    {
      guint from = pair / self->n_devices;
      guint to = pair % self->n_devices;
      const GobanRoute *route = from == to ? NULL : goban_cluster_get_route (cluster, from, to);

      for (guint i = 0; route != NULL && i < route->n_links; i++)
        {
          guint32 l = route->links[i];

          if (user[l] == SIM_NONE)
            user[l] = pair;
          differs[l]
              |= (user[l] / self->n_devices != from) | (user[l] % self->n_devices != to) << 1;
          shared[l] = differs[l] == 3;
          *any |= shared[l];
        }
    }
  return shared;
}

static void
fill_links (GobanSimulator *self, const GobanCluster *cluster)
{
  guint n_pairs = self->n_devices * self->n_devices;
  gboolean any;
  g_autofree gboolean *shared = NULL;
  g_autoptr (GArray) links = NULL;

  if (self->is_contention_free)
    return;
  shared = find_shared_links (self, cluster, &any);
  if (!any)
    return;

  links = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->first_pair_link = g_new (guint32, n_pairs + 1);
  for (guint pair = 0; pair < n_pairs; pair++)
    {
      guint from = pair / self->n_devices;
      guint to = pair % self->n_devices;
      const GobanRoute *route = from == to ? NULL : goban_cluster_get_route (cluster, from, to);

      self->first_pair_link[pair] = links->len;
      for (guint i = 0; route != NULL && i < route->n_links; i++)
        if (shared[route->links[i]])
          g_array_append_val (links, route->links[i]);
    }
  self->first_pair_link[n_pairs] = links->len;
  self->pair_links = (guint32 *) (void *) g_array_free (g_steal_pointer (&links), FALSE);
}

static void
allocate_state (GobanSimulator *self, guint n_links)
{
  guint n = self->n_devices;

  sim_clock_init (&self->clock, self->is_contention_free ? n : 2 * n);
  self->ready_at = g_new (SimPlaces, n);
  /* Rounding adds less than a word per device and level. */
  for (guint level = 0; level < SIM_PLACES_LEVELS; level++)
    self->n_place_bits += sim_places_n_words (self->own.n_nodes, level) + n;
  self->place_bits = g_new (guint64, self->n_place_bits);
  self->ready_line = g_new (SimLine, n);
  self->lines = g_new (guint64, self->own.n_nodes);
  self->late = g_new (guint64, self->own.n_nodes);
  self->running = g_new (guint32, n);
  self->left_us = g_new (double, n);
  self->last_op = g_new (guint32, n);
  self->due = g_new (guint32, 2 * n);
  self->dirty_devices = g_new0 (guint64, self->n_words);
  self->memory = g_new (SimMemory, n);

  if (self->is_contention_free)
    {
      self->arrivals = g_new (Arrival, self->own.n_edges);
      self->arrived = g_new (guint32, self->own.n_edges);
      return;
    }
  self->waiting = g_new (guint64, self->own.n_edges);
  self->n_waiting = g_new (guint32, (gsize) n * n);
  self->sending = g_new (guint32, n);
  self->last_sent = g_new (guint32, n);
  self->last_got = g_new (guint32, n);
  self->link_holder = g_new (guint32, n_links);
  self->link_last = g_new (guint32, n_links);
  self->dirty_senders = g_new0 (guint64, self->n_words);
  self->link_blocked = g_new0 (guint64, self->n_words);
  self->free_senders = g_new0 (guint64, self->n_words);
  self->free_receivers = g_new0 (guint64, self->n_words);
  self->receivers_of = g_new0 (guint64, (gsize) n * self->n_words);
  self->senders_of = g_new0 (guint64, (gsize) n * self->n_words);
  self->candidates = g_new (guint64, (gsize) n * n);
}

void
sim_tables_init (GobanSimulator *self)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  self->own.n_nodes = goban_graph_get_n_nodes (graph);
  self->own.n_tensors = goban_graph_get_n_tensors (graph);
  self->own.n_edges = goban_graph_get_n_edges (graph);
  self->n_devices = goban_cluster_get_n_devices (cluster);
  self->own.n_columns = goban_cluster_get_n_classes (cluster);
  self->n_words = (self->n_devices + 63) / 64;
  self->is_contention_free = goban_cost_model_is_contention_free (self->costs);
  self->own.column = self->device_class = g_new (guint32, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    self->device_class[d] = goban_cluster_get_class (cluster, d);

  guint32 n_inputs = 0;

  self->own.first_tensor = g_new (guint32, self->own.n_nodes + 1);
  self->own.first_input = g_new (guint32, self->own.n_nodes + 1);
  self->own.output_bytes = g_new0 (double, self->own.n_nodes);
  self->own.param_bytes = g_new (double, self->own.n_nodes);
  self->own.time_us = g_new (double, (gsize) self->own.n_nodes * self->own.n_columns);

  for (guint v = 0; v < self->own.n_nodes; v++)
    {
      const double *times_us = goban_cost_model_times_us (self->costs, v);
      guint n_tensors;

      self->own.first_tensor[v] = goban_graph_get_node_tensors (graph, v, &n_tensors);
      self->own.first_input[v] = n_inputs;
      n_inputs += goban_graph_get_in_edges (graph, v).n;
      self->own.param_bytes[v] = sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
      for (guint c = 0; c < self->own.n_columns; c++)
        self->own.time_us[(gsize) v * self->own.n_columns + c] = times_us[c];
    }
  self->own.first_tensor[self->own.n_nodes] = self->own.n_tensors;
  self->own.first_input[self->own.n_nodes] = n_inputs;

  fill_edges (self, graph);
  self->has_given_moves = has_given_moves (graph);

  guint n_lanes = self->n_devices * self->n_devices;

  self->lane_latency_us = g_new0 (double, n_lanes);
  self->lane_bytes_per_us = g_new0 (double, n_lanes);
  for (guint lane = 0; lane < n_lanes; lane++)
    {
      guint from = lane / self->n_devices;
      guint to = lane % self->n_devices;
      const GobanRoute *route = from == to ? NULL : goban_cluster_get_route (cluster, from, to);

      self->lane_latency_us[lane] = route != NULL ? route->latency_us : 0;
      self->lane_bytes_per_us[lane] = route != NULL ? route->bytes_per_us : 1;
    }

  fill_links (self, cluster);

  gsize n_pairs = (gsize) self->n_devices * self->n_devices;
  gsize n_slots = (gsize) self->own.n_edges + self->own.n_nodes;

  self->nodes = g_new (SimNode, self->own.n_nodes);
  self->outputs = g_new (SimOutput, self->own.n_nodes);
  self->moves = g_new (SimMove, n_slots + 1);
  self->move_rank = g_new0 (guint32, n_slots + 1);
  self->move_tensor = g_new (guint32, n_slots + 1);
  self->near = g_new0 (guint32, self->own.n_edges + 1);
  self->far = g_new0 (guint32, self->own.n_edges + 1);
  self->first_ready = g_new (guint32, self->n_devices + 1);
  self->node_at = g_new (guint32, self->own.n_nodes);
  self->lane_moves = g_new (guint32, n_pairs);
  self->first_wait = g_new (guint32, n_pairs + 1);
  self->scratch = g_new (guint32, MAX (self->own.n_edges, self->own.n_nodes));
  self->device_count = g_new (guint32, self->n_devices + 1);
  self->device_load = g_new (double, self->n_devices);
  self->device_work_us = g_new0 (double, self->n_devices);
  self->accounts = g_new0 (guint8, self->n_devices);
  self->input_holding = g_new (guint32, self->own.n_edges);
  self->live = g_new (guint32, self->own.n_tensors + n_slots + 1);

  allocate_state (self, goban_cluster_get_n_links (cluster));
}

static void
sim_fused_clear (GobanSimulator *self)
{
  g_clear_pointer (&self->fused.contraction, goban_contraction_free);
  g_free (self->fused.size_bytes);
  g_free (self->fused.tensor_bytes);
  g_free (self->fused.column);
}

void
sim_tables_clear (GobanSimulator *self)
{
  gpointer arrays[] = { self->own.first_tensor,
                        self->own.first_edge,
                        self->own.edge_head,
                        self->own.edge_input,
                        self->own.first_input,
                        self->own.tensor_node,
                        self->own.size_bytes,
                        self->own.tensor_bytes,
                        self->own.output_bytes,
                        self->own.param_bytes,
                        self->own.time_us,
                        self->device_class,
                        self->lane_latency_us,
                        self->lane_bytes_per_us,
                        self->pair_links,
                        self->first_pair_link,
                        self->nodes,
                        self->outputs,
                        self->moves,
                        self->move_rank,
                        self->move_tensor,
                        self->near,
                        self->far,
                        self->first_ready,
                        self->node_at,
                        self->lane_moves,
                        self->first_wait,
                        self->scratch,
                        self->device_count,
                        self->device_load,
                        self->device_work_us,
                        self->accounts,
                        self->input_holding,
                        self->live,
                        self->clock.all_us,
                        self->ready_at,
                        self->place_bits,
                        self->ready_line,
                        self->lines,
                        self->late,
                        self->waiting,
                        self->n_waiting,
                        self->running,
                        self->left_us,
                        self->last_op,
                        self->sending,
                        self->last_sent,
                        self->last_got,
                        self->link_holder,
                        self->link_last,
                        self->due,
                        self->dirty_devices,
                        self->dirty_senders,
                        self->link_blocked,
                        self->free_senders,
                        self->free_receivers,
                        self->receivers_of,
                        self->senders_of,
                        self->candidates,
                        self->arrivals,
                        self->arrived,
                        self->memory };

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  sim_fused_clear (self);
  sim_slots_clear (&self->slots);
}

/* --- fused plans ---------------------------------------------------------- */

GobanContraction *
sim_fused_get_contraction (GobanSimulator *self)
{
  SimFused *fused = &self->fused;

  if (fused->contraction != NULL)
    return fused->contraction;
  fused->contraction = goban_contraction_new (self->costs);
  fused->size_bytes = g_new (double, self->own.n_tensors);
  fused->tensor_bytes = g_new (double, self->own.n_tensors);
  fused->column = g_new0 (guint32, self->n_devices);
  return fused->contraction;
}

/* Sizes by the contraction's tensors. */
static double
pick_sizes (GobanSimulator *self, const GobanContracted *ops)
{
  double sum_bytes = 0;

  for (guint t = 0; t < ops->n_tensors; t++)
    {
      self->fused.size_bytes[t] = self->own.size_bytes[ops->tensor[t]];
      self->fused.tensor_bytes[t] = self->own.tensor_bytes[ops->tensor[t]];
      sum_bytes += self->fused.tensor_bytes[t];
    }
  return sum_bytes;
}

void
sim_fused_use (GobanSimulator *self, const GobanPlan *plan)
{
  const GobanContracted *ops;

  self->fused.ops = NULL;
  if (!goban_plan_is_fused (plan))
    {
      self->in = self->own;
      return;
    }

  self->fused.ops = ops = goban_contraction_fill (sim_fused_get_contraction (self), plan);
  self->in = (SimTables){
    .n_nodes = ops->n_ops,
    .n_tensors = ops->n_tensors,
    .n_edges = ops->n_edges,
    .first_tensor = ops->first_tensor,
    .first_edge = ops->first_edge,
    .edge_head = ops->edge_head,
    .edge_input = ops->edge_input,
    .first_input = ops->first_input,
    .tensor_node = ops->tensor_op,
    .tensor_source = ops->tensor,
    .size_bytes = self->fused.size_bytes,
    .tensor_bytes = self->fused.tensor_bytes,
    .tensors_bytes = pick_sizes (self, ops),
    .output_bytes = ops->output_bytes,
    .param_bytes = ops->param_bytes,
    .time_us = ops->time_us,
    .n_columns = 1,
    .column = self->fused.column,
  };
}
