#include "engine/study/analysis/moments/moment-card.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"

#include <math.h>
#include <string.h>

/* --- lines ------------------------------------------------------------------------------------ */

/* The innermost span of plans around a span; 0: none. */
static guint32
find_plan_span (const GobanDecisions *decisions, guint32 s)
{
  while (s != 0 && goban_decisions_get_span (decisions, s)->level != GOBAN_LEVEL_PLAN)
    s = goban_decisions_get_span (decisions, s)->parent;
  return s;
}

static void
end_plan (GobanMomentLines *self)
{
  GobanLinesPlan *plan;
  GobanDecision decision;
  double before_us;

  if (self->plans->len == 0)
    return;
  plan = &g_array_index (self->plans, GobanLinesPlan, self->plans->len - 1);
  plan->n = self->moments->len - plan->first;
  plan->last = g_array_index (self->moments, GobanMoment, self->moments->len - 1);
  plan->makespan_us = plan->previous_us = (double) NAN;
  if (self->plans->len > 1)
    plan->previous_us = plan[-1].makespan_us;
  if (goban_decisions_get (self->decisions, plan->last, NULL, &decision))
    goban_decision_get_times (self->decisions, &decision, &before_us, &plan->makespan_us);
}

/* A moment of a span, 0 for none; those of the plan before it are complete if it begins another. */
static void
add_line (GobanMomentLines *self, GobanMoment moment, gboolean begins_plan, guint32 span)
{
  if (begins_plan)
    {
      const GobanLinesPlan plan = {
        .first = self->moments->len,
        .is_accepted = span == 0 || goban_decisions_get_span (self->decisions, span)->is_accepted,
      };

      end_plan (self);
      g_array_append_val (self->plans, plan);
    }
  g_array_append_val (self->moments, moment);
}

GobanMomentLines *
goban_moment_lines_new (GobanDecisions *decisions, GobanStops which)
{
  GobanMomentLines *self = g_new (GobanMomentLines, 1);
  g_autoptr (GArray) stops = goban_moments_list_stops (decisions, GOBAN_LEVEL_MOMENT, which);
  guint32 known = G_MAXUINT32, span = 0, last_span = G_MAXUINT32;
  gboolean was_whole = TRUE;

  *self = (GobanMomentLines){
    .decisions = goban_decisions_ref (decisions),
    .moments = g_array_sized_new (FALSE, FALSE, sizeof (GobanMoment), stops->len),
    .plans = g_array_new (FALSE, FALSE, sizeof (GobanLinesPlan)),
  };
  for (guint i = 0; i < stops->len; i++)
    {
      GobanMoment moment = g_array_index (stops, GobanMoment, i);
      GobanDecision decision;
      gboolean is_whole;

      if (moment == 0 || !goban_decisions_get (decisions, moment, NULL, &decision))
        continue;
      if (decision.span != known)
        span = find_plan_span (decisions, decision.span);
      known = decision.span;
      is_whole
          = span == 0
            && (decision.options == GOBAN_OPTION_MOVE || decision.options == GOBAN_OPTION_PLAN);
      add_line (self, moment, span != last_span || is_whole || was_whole, span);
      last_span = span;
      was_whole = is_whole;
    }
  end_plan (self);
  return self;
}

void
goban_moment_lines_free (GobanMomentLines *self)
{
  goban_decisions_unref (self->decisions);
  g_array_unref (self->moments);
  g_array_unref (self->plans);
  g_free (self);
}

const GobanLinesPlan *
goban_moment_lines_get_plan (const GobanMomentLines *self, guint plan)
{
  g_return_val_if_fail (plan < self->plans->len, NULL);
  return &g_array_index (self->plans, GobanLinesPlan, plan);
}

GobanMoment
goban_moment_lines_get_moment (const GobanMomentLines *self, guint line)
{
  g_return_val_if_fail (line < self->moments->len, 0);
  return g_array_index (self->moments, GobanMoment, line);
}

guint
goban_moment_lines_find (const GobanMomentLines *self, GobanMoment moment)
{
  if (self->moments->len == 0 || moment < g_array_index (self->moments, GobanMoment, 0))
    return GOBAN_NO_LINE;
  return goban_moments_find_stop (self->moments, moment);
}

