/* collective-run.h: a collective operation on a cluster, simulated. */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/study/run/run.h"

typedef struct
{
  const char *kind;      /* of goban_collective_names */
  const char *algorithm; /* (nullable): the kind's first */
  guint n_ranks;         /* 0: the devices that are not CPUs, in their order */
  double bytes;
  GobanExecution execution;
} GobanCollectiveRunOptions;

/* Figures of a collective, beside its run. */
typedef struct
{
  const char *kind;
  const char *algorithm;
  guint n_ranks;
  double ideal_us; /* by the formula of its algorithm, with the slowest route of each step */
  /* of all-reduce, reduce-scatter, all-gather and all-to-all: what a link must carry at least /
   * time; else bytes / time */
  double bus_bytes_per_us;
} GobanCollectiveFigures;

/* (transfer full) (nullable): %NULL with @error set. */
GobanRun *goban_collective_run_new (GobanCluster *cluster, const GobanCollectiveRunOptions *options,
                                    GobanCollectiveFigures *figures,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
