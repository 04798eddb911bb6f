#include "ui/panels/number-slider.h"

#include "engine/core/i18n.h"
#include "engine/machine/cluster/cluster-json.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

/* A value so near to the original is the original. */
#define NOTCH 0.006
/* Share of a slider that belongs to an end that is 0 or unlimited. */
#define END 0.03

/* Usual ranges, for quantities whose original value is 0 or unlimited. */
static const struct
{
  double least;
  double most;
} usual[] = {
  [GOBAN_NUMBER_FACTOR] = { 0.125, 8 }, [GOBAN_NUMBER_BYTES] = { 1e9, 1e12 },
  [GOBAN_NUMBER_RATE] = { 1e8, 1e12 },  [GOBAN_NUMBER_TIME] = { 1e-7, 1e-2 },
  [GOBAN_NUMBER_SHARE] = { 0.01, 1 },   [GOBAN_NUMBER_FLOPS] = { 1e11, 1e16 },
};

GobanNumberScale
goban_number_scale_around (GobanNumberUnit unit, double origin)
{
  GobanNumberScale scale
      = { unit, origin, usual[unit].least, usual[unit].most, origin <= 0, isinf (origin) };
  double range = unit == GOBAN_NUMBER_FACTOR || unit == GOBAN_NUMBER_SHARE ? 8 : 16;

  if (origin > 0 && isfinite (origin))
    {
      scale.least = origin / range;
      scale.most = unit == GOBAN_NUMBER_SHARE ? MAX (origin, 1) : origin * range;
    }
  return scale;
}

static double
round_value (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.3g", value), NULL);
}

static void
get_ends (const GobanNumberScale *self, double *from, double *to)
{
  *from = self->has_zero ? END : 0;
  *to = self->has_infinity ? 1 - END : 1;
}

static double
get_place (const GobanNumberScale *self, double value)
{
  double from, to;

  get_ends (self, &from, &to);
  if (value <= 0)
    return 0;
  if (isinf (value))
    return 1;
  return CLAMP (from + (to - from) * log (value / self->least) / log (self->most / self->least),
                from, to);
}

static double
get_value (const GobanNumberScale *self, double place)
{
  double from, to;

  get_ends (self, &from, &to);
  if (fabs (place - get_place (self, self->origin)) < NOTCH)
    return self->origin;
  if (self->has_zero && place < from / 2)
    return 0;
  if (self->has_infinity && place > (1 + to) / 2)
    return INFINITY;
  place = (CLAMP (place, from, to) - from) / (to - from);
  return round_value (self->least * pow (self->most / self->least, place));
}

static const char *
format (GobanNumberUnit unit, char *buffer, double value)
{
  char text[GOBAN_QUANTITY_LEN];

  switch (unit)
    {
    case GOBAN_NUMBER_FACTOR:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "×%s",
                  g_ascii_formatd (text, sizeof text, "%.3g", value));
      return buffer;
    case GOBAN_NUMBER_BYTES:
      return goban_format_bytes (buffer, value);
    case GOBAN_NUMBER_RATE:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, isinf (value) ? "%s" : "%s/s",
                  goban_format_bytes (text, value));
      return buffer;
    case GOBAN_NUMBER_SHARE:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s %%",
                  g_ascii_formatd (text, sizeof text, "%.4g", value * 100));
      return buffer;
    case GOBAN_NUMBER_FLOPS:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s/s", goban_format_count (text, value));
      return buffer;
    case GOBAN_NUMBER_TIME:
    default:
      return goban_format_time (buffer, value * 1e6);
    }
}