guint
goban_moment_lines_find_plan (const GobanMomentLines *self, guint line)
{
  guint low = 0, high = self->plans->len;

  if (line == GOBAN_NO_LINE || high == 0)
    return GOBAN_NO_LINE;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->plans, GobanLinesPlan, middle).first <= line)
        low = middle;
      else
        high = middle;
    }
  return low;
}

gboolean
goban_moment_lines_has_decisions (const GobanMomentLines *self, guint plan)
{
  return goban_moment_lines_get_plan (self, plan)->n > 1;
}

static void
clear_option (gpointer data)
{
  GobanCardOption *option = data;

  g_free (option->name);
  g_free (option->words);
  g_free (option->why_not);
}

void
goban_moment_card_free (GobanMomentCard *self)
{
  g_free (self->path);
  g_free (self->what);
  g_free (self->why);
  g_free (self->had);
  g_free (self->key);
  g_array_unref (self->options);
  g_array_unref (self->attended);
  g_free (self);
}

/* The best of the options that were allowed, by the policy's measure, or by that of all plans;
 * n_options: there is none. */
static guint32
find_best (const GobanDecision *decision)
{
  gboolean is_most
      = decision->score == GOBAN_SCORE_PROBABILITY || decision->score == GOBAN_SCORE_GAIN;
  gboolean is_least = decision->takes_least || decision->score == GOBAN_SCORE_MAKESPAN_US
                      || decision->score == GOBAN_SCORE_EXPECTED_US;
  guint32 best = decision->n_options;

  for (guint32 k = 0; decision->scores != NULL && (is_most || is_least) && k < decision->n_options;
       k++)
    if (goban_option_is_allowed (decision, k) && isfinite (decision->scores[k])
        && (best == decision->n_options
            || (is_most ? decision->scores[k] > decision->scores[best]
                        : decision->scores[k] < decision->scores[best])))
      best = k;
  return best;
}

static void
add_options (GobanMomentCard *self, const GobanCostModel *costs, const GobanDecision *decision)
{
  guint32 best = find_best (decision);
  gboolean is_none = decision->options == GOBAN_OPTION_MOVE && decision->n_nodes == 0
                     && self->node == GOBAN_NO_NODE && decision->chosen + 1 == decision->n_options;

  for (guint32 k = 0; k < decision->n_options; k++)
    {
      double score = decision->scores != NULL ? (double) decision->scores[k] : (double) NAN;
      guint refusals = decision->refusals != NULL ? decision->refusals[k] : 0;
      GobanCardOption option = {
        .name = is_none && k == decision->chosen ? g_strdup (_ ("none"))
                                                 : goban_option_dup_name (costs, decision, k),
        .words = isfinite (score) && decision->score != GOBAN_SCORE_NONE
                         && (refusals == 0 || decision->score != GOBAN_SCORE_PROBABILITY)
                     ? goban_score_describe (decision->score, score)
                     : g_strdup (""),
        .why_not = refusals != 0 ? goban_refusals_describe (refusals) : NULL,
        .refusals = refusals,
        .score = score,
        .probability = decision->score == GOBAN_SCORE_PROBABILITY ? score : (double) NAN,
        .difference = best < decision->n_options ? fabs (score - (double) decision->scores[best])
                                                 : (double) NAN,
        .is_chosen = k == decision->chosen,
        .is_best = k == best,
      };

      g_array_append_val (self->options, option);
    }
}

/* Keys of policies, for the translation. */
static G_GNUC_UNUSED const char *const known_keys[]
    = { N_ ("upward rank"), N_ ("static level"), N_ ("longest path"), N_ ("saga rank") };

