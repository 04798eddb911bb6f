/* trace-build.h: the causes in a trace of the simulator, between trace-build.c and critical-path.c.
 *
 * Private to engine/sim.
 */
#pragma once

#include "engine/sim/simulator-private.h"
#include "engine/sim/trace-private.h"

G_BEGIN_DECLS

/* Index of every move of a run in its trace. */
typedef struct
{
  guint32 *rank;  /* (n_moves) by (tensor, device) of the graph */
  guint32 *index; /* (n_moves) by (start, tensor, device): of the transfer */
} TracePlaces;

/* critical-path.c: stores the predecessors of ops and transfers, by the graph's nodes. */
void goban_trace_keep_causes (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record,
                              const TracePlaces *places);

G_END_DECLS
