/* text.h: what the readers of text formats share: lines, numbers, messages with a place.
 *
 * A text is checked once, whole: not empty, UTF-8, no zero bytes. After that its
 * lines are plain C strings that the reader may cut to pieces.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *path; /* borrowed; names the text in messages */
  guint line;       /* of the last line handed out, from 1 */
  char *text;       /* a copy of the bytes, cut into lines as they are handed out */
  char *next;
} GobanText;

/**
 * goban_text_check:
 *
 * Returns: %TRUE if the bytes are text; %FALSE with %GOBAN_ERROR_PARSE set
 */
gboolean goban_text_check (const char *data, gsize size, const char *path, GError **error);

/**
 * goban_text_init:
 *
 * Checks and copies @data. Clear @self with goban_text_clear() in either case.
 */
gboolean goban_text_init (GobanText *self, const char *data, gsize size, const char *path,
                          GError **error);
void goban_text_clear (GobanText *self);

/* The next line without its end, which the caller may write into; NULL after the last. */
char *goban_text_next_line (GobanText *self);

/* Sets a %GOBAN_ERROR_PARSE "path:line: ..." and returns %FALSE. */
gboolean goban_text_fail (const GobanText *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The finite number that is the whole of @text but for spaces around it. */
gboolean goban_text_parse_number (const char *text, double *value);

/* The same for a number that is whole, not negative and below 2^53. */
gboolean goban_text_parse_id (const char *text, guint64 *value);

/* 1 + the number of line ends before @offset. */
guint goban_text_line_at (const char *data, gsize size, gsize offset);

/* The name a file lends its graph: the last part of the path without its ending. (transfer full) */
char *goban_text_graph_name (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* At most 40 bytes of @text, whole characters, for use in messages. (transfer full) */
char *goban_text_excerpt (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanText, goban_text_clear)

G_END_DECLS
