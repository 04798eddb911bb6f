#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

/* Dropping goes on to this share of the limit, so that it is rare. */
#define KEPT_SHARE 0.75

/* What all writers of a record share. */
typedef struct
{
  GMutex mutex;        /* guards all that a snapshot copies */
  GobanDecisions *own; /* with one reference; its last block grows */
  GobanDecisionsOptions options;
  GobanDecisionState state; /* after own->last */
  double makespan_us;       /* of that state's plan; NAN: unknown */
  gsize n_full_bytes;       /* of full blocks */
  GArray *scores;           /* of double, for the next decision */
  GArray *refusals;         /* of guint8 */
  char *problem;
} Core;

struct _GobanDecisionsWriter
{
  Core *core;
  GobanDecisionsWriter *in; /* NULL: the first writer */
  guint32 span;
  GobanMoment returns_to; /* the moment before the span, and its makespan */
  double returns_to_us;
};

GobanDecisionsWriter *
goban_decisions_writer_new (const GobanDecisionsOptions *options)
{
  GobanDecisionsWriter *self = g_new0 (GobanDecisionsWriter, 1);
  Core *core = g_new0 (Core, 1);
  GobanDecisions *own = g_new0 (GobanDecisions, 1);

  g_mutex_init (&core->mutex);
  core->options = *options;
  if (core->options.max_bytes == 0)
    core->options.max_bytes = GOBAN_DECISIONS_MAX_BYTES;
  if (options->expected != NULL)
    goban_decisions_ref (options->expected);
  core->scores = g_array_new (FALSE, FALSE, sizeof (double));
  core->refusals = g_array_new (FALSE, FALSE, 1);
  goban_decision_state_init (&core->state, options->n_nodes);
  g_atomic_ref_count_init (&own->refs);
  own->n_nodes = options->n_nodes;
  own->n_devices = options->n_devices;
  own->blocks = g_ptr_array_new_with_free_func (goban_block_unref);
  own->beginning = goban_beginning_new (options->n_nodes);
  own->spans = g_array_new (FALSE, FALSE, sizeof (GobanSpan));
  own->jumps = g_array_new (FALSE, FALSE, sizeof (Jump));
  own->settlings = g_array_new (FALSE, FALSE, sizeof (Settling));
  g_array_set_clear_func (own->settlings, goban_settling_clear);
  own->line = g_array_new (FALSE, FALSE, sizeof (Segment));
  core->own = own;
  core->makespan_us = (double) NAN;
  self->core = core;
  return self;
}

/* Makes @moment the present one: its state is the next moment's beginning. */
static void
go_to (Core *core, GobanMoment moment)
{
  g_autoptr (GArray) changes = NULL;

  if (moment == core->own->last)
    return;
  changes = goban_decisions_list_changes (core->own, core->own->last, moment);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      core->state.choices[change->task][change->node] = change->to;
    }
  core->own->last = moment;
}

/* The makespan of the last span that ended with a moment. */
static double
find_makespan (const GobanDecisions *own, GobanMoment moment)
{
  for (guint s = own->spans->len; s > 0; s--)
    {
      const GobanSpan *span = &g_array_index (own->spans, GobanSpan, s - 1);

      if (span->end == moment && !isnan (span->after_us))
        return span->after_us;
    }
  return (double) NAN;
}

GobanDecisionsWriter *
goban_decisions_writer_open (GobanDecisionsWriter *in, const GobanSpanHead *head)
{
  GobanDecisionsWriter *self;
  Core *core;

  if (in == NULL)
    return NULL;
  core = in->core;
  self = g_new0 (GobanDecisionsWriter, 1);
  *self = (GobanDecisionsWriter){ core, in, core->own->spans->len + 1, core->own->last,
                                  core->makespan_us };
  g_mutex_lock (&core->mutex);
  if (head->has_base && head->base != core->own->last)
    {
      go_to (core, head->base);
      core->makespan_us = find_makespan (core->own, head->base);
    }
  {
    const GobanSpan span = {
      .name = g_intern_string (head->name),
      .level = head->level,
      .parent = in->span,
      .begin = core->own->n_moments,
      .end = core->own->n_moments,
      .base = core->own->last,
      .evaluation = head->evaluation,
      .n_left_out = head->n_left_out,
      .before_us = core->makespan_us,
      .after_us = (double) NAN,
      .is_open = TRUE,
    };

    g_array_append_val (core->own->spans, span);
  }
  g_mutex_unlock (&core->mutex);
  return self;
}

