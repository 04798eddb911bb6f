/* move-curve.h: learning curve of a search that learns which moves improve its plan: an update
 * collects the moves of %GOBAN_MOVE_CURVE_MOVES evaluations.
 *
 * Like engine/learn/rl/graph-curve.h it draws no random numbers and simulates with an evaluator of
 * its own. Moves that are drawn uniformly count among the plans, not among the proposals.
 *
 * Decision E70 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/rl/graph-curve.h"

G_BEGIN_DECLS

#define GOBAN_MOVE_CURVE_MOVES 16

typedef enum
{
  GOBAN_PROPOSER_CHANCE,
  GOBAN_PROPOSER_NETWORK,
  GOBAN_PROPOSER_LEARNER,
  GOBAN_N_PROPOSERS
} GobanProposer;

/* A move that was simulated. */
typedef struct
{
  GobanProposer proposer;
  GobanDeviceId device; /* of the group after the move */
  gboolean improves;    /* the plan from which it was made */
  double error;         /* goban_move_learner_get_error() */
} GobanCurveMove;

typedef struct
{
  GobanGraphCurve graph;
  double best_us; /* of the search so far */
  guint *n_to;    /* (n_devices) proposals */
  guint n_moves;
  guint n_proposals[GOBAN_N_PROPOSERS];
  guint n_gains[GOBAN_N_PROPOSERS];
  double error;
} GobanMoveCurve;

/* As goban_graph_curve_init(). */
gboolean goban_move_curve_init (GobanMoveCurve *self, GobanCostModel *costs,
                                const GobanPlacerOptions *options, GError **error);
void goban_move_curve_clear (GobanMoveCurve *self);

gboolean goban_move_curve_is_watched (const GobanMoveCurve *self);
/* Begins with the first update. */
void goban_move_curve_begin (GobanMoveCurve *self);
/* The search's best plan; while none fits into memory, the curve has none. */
void goban_move_curve_set_best (GobanMoveCurve *self, const GobanOutcome *outcome);
/* Adds a move and the plan after it; the last one of an update sends its point. */
void goban_move_curve_add (GobanMoveCurve *self, const GobanCurveMove *move, const GobanPlan *plan,
                           const GobanOutcome *outcome);
/* Ends the search: the point of an update that has begun is sent. */
void goban_move_curve_end (GobanMoveCurve *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanMoveCurve, goban_move_curve_clear)

G_END_DECLS
