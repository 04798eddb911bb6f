#include "ui/panels/value-histogram.h"

#include "engine/core/i18n.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

#define LAST_BIN (GOBAN_HISTOGRAM_BINS - 1)

struct _GobanValueHistogram
{
  GtkWidget parent;

  GobanSession *session;
  GobanNodeValues *values; /* NULL: nothing is shown */
  GobanHistogram histogram;
  GobanTextCache *text;
  GobanBrush brush;
  gboolean has_brush;
  gboolean is_choosing; /* the selection that changes is the brush's */
  GobanSelection *kept; /* selection that a drag with Shift extends, else NULL */
  double drag_x;
  int hover; /* a bin, or -1 */
};

G_DEFINE_FINAL_TYPE (GobanValueHistogram, goban_value_histogram, GTK_TYPE_WIDGET)

/* --- content ------------------------------------------------------------------------------ */

static void
describe_to_people (GobanValueHistogram *self)
{
  g_autofree char *all = NULL;
  g_autofree char *brushed = NULL;

  if (self->values == NULL)
    {
      goban_set_accessible_label (GTK_WIDGET (self), _ ("No values are shown"));
      return;
    }

  all = goban_node_values_describe (self->values);
  brushed = self->has_brush ? goban_histogram_describe (&self->histogram, self->brush) : NULL;
  goban_set_accessible_label (GTK_WIDGET (self), all);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  brushed != NULL ? brushed : "no range is chosen", -1);
}

static void
update_tooltip (GobanValueHistogram *self)
{
  g_autofree char *text = NULL;

  if (self->hover >= 0 && self->values != NULL)
    text = goban_histogram_describe (&self->histogram,
                                     (GobanBrush){ (guint) self->hover, (guint) self->hover });
  goban_set_tooltip (GTK_WIDGET (self), text);
}

static void
recount (GobanValueHistogram *self)
{
  if (self->values != NULL)
    goban_histogram_count (&self->histogram, self->values,
                           goban_session_get_selection (self->session));
  describe_to_people (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_brush (GobanValueHistogram *self, const GobanBrush *brush)
{
  self->has_brush = brush != NULL;
  if (brush != NULL)
    self->brush = *brush;
  self->histogram.brush = self->has_brush ? &self->brush : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
selection_changed_cb (GobanValueHistogram *self)
{
  GobanSelection *selection = goban_session_get_selection (self->session);
  guint n;

  if (!self->is_choosing)
    set_brush (self, NULL);
  /* Ids of a graph that is being left behind mean nothing here. */
  goban_selection_get_ids (selection, &n);
  if (self->values != NULL && n > 0
      && self->values->n_nodes != goban_graph_get_n_nodes (goban_session_get_graph (self->session)))
    return;
  recount (self);
}

static void
paint (GtkWidget *widget, GobanPen *pen)
{
  GobanValueHistogram *self = GOBAN_VALUE_HISTOGRAM (widget);
  double scale = gtk_widget_get_scale_factor (widget) * goban_text_scale_of (widget);

  self->histogram.ui_scale = scale;
  goban_histogram_paint (&self->histogram, pen);
  if (gtk_widget_has_visible_focus (widget))
    goban_pen_frame (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                     scale, goban_palette_get (self->histogram.theme)->selection);
}

static void
goban_value_histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanValueHistogram *self = GOBAN_VALUE_HISTOGRAM (widget);

  if (self->values != NULL)
    goban_slide_snapshot (widget, snapshot, self->text, paint);
}

static void
goban_value_histogram_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                               int *minimum, int *natural, int *minimum_baseline,
                               int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL
                 ? (int) ceil (GOBAN_HISTOGRAM_HEIGHT * goban_text_scale_of (widget))
                 : 2 * GOBAN_HISTOGRAM_BINS;
  *natural = *minimum;
}

/* --- choosing ------------------------------------------------------------------------------- */

/* Selects the nodes of the brushed range, and those of @kept (nullable). */
static void
choose (GobanValueHistogram *self, GobanSelection *kept)
{
  g_autoptr (GobanSelection) inside = goban_node_values_select (
      self->values, GOBAN_HISTOGRAM_BINS, self->brush.first, self->brush.last);
  g_autoptr (GobanSelection) all = kept != NULL ? goban_selection_union (kept, inside) : NULL;

  self->is_choosing = TRUE;
  goban_session_set_selection (self->session, all != NULL ? all : inside);
  self->is_choosing = FALSE;
  recount (self);
}

static void
drag_to (GobanValueHistogram *self, double x0, double x1)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  guint a = goban_histogram_bin_at (width, x0);
  guint b = goban_histogram_bin_at (width, x1);

  set_brush (self, &(GobanBrush){ MIN (a, b), MAX (a, b) });
}

