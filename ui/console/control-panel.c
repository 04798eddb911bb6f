#include "ui/console/control-panel.h"

#include "engine/core/i18n.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define WIDTH 290

struct _GobanControlPanel
{
  GtkWidget parent;

  GobanControls *controls;
  GtkWidget *rows;
  gboolean is_following; /* widgets take a value, and do not give it */
};

G_DEFINE_FINAL_TYPE (GobanControlPanel, goban_control_panel, GTK_TYPE_WIDGET)

static guint
id_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "control"));
}

static void
set_id (gpointer object, guint id)
{
  g_object_set_data (object, "control", GUINT_TO_POINTER (id));
}

/* --- from widgets ----------------------------------------------------------------------------- */

static void
give (GobanControlPanel *self, gpointer object, double value)
{
  if (!self->is_following)
    goban_controls_set_value (self->controls, id_of (object), value);
}

static void
slid_cb (GtkAdjustment *adjustment, GobanControlPanel *self)
{
  give (self, adjustment, gtk_adjustment_get_value (adjustment));
}

static void
chosen_cb (GtkDropDown *choice, GParamSpec *property, GobanControlPanel *self)
{
  give (self, choice, gtk_drop_down_get_selected (choice));
}

static void
pressed_cb (GtkButton *button, GobanControlPanel *self)
{
  const GobanControl *control = goban_controls_find (self->controls, id_of (button));

  if (control != NULL)
    give (self, button, control->value + 1);
}

static void
clear_cb (GobanControlPanel *self)
{
  goban_controls_clear (self->controls);
}

/* --- rows ------------------------------------------------------------------------------------- */

static GtkWidget *
new_name (const char *name, GtkWidget *control)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), name);
  gtk_widget_set_hexpand (label, TRUE);
  goban_set_accessible_label (control, name);
  return label;
}

/* As many decimals as the step has. */
static guint
count_digits (double step)
{
  return (guint) CLAMP (ceil (-log10 (step) - 1e-9), 0, 6);
}

static GtkWidget *
new_slider (GobanControlPanel *self, const GobanControl *control)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (control->value, control->min, control->max,
                                                  control->step, 10 * control->step, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment);
  GtkWidget *spin = gtk_spin_button_new (adjustment, control->step, count_digits (control->step));

  set_id (adjustment, control->id);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (slid_cb), self, 0);
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (scale), (int) count_digits (control->step));
  goban_set_accessible_label (spin, control->name);
  gtk_widget_set_hexpand (scale, TRUE);
  gtk_box_append (GTK_BOX (line), scale);
  gtk_box_append (GTK_BOX (line), spin);
  gtk_box_append (GTK_BOX (box), new_name (control->name, scale));
  gtk_box_append (GTK_BOX (box), line);
  g_object_set_data (G_OBJECT (box), "adjustment", adjustment); /* the scale's */
  return box;
}

static GtkWidget *
new_choice (GobanControlPanel *self, const GobanControl *control)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *choice = gtk_drop_down_new_from_strings ((const char *const *) control->choices);

  set_id (choice, control->id);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), (guint) control->value);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (chosen_cb), self, 0);
  gtk_box_append (GTK_BOX (box), new_name (control->name, choice));
  gtk_box_append (GTK_BOX (box), choice);
  g_object_set_data (G_OBJECT (box), "choice", choice);
  return box;
}

static GtkWidget *
new_button (GobanControlPanel *self, const GobanControl *control)
{
  GtkWidget *button = gtk_button_new_with_label (control->name);

  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_signal_connect_object (button, "clicked", G_CALLBACK (pressed_cb), self, 0);
  return button;
}

static GtkWidget *
new_row (GobanControlPanel *self, const GobanControl *control)
{
  switch (control->kind)
    {
    case GOBAN_CONTROL_SLIDER:
      return new_slider (self, control);
    case GOBAN_CONTROL_CHOICE:
      return new_choice (self, control);
    case GOBAN_CONTROL_BUTTON:
      break;
    }
  return new_button (self, control);
}

/* --- from the session ------------------------------------------------------------------------- */

static GtkWidget *
find_row (GobanControlPanel *self, guint id)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  while (row != NULL && id_of (row) != id)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Rows of controls that are still there stay: one of them may be dragged. */
static void
changed_cb (GobanControlPanel *self)
{
  guint n = goban_controls_get_n (self->controls);
  GtkWidget *before = NULL, *row = gtk_widget_get_first_child (self->rows);

  while (row != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (row);

      if (goban_controls_find (self->controls, id_of (row)) == NULL)
        gtk_box_remove (GTK_BOX (self->rows), row);
      row = next;
    }
  for (guint i = 0; i < n; i++)
    {
      const GobanControl *control = goban_controls_get (self->controls, i);

      row = find_row (self, control->id);
      if (row == NULL)
        {
          row = new_row (self, control);
          set_id (row, control->id);
          gtk_box_insert_child_after (GTK_BOX (self->rows), row, before);
        }
      before = row;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

static void
moved_cb (GobanControls *controls, guint id, GobanControlPanel *self)
{
  const GobanControl *control = goban_controls_find (controls, id);
  GtkWidget *row = find_row (self, id);

  if (control == NULL || row == NULL)
    return;
  self->is_following = TRUE;
  if (control->kind == GOBAN_CONTROL_SLIDER)
    gtk_adjustment_set_value (g_object_get_data (G_OBJECT (row), "adjustment"), control->value);
  else if (control->kind == GOBAN_CONTROL_CHOICE)
    gtk_drop_down_set_selected (g_object_get_data (G_OBJECT (row), "choice"),
                                (guint) control->value);
  self->is_following = FALSE;
}

static void
goban_control_panel_dispose (GObject *object)
{
  GobanControlPanel *self = GOBAN_CONTROL_PANEL (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->controls);

  G_OBJECT_CLASS (goban_control_panel_parent_class)->dispose (object);
}

static void
goban_control_panel_class_init (GobanControlPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_control_panel_dispose;
  gtk_widget_class_set_css_name (widget_class, "controls");
  goban_template_set (widget_class, "console/control-panel.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanControlPanel, rows);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, clear_cb);
}

static void
goban_control_panel_init (GobanControlPanel *self)
{
  goban_template_init (GTK_WIDGET (self));
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, -1);
}

GtkWidget *
goban_control_panel_new (GobanControls *controls)
{
  GobanControlPanel *self = g_object_new (GOBAN_TYPE_CONTROL_PANEL, NULL);

  self->controls = g_object_ref (controls);
  GOBAN_CONNECT (controls, "changed", changed_cb, self);
  g_signal_connect_object (controls, "moved", G_CALLBACK (moved_cb), self, 0);
  changed_cb (self);
  return GTK_WIDGET (self);
}
