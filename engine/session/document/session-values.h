/* session-values.h: values of session files beyond those of JSON, read and written: paths, node
 * sets, rows of numbers.
 *
 * A key that is absent leaves its variable alone. All return %FALSE with %GOBAN_ERROR_PARSE set.
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/session/document/snapshot.h"
#include "engine/study/run/selection.h"

typedef struct
{
  const char *path;
  const GobanSnapshotOptions *options;
  GobanSnapshot *snapshot;
  gboolean has_same_nodes; /* node numbers of the file are still valid */
  GobanGraph *old; /* (nullable): if they are not, a graph of nodes only, with their old names */
} GobanReader;

/* Adds a warning to the snapshot. */
void goban_reader_warn (GobanReader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Reads a path written by goban_writer_add_path(). *path: (transfer full), unchanged if absent. */
gboolean goban_reader_read_path (GobanJsonValue object, const char *key, char **path,
                                 GError **error);
/* A whole number, which may be a text: seeds use all bits, more than numbers of JSON have. */
gboolean goban_reader_read_count (GobanJsonValue object, const char *key, guint64 *count,
                                  GError **error);
/* "0-3", "7"; *nodes is unchanged if the original nodes are unknown. */
gboolean goban_reader_read_nodes (const GobanReader *self, GobanJsonValue object, const char *key,
                                  GobanSelection **nodes, GError **error);
/* *values: (transfer full): @n values, in rows. */
gboolean goban_reader_read_rows (GobanJsonValue object, const char *key, guint n, gint32 **values,
                                 GError **error);

/* --- writing ---------------------------------------------------------------------------------- */

/* Writer of session files: one item per line, keys in the order of the calls.
 *
 * The writer adds commas and indentation; items between open and close are indented by one more
 * level.
 */

typedef struct
{
  GString *text;
  guint depth;
  gboolean has_before; /* a comma is due */
} GobanWriter;

/* Begins an item of a list, which has no key. */
void goban_writer_begin_line (GobanWriter *self);
void goban_writer_add_key (GobanWriter *self, const char *key);
/* @bracket: '[' or '{' to open, ']' or '}' to close. */
void goban_writer_open (GobanWriter *self, char bracket);
void goban_writer_close (GobanWriter *self, char bracket);

void goban_writer_add_text (GobanWriter *self, const char *key, const char *value);
/* A file name, byte for byte. JSON is UTF-8, but file names need not be: one that is not UTF-8 is
 * percent-encoded under the key with the suffix "_bytes". */
void goban_writer_add_path (GobanWriter *self, const char *key, const char *path);
void goban_writer_add_number (GobanWriter *self, const char *key, double value);
void goban_writer_add_count (GobanWriter *self, const char *key, guint64 value);
/* Writes nothing if @value is false. */
void goban_writer_add_true (GobanWriter *self, const char *key, gboolean value);
void goban_writer_add_texts (GobanWriter *self, const char *key, const char *const *texts);
/* Writes nothing for "", which has no lines. */
void goban_writer_add_lines (GobanWriter *self, const char *key, const char *text);
/* "0-3", "7" */
void goban_writer_add_nodes (GobanWriter *self, const char *key, const GobanSelection *nodes);
/* (n) in rows of GOBAN_SESSION_ROW. */
void goban_writer_add_rows (GobanWriter *self, const char *key, const gint32 *values, guint n);
