/* shortcuts-window.h: window with the keys of all commands, by group, and a search. */
#pragma once

#include "ui/widgets/search-window.h"

/* A GobanSearchWindow. */
GtkWidget *goban_shortcuts_window_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;
