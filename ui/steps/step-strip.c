#include "ui/steps/step-strip.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/analysis/steps/step.h"
#include "ui/steps/fork-popover.h"
#include "ui/steps/step-slider.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_SPEED 16.0
#define MIN_SPEED 0.25

struct _GobanStepStrip
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *box;
  GtkWidget *transport;
  GtkWidget *play;
  GtkWidget *text;
  GtkWidget *fork; /* seen while a step is */
  GtkWidget *card; /* the same */
  GtkWidget *slider;
  guint tick_id;
  gint64 frame_us; /* when the step that is shown came */
  double speed;
};

G_DEFINE_FINAL_TYPE (GobanStepStrip, goban_step_strip, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanStepStrip *self)
{
  return goban_session_get_view (self->session);
}

/* --- captions --------------------------------------------------------------------------------- */

/* Why the plan has no steps. (transfer full) */
static char *
describe_none (GobanRun *run)
{
  const char *reason = run != NULL ? goban_steps_get_reason (run) : NULL;

  return reason != NULL ? g_strdup_printf (_ ("No steps: %s"), _ (reason)) : g_strdup ("");
}

/* (transfer full) */
static char *
describe_all (GobanRun *run)
{
  guint n = goban_steps_count (run), first = goban_steps_get_first (run);
  double before_us = goban_steps_get_makespan_us (run, first);
  char number[GOBAN_QUANTITY_LEN], before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];

  goban_format_grouped (number, n);
  if (n == first || !isfinite (before_us))
    return g_strdup_printf (
        goban_i18n_get_plural ("%s step led to this plan", "%s steps led to this plan", n), number);
  return g_strdup_printf (goban_i18n_get_plural ("%s step led to this plan, from %s to %s",
                                                 "%s steps led to this plan, from %s to %s", n),
                          number, goban_format_time (before, before_us),
                          goban_format_time (after, goban_steps_get_makespan_us (run, n)));
}

static void
update (GobanStepStrip *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  int step = goban_view_get_step (view_of (self));
  g_autofree char *text = NULL;

  if (goban_step_strip_has_steps (self))
    text = step != GOBAN_NO_STEP ? goban_steps_describe (run, (guint) step) : describe_all (run);
  else
    text = describe_none (run);
  if (step != GOBAN_NO_STEP)
    text[0] = g_ascii_toupper (text[0]);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->text), text);
  gtk_widget_set_visible (self->fork, step != GOBAN_NO_STEP);
  gtk_widget_set_sensitive (self->transport, goban_step_strip_has_steps (self));
  gtk_widget_set_visible (self->slider, goban_step_strip_has_steps (self));
}

/* --- going ------------------------------------------------------------------------------------ */

gboolean
goban_step_strip_has_steps (GobanStepStrip *self)
{
  GobanRun *run;

  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), FALSE);

  run = goban_session_get_current_run (self->session);
  return run != NULL && goban_steps_count (run) > 0;
}

void
goban_step_strip_go (GobanStepStrip *self, int where)
{
  GobanRun *run;
  int step, first, last;

  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  if (!goban_step_strip_has_steps (self))
    return;
  goban_step_strip_play (self, FALSE);
  run = goban_session_get_current_run (self->session);
  first = (int) goban_steps_get_first (run);
  last = (int) goban_steps_count (run);
  step = goban_view_get_step (view_of (self));
  /* If no step is shown, all have been done. */
  if (step == GOBAN_NO_STEP)
    step = where == 1 ? last - 1 : last + 1;
  if (ABS (where) == 2)
    step = where < 0 ? first : last;
  else
    step += where;
  goban_view_set_step (view_of (self), CLAMP (step, first, last));
}

