#include "engine/placers/search.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

#define US_PER_S 1e6
/* Faster reports would not be read, and some searches check a million times a second; work that
 * ends within a few intervals still shows how it goes on. */
#define REPORT_INTERVAL_US 50000
#define REPORT_SHARE 0.05
#define MIN_NODES_FOR_THREADS 200
/* A step of a search tree may take less than a microsecond. */
#define STEPS_PER_QUESTION 256
/* Spans of the decisions come after each evaluation up to so many, then ever more rarely: n
 * evaluations have this much times 1 + ln (n / this) at most. */
#define EVALUATIONS_PER_GAP 512

GobanEvaluator *
goban_search_new_evaluator (GobanCostModel *costs)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));

  return goban_evaluator_new (costs, n_nodes < MIN_NODES_FOR_THREADS ? 1 : 0);
}

static double
seconds_spent (const GobanSearch *self)
{
  return (double) (g_get_monotonic_time () - self->started_us) / US_PER_S;
}

void
goban_search_begin (GobanSearch *self, const GobanPlacerOptions *options,
                    guint64 default_evaluations)
{
  gboolean only_seconds = options->max_evaluations == 0 && options->max_seconds > 0;

  *self = (GobanSearch){ .options = options,
                         .decisions = options->decisions,
                         .started_us = g_get_monotonic_time () };
  if (!only_seconds)
    self->max_evaluations
        = options->max_evaluations > 0 ? options->max_evaluations : default_evaluations;
}

double
goban_search_get_fraction (const GobanSearch *self)
{
  double fraction = 0;

  if (self->max_evaluations > 0)
    fraction = (double) self->n_evaluations / (double) self->max_evaluations;
  /* However short the time, one plan is tried: there is nothing to return without it. */
  if (self->options->max_seconds > 0 && self->n_evaluations > 0)
    fraction = MAX (fraction, seconds_spent (self) / self->options->max_seconds);
  return MIN (fraction, 1);
}

/* Sums in another order may differ from the bound in the last digits. */
static gboolean
is_optimal (const GobanSearch *self)
{
  return self->best != NULL && self->outcome.overflow_bytes == 0
         && self->outcome.makespan_us <= self->bound_us * (1 + 1e-12);
}

/* Progress text: "annealing, 1 200 of 10 000 simulations, best 182.4 ms". */
static void
report (GobanSearch *self, double fraction, const char *what)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (GString) text = NULL;
  char n[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN], makespan[GOBAN_QUANTITY_LEN];

  if (self->options->progress == NULL
      || (self->reported_us > 0 && now_us - self->reported_us < REPORT_INTERVAL_US
          && fraction - self->reported < REPORT_SHARE))
    return;

  self->reported_us = now_us;
  self->reported = fraction;
  text = g_string_new (_ (what));
  if (self->n_evaluations > 0 && self->max_evaluations > 0)
    g_string_append_printf (text, _ (", %s of %s simulations"),
                            goban_format_grouped (n, self->n_evaluations),
                            goban_format_grouped (most, self->max_evaluations));
  else if (self->n_evaluations > 0)
    g_string_append_printf (text, _ (", %s simulations"),
                            goban_format_grouped (n, self->n_evaluations));
  if (self->best != NULL && self->outcome.overflow_bytes == 0)
    g_string_append_printf (text, _ (", best %s"),
                            goban_format_time (makespan, self->outcome.makespan_us));
  goban_progress_step (self->options->progress, fraction, text->str);
}

/* An early end needs a plan. */
static gboolean
is_to_finish (const GobanSearch *self)
{
  return self->best != NULL && self->options->finish != NULL
         && g_atomic_int_get (self->options->finish) != 0;
}

gboolean
goban_search_go_on (GobanSearch *self, const char *what, GError **error)
{
  double fraction = goban_search_get_fraction (self);

  /* The error is set since the first time. */
  if (self->is_cancelled)
    return FALSE;
  report (self, fraction, what);
  if (!goban_progress_check (self->options->progress, error))
    {
      self->is_cancelled = TRUE;
      return FALSE;
    }
  return fraction < 1 && !is_optimal (self) && !is_to_finish (self);
}

guint
goban_search_clip (const GobanSearch *self, guint n_wanted)
{
  guint64 left;

  if (self->max_evaluations == 0)
    return n_wanted;
  left = self->max_evaluations - MIN (self->n_evaluations, self->max_evaluations);
  return (guint) MIN (left, n_wanted);
}

gboolean
goban_search_step (GobanSearch *self, const char *what, GError **error)
{
  self->n_evaluations++;
  if (self->max_evaluations > 0 && self->n_evaluations + 1 >= self->max_evaluations)
    return FALSE;
  return self->n_evaluations % STEPS_PER_QUESTION != 0 || goban_search_go_on (self, what, error);
}

