/* timeline-play.c: playback of a timeline: the time of the session's view moves on with every
 * frame. */
#include "ui/timeline/timeline-view-private.h"

#include "engine/session/view-time.h"
#include "engine/study/analysis/time-events.h"

#include <math.h>

/* How long a run lasts at speed 1, and how far speeds go. */
#define RUN_S 10.0
#define MAX_SPEED 64.0

static GobanView *
view_of (GobanTimelineView *self)
{
  return goban_session_get_view (self->session);
}

/* The end of the shown run, 0 without one. */
static double
get_end_us (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  double makespan_us = run != NULL ? goban_run_get_makespan_us (run) : 0;

  return isfinite (makespan_us) ? makespan_us : 0;
}

void
goban_timeline_view_end_playback (GobanTimelineView *self)
{
  if (self->playback.tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->playback.tick_id);
  self->playback.tick_id = 0;
}

/* The end of playback is a line of the log; the moments on the way are not. */
static void
settle (GobanTimelineView *self, double time_us)
{
  goban_timeline_view_end_playback (self);
  goban_view_play_to (view_of (self), NAN);
  goban_view_set_time_us (view_of (self), time_us);
  g_signal_emit_by_name (self, "playback-changed");
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (widget);
  GobanTimelinePlayback *playback = &self->playback;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double end_us = get_end_us (self);
  double passed_s = (double) (now_us - playback->frame_us) / G_USEC_PER_SEC;
  double time_us = goban_view_get_time_us (view_of (self));

  playback->frame_us = now_us;
  time_us = (isfinite (time_us) ? time_us : 0) + passed_s * playback->speed * end_us / RUN_S;
  if (playback->is_loop && end_us > 0)
    time_us = fmod (time_us, end_us);
  if (time_us < end_us)
    {
      goban_view_play_to (view_of (self), time_us);
      return G_SOURCE_CONTINUE;
    }
  settle (self, end_us);
  return G_SOURCE_REMOVE;
}

gboolean
goban_timeline_view_is_playing (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return self->playback.tick_id != 0;
}

void
goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing)
{
  double time_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (is_playing == (self->playback.tick_id != 0) || get_end_us (self) <= 0)
    return;
  time_us = goban_view_get_time_us (view_of (self));
  if (!is_playing)
    {
      settle (self, time_us);
      return;
    }
  if (!isfinite (time_us) || time_us >= get_end_us (self))
    goban_view_play_to (view_of (self), 0);
  self->playback.frame_us = g_get_monotonic_time ();
  self->playback.tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  g_signal_emit_by_name (self, "playback-changed");
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

  self->playback.speed = CLAMP (speed, 1 / MAX_SPEED, MAX_SPEED);
  g_signal_emit_by_name (self, "playback-changed");
}

void
goban_timeline_view_seek (GobanTimelineView *self, int where)
{
  double time_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (goban_session_get_shown_run (self->session) == NULL)
    return;
  time_us = where < 0 ? 0 : get_end_us (self);
  goban_view_set_time_us (view_of (self), time_us);
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
