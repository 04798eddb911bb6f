/* console-view.h: console pane: a prompt for an evaluator, and its output.
 *
 * Enter runs the input, or opens another line where the evaluator wants more; Shift+Enter always
 * opens one. Up and Down move within the input and then walk the history; Tab completes; F1 tells
 * what the word at the cursor means; Ctrl+L clears; Ctrl+C stops what runs, unless there is
 * something selected to copy.
 */
#pragma once

#include "ui/console/console-evaluator.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_CONSOLE_VIEW (goban_console_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanConsoleView, goban_console_view, GOBAN, CONSOLE_VIEW, GtkWidget)

/* @history_path (nullable): NULL if nothing is to be kept. */
GtkWidget *goban_console_view_new (const char *history_path) G_GNUC_WARN_UNUSED_RESULT;

void goban_console_view_set_evaluator (GobanConsoleView *self, GobanConsoleEvaluator *evaluator);
void goban_console_view_set_dark (GobanConsoleView *self, gboolean dark);
/* What Enter does. */
void goban_console_view_run (GobanConsoleView *self);
/* What Tab does. */
void goban_console_view_complete (GobanConsoleView *self);
/* What F1 does: what the word at the prompt's cursor means is in the output; FALSE if nobody can say. */
gboolean goban_console_view_help (GobanConsoleView *self);
void goban_console_view_interrupt (GobanConsoleView *self);
void goban_console_view_clear (GobanConsoleView *self);
gboolean goban_console_view_is_running (GobanConsoleView *self);

void goban_console_view_set_input (GobanConsoleView *self, const char *text);
char *goban_console_view_dup_input (GobanConsoleView *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_console_view_dup_output (GobanConsoleView *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
