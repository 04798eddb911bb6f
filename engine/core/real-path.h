/* real-path.h: names of files without links and "..", to test whether a path lies inside a
 * folder. */
#pragma once

#include <glib.h>

/* The real name of @path; the part that does not exist yet follows the real name of the folder that
 * does. (transfer full) (nullable): %NULL if that part has a "..", which might lead anywhere, or if
 * @path is a link to nowhere or cannot be looked at */
char *goban_real_path (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* Whether @path is @folder or inside of it, both real. */
gboolean goban_real_path_is_below (const char *path, const char *folder);
