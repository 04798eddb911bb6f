/* text-scan.h: numbers and signs at a place in a line of a session file.
 *
 * Each moves *text behind the characters read. If it returns %FALSE, the line is wrong, and *text
 * may be anywhere in it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Stays if the next character is another. */
gboolean goban_scan_char (const char **text, char c);
/* Decimal digits of a number less than @below. */
gboolean goban_scan_uint (const char **text, guint below, guint *value);

G_END_DECLS
