/* protobuf-edit.h: copies of protobuf messages in which some nested messages are changed.
 *
 * All else keeps its bytes, fields unknown to any schema included.
 */
#pragma once

#include "engine/io/protobuf-check.h"

/* One step from a message to a nested one. */
typedef struct
{
  guint32 tag; /* 0 ends the path */
  gboolean is_first_only;
} GobanProtobufStep;

/* Appends the changed message to @out. */
typedef void (*GobanProtobufEdit) (const guint8 *data, gsize size, GByteArray *out,
                                   gpointer user_data);

/* Appends a copy of the message to @out, with the messages at @path changed by @edit, in their
 * order. The bytes must have passed goban_protobuf_check(). */
void goban_protobuf_edit (const guint8 *data, gsize size, const GobanProtobufStep *path,
                          GobanProtobufEdit edit, gpointer user_data, GByteArray *out);

/* Appends the message with its fields @tag left out, and with @text as that field if it is not
 * %NULL, before the first field of a higher tag. */
void goban_protobuf_put_text (const guint8 *data, gsize size, guint32 tag, const char *text,
                              GByteArray *out);

/* Appends a field of bytes. */
void goban_protobuf_append (GByteArray *out, guint32 tag, const guint8 *data, gsize size);
