/* failed-moves.h: the last moves that gained nothing, and how much of that is expected of moves
 * like them.
 *
 * What a network expected in vain of some units on some device it expects of nearly the same units
 * there, too. So others lose that expectation in proportion to their overlap: units of both over
 * units of any.
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
/* @score: what was expected; not below 0. O(n), and in all units once the oldest one is
 * forgotten. */
void goban_failed_moves_add (GobanFailedMoves *self, const GobanUnitMove *move, float score);

/* What a move loses: the most by any of the failed ones. */
float goban_failed_moves_get_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);
/* By the last one alone. */
float goban_failed_moves_get_last_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFailedMoves, goban_failed_moves_free)

G_END_DECLS
