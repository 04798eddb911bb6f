#include "engine/io/gzip.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"

#include <gio/gio.h>

#define FIRST_BYTES ((gsize) 1 << 16)
#define PIECE_BYTES ((gsize) 1 << 22)

/* The text so far. */
typedef struct
{
  guint8 *data;
  gsize size;
  gsize room;
  gsize most_bytes;
  const char *origin;
} Text;

gboolean
goban_gzip_is (const char *data, gsize size)
{
  return size >= 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

static gboolean
refuse_size (const Text *self, GError **error)
{
  char most[GOBAN_QUANTITY_LEN];

  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%s: cannot be read: unpacked it is larger than %s, the limit for a graph",
                       self->origin, goban_format_bytes (most, (double) self->most_bytes));
}

/* Keeps room for the zero, too. */
static gboolean
make_room (Text *self, GError **error)
{
  gsize room = MAX (2 * self->room, FIRST_BYTES);
  guint8 *data;

  if (self->size + 1 < self->room)
    return TRUE;
  if (self->size > self->most_bytes)
    return refuse_size (self, error);
  data = g_try_realloc (self->data, room);
  if (data == NULL)
    return refuse_size (self, error);
  self->data = data;
  self->room = room;
  return TRUE;
}

static gboolean
refuse_data (const Text *self, const GError *reason, GError **error)
{
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the gzip data ends too early",
                         self->origin);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the gzip data is damaged", self->origin);
}

/* One member. @at: where it begins, then where it ended. */
static gboolean
unpack_member (Text *self, GBytes *packed, gsize *at, const GobanProgress *progress, GError **error)
{
  g_autoptr (GZlibDecompressor) unpacker = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  gsize size;
  const guint8 *data = g_bytes_get_data (packed, &size);
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED)
    {
      g_autoptr (GError) reason = NULL;
      gsize n_read = 0, n_written = 0;

      if (!goban_progress_check (progress, error) || !make_room (self, error))
        return FALSE;
      result = g_converter_convert (G_CONVERTER (unpacker), data + *at, size - *at,
                                    self->data + self->size,
                                    MIN (self->room - self->size - 1, PIECE_BYTES),
                                    G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &reason);
      if (result == G_CONVERTER_ERROR)
        return refuse_data (self, reason, error);
      *at += n_read;
      self->size += n_written;
    }
  return TRUE;
}

GBytes *
goban_gzip_unpack (GBytes *packed, gsize most_bytes, const char *origin,
                   const GobanProgress *progress, GError **error)
{
  Text self = { .most_bytes = most_bytes, .origin = origin };
  gsize size, at = 0;
  const char *data = g_bytes_get_data (packed, &size);

  do
    if (!unpack_member (&self, packed, &at, progress, error)
        || (self.size > most_bytes && !refuse_size (&self, error)))
      {
        g_free (self.data);
        return NULL;
      }
  while (goban_gzip_is (data + at, size - at)); /* other bytes behind it are padding */
  self.data = g_realloc (self.data, self.size + 1);
  self.data[self.size] = 0;
  return g_bytes_new_take (self.data, self.size);
}
