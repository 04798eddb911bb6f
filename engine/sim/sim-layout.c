#include "engine/sim/simulator-private.h"

#include <string.h>

/* Maps priorities to ranks that ascend where priorities descend. */
static guint32
rank_of (gint32 priority)
{
  return ~((guint32) priority ^ 0x80000000u);
}

static void
lay_out_nodes (GobanSimulator *self, const GobanPlan *plan)
{
  const gint32 *priorities = goban_plan_get_priorities (plan);
  guint32 *first_ready = self->first_ready;

  memset (first_ready, 0, (self->n_devices + 1) * sizeof *first_ready);
  for (guint d = 0; d < self->n_devices; d++)
    self->device_load[d] = 0;

  for (guint v = 0; v < self->n_nodes; v++)
    {
      SimNode *node = &self->nodes[v];
      GobanDeviceId d = self->device[v];

      node->duration_us = self->time_us[(gsize) v * self->n_classes + self->device_class[d]];
      node->missing = self->first_input[v + 1] - self->first_input[v];
      node->rank = rank_of (priorities[v]);
      self->device_load[d] += self->param_bytes[v];
      first_ready[d + 1]++;
    }
  for (guint d = 0; d < self->n_devices; d++)
    first_ready[d + 1] += first_ready[d];
}

/* Consumers are sorted by this: those at home first, then by device. */
static inline guint32
place_of (const GobanSimulator *self, guint32 edge, GobanDeviceId home)
{
  GobanDeviceId d = self->device[self->edge_head[edge]];

  return d == home ? 0 : d + 1u;
}

/* Both sorts are stable and write the n edges from @first on, sorted, to @edges. */
static inline void
sort_few (const GobanSimulator *self, guint32 *edges, guint32 first, guint32 n, GobanDeviceId home)
{
  guint32 places[16];

  for (guint32 i = 0; i < n; i++)
    {
      guint32 place = place_of (self, first + i, home);
      guint32 j = i;

      for (; j > 0 && places[j - 1] > place; j--)
        {
          edges[j] = edges[j - 1];
          places[j] = places[j - 1];
        }
      edges[j] = first + i;
      places[j] = place;
    }
}

static void
sort_many (const GobanSimulator *self, guint32 *edges, guint32 first, guint32 n, GobanDeviceId home)
{
  guint32 *count = self->device_count;
  guint32 sum = 0;

  memset (count, 0, (self->n_devices + 1) * sizeof *count);
  for (guint32 e = first; e < first + n; e++)
    count[place_of (self, e, home)]++;
  for (guint d = 0; d <= self->n_devices; d++)
    {
      guint32 here = count[d];

      count[d] = sum;
      sum += here;
    }
  for (guint32 e = first; e < first + n; e++)
    edges[count[place_of (self, e, home)]++] = e;
}

/* Writes every consumer down both ways and keeps what holds: whether it is near, and whether
 * it begins a new move, are coin tosses that a processor cannot guess. @here and the counts
 * run on from consumer to consumer. */
static inline GobanDeviceId
lay_out_consumer (GobanSimulator *self, guint32 tensor, guint32 head, GobanDeviceId home,
                  GobanDeviceId here)
{
  GobanDeviceId d = self->device[head];
  guint lane = home * self->n_devices + d;
  guint32 is_far = d != home;
  guint32 is_new = is_far & (d != here);
  guint32 m = self->n_moves;
  guint32 rank = self->nodes[head].rank;
  guint32 rank_so_far;
  SimMove *move = &self->moves[m];

  self->near[self->n_near] = head;
  self->n_near += !is_far;

  move->duration_us
      = self->lane_latency_us[lane] + self->size_bytes[tensor] / self->lane_bytes_per_us[lane];
  move->first_far = self->n_far;
  move->from = home;
  move->to = d;
  self->move_tensor[m] = tensor;
  self->n_moves = m += is_new;
  self->first_wait[lane + 1] += is_new;

  /* Slot 0 belongs to no move: near consumers before the first end up there. */
  rank |= is_far - 1;
  rank_so_far = self->move_rank[m] | -is_new;
  self->move_rank[m] = MIN (rank, rank_so_far);
  self->far[self->n_far] = head;
  self->n_far += is_far;
  return d;
}

