/* bytes.h: reading, writing and checksums of the program's own binary files.
 *
 * Numbers are little-endian on every machine. A text is its length in bytes, 32 bits wide, and
 * those bytes. A sealed file ends in the SHA-256 of all before it. A reader borrows the bytes, and
 * accepts any.
 */
#pragma once

#include <glib.h>

/* Number of bytes that goban_bytes_seal() appends. */
#define GOBAN_SEAL_SIZE 32

void goban_bytes_put_u32 (GByteArray *out, guint32 value);
void goban_bytes_put_u64 (GByteArray *out, guint64 value);
void goban_bytes_put_float (GByteArray *out, float value);
void goban_bytes_put_double (GByteArray *out, double value);
void goban_bytes_put_text (GByteArray *out, const char *text);

/* Appends the checksum, at the end of a file. */
void goban_bytes_seal (GByteArray *out);

/* Whether the data are a complete sealed file with the right checksum. */
gboolean goban_bytes_are_sealed (const guint8 *data, gsize size);

/* The remaining bytes. After a read beyond the end, all further reads return 0, NULL or "", so that
 * one check at the end of each part is enough. */
typedef struct
{
  const guint8 *data;
  gsize left;
  gboolean is_short;
} GobanByteReader;

/* (nullable): the next @n bytes, borrowed. */
const guint8 *goban_byte_reader_read (GobanByteReader *self, gsize n);
guint32 goban_byte_reader_read_u32 (GobanByteReader *self);
guint64 goban_byte_reader_read_u64 (GobanByteReader *self);
float goban_byte_reader_read_float (GobanByteReader *self);
double goban_byte_reader_read_double (GobanByteReader *self);

/* (transfer full): UTF-8; anything else, and a zero within, counts as missing. */
char *goban_byte_reader_read_text (GobanByteReader *self) G_GNUC_WARN_UNUSED_RESULT;
