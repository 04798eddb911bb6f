#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

#define WORDS(type) (sizeof (type) / sizeof (guint32))
#define MIN_WORDS 256
/* A moment has at most so many, without values in numbers that vary. */
#define MOST_WORDS (WORDS (Fact) + 20)
#define REFUSED_PARTS (PARTS (PART_SCORES) | PARTS (PART_REFUSALS) | PARTS (PART_ATTENDED))

/* A moment of a block, borrowed. */
typedef struct
{
  const Fact *fact;
  const guint32 *parts[N_PARTS]; /* (nullable) */
  const GobanNodeId *nodes;      /* (n_nodes) */
  guint n_nodes;
} Record;

/* --- blocks ---------------------------------------------------------------------------------- */

static guint
count_score_words (const Fact *fact)
{
  return fact->score == GOBAN_SCORE_PROBABILITY ? (fact->n_options + 1) / 2 : fact->n_options;
}

/* The words of the part that begins @at. */
static guint
count_part_words (const Fact *fact, Part part, const guint32 *at)
{
  switch (part)
    {
    case PART_NODES:
      return 1 + *at;
    case PART_CHANGES:
      return 1 + *at * WORDS (GobanDecisionChange);
    case PART_ATTENDED:
      return 1 + *at * WORDS (GobanAttended);
    case PART_SCORES:
      return count_score_words (fact);
    case PART_REFUSALS:
      return (fact->n_options + 3) / 4;
    case PART_BEFORE:
    case PART_AFTER:
    case PART_NOTE:
    case PART_TIMES:
      return 2;
    default:
      return 1;
    }
}

static void
grow (Block *self, guint n_words)
{
  if (self->n == self->n_room)
    {
      self->n_room = MAX (2 * self->n_room, 16);
      self->offsets = g_renew (guint32, self->offsets, self->n_room);
    }
  if (self->n_word_room < self->n_words + n_words)
    {
      self->n_word_room = MAX (2 * self->n_word_room, self->n_words + n_words + MIN_WORDS);
      self->words = g_renew (guint32, self->words, self->n_word_room);
    }
}

/* Begins a moment of at most so many words. */
static inline Fact *
begin_moment (Block *self, guint n_words)
{
  if (self->n == self->n_room || self->n_word_room < self->n_words + n_words)
    grow (self, n_words);
  self->offsets[self->n++] = self->n_words;
  return (Fact *) (gpointer) &self->words[self->n_words];
}

Block *
goban_block_new (const Block *like)
{
  Block *self = g_new0 (Block, 1);

  g_atomic_ref_count_init (&self->refs);
  if (like != NULL)
    {
      self->n_room = like->n;
      self->n_word_room = like->n_words + MIN_WORDS;
      self->offsets = g_new (guint32, self->n_room);
      self->words = g_new (guint32, self->n_word_room);
    }
  return self;
}

Block *
goban_block_ref (Block *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_block_unref (gpointer data)
{
  Block *self = data;

  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->offsets);
  g_free (self->words);
  g_free (self);
}

static void
block_read (const Block *self, guint i, Record *record)
{
  const Fact *fact = block_get_fact (self, i);
  const guint32 *at = (const guint32 *) (gconstpointer) (fact + 1);

  *record = (Record){ .fact = fact };
  for (guint parts = fact->parts; parts != 0; parts &= parts - 1)
    {
      const Part part = (Part) g_bit_nth_lsf (parts, -1);

      record->parts[part] = at;
      at += count_part_words (fact, part, at);
    }
  if (record->parts[PART_NODE] != NULL)
    {
      record->nodes = record->parts[PART_NODE];
      record->n_nodes = 1;
    }
  else if (record->parts[PART_NODES] != NULL)
    {
      record->nodes = record->parts[PART_NODES] + 1;
      record->n_nodes = record->parts[PART_NODES][0];
    }
}

/* NAN: unknown */
static float
record_get_number (const Record *record, Part part)
{
  float number = (float) NAN;

  if (record->parts[part] != NULL)
    memcpy (&number, record->parts[part], sizeof number);
  return number;
}

static double
record_get_time (const Record *record, Part part)
{
  double us = (double) NAN;

  if (record->parts[part] != NULL)
    memcpy (&us, record->parts[part], sizeof us);
  return us;
}

static void
record_get_times (const Record *record, float *start_us, float *finish_us)
{
  float times_us[] = { (float) NAN, (float) NAN };

  if (record->parts[PART_TIMES] != NULL)
    memcpy (times_us, record->parts[PART_TIMES], sizeof times_us);
  *start_us = times_us[0];
  *finish_us = times_us[1];
}

