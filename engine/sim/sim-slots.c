#include "engine/sim/simulator-private.h"

#include <string.h>

/* Number of nodes compared at once before single ones are. */
#define STRIDE 64

/* With a larger share of nodes that differ, all are laid out anew. */
#define MAX_SHARE 32

/* After as many plans in a row that have little in common, they are laid out without slots, which
 * is a tenth of a run faster, until two are alike again. */
#define MAX_FAR 2

/* With few nodes, even if that is most of them. */
#define MIN_CHANGES 8

/* Until sums of times are made anew; far fewer than could be noticed beside LIMIT_MARGIN of
 * sim-loop.c. */
#define MAX_CHANGES 65536

/* Sums of whole bytes up to here do not depend on their order. */
#define MAX_EXACT_BYTES 0x1p53

/* A node enters the ranking of a device before the op that has @place now, or leaves that place. */
typedef struct
{
  GobanDeviceId device;
  guint8 leaves;
  guint32 place;
  guint64 key; /* rank and node */
} SimTurn;

/* --- construction and disposal ----------------------------------------------------------- */

static gsize
count_holdings (const GobanSimulator *self)
{
  return (gsize) self->own.n_tensors + self->own.n_edges + self->own.n_nodes;
}

static double
sum_all_bytes (const GobanSimulator *self)
{
  double all_bytes = self->own.tensors_bytes;

  for (guint v = 0; v < self->own.n_nodes; v++)
    all_bytes += self->own.param_bytes[v];
  return all_bytes;
}

static gboolean
has_room_for_all (const GobanSimulator *self)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);
  double all_bytes = sum_all_bytes (self);

  for (guint d = 0; d < self->n_devices; d++)
    if (all_bytes > goban_cluster_get_device (cluster, d)->memory_bytes)
      return FALSE;
  return TRUE;
}

static void
init (GobanSimulator *self)
{
  SimSlots *slots = &self->slots;
  const SimTables *own = &self->own;

  slots->device = g_new (GobanDeviceId, own->n_nodes);
  slots->priority = g_new (gint32, own->n_nodes);
  slots->live = g_new0 (guint32, count_holdings (self));
  slots->made_bytes = g_new (double, self->n_devices);
  slots->node_at = g_new (guint32, own->n_nodes);
  slots->input_node = g_new (guint32, own->n_edges);
  for (guint t = 0; t < own->n_tensors; t++)
    for (guint32 e = own->first_edge[t]; e < own->first_edge[t + 1]; e++)
      slots->input_node[own->edge_input[e]] = own->tensor_node[t];
  slots->has_room = has_room_for_all (self);
  slots->is_exact = sum_all_bytes (self) <= MAX_EXACT_BYTES;
  slots->changed = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  slots->again = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  slots->turns = g_array_new (FALSE, FALSE, sizeof (SimTurn));
  slots->mark = g_new0 (guint32, own->n_nodes);
}

void
sim_slots_clear (SimSlots *self)
{
  g_free (self->device);
  g_free (self->priority);
  g_free (self->live);
  g_free (self->made_bytes);
  g_free (self->node_at);
  g_free (self->input_node);
  g_clear_pointer (&self->changed, g_array_unref);
  g_clear_pointer (&self->again, g_array_unref);
  g_clear_pointer (&self->turns, g_array_unref);
  g_free (self->mark);
}

/* --- memory ------------------------------------------------------------------------------ */

/* Adds to the memory of devices, with @sign, the needs of the node's tensors and moves. Sums of
 * whole bytes are exact. */
static void
count_made (GobanSimulator *self, guint32 v, double sign)
{
  const SimOutput *output = &self->outputs[v];

  self->slots.made_bytes[self->device[v]] += sign * self->own.output_bytes[v];
  for (guint32 m = output->first_move; m < output->end_move; m++)
    self->slots.made_bytes[self->moves[m].to]
        += sign * self->own.tensor_bytes[self->move_tensor[m]];
}

