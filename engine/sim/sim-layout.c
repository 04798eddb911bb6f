#include <string.h>

#include "engine/sim/simulator-private.h"

#define DIGIT_BITS 11
#define N_DIGITS 3 /* 33 bits are enough */
#define N_VALUES (1u << DIGIT_BITS)

/* Most policies number the nodes 0, 1, 2... by priority, and then there is nothing to sort.
 * FALSE if they are not a permutation; @ranked is then of no use. */
static gboolean
rank_permutation (const gint32 *priorities, guint n_nodes, guint32 *ranked)
{
  memset (ranked, 0xff, n_nodes * sizeof *ranked);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 from_last = (guint32) priorities[v];

      if (from_last >= n_nodes || ranked[n_nodes - 1 - from_last] != SIM_NONE)
        return FALSE;
      ranked[n_nodes - 1 - from_last] = v;
    }
  return TRUE;
}

static guint
digit_of (guint64 key, guint digit)
{
  return key >> (32 + digit * DIGIT_BITS) & (N_VALUES - 1);
}

/* Gives the nodes their places, by (priority descending, id) on each device. O(N). */
static void
sim_rank_nodes (GobanSimulator *self, const gint32 *priorities)
{
  guint32 *ranked = self->scratch;
  guint32 *n_placed = self->device_count;

  if (self->in.n_nodes == 0)
    return;
  if (!rank_permutation (priorities, self->in.n_nodes, ranked))
    {
      /* By rank, then by id: a radix sort that keeps the order of ids, and leaves digits out in
       * which all are the same. Uses the lines of the ready ops, which only the other order
       * needs. */
      guint n_nodes = self->in.n_nodes;
      guint64 *keys = self->lines;
      guint64 *sorted = self->late;
      guint32 count[N_DIGITS][N_VALUES];

      memset (count, 0, sizeof count);
      for (guint v = 0; v < n_nodes; v++)
        {
          keys[v] = key_make (sim_rank_of (priorities[v]), v);
          for (guint i = 0; i < N_DIGITS; i++)
            count[i][digit_of (keys[v], i)]++;
        }
      for (guint i = 0; i < N_DIGITS; i++)
        {
          guint64 *swap = keys;
          guint32 sum = 0;

          if (count[i][digit_of (keys[0], i)] == n_nodes)
            continue;
          for (guint value = 0; value < N_VALUES; value++)
            {
              guint32 here = count[i][value];

              count[i][value] = sum;
              sum += here;
            }
          for (guint j = 0; j < n_nodes; j++)
            sorted[count[i][digit_of (keys[j], i)]++] = keys[j];
          keys = sorted;
          sorted = swap;
        }
      for (guint j = 0; j < n_nodes; j++)
        ranked[j] = key_id (keys[j]);
    }

  memset (n_placed, 0, self->n_devices * sizeof *n_placed);
  for (guint i = 0; i < self->in.n_nodes; i++)
    {
      guint32 v = ranked[i];
      GobanDeviceId d = self->device[v];

      self->nodes[v].place = n_placed[d]++;
      self->node_at[self->first_ready[d] + self->nodes[v].place] = v;
    }
}

static void
lay_out_nodes (GobanSimulator *self)
{
  guint32 *first_ready = self->first_ready;

  memset (first_ready, 0, (self->n_devices + 1) * sizeof *first_ready);
  for (guint d = 0; d < self->n_devices; d++)
    self->device_load[d] = self->device_work_us[d] = 0;

  for (guint v = 0; v < self->in.n_nodes; v++)
    {
      SimNode *node = &self->nodes[v];
      GobanDeviceId d = self->device[v];

      node->duration_us = self->in.time_us[(gsize) v * self->in.n_columns + self->in.column[d]];
      node->missing = self->in.first_input[v + 1] - self->in.first_input[v];
      self->device_load[d] += self->in.param_bytes[v];
      self->device_work_us[d] += node->duration_us;
      first_ready[d + 1]++;
    }
  for (guint d = 0; d < self->n_devices; d++)
    first_ready[d + 1] += first_ready[d];
}

