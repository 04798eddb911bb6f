/* Checkpoints: the table of params.h as bytes, and back from any bytes at all. */
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/nn/params.h"

#include <math.h>
#include <string.h>

#define MAGIC "GOBANNET"
#define MAGIC_SIZE 8
#define VERSION 1
#define HASH_SIZE 32
#define N_PARTS 3 /* values, means, squares */

/* --- writing ------------------------------------------------------------------------------ */

static void
append_u32 (GByteArray *out, guint32 value)
{
  guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &little, sizeof little);
}

static void
append_u64 (GByteArray *out, guint64 value)
{
  guint64 little = GUINT64_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &little, sizeof little);
}

static void
append_string (GByteArray *out, const char *text)
{
  append_u32 (out, (guint32) strlen (text));
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
}

static void
append_floats (GByteArray *out, const float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits;

      memcpy (&bits, &values[i], sizeof bits);
      append_u32 (out, bits);
    }
}

static void
hash_bytes (const guint8 *data, gsize size, guint8 *hash)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = HASH_SIZE;

  g_checksum_update (checksum, data, (gssize) size);
  g_checksum_get_digest (checksum, hash, &length);
}

/* The parts of a tensor in the order of the file. */
static float *
get_part (const GobanParams *self, guint tensor, guint part)
{
  switch (part)
    {
    case 0:
      return goban_params_value (self, tensor);
    case 1:
      return goban_params_mean (self, tensor);
    default:
      return goban_params_square (self, tensor);
    }
}

GByteArray *
goban_params_write (const GobanParams *self)
{
  GByteArray *out = g_byte_array_new ();
  guint8 hash[HASH_SIZE];

  g_byte_array_append (out, (const guint8 *) MAGIC, MAGIC_SIZE);
  append_u32 (out, VERSION);
  append_string (out, goban_params_get_network (self));
  append_u64 (out, goban_params_get_n_steps (self));
  append_u32 (out, goban_params_get_n_tensors (self));
  for (guint t = 0; t < goban_params_get_n_tensors (self); t++)
    {
      append_string (out, goban_params_get_name (self, t));
      append_u32 (out, goban_params_get_rows (self, t));
      append_u32 (out, goban_params_get_cols (self, t));
      for (guint part = 0; part < N_PARTS; part++)
        append_floats (out, get_part (self, t, part), goban_params_get_size (self, t));
    }
  hash_bytes (out->data, out->len, hash);
  g_byte_array_append (out, hash, HASH_SIZE);
  return out;
}

