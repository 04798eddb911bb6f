/* checked-path.h: paths that a script was allowed to write, bound to the places they led to then.
 *
 * Between the check of a path and its use, somebody may put a link in its place. Writers open the
 * folder of a path here, and of a checked one, or one below, follow no link that was not there at
 * the check. Any thread.
 *
 * Decision A18 (app/NOTES.md).
 */
#pragma once

#include <glib.h>

/* @real: where @path leads, resolved: itself without links. Replaces what was
 * noted before. */
void goban_checked_path_add (const char *path, const char *real);

/**
 * goban_checked_path_open_folder:
 * @name: (out) (transfer full): the name in the folder; a link that was there
 * at the check, or of a path that was never checked, is resolved
 *
 * Returns: a descriptor of the folder in which @path is written; -1 with errno
 * set, ELOOP if a checked path leads elsewhere now
 */
int goban_checked_path_open_folder (const char *path, char **name);

/* Makes a folder and those above it, as g_mkdir_with_parents(); %FALSE with
 * errno set. */
gboolean goban_checked_path_make_folder (const char *path);
