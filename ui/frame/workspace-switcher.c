#include "ui/frame/workspace-switcher.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/text.h"

struct _GobanWorkspaceSwitcher
{
  GtkWidget parent;

  GtkWidget *toggles;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (GobanWorkspaceSwitcher, goban_workspace_switcher, GTK_TYPE_WIDGET)

static const struct
{
  const char *name;
  const char *label;
} workspaces[] = {
  { "explore", N_ ("Explore") }, { "decisions", N_ ("Decisions") }, { "compare", N_ ("Compare") },
  { "train", N_ ("Train") },     { "script", N_ ("Script") },
};

/* --- the place -------------------------------------------------------------------------------- */

static int
measure_child (GtkWidget *child, GtkOrientation orientation)
{
  int least;

  gtk_widget_measure (child, orientation, -1, &least, NULL, NULL, NULL);
  return least;
}

static void
goban_workspace_switcher_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                  int *minimum, int *natural, int *minimum_baseline,
                                  int *natural_baseline)
{
  GobanWorkspaceSwitcher *self = GOBAN_WORKSPACE_SWITCHER (widget);
  int toggles = measure_child (self->toggles, orientation);
  int button = measure_child (self->button, orientation);

  *minimum
      = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN (toggles, button) : MAX (toggles, button);
  *natural = MAX (toggles, *minimum);
}

static void
goban_workspace_switcher_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanWorkspaceSwitcher *self = GOBAN_WORKSPACE_SWITCHER (widget);
  gboolean fits = measure_child (self->toggles, GTK_ORIENTATION_HORIZONTAL) <= width;
  GtkWidget *child = fits ? self->toggles : self->button;
  int least = measure_child (child, GTK_ORIENTATION_VERTICAL);

  gtk_widget_set_child_visible (self->toggles, fits);
  gtk_widget_set_child_visible (self->button, !fits);
  gtk_widget_size_allocate (child, &(GdkRectangle){ 0, (height - least) / 2, width, least }, -1);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
add_toggles (GobanWorkspaceSwitcher *self)
{
  gsize n;
  const GobanActionInfo *infos = goban_actions (&n);
  guint k = 0;

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (infos[i].name, "workspace"))
      {
        GtkWidget *toggle = gtk_toggle_button_new_with_label (_ (workspaces[k].label));
        g_autofree char *keys = goban_action_dup_keys (&infos[i]);
        g_autofree char *tooltip = g_strdup_printf ("%s (%s)", _ (infos[i].help), keys);

        gtk_actionable_set_action_name (GTK_ACTIONABLE (toggle), "win.workspace");
        gtk_actionable_set_action_target (GTK_ACTIONABLE (toggle), "s", workspaces[k].name);
        goban_set_tooltip (toggle, tooltip);
        gtk_box_append (GTK_BOX (self->toggles), toggle);
        k++;
      }
  g_assert (k == G_N_ELEMENTS (workspaces));
}

static void
add_menu (GobanWorkspaceSwitcher *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (workspaces); i++)
    {
      g_autofree char *action = g_strdup_printf ("win.workspace('%s')", workspaces[i].name);

      g_menu_append (menu, _ (workspaces[i].label), action);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), G_MENU_MODEL (menu));
}

static void
goban_workspace_switcher_dispose (GObject *object)
{
  GobanWorkspaceSwitcher *self = GOBAN_WORKSPACE_SWITCHER (object);

  g_clear_pointer (&self->toggles, gtk_widget_unparent);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS (goban_workspace_switcher_parent_class)->dispose (object);
}

static void
goban_workspace_switcher_class_init (GobanWorkspaceSwitcherClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_workspace_switcher_dispose;
  widget_class->measure = goban_workspace_switcher_measure;
  widget_class->size_allocate = goban_workspace_switcher_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "workspaces");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
goban_workspace_switcher_init (GobanWorkspaceSwitcher *self)
{
  self->toggles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->button = gtk_menu_button_new ();
  gtk_widget_add_css_class (self->toggles, "linked");
  add_toggles (self);
  add_menu (self);
  goban_focus_group_make (self->toggles);
  gtk_widget_set_parent (self->toggles, GTK_WIDGET (self));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  goban_set_accessible_label (GTK_WIDGET (self), _ ("Workspace"));
  goban_set_tooltip (self->button, _ ("Workspace"));
  goban_workspace_switcher_set_current (self, workspaces[0].name);
}

GtkWidget *
goban_workspace_switcher_new (void)
{
  return g_object_new (GOBAN_TYPE_WORKSPACE_SWITCHER, NULL);
}

void
goban_workspace_switcher_set_current (GobanWorkspaceSwitcher *self, const char *workspace)
{
  for (gsize i = 0; i < G_N_ELEMENTS (workspaces); i++)
    if (g_str_equal (workspaces[i].name, workspace))
      {
        gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _ (workspaces[i].label));
        goban_set_accessible_label (self->button, _ (workspaces[i].label));
      }
}
