/* order-moves.h: changes of an order that may shorten the run of a plan, and their scores.
 *
 * An op that was ready but had to wait may go before the ops that its device ran meanwhile; these
 * may go after it if they have slack; a transfer that waited for its channel may go before the one
 * that held it. A move is a list of shifts of keys (engine/rl/joint-choices.h). Its score is what
 * it would gain if nothing else changed: the wait that ends, less as the op has more slack, less
 * what the ops that are put off lack of slack; as a share of the makespan.
 */
#pragma once

#include "engine/policy/plan-profile.h"
#include "engine/rl/scored-moves.h"

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

  /* Of the run that was read last; kernels are told by their lowest nodes. */
  double *keys;         /* (n_nodes) */
  double *latest;       /* (n_nodes) as goban_order_moves_fill_latest() has it */
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

/* Finds moves from the plan of @trace, which the profile has read. keys (n_nodes) (nullable): what
 * its order comes of; NULL: it goes first in, first out, and moves shift -start. */
void goban_order_moves_read (GobanOrderMoves *self, const GobanTrace *trace, const double *keys);

/* keys (n_nodes): less than the latest start that delays no consumer, transfers taking as long as
 * they did: ranks that know of contention. */
void goban_order_moves_fill_latest (const GobanOrderMoves *self, double *keys);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrderMoves, goban_order_moves_free)

G_END_DECLS
