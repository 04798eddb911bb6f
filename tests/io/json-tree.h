/* json-tree.h: slow reference reader for engine/io/json.c, based on json-glib's tree of the whole
 * file. */
#pragma once

#include "engine/io/io.h"

GobanGraph *json_tree_read (const char *data, gsize size, const char *path,
                            const GobanReadOptions *options,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
