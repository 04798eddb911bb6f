/* metis-parts.h: the graph cut into balanced parts with few bytes between them, a part a device.
 *
 * Vertices are units weighing their mean time; an edge weighs the bytes of all tensors that
 * would cross if its ends were apart. Part i goes to device i, whose share of the time is its
 * share of the speed. With memory a unit weighs its bytes as well, parameters and outputs,
 * and a device's share of these is its share of the memory. METIS does not know which device can
 * run what: a unit that cannot run on its part's device goes to the device it shares
 * most bytes with.
 */
#pragma once

#include "engine/placers/placer.h"
#include "engine/placers/units.h"

GobanPlan *goban_metis_place (GobanCostModel *costs, gboolean with_memory,
                              const GobanPlacerOptions *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
