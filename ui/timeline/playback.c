#include "ui/timeline/playback.h"
#include "engine/session/view-time.h"

#include <math.h>

/* How long a run lasts at speed 1, and how far speeds go. */
#define RUN_S 10.0
#define MAX_SPEED 64.0

void
goban_playback_init (GobanPlayback *self, GtkWidget *widget)
{
  *self = (GobanPlayback){ .widget = widget, .speed = 1 };
}

double
goban_playback_get_end_us (GobanPlayback *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  double makespan_us = run != NULL ? goban_run_get_makespan_us (run) : 0;

  return isfinite (makespan_us) ? makespan_us : 0;
}

static void
notify (GobanPlayback *self)
{
  if (self->changed != NULL)
    self->changed (self->widget);
}

void
goban_playback_stop (GobanPlayback *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (self->widget, self->tick_id);
  self->tick_id = 0;
}

/* The end of playback is a line of the log; the moments on the way are not. */
static void
settle (GobanPlayback *self, double time_us)
{
  GobanView *view = goban_session_get_view (self->session);

  goban_playback_stop (self);
  goban_view_play_to (view, NAN);
  goban_view_set_time_us (view, time_us);
  notify (self);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanPlayback *self = user_data;
  GobanView *view = goban_session_get_view (self->session);
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double end_us = goban_playback_get_end_us (self);
  double passed_s = (double) (now_us - self->frame_us) / G_USEC_PER_SEC;
  double time_us = goban_view_get_time_us (view);

  self->frame_us = now_us;
  time_us = (isfinite (time_us) ? time_us : 0) + passed_s * self->speed * end_us / RUN_S;
  if (self->is_loop && end_us > 0)
    time_us = fmod (time_us, end_us);
  if (time_us < end_us)
    {
      goban_view_play_to (view, time_us);
      return G_SOURCE_CONTINUE;
    }

  settle (self, end_us);
  return G_SOURCE_REMOVE;
}

gboolean
goban_playback_is_running (const GobanPlayback *self)
{
  return self->tick_id != 0;
}

void
goban_playback_run (GobanPlayback *self, gboolean is_running)
{
  GobanView *view;
  double time_us;

  if (is_running == (self->tick_id != 0) || goban_playback_get_end_us (self) <= 0)
    return;

  view = goban_session_get_view (self->session);
  time_us = goban_view_get_time_us (view);
  if (!is_running)
    {
      settle (self, time_us);
      return;
    }

  if (!isfinite (time_us) || time_us >= goban_playback_get_end_us (self))
    goban_view_play_to (view, 0);
  self->frame_us = g_get_monotonic_time ();
  self->tick_id = gtk_widget_add_tick_callback (self->widget, tick_cb, self, NULL);
  notify (self);
}

void
goban_playback_set_speed (GobanPlayback *self, double speed)
{
  self->speed = CLAMP (speed, 1 / MAX_SPEED, MAX_SPEED);
  notify (self);
}
