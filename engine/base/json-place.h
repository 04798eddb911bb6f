/* json-place.h: line number of a value in a JSON text, for messages. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @data: JSON that passed json-guard.h; @where: "runs[2].order", "" for the root. Lines count from
 * 1. For a missing value, the line of its parent is returned. */
guint goban_json_find_line (const char *data, gsize size, const char *where);

G_END_DECLS
