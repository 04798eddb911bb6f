/* console-view.h: console pane: a prompt for an evaluator, and its output.
 *
 * Enter runs the input, or opens another line if the input is incomplete; Shift+Enter always opens
 * one. Up and Down move within the input and then walk the history; Ctrl+R searches it; Tab and
 * Ctrl+Space complete; F1 shows help on the word at the cursor; Ctrl+L clears; Ctrl+C stops the
 * running script, unless there is a selection to copy. Ctrl+Up goes to the last plot, table or
 * picture, and to those before it; Ctrl+Down goes back.
 */
#pragma once

#include "ui/console/console-output.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_CONSOLE_VIEW (goban_console_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanConsoleView, goban_console_view, GOBAN, CONSOLE_VIEW, GtkWidget)

/* @history_path (nullable): NULL if the history is not saved. */
GtkWidget *goban_console_view_new (const char *history_path) G_GNUC_WARN_UNUSED_RESULT;

void goban_console_view_set_evaluator (GobanConsoleView *self, GobanConsoleEvaluator *evaluator);
void goban_console_view_set_theme (GobanConsoleView *self, GobanTheme theme);
/* Runs a script with its output here. Signals: "running" (gboolean) at the beginning and the end of
 * whatever runs; "script-ended" (const char *error, nullable) of a script. FALSE if it cannot begin
 * because something else runs. */
gboolean goban_console_view_run_script (GobanConsoleView *self, const GobanConsoleScript *script);
/* Like Ctrl+R. */
void goban_console_view_search_history (GobanConsoleView *self);
/* Like F1: prints help on the word at the cursor; FALSE if there is none. */
gboolean goban_console_view_help (GobanConsoleView *self);
void goban_console_view_interrupt (GobanConsoleView *self);
gboolean goban_console_view_is_running (GobanConsoleView *self);

GobanConsoleOutput *goban_console_view_get_output (GobanConsoleView *self);
