#include "engine/decisions/decisions-parts.h"

#include "engine/core/error.h"
#include "engine/decisions/decisions-private.h"

#include <math.h>
#include <string.h>

/* Longer gaps between moments are blocks of their own, which take no memory. */
#define LONG_GAP 64
#define MOST_OPTIONS (1u << 20)

struct _GobanDecisionsLoader
{
  GobanDecisions *own;
  GobanDecisionState state; /* after own->last */
};

/* --- parts ------------------------------------------------------------------------------------ */

void
goban_decisions_get_beginning (const GobanDecisions *self, GobanDecisionsBeginning *beginning)
{
  const Beginning *own = self->beginning;

  /* If the state is that of a moment after the blocks that are gone, none between is left. */
  *beginning
      = (GobanDecisionsBeginning){ MAX (self->folded, own->moment), own->moment, &own->state };
}

GArray *
goban_decisions_list_left (const GobanDecisions *self)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  for (guint b = self->n_folded; b < self->blocks->len; b++)
    {
      const Block *block = g_ptr_array_index (self->blocks, b);
      GobanMoment moment = g_array_index (self->firsts, GobanMoment, b);

      for (guint i = 0; block != NULL && i < block->n; i++, moment++)
        if ((block_get_fact (block, i)->flags & FACT_DROPPED) == 0)
          g_array_append_val (moments, moment);
    }
  return moments;
}

gboolean
goban_decisions_has_lost_scores (const GobanDecisions *self, GobanMoment moment)
{
  guint i;
  const Block *block = goban_decisions_find_block (self, moment, &i);

  return (block_get_fact (block, i)->flags & FACT_LOST_SCORES) != 0;
}

const GArray *
goban_decisions_get_settled (const GobanDecisions *self)
{
  return self->settlings;
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Adds a block, (transfer full) (nullable), whose first moment has this number. */
static Block *
add_block (GobanDecisions *own, Block *block, GobanMoment first)
{
  g_ptr_array_add (own->blocks, block);
  g_array_append_val (own->firsts, first);
  return block;
}

GobanDecisionsLoader *
goban_decisions_loader_new (guint n_nodes, guint n_devices,
                            const GobanDecisionsBeginning *beginning)
{
  GobanDecisionsLoader *self = g_new0 (GobanDecisionsLoader, 1);
  GobanDecisions *own = self->own = goban_decisions_new (n_nodes, n_devices);

  goban_decision_state_init (&self->state, n_nodes);
  if (beginning->folded == 0)
    return self;

  add_block (own, NULL, 1);
  own->n_folded = 1;
  own->folded = own->n_moments = beginning->folded;
  own->last = own->beginning->moment = beginning->moment;
  goban_decision_state_copy (&own->beginning->state, beginning->state);
  goban_decision_state_copy (&self->state, beginning->state);
  return self;
}

void
goban_decisions_loader_free (GobanDecisionsLoader *self)
{
  if (self->own != NULL)
    goban_decisions_unref (self->own);
  goban_decision_state_clear (&self->state);
  g_free (self);
}

gboolean
goban_decisions_loader_add_span (GobanDecisionsLoader *self, const GobanSpan *span, GError **error)
{
  GobanDecisions *own = self->own;
  guint32 number = own->spans->len + 1;
  const GobanSpan *parent = span->parent > 0 && span->parent < number
                                ? goban_decisions_get_span (own, span->parent)
                                : NULL;

  if ((span->parent > 0 && parent == NULL) || span->begin > span->end || span->base > span->begin
      || span->last > span->end
      || (parent != NULL && (span->begin < parent->begin || span->end > parent->end)))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "span %u does not fit the others", number);
  g_array_append_vals (own->spans, span, 1);
  g_array_append_val (own->span_ids, number);
  return TRUE;
}

/* Whether the choice of a node may be @to. */
static gboolean
is_choice (const GobanDecisions *own, GobanTask task, GobanNodeId node, guint32 to)
{
  return task < GOBAN_N_TASKS && node < own->n_nodes
         && (task != GOBAN_TASK_PLACEMENT || to == GOBAN_UNDECIDED || to < own->n_devices);
}

static gboolean
check_choices (const GobanDecisions *own, const GobanLoadedMoment *moment)
{
  const GobanDecision *decision = &moment->decision;
  guint most = decision->options == GOBAN_OPTION_DEVICE  ? own->n_devices
               : decision->options == GOBAN_OPTION_LEVEL ? GOBAN_N_LEVELS
                                                         : MOST_OPTIONS;

  if (decision->n_options > most
      || (decision->n_options > 0 && decision->chosen >= decision->n_options))
    return FALSE;
  for (guint k = 0; k < decision->n_nodes; k++)
    if (!is_choice (own, decision->task, decision->nodes[k],
                    goban_option_is_choice (decision->options) ? decision->chosen
                                                               : GOBAN_UNDECIDED))
      return FALSE;
  for (guint k = 0; k < moment->n_changes; k++)
    {
      const GobanDecisionChange *change = &moment->changes[k];

      if (!is_choice (own, change->task, change->node, change->to))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_moment (const GobanDecisions *own, const GobanLoadedMoment *moment, GError **error)
{
  GobanMoment number = moment->decision.number;
  GobanMoment previous = moment->previous;
  guint32 span = moment->decision.span;

  if (number <= own->n_moments || number > GOBAN_DECISIONS_MAX_LOADED)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "moment %u cannot come after moment %u",
                         number, own->n_moments);
  if (!goban_decisions_is_left (own, previous))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "moment %u follows moment %u, which is not there", number, previous);
  if (span > own->spans->len
      || (span > 0
          && (number <= goban_decisions_get_span (own, span)->begin
              || number > goban_decisions_get_span (own, span)->end)))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "moment %u is not in span %u", number, span);
  return check_choices (own, moment)
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "moment %u chooses a node, a device or an option that is not there",
                          number);
}

