/* simulator.h: deterministic discrete-event simulation of a plan on a cluster.
 *
 * The rules, which tests/support/trace-check.h proves of every trace from first principles:
 *
 * 1. An op is ready when all its input tensors are in its device's memory. A device
 *    runs one op at a time and is never idle while it has a ready op.
 * 2. Among the ready ops a device takes the one that became ready first (FIFO) or that
 *    has the highest priority (PRIORITY), ties by node id.
 * 3. When an op finishes, each of its tensors is sent once to every other device that
 *    has a consumer of it; one of no bytes (a control edge) too. A transfer holds the
 *    sender's send channel, the receiver's receive channel and all links of its route
 *    from start to finish. Waiting transfers are asked in order, FIFO by the time the
 *    producer finished, PRIORITY by the priority that the plan gives the tensor or, where it
 *    gives none, the highest among the consumers there; ties by tensor, then device. Each starts
 *    if all it needs is still free. So none is held back for one that cannot start yet.
 *    Contention-free: every transfer starts when its producer finishes.
 * 4. An instant is worked off in rounds: first all that is due finishes, then every free
 *    device takes an op and the waiting transfers are asked. What takes no time finishes
 *    in the next round of the same instant. Rounds go on until nothing is due.
 * 5. Memory: sizes are rounded up to whole bytes. Parameters stay for the whole run. A tensor
 *    takes its bytes on its producer's device from the op's start until its last consumer
 *    there and its last transfer have finished (until the op's own finish if nobody reads
 *    it), on another device from the transfer's start until its last consumer there has
 *    finished. What is freed at an instant is free for what starts at it, and what lives
 *    for no time takes no room: use is what remains when the instant is over. A device that
 *    would exceed its memory makes the run invalid; it goes on.
 *
 * 6. A fused plan: the nodes of a cluster (engine/sim/fusion/contraction.h) are one op of all the
 *    rules above. It is ready when all that its members read from outside is there, runs once
 *    for the fused time, has the highest priority among its members and the id of the lowest,
 *    and makes all tensors that leave it when it finishes. Tensors that do not leave it take no
 *    memory and no transfer. Ties between transfers go by the op that made the tensor first.
 *    A plan with a cluster that may not be one kernel cannot run.
 *
 * A finish is start + duration in one addition, so times compare exactly.
 *
 * Decisions E7 and E14 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/outcome.h"
#include "engine/sim/trace.h"

/* A simulator keeps its working memory between runs. One thread at a time. */
typedef struct _GobanSimulator GobanSimulator;

GobanSimulator *goban_simulator_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_simulator_free (GobanSimulator *self);

/* O((N + E + transfers) log N), without allocation except for the first plan, and the first that
 * fuses. A plan that differs from the previous one in at most a 32nd of its nodes is laid out in
 * time linear in the difference. @plan must pass goban_plan_check() and goban_fusion_check(); if it
 * fails only the latter, by a cycle, it never ends: INFINITY. */
GobanOutcome goban_simulator_evaluate (GobanSimulator *self, const GobanPlan *plan);

/**
 * goban_simulator_evaluate_within:
 * @limit_us: not negative; INFINITY: none
 *
 * For searches that discard plans above a limit. The run stops as soon as the makespan is certain
 * to exceed the limit; the makespan is then INFINITY, and the overflow is that of the run so far.
 */
GobanOutcome goban_simulator_evaluate_within (GobanSimulator *self, const GobanPlan *plan,
                                              double limit_us);

/* Returns the full trace. An invalid plan gives an invalid trace with the reason. (transfer
 * full) */
GobanTrace *goban_simulator_run (GobanSimulator *self, GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/* One simulation with a simulator of its own. (transfer full) */
GobanTrace *goban_simulate (GobanCostModel *costs, GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/* Lower bound: no schedule of this graph on this cluster without fusion is shorter than
 * bound_us. */
GobanBounds goban_bounds (const GobanCostModel *costs);
/* Lower bound of all schedules, with any fusion; the reference for fused plans. It is lower if
 * anything may be fused, because launches and memory traffic can be saved, so estimated ops count
 * with their arithmetic only. */
GobanBounds goban_bounds_when_fused (const GobanCostModel *costs);
/* The one or the other, computed once for a cost model; borrowed from it. */
const GobanBounds *goban_kept_bounds (GobanCostModel *costs, gboolean is_fused);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSimulator, goban_simulator_free)