/* --- the limit ------------------------------------------------------------------------------ */

static void
find_line (GobanDecisions *own)
{
  g_array_set_size (own->line, 0);
  goban_decisions_append_chain (own, own->last, own->line);
}

/* keeps (BLOCK_MOMENTS): moments of block @b that are on the line, or that open spans go back to. */
static void
find_kept (const GobanDecisionsWriter *self, guint b, guint8 *keeps)
{
  const GobanDecisions *own = self->core->own;
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));

  goban_decisions_append_chain (own, own->last, chain);
  for (const GobanDecisionsWriter *open = self; open != NULL; open = open->in)
    goban_decisions_append_chain (own, open->returns_to, chain);
  memset (keeps, 0, BLOCK_MOMENTS);
  for (guint s = 0; s < chain->len; s++)
    {
      const Segment *segment = &g_array_index (chain, Segment, s);
      GobanMoment first = MAX (segment->first, b * BLOCK_MOMENTS + 1);
      GobanMoment last = MIN (segment->last, (b + 1) * BLOCK_MOMENTS);

      if (first <= last)
        memset (keeps + (first - 1 - b * BLOCK_MOMENTS), 1, last - first + 1);
    }
}

static void
replace_block (Core *core, guint b, Block *block)
{
  Block *old = g_ptr_array_index (core->own->blocks, b);

  core->n_full_bytes -= goban_block_get_n_bytes (old);
  core->n_full_bytes += goban_block_get_n_bytes (block);
  goban_block_unref (old);
  g_ptr_array_index (core->own->blocks, b) = block;
}

/* Puts the oldest block's part of the line into the beginning. */
static void
fold_block (Core *core)
{
  GobanDecisions *own = core->own;
  GobanMoment end = (own->n_folded + 1) * BLOCK_MOMENTS;
  Beginning *beginning = goban_beginning_copy (own->beginning);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));
  guint n = 0;

  goban_decisions_append_chain (own, own->last, chain);
  for (guint s = 0; s < chain->len; s++)
    {
      Segment segment = g_array_index (chain, Segment, s);

      if (segment.first > end)
        break;
      segment.last = MIN (segment.last, end);
      beginning->moment = segment.last;
      g_array_index (chain, Segment, n++) = segment;
    }
  g_array_set_size (chain, n);
  goban_decisions_apply (own, chain, &beginning->state);
  goban_beginning_unref (own->beginning);
  own->beginning = beginning;
  core->n_full_bytes -= goban_block_get_n_bytes (g_ptr_array_index (own->blocks, own->n_folded));
  g_clear_pointer (&g_ptr_array_index (own->blocks, own->n_folded), goban_block_unref);
  own->n_folded++;
}

/* %FALSE if an open span returns to a moment whose chain leaves the line by @end, or to one before:
 * that state must stay. */
static gboolean
can_fold (const GobanDecisionsWriter *self, GobanMoment end)
{
  const GobanDecisions *own = self->core->own;

  for (const GobanDecisionsWriter *open = self; open->in != NULL; open = open->in)
    {
      GobanMoment moment = open->returns_to;
      GobanMoment present = own->last;

      if (moment <= end)
        return FALSE;
      while (moment > end)
        moment = goban_decisions_get_previous (own, moment);
      while (present > end)
        present = goban_decisions_get_previous (own, present);
      if (moment != present)
        return FALSE;
    }
  return own->last > end;
}

static gsize
get_n_bytes (const Core *core)
{
  const GobanDecisions *own = core->own;

  gsize n_bytes
      = core->n_full_bytes + own->spans->len * sizeof (GobanSpan) + own->jumps->len * sizeof (Jump);

  if (own->n_folded > 0)
    n_bytes += (gsize) own->n_nodes * (GOBAN_N_TASKS + 2) * sizeof (guint32);
  for (guint i = 0; i < own->settlings->len; i++)
    n_bytes += goban_settled_get_n_bytes (g_array_index (own->settlings, Settling, i).settled);
  return n_bytes;
}

