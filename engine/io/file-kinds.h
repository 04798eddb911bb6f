/* file-kinds.h: names of common files that hold no graph to be read here, by their first bytes. */
#pragma once

#include <glib.h>

/**
 * goban_file_kind_refuse:
 * @origin: names the file in the message
 *
 * Returns: %TRUE with %GOBAN_ERROR_UNSUPPORTED set, whose message names the kind and what to do, if
 * the kind is known; else %FALSE, and nothing is set
 */
gboolean goban_file_kind_refuse (const char *data, gsize size, const char *origin, GError **error);