static gboolean
parse (GobanNumberUnit unit, const char *text, double *value)
{
  g_autofree char *plain = g_strstrip (g_strdup (text));
  double number;
  char *end;

  if (unit == GOBAN_NUMBER_FACTOR)
    {
      const char *at = g_str_has_prefix (plain, "×") ? plain + strlen ("×") : plain;

      at += *at == 'x' || *at == '*';
      number = g_ascii_strtod (at, &end);
      if (end == at || *end != '\0' || !(number > 0) || isinf (number))
        return FALSE;
      *value = number;
      return TRUE;
    }
  if ((unit == GOBAN_NUMBER_RATE || unit == GOBAN_NUMBER_FLOPS) && g_str_has_suffix (plain, "/s")
      && !g_str_has_suffix (plain, "OP/s"))
    plain[strlen (plain) - 2] = '\0';
  if (unit == GOBAN_NUMBER_FLOPS)
    {
      if (!goban_parse_flops (plain, &number, NULL) || number <= 0)
        return FALSE;
      *value = number * 1e6;
      return TRUE;
    }
  if (unit == GOBAN_NUMBER_SHARE)
    {
      gboolean is_percent = g_str_has_suffix (plain, "%");

      if (is_percent)
        plain[strlen (plain) - 1] = '\0';
      if (!goban_parse_number (g_strchomp (plain), &number) || number <= 0)
        return FALSE;
      *value = is_percent ? number / 100 : number;
      return TRUE;
    }
  /* An incomplete number is not an error during typing, so there is no message. */
  if (unit == GOBAN_NUMBER_TIME ? !goban_parse_time (plain, &number, NULL)
                                : !goban_parse_bytes (plain, &number, NULL))
    return FALSE;
  number = unit == GOBAN_NUMBER_TIME ? number / 1e6 : number;
  if (!(number >= 0) || (unit != GOBAN_NUMBER_TIME && number <= 0)
      || (unit == GOBAN_NUMBER_TIME && isinf (number)))
    return FALSE;
  *value = number;
  return TRUE;
}

/* Keys settle when they rest: each step alone would be a change to undo. */
#define REST_MS 500
#define SCROLL_PX 60

struct _GobanNumberSlider
{
  GtkWidget parent;

  GobanNumberScale scale;
  double value;
  char *title;
  char *owner;
  gboolean is_setting; /* the widgets follow the value, not the other way round */
  gboolean is_held;    /* by the pointer */
  gboolean is_moved;   /* and not settled */
  guint rest_id;

  GtkAdjustment *place;
  GtkWidget *slider;
  GtkWidget *spin;
  GtkWidget *name;
  GtkWidget *was;
  GtkWidget *reset;
};

G_DEFINE_FINAL_TYPE (GobanNumberSlider, goban_number_slider, GTK_TYPE_WIDGET)

/* --- display ---------------------------------------------------------------------------------- */

static void
show (GobanNumberSlider *self, gboolean is_mixed)
{
  gboolean is_changed = self->value != self->scale.origin || is_mixed;
  char value[GOBAN_QUANTITY_LEN], origin[GOBAN_QUANTITY_LEN];
  g_autofree char *was = NULL;

  format (self->scale.unit, value, self->value);
  was = g_strdup_printf (_ ("%swas %s"), is_mixed ? _ ("mixed, ") : "",
                         format (self->scale.unit, origin, self->scale.origin));
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->was), is_changed ? was : "");
  /* It keeps its room: nothing moves under the hand. */
  gtk_widget_set_opacity (self->reset, is_changed ? 1 : 0);
  gtk_widget_set_sensitive (self->reset, is_changed);
  if (is_changed)
    gtk_widget_add_css_class (GTK_WIDGET (self), "changed");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "changed");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  value, -1);
}

static void
adopt (GobanNumberSlider *self, double value)
{
  self->value = value;
  self->is_setting = TRUE;
  gtk_adjustment_set_value (self->place, get_place (&self->scale, value));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->spin));
  self->is_setting = FALSE;
}

/* --- settling --------------------------------------------------------------------------------- */

static void
settle (GobanNumberSlider *self)
{
  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (!self->is_moved)
    return;
  self->is_moved = FALSE;
  g_signal_emit_by_name (self, "settled", self->value);
}

static gboolean
rest_cb (gpointer user_data)
{
  GobanNumberSlider *self = user_data;

  self->rest_id = 0;
  settle (self);
  return G_SOURCE_REMOVE;
}

static void
move_to (GobanNumberSlider *self, double value)
{
  if (value == self->value)
    return;

  self->value = value;
  self->is_moved = TRUE;
  show (self, FALSE);
  g_signal_emit_by_name (self, "moved", value);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (!self->is_held)
    self->rest_id = g_timeout_add (REST_MS, rest_cb, self);
}

static void
place_changed_cb (GobanNumberSlider *self)
{
  if (!self->is_setting)
    move_to (self, get_value (&self->scale, gtk_adjustment_get_value (self->place)));
}

/* The slider's own gestures claim the press, so the release is visible in raw events only. */
static gboolean
event_cb (GtkEventControllerLegacy *controller, GdkEvent *event, GobanNumberSlider *self)
{
  GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->is_held = TRUE;
  if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END || type == GDK_TOUCH_CANCEL)
    {
      self->is_held = FALSE;
      g_clear_handle_id (&self->rest_id, g_source_remove);
      /* After the slider has seen the event too. */
      if (self->is_moved)
        self->rest_id = g_idle_add (rest_cb, self);
    }
  return GDK_EVENT_PROPAGATE;
}