/* Off the line scores, then moments; then the line's oldest scores, at last its oldest changes. */
static void
keep_limit (GobanDecisionsWriter *self)
{
  Core *core = self->core;
  GobanDecisions *own = core->own;
  guint n_full = own->n_moments / BLOCK_MOMENTS;
  gsize aim = (gsize) (KEPT_SHARE * (double) core->options.max_bytes);
  guint8 keeps[BLOCK_MOMENTS];

  /* The next block may be as large as the last one. */
  if (get_n_bytes (core) + goban_block_get_n_bytes (g_ptr_array_index (own->blocks, n_full - 1))
      <= core->options.max_bytes)
    return;
  for (guint step = 0; step < 3; step++)
    for (guint b = own->n_folded; b < n_full && get_n_bytes (core) > aim; b++)
      {
        Block *block = g_ptr_array_index (own->blocks, b);

        if (step == 2)
          memset (keeps, 0, sizeof keeps);
        else
          find_kept (self, b, keeps);
        replace_block (core, b, goban_block_copy_kept (block, keeps, step == 1));
      }
  while (own->n_folded + 1 < n_full && get_n_bytes (core) > aim
         && can_fold (self, (own->n_folded + 1) * BLOCK_MOMENTS))
    fold_block (core);
}

/* --- decisions ------------------------------------------------------------------------------ */

void
goban_decisions_writer_score (GobanDecisionsWriter *self, guint option, double score,
                              guint refusals)
{
  Core *core;
  guint n;

  if (self == NULL)
    return;
  core = self->core;
  n = core->scores->len;
  if (option >= n)
    {
      g_array_set_size (core->scores, option + 1);
      g_array_set_size (core->refusals, option + 1);
      for (; n < option; n++)
        {
          g_array_index (core->scores, double, n) = (double) NAN;
          g_array_index (core->refusals, guint8, n) = 0;
        }
    }
  g_array_index (core->scores, double, option) = score;
  g_array_index (core->refusals, guint8, option) = (guint8) refusals;
}

static void
set_problem (Core *core, char *problem)
{
  if (core->problem == NULL)
    core->problem = problem;
  else
    g_free (problem);
}

static void
check_expected (Core *core, const GobanDecisionHead *head, guint32 wanted)
{
  GobanMoment moment = core->own->n_moments + 1;
  GobanDecision decision;

  if (core->options.expected == NULL || moment > core->options.moment)
    return;
  if (moment > goban_decisions_get_n_moments (core->options.expected))
    set_problem (core, g_strdup_printf ("there is no moment %u in the record", moment));
  else if (goban_decisions_get (core->options.expected, moment, NULL, &decision)
           && (decision.task != head->task || decision.n_nodes != head->n_nodes
               || (decision.chosen != wanted && (decision.flags & GOBAN_DECISION_FORCED) == 0)
               || (head->n_nodes > 0 && decision.nodes[0] != head->nodes[0])))
    set_problem (core, g_strdup_printf ("moment %u is another decision than in the record: the "
                                        "network, the graph or the cluster has changed",
                                        moment));
}

/* The option to take. */
static guint32
choose (Core *core, const GobanDecisionHead *head, guint32 wanted)
{
  guint32 option = core->options.option;

  if (core->options.moment == 0 || core->own->n_moments + 1 != core->options.moment)
    return wanted;
  if (option >= head->n_options)
    set_problem (core, g_strdup_printf ("moment %u has %u options, none of number %u",
                                        core->options.moment, head->n_options, option));
  else if (option < core->refusals->len
           && (g_array_index (core->refusals, guint8, option)
               & (GOBAN_REFUSAL_CANNOT_RUN | GOBAN_REFUSAL_GROUP))
                  != 0)
    {
      g_autofree char *why
          = goban_refusals_describe (g_array_index (core->refusals, guint8, option));

      set_problem (core, g_strdup_printf ("option %u of moment %u cannot be taken: %s", option,
                                          core->options.moment, why));
    }
  else
    return option;
  return wanted;
}