static void
show_playing (GobanStepStrip *self)
{
  gboolean is_playing = self->tick_id != 0;

  gtk_button_set_icon_name (GTK_BUTTON (self->play), is_playing ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  goban_set_accessible_label (self->play, is_playing ? _ ("Pause") : _ ("Play"));
}

static void
stop (GobanStepStrip *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  show_playing (self);
}

/* The end of playback is a line of the log; the steps on the way are not. */
static void
settle (GobanStepStrip *self)
{
  int step = goban_view_get_step (view_of (self));

  stop (self);
  if (step == GOBAN_NO_STEP)
    return;
  goban_view_play_step (view_of (self), GOBAN_NO_STEP);
  goban_view_set_step (view_of (self), step);
}

/* Whether pictures show the step that the view is at. */
static gboolean
has_arrived (GobanStepStrip *self)
{
  GobanRun *shown = goban_session_get_shown_run (self->session);

  return shown != goban_session_get_current_run (self->session)
         && (int) goban_steps_count (shown) == goban_view_get_step (view_of (self));
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanStepStrip *self = GOBAN_STEP_STRIP (widget);
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  int step = goban_view_get_step (view_of (self));

  if (step == GOBAN_NO_STEP || !goban_step_strip_has_steps (self))
    {
      self->tick_id = 0;
      show_playing (self);
      return G_SOURCE_REMOVE;
    }
  if (!has_arrived (self) || (double) (now_us - self->frame_us) * self->speed < G_USEC_PER_SEC)
    return G_SOURCE_CONTINUE;

  self->frame_us = now_us;
  if (step < (int) goban_steps_count (goban_session_get_current_run (self->session)))
    {
      goban_view_play_step (view_of (self), step + 1);
      return G_SOURCE_CONTINUE;
    }
  settle (self);
  return G_SOURCE_REMOVE;
}

void
goban_step_strip_play (GobanStepStrip *self, gboolean is_playing)
{
  GobanRun *run;
  int step;

  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  if (is_playing == (self->tick_id != 0) || !goban_step_strip_has_steps (self))
    return;
  if (!is_playing)
    {
      settle (self);
      return;
    }
  run = goban_session_get_current_run (self->session);
  step = goban_view_get_step (view_of (self));
  if (step == GOBAN_NO_STEP || step >= (int) goban_steps_count (run))
    goban_view_play_step (view_of (self), (int) goban_steps_get_first (run));
  self->frame_us = g_get_monotonic_time ();
  self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  show_playing (self);
}

gboolean
goban_step_strip_is_playing (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), FALSE);

  return self->tick_id != 0;
}

double
goban_step_strip_get_speed (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), 0);

  return self->speed;
}

void
goban_step_strip_set_speed (GobanStepStrip *self, double speed)
{
  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  self->speed = CLAMP (speed, MIN_SPEED, MAX_SPEED);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_step_strip_dispose (GObject *object)
{
  GobanStepStrip *self = GOBAN_STEP_STRIP (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  goban_template_dispose (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_step_strip_parent_class)->dispose (object);
}

static void
goban_step_strip_class_init (GobanStepStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_step_strip_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "stepstrip");
  goban_template_set (widget_class, "steps/step-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanStepStrip, box);
  gtk_widget_class_bind_template_child (widget_class, GobanStepStrip, fork);
  gtk_widget_class_bind_template_child (widget_class, GobanStepStrip, play);
  gtk_widget_class_bind_template_child (widget_class, GobanStepStrip, text);
  gtk_widget_class_bind_template_child (widget_class, GobanStepStrip, transport);
}

static void
goban_step_strip_init (GobanStepStrip *self)
{
  self->speed = 2;
  goban_template_init (GTK_WIDGET (self));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->fork), goban_fork_popover_new ());
}

GtkWidget *
goban_step_strip_new (GobanSession *session)
{
  GobanStepStrip *self = g_object_new (GOBAN_TYPE_STEP_STRIP, NULL);

  self->session = g_object_ref (session);
  self->slider = goban_step_slider_new (session);
  gtk_box_append (GTK_BOX (self->box), self->slider);
  self->card = goban_decision_panel_new (session);
  gtk_widget_set_visible (self->card, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->card);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::step", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  update (self);
  show_playing (self);

  return GTK_WIDGET (self);
}

void
goban_step_strip_set_theme (GobanStepStrip *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  goban_step_slider_set_theme (GOBAN_STEP_SLIDER (self->slider), theme);
  goban_decision_panel_set_theme (GOBAN_DECISION_PANEL (self->card), theme);
}

void
goban_step_strip_show_card (GobanStepStrip *self, gboolean is_shown)
{
  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  gtk_widget_set_visible (self->card, is_shown);
}

GobanDecisionPanel *
goban_step_strip_get_card (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), NULL);

  return GOBAN_DECISION_PANEL (self->card);
}

void
goban_step_strip_ask_fork (GobanStepStrip *self)
{
  g_return_if_fail (GOBAN_IS_STEP_STRIP (self));

  gtk_menu_button_popup (GTK_MENU_BUTTON (self->fork));
}

const char *
goban_step_strip_get_text (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), NULL);

  return goban_short_label_get_text (GOBAN_SHORT_LABEL (self->text));
}

GtkWidget *
goban_step_strip_get_slider (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), NULL);

  return self->slider;
}
