/* console-output.h: console output: append-only text that drops its oldest lines.
 *
 * Text appended within one frame is inserted at once, so that a script which prints endlessly does
 * not block drawing. Main thread only.
 *
 * Signal "follow" (const GobanReference *reference): what is behind a point of a plot or a row of a
 * table was asked for.
 */
#pragma once

#include "ui/console/console-evaluator.h"
#include "ui/draw/figures/exhibit.h"
#include "ui/draw/palette.h"

#include <gtk/gtk.h>

#define GOBAN_CONSOLE_MAX_LINES 10000
/* Longer lines are split, because text views are slow with them. */
#define GOBAN_CONSOLE_MAX_LINE_BYTES 4000

#define GOBAN_TYPE_CONSOLE_OUTPUT (goban_console_output_get_type ())
G_DECLARE_FINAL_TYPE (GobanConsoleOutput, goban_console_output, GOBAN, CONSOLE_OUTPUT, GtkWidget)

/* A long text loses its middle, and says how to write it to a file. */
void goban_console_output_append (GobanConsoleOutput *self, GobanConsoleKind kind,
                                  const char *text);
/* Shows a plot or a table on lines of its own, or in the place of that of the same slot. */
void goban_console_output_show (GobanConsoleOutput *self, const GobanExhibit *exhibit);
/* Results refer to other inputs from here on. Those of other stamps look muted and say so, and a
 * line directly below the last results, above what was typed since, says what they are from before;
 * "": only the stamp was not known. */
void goban_console_output_set_inputs (GobanConsoleOutput *self, guint64 stamp, const char *change);
/* The plot that has the focus, else the last one; (nullable), borrowed. */
GobanFigure *goban_console_output_get_figure (GobanConsoleOutput *self);
/* Gives the focus to the plot, table or picture before the one that has it, or to the last one;
 * FALSE if there is none. */
gboolean goban_console_output_focus_previous (GobanConsoleOutput *self);
void goban_console_output_set_theme (GobanConsoleOutput *self, GobanTheme theme);
/* Ends the current line, if it is not empty. */
void goban_console_output_end_line (GobanConsoleOutput *self);
void goban_console_output_clear (GobanConsoleOutput *self);

/* All of it, (transfer full). */
char *goban_console_output_dup_text (GobanConsoleOutput *self) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_console_output_has_selection (GobanConsoleOutput *self);

GtkTextView *goban_console_output_get_view (GobanConsoleOutput *self);