/* shares (n) that sum to G_MAXUINT16 exactly: each rounded with the rest that those before left. */
static void
round_shares (const GArray *scores, const GArray *refusals, guint n, guint16 *shares)
{
  double total = 0;
  double sum = 0;
  guint given = 0;

  for (guint k = 0; k < n; k++)
    total += g_array_index (refusals, guint8, k) == 0 && g_array_index (scores, double, k) > 0
                 ? g_array_index (scores, double, k)
                 : 0;
  for (guint k = 0; k < n; k++)
    {
      guint until;

      if (g_array_index (refusals, guint8, k) == 0 && g_array_index (scores, double, k) > 0)
        sum += g_array_index (scores, double, k);
      until = total > 0 ? (guint) lround (sum / total * G_MAXUINT16) : 0;
      shares[k] = (guint16) (until - given);
      given = until;
    }
}

static void
add_scores (Core *core, Block *block, Fact *fact)
{
  guint n = fact->n_options;
  gboolean is_refused = FALSE;

  goban_block_get_part (block, PART_SCORES);
  if (core->scores->len > 0)
    {
      GArray *bytes = block->parts[PART_SCORES];

      while (core->scores->len < n)
        {
          const double unknown = (double) NAN;
          const guint8 none = 0;

          g_array_append_val (core->scores, unknown);
          g_array_append_val (core->refusals, none);
        }
      fact->flags |= FACT_HAS_SCORES;
      fact->scores = bytes->len;
      if (fact->score == GOBAN_SCORE_PROBABILITY)
        {
          g_array_set_size (bytes, bytes->len + n * sizeof (guint16));
          g_autofree guint16 *shares = g_new (guint16, n);

          round_shares (core->scores, core->refusals, n, shares);
          memcpy (bytes->data + fact->scores, shares, n * sizeof *shares);
        }
      else
        for (guint k = 0; k < n; k++)
          {
            float score = (float) g_array_index (core->scores, double, k);

            g_array_append_vals (bytes, &score, sizeof score);
          }
    }
  for (guint k = 0; k < MIN (n, core->refusals->len); k++)
    is_refused |= g_array_index (core->refusals, guint8, k) != 0;
  if (is_refused)
    {
      GArray *refusals = goban_block_get_part (block, PART_REFUSALS);

      fact->refusals = refusals->len;
      g_array_append_vals (refusals, core->refusals->data, n);
    }
  g_array_set_size (core->scores, 0);
  g_array_set_size (core->refusals, 0);
}

static void
add_change (Core *core, Block *block, GobanTask task, GobanNodeId node, guint32 to)
{
  guint32 *choice = &core->state.choices[task][node];
  const Change change = { node, *choice, to };
  const guint8 byte = (guint8) task;

  if (*choice == to)
    return;
  g_array_append_val (goban_block_get_part (block, PART_CHANGES), change);
  g_array_append_val (goban_block_get_part (block, PART_CHANGE_TASKS), byte);
  *choice = to;
}

static void
add_numbers (Block *block, guint i, const GobanDecisionHead *head)
{
  if (head->has_key)
    goban_block_set (block, PART_NUMBERS + NUMBER_KEY, i, &head->key);
  if (head->temperature != 0)
    goban_block_set (block, PART_NUMBERS + NUMBER_TEMPERATURE, i, &head->temperature);
  if (head->entropy != 0)
    goban_block_set (block, PART_NUMBERS + NUMBER_ENTROPY, i, &head->entropy);
  if (head->before_us != 0)
    goban_block_set (block, PART_BEFORE, i, &head->before_us);
  if (head->after_us != 0)
    goban_block_set (block, PART_AFTER, i, &head->after_us);
  if (head->row != 0)
    goban_block_set (block, PART_ROWS, i, &head->row);
  if (head->note != NULL)
    {
      const char *note = g_intern_string (head->note);

      goban_block_set (block, PART_NOTES, i, &note);
    }
  if (head->n_attended > 0)
    {
      GArray *attended = goban_block_get_part (block, PART_ATTENDED);
      const Attention attention = { attended->len, head->n_attended };

      g_array_append_vals (attended, head->attended, head->n_attended);
      goban_block_set (block, PART_ATTENTION, i, &attention);
    }
}

