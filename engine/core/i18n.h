/* i18n.h: translation of user-visible strings.
 *
 * Off until the window turns it on: the headless tool, its scripts and the tests use English in
 * every locale. Files, JSON, the log and pictures are never translated. _() translates at once;
 * N_() marks a string of a table, which its reader translates. Errors (error.h) and notices of a
 * session are translated when their format is filled in. scripts/dev/make-pot.sh collects the
 * strings.
 *
 * Decision U33 (ui/NOTES.md).
 */
#pragma once

#include <glib.h>

/* Called before other threads start. @folder: contains LANGUAGE/LC_MESSAGES/goban.mo; NULL: the C
 * library's default folder. */
void goban_i18n_enable (const char *folder);

/* Return the translation, or the text itself; borrowed. */
const char *goban_i18n_get (const char *text) G_GNUC_FORMAT (1);
const char *goban_i18n_get_plural (const char *one, const char *many, gulong n) G_GNUC_FORMAT (1)
    G_GNUC_FORMAT (2);

#define _(text) goban_i18n_get (text)
#define N_(text) text
