#include "engine/io/gzip.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"

#include <gio/gio.h>

#define FIRST_BYTES ((gsize) 1 << 16)
#define PIECE_BYTES ((gsize) 1 << 22)
/* Texts of graphs shrink to a tenth or less; what shrinks to less than a
 * hundredth has little in it, and takes many times its size to read. */
#define SMALL_BYTES ((gsize) 128 << 20)
#define MOST_RATIO 100

/* The text so far, and the remaining input. */
typedef struct
{
  const char *packed;
  gsize n_packed;
  gsize at; /* in the packed bytes */
  const GobanProgress *progress;
  guint8 *data;
  gsize size;
  gsize room;
  gsize most_bytes;
  const char *origin;
  const char *what; /* is packed: of messages */
} Text;

gboolean
goban_gzip_is (const char *data, gsize size)
{
  return size >= 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

gboolean
goban_gzip_refuse_size (const char *origin, gsize most_bytes, GError **error)
{
  char most[GOBAN_QUANTITY_LEN];

  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%s: cannot be read: unpacked it is larger than %s, the "
                       "limit for such a file",
                       origin, goban_format_bytes (most, (double) most_bytes));
}

static gboolean
refuse_size (const Text *self, GError **error)
{
  return goban_gzip_refuse_size (self->origin, self->most_bytes, error);
}

/* Keeps room for the zero, too. */
static gboolean
make_room (Text *self, GError **error)
{
  gsize room = MAX (MIN (2 * self->room, self->most_bytes + PIECE_BYTES), FIRST_BYTES);
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
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the %s data ends too early", self->origin,
                         self->what);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the %s data is damaged", self->origin,
                       self->what);
}

/* Unpacks one member, or data without a frame. */
static gboolean
unpack_member (Text *self, GZlibCompressorFormat format, GError **error)
{
  g_autoptr (GZlibDecompressor) unpacker = g_zlib_decompressor_new (format);
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED)
    {
      g_autoptr (GError) reason = NULL;
      gsize n_read = 0, n_written = 0;

      if (!goban_progress_check (self->progress, error) || !make_room (self, error))
        return FALSE;
      result = g_converter_convert (G_CONVERTER (unpacker), self->packed + self->at,
                                    self->n_packed - self->at, self->data + self->size,
                                    MIN (self->room - self->size - 1, PIECE_BYTES),
                                    G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &reason);
      if (result == G_CONVERTER_ERROR)
        return refuse_data (self, reason, error);
      self->at += n_read;
      self->size += n_written;
    }
  return TRUE;
}

/* (transfer full) (nullable): the text with a zero behind it, unless it @is_whole not. */
static GBytes *
finish (Text *self, gboolean is_whole, GError **error)
{
  if (!is_whole || (self->size > self->most_bytes && !refuse_size (self, error)))
    {
      g_free (self->data);
      return NULL;
    }
  self->data = g_realloc (self->data, self->size + 1);
  self->data[self->size] = 0;
  return g_bytes_new_take (self->data, self->size);
}

GBytes *
goban_gzip_unpack (GBytes *packed, gsize most_bytes, const char *origin,
                   const GobanProgress *progress, GError **error)
{
  Text self = { .progress = progress, .most_bytes = most_bytes, .origin = origin, .what = "gzip" };
  gboolean is_whole;

  self.packed = g_bytes_get_data (packed, &self.n_packed);
  self.most_bytes = MIN (most_bytes, MAX (SMALL_BYTES, self.n_packed * MOST_RATIO));
  do
    is_whole = unpack_member (&self, G_ZLIB_COMPRESSOR_FORMAT_GZIP, error);
  while (is_whole && goban_gzip_is (self.packed + self.at, self.n_packed - self.at));
  /* Other bytes behind the members are padding. */
  return finish (&self, is_whole, error);
}

GBytes *
goban_gzip_inflate (const char *packed, gsize size, gsize most_bytes, const char *origin,
                    const GobanProgress *progress, GError **error)
{
  Text self = { .packed = packed,
                .n_packed = size,
                .progress = progress,
                .most_bytes = most_bytes,
                .origin = origin,
                .what = "deflated" };

  return finish (&self, unpack_member (&self, G_ZLIB_COMPRESSOR_FORMAT_RAW, error), error);
}