static void
drag_begin (GobanValueHistogram *self, double x, GdkModifierType modifiers)
{
  g_clear_pointer (&self->kept, goban_selection_unref);
  if ((modifiers & GDK_SHIFT_MASK) != 0)
    self->kept = goban_selection_ref (goban_session_get_selection (self->session));
  self->drag_x = x;
  drag_to (self, x, x);
}

static void
drag_end (GobanValueHistogram *self, double x)
{
  drag_to (self, self->drag_x, x);
  choose (self, self->kept);
  g_clear_pointer (&self->kept, goban_selection_unref);
}

/* Without a brush, it begins at the end opposite to the arrow's direction. */
static void
move_brush (GobanValueHistogram *self, int by, GdkModifierType modifiers)
{
  int first = (int) self->brush.first;
  int last = (int) self->brush.last;

  if (!self->has_brush)
    first = last = by > 0 ? 0 : LAST_BIN;
  else if ((modifiers & GDK_SHIFT_MASK) != 0)
    last = CLAMP (last + by, first, LAST_BIN);
  else if ((modifiers & GDK_CONTROL_MASK) != 0)
    first = CLAMP (first + by, 0, last);
  else if (first + by >= 0 && last + by <= LAST_BIN)
    {
      first += by;
      last += by;
    }
  set_brush (self, &(GobanBrush){ (guint) first, (guint) last });
  choose (self, NULL);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  GobanValueHistogram *self = user_data;

  if (self->values == NULL)
    return FALSE;
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right)
    {
      move_brush (self, keyval == GDK_KEY_Right ? 1 : -1, modifiers);
      return TRUE;
    }
  if (keyval == GDK_KEY_Escape && self->has_brush)
    {
      g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);

      set_brush (self, NULL);
      goban_session_set_selection (self->session, none);
      return TRUE;
    }
  return FALSE;
}

/* --- pointer -------------------------------------------------------------------------------- */

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanValueHistogram *self = user_data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->values != NULL)
    drag_begin (self, x,
                gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)));
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanValueHistogram *self = user_data;

  if (self->values != NULL)
    drag_to (self, self->drag_x, self->drag_x + dx);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanValueHistogram *self = user_data;

  if (self->values != NULL)
    drag_end (self, self->drag_x + dx);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanValueHistogram *self = user_data;
  int bin = (int) goban_histogram_bin_at (gtk_widget_get_width (GTK_WIDGET (self)), x);

  if (bin == self->hover)
    return;
  self->hover = bin;
  update_tooltip (self);
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  GobanValueHistogram *self = user_data;

  self->hover = -1;
  update_tooltip (self);
}

static void
goban_value_histogram_dispose (GObject *object)
{
  GobanValueHistogram *self = GOBAN_VALUE_HISTOGRAM (object);

  g_clear_object (&self->session);
  g_clear_pointer (&self->values, goban_node_values_unref);
  g_clear_pointer (&self->kept, goban_selection_unref);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_value_histogram_parent_class)->dispose (object);
}

static void
goban_value_histogram_class_init (GobanValueHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_value_histogram_dispose;
  widget_class->snapshot = goban_value_histogram_snapshot;
  widget_class->measure = goban_value_histogram_measure;
  gtk_widget_class_set_css_name (widget_class, "histogram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
goban_value_histogram_init (GobanValueHistogram *self)
{
  self->text = goban_text_cache_new ();
  self->hover = -1;
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_resize));
  goban_slide_listen (GTK_WIDGET (self),
                      &(GobanSlideHandlers){ drag_begin_cb, drag_update_cb, drag_end_cb, motion_cb,
                                             leave_cb, key_cb });
}

GtkWidget *
goban_value_histogram_new (GobanSession *session)
{
  GobanValueHistogram *self = g_object_new (GOBAN_TYPE_VALUE_HISTOGRAM, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  describe_to_people (self);
  return GTK_WIDGET (self);
}

void
goban_value_histogram_set_values (GobanValueHistogram *self, GobanNodeValues *values)
{
  g_return_if_fail (GOBAN_IS_VALUE_HISTOGRAM (self));

  if (values == self->values)
    return;

  if (values != NULL)
    goban_node_values_ref (values);
  g_clear_pointer (&self->values, goban_node_values_unref);
  self->values = values;
  set_brush (self, NULL);
  recount (self);
  update_tooltip (self);
}

void
goban_value_histogram_set_theme (GobanValueHistogram *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_VALUE_HISTOGRAM (self));

  self->histogram.theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const GobanBrush *
goban_value_histogram_get_brush (GobanValueHistogram *self)
{
  g_return_val_if_fail (GOBAN_IS_VALUE_HISTOGRAM (self), NULL);

  return self->histogram.brush;
}

void
goban_value_histogram_drag (GobanValueHistogram *self, double x0, double x1,
                            GdkModifierType modifiers)
{
  g_return_if_fail (GOBAN_IS_VALUE_HISTOGRAM (self) && self->values != NULL);

  drag_begin (self, x0, modifiers);
  drag_end (self, x1);
}
