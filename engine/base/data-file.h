/* data-file.h: where the files are that come with the program: suites, trained networks.
 *
 * They are looked for beside the program, "../share/goban" from its folder, so that an installation may be
 * moved as a whole; then in the source that it was built from; then where it was to be installed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_DATA_N_FOLDERS 3

/* The path of one of the folders of a @kind ("suites"), i < GOBAN_DATA_N_FOLDERS, whether or not it
 * exists. (transfer full) */
char *goban_data_file_dup_folder (const char *kind, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* "a and b", those there are, for messages. (transfer full) */
char *goban_data_file_dup_folders (const char *kind) G_GNUC_WARN_UNUSED_RESULT;

/* The path of the first file of that name. (transfer full) (nullable) */
char *goban_data_file_find (const char *kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
