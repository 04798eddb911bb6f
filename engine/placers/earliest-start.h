/* earliest-start.h: list scheduling by the earliest start, which ETF, m-ETF and m-SCT share.
 *
 * Nodes are trees here, which start when all inputs of all their nodes are there and run one node
 * after another; ETF's are of one node each. Of all pairs of a ready node and a device the one that
 * can start first is taken, again and again; starts therefore never descend. Among pairs that start
 * together the node of the higher level is first, then the lower id, then the lower device. A
 * device without room for a node is passed over while another has room; if none has, the one that
 * lacks least is taken.
 *
 * Favourites (Hanen and Munier's, as Baechi runs them): a device that has just run a node stays
 * awake for the node's favourite child, if that is ready but its inputs are still on their way, and
 * if no other device could start it earlier. An awake device takes nothing meanwhile but an urgent
 * node, one that could start by then on every device. Only the first few that wait for the device
 * are asked whether they are urgent.
 */
#pragma once

#include "engine/placers/coplacement.h"
#include "engine/placers/list-schedule.h"
#include "engine/placers/memory-fit.h"

typedef struct
{
  const GobanUnits *units;
  const GobanTrees *trees;
  gboolean channels;      /* transfers wait for each other */
  gboolean reserves_kept; /* activations for the backward pass are reserved with their unit */
  GobanAttempt attempt;
  gboolean leaders;              /* a unit is bound by its lowest tree, for which the others wait */
  const double *levels;          /* (n_trees) (nullable): all alike */
  const guint32 *favourites;     /* (n_trees) (nullable): the child or GOBAN_NO_NODE */
  const GobanChoiceWords *words; /* for the record; static */
} GobanEarliestStartRules;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_CANCELLED set. */
GobanListSchedule *goban_earliest_start_schedule (const GobanEarliestStartRules *rules,
                                                  const GobanPlacerOptions *options,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
