/* cost-graph.c: TensorFlow's CostGraphDef, the graph of a run or of a cost model; binary or text.
 *
 * Nodes have a time in microseconds, outputs sizes, and no operator: that is taken from the name.
 * An output that shares the memory of an input counts as memory of its own. Devices are those of
 * file-devices.h. What is written here is read as the same graph, but for fractions of times and
 * bytes, groups, phases and all kinds of device but one.
 */
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/graph/file-devices.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/protobuf-text.h"
#include "engine/io/tensorflow/tf-devices.h"
#include "engine/io/tensorflow/tf-shapes.h"
#include "engine/io/text.h"

/* --- reading -------------------------------------------------------------- */

#define MAX_DIMS GOBAN_ONNX_MAX_DIMS
/* The port of an edge that only waits. */
#define CONTROL_PORT (-1)
/* Bytes of a text that are read to recognise it. */
#define SNIFFED_BYTES 65536

/* --- recognising ----------------------------------------------------------------------------- */

/* The next word outside of texts and comments, from *@at on; "" at the end. @depth: of braces. */
static void
next_word (const char *text, gsize size, gsize *at, guint *depth, char word[32])
{
  gsize n = 0;

  word[0] = '\0';
  for (; *at < size; (*at)++)
    {
      char c = text[*at];

      if (g_ascii_isalnum (c) || c == '_')
        {
          for (; *at < size && (g_ascii_isalnum (text[*at]) || text[*at] == '_'); (*at)++)
            if (n < 31)
              word[n++] = text[*at];
          word[n] = '\0';
          return;
        }
      if (c == '"' || c == '\'')
        for ((*at)++; *at < size && text[*at] != c && text[*at] != '\n'; (*at)++)
          *at += text[*at] == '\\';
      else if (c == '#')
        while (*at + 1 < size && text[*at + 1] != '\n')
          (*at)++;
      *depth += c == '{' || c == '<';
      *depth -= *depth > 0 && (c == '}' || c == '>');
    }
}

/* A node has a field that those of a GraphDef lack, and the first node has no operator. */
static gboolean
is_cost_text (const char *data, gsize size)
{
  static const char *const fields[]
      = { "compute_cost", "control_input", "id", "input_info", "is_final", "output_info" };
  char word[32];
  guint depth = 0;
  gsize at = 0;

  goban_protobuf_text_first_field (data, size, word, sizeof word);
  if (strcmp (word, "node") != 0)
    return FALSE;
  size = MIN (size, SNIFFED_BYTES);
  do
    {
      next_word (data, size, &at, &depth, word);
      if (depth == 1 && strcmp (word, "op") == 0)
        return FALSE;
      if (depth == 1 && goban_find_word (fields, G_N_ELEMENTS (fields), word) >= 0)
        return TRUE;
    }
  while (*word != '\0');
  return FALSE;
}

/* Above the scores of graphdef.c, which sees nodes in both. */
static int
sniff_text (const char *head, gsize size, const char *path)
{
  return is_cost_text (head, size) ? 92 : 0;
}

static int
sniff_binary (const char *head, gsize size, const char *path)
{
  return goban_protobuf_probe (&goban_probe_cost_graph, (const guint8 *) head, size) ? 92 : 0;
}

/* --- nodes ----------------------------------------------------------------------------------- */

typedef struct
{
  const char *path;
  const GobanTf__CostGraph *proto;
  GobanGraphBuilder *builder;
  GobanIdTable *ids;     /* of nodes: to the builder's */
  GobanIdTable *tensors; /* the builder's, by its node and port */
  gboolean has_times;    /* some node has a time: others take none */
  gboolean are_apart;    /* devices are of several tasks */
  guint n_unknown;       /* outputs without a size */
  guint n_inaccurate;
  double temporary_bytes;
} Reading;

/* In valid UTF-8; "node_7" if it has none. (transfer full) */
static char *
dup_name (const GobanTf__CostNode *node)
{
  return *node->name != '\0' ? g_utf8_make_valid (node->name, -1)
                             : g_strdup_printf ("node_%d", node->id);
}

static gint64
get_time (const GobanTf__CostNode *node)
{
  return node->compute_cost > 0 ? node->compute_cost : MAX (node->compute_time, node->memory_time);
}

static double
get_size (Reading *self, gint64 size)
{
  self->n_unknown += size < 0;
  return size < 0 ? 0 : (double) size;
}

