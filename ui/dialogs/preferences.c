#include "ui/dialogs/preferences.h"

#include "ui/widgets/template.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define COLOR_SCHEME "color-scheme"
#define PREFERS_DARK 1

struct _GobanPreferences
{
  GtkWindow parent;

  GobanSettings *settings;
  GobanPreferencesFunc changed; /* NULL until the controls show the settings */
  gpointer user_data;

  GtkWidget *theme;
  GtkWidget *font_size;
  GtkWidget *autosave;
  GtkWidget *recent_limit;
};

G_DEFINE_FINAL_TYPE (GobanPreferences, goban_preferences, GTK_TYPE_WINDOW)

enum
{
  THEME_SYSTEM,
  THEME_LIGHT,
  THEME_DARK
};

static void
theme_cb (GobanPreferences *self)
{
  guint theme = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->theme));

  if (self->changed == NULL)
    return;
  goban_settings_set_boolean (self->settings, GOBAN_SETTING_FOLLOW_SYSTEM, theme == THEME_SYSTEM);
  if (theme != THEME_SYSTEM)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_DARK, theme == THEME_DARK);
  self->changed (GOBAN_SETTING_FOLLOW_SYSTEM, self->user_data);
}

/* The name of a control is the key of its setting. */
static void
switch_cb (GobanPreferences *self, GParamSpec *pspec, GtkWidget *control)
{
  const char *key = gtk_widget_get_name (control);

  if (self->changed == NULL)
    return;
  goban_settings_set_boolean (self->settings, key, gtk_switch_get_active (GTK_SWITCH (control)));
  self->changed (key, self->user_data);
}

static void
number_cb (GobanPreferences *self, GtkSpinButton *control)
{
  const char *key = gtk_widget_get_name (GTK_WIDGET (control));

  if (self->changed == NULL)
    return;
  goban_settings_set_int (self->settings, key, gtk_spin_button_get_value_as_int (control));
  self->changed (key, self->user_data);
}

static void
show_settings (GobanPreferences *self)
{
  GobanSettings *settings = self->settings;
  guint theme
      = goban_settings_get_boolean (settings, GOBAN_SETTING_DARK) ? THEME_DARK : THEME_LIGHT;

  if (goban_settings_get_boolean (settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    theme = THEME_SYSTEM;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->theme), theme);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->font_size),
                             goban_settings_get_int (settings, GOBAN_SETTING_CONSOLE_FONT));
  gtk_switch_set_active (GTK_SWITCH (self->autosave),
                         goban_settings_get_boolean (settings, GOBAN_SETTING_AUTOSAVE));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->recent_limit),
                             goban_settings_get_int (settings, GOBAN_SETTING_RECENT_LIMIT));
}

static void
goban_preferences_class_init (GobanPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "dialogs/preferences.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanPreferences, theme, font_size, autosave,
                           recent_limit);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, theme_cb, switch_cb, number_cb);
}

static void
goban_preferences_init (GobanPreferences *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWindow *
goban_preferences_new (GtkWindow *parent, GobanSettings *settings, GobanPreferencesFunc changed,
                       gpointer user_data)
{
  GobanPreferences *self = g_object_new (GOBAN_TYPE_PREFERENCES, "transient-for", parent, NULL);

  self->settings = settings;
  show_settings (self);
  self->changed = changed;
  self->user_data = user_data;
  return GTK_WINDOW (self);
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
