/* text.h: shared parts of the readers of text formats: lines, numbers, messages with a line number.
 *
 * A text is checked once, whole: not empty, UTF-8, no zero bytes. After that its lines are plain C
 * strings that the reader may split in place.
 */
#pragma once

#include "engine/graph/graph-builder.h"

/* Name in messages for the text that comes from the path "-"; it gives its graph no name. */
#define GOBAN_TEXT_STDIN "standard input"

typedef struct
{
  const char *path; /* borrowed; names the text in messages */
  guint line;       /* of the last line handed out, from 1 */
  char *text;       /* a copy of the bytes, cut into lines as they are handed out */
  char *next;
} GobanTextFile;

/**
 * goban_text_file_check:
 *
 * Returns: %TRUE if the bytes are text; %FALSE with %GOBAN_ERROR_PARSE set
 */
gboolean goban_text_file_check (const char *data, gsize size, const char *path, GError **error);

/**
 * goban_text_file_init:
 *
 * Checks and copies @data. Clear @self with goban_text_file_clear() in either case.
 */
gboolean goban_text_file_init (GobanTextFile *self, const char *data, gsize size, const char *path,
                               GError **error);
void goban_text_file_clear (GobanTextFile *self);

/* The next line without its end, which the caller may write into; NULL after the last. */
char *goban_text_file_next_line (GobanTextFile *self);

/* Sets a %GOBAN_ERROR_PARSE "path:line: ..." and returns %FALSE. */
gboolean goban_text_file_fail (const GobanTextFile *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The finite number that is the whole of @text but for spaces around it. */
gboolean goban_text_file_parse_number (const char *text, double *value);

/* The same for a number that is not negative: a time, a size. */
gboolean goban_text_file_parse_amount (const char *text, double *value);

/* The same for a number that is whole, not negative and below 2^53. */
gboolean goban_text_file_parse_id (const char *text, guint64 *value);

/* The first line that is not blank, without the byte order mark of spreadsheets; at most 64 KB
 * of it and of what follows. For recognising formats. (transfer full) */
char *goban_text_file_dup_start (const char *data, gsize size) G_GNUC_WARN_UNUSED_RESULT;

/* 1 + the number of line ends before @offset. */
guint goban_text_file_line_at (const char *data, gsize size, gsize offset);

/* The name a file lends its graph: the last part of the path without its ending. (transfer full) */
char *goban_text_file_graph_name (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* The likely operator of a node named like "layer1/MatMul5" or "convert.1402": the last scope
 * without its number, "node" if nothing is left. (transfer full) */
char *goban_text_file_dup_stem (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* At most 40 bytes of @text, whole characters, for use in messages. (transfer full) */
char *goban_text_file_excerpt (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Times take a row of n_kinds per node, transfers n_kinds^2 per tensor: a file may not ask for
 * tables out of all proportion. %FALSE with %GOBAN_ERROR_UNSUPPORTED set. */
#define GOBAN_TEXT_MAX_KINDS 64
gboolean goban_text_file_check_kinds (const char *path, gsize n_kinds, gsize n_tensors,
                                      GError **error);

/* The most of anything in a file: a time in microseconds, bytes, FLOPs. Nothing real comes near it,
 * and no sum and no product of two of them overflows. */
#define GOBAN_TEXT_MAX_AMOUNT 1e30

/* Whether a JSON text has @key among its first 64 KB, of which a string counts as 64 bytes at most:
 * a long name does not hide what comes after it. */
gboolean goban_text_file_has_key (const char *data, gsize size, const char *key);

/**
 * goban_text_file_finish_graph:
 *
 * Finishes @builder for the reader of the file @path, which its errors then name.
 * A file without nodes is an error too, and so is an amount above GOBAN_TEXT_MAX_AMOUNT.
 */
GobanGraph *goban_text_file_finish_graph (GobanGraphBuilder *builder, const char *path,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTextFile, goban_text_file_clear)
