/* timeline-play.c: time passes: the view's moment moves on with every frame. */
#include "engine/session/view-time.h"
#include "ui/timeline/timeline-view-private.h"

#include <math.h>

/* How long a run lasts at speed 1, and how far speeds go. */
#define RUN_S 10.0
#define MAX_SPEED 64.0

static double
get_end_us (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  double makespan_us = run != NULL ? goban_run_get_makespan_us (run) : 0;

  return isfinite (makespan_us) ? makespan_us : 0;
}

static void
stop (GobanTimelineView *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
}

/* Where playing ends is a line of the log; the moments on the way are not. */
static void
settle (GobanTimelineView *self, double time_us)
{
  GobanView *view = goban_session_get_view (self->session);

  stop (self);
  goban_view_play_to (view, NAN);
  goban_view_set_time_us (view, time_us);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (widget);
  GobanView *view = goban_session_get_view (self->session);
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double end_us = get_end_us (self);
  double passed_s = (double) (now_us - self->frame_us) / G_USEC_PER_SEC;
  double time_us = goban_view_get_time_us (view);

  self->frame_us = now_us;
  time_us = (isfinite (time_us) ? time_us : 0) + passed_s * self->speed * end_us / RUN_S;
  if (time_us < end_us)
    {
      goban_view_play_to (view, time_us);
      return G_SOURCE_CONTINUE;
    }

  settle (self, end_us);
  return G_SOURCE_REMOVE;
}

gboolean
goban_timeline_view_is_playing (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return self->tick_id != 0;
}

void
goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing)
{
  GobanView *view;
  double time_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (is_playing == (self->tick_id != 0) || get_end_us (self) <= 0)
    return;

  view = goban_session_get_view (self->session);
  time_us = goban_view_get_time_us (view);
  if (!is_playing)
    {
      settle (self, time_us);
      return;
    }

  if (!isfinite (time_us) || time_us >= get_end_us (self))
    goban_view_play_to (view, 0);
  self->frame_us = g_get_monotonic_time ();
  self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

double
goban_timeline_view_get_speed (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), 0);

  return self->speed;
}

void
goban_timeline_view_set_speed (GobanTimelineView *self, double speed)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->speed = CLAMP (speed, 1 / MAX_SPEED, MAX_SPEED);
}

void
goban_timeline_view_seek (GobanTimelineView *self, int where)
{
  double time_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (goban_session_get_shown_run (self->session) == NULL)
    return;

  time_us = where < 0 ? 0 : get_end_us (self);
  goban_view_set_time_us (goban_session_get_view (self->session), time_us);
  goban_timeline_view_reveal (self, time_us, time_us);
}
