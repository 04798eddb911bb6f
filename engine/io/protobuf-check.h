/* protobuf-check.h: checks of a protobuf message before protobuf-c unpacks it.
 *
 * protobuf-c recurses as deep as the bytes say and allocates a structure for every message, even
 * one of two bytes. This walk follows the same descriptors without allocating anything and refuses
 * messages that are cut off, that nest deeper than any real file, or that would swell far beyond
 * their own length.
 */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

/**
 * goban_protobuf_check:
 * @path: names the bytes in messages
 * @what: what the file should be: "an ONNX model"
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set, which names the byte
 */
gboolean goban_protobuf_check (const ProtobufCMessageDescriptor *descriptor, const guint8 *data,
                               gsize size, const char *path, const char *what, GError **error);

typedef struct
{
  guint32 tag;    /* the field's number */
  guint wire;     /* its wire type: 0 varint, 1 64 bits, 2 bytes, 5 32 bits */
  guint64 value;  /* of a varint; of bytes: their number as claimed */
  gsize start;    /* start of the bytes */
  gboolean whole; /* FALSE: they reach beyond the end */
} GobanProtobufField;

/**
 * goban_protobuf_next_field:
 * @at: (inout): where in @data; moved behind the field, to @size if it is not whole
 *
 * Reads one field of a message.
 *
 * Returns: %FALSE, nothing changed, if the bytes are no field
 */
gboolean goban_protobuf_next_field (const guint8 *data, gsize size, gsize *at,
                                    GobanProtobufField *field);