/* "upward rank 4.329 ms" of "upward_rank_us". (transfer full) (nullable) */
static char *
describe_key (const char *key, double value)
{
  g_autofree char *word = NULL;
  char amount[GOBAN_QUANTITY_LEN];

  if (key == NULL || !isfinite (value))
    return NULL;
  if (g_str_has_suffix (key, "_us"))
    goban_format_time (amount, value);
  else if (g_str_has_suffix (key, "_bytes"))
    goban_format_bytes (amount, value);
  else
    g_ascii_formatd (amount, sizeof amount, "%.4g", value);
  word = g_str_has_suffix (key, "_us") || g_str_has_suffix (key, "_bytes")
             ? g_strndup (key, (gsize) (strrchr (key, '_') - key))
             : g_strdup (key);
  g_strdelimit (word, "_", ' ');
  return g_strdup_printf ("%s %s", goban_i18n_get (word), amount);
}

/* --- attention ------------------------------------------------------------------------------ */

static int
compare_attended (gconstpointer a, gconstpointer b)
{
  const GobanCardAttended *x = a;
  const GobanCardAttended *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* The nodes of the rows: a network decides all rows of its board within a span. */
static void
find_rows (GobanMomentCard *self, const GobanDecisions *decisions, guint32 s)
{
  guint n_missing = self->attended->len;

  for (; s != 0 && n_missing > 0; s = goban_decisions_get_span (decisions, s)->parent)
    for (GobanMoment m = goban_decisions_get_span (decisions, s)->begin + 1;
         m <= goban_decisions_get_span (decisions, s)->end && n_missing > 0; m++)
      {
        GobanDecision decision;

        if (!goban_decisions_get (decisions, m, NULL, &decision) || decision.row == 0
            || decision.n_nodes == 0)
          continue;
        for (guint i = 0; i < self->attended->len; i++)
          {
            GobanCardAttended *attended = &g_array_index (self->attended, GobanCardAttended, i);

            if (attended->row != decision.row || attended->node != GOBAN_NO_NODE)
              continue;
            attended->node = decision.nodes[0];
            attended->n_nodes = decision.n_nodes;
            n_missing--;
          }
      }
}

static void
add_attended (GobanMomentCard *self, const GobanDecisions *decisions, const GobanDecision *decision)
{
  for (guint i = 0; i < decision->n_attended; i++)
    {
      const GobanCardAttended attended = { .row = decision->attended[i].row,
                                           .node = GOBAN_NO_NODE,
                                           .weight = (double) decision->attended[i].weight };

      g_array_append_val (self->attended, attended);
    }
  g_array_sort (self->attended, compare_attended);
  find_rows (self, decisions, decision->span);
}

/* --- card ----------------------------------------------------------------------------------- */

GobanMomentCard *
goban_moment_card_new (const GobanCostModel *costs, const GobanDecisions *decisions,
                       GobanMoment moment)
{
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  GobanMomentCard *self;

  if (moment == 0 || !goban_decisions_get (decisions, moment, &room, &decision))
    return NULL;
  self = g_new (GobanMomentCard, 1);
  *self = (GobanMomentCard){
    .moment = moment,
    .task = decision.task,
    .kind = decision.options,
    .score = decision.score,
    .n_nodes = decision.n_nodes,
    .node = goban_moment_find_node (decisions, moment),
    .row = decision.row,
    .path = goban_moment_describe_path (decisions, moment),
    .what = goban_moment_describe (costs, decisions, moment),
    .why = goban_moment_explain (costs, decisions, moment),
    .had = decision.n_nodes > 0 ? goban_choice_dup_name (costs, decision.task, decision.had) : NULL,
    .key = decision.span != 0 ? describe_key (
               goban_decisions_get_span (decisions, decision.span)->key, (double) decision.key)
                              : NULL,
    .entropy = (double) decision.entropy,
    .temperature = (double) decision.temperature,
    .note = decision.note != NULL && *decision.note != '\0' ? decision.note : NULL,
    .flags = decision.flags,
    .span = decision.span,
    .lacks_scores = decision.scores == NULL && decision.score != GOBAN_SCORE_NONE,
    .options = g_array_new (FALSE, FALSE, sizeof (GobanCardOption)),
    .attended = g_array_new (FALSE, FALSE, sizeof (GobanCardAttended)),
  };
  goban_decision_get_times (decisions, &decision, &self->before_us, &self->after_us);
  g_array_set_clear_func (self->options, clear_option);
  add_options (self, costs, &decision);
  add_attended (self, decisions, &decision);
  goban_decision_room_clear (&room);
  return self;
}
