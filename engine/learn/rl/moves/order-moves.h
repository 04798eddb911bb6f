/* order-moves.h: changes of an order that may shorten the run of a plan, and their scores.
 *
 * Three kinds of moves: a ready op that had to wait goes before the ops that its device ran in that
 * time; these ops go after it, if they have slack; a transfer that waited for its channel goes
 * before the one that held it. A move is a list of key shifts (engine/learn/rl/joint-choices.h).
 * The score estimates the gain if nothing else changes, as a share of the makespan: the saved wait,
 * reduced if the op has slack, minus the delay of postponed ops beyond their slack.
 */
#pragma once

#include "engine/learn/policy/plan-profile.h"
#include "engine/learn/rl/moves/scored-moves.h"

G_BEGIN_DECLS

typedef struct
{
  GobanNodeId node;
  double by; /* added to its shift */
} GobanKeyShift;

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *shifts;                  /* GobanKeyShift */
  double range;                    /* of keys */

  /* Data of the last run that was read. A kernel is identified by its lowest node. */
  double *keys;         /* (n_nodes) */
  double *latest;       /* (n_nodes) latest starts, as goban_order_moves_fill_latest() */
  guint32 *kernel_of;   /* (n_nodes) */
  guint32 *next_fused;  /* (n_nodes) or GOBAN_NO_NODE */
  double *kernel_start; /* (n_nodes) of kernels */
  double *kernel_end;
  guint32 *sequence; /* (n_nodes) kernels of each device, by start */
  guint32 *place_of; /* (n_nodes) of kernels, in sequence */
  guint32 *first;    /* (n_devices + 1) of each device, in sequence */
} GobanOrderMoves;

/* @profile must outlive it. */
GobanOrderMoves *goban_order_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_order_moves_free (GobanOrderMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. keys (n_nodes) (nullable): the
 * keys of its order; NULL for FIFO, where moves shift -start. */
void goban_order_moves_read (GobanOrderMoves *self, const GobanTrace *trace, const double *keys);

/* Writes minus the latest start of each op to keys (n_nodes): the start that delays no consumer, if
 * transfers take as long as in the run. Such ranks account for contention. */
void goban_order_moves_fill_latest (const GobanOrderMoves *self, double *keys);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrderMoves, goban_order_moves_free)

G_END_DECLS
