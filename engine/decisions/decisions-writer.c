#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

/* Dropping goes on to this share of the limit, so that it is rare. */
#define KEPT_SHARE 0.75

/* One in so many parts of the limit is the most that a block takes, but for its last moment. */
#define RESERVED_SHARE 16

/* State that all writers of a record share. */
typedef struct
{
  GMutex mutex;        /* guards all that a snapshot copies */
  GobanDecisions *own; /* with one reference; its last block grows */
  GobanDecisionsOptions options;
  GobanDecisionState state; /* after own->last */
  gsize n_full_bytes;       /* of all blocks but the last */
  gsize n_settled_bytes;
  gsize most_bytes; /* dropping begins there: the limit, or more if dropping was not enough */
  gboolean is_full; /* the last block */
  guint32 last_id;  /* of a span */
  GobanDecisionsWriter *innermost;
  guint n_forks; /* not committed yet: nothing is dropped, since they may begin anywhere */
  GobanOptionScores scores;  /* for the next decision */
  float start_us, finish_us; /* of the last moment, if it is yet to have them */
  gboolean has_times;
  const char *note; /* (nullable): the last one, interned */
  char *problem;
  /* A fork's; its own moments have numbers after @forked, those until there are @parent's. */
  GobanDecisionsWriter *parent; /* (nullable) */
  GobanMoment forked;
  guint32 forked_id;
} Core;

/* Facts about the plan of a moment. */
typedef struct
{
  GobanMoment moment;
  double makespan_us; /* NAN: unknown */
  guint64 digest;     /* 0: not settled */
} Known;

struct _GobanDecisionsWriter
{
  Core *core;
  GobanDecisionsWriter *in; /* NULL: the first writer */
  guint32 span;
  GobanMoment returns_to; /* the moment before the span */
  Beginning *returns;     /* (nullable): its state, when its moments are gone */
  Known known;            /* about the present moment, or one that was present */
};

GobanDecisionsWriter *
goban_decisions_writer_new (const GobanDecisionsOptions *options)
{
  GobanDecisionsWriter *self = g_new0 (GobanDecisionsWriter, 1);
  Core *core = g_new0 (Core, 1);

  g_mutex_init (&core->mutex);
  core->options = *options;
  if (core->options.max_bytes == 0)
    core->options.max_bytes = GOBAN_DECISIONS_MAX_BYTES;
  core->most_bytes = core->options.max_bytes;
  if (options->expected != NULL)
    goban_decisions_ref (options->expected);
  goban_decision_state_init (&core->state, options->n_nodes);
  core->own = goban_decisions_new (options->n_nodes, options->n_devices);
  core->innermost = self;
  self->core = core;
  self->known.makespan_us = (double) NAN;
  return self;
}

static void
write_times (Core *core)
{
  if (core->has_times)
    goban_block_set_times (g_ptr_array_index (core->own->blocks, core->own->blocks->len - 1),
                           core->start_us, core->finish_us);
  core->has_times = FALSE;
}

/* For the writing thread: what it kept to itself, so as not to lock for it, is written first. */
static void
lock (Core *core)
{
  g_mutex_lock (&core->mutex);
  write_times (core);
}

/* --- limit ---------------------------------------------------------------------------------- */

/* The moments on the line and those that open spans go back to; of Segment. (transfer full) */
static GArray *
list_kept (const GobanDecisionsWriter *self)
{
  const GobanDecisions *own = self->core->own;
  GArray *chain = g_array_new (FALSE, FALSE, sizeof (Segment));

  goban_decisions_append_chain (own, own->last, chain);
  for (const GobanDecisionsWriter *open = self; open->in != NULL; open = open->in)
    if (open->returns == NULL)
      goban_decisions_append_chain (own, open->returns_to, chain);
  return chain;
}

/* keeps (BLOCK_MOMENTS): moments of block @b that are in @chain. */
static void
find_kept (const GobanDecisions *own, const GArray *chain, guint b, guint8 *keeps)
{
  GobanMoment begin = g_array_index (own->firsts, GobanMoment, b);
  GobanMoment end = goban_decisions_get_block_end (own, b);

  memset (keeps, 0, BLOCK_MOMENTS);
  for (guint s = 0; s < chain->len; s++)
    {
      const Segment *segment = &g_array_index (chain, Segment, s);
      GobanMoment first = MAX (segment->first, begin);
      GobanMoment last = MIN (segment->last, end);

      if (first <= last)
        memset (keeps + (first - begin), 1, last - first + 1);
    }
}

/* The last block is not among the full bytes. (transfer full) block (nullable) */
static void
replace_block (Core *core, guint b, Block *block)
{
  Block *old = g_ptr_array_index (core->own->blocks, b);

  if (b + 1 < core->own->blocks->len)
    {
      core->n_full_bytes -= BLOCK_BYTES (old);
      core->n_full_bytes += block != NULL ? BLOCK_BYTES (block) : 0;
    }
  goban_block_unref (old);
  g_ptr_array_index (core->own->blocks, b) = block;
}

