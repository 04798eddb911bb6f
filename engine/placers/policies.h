/* policies.h: one function per policy, for the table in placers.c; each in a file of its name.
 *
 * A policy is added by writing its file, declaring it here and giving it a row in the table.
 */
#pragma once

#include "engine/placers/list-schedule.h"
#include "engine/placers/placer.h"

G_BEGIN_DECLS

GobanPlan *goban_place_single (GobanCostModel *costs, const GobanPlacerOptions *options,
                               guint64 *evaluations, GError **error);
GobanPlan *goban_place_tf_default (GobanCostModel *costs, const GobanPlacerOptions *options,
                                   guint64 *evaluations, GError **error);
GobanPlan *goban_place_random (GobanCostModel *costs, const GobanPlacerOptions *options,
                               guint64 *evaluations, GError **error);
GobanPlan *goban_place_round_robin (GobanCostModel *costs, const GobanPlacerOptions *options,
                                    guint64 *evaluations, GError **error);
GobanPlan *goban_place_topo (GobanCostModel *costs, const GobanPlacerOptions *options,
                             guint64 *evaluations, GError **error);
GobanPlan *goban_place_metis (GobanCostModel *costs, const GobanPlacerOptions *options,
                              guint64 *evaluations, GError **error);
GobanPlan *goban_place_heft (GobanCostModel *costs, const GobanPlacerOptions *options,
                             guint64 *evaluations, GError **error);
GobanPlan *goban_place_critical_path (GobanCostModel *costs, const GobanPlacerOptions *options,
                                      guint64 *evaluations, GError **error);

/**
 * goban_heft_schedule:
 *
 * Returns: (transfer full) (nullable): HEFT's own schedule, which knows no contention, or %NULL
 *   with %GOBAN_ERROR_CANCELLED set
 */
GobanListSchedule *goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_policy_go_on:
 *
 * For loops over nodes or units: reports step @i of @n and asks whether to stop, every few
 * thousand steps.
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED set to stop
 */
gboolean goban_policy_go_on (const GobanPlacerOptions *options, guint i, guint n, GError **error);

/* order (n_nodes): all nodes by descending rank, ties by id. */
void goban_policy_sort_by_rank (GobanNodeId *order, const double *ranks, guint n_nodes);

G_END_DECLS
