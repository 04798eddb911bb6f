/* list-schedule.h: partial schedule of a list scheduler, built node by node, each after its
 * producers.
 *
 * It answers the questions of every list scheduler: when could the inputs of a node be on a device,
 * would its memory hold them, and may the node go there. The first node of a unit that is scheduled
 * binds the whole unit, whose parameters are reserved then.
 *
 * Memory counts parameters and every tensor that a node not yet scheduled reads, wherever
 * it has a copy: schedulers take nodes roughly in the order in which they will run, so
 * this is roughly what a run holds. It is a guide; the simulator has the last word.
 *
 * Nodes that take no time and wait for nothing that does, variables and constants and what renames
 * them, are carried: nobody asks for them, they come along with the first node that reads them,
 * unless their unit is bound elsewhere. By themselves they would all start at once on the
 * first device, and their units would be bound there before anybody knows who reads them.
 *
 * With channels, a transfer waits for the send channel, the receive channel and the links
 * of its route, in the order in which the nodes were scheduled; without, it never waits.
 *
 * Decision E20 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/units.h"

typedef struct _GobanListSchedule GobanListSchedule;

/* A possible placement of a node. */
typedef struct
{
  GobanDeviceId device;
  double ready_us;   /* all inputs are there */
  double time_us;    /* its duration there */
  double room_bytes; /* memory left with the node there; negative: the missing memory */
} GobanPlacement;

/* @units must outlive it. */
GobanListSchedule *goban_list_schedule_new (const GobanUnits *units,
                                            gboolean channels) G_GNUC_WARN_UNUSED_RESULT;
void goban_list_schedule_free (GobanListSchedule *self);

/* To be called before scheduling. Reserves permanently, as for parameters, the outputs of forward
 * ops for backward and update ops, and gradients that wait to be summed, when their unit is bound:
 * Baechi's permanent memory. */
void goban_list_schedule_reserve_kept (GobanListSchedule *self);

/* Sets the memory that is left unused on every device. */
void goban_list_schedule_set_headroom (GobanListSchedule *self, double headroom_bytes);

/* Schedules the selected node with its transfers, and clears the selection. */
void goban_list_schedule_place (GobanListSchedule *self, GobanDeviceId device, double start_us);

/* (n_nodes) borrowed. */
const double *goban_list_schedule_get_starts (const GobanListSchedule *self);
const double *goban_list_schedule_get_finishes (const GobanListSchedule *self);

/* The devices of the schedule, and priorities by which ops run in the order of their starts.
 * (transfer full) */
GobanPlan *goban_list_schedule_new_plan (const GobanListSchedule *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanListSchedule, goban_list_schedule_free)
