#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

static const struct
{
  guint size;
  gboolean is_a_moment; /* one value for each moment */
} kinds[N_PARTS] = {
  [PART_FACTS] = { sizeof (Fact), TRUE },
  [PART_CHANGES] = { sizeof (Change), FALSE },
  [PART_CHANGE_TASKS] = { 1, FALSE },
  [PART_NODES] = { sizeof (GobanNodeId), FALSE },
  [PART_SCORES] = { 1, FALSE },
  [PART_REFUSALS] = { 1, FALSE },
  [PART_ROWS] = { sizeof (guint32), TRUE },
  [PART_NOTES] = { sizeof (const char *), TRUE },
  [PART_BEFORE] = { sizeof (double), TRUE },
  [PART_AFTER] = { sizeof (double), TRUE },
  [PART_ATTENTION] = { sizeof (Attention), TRUE },
  [PART_ATTENDED] = { sizeof (GobanAttended), FALSE },
  [PART_NUMBERS + NUMBER_KEY] = { sizeof (float), TRUE },
  [PART_NUMBERS + NUMBER_TEMPERATURE] = { sizeof (float), TRUE },
  [PART_NUMBERS + NUMBER_ENTROPY] = { sizeof (float), TRUE },
  [PART_NUMBERS + NUMBER_START] = { sizeof (float), TRUE },
  [PART_NUMBERS + NUMBER_FINISH] = { sizeof (float), TRUE },
};

Block *
goban_block_new (const Block *like)
{
  Block *self = g_new0 (Block, 1);

  g_atomic_ref_count_init (&self->refs);
  for (guint part = 0; like != NULL && part < N_PARTS; part++)
    if (like->parts[part] != NULL)
      self->parts[part]
          = g_array_sized_new (FALSE, FALSE, kinds[part].size, like->parts[part]->len);
  goban_block_get_part (self, PART_FACTS);
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
  for (guint part = 0; part < N_PARTS; part++)
    g_clear_pointer (&self->parts[part], g_array_unref);
  g_free (self);
}

gsize
goban_block_get_n_bytes (const Block *self)
{
  gsize n_bytes = sizeof *self;

  for (guint part = 0; part < N_PARTS; part++)
    if (self->parts[part] != NULL)
      n_bytes += (gsize) self->parts[part]->len * kinds[part].size;
  return n_bytes;
}

GArray *
goban_block_get_part (Block *self, guint part)
{
  if (self->parts[part] == NULL)
    self->parts[part] = g_array_new (FALSE, FALSE, kinds[part].size);
  return self->parts[part];
}

/* Values that moments without one have in a column that others have. */
static void
fill_up (GArray *column, guint part, guint n)
{
  guint first = column->len;

  if (first >= n)
    return;
  g_array_set_size (column, n);
  memset (column->data + (gsize) first * kinds[part].size, 0,
          (gsize) (n - first) * kinds[part].size);
  if (part >= PART_NUMBERS)
    for (guint i = first; i < n; i++)
      g_array_index (column, float, i) = (float) NAN;
  else if (part == PART_BEFORE || part == PART_AFTER)
    for (guint i = first; i < n; i++)
      g_array_index (column, double, i) = (double) NAN;
}

void
goban_block_set (Block *self, guint part, guint i, gconstpointer value)
{
  GArray *column = goban_block_get_part (self, part);

  fill_up (column, part, i);
  if (i == column->len)
    g_array_append_vals (column, value, 1);
  else
    memcpy (column->data + (gsize) i * kinds[part].size, value, kinds[part].size);
}

gconstpointer
goban_block_peek (const Block *self, guint part, guint i)
{
  const GArray *column = self->parts[part];

  return column != NULL && i < column->len ? column->data + (gsize) i * kinds[part].size : NULL;
}

static void
add_change (Block *self, GobanDecisionState *state, GobanTask task, GobanNodeId node, guint32 to)
{
  guint32 *choice = &state->choices[task][node];
  const Change change = { node, *choice, to };
  const guint8 byte = (guint8) task;

  if (*choice == to)
    return;
  g_array_append_val (goban_block_get_part (self, PART_CHANGES), change);
  g_array_append_val (goban_block_get_part (self, PART_CHANGE_TASKS), byte);
  *choice = to;
}

static void
add_columns (Block *self, guint i, const GobanDecision *decision)
{
  const float numbers[N_NUMBERS] = { [NUMBER_KEY] = decision->key,
                                     [NUMBER_TEMPERATURE] = decision->temperature,
                                     [NUMBER_ENTROPY] = decision->entropy,
                                     [NUMBER_START] = decision->start_us,
                                     [NUMBER_FINISH] = decision->finish_us };

  for (guint k = 0; k < N_NUMBERS; k++)
    if (!isnan (numbers[k]))
      goban_block_set (self, PART_NUMBERS + k, i, &numbers[k]);
  if (!isnan (decision->before_us))
    goban_block_set (self, PART_BEFORE, i, &decision->before_us);
  if (!isnan (decision->after_us))
    goban_block_set (self, PART_AFTER, i, &decision->after_us);
  if (decision->row != 0)
    goban_block_set (self, PART_ROWS, i, &decision->row);
  if (decision->note != NULL)
    goban_block_set (self, PART_NOTES, i, &decision->note);
  if (decision->n_attended > 0)
    {
      GArray *attended = goban_block_get_part (self, PART_ATTENDED);
      const Attention attention = { attended->len, decision->n_attended };

      g_array_append_vals (attended, decision->attended, decision->n_attended);
      goban_block_set (self, PART_ATTENTION, i, &attention);
    }
}

