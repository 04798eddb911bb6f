#include "engine/sim/simulator-private.h"

#include <string.h>

static inline void
set_insert (guint64 *set, guint i)
{
  set[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
}

static inline void
set_remove (guint64 *set, guint i)
{
  set[i / 64] &= ~(G_GUINT64_CONSTANT (1) << i % 64);
}

static inline gboolean
set_has (const guint64 *set, guint i)
{
  return set[i / 64] >> i % 64 & 1;
}

/* --- memory ------------------------------------------------------------------------------ */

/* Time has moved on, so the level held for a while. */
static inline void
count_level (SimMemory *memory)
{
  if (memory->level_bytes > memory->peak_bytes)
    {
      memory->peak_bytes = memory->level_bytes;
      memory->peak_time_us = memory->time_us;
      if (memory->level_bytes > memory->capacity_bytes && memory->overflow_time_us == INFINITY)
        memory->overflow_time_us = memory->time_us;
    }
}

static inline void
change_memory (GobanSimulator *self, GobanDeviceId d, double bytes)
{
  SimMemory *memory = &self->memory[d];

  if (memory->time_us < self->now_us)
    {
      count_level (memory);
      memory->time_us = self->now_us;
    }
  memory->level_bytes += bytes;
}

/* A consumer, or a transfer from the home, has done with the copy. */
static inline void
release_copy (GobanSimulator *self, SimCopy *copy)
{
  if (--copy->live == 0)
    change_memory (self, copy->device, -self->tensor_bytes[copy->tensor]);
}

static void
reset_memory (GobanSimulator *self)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  for (guint d = 0; d < self->n_devices; d++)
    self->memory[d] = (SimMemory){
      .capacity_bytes = goban_cluster_get_device (cluster, d)->memory_bytes,
      .overflow_time_us = INFINITY,
    };
  if (!self->must_account)
    return;
  for (guint v = 0; v < self->n_nodes; v++)
    self->memory[self->nodes[v].device].level_bytes += self->param_bytes[v];
  for (guint d = 0; d < self->n_devices; d++)
    count_level (&self->memory[d]);
}

/* --- becoming ready ---------------------------------------------------------------------- */

static inline void
make_ready (GobanSimulator *self, guint32 v)
{
  const SimNode *node = &self->nodes[v];
  GobanDeviceId d = node->device;
  guint32 rank = self->order == GOBAN_ORDER_FIFO ? self->instant : node->rank;

  key_heap_push (self->ready + self->first_ready[d], &self->n_ready[d], key_make (rank, v));
  set_insert (self->dirty_devices, d);
  if (self->record != NULL)
    self->record->ops[v].ready_us = self->now_us;
}

static inline void
deliver (GobanSimulator *self, guint32 c)
{
  guint32 end = self->copies[c + 1].first_consumer;

  for (guint32 i = self->copies[c].first_consumer; i < end; i++)
    {
      guint32 v = self->consumer[i];

      if (--self->nodes[v].missing == 0)
        make_ready (self, v);
    }
}

static inline void
record_move_start (GobanSimulator *self, guint32 c, double finish_us)
{
  SimRecord *record = self->record;

  record->moves[c].start_us = self->now_us;
  record->moves[c].finish_us = finish_us;
  record->order[record->n_moves++] = c;
}

/* Contention-free: a transfer starts when its producer finishes. */
static inline void
move_at_once (GobanSimulator *self, guint32 c)
{
  const SimCopy *copy = &self->copies[c];
  double finish_us
      = self->now_us
        + goban_cost_model_transfer_us (self->costs, copy->tensor, copy->from, copy->device);

  if (self->must_account)
    change_memory (self, copy->device, self->tensor_bytes[copy->tensor]);
  if (finish_us == self->now_us)
    self->arrived[self->n_arrived++] = c;
  else
    arrival_heap_push (self->arrivals, &self->n_arrivals, (Arrival){ finish_us, c });
  if (self->record != NULL)
    {
      self->record->moves[c].ready_us = self->now_us;
      record_move_start (self, c, finish_us);
    }
}

