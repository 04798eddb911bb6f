/* window.h: main window over one session.
 *
 * Panes observe the session and never each other; the window puts them in their places,
 * turns commands into calls of the session and remembers its own size. Main thread only.
 *
 * Decision U4 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"
#include "ui/console/console-evaluator.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/widgets/settings.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_WINDOW (goban_window_get_type ())
G_DECLARE_FINAL_TYPE (GobanWindow, goban_window, GOBAN, WINDOW, GtkApplicationWindow)

/* Registers style, icons and types, once per program. Call after GTK has started. */
void goban_ui_init (void);

/* @settings (nullable): NULL for a window without stored settings. */
GobanWindow *goban_window_new (GtkApplication *application, GobanSession *session,
                               GobanSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

GobanSession *goban_window_get_session (GobanWindow *self);

/* Without an evaluator the console pane is hidden. */
void goban_window_set_evaluator (GobanWindow *self, GobanConsoleEvaluator *evaluator);
/* Makes the evaluator of lessons when it is needed; without it they cannot be taken. */
void goban_window_set_lesson_evaluator (GobanWindow *self, GobanEvaluatorFunc make);

/* Opens a session, a graph, or a plan for the open graph, detected from the file's content. */
void goban_window_open_file (GobanWindow *self, GFile *file);

/* Opens a group of ui/documents/file-groups.h. */
void goban_window_open_files (GobanWindow *self, GPtrArray *group);
/* As files are dropped onto the window: further groups get windows of their own. */
void goban_window_drop_files (GobanWindow *self, GFile *const *files, guint n);

/* Offers in the notice bar to restore each session that was not saved before the program ended. */
void goban_window_offer_recovery (GobanWindow *self);

/* Sets the folder of the start page's samples. */
void goban_window_set_samples (GobanWindow *self, const char *folder);
/* The folder with the scripts of the menu "Examples"; %NULL: there are none. */
void goban_window_set_examples (GobanWindow *self, const char *folder);

/* Starts to export a picture (svg, png or pdf, by the suffix of @path) of the graph or, if
 * @timeline, of the timeline, without a window's decorations. The notice bar shows the result. */
void goban_window_export (GobanWindow *self, const char *path, gboolean timeline);

/* The same for the film of the training that the pane shows: gif, webm or apng. */
void goban_window_export_training_film (GobanWindow *self, const char *path);

/* The same for the compared pair of plans: an HTML page if @is_report, else its changes as
 * CSV. */
void goban_window_export_comparison (GobanWindow *self, const char *path, gboolean is_report);
