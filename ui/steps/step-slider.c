#include "ui/steps/step-slider.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

struct _GobanStepSlider
{
  GtkWidget parent;

  GobanSession *session;
  GobanRun *run;        /* (nullable): whose steps these are */
  double *makespans_us; /* (curve.n) of the steps from first on; NULL until they are painted */
  guint first;
  GobanStepCurve curve;
  GobanTextCache *text;
  double drag_x;
  int before; /* the step when the drag began */
};

G_DEFINE_FINAL_TYPE (GobanStepSlider, goban_step_slider, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanStepSlider *self)
{
  return goban_session_get_view (self->session);
}

/* --- content ---------------------------------------------------------------------------------- */

static void
describe_to_people (GobanStepSlider *self)
{
  int step = goban_view_get_step (view_of (self));
  guint last = self->first + MAX (self->curve.n, 1) - 1;
  g_autofree char *text = self->run != NULL && step != GOBAN_NO_STEP
                              ? goban_steps_describe (self->run, (guint) step)
                              : g_strdup (_ ("the plan itself"));

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps of the policy's decisions"),
      GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, (double) self->first, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX,
      (double) last, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
      (double) (step != GOBAN_NO_STEP ? step : (int) last), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
      text, -1);
}

static void
step_changed_cb (GobanStepSlider *self)
{
  int step = goban_view_get_step (view_of (self));

  self->curve.shown = step != GOBAN_NO_STEP ? step - (int) self->first : -1;
  describe_to_people (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
run_changed_cb (GobanStepSlider *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  guint n = run != NULL ? goban_steps_count (run) : 0;

  goban_run_set (&self->run, run);
  g_clear_pointer (&self->makespans_us, g_free);
  self->first = n > 0 ? goban_steps_get_first (run) : 0;
  self->curve.n = n > 0 ? n - self->first + 1 : 0;
  self->curve.makespans_us = NULL;
  self->curve.hover = -1;
  step_changed_cb (self);
}

/* A policy can have made a decision for each of a hundred thousand nodes, and most runs are shown
 * without their steps. */
static void
read_makespans (GobanStepSlider *self)
{
  if (self->makespans_us != NULL)
    return;

  self->makespans_us = g_new (double, MAX (self->curve.n, 1));
  for (guint i = 0; i < self->curve.n; i++)
    self->makespans_us[i] = goban_steps_get_makespan_us (self->run, self->first + i);
  self->curve.makespans_us = self->makespans_us;
}

static void
paint (GtkWidget *widget, GobanPen *pen)
{
  GobanStepSlider *self = GOBAN_STEP_SLIDER (widget);
  double scale = gtk_widget_get_scale_factor (widget) * goban_text_scale_of (widget);

  self->curve.ui_scale = scale;
  read_makespans (self);
  goban_step_curve_paint (&self->curve, pen);
  if (gtk_widget_has_visible_focus (widget))
    goban_pen_frame (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                     2 * scale, goban_palette_get (self->curve.theme)->selection);
}

static void
goban_step_slider_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  goban_slide_snapshot (widget, snapshot, GOBAN_STEP_SLIDER (widget)->text, paint);
}

static void
goban_step_slider_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL
                 ? (int) ceil (GOBAN_STEP_CURVE_HEIGHT * goban_text_scale_of (widget))
                 : 120;
  *natural = *minimum;
}

/* --- sliding ---------------------------------------------------------------------------------- */

static int
step_at (GobanStepSlider *self, double x)
{
  return (int) (self->first
                + goban_step_curve_at (&self->curve, gtk_widget_get_width (GTK_WIDGET (self)), x));
}

/* During a drag nothing is logged; its end is a line, unless the step is the first one again. */
static void
end_drag (GobanStepSlider *self, double x)
{
  int step = step_at (self, x);

  goban_view_play_step (view_of (self), self->before);
  goban_view_set_step (view_of (self), step);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanStepSlider *self = user_data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_x = x;
  self->before = goban_view_get_step (view_of (self));
  if (self->curve.n > 0)
    goban_view_play_step (view_of (self), step_at (self, x));
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanStepSlider *self = user_data;

  if (self->curve.n > 0)
    goban_view_play_step (view_of (self), step_at (self, self->drag_x + dx));
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanStepSlider *self = user_data;

  if (self->curve.n > 0)
    end_drag (self, self->drag_x + dx);
}

