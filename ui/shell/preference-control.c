#include "ui/shell/preference-control.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "ui/dialogs/preferences.h"

struct _GobanPreferenceControl
{
  GObject parent;

  GobanSite site;
  GobanFiles *files;
  GobanRecentMenu *recent;
  GtkWidget *dialog; /* the open preferences window, else NULL */
  GObject *scheme;   /* (nullable): while the colours are the system's */
};

G_DEFINE_FINAL_TYPE (GobanPreferenceControl, goban_preference_control, G_TYPE_OBJECT)

static void
set_dark (GobanPreferenceControl *self, gboolean is_dark)
{
  if (goban_site_get_toggle (&self->site, GOBAN_SETTING_DARK) != is_dark)
    goban_site_set_toggle (&self->site, GOBAN_SETTING_DARK, is_dark);
}

static void
scheme_cb (gboolean is_dark, gpointer user_data)
{
  set_dark (user_data, is_dark);
}

static void
apply_theme (GobanPreferenceControl *self)
{
  g_clear_pointer (&self->scheme, goban_scheme_drop);
  if (goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    self->scheme = goban_scheme_watch (scheme_cb, self);
  else
    set_dark (self, goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_DARK));
}

/* One size for all consoles of the program. */
static void
apply_font (GobanPreferenceControl *self)
{
  static GtkCssProvider *style = NULL;
  g_autofree char *css
      = g_strdup_printf ("console { font-size: %dpt; }",
                         goban_settings_get_int (self->site.settings, GOBAN_SETTING_CONSOLE_FONT));

  if (style == NULL)
    {
      style = gtk_css_provider_new ();
      gtk_style_context_add_provider_for_display (
          gtk_widget_get_display (GTK_WIDGET (self->site.window)), GTK_STYLE_PROVIDER (style),
          GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
    }
  gtk_css_provider_load_from_data (style, css, -1);
}

static void
preference_cb (const char *key, gpointer user_data)
{
  GobanPreferenceControl *self = user_data;

  if (g_str_equal (key, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  else if (g_str_equal (key, GOBAN_SETTING_CONSOLE_FONT))
    apply_font (self);
  else if (g_str_equal (key, GOBAN_SETTING_AUTOSAVE))
    goban_files_update_autosave (self->files);
  else if (g_str_equal (key, GOBAN_SETTING_RECENT_LIMIT))
    goban_recent_menu_update (self->recent);
}

/* A window that remembers nothing has no preferences. */
static void
follow_preferences (GobanPreferenceControl *self)
{
  if (self->site.settings == NULL)
    return;
  if (goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  apply_font (self);
}

static void
show_preferences (GobanPreferenceControl *self, GVariant *parameter)
{
  if (self->site.settings == NULL)
    {
      goban_session_say (self->site.session, FALSE, "This window remembers no preferences");
      return;
    }
  if (self->dialog == NULL)
    {
      self->dialog = GTK_WIDGET (goban_preferences_new (GTK_WINDOW (self->site.window),
                                                        self->site.settings, preference_cb, self));
      g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
    }
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static const GobanCommand commands[] = {
  { "preferences", G_CALLBACK (show_preferences) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_preference_control_dispose (GObject *object)
{
  GobanPreferenceControl *self = GOBAN_PREFERENCE_CONTROL (object);

  g_clear_pointer (&self->scheme, goban_scheme_drop);
  goban_site_drop_dialog (&self->dialog);

  G_OBJECT_CLASS (goban_preference_control_parent_class)->dispose (object);
}

static void
goban_preference_control_class_init (GobanPreferenceControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_preference_control_dispose;
}

static void
goban_preference_control_init (GobanPreferenceControl *self)
{
}

GobanPreferenceControl *
goban_preference_control_new (const GobanSite *site, GobanFiles *files, GobanRecentMenu *recent)
{
  GobanPreferenceControl *self = g_object_new (GOBAN_TYPE_PREFERENCE_CONTROL, NULL);

  self->site = *site;
  self->files = files;
  self->recent = recent;
  follow_preferences (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
