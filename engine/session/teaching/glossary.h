/* glossary.h: terms and their definitions, read from the glossary that comes with the program
 * (docs/glossary.md).
 *
 * In other languages terms and definitions come from docs/glossary.LANGUAGE.md; terms are found by
 * their English names, too, which code and lessons use.
 *
 * Read once, when it is first asked for, then never changed; any thread.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *term;
  char *key;        /* the English term */
  char *definition; /* plain text: without names of files and without links */
  char **related;   /* other terms */
} GobanGlossaryEntry;

/* All terms, sorted; none if the file is not there. (element-type GobanGlossaryEntry) Borrowed. */
const GPtrArray *goban_glossary_get (void);
/* By term, whatever the case; its plural finds it too. (nullable) */
const GobanGlossaryEntry *goban_glossary_find (const char *term);

/* The term of a label such as "lower bound": its words, else its last one. (nullable) */
const GobanGlossaryEntry *goban_glossary_find_label (const char *label);

/* For tests: entries of a text. (element-type GobanGlossaryEntry) (transfer full) */
GPtrArray *goban_glossary_parse (const char *text) G_GNUC_WARN_UNUSED_RESULT;
/* For tests: the entries in the language of @text, whose headings are "### key | term"; what it
 * does not have stays as it is. Sorts them. */
void goban_glossary_translate (GPtrArray *entries, const char *text);
