/* compare-timeline-private.h: state of the comparison's timeline, shared by its source files. */
#pragma once

#include "ui/compare/compare-timeline.h"

#include "engine/core/jobs/coalescing-worker.h"
#include "engine/session/preview.h"
#include "ui/draw/timeline/compare-lanes.h"

struct _GobanCompareTimeline
{
  GobanPicture parent;

  GobanSession *session;
  GobanCompareSet *set;         /* the session's */
  GobanPreview *preview;        /* the session's, borrowed */
  GobanCoalescingWorker *maker; /* of lanes */
  guint ask_id;                 /* pending request, or 0 */
  gboolean is_stale;            /* new lanes must be requested */
  GobanCompareLanes *lanes;     /* (nullable): the visible lanes ... */
  GobanRun *before;             /* ... of these two */
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
/* (nullable): the visible lanes. Requests new ones if they are out of date. */
GobanCompareLanes *goban_compare_timeline_get_lanes (GobanCompareTimeline *self);
/* To be called when the pair or its colours change; the present lanes stay until new ones are made,
 * if possible. */
void goban_compare_timeline_forget_lanes (GobanCompareTimeline *self);

void goban_compare_timeline_runs_changed (GobanCompareTimeline *self);
/* To be called when a preview begins, changes or ends. */
void goban_compare_timeline_preview_changed (GobanCompareTimeline *self);

/* compare-timeline.c: puts the lanes, which must exist, into the height of the picture. */
void goban_compare_timeline_arrange (GobanCompareTimeline *self);
/* compare-timeline.c: to be called when the lanes or their positions have changed. */
void goban_compare_timeline_lanes_changed (GobanCompareTimeline *self);
