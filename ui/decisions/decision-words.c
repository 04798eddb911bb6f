#include "ui/decisions/decision-words.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-words.h"

#include <math.h>

/* Share of a score: smaller differences are those of its precision. */
#define TOLERANCE 1e-5

char *
goban_percent_describe (double share)
{
  double percent = 100 * share;

  if (!isfinite (share))
    return g_strdup ("");
  if (percent > 0 && percent < 0.1)
    return g_strdup ("< 0.1 %");
  return g_strdup_printf (percent > 0 && percent < 0.95 ? "%.1f %%" : "%.0f %%", percent);
}

char *
goban_span_describe (double time_us)
{
  double size_us = fabs (time_us);

  if (!isfinite (time_us))
    return g_strdup ("");
  if (size_us < 0.095 && size_us > 0)
    return g_strdup_printf ("%.2g µs", time_us);
  if (size_us < 999.95)
    return g_strdup_printf ("%.1f µs", time_us);
  return size_us < 999950 ? g_strdup_printf ("%.2f ms", time_us / 1e3)
                          : g_strdup_printf ("%.2f s", time_us / 1e6);
}

/* --- differences ----------------------------------------------------------------------------- */

/* Whether the policy's own measure orders the options, and is no probability. */
static gboolean
has_measure (const GobanDecision *decision)
{
  return decision->scores != NULL
         && (decision->takes_least || decision->score == GOBAN_SCORE_MAKESPAN_US
             || decision->score == GOBAN_SCORE_EXPECTED_US || decision->score == GOBAN_SCORE_GAIN);
}

double
goban_decision_get_difference (const GobanDecision *decision, guint32 option)
{
  double sign = decision->score == GOBAN_SCORE_GAIN ? -1 : 1;
  double best = INFINITY, score;

  if (!has_measure (decision) || option >= decision->n_options)
    return (double) NAN;
  for (guint32 k = 0; k < decision->n_options; k++)
    if (goban_option_is_allowed (decision, k) && isfinite (decision->scores[k]))
      best = fmin (best, sign * (double) decision->scores[k]);
  score = sign * (double) decision->scores[option];
  if (!isfinite (best) || !isfinite (score))
    return (double) NAN;
  return fabs (score - best) <= TOLERANCE * fabs (best) ? 0 : score - best;
}

char *
goban_loss_describe (GobanScoreKind kind, double difference)
{
  g_autofree char *amount = NULL;

  if (isnan (difference))
    return g_strdup ("");
  if (isinf (difference))
    return g_strdup (_ ("lacks memory"));
  if (difference == 0)
    return g_strdup (_ ("★ best"));
  if (kind == GOBAN_SCORE_BYTES || kind == GOBAN_SCORE_GAIN || kind == GOBAN_SCORE_PROBABILITY)
    amount = goban_score_describe (kind, fabs (difference));
  else
    amount = goban_span_describe (fabs (difference));
  return g_strdup_printf ("%s%s", difference > 0 ? "+" : "−", amount);
}

const char *
goban_loss_get_heading (GobanScoreKind kind)
{
  switch (kind)
    {
    case GOBAN_SCORE_FINISH_US:
    case GOBAN_SCORE_START_US:
      return _ ("later than the best");
    case GOBAN_SCORE_BYTES:
      return _ ("more than the best");
    case GOBAN_SCORE_GAIN:
      return _ ("less than the best");
    case GOBAN_SCORE_TIME_US:
    case GOBAN_SCORE_BOUND_US:
      return _ ("longer than the best");
    default:
      return _ ("slower than the best");
    }
}
