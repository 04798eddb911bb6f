/* moves.h: random moves of a search: devices of connected groups, and priorities.
 *
 * A move is a list of changes, drawn from a plan and not yet applied. It can be applied to every
 * plan equal to that one, and undone, in time linear in the list. Units stay together and go only
 * where they can run. Priorities move in steps of a 1 / %GOBAN_PRIORITY_SPREAD rank, so that a node
 * can come between two others.
 *
 * The same seed and the same plans draw the same moves. One thread at a time.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/placers/placed-ranks.h"
#include "engine/placers/search/unit-graph.h"
#include "engine/sim/trace.h"

typedef enum
{
  GOBAN_MOVE_UNIT,    /* one unit to another device */
  GOBAN_MOVE_PAIR,    /* two units, each to any device */
  GOBAN_MOVE_GROUP,   /* a connected set of one device to another */
  GOBAN_MOVE_CLUSTER, /* a group of heavy-edge matching, from any devices */
  GOBAN_MOVE_PATH,    /* units along a path, from any devices to one */
  /* units under a word of their names, or those of them in a stretch of the order */
  GOBAN_MOVE_SCOPE,
  GOBAN_MOVE_WINDOW,   /* a stretch of the order on one device, to another */
  GOBAN_MOVE_SWAP,     /* two connected sets exchange their devices */
  GOBAN_MOVE_CRITICAL, /* a connected set around a node of the last critical path */
  GOBAN_MOVE_PRIORITY, /* a unit or a connected set earlier or later */
  GOBAN_MOVE_RANKS,    /* all priorities by upward rank under the plan's own placement */
  GOBAN_N_MOVE_KINDS
} GobanMoveKind;

typedef struct
{
  GobanNodeId node;
  GobanDeviceId old_device;
  GobanDeviceId new_device;
  gint32 old_priority;
  gint32 new_priority;
} GobanChange;

typedef struct
{
  GobanMoveKind kind;
  GArray *changes; /* of GobanChange, each node once; empty if there is no move */
} GobanMove;

void goban_move_init (GobanMove *self);
void goban_move_clear (GobanMove *self);

/* O(changes). */
void goban_move_apply (const GobanMove *self, GobanPlan *plan);
void goban_move_undo (const GobanMove *self, GobanPlan *plan);

typedef struct _GobanMoves GobanMoves;

/* @units must outlive it. */
GobanMoves *goban_moves_new (const GobanUnits *units, guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
void goban_moves_free (GobanMoves *self);

/* The random generator of the moves, borrowed: a search uses it for its own decisions, too. */
GobanRng *goban_moves_get_rng (GobanMoves *self);

/* reach, in (0, 1]: the largest group, as a share of an equal part of the units; 1 at first. */
void goban_moves_set_reach (GobanMoves *self, double reach);

/* Stores the waits and ops of a run's critical path, in place of the previous ones. */
void goban_moves_learn (GobanMoves *self, const GobanTrace *trace);

/* weights (GOBAN_N_MOVE_KINDS): relative frequency of each kind, not negative. Moves a unit if the
 * kind has no possible move. */
void goban_moves_draw (GobanMoves *self, const GobanPlan *plan, const double *weights,
                       GobanMove *move);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanMove, goban_move_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoves, goban_moves_free)
