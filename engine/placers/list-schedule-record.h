/* list-schedule-record.h: record of the choices of a list schedule. */
#pragma once

#include "engine/decisions/decisions-writer.h"
#include "engine/placers/choice-words.h"
#include "engine/placers/list-schedule.h"

/* Begins the record: @decisions (nullable) receives all choices, those of nodes carried already
 * included. Weighing the devices is the caller's part, see goban_list_schedule_weigh(). @words:
 * static. */
void goban_list_schedule_begin_record (GobanListSchedule *self, GobanDecisionsWriter *decisions,
                                       const GobanChoiceWords *words);
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

/* Records a device for the selected node, before it is placed: the candidate, if
 * goban_list_schedule_look() has found a placement there; else (%NULL) why it cannot go there. */
void goban_list_schedule_weigh (GobanListSchedule *self, GobanDeviceId device,
                                const GobanPlacement *placement, double candidate);

/* The device to place the selected node on: @device, or the one that the user forces. @key: what
 * it was taken by; NAN without one. @note: (nullable) static. */
GobanDeviceId goban_list_schedule_decide (GobanListSchedule *self, GobanDeviceId device, double key,
                                          const char *note);
