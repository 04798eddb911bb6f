#include "ui/commands/commands-private.h"

#include "engine/core/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/run-origin.h"
#include "ui/panels/place-menu.h"
#include "ui/timeline/timeline-view.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_HOPS 8

static gboolean
shows_moment (GobanCommands *self)
{
  return goban_view_get_moment (goban_session_get_view (self->site.session)) != GOBAN_NO_MOMENT;
}

gboolean
goban_commands_are_for_decisions (GobanCommands *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->player))
         && goban_decision_player_has_decisions (self->player);
}

/* --- walking --------------------------------------------------------------------------------- */

/* Decisions are read in their workspace. */
static void
open_workspace (GobanCommands *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->player)))
    goban_site_activate (&self->site, "workspace", g_variant_new_string ("decisions"));
}

static void
decision (GobanCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_go (self->player, g_variant_get_int32 (parameter));
}

static void
decision_plan (GobanCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_go_plan (self->player, g_variant_get_int32 (parameter));
}

static void
play_decisions (GobanCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_play (self->player, !goban_decision_player_is_playing (self->player));
}

static void
no_decision (GobanCommands *self, GVariant *parameter)
{
  goban_decision_player_play (self->player, FALSE);
  goban_view_set_moment (goban_session_get_view (self->site.session), GOBAN_NO_MOMENT);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->player)))
    goban_site_activate (&self->site, "workspace", g_variant_new_string ("explore"));
}

/* Escape ends playback, then a preview. */
static gboolean
end_decision (GobanCommands *self)
{
  if (goban_decision_player_is_playing (self->player))
    {
      goban_decision_player_play (self->player, FALSE);
      return TRUE;
    }
  if (self->is_armed)
    {
      self->is_armed = FALSE;
      goban_decision_card_aim (self->card, -1);
      return TRUE;
    }
  if (!shows_moment (self) || gtk_widget_get_mapped (GTK_WIDGET (self->player)))
    return FALSE;
  no_decision (self, NULL);
  return TRUE;
}

/* --- plans ----------------------------------------------------------------------------------- */

/* The run of the plan that the shown decision leads to; %NULL after a notice. (transfer full)
 * (nullable) */
static GobanRun *
new_plan_run (GobanCommands *self, GobanRun *base)
{
  GobanRun *shown = goban_session_get_shown_run (self->site.session);
  GobanDecisions *decisions = goban_run_get_decisions (base);
  GobanMoment moment
      = (GobanMoment) goban_view_get_moment (goban_session_get_view (self->site.session));
  GobanMoment plan = goban_moment_find_plan (decisions, moment);
  g_autoptr (GError) error = NULL;
  GobanRun *run;

  if (plan == goban_run_get_moment (base))
    {
      goban_session_say (self->site.session, FALSE,
                         _ ("This decision leads to the plan that is shown, which is listed"));
      return NULL;
    }
  if (!goban_run_is_unfinished (shown) && goban_run_get_moment (shown) == plan)
    return goban_run_ref (shown);
  run = goban_moment_new_run (goban_run_get_costs (base), decisions, goban_run_get_name (base),
                              plan, &error);
  if (run == NULL)
    goban_session_say (self->site.session, TRUE, "%s", error->message);
  return run;
}

/* Logged as the line that makes it. */
static void
keep_decision (GobanCommands *self, GVariant *parameter)
{
  GobanRun *base = goban_session_get_current_run (self->site.session);
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *line = NULL;

  if (base == NULL || !shows_moment (self))
    return;
  goban_decision_player_play (self->player, FALSE);
  run = new_plan_run (self, base);
  if (run == NULL)
    return;
  line = g_strdup_printf ("view.show(r.decisions[%u]:plan())", goban_run_get_moment (run));
  goban_session_add_run (self->site.session, run);
  goban_session_log (self->site.session, line);
}

static void
ask_play_on (GobanCommands *self, GVariant *parameter)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self->card)))
    goban_decision_card_ask_play_on (self->card);
}

/* From the moment that is shown; each time with another seed, as for a new plan. */
static void
fork_decision (GobanCommands *self, GVariant *parameter)
{
  GobanRunOptions options = { 0 };
  const char *policy;

  if (!shows_moment (self))
    return;
  g_variant_get (parameter, "(&st)", &policy, &options.max_evaluations);
  options.seed = goban_place_menu_next_seed (self->site.session, policy);
  goban_decision_player_play (self->player, FALSE);
  goban_session_fork (self->site.session,
                      (guint) goban_view_get_moment (goban_session_get_view (self->site.session)),
                      policy, &options);
}