/* Appends the moment's changes, of GobanDecisionChange; @backward: undone. */
static void
record_append_changes (const Record *record, gboolean backward, GArray *changes)
{
  const Fact *fact = record->fact;
  const guint32 *part = record->parts[PART_CHANGES];
  const GobanDecisionChange single
      = { fact->task, record->n_nodes == 1 ? record->nodes[0] : 0, fact->had, fact->chosen };
  const GobanDecisionChange *own = &single;
  guint n = 0;

  if (part != NULL)
    {
      own = (const GobanDecisionChange *) (gconstpointer) (part + 1);
      n = *part;
    }
  else if (record->n_nodes == 1 && goban_option_is_choice (fact->options)
           && fact->had != fact->chosen)
    n = 1;
  for (guint k = 0; k < n; k++)
    {
      GobanDecisionChange change = own[backward ? n - 1 - k : k];

      if (backward)
        {
          change.from = change.to;
          change.to = own[n - 1 - k].from;
        }
      g_array_append_val (changes, change);
    }
}

static guint32 *
add_number (guint32 *to, Fact *fact, Part part, float number)
{
  if (isnan (number))
    return to;
  fact->parts |= PARTS (part);
  memcpy (to, &number, sizeof number);
  return to + 1;
}

static guint32 *
add_time (guint32 *to, Fact *fact, Part part, double us)
{
  if (isnan (us))
    return to;
  fact->parts |= PARTS (part);
  memcpy (to, &us, sizeof us);
  return to + 2;
}

/* Appends a change to those counted in @n, unless it is none. */
static void
add_change (guint32 *n, GobanDecisionState *state, GobanTask task, GobanNodeId node, guint32 to)
{
  guint32 *choice = &state->choices[task][node];
  GobanDecisionChange *changes = (GobanDecisionChange *) (gpointer) (n + 1);

  if (*choice == to)
    return;
  changes[(*n)++] = (GobanDecisionChange){ task, node, *choice, to };
  *choice = to;
}

static guint32 *
add_changes (guint32 *to, Fact *fact, const GobanDecision *decision,
             const GobanDecisionChange *changes, guint n_changes, GobanDecisionState *state)
{
  *to = 0;
  for (guint k = 0; k < n_changes; k++)
    add_change (to, state, changes[k].task, changes[k].node, changes[k].to);
  for (guint k = 0; goban_option_is_choice (decision->options) && k < decision->n_nodes; k++)
    add_change (to, state, decision->task, decision->nodes[k], decision->chosen);
  /* Without the part, a single node goes from had to chosen. */
  if (*to == 0 && decision->n_nodes != 1)
    return to;
  fact->parts |= PARTS (PART_CHANGES);
  return to + count_part_words (fact, PART_CHANGES, to);
}

void
goban_block_add (Block *self, guint32 span, const GobanDecision *decision, gconstpointer scores,
                 const GobanDecisionChange *changes, guint n_changes, guint flags,
                 GobanDecisionState *state)
{
  const guint n_nodes = decision->n_nodes;
  Fact *fact = begin_moment (self, MOST_WORDS + n_nodes + 2 * decision->n_options
                                       + (n_nodes + n_changes) * (guint) WORDS (GobanDecisionChange)
                                       + decision->n_attended * (guint) WORDS (GobanAttended));
  guint32 *to = (guint32 *) (gpointer) (fact + 1);

  *fact = (Fact){ .span = span,
                  .n_options = decision->n_options,
                  .had = GOBAN_UNDECIDED,
                  .chosen = decision->chosen,
                  .task = decision->task,
                  .options = decision->options,
                  .score = decision->score,
                  .flags = flags | decision->flags | (decision->takes_least ? FACT_TAKES_LEAST : 0)
                           | (scores != NULL ? FACT_HAS_SCORES : 0) };
  self->n_words += WORDS (Fact);
  if ((flags & FACT_DROPPED) != 0)
    return;
  if (n_nodes > 0)
    fact->had = state->choices[decision->task][decision->nodes[0]];
  if (n_nodes == 1)
    {
      fact->parts |= PARTS (PART_NODE);
      *to++ = decision->nodes[0];
    }
  else if (n_nodes > 1)
    {
      fact->parts |= PARTS (PART_NODES);
      *to++ = n_nodes;
      memcpy (to, decision->nodes, n_nodes * sizeof *to);
      to += n_nodes;
    }
  if (n_nodes == 1 && n_changes == 0 && goban_option_is_choice (decision->options))
    state->choices[decision->task][decision->nodes[0]] = decision->chosen;
  else
    to = add_changes (to, fact, decision, changes, n_changes, state);
  if (scores != NULL)
    {
      gsize size = decision->score == GOBAN_SCORE_PROBABILITY ? sizeof (guint16) : sizeof (float);

      fact->parts |= PARTS (PART_SCORES);
      memcpy (to, scores, decision->n_options * size);
      to += count_score_words (fact);
    }
  if (decision->refusals != NULL)
    {
      fact->parts |= PARTS (PART_REFUSALS);
      memcpy (to, decision->refusals, decision->n_options);
      to += count_part_words (fact, PART_REFUSALS, to);
    }
  to = add_number (to, fact, PART_KEY, decision->key);
  to = add_number (to, fact, PART_TEMPERATURE, decision->temperature);
  to = add_number (to, fact, PART_ENTROPY, decision->entropy);
  to = add_time (to, fact, PART_BEFORE, decision->before_us);
  to = add_time (to, fact, PART_AFTER, decision->after_us);
  if (decision->row != 0)
    {
      fact->parts |= PARTS (PART_ROW);
      *to++ = decision->row;
    }
  if (decision->note != NULL)
    {
      fact->parts |= PARTS (PART_NOTE);
      memcpy (to, &decision->note, sizeof decision->note);
      to += 2;
    }
  if (decision->n_attended > 0)
    {
      fact->parts |= PARTS (PART_ATTENDED);
      *to++ = decision->n_attended;
      memcpy (to, decision->attended, decision->n_attended * sizeof *decision->attended);
      to += decision->n_attended * WORDS (GobanAttended);
    }
  self->n_words = (guint) (to - self->words);
  if (!isnan (decision->start_us) || !isnan (decision->finish_us))
    goban_block_set_times (self, decision->start_us, decision->finish_us);
}

