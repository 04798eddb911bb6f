/* timeline-view-private.h: what the timeline's files share: its state, and what the pointer does. */
#pragma once

#include "ui/draw/timeline-painter.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

struct _GobanTimelineView
{
  GobanPicture parent;

  GobanSession *session;
  GobanTimelineScene *
      scene; /* made by goban_timeline_view_get_scene() when it is first needed; NULL without a run */
  gboolean is_stale; /* the scene is yet to be made */
  GobanTimeCamera camera;
  gboolean is_fitted; /* the camera still shows everything: follow the size */
  gboolean show_critical;

  GobanTimelineHit hit; /* what is under the pointer */
  double cursor_us;     /* NAN: the pointer is elsewhere */
};

/* (nullable): made when it is first needed; NULL without a run. */
GobanTimelineScene *goban_timeline_view_get_scene (GobanTimelineView *self);
/* The scene, where there is one, as it is looked at now. */
GobanTimelinePicture goban_timeline_view_describe (GobanTimelineView *self);

/* timeline-pointer.c */
void goban_timeline_view_hover (GobanPicture *base, const GobanPoint *at);
void goban_timeline_view_click (GobanPicture *base, GobanPoint at, int n_press,
                                GdkModifierType modifiers);

G_END_DECLS
