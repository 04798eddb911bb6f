/* gui-compare.h: texts and rows of the page of compared plans, for tests. */
#pragma once

#include "ui/compare/compare-page.h"

/* The words beside the choice of modes. */
const char *gui_compare_get_legend (GobanComparePage *page);

/* The number of visible lanes of the pair's timeline. */
guint gui_compare_count_lanes (GobanCompareTimeline *timeline);
/* The centre of an op's slice in the first or the second run, in device pixels; FALSE if there is
 * none. */
gboolean gui_compare_locate (GobanCompareTimeline *timeline, GobanNodeId node, gboolean is_after,
                             GobanPoint *at);
