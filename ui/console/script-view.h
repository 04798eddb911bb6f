/* script-view.h: script pane: an editor for a script that runs in a console.
 *
 * The line of an error has a mark in the margin and the message is below the text. Ctrl+Return runs
 * the selected lines or the line of the cursor; Tab after a word and Ctrl+Space complete. Buttons
 * activate actions of the window. Decision U62 (ui/NOTES.md).
 */
#pragma once

#include "ui/console/console-view.h"

#define GOBAN_TYPE_SCRIPT_VIEW (goban_script_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanScriptView, goban_script_view, GOBAN, SCRIPT_VIEW, GtkWidget)

/* Signal "changed": the file or whether the text differs from it. */
GtkWidget *goban_script_view_new (GobanConsoleView *console) G_GNUC_WARN_UNUSED_RESULT;
void goban_script_view_set_evaluator (GobanScriptView *self, GobanConsoleEvaluator *evaluator);
/* The menu of the button "Examples", which an empty script offers first; NULL hides it. */
void goban_script_view_set_examples (GobanScriptView *self, GMenuModel *menu);

/* Replaces the text. @path (nullable): its file. */
void goban_script_view_set_text (GobanScriptView *self, const char *text, const char *path);
char *goban_script_view_dup_text (GobanScriptView *self) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable) */
const char *goban_script_view_get_path (GobanScriptView *self);
gboolean goban_script_view_is_modified (GobanScriptView *self);
/* The text has been written to @path, or is not as in its file (NULL). */
void goban_script_view_set_saved (GobanScriptView *self, const char *path);

/* FALSE if something else runs in the console. */
gboolean goban_script_view_run (GobanScriptView *self);
gboolean goban_script_view_run_selection (GobanScriptView *self);
/* The line with the error of the last run, from 1; 0 without one. */
int goban_script_view_get_error_line (GobanScriptView *self);
