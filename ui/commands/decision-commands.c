#include "ui/commands/decision-commands.h"

#include "engine/core/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/run-origin.h"
#include "ui/panels/place-menu.h"
#include "ui/widgets/action-keys.h"
#include "ui/widgets/text.h"

struct _GobanDecisionCommands
{
  GObject parent;

  GobanSite site;
  GobanDecisionPlayer *player;
  GobanDecisionCard *card;
  GobanDecisionRecord *record;
  GobanPictures *pictures;
  gboolean is_armed; /* a digit has chosen the option that Enter plays */
};

G_DEFINE_FINAL_TYPE (GobanDecisionCommands, goban_decision_commands, G_TYPE_OBJECT)

static gboolean
shows_moment (GobanDecisionCommands *self)
{
  return goban_view_get_moment (goban_session_get_view (self->site.session)) != GOBAN_NO_MOMENT;
}

gboolean
goban_decision_commands_are_meant (GobanDecisionCommands *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->player))
         && goban_decision_player_has_decisions (self->player);
}

/* --- walking --------------------------------------------------------------------------------- */

void
goban_decision_commands_go (GobanDecisionCommands *self, int where)
{
  goban_decision_player_go (self->player, where);
}

void
goban_decision_commands_speed_up (GobanDecisionCommands *self, double factor)
{
  goban_decision_player_set_speed (self->player,
                                   goban_decision_player_get_speed (self->player) * factor);
}

/* Decisions are read in their workspace. */
static void
open_workspace (GobanDecisionCommands *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->player)))
    goban_site_activate (&self->site, "workspace", g_variant_new_string ("decisions"));
}

static void
decision (GobanDecisionCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_go (self->player, g_variant_get_int32 (parameter));
}

static void
decision_plan (GobanDecisionCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_go_plan (self->player, g_variant_get_int32 (parameter));
}

static void
play_decisions (GobanDecisionCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_player_play (self->player, !goban_decision_player_is_playing (self->player));
}

static void
no_decision (GobanDecisionCommands *self, GVariant *parameter)
{
  goban_decision_player_play (self->player, FALSE);
  goban_view_set_moment (goban_session_get_view (self->site.session), GOBAN_NO_MOMENT);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->player)))
    goban_site_activate (&self->site, "workspace", g_variant_new_string ("explore"));
}

/* Escape ends playback, then a preview. */
gboolean
goban_decision_commands_calm (GobanDecisionCommands *self)
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
new_plan_run (GobanDecisionCommands *self, GobanRun *base)
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
keep_decision (GobanDecisionCommands *self, GVariant *parameter)
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
ask_play_on (GobanDecisionCommands *self, GVariant *parameter)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self->card)))
    goban_decision_card_ask_play_on (self->card);
}

/* From the moment that is shown; each time with another seed, as for a new plan. */
static void
fork_decision (GobanDecisionCommands *self, GVariant *parameter)
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
breakpoint (GobanDecisionCommands *self, GVariant *parameter)
{
  goban_decision_record_toggle_breakpoint (self->record);
}

static void
review (GobanDecisionCommands *self, GVariant *parameter)
{
  open_workspace (self);
  goban_decision_record_review (self->record);
}

/* --- options by their digits ----------------------------------------------------------------- */

static gboolean
is_typing (GobanDecisionCommands *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->site.window));

  return GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus);
}

/* Handled before all other keys: digits and Enter have another meaning elsewhere. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, GobanDecisionCommands *self)
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

static void
watch_keys (GobanDecisionCommands *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->site.window), controller);
  goban_actions_add_character_keys (GTK_WIDGET (self->card));
  goban_actions_add_character_keys (GTK_WIDGET (self->record));
  goban_actions_add_character_keys (GTK_WIDGET (self->player));
}

/* --- following the session ------------------------------------------------------------------- */

static void
update (GobanDecisionCommands *self)
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
decision_changed_cb (GobanDecisionCommands *self)
{
  self->is_armed = FALSE;
  if (goban_decision_card_get (self->card) != NULL)
    goban_site_hint (&self->site, "%s", goban_decision_card_get_announcement (self->card));
}

static const GobanCommand commands[] = {
  { "decision", G_CALLBACK (decision) },
  { "decision-plan", G_CALLBACK (decision_plan) },
  { "play-decisions", G_CALLBACK (play_decisions) },
  { "no-decision", G_CALLBACK (no_decision) },
  { "keep-decision", G_CALLBACK (keep_decision) },
  { "continue-decision", G_CALLBACK (ask_play_on) },
  { "fork", G_CALLBACK (fork_decision) },
  { "breakpoint", G_CALLBACK (breakpoint) },
  { "review-decisions", G_CALLBACK (review) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_decision_commands_class_init (GobanDecisionCommandsClass *klass)
{
}

static void
goban_decision_commands_init (GobanDecisionCommands *self)
{
}

GobanDecisionCommands *
goban_decision_commands_new (const GobanSite *site, GobanExplorer *explorer,
                             GobanPictures *pictures)
{
  GobanDecisionCommands *self = g_object_new (GOBAN_TYPE_DECISION_COMMANDS, NULL);
  static const char *const changes[]
      = { "notify::graph", "notify::cluster", "notify::current-run" };

  self->site = *site;
  self->player = goban_explorer_get_player (explorer);
  self->card = goban_explorer_get_card (explorer);
  self->record = goban_explorer_get_record (explorer);
  self->pictures = pictures;
  g_signal_connect_object (goban_session_get_view (site->session), "notify::moment",
                           G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_object (site->session, changes[i], G_CALLBACK (update), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (self->card, "changed", G_CALLBACK (decision_changed_cb), self,
                           G_CONNECT_SWAPPED);
  watch_keys (self);
  update (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
