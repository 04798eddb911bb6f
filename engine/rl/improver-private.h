/* improver-private.h: moves that a search draws, scores and chooses (improver-moves.c), for its
 * steps (improver.c). */
#pragma once

#include "engine/rl/improver.h"

G_BEGIN_DECLS

#define GOBAN_IMPROVER_LEAST_GROUP 4

/* Where the plan has a unit. */
GobanDeviceId goban_improver_device_of (const GobanImprover *self, guint32 unit);

/* Of one unit on one device; the hash of a placement is the sum of them. */
guint64 goban_improver_hash_unit (guint32 unit, GobanDeviceId device);
/* TRUE if it has not been tried before. */
gboolean goban_improver_note_tried (GobanImprover *self, guint64 hash);

/* (nullable): the move to be simulated next; %NULL if none is left. Borrowed until the next one. */
const GobanMoveCandidate *goban_improver_propose (GobanImprover *self, const GobanScorerNet *net);

void goban_improver_note_failure (GobanImprover *self, const GobanMoveCandidate *failed);
/* Candidates that are much the same as the last failure are expected less of. */
void goban_improver_lower_alike (GobanImprover *self);

G_END_DECLS
