/* file-stream.h: a file written piece by piece that replaces its target only when complete.
 *
 * Data are written to a new file (new-file.h), which commit renames to the target. Otherwise it is
 * deleted, so that a full disk, a cancelled export or a killed program leaves the old file
 * unchanged. Links are followed. "-" is standard output; pipes and devices, which cannot be
 * replaced, are written through. One thread.
 */
#pragma once

#include <glib.h>

typedef struct _GobanFileStream GobanFileStream;

/* Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO set */
GobanFileStream *goban_file_stream_new (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_IO set; further writes are dropped, and commit fails. */
gboolean goban_file_stream_write (GobanFileStream *self, const void *data, gsize size,
                                  GError **error);

/* Replaces the target. No more writes are allowed. */
gboolean goban_file_stream_commit (GobanFileStream *self, GError **error);

/* Deletes the new file unless it was committed. */
void goban_file_stream_free (GobanFileStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFileStream, goban_file_stream_free)
