/* failed-moves.h: the last moves without a gain, and the penalty for moves similar to them.
 *
 * If a network overrates a move, it also overrates moves of nearly the same units to the same
 * device. So the scores of such moves are lowered in proportion to the overlap: the number of
 * common units over the number of units in either move.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

typedef struct _GobanFailedMoves GobanFailedMoves;

/* A group of units to a device; borrowed. */
typedef struct
{
  const guint32 *units;
  guint n;
  GobanDeviceId device;
} GobanUnitMove;

/* Remembers the last 64. */
GobanFailedMoves *goban_failed_moves_new (guint n_units) G_GNUC_WARN_UNUSED_RESULT;
void goban_failed_moves_free (GobanFailedMoves *self);

void goban_failed_moves_forget (GobanFailedMoves *self);
/* Records a failed move. @score: its score, at least 0. O(n), plus O(n_units) when the oldest move
 * is dropped. */
void goban_failed_moves_add (GobanFailedMoves *self, const GobanUnitMove *move, float score);

/* The penalty of a move: the largest one of all recorded moves. */
float goban_failed_moves_get_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);
/* The penalty by the last recorded move alone. */
float goban_failed_moves_get_last_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFailedMoves, goban_failed_moves_free)

G_END_DECLS
