/* language.h: language of texts that are read from files, such as lessons and the glossary. */
#pragma once

#include <glib.h>

/* Its code: "en", or that of the catalogue of i18n.h. Borrowed. */
const char *goban_language_get (void);
