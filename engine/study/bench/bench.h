/* bench.h: bench: policies measured on the graphs of a suite, cell by cell.
 *
 * A bench is the description of the measurement: immutable and reference-counted, so any thread may
 * run a part of it. A row is one graph with the cells of all policies and seeds; it is made whole
 * and then only read. The same bench gives the same rows, but for the seconds.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/core/ranks/ranks.h"
#include "engine/study/bench/bench-journal.h"
#include "engine/study/bench/suite.h"
#include "engine/study/run/fusing.h"

typedef struct _GobanBench GobanBench;

typedef struct
{
  GobanSuite *suite;
  const char *const *policies; /* (nullable): all quick policies */
  /* (nullable): graphs whose name or spec contains it, or matches its * and ? */
  const char *pattern;
  GobanSuiteTask task;
  guint64 first_seed;
  guint n_seeds;              /* 0: 1 */
  guint64 max_evaluations;    /* 0: each search's own default */
  double max_seconds;         /* 0: no limit */
  const char *network;        /* (nullable) as GobanPlacerOptions has them */
  const char *settings;       /* (nullable) */
  GobanTasks decisions;       /* decisions of GO; 0: placement */
  GobanFusing fusing;         /* applied to every policy's plan */
  GobanBenchJournal *journal; /* (nullable): finished cells are read from it, new ones added */
  GobanRanks *ranks;          /* (nullable) borrowed: shares the cells; only rank 0 has a journal */
} GobanBenchOptions;

/* Settings of a bench that hold for all rows. */
typedef struct
{
  GobanSuite *suite;
  GobanSuiteTask task;
  GobanTasks decisions; /* of GO; never 0 */
  GobanFusing fusing;
  guint64 first_seed;
  guint n_seeds;
  const char **policies; /* (n_policies), NULL-terminated: the requested ones and the experts' */
  guint n_policies;
  guint expert;   /* the policy that ratios are relative to, or n_policies if there is none */
  guint n_graphs; /* that match the pattern, in the suite's order */
} GobanBenchSettings;

/**
 * goban_bench_new:
 *
 * The expert's policy is added if it exists and is not listed: ratios are relative to it.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for an unknown policy,
 *   a pattern that no graph has, or a graph without a cluster for the task
 */
GobanBench *goban_bench_new (const GobanBenchOptions *options,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanBench *goban_bench_ref (GobanBench *self);
void goban_bench_unref (GobanBench *self);

const GobanBenchSettings *goban_bench_get_settings (const GobanBench *self);

typedef struct
{
  GobanBench *bench;                  /* a reference */
  const GobanBenchSettings *settings; /* its own */
  const GobanSuiteGraph *graph;
  const char *cluster; /* its name in the suite */
  guint n_devices;
  guint n_nodes;
  guint n_edges;
  /* Lower bound of all plans, or of all fused plans if one of these fuses; NAN if no plan can be
   * valid. */
  double bound_us;
  GobanBenchCell *cells; /* (n_policies x n_seeds) policy by policy */
} GobanBenchRow;

/**
 * goban_bench_run_graph:
 *
 * Returns: (transfer full) (nullable): %NULL with @error set if the graph or its cluster does
 *   not load, the journal cannot be written, or when stopped: finished cells are in the journal
 */
GobanBenchRow *goban_bench_run_graph (GobanBench *self, guint i, const GobanProgress *progress,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_bench_row_free (GobanBenchRow *row);

/* Runs all graphs in turn; progress reports the remaining time. Other ranks than the first get no
 * rows. (transfer full) (element-type
 * GobanBenchRow) (nullable) */
GPtrArray *goban_bench_run (GobanBench *self, const GobanProgress *progress,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBench, goban_bench_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBenchRow, goban_bench_row_free)
