#include "engine/core/file.h"

#include "engine/core/file-stream.h"

gboolean
goban_file_write (const char *path, const char *data, gsize size, GError **error)
{
  g_autoptr (GobanFileStream) stream = goban_file_stream_new (path, error);

  return stream != NULL && goban_file_stream_write (stream, data, size, error)
         && goban_file_stream_commit (stream, error);
}
