/* window-steps.c: commands for the decision steps of a policy. */
#include "ui/shell/window-private.h"

#include "engine/analysis/step.h"
#include "engine/base/i18n.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"

static GobanStepStrip *
strip (GobanWindow *self)
{
  return GOBAN_STEP_STRIP (self->steps);
}

static gboolean
shows_step (GobanWindow *self)
{
  return goban_view_get_step (goban_session_get_view (self->session)) != GOBAN_NO_STEP;
}

gboolean
goban_window_means_steps (GobanWindow *self)
{
  return gtk_widget_get_visible (self->steps)
         && (self->last_picture != GOBAN_PICTURE (self->timeline) || shows_step (self));
}

void
goban_window_decision (GobanWindow *self, GVariant *parameter)
{
  goban_step_strip_go (strip (self), g_variant_get_int32 (parameter));
}

void
goban_window_play_decisions (GobanWindow *self, GVariant *parameter)
{
  goban_step_strip_play (strip (self), !goban_step_strip_is_playing (strip (self)));
}

void
goban_window_no_decision (GobanWindow *self, GVariant *parameter)
{
  goban_step_strip_play (strip (self), FALSE);
  goban_view_set_step (goban_session_get_view (self->session), GOBAN_NO_STEP);
}

/* The run of the step, as pictures show it; logged as what makes it of the plan that it is a step of. */
void
goban_window_keep_decision (GobanWindow *self, GVariant *parameter)
{
  GobanRun *base = goban_session_get_current_run (self->session);
  g_autoptr (GobanRun) shown = NULL;
  g_autofree char *line = NULL;

  if (base == NULL || goban_session_get_shown_run (self->session) == base)
    return;
  goban_step_strip_play (strip (self), FALSE);
  shown = g_object_ref (goban_session_get_shown_run (self->session));
  line = g_strdup_printf ("view.show(r:step(%u))", goban_steps_count (shown));
  goban_session_add_run (self->session, shown);
  goban_session_log (self->session, line);
}

/* Escape: playing ends, then the step goes. */
gboolean
goban_window_calm_steps (GobanWindow *self)
{
  if (goban_step_strip_is_playing (strip (self)))
    {
      goban_step_strip_play (strip (self), FALSE);
      return TRUE;
    }
  if (!shows_step (self))
    return FALSE;
  goban_window_no_decision (self, NULL);
  return TRUE;
}

void
goban_window_steps_changed (GobanWindow *self, GVariant *state)
{
  goban_window_update_panes (self);
  if (self->settings != NULL)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_STEPS,
                                goban_window_get_toggle (self, GOBAN_SETTING_STEPS));
}

static void
update_commands (GobanWindow *self)
{
  static const char *const need_step[] = { "no-decision", "keep-decision" };

  for (gsize i = 0; i < G_N_ELEMENTS (need_step); i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), need_step[i])),
        shows_step (self));
}

void
goban_window_update_steps (GobanWindow *self)
{
  static const char *const need_steps[] = { "decision", "play-decisions" };
  gboolean has_steps = goban_step_strip_has_steps (strip (self));

  gtk_widget_set_visible (self->steps,
                          has_steps && goban_window_get_toggle (self, GOBAN_SETTING_STEPS));
  for (gsize i = 0; i < G_N_ELEMENTS (need_steps); i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), need_steps[i])),
        has_steps);
  update_commands (self);
}

void
goban_window_follow_steps (GobanWindow *self)
{
  g_signal_connect_object (goban_session_get_view (self->session), "notify::step",
                           G_CALLBACK (update_commands), self, G_CONNECT_SWAPPED);
}
