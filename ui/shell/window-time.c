/* window-time.c: commands of the timeline. */
#include "ui/shell/window-private.h"

#include "engine/analysis/step.h"
#include "engine/session/session-log.h"
#include "engine/session/view-lanes.h"
#include "engine/session/view-time.h"

#include <math.h>

#define MAX_HOPS 8

static GobanTimelineView *
timeline (GobanWindow *self)
{
  return GOBAN_TIMELINE_VIEW (self->timeline);
}

/* Whether what plays is the decisions, and not the time of the run. */
static gboolean
shows_step (GobanWindow *self)
{
  return goban_view_get_step (goban_session_get_view (self->session)) != GOBAN_NO_STEP
         && goban_window_means_steps (self);
}

/* Once brings the selection to the middle; where it is there, all of it is shown. */
void
goban_window_centre (GobanWindow *self, GVariant *parameter)
{
  guint n;

  goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  if (n == 0)
    goban_window_fit (self, NULL);
  else if (self->last_picture != GOBAN_PICTURE (self->timeline)
           || !goban_timeline_view_centre_selection (timeline (self)))
    goban_window_zoom_selection (self, NULL);
}

void
goban_window_play (GobanWindow *self, GVariant *parameter)
{
  if (shows_step (self))
    goban_window_play_decisions (self, NULL);
  else
    goban_timeline_view_play (timeline (self), !goban_timeline_view_is_playing (timeline (self)));
}

void
goban_window_play_speed (GobanWindow *self, GVariant *parameter)
{
  if (shows_step (self))
    {
      goban_step_strip_set_speed (GOBAN_STEP_STRIP (self->steps),
                                  goban_step_strip_get_speed (GOBAN_STEP_STRIP (self->steps))
                                      * g_variant_get_double (parameter));
      return;
    }
  goban_timeline_view_set_speed (timeline (self), goban_timeline_view_get_speed (timeline (self))
                                                      * g_variant_get_double (parameter));
}

void
goban_window_seek (GobanWindow *self, GVariant *parameter)
{
  if (shows_step (self))
    {
      goban_step_strip_go (GOBAN_STEP_STRIP (self->steps), 2 * g_variant_get_int32 (parameter));
      return;
    }
  goban_timeline_view_play (timeline (self), FALSE);
  goban_timeline_view_seek (timeline (self), g_variant_get_int32 (parameter));
}

void
goban_window_no_time (GobanWindow *self, GVariant *parameter)
{
  goban_timeline_view_play (timeline (self), FALSE);
  goban_view_set_time_us (goban_session_get_view (self->session), (double) NAN);
}

void
goban_window_why (GobanWindow *self, GVariant *parameter)
{
  if (!goban_timeline_view_explain (timeline (self)))
    goban_session_say (self->session, FALSE,
                       "Point at a gap of the timeline, or select an op, to ask why");
}

void
goban_window_arrows (GobanWindow *self, GVariant *parameter)
{
  int n_hops
      = (int) goban_timeline_view_get_hops (timeline (self)) + g_variant_get_int32 (parameter);

  goban_timeline_view_set_hops (timeline (self), (guint) CLAMP (n_hops, 0, MAX_HOPS));
}

void
goban_window_all_lanes (GobanWindow *self, GVariant *parameter)
{
  goban_view_set_lanes (goban_session_get_view (self->session), &(GobanLanes){ NULL });
}

void
goban_window_move_lane (GobanWindow *self, GVariant *parameter)
{
  goban_timeline_view_shift_lane (timeline (self), g_variant_get_int32 (parameter));
}

/* --- marks ------------------------------------------------------------------------------------ */

void
goban_window_mark (GobanWindow *self, GVariant *parameter)
{
  if (!goban_timeline_view_mark (timeline (self)))
    goban_session_say (self->session, FALSE,
                       "Point at the timeline, or show a moment of it, to mark a time");
}

static void
say_no_mark (GobanWindow *self)
{
  goban_session_say (self->session, FALSE, "There is no mark; M makes one on the timeline");
}

void
goban_window_go_mark (GobanWindow *self, GVariant *parameter)
{
  if (!goban_timeline_view_step_mark (timeline (self), g_variant_get_int32 (parameter)))
    say_no_mark (self);
}

void
goban_window_show_mark (GobanWindow *self, GVariant *parameter)
{
  if (!goban_timeline_view_show_mark (timeline (self), g_variant_get_string (parameter, NULL)))
    say_no_mark (self);
}

void
goban_window_name_mark (GobanWindow *self, GVariant *parameter)
{
  if (!goban_timeline_view_name_mark (timeline (self)))
    say_no_mark (self);
}

void
goban_window_clear_marks (GobanWindow *self, GVariant *parameter)
{
  goban_time_marks_clear (goban_view_get_marks (goban_session_get_view (self->session)));
}

/* Escape: first what moves ends, then what lies over the lanes goes, then the moment. */
gboolean
goban_window_calm_timeline (GobanWindow *self)
{
  if (goban_window_calm_steps (self))
    return TRUE;
  if (goban_timeline_view_is_playing (timeline (self)))
    {
      goban_timeline_view_play (timeline (self), FALSE);
      return TRUE;
    }
  return goban_timeline_view_clear (timeline (self));
}
