#include "engine/core/npy.h"

#include "engine/core/error.h"

#include <string.h>

#define MARK "\x93NUMPY"
#define MARK_SIZE 6
#define HEAD_SIZE 10 /* mark, version, length of the header */
#define ALIGNMENT 64
/* Python's own dictionaries of three entries are below 200 bytes. */
#define MAX_HEADER 65535

GBytes *
goban_npy_write (const double *values, gsize n)
{
  g_autofree char *dictionary = g_strdup_printf (
      "{'descr': '<f8', 'fortran_order': False, 'shape': (%" G_GSIZE_FORMAT ",), }", n);
  gsize length = strlen (dictionary) + 1; /* a line */
  gsize padded = (HEAD_SIZE + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - HEAD_SIZE;
  gsize size = HEAD_SIZE + padded + n * sizeof (double);
  char *bytes = g_malloc (size);
  guint8 head[] = { 1, 0, (guint8) (padded & 255), (guint8) (padded >> 8) };

  memcpy (bytes, MARK, MARK_SIZE);
  memcpy (bytes + MARK_SIZE, head, sizeof head);
  memset (bytes + HEAD_SIZE, ' ', padded);
  memcpy (bytes + HEAD_SIZE, dictionary, strlen (dictionary));
  bytes[HEAD_SIZE + padded - 1] = '\n';
  for (gsize i = 0; i < n; i++)
    {
      guint64 bits;

      memcpy (&bits, &values[i], sizeof bits);
      bits = GUINT64_TO_LE (bits);
      memcpy (bytes + HEAD_SIZE + padded + i * sizeof bits, &bits, sizeof bits);
    }
  return g_bytes_new_take (bytes, size);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Text behind "'KEY':" in a dictionary; (nullable). */
static const char *
find_value (const char *dictionary, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *found = strstr (dictionary, quoted);

  if (found == NULL)
    return NULL;
  for (found += strlen (quoted); *found == ' ';)
    found++;
  return found;
}

/* "(3,)" and "()", which is one number. */
static gboolean
read_shape (const char *text, const char *origin, gsize *n, GError **error)
{
  guint64 length = 1;
  char *end = (char *) text;

  if (text == NULL || *text != '(')
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the header of the array has no shape",
                         origin);
  if (text[1] != ')')
    {
      length = g_ascii_strtoull (text + 1, &end, 10);
      if (end == text + 1 || !g_ascii_isdigit (text[1]))
        return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the shape of the array is no number",
                             origin);
      end += strspn (end, ", ");
      if (*end != ')')
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "%s: the array has more than one dimension, which is not read here: "
                             "write it flat (a.ravel()), or its columns by name in one file: "
                             "numpy.savez(\"a.npz\", x=a[:, 0], y=a[:, 1])",
                             origin);
    }
  *n = (gsize) length;
  return TRUE;
}

typedef enum
{
  REAL,
  SIGNED,
  UNSIGNED
} Kind;

/* "'<f8'" */
static gboolean
read_type (const char *text, const char *origin, Kind *kind, gsize *size, GError **error)
{
  static const char kinds[] = "fiub";
  const char *found;

  if (text == NULL || (*text != '\'' && *text != '"') || strlen (text) < 5)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the header of the array has no type",
                         origin);
  found = strchr (kinds, text[2]);
  *size = (gsize) (text[3] - '0');
  if ((text[1] != '<' && text[1] != '|') || text[2] == '\0' || found == NULL || text[4] != *text
      || (*size != 1 && *size != 2 && *size != 4 && *size != 8) || (text[1] == '|' && *size != 1)
      || (text[2] == 'f' && *size < 4) || (text[2] == 'b' && *size != 1))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: numbers of the type %.8s are not read here: write them as float64",
                         origin, text);
  *kind = text[2] == 'f' ? REAL : text[2] == 'i' ? SIGNED : UNSIGNED;
  return TRUE;
}

/* The number of @size little-endian bytes. */
static double
read_number (const guint8 *at, Kind kind, gsize size)
{
  guint64 bits = 0;

  for (gsize k = 0; k < size; k++)
    bits |= (guint64) at[k] << (8 * k);
  if (kind == UNSIGNED)
    return (double) bits;
  if (kind == SIGNED)
    {
      guint shift = (guint) (64 - 8 * size);

      return (double) ((gint64) (bits << shift) >> shift);
    }
  if (size == 4)
    {
      guint32 half = (guint32) bits;
      float value;

      memcpy (&value, &half, sizeof value);
      return (double) value;
    }
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

double *
goban_npy_read (const char *data, gsize size, const char *origin, gsize *n, GError **error)
{
  const guint8 *bytes = (const guint8 *) data;
  g_autofree char *dictionary = NULL;
  gsize length, head = HEAD_SIZE, width = 1, count = 0;
  const char *order;
  double *values;
  Kind kind = REAL;

  if (size < HEAD_SIZE || memcmp (data, MARK, MARK_SIZE) != 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: it is no array of NumPy's (.npy)", origin);
      return NULL;
    }
  length = bytes[8] | (gsize) bytes[9] << 8;
  if (bytes[6] >= 2 && size >= HEAD_SIZE + 2) /* versions 2 and 3 have a longer length */
    {
      head += 2;
      length |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
    }
  if (length > MAX_HEADER || length > size - head)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the header of the array is cut off", origin);
      return NULL;
    }
  dictionary = g_strndup (data + head, length);
  if (!g_str_is_ascii (dictionary))
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the header of the array is no text", origin);
      return NULL;
    }
  order = find_value (dictionary, "fortran_order");
  if (!read_type (find_value (dictionary, "descr"), origin, &kind, &width, error)
      || !read_shape (find_value (dictionary, "shape"), origin, &count, error))
    return NULL;
  if (order == NULL || count > (size - head - length) / width)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the array is cut off or its header is damaged",
                    origin);
      return NULL;
    }
  values = g_new (double, count + 1);
  for (gsize i = 0; i < count; i++)
    values[i] = read_number (bytes + head + length + i * width, kind, width);
  *n = count;
  return values;
}