/* Arrays that the layout reads and writes for every edge. A local of one function, so that the
 * compiler may keep it in registers, which it may not do with fields of the simulator. */
typedef struct
{
  const GobanDeviceId *device;
  const guint32 *head;
  const gint32 *priorities;
  const double *size_bytes;
  const double *latency_us;
  const double *bytes_per_us;
  guint n_devices;
  guint32 *near;
  guint32 *far;
  SimMove *moves;
  guint32 *move_rank;
  guint32 *move_tensor;
  guint32 *lane_moves;
  guint32 *count; /* (n_devices + 1) scratch */
  guint32 *edges; /* (n_edges) scratch */
  guint32 n_near;
  guint32 n_far;
  guint32 n_moves;
} Layout;

#define INLINED static inline __attribute__ ((always_inline))

/* Consumers are sorted by this: those at home first, then by device. */
INLINED guint32
place_of (const Layout *layout, guint32 edge, GobanDeviceId home)
{
  GobanDeviceId d = layout->device[layout->head[edge]];

  return d == home ? 0 : d + 1u;
}

/* Both sorts are stable and write the n edges from @first on, sorted, to the scratch edges. */
static void
sort_few (Layout layout, guint32 first, guint32 n, GobanDeviceId home)
{
  guint32 places[16];

  for (guint32 i = 0; i < n; i++)
    {
      guint32 place = place_of (&layout, first + i, home);
      guint32 j = i;

      for (; j > 0 && places[j - 1] > place; j--)
        {
          layout.edges[j] = layout.edges[j - 1];
          places[j] = places[j - 1];
        }
      layout.edges[j] = first + i;
      places[j] = place;
    }
}

static void
sort_many (Layout layout, guint32 first, guint32 n, GobanDeviceId home)
{
  guint32 sum = 0;

  memset (layout.count, 0, (layout.n_devices + 1) * sizeof *layout.count);
  for (guint32 e = first; e < first + n; e++)
    layout.count[place_of (&layout, e, home)]++;
  for (guint d = 0; d <= layout.n_devices; d++)
    {
      guint32 here = layout.count[d];

      layout.count[d] = sum;
      sum += here;
    }
  for (guint32 e = first; e < first + n; e++)
    layout.edges[layout.count[place_of (&layout, e, home)]++] = e;
}

/* Writes every consumer down both ways and keeps the valid one: whether it is near, and whether it
 * begins a new move, are coin tosses that a processor cannot predict. @here is the device of the
 * consumer before. */
INLINED GobanDeviceId
lay_out_consumer (Layout *layout, guint32 tensor, guint32 head, GobanDeviceId home,
                  GobanDeviceId here)
{
  GobanDeviceId d = layout->device[head];
  guint lane = home * layout->n_devices + d;
  guint32 is_far = d != home;
  guint32 is_new = is_far & (d != here);
  guint32 m = layout->n_moves;
  /* All bits set, which is last, if it does not count. */
  guint32 rank = sim_rank_of (layout->priorities[head]) | (is_far - 1);
  guint32 rank_so_far;

  layout->near[layout->n_near] = head;
  layout->n_near += !is_far;

  layout->moves[m] = (SimMove){
    .duration_us
    = layout->latency_us[lane] + layout->size_bytes[tensor] / layout->bytes_per_us[lane],
    .first_far = layout->n_far,
    .from = home,
    .to = d,
  };
  layout->move_tensor[m] = tensor;
  layout->n_moves = m += is_new;
  layout->lane_moves[lane] += is_new;

  /* Slot 0 belongs to no move: near consumers before the first end up there. */
  rank_so_far = layout->move_rank[m] | -is_new;
  layout->move_rank[m] = MIN (rank, rank_so_far);
  layout->far[layout->n_far] = head;
  layout->n_far += is_far;
  return d;
}

