#include <string.h>

#include "engine/sim/simulator-private.h"

/* --- reset ---------------------------------------------------------------- */

/* Resets the state to time 0 with nothing ready. O(n_devices^2), plus O(N) if memory
 * is accounted for. */
static void
sim_reset_run (GobanSimulator *self)
{
  memcpy (self->left_us, self->device_work_us, self->n_devices * sizeof *self->left_us);
  self->n_rounds = 0;
  self->now_us = 0;
  self->instant = 0;
  self->n_done = 0;
  self->end_us = 0;
  self->n_arrivals = 0;
  self->n_arrived = 0;
  sim_clock_reset (&self->clock);
  memset (self->dirty_devices, 0, self->n_words * sizeof (guint64));
  for (guint d = 0; d < self->n_devices; d++)
    self->running[d] = self->last_op[d] = SIM_NONE;

  guint64 *at = self->place_bits;

  memset (at, 0, self->n_place_bits * sizeof *at);
  for (guint d = 0; d < self->n_devices; d++)
    {
      guint32 first = self->first_ready[d];
      guint32 n_ops = self->first_ready[d + 1] - first;
      guint64 *places = at;
      guint64 *words = places + sim_places_n_words (n_ops, 0);
      guint64 *blocks = words + sim_places_n_words (n_ops, 1);

      at = blocks + sim_places_n_words (n_ops, 2);
      self->ready_at[d] = (SimPlaces){
        places, words, blocks, sim_places_n_words (n_ops, 2), SIM_NO_PLACE,
      };
      self->ready_line[d] = (SimLine){ self->lines + first, self->late + first, 0, 0, 0 };
    }

  if (!self->is_contention_free)
    {
      guint n = self->n_devices;
      guint n_links = goban_cluster_get_n_links (goban_cost_model_get_cluster (self->costs));

      for (guint d = 0; d < n; d++)
        {
          self->sending[d] = self->last_sent[d] = self->last_got[d] = SIM_NONE;
          self->free_senders[d / 64] |= G_GUINT64_CONSTANT (1) << d % 64;
          self->free_receivers[d / 64] |= G_GUINT64_CONSTANT (1) << d % 64;
        }
      for (guint l = 0; l < n_links; l++)
        self->link_holder[l] = self->link_last[l] = SIM_NONE;
      memset (self->n_waiting, 0, (gsize) n * n * sizeof *self->n_waiting);
      memset (self->dirty_senders, 0, self->n_words * sizeof (guint64));
      memset (self->link_blocked, 0, self->n_words * sizeof (guint64));
      memset (self->receivers_of, 0, (gsize) n * self->n_words * sizeof (guint64));
      memset (self->senders_of, 0, (gsize) n * self->n_words * sizeof (guint64));
    }

  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  for (guint d = 0; d < self->n_devices; d++)
    self->memory[d] = (SimMemory){
      .capacity_bytes = goban_cluster_get_device (cluster, d)->memory_bytes,
      .overflow_time_us = SIM_NEVER_US,
    };
  if (!self->must_account)
    return;
  for (guint v = 0; v < self->in.n_nodes; v++)
    self->memory[self->device[v]].level_bytes += self->in.param_bytes[v];
  for (guint d = 0; d < self->n_devices; d++)
    sim_count_level (&self->memory[d]);
}

/* How often it is asked whether the run can still end by its limit. */
#define ROUNDS_PER_QUESTION 256

/* As a share of the limit: more than sums of times can be wrong by. */
#define LIMIT_MARGIN 1e-9

/* Properties of a run that are known before it starts. The loop is compiled three times, and
 * constants of this remove what cannot happen; bare runs gain 4 % under random and up to 18 % under
 * blocked placement. Slower were: one code that finishes ops and sends alike, to spare the guess
 * which of them is due (5 %), and looking at all lanes of a sender without a branch (5 %). */
typedef struct
{
  guint n_words;    /* of a set of devices: one where there are at most 64 */
  gboolean is_bare; /* no record, no account of memory, no shared links */
} Form;

