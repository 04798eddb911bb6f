/* brute-force.h: reference simulator: the rules of engine/sim/simulator.h without any
 * optimisation.
 *
 * No queues, no counters: at every instant and in every round everything is looked at
 * again. It shares nothing with the simulator or the checker but the rules' text.
 */
#pragma once

#include "engine/sim/trace.h"

typedef struct
{
  double makespan_us;
  GobanOpSpan *ops;         /* (n_nodes) */
  GobanTransfer *transfers; /* (n_transfers) sorted by (start, tensor, to) */
  guint n_transfers;
  double *peak_bytes; /* (n_devices) */
} BruteRun;

void brute_run_init (BruteRun *self, const GobanCostModel *costs, const GobanPlan *plan);
void brute_run_clear (BruteRun *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BruteRun, brute_run_clear)
