/* compare-ramps.h: colour ramp row of the comparison: one ramp for all compared plans, or one for
 * each.
 *
 * Visible only while numbers colour the nodes. A button switches between the two modes.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_COMPARE_RAMPS (goban_compare_ramps_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareRamps, goban_compare_ramps, GOBAN, COMPARE_RAMPS, GtkWidget)

/* @like: a picture with the theme of the ramps; must outlive them. */
GtkWidget *goban_compare_ramps_new (GobanPicture *like) G_GNUC_WARN_UNUSED_RESULT;

/* @values: (element-type GobanNodeValues): of the plans in their order; an element is NULL if its
 * values are unknown. */
void goban_compare_ramps_show (GobanCompareRamps *self, GPtrArray *values, gboolean has_own_scales);
/* "Slack  A, B  0 µs to 12 ms  ·  one scale for all plans", "" if nothing is shown. */
const char *goban_compare_ramps_get_text (GobanCompareRamps *self);
