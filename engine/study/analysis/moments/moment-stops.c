#include "engine/study/analysis/moments/moment-stops.h"

#include "engine/study/analysis/moments/moment-state.h"

#include <math.h>

gboolean
goban_moments_can_be_walked (const GobanDecisions *decisions)
{
  return decisions != NULL && goban_decisions_get_n_moments (decisions) > 1;
}

const char *
goban_moments_get_reason (const GobanDecisions *decisions)
{
  for (guint32 s = decisions != NULL ? goban_decisions_get_n_spans (decisions) : 0; s > 0; s--)
    {
      const char *why = goban_decisions_get_span (decisions, s)->why;

      if (why != NULL)
        return why;
    }
  return NULL;
}

gboolean
goban_moments_have_level (const GobanDecisions *decisions, GobanLevel level)
{
  guint n = 0;

  if (level == GOBAN_LEVEL_MOMENT)
    return TRUE;
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    n += goban_decisions_get_span (decisions, s)->level == level;
  /* The one plan is the last moment. */
  return n > 1;
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  GobanMoment x = *(const GobanMoment *) a, y = *(const GobanMoment *) b;

  return (x > y) - (x < y);
}

GArray *
goban_moments_list_stops (const GobanDecisions *decisions, GobanLevel level, GobanStops which)
{
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  GobanMoment at = 0, last = goban_decisions_get_last (decisions);

  for (;;)
    {
      GobanMoment next = goban_decisions_next_stop (decisions, level, which, at, 1);

      g_array_append_val (stops, at);
      if (next == at)
        break;
      at = next;
    }
  if (g_array_index (stops, GobanMoment, goban_moments_find_stop (stops, last)) != last)
    {
      g_array_append_val (stops, last);
      g_array_sort (stops, compare_moments);
    }
  return stops;
}

guint
goban_moments_find_stop (const GArray *stops, GobanMoment moment)
{
  guint low = 0, high = stops->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (stops, GobanMoment, middle) <= moment)
        low = middle;
      else
        high = middle;
    }
  return low;
}

double *
goban_moments_dup_lengths_us (const GobanDecisions *decisions, const GArray *stops)
{
  guint n = goban_decisions_get_n_moments (decisions);
  g_autofree double *lengths_us = g_new (double, n + 1);
  double *at_stops_us = g_new (double, MAX (stops->len, 1));

  lengths_us[0] = (double) NAN;
  for (GobanMoment m = 1; m <= n; m++)
    {
      double so_far_us = lengths_us[goban_decisions_get_previous (decisions, m)];
      double before_us, after_us;
      GobanDecision decision;

      lengths_us[m] = so_far_us;
      if (!goban_decisions_get (decisions, m, NULL, &decision))
        continue;
      goban_decision_get_times (decisions, &decision, &before_us, &after_us);
      if (!isnan (after_us))
        lengths_us[m] = after_us;
      else if (isfinite (decision.finish_us))
        lengths_us[m] = fmax (so_far_us, (double) decision.finish_us);
    }
  for (guint i = 0; i < stops->len; i++)
    at_stops_us[i] = lengths_us[g_array_index (stops, GobanMoment, i)];
  return at_stops_us;
}
