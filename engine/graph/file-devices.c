#include "engine/graph/file-devices.h"

#include "engine/graph/graph-builder-private.h"
#include "engine/graph/graph-private.h"

void
goban_graph_builder_set_file_device (GobanGraphBuilder *self, guint32 node, const char *device)
{
  BuilderDevice row = { node, NULL };

  g_return_if_fail (node < self->nodes->len);

  row.name = g_string_chunk_insert_const (self->strings, device);
  g_array_append_val (self->file_devices, row);
}

const char *
goban_graph_get_file_device (const GobanGraph *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, "");

  return self->file_devices != NULL ? self->file_devices[node] : "";
}

gboolean
goban_graph_has_file_devices (const GobanGraph *self)
{
  return self->file_devices != NULL;
}