static inline void
queue_move (GobanSimulator *self, guint32 c)
{
  const SimCopy *copy = &self->copies[c];
  guint lane = copy->from * self->n_devices + copy->device;
  guint32 rank = self->order == GOBAN_ORDER_FIFO ? self->instant : self->copy_rank[c];

  key_heap_push (self->waiting + self->first_wait[lane], &self->n_waiting[lane],
                 key_make (rank, c));
  set_insert (self->receivers_of + (gsize) copy->from * self->n_words, copy->device);
  set_insert (self->senders_of + (gsize) copy->device * self->n_words, copy->from);
  set_insert (self->dirty_senders, copy->from);
  if (self->record != NULL)
    self->record->moves[c].ready_us = self->now_us;
}

/* --- finishing --------------------------------------------------------------------------- */

static inline void
finish_op (GobanSimulator *self, GobanDeviceId d)
{
  guint32 v = self->running[d];
  guint32 end = self->nodes[v + 1].first_copy;

  self->running[d] = SIM_NONE;
  self->n_done++;
  self->end_us = self->now_us;
  set_insert (self->dirty_devices, d);

  for (guint32 c = self->nodes[v].first_copy; c < end; c++)
    if (self->copies[c].home == c)
      {
        deliver (self, c);
        if (self->must_account && self->copies[c].live == 0)
          change_memory (self, d, -self->tensor_bytes[self->copies[c].tensor]);
      }
    else if (self->is_contention_free)
      move_at_once (self, c);
    else
      queue_move (self, c);

  if (self->must_account)
    for (guint32 i = self->first_input[v]; i < self->first_input[v + 1]; i++)
      release_copy (self, &self->copies[self->input_copy[i]]);
}

static inline void
finish_move (GobanSimulator *self, guint32 c)
{
  deliver (self, c);
  if (self->must_account)
    release_copy (self, &self->copies[self->copies[c].home]);
}

static void
finish_send (GobanSimulator *self, GobanDeviceId from)
{
  guint32 c = self->sending[from];
  GobanDeviceId to = self->copies[c].device;
  const guint64 *senders = self->senders_of + (gsize) to * self->n_words;

  self->sending[from] = SIM_NONE;
  set_insert (self->free_senders, from);
  set_insert (self->free_receivers, to);
  set_insert (self->dirty_senders, from);
  for (guint w = 0; w < self->n_words; w++)
    self->dirty_senders[w] |= senders[w];

  if (self->pair_links != NULL)
    {
      guint lane = from * self->n_devices + to;

      for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
        self->link_holder[self->pair_links[i]] = SIM_NONE;
      for (guint w = 0; w < self->n_words; w++)
        {
          self->dirty_senders[w] |= self->link_blocked[w];
          self->link_blocked[w] = 0;
        }
    }
  finish_move (self, c);
}

/* What ops that finish now send off, and takes no time, is for the next round: so moves first. */
static void
finish_due (GobanSimulator *self)
{
  guint32 n_arrived = self->n_arrived;

  self->n_arrived = 0;
  for (guint32 i = 0; i < n_arrived; i++)
    finish_move (self, self->arrived[i]);
  while (self->n_arrivals > 0 && self->arrivals[0].finish_us == self->now_us)
    finish_move (self, arrival_heap_pop (self->arrivals, &self->n_arrivals).copy);

  while (sim_clock_next (&self->clock) == self->now_us)
    {
      guint slot = sim_clock_first (&self->clock);

      sim_clock_set (&self->clock, slot, INFINITY);
      if (slot < self->n_devices)
        finish_op (self, slot);
      else
        finish_send (self, slot - self->n_devices);
    }
}

/* --- starting ---------------------------------------------------------------------------- */

static inline void
start_op (GobanSimulator *self, GobanDeviceId d)
{
  guint32 v = key_id (key_heap_pop (self->ready + self->first_ready[d], &self->n_ready[d]));
  double finish_us = self->now_us + self->nodes[v].duration_us;

  self->running[d] = v;
  sim_clock_set (&self->clock, d, finish_us);
  if (self->must_account)
    change_memory (self, d, self->output_bytes[v]);
  if (self->record != NULL)
    {
      self->record->ops[v].start_us = self->now_us;
      self->record->ops[v].finish_us = finish_us;
      self->record->previous_op[v] = self->last_op[d];
      self->last_op[d] = v;
    }
}

