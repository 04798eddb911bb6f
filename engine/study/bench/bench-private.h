/* bench-private.h: parts of a bench, shared by bench.c and bench-shared.c. */
#pragma once

#include "engine/learn/rl/learned-options.h"
#include "engine/placers/placer.h"
#include "engine/study/bench/bench.h"

G_BEGIN_DECLS

struct _GobanBench
{
  gatomicrefcount ref_count;
  GobanBenchSettings settings;
  const GobanPlacer **placers; /* (n_policies) */
  guint n_policies;
  guint expert;                /* n_policies if there is none */
  GPtrArray *graphs;           /* GobanSuiteGraph *, of the suite */
  GobanPlacerOptions budget;   /* seed: the first one */
  GobanLearnedOptions learned; /* of the budget */
  char *network_hash;          /* (nullable): of the content of the network's file */
  GobanBenchJournal *journal;
  GobanRanks *ranks; /* (nullable) borrowed */
};

/* (transfer full) (nullable): %NULL with @error set, which names the graph */
GobanCostModel *goban_bench_load_costs (const GobanBench *self, guint i,
                                        const GobanProgress *progress, GError **error);

/* A row without results. */
GobanBenchRow *goban_bench_row_new (GobanBench *self, guint i, GobanCostModel *costs);

/* Without a policy and a seed; strings are borrowed. */
GobanBenchKey goban_bench_make_key (const GobanBench *self, const GobanBenchRow *row,
                                    GobanCostModel *costs);

/* A failed policy is recorded in its cell. %FALSE with @error set if it was cancelled. */
gboolean goban_bench_run_cell (const GobanBench *self, GobanCostModel *costs,
                               const GobanBenchKey *key, const GobanProgress *progress,
                               GobanBenchCell *cell, GError **error);

void goban_bench_row_find_bound (GobanBenchRow *row, guint n_cells);

/* goban_bench_run() with several ranks; on other ranks than the first no rows. */
GPtrArray *goban_bench_run_shared (GobanBench *self, const GobanProgress *progress, GError **error);

G_END_DECLS
