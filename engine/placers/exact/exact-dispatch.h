/* exact-dispatch.h: optimal dispatch order of one placement, by branching on the next op or
 * transfer.
 *
 * Private to exact*.c. Replays the rules of simulator.h and branches if a device has several
 * ready ops or transfers compete. A run counts that some plan gives: one list of priorities for
 * ops with transfers as urgent as their consumers, or else priorities of the tensors' own
 * (which FIFO is a case of).
 */
#pragma once

#include "engine/placers/exact/exact-orders.h"
#include "engine/placers/exact/exact-problem.h"
#include "engine/placers/search.h"

typedef struct
{
  const ExactProblem *problem;
  GobanSearch *search;       /* counts one evaluation per branch, keeps the best plan */
  GobanSimulator *simulator; /* verifies found plans */
  double best_us;            /* shortest valid makespan so far, INFINITY before */
  double open_us;            /* least bound of the unexplored branches, INFINITY: none */
  gboolean is_over;          /* the budget is spent, or the search was cancelled */
  /* Called with each new best plan: device d of the placement is place[d] of the plan. */
  void (*found) (gpointer data, const guint8 *place);
  gpointer data;
  GError **error;
} ExactContext;

/* Only shorter runs are searched for: a rounding error below the best. */
double exact_target_us (const ExactContext *self);

/* Counts one evaluation; sets is_over if it was the last. */
void exact_count (ExactContext *self);

/* @device (N): complete. @bound_us: a known bound. */
void exact_dispatch (ExactContext *self, const guint8 *device, double bound_us);