/* Gives every input that the node makes its holding, and counts who will release each. */
static void
lay_out_holdings (GobanSimulator *self, guint32 v)
{
  const SimTables *own = &self->own;
  guint32 *live = self->slots.live;
  guint32 m = self->outputs[v].first_move;
  GobanDeviceId home = self->device[v];

  for (guint32 t = own->first_tensor[v]; t < own->first_tensor[v + 1]; t++)
    {
      live[t] = 0;
      for (; m < self->outputs[v].end_move && self->move_tensor[m] == t; m++)
        {
          self->device_count[self->moves[m].to] = m;
          live[own->n_tensors + m] = 0;
          live[t]++;
        }
      for (guint32 e = own->first_edge[t]; e < own->first_edge[t + 1]; e++)
        {
          GobanDeviceId d = self->device[own->edge_head[e]];
          guint32 holding = d == home ? t : own->n_tensors + self->device_count[d];

          self->input_holding[own->edge_input[e]] = holding;
          live[holding]++;
        }
    }
}

/* Finds the devices that could overflow. */
static gboolean
find_tight (GobanSimulator *self)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);
  gboolean any = FALSE;

  for (guint d = 0; d < self->n_devices; d++)
    {
      double made_bytes = MIN (self->own.tensors_bytes, self->slots.made_bytes[d]);

      self->accounts[d]
          = self->device_load[d] + made_bytes > goban_cluster_get_device (cluster, d)->memory_bytes;
      any |= self->accounts[d];
    }
  return any;
}

/* --- differences ------------------------------------------------------------------------- */

/* FALSE if there are too many. */
static gboolean
find_changed (SimSlots *self, const GobanPlan *plan, guint n_nodes)
{
  /* First in first out, priorities have no say. */
  gboolean is_ranked = self->order == GOBAN_ORDER_PRIORITY;
  const GobanDeviceId *device = goban_plan_get_devices (plan);
  const gint32 *priority = goban_plan_get_priorities (plan);

  g_array_set_size (self->changed, 0);
  for (guint first = 0; first < n_nodes; first += STRIDE)
    {
      guint n = MIN (STRIDE, n_nodes - first);

      if (memcmp (device + first, self->device + first, n * sizeof *device) == 0
          && (!is_ranked
              || memcmp (priority + first, self->priority + first, n * sizeof *priority) == 0))
        continue;
      for (guint v = first; v < first + n; v++)
        if (device[v] != self->device[v] || (is_ranked && priority[v] != self->priority[v]))
          g_array_append_val (self->changed, v);
      if (self->changed->len > MAX (n_nodes / MAX_SHARE, MIN_CHANGES))
        return FALSE;
    }
  return TRUE;
}

static void
add_again (SimSlots *self, GobanNodeId v)
{
  if (self->mark[v] == self->n_marks)
    return;
  self->mark[v] = self->n_marks;
  g_array_append_val (self->again, v);
}

/* Nodes whose tensors go elsewhere, or move with another rank. */
static void
find_again (GobanSimulator *self, const GobanPlan *plan)
{
  SimSlots *slots = &self->slots;

  g_array_set_size (slots->again, 0);
  if (++slots->n_marks == 0)
    {
      memset (slots->mark, 0, self->own.n_nodes * sizeof *slots->mark);
      slots->n_marks = 1;
    }
  for (guint i = 0; i < slots->changed->len; i++)
    {
      GobanNodeId v = g_array_index (slots->changed, GobanNodeId, i);

      if (goban_plan_get_devices (plan)[v] != slots->device[v])
        add_again (slots, v);
      for (guint32 k = self->own.first_input[v]; k < self->own.first_input[v + 1]; k++)
        add_again (slots, slots->input_node[k]);
    }
}

/* --- rankings ---------------------------------------------------------------------------- */

/* How many ops of the device come before the key. */
static guint32
find_place (const GobanSimulator *self, GobanDeviceId d, guint64 key)
{
  const guint32 *node_at = self->node_at + self->first_ready[d];
  guint32 low = 0;
  guint32 high = self->first_ready[d + 1] - self->first_ready[d];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      guint32 v = node_at[middle];

      if (key_make (sim_rank_of (self->slots.priority[v]), v) < key)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const SimTurn *x = a;
  const SimTurn *y = b;

  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (x->leaves != y->leaves)
    return x->leaves < y->leaves ? -1 : 1;
  return (x->key > y->key) - (x->key < y->key);
}