/* A copy with all of the moments for which @keeps is 1, and with less of the others. */
static Block *
copy_kept (const Block *block, const guint8 *keeps, Rest others)
{
  Block *copy = goban_block_new (NULL);

  for (guint i = 0; i < block->n; i++)
    goban_block_append (copy, block, i, keeps[i] ? REST_ALL : others);
  return copy;
}

/* Drops the moments of block @b for which @keeps is 0. */
static void
drop_moments (Core *core, guint b, const guint8 *keeps)
{
  const Block *block = g_ptr_array_index (core->own->blocks, b);
  gboolean is_last = b + 1 == core->own->blocks->len;
  gboolean is_any = memchr (keeps, 1, block->n) != NULL;

  replace_block (core, b, is_any || is_last ? copy_kept (block, keeps, REST_NUMBER) : NULL);
}

/* Drops the moments that do not follow the beginning any more. O(moments) */
static void
drop_unreached (Core *core)
{
  const GobanDecisions *own = core->own;
  g_autofree gboolean *are_left = g_new0 (gboolean, own->n_moments - own->folded + 1);
  guint8 keeps[BLOCK_MOMENTS];

  for (guint b = own->n_folded; b < own->blocks->len; b++)
    {
      const Block *block = g_ptr_array_index (own->blocks, b);
      GobanMoment moment = g_array_index (own->firsts, GobanMoment, b);
      gboolean is_any_lost = FALSE;

      for (guint i = 0; block != NULL && i < block->n; i++, moment++)
        {
          GobanMoment previous = goban_decisions_get_previous (own, moment);
          gboolean was_left = (block_get_fact (block, i)->flags & FACT_DROPPED) == 0;

          keeps[i] = was_left
                     && (previous == own->beginning->moment
                         || (previous > own->folded && are_left[previous - own->folded]));
          are_left[moment - own->folded] = keeps[i];
          is_any_lost |= was_left && !keeps[i];
        }
      if (is_any_lost)
        drop_moments (core, b, keeps);
    }
}

/* Saves the state that the span goes back to if it is rejected. */
static void
save_state (GobanDecisionsWriter *self)
{
  self->returns = goban_beginning_new (self->core->own->n_nodes);
  self->returns->moment = self->returns_to;
  goban_decisions_fill_state (self->core->own, self->returns_to, &self->returns->state);
}

/* Puts the oldest block's part of the line into the beginning. */
static void
fold_block (GobanDecisionsWriter *self)
{
  Core *core = self->core;
  GobanDecisions *own = core->own;
  GobanMoment end = goban_decisions_get_block_end (own, own->n_folded);
  GobanMoment present = goban_decisions_find_ancestor (own, own->last, end);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));
  gboolean is_any_saved = FALSE;
  guint n = 0;

  for (GobanDecisionsWriter *open = self; open->in != NULL; open = open->in)
    if (open->returns == NULL
        && goban_decisions_find_ancestor (own, open->returns_to, end) != present)
      {
        save_state (open);
        is_any_saved = TRUE;
      }
  goban_decisions_append_chain (own, present, chain);
  for (; n < chain->len && g_array_index (chain, Segment, n).first <= end; n++)
    ;
  g_array_set_size (chain, n);
  /* Copied for snapshots alone: there are hundreds of blocks to a million nodes. */
  if (!g_atomic_ref_count_compare (&own->beginning->refs, 1))
    {
      Beginning *copy = goban_beginning_new (own->n_nodes);

      goban_decision_state_copy (&copy->state, &own->beginning->state);
      goban_beginning_unref (own->beginning);
      own->beginning = copy;
    }
  own->beginning->moment = present;
  goban_decisions_apply (own, chain, &own->beginning->state);
  if (g_ptr_array_index (own->blocks, own->n_folded) != NULL)
    replace_block (core, own->n_folded, NULL);
  own->n_folded++;
  own->folded = end;
  if (is_any_saved)
    drop_unreached (core);
}

/* The bytes of the record, and of the states that open spans go back to. */
static gsize
get_n_bytes (const GobanDecisionsWriter *self)
{
  const Core *core = self->core;
  gsize n_bytes = goban_decisions_get_n_own_bytes (core->own) + core->n_full_bytes
                  + core->n_settled_bytes + (core->own->jumps->len + 1) * sizeof (Segment);

  for (const GobanDecisionsWriter *open = self; open->in != NULL; open = open->in)
    if (open->returns != NULL)
      n_bytes += core->own->n_nodes * STATE_BYTES;
  return n_bytes;
}

static gboolean
is_gone (const GobanDecisions *own, GobanMoment moment)
{
  return moment <= own->folded || goban_decisions_is_dropped (own, moment);
}

