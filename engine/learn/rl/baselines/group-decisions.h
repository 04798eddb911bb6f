/* group-decisions.h: decisions of methods that draw a device for each group of ops.
 *
 * Their plans are drawn and simulated side by side, and written one after the other. So what the
 * user forces is taken when it is drawn, and its plan is written whatever comes of it.
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/placers/units.h"

/* The nodes of each group. */
typedef struct
{
  guint n_groups;
  guint32 *offsets;   /* (n_groups + 1) into nodes */
  GobanNodeId *nodes; /* (n_nodes) those of a group in the order of their units */
} GobanGroupNodes;

/* group_of (n_units), below @n_groups; a group may be empty. */
void goban_group_nodes_init (GobanGroupNodes *self, const GobanUnits *units,
                             const guint32 *group_of, guint n_groups);
void goban_group_nodes_clear (GobanGroupNodes *self);

/* The decision of the record that the user forces. */
typedef struct
{
  gboolean is_any;
  guint64 evaluation; /* of its plan */
  guint index;        /* among the moments of the plan */
  guint32 option;
  gboolean is_taken;
  guint32 drawn; /* in whose place it was taken */
} GobanForcedGroup;

/* @decisions: (nullable) */
GobanForcedGroup goban_forced_group_find (GobanDecisionsWriter *decisions);

/* @drawn, or the device that is forced on the group of moment @index in the plan of @evaluation.
 * can_run (n_devices) */
GobanDeviceId goban_forced_group_take (GobanForcedGroup *self, guint64 evaluation, guint index,
                                       const guint8 *can_run, guint n_devices, GobanDeviceId drawn);

/* What was drawn for the group of moment @index in the plan of @evaluation, which has @device. */
GobanDeviceId goban_forced_group_get_drawn (const GobanForcedGroup *self, guint64 evaluation,
                                            guint index, GobanDeviceId device);

/* The plans to be written of those with the evaluations after @before, in this order: that of the
 * forced decision, and the best one, that of evaluation @best, if it is one of them. Returns their
 * number. */
guint goban_forced_group_list_plans (const GobanForcedGroup *self, guint64 before, guint64 last,
                                     guint64 best, guint64 evaluations[2]);

/* Writes to the span of its plan (nullable) that @drawn was drawn for a group; @head: its row,
 * nodes and options, one for each device, and what the method adds. probabilities, can_run
 * (n_options) */
void goban_group_decision_write (GobanDecisionsWriter *span, GobanDecisionHead head,
                                 const float *probabilities, const guint8 *can_run,
                                 GobanDeviceId drawn);

/* Ends the span of the plan of @evaluation, which is accepted if it is the best so far. */
void goban_group_decisions_close (GobanDecisionsWriter *span, GobanSearch *search,
                                  guint64 evaluation, GobanOutcome outcome);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanGroupNodes, goban_group_nodes_clear)
