/* zip.h: members of a zip archive in memory, stored or deflated, also of zip64.
 *
 * Found by the central directory at the end, as PyTorch's archives need it: their local headers
 * give no sizes. Encrypted members and archives in several parts are refused.
 *
 * Decision E62 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"

G_BEGIN_DECLS

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
 * Returns: (transfer full) (nullable): the member's bytes, which may borrow from the archive's;
 *   %NULL with an error if they are damaged, too many or packed in another way
 */
GBytes *goban_zip_unpack (const GobanZip *self, guint member, gsize most_bytes,
                          const GobanProgress *progress, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanZip, goban_zip_free)

G_END_DECLS