gboolean
goban_params_save (const GobanParams *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_params_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading ------------------------------------------------------------------------------ */

typedef struct
{
  const guint8 *data;
  gsize size; /* without the hash */
  gsize at;
  const char *origin;
} Reader;

static gboolean fail (const Reader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Reader *reader, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: %s", reader->origin, what);
  return FALSE;
}

/* (nullable): the next @n bytes, NULL where there are fewer. */
static const guint8 *
take (Reader *reader, gsize n)
{
  if (n > reader->size - reader->at)
    return NULL;
  reader->at += n;
  return reader->data + reader->at - n;
}

static gboolean
take_u32 (Reader *reader, guint32 *value)
{
  const guint8 *bytes = take (reader, sizeof *value);

  if (bytes == NULL)
    return FALSE;
  memcpy (value, bytes, sizeof *value);
  *value = GUINT32_FROM_LE (*value);
  return TRUE;
}

static gboolean
take_u64 (Reader *reader, guint64 *value)
{
  const guint8 *bytes = take (reader, sizeof *value);

  if (bytes == NULL)
    return FALSE;
  memcpy (value, bytes, sizeof *value);
  *value = GUINT64_FROM_LE (*value);
  return TRUE;
}

/* Whether the next string is @expected; FALSE with what was found in *found (printable) else. */
static gboolean
take_string (Reader *reader, const char *expected, char **found)
{
  guint32 length;
  const guint8 *bytes = NULL;
  g_autofree char *text = NULL;

  *found = NULL;
  if (take_u32 (reader, &length))
    bytes = take (reader, length);
  if (bytes == NULL)
    return FALSE;
  if (length == strlen (expected) && memcmp (bytes, expected, length) == 0)
    return TRUE;
  text = g_strndup ((const char *) bytes, MIN (length, 200));
  *found = g_utf8_make_valid (text, -1);
  return FALSE;
}

static gboolean
read_head (Reader *reader, const GobanParams *self, guint64 *n_steps, GError **error)
{
  const guint8 *magic = take (reader, MAGIC_SIZE);
  const char *network = goban_params_get_network (self);
  g_autofree char *found = NULL;
  guint32 version, n_tensors;

  if (magic == NULL || memcmp (magic, MAGIC, MAGIC_SIZE) != 0)
    return fail (reader, error, "this is no file of network weights");
  if (!take_u32 (reader, &version))
    return fail (reader, error, "it ends within its head");
  if (version != VERSION)
    return fail (reader, error, "its version is %u, this program reads %u", version, VERSION);
  if (!take_string (reader, network, &found))
    {
      if (found == NULL)
        return fail (reader, error, "it ends within its head");
      return fail (reader, error, "it has the weights of a network “%s”, not of “%s”", found,
                   network);
    }
  if (!take_u64 (reader, n_steps) || !take_u32 (reader, &n_tensors))
    return fail (reader, error, "it ends within its head");
  if (n_tensors != goban_params_get_n_tensors (self))
    return fail (reader, error, "it has %u tensors, the network %u", n_tensors,
                 goban_params_get_n_tensors (self));
  return TRUE;
}

static gboolean
read_shape (Reader *reader, const GobanParams *self, guint tensor, GError **error)
{
  const char *name = goban_params_get_name (self, tensor);
  g_autofree char *found = NULL;
  guint32 rows, cols;

  if (!take_string (reader, name, &found))
    {
      if (found == NULL)
        return fail (reader, error, "it ends before tensor “%s”", name);
      return fail (reader, error, "tensor “%s” stands where “%s” should be", found, name);
    }
  if (!take_u32 (reader, &rows) || !take_u32 (reader, &cols))
    return fail (reader, error, "it ends within tensor “%s”", name);
  if (rows != goban_params_get_rows (self, tensor) || cols != goban_params_get_cols (self, tensor))
    return fail (reader, error, "tensor “%s” is %u x %u, the network's is %u x %u", name, rows,
                 cols, goban_params_get_rows (self, tensor), goban_params_get_cols (self, tensor));
  return TRUE;
}

/* Checks the numbers of one part, and keeps them where @values is not NULL. */
static gboolean
read_part (Reader *reader, const GobanParams *self, guint tensor, float *values, GError **error)
{
  const char *name = goban_params_get_name (self, tensor);
  gsize n = goban_params_get_size (self, tensor);
  const guint8 *bytes = take (reader, n * sizeof (float));

  if (bytes == NULL)
    return fail (reader, error, "it ends within tensor “%s”", name);
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits;
      float value;

      memcpy (&bits, bytes + i * sizeof bits, sizeof bits);
      bits = GUINT32_FROM_LE (bits);
      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        return fail (reader, error, "tensor “%s” has a number that is not finite", name);
      if (values != NULL)
        values[i] = value;
    }
  return TRUE;
}

static gboolean
read_tensors (Reader *reader, GobanParams *self, gboolean keep, GError **error)
{
  for (guint t = 0; t < goban_params_get_n_tensors (self); t++)
    {
      if (!read_shape (reader, self, t, error))
        return FALSE;
      for (guint part = 0; part < N_PARTS; part++)
        if (!read_part (reader, self, t, keep ? get_part (self, t, part) : NULL, error))
          return FALSE;
    }
  return TRUE;
}

gboolean
goban_params_read (GobanParams *self, const guint8 *data, gsize size, const char *origin,
                   GError **error)
{
  Reader reader = { data, size > HASH_SIZE ? size - HASH_SIZE : 0, 0, origin };
  guint8 hash[HASH_SIZE];
  guint64 n_steps = 0;
  gsize tensors_at;

  if (!read_head (&reader, self, &n_steps, error))
    return FALSE;
  tensors_at = reader.at;
  if (!read_tensors (&reader, self, FALSE, error))
    return FALSE;
  if (reader.at != reader.size)
    return fail (&reader, error, "%" G_GSIZE_FORMAT " bytes follow the last tensor",
                 reader.size - reader.at);
  hash_bytes (data, reader.size, hash);
  if (memcmp (hash, data + reader.size, HASH_SIZE) != 0)
    return fail (&reader, error, "it is damaged: its checksum does not match its numbers");

  /* The second pass repeats what has just gone well, so it cannot fail half-way. */
  reader.at = tensors_at;
  goban_params_set_n_steps (self, n_steps);
  return read_tensors (&reader, self, TRUE, error);
}

gboolean
goban_params_load (GobanParams *self, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, error);
  gsize size;
  const guint8 *data;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  return goban_params_read (self, data, size, path, error);
}