static void
add_moment (GobanDecisionsWriter *self, const GobanDecisionHead *head, guint32 wanted,
            guint32 chosen)
{
  Core *core = self->core;
  GobanDecisions *own = core->own;
  guint i = own->n_moments % BLOCK_MOMENTS;
  GArray *changes;
  Block *block;
  Fact fact = {
    .span = self->span,
    .n_nodes = head->n_nodes,
    .refusals = NOTHING,
    .n_options = head->n_options,
    .had = head->n_nodes > 0 ? core->state.choices[head->task][head->nodes[0]] : GOBAN_UNDECIDED,
    .chosen = chosen,
    .task = (guint8) head->task,
    .options = (guint8) head->options,
    .score = (guint8) head->score,
    .flags = (guint8) (head->flags | (head->takes_least ? FACT_TAKES_LEAST : 0)
                       | (chosen != wanted ? GOBAN_DECISION_FORCED : 0)),
  };

  if (i == 0)
    g_ptr_array_add (own->blocks, goban_block_new ());
  block = g_ptr_array_index (own->blocks, own->blocks->len - 1);
  changes = goban_block_get_part (block, PART_CHANGES);
  fact.first_change = changes->len;
  if (head->n_nodes == 1)
    fact.nodes = head->nodes[0];
  else if (head->n_nodes > 1)
    {
      GArray *nodes = goban_block_get_part (block, PART_NODES);

      fact.nodes = nodes->len;
      g_array_append_vals (nodes, head->nodes, head->n_nodes);
    }
  add_scores (core, block, &fact);
  for (guint k = 0; k < head->n_changes; k++)
    add_change (core, block, head->changes[k].task, head->changes[k].node, head->changes[k].to);
  if (head->options == GOBAN_OPTION_DEVICE || head->options == GOBAN_OPTION_LEVEL)
    for (guint k = 0; k < head->n_nodes; k++)
      add_change (core, block, head->task, head->nodes[k], chosen);
  g_array_append_val (block->parts[PART_FACTS], fact);
  add_numbers (block, i, head);
  if (own->last != own->n_moments)
    {
      const Jump jump = { own->n_moments + 1, own->last };

      g_array_append_val (own->jumps, jump);
    }
  own->last = ++own->n_moments;
}

guint32
goban_decisions_writer_decide (GobanDecisionsWriter *self, const GobanDecisionHead *head,
                               guint32 wanted)
{
  Core *core;
  guint32 chosen;

  if (self == NULL)
    return wanted;
  core = self->core;
  check_expected (core, head, wanted);
  chosen = choose (core, head, wanted);
  g_mutex_lock (&core->mutex);
  if (core->own->n_moments > 0 && core->own->n_moments % BLOCK_MOMENTS == 0)
    {
      /* The last block is full; the next moment begins another. */
      core->n_full_bytes += goban_block_get_n_bytes (
          g_ptr_array_index (core->own->blocks, core->own->blocks->len - 1));
      keep_limit (self);
    }
  add_moment (self, head, wanted, chosen);
  g_mutex_unlock (&core->mutex);
  return chosen;
}

void
goban_decisions_writer_set_times (GobanDecisionsWriter *self, double start_us, double finish_us)
{
  Core *core;
  Block *block;
  guint i;
  const float start = (float) start_us;
  const float finish = (float) finish_us;

  if (self == NULL)
    return;
  core = self->core;
  g_return_if_fail (core->own->n_moments > 0);
  g_mutex_lock (&core->mutex);
  block = g_ptr_array_index (core->own->blocks, core->own->blocks->len - 1);
  i = (core->own->n_moments - 1) % BLOCK_MOMENTS;
  goban_block_set (block, PART_NUMBERS + NUMBER_START, i, &start);
  goban_block_set (block, PART_NUMBERS + NUMBER_FINISH, i, &finish);
  g_mutex_unlock (&core->mutex);
}

void
goban_decisions_writer_settle (GobanDecisionsWriter *self, const GobanSettling *settling,
                               const GobanPlan *plan)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->core->mutex);
  {
    const Settling own
        = { self->core->own->last, goban_settled_new (settling, &self->core->state, plan) };

    g_array_append_val (self->core->own->settlings, own);
  }
  g_mutex_unlock (&self->core->mutex);
}

