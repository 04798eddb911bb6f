#include "ui/decisions/decision-slider.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-stops.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

struct _GobanDecisionSlider
{
  GtkWidget parent;

  GobanSession *session;
  GobanRun *run;        /* (nullable): whose decisions these are */
  GArray *stops;        /* of GobanMoment: the treads; NULL until they are asked for */
  double *makespans_us; /* (curve.n) at the stops; NULL until they are painted */
  GobanStepCurve curve;
  GobanTextCache *text;
  double drag_x;
  int before; /* the moment when the drag began */
};

G_DEFINE_FINAL_TYPE (GobanDecisionSlider, goban_decision_slider, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanDecisionSlider *self)
{
  return goban_session_get_view (self->session);
}

/* --- content ---------------------------------------------------------------------------------- */

static GobanDecisions *
decisions_of (GobanDecisionSlider *self)
{
  return self->run != NULL ? goban_run_get_decisions (self->run) : NULL;
}

/* A policy can have made a decision for each of a hundred thousand nodes, and most runs are shown
 * without their decisions. */
static void
read_stops (GobanDecisionSlider *self)
{
  GobanDecisions *decisions = decisions_of (self);

  if (self->stops != NULL)
    return;
  if (goban_moments_can_be_walked (decisions))
    self->stops = goban_moments_list_stops (decisions, goban_view_get_level (view_of (self)),
                                            goban_view_get_stops (view_of (self)));
  else
    self->stops = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  self->curve.n = self->stops->len;
}

static int
get_stop (GobanDecisionSlider *self, guint tread)
{
  return (int) g_array_index (self->stops, GobanMoment, tread);
}

/* (transfer full) */
static char *
describe (GobanDecisionSlider *self, int moment)
{
  if (self->run == NULL || moment == GOBAN_NO_MOMENT)
    return g_strdup (_ ("the plan itself"));
  return goban_moment_describe_whole (goban_run_get_costs (self->run), decisions_of (self),
                                      (GobanMoment) moment);
}

static void
describe_to_people (GobanDecisionSlider *self)
{
  int moment = goban_view_get_moment (view_of (self));
  guint last
      = decisions_of (self) != NULL ? goban_decisions_get_n_moments (decisions_of (self)) : 0;
  g_autofree char *text = describe (self, moment);

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Decisions of the policy"),
      GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, (double) last,
      GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, (double) (moment != GOBAN_NO_MOMENT ? moment : (int) last),
      GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
moment_changed_cb (GobanDecisionSlider *self)
{
  int moment = goban_view_get_moment (view_of (self));

  self->curve.shown = -1;
  if (moment != GOBAN_NO_MOMENT)
    {
      read_stops (self);
      if (self->stops->len > 0)
        self->curve.shown = (int) goban_moments_find_stop (self->stops, (GobanMoment) moment);
    }
  describe_to_people (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
run_changed_cb (GobanDecisionSlider *self)
{
  goban_run_set (&self->run, goban_session_get_current_run (self->session));
  g_clear_pointer (&self->makespans_us, g_free);
  g_clear_pointer (&self->stops, g_array_unref);
  self->curve.n = 0;
  self->curve.makespans_us = NULL;
  self->curve.hover = -1;
  moment_changed_cb (self);
}

static void
read_makespans (GobanDecisionSlider *self)
{
  read_stops (self);
  if (self->makespans_us != NULL || self->stops->len == 0)
    return;
  self->curve.makespans_us = self->makespans_us
      = goban_moments_dup_lengths_us (decisions_of (self), self->stops);
}

static void
paint (GtkWidget *widget, GobanPen *pen)
{
  GobanDecisionSlider *self = GOBAN_DECISION_SLIDER (widget);
  double scale = gtk_widget_get_scale_factor (widget) * goban_text_scale_of (widget);

  self->curve.ui_scale = scale;
  read_makespans (self);
  goban_step_curve_paint (&self->curve, pen);
  if (gtk_widget_has_visible_focus (widget))
    goban_pen_frame (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                     2 * scale, goban_palette_get (self->curve.theme)->selection);
}

static void
goban_decision_slider_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  goban_slide_snapshot (widget, snapshot, GOBAN_DECISION_SLIDER (widget)->text, paint);
}

static void
goban_decision_slider_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                               int *minimum, int *natural, int *minimum_baseline,
                               int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL
                 ? (int) ceil (GOBAN_STEP_CURVE_HEIGHT * goban_text_scale_of (widget))
                 : 120;
  *natural = *minimum;
}

/* --- sliding ---------------------------------------------------------------------------------- */

/* The moment there; there must be stops. */
static int
moment_at (GobanDecisionSlider *self, double x)
{
  return get_stop (self,
                   goban_step_curve_at (&self->curve, gtk_widget_get_width (GTK_WIDGET (self)), x));
}

static gboolean
has_stops (GobanDecisionSlider *self)
{
  read_stops (self);
  return self->stops->len > 0;
}

/* During a drag nothing is logged; its end is a line, unless the moment is the first one again. */
static void
end_drag (GobanDecisionSlider *self, double x)
{
  int moment = moment_at (self, x);

  goban_view_play_moment (view_of (self), self->before);
  goban_view_set_moment (view_of (self), moment);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_x = x;
  self->before = goban_view_get_moment (view_of (self));
  if (has_stops (self))
    goban_view_play_moment (view_of (self), moment_at (self, x));
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (has_stops (self))
    goban_view_play_moment (view_of (self), moment_at (self, self->drag_x + dx));
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (has_stops (self))
    end_drag (self, self->drag_x + dx);
}

gboolean
goban_decision_slider_press (GobanDecisionSlider *self, guint keyval)
{
  int tread, last, moment;

  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self), FALSE);

  if (!has_stops (self))
    return FALSE;
  last = (int) self->stops->len - 1;
  moment = goban_view_get_moment (view_of (self));
  tread = moment == GOBAN_NO_MOMENT
              ? last
              : (int) goban_moments_find_stop (self->stops, (GobanMoment) moment);
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Down:
      tread--;
      break;
    case GDK_KEY_Right:
    case GDK_KEY_Up:
      tread++;
      break;
    case GDK_KEY_Page_Up:
      tread += 10;
      break;
    case GDK_KEY_Page_Down:
      tread -= 10;
      break;
    case GDK_KEY_Home:
      tread = 0;
      break;
    case GDK_KEY_End:
      tread = last;
      break;
    default:
      return FALSE;
    }
  goban_view_set_moment (view_of (self), get_stop (self, (guint) CLAMP (tread, 0, last)));
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  return (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0
         && goban_decision_slider_press (user_data, keyval);
}