/* By the ranking as it stands. */
static void
find_turns (GobanSimulator *self, const GobanPlan *plan)
{
  SimSlots *slots = &self->slots;

  g_array_set_size (slots->turns, 0);
  for (guint i = 0; i < slots->changed->len; i++)
    {
      GobanNodeId v = g_array_index (slots->changed, GobanNodeId, i);
      GobanDeviceId to = goban_plan_get_devices (plan)[v];
      guint64 key = key_make (sim_rank_of (goban_plan_get_priorities (plan)[v]), v);
      SimTurn out = { slots->device[v], TRUE, self->nodes[v].place, 0 };
      SimTurn in = { to, FALSE, find_place (self, to, key), key };

      g_array_append_val (slots->turns, out);
      g_array_append_val (slots->turns, in);
    }
  g_array_sort (slots->turns, compare_turns);
}

/* Ops that keep their order: places from @first to @end go on after @place. */
static guint32
copy_places (GobanSimulator *self, const guint32 *from, guint32 first, guint32 end, guint32 *to,
             guint32 place)
{
  memcpy (to + place, from + first, (end - first) * sizeof *to);
  if (place != first)
    for (guint32 i = 0; i < end - first; i++)
      self->nodes[to[place + i]].place = place + i;
  return place + end - first;
}

/* Returns the first turn of the next device. */
static guint
rank_device (GobanSimulator *self, GobanDeviceId d, guint turn, guint32 *to, guint32 *n_ops)
{
  const GArray *turns = self->slots.turns;
  const guint32 *from = self->node_at + self->first_ready[d];
  guint32 n_from = self->first_ready[d + 1] - self->first_ready[d];
  guint32 first = 0;
  guint32 place = 0;

  for (; turn < turns->len && g_array_index (turns, SimTurn, turn).device == d; turn++)
    {
      const SimTurn *here = &g_array_index (turns, SimTurn, turn);

      place = copy_places (self, from, first, here->place, to, place);
      first = here->place + here->leaves;
      if (here->leaves)
        continue;
      to[place] = key_id (here->key);
      self->nodes[to[place]].place = place;
      place++;
    }
  *n_ops = copy_places (self, from, first, n_from, to, place);
  return turn;
}

static void
rank_again (GobanSimulator *self)
{
  SimSlots *slots = &self->slots;
  guint32 *swap = self->node_at;
  guint32 first = 0;
  guint turn = 0;

  for (guint d = 0; d < self->n_devices; d++)
    {
      guint32 n_ops;

      turn = rank_device (self, (GobanDeviceId) d, turn, slots->node_at + first, &n_ops);
      /* The next device's old ops are from the old number on, which is still in place. */
      self->device_count[d] = first;
      first += n_ops;
    }
  memcpy (self->first_ready, self->device_count, self->n_devices * sizeof *self->first_ready);
  self->first_ready[self->n_devices] = first;
  self->node_at = slots->node_at;
  slots->node_at = swap;
}

/* --- layouts ----------------------------------------------------------------------------- */

static void
change_nodes (GobanSimulator *self, const GobanPlan *plan)
{
  SimSlots *slots = &self->slots;
  const SimTables *own = &self->own;

  for (guint i = 0; i < slots->changed->len; i++)
    {
      GobanNodeId v = g_array_index (slots->changed, GobanNodeId, i);
      GobanDeviceId to = goban_plan_get_devices (plan)[v];

      self->device_load[slots->device[v]] -= own->param_bytes[v];
      self->device_load[to] += own->param_bytes[v];
      self->device_work_us[slots->device[v]] -= self->nodes[v].duration_us;
      self->nodes[v].duration_us = own->time_us[(gsize) v * own->n_columns + own->column[to]];
      self->device_work_us[to] += self->nodes[v].duration_us;
      slots->device[v] = to;
      slots->priority[v] = goban_plan_get_priorities (plan)[v];
    }
  slots->n_changes += slots->changed->len;
  if (slots->n_changes > MAX_CHANGES)
    {
      /* The work of devices is a sum of fractions, which changes would wear out. */
      memset (self->device_work_us, 0, self->n_devices * sizeof *self->device_work_us);
      for (guint v = 0; v < self->own.n_nodes; v++)
        self->device_work_us[self->device[v]] += self->nodes[v].duration_us;
      self->slots.n_changes = 0;
    }
}

