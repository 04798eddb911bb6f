/* credit.h: whose decision a run's makespan is the fault of, node by node.
 *
 * The critical path of a trace says why the run ended when it did: each step started when the one
 * before it finished, and each microsecond of the makespan belongs to one step. What could have been
 * otherwise is blamed on the nodes whose decisions made it so:
 *
 *   placement   an op that was ready but waited for its device: on it and on the op it waited for;
 *               a transfer: on its producer and on the op that needed it, or on the producer of the
 *               transfer that waited for its channel; half to each side
 *   scheduling  the same waits for devices and channels, for another order would end them
 *   fusion      an op's launch and memory traffic on the path: on the op, and where it is the tensor of
 *               its only cause on the same device, on that too
 *
 * An ordinary reward says the same of all nodes; this says which. The idea is ours (design note 6.4
 * of the method), measured in engine/NOTES.md.
 */
#pragma once

#include "engine/plan/decision.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* blame_us (n_nodes) is added to: nothing negative, all together at most the makespan. O(critical path). A run
 * without spans blames nobody. */
void goban_credit_blame (const GobanTrace *trace, GobanDecision decision, double *blame_us);

G_END_DECLS
