/* move-log.h: steps of a search by moves in a log of decisions
 * (engine/learn/policy/decision-log.h).
 *
 * A row of a step holds all nodes that are on one device after it. A move has the highest
 * score of those that were scored; it is not drawn, so it has no probability.
 */
#pragma once

#include "engine/learn/policy/decision-log.h"
#include "engine/machine/plan/plan.h"
#include "engine/sim/outcome.h"

G_BEGIN_DECLS

/* A new log that begins at @plan. (transfer full) */
GobanDecisionLog *goban_move_log_new (const GobanPlan *plan,
                                      GobanOutcome outcome) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_move_log_add:
 * @n_learned: number of moves learned from before
 * @evaluation: number of the simulation of @plan
 *
 * Adds a step from the log's last plan to @plan. It has no changes if both have the same placement:
 * the order alone was better.
 */
void goban_move_log_add (GobanDecisionLog *log, guint n_learned, guint64 evaluation,
                         const GobanPlan *plan, GobanOutcome outcome);

G_END_DECLS
