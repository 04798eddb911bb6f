/* A copy of TensorFlow's graph in which each node has a device, "/device:GPU:1". The nodes of a
 * loop have that of the loop's node.
 */
#include "engine/io/apply/device-names.h"
#include "engine/io/apply/pbtxt-edit.h"
#include "engine/io/apply/protobuf-edit.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/source-nodes.h"
#include "engine/machine/cluster/device-number.h"

#include <string.h>

/* Fields of TensorFlow's messages. */
enum
{
  GRAPH_NODE = 1,
  NODE_DEVICE = 4,
  META_GRAPH_DEF = 2,
  SAVED_META_GRAPHS = 2,
};

typedef struct
{
  const GobanApplyWork *work;
  const GobanSourceNodes *nodes;
  char **devices; /* by the cluster's */
  gsize n_edited;
} Copy;

/* A letter, then letters, digits and underscores. */
static gboolean
is_device_type (const char *kind)
{
  if (!g_ascii_isalpha (*kind))
    return FALSE;
  for (; *kind != '\0'; kind++)
    if (!g_ascii_isalnum (*kind) && *kind != '_')
      return FALSE;
  return TRUE;
}

static gboolean
check_kinds (const GobanApplyWork *work, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      GobanDeviceId device = goban_plan_get_device (work->plan, v);
      const char *kind = goban_cluster_get_device (work->cluster, device)->kind;

      if (!is_device_type (kind))
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "node “%s” is on %s, which is of the kind “%s”; in TensorFlow a kind "
                             "is a letter, then letters, digits and underscores",
                             goban_apply_node_name (work, v), goban_apply_device_name (work, v),
                             kind);
    }
  return TRUE;
}

static char **
name_devices (const GobanApplyWork *work)
{
  guint n = goban_cluster_get_n_devices (work->cluster);
  char **names = g_new0 (char *, n + 1);

  for (guint d = 0; d < n; d++)
    {
      g_autofree char *upper
          = g_ascii_strup (goban_cluster_get_device (work->cluster, (GobanDeviceId) d)->kind, -1);

      names[d] = g_strdup_printf ("/device:%s:%u", upper,
                                  goban_device_get_number (work->cluster, (GobanDeviceId) d));
    }
  return names;
}

static const char *
get_device (const Copy *self, gsize i)
{
  if (self->nodes->devices[i] != NULL)
    return self->nodes->devices[i];
  return self->devices[goban_plan_get_device (self->work->plan, self->nodes->nodes[i])];
}

static char *
quote_device (gsize i, gpointer user_data)
{
  return g_strdup_printf ("\"%s\"", get_device (user_data, i));
}

static void
edit_node (const guint8 *data, gsize size, GByteArray *out, gpointer user_data)
{
  Copy *self = user_data;

  goban_protobuf_put_text (data, size, NODE_DEVICE, get_device (self, self->n_edited++), out);
}

static void
copy_text (Copy *self, const char *data, gsize size, GString *out)
{
  static const char *const path[] = { "meta_graphs", "graph_def", "node", NULL };
  static const char *const before[] = { "name", "op", "input", NULL };
  const GobanPbtxtEdit edit = {
    path + 2 - self->nodes->depth, self->nodes->depth == 2, "device", before, quote_device, self
  };
  g_autoptr (GString) text = goban_pbtxt_edit (data, size, &edit);

  g_string_append_len (out, text->str, (gssize) text->len);
}

static void
copy_bytes (Copy *self, const char *data, gsize size, GString *out)
{
  static const GobanProtobufStep path[] = {
    { SAVED_META_GRAPHS, TRUE },
    { META_GRAPH_DEF, FALSE },
    { GRAPH_NODE, FALSE },
    { 0, FALSE },
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  goban_protobuf_edit ((const guint8 *) data, size, path + 2 - self->nodes->depth, edit_node, self,
                       bytes);
  g_string_append_len (out, (const char *) bytes->data, bytes->len);
}

static gboolean
write_graph (GobanApplyWork *work, GError **error)
{
  g_autoptr (GobanSourceNodes) nodes = NULL;
  g_auto (GStrv) devices = NULL;
  gsize size;
  const char *data = g_bytes_get_data (work->source, &size);
  Copy copy;

  if (!check_kinds (work, error))
    return FALSE;
  nodes = goban_graphdef_find_nodes (work->source, work->request->source, work->graph, error);
  if (nodes == NULL)
    return FALSE;
  devices = name_devices (work);
  copy = (Copy){ work, nodes, devices, 0 };
  if (nodes->is_text)
    copy_text (&copy, data, size, work->text);
  else
    copy_bytes (&copy, data, size, work->text);
  return TRUE;
}

const GobanApplyTarget goban_apply_tensorflow = {
  .name = "tensorflow",
  .framework = "TensorFlow",
  .blurb = N_ ("a copy of the graph's file with the field “device” of each node"),
  .suffix = ".pb",
  .source_format = "graphdef",
  .is_copy = TRUE,
  .write = write_graph,
};