void
goban_block_set_times (Block *self, float start_us, float finish_us)
{
  const float times_us[] = { start_us, finish_us };

  if ((block_get_fact (self, self->n - 1)->parts & PARTS (PART_TIMES)) == 0)
    {
      if (self->n_word_room < self->n_words + WORDS (times_us))
        grow (self, WORDS (times_us));
      block_get_fact (self, self->n - 1)->parts |= PARTS (PART_TIMES);
      self->n_words += WORDS (times_us);
    }
  memcpy (&self->words[self->n_words - WORDS (times_us)], times_us, sizeof times_us);
}

Block *
goban_block_copy (const Block *self)
{
  Block *copy = goban_block_new (self);

  copy->n = self->n;
  copy->n_words = self->n_words;
  memcpy (copy->offsets, self->offsets, self->n * sizeof *self->offsets);
  memcpy (copy->words, self->words, self->n_words * sizeof *self->words);
  return copy;
}

void
goban_block_append (Block *self, const Block *from, guint i, Rest rest)
{
  const guint end = i + 1 < from->n ? from->offsets[i + 1] : from->n_words;
  const guint n_words = end - from->offsets[i];
  const Fact *own = block_get_fact (from, i);
  Fact *fact = begin_moment (self, n_words);
  Record record;
  guint32 *to;

  memcpy (fact, own, n_words * sizeof *to);
  if (rest == REST_ALL)
    {
      self->n_words += n_words;
      return;
    }
  block_read (from, i, &record);
  fact->parts &= rest == REST_NUMBER ? 0 : ~REFUSED_PARTS;
  if (rest == REST_NUMBER)
    fact->flags |= FACT_DROPPED;
  if ((own->flags & FACT_HAS_SCORES) != 0)
    fact->flags = (fact->flags & ~FACT_HAS_SCORES) | FACT_LOST_SCORES;
  to = (guint32 *) (gpointer) (fact + 1);
  for (guint part = 0; part < N_PARTS; part++)
    if ((fact->parts & PARTS (part)) != 0)
      {
        guint n = count_part_words (own, part, record.parts[part]);

        memcpy (to, record.parts[part], n * sizeof *to);
        to += n;
      }
  self->n_words = (guint) (to - self->words);
}
Beginning *
goban_beginning_new (guint n_nodes)
{
  Beginning *self = g_new0 (Beginning, 1);

  g_atomic_ref_count_init (&self->refs);
  goban_decision_state_init (&self->state, n_nodes);
  return self;
}

