#include "ui/widgets/context-menu.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/signals.h"

/* (transfer full) */
static GMenuModel *
make_menu (const char *const *actions)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) part = g_menu_new ();

  for (guint i = 0; actions[i] != NULL; i++)
    {
      const GobanActionInfo *info = goban_action_find (actions[i]);
      g_autofree char *name = info != NULL ? goban_action_detailed_name (info) : NULL;

      if (name != NULL)
        {
          g_menu_append (part, _ (info->label), name);
          continue;
        }
      g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
      g_object_unref (part);
      part = g_menu_new ();
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
  return G_MENU_MODEL (menu);
}

static gboolean
drop_cb (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  g_object_unref (popover);
  return G_SOURCE_REMOVE;
}

/* Not at once: the command of the menu is activated after it has closed. */
static void
closed_cb (GtkWidget *popover)
{
  g_idle_add (drop_cb, g_object_ref (popover));
}

static void
destroy_cb (GtkWidget *popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
}

/* The selection may be out of sight, and GDK finds no monitor for a place beside the screen. */
static GdkRectangle
clamp_to (GtkWidget *widget, const GdkRectangle *at)
{
  int width = MAX (gtk_widget_get_width (widget), 1);
  int height = MAX (gtk_widget_get_height (widget), 1);
  int left = CLAMP (at->x, 0, width - 1), top = CLAMP (at->y, 0, height - 1);
  int right = CLAMP (at->x + at->width, left + 1, MAX (width, left + 1));
  int bottom = CLAMP (at->y + at->height, top + 1, MAX (height, top + 1));

  return (GdkRectangle){ left, top, right - left, bottom - top };
}

void
goban_context_menu_open (GtkWidget *widget, const char *const *actions, const GdkRectangle *at)
{
  g_autoptr (GMenuModel) menu = make_menu (actions);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  GdkRectangle shown = clamp_to (widget, at);

  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &shown);
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  GOBAN_CONNECT (widget, "destroy", destroy_cb, popover);
  gtk_popover_popup (GTK_POPOVER (popover));
}

typedef void (*OpenFunc) (GtkWidget *widget);

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, OpenFunc open)
{
  gboolean is_shifted = (modifiers & gtk_accelerator_get_default_mod_mask ()) == GDK_SHIFT_MASK;

  if (keyval != GDK_KEY_Menu && !(keyval == GDK_KEY_F10 && is_shifted))
    return GDK_EVENT_PROPAGATE;
  open (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)));
  return GDK_EVENT_STOP;
}

void
goban_context_menu_add_keys (GtkWidget *widget, void (*open) (GtkWidget *widget))
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed_cb), (gpointer) open);
  gtk_widget_add_controller (widget, controller);
}