static void
add_output (Reading *self, guint32 id, guint32 port, const GobanTf__CostOutput *output)
{
  guint32 tensor
      = goban_graph_builder_add_tensor (self->builder, id, get_size (self, output->size));
  const GobanTf__Shape *shape = output->shape;
  gint64 dims[MAX_DIMS];

  goban_id_table_add (self->tensors, (guint64) id << 32 | port, tensor);
  if (shape == NULL || shape->unknown_rank || shape->n_dim > MAX_DIMS)
    return;
  for (guint i = 0; i < shape->n_dim; i++)
    dims[i] = MAX (shape->dim[i]->size, -1);
  goban_graph_builder_set_tensor_shape (self->builder, tensor,
                                        goban_onnx_dtype_name (goban_tf_dtype (output->dtype)),
                                        dims, (guint) shape->n_dim);
}

static gboolean
add_node (Reading *self, const GobanTf__CostNode *from, GError **error)
{
  g_autofree char *name = dup_name (from);
  g_autofree char *op = goban_text_file_dup_stem (name);
  g_autofree char *device = goban_tf_device_name (from->device, self->are_apart);
  guint32 id = goban_graph_builder_add_node (self->builder, name, op);
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);

  if (goban_id_table_contains (self->ids, (guint64) from->id))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node “%s”: another node has the id %d",
                         self->path, name, from->id);
  if (from->compute_cost < 0 || get_time (from) < 0 || from->persistent_memory_size < 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: node “%s”: its cost or its memory is negative", self->path, name);
  goban_id_table_add (self->ids, (guint64) from->id, id);
  node->size_source = GOBAN_SOURCE_GIVEN;
  node->param_bytes = (double) from->persistent_memory_size;
  if (self->has_times)
    goban_graph_builder_set_time (self->builder, id, GOBAN_ANY_KIND, (double) get_time (from),
                                  GOBAN_SOURCE_GIVEN);
  if (*device != '\0')
    goban_graph_builder_set_file_device (self->builder, id, device);
  for (guint32 i = 0; i < from->n_output_info; i++)
    add_output (self, id, i, from->output_info[i]);
  self->n_inaccurate += from->inaccurate;
  self->temporary_bytes += (double) MAX (from->temporary_memory_size, 0);
  return TRUE;
}

/* --- edges ----------------------------------------------------------------------------------- */

/* (transfer full): for messages */
static char *
show_name (const GobanTf__CostNode *node)
{
  g_autofree char *name = dup_name (node);

  return goban_text_file_excerpt (name);
}

static gboolean
find_tail (Reading *self, const GobanTf__CostNode *from, gint32 id, guint32 *tail, GError **error)
{
  g_autofree char *shown = NULL;

  if (goban_id_table_find (self->ids, (guint64) id, tail))
    return TRUE;
  shown = show_name (from);
  return goban_refuse (error, GOBAN_ERROR_PARSE,
                       "%s: node “%s” reads from node %d, which is not in the file", self->path,
                       shown, id);
}

/* An output that is read and not declared has no size. */
static guint32
get_tensor (Reading *self, guint32 tail, guint32 port)
{
  guint64 key = (guint64) tail << 32 | port;
  guint32 tensor;

  if (goban_id_table_find (self->tensors, key, &tensor))
    return tensor;
  tensor = goban_graph_builder_add_tensor (self->builder, tail, get_size (self, -1));
  goban_id_table_add (self->tensors, key, tensor);
  return tensor;
}

static gboolean
add_input (Reading *self, guint32 head, const GobanTf__CostInput *input, GError **error)
{
  const GobanTf__CostNode *from = self->proto->node[head];
  guint32 tail;

  if (!find_tail (self, from, input->preceding_node, &tail, error))
    return FALSE;
  if (input->preceding_port < CONTROL_PORT)
    {
      g_autofree char *shown = show_name (from);

      return goban_refuse (error, GOBAN_ERROR_PARSE,
                           "%s: node “%s” reads output %d of node %d, which no node has",
                           self->path, shown, input->preceding_port, input->preceding_node);
    }
  if (input->preceding_port == CONTROL_PORT)
    goban_graph_builder_add_control_edge (self->builder, tail, head);
  else
    goban_graph_builder_add_edge (self->builder,
                                  get_tensor (self, tail, (guint32) input->preceding_port), head);
  return TRUE;
}

static gboolean
add_edges (Reading *self, guint32 head, GError **error)
{
  const GobanTf__CostNode *from = self->proto->node[head];
  guint32 tail;

  for (gsize i = 0; i < from->n_input_info; i++)
    if (!add_input (self, head, from->input_info[i], error))
      return FALSE;
  for (gsize i = 0; i < from->n_control_input; i++)
    {
      if (!find_tail (self, from, from->control_input[i], &tail, error))
        return FALSE;
      goban_graph_builder_add_control_edge (self->builder, tail, head);
    }
  return TRUE;
}

/* --- the reader ------------------------------------------------------------------------------ */