Beginning *
goban_beginning_ref (Beginning *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_beginning_unref (Beginning *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  goban_decision_state_clear (&self->state);
  g_free (self);
}

/* --- the record ------------------------------------------------------------------------------ */

/* The number of elements of an array up to one that begins with @last; each begins with a number,
 * ascending. */
static guint
count_until (const GArray *array, guint32 last)
{
  guint size = g_array_get_element_size ((GArray *) array);
  guint low = 0;
  guint high = array->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (*(const guint32 *) (gconstpointer) (array->data + (gsize) middle * size) <= last)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const Block *
goban_decisions_find_block (const GobanDecisions *self, GobanMoment moment, guint *i)
{
  guint b = count_until (self->firsts, moment) - 1;

  *i = moment - g_array_index (self->firsts, GobanMoment, b);
  return g_ptr_array_index (self->blocks, b);
}

static void
read_moment (const GobanDecisions *self, GobanMoment moment, Record *record)
{
  guint i;
  const Block *block = goban_decisions_find_block (self, moment, &i);

  block_read (block, i, record);
}

GobanMoment
goban_decisions_get_block_end (const GobanDecisions *self, guint b)
{
  return b + 1 < self->firsts->len ? g_array_index (self->firsts, GobanMoment, b + 1) - 1
                                   : self->n_moments;
}

gboolean
goban_decisions_is_dropped (const GobanDecisions *self, GobanMoment moment)
{
  guint i;
  const Block *block = goban_decisions_find_block (self, moment, &i);

  return block == NULL || (block_get_fact (block, i)->flags & FACT_DROPPED) != 0;
}

guint32
goban_decisions_find_span (const GobanDecisions *self, guint32 id)
{
  guint n = count_until (self->span_ids, id);

  return n > 0 && g_array_index (self->span_ids, guint32, n - 1) == id ? n : 0;
}

void
goban_decision_room_clear (GobanDecisionRoom *self)
{
  g_clear_pointer (&self->scores, g_array_unref);
}

void
goban_decision_state_init (GobanDecisionState *self, guint n_nodes)
{
  self->n_nodes = n_nodes;
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    {
      self->choices[task] = g_new (guint32, n_nodes);
      memset (self->choices[task], 0xff, n_nodes * sizeof (guint32));
    }
  self->starts_us = g_new (float, n_nodes);
  self->finishes_us = g_new (float, n_nodes);
  for (guint v = 0; v < n_nodes; v++)
    self->starts_us[v] = self->finishes_us[v] = (float) NAN;
}

void
goban_decision_state_clear (GobanDecisionState *self)
{
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    g_clear_pointer (&self->choices[task], g_free);
  g_clear_pointer (&self->starts_us, g_free);
  g_clear_pointer (&self->finishes_us, g_free);
}

void
goban_decision_state_copy (GobanDecisionState *self, const GobanDecisionState *from)
{
  gsize n_bytes = self->n_nodes * sizeof (guint32);

  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    memcpy (self->choices[task], from->choices[task], n_bytes);
  memcpy (self->starts_us, from->starts_us, n_bytes);
  memcpy (self->finishes_us, from->finishes_us, n_bytes);
}

GobanDecisions *
goban_decisions_new (guint n_nodes, guint n_devices)
{
  GobanDecisions *self = g_new0 (GobanDecisions, 1);

  g_atomic_ref_count_init (&self->refs);
  self->n_nodes = n_nodes;
  self->n_devices = n_devices;
  self->blocks = g_ptr_array_new_with_free_func (goban_block_unref);
  self->firsts = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  self->beginning = goban_beginning_new (n_nodes);
  self->spans = g_array_new (FALSE, FALSE, sizeof (GobanSpan));
  self->span_ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->jumps = g_array_new (FALSE, FALSE, sizeof (Jump));
  self->settlings = g_array_new (FALSE, FALSE, sizeof (GobanSettledPlan));
  g_array_set_clear_func (self->settlings, goban_settling_clear);
  self->line = g_array_new (FALSE, FALSE, sizeof (Segment));
  return self;
}

static gpointer
copy_block (gconstpointer block, gpointer data)
{
  return block != NULL ? goban_block_ref ((Block *) block) : NULL;
}

GobanDecisions *
goban_decisions_copy (const GobanDecisions *self)
{
  GobanDecisions *copy = g_new0 (GobanDecisions, 1);

  *copy = *self;
  g_atomic_ref_count_init (&copy->refs);
  copy->blocks = g_ptr_array_copy (self->blocks, copy_block, NULL);
  g_ptr_array_set_free_func (copy->blocks, goban_block_unref);
  copy->firsts = g_array_copy (self->firsts);
  goban_beginning_ref (copy->beginning);
  copy->spans = g_array_copy (self->spans);
  copy->span_ids = g_array_copy (self->span_ids);
  copy->jumps = g_array_copy (self->jumps);
  copy->settlings = goban_settlings_copy (self->settlings);
  copy->line = g_array_new (FALSE, FALSE, sizeof (Segment));
  return copy;
}

GobanDecisions *
goban_decisions_ref (GobanDecisions *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_decisions_unref (GobanDecisions *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->firsts);
  goban_beginning_unref (self->beginning);
  g_array_unref (self->spans);
  g_array_unref (self->span_ids);
  g_array_unref (self->jumps);
  g_array_unref (self->settlings);
  g_array_unref (self->line);
  g_free (self);
}

guint
goban_decisions_get_n_nodes (const GobanDecisions *self)
{
  return self->n_nodes;
}

guint
goban_decisions_get_n_devices (const GobanDecisions *self)
{
  return self->n_devices;
}

GobanMoment
goban_decisions_get_n_moments (const GobanDecisions *self)
{
  return self->n_moments;
}

guint
goban_decisions_get_n_spans (const GobanDecisions *self)
{
  return self->spans->len;
}

const GobanSpan *
goban_decisions_get_span (const GobanDecisions *self, guint32 n)
{
  g_return_val_if_fail (n >= 1 && n <= self->spans->len, NULL);
  return &g_array_index (self->spans, GobanSpan, n - 1);
}

GobanMoment
goban_decisions_get_last (const GobanDecisions *self)
{
  return self->last;
}

gsize
goban_decisions_get_n_own_bytes (const GobanDecisions *self)
{
  guint n = self->blocks->len;
  gsize n_bytes = sizeof *self + n * (sizeof (Block *) + sizeof (GobanMoment))
                  + self->spans->len * (sizeof (GobanSpan) + sizeof (guint32))
                  + self->jumps->len * sizeof (Jump) + self->line->len * sizeof (Segment);

  if (n > 0 && g_ptr_array_index (self->blocks, n - 1) != NULL)
    n_bytes += BLOCK_BYTES (g_ptr_array_index (self->blocks, n - 1));
  if (self->n_folded > 0)
    n_bytes += self->n_nodes * STATE_BYTES;
  return n_bytes;
}

gsize
goban_decisions_get_n_bytes (const GobanDecisions *self)
{
  gsize n_bytes
      = goban_decisions_get_n_own_bytes (self) + goban_settlings_get_n_bytes (self->settlings);

  for (guint b = self->n_folded; b + 1 < self->blocks->len; b++)
    if (g_ptr_array_index (self->blocks, b) != NULL)
      n_bytes += BLOCK_BYTES (g_ptr_array_index (self->blocks, b));
  return n_bytes;
}

void
goban_decisions_count_left_out (const GobanDecisions *self, guint *scores, guint *moments)
{
  *scores = *moments = self->folded;
  for (guint b = self->n_folded; b < self->blocks->len; b++)
    {
      const Block *block = g_ptr_array_index (self->blocks, b);
      guint n = goban_decisions_get_block_end (self, b) + 1
                - g_array_index (self->firsts, GobanMoment, b);

      for (guint i = 0; block != NULL && i < n; i++)
        {
          guint flags = block_get_fact (block, i)->flags;

          *scores += (flags & (FACT_LOST_SCORES | FACT_DROPPED)) != 0;
          *moments += (flags & FACT_DROPPED) != 0;
        }
      *scores += block == NULL ? n : 0;
      *moments += block == NULL ? n : 0;
    }
}

/* --- chains --------------------------------------------------------------------------------- */

const Jump *
goban_decisions_find_jump (const GobanDecisions *self, GobanMoment moment)
{
  guint n = count_until (self->jumps, moment);

  return n > 0 ? &g_array_index (self->jumps, Jump, n - 1) : NULL;
}

GobanMoment
goban_decisions_get_previous (const GobanDecisions *self, GobanMoment moment)
{
  const Jump *jump = goban_decisions_find_jump (self, moment);

  g_return_val_if_fail (moment >= 1 && moment <= self->n_moments, 0);
  return jump != NULL && jump->moment == moment ? jump->previous : moment - 1;
}

/* The moment, or 0 if its state is the beginning. */
static GobanMoment
skip_beginning (const GobanDecisions *self, GobanMoment moment)
{
  return moment <= self->folded || moment == self->beginning->moment ? 0 : moment;
}

/* The moment before this one on its chain; 0: the beginning. */
static GobanMoment
step_back (const GobanDecisions *self, GobanMoment moment)
{
  return skip_beginning (self, goban_decisions_get_previous (self, moment));
}

GobanMoment
goban_decisions_find_ancestor (const GobanDecisions *self, GobanMoment moment, GobanMoment end)
{
  GobanMoment known = self->beginning->moment;

  while (moment > end && moment != known)
    {
      const Jump *jump = goban_decisions_find_jump (self, moment);
      GobanMoment start = jump != NULL ? jump->moment : 0;

      if (end < known && start <= known && known < moment)
        return known;
      if (start <= end)
        return end;
      moment = jump->previous;
    }
  return moment;
}

void
goban_decisions_append_chain (const GobanDecisions *self, GobanMoment moment, GArray *chain)
{
  GobanMoment folded = self->folded;
  guint first = chain->len;

  while (moment > folded && moment != self->beginning->moment)
    {
      const Jump *jump = goban_decisions_find_jump (self, moment);
      GobanMoment start = jump != NULL ? jump->moment : 1;
      GobanMoment known = self->beginning->moment;
      GobanMoment stop = start <= known && known < moment ? MAX (known, folded) : folded;
      const Segment segment = { MAX (start, stop + 1), moment };

      g_array_append_val (chain, segment);
      moment = start <= stop ? stop : jump != NULL ? jump->previous : 0;
    }
  for (guint i = first, k = chain->len; i + 1 < k; i++)
    {
      Segment *a = &g_array_index (chain, Segment, i);
      Segment *b = &g_array_index (chain, Segment, --k);
      const Segment kept = *a;

      *a = *b;
      *b = kept;
    }
}

void
goban_decisions_apply (const GobanDecisions *self, const GArray *chain, GobanDecisionState *state)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));

  for (guint s = 0; s < chain->len; s++)
    {
      const Segment *segment = &g_array_index (chain, Segment, s);

      for (GobanMoment m = segment->first; m <= segment->last; m++)
        {
          Record record;
          float start_us, finish_us;

          read_moment (self, m, &record);
          g_array_set_size (changes, 0);
          record_append_changes (&record, FALSE, changes);
          for (guint k = 0; k < changes->len; k++)
            {
              const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, k);

              state->choices[change->task][change->node] = change->to;
            }
          if (record.parts[PART_TIMES] == NULL)
            continue;
          record_get_times (&record, &start_us, &finish_us);
          for (guint k = 0; k < record.n_nodes; k++)
            {
              state->starts_us[record.nodes[k]] = start_us;
              state->finishes_us[record.nodes[k]] = finish_us;
            }
        }
    }
}