gboolean
goban_search_consider (GobanSearch *self, const GobanPlan *plan, GobanOutcome outcome)
{
  gboolean is_best = self->best == NULL || goban_outcome_compare (&outcome, &self->outcome) < 0;

  self->n_evaluations++;
  if (is_best)
    {
      g_clear_pointer (&self->best, goban_plan_unref);
      self->best = goban_plan_copy (plan);
      self->outcome = outcome;
      self->best_evaluation = self->n_evaluations;
      self->best_moment = 0;
      if (outcome.overflow_bytes <= 0 && isfinite (outcome.makespan_us))
        goban_improvements_add (self->options->improvements, self->n_evaluations,
                                outcome.makespan_us);
    }
  return is_best;
}

/* --- decisions ------------------------------------------------------------------------------ */

GobanSpanResult
goban_search_get_result (GobanOutcome outcome)
{
  return (GobanSpanResult){ .makespan_us = outcome.makespan_us,
                            .overflow_bytes = outcome.overflow_bytes };
}

void
goban_search_set_best (GobanSearch *self, GobanDecisionsWriter *span, const GobanDecisionHead *head)
{
  if (head != NULL)
    goban_decisions_writer_set_plan (span, head, self->best);
  goban_decisions_writer_settle (span, self->best);
  self->best_moment = goban_decisions_writer_get_moment (span);
  self->written = self->n_evaluations;
}

void
goban_search_write_best (GobanSearch *self, GobanDecisionsWriter *in, const GobanSpanHead *head,
                         gboolean is_accepted)
{
  const GobanSpanResult result = goban_search_get_result (self->outcome);
  GobanDecisionsWriter *span = goban_decisions_writer_open (in, head);

  goban_decisions_writer_score (span, 0, self->outcome.makespan_us, 0);
  goban_search_set_best (self, span,
                         &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                               .options = GOBAN_OPTION_PLAN,
                                               .score = GOBAN_SCORE_MAKESPAN_US,
                                               .note = self->note,
                                               .flags = GOBAN_DECISION_AT_ONCE });
  goban_decisions_writer_close (span, &result, is_accepted);
}

GobanDecisionsWriter *
goban_search_open_batch (GobanSearch *self, const GobanPlan *plan, GobanMoment moment,
                         guint64 evaluation, guint64 *n_left_out)
{
  guint64 digest = goban_decisions_writer_get_digest (self->decisions);
  gboolean is_known = moment != 0 && goban_decisions_writer_has (self->decisions, moment);
  const GobanSpanHead head = { .name = "batch",
                               .level = GOBAN_LEVEL_ROUND,
                               .evaluation = evaluation,
                               .n_left_out = *n_left_out,
                               .has_base = is_known,
                               .base = moment };
  GobanDecisionsWriter *span = goban_decisions_writer_open (self->decisions, &head);

  if (!is_known && (digest == 0 || digest != goban_settling_digest_plan (plan)))
    goban_decisions_writer_set_plan (span,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .options = GOBAN_OPTION_PLAN,
                                                           .flags = GOBAN_DECISION_CARRIED },
                                     plan);
  *n_left_out = 0;
  self->written = self->n_evaluations;
  return span;
}

gboolean
goban_search_offer (GobanSearch *self, const GobanPlan *plan, GobanOutcome outcome)
{
  gboolean is_best = goban_search_consider (self, plan, outcome);

  if (is_best && self->decisions != NULL)
    goban_search_write_best (
        self, self->decisions,
        &(GobanSpanHead){ .name = "plan",
                          .level = GOBAN_LEVEL_PLAN,
                          .evaluation = self->n_evaluations,
                          .n_left_out = self->n_evaluations - self->written - 1 },
        TRUE);
  return is_best;
}

gboolean
goban_search_is_due (const GobanSearch *self)
{
  return self->n_evaluations > self->written + self->written / EVALUATIONS_PER_GAP;
}

/* The search may have gone on from its best plan. */
static void
return_to_best (GobanSearch *self)
{
  GobanSpanHead head
      = { .name = "best", .level = GOBAN_LEVEL_PLAN, .evaluation = self->best_evaluation };

  if (self->best_moment != 0
      && self->best_moment == goban_decisions_writer_get_moment (self->decisions))
    return;
  head.has_base
      = self->best_moment != 0 && goban_decisions_writer_has (self->decisions, self->best_moment);
  head.base = self->best_moment;
  self->note = NULL; /* of the plans offered last, not of this one */
  goban_search_write_best (self, self->decisions, &head, TRUE);
}

GobanPlan *
goban_search_end (GobanSearch *self, guint64 *evaluations)
{
  *evaluations += self->n_evaluations;
  if (self->is_cancelled)
    goban_search_clear (self);
  if (self->decisions != NULL && self->best != NULL)
    return_to_best (self);
  return g_steal_pointer (&self->best);
}

void
goban_search_clear (GobanSearch *self)
{
  g_clear_pointer (&self->best, goban_plan_unref);
}
