#include "engine/core/bytes.h"

#include <string.h>

/* --- writing ------------------------------------------------------------------------------- */

void
goban_bytes_put_u32 (GByteArray *out, guint32 value)
{
  guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &little, sizeof little);
}

void
goban_bytes_put_u64 (GByteArray *out, guint64 value)
{
  guint64 little = GUINT64_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &little, sizeof little);
}

void
goban_bytes_put_float (GByteArray *out, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  goban_bytes_put_u32 (out, bits);
}

void
goban_bytes_put_double (GByteArray *out, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  goban_bytes_put_u64 (out, bits);
}

void
goban_bytes_put_text (GByteArray *out, const char *text)
{
  guint32 length = (guint32) strlen (text);

  goban_bytes_put_u32 (out, length);
  g_byte_array_append (out, (const guint8 *) text, length);
}

static void
compute_seal (const guint8 *data, gsize size, guint8 *seal)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = GOBAN_SEAL_SIZE;

  g_checksum_update (checksum, data, (gssize) size);
  g_checksum_get_digest (checksum, seal, &length);
}

void
goban_bytes_seal (GByteArray *out)
{
  guint8 seal[GOBAN_SEAL_SIZE];

  compute_seal (out->data, out->len, seal);
  g_byte_array_append (out, seal, sizeof seal);
}

/* --- reading ------------------------------------------------------------------------------- */

gboolean
goban_bytes_are_sealed (const guint8 *data, gsize size)
{
  guint8 seal[GOBAN_SEAL_SIZE];

  if (size < sizeof seal)
    return FALSE;
  compute_seal (data, size - sizeof seal, seal);
  return memcmp (seal, data + size - sizeof seal, sizeof seal) == 0;
}

const guint8 *
goban_byte_reader_read (GobanByteReader *self, gsize n)
{
  const guint8 *data = self->data;

  self->is_short = self->is_short || n > self->left;
  if (self->is_short)
    return NULL;
  self->data += n;
  self->left -= n;
  return data;
}

/* Leaves @value unchanged if too few bytes are left. */
static void
take_into (GobanByteReader *self, gpointer value, gsize size)
{
  const guint8 *data = goban_byte_reader_read (self, size);

  if (data != NULL)
    memcpy (value, data, size);
}

guint32
goban_byte_reader_read_u32 (GobanByteReader *self)
{
  guint32 value = 0;

  take_into (self, &value, sizeof value);
  return GUINT32_FROM_LE (value);
}

guint64
goban_byte_reader_read_u64 (GobanByteReader *self)
{
  guint64 value = 0;

  take_into (self, &value, sizeof value);
  return GUINT64_FROM_LE (value);
}

float
goban_byte_reader_read_float (GobanByteReader *self)
{
  guint32 bits = goban_byte_reader_read_u32 (self);
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

double
goban_byte_reader_read_double (GobanByteReader *self)
{
  guint64 bits = goban_byte_reader_read_u64 (self);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

char *
goban_byte_reader_read_text (GobanByteReader *self)
{
  guint32 length = goban_byte_reader_read_u32 (self);
  const guint8 *data = goban_byte_reader_read (self, length);

  /* A zero is refused, too, if a length is given. */
  self->is_short = self->is_short || !g_utf8_validate ((const char *) data, length, NULL);
  return self->is_short ? g_strdup ("") : g_strndup ((const char *) data, length);
}
