/* decisions-check.h: checker: proves that a record of decisions leads to a plan and agrees with
 * itself.
 *
 * The checks are properties 2, 3, 4, 6, 7 and 9 of engine/decisions: replays, valid prefixes,
 * scores, spans and their links, changes between states, and the memory limit. Large records are
 * sampled: all links and scores are checked, but only some dozens of states and replays.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"

/* Asserts that @decisions, the record of a policy that ended with @final, has all properties. */
void check_decisions (GobanCostModel *costs, GobanPlan *final, GobanDecisions *decisions);
