/* text.h: small text helpers and label widgets shared by several panes. */
#pragma once

#include "engine/core/quantity.h"
#include "engine/session/session.h"

#include <gtk/gtk.h>

/* Characters of a text that a tooltip shows or a screen reader says. */
#define GOBAN_MAX_TIP_CHARS 2000
/* Characters of a name among other words. */
#define GOBAN_MAX_NAME_CHARS 400

/* The part of a long text that is shown. GTK takes seconds to lay out a text of megabytes, in the
 * main thread. A text from a file, a script or a program is cut before it becomes a label, a
 * tooltip or output; whoever shows it offers the whole where it can be seen or saved. */
typedef struct
{
  gsize max_bytes;
  guint max_lines;
} GobanTextBounds;

/* Bounds of a label or a tooltip. */
extern const GobanTextBounds goban_label_bounds;
/* Bounds of a label of one line. */
extern const GobanTextBounds goban_line_bounds;

/* Bytes of the beginning of @text in the bounds: whole characters. Reads no more than those. */
gsize goban_find_cut (const char *text, const GobanTextBounds *bounds);
/* The first of the bytes at the end of @text in the bounds: whole characters. */
gsize goban_find_tail (const char *text, gsize n_bytes, const GobanTextBounds *bounds);

/* Valid UTF-8: @text, or its beginning and an ellipsis. (transfer full) */
char *goban_dup_cut (const char *text, const GobanTextBounds *bounds) G_GNUC_WARN_UNUSED_RESULT;

/* "182.4 ms" or "cannot run"; buffer of GOBAN_QUANTITY_LEN, returned. */
const char *goban_format_makespan (char *buffer, GobanRun *run);

/* A rounded duration: "40 s", "12 min", "2 h". (transfer full) */
char *goban_dup_duration (double seconds) G_GNUC_WARN_UNUSED_RESULT;
/* "about 12 min left"; "" for NAN, an unknown time. (transfer full) */
char *goban_dup_time_left (double seconds) G_GNUC_WARN_UNUSED_RESULT;
/* Shows on a GtkProgressBar how far work is, @text (nullable: the percentage) and the time left at
 * the pace so far. Before and after the work @fraction is negative, and the bar is hidden. */
void goban_show_progress (GtkWidget *bar, double fraction, const char *text);

/* The line for a node under the pointer: name, op, device, times if there are any. */
char *goban_describe_node (GobanGraph *graph, GobanRun *run,
                           GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* Line about the lane of a recorded run named GOBAN_DELAY_LANE. */
const char *goban_get_delays_text (void);

/* A text about options of the command line as a window says it: "--set start=cells" is
 * "start=cells", and "--tasks" is "tasks". */
char *goban_dup_without_flags (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* A heading of a side pane. */
GtkWidget *goban_new_heading (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Enables line wrapping without hyphens, because a hyphen would change a name. */
void goban_wrap_label (GtkLabel *label, PangoWrapMode mode);

/* Shows a line of the status bar as a tooltip, too, (nullable), with one line for each of its
 * parts. */
void goban_set_tooltip_lines (GtkWidget *widget, const char *text);

/* Does nothing if the text is unchanged, because setting a tooltip queries the display for the
 * pointer. @text: (nullable), cut in goban_label_bounds */
void goban_set_tooltip (GtkWidget *widget, const char *text);

/* Sets the text of a GtkLabel, (nullable), cut in goban_label_bounds. */
void goban_set_label_text (GtkWidget *label, const char *text);
/* A GtkLabel with such a text. */
GtkWidget *goban_new_label (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* All that is in a text view's buffer. */
char *goban_dup_buffer_text (GtkTextBuffer *buffer) G_GNUC_WARN_UNUSED_RESULT;

/* The cursor, in bytes from the beginning. */
gsize goban_get_buffer_cursor (GtkTextBuffer *buffer);

/* The digit of a key, also of the keypad, or -1. */
int goban_find_digit (guint keyval);

/* Sets the accessible name of a widget, cut in goban_label_bounds. */
void goban_set_accessible_label (GtkWidget *widget, const char *label);

/* Definitions of terms on hover. The glossary is in English, so a translated header has no
 * definition. Templates explain their headings by themselves (template.h).
 *
 * Gives @widget the definition of @text as its tooltip if the glossary has that term. A tooltip
 * that it has already stays, with the definition below. */
void goban_explain_term (GtkWidget *widget, const char *text);

/* Explains the titles of the columns that @view has. */
void goban_explain_columns (GtkColumnView *view);

/* Whether a label is a header: a column's title, or of class "heading" or "pane-heading". */
gboolean goban_is_header (GtkWidget *label);