INLINED void
lay_out_tensor (Layout *layout, guint32 tensor, guint32 first, guint32 n, GobanDeviceId home)
{
  GobanDeviceId here = home;

  if (n <= 2)
    {
      /* Most tensors; and of two it is a toss which goes first. */
      guint32 swap = n == 2 && place_of (layout, first, home) > place_of (layout, first + 1, home);

      for (guint32 i = 0; i < n; i++)
        here = lay_out_consumer (layout, tensor, layout->head[first + (i ^ swap)], home, here);
      return;
    }
  if (n <= 16)
    sort_few (*layout, first, n, home);
  else
    sort_many (*layout, first, n, home);
  for (guint32 i = 0; i < n; i++)
    here = lay_out_consumer (layout, tensor, layout->head[layout->edges[i]], home, here);
}

static Layout
begin_layout (GobanSimulator *self, const gint32 *priorities)
{
  return (Layout){
    .device = self->device,
    .head = self->in.edge_head,
    .priorities = priorities,
    .size_bytes = self->in.size_bytes,
    .latency_us = self->lane_latency_us,
    .bytes_per_us = self->lane_bytes_per_us,
    .n_devices = self->n_devices,
    .near = self->near,
    .far = self->far,
    .moves = self->moves,
    .move_rank = self->move_rank,
    .move_tensor = self->move_tensor,
    .lane_moves = self->lane_moves,
    .count = self->device_count,
    .edges = self->scratch,
  };
}

INLINED void
lay_out_outputs (Layout *layout, const SimTables *in, guint32 v, SimOutput *output)
{
  output->first_near = layout->n_near;
  output->first_move = layout->n_moves;
  for (guint32 t = in->first_tensor[v]; t < in->first_tensor[v + 1]; t++)
    lay_out_tensor (layout, t, in->first_edge[t], in->first_edge[t + 1] - in->first_edge[t],
                    layout->device[v]);
  output->end_near = layout->n_near;
  output->end_move = layout->n_moves;
}

/* Times that came with the graph go by tensor. */
static void
give_durations (GobanSimulator *self, guint32 first, guint32 end)
{
  for (guint32 m = first; m < end; m++)
    self->moves[m].duration_us
        = goban_cost_model_transfer_us (self->costs, sim_source_of (self, self->move_tensor[m]),
                                        self->moves[m].from, self->moves[m].to);
}

/* Finds the devices that could overflow: those without room for their parameters and as much
 * more. */
static gboolean
find_tight (GobanSimulator *self, double more_bytes)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);
  gboolean any = FALSE;

  for (guint d = 0; d < self->n_devices; d++)
    {
      self->accounts[d]
          = self->device_load[d] + more_bytes > goban_cluster_get_device (cluster, d)->memory_bytes;
      any |= self->accounts[d];
    }
  return any;
}

/* No device can overflow that has room for its parameters and every tensor there is or, which takes
 * longer to compute, every tensor that is made there or arrives. Worth it: accounting for memory is
 * half of the time at a million nodes. */
static gboolean
could_overflow (GobanSimulator *self)
{
  if (!find_tight (self, self->in.tensors_bytes))
    return FALSE;
  for (guint v = 0; v < self->in.n_nodes; v++)
    self->device_load[self->device[v]] += self->in.output_bytes[v];
  for (guint32 m = 0; m < self->n_moves; m++)
    self->device_load[self->moves[m].to] += self->in.tensor_bytes[self->move_tensor[m]];
  return find_tight (self, 0);
}

void
sim_layout_lanes (GobanSimulator *self)
{
  guint n_pairs = self->n_devices * self->n_devices;

  self->first_wait[0] = 0;
  for (guint i = 0; i < n_pairs; i++)
    self->first_wait[i + 1] = self->first_wait[i] + self->lane_moves[i];
}