void
goban_decisions_fill_state (const GobanDecisions *self, GobanMoment moment,
                            GobanDecisionState *state)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));

  g_return_if_fail (state->n_nodes == self->n_nodes && goban_decisions_has (self, moment));

  goban_decision_state_copy (state, &self->beginning->state);
  goban_decisions_append_chain (self, moment, chain);
  goban_decisions_apply (self, chain, state);
}

gboolean
goban_decisions_is_left (const GobanDecisions *self, GobanMoment moment)
{
  return moment == self->beginning->moment
         || (moment > self->folded && moment <= self->n_moments
             && !goban_decisions_is_dropped (self, moment));
}

gboolean
goban_decisions_has (const GobanDecisions *self, GobanMoment moment)
{
  return moment == 0 || goban_decisions_is_left (self, moment);
}

gboolean
goban_decisions_is_on_line (const GobanDecisions *self, GobanMoment moment)
{
  guint n = count_until (self->line, moment);

  return moment == 0 || moment == self->beginning->moment
         || (n > 0 && moment <= g_array_index (self->line, Segment, n - 1).last);
}

/* --- one decision --------------------------------------------------------------------------- */

static const float *
get_scores (const Record *record, GobanDecisionRoom *room)
{
  const guint32 *words = record->parts[PART_SCORES];
  const guint16 *shares = (const guint16 *) words;

  if (words == NULL || record->fact->score != GOBAN_SCORE_PROBABILITY)
    return (const float *) (gconstpointer) words;
  if (room->scores == NULL)
    room->scores = g_array_new (FALSE, FALSE, sizeof (float));
  g_array_set_size (room->scores, record->fact->n_options);
  for (guint k = 0; k < record->fact->n_options; k++)
    g_array_index (room->scores, float, k) = (float) shares[k] / G_MAXUINT16;
  return (const float *) (gpointer) room->scores->data;
}

