#include "engine/core/crc32.h"

#define POLYNOMIAL 0xedb88320 /* lowest bit first */

guint32
goban_crc32 (const guint8 *data, gsize size)
{
  guint32 table[256]; /* of a byte's eight steps */
  guint32 crc = 0xffffffff;

  for (guint32 i = 0; i < 256; i++)
    {
      table[i] = i;
      for (guint bit = 0; bit < 8; bit++)
        table[i] = table[i] >> 1 ^ (table[i] & 1 ? POLYNOMIAL : 0);
    }
  for (gsize i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
  return ~crc;
}
