#include "engine/learn/rl/curve.h"

const char *
goban_curve_column_get_name (GobanCurveColumn column)
{
  static const char *const names[GOBAN_CURVE_N] = {
    [GOBAN_CURVE_MEAN] = "mean_ratio",     [GOBAN_CURVE_BEST] = "best_ratio",
    [GOBAN_CURVE_VALID] = "valid",         [GOBAN_CURVE_REWARD] = "reward",
    [GOBAN_CURVE_ENTROPY] = "entropy",     [GOBAN_CURVE_GRADIENT] = "gradient_norm",
    [GOBAN_CURVE_CLIPPED] = "clipped",     [GOBAN_CURVE_SECONDS] = "seconds",
    [GOBAN_CURVE_TOP_SHARE] = "top_share",
  };

  g_return_val_if_fail (column < GOBAN_CURVE_N, NULL);
  return names[column];
}