static gboolean
are_apart (const GobanTf__CostGraph *proto)
{
  g_autofree const char **devices = g_new (const char *, proto->n_node + 1);

  for (gsize i = 0; i < proto->n_node; i++)
    devices[i] = proto->node[i]->device;
  return goban_tf_devices_are_apart (devices, proto->n_node);
}

static void
warn (const Reading *self)
{
  if (self->n_unknown > 0)
    goban_graph_builder_warn (self->builder, "%u outputs have no known size: they count as 0 bytes",
                              self->n_unknown);
  if (self->n_inaccurate > 0)
    goban_graph_builder_warn (self->builder, "%u of its %zu times are marked as inaccurate",
                              self->n_inaccurate, self->proto->n_node);
  if (self->temporary_bytes > 0)
    goban_graph_builder_warn (self->builder,
                              "temporary memory of its nodes, %.0f bytes in all, is not counted",
                              self->temporary_bytes);
}

static gboolean
read_graph (Reading *self, const GobanReadOptions *options, GError **error)
{
  const GobanProgress *progress = options != NULL ? options->progress : NULL;

  for (gsize i = 0; i < self->proto->n_node; i++)
    self->has_times |= get_time (self->proto->node[i]) > 0;
  self->are_apart = are_apart (self->proto);
  for (gsize i = 0; i < self->proto->n_node; i++)
    if (!goban_progress_check (progress, error) || !add_node (self, self->proto->node[i], error))
      return FALSE;
  for (guint32 i = 0; i < self->proto->n_node; i++)
    if (!goban_progress_check (progress, error) || !add_edges (self, i, error))
      return FALSE;
  warn (self);
  return TRUE;
}

static GobanGraph *
read_message (const guint8 *data, gsize size, const char *path, const GobanReadOptions *options,
              GError **error)
{
  const ProtobufCMessageDescriptor *descriptor = &goban_tf__cost_graph__descriptor;
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "cost-graph");
  g_autoptr (GobanIdTable) ids = goban_id_table_new ();
  g_autoptr (GobanIdTable) tensors = goban_id_table_new ();
  Reading self = { .path = path, .builder = builder, .ids = ids, .tensors = tensors };
  ProtobufCMessage *message;
  gboolean ok;

  if (!goban_protobuf_check (descriptor, data, size, path, N_ ("a CostGraphDef"), error))
    return NULL;
  message = protobuf_c_message_unpack (descriptor, NULL, size, data);
  if (message == NULL)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE,
                    "%s: not a CostGraphDef: a field has another type than it should", path);
      return NULL;
    }
  self.proto = (const GobanTf__CostGraph *) message;
  ok = read_graph (&self, options, error);
  protobuf_c_message_free_unpacked (message, NULL);
  return ok ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

static GobanGraph *
read_cost_graph (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                 GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  char field[32];

  goban_protobuf_text_first_field (data, size, field, sizeof field);
  if (strcmp (field, "node") != 0 && strcmp (field, "cost") != 0)
    return read_message ((const guint8 *) data, size, path, options, error);
  bytes = goban_protobuf_text_encode (&goban_tf__cost_graph__descriptor, data, size, path, error);
  return bytes != NULL ? read_message (bytes->data, bytes->len, path, options, error) : NULL;
}

/* --- writing -------------------------------------------------------------- */

/* Amounts above count as this, so that they are exact. */
#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

static void
append_text (GString *out, const char *field, const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_string_append_printf (out, "  %s: \"%s\"\n", field, escaped);
}

static void
append_whole (GString *out, const char *field, double value)
{
  value = MIN (round (value), MOST_WHOLE);
  if (value > 0)
    g_string_append_printf (out, "  %s: %.0f\n", field, value);
}

/* "gpu:1" is "/device:GPU:1"; names of tasks are as the file had them. */
static void
append_device (GString *out, const char *device)
{
  g_autofree char *upper = NULL;
  g_autofree char *full = NULL;

  if (*device == '\0')
    return;
  upper = g_ascii_strup (device, -1);
  full = g_strconcat ("/device:", upper, NULL);
  append_text (out, "device", *device == '/' ? device : full);
}

/* (nullable): "DT_FLOAT" of "f32". */
static const char *
find_dtype (const char *dtype)
{
  const ProtobufCEnumDescriptor *types = &goban_tf__data_type__descriptor;

  for (unsigned i = 0; *dtype != '\0' && i < types->n_values; i++)
    if (strcmp (goban_onnx_dtype_name (goban_tf_dtype (types->values[i].value)), dtype) == 0)
      return types->values[i].name;
  return NULL;
}

