#include "engine/base/file.h"

#include "engine/base/error.h"
#include "engine/base/file-stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static GBytes *
read_stdin (GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 block[65536];
  gsize n;

  while ((n = fread (block, 1, sizeof block, stdin)) > 0)
    g_byte_array_append (all, block, n);

  if (ferror (stdin))
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "standard input: %s", g_strerror (errno));
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

GBytes *
goban_file_read (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *data = NULL;
  gsize size;

  if (strcmp (path, "-") == 0)
    return read_stdin (error);

  if (!g_file_get_contents (path, &data, &size, &local))
    {
      int saved = errno;
      gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);

      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be read: %s", path,
                   is_folder ? "it is a folder"
                   : g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT)
                       ? "there is no such file"
                   : g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_ACCES)
                       ? "permission denied"
                       : (saved != 0 ? g_strerror (saved) : local->message));
      return NULL;
    }
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

gboolean
goban_file_write (const char *path, const char *data, gsize size, GError **error)
{
  g_autoptr (GobanFileStream) stream = goban_file_stream_new (path, error);

  return stream != NULL && goban_file_stream_write (stream, data, size, error)
         && goban_file_stream_commit (stream, error);
}
