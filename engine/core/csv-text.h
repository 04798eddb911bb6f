/* csv-text.h: fields of CSV files, quoted if need be (RFC 4180). */
#pragma once

#include <glib.h>

/* The text as it is, or in quotes if it would be read as more than one field. */
void goban_csv_append_text (GString *csv, const char *text);

/* Cuts a line in place into its cells, at least one, without blanks around them. (transfer
 * container) */
GPtrArray *goban_csv_split (char *line) G_GNUC_WARN_UNUSED_RESULT;

/* A comma and three decimals for each of @values (n), independent of the locale. */
void goban_csv_append_rounded (GString *csv, const double *values, gsize n);