#define INLINED static inline __attribute__ ((always_inline))

INLINED gboolean
must_record (const GobanSimulator *self, Form form)
{
  return !form.is_bare && self->record != NULL;
}

INLINED gboolean
must_account (const GobanSimulator *self, Form form)
{
  return !form.is_bare && self->must_account;
}

INLINED gboolean
has_links (const GobanSimulator *self, Form form)
{
  return !form.is_bare && self->pair_links != NULL;
}

INLINED void
set_insert (guint64 *set, guint i, Form form)
{
  set[form.n_words == 1 ? 0 : i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
}

INLINED void
set_remove (guint64 *set, guint i, Form form)
{
  set[form.n_words == 1 ? 0 : i / 64] &= ~(G_GUINT64_CONSTANT (1) << i % 64);
}

INLINED gboolean
set_has (const guint64 *set, guint i, Form form)
{
  return set[form.n_words == 1 ? 0 : i / 64] >> i % 64 & 1;
}

/* --- memory ------------------------------------------------------------------------------ */

static inline void
count_level (GobanSimulator *self, GobanDeviceId d)
{
  sim_count_level (&self->memory[d]);
  if (self->record != NULL)
    sim_record_level (self->record->levels[d], &self->memory[d]);
}

static inline void
change_memory (GobanSimulator *self, GobanDeviceId d, double bytes)
{
  SimMemory *memory = &self->memory[d];

  if (!self->accounts[d])
    return;
  if (memory->time_us < self->now_us)
    {
      count_level (self, d);
      memory->time_us = self->now_us;
    }
  memory->level_bytes += bytes;
}

/* A consumer, or a move away from home, has finished with the tensor on the device. */
static inline void
release (GobanSimulator *self, guint32 holding, GobanDeviceId d)
{
  guint32 tensor = holding;

  if (!self->accounts[d] || --self->live[holding] > 0)
    return;
  if (holding >= self->in.n_tensors)
    tensor = self->move_tensor[holding - self->in.n_tensors];
  change_memory (self, d, -self->in.tensor_bytes[tensor]);
}

/* --- becoming ready ---------------------------------------------------------------------- */

INLINED void
make_ready (GobanSimulator *self, Form form, guint32 v)
{
  GobanDeviceId d = self->device[v];

  if (self->order == GOBAN_ORDER_FIFO)
    sim_line_add (&self->ready_line[d], key_make (self->instant, v));
  else
    sim_places_add (&self->ready_at[d], self->nodes[v].place);
  set_insert (self->dirty_devices, d, form);
  if (must_record (self, form))
    self->record->ops[v].ready_us = self->now_us;
}

INLINED void
deliver (GobanSimulator *self, Form form, const guint32 *consumers, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    if (--self->nodes[consumers[i]].missing == 0)
      make_ready (self, form, consumers[i]);
}

static inline void
record_move (GobanSimulator *self, guint32 m, double finish_us)
{
  SimRecord *record = self->record;

  record->moves[m].start_us = self->now_us;
  record->moves[m].finish_us = finish_us;
  record->order[record->n_moves++] = m;
}

/* Contention-free: a transfer starts when its producer finishes. */
INLINED void
move_at_once (GobanSimulator *self, Form form, guint32 m)
{
  const SimMove *move = &self->moves[m];
  double finish_us = self->now_us + move->duration_us;

  if (must_account (self, form))
    change_memory (self, move->to, self->in.tensor_bytes[self->move_tensor[m]]);
  if (finish_us == self->now_us)
    self->arrived[self->n_arrived++] = m;
  else
    arrival_heap_push (self->arrivals, &self->n_arrivals, (Arrival){ finish_us, m });
  if (must_record (self, form))
    {
      self->record->moves[m].ready_us = self->now_us;
      record_move (self, m, finish_us);
    }
}

INLINED void
queue_move (GobanSimulator *self, Form form, guint32 m)
{
  const SimMove *move = &self->moves[m];
  guint lane = move->from * self->n_devices + move->to;
  guint32 rank = self->order == GOBAN_ORDER_FIFO ? self->instant : self->move_rank[m + 1];

  key_heap_push (self->waiting + self->first_wait[lane], &self->n_waiting[lane],
                 key_make (rank, m));
  set_insert (self->receivers_of + (gsize) move->from * form.n_words, move->to, form);
  set_insert (self->senders_of + (gsize) move->to * form.n_words, move->from, form);
  set_insert (self->dirty_senders, move->from, form);
  if (must_record (self, form))
    self->record->moves[m].ready_us = self->now_us;
}

/* --- finishing --------------------------------------------------------------------------- */

INLINED void
finish_op (GobanSimulator *self, Form form, GobanDeviceId d)
{
  guint32 v = self->running[d];
  SimOutput output = self->outputs[v];

  self->running[d] = SIM_NONE;
  self->n_done++;
  self->end_us = self->now_us;
  set_insert (self->dirty_devices, d, form);

  deliver (self, form, self->near, output.first_near, output.end_near);
  if (self->is_contention_free)
    for (guint32 m = output.first_move; m < output.end_move; m++)
      move_at_once (self, form, m);
  else
    for (guint32 m = output.first_move; m < output.end_move; m++)
      queue_move (self, form, m);
  if (must_account (self, form) && self->accounts[d])
    {
      for (guint32 i = self->in.first_input[v]; i < self->in.first_input[v + 1]; i++)
        release (self, self->input_holding[i], d);
      for (guint32 t = self->in.first_tensor[v]; t < self->in.first_tensor[v + 1]; t++)
        if (self->live[t] == 0)
          change_memory (self, d, -self->in.tensor_bytes[t]);
    }
}

INLINED void
finish_move (GobanSimulator *self, Form form, guint32 m)
{
  deliver (self, form, self->far, self->moves[m].first_far, self->moves[m + 1].first_far);
  if (must_account (self, form))
    release (self, self->move_tensor[m], self->moves[m].from);
}

INLINED void
finish_send (GobanSimulator *self, Form form, GobanDeviceId from)
{
  guint32 m = self->sending[from];
  GobanDeviceId to = self->moves[m].to;
  const guint64 *senders = self->senders_of + (gsize) to * form.n_words;

  self->sending[from] = SIM_NONE;
  set_insert (self->free_senders, from, form);
  set_insert (self->free_receivers, to, form);
  set_insert (self->dirty_senders, from, form);
  for (guint w = 0; w < form.n_words; w++)
    self->dirty_senders[w] |= senders[w];

  if (has_links (self, form))
    {
      guint lane = from * self->n_devices + to;

      for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
        self->link_holder[self->pair_links[i]] = SIM_NONE;
      for (guint w = 0; w < form.n_words; w++)
        {
          self->dirty_senders[w] |= self->link_blocked[w];
          self->link_blocked[w] = 0;
        }
    }
  finish_move (self, form, m);
}

INLINED void
finish_slot (GobanSimulator *self, Form form, guint slot)
{
  if (slot < self->n_devices)
    finish_op (self, form, slot);
  else
    finish_send (self, form, slot - self->n_devices);
}

/* Transfers without duration that are sent by ops finishing now belong to the next round: so moves
 * first. Slots keep their time until the same round starts something in them or clears them. */
INLINED void
finish_due (GobanSimulator *self, Form form)
{
  guint32 n_arrived = self->n_arrived;
  guint n_due;

  self->n_arrived = 0;
  for (guint32 i = 0; i < n_arrived; i++)
    finish_move (self, form, self->arrived[i]);
  while (self->n_arrivals > 0 && self->arrivals[0].finish_us == self->now_us)
    finish_move (self, form, arrival_heap_pop (self->arrivals, &self->n_arrivals).move);

  if (form.n_words == 1 && self->clock.n_levels == 1)
    {
      for (guint set = sim_clock_match (self->clock.level[0], self->now_us); set != 0;
           set &= set - 1)
        finish_slot (self, form, __builtin_ctz (set));
      return;
    }
  n_due = sim_clock_find (&self->clock, self->now_us, self->due);
  for (guint i = 0; i < n_due; i++)
    finish_slot (self, form, self->due[i]);
}

/* --- starting ---------------------------------------------------------------------------- */

static inline void
prefetch_op (const GobanSimulator *self, guint32 v)
{
  __builtin_prefetch (&self->nodes[v]);
  __builtin_prefetch (&self->outputs[v]);
}

static inline gboolean
has_ready (const GobanSimulator *self, GobanDeviceId d)
{
  return self->order == GOBAN_ORDER_FIFO ? !sim_line_is_empty (&self->ready_line[d])
                                         : self->ready_at[d].first != SIM_NO_PLACE;
}

INLINED void
start_op (GobanSimulator *self, Form form, GobanDeviceId d)
{
  /* The next to start is known long before, and seldom in the cache. */
  const guint32 *node_at = self->node_at + self->first_ready[d];
  SimPlaces *ready = &self->ready_at[d];
  guint32 v;

  if (self->order == GOBAN_ORDER_FIFO)
    {
      SimLine *line = &self->ready_line[d];

      v = key_id (sim_line_take (line));
      if (line->head < line->tail)
        prefetch_op (self, key_id (line->line[line->head]));
    }
  else
    {
      v = node_at[sim_places_take (ready)];
      if (ready->first != SIM_NO_PLACE)
        prefetch_op (self, node_at[ready->first]);
    }

  double duration_us = self->nodes[v].duration_us;
  double finish_us = self->now_us + duration_us;
  SimOutput output = self->outputs[v];

  /* Addresses that its finish touches first. */
  __builtin_prefetch (&self->nodes[self->near[output.first_near]]);
  __builtin_prefetch (&self->moves[output.first_move]);
  __builtin_prefetch (&self->move_rank[output.first_move]);
  self->running[d] = v;
  self->left_us[d] -= duration_us;
  sim_clock_set (&self->clock, d, finish_us);
  if (must_account (self, form))
    change_memory (self, d, self->in.output_bytes[v]);
  if (must_record (self, form))
    {
      self->record->ops[v].start_us = self->now_us;
      self->record->ops[v].finish_us = finish_us;
      self->record->previous_op[v] = self->last_op[d];
      self->last_op[d] = v;
    }
}

INLINED void
start_ops (GobanSimulator *self, Form form)
{
  for (guint w = 0; w < form.n_words; w++)
    {
      guint64 dirty = self->dirty_devices[w];

      self->dirty_devices[w] = 0;
      for (; dirty != 0; dirty &= dirty - 1)
        {
          GobanDeviceId d = w * 64 + __builtin_ctzll (dirty);

          if (self->running[d] != SIM_NONE)
            continue;
          if (has_ready (self, d))
            start_op (self, form, d);
          else
            sim_clock_set (&self->clock, d, SIM_NEVER_US);
        }
    }
}

INLINED gboolean
links_are_free (const GobanSimulator *self, Form form, guint lane)
{
  if (!has_links (self, form))
    return TRUE;
  for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
    if (self->link_holder[self->pair_links[i]] != SIM_NONE)
      return FALSE;
  return TRUE;
}

/* The move that released, at this instant, a resource that @move needs. */
static guint32
find_blocker (const GobanSimulator *self, const SimMove *move)
{
  const GobanOpSpan *spans = self->record->moves;
  guint lane = move->from * self->n_devices + move->to;
  guint32 sent = self->last_sent[move->from];
  guint32 got = self->last_got[move->to];

  if (sent != SIM_NONE && spans[sent].finish_us == self->now_us)
    return sent;
  if (got != SIM_NONE && spans[got].finish_us == self->now_us)
    return got;
  if (self->pair_links != NULL)
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      {
        guint32 last = self->link_last[self->pair_links[i]];

        if (last != SIM_NONE && spans[last].finish_us == self->now_us)
          return last;
      }
  return SIM_NONE;
}

static void
record_channels (GobanSimulator *self, guint32 m, double finish_us)
{
  const SimMove *move = &self->moves[m];
  guint lane = move->from * self->n_devices + move->to;

  self->record->blocker[m] = find_blocker (self, move);
  record_move (self, m, finish_us);
  self->last_sent[move->from] = m;
  self->last_got[move->to] = m;
  if (self->pair_links != NULL)
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      self->link_last[self->pair_links[i]] = m;
}

/* The first of a lane's waiting moves takes its channels and links. */
INLINED void
start_move (GobanSimulator *self, Form form, guint lane)
{
  guint64 *waiting = self->waiting + self->first_wait[lane];
  guint32 m = key_id (key_heap_pop (waiting, &self->n_waiting[lane]));
  const SimMove *move = &self->moves[m];
  double finish_us = self->now_us + move->duration_us;

  if (self->n_waiting[lane] == 0)
    {
      set_remove (self->receivers_of + (gsize) move->from * form.n_words, move->to, form);
      set_remove (self->senders_of + (gsize) move->to * form.n_words, move->from, form);
    }
  __builtin_prefetch (&self->moves[key_id (waiting[0])]);
  __builtin_prefetch (&self->nodes[self->far[move->first_far]]);
  set_remove (self->free_senders, move->from, form);
  set_remove (self->free_receivers, move->to, form);
  self->sending[move->from] = m;
  if (has_links (self, form))
    for (guint32 i = self->first_pair_link[lane]; i < self->first_pair_link[lane + 1]; i++)
      self->link_holder[self->pair_links[i]] = m;
  sim_clock_set (&self->clock, self->n_devices + move->from, finish_us);
  if (must_account (self, form))
    change_memory (self, move->to, self->in.tensor_bytes[self->move_tensor[m]]);
  if (must_record (self, form))
    record_channels (self, m, finish_us);
}

/* Adds the first of each of the sender's lanes that could start now to the candidates, a heap. */
INLINED guint32
gather_candidates (GobanSimulator *self, Form form, guint from, guint32 n)
{
  const guint64 *receivers = self->receivers_of + (gsize) from * form.n_words;

  for (guint w = 0; w < form.n_words; w++)
    for (guint64 set = receivers[w] & self->free_receivers[w]; set != 0; set &= set - 1)
      {
        guint lane = from * self->n_devices + w * 64 + __builtin_ctzll (set);

        if (links_are_free (self, form, lane))
          key_heap_push (self->candidates, &n, self->waiting[self->first_wait[lane]]);
        else
          set_insert (self->link_blocked, from, form);
      }
  return n;
}

/* The first of all that wait in lanes of the sender which are free, or none (all bits set). */
INLINED guint64
find_candidate (GobanSimulator *self, Form form, guint from)
{
  const guint64 *receivers = self->receivers_of + (gsize) from * form.n_words;
  guint64 best = G_MAXUINT64;

  for (guint w = 0; w < form.n_words; w++)
    for (guint64 set = receivers[w] & self->free_receivers[w]; set != 0; set &= set - 1)
      {
        guint lane = from * self->n_devices + w * 64 + __builtin_ctzll (set);
        guint64 key = self->waiting[self->first_wait[lane]];

        if (links_are_free (self, form, lane))
          best = MIN (best, key);
        else
          set_insert (self->link_blocked, from, form);
      }
  return best;
}

/* Nothing could start when the last round was over. So only lanes of dirty senders can now:
 * those that gained a move, their channel, the channel of a receiver they want, or a link. */
INLINED void
start_moves (GobanSimulator *self, Form form)
{
  guint n_dirty = 0;
  guint from = 0;

  for (guint w = 0; w < form.n_words; w++)
    {
      self->dirty_senders[w] &= self->free_senders[w];
      for (guint64 set = self->dirty_senders[w]; set != 0; set &= set - 1)
        {
          from = w * 64 + __builtin_ctzll (set);
          sim_clock_set (&self->clock, self->n_devices + from, SIM_NEVER_US);
          n_dirty++;
        }
    }
  if (n_dirty == 1)
    {
      guint64 key = find_candidate (self, form, from);

      if (key != G_MAXUINT64)
        start_move (self, form, from * self->n_devices + self->moves[key_id (key)].to);
    }
  else if (n_dirty > 1)
    {
      /* Several senders may want one receiver or link: asks all their candidates in order. A
       * started move only takes things away, so one pass is enough, and a sender that has
       * started one has no other candidate. */
      guint32 n = 0;

      for (guint w = 0; w < form.n_words; w++)
        for (guint64 set = self->dirty_senders[w]; set != 0; set &= set - 1)
          n = gather_candidates (self, form, w * 64 + __builtin_ctzll (set), n);

      while (n > 0)
        {
          const SimMove *move = &self->moves[key_id (key_heap_pop (self->candidates, &n))];
          guint lane = move->from * self->n_devices + move->to;

          if (!set_has (self->free_senders, move->from, form)
              || !set_has (self->free_receivers, move->to, form))
            continue;
          if (links_are_free (self, form, lane))
            start_move (self, form, lane);
          else
            set_insert (self->link_blocked, move->from, form);
        }
    }
  if (n_dirty > 0)
    memset (self->dirty_senders, 0, form.n_words * sizeof (guint64));
}

/* --- the run ----------------------------------------------------------------------------- */

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

/* A device that still has to do more than there is time for. It is asked now and then, since a run
 * that is late is late for long. */
static gboolean
is_too_late (GobanSimulator *self)
{
  /* Sums of times in another order. */
  double limit_us = self->limit_us * (1 + LIMIT_MARGIN);

  self->n_rounds = 0;
  for (guint d = 0; d < self->n_devices; d++)
    {
      double free_us = self->running[d] != SIM_NONE ? self->clock.level[0][d] : self->now_us;

      if (free_us + self->left_us[d] > limit_us)
        return TRUE;
    }
  return FALSE;
}

/* FALSE if the run ends after the limit: something happens after it, so an op has yet to finish. */
static inline gboolean
may_go_on (GobanSimulator *self, double next_us)
{
  return next_us <= self->limit_us
         && (++self->n_rounds < ROUNDS_PER_QUESTION || !is_too_late (self));
}

INLINED void
run_all (GobanSimulator *self, Form form)
{
  double next_us;

  for (guint v = 0; v < self->in.n_nodes; v++)
    if (self->nodes[v].missing == 0)
      make_ready (self, form, v);
  start_ops (self, form);
  self->n_rounds = ROUNDS_PER_QUESTION;

  /* One turn is one round of an instant. */
  while ((next_us = next_event_us (self)) < SIM_NEVER_US && may_go_on (self, next_us))
    {
      if (next_us > self->now_us)
        {
          self->now_us = next_us;
          self->instant++;
        }
      finish_due (self, form);
      start_ops (self, form);
      if (!self->is_contention_free)
        start_moves (self, form);
    }
}

double
sim_loop_run (GobanSimulator *self)
{
  sim_reset_run (self);
  if (self->n_words > 1)
    run_all (self, (Form){ self->n_words, FALSE });
  else if (self->record != NULL || self->must_account || self->pair_links != NULL)
    run_all (self, (Form){ 1, FALSE });
  else
    run_all (self, (Form){ 1, TRUE });

  /* Stopped within an instant, when levels do not count yet. */
  if (next_event_us (self) < SIM_NEVER_US)
    return SIM_NEVER_US;
  for (guint d = 0; d < self->n_devices && self->must_account; d++)
    count_level (self, d);
  return self->n_done == self->in.n_nodes ? self->end_us : SIM_NEVER_US;
}