/* Removes spans, jumps and settlings of moments that are gone. */
static void
drop_rests (Core *core)
{
  GobanDecisions *own = core->own;
  guint n = 0;

  goban_decisions_fold_spans (own);
  for (guint i = 0; i < own->jumps->len; i++)
    {
      const Jump jump = g_array_index (own->jumps, Jump, i);

      if (!is_gone (own, jump.moment))
        g_array_index (own->jumps, Jump, n++) = jump;
    }
  g_array_set_size (own->jumps, n);
  n = 0;
  for (guint i = 0; i < own->settlings->len; i++)
    {
      GobanSettledPlan *settling = &g_array_index (own->settlings, GobanSettledPlan, i);
      GobanMoment moment = settling->moment;

      if (i + 1 < own->settlings->len && moment != own->last && moment > 0 && is_gone (own, moment))
        goban_settling_clear (settling);
      else if (n++ < i)
        {
          g_array_index (own->settlings, GobanSettledPlan, n - 1) = *settling;
          memset (settling->columns, 0, sizeof settling->columns);
        }
    }
  g_array_set_size (own->settlings, n);
  core->n_settled_bytes = goban_settlings_get_n_bytes (own->settlings);
}

/* Drops scores off the line first, then moments there, the line's oldest scores, its oldest
 * changes, and at last all plans but the newest. A part of the limit is for the next block. */
static void
keep_limit (GobanDecisionsWriter *self)
{
  Core *core = self->core;
  GobanDecisions *own = core->own;
  gsize reserve = core->options.max_bytes / RESERVED_SHARE;
  gsize aim = (gsize) (KEPT_SHARE * (double) core->options.max_bytes);
  guint8 keeps[BLOCK_MOMENTS];
  gboolean is_any_dropped = FALSE;
  g_autoptr (GArray) chain = NULL;

  if (core->n_forks > 0 || get_n_bytes (self) + reserve <= core->most_bytes)
    return;
  chain = list_kept (self);
  for (guint step = 0; step < 3; step++)
    {
      for (guint b = own->n_folded; b < own->blocks->len && get_n_bytes (self) > aim; b++)
        {
          Block *block = g_ptr_array_index (own->blocks, b);

          if (block == NULL)
            continue;
          find_kept (own, chain, b, keeps);
          if (step == 1)
            {
              drop_moments (core, b, keeps);
              is_any_dropped = TRUE;
              continue;
            }
          if (step == 2)
            memset (keeps, 0, sizeof keeps);
          replace_block (core, b, copy_kept (block, keeps, REST_CHOICE));
        }
      if (step == 1 && is_any_dropped)
        drop_unreached (core);
      if (step == 1 && get_n_bytes (self) > aim)
        drop_rests (core);
    }
  while (own->n_folded + 1 < own->blocks->len && get_n_bytes (self) > aim)
    {
      fold_block (self);
      drop_rests (core);
    }
  for (guint i = 0; i + 1 < own->settlings->len && get_n_bytes (self) > aim; i++)
    {
      GobanSettledPlan *settling = &g_array_index (own->settlings, GobanSettledPlan, i);

      for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
        if (settling->columns[c] != NULL && settling->columns[c] != settling[1].columns[c])
          core->n_settled_bytes -= g_bytes_get_size (settling->columns[c]);
      settling->is_lost = TRUE;
      goban_settling_clear (settling);
    }
  core->most_bytes = MAX (core->options.max_bytes, get_n_bytes (self) + 2 * reserve);
}

GobanDecisions *
goban_decisions_new_within (const GobanDecisions *self, gsize max_bytes)
{
  GobanDecisions *own = goban_decisions_copy (self);
  /* Dropping goes on to less than the limit of the writer. */
  Core core = { .own = own, .options.max_bytes = max_bytes / 3 * 4 };
  GobanDecisionsWriter writer = { .core = &core };

  for (guint b = 0; b + 1 < own->blocks->len; b++)
    if (g_ptr_array_index (own->blocks, b) != NULL)
      core.n_full_bytes += BLOCK_BYTES (g_ptr_array_index (own->blocks, b));
  core.n_settled_bytes = goban_settlings_get_n_bytes (own->settlings);
  keep_limit (&writer);
  goban_decisions_append_chain (own, own->last, own->line);
  return own;
}

/* --- states --------------------------------------------------------------------------------- */

/* Sets the state to that of a moment which does not lead to the present one by a fork's moments
 * alone. */
static void
fill_fork (Core *core, GobanMoment moment)
{
  GobanDecisions *own = core->own;
  Core *outer = core->parent->core;
  GobanMoment root = goban_decisions_find_ancestor (own, moment, core->forked);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));

  g_mutex_lock (&outer->mutex);
  goban_decisions_fill_state (outer->own, root, &core->state);
  g_mutex_unlock (&outer->mutex);
  goban_decisions_append_chain (own, moment, chain);
  goban_decisions_apply (own, chain, &core->state);
}

/* Makes @moment the present one: its state is the next moment's beginning. */
static void
go_to (Core *core, GobanMoment moment)
{
  GobanDecisions *own = core->own;

  if (core->parent != NULL && moment != own->last)
    fill_fork (core, moment);
  else if (moment < own->last && own->last - moment > moment - own->folded + own->n_nodes / 2)
    /* From the beginning it is nearer than back through a whole plan. */
    goban_decisions_fill_state (own, moment, &core->state);
  else
    goban_decisions_change_state (own, own->last, moment, &core->state);
  own->last = moment;
}