static void
review (GobanCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_record_review (self->record);
}

/* --- options by their digits ----------------------------------------------------------------- */

static gboolean
is_typing (GobanCommands *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->site.window));

  return GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus);
}

/* Handled before all other keys: digits and Enter have another meaning elsewhere. */
static gboolean
digit_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                  GdkModifierType modifiers, GobanCommands *self)
{
  int digit = goban_find_digit (keyval);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self->card)) || is_typing (self)
      || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (digit >= 0)
    {
      self->is_armed = goban_decision_card_aim (self->card, digit);
      return self->is_armed;
    }
  if ((keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter) || !self->is_armed)
    return FALSE;
  self->is_armed = FALSE;
  return goban_decision_card_play (self->card);
}

/* --- following the session ------------------------------------------------------------------- */

static void
update_decisions (GobanCommands *self)
{
  static const char *const need_decisions[]
      = { "decision", "decision-plan", "play-decisions", "review-decisions", NULL };
  static const char *const need_shown[]
      = { "no-decision", "keep-decision", "continue-decision", "fork", "breakpoint", NULL };

  goban_site_set_enabled (&self->site, need_decisions,
                          goban_decision_player_has_decisions (self->player));
  goban_site_set_enabled (&self->site, need_shown, shows_moment (self));
  goban_pictures_keep_focus (self->pictures);
}

/* The status line says what was decided. */
static void
decision_changed_cb (GobanCommands *self)
{
  self->is_armed = FALSE;
  if (goban_decision_card_get (self->card) != NULL)
    goban_site_hint (&self->site, "%s", goban_decision_card_get_announcement (self->card));
}

/* --- the timeline ----------------------------------------------------------------------------- */

static void
play (GobanCommands *self, GVariant *parameter)
{
  if (goban_commands_are_for_decisions (self))
    goban_site_activate (&self->site, "play-decisions", NULL);
  else if (!goban_compare_page_toggle_race (self->compare))
    goban_timeline_view_play (self->timeline, !goban_timeline_view_is_playing (self->timeline));
}

static void
play_speed (GobanCommands *self, GVariant *parameter)
{
  double factor = g_variant_get_double (parameter);

  if (goban_commands_are_for_decisions (self))
    goban_decision_player_set_speed (self->player,
                                     goban_decision_player_get_speed (self->player) * factor);
  else
    goban_timeline_view_set_speed (self->timeline,
                                   goban_timeline_view_get_speed (self->timeline) * factor);
}

static void
seek (GobanCommands *self, GVariant *parameter)
{
  if (goban_commands_are_for_decisions (self))
    {
      goban_decision_player_go (self->player, 2 * g_variant_get_int32 (parameter));
      return;
    }
  goban_timeline_view_play (self->timeline, FALSE);
  goban_timeline_view_seek (self->timeline, g_variant_get_int32 (parameter));
}

static void
step_event (GobanCommands *self, int direction, gboolean of_selection)
{
  if (goban_session_get_shown_run (self->site.session) == NULL
      || goban_timeline_view_step_event (self->timeline, direction, of_selection))
    return;
  goban_site_hint (&self->site, "%s",
                   direction > 0 ? _ ("Nothing starts or finishes later")
                                 : _ ("Nothing starts or finishes before"));
}

static void
event (GobanCommands *self, GVariant *parameter)
{
  step_event (self, g_variant_get_int32 (parameter), FALSE);
}

static void
device_event (GobanCommands *self, GVariant *parameter)
{
  if (goban_site_has_selection (&self->site))
    step_event (self, g_variant_get_int32 (parameter), TRUE);
  else
    goban_session_say (self->site.session, FALSE,
                       "Select an op, or click a device's name in the timeline, to step through "
                       "the events of its device");
}

static void
loop_changed (GobanCommands *self, GVariant *state)
{
  goban_timeline_view_set_loop (self->timeline, g_variant_get_boolean (state));
}

static void
no_time (GobanCommands *self, GVariant *parameter)
{
  goban_timeline_view_play (self->timeline, FALSE);
  goban_view_set_time_us (goban_session_get_view (self->site.session), (double) NAN);
}

static void
why (GobanCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_explain (self->timeline))
    goban_session_say (self->site.session, FALSE,
                       "Point at a gap of the timeline, or select an op, to ask why");
}