static inline void
lay_out_tensor (GobanSimulator *self, guint32 tensor, GobanDeviceId home)
{
  guint32 first = self->first_edge[tensor];
  guint32 n = self->first_edge[tensor + 1] - first;
  guint32 *edges = self->scratch;
  GobanDeviceId here = home;

  if (n <= 2)
    {
      /* Most tensors; and of two it is a toss which goes first. */
      guint32 swap = n == 2 && place_of (self, first, home) > place_of (self, first + 1, home);

      for (guint32 i = 0; i < n; i++)
        here = lay_out_consumer (self, tensor, self->edge_head[first + (i ^ swap)], home, here);
      return;
    }
  if (n <= 16)
    sort_few (self, edges, first, n, home);
  else
    sort_many (self, edges, first, n, home);
  for (guint32 i = 0; i < n; i++)
    here = lay_out_consumer (self, tensor, self->edge_head[edges[i]], home, here);
}

/* Times that came with the graph go by tensor. */
static void
give_durations (GobanSimulator *self)
{
  for (guint32 m = 0; m < self->n_moves; m++)
    self->moves[m].duration_us = goban_cost_model_transfer_us (
        self->costs, self->move_tensor[m], self->moves[m].from, self->moves[m].to);
}

/* Gives every input its holding and counts who will release each. device_count is a map
 * from device to the tensor's move there. */
static void
lay_out_memory (GobanSimulator *self)
{
  guint32 m = 0;

  memset (self->live, 0, (self->n_tensors + (gsize) self->n_moves) * sizeof *self->live);
  for (guint32 t = 0; t < self->n_tensors; t++)
    {
      GobanDeviceId home = self->device[self->tensor_node[t]];

      for (; m < self->n_moves && self->move_tensor[m] == t; m++)
        {
          self->device_count[self->moves[m].to] = m;
          self->live[t]++;
        }
      for (guint32 e = self->first_edge[t]; e < self->first_edge[t + 1]; e++)
        {
          GobanDeviceId d = self->device[self->edge_head[e]];
          guint32 holding = d == home ? t : self->n_tensors + self->device_count[d];

          self->input_holding[self->edge_input[e]] = holding;
          self->live[holding]++;
        }
    }
}

/* A device may overflow unless it has room for its parameters and every tensor there is. */
static gboolean
could_overflow (const GobanSimulator *self)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  for (guint d = 0; d < self->n_devices; d++)
    if (self->device_load[d] + self->tensors_bytes
        > goban_cluster_get_device (cluster, d)->memory_bytes)
      return TRUE;
  return FALSE;
}

void
sim_layout_plan (GobanSimulator *self, const GobanPlan *plan, gboolean account)
{
  gsize n_pairs = (gsize) self->n_devices * self->n_devices;

  self->order = goban_plan_get_order (plan);
  self->device = goban_plan_get_devices (plan);
  self->n_moves = self->n_near = self->n_far = 0;
  lay_out_nodes (self, plan);

  memset (self->first_wait, 0, (n_pairs + 1) * sizeof *self->first_wait);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      self->outputs[v] = (SimOutput){ self->n_near, self->n_moves };
      for (guint32 t = self->first_tensor[v]; t < self->first_tensor[v + 1]; t++)
        lay_out_tensor (self, t, self->device[v]);
    }
  self->outputs[self->n_nodes] = (SimOutput){ self->n_near, self->n_moves };
  self->moves[self->n_moves].first_far = self->n_far;
  for (gsize i = 0; i < n_pairs; i++)
    self->first_wait[i + 1] += self->first_wait[i];
  if (self->has_given_moves)
    give_durations (self);

  self->must_account = account || could_overflow (self);
  if (self->must_account)
    lay_out_memory (self);
}
