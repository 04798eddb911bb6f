/* window-preferences.c: application of each preference to the window. */
#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "engine/session/session-log.h"
#include "ui/shell/preferences.h"

static void
set_dark (GobanWindow *self, gboolean is_dark)
{
  if (goban_window_get_toggle (self, GOBAN_SETTING_DARK) != is_dark)
    g_action_group_change_action_state (G_ACTION_GROUP (self), GOBAN_SETTING_DARK,
                                        g_variant_new_boolean (is_dark));
}

static void
scheme_cb (gboolean is_dark, gpointer user_data)
{
  set_dark (user_data, is_dark);
}

static void
apply_theme (GobanWindow *self)
{
  g_clear_pointer (&self->scheme, goban_scheme_drop);
  if (goban_settings_get_boolean (self->settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    self->scheme = goban_scheme_watch (scheme_cb, self);
  else
    set_dark (self, goban_settings_get_boolean (self->settings, GOBAN_SETTING_DARK));
}

/* One size for all consoles of the program. */
static void
apply_font (GobanWindow *self)
{
  static GtkCssProvider *style = NULL;
  g_autofree char *css
      = g_strdup_printf ("console { font-size: %dpt; }",
                         goban_settings_get_int (self->settings, GOBAN_SETTING_CONSOLE_FONT));

  if (style == NULL)
    {
      style = gtk_css_provider_new ();
      gtk_style_context_add_provider_for_display (gtk_widget_get_display (GTK_WIDGET (self)),
                                                  GTK_STYLE_PROVIDER (style),
                                                  GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
    }
  gtk_css_provider_load_from_data (style, css, -1);
}

static void
preference_cb (const char *key, gpointer user_data)
{
  GobanWindow *self = user_data;

  if (g_str_equal (key, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  else if (g_str_equal (key, GOBAN_SETTING_CONSOLE_FONT))
    apply_font (self);
  else if (g_str_equal (key, GOBAN_SETTING_AUTOSAVE))
    goban_window_update_autosave (self);
  else if (g_str_equal (key, GOBAN_SETTING_RECENT_LIMIT))
    goban_window_update_recent (self);
}

/* A window that remembers nothing has no preferences. */
void
goban_window_follow_preferences (GobanWindow *self)
{
  if (self->settings == NULL)
    return;
  if (goban_settings_get_boolean (self->settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  apply_font (self);
}

void
goban_window_show_preferences (GobanWindow *self, GVariant *parameter)
{
  if (self->settings == NULL)
    {
      goban_session_say (self->session, FALSE, "This window remembers no preferences");
      return;
    }
  if (self->preferences == NULL)
    {
      self->preferences = GTK_WIDGET (
          goban_preferences_new (GTK_WINDOW (self), self->settings, preference_cb, self));
      g_object_add_weak_pointer (G_OBJECT (self->preferences), (gpointer *) &self->preferences);
    }
  gtk_window_present (GTK_WINDOW (self->preferences));
}

void
goban_window_drop_preferences (GobanWindow *self)
{
  g_clear_pointer (&self->scheme, goban_scheme_drop);
  if (self->preferences != NULL)
    gtk_window_destroy (GTK_WINDOW (self->preferences));
}
