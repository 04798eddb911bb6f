/* shortcuts-window.h: window with the keys of all commands, by group, and a search. */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_SHORTCUTS_WINDOW (goban_shortcuts_window_get_type ())
G_DECLARE_FINAL_TYPE (GobanShortcutsWindow, goban_shortcuts_window, GOBAN, SHORTCUTS_WINDOW,
                      GtkWindow)

GtkWidget *goban_shortcuts_window_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;
