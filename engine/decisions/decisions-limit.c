#include "engine/decisions/decisions-writer-private.h"

#include <string.h>

/* Dropping goes on to this share of the limit, so that it is rare. */
#define KEPT_SHARE 0.75

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
      core->n_full_bytes -= goban_block_get_n_bytes (old);
      core->n_full_bytes += block != NULL ? goban_block_get_n_bytes (block) : 0;
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

void
goban_decisions_writer_drop_unreached (Core *core)
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

void
goban_decisions_writer_save_state (GobanDecisionsWriter *self)
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
  Beginning *beginning;
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (Segment));
  gboolean is_any_saved = FALSE;
  guint n = 0;

  for (GobanDecisionsWriter *open = self; open->in != NULL; open = open->in)
    if (open->returns == NULL
        && goban_decisions_find_ancestor (own, open->returns_to, end) != present)
      {
        goban_decisions_writer_save_state (open);
        is_any_saved = TRUE;
      }
  goban_decisions_append_chain (own, present, chain);
  for (; n < chain->len && g_array_index (chain, Segment, n).first <= end; n++)
    ;
  g_array_set_size (chain, n);
  beginning = goban_beginning_new (own->n_nodes);
  beginning->moment = present;
  goban_decision_state_copy (&beginning->state, &own->beginning->state);
  goban_decisions_apply (own, chain, &beginning->state);
  goban_beginning_unref (own->beginning);
  own->beginning = beginning;
  if (g_ptr_array_index (own->blocks, own->n_folded) != NULL)
    replace_block (core, own->n_folded, NULL);
  own->n_folded++;
  own->folded = end;
  if (is_any_saved)
    goban_decisions_writer_drop_unreached (core);
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

static gboolean
is_span_gone (const GobanDecisions *own, const GobanSpan *span)
{
  if (span->is_open || (span->begin == span->end && span->is_accepted && span->end > own->folded))
    return FALSE;
  for (GobanMoment m = MAX (span->begin, own->folded) + 1; m <= span->end; m++)
    if (!goban_decisions_is_dropped (own, m))
      return FALSE;
  return TRUE;
}

/* Folds spans without a moment that is left into the sibling after them. */
static void
fold_spans (GobanDecisions *own)
{
  guint n_spans = own->spans->len;
  g_autofree guint8 *stays = g_new0 (guint8, n_spans + 1);
  g_autofree guint32 *siblings = g_new0 (guint32, n_spans + 1); /* next one that stays, by parent */
  g_autofree guint32 *numbers = g_new0 (guint32, n_spans + 1);
  guint n = 0;

  stays[0] = TRUE;
  for (guint32 s = n_spans; s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (own, s);

      stays[s] |= !is_span_gone (own, span);
      stays[span->parent] |= stays[s];
    }
  for (guint32 s = n_spans; s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (own, s);
      guint32 next = siblings[span->parent];

      if (!stays[s] && next != 0)
        g_array_index (own->spans, GobanSpan, next - 1).n_left_out += 1 + span->n_left_out;
      else if (stays[span->parent])
        {
          /* The last sibling keeps the number of those before it. */
          stays[s] = TRUE;
          siblings[span->parent] = s;
        }
    }
  for (guint32 s = 1; s <= n_spans; s++)
    {
      GobanSpan span = *goban_decisions_get_span (own, s);

      if (!stays[s])
        continue;
      span.parent = numbers[span.parent];
      g_array_index (own->spans, GobanSpan, n) = span;
      g_array_index (own->span_ids, guint32, n) = g_array_index (own->span_ids, guint32, s - 1);
      numbers[s] = ++n;
    }
  g_array_set_size (own->spans, n);
  g_array_set_size (own->span_ids, n);
}

/* Removes spans, jumps and settlings of moments that are gone. */
static void
drop_rests (Core *core)
{
  GobanDecisions *own = core->own;
  guint n = 0;

  fold_spans (own);
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
      Settling *settling = &g_array_index (own->settlings, Settling, i);
      GobanMoment moment = settling->moment;

      if (i + 1 < own->settlings->len && moment != own->last && moment > 0 && is_gone (own, moment))
        goban_settling_clear (settling);
      else if (n++ < i)
        {
          g_array_index (own->settlings, Settling, n - 1) = *settling;
          memset (settling->columns, 0, sizeof settling->columns);
        }
    }
  g_array_set_size (own->settlings, n);
  core->n_settled_bytes = goban_settlings_get_n_bytes (own->settlings);
}

/* Drops scores off the line first, then moments there, the line's oldest scores, its oldest
 * changes, and at last all plans but the newest. A part of the limit is for the next block. */
void
goban_decisions_writer_keep_limit (GobanDecisionsWriter *self)
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
        goban_decisions_writer_drop_unreached (core);
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
      Settling *settling = &g_array_index (own->settlings, Settling, i);

      for (guint c = 0; c < N_COLUMNS; c++)
        if (settling->columns[c] != NULL && settling->columns[c] != settling[1].columns[c])
          core->n_settled_bytes -= g_bytes_get_size (settling->columns[c]);
      settling->is_lost = TRUE;
      goban_settling_clear (settling);
    }
  core->most_bytes = MAX (core->options.max_bytes, get_n_bytes (self) + 2 * reserve);
}
