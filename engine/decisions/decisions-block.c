#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

#define WORDS(type) (sizeof (type) / sizeof (guint32))
#define MIN_WORDS 256
/* A moment has at most so many, without values in numbers that vary. */
#define MOST_WORDS (WORDS (Fact) + 20)
#define REFUSED_PARTS (PARTS (PART_SCORES) | PARTS (PART_REFUSALS) | PARTS (PART_ATTENDED))

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

gsize
goban_block_get_n_bytes (const Block *self)
{
  return sizeof *self + ((gsize) self->n + self->n_words) * sizeof (guint32);
}

void
goban_block_read (const Block *self, guint i, Record *record)
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

float
goban_record_get_number (const Record *record, Part part)
{
  float number = (float) NAN;

  if (record->parts[part] != NULL)
    memcpy (&number, record->parts[part], sizeof number);
  return number;
}

double
goban_record_get_time (const Record *record, Part part)
{
  double us = (double) NAN;

  if (record->parts[part] != NULL)
    memcpy (&us, record->parts[part], sizeof us);
  return us;
}

void
goban_record_get_times (const Record *record, float *start_us, float *finish_us)
{
  float times_us[] = { (float) NAN, (float) NAN };

  if (record->parts[PART_TIMES] != NULL)
    memcpy (times_us, record->parts[PART_TIMES], sizeof times_us);
  *start_us = times_us[0];
  *finish_us = times_us[1];
}

void
goban_record_append_changes (const Record *record, gboolean backward, GArray *changes)
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
goban_block_add_dropped (Block *self)
{
  *begin_moment (self, MOST_WORDS) = (Fact){ .flags = FACT_DROPPED };
  self->n_words += WORDS (Fact);
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
  goban_block_read (from, i, &record);
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