void
sim_layout_plan (GobanSimulator *self, const GobanPlan *plan, gboolean account)
{
  const gint32 *priorities;
  const gint32 *transfer_priorities = goban_plan_get_transfer_priorities (plan);
  gsize n_pairs = (gsize) self->n_devices * self->n_devices;

  self->slots.is_laid_out = FALSE;
  self->order = goban_plan_get_order (plan);
  sim_fused_use (self, plan);
  self->device = self->fused.ops != NULL ? self->fused.ops->device : goban_plan_get_devices (plan);
  priorities
      = self->fused.ops != NULL ? self->fused.ops->priority : goban_plan_get_priorities (plan);
  lay_out_nodes (self);
  if (self->order == GOBAN_ORDER_PRIORITY)
    sim_rank_nodes (self, priorities);

  memset (self->lane_moves, 0, n_pairs * sizeof *self->lane_moves);

  Layout layout = begin_layout (self, priorities);
  SimTables in = self->in;
  SimOutput *outputs = self->outputs;

  for (guint v = 0; v < in.n_nodes; v++)
    lay_out_outputs (&layout, &in, v, &outputs[v]);
  self->moves[layout.n_moves].first_far = layout.n_far;
  self->n_moves = layout.n_moves;

  sim_layout_lanes (self);
  if (self->has_given_moves)
    give_durations (self, 0, self->n_moves);
  if (transfer_priorities != NULL)
    {
      /* The plan's own transfer priorities are per tensor, for all its readers. */
      for (guint32 m = 0; m < self->n_moves; m++)
        self->move_rank[m + 1]
            = sim_rank_of (transfer_priorities[sim_source_of (self, self->move_tensor[m])]);
    }

  self->must_account = account || could_overflow (self);
  if (account)
    memset (self->accounts, TRUE, self->n_devices);
  if (self->must_account)
    {
      /* Gives every input its holding and counts who will release each. device_count is a map
       * from device to the tensor's move there. */
      guint32 m = 0;

      memset (self->live, 0, (self->in.n_tensors + (gsize) self->n_moves) * sizeof *self->live);
      for (guint32 t = 0; t < self->in.n_tensors; t++)
        {
          GobanDeviceId home = self->device[self->in.tensor_node[t]];

          for (; m < self->n_moves && self->move_tensor[m] == t; m++)
            {
              self->device_count[self->moves[m].to] = m;
              self->live[t]++;
            }
          for (guint32 e = self->in.first_edge[t]; e < self->in.first_edge[t + 1]; e++)
            {
              GobanDeviceId d = self->device[self->in.edge_head[e]];
              guint32 holding = d == home ? t : self->in.n_tensors + self->device_count[d];

              self->input_holding[self->in.edge_input[e]] = holding;
              self->live[holding]++;
            }
        }
    }
}

/* --- by slots ---------------------------------------------------------------------------- */

/* First slot of a node's consumers; its moves begin as many slots later as there are nodes
 * before. */
static guint32
first_slot (const SimTables *in, guint32 v)
{
  return in->first_edge[in->first_tensor[v]];
}

/* The slot after the last move marks the end of its consumers. */
INLINED void
lay_out_slot (Layout *layout, const SimTables *in, guint32 v, SimOutput *output)
{
  layout->n_near = layout->n_far = first_slot (in, v);
  layout->n_moves = first_slot (in, v) + v;
  lay_out_outputs (layout, in, v, output);
  layout->moves[layout->n_moves].first_far = layout->n_far;
}

void
sim_layout_slots (GobanSimulator *self, const gint32 *priorities)
{
  gsize n_pairs = (gsize) self->n_devices * self->n_devices;
  Layout layout = begin_layout (self, priorities);
  SimTables in = self->in;

  lay_out_nodes (self);
  if (self->order == GOBAN_ORDER_PRIORITY)
    sim_rank_nodes (self, priorities);
  memset (self->lane_moves, 0, n_pairs * sizeof *self->lane_moves);
  for (guint v = 0; v < in.n_nodes; v++)
    {
      lay_out_slot (&layout, &in, v, &self->outputs[v]);
      if (self->has_given_moves)
        give_durations (self, self->outputs[v].first_move, self->outputs[v].end_move);
    }
}

void
sim_layout_slot (GobanSimulator *self, const gint32 *priorities, guint32 v)
{
  Layout layout = begin_layout (self, priorities);
  SimOutput *output = &self->outputs[v];

  for (guint32 m = output->first_move; m < output->end_move; m++)
    self->lane_moves[self->moves[m].from * self->n_devices + self->moves[m].to]--;
  lay_out_slot (&layout, &self->in, v, output);
  if (self->has_given_moves)
    give_durations (self, output->first_move, output->end_move);
}
