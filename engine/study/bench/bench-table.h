/* bench-table.h: summary figures of a bench: per graph and policy, and their geometric means.
 *
 * Over seeds and over graphs means are geometric. A policy counts on a graph if its plan is valid
 * with every seed; undefined figures are NAN.
 *
 * Decision A7 (app/NOTES.md).
 */
#pragma once

#include "engine/study/bench/bench.h"

typedef enum
{
  GOBAN_METRIC_MAKESPAN_MS,
  GOBAN_METRIC_RATIO_TO_EXPERT, /* against HP, the human expert's plan */
  GOBAN_METRIC_RATIO_TO_BEST,   /* against the best of the other policies: below 1 this one is
                                   the best */
  GOBAN_METRIC_RATIO_TO_BOUND,
  GOBAN_METRIC_EVALUATIONS,
  GOBAN_METRIC_BEST_EVALUATION, /* evaluations until the best plan was found */
  GOBAN_METRIC_SECONDS,
  GOBAN_N_METRICS,
} GobanMetric;

typedef struct
{
  const char *key;   /* in JSON and CSV: "ratio_to_bound" */
  const char *title; /* over a table */
} GobanMetricInfo;

extern const GobanMetricInfo goban_metrics[GOBAN_N_METRICS];

const GobanBenchCell *goban_bench_row_get_cell (const GobanBenchRow *row, guint policy, guint seed);
/* VALID only if all seeds are valid; else the state of the first one that is not, and their
 * number. */
GobanCellState goban_bench_row_get_state (const GobanBenchRow *row, guint policy, guint *n_bad);
double goban_bench_row_get_value (const GobanBenchRow *row, guint policy, GobanMetric metric);
/* One of the three ratios of a single seed, to the same as the ratio over all seeds is: that is the
 * geometric mean of these. */
double goban_bench_row_get_ratio (const GobanBenchRow *row, guint policy, guint seed,
                                  GobanMetric ratio);

/* @n: (out): the number of graphs; NAN if it is 0. */
double goban_bench_get_mean (const GPtrArray *rows, guint policy, GobanMetric metric, guint *n);
