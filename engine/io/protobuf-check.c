#include "engine/io/protobuf-check.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

enum
{
  WIRE_VARINT = 0,
  WIRE_64 = 1,
  WIRE_BYTES = 2,
  WIRE_32 = 5
};

/* ONNX takes three levels for each If or Loop inside another; files with ten such are unheard
 * of. */
#define MAX_DEPTH 96

/* Limit of protobuf-c's allocations for a file of n bytes: this much, and this many times n. */
#define FREE_BYTES (64.0 * 1024 * 1024)
#define MAX_GROWTH 64.0

typedef struct
{
  const guint8 *start; /* of the whole file */
  double allocated_bytes;
  const char *path;
  const char *what;
  GError **error;
} Check;

/* Always FALSE. */
G_GNUC_PRINTF (3, 4)
static gboolean
fail (const Check *check, const guint8 *at, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (check->error, GOBAN_ERROR_PARSE, "%s: byte %zu: %s", check->path,
                       (gsize) (at - check->start), message);
}

static gboolean
read_varint (const guint8 *data, gsize size, gsize *at, guint64 *value)
{
  guint64 v = 0;
  gsize i = *at;

  for (guint shift = 0; shift < 64 && i < size; shift += 7)
    {
      guint8 byte = data[i++];

      v |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        {
          *at = i;
          *value = v;
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
goban_protobuf_next_field (const guint8 *data, gsize size, gsize *at, GobanProtobufField *field)
{
  GobanProtobufField f = { .whole = TRUE };
  gsize i = *at;
  guint64 key;

  if (!read_varint (data, size, &i, &key) || key >> 3 == 0 || key >> 3 > G_MAXUINT32 >> 3)
    return FALSE;
  f.tag = (guint32) (key >> 3);
  f.wire = key & 7;

  switch (f.wire)
    {
    case WIRE_VARINT:
    case WIRE_BYTES:
      if (!read_varint (data, size, &i, &f.value))
        return FALSE;
      break;
    case WIRE_64:
    case WIRE_32:
      f.value = f.wire == WIRE_64 ? 8 : 4;
      break;
    default:
      return FALSE;
    }

  f.start = i;
  if (f.wire != WIRE_VARINT)
    {
      f.whole = f.value <= size - i;
      i = f.whole ? i + f.value : size;
    }
  *at = i;
  *field = f;
  return TRUE;
}

static gboolean
check_message (Check *check, const ProtobufCMessageDescriptor *descriptor, const guint8 *data,
               gsize size, guint depth)
{
  gsize at = 0;

  check->allocated_bytes += (double) descriptor->sizeof_message;
  if (depth > MAX_DEPTH)
    return fail (check, data, _ ("messages nest more than %d deep"), MAX_DEPTH);

  while (at < size)
    {
      const guint8 *begin = data + at;
      const ProtobufCFieldDescriptor *known;
      GobanProtobufField field;

      if (!goban_protobuf_next_field (data, size, &at, &field))
        return fail (check, begin, _ ("not %s, or damaged here"), _ (check->what));

      known = protobuf_c_message_descriptor_get_field (descriptor, field.tag);
      if (!field.whole)
        return fail (check, begin,
                     _ ("the field \"%s\" claims %zu bytes where %zu are left: the file is cut off "
                        "or not %s"),
                     known != NULL ? known->name : "?", (gsize) field.value, size - field.start,
                     _ (check->what));
      if (known != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE && field.wire == WIRE_BYTES
          && !check_message (check, known->descriptor, data + field.start, field.value, depth + 1))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_protobuf_check (const ProtobufCMessageDescriptor *descriptor, const guint8 *data, gsize size,
                      const char *path, const char *what, GError **error)
{
  Check check = { data, 0, path, what, error };

  if (!check_message (&check, descriptor, data, size, 0))
    return FALSE;
  if (check.allocated_bytes > FREE_BYTES + MAX_GROWTH * (double) size)
    return fail (&check, data, "%.0f MB of empty messages in a file of %.0f MB",
                 check.allocated_bytes / 1e6, (double) size / 1e6);
  return TRUE;
}
