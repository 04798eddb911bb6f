#include "ui/commands/time-commands.h"
#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "ui/timeline/timeline-marks.h"
#include "ui/timeline/timeline-play.h"
#include "ui/timeline/timeline-why.h"

#include <math.h>

#define MAX_HOPS 8

struct _GobanTimeCommands
{
  GObject parent;

  GobanSite site;
  GobanTimelineView *timeline;
  GobanDecisionCommands *decisions;
};

G_DEFINE_FINAL_TYPE (GobanTimeCommands, goban_time_commands, G_TYPE_OBJECT)

static void
play (GobanTimeCommands *self, GVariant *parameter)
{
  if (goban_decision_commands_are_meant (self->decisions))
    goban_site_activate (&self->site, "play-decisions", NULL);
  else
    goban_timeline_view_play (self->timeline, !goban_timeline_view_is_playing (self->timeline));
}

static void
play_speed (GobanTimeCommands *self, GVariant *parameter)
{
  double factor = g_variant_get_double (parameter);

  if (goban_decision_commands_are_meant (self->decisions))
    goban_decision_commands_speed_up (self->decisions, factor);
  else
    goban_timeline_view_set_speed (self->timeline,
                                   goban_timeline_view_get_speed (self->timeline) * factor);
}

static void
seek (GobanTimeCommands *self, GVariant *parameter)
{
  if (goban_decision_commands_are_meant (self->decisions))
    {
      goban_decision_commands_go (self->decisions, 2 * g_variant_get_int32 (parameter));
      return;
    }
  goban_timeline_view_play (self->timeline, FALSE);
  goban_timeline_view_seek (self->timeline, g_variant_get_int32 (parameter));
}

static void
step_event (GobanTimeCommands *self, int direction, gboolean of_selection)
{
  if (goban_session_get_shown_run (self->site.session) == NULL
      || goban_timeline_view_step_event (self->timeline, direction, of_selection))
    return;
  goban_site_hint (&self->site, "%s",
                   direction > 0 ? _ ("Nothing starts or finishes later")
                                 : _ ("Nothing starts or finishes before"));
}

static void
event (GobanTimeCommands *self, GVariant *parameter)
{
  step_event (self, g_variant_get_int32 (parameter), FALSE);
}

static void
device_event (GobanTimeCommands *self, GVariant *parameter)
{
  if (goban_site_has_selection (&self->site))
    step_event (self, g_variant_get_int32 (parameter), TRUE);
  else
    goban_session_say (self->site.session, FALSE,
                       "Select an op, or click a device's name in the timeline, to step through "
                       "the events of its device");
}

static void
loop_changed (GobanTimeCommands *self, GVariant *state)
{
  goban_timeline_view_set_loop (self->timeline, g_variant_get_boolean (state));
}

static void
no_time (GobanTimeCommands *self, GVariant *parameter)
{
  goban_timeline_view_play (self->timeline, FALSE);
  goban_view_set_time_us (goban_session_get_view (self->site.session), (double) NAN);
}

static void
why (GobanTimeCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_explain (self->timeline))
    goban_session_say (self->site.session, FALSE,
                       "Point at a gap of the timeline, or select an op, to ask why");
}

static void
arrows (GobanTimeCommands *self, GVariant *parameter)
{
  int n_hops
      = (int) goban_timeline_view_get_hops (self->timeline) + g_variant_get_int32 (parameter);

  goban_timeline_view_set_hops (self->timeline, (guint) CLAMP (n_hops, 0, MAX_HOPS));
}

static void
all_lanes (GobanTimeCommands *self, GVariant *parameter)
{
  goban_view_set_lanes (goban_session_get_view (self->site.session), &(GobanLanes){ NULL });
}

static void
timeline_rows (GobanTimeCommands *self, GVariant *parameter)
{
  goban_view_cycle_lanes (goban_session_get_view (self->site.session));
}

static void
fold_lane (GobanTimeCommands *self, GVariant *parameter)
{
  goban_timeline_view_fold (self->timeline, g_variant_get_boolean (parameter));
}

static void
move_lane (GobanTimeCommands *self, GVariant *parameter)
{
  goban_timeline_view_shift_lane (self->timeline, g_variant_get_int32 (parameter));
}

/* --- marks ------------------------------------------------------------------------------------ */

static void
mark (GobanTimeCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_mark (self->timeline))
    goban_session_say (self->site.session, FALSE,
                       "Point at the timeline, or show a moment of it, to mark a time");
}

static void
say_no_mark (GobanTimeCommands *self)
{
  goban_session_say (self->site.session, FALSE, "There is no mark; M makes one on the timeline");
}

static void
go_mark (GobanTimeCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_step_mark (self->timeline, g_variant_get_int32 (parameter)))
    say_no_mark (self);
}

static void
show_mark (GobanTimeCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_show_mark (self->timeline, g_variant_get_string (parameter, NULL)))
    say_no_mark (self);
}

static void
name_mark (GobanTimeCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_name_mark (self->timeline))
    say_no_mark (self);
}

static void
clear_marks (GobanTimeCommands *self, GVariant *parameter)
{
  goban_time_marks_clear (goban_view_get_marks (goban_session_get_view (self->site.session)));
}

/* Escape: first ends playback, then closes overlays of the lanes, then clears the moment. */
gboolean
goban_time_commands_calm (GobanTimeCommands *self)
{
  if (goban_decision_commands_calm (self->decisions))
    return TRUE;
  if (goban_timeline_view_is_playing (self->timeline))
    {
      goban_timeline_view_play (self->timeline, FALSE);
      return TRUE;
    }
  if (goban_timeline_view_clear (self->timeline))
    return TRUE;
  if (!isfinite (goban_view_get_time_us (goban_session_get_view (self->site.session))))
    return FALSE;
  no_time (self, NULL);
  return TRUE;
}

static const GobanCommand commands[] = {
  { "play", G_CALLBACK (play) },
  { "play-speed", G_CALLBACK (play_speed) },
  { "seek", G_CALLBACK (seek) },
  { "event", G_CALLBACK (event) },
  { "device-event", G_CALLBACK (device_event) },
  { "play-loop", G_CALLBACK (loop_changed) },
  { "no-time", G_CALLBACK (no_time) },
  { "why", G_CALLBACK (why) },
  { "arrows", G_CALLBACK (arrows) },
  { "all-lanes", G_CALLBACK (all_lanes) },
  { "timeline-rows", G_CALLBACK (timeline_rows) },
  { "fold-lane", G_CALLBACK (fold_lane) },
  { "move-lane", G_CALLBACK (move_lane) },
  { "mark", G_CALLBACK (mark) },
  { "go-mark", G_CALLBACK (go_mark) },
  { "show-mark", G_CALLBACK (show_mark) },
  { "name-mark", G_CALLBACK (name_mark) },
  { "clear-marks", G_CALLBACK (clear_marks) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_time_commands_class_init (GobanTimeCommandsClass *klass)
{
}

static void
goban_time_commands_init (GobanTimeCommands *self)
{
}

GobanTimeCommands *
goban_time_commands_new (const GobanSite *site, GobanTimelineView *timeline,
                         GobanDecisionCommands *decisions)
{
  GobanTimeCommands *self = g_object_new (GOBAN_TYPE_TIME_COMMANDS, NULL);

  self->site = *site;
  self->timeline = timeline;
  self->decisions = decisions;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
