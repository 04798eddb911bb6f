/* application.h: the graphical application: options, files to open, one session per window. */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_APPLICATION_ID "org.goban.Goban"

#define GOBAN_TYPE_APPLICATION (goban_application_get_type ())
G_DECLARE_FINAL_TYPE (GobanApplication, goban_application, GOBAN, APPLICATION, GtkApplication)

/* With GOBAN_NON_UNIQUE in the environment, windows are never opened in another process. */
GobanApplication *goban_application_new (void) G_GNUC_WARN_UNUSED_RESULT;
