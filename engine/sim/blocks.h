/* blocks.h: the single-sample latency model of Microsoft Research (dnn-partitioning), as
 * GOBAN_EXECUTION_BLOCKS.
 *
 * 1. Devices of kind "cpu" share one memory and are as wide as you like: an op there starts as soon
 *    as all its inputs are out, and nothing moves between CPUs.
 * 2. Every other device runs its ops as one block. It waits until all inputs from outside are
 *    out, then fetches each once from the CPUs' memory, then runs its ops one by one, then
 *    writes each tensor that is read outside once to that memory: nothing overlaps. Its tensors
 *    are out when the block is over. So what goes from one such device to another is paid twice.
 * 3. A block begins when nothing it reads depends on it: no path may leave it and come back, by way
 * of
 *    CPUs or of other blocks. A plan that breaks this is invalid; its blocks then run in pieces.
 * 4. Parameters of a block fit its device's memory; nothing else takes room.
 *
 * The run is over when every op and every block is. Priorities and order have no say. Transfers
 * with the CPUs' memory are timed as those with the first device of kind "cpu".
 *
 * Decision E23 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/outcome.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* Penalty of an extra piece in a search, as bytes of overflow: more than any memory, so that plans
 * with fewer pieces are better. */
#define SIM_PIECE_BYTES 0x1p60

typedef struct _SimBlocks SimBlocks;

SimBlocks *sim_blocks_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void sim_blocks_free (SimBlocks *self);

GobanOutcome sim_blocks_evaluate (SimBlocks *self, const GobanPlan *plan);

/* @plan must pass goban_plan_check(). (transfer full) */
GobanTrace *sim_blocks_run (SimBlocks *self, GobanPlan *plan,
                            const GobanBounds *bounds) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
