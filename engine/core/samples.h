/* samples.h: graphs that come with the program, by name. */
#pragma once

#include <glib.h>

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