/* Facts about the present moment, to be added to. */
static Known *
get_known (GobanDecisionsWriter *self)
{
  if (self->known.moment != self->core->own->last)
    self->known = (Known){ self->core->own->last, (double) NAN, 0 };
  return &self->known;
}

/* Adds the facts about a moment that are known from an inner span. */
static void
add_known (GobanDecisionsWriter *self, const Known *known)
{
  for (; self != NULL; self = self->in)
    if (self->known.moment == known->moment)
      {
        if (!isnan (known->makespan_us))
          self->known.makespan_us = known->makespan_us;
        if (known->digest != 0)
          self->known.digest = known->digest;
      }
}

/* Facts about any moment. O(spans) */
static Known
find_known (const Core *core, GobanMoment moment)
{
  const GobanDecisions *own = core->own;
  Known known = { moment, (double) NAN, 0 };

  if (core->parent != NULL && moment <= core->forked)
    {
      g_mutex_lock (&core->parent->core->mutex);
      known = find_known (core->parent->core, moment);
      g_mutex_unlock (&core->parent->core->mutex);
    }
  for (guint s = own->spans->len; s > 0 && isnan (known.makespan_us); s--)
    {
      const GobanSpan *span = &g_array_index (own->spans, GobanSpan, s - 1);

      if (!span->is_open && span->last == moment)
        known.makespan_us = span->after_us;
    }
  for (guint i = own->settlings->len; i > 0 && known.digest == 0; i--)
    if (g_array_index (own->settlings, GobanSettledPlan, i - 1).moment == moment)
      known.digest = g_array_index (own->settlings, GobanSettledPlan, i - 1).digest;
  return known;
}

/* --- spans ---------------------------------------------------------------------------------- */

/* The moment with whose state a span begins: 0 stands for the earliest state that is left. */
static GobanMoment
find_base (const Core *core, const GobanSpanHead *head)
{
  const GobanDecisions *first = (core->parent != NULL ? core->parent->core : core)->own;

  if (!head->has_base)
    return core->own->last;
  return head->base > 0 ? head->base : first->beginning->moment;
}

GobanDecisionsWriter *
goban_decisions_writer_open (GobanDecisionsWriter *in, const GobanSpanHead *head)
{
  GobanDecisionsWriter *self;
  GobanDecisions *own;
  GobanMoment base;
  GobanSpan span;
  Core *core;

  if (in == NULL)
    return NULL;
  core = in->core;
  own = core->own;
  self = g_new0 (GobanDecisionsWriter, 1);
  lock (core);
  *self = (GobanDecisionsWriter){ .core = core,
                                  .in = in,
                                  .span = ++core->last_id,
                                  .returns_to = own->last,
                                  .known = *get_known (in) };
  core->innermost = self;
  base = find_base (core, head);
  if (base != own->last)
    {
      go_to (core, base);
      self->known = find_known (core, base);
    }
  span = (GobanSpan){ .name = g_intern_string (head->name),
                      .level = head->level,
                      .parent = goban_decisions_find_span (own, in->span),
                      .begin = own->n_moments,
                      .end = own->n_moments,
                      .base = own->last,
                      .last = own->last,
                      .key = g_intern_string (head->key),
                      .ties = g_intern_string (head->ties),
                      .evaluation = head->evaluation,
                      .n_left_out = head->n_left_out,
                      .before_us = self->known.makespan_us,
                      .after_us = (double) NAN,
                      .is_open = TRUE };
  g_array_append_val (own->spans, span);
  g_array_append_val (own->span_ids, self->span);
  keep_limit (self);
  g_mutex_unlock (&core->mutex);
  return self;
}

/* --- decisions ------------------------------------------------------------------------------ */

void
goban_option_scores_fill (GobanOptionScores *self, guint n)
{
  if (n > self->n_room)
    {
      self->n_room = MAX (n, 2 * self->n_room);
      self->scores = g_renew (double, self->scores, self->n_room);
      self->refusals = g_renew (guint8, self->refusals, self->n_room);
      self->stored = g_realloc_n (self->stored, self->n_room, sizeof (float));
    }
  for (; self->n < n; self->n++)
    {
      self->scores[self->n] = (double) NAN;
      self->refusals[self->n] = 0;
    }
}

GobanOptionScores *
goban_decisions_writer_get_scores (GobanDecisionsWriter *self)
{
  return self != NULL ? &self->core->scores : NULL;
}

