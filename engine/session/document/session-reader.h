/* session-reader.h: values of session files beyond those of JSON: paths, node sets, rows of
 * numbers.
 *
 * A key that is absent leaves its variable alone. All return %FALSE with %GOBAN_ERROR_PARSE set.
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/session/document/snapshot.h"

G_BEGIN_DECLS

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

G_END_DECLS
