#include "engine/study/bench/bench-table.h"

#include <math.h>

const GobanMetricInfo goban_metrics[GOBAN_N_METRICS] = {
  { "makespan_ms", "makespan [ms]" },
  { "ratio_to_expert", "ratio to HP (expert)" },
  { "ratio_to_best", "ratio to the best of the others" },
  { "ratio_to_bound", "ratio to the lower bound" },
  { "evaluations", "evaluations" },
  { "best_evaluation", "evaluations until the best plan was found" },
  { "seconds", "seconds" },
};

const GobanBenchCell *
goban_bench_row_get_cell (const GobanBenchRow *row, guint policy, guint seed)
{
  guint n_seeds = row->settings->n_seeds;

  g_return_val_if_fail (policy < row->settings->n_policies && seed < n_seeds, NULL);

  return &row->cells[policy * n_seeds + seed];
}

GobanCellState
goban_bench_row_get_state (const GobanBenchRow *row, guint policy, guint *n_bad)
{
  GobanCellState state = GOBAN_CELL_VALID;

  *n_bad = 0;
  for (guint s = 0; s < row->settings->n_seeds; s++)
    {
      const GobanBenchCell *cell = goban_bench_row_get_cell (row, policy, s);

      if (cell->state == GOBAN_CELL_VALID)
        continue;
      if (state == GOBAN_CELL_VALID)
        state = cell->state;
      (*n_bad)++;
    }
  return state;
}

static double
value_of_cell (const GobanBenchCell *cell, GobanMetric metric)
{
  guint64 best = goban_bench_cell_get_best_evaluation (cell);

  switch (metric)
    {
    case GOBAN_METRIC_EVALUATIONS:
      return (double) cell->evaluations;
    case GOBAN_METRIC_BEST_EVALUATION:
      return best > 0 ? (double) best : (double) NAN;
    case GOBAN_METRIC_SECONDS:
      return cell->seconds;
    default:
      return cell->makespan_us;
    }
}

/* The geometric mean of a metric of a cell over the seeds. Equal values are their own mean: the
 * detour over the logarithm would cost the last digit. */
static double
mean_of_seeds (const GobanBenchRow *row, guint policy, GobanMetric metric)
{
  guint n_seeds = row->settings->n_seeds;
  double first = value_of_cell (goban_bench_row_get_cell (row, policy, 0), metric);
  gboolean are_equal = TRUE;
  double sum = 0;

  for (guint s = 0; s < n_seeds; s++)
    {
      double value = value_of_cell (goban_bench_row_get_cell (row, policy, s), metric);

      sum += log (value);
      are_equal &= value == first;
    }
  return are_equal ? first : exp (sum / n_seeds);
}

static double
makespan_us (const GobanBenchRow *row, guint policy)
{
  guint n_bad;

  if (goban_bench_row_get_state (row, policy, &n_bad) != GOBAN_CELL_VALID)
    return (double) NAN;
  return mean_of_seeds (row, policy, GOBAN_METRIC_MAKESPAN_MS);
}

static double
best_of_others_us (const GobanBenchRow *row, guint policy)
{
  double best_us = (double) NAN;

  for (guint p = 0; p < row->settings->n_policies; p++)
    if (p != policy)
      best_us = fmin (best_us, makespan_us (row, p)); /* which leaves out NAN */
  return best_us;
}

static double
divide (double value, double by)
{
  return by > 0 && isfinite (by) ? value / by : (double) NAN;
}

/* What a ratio is to. */
static double
base_us (const GobanBenchRow *row, guint policy, GobanMetric ratio)
{
  guint expert = row->settings->expert;

  if (ratio == GOBAN_METRIC_RATIO_TO_BOUND)
    return row->bound_us;
  if (ratio == GOBAN_METRIC_RATIO_TO_BEST)
    return best_of_others_us (row, policy);
  return expert < row->settings->n_policies ? makespan_us (row, expert) : (double) NAN;
}

double
goban_bench_row_get_ratio (const GobanBenchRow *row, guint policy, guint seed, GobanMetric ratio)
{
  const GobanBenchCell *cell = goban_bench_row_get_cell (row, policy, seed);

  if (cell->state != GOBAN_CELL_VALID)
    return (double) NAN;
  return divide (cell->makespan_us, base_us (row, policy, ratio));
}

double
goban_bench_row_get_value (const GobanBenchRow *row, guint policy, GobanMetric metric)
{
  guint n_bad;

  switch (metric)
    {
    case GOBAN_METRIC_MAKESPAN_MS:
      return makespan_us (row, policy) / 1e3;
    case GOBAN_METRIC_RATIO_TO_EXPERT:
    case GOBAN_METRIC_RATIO_TO_BEST:
    case GOBAN_METRIC_RATIO_TO_BOUND:
      return divide (makespan_us (row, policy), base_us (row, policy, metric));
    case GOBAN_METRIC_EVALUATIONS:
    case GOBAN_METRIC_BEST_EVALUATION:
    case GOBAN_METRIC_SECONDS:
      if (goban_bench_row_get_state (row, policy, &n_bad) == GOBAN_CELL_FAILED)
        return (double) NAN;
      return mean_of_seeds (row, policy, metric);
    case GOBAN_N_METRICS:
      break;
    }
  g_return_val_if_reached ((double) NAN);
}

double
goban_bench_get_mean (const GPtrArray *rows, guint policy, GobanMetric metric, guint *n)
{
  double sum = 0;

  *n = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      double value = goban_bench_row_get_value (g_ptr_array_index (rows, i), policy, metric);

      if (!(value > 0) || !isfinite (value))
        continue;
      sum += log (value);
      (*n)++;
    }
  return *n > 0 ? exp (sum / *n) : (double) NAN;
}
