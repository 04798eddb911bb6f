/* timeline-marks.h: marked times of a timeline. */
#pragma once

#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* Adds or removes a mark at the time under the pointer, else at the view's time.
 * FALSE if there is no such time. */
gboolean goban_timeline_view_mark (GobanTimelineView *self);
/* Moves the time to the next or the previous mark, or to the mark of a name. FALSE if there is
 * none. */
gboolean goban_timeline_view_step_mark (GobanTimelineView *self, int direction);
gboolean goban_timeline_view_show_mark (GobanTimelineView *self, const char *name);
/* Opens an entry to rename the mark at the view's time, or under the pointer; FALSE if there is
 * none. */
gboolean goban_timeline_view_name_mark (GobanTimelineView *self);

G_END_DECLS