/* The block for the moment with this number, after those that are missing before it. */
static Block *
find_room (GobanDecisions *own, GobanMoment number)
{
  const GobanDecision dropped = { 0 };
  Block *block
      = own->blocks->len > 0 ? g_ptr_array_index (own->blocks, own->blocks->len - 1) : NULL;
  GobanMoment first = own->n_moments + 1;

  if (number - first >= LONG_GAP || (number > first && block == NULL))
    {
      block = add_block (own, NULL, first);
      first = number;
    }
  for (; first < number; first++)
    goban_block_add (block, 0, &dropped, NULL, NULL, 0, FACT_DROPPED, NULL);
  return block != NULL && block->n < BLOCK_MOMENTS
             ? block
             : add_block (own, goban_block_new (NULL), number);
}

gboolean
goban_decisions_loader_add (GobanDecisionsLoader *self, const GobanLoadedMoment *moment,
                            GError **error)
{
  GobanDecisions *own = self->own;
  const GobanDecision *decision = &moment->decision;
  Block *block;
  g_autofree guint16 *shares = NULL;

  if (!check_moment (own, moment, error))
    return FALSE;
  goban_decisions_change_state (own, own->last, moment->previous, &self->state);
  block = find_room (own, decision->number);
  if (decision->scores != NULL && decision->score == GOBAN_SCORE_PROBABILITY)
    {
      shares = g_new (guint16, decision->n_options);
      for (guint k = 0; k < decision->n_options; k++)
        shares[k] = (guint16) lroundf (decision->scores[k] * G_MAXUINT16);
    }
  goban_block_add (block, decision->span, decision,
                   shares != NULL ? (gconstpointer) shares : decision->scores, moment->changes,
                   moment->n_changes, moment->has_lost_scores ? FACT_LOST_SCORES : 0, &self->state);
  if (moment->previous != decision->number - 1)
    {
      const Jump jump = { decision->number, moment->previous };

      g_array_append_val (own->jumps, jump);
    }
  own->last = own->n_moments = decision->number;
  return TRUE;
}

gboolean
goban_decisions_loader_settle (GobanDecisionsLoader *self, const GobanSettledPlan *plan,
                               GError **error)
{
  const GobanDecisions *own = self->own;
  GBytes *pairs = plan->columns[GOBAN_SETTLED_MOVED];
  gsize n_bytes = 0;
  const GobanMovedNode *moved = pairs != NULL ? g_bytes_get_data (pairs, &n_bytes) : NULL;

  for (gsize i = 0; i < n_bytes / sizeof *moved; i++)
    if (moved[i].node >= own->n_nodes || moved[i].device >= own->n_devices)
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "the plan of moment %u has node %u on device %u, which is not there",
                           plan->moment, moved[i].node, moved[i].device);
  for (guint c = GOBAN_SETTLED_PRIORITIES; c <= GOBAN_SETTLED_FUSIONS; c++)
    if (plan->columns[c] != NULL
        && g_bytes_get_size (plan->columns[c]) != own->n_nodes * sizeof (gint32))
      return goban_refuse (error, GOBAN_ERROR_INVALID, "the plan of moment %u is not for %u nodes",
                           plan->moment, own->n_nodes);
  for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
    if (plan->columns[c] != NULL)
      g_bytes_ref (plan->columns[c]);
  goban_settlings_append (own->settlings, *plan);
  return TRUE;
}

GobanDecisions *
goban_decisions_loader_end (GobanDecisionsLoader *self, GobanMoment n_moments, GobanMoment last,
                            GError **error)
{
  g_autoptr (GobanDecisionsLoader) loader = self;
  GobanDecisions *own = self->own;
  GobanMoment end = own->n_moments;

  for (guint s = 1; s <= own->spans->len; s++)
    end = MAX (end, goban_decisions_get_span (own, s)->end);
  if (end > n_moments || n_moments > GOBAN_DECISIONS_MAX_LOADED)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "there is no moment %u: the last one is %u", end,
                       n_moments);
      return NULL;
    }
  if (!goban_decisions_is_left (own, last))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the plan is that of moment %u, which is not there", last);
      return NULL;
    }
  if (n_moments > own->n_moments)
    add_block (own, NULL, own->n_moments + 1);
  own->n_moments = n_moments;
  own->last = last;
  goban_decisions_append_chain (own, last, own->line);
  return g_steal_pointer (&self->own);
}

/* --- spans ---------------------------------------------------------------------------------- */

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

void
goban_decisions_fold_spans (GobanDecisions *own)
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
