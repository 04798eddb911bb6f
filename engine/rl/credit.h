/* credit.h: credit assignment: the share of a run's makespan that each node's decisions caused.
 *
 * The critical path of a trace explains the end of the run: each step started when the one before
 * it finished, and each microsecond of the makespan belongs to one step. Time that other decisions
 * could have avoided is assigned to the nodes whose decisions caused it:
 *
 *   placement   an op that was ready but waited for its device: on it and on the op it waited for;
 *               a transfer: on its producer and on the op that needed it, or on the producer of the
 *               transfer that waited for its channel; half to each side
 *   scheduling  the same waits for devices and channels, for another order would end them
 *   fusion      an op's launch and memory traffic on the path: on the op, and where it is the
 *               tensor of its only cause on the same device, on that too
 *
 * An ordinary reward is the same for all nodes; this one tells them apart. The idea is ours.
 *
 * Decision G6 (engine/NOTES.md).
 */
#pragma once

#include "engine/plan/decision.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* blame_us (n_nodes) is added to: nothing negative, all together at most the makespan. O(critical
 * path). A run without spans blames nobody. */
void goban_credit_blame (const GobanTrace *trace, GobanDecision decision, double *blame_us);

G_END_DECLS
