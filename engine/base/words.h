/* words.h: what people read, in their language.
 *
 * Off until the window turns it on: the headless tool, scripts run by it, and tests speak English, whatever the
 * locale. Files, JSON, the log and pictures are never translated. _() is for what is read at once, N_() marks
 * what a table holds and its reader translates. Errors (error.h) and notices of a session are translated where
 * they are made of their format. scripts/dev/make-pot.sh collects the words.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Before any other thread. @folder: has LANGUAGE/LC_MESSAGES/goban.mo; NULL: where the C library looks. */
void goban_words_enable (const char *folder);

/* Both borrowed: the translation, or what was asked for. */
const char *goban_words_get (const char *text) G_GNUC_FORMAT (1);
const char *goban_words_get_plural (const char *one, const char *many, gulong n) G_GNUC_FORMAT (1)
    G_GNUC_FORMAT (2);

#define _(text) goban_words_get (text)
#define N_(text) text

G_END_DECLS
