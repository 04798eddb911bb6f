/* data-file.h: paths of the installed data files: suites, trained networks, samples.
 *
 * The search order is: "../share/goban" relative to the program's folder, so that an installation
 * can be moved as a whole; the source tree that the program was built from; the configured
 * installation folder.
 */
#pragma once

#include <glib.h>

#define GOBAN_DATA_N_FOLDERS 3

/* The path of one of the folders of a @kind ("suites"), i < GOBAN_DATA_N_FOLDERS; it need not
 * exist. (transfer full) */
char *goban_data_file_dup_folder (const char *kind, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* "a and b": the existing ones, for messages. (transfer full) */
char *goban_data_file_dup_folders (const char *kind) G_GNUC_WARN_UNUSED_RESULT;

/* The path of the first file of that name. (transfer full) (nullable) */
char *goban_data_file_find (const char *kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_sample_find:
 * @folders: folders in order, up to a %NULL; they need not exist
 * @name: a file's name, with or without its ending
 *
 * Returns: (transfer full) (nullable): the path of the first one; else %NULL with %GOBAN_ERROR_IO
 *   set, whose message lists the samples
 */
char *goban_sample_find (const char *const *folders, const char *name,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
