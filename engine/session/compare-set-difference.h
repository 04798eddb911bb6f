/* compare-set-difference.h: difference of the pair of a compare set, and devices matched for it.
 *
 * Exchangeable devices of every plan are called as in the first of the pair
 * (device-matching.h), unless the set's looks say that each plan keeps its own.
 */
#pragma once

#include "engine/session/compare-set.h"
#include "engine/study/analysis/difference/difference.h"

/* The pair's difference. If it is missing, a worker starts to compute it, and "difference" is
 * notified when it is done. After a change of the threshold, the old one is returned until then.
 * Borrowed, (nullable). */
GobanDifference *goban_compare_set_get_difference (GobanCompareSet *self);
/* Whether a worker is computing the difference. */
gboolean goban_compare_set_is_comparing (GobanCompareSet *self);
/* Computes the difference synchronously: 20 ms at 80,000 nodes. %NULL with %GOBAN_ERROR_INVALID set
 * if there is none. */
GobanDifference *goban_compare_set_make_difference (GobanCompareSet *self, GError **error);

/* TRUE: devices are compared by name, without matching exchangeable ones. */
gboolean goban_compare_set_get_own_devices (GobanCompareSet *self);
void goban_compare_set_set_own_devices (GobanCompareSet *self, gboolean has_own_devices);

/* Run @i as it is shown: with renamed devices, as soon as a worker has matched them. Borrowed. */
GobanRun *goban_compare_set_get_shown (GobanCompareSet *self, guint i);
/* Its matching, if devices are renamed; else %NULL. Borrowed. */
GobanDeviceMatching *goban_compare_set_get_matching (GobanCompareSet *self, guint i);
