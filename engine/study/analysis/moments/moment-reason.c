#include "engine/study/analysis/moments/moment-words.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

/* Scores are single precision. */
#define TOLERANCE 1e-5

/* The chosen device beside the best of the others that were allowed. */
typedef struct
{
  const GobanCostModel *costs;
  const GobanDecision *decision;
  GobanDeviceId chosen, other;
  double gap;               /* of their scores, above 0 if the chosen one is better */
  GobanDecisionState state; /* after the moment */
} Comparison;

/* The least score among the options but @but that are allowed, or refused; n_options: none. */
static guint32
find_least (const GobanDecision *decision, guint32 but, gboolean allowed)
{
  guint32 least = decision->n_options;

  for (guint32 k = 0; k < decision->n_options; k++)
    if (k != but && goban_option_is_allowed (decision, k) == allowed
        && isfinite (decision->scores[k])
        && (least == decision->n_options || decision->scores[k] < decision->scores[least]))
      least = k;
  return least;
}

/* --- proof by the costs -------------------------------------------------------------------- */

static double
sum_times (const Comparison *self, GobanDeviceId device)
{
  double time_us = 0;

  for (guint k = 0; k < self->decision->n_nodes; k++)
    time_us += goban_cost_model_time_us (self->costs, self->decision->nodes[k], device);
  return time_us;
}

static double
find_start (const Comparison *self, GobanDeviceId device)
{
  double score_us = (double) self->decision->scores[device];

  return self->decision->score == GOBAN_SCORE_FINISH_US ? score_us - sum_times (self, device)
                                                        : score_us;
}

/* The producer on the chosen device whose output reaches the other one last: at @arrival_us at the
 * earliest. GOBAN_NO_NODE without one. */
static GobanNodeId
find_input (const Comparison *self, double *arrival_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanNodeId last = GOBAN_NO_NODE;

  *arrival_us = -INFINITY;
  for (guint k = 0; k < self->decision->n_nodes; k++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, self->decision->nodes[k]);

      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
          double finish_us = (double) self->state.finishes_us[edge->tail];
          double sent_us = finish_us
                           + goban_cost_model_transfer_us (self->costs, edge->tensor, self->chosen,
                                                           self->other);

          if (self->state.choices[GOBAN_TASK_PLACEMENT][edge->tail] == self->chosen
              && sent_us > finish_us && sent_us > *arrival_us)
            {
              *arrival_us = sent_us;
              last = edge->tail;
            }
        }
    }
  return last;
}

/* The op with which the other device is busy until @start_us. */
static GobanNodeId
find_busy (const Comparison *self, double start_us, double tolerance_us)
{
  for (guint v = 0; v < self->state.n_nodes; v++)
    if (self->state.choices[GOBAN_TASK_PLACEMENT][v] == self->other
        && fabs ((double) self->state.finishes_us[v] - start_us) <= tolerance_us
        && self->state.finishes_us[v] > self->state.starts_us[v])
      return v;
  return GOBAN_NO_NODE;
}

/* Another op or its output is why the other device starts later. */
static void
append_cause (GString *text, const Comparison *self, double start_us, double tolerance_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  double arrival_us;
  GobanNodeId input = find_input (self, &arrival_us);
  GobanNodeId busy;

  if (input != GOBAN_NO_NODE && arrival_us >= start_us - tolerance_us)
    g_string_append_printf (text, _ (", because the input from %s is there"),
                            goban_graph_get_node (graph, input)->name);
  else if ((busy = find_busy (self, start_us, tolerance_us)) != GOBAN_NO_NODE)
    g_string_append_printf (
        text, _ (", because %s is busy with %s until then"),
        goban_cluster_get_device (goban_cost_model_get_cluster (self->costs), self->other)->name,
        goban_graph_get_node (graph, busy)->name);
}