gboolean
goban_decisions_get (const GobanDecisions *self, GobanMoment moment, GobanDecisionRoom *room,
                     GobanDecision *decision)
{
  Record record;
  const Fact *fact;

  g_return_val_if_fail (moment >= 1 && moment <= self->n_moments, FALSE);
  if (moment <= self->folded || goban_decisions_is_dropped (self, moment))
    return FALSE;

  read_moment (self, moment, &record);
  fact = record.fact;
  *decision = (GobanDecision){
    .number = moment,
    .span = goban_decisions_find_span (self, fact->span),
    .task = fact->task,
    .options = fact->options,
    .score = fact->score,
    .takes_least = (fact->flags & FACT_TAKES_LEAST) != 0,
    .nodes = record.nodes,
    .n_nodes = record.n_nodes,
    .row = record.parts[PART_ROW] != NULL ? *record.parts[PART_ROW] : 0,
    .n_options = fact->n_options,
    .had = fact->had,
    .chosen = fact->chosen,
    .scores = room != NULL ? get_scores (&record, room) : NULL,
    .refusals = (const guint8 *) record.parts[PART_REFUSALS],
    .key = record_get_number (&record, PART_KEY),
    .temperature = record_get_number (&record, PART_TEMPERATURE),
    .entropy = record_get_number (&record, PART_ENTROPY),
    .before_us = record_get_time (&record, PART_BEFORE),
    .after_us = record_get_time (&record, PART_AFTER),
    .flags = fact->flags & 0xf,
  };
  record_get_times (&record, &decision->start_us, &decision->finish_us);
  if (record.parts[PART_NOTE] != NULL)
    memcpy (&decision->note, record.parts[PART_NOTE], sizeof decision->note);
  if (record.parts[PART_ATTENDED] != NULL)
    {
      decision->n_attended = record.parts[PART_ATTENDED][0];
      decision->attended
          = (const GobanAttended *) (gconstpointer) (record.parts[PART_ATTENDED] + 1);
    }
  return TRUE;
}