static void
arrows (GobanCommands *self, GVariant *parameter)
{
  int n_hops
      = (int) goban_timeline_view_get_hops (self->timeline) + g_variant_get_int32 (parameter);

  goban_timeline_view_set_hops (self->timeline, (guint) CLAMP (n_hops, 0, MAX_HOPS));
}

static void
all_lanes (GobanCommands *self, GVariant *parameter)
{
  goban_view_set_lanes (goban_session_get_view (self->site.session), &(GobanLanes){ NULL });
}

static void
fold_lane (GobanCommands *self, GVariant *parameter)
{
  goban_timeline_view_fold (self->timeline, g_variant_get_boolean (parameter));
}

static void
move_lane (GobanCommands *self, GVariant *parameter)
{
  goban_timeline_view_shift_lane (self->timeline, g_variant_get_int32 (parameter));
}

/* --- marks ------------------------------------------------------------------------------------ */

static void
mark (GobanCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_mark (self->timeline))
    goban_session_say (self->site.session, FALSE,
                       "Point at the timeline, or show a moment of it, to mark a time");
}

static void
say_no_mark (GobanCommands *self)
{
  goban_session_say (self->site.session, FALSE, "There is no mark; M makes one on the timeline");
}

static void
go_mark (GobanCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_step_mark (self->timeline, g_variant_get_int32 (parameter)))
    say_no_mark (self);
}

static void
show_mark (GobanCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_show_mark (self->timeline, g_variant_get_string (parameter, NULL)))
    say_no_mark (self);
}

static void
name_mark (GobanCommands *self, GVariant *parameter)
{
  if (!goban_timeline_view_name_mark (self->timeline))
    say_no_mark (self);
}

static void
clear_marks (GobanCommands *self, GVariant *parameter)
{
  goban_time_marks_clear (goban_view_get_marks (goban_session_get_view (self->site.session)));
}

/* Escape: first ends playback, then closes overlays of the lanes, then clears the moment. */
static gboolean
end_time (GobanCommands *self)
{
  if (end_decision (self))
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

static void
escape (GobanCommands *self, GVariant *parameter)
{
  if (!end_time (self) && !goban_search_bar_close (self->parts.search_bar))
    goban_site_activate (&self->site, "select-none", NULL);
}

static const GobanCommand commands[] = {
  { "decision", G_CALLBACK (decision) },
  { "decision-plan", G_CALLBACK (decision_plan) },
  { "play-decisions", G_CALLBACK (play_decisions) },
  { "no-decision", G_CALLBACK (no_decision) },
  { "keep-decision", G_CALLBACK (keep_decision) },
  { "continue-decision", G_CALLBACK (ask_play_on) },
  { "fork", G_CALLBACK (fork_decision) },
  { "review-decisions", G_CALLBACK (review) },
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
  { "fold-lane", G_CALLBACK (fold_lane) },
  { "move-lane", G_CALLBACK (move_lane) },
  { "mark", G_CALLBACK (mark) },
  { "go-mark", G_CALLBACK (go_mark) },
  { "show-mark", G_CALLBACK (show_mark) },
  { "name-mark", G_CALLBACK (name_mark) },
  { "clear-marks", G_CALLBACK (clear_marks) },
  { "escape", G_CALLBACK (escape) },
};

void
goban_commands_connect_time (GobanCommands *self)
{
  GobanSession *session = self->site.session;
  GobanView *view = goban_session_get_view (session);

  GOBAN_CONNECT (view, "notify::moment", update_decisions, self);
  GOBAN_CONNECT (session, "notify::graph", update_decisions, self);
  GOBAN_CONNECT (session, "notify::cluster", update_decisions, self);
  GOBAN_CONNECT (session, "notify::current-run", update_decisions, self);
  GOBAN_CONNECT (self->card, "changed", decision_changed_cb, self);
  goban_watch_keys (GTK_WIDGET (self->site.window), GTK_PHASE_CAPTURE,
                    G_CALLBACK (digit_pressed_cb), self);
  goban_actions_add_character_keys (GTK_WIDGET (self->card));
  goban_actions_add_character_keys (GTK_WIDGET (self->record));
  goban_actions_add_character_keys (GTK_WIDGET (self->player));
  update_decisions (self);
  goban_site_connect (&self->site, commands, G_N_ELEMENTS (commands), self);
  goban_site_connect_command (&self->site, "breakpoint",
                              G_CALLBACK (goban_decision_record_toggle_breakpoint), self->record);
  goban_site_connect_command (&self->site, "timeline-rows", G_CALLBACK (goban_view_cycle_lanes),
                              view);
}