/* ", because …" if the start or the time of the op on the two devices explains the whole gap. */
static void
append_proof (GString *text, Comparison *self, const GobanDecisions *decisions)
{
  double chosen_us = sum_times (self, self->chosen), other_us = sum_times (self, self->other);
  double start_us = find_start (self, self->other);
  double tolerance_us = TOLERANCE * fabs ((double) self->decision->scores[self->other]);
  char time[GOBAN_QUANTITY_LEN];

  if (self->decision->score == GOBAN_SCORE_FINISH_US
      && other_us - chosen_us >= self->gap - tolerance_us)
    {
      g_string_append_printf (text, _ (", because the op runs %s faster there"),
                              goban_format_time (time, other_us - chosen_us));
      return;
    }
  if (start_us - find_start (self, self->chosen) < self->gap - tolerance_us)
    return;
  /* It takes milliseconds of a large graph. */
  goban_decision_state_init (&self->state, goban_decisions_get_n_nodes (decisions));
  goban_decisions_fill_state (decisions, self->decision->number, &self->state);
  append_cause (text, self, start_us, tolerance_us);
  goban_decision_state_clear (&self->state);
}

/* --- sentences ------------------------------------------------------------------------------ */

/* "gpu:2 finishes 19 µs earlier than gpu:0"; an option that was not taken would. */
static void
append_better (GString *text, const GobanCostModel *costs, const GobanDecision *decision,
               guint32 better, guint32 other)
{
  gboolean is_taken = better == decision->chosen;
  double gap_of = (double) decision->scores[other] - (double) decision->scores[better];
  g_autofree char *a = goban_option_dup_name (costs, decision, better);
  g_autofree char *b = goban_option_dup_name (costs, decision, other);
  g_autofree char *gap = goban_score_describe (decision->score, gap_of);

  if (decision->score == GOBAN_SCORE_FINISH_US)
    g_string_append_printf (text,
                            is_taken ? _ ("%s finishes %s earlier than %s")
                                     : _ ("%s would finish %s earlier than %s"),
                            a, gap, b);
  else if (decision->score == GOBAN_SCORE_START_US)
    g_string_append_printf (text,
                            is_taken ? _ ("%s starts %s earlier than %s")
                                     : _ ("%s would start %s earlier than %s"),
                            a, gap, b);
  else if (decision->options == GOBAN_OPTION_RULE)
    g_string_append_printf (
        text, is_taken ? _ ("%s: better by %s than %s") : _ ("%s would be better by %s than %s"), a,
        gap, b);
  else
    g_string_append_printf (
        text, is_taken ? _ ("%s is better than %s by %s") : _ ("%s would be better than %s by %s"),
        a, b, gap);
}

/* Two options of the same score; @ties: (nullable): which of them the policy takes. */
static void
append_tie (GString *text, const GobanCostModel *costs, const GobanDecision *decision,
            guint32 other, const char *ties)
{
  g_autofree char *a = goban_option_dup_name (costs, decision, decision->chosen);
  g_autofree char *b = goban_option_dup_name (costs, decision, other);

  g_string_append_printf (text,
                          decision->score == GOBAN_SCORE_FINISH_US
                              ? _ ("%s finishes as early as %s")
                          : decision->score == GOBAN_SCORE_START_US ? _ ("%s starts as early as %s")
                                                                    : _ ("%s is as good as %s"),
                          a, b);
  if (ties != NULL)
    g_string_append_printf (text, _ (", and the policy takes %s"), ties);
}

/* The options that were refused, and why: "gpu:1: memory; cpu: cannot run". */
static void
append_refused (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  const char *separator = "";

  for (guint32 k = 0; k < decision->n_options; k++)
    if (!goban_option_is_allowed (decision, k))
      {
        g_autofree char *name = goban_option_dup_name (costs, decision, k);
        g_autofree char *why = goban_refusals_describe (decision->refusals[k]);

        g_string_append_printf (text, "%s%s: %s", separator, name, why);
        separator = "; ";
      }
}

