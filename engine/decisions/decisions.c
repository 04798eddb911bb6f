#include "engine/decisions/decisions-parts.h"
#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

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

void
goban_decisions_read (const GobanDecisions *self, GobanMoment moment, Record *record)
{
  guint i;
  const Block *block = goban_decisions_find_block (self, moment, &i);

  goban_block_read (block, i, record);
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
  self->settlings = g_array_new (FALSE, FALSE, sizeof (Settling));
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
    n_bytes += goban_block_get_n_bytes (g_ptr_array_index (self->blocks, n - 1));
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
      n_bytes += goban_block_get_n_bytes (g_ptr_array_index (self->blocks, b));
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

          goban_decisions_read (self, m, &record);
          g_array_set_size (changes, 0);
          goban_record_append_changes (&record, FALSE, changes);
          for (guint k = 0; k < changes->len; k++)
            {
              const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, k);

              state->choices[change->task][change->node] = change->to;
            }
          if (record.parts[PART_TIMES] == NULL)
            continue;
          goban_record_get_times (&record, &start_us, &finish_us);
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

  goban_decisions_read (self, moment, &record);
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
    .key = goban_record_get_number (&record, PART_KEY),
    .temperature = goban_record_get_number (&record, PART_TEMPERATURE),
    .entropy = goban_record_get_number (&record, PART_ENTROPY),
    .before_us = goban_record_get_time (&record, PART_BEFORE),
    .after_us = goban_record_get_time (&record, PART_AFTER),
    .flags = fact->flags & 0xf,
  };
  goban_record_get_times (&record, &decision->start_us, &decision->finish_us);
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

  goban_decisions_read (self, moment, &record);
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

  goban_decisions_read (self, moment, &record);
  goban_record_append_changes (&record, backward, changes);
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
        goban_block_read (block, i, &record);
        add_sample (self, n, m, goban_record_get_time (&record, PART_AFTER), least_us, most_us);
      }
  for (guint32 s = 1; s <= self->spans->len; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self, s);

      if (span->level == level && span->last > span->begin)
        add_sample (self, n, span->last, span->after_us, least_us, most_us);
    }
}
