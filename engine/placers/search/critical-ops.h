/* critical-ops.h: ops drawn in proportion to their share of the critical path of a run.
 *
 * A transfer on the path blames its producer, which should be where the consumer is, and its
 * consumer, which should be where the producer is; a wait for a device blames the waiting op and
 * the one that it waited for; every op is blamed a little for the time it takes. Drawn in
 * proportion to the time.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/placers/units.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 unit;
  GobanDeviceId device; /* where it should be, or GOBAN_NO_DEVICE: anywhere else */
  double until_us;      /* running sum of the blame */
} GobanCriticalOp;

typedef struct _GobanCriticalOps GobanCriticalOps;

/* @units must outlive it. */
GobanCriticalOps *goban_critical_ops_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_critical_ops_free (GobanCriticalOps *self);

/* Resets the learned weights. */
void goban_critical_ops_learn (GobanCriticalOps *self, const GobanTrace *trace);

/* (nullable) borrowed until the next trace; %NULL if no node is to blame. */
const GobanCriticalOp *goban_critical_ops_draw (const GobanCriticalOps *self, GobanRng *rng);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCriticalOps, goban_critical_ops_free)

G_END_DECLS
