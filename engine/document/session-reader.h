/* session-reader.h: typed reading of the values in session files, with errors that name the
 * line.
 *
 * A key that is absent leaves its variable alone. All return %FALSE with %GOBAN_ERROR_PARSE set.
 */
#pragma once

#include "engine/document/snapshot.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *path;
  const char *data;
  gsize size;
  const GobanSnapshotOptions *options;
  GobanSnapshot *snapshot;
  gboolean has_same_nodes; /* node numbers of the file are still valid */
  GobanGraph *old; /* (nullable): if they are not, a graph of nodes only, with their old names */
} GobanReader;

/* A JSON object and its location: "runs[2]"; "" for the root. */
typedef struct
{
  JsonObject *object;
  char *where;
} GobanReaderPlace;

void goban_reader_place_clear (GobanReaderPlace *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanReaderPlace, goban_reader_place_clear)

/* Sets an error about "runs[2].order", with its line number; always returns %FALSE. */
gboolean goban_reader_refuse (const GobanReader *self, GError **error, const char *where,
                              const char *format, ...) G_GNUC_PRINTF (4, 5);
/* Adds a warning to the snapshot. */
void goban_reader_warn (GobanReader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* (transfer full) */
char *goban_reader_name_key (const GobanReaderPlace *place,
                             const char *key) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_reader_check_keys (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *const *known, GError **error);
/* Enters a required object; the caller clears @inner. */
gboolean goban_reader_enter (const GobanReader *self, const GobanReaderPlace *place,
                             const char *key, const char *const *known, GobanReaderPlace *inner,
                             GError **error);

gboolean goban_reader_read_text (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, const char **text, GError **error);
/* Reads a path written by goban_writer_add_path(). *path: (transfer full), unchanged if absent. */
gboolean goban_reader_read_path (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, char **path, GError **error);
gboolean goban_reader_read_number (const GobanReader *self, const GobanReaderPlace *place,
                                   const char *key, double *number, GError **error);
gboolean goban_reader_read_count (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, guint64 *count, GError **error);
gboolean goban_reader_read_boolean (const GobanReader *self, const GobanReaderPlace *place,
                                    const char *key, gboolean *value, GError **error);
/* *texts: (transfer container): the strings of a list, NULL-terminated. */
gboolean goban_reader_read_texts (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, const char ***texts, GError **error);
/* "0-3", "7"; *nodes is unchanged if the original nodes are unknown. */
gboolean goban_reader_read_nodes (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, GobanSelection **nodes, GError **error);
/* *values: (transfer full): @n values, in rows. */
gboolean goban_reader_read_rows (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, guint n, gint32 **values, GError **error);

G_END_DECLS