void
goban_decisions_writer_score (GobanDecisionsWriter *self, guint option, double score,
                              guint refusals)
{
  if (self != NULL)
    goban_option_scores_set (&self->core->scores, option, score, refusals);
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
  /* Another move than the recorded one has other nodes, perhaps of another task. */
  gboolean is_other_move = head->options == GOBAN_OPTION_MOVE && moment == core->options.moment;
  GobanDecision decision;

  if (core->options.expected == NULL || moment > core->options.moment)
    return;
  if (moment > goban_decisions_get_n_moments (core->options.expected))
    set_problem (core, g_strdup_printf ("there is no moment %u in the record", moment));
  else if (goban_decisions_get (core->options.expected, moment, NULL, &decision)
           && (decision.n_options != head->n_options
               || (decision.chosen != wanted && (decision.flags & GOBAN_DECISION_FORCED) == 0)
               || (!is_other_move
                   && (decision.task != head->task || decision.n_nodes != head->n_nodes
                       || (head->n_nodes > 0
                           && memcmp (decision.nodes, head->nodes,
                                      head->n_nodes * sizeof (GobanNodeId))
                                  != 0)))))
    set_problem (core, g_strdup_printf ("moment %u is another decision than in the record: the "
                                        "network, the graph or the cluster has changed",
                                        moment));
}

/* The option to take: what was forced in the expected record is forced again. */
static guint32
choose (Core *core, guint n_options, guint32 wanted)
{
  GobanMoment moment = core->own->n_moments + 1;
  guint32 option = core->options.option;
  GobanDecision decision;

  if (moment < core->options.moment && core->options.expected != NULL
      && moment <= goban_decisions_get_n_moments (core->options.expected)
      && goban_decisions_get (core->options.expected, moment, NULL, &decision)
      && (decision.flags & GOBAN_DECISION_FORCED) != 0 && decision.chosen < n_options)
    return decision.chosen;
  if (core->options.moment == 0 || moment != core->options.moment)
    return wanted;
  if (option >= n_options)
    set_problem (core, g_strdup_printf ("moment %u has %u options, none of number %u",
                                        core->options.moment, n_options, option));
  else if (option < core->scores.n
           && (core->scores.refusals[option] & (GOBAN_REFUSAL_CANNOT_RUN | GOBAN_REFUSAL_GROUP))
                  != 0)
    {
      g_autofree char *why = goban_refusals_describe (core->scores.refusals[option]);

      set_problem (core, g_strdup_printf ("option %u of moment %u cannot be taken: %s", option,
                                          core->options.moment, why));
    }
  else
    return option;
  return wanted;
}

/* shares (n) that sum to G_MAXUINT16 exactly: each rounded with the rest that those before left. */
static void
round_shares (const GobanOptionScores *options, guint n, guint16 *shares)
{
  double total = 0;
  double sum = 0;
  guint given = 0;

  for (guint k = 0; k < n; k++)
    total += options->refusals[k] == 0 && options->scores[k] > 0 ? options->scores[k] : 0;
  for (guint k = 0; k < n; k++)
    {
      guint until;

      if (options->refusals[k] == 0 && options->scores[k] > 0)
        sum += options->scores[k];
      until = total > 0 ? (guint) lround (sum / total * G_MAXUINT16) : 0;
      shares[k] = (guint16) (until - given);
      given = until;
    }
}

/* The scores of @n options as they are stored, and @refusals if there are any. */
static gconstpointer
take_scores (GobanOptionScores *options, GobanScoreKind kind, guint n, const guint8 **refusals)
{
  float *stored;
  guint8 all_refusals = 0;

  if (options->n == 0)
    return NULL;
  goban_option_scores_fill (options, n);
  options->n = 0;
  stored = options->stored;
  if (kind == GOBAN_SCORE_PROBABILITY)
    round_shares (options, n, options->stored);
  else
    for (guint k = 0; k < n; k++)
      stored[k] = (float) options->scores[k];
  for (guint k = 0; k < n; k++)
    all_refusals |= options->refusals[k];
  if (all_refusals != 0)
    *refusals = options->refusals;
  return stored;
}

/* The interned note; policies repeat theirs. */
static const char *
intern_note (Core *core, const char *note)
{
  if (note == NULL)
    return NULL;
  if (core->note == NULL || strcmp (core->note, note) != 0)
    core->note = g_intern_string (note);
  return core->note;
}

/* The block for the next moment. */
static Block *
get_last_block (Core *core)
{
  GobanDecisions *own = core->own;

  if (own->blocks->len == 0 || core->is_full)
    {
      const GobanMoment first = own->n_moments + 1;

      const Block *before
          = own->blocks->len > 0 ? g_ptr_array_index (own->blocks, own->blocks->len - 1) : NULL;

      if (before != NULL)
        core->n_full_bytes += BLOCK_BYTES (before);
      g_ptr_array_add (own->blocks, goban_block_new (before));
      g_array_append_val (own->firsts, first);
      core->is_full = FALSE;
    }
  return g_ptr_array_index (own->blocks, own->blocks->len - 1);
}

/* Counts the moment that the last block got. */
static void
end_moment (GobanDecisions *own)
{
  if (own->last != own->n_moments)
    {
      const Jump jump = { own->n_moments + 1, own->last };

      g_array_append_val (own->jumps, jump);
    }
  own->last = ++own->n_moments;
}

