/* compare-set-difference.h: difference of the pair of a compare set. */
#pragma once

#include "engine/analysis/difference.h"
#include "engine/session/compare-set.h"

G_BEGIN_DECLS

/* The pair's difference. If it is missing, a worker starts to compute it, and "difference" is
 * notified when it is done. After a change of the threshold, the old one is returned until then.
 * Borrowed, (nullable). */
GobanDifference *goban_compare_set_get_difference (GobanCompareSet *self);
/* Whether a worker is computing the difference. */
gboolean goban_compare_set_is_comparing (GobanCompareSet *self);
/* Computes the difference synchronously: 20 ms at 80,000 nodes. %NULL with %GOBAN_ERROR_INVALID set
 * if there is none. */
GobanDifference *goban_compare_set_make_difference (GobanCompareSet *self, GError **error);

G_END_DECLS
