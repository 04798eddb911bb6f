/* cell-names.h: names of the parameters of cells, for display (engine/graph/cells.h). */
#pragma once

#include "engine/graph/cells.h"

/**
 * goban_cell_names_new:
 *
 * A parameter is named after the node that holds it, cut to the outermost scope that holds no other
 * parameter: "encoder/layer_3" of "encoder/layer_3/kernel". A variable that counts as several
 * parameters, because ops of different types use it, is followed by the op: "table (Gather)". The
 * name is "parameter 12" if the node's name has no letter, or if all nodes of the graph are named
 * "node1", "node2" and so on.
 *
 * The names depend on the graph alone, and are never translated: paths, logs and files contain
 * them.
 *
 * Returns: (transfer full): (n_params) names, each unlike all others, and %NULL
 */
char **goban_cell_names_new (const GobanGraph *graph,
                             const GobanCells *cells) G_GNUC_WARN_UNUSED_RESULT;

/* "use 3" for use 2: displayed uses count from 1. */
char *goban_cell_dup_use_name (guint use) G_GNUC_WARN_UNUSED_RESULT;
