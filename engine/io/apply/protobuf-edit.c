#include "engine/io/apply/protobuf-edit.h"

#include <string.h>

#define WIRE_BYTES 2

static void
append_varint (GByteArray *out, guint64 value)
{
  guint8 byte;

  do
    {
      byte = (guint8) ((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
      g_byte_array_append (out, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

void
goban_protobuf_append (GByteArray *out, guint32 tag, const guint8 *data, gsize size)
{
  append_varint (out, (guint64) tag << 3 | WIRE_BYTES);
  append_varint (out, size);
  g_byte_array_append (out, data, (guint) size);
}

void
goban_protobuf_edit (const guint8 *data, gsize size, const GobanProtobufStep *path,
                     GobanProtobufEdit edit, gpointer user_data, GByteArray *out)
{
  gboolean is_done = FALSE;
  gsize at = 0;

  if (path->tag == 0)
    {
      edit (data, size, out, user_data);
      return;
    }
  while (at < size)
    {
      GobanProtobufField field;
      gsize begin = at;

      if (!goban_protobuf_next_field (data, size, &at, &field) || !field.whole)
        g_return_if_reached ();
      if (field.tag != path->tag || field.wire != WIRE_BYTES || (is_done && path->is_first_only))
        g_byte_array_append (out, data + begin, (guint) (at - begin));
      else
        {
          g_autoptr (GByteArray) inner = g_byte_array_new ();

          goban_protobuf_edit (data + field.start, field.value, path + 1, edit, user_data, inner);
          goban_protobuf_append (out, field.tag, inner->data, inner->len);
          is_done = TRUE;
        }
    }
}

void
goban_protobuf_put_text (const guint8 *data, gsize size, guint32 tag, const char *text,
                         GByteArray *out)
{
  gsize at = 0;

  while (at < size)
    {
      GobanProtobufField field;
      gsize begin = at;

      if (!goban_protobuf_next_field (data, size, &at, &field) || !field.whole)
        g_return_if_reached ();
      if (field.tag == tag)
        continue;
      if (field.tag > tag && text != NULL)
        {
          goban_protobuf_append (out, tag, (const guint8 *) text, strlen (text));
          text = NULL;
        }
      g_byte_array_append (out, data + begin, (guint) (at - begin));
    }
  if (text != NULL)
    goban_protobuf_append (out, tag, (const guint8 *) text, strlen (text));
}