void
goban_block_add (Block *self, const Fact *scored, const GobanDecision *decision,
                 const GobanDecisionChange *changes, guint n_changes, GobanDecisionState *state)
{
  Fact fact = *scored;

  fact.task = (guint8) decision->task;
  fact.options = (guint8) decision->options;
  fact.score = (guint8) decision->score;
  fact.flags |= (guint8) (decision->flags | (decision->takes_least ? FACT_TAKES_LEAST : 0));
  fact.n_options = decision->n_options;
  fact.n_nodes = decision->n_nodes;
  fact.chosen = decision->chosen;
  fact.had = GOBAN_UNDECIDED;
  fact.first_change = goban_block_get_part (self, PART_CHANGES)->len;
  if (fact.n_nodes > 0)
    fact.had = state->choices[decision->task][decision->nodes[0]];
  if (fact.n_nodes == 1)
    fact.nodes = decision->nodes[0];
  else if (fact.n_nodes > 1)
    {
      GArray *nodes = goban_block_get_part (self, PART_NODES);

      fact.nodes = nodes->len;
      g_array_append_vals (nodes, decision->nodes, decision->n_nodes);
    }
  for (guint k = 0; k < n_changes; k++)
    add_change (self, state, changes[k].task, changes[k].node, changes[k].to);
  for (guint k = 0; goban_option_is_choice (decision->options) && k < fact.n_nodes; k++)
    add_change (self, state, decision->task, decision->nodes[k], decision->chosen);
  g_array_append_val (self->parts[PART_FACTS], fact);
  add_columns (self, self->parts[PART_FACTS]->len - 1, decision);
}

Block *
goban_block_copy (const Block *self)
{
  Block *copy = g_new0 (Block, 1);

  g_atomic_ref_count_init (&copy->refs);
  for (guint part = 0; part < N_PARTS; part++)
    if (self->parts[part] != NULL && self->parts[part]->len > 0)
      {
        const GArray *own = self->parts[part];

        copy->parts[part] = g_array_sized_new (FALSE, FALSE, kinds[part].size, own->len);
        g_array_append_vals (copy->parts[part], own->data, own->len);
      }
  goban_block_get_part (copy, PART_FACTS);
  return copy;
}

/* Appends @n values from @first on; returns the index of the first. */
static guint32
move_values (Block *to, const Block *from, guint part, guint32 first, guint n)
{
  GArray *values;
  guint32 at;

  if (n == 0)
    return 0;
  values = goban_block_get_part (to, part);
  at = values->len;
  g_array_append_vals (values, from->parts[part]->data + (gsize) first * kinds[part].size, n);
  return at;
}

static void
move_scores (Block *to, const Block *from, Fact *fact)
{
  guint size = fact->score == GOBAN_SCORE_PROBABILITY ? sizeof (guint16) : sizeof (float);

  if ((fact->flags & FACT_HAS_SCORES) != 0)
    fact->scores = move_values (to, from, PART_SCORES, fact->scores, fact->n_options * size);
  if (fact->refusals != NOTHING)
    fact->refusals = move_values (to, from, PART_REFUSALS, fact->refusals, fact->n_options);
}

void
goban_block_append (Block *self, const Block *from, guint i, Rest rest)
{
  Fact fact = *block_get_fact (from, i);
  guint at = self->parts[PART_FACTS]->len;
  guint first, end;

  block_find_changes (from, i, &first, &end);
  if (rest == REST_NUMBER)
    {
      end = first;
      fact.n_nodes = 0;
      fact.flags |= FACT_DROPPED;
    }
  fact.first_change = self->parts[PART_CHANGES] != NULL ? self->parts[PART_CHANGES]->len : 0;
  move_values (self, from, PART_CHANGES, first, end - first);
  move_values (self, from, PART_CHANGE_TASKS, first, end - first);
  if (fact.n_nodes > 1)
    fact.nodes = move_values (self, from, PART_NODES, fact.nodes, fact.n_nodes);
  if (rest == REST_ALL)
    {
      const Attention *attention = goban_block_peek (from, PART_ATTENTION, i);
      Attention moved;

      move_scores (self, from, &fact);
      if (attention != NULL && attention->n > 0)
        {
          moved = (Attention){
            move_values (self, from, PART_ATTENDED, attention->first, attention->n), attention->n
          };
          goban_block_set (self, PART_ATTENTION, at, &moved);
        }
    }
  else
    {
      if ((fact.flags & FACT_HAS_SCORES) != 0)
        fact.flags = (guint8) ((fact.flags & ~FACT_HAS_SCORES) | FACT_LOST_SCORES);
      fact.refusals = NOTHING;
    }
  goban_block_set (self, PART_FACTS, at, &fact);
  for (guint part = PART_ROWS; part < N_PARTS && rest != REST_NUMBER; part++)
    {
      gconstpointer value = goban_block_peek (from, part, i);

      if (value != NULL && kinds[part].is_a_moment && part != PART_ATTENTION)
        goban_block_set (self, part, at, value);
    }
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
