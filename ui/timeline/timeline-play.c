/* timeline-play.c: playback of a timeline. */
#include "engine/session/view-time.h"
#include "engine/study/analysis/time-events.h"
#include "ui/timeline/timeline-view-private.h"

#include "ui/timeline/timeline-play.h"

#include <math.h>

gboolean
goban_timeline_view_is_playing (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return goban_playback_is_running (&self->playback);
}

void
goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  goban_playback_run (&self->playback, is_playing);
}

double
goban_timeline_view_get_speed (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), 0);

  return self->playback.speed;
}

void
goban_timeline_view_set_speed (GobanTimelineView *self, double speed)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  goban_playback_set_speed (&self->playback, speed);
}

void
goban_timeline_view_seek (GobanTimelineView *self, int where)
{
  double time_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (goban_session_get_shown_run (self->session) == NULL)
    return;

  time_us = where < 0 ? 0 : goban_playback_get_end_us (&self->playback);
  goban_view_set_time_us (goban_session_get_view (self->session), time_us);
  goban_timeline_view_reveal (self, time_us, time_us);
}

void
goban_timeline_view_set_loop (GobanTimelineView *self, gboolean is_loop)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->playback.is_loop = is_loop;
}

gboolean
goban_timeline_view_step_event (GobanTimelineView *self, int direction, gboolean of_selection)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  GobanView *view = goban_session_get_view (self->session);
  g_autofree gboolean *devices = NULL;
  double time_us;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  if (run == NULL)
    return FALSE;
  goban_timeline_view_play (self, FALSE);
  devices = g_new (gboolean, goban_plan_get_n_devices (goban_run_get_plan (run)) + 1);
  of_selection = of_selection
                 && goban_time_events_mark_devices (
                        run, goban_session_get_selection (self->session), devices)
                        > 0;
  time_us = goban_time_events_find (run, goban_view_get_time_us (view), direction,
                                    of_selection ? devices : NULL);
  if (isnan (time_us))
    return FALSE;
  goban_view_set_time_us (view, time_us);
  goban_timeline_view_reveal (self, time_us, time_us);
  return TRUE;
}