/* Whether the moment decided the node, perhaps as it was before: that is no change. */
static gboolean
is_decided_by (const GobanDecisions *self, GobanNodeId node, GobanTask task, GobanMoment moment)
{
  Record record;
  const guint32 *part;
  const GobanDecisionChange *changes;

  read_moment (self, moment, &record);
  if (goban_option_is_choice (record.fact->options) && record.fact->task == task)
    for (guint k = 0; k < record.n_nodes; k++)
      if (record.nodes[k] == node)
        return TRUE;
  part = record.parts[PART_CHANGES];
  changes = (const GobanDecisionChange *) (gconstpointer) (part + 1);
  for (guint k = 0; part != NULL && k < *part; k++)
    if (changes[k].node == node && changes[k].task == task)
      return TRUE;
  return FALSE;
}

GobanMoment
goban_decisions_find (const GobanDecisions *self, GobanNodeId node, GobanTask task,
                      GobanMoment until)
{
  g_return_val_if_fail (node < self->n_nodes && goban_decisions_has (self, until), 0);
  until = skip_beginning (self, until);
  while (until > 0 && !is_decided_by (self, node, task, until))
    until = step_back (self, until);
  return until;
}

/* --- walks ---------------------------------------------------------------------------------- */

static gboolean
is_accepted (const GobanDecisions *self, guint32 span)
{
  while (span != 0)
    {
      const GobanSpan *own = goban_decisions_get_span (self, span);

      if (!own->is_accepted && !own->is_open)
        return FALSE;
      span = own->parent;
    }
  return TRUE;
}

static gboolean
is_walked (const GobanDecisions *self, GobanStops walk, GobanMoment moment, guint32 span)
{
  if (!goban_decisions_has (self, moment))
    return FALSE;
  if (walk == GOBAN_STOPS_LINE)
    return goban_decisions_is_on_line (self, moment);
  if (walk == GOBAN_STOPS_ALL || moment <= self->folded
      || goban_decisions_is_dropped (self, moment))
    return TRUE;
  if (span == 0)
    {
      guint i;
      const Block *block = goban_decisions_find_block (self, moment, &i);

      span = goban_decisions_find_span (self, block_get_fact (block, i)->span);
    }
  return is_accepted (self, span);
}

/* All stops, ascending, without 0; of guint32. (transfer full) */
static GArray *
list_span_stops (const GobanDecisions *self, GobanLevel level, GobanStops walk)
{
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  for (guint32 n = 1; n <= self->spans->len; n++)
    {
      const GobanSpan *span = goban_decisions_get_span (self, n);

      if (span->level == level && span->last > span->begin && !span->is_open
          && is_walked (self, walk, span->last, n))
        g_array_append_val (stops, span->last);
    }
  return stops;
}