static void
measure_block (GobanDecisionsWriter *self)
{
  Core *core = self->core;
  const Block *block = g_ptr_array_index (core->own->blocks, core->own->blocks->len - 1);

  core->is_full = block->n >= BLOCK_MOMENTS
                  || BLOCK_BYTES (block) >= core->options.max_bytes / RESERVED_SHARE;
  if (core->is_full)
    keep_limit (self);
}

static void
add_moment (GobanDecisionsWriter *self, const GobanDecisionHead *head, guint32 wanted,
            guint32 chosen)
{
  Core *core = self->core;
  Block *block = get_last_block (core);
  const float unknown = (float) NAN;
  GobanDecision decision = {
    .task = head->task,
    .options = head->options,
    .score = head->score,
    .takes_least = head->takes_least,
    .nodes = head->nodes,
    .n_nodes = head->n_nodes,
    .row = head->row,
    .n_options = head->n_options,
    .chosen = chosen,
    .key = head->has_key ? head->key : unknown,
    .temperature = head->temperature != 0 ? head->temperature : unknown,
    .entropy = head->entropy != 0 ? head->entropy : unknown,
    .start_us = unknown,
    .finish_us = unknown,
    .before_us = head->before_us != 0 ? head->before_us : (double) NAN,
    .after_us = head->after_us != 0 ? head->after_us : (double) NAN,
    .attended = head->attended,
    .n_attended = head->n_attended,
    .note = intern_note (core, head->note),
    .flags = head->flags | (chosen != wanted ? GOBAN_DECISION_FORCED : 0),
  };

  gconstpointer scores
      = take_scores (&core->scores, head->score, head->n_options, &decision.refusals);

  goban_block_add (block, self->span, &decision, scores, head->changes, head->n_changes, 0,
                   &core->state);
  end_moment (core->own);
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
  /* Policies take nodes in any order: half of the time of a moment was the wait for this. */
  if (head->n_nodes > 0)
    __builtin_prefetch (&core->state.choices[head->task][head->nodes[0]]);
  check_expected (core, head, wanted);
  chosen = choose (core, head->n_options, wanted);
  lock (core);
  add_moment (self, head, wanted, chosen);
  measure_block (self);
  g_mutex_unlock (&core->mutex);
  return chosen;
}

guint32
goban_decisions_writer_preview (GobanDecisionsWriter *self, guint n_options, guint32 wanted)
{
  return self != NULL ? choose (self->core, n_options, wanted) : wanted;
}

void
goban_decisions_writer_set_plan (GobanDecisionsWriter *self, const GobanDecisionHead *head,
                                 const GobanPlan *plan)
{
  g_autoptr (GArray) changes = NULL;
  const guint32 *devices;
  GobanDecisionHead own;

  if (self == NULL)
    return;
  changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  devices = self->core->state.choices[GOBAN_TASK_PLACEMENT];
  for (GobanNodeId v = 0; v < self->core->own->n_nodes; v++)
    {
      const GobanDecisionChange change
          = { GOBAN_TASK_PLACEMENT, v, devices[v], goban_plan_get_device (plan, v) };

      if (change.to != change.from)
        g_array_append_val (changes, change);
    }
  own = *head;
  own.changes = (const GobanDecisionChange *) (gconstpointer) changes->data;
  own.n_changes = changes->len;
  own.n_options = MAX (own.n_options, 1);
  goban_decisions_writer_decide (self, &own, 0);
}

void
goban_decisions_writer_set_times (GobanDecisionsWriter *self, double start_us, double finish_us)
{
  Core *core;

  if (self == NULL)
    return;
  core = self->core;
  g_return_if_fail (core->own->blocks->len > 0);
  core->start_us = (float) start_us;
  core->finish_us = (float) finish_us;
  core->has_times = TRUE;
}

void
goban_decisions_writer_settle (GobanDecisionsWriter *self, const GobanPlan *plan)
{
  Core *core;
  GobanDecisions *own;
  GobanSettledPlan settled;

  if (self == NULL)
    return;
  core = self->core;
  own = core->own;
  settled = goban_settling_make (own->last, &core->state, plan);
  if (core->options.expected != NULL && own->last < core->options.moment)
    for (guint i = 0; i < core->options.expected->settlings->len; i++)
      {
        const GobanSettledPlan *expected
            = &g_array_index (core->options.expected->settlings, GobanSettledPlan, i);

        if (expected->moment == own->last && expected->digest != settled.digest)
          set_problem (core, g_strdup_printf ("the plan of moment %u is another than in the "
                                              "record: the graph or the cluster has changed",
                                              own->last));
      }
  lock (core);
  get_known (self)->digest = settled.digest;
  core->n_settled_bytes += goban_settlings_append (own->settlings, settled);
  keep_limit (self);
  g_mutex_unlock (&core->mutex);
}

void
goban_decisions_writer_prove (GobanDecisionsWriter *self, double bound_us)
{
  const GArray *settlings = self != NULL ? self->core->own->settlings : NULL;

  if (settlings == NULL || settlings->len == 0)
    return;
  g_mutex_lock (&self->core->mutex);
  g_array_index (settlings, GobanSettledPlan, settlings->len - 1).proven_bound_us = bound_us;
  g_mutex_unlock (&self->core->mutex);
}

