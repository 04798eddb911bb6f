/* compare-timeline-private.h: state of the comparison's timeline, shared by its source files. */
#pragma once

#include "ui/compare/compare-timeline.h"

#include "engine/session/latest.h"
#include "engine/session/preview.h"
#include "ui/draw/compare-lanes.h"

G_BEGIN_DECLS

struct _GobanCompareTimeline
{
  GobanPicture parent;

  GobanSession *session;
  GobanCompareSet *set;     /* the session's */
  GobanPreview *preview;    /* the session's, borrowed */
  GobanLatest *maker;       /* of lanes */
  guint ask_id;             /* while it is about to be asked, else 0 */
  gboolean is_stale;        /* other lanes are yet to be asked for */
  GobanCompareLanes *lanes; /* (nullable): what is shown ... */
  GobanRun *before;         /* ... of these two */
  GobanRun *after;
  GobanTimeCamera camera;
  gboolean is_fitted;
  GobanTimelineHit hit;
  GobanPoint pointer;
  double cursor_us; /* NAN: the pointer is elsewhere */
  char *note;       /* (nullable): at the pointer */
};

/* compare-timeline-scenes.c */
void goban_compare_timeline_begin_scenes (GobanCompareTimeline *self);
void goban_compare_timeline_end_scenes (GobanCompareTimeline *self);
/* (nullable): what is shown. Where it is no longer what it should be, that is asked for. */
GobanCompareLanes *goban_compare_timeline_get_lanes (GobanCompareTimeline *self);
/* The pair is another one, or has other colours: what is shown stays until the next is there, if it can. */
void goban_compare_timeline_forget_lanes (GobanCompareTimeline *self);

void goban_compare_timeline_runs_changed (GobanCompareTimeline *self);
/* A change is tried, or no longer. */
void goban_compare_timeline_preview_changed (GobanCompareTimeline *self);

/* compare-timeline.c: other lanes are shown, or elsewhere. */
void goban_compare_timeline_lanes_changed (GobanCompareTimeline *self);

G_END_DECLS
