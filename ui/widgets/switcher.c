#include "ui/widgets/switcher.h"

#include "ui/widgets/focus-group.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

struct _GobanSwitcher
{
  GtkWidget parent;

  GtkWidget *toggles;
  GtkWidget *button;
  GMenu *menu;
  gboolean is_folded;
};

static void goban_switcher_buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GobanSwitcher, goban_switcher, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE,
                                                      goban_switcher_buildable_init))

/* --- the place -------------------------------------------------------------------------------- */

static int
measure_child (GtkWidget *child, GtkOrientation orientation)
{
  int least;

  gtk_widget_measure (child, orientation, -1, &least, NULL, NULL, NULL);
  return least;
}

static void
goban_switcher_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  GobanSwitcher *self = GOBAN_SWITCHER (widget);
  int toggles = measure_child (self->toggles, orientation);
  int button = measure_child (self->button, orientation);

  *minimum
      = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN (toggles, button) : MAX (toggles, button);
  *natural = self->is_folded ? *minimum : MAX (toggles, *minimum);
}

static void
goban_switcher_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanSwitcher *self = GOBAN_SWITCHER (widget);
  gboolean fits = measure_child (self->toggles, GTK_ORIENTATION_HORIZONTAL) <= width;
  GtkWidget *child = fits ? self->toggles : self->button;
  int least = measure_child (child, GTK_ORIENTATION_VERTICAL);
  int used = fits ? width : MIN (measure_child (child, GTK_ORIENTATION_HORIZONTAL), width);

  gtk_widget_set_child_visible (self->toggles, fits);
  gtk_widget_set_child_visible (self->button, !fits);
  gtk_widget_size_allocate (
      child, &(GdkRectangle){ (width - used) / 2, (height - least) / 2, used, least }, -1);
}

/* --- choices ---------------------------------------------------------------------------------- */

static void
toggled_cb (GobanSwitcher *self, GParamSpec *pspec, GtkToggleButton *toggle)
{
  const char *label = gtk_button_get_label (GTK_BUTTON (toggle));

  if (!gtk_toggle_button_get_active (toggle))
    return;
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
  goban_set_accessible_label (self->button, label);
}

void
goban_switcher_add (GobanSwitcher *self, GtkWidget *toggle)
{
  g_autoptr (GMenuItem) item = NULL;

  g_return_if_fail (GOBAN_IS_SWITCHER (self) && GTK_IS_TOGGLE_BUTTON (toggle));

  item = g_menu_item_new (gtk_button_get_label (GTK_BUTTON (toggle)), NULL);
  g_menu_item_set_action_and_target_value (
      item, gtk_actionable_get_action_name (GTK_ACTIONABLE (toggle)),
      gtk_actionable_get_action_target_value (GTK_ACTIONABLE (toggle)));
  g_menu_append_item (self->menu, item);
  GOBAN_CONNECT (toggle, "notify::active", toggled_cb, self);
  gtk_box_append (GTK_BOX (self->toggles), toggle);
  toggled_cb (self, NULL, GTK_TOGGLE_BUTTON (toggle));
}

static void
goban_switcher_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child,
                          const char *type)
{
  goban_switcher_add (GOBAN_SWITCHER (buildable), GTK_WIDGET (child));
}

void
goban_switcher_set_folded (GobanSwitcher *self, gboolean is_folded)
{
  g_return_if_fail (GOBAN_IS_SWITCHER (self));

  if (self->is_folded == is_folded)
    return;
  self->is_folded = is_folded;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
goban_switcher_dispose (GObject *object)
{
  GobanSwitcher *self = GOBAN_SWITCHER (object);

  g_clear_pointer (&self->toggles, gtk_widget_unparent);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->menu);
  G_OBJECT_CLASS (goban_switcher_parent_class)->dispose (object);
}

static void
goban_switcher_class_init (GobanSwitcherClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_switcher_dispose;
  widget_class->measure = goban_switcher_measure;
  widget_class->size_allocate = goban_switcher_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "switcher");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
goban_switcher_buildable_init (GtkBuildableIface *iface)
{
  iface->add_child = goban_switcher_add_child;
}

static void
goban_switcher_init (GobanSwitcher *self)
{
  self->menu = g_menu_new ();
  self->toggles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->button = gtk_menu_button_new ();
  gtk_widget_add_css_class (self->toggles, "linked");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), G_MENU_MODEL (self->menu));
  goban_focus_group_make (self->toggles);
  gtk_widget_set_parent (self->toggles, GTK_WIDGET (self));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}
