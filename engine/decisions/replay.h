/* replay.h: the plan after a moment of a record. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"

/**
 * goban_replay_plan:
 *
 * Settled moments give their plan byte for byte. Others give the devices of their state, without
 * kernels, in the order and with the priorities of the next settled moment that they lead to, or of
 * the last one before if there is none. Nodes that are not decided yet are on the first device.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if the moment was
 *   dropped, or if the record is about another graph or cluster
 */
GobanPlan *goban_replay_plan (const GobanCostModel *costs, const GobanDecisions *decisions,
                              GobanMoment moment, GError **error) G_GNUC_WARN_UNUSED_RESULT;