void
goban_decisions_writer_close (GobanDecisionsWriter *self, const GobanSpanResult *result,
                              gboolean is_accepted)
{
  Core *core;
  GobanSpan *span;

  if (self == NULL)
    return;
  g_return_if_fail (self->in != NULL);
  core = self->core;
  g_mutex_lock (&core->mutex);
  span = &g_array_index (core->own->spans, GobanSpan, self->span - 1);
  span->end = core->own->n_moments;
  span->is_open = FALSE;
  span->is_accepted = is_accepted;
  if (result != NULL)
    {
      span->after_us = result->makespan_us > 0 ? result->makespan_us : (double) NAN;
      span->overflow_bytes = result->overflow_bytes;
      span->why = g_intern_string (result->why);
    }
  if (is_accepted && result != NULL && result->makespan_us > 0)
    core->makespan_us = result->makespan_us;
  else if (!is_accepted)
    {
      go_to (core, self->returns_to);
      core->makespan_us = self->returns_to_us;
    }
  g_mutex_unlock (&core->mutex);
  g_free (self);
}

const char *
goban_decisions_writer_get_problem (const GobanDecisionsWriter *self)
{
  return self != NULL ? self->core->problem : NULL;
}

/* --- snapshots ------------------------------------------------------------------------------ */

static gpointer
copy_block (gconstpointer block, gpointer data)
{
  return block != NULL ? goban_block_ref ((Block *) block) : NULL;
}

static GobanDecisions *
take_snapshot (Core *core)
{
  const GobanDecisions *own = core->own;
  GobanDecisions *copy = g_new0 (GobanDecisions, 1);
  guint n = own->blocks->len;

  *copy = *own;
  g_atomic_ref_count_init (&copy->refs);
  copy->blocks = g_ptr_array_copy (own->blocks, copy_block, NULL);
  g_ptr_array_set_free_func (copy->blocks, goban_block_unref);
  if (n > 0)
    {
      goban_block_unref (g_ptr_array_index (copy->blocks, n - 1));
      g_ptr_array_index (copy->blocks, n - 1)
          = goban_block_copy (g_ptr_array_index (own->blocks, n - 1));
    }
  goban_beginning_ref (copy->beginning);
  copy->spans = g_array_copy (own->spans);
  for (guint s = 0; s < copy->spans->len; s++)
    if (g_array_index (copy->spans, GobanSpan, s).is_open)
      g_array_index (copy->spans, GobanSpan, s).end = own->n_moments;
  copy->jumps = g_array_copy (own->jumps);
  copy->settlings = g_array_sized_new (FALSE, FALSE, sizeof (Settling), own->settlings->len);
  g_array_set_clear_func (copy->settlings, goban_settling_clear);
  for (guint i = 0; i < own->settlings->len; i++)
    {
      Settling settling = g_array_index (own->settlings, Settling, i);

      goban_settled_ref (settling.settled);
      g_array_append_val (copy->settlings, settling);
    }
  copy->line = g_array_new (FALSE, FALSE, sizeof (Segment));
  find_line (copy);
  return copy;
}

GobanDecisions *
goban_decisions_writer_peek (GobanDecisionsWriter *self)
{
  GobanDecisions *copy;

  if (self == NULL)
    return NULL;
  g_mutex_lock (&self->core->mutex);
  copy = take_snapshot (self->core);
  g_mutex_unlock (&self->core->mutex);
  return copy;
}

GobanDecisions *
goban_decisions_writer_end (GobanDecisionsWriter *self)
{
  Core *core;
  GobanDecisions *own;

  if (self == NULL)
    return NULL;
  g_return_val_if_fail (self->in == NULL, NULL);
  core = self->core;
  own = take_snapshot (core);
  goban_decisions_unref (core->own);
  if (core->options.expected != NULL)
    goban_decisions_unref (core->options.expected);
  g_array_unref (core->scores);
  g_array_unref (core->refusals);
  goban_decision_state_clear (&core->state);
  g_mutex_clear (&core->mutex);
  g_free (core->problem);
  g_free (core);
  g_free (self);
  return own;
}
