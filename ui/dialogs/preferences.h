/* preferences.h: preferences window; every choice applies at once. */
#pragma once

#include "ui/widgets/settings.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_PREFERENCES (goban_preferences_get_type ())
G_DECLARE_FINAL_TYPE (GobanPreferences, goban_preferences, GOBAN, PREFERENCES, GtkWindow)

/* @changed: called with @user_data after each choice; the key is already set. The window exists
 * until it is closed. */
typedef void (*GobanPreferencesFunc) (const char *key, gpointer user_data);
GtkWindow *goban_preferences_new (GtkWindow *parent, GobanSettings *settings,
                                  GobanPreferencesFunc changed,
                                  gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/* Reads the desktop's colour scheme from its portal, without blocking. @answer gets TRUE for dark,
 * first and after every change, until the returned object is dropped; it is never called if there
 * is no portal. (transfer full) */
typedef void (*GobanSchemeFunc) (gboolean is_dark, gpointer user_data);
GObject *goban_scheme_watch (GobanSchemeFunc answer, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

void goban_scheme_drop (GObject *watch);