guint64
goban_decisions_writer_get_digest (const GobanDecisionsWriter *self)
{
  return self != NULL && self->known.moment == self->core->own->last ? self->known.digest : 0;
}

GobanMoment
goban_decisions_writer_get_moment (const GobanDecisionsWriter *self)
{
  return self != NULL ? self->core->own->last : 0;
}

gboolean
goban_decisions_writer_has (const GobanDecisionsWriter *self, GobanMoment moment)
{
  const Core *core = self != NULL ? self->core : NULL;

  /* Nothing is dropped while there are forks. */
  return core != NULL
         && (moment == core->own->last || (core->parent != NULL && moment <= core->forked)
             || goban_decisions_has (core->own, moment));
}

gboolean
goban_decisions_writer_get_forced (GobanDecisionsWriter *self, guint64 *evaluation, guint *index,
                                   guint32 *option)
{
  const GobanDecisionsOptions *options = self != NULL ? &self->core->options : NULL;
  const GobanSpan *span;
  GobanDecision decision;

  if (options == NULL || options->moment == 0)
    return FALSE;
  if (options->expected == NULL
      || !goban_decisions_get (options->expected, options->moment, NULL, &decision)
      || decision.span == 0)
    {
      set_problem (self->core,
                   g_strdup_printf ("moment %u cannot be forced: its plan is not in the "
                                    "record",
                                    options->moment));
      return FALSE;
    }
  span = goban_decisions_get_span (options->expected, decision.span);
  *evaluation = span->evaluation;
  *index = options->moment - span->begin - 1;
  *option = options->option;
  return TRUE;
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
  lock (core);
  span = &g_array_index (core->own->spans, GobanSpan,
                         goban_decisions_find_span (core->own, self->span) - 1);
  if (result != NULL)
    {
      span->after_us = result->makespan_us > 0 ? result->makespan_us : (double) NAN;
      span->overflow_bytes = result->overflow_bytes;
      span->why = g_intern_string (result->why);
      if (result->makespan_us > 0)
        get_known (self)->makespan_us = result->makespan_us;
    }
  span->end = core->own->n_moments;
  span->last = core->own->last;
  span->digest = get_known (self)->digest;
  span->is_open = FALSE;
  span->is_accepted = is_accepted;
  if (!is_accepted && self->returns != NULL)
    {
      /* The moments so far do not lead to the state; from now on it is the beginning. */
      for (GobanDecisionsWriter *outer = self->in; outer->in != NULL; outer = outer->in)
        if (outer->returns == NULL)
          save_state (outer);
      goban_beginning_unref (core->own->beginning);
      core->own->beginning = goban_beginning_ref (self->returns);
      goban_decision_state_copy (&core->state, &self->returns->state);
      core->own->last = self->returns_to;
      drop_unreached (core);
    }
  else if (!is_accepted)
    go_to (core, self->returns_to);
  get_known (self->in);
  add_known (self->in, &self->known);
  g_clear_pointer (&self->returns, goban_beginning_unref);
  core->innermost = self->in;
  g_mutex_unlock (&core->mutex);
  g_free (self);
}

/* --- side by side --------------------------------------------------------------------------- */

GobanDecisionsWriter *
goban_decisions_writer_fork (GobanDecisionsWriter *in)
{
  GobanDecisionsWriter *self;
  GobanDecisionsOptions options;
  GobanDecisions *own;
  Core *core;

  if (in == NULL)
    return NULL;
  g_return_val_if_fail (in->core->parent == NULL, NULL);
  options = in->core->options;
  options.max_bytes = G_MAXSIZE;
  /* Only the first of several has the numbers that its moments will have. */
  if (in->core->n_forks > 0)
    {
      options.moment = 0;
      options.expected = NULL;
    }
  self = goban_decisions_writer_new (&options);
  core = self->core;
  own = core->own;
  g_mutex_lock (&in->core->mutex);
  in->core->n_forks++;
  core->parent = in;
  core->forked = in->core->own->n_moments;
  core->last_id = core->forked_id = in->core->last_id;
  self->span = in->span;
  self->known = *get_known (in);
  self->returns_to = in->core->own->last;
  goban_decision_state_copy (&core->state, &in->core->state);
  own->beginning->moment = own->folded = own->n_moments = core->forked;
  own->last = in->core->own->last;
  g_mutex_unlock (&in->core->mutex);
  return self;
}

/* Closes the spans that a policy left open when it failed. */
static void
close_all (GobanDecisionsWriter *self)
{
  while (self->core->innermost != self)
    goban_decisions_writer_close (self->core->innermost, NULL, FALSE);
}

static void
free_first (GobanDecisionsWriter *self)
{
  Core *core = self->core;

  goban_decisions_unref (core->own);
  if (core->options.expected != NULL)
    goban_decisions_unref (core->options.expected);
  g_free (core->scores.scores);
  g_free (core->scores.refusals);
  g_free (core->scores.stored);
  goban_decision_state_clear (&core->state);
  g_free (core->problem);
  g_mutex_clear (&core->mutex);
  g_free (core);
  g_free (self);
}

