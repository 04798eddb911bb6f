/* matched-difference.h: difference of two runs whose exchangeable devices are matched first. */
#pragma once

#include "engine/study/analysis/difference/device-matching.h"
#include "engine/study/analysis/difference/difference.h"

G_BEGIN_DECLS

/* The difference of @before and the renamed run of @matching (nullable: @after), which is kept:
 * goban_difference_get_after() is the renamed run. (transfer full) (nullable): as
 * goban_difference_new() */
GobanDifference *goban_difference_new_matched (GobanRun *before, GobanRun *after,
                                               GobanDeviceMatching *matching, double min_change_us,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The second run as it is. Borrowed. */
GobanRun *goban_difference_get_unmatched (const GobanDifference *self);
/* (nullable), borrowed. */
GobanDeviceMatching *goban_difference_get_matching (const GobanDifference *self);

G_END_DECLS
