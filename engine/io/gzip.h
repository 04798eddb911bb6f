/* gzip.h: unpacking of gzip data, and of the same packing without its frame, of bounded size. */
#pragma once

#include "engine/core/progress.h"

G_BEGIN_DECLS

gboolean goban_gzip_is (const char *data, gsize size);

/**
 * goban_gzip_unpack:
 * @packed: gzip data; several members behind each other are one text, as with gunzip
 * @most_bytes: maximum size of the text
 * @origin: names the data in messages
 * @progress: (nullable): looked at after each piece
 *
 * Returns: (transfer full) (nullable): the text with a zero behind it; %NULL with
 *   %GOBAN_ERROR_PARSE set if the data is damaged or cut off, %GOBAN_ERROR_IO if it is too large
 */
GBytes *goban_gzip_unpack (GBytes *packed, gsize most_bytes, const char *origin,
                           const GobanProgress *progress, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same of deflated data without a frame, as zip archives have them. */
GBytes *goban_gzip_inflate (const char *packed, gsize size, gsize most_bytes, const char *origin,
                            const GobanProgress *progress,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The error of data that are too large. Returns: %FALSE */
gboolean goban_gzip_refuse_size (const char *origin, gsize most_bytes, GError **error);

G_END_DECLS
