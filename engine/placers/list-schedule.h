/* list-schedule.h: partial schedule of a list scheduler, built node by node, each after its
 * producers.
 *
 * What every list scheduler asks: when could the inputs of a node be on a device, would
 * its memory hold them, and is the node free to go there. The first node of a unit that is
 * scheduled binds the whole unit, whose parameters are reserved then.
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
#include "engine/plan/placement-record.h"

G_BEGIN_DECLS

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

/* Sets the record that receives all further choices, those of nodes carried already included;
 * (nullable). Weighing the devices is the caller's part, see goban_list_schedule_weigh(). */
void goban_list_schedule_set_record (GobanListSchedule *self, GobanPlacementRecord *record);
gboolean goban_list_schedule_has_record (const GobanListSchedule *self);

gboolean goban_list_schedule_is_carried (const GobanListSchedule *self, GobanNodeId node);

/* Selects @node, whose producers are all scheduled or carried, for the calls below. */
void goban_list_schedule_turn_to (GobanListSchedule *self, GobanNodeId node);

/* The same for a tree of one unit: nodes (n) by ascending id, each of which but the last is read by
 * others of them alone. They run one after another. */
void goban_list_schedule_turn_to_tree (GobanListSchedule *self, const GobanNodeId *nodes, guint n);

/* %FALSE if the selected node cannot run on @device, or its unit is bound to another. */
gboolean goban_list_schedule_look (const GobanListSchedule *self, GobanDeviceId device,
                                   GobanPlacement *placement);

/* Negative if memory decides between the two in favour of @a, positive if of @b; 0 if both have
 * room, or lack the same. */
int goban_placement_compare_room (const GobanPlacement *a, const GobanPlacement *b);

/* Tells the record about a device for the selected node, before it is placed: the candidate, if
 * goban_list_schedule_look() has found a placement there; else (%NULL) why it cannot go there. */
void goban_list_schedule_weigh (GobanListSchedule *self, GobanDeviceId device,
                                const GobanPlacement *placement, double candidate);

/* Sets what the record says of the next placed node. @note: (nullable) static. */
void goban_list_schedule_explain (GobanListSchedule *self, double key, const char *note);

/* Schedules the selected node with its transfers, and clears the selection. */
void goban_list_schedule_place (GobanListSchedule *self, GobanDeviceId device, double start_us);

/* (n_nodes) borrowed. */
const double *goban_list_schedule_get_starts (const GobanListSchedule *self);
const double *goban_list_schedule_get_finishes (const GobanListSchedule *self);

/* The devices of the schedule, and priorities by which ops run in the order of their starts.
 * (transfer full) */
GobanPlan *goban_list_schedule_new_plan (const GobanListSchedule *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanListSchedule, goban_list_schedule_free)

G_END_DECLS