gboolean
goban_step_slider_press (GobanStepSlider *self, guint keyval)
{
  int step, last;

  g_return_val_if_fail (GOBAN_IS_STEP_SLIDER (self), FALSE);

  last = (int) (self->first + self->curve.n) - 1;
  step = goban_view_get_step (view_of (self));
  if (self->curve.n == 0)
    return FALSE;
  if (step == GOBAN_NO_STEP)
    step = last;
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Down:
      step--;
      break;
    case GDK_KEY_Right:
    case GDK_KEY_Up:
      step++;
      break;
    case GDK_KEY_Page_Up:
      step += 10;
      break;
    case GDK_KEY_Page_Down:
      step -= 10;
      break;
    case GDK_KEY_Home:
      step = 0;
      break;
    case GDK_KEY_End:
      step = last;
      break;
    default:
      return FALSE;
    }
  goban_view_set_step (view_of (self), CLAMP (step, (int) self->first, last));
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  return (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0
         && goban_step_slider_press (user_data, keyval);
}

static void
set_hover (GobanStepSlider *self, int hover)
{
  g_autofree char *text = NULL;

  if (hover == self->curve.hover)
    return;
  self->curve.hover = hover;
  if (hover >= 0 && self->run != NULL)
    text = goban_steps_describe (self->run, self->first + (guint) hover);
  goban_set_tooltip (GTK_WIDGET (self), text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanStepSlider *self = user_data;

  if (self->curve.n > 0)
    set_hover (self, step_at (self, x) - (int) self->first);
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  set_hover (user_data, -1);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_step_slider_dispose (GObject *object)
{
  GobanStepSlider *self = GOBAN_STEP_SLIDER (object);

  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_step_slider_parent_class)->dispose (object);
}

static void
goban_step_slider_finalize (GObject *object)
{
  GobanStepSlider *self = GOBAN_STEP_SLIDER (object);

  g_clear_pointer (&self->makespans_us, g_free);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_step_slider_parent_class)->finalize (object);
}

static void
goban_step_slider_class_init (GobanStepSliderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_step_slider_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_step_slider_finalize;
  widget_class->snapshot = goban_step_slider_snapshot;
  widget_class->measure = goban_step_slider_measure;
  gtk_widget_class_set_css_name (widget_class, "stepslider");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
goban_step_slider_init (GobanStepSlider *self)
{
  self->text = goban_text_cache_new ();
  self->curve.hover = self->curve.shown = -1;
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_resize));
  goban_slide_listen (GTK_WIDGET (self),
                      &(GobanSlideHandlers){ drag_begin_cb, drag_update_cb, drag_end_cb, motion_cb,
                                             leave_cb, key_cb });
}

GtkWidget *
goban_step_slider_new (GobanSession *session)
{
  GobanStepSlider *self = g_object_new (GOBAN_TYPE_STEP_SLIDER, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::step",
                           G_CALLBACK (step_changed_cb), self, G_CONNECT_SWAPPED);
  run_changed_cb (self);

  return GTK_WIDGET (self);
}

void
goban_step_slider_set_theme (GobanStepSlider *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_STEP_SLIDER (self));

  self->curve.theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_step_slider_drag (GobanStepSlider *self, double x0, double x1)
{
  g_return_if_fail (GOBAN_IS_STEP_SLIDER (self) && self->curve.n > 0);

  self->before = goban_view_get_step (view_of (self));
  goban_view_play_step (view_of (self), step_at (self, x0));
  end_drag (self, x1);
}

double
goban_step_slider_locate (GobanStepSlider *self, guint step)
{
  g_return_val_if_fail (GOBAN_IS_STEP_SLIDER (self) && step >= self->first, 0);

  return goban_step_curve_x (&self->curve, gtk_widget_get_width (GTK_WIDGET (self)),
                             step - self->first);
}
