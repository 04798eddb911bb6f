/* session-reader.h: typed reading of the values in session files, with errors that name the
 * line.
 *
 * A key that is absent leaves its variable alone. All return %FALSE with %GOBAN_ERROR_PARSE set.
 */
#pragma once

#include "engine/session/snapshot.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *path;
  const char *data;
  gsize size;
  const GobanSnapshotOptions *options;
  GobanSnapshot *snapshot;
  gboolean has_same_nodes; /* numbers of nodes mean what they meant */
  GobanGraph *old; /* (nullable): where they do not, nodes alone by the names that they had */
} GobanReader;

/* An object and where it stands: "runs[2]"; "" for the root. */
typedef struct
{
  JsonObject *object;
  char *where;
} GobanReaderPlace;

void goban_reader_place_clear (GobanReaderPlace *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanReaderPlace, goban_reader_place_clear)

/* Says what is wrong at "runs[2].order", and on which line that stands; always %FALSE. */
gboolean goban_reader_refuse (const GobanReader *self, GError **error, const char *where,
                              const char *format, ...) G_GNUC_PRINTF (4, 5);
/* Adds a warning to the snapshot. */
void goban_reader_warn (GobanReader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* (transfer full) */
char *goban_reader_name_key (const GobanReaderPlace *place,
                             const char *key) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_reader_check_keys (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *const *known, GError **error);
/* Into an object that must be there; @inner is to be cleared. */
gboolean goban_reader_enter (const GobanReader *self, const GobanReaderPlace *place,
                             const char *key, const char *const *known, GobanReaderPlace *inner,
                             GError **error);

gboolean goban_reader_read_text (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, const char **text, GError **error);
/* What goban_writer_add_path() writes. *path: (transfer full), stays as it is where there is none. */
gboolean goban_reader_read_path (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, char **path, GError **error);
gboolean goban_reader_read_number (const GobanReader *self, const GobanReaderPlace *place,
                                   const char *key, double *number, GError **error);
gboolean goban_reader_read_count (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, guint64 *count, GError **error);
gboolean goban_reader_read_boolean (const GobanReader *self, const GobanReaderPlace *place,
                                    const char *key, gboolean *value, GError **error);
/* *texts: (transfer container): those of a list, ending in NULL. */
gboolean goban_reader_read_texts (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, const char ***texts, GError **error);
/* "0-3", "7": without the nodes they were about, numbers mean nothing, and *nodes stays. */
gboolean goban_reader_read_nodes (const GobanReader *self, const GobanReaderPlace *place,
                                  const char *key, GobanSelection **nodes, GError **error);
/* *values: (transfer full): @n of them in rows. */
gboolean goban_reader_read_rows (const GobanReader *self, const GobanReaderPlace *place,
                                 const char *key, guint n, gint32 **values, GError **error);

G_END_DECLS
