#include "engine/study/analysis/moments/moment-lines.h"

#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-stops.h"

#include <math.h>

struct _GobanMomentLines
{
  GobanDecisions *decisions;
  GArray *moments; /* of GobanMoment, ascending */
  GArray *plans;   /* of GobanLinesPlan */
};

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

GobanDecisions *
goban_moment_lines_get_decisions (const GobanMomentLines *self)
{
  return self->decisions;
}

guint
goban_moment_lines_get_n (const GobanMomentLines *self)
{
  return self->moments->len;
}

guint
goban_moment_lines_get_n_plans (const GobanMomentLines *self)
{
  return self->plans->len;
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
