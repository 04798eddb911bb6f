/* file-devices.h: the devices on which a graph's file puts its nodes.
 *
 * They are names such as "gpu:1", of devices that a cluster may have or lack. They do not count in
 * the graph's hash: the same graph with another placement is the same graph.
 *
 * Decision E51 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph-builder.h"

/* @device is copied. */
void goban_graph_builder_set_file_device (GobanGraphBuilder *self, guint32 node,
                                          const char *device);

/* "" if the file does not say. */
const char *goban_graph_get_file_device (const GobanGraph *self, GobanNodeId node);
/* Whether it says so of any node. */
gboolean goban_graph_has_file_devices (const GobanGraph *self);
