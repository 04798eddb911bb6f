/* timeline-why.h: explanations of gaps and starts in a timeline. */
#pragma once

#include "engine/study/analysis/causes.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* Explains the gap under the pointer, or the start time of the selected op; FALSE if there is
 * neither. */
gboolean goban_timeline_view_explain (GobanTimelineView *self);
/* The causes on display, borrowed; (nullable). */
const GobanCauses *goban_timeline_view_get_causes (GobanTimelineView *self);
/* Scrolls to one of them and selects it. */
void goban_timeline_view_follow_cause (GobanTimelineView *self, guint i);

G_END_DECLS
