#include "engine/core/file.h"

#include "engine/core/file-stream.h"

#include <unistd.h>

gboolean
goban_file_write (const char *path, const char *data, gsize size, GError **error)
{
  g_autoptr (GobanFileStream) stream = goban_file_stream_new (path, error);

  return stream != NULL && goban_file_stream_write (stream, data, size, error)
         && goban_file_stream_commit (stream, error);
}

void
goban_file_remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      unlink (file);
    }
  rmdir (path);
}
