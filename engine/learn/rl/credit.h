/* credit.h: credit assignment: the share of a run's makespan that each node's decisions caused.
 *
 * The critical path of a trace explains the end of the run: each step started when the one before
 * it finished, and each microsecond of the makespan belongs to one step. Time that other decisions
 * could have avoided is assigned to the nodes whose decisions caused it:
 *
 *   placement   the wait of a ready op for its device: half to it, half to the op it waited for;
 *               the time of a transfer: half to its producer, half to the op that needed it, or to
 *               the producer of the transfer that waited for its channel
 *   scheduling  the same waits for devices and channels, because another order could avoid them
 *   fusion      launch and memory traffic of an op on the path: to the op, and also to its only
 *               producer if that is on the same device
 *
 * An ordinary reward is the same for all nodes; credit differs from node to node. The idea is ours.
 *
 * Decision G5 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* Adds the credit of each node to blame_us (n_nodes). No amount is negative; their sum is at most
 * the makespan, and 0 for a run without spans. O(critical path). */
void goban_credit_blame (const GobanTrace *trace, GobanTask decision, double *blame_us);

G_END_DECLS
