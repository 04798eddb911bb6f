/* data-file.h: where the files are that come with the program: suites, trained networks.
 *
 * They are looked for beside the source that the program was built from, then where it is installed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_DATA_N_FOLDERS 2

/* The path of one of the folders of a @kind ("suites"), i < GOBAN_DATA_N_FOLDERS, whether or not it
 * exists. (transfer full) */
char *goban_data_file_dup_folder (const char *kind, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* "a and b", for messages. (transfer full) */
char *goban_data_file_dup_folders (const char *kind) G_GNUC_WARN_UNUSED_RESULT;

/* The path of the first file of that name. (transfer full) (nullable) */
char *goban_data_file_find (const char *kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
