/* recent-files.h: recently opened files, as the desktop stores them. */
#pragma once

#include <gtk/gtk.h>

/* Paths of this program's files that still exist, the latest first, at most @limit. (transfer
 * full) */
char **goban_recent_files_list (guint limit) G_GNUC_WARN_UNUSED_RESULT;
void goban_recent_files_add (const char *path);
/* The parameter of "win.open-path" for that file: its path or, if that is not UTF-8 as action
 * parameters must be, its URI. (transfer full) */
char *goban_recent_files_dup_target (const char *path) G_GNUC_WARN_UNUSED_RESULT;
