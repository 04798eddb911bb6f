#include "ui/shell/preferences.h"

#include "engine/base/i18n.h"
#include "ui/widgets/text.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define COLOR_SCHEME "color-scheme"
#define PREFERS_DARK 1

/* What the window holds, and what its controls change. */
typedef struct
{
  GobanSettings *settings;
  GobanPreferencesFunc changed;
  gpointer user_data;
} Preferences;

enum
{
  THEME_SYSTEM,
  THEME_LIGHT,
  THEME_DARK
};

static void
theme_cb (GtkDropDown *choice, GParamSpec *pspec, Preferences *self)
{
  guint theme = gtk_drop_down_get_selected (choice);

  goban_settings_set_boolean (self->settings, GOBAN_SETTING_FOLLOW_SYSTEM, theme == THEME_SYSTEM);
  if (theme != THEME_SYSTEM)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_DARK, theme == THEME_DARK);
  self->changed (GOBAN_SETTING_FOLLOW_SYSTEM, self->user_data);
}

static void
switch_cb (GtkSwitch *control, GParamSpec *pspec, Preferences *self)
{
  const char *key = gtk_widget_get_name (GTK_WIDGET (control));

  goban_settings_set_boolean (self->settings, key, gtk_switch_get_active (control));
  self->changed (key, self->user_data);
}

static void
number_cb (GtkSpinButton *control, Preferences *self)
{
  const char *key = gtk_widget_get_name (GTK_WIDGET (control));

  goban_settings_set_int (self->settings, key, gtk_spin_button_get_value_as_int (control));
  self->changed (key, self->user_data);
}

static GtkWidget *
new_theme (Preferences *self)
{
  const char *const themes[] = { _ ("As the system"), _ ("Light"), _ ("Dark"), NULL };
  GtkWidget *choice = gtk_drop_down_new_from_strings (themes);
  guint theme
      = goban_settings_get_boolean (self->settings, GOBAN_SETTING_DARK) ? THEME_DARK : THEME_LIGHT;

  if (goban_settings_get_boolean (self->settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    theme = THEME_SYSTEM;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), theme);
  g_signal_connect (choice, "notify::selected", G_CALLBACK (theme_cb), self);
  return choice;
}

static GtkWidget *
new_switch (Preferences *self, const char *key)
{
  GtkWidget *control = gtk_switch_new ();

  gtk_widget_set_name (control, key);
  gtk_switch_set_active (GTK_SWITCH (control), goban_settings_get_boolean (self->settings, key));
  g_signal_connect (control, "notify::active", G_CALLBACK (switch_cb), self);
  return control;
}

static GtkWidget *
new_number (Preferences *self, const char *key, int min, int max)
{
  GtkWidget *control = gtk_spin_button_new_with_range (min, max, 1);

  gtk_widget_set_name (control, key);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (control),
                             goban_settings_get_int (self->settings, key));
  g_signal_connect (control, "value-changed", G_CALLBACK (number_cb), self);
  return control;
}

GtkWindow *
goban_preferences_new (GtkWindow *parent, GobanSettings *settings, GobanPreferencesFunc changed,
                       gpointer user_data)
{
  GtkWindow *window
      = g_object_new (GTK_TYPE_WINDOW, "title", _ ("Preferences"), "transient-for", parent,
                      "destroy-with-parent", TRUE, "resizable", FALSE, "default-width", 420, NULL);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());
  GtkEventController *keys = gtk_shortcut_controller_new ();
  Preferences *self = g_new0 (Preferences, 1);

  *self = (Preferences){ settings, changed, user_data };
  g_object_set_data_full (G_OBJECT (window), "goban-preferences", self, g_free);
  gtk_grid_set_row_spacing (grid, 14);
  gtk_grid_set_column_spacing (grid, 24);
  gtk_widget_set_margin_top (GTK_WIDGET (grid), 20);
  gtk_widget_set_margin_bottom (GTK_WIDGET (grid), 20);
  gtk_widget_set_margin_start (GTK_WIDGET (grid), 20);
  gtk_widget_set_margin_end (GTK_WIDGET (grid), 20);
  goban_attach_control (grid, 0, _ ("_Colours"), new_theme (self));
  goban_attach_control (grid, 1, _ ("_Console font size (pt)"),
                        new_number (self, GOBAN_SETTING_CONSOLE_FONT, 7, 24));
  goban_attach_control (grid, 2, _ ("_Save recovery files"),
                        new_switch (self, GOBAN_SETTING_AUTOSAVE));
  goban_attach_control (grid, 3, _ ("_Recent files"),
                        new_number (self, GOBAN_SETTING_RECENT_LIMIT, 0, 9));
  gtk_window_set_child (window, GTK_WIDGET (grid));

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
  return window;
}

/* --- the desktop's preference ----------------------------------------------------------------- */

typedef struct
{
  GobanSchemeFunc answer;
  gpointer user_data;
  GDBusConnection *bus; /* (nullable) */
  guint signal_id;
} Scheme;

static void
tell (Scheme *self, GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *next = g_variant_get_variant (inner);

      g_variant_unref (inner);
      inner = next;
    }
  if (self->answer != NULL && g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    self->answer (g_variant_get_uint32 (inner) == PREFERS_DARK, self->user_data);
}

static void
setting_changed_cb (GDBusConnection *bus, const char *sender, const char *path,
                    const char *interface, const char *signal, GVariant *parameters,
                    gpointer user_data)
{
  g_autoptr (GVariant) value = NULL;
  const char *space, *key;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&s@v)", &space, &key, &value);
  if (g_str_equal (space, APPEARANCE) && g_str_equal (key, COLOR_SCHEME))
    tell (user_data, value);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GObject) handle = user_data;
  Scheme *self = g_object_get_data (handle, "goban-scheme");
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result,
                                                              NULL); /* no portal, no answer */
  g_autoptr (GVariant) value = NULL;

  if (reply == NULL)
    return;
  value = g_variant_get_child_value (reply, 0);
  tell (self, value);
}

static void
scheme_free (gpointer data)
{
  Scheme *self = data;

  if (self->signal_id != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->signal_id);
  g_clear_object (&self->bus);
  g_free (self);
}

GObject *
goban_scheme_watch (GobanSchemeFunc answer, gpointer user_data)
{
  GObject *handle = g_object_new (G_TYPE_OBJECT, NULL);
  Scheme *self = g_new0 (Scheme, 1);

  *self = (Scheme){ .answer = answer, .user_data = user_data };
  g_object_set_data_full (handle, "goban-scheme", self, scheme_free);
  /* The bus that the application has joined already: no waiting. */
  self->bus = g_application_get_default () != NULL
                  ? g_application_get_dbus_connection (g_application_get_default ())
                  : NULL;
  if (self->bus == NULL)
    return handle;
  g_object_ref (self->bus);
  self->signal_id = g_dbus_connection_signal_subscribe (
      self->bus, PORTAL, PORTAL_SETTINGS, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, setting_changed_cb, self, NULL);
  g_dbus_connection_call (self->bus, PORTAL, PORTAL_PATH, PORTAL_SETTINGS, "Read",
                          g_variant_new ("(ss)", APPEARANCE, COLOR_SCHEME), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, 2000, NULL, read_cb, g_object_ref (handle));
  return handle;
}

/* A pending answer is dropped. */
void
goban_scheme_drop (GObject *watch)
{
  Scheme *self = g_object_get_data (watch, "goban-scheme");

  self->answer = NULL;
  g_object_unref (watch);
}
