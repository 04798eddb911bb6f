/* packed.h: unpacking of compressed texts and of zip archives in memory, of bounded size.
 *
 * A text packed by gzip, zstd, xz, bzip2 or lz4 is known by its first bytes. Members of archives
 * are found by the directory at the end, as PyTorch's archives need it: their local headers give no
 * sizes. Encrypted members are refused.
 *
 * Decision E62 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"

gboolean goban_packed_is (const char *data, gsize size);

/* The path without ".gz", ".zst" and the like: "trace.json.gz" has the ending of the text within.
 * (transfer full) */
char *goban_packed_dup_inner_path (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_packed_unpack:
 * @packed: packed data; several gzip members one after another are one text, as with gunzip
 * @most_bytes: maximum size of the text; less is allowed if it shrank to less than a hundredth
 * @origin: names the data in messages
 * @progress: (nullable): checked after each piece
 *
 * Returns: (transfer full) (nullable): the text with a zero after it; %NULL with
 *   %GOBAN_ERROR_PARSE set if the data is damaged or cut off, %GOBAN_ERROR_IO if it is too large
 */
GBytes *goban_packed_unpack (GBytes *packed, gsize most_bytes, const char *origin,
                             const GobanProgress *progress,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Unpacks the first @n bytes at most, of a text that may be cut off; returns how many there are. */
gsize goban_packed_peek (GBytes *packed, char *head, gsize n);

/* The error of data that are too large. Returns: %FALSE */
gboolean goban_packed_refuse_size (const char *origin, gsize most_bytes, GError **error);

/* --- zip archives ----------------------------------------------------------------------------- */

typedef struct _GobanZip GobanZip;

/* Whether the bytes begin as an archive with members does. */
gboolean goban_zip_is (const char *data, gsize size);

/**
 * goban_zip_open:
 * @data: borrowed for the life of the archive
 * @path: names the archive in messages, copied
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE set if the directory is
 *   missing or damaged, %GOBAN_ERROR_UNSUPPORTED if it has too many members
 */
GobanZip *goban_zip_open (const char *data, gsize size, const char *path,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_zip_free (GobanZip *self);

guint goban_zip_get_n_members (const GobanZip *self);
/* With the folders before it, "model/models/model.json"; in valid UTF-8. */
const char *goban_zip_get_name (const GobanZip *self, guint member);

/**
 * goban_zip_unpack:
 * @most_bytes: maximum unpacked size
 * @progress: (nullable)
 *
 * Returns: (transfer full) (nullable): the member's bytes with a zero after them; %NULL with an
 *   error if they are damaged, too many or packed in an unknown way
 */
GBytes *goban_zip_unpack (const GobanZip *self, guint member, gsize most_bytes,
                          const GobanProgress *progress, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_zip_pack:
 * @names: (array length=n): names of members, without characters that need quoting
 * @members: (array length=n): their bytes
 *
 * Stores them without compression and without times, so that equal members are equal archives.
 *
 * Returns: (transfer full) (nullable): the archive; %NULL with %GOBAN_ERROR_IO set
 */
GBytes *goban_zip_pack (const char *const *names, GBytes *const *members, guint n,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanZip, goban_zip_free)
