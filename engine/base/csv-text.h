/* csv-text.h: quoting of the fields of CSV files (RFC 4180). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text as it is, or in quotes if it would be read as more than one field. */
void goban_csv_append_text (GString *csv, const char *text);

G_END_DECLS
