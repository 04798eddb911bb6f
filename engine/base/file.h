/* file.h: reading whole files and replacing them whole.
 *
 * A file is replaced by a new one (file-stream.h), so that a reader sees the old bytes or the new ones, never half of
 * them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * goban_file_read:
 * @path: a path, or "-" for standard input
 *
 * Returns: (transfer full) (nullable): the bytes, or %NULL with %GOBAN_ERROR_IO set
 */
GBytes *goban_file_read (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_file_write:
 * @path: a path, or "-" for standard output
 *
 * Returns: %FALSE with %GOBAN_ERROR_IO set, the old file untouched
 */
gboolean goban_file_write (const char *path, const char *data, gsize size, GError **error);

G_END_DECLS