static void
explain_least (GString *text, const GobanCostModel *costs, const GobanDecisions *decisions,
               const GobanDecision *decision)
{
  guint32 none = decision->n_options;
  guint32 other = find_least (decision, decision->chosen, TRUE);
  guint32 refused = find_least (decision, decision->chosen, FALSE);
  float score = decision->scores[decision->chosen];
  const GobanSpan *span
      = decision->span != 0 ? goban_decisions_get_span (decisions, decision->span) : NULL;
  Comparison comparison;

  if (refused != none && decision->scores[refused] < score)
    {
      g_autofree char *why = goban_refusals_describe (decision->refusals[refused]);

      append_better (text, costs, decision, refused, decision->chosen);
      g_string_append_printf (text, _ (", but is not available: %s"), why);
    }
  else if (other != none && decision->scores[other] < score)
    {
      append_better (text, costs, decision, other, decision->chosen);
      if (decision->note != NULL)
        g_string_append_printf (text, _ ("; the choice has another reason: %s"), decision->note);
    }
  else if (other != none && decision->scores[other] == score)
    append_tie (text, costs, decision, other, span != NULL ? span->ties : NULL);
  else if (other != none)
    {
      append_better (text, costs, decision, decision->chosen, other);
      if (decision->options != GOBAN_OPTION_DEVICE
          || (decision->score != GOBAN_SCORE_FINISH_US && decision->score != GOBAN_SCORE_START_US))
        return;
      comparison = (Comparison){ .costs = costs,
                                 .decision = decision,
                                 .chosen = (GobanDeviceId) decision->chosen,
                                 .other = (GobanDeviceId) other,
                                 .gap = (double) decision->scores[other] - (double) score };
      append_proof (text, &comparison, decisions);
    }
}

static void
explain_probability (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  guint32 most = decision->chosen;
  guint n_allowed = 0;
  gboolean is_tie = FALSE;

  for (guint32 k = 0; k < decision->n_options; k++)
    {
      n_allowed += goban_option_is_allowed (decision, k);
      if (decision->scores[k] > decision->scores[most])
        most = k;
    }
  for (guint32 k = 0; k < decision->n_options; k++)
    is_tie |= k != most && decision->scores[k] == decision->scores[most];
  if (most == decision->chosen)
    g_string_append_printf (
        text, is_tie ? _ ("as likely as others of %u options") : _ ("the likeliest of %u options"),
        n_allowed);
  else
    {
      g_autofree char *name = goban_option_dup_name (costs, decision, most);
      g_autofree char *score
          = goban_score_describe (decision->score, (double) decision->scores[most]);

      g_string_append_printf (text,
                              (decision->flags & GOBAN_DECISION_SAMPLED) != 0
                                  ? _ ("drawn by chance; %s was likelier, %s")
                                  : _ ("%s was likelier, %s"),
                              name, score);
    }
}

char *
goban_moment_explain (const GobanCostModel *costs, const GobanDecisions *decisions,
                      GobanMoment moment)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  guint n_allowed = 0;

  if (moment == 0 || !goban_decisions_get (decisions, moment, &room, &decision))
    return NULL;
  for (guint32 k = 0; k < decision.n_options; k++)
    n_allowed += goban_option_is_allowed (&decision, k);
  if ((decision.flags & GOBAN_DECISION_FORCED) != 0)
    g_string_append (text, _ ("taken in place of the policy's choice"));
  else if (n_allowed == 1 && decision.n_options > 1
           && goban_option_is_allowed (&decision, decision.chosen))
    {
      g_string_append (text, _ ("the only option left; "));
      append_refused (text, costs, &decision);
    }
  else if (decision.scores != NULL && decision.score == GOBAN_SCORE_PROBABILITY)
    explain_probability (text, costs, &decision);
  else if (decision.scores != NULL && decision.takes_least
           && isfinite (decision.scores[decision.chosen]))
    explain_least (text, costs, decisions, &decision);
  goban_decision_room_clear (&room);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
