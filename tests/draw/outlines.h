/* outlines.h: random outlines of random graphs: some groups open, some nodes hidden. */
#pragma once

#include "ui/draw/graph/graph-plot.h"

/* (transfer full): the paths of about so many of the groups. */
char **outlines_open_some (const GobanHierarchy *hierarchy, guint open_percent);
/* (transfer full) */
GobanSelection *outlines_hide_some (guint n_nodes, guint percent);
GobanOutline *outlines_new_any (guint n_nodes, guint open_percent, guint hidden_percent);

/* A layout of all nodes of a graph, without groups; edges keep their ids. @options: (nullable) */
GobanLayout *outlines_lay_out_graph (GobanGraph *graph, const GobanLayoutOptions *options,
                                     GError **error);
