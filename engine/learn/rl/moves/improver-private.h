/* improver-private.h: moves that a search draws, scores and chooses (improver-moves.c), for its
 * steps (improver.c). */
#pragma once

#include "engine/learn/rl/moves/improver.h"

G_BEGIN_DECLS

#define GOBAN_IMPROVER_LEAST_GROUP 4

/* The device of a unit in the plan. */
GobanDeviceId goban_improver_device_of (const GobanImprover *self, guint32 unit);

/* Hash of one unit on one device; the hash of a placement is the sum over units. */
guint64 goban_improver_hash_unit (guint32 unit, GobanDeviceId device);
/* Records a placement as tried; FALSE if it was tried before. */
gboolean goban_improver_note_tried (GobanImprover *self, guint64 hash);

/* Returns the move to simulate next. (nullable): %NULL if none is left. Borrowed until the next
 * call. */
const GobanMoveCandidate *goban_improver_propose (GobanImprover *self, const GobanScorerNet *net);

void goban_improver_note_failure (GobanImprover *self, const GobanMoveCandidate *failed);
/* Lowers the scores of candidates that are similar to the last failed move. */
void goban_improver_lower_alike (GobanImprover *self);

G_END_DECLS