static void
set_hover (GobanDecisionSlider *self, int hover)
{
  g_autofree char *text = NULL;

  if (hover == self->curve.hover)
    return;
  self->curve.hover = hover;
  if (hover >= 0 && self->run != NULL)
    text = describe (self, get_stop (self, (guint) hover));
  goban_set_tooltip (GTK_WIDGET (self), text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (has_stops (self))
    set_hover (self, (int) goban_step_curve_at (&self->curve,
                                                gtk_widget_get_width (GTK_WIDGET (self)), x));
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  set_hover (user_data, -1);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_slider_dispose (GObject *object)
{
  GobanDecisionSlider *self = GOBAN_DECISION_SLIDER (object);

  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_decision_slider_parent_class)->dispose (object);
}

static void
goban_decision_slider_finalize (GObject *object)
{
  GobanDecisionSlider *self = GOBAN_DECISION_SLIDER (object);

  g_clear_pointer (&self->makespans_us, g_free);
  g_clear_pointer (&self->stops, g_array_unref);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_decision_slider_parent_class)->finalize (object);
}

static void
goban_decision_slider_class_init (GobanDecisionSliderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_slider_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_decision_slider_finalize;
  widget_class->snapshot = goban_decision_slider_snapshot;
  widget_class->measure = goban_decision_slider_measure;
  gtk_widget_class_set_css_name (widget_class, "decisionslider");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
goban_decision_slider_init (GobanDecisionSlider *self)
{
  self->text = goban_text_cache_new ();
  self->curve.hover = self->curve.shown = -1;
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_resize));
  goban_slide_listen (GTK_WIDGET (self),
                      &(GobanSlideHandlers){ drag_begin_cb, drag_update_cb, drag_end_cb, motion_cb,
                                             leave_cb, key_cb });
}

GtkWidget *
goban_decision_slider_new (GobanSession *session)
{
  GobanDecisionSlider *self = g_object_new (GOBAN_TYPE_DECISION_SLIDER, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::moment",
                           G_CALLBACK (moment_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::level",
                           G_CALLBACK (run_changed_cb), self, G_CONNECT_SWAPPED);
  run_changed_cb (self);

  return GTK_WIDGET (self);
}

void
goban_decision_slider_set_theme (GobanDecisionSlider *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_DECISION_SLIDER (self));

  self->curve.theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_decision_slider_drag (GobanDecisionSlider *self, double x0, double x1)
{
  g_return_if_fail (GOBAN_IS_DECISION_SLIDER (self) && has_stops (self));

  self->before = goban_view_get_moment (view_of (self));
  goban_view_play_moment (view_of (self), moment_at (self, x0));
  end_drag (self, x1);
}

double
goban_decision_slider_locate (GobanDecisionSlider *self, guint moment)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self) && has_stops (self), 0);

  return goban_step_curve_x (&self->curve, gtk_widget_get_width (GTK_WIDGET (self)),
                             goban_moments_find_stop (self->stops, moment));
}
