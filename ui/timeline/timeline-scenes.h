/* timeline-scenes.h: requests for the scenes of a timeline, as tests see them. */
#pragma once

#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* Whether a worker is making a scene, which will replace the present one. */
gboolean goban_timeline_view_is_busy (GobanTimelineView *self);
/* The number of requested scenes, for tests. */
guint goban_timeline_view_get_n_asked (GobanTimelineView *self);

G_END_DECLS
