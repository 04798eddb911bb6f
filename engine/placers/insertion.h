/* insertion.h: list scheduling into the gaps of a schedule, which HEFT and CPOP share.
 *
 * A node goes into the earliest gap that takes it, between nodes that were scheduled before it;
 * transfers take their time but never wait for each other. A device whose memory would not hold
 * the node is passed over while another has room; where none has, the one that lacks least is
 * taken. Nodes that are carried along are skipped.
 */
#pragma once

#include "engine/placers/list-schedule.h"

G_BEGIN_DECLS

typedef struct
{
  const GobanUnits *units;     /* borrowed */
  GobanListSchedule *schedule; /* owned */
  GPtrArray *idles;            /* (n_devices) GobanIdle */
} GobanInsertion;

void goban_insertion_init (GobanInsertion *self, const GobanUnits *units);
void goban_insertion_clear (GobanInsertion *self);

/* Where it finishes first, the first device among equals. */
void goban_insertion_place (GobanInsertion *self, GobanNodeId node);

/* On @device, unless it cannot go there or finds no room there: then where it finishes first. */
void goban_insertion_place_on (GobanInsertion *self, GobanNodeId node, GobanDeviceId device);

/* A plan with the schedule's devices. Without contention a run follows the schedule, so ops run in
 * the order of their starts; else by descending @keys (n_nodes), since starts come out otherwise
 * (decision E12). (transfer full) */
GobanPlan *goban_insertion_new_plan (const GobanInsertion *self,
                                     const double *keys) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanInsertion, goban_insertion_clear)

G_END_DECLS
