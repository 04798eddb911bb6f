#include "ui/shell/number-slider.h"

#include "engine/base/i18n.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Keys settle when they rest: each step alone would be a change to undo. */
#define REST_MS 500
#define STEP 0.02
#define PAGE 0.1
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

  GtkWidget *box;
  GtkAdjustment *place;
  GtkWidget *slider;
  GtkWidget *spin;
  GtkWidget *was;
  GtkWidget *reset;
};

enum
{
  MOVED,
  SETTLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanNumberSlider, goban_number_slider, GTK_TYPE_WIDGET)

/* --- what it shows ---------------------------------------------------------------------------- */

static void
show (GobanNumberSlider *self, gboolean is_mixed)
{
  gboolean is_changed = self->value != self->scale.origin || is_mixed;
  char value[GOBAN_QUANTITY_LEN], origin[GOBAN_QUANTITY_LEN];
  g_autofree char *was = NULL;

  goban_number_format (self->scale.unit, value, self->value);
  was = g_strdup_printf (_ ("%swas %s"), is_mixed ? "mixed, " : "",
                         goban_number_format (self->scale.unit, origin, self->scale.origin));
  gtk_label_set_text (GTK_LABEL (self->was), is_changed ? was : "");
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
  gtk_adjustment_set_value (self->place, goban_number_scale_get_place (&self->scale, value));
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
  g_signal_emit (self, signals[SETTLED], 0, self->value);
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
  g_signal_emit (self, signals[MOVED], 0, value);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (!self->is_held)
    self->rest_id = g_timeout_add (REST_MS, rest_cb, self);
}

static void
place_changed_cb (GobanNumberSlider *self)
{
  if (!self->is_setting)
    move_to (self,
             goban_number_scale_get_value (&self->scale, gtk_adjustment_get_value (self->place)));
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

/* The wheel is for the list it is in: a value must not change because something was scrolled past. */
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
  double shown
      = self->is_setting
            ? self->value
            : goban_number_scale_get_value (&self->scale, gtk_adjustment_get_value (self->place));

  goban_number_format (self->scale.unit, text, shown);
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
input_cb (GtkSpinButton *spin, double *place, GobanNumberSlider *self)
{
  char text[GOBAN_QUANTITY_LEN];
  double value;

  goban_number_format (self->scale.unit, text, self->value);
  /* What stands there unchanged has been rounded. */
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), text) == 0)
    value = self->value;
  else if (!goban_number_parse (self->scale.unit, gtk_editable_get_text (GTK_EDITABLE (spin)),
                                &value))
    return GTK_INPUT_ERROR;
  *place = goban_number_scale_get_place (&self->scale, value);
  return TRUE;
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_number_slider_dispose (GObject *object)
{
  GobanNumberSlider *self = GOBAN_NUMBER_SLIDER (object);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->owner, g_free);

  G_OBJECT_CLASS (goban_number_slider_parent_class)->dispose (object);
}

static void
goban_number_slider_class_init (GobanNumberSliderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_number_slider_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "numberslider");
  signals[MOVED] = g_signal_new ("moved", GOBAN_TYPE_NUMBER_SLIDER, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  signals[SETTLED] = g_signal_new ("settled", GOBAN_TYPE_NUMBER_SLIDER, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void
watch (GobanNumberSlider *self, GtkWidget *widget)
{
  GtkEventController *raw = gtk_event_controller_legacy_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_event_controller_set_propagation_phase (raw, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  g_signal_connect (raw, "event", G_CALLBACK (event_cb), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, raw);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, focus);
}

static void
goban_number_slider_init (GobanNumberSlider *self)
{
  self->place = gtk_adjustment_new (0, 0, 1, STEP, PAGE, 0);
  self->slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->place);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_set_hexpand (self->slider, TRUE);
  self->spin = gtk_spin_button_new (self->place, 0, 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->spin), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->spin), 8);
  gtk_widget_add_css_class (self->spin, "numeric");
  self->was = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->was), 0.0);
  gtk_label_set_ellipsize (GTK_LABEL (self->was), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->was, "note");
  gtk_widget_set_hexpand (self->was, TRUE);
  self->reset = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_add_css_class (self->reset, "flat");
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_cb), self);
  watch (self, self->slider);
  watch (self, self->spin);
}

static void
name_parts (GobanNumberSlider *self)
{
  g_autofree char *name = g_strdup_printf (_ ("%s of %s"), self->title, self->owner);
  g_autofree char *typed = g_strdup_printf (_ ("%s, as text"), name);
  g_autofree char *back = g_strdup_printf (_ ("%s as it was"), name);

  goban_set_accessible_label (self->slider, name);
  goban_set_accessible_label (self->spin, typed);
  goban_set_accessible_label (self->reset, back);
  gtk_widget_set_tooltip_text (self->reset, _ ("Reset"));
}

GtkWidget *
goban_number_slider_new (const char *title, const char *owner, const GobanNumberScale *scale)
{
  GobanNumberSlider *self = g_object_new (GOBAN_TYPE_NUMBER_SLIDER, NULL);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *label = gtk_label_new (title);

  self->title = g_strdup (title);
  self->owner = g_strdup (owner);
  self->scale = *scale;
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->slider);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), self->was);
  gtk_box_append (GTK_BOX (line), self->spin);
  gtk_box_append (GTK_BOX (below), self->slider);
  gtk_box_append (GTK_BOX (below), self->reset);
  gtk_box_append (GTK_BOX (self->box), line);
  gtk_box_append (GTK_BOX (self->box), below);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_scale_add_mark (GTK_SCALE (self->slider), goban_number_scale_get_place (scale, scale->origin),
                      GTK_POS_BOTTOM, NULL);
  name_parts (self);
  g_signal_connect (self->spin, "output", G_CALLBACK (output_cb), self);
  g_signal_connect (self->spin, "input", G_CALLBACK (input_cb), self);
  g_signal_connect_object (self->place, "value-changed", G_CALLBACK (place_changed_cb), self,
                           G_CONNECT_SWAPPED);
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

GtkWidget *
goban_number_slider_get_scale (GobanNumberSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_NUMBER_SLIDER (self), NULL);

  return self->slider;
}

GtkWidget *
goban_number_slider_get_reset (GobanNumberSlider *self)
{
  g_return_val_if_fail (GOBAN_IS_NUMBER_SLIDER (self), NULL);

  return self->reset;
}
