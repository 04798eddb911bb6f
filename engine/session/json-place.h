/* json-place.h: line number of a value in a JSON text, for messages. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @data: sound JSON, as json-guard.h lets through; @where: "runs[2].order", "" for the root. Lines begin with 1; of what
 * is not there, the line of what it should be in. */
guint goban_json_find_line (const char *data, gsize size, const char *where);

G_END_DECLS
