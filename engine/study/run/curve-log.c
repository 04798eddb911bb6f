#include "engine/study/run/curve-log.h"

#include "engine/core/i18n.h"
#include "engine/learn/rl/collapse.h"

#include <math.h>
#include <string.h>

const GobanTrainingSeries goban_curve_log_series[GOBAN_CURVE_LOG_N_SERIES] = {
  [GOBAN_CURVE_MEAN] = { "mean_ratio", N_ ("Sample mean"), GOBAN_SERIES_RATIO, FALSE },
  [GOBAN_CURVE_BEST] = { "best_ratio", N_ ("Best sample"), GOBAN_SERIES_RATIO, FALSE },
  [GOBAN_CURVE_VALID] = { "valid", N_ ("Valid samples"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_REWARD] = { "reward", N_ ("Reward"), GOBAN_SERIES_REWARD, FALSE },
  [GOBAN_CURVE_ENTROPY] = { "entropy", N_ ("Entropy"), GOBAN_SERIES_ENTROPY, FALSE },
  [GOBAN_CURVE_GRADIENT] = { "gradient_norm", N_ ("Gradient norm"), GOBAN_SERIES_GRADIENT, FALSE },
  [GOBAN_CURVE_CLIPPED] = { "clipped", N_ ("Clipped"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_SECONDS] = { "seconds", N_ ("Per update"), GOBAN_SERIES_SECONDS, FALSE },
  [GOBAN_CURVE_TOP_SHARE] = { "top_share", N_ ("Busiest device"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_LOG_EXPERT_RATIO]
  = { "expert_ratio", N_ ("Over the expert"), GOBAN_SERIES_RATIO, TRUE },
  [GOBAN_CURVE_LOG_RATIO] = { "ratio", N_ ("Over reference"), GOBAN_SERIES_RATIO, TRUE },
};

void
goban_curve_log_add (GobanTrainingLog *log, const GobanCurvePoint *from)
{
  GobanTrainingPoint point = goban_training_point_new (from->step, from->lesson, FALSE);

  memcpy (point.values, from->values, sizeof from->values);
  goban_training_log_add (log, &point);
}

/* In words, if all of the last updates drew whole plans and have collapsed. Static. */
static const char *
find_collapse (GobanTrainingLog *log)
{
  GobanTrainingPoint points[GOBAN_COLLAPSE_WINDOW];
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n_points = goban_training_log_get_n_points (log);

  if (n_points < GOBAN_COLLAPSE_WINDOW)
    return NULL;
  goban_training_log_read (log, n_points - GOBAN_COLLAPSE_WINDOW, points, GOBAN_COLLAPSE_WINDOW);
  for (guint i = 0; i < GOBAN_COLLAPSE_WINDOW; i++)
    {
      const double *values = points[i].values;

      if (isnan (values[GOBAN_CURVE_TOP_SHARE]))
        return NULL;
      signs[i] = (GobanCollapseSign){ values[GOBAN_CURVE_ENTROPY], values[GOBAN_CURVE_TOP_SHARE] };
    }
  return goban_collapse_describe (signs, GOBAN_COLLAPSE_WINDOW);
}

static void
begin (GobanTrainingLog *log, const GobanTrainingSeries *series, guint n_series)
{
  guint n;

  goban_training_log_get_series (log, &n);
  if (n == 0)
    goban_training_log_begin (log, series, n_series, NULL);
}

static void
add_worker (const GobanCurvePoint *point, gpointer user_data)
{
  GobanTrainingLog *log = user_data;

  begin (log, goban_curve_log_series, GOBAN_CURVE_N);
  goban_curve_log_add (log, point);
  goban_training_log_set_warning (log, find_collapse (log));
}

GobanCurveSink
goban_curve_log_get_sink (GobanTrainingLog *log)
{
  return (GobanCurveSink){ add_worker, log };
}
