/* insertion.h: list scheduling into the gaps of a schedule, which HEFT and CPOP share.
 *
 * A node goes into the earliest gap that takes it, between nodes that were scheduled before it;
 * transfers take their time but never wait for each other. A device whose memory would not hold the
 * node is passed over while another has room; if none has, the one that lacks least is taken. A
 * plan that overflows in a simulation is made again (memory-fit.h). Nodes that are carried along
 * are skipped.
 *
 * Decision E11 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/list-schedule.h"
#include "engine/placers/placer.h"

/* A partial schedule; everything is borrowed. */
typedef struct
{
  const GobanUnits *units;
  GobanListSchedule *schedule;
  GPtrArray *idles;   /* (n_devices) GobanIdleGaps */
  const double *keys; /* (n_nodes) */
  double least_us;    /* of the rules */
} GobanInsertion;

/* The parts of a policy of this kind. */
typedef struct
{
  /* keys (n_nodes): ranks by which nodes are ordered. */
  void (*rank) (const GobanUnits *units, double *keys);
  /* Places every node. %FALSE with %GOBAN_ERROR_CANCELLED set. */
  gboolean (*schedule) (GobanInsertion *insertion, const double *keys,
                        const GobanPlacerOptions *options, GError **error);
  GobanChoiceWords words; /* for the record */
  double least_us;        /* of a gap: a node of no time needs a gap as long as this */
} GobanInsertionRules;

/* The schedule itself, which ignores contention; %NULL when cancelled. (transfer full) */
GobanListSchedule *goban_insertion_schedule (const GobanInsertionRules *rules,
                                             const GobanUnits *units,
                                             const GobanPlacerOptions *options,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A plan with the schedule's devices, made again with memory kept free while it overflows
 * (memory-fit.h). Without contention a run follows the schedule, so ops run in the order of their
 * starts; else by descending keys, since starts come out otherwise (decision E12). (transfer
 * full) */
GobanPlan *goban_insertion_place_all (const GobanInsertionRules *rules, GobanCostModel *costs,
                                      const GobanPlacerOptions *options, guint64 *evaluations,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Schedules the node on the device with the earliest finish, the first among equals. */
void goban_insertion_place (GobanInsertion *self, GobanNodeId node);

/* Schedules the node on @device, or if it cannot run or does not fit there, on the device with the
 * earliest finish. */
void goban_insertion_place_on (GobanInsertion *self, GobanNodeId node, GobanDeviceId device);
