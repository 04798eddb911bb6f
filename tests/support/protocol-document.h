/* protocol-document.h: blocks of the pages in docs/, and dialogues of docs/protocol.md, for the
 * tests that play them. */
#pragma once

#include <glib.h>

/* The text of the first block of that kind on a page. (transfer full) */
char *protocol_document_read (const char *page, const char *kind) G_GNUC_WARN_UNUSED_RESULT;

/* The lines of a dialogue that begin with '>'. (transfer full) */
char *protocol_document_pick_answers (const char *dialogue) G_GNUC_WARN_UNUSED_RESULT;

/* An expected line that ends with "…" has the beginning of what is heard. */
void protocol_document_assert (const char *heard, const char *expected);