static void
append_output (GString *out, const GobanTensor *tensor)
{
  const char *dtype = find_dtype (tensor->dtype);

  g_string_append_printf (out, "  output_info { size: %.0f alias_input_port: -1",
                          MIN (ceil (tensor->size_bytes), MOST_WHOLE));
  if (tensor->has_shape)
    {
      g_string_append (out, " shape {");
      for (guint i = 0; i < tensor->n_dims; i++)
        g_string_append_printf (out, " dim { size: %" G_GINT64_FORMAT " }", tensor->dims[i]);
      g_string_append (out, " }");
    }
  if (dtype != NULL)
    g_string_append_printf (out, " dtype: %s", dtype);
  g_string_append (out, " }\n");
}

/* Control edges have a field of their own, and their tensors no port. */
static void
append_edges (GString *out, const GobanGraph *graph, const guint32 *ports, GobanNodeId node)
{
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, node);

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      if (goban_graph_get_tensor (graph, edge->tensor)->is_control)
        g_string_append_printf (out, "  control_input: %u\n", edge->tail);
      else if (ports[edge->tensor] == 0)
        g_string_append_printf (out, "  input_info { preceding_node: %u }\n", edge->tail);
      else
        g_string_append_printf (out, "  input_info { preceding_node: %u preceding_port: %u }\n",
                                edge->tail, ports[edge->tensor]);
    }
}

static gboolean
append_time (GString *out, const GobanGraph *graph, GobanNodeId node, GError **error)
{
  guint kind = goban_graph_find_kind (graph, GOBAN_ANY_KIND);
  double time_us;

  if (goban_graph_get_n_kinds (graph) == 0)
    return TRUE;
  kind = kind != GOBAN_NO_KIND ? kind : 0;
  time_us = goban_graph_get_time_us (graph, node, kind);
  if (isinf (time_us))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "node “%s” cannot run on “%s”, which a CostGraphDef cannot say",
                         goban_graph_get_node (graph, node)->name,
                         goban_graph_get_kind (graph, kind));
  if (!isnan (time_us))
    append_whole (out, "compute_cost", time_us);
  return TRUE;
}

static gboolean
append_node (GString *out, const GobanGraph *graph, const guint32 *ports, GobanNodeId id,
             GError **error)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, id, &n_tensors);

  g_string_append (out, "node {\n");
  append_text (out, "name", node->name);
  append_device (out, goban_graph_get_file_device (graph, id));
  g_string_append_printf (out, "  id: %u\n", id);
  append_edges (out, graph, ports, id);
  for (guint i = 0; i < n_tensors; i++)
    if (!goban_graph_get_tensor (graph, first + i)->is_control)
      append_output (out, goban_graph_get_tensor (graph, first + i));
  if (goban_graph_get_out_edges (graph, id).n == 0)
    g_string_append (out, "  is_final: true\n");
  if (!append_time (out, graph, id, error))
    return FALSE;
  append_whole (out, "persistent_memory_size", node->param_bytes);
  g_string_append (out, "}\n");
  return TRUE;
}

/* Number of each tensor among those of its node that are not control. */
static guint32 *
number_ports (const GobanGraph *graph)
{
  guint32 *ports = g_new0 (guint32, goban_graph_get_n_tensors (graph) + 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint n;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n);
      guint32 port = 0;

      for (guint i = 0; i < n; i++)
        if (!goban_graph_get_tensor (graph, first + i)->is_control)
          ports[first + i] = port++;
    }
  return ports;
}

/* Times are those of any kind of device, else of the first, in whole microseconds. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set if a node cannot run there. */
static char *
cost_graph_write (const GobanGraph *graph, gsize *size, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree guint32 *ports = number_ports (graph);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (!append_node (out, graph, ports, v, error))
      return NULL;
  *size = out->len;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
cost_graph_write_binary (const GobanGraph *graph, gsize *size, GError **error)
{
  g_autofree char *text = cost_graph_write (graph, size, error);
  g_autoptr (GByteArray) bytes = NULL;

  if (text == NULL)
    return NULL;
  bytes = goban_protobuf_text_encode (&goban_tf__cost_graph__descriptor, text, *size,
                                      "CostGraphDef", error);
  if (bytes == NULL)
    return NULL;
  *size = bytes->len;
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

const GobanFormat goban_format_cost_graph = {
  .name = "cost-graph",
  .extensions = ".cost.pbtxt",
  .blurb = "TensorFlow's CostGraphDef, as text",
  .sniff = sniff_text,
  .read = read_cost_graph,
  .write = cost_graph_write,
};

const GobanFormat goban_format_cost_graph_binary = {
  .name = "cost-graph-binary",
  .extensions = ".cost.pb",
  .blurb = "TensorFlow's CostGraphDef, binary",
  .sniff = sniff_binary,
  .read = read_cost_graph,
  .write = cost_graph_write_binary,
};