/* The layout of the plan before becomes that of this one. */
static void
change_layout (GobanSimulator *self, const GobanPlan *plan)
{
  SimSlots *slots = &self->slots;

  find_again (self, plan);
  for (guint i = 0; i < slots->again->len; i++)
    count_made (self, g_array_index (slots->again, GobanNodeId, i), -1);
  if (slots->order == GOBAN_ORDER_PRIORITY)
    {
      find_turns (self, plan);
      rank_again (self);
    }
  else
    {
      /* First in first out, only the numbers of ops count. */
      for (guint i = 0; i < self->slots.changed->len; i++)
        {
          GobanNodeId v = g_array_index (self->slots.changed, GobanNodeId, i);
          GobanDeviceId from = self->slots.device[v];
          GobanDeviceId to = goban_plan_get_devices (plan)[v];

          for (guint d = MIN (from, to) + 1u; d <= MAX (from, to); d++)
            self->first_ready[d] += from < to ? -1 : 1;
        }
    }
  change_nodes (self, plan);
  for (guint i = 0; i < slots->again->len; i++)
    {
      GobanNodeId v = g_array_index (slots->again, GobanNodeId, i);

      sim_layout_slot (self, slots->priority, v);
      count_made (self, v, 1);
      if (!slots->has_room)
        lay_out_holdings (self, v);
    }
}

static void
remember (SimSlots *self, const GobanPlan *plan, guint n_nodes)
{
  if (n_nodes > 0)
    {
      memcpy (self->device, goban_plan_get_devices (plan), n_nodes * sizeof *self->device);
      memcpy (self->priority, goban_plan_get_priorities (plan), n_nodes * sizeof *self->priority);
    }
  self->order = goban_plan_get_order (plan);
  self->is_known = TRUE;
  self->is_laid_out = FALSE;
}

/* Lays out the remembered plan. */
static void
begin_layout (GobanSimulator *self)
{
  SimSlots *slots = &self->slots;
  guint n_nodes = self->own.n_nodes;

  sim_layout_slots (self, slots->priority);
  memset (slots->made_bytes, 0, self->n_devices * sizeof *slots->made_bytes);
  for (guint v = 0; v < n_nodes; v++)
    count_made (self, v, 1);
  for (guint v = 0; v < n_nodes && !slots->has_room; v++)
    lay_out_holdings (self, v);
  slots->is_laid_out = TRUE;
  slots->n_changes = 0;
}

gboolean
sim_slots_use (GobanSimulator *self, const GobanPlan *plan)
{
  SimSlots *slots = &self->slots;
  gboolean is_near;

  if (goban_plan_is_fused (plan) || goban_plan_get_transfer_priorities (plan) != NULL)
    return FALSE;
  if (slots->device == NULL)
    init (self);
  if (!slots->is_exact)
    return FALSE;

  is_near = slots->is_known && slots->order == goban_plan_get_order (plan)
            && find_changed (slots, plan, self->own.n_nodes);
  slots->n_far = is_near ? 0 : slots->n_far + 1;
  if (slots->n_far > MAX_FAR)
    {
      remember (slots, plan, self->own.n_nodes);
      return FALSE;
    }
  self->order = goban_plan_get_order (plan);
  self->in = self->own;
  self->fused.ops = NULL;
  self->device = slots->device;
  if (is_near && slots->is_laid_out)
    change_layout (self, plan);
  else
    {
      remember (slots, plan, self->own.n_nodes);
      begin_layout (self);
    }
  sim_layout_lanes (self);
  self->must_account = !slots->has_room && find_tight (self);

  /* Counters that the previous run has decremented. */
  const guint32 *first_input = self->own.first_input;

  for (guint v = 0; v < self->own.n_nodes; v++)
    self->nodes[v].missing = first_input[v + 1] - first_input[v];
  if (self->must_account)
    memcpy (self->live, self->slots.live, count_holdings (self) * sizeof *self->live);

  return TRUE;
}