GobanMoment
goban_decisions_next_stop (const GobanDecisions *self, GobanLevel level, GobanStops walk,
                           GobanMoment moment, int by)
{
  g_autoptr (GArray) stops = NULL;
  guint n = by < 0 ? 0u - (guint) by : (guint) by;

  if (level == GOBAN_LEVEL_MOMENT)
    {
      GobanMoment at = moment;

      while (n > 0 && (by < 0 ? at > 0 : at < self->n_moments))
        {
          at = by < 0 ? at - 1 : at + 1;
          if (is_walked (self, walk, at, 0))
            {
              moment = at;
              n--;
            }
        }
      return moment;
    }
  stops = list_span_stops (self, level, walk);
  for (; n > 0; n--)
    {
      GobanMoment next = by < 0 ? 0 : moment;

      for (guint i = 0; i < stops->len; i++)
        {
          GobanMoment stop = g_array_index (stops, GobanMoment, by < 0 ? i : stops->len - 1 - i);

          if (by < 0 ? stop < moment : stop > moment)
            next = stop;
        }
      if (next == moment)
        break;
      moment = next;
    }
  return moment;
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const GobanDecisionChange *left = a;
  const GobanDecisionChange *right = b;

  if (left->task != right->task)
    return left->task < right->task ? -1 : 1;
  return left->node < right->node ? -1 : left->node > right->node;
}

static void
append_changes (const GobanDecisions *self, GobanMoment moment, gboolean backward, GArray *changes)
{
  Record record;

  read_moment (self, moment, &record);
  record_append_changes (&record, backward, changes);
}

void
goban_decisions_append_own_changes (const GobanDecisions *self, GobanMoment moment, GArray *changes)
{
  append_changes (self, moment, FALSE, changes);
}

/* Makes one change of all to a node: from the first to the last. */
static void
merge_changes (GArray *list)
{
  guint n = 0;

  /* GLib sorts arrays stably. */
  g_array_sort (list, compare_changes);
  for (guint i = 0; i < list->len;)
    {
      GobanDecisionChange merged = g_array_index (list, GobanDecisionChange, i);

      for (; i < list->len
             && compare_changes (&merged, &g_array_index (list, GobanDecisionChange, i)) == 0;
           i++)
        merged.to = g_array_index (list, GobanDecisionChange, i).to;
      if (merged.from != merged.to)
        g_array_index (list, GobanDecisionChange, n++) = merged;
    }
  g_array_set_size (list, n);
}

/* Changes that lead from state @a to state @b one after the other. O(their number) */
static GArray *
list_steps (const GobanDecisions *self, GobanMoment a, GobanMoment b)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  g_autoptr (GArray) ahead = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  /* A moment follows one with a lower number: the later of two cannot be before the other. */
  a = skip_beginning (self, a);
  b = skip_beginning (self, b);
  while (a != b)
    if (a > b)
      {
        append_changes (self, a, TRUE, list);
        a = step_back (self, a);
      }
    else
      {
        g_array_append_val (ahead, b);
        b = step_back (self, b);
      }
  for (guint i = ahead->len; i > 0; i--)
    append_changes (self, g_array_index (ahead, GobanMoment, i - 1), FALSE, list);
  return list;
}

void
goban_decisions_change_state (const GobanDecisions *self, GobanMoment a, GobanMoment b,
                              GobanDecisionState *state)
{
  g_autoptr (GArray) steps = a != b ? list_steps (self, a, b) : NULL;

  for (guint i = 0; steps != NULL && i < steps->len; i++)
    {
      const GobanDecisionChange *step = &g_array_index (steps, GobanDecisionChange, i);

      state->choices[step->task][step->node] = step->to;
    }
}

GArray *
goban_decisions_list_changes (const GobanDecisions *self, GobanMoment a, GobanMoment b)
{
  GArray *list;

  g_return_val_if_fail (goban_decisions_has (self, a) && goban_decisions_has (self, b),
                        g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange)));
  list = list_steps (self, a, b);
  merge_changes (list);
  return list;
}

static void
add_sample (const GobanDecisions *self, guint n, GobanMoment moment, double us, double *least_us,
            double *most_us)
{
  guint part = (guint) ((guint64) (moment - 1) * n / self->n_moments);

  if (isnan (us))
    return;
  least_us[part] = isnan (least_us[part]) ? us : MIN (least_us[part], us);
  most_us[part] = isnan (most_us[part]) ? us : MAX (most_us[part], us);
}

void
goban_decisions_sample (const GobanDecisions *self, GobanLevel level, guint n, double *least_us,
                        double *most_us)
{
  for (guint i = 0; i < n; i++)
    least_us[i] = most_us[i] = (double) NAN;
  if (level == GOBAN_LEVEL_MOMENT)
    for (GobanMoment m = self->folded + 1; m <= self->n_moments; m++)
      {
        guint i;
        const Block *block = goban_decisions_find_block (self, m, &i);
        Record record;

        if (block == NULL)
          continue;
        block_read (block, i, &record);
        add_sample (self, n, m, record_get_time (&record, PART_AFTER), least_us, most_us);
      }
  for (guint32 s = 1; s <= self->spans->len; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self, s);

      if (span->level == level && span->last > span->begin)
        add_sample (self, n, span->last, span->after_us, least_us, most_us);
    }
}
