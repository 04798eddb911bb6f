/* session-writer.h: writer of session files: one item per line, keys in the order of the calls.
 *
 * Commas and indentation are the writer's; what is between open and close is indented by one more.
 */
#pragma once

#include "engine/session/selection.h"

G_BEGIN_DECLS

typedef struct
{
  GString *text;
  guint depth;
  gboolean has_before; /* a comma is due */
} GobanWriter;

/* Before what is no key: an item of a list. */
void goban_writer_begin_line (GobanWriter *self);
void goban_writer_add_key (GobanWriter *self, const char *key);
/* With '[' or '{', and ']' or '}'. */
void goban_writer_open (GobanWriter *self, char bracket);
void goban_writer_close (GobanWriter *self, char bracket);

void goban_writer_add_text (GobanWriter *self, const char *key, const char *value);
/* A file's name, to the last byte: JSON is UTF-8 and names of files need not be, so one that is not stands percent-encoded
 * under the key with "_bytes" behind it. */
void goban_writer_add_path (GobanWriter *self, const char *key, const char *path);
void goban_writer_add_number (GobanWriter *self, const char *key, double value);
void goban_writer_add_count (GobanWriter *self, const char *key, guint64 value);
/* Nothing if it is false. */
void goban_writer_add_true (GobanWriter *self, const char *key, gboolean value);
void goban_writer_add_texts (GobanWriter *self, const char *key, const char *const *texts);
/* Nothing for no text: "" has no lines. */
void goban_writer_add_lines (GobanWriter *self, const char *key, const char *text);
/* "0-3", "7" */
void goban_writer_add_nodes (GobanWriter *self, const char *key, const GobanSelection *nodes);
/* (n) in rows of GOBAN_SESSION_ROW. */
void goban_writer_add_rows (GobanWriter *self, const char *key, const gint32 *values, guint n);
/* Without a comma, and quicker than printf. */
void goban_writer_append_int (GString *text, gint32 value);

G_END_DECLS
