#include "ui/widgets/action-keys.h"

#include "ui/widgets/actions.h"

static void
add_numbered_accels (GtkApplication *application, const GobanActionInfo *info)
{
  g_auto (GStrv) accels = goban_action_split_keys (info->accels);

  for (guint k = 0; accels[k] != NULL; k++)
    {
      g_autofree char *name = g_strdup_printf ("win.%s(%u)", info->name, k + 1);
      const char *const one[] = { accels[k], NULL };

      gtk_application_set_accels_for_action (application, name, one);
    }
}

void
goban_actions_add_accels (GtkApplication *application)
{
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *name = goban_action_detailed_name (&actions[i]);
      g_auto (GStrv) accels = goban_action_split_keys (actions[i].accels);

      if (actions[i].is_numbered)
        add_numbered_accels (application, &actions[i]);
      else if (accels[0] != NULL)
        gtk_application_set_accels_for_action (application, name, (const char *const *) accels);
    }
}

static gboolean
is_text (GtkWidget *widget)
{
  return widget != NULL && (GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget));
}

/* For a controller of a window; @user_data: the name of an action. */
static gboolean
activate_wide_cb (GtkWidget *window, GVariant *target, gpointer user_data)
{
  if (is_text (gtk_window_get_focus (GTK_WINDOW (window))))
    return FALSE;

  return gtk_widget_activate_action_variant (window, user_data, target);
}

/* A character, as opposed to keys that move the focus, scroll or press a button. */
static gboolean
is_character (const char *key)
{
  guint keyval;
  GdkModifierType modifiers;

  return gtk_accelerator_parse (key, &keyval, &modifiers)
         && (modifiers & ~(GdkModifierType) GDK_SHIFT_MASK) == 0
         && g_unichar_isgraph (gdk_keyval_to_unicode (keyval));
}

typedef enum
{
  KEYS_ALL,
  KEYS_WIDE,       /* left to text that has the focus */
  KEYS_CHARACTERS, /* others are not added */
} KeySet;

/* Adds a row's @keys to a controller. */
static void
add_shortcuts (GtkEventController *controller, const GobanActionInfo *info, const char *keys,
               KeySet set)
{
  g_autofree char *name = g_strconcat ("win.", info->name, NULL);
  g_auto (GStrv) each = goban_action_split_keys (keys);

  /* Menus show the key that was added last, which is to be the row's first. */
  for (guint k = g_strv_length (each); k-- > 0;)
    {
      GtkShortcutAction *action;
      GtkShortcut *shortcut;

      if (set == KEYS_CHARACTERS && !is_character (each[k]))
        continue;
      action = set == KEYS_WIDE
                   ? gtk_callback_action_new (activate_wide_cb, g_strdup (name), g_free)
                   : gtk_named_action_new (name);
      shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (each[k]), action);
      if (info->is_numbered)
        gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 ((gint32) k + 1));
      if (info->target != NULL)
        {
          g_autoptr (GVariant) target = g_variant_parse (NULL, info->target, NULL, NULL, NULL);

          gtk_shortcut_set_arguments (shortcut, target);
        }
      gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
}

static void
add_controller (GtkWidget *widget, KeySet set)
{
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < n; i++)
    add_shortcuts (controller, &actions[i], set == KEYS_WIDE ? actions[i].wide : actions[i].keys,
                   set);
  gtk_widget_add_controller (widget, controller);
}

void
goban_actions_add_keys (GtkWidget *picture)
{
  add_controller (picture, KEYS_ALL);
}

void
goban_actions_add_character_keys (GtkWidget *pane)
{
  add_controller (pane, KEYS_CHARACTERS);
}

void
goban_actions_add_wide_keys (GtkWidget *window)
{
  add_controller (window, KEYS_WIDE);
}
