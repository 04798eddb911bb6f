#include "ui/decisions/decision-slider.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/run/run-origin.h"
#include "ui/decisions/decision-lines.h"
#include "ui/draw/charts/treads.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>
#include <string.h>

struct _GobanDecisionSlider
{
  GtkWidget parent;

  GobanSession *session;
  GobanDecisionLines *lines; /* borrowed from the session */
  gboolean is_of_plans;
  guint plan; /* whose decisions the treads are */
  GobanTreads treads;
  double least_us, most_us; /* of the makespans; NAN: not read yet */
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

/* --- treads ----------------------------------------------------------------------------------- */

/* The line that a tread shows. */
static guint
get_line (GobanDecisionSlider *self, guint tread)
{
  GobanMomentLines *lines = goban_decision_lines_get (self->lines);

  return self->is_of_plans ? goban_moment_lines_get_plan (lines, tread)->first
                           : goban_moment_lines_get_plan (lines, self->plan)->first + tread;
}

static guint
get_device (guint tread, gpointer data)
{
  GobanDecisionSlider *self = data;
  GobanMomentLines *lines = goban_decision_lines_get (self->lines);
  GobanDecision decision;

  return goban_decisions_get (lines->decisions,
                              goban_moment_lines_get_moment (lines, get_line (self, tread)), NULL,
                              &decision)
                 && decision.options == GOBAN_OPTION_DEVICE
             ? decision.chosen
             : G_MAXUINT;
}

static double
get_share (guint tread, gpointer data)
{
  GobanDecisionSlider *self = data;
  double makespan_us
      = goban_moment_lines_get_plan (goban_decision_lines_get (self->lines), tread)->makespan_us;

  if (isnan (self->least_us))
    {
      GobanMomentLines *lines = goban_decision_lines_get (self->lines);

      self->least_us = INFINITY;
      self->most_us = -INFINITY;
      for (guint p = 0; p < lines->plans->len; p++)
        if (isfinite (goban_moment_lines_get_plan (lines, p)->makespan_us))
          {
            self->least_us
                = fmin (self->least_us, goban_moment_lines_get_plan (lines, p)->makespan_us);
            self->most_us
                = fmax (self->most_us, goban_moment_lines_get_plan (lines, p)->makespan_us);
          }
    }
  if (!isfinite (makespan_us))
    return (double) NAN;
  return self->most_us > self->least_us
             ? (makespan_us - self->least_us) / (self->most_us - self->least_us)
             : 0.5;
}

/* (transfer full) */
static char *
describe (GobanDecisionSlider *self, int tread)
{
  g_autofree char *number = NULL;
  g_autofree char *title = NULL;
  GobanMomentLines *lines = goban_decision_lines_get (self->lines);
  GobanDecision decision;

  if (lines == NULL)
    return g_strdup ("");
  if (self->is_of_plans)
    {
      number = goban_decision_lines_dup_plan_number (self->lines, (guint) MAX (tread, 0));
      return g_strdup_printf (_ ("Plan %s"), number);
    }
  number = goban_decision_lines_dup_number (self->lines, tread >= 0 ? get_line (self, (guint) tread)
                                                                    : GOBAN_NO_LINE);
  if (tread < 0
      || !goban_decisions_get (
          lines->decisions, goban_moment_lines_get_moment (lines, get_line (self, (guint) tread)),
          NULL, &decision))
    return g_strdup_printf (_ ("Decision %s"), number);
  title
      = goban_moment_dup_title (goban_run_get_costs (goban_session_get_current_run (self->session)),
                                lines->decisions, &decision, GOBAN_TITLE_WHOLE);
  return g_strdup_printf (_ ("Decision %s: %s"), number, title);
}

static void
describe_to_people (GobanDecisionSlider *self)
{
  g_autofree char *text = describe (self, self->treads.shown);
  g_autofree char *name = g_strndup (text, strcspn (text, ":"));

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, GTK_ACCESSIBLE_PROPERTY_VALUE_MIN,
      0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, (double) self->treads.n,
      GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, (double) self->treads.shown + 1,
      GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
update (GobanDecisionSlider *self)
{
  GobanMomentLines *lines = goban_view_get_moment (view_of (self)) != GOBAN_NO_MOMENT
                                    || gtk_widget_get_mapped (GTK_WIDGET (self))
                                ? goban_decision_lines_get (self->lines)
                                : NULL;
  guint plan = lines != NULL ? goban_decision_lines_get_shown_plan (self->lines) : GOBAN_NO_LINE;
  guint line = goban_decision_lines_get_shown (self->lines);

  self->plan = plan;
  self->treads.n = 0;
  self->treads.shown = -1;
  if (plan != GOBAN_NO_LINE && self->is_of_plans)
    {
      self->treads.n = lines->plans->len;
      self->treads.shown = (int) plan;
    }
  else if (plan != GOBAN_NO_LINE)
    {
      self->treads.n = goban_moment_lines_get_plan (lines, plan)->n;
      if (line != GOBAN_NO_LINE)
        self->treads.shown = (int) (line - goban_moment_lines_get_plan (lines, plan)->first);
    }
  describe_to_people (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
lines_changed_cb (GobanDecisionSlider *self)
{
  self->least_us = (double) NAN;
  self->treads.hover = -1;
  update (self);
}

static void
paint (GtkWidget *widget, GobanPen *pen)
{
  GobanDecisionSlider *self = GOBAN_DECISION_SLIDER (widget);
  double scale = gtk_widget_get_scale_factor (widget) * goban_text_scale_of (widget);

  self->treads.theme = goban_theme_of (widget);
  self->treads.ui_scale = scale;
  goban_treads_paint (&self->treads, pen);
  if (gtk_widget_has_visible_focus (widget))
    goban_pen_frame (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                     2 * scale, goban_palette_get (self->treads.theme)->selection);
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
                 ? (int) ceil (GOBAN_TREADS_HEIGHT * goban_text_scale_of (widget))
                 : 120;
  *natural = *minimum;
}

/* --- sliding ---------------------------------------------------------------------------------- */

/* The moment of a tread; -1: the beginning. */
static int
get_moment (GobanDecisionSlider *self, int tread)
{
  if (tread < 0)
    return 0;
  return (int) goban_moment_lines_get_moment (goban_decision_lines_get (self->lines),
                                              get_line (self, (guint) tread));
}

static int
moment_at (GobanDecisionSlider *self, double x)
{
  return get_moment (
      self, (int) goban_treads_at (&self->treads, gtk_widget_get_width (GTK_WIDGET (self)), x));
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
  if (self->treads.n > 0)
    goban_view_play_moment (view_of (self), moment_at (self, x));
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (self->treads.n > 0)
    goban_view_play_moment (view_of (self), moment_at (self, self->drag_x + dx));
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (self->treads.n > 0)
    end_drag (self, self->drag_x + dx);
}

gboolean
goban_decision_slider_press (GobanDecisionSlider *self, guint keyval)
{
  int tread, last;

  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self), FALSE);

  if (self->treads.n == 0)
    return FALSE;
  last = (int) self->treads.n - 1;
  tread = self->treads.shown;
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
  goban_view_set_moment (view_of (self), get_moment (self, CLAMP (tread, 0, last)));
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

  if (hover == self->treads.hover)
    return;
  self->treads.hover = hover;
  if (hover >= 0)
    text = describe (self, hover);
  goban_set_tooltip (GTK_WIDGET (self), text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanDecisionSlider *self = user_data;

  if (self->treads.n > 0)
    set_hover (self,
               (int) goban_treads_at (&self->treads, gtk_widget_get_width (GTK_WIDGET (self)), x));
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

  g_clear_object (&self->session);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_decision_slider_parent_class)->dispose (object);
}

static void
goban_decision_slider_class_init (GobanDecisionSliderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_slider_dispose;
  widget_class->snapshot = goban_decision_slider_snapshot;
  widget_class->measure = goban_decision_slider_measure;
  gtk_widget_class_set_css_name (widget_class, "decisionslider");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
goban_decision_slider_init (GobanDecisionSlider *self)
{
  self->text = goban_text_cache_new ();
  self->treads.hover = self->treads.shown = -1;
  self->treads.data = self;
  self->least_us = (double) NAN;
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_resize));
  goban_slide_listen (GTK_WIDGET (self),
                      &(GobanSlideHandlers){ drag_begin_cb, drag_update_cb, drag_end_cb, motion_cb,
                                             leave_cb, key_cb });
}

GtkWidget *
goban_decision_slider_new (GobanSession *session, gboolean is_of_plans)
{
  GobanDecisionSlider *self = g_object_new (GOBAN_TYPE_DECISION_SLIDER, NULL);

  self->session = g_object_ref (session);
  self->lines = goban_decision_lines_of (session);
  self->is_of_plans = is_of_plans;
  if (is_of_plans)
    self->treads.get_share = get_share;
  else
    self->treads.get_device = get_device;
  GOBAN_CONNECT (self->lines, "changed", lines_changed_cb, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::moment", update, self);
  g_signal_connect (self, "map", G_CALLBACK (update), NULL);
  update (self);

  return GTK_WIDGET (self);
}

void
goban_decision_slider_drag (GobanDecisionSlider *self, double x0, double x1)
{
  g_return_if_fail (GOBAN_IS_DECISION_SLIDER (self) && self->treads.n > 0);

  self->before = goban_view_get_moment (view_of (self));
  goban_view_play_moment (view_of (self), moment_at (self, x0));
  end_drag (self, x1);
}

guint
goban_decision_slider_get_n (GobanDecisionSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self), 0);

  return self->treads.n;
}

int
goban_decision_slider_get_shown (GobanDecisionSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self), -1);

  return self->treads.shown;
}

double
goban_decision_slider_locate (GobanDecisionSlider *self, guint tread)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_SLIDER (self), 0);

  return goban_treads_x (&self->treads, gtk_widget_get_width (GTK_WIDGET (self)), tread);
}
