/* timeline-play.c: playback of a timeline. */
#include "engine/session/view-time.h"
#include "ui/timeline/timeline-view-private.h"

#include "ui/timeline/timeline-play.h"

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
