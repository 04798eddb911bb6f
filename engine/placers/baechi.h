/* baechi.h: shared parts of m-ETF and m-SCT (Baechi): groups, memory limits, repeated attempts.
 *
 * Baechi measures a plan on the machine and lets the user limit the share of memory. Here a
 * simulation replaces the measurement: if a plan overflows, the next is made with as much memory
 * kept free. Groups are tried with and without the readers of a variable together (see
 * coplacement.h), activations as temporary memory and as permanent. The best plan counts.
 */
#pragma once

#include "engine/placers/placer.h"

/* @favourites: whether devices wait for favourite children, as m-SCT's do. */
GobanPlan *goban_baechi_place (GobanCostModel *costs, gboolean favourites,
                               const GobanPlacerOptions *options, guint64 *evaluations,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
