#include "ui/steps/step-strip.h"

#include "engine/analysis/step-choices.h"
#include "engine/analysis/step.h"
#include "engine/base/i18n.h"
#include "engine/base/quantity.h"
#include "engine/session/view-time.h"
#include "ui/steps/fork-popover.h"
#include "ui/steps/step-slider.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_SPEED 16.0
#define MIN_SPEED 0.25

struct _GobanStepStrip
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *box;
  GtkWidget *play;
  GtkWidget *text;
  GtkWidget *fork; /* seen while a step is */
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

/* --- what it says ----------------------------------------------------------------------------- */

/* (transfer full) */
static char *
describe_all (GobanRun *run)
{
  guint n = goban_steps_count (run), first = goban_steps_get_first (run);
  double before_us = goban_steps_get_makespan_us (run, first);
  char before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];

  if (n == first || !isfinite (before_us))
    return g_strdup_printf ("%u step%s led to this plan", n, n == 1 ? "" : "s");
  return g_strdup_printf ("%u step%s led to this plan, from %s to %s", n, n == 1 ? "" : "s",
                          goban_format_time (before, before_us),
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
    text = g_strdup ("");
  if (step != GOBAN_NO_STEP)
    text[0] = g_ascii_toupper (text[0]);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_set_tooltip_text (self->text, text);
  gtk_widget_set_visible (self->fork, step != GOBAN_NO_STEP);
}

/* --- going ------------------------------------------------------------------------------------ */

gboolean
goban_step_strip_has_steps (GobanStepStrip *self)
{
  GobanRun *run;

  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), FALSE);

  run = goban_session_get_current_run (self->session);
  return run != NULL && goban_steps_count_plans (run) > 0;
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
  /* Where no step is shown, all have been done. */
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

/* Where playing ends is a line of the log; the steps on the way are not. */
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

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_step_strip_dispose (GObject *object)
{
  GobanStepStrip *self = GOBAN_STEP_STRIP (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_step_strip_parent_class)->dispose (object);
}

static void
goban_step_strip_class_init (GobanStepStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_step_strip_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "stepstrip");
}

static void
goban_step_strip_init (GobanStepStrip *self)
{
  self->speed = 2;
}

static GtkWidget *
new_button (const char *icon, const char *detailed_name, const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), detailed_name);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, label);
  goban_set_accessible_label (button, label);
  return button;
}

static GtkWidget *
build_buttons (GobanStepStrip *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->play = new_button ("media-playback-start-symbolic", "win.play-decisions",
                           _ ("Play the decisions (Space)"));
  gtk_box_append (GTK_BOX (box), new_button ("media-skip-backward-symbolic", "win.decision(-2)",
                                             _ ("The plan it began with (Home)")));
  gtk_box_append (GTK_BOX (box), new_button ("go-previous-symbolic", "win.decision(-1)",
                                             _ ("The step before (,)")));
  gtk_box_append (GTK_BOX (box), self->play);
  gtk_box_append (GTK_BOX (box),
                  new_button ("go-next-symbolic", "win.decision(1)", _ ("The next step (.)")));
  gtk_box_append (GTK_BOX (box), new_button ("media-skip-forward-symbolic", "win.decision(2)",
                                             _ ("The last step (End)")));
  return box;
}

static void
build (GobanStepStrip *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->text = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->text), 0.0);
  gtk_label_set_ellipsize (GTK_LABEL (self->text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->text, TRUE);
  gtk_widget_add_css_class (self->text, "numeric");
  gtk_box_append (GTK_BOX (row), build_buttons (self));
  gtk_box_append (GTK_BOX (row), self->text);
  self->fork = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->fork), _ ("Continue With…"));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->fork), FALSE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->fork), goban_fork_popover_new ());
  gtk_widget_set_tooltip_text (self->fork, _ ("Go on from this step with a search"));
  goban_set_accessible_label (self->fork, _ ("Continue With…"));
  gtk_box_append (GTK_BOX (row), self->fork);
  gtk_box_append (GTK_BOX (row), goban_new_icon_button ("list-add-symbolic", "keep-decision"));
  gtk_box_append (GTK_BOX (row), goban_new_icon_button ("window-close-symbolic", "no-decision"));

  self->slider = goban_step_slider_new (self->session);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_box_append (GTK_BOX (self->box), self->slider);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
goban_step_strip_new (GobanSession *session)
{
  GobanStepStrip *self = g_object_new (GOBAN_TYPE_STEP_STRIP, NULL);

  self->session = g_object_ref (session);
  build (self);
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

  return gtk_label_get_text (GTK_LABEL (self->text));
}

GtkWidget *
goban_step_strip_get_slider (GobanStepStrip *self)
{
  g_return_val_if_fail (GOBAN_IS_STEP_STRIP (self), NULL);

  return self->slider;
}
