#include "ui/commands/step-commands.h"

#include "engine/core/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-stops.h"
#include "engine/study/run/run-origin.h"
#include "ui/panels/place-menu.h"

struct _GobanStepCommands
{
  GObject parent;

  GobanSite site;
  GobanStepStrip *strip;
  GobanPictures *pictures;
  GobanRun *explained; /* (nullable): the strip says why this run has no decisions */
};

G_DEFINE_FINAL_TYPE (GobanStepCommands, goban_step_commands, G_TYPE_OBJECT)

static gboolean
shows_moment (GobanStepCommands *self)
{
  return goban_view_get_moment (goban_session_get_view (self->site.session)) != GOBAN_NO_MOMENT;
}

gboolean
goban_step_commands_are_meant (GobanStepCommands *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->strip))
         && goban_step_strip_has_steps (self->strip)
         && (goban_pictures_get_last (self->pictures)
                 != GOBAN_PICTURE (goban_pictures_get_timeline (self->pictures))
             || shows_moment (self));
}

gboolean
goban_step_commands_show (GobanStepCommands *self)
{
  return shows_moment (self) && goban_step_commands_are_meant (self);
}

void
goban_step_commands_go (GobanStepCommands *self, int where)
{
  goban_step_strip_go (self->strip, where);
}

void
goban_step_commands_speed_up (GobanStepCommands *self, double factor)
{
  goban_step_strip_set_speed (self->strip, goban_step_strip_get_speed (self->strip) * factor);
}

/* The run was decided at once: its policy may say why. */
static gboolean
has_reason (GobanStepCommands *self)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;

  return decisions != NULL && !goban_moments_can_be_walked (decisions);
}

static gboolean
is_explaining (GobanStepCommands *self)
{
  return self->explained != NULL
         && self->explained == goban_session_get_current_run (self->site.session);
}

static void update (GobanStepCommands *self);

/* Shows the reason in the place of the decisions, until it is closed. */
static void
explain (GobanStepCommands *self, gboolean is_explained)
{
  g_clear_pointer (&self->explained, goban_run_unref);
  if (is_explained && has_reason (self))
    self->explained = goban_run_ref (goban_session_get_current_run (self->site.session));
  update (self);
}

static void
decision (GobanStepCommands *self, GVariant *parameter)
{
  explain (self, TRUE);
  goban_step_strip_go (self->strip, g_variant_get_int32 (parameter));
}

static void
play_decisions (GobanStepCommands *self, GVariant *parameter)
{
  explain (self, TRUE);
  goban_step_strip_play (self->strip, !goban_step_strip_is_playing (self->strip));
}

static void
no_decision (GobanStepCommands *self, GVariant *parameter)
{
  goban_step_strip_play (self->strip, FALSE);
  explain (self, FALSE);
  goban_view_set_moment (goban_session_get_view (self->site.session), GOBAN_NO_MOMENT);
}

/* The plan of the moment, of which all nodes are decided; logged as the line that makes it. */
static void
keep_decision (GobanStepCommands *self, GVariant *parameter)
{
  GobanRun *base = goban_session_get_current_run (self->site.session);
  g_autoptr (GobanRun) shown = NULL;
  g_autofree char *line = NULL;

  if (base == NULL || goban_session_get_shown_run (self->site.session) == base)
    return;
  goban_step_strip_play (self->strip, FALSE);
  shown = goban_run_ref (goban_session_get_shown_run (self->site.session));
  if (goban_run_is_unfinished (shown))
    {
      goban_session_say (self->site.session, TRUE,
                         _ ("This plan is unfinished: keep one of which all nodes are decided"));
      return;
    }
  line = g_strdup_printf ("view.show(r.decisions[%u]:plan())", goban_run_get_moment (shown));
  goban_session_add_run (self->site.session, shown);
  goban_session_log (self->site.session, line);
}

static void
ask_fork (GobanStepCommands *self, GVariant *parameter)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self->strip)))
    goban_step_strip_ask_fork (self->strip);
}

/* The moment that is shown; each time with another seed, as for a new plan. */
static void
fork_step (GobanStepCommands *self, GVariant *parameter)
{
  GobanRunOptions options = { 0 };
  const char *policy;

  if (!shows_moment (self))
    return;
  g_variant_get (parameter, "(&st)", &policy, &options.max_evaluations);
  options.seed = goban_place_menu_next_seed (self->site.session, policy);
  goban_step_strip_play (self->strip, FALSE);
  goban_session_fork (self->site.session,
                      (guint) goban_view_get_moment (goban_session_get_view (self->site.session)),
                      policy, &options);
}

/* Escape: playing ends, then the moment goes. */
gboolean
goban_step_commands_calm (GobanStepCommands *self)
{
  if (goban_step_strip_is_playing (self->strip))
    {
      goban_step_strip_play (self->strip, FALSE);
      return TRUE;
    }
  if (!shows_moment (self) && !is_explaining (self))
    return FALSE;
  no_decision (self, NULL);
  return TRUE;
}

static gboolean
wants_strip (GobanStepCommands *self)
{
  return is_explaining (self) || goban_step_strip_has_steps (self->strip);
}

static void
update (GobanStepCommands *self)
{
  static const char *const need_steps[] = { "decision", "play-decisions", NULL };
  static const char *const need_shown[] = { "no-decision", NULL };
  static const char *const need_step[] = { "keep-decision", "continue-decision", "fork", NULL };

  gtk_widget_set_visible (GTK_WIDGET (self->strip), wants_strip (self));
  goban_step_strip_show_card (self->strip, shows_moment (self));
  goban_site_set_enabled (&self->site, need_steps,
                          goban_step_strip_has_steps (self->strip) || has_reason (self));
  goban_site_set_enabled (&self->site, need_shown, shows_moment (self) || is_explaining (self));
  goban_site_set_enabled (&self->site, need_step, shows_moment (self));
  goban_pictures_keep_focus (self->pictures);
}

static const GobanCommand commands[] = {
  { "decision", G_CALLBACK (decision) },          { "play-decisions", G_CALLBACK (play_decisions) },
  { "no-decision", G_CALLBACK (no_decision) },    { "keep-decision", G_CALLBACK (keep_decision) },
  { "continue-decision", G_CALLBACK (ask_fork) }, { "fork", G_CALLBACK (fork_step) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_step_commands_finalize (GObject *object)
{
  g_clear_pointer (&GOBAN_STEP_COMMANDS (object)->explained, goban_run_unref);

  G_OBJECT_CLASS (goban_step_commands_parent_class)->finalize (object);
}

static void
goban_step_commands_class_init (GobanStepCommandsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_step_commands_finalize;
}

static void
goban_step_commands_init (GobanStepCommands *self)
{
}

GobanStepCommands *
goban_step_commands_new (const GobanSite *site, GobanStepStrip *strip, GobanPictures *pictures)
{
  GobanStepCommands *self = g_object_new (GOBAN_TYPE_STEP_COMMANDS, NULL);

  self->site = *site;
  self->strip = strip;
  self->pictures = pictures;
  g_signal_connect_object (goban_session_get_view (site->session), "notify::moment",
                           G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::cluster", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::current-run", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