static void
start_ops (GobanSimulator *self)
{
  for (guint w = 0; w < self->n_words; w++)
    {
      guint64 dirty = self->dirty_devices[w];

      self->dirty_devices[w] = 0;
      for (; dirty != 0; dirty &= dirty - 1)
        {
          GobanDeviceId d = w * 64 + __builtin_ctzll (dirty);

          if (self->running[d] == SIM_NONE && self->n_ready[d] > 0)
            start_op (self, d);
        }
    }
}

static gboolean
links_are_free (const GobanSimulator *self, guint lane)
{
  if (self->pair_links == NULL)
    return TRUE;
  for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
    if (self->link_holder[self->pair_links[i]] != SIM_NONE)
      return FALSE;
  return TRUE;
}

/* Whoever held something the transfer needs and has let go of it at this very instant. */
static guint32
find_blocker (const GobanSimulator *self, const SimCopy *copy)
{
  const GobanOpSpan *moves = self->record->moves;
  guint lane = copy->from * self->n_devices + copy->device;
  guint32 sent = self->last_sent[copy->from];
  guint32 got = self->last_got[copy->device];

  if (sent != SIM_NONE && moves[sent].finish_us == self->now_us)
    return sent;
  if (got != SIM_NONE && moves[got].finish_us == self->now_us)
    return got;
  if (self->pair_links != NULL)
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      {
        guint32 last = self->link_last[self->pair_links[i]];

        if (last != SIM_NONE && moves[last].finish_us == self->now_us)
          return last;
      }
  return SIM_NONE;
}

static void
record_channels (GobanSimulator *self, guint32 c, double finish_us)
{
  const SimCopy *copy = &self->copies[c];
  guint lane = copy->from * self->n_devices + copy->device;

  self->record->blocker[c] = find_blocker (self, copy);
  record_move_start (self, c, finish_us);
  self->last_sent[copy->from] = c;
  self->last_got[copy->device] = c;
  if (self->pair_links != NULL)
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      self->link_last[self->pair_links[i]] = c;
}

/* The first of a lane's waiting transfers takes its channels and links. */
static void
start_move (GobanSimulator *self, guint lane)
{
  guint32 c
      = key_id (key_heap_pop (self->waiting + self->first_wait[lane], &self->n_waiting[lane]));
  const SimCopy *copy = &self->copies[c];
  double finish_us
      = self->now_us
        + goban_cost_model_transfer_us (self->costs, copy->tensor, copy->from, copy->device);

  if (self->n_waiting[lane] == 0)
    {
      set_remove (self->receivers_of + (gsize) copy->from * self->n_words, copy->device);
      set_remove (self->senders_of + (gsize) copy->device * self->n_words, copy->from);
    }
  set_remove (self->free_senders, copy->from);
  set_remove (self->free_receivers, copy->device);
  self->sending[copy->from] = c;
  if (self->pair_links != NULL)
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      self->link_holder[self->pair_links[i]] = c;
  sim_clock_set (&self->clock, self->n_devices + copy->from, finish_us);
  if (self->must_account)
    change_memory (self, copy->device, self->tensor_bytes[copy->tensor]);
  if (self->record != NULL)
    record_channels (self, c, finish_us);
}

/* Adds the first of each of the sender's lanes that could start now to the candidates, a heap. */
static guint32
gather_candidates (GobanSimulator *self, guint from, guint32 n)
{
  const guint64 *receivers = self->receivers_of + (gsize) from * self->n_words;

  for (guint w = 0; w < self->n_words; w++)
    for (guint64 set = receivers[w] & self->free_receivers[w]; set != 0; set &= set - 1)
      {
        guint lane = from * self->n_devices + w * 64 + __builtin_ctzll (set);

        if (links_are_free (self, lane))
          key_heap_push (self->candidates, &n, self->waiting[self->first_wait[lane]]);
        else
          set_insert (self->link_blocked, from);
      }
  return n;
}

