/* comma-locale.h: a locale that writes decimal commas, made for a test where none is installed. */
#pragma once

#include <glib.h>

/* Sets a locale with decimal commas for all categories: an installed one, or one that localedef
 * makes in a temporary folder. %FALSE, with the test skipped, if neither is possible. */
gboolean comma_locale_begin (void);

/* Sets the locale C again. */
void comma_locale_end (void);
