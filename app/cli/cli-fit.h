/* cli-fit.h: makes text fit for a terminal: narrow lines, and no control characters from files. */
#pragma once

#include <glib.h>

/* Columns of the terminal that @file is: 80 if it does not say; 0: not a terminal. */
guint goban_cli_get_width (int file);

/* @text with U+FFFD in place of control characters but for line ends and tabs: names in files may
 * have sequences that move the cursor or clear the screen. (transfer full) */
char *goban_cli_dup_plain (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* @text with lines of at most @width columns. What is broken off a line continues below the line's
 * last column of a table, or else slightly indented. (transfer full) */
char *goban_cli_fit (const char *text, guint width) G_GNUC_WARN_UNUSED_RESULT;
