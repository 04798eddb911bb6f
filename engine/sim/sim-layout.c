#include "engine/sim/simulator-private.h"

#include <string.h>

/* Maps priorities to ranks that ascend where priorities descend. */
static guint32
rank_of (gint32 priority)
{
  return ~((guint32) priority ^ G_GUINT32_CONSTANT (0x80000000));
}

static void
lay_out_nodes (GobanSimulator *self, const GobanPlan *plan)
{
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  const gint32 *priorities = goban_plan_get_priorities (plan);
  guint32 *first_ready = self->first_ready;

  memset (first_ready, 0, (self->n_devices + 1) * sizeof *first_ready);
  for (guint d = 0; d < self->n_devices; d++)
    self->device_load[d] = 0;

  for (guint v = 0; v < self->n_nodes; v++)
    {
      SimNode *node = &self->nodes[v];
      GobanDeviceId d = devices[v];

      node->device = d;
      node->duration_us = self->time_us[(gsize) v * self->n_classes + self->device_class[d]];
      node->missing = self->first_input[v + 1] - self->first_input[v];
      node->rank = rank_of (priorities[v]);
      self->device_load[d] += self->param_bytes[v];
      first_ready[d + 1]++;
    }
  for (guint d = 0; d < self->n_devices; d++)
    first_ready[d + 1] += first_ready[d];
}

/* Consumers are sorted by this: the home first, then by device. */
static inline guint32
place_of (const GobanSimulator *self, guint32 edge, GobanDeviceId home)
{
  GobanDeviceId d = self->nodes[self->edge_head[edge]].device;

  return d == home ? 0 : d + 1u;
}

/* Both sorts are stable and write the n edges from @first on, sorted, to @edges. */
static inline void
sort_few (const GobanSimulator *self, guint32 *edges, guint32 first, guint32 n, GobanDeviceId home)
{
  for (guint32 i = 0; i < n; i++)
    {
      guint32 place = place_of (self, first + i, home);
      guint32 j = i;

      for (; j > 0 && place_of (self, edges[j - 1], home) > place; j--)
        edges[j] = edges[j - 1];
      edges[j] = first + i;
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

static SimCopy *
add_copy (GobanSimulator *self, guint32 tensor, guint32 first_consumer, guint32 home)
{
  SimCopy *copy = &self->copies[self->n_copies++];

  copy->tensor = tensor;
  copy->first_consumer = first_consumer;
  copy->live = 0;
  copy->home = home;
  self->copy_rank[self->n_copies - 1] = G_MAXUINT32;
  return copy;
}

/* The copies of a tensor: its home, and one per other device with a consumer. */
static void
lay_out_tensor (GobanSimulator *self, guint32 tensor, GobanDeviceId home_device)
{
  guint32 first = self->first_edge[tensor];
  guint32 n = self->first_edge[tensor + 1] - first;
  guint32 home = self->n_copies;
  guint32 *edges = self->scratch;
  SimCopy *copy = add_copy (self, tensor, first, home);

  copy->from = copy->device = home_device;
  self->device_load[home_device] += self->tensor_bytes[tensor];

  if (n <= 16)
    sort_few (self, edges, first, n, home_device);
  else
    sort_many (self, edges, first, n, home_device);

  for (guint32 i = 0; i < n; i++)
    {
      guint32 head = self->edge_head[edges[i]];
      const SimNode *node = &self->nodes[head];

      if (node->device != copy->device)
        {
          copy = add_copy (self, tensor, first + i, home);
          copy->from = home_device;
          copy->device = node->device;
          self->copies[home].live++;
          self->device_load[node->device] += self->tensor_bytes[tensor];
          if (!self->is_contention_free)
            self->first_wait[home_device * self->n_devices + node->device + 1]++;
        }
      copy->live++;
      self->copy_rank[self->n_copies - 1] = MIN (self->copy_rank[self->n_copies - 1], node->rank);
      self->consumer[first + i] = head;
      self->input_copy[self->edge_input[edges[i]]] = self->n_copies - 1;
    }
}

void
sim_layout_plan (GobanSimulator *self, const GobanPlan *plan)
{
  gsize n_pairs = (gsize) self->n_devices * self->n_devices;
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  self->order = goban_plan_get_order (plan);
  self->n_copies = 0;
  lay_out_nodes (self, plan);

  if (!self->is_contention_free)
    memset (self->first_wait, 0, (n_pairs + 1) * sizeof *self->first_wait);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      self->nodes[v].first_copy = self->n_copies;
      for (guint32 t = self->first_tensor[v]; t < self->first_tensor[v + 1]; t++)
        lay_out_tensor (self, t, self->nodes[v].device);
    }
  self->nodes[self->n_nodes].first_copy = self->n_copies;
  self->copies[self->n_copies].first_consumer = self->n_edges;
  if (!self->is_contention_free)
    for (gsize i = 0; i < n_pairs; i++)
      self->first_wait[i + 1] += self->first_wait[i];

  self->must_account = FALSE;
  for (guint d = 0; d < self->n_devices; d++)
    if (self->device_load[d] > goban_cluster_get_device (cluster, d)->memory_bytes)
      self->must_account = TRUE;
}
