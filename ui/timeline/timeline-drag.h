/* timeline-drag.h: signals of a timeline about devices outside that its bars can be dropped on. */
#pragma once

#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* "find" and "aimed" (timeline-view.h). */
void goban_timeline_view_add_drag_signals (GobanTimelineViewClass *klass);

G_END_DECLS