/* The wheel scrolls the list around it: scrolling past a slider must not change its value. */
static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, GobanNumberSlider *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;

  if (scroller == NULL)
    return GDK_EVENT_PROPAGATE;

  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + dy * SCROLL_PX);
  return GDK_EVENT_STOP;
}

static void
leave_cb (GobanNumberSlider *self)
{
  if (!self->is_held)
    settle (self);
}

static void
reset_cb (GobanNumberSlider *self)
{
  adopt (self, self->scale.origin);
  show (self, FALSE);
  self->is_moved = TRUE;
  settle (self);
}

/* --- the text --------------------------------------------------------------------------------- */

static gboolean
output_cb (GtkSpinButton *spin, GobanNumberSlider *self)
{
  char text[GOBAN_QUANTITY_LEN];
  double shown = self->is_setting
                     ? self->value
                     : get_value (&self->scale, gtk_adjustment_get_value (self->place));

  format (self->scale.unit, text, shown);
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
input_cb (GtkSpinButton *spin, double *place, GobanNumberSlider *self)
{
  char text[GOBAN_QUANTITY_LEN];
  double value;

  format (self->scale.unit, text, self->value);
  /* A text that was not edited is the rounded value and changes nothing. */
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), text) == 0)
    value = self->value;
  else if (!parse (self->scale.unit, gtk_editable_get_text (GTK_EDITABLE (spin)), &value))
    return GTK_INPUT_ERROR;
  *place = get_place (&self->scale, value);
  return TRUE;
}

static void
goban_number_slider_dispose (GObject *object)
{
  GobanNumberSlider *self = GOBAN_NUMBER_SLIDER (object);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->owner, g_free);

  G_OBJECT_CLASS (goban_number_slider_parent_class)->dispose (object);
}

static void
goban_number_slider_class_init (GobanNumberSliderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_number_slider_dispose;
  gtk_widget_class_set_css_name (widget_class, "numberslider");
  goban_signal_add (klass, "moved", 1, G_TYPE_DOUBLE);
  goban_signal_add (klass, "settled", 1, G_TYPE_DOUBLE);
  goban_template_set (widget_class, "panels/number-slider.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanNumberSlider, place, slider, spin, name, was, reset);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, place_changed_cb, output_cb, input_cb, event_cb,
                            scroll_cb, leave_cb, reset_cb);
}

static void
goban_number_slider_init (GobanNumberSlider *self)
{
  goban_template_init (GTK_WIDGET (self));
}

static void
name_parts (GobanNumberSlider *self)
{
  g_autofree char *name = g_strdup_printf (_ ("%s of %s"), _ (self->title), self->owner);
  g_autofree char *typed = g_strdup_printf (_ ("%s, as text"), name);
  g_autofree char *back = g_strdup_printf (_ ("%s as it was"), name);

  goban_set_accessible_label (self->slider, name);
  goban_set_accessible_label (self->spin, typed);
  goban_set_accessible_label (self->reset, back);
}

GtkWidget *
goban_number_slider_new (const char *title, const char *owner, const GobanNumberScale *scale)
{
  GobanNumberSlider *self = g_object_new (GOBAN_TYPE_NUMBER_SLIDER, NULL);

  self->title = g_strdup (title);
  self->owner = g_strdup (owner);
  self->scale = *scale;
  goban_set_label_text (self->name, _ (title));
  gtk_scale_add_mark (GTK_SCALE (self->slider), get_place (scale, scale->origin), GTK_POS_BOTTOM,
                      NULL);
  name_parts (self);
  goban_number_slider_set_value (self, scale->origin, FALSE);
  return GTK_WIDGET (self);
}

double
goban_number_slider_get_value (GobanNumberSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_NUMBER_SLIDER (self), NAN);

  return self->value;
}

void
goban_number_slider_set_value (GobanNumberSlider *self, double value, gboolean is_mixed)
{
  g_return_if_fail (GOBAN_IS_NUMBER_SLIDER (self));

  adopt (self, value);
  show (self, is_mixed);
}

gboolean
goban_number_slider_is_moving (GobanNumberSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_NUMBER_SLIDER (self), FALSE);

  return self->is_held || self->is_moved;
}

void
goban_number_slider_grab_focus (GobanNumberSlider *self)
{
  g_return_if_fail (GOBAN_IS_NUMBER_SLIDER (self));

  gtk_widget_grab_focus (self->slider);
}
