/* window.h: main window over one session.
 *
 * Panes observe the session and never each other; the window puts them in their places,
 * turns commands into calls of the session and remembers its own size. Main thread only.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/console/console-evaluator.h"
#include "ui/shell/settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_WINDOW (goban_window_get_type ())
G_DECLARE_FINAL_TYPE (GobanWindow, goban_window, GOBAN, WINDOW, GtkApplicationWindow)

/* What is linked into the program once: style, icons, types. Call after GTK has started. */
void goban_ui_init (void);

/* @settings (nullable): NULL for a window that remembers nothing. */
GobanWindow *goban_window_new (GtkApplication *application, GobanSession *session,
                               GobanSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

GobanSession *goban_window_get_session (GobanWindow *self);

/* Without an evaluator the console pane is hidden. */
void goban_window_set_evaluator (GobanWindow *self, GobanConsoleEvaluator *evaluator);

/* Opens a session, a graph, or a plan for the open graph: the file's content decides. */
void goban_window_open_file (GobanWindow *self, GFile *file);

/* Asks in the notice bar about each session that was not saved before the program ended. */
void goban_window_offer_recovery (GobanWindow *self);

/* A folder whose graphs the start page offers. */
void goban_window_set_samples (GobanWindow *self, const char *folder);

/* Begins to write what the ending of @path asks for: a picture (svg, png, pdf) of the graph or,
 * where @timeline, of the timeline; without a window's decorations. The notice bar says how it
 * went. */
void goban_window_export (GobanWindow *self, const char *path, gboolean timeline);

/* The same of the pair of plans that is compared: pages (svg, png, pdf) where @is_report, else its changes as CSV. */
void goban_window_export_comparison (GobanWindow *self, const char *path, gboolean is_report);

G_END_DECLS
