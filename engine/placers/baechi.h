/* baechi.h: what m-ETF and m-SCT have in common: groups, memory, and a second thought.
 *
 * Baechi measures a plan on the machine and leaves the rest to its user, who gives it a share of the memory.
 * Here a simulation is the measurement: where a plan overflows, the next is made with as much
 * memory kept free; groups are tried with and without the readers of a variable together (see
 * coplacement.h), activations as temporary memory and as permanent. The best plan counts.
 */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

/* @favourites: whether devices wait for favourite children, as m-SCT's do. */
GobanPlan *goban_baechi_place (GobanCostModel *costs, gboolean favourites,
                               const GobanPlacerOptions *options, guint64 *evaluations,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
