/* file.h: atomic replacement of whole files, and removal of folders; file-read.h reads files.
 *
 * A file is replaced by a new one (file-stream.h), so that a reader sees either the old or the new
 * contents.
 */
#pragma once

#include <glib.h>

/**
 * goban_file_write:
 * @path: a path, or "-" for standard output
 *
 * Returns: %FALSE with %GOBAN_ERROR_IO set, the old file untouched
 */
gboolean goban_file_write (const char *path, const char *data, gsize size, GError **error);

/* Removes a folder with its files; those that cannot be removed stay. */
void goban_file_remove_folder (const char *path);