/* Nothing could start when the last round was over. So only lanes of dirty senders can now:
 * those that gained a transfer, their channel, the channel of a receiver they want, or a link.
 * A started transfer only takes things, so one pass in order is enough, and a sender that
 * has started one has no other candidate. */
static void
start_moves (GobanSimulator *self)
{
  guint32 n = 0;
  guint n_senders = 0;

  for (guint w = 0; w < self->n_words; w++)
    {
      guint64 dirty = self->dirty_senders[w] & self->free_senders[w];

      self->dirty_senders[w] = 0;
      for (; dirty != 0; dirty &= dirty - 1)
        {
          guint32 n_before = n;

          n = gather_candidates (self, w * 64 + __builtin_ctzll (dirty), n);
          n_senders += n > n_before;
        }
    }

  while (n > 0 && n_senders > 0)
    {
      const SimCopy *copy = &self->copies[key_id (key_heap_pop (self->candidates, &n))];
      guint lane = copy->from * self->n_devices + copy->device;

      if (!set_has (self->free_senders, copy->from) || !set_has (self->free_receivers, copy->device))
        continue;
      if (!links_are_free (self, lane))
        {
          set_insert (self->link_blocked, copy->from);
          continue;
        }
      start_move (self, lane);
      n_senders--;
    }
}

/* --- the run ----------------------------------------------------------------------------- */

static void
reset_channels (GobanSimulator *self)
{
  guint n = self->n_devices;
  guint n_links = goban_cluster_get_n_links (goban_cost_model_get_cluster (self->costs));

  for (guint d = 0; d < n; d++)
    {
      self->sending[d] = self->last_sent[d] = self->last_got[d] = SIM_NONE;
      set_insert (self->free_senders, d);
      set_insert (self->free_receivers, d);
    }
  for (guint l = 0; l < n_links; l++)
    self->link_holder[l] = self->link_last[l] = SIM_NONE;
  memset (self->n_waiting, 0, (gsize) n * n * sizeof *self->n_waiting);
  memset (self->dirty_senders, 0, self->n_words * sizeof (guint64));
  memset (self->link_blocked, 0, self->n_words * sizeof (guint64));
  memset (self->receivers_of, 0, (gsize) n * self->n_words * sizeof (guint64));
  memset (self->senders_of, 0, (gsize) n * self->n_words * sizeof (guint64));
}

static void
reset (GobanSimulator *self)
{
  self->now_us = 0;
  self->instant = 0;
  self->n_done = 0;
  self->end_us = 0;
  self->n_arrivals = 0;
  self->n_arrived = 0;
  sim_clock_reset (&self->clock);
  memset (self->dirty_devices, 0, self->n_words * sizeof (guint64));
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->n_ready[d] = 0;
      self->running[d] = self->last_op[d] = SIM_NONE;
    }
  if (!self->is_contention_free)
    reset_channels (self);
  reset_memory (self);
}

static inline double
next_event_us (const GobanSimulator *self)
{
  double next_us = sim_clock_next (&self->clock);

  if (self->n_arrived > 0)
    return self->now_us;
  if (self->n_arrivals > 0 && self->arrivals[0].finish_us < next_us)
    return self->arrivals[0].finish_us;
  return next_us;
}

double
sim_loop_run (GobanSimulator *self)
{
  double next_us;

  reset (self);
  for (guint v = 0; v < self->n_nodes; v++)
    if (self->nodes[v].missing == 0)
      make_ready (self, v);
  start_ops (self);

  /* One turn is one round of an instant. */
  while ((next_us = next_event_us (self)) < INFINITY)
    {
      if (next_us > self->now_us)
        {
          self->now_us = next_us;
          self->instant++;
        }
      finish_due (self);
      start_ops (self);
      if (!self->is_contention_free)
        start_moves (self);
    }

  for (guint d = 0; d < self->n_devices && self->must_account; d++)
    count_level (&self->memory[d]);
  return self->n_done == self->n_nodes ? self->end_us : INFINITY;
}
