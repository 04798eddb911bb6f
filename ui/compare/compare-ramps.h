/* compare-ramps.h: what the colours of nodes mean where numbers fill them: one ramp for all plans that are compared, or a ramp
 * for each.
 *
 * A row that is there only while numbers fill nodes, with the button that goes from the one to the other.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_COMPARE_RAMPS (goban_compare_ramps_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareRamps, goban_compare_ramps, GOBAN, COMPARE_RAMPS, GtkWidget)

/* @like: a picture that lives as long, whose theme the ramps have. */
GtkWidget *goban_compare_ramps_new (GobanPicture *like) G_GNUC_WARN_UNUSED_RESULT;

/* @values: (element-type GobanNodeValues): of the plans in their order, (nullable) ones where nobody knows any. */
void goban_compare_ramps_show (GobanCompareRamps *self, GPtrArray *values, gboolean has_own_scales);
/* "Slack  A, B  0 us to 12 ms  ·  one scale for all plans", "" where nothing is shown. */
const char *goban_compare_ramps_get_text (GobanCompareRamps *self);

G_END_DECLS
