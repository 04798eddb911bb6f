/* file-stream.h: a file that grows piece by piece and appears whole.
 *
 * What is written goes to a new file (new-file.h) that commit puts in place and anything else removes, so that a full
 * disk, a cancelled picture or a killed program leaves the old file as it was. Links are followed. "-" is standard
 * output; pipes and devices, which cannot be replaced, are written through. One thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GobanFileStream GobanFileStream;

/* Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO set */
GobanFileStream *goban_file_stream_new (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_IO set; what is written after that is not, and commit fails. */
gboolean goban_file_stream_write (GobanFileStream *self, const void *data, gsize size,
                                  GError **error);

/* Puts the file in its place. Nothing may be written any more. */
gboolean goban_file_stream_commit (GobanFileStream *self, GError **error);

/* Removes what was written unless it was committed. */
void goban_file_stream_free (GobanFileStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFileStream, goban_file_stream_free)

G_END_DECLS