/* The number that a fork's moment has after the fork's first one got that after @n_moments. */
static GobanMoment
renumber (const Core *fork, GobanMoment n_moments, GobanMoment moment)
{
  return moment > fork->forked ? moment - fork->forked + n_moments : moment;
}

static void
append_fork (GobanDecisionsWriter *in, Core *fork)
{
  Core *core = in->core;
  GobanDecisions *own = core->own;
  const GobanDecisions *from = fork->own;
  GobanMoment n_moments = own->n_moments;
  guint32 n_ids = core->last_id - fork->forked_id;
  guint32 parent = goban_decisions_find_span (own, in->span);
  guint n_spans = own->spans->len;

  for (GobanMoment m = fork->forked + 1; m <= from->n_moments; m++)
    {
      guint i;
      const Block *block = goban_decisions_find_block (from, m, &i);
      Block *to = get_last_block (core);

      goban_block_append (to, block, i, REST_ALL);
      if (block_get_fact (to, to->n - 1)->span > fork->forked_id)
        block_get_fact (to, to->n - 1)->span += n_ids;
      own->last = renumber (fork, n_moments, goban_decisions_get_previous (from, m));
      end_moment (own);
      measure_block (in);
    }
  for (guint s = 0; s < from->spans->len; s++)
    {
      GobanSpan span = g_array_index (from->spans, GobanSpan, s);
      const guint32 id = g_array_index (from->span_ids, guint32, s) + n_ids;

      span.parent = span.parent == 0 ? parent : span.parent + n_spans;
      span.begin = span.begin - fork->forked + n_moments;
      span.end = span.end - fork->forked + n_moments;
      span.base = renumber (fork, n_moments, span.base);
      span.last = renumber (fork, n_moments, span.last);
      g_array_append_val (own->spans, span);
      g_array_append_val (own->span_ids, id);
    }
  for (guint i = 0; i < from->settlings->len; i++)
    {
      GobanSettledPlan *settling = &g_array_index (from->settlings, GobanSettledPlan, i);

      settling->moment = renumber (fork, n_moments, settling->moment);
      core->n_settled_bytes += goban_settlings_append (own->settlings, *settling);
      memset (settling->columns, 0, sizeof settling->columns);
    }
  core->last_id += fork->last_id - fork->forked_id;
}

void
goban_decisions_writer_commit (GobanDecisionsWriter *in, GobanDecisionsWriter *fork)
{
  Core *core, *from;
  GobanMoment n_moments, last;

  if (in == NULL)
    return;
  core = in->core;
  from = fork->core;
  g_return_if_fail (from->parent == in);
  close_all (fork);
  write_times (from);
  lock (core);
  n_moments = core->own->n_moments;
  last = core->own->last;
  append_fork (in, from);
  core->own->last = last;
  if (from->own->last != fork->returns_to)
    {
      core->own->last = renumber (from, n_moments, from->own->last);
      goban_decision_state_copy (&core->state, &from->state);
    }
  fork->known.moment = renumber (from, n_moments, fork->known.moment);
  get_known (in);
  add_known (in, &fork->known);
  if (from->problem != NULL)
    set_problem (core, g_steal_pointer (&from->problem));
  core->n_forks--;
  keep_limit (in);
  g_mutex_unlock (&core->mutex);
  free_first (fork);
}

const char *
goban_decisions_writer_get_problem (const GobanDecisionsWriter *self)
{
  return self != NULL ? self->core->problem : NULL;
}

/* --- snapshots ------------------------------------------------------------------------------ */

static GobanDecisions *
take_snapshot (const Core *core)
{
  const GobanDecisions *own = core->own;
  GobanDecisions *copy = goban_decisions_copy (own);
  guint n = own->blocks->len;

  if (n > 0)
    {
      goban_block_unref (g_ptr_array_index (copy->blocks, n - 1));
      g_ptr_array_index (copy->blocks, n - 1)
          = goban_block_copy (g_ptr_array_index (own->blocks, n - 1));
    }
  for (guint s = 0; s < copy->spans->len; s++)
    if (g_array_index (copy->spans, GobanSpan, s).is_open)
      g_array_index (copy->spans, GobanSpan, s).end = own->n_moments;
  goban_decisions_append_chain (copy, copy->last, copy->line);
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
  GobanDecisions *own;

  if (self == NULL)
    return NULL;
  g_return_val_if_fail (self->in == NULL && self->core->parent == NULL, NULL);
  close_all (self);
  write_times (self->core);
  own = take_snapshot (self->core);
  free_first (self);
  return own;
}

void
goban_decisions_writer_free (GobanDecisionsWriter *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (self->in == NULL);
  close_all (self);
  if (self->core->parent != NULL)
    {
      Core *outer = self->core->parent->core;

      g_mutex_lock (&outer->mutex);
      outer->n_forks--;
      g_mutex_unlock (&outer->mutex);
    }
  free_first (self);
}
