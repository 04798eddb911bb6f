/* policies.h: the policies of this folder, each in a file of its name, and the code they share.
 *
 * A policy is added by writing its file, declaring it here and naming it in engine/learn.
 */
#pragma once

#include "engine/placers/coplacement.h"
#include "engine/placers/list-schedule.h"
#include "engine/placers/placer.h"

extern const GobanPlacer goban_placer_single;
extern const GobanPlacer goban_placer_tf_default;
extern const GobanPlacer goban_placer_expert;
extern const GobanPlacer goban_placer_metis;
extern const GobanPlacer goban_placer_metis_mem;
extern const GobanPlacer goban_placer_heft;
extern const GobanPlacer goban_placer_cpop;
extern const GobanPlacer goban_placer_etf;
extern const GobanPlacer goban_placer_critical_path;
extern const GobanPlacer goban_placer_pipeline;
extern const GobanPlacer goban_placer_m_topo;
extern const GobanPlacer goban_placer_m_etf;
extern const GobanPlacer goban_placer_m_sct;
extern const GobanPlacer goban_placer_anneal;
extern const GobanPlacer goban_placer_local_search;
extern const GobanPlacer goban_placer_brkga;
extern const GobanPlacer goban_placer_cells;
extern const GobanPlacer goban_placer_exact;
extern const GobanPlacer goban_placer_random;
extern const GobanPlacer goban_placer_round_robin;
/* Found by its name, but not in the roster: it places graphs of recorded runs alone. */
extern const GobanPlacer goban_placer_recorded;

/**
 * goban_heft_schedule:
 *
 * Returns: (transfer full) (nullable): HEFT's own schedule, which ignores contention, or %NULL with
 *   %GOBAN_ERROR_CANCELLED set, or INVALID for unknown "ranks=" in the settings
 */
GobanListSchedule *goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for CPOP. */
GobanListSchedule *goban_cpop_schedule (const GobanUnits *units, const GobanPlacerOptions *options,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* priorities (n_nodes): the longest path through each node. */
void goban_cpop_priorities (const GobanUnits *units, double *priorities);
/* The critical path, of GobanNodeId; (transfer full). */
GArray *goban_cpop_find_path (const GobanUnits *units,
                              const double *priorities) G_GNUC_WARN_UNUSED_RESULT;
/* The device that computes it fastest. */
GobanDeviceId goban_cpop_find_device (const GobanUnits *units, const GArray *path);

/* favourites (n_trees): m-SCT's favourite child of every tree, or GOBAN_NO_NODE. %FALSE with
 * %GOBAN_ERROR_CANCELLED set. */
gboolean goban_m_sct_favourites (const GobanUnits *units, const GobanTrees *trees,
                                 guint32 *favourites, const GobanProgress *progress,
                                 GError **error);

/**
 * goban_policy_go_on:
 *
 * For loops over nodes or units: reports step @i of @n and checks for cancellation, every few
 * thousand steps.
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED set to stop
 */
gboolean goban_policy_go_on (const GobanPlacerOptions *options, guint i, guint n, GError **error);

/* The decisions of a policy that goes from unit to unit; all is borrowed. */
typedef struct
{
  const GobanUnits *units;
  const GobanChoiceWords *words; /* static */
  GobanDecisionsWriter *span;    /* (nullable) */
} GobanUnitDecisions;

/* Begins a plan, the try of number @evaluation from 1, if it is to be simulated, else 0. */
GobanUnitDecisions goban_unit_decisions_begin (const GobanPlacerOptions *options,
                                               const GobanUnits *units,
                                               const GobanChoiceWords *words, guint64 evaluation);
void goban_unit_decisions_weigh (const GobanUnitDecisions *self, GobanDeviceId device,
                                 double candidate, guint refusals);
/* The device to take for a unit: @wanted, or the one that the user forces. Devices that cannot run
 * it are noted, others are as weighed. @note: (nullable) static. */
GobanDeviceId goban_unit_decisions_make (const GobanUnitDecisions *self, guint32 unit,
                                         GobanDeviceId wanted, const char *note);
/* @result: (nullable): of the plan's simulation. */
void goban_unit_decisions_end (const GobanUnitDecisions *self, const GobanPlan *plan,
                               const GobanSpanResult *result, gboolean is_taken);

/* order (n_nodes): all nodes by descending rank, ties by id. */
void goban_policy_sort_by_rank (GobanNodeId *order, const double *ranks, guint n_nodes);
