/* protobuf-text.h: protobuf's text format, encoded to the bytes of the same message.
 *
 * So a file has one reader, whichever form it is in. Fields and names of enumerations that the
 * descriptor lacks are checked and skipped. Takes time and memory in proportion to the text.
 */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

/**
 * goban_protobuf_text_encode:
 *
 * Returns: (transfer full) (nullable): the message's bytes, or %NULL with %GOBAN_ERROR_PARSE
 *   set to "path:line: ..."
 */
GByteArray *goban_protobuf_text_encode (const ProtobufCMessageDescriptor *descriptor,
                                        const char *data, gsize size, const char *path,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The first field's name, past blanks and comments; "" if the text begins otherwise. At most
 * @n - 1 bytes of it are copied to @name. */
void goban_protobuf_text_first_field (const char *data, gsize size, char *name, gsize n);
