/* crc32.h: the CRC-32 checksum that zip archives and PNG files have (ISO 3309). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint32 goban_crc32 (const guint8 *data, gsize size);

G_END_DECLS
