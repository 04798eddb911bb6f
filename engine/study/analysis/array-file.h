/* array-file.h: files of arrays: .npy has one, .npz, a zip archive of those, several by name.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *name; /* "" in a .npy */
  double *values;
  gsize n;
} GobanNamedArray;

/* (transfer full) (element-type GobanNamedArray) (nullable): NULL with @error set. */
GPtrArray *goban_array_file_read (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for bytes in memory; @origin names them in messages. */
GPtrArray *goban_array_file_parse (const char *data, gsize size, const char *origin,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A .npz if the path ends so, else a .npy, of the one array. */
gboolean goban_array_file_write (const char *path, const GobanNamedArray *arrays, guint n,
                                 GError **error);
