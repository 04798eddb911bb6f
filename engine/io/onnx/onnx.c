/* onnx.c: the ONNX reader.
 *
 * A node of the file is a node of the graph; an output is a tensor; an edge goes from the
 * node that writes a tensor to each that reads it. Inputs of the model and constants are
 * no nodes. That holds for constants made by nodes too (Constant, and the ConstantOfShape
 * of light files), unless options->keep_constants, or unless there is no other node: then these are
 * nodes like any other.
 *
 * A constant of a floating or a small integer type is a parameter. It is counted once and
 * belongs to the first node in topological order that reads it, or to the node that makes
 * it where that is kept. Indices, flags and texts (s64, u64, bool, string) are none.
 *
 * Decision E9 (engine/NOTES.md).
 */
#include <math.h>

#include "engine/core/error.h"
#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-functions.h"
#include "engine/io/onnx/onnx-shapes.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/source-nodes.h"
#include "engine/io/text.h"

/* A field of ModelProto. */
#define MODEL_IR_VERSION 1

/* Models without a version of the format are from its first months. */
static int
sniff (const char *head, gsize size, const char *path)
{
  const guint8 *data = (const guint8 *) head;
  GobanProtobufField field;
  gsize at = 0;

  if (!goban_protobuf_probe (&goban_probe_onnx_model, data, size))
    return path != NULL && g_str_has_suffix (path, ".onnx") ? 20 : 0;
  while (at < size && goban_protobuf_next_field (data, size, &at, &field))
    if (field.tag == MODEL_IR_VERSION)
      return 95;
  return 60;
}

typedef struct
{
  const GobanOnnxModel *model;
  GobanGraphBuilder *builder;
  gboolean keeps_constants;
  guint32 *node_ids;   /* the builder's, of the model's nodes; NONE for folded ones */
  guint32 *tensor_ids; /* the builder's, of the model's tensors; NONE for those without */
  gboolean *is_owned;  /* of the model's tensors: a node has it among its parameters */
} Building;

static void
add_node (Building *self, guint32 i)
{
  const GobanOnnxNode *from = &self->model->nodes[i];
  g_autofree char *op = g_utf8_make_valid (from->proto->op_type, -1);
  guint32 id = goban_graph_builder_add_node (self->builder, from->name, op);
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);

  node->flops = from->flops;
  node->macs = from->macs;
  node->read_bytes = from->read_bytes;
  node->written_bytes = from->written_bytes;
  node->param_count = from->param_count;
  node->param_bytes = from->param_bytes;
  node->size_source = from->is_given ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED;
  self->node_ids[i] = id;

  for (gsize j = 0; j < from->proto->n_output; j++)
    {
      const GobanOnnxValue *value;
      double bytes;
      guint32 tensor;

      if (from->outputs[j] == GOBAN_ONNX_NONE)
        continue;
      value = &goban_onnx_model_tensor (self->model, from->outputs[j])->value;
      bytes = goban_onnx_value_bytes (value);
      tensor = goban_graph_builder_add_tensor (self->builder, id, isnan (bytes) ? 0 : bytes);
      if (value->has_rank)
        goban_graph_builder_set_tensor_shape (self->builder, tensor,
                                              goban_onnx_dtype_name (value->dtype), value->dims,
                                              value->n_dims);
      self->tensor_ids[from->outputs[j]] = tensor;
    }
}

static void
own (Building *self, guint32 tensor, GobanNode *node)
{
  const GobanOnnxTensor *from = goban_onnx_model_tensor (self->model, tensor);
  double elements = goban_onnx_value_elements (&from->value);
  double bytes = goban_onnx_value_bytes (&from->value);

  if (!from->is_constant || self->is_owned[tensor])
    return;
  self->is_owned[tensor] = TRUE;
  if (goban_onnx_dtype_is_weight (from->value.dtype) && !isnan (bytes))
    {
      node->param_count += elements;
      node->param_bytes += bytes;
    }
}

static void
give_parameters (Building *self)
{
  for (guint i = 0; i < self->model->n_order; i++)
    {
      const GobanOnnxNode *from = &self->model->nodes[self->model->order[i]];
      guint32 id = self->node_ids[self->model->order[i]];

      if (id == GOBAN_ONNX_NONE)
        continue;
      for (guint j = 0; j < from->n_inputs; j++)
        if (from->inputs[j] != GOBAN_ONNX_NONE)
          own (self, from->inputs[j], goban_graph_builder_get_node (self->builder, id));
      for (gsize j = 0; j < from->proto->n_output; j++)
        if (from->outputs[j] != GOBAN_ONNX_NONE)
          own (self, from->outputs[j], goban_graph_builder_get_node (self->builder, id));
    }
}

/* A light file says how much of the model it only stands for. */
static void
warn_light (const Building *self)
{
  double n_made = 0, n_stored = 0;
  guint n_nodes = 0;

  for (guint i = 0; i < self->model->tensors->len; i++)
    {
      const GobanOnnxTensor *tensor = goban_onnx_model_tensor (self->model, i);
      double elements = goban_onnx_value_elements (&tensor->value);

      if (!self->is_owned[i] || !goban_onnx_dtype_is_weight (tensor->value.dtype)
          || isnan (elements))
        continue;
      if (tensor->producer == GOBAN_ONNX_NONE)
        n_stored += elements;
      else if (g_str_equal (self->model->nodes[tensor->producer].proto->op_type, "ConstantOfShape"))
        {
          n_made += elements;
          n_nodes++;
        }
    }
  if (n_nodes > 0)
    goban_graph_builder_warn (self->builder,
                              "a light file: %u ConstantOfShape nodes stand for %.0f parameters; "
                              "%.0f more are stored in it",
                              n_nodes, n_made, n_stored);
}

static void
add_edges (Building *self)
{
  for (guint i = 0; i < self->model->n_nodes; i++)
    {
      const GobanOnnxNode *node = &self->model->nodes[i];

      if (self->node_ids[i] == GOBAN_ONNX_NONE)
        continue;
      for (guint j = 0; j < node->n_inputs; j++)
        if (node->inputs[j] != GOBAN_ONNX_NONE
            && self->tensor_ids[node->inputs[j]] != GOBAN_ONNX_NONE)
          goban_graph_builder_add_edge (self->builder, self->tensor_ids[node->inputs[j]],
                                        self->node_ids[i]);
    }
}

static guint32 *
new_ids (gsize n)
{
  guint32 *ids = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    ids[i] = GOBAN_ONNX_NONE;
  return ids;
}

static gboolean
has_only_constants (const GobanOnnxModel *model)
{
  for (guint i = 0; i < model->n_nodes; i++)
    if (!model->nodes[i].is_constant)
      return FALSE;
  return TRUE;
}

static void
fill_builder (GobanGraphBuilder *builder, const GobanOnnxModel *model, gboolean keeps_constants)
{
  g_autofree guint32 *node_ids = new_ids (model->n_nodes);
  g_autofree guint32 *tensor_ids = new_ids (model->tensors->len);
  g_autofree gboolean *is_owned = g_new0 (gboolean, model->tensors->len + 1);
  Building self = { model, builder, keeps_constants, node_ids, tensor_ids, is_owned };

  for (guint32 i = 0; i < model->n_nodes; i++)
    if (keeps_constants || !model->nodes[i].is_constant)
      add_node (&self, i);
  give_parameters (&self);
  add_edges (&self);
  warn_light (&self);
}

static void
free_model (Onnx__ModelProto *proto)
{
  onnx__model_proto__free_unpacked (proto, NULL);
}

Onnx__ModelProto *
goban_onnx_unpack (const char *data, gsize size, const char *path, GError **error)
{
  Onnx__ModelProto *proto;

  if (size == 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
      return NULL;
    }
  if (!goban_protobuf_check (&onnx__model_proto__descriptor, (const guint8 *) data, size, path,
                             "an ONNX model", error))
    return NULL;
  proto = onnx__model_proto__unpack (NULL, size, (const guint8 *) data);
  if (proto == NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE,
                     "%s: not an ONNX model: a field has another type than it should", path);
  else if (proto->graph == NULL || proto->graph->n_node == 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: the ONNX model has no %s", path,
                       proto->graph == NULL ? "graph" : "nodes");
      g_clear_pointer (&proto, free_model);
    }
  else if (!goban_onnx_inline (proto, path, error))
    g_clear_pointer (&proto, free_model);
  return proto;
}

GBytes *
goban_onnx_pack (const Onnx__ModelProto *proto)
{
  gsize size = onnx__model_proto__get_packed_size (proto);
  guint8 *data = g_malloc (size);

  onnx__model_proto__pack (proto, data);
  return g_bytes_new_take (data, size);
}

static GobanGraph *
read_model (const Onnx__ModelProto *proto, const char *path, const GobanReadOptions *options,
            GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "onnx");
  gboolean keeps_constants = options != NULL && options->keep_constants;
  GobanOnnxModel model;
  gboolean ok;

  ok = goban_onnx_model_init (&model, proto, path, options, builder, error)
       && goban_onnx_infer (&model, options != NULL ? options->progress : NULL, error);
  if (ok)
    fill_builder (builder, &model, keeps_constants || has_only_constants (&model));
  goban_onnx_model_clear (&model);
  if (!ok)
    return NULL;
  return goban_text_file_finish_graph (builder, path, error);
}

static GobanGraph *
read_onnx (const char *data, gsize size, const char *path, const GobanReadOptions *options,
           GError **error)
{
  Onnx__ModelProto *proto;
  GobanGraph *graph;

  if (options != NULL && !goban_onnx_check_batch (options->batch, path, error))
    return NULL;
  proto = goban_onnx_unpack (data, size, path, error);
  if (proto == NULL)
    return NULL;
  graph = read_model (proto, path, options, error);
  onnx__model_proto__free_unpacked (proto, NULL);
  return graph;
}

/* --- nodes of the file ----------------------------------------------------------------------- */

/* Folded constants are missing in the graph, unless they were kept. */
static gboolean
keeps_constants (const GobanOnnxModel *model, const GobanGraph *graph)
{
  for (guint i = 0; i < model->n_nodes; i++)
    if (model->nodes[i].is_constant
        && goban_graph_find_node (graph, model->nodes[i].name) != GOBAN_NO_NODE)
      return TRUE;
  return FALSE;
}

/* Names are numbered by a builder, as they were when the graph was read. */
static gboolean
name_nodes (const GobanOnnxModel *model, const GobanGraph *graph, GobanSourceNodes *found,
            GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "onnx");
  gboolean keeps = keeps_constants (model, graph);

  found->with_body = GOBAN_NO_NODE;
  for (guint i = 0; i < model->n_nodes; i++)
    {
      guint32 id;

      found->nodes[i] = GOBAN_NO_NODE;
      found->names[i] = g_strdup (goban_onnx_str (model->nodes[i].proto->name));
      found->is_folded[i] = model->nodes[i].is_constant && !keeps;
      if (found->is_folded[i])
        continue;
      id = goban_graph_builder_add_node (builder, model->nodes[i].name, "");
      found->nodes[i] = goban_source_nodes_find (
          graph, goban_graph_builder_get_node (builder, id)->name, model->path, error);
      if (found->nodes[i] == GOBAN_NO_NODE)
        return FALSE;
      if (model->nodes[i].has_body && found->with_body == GOBAN_NO_NODE)
        found->with_body = found->nodes[i];
    }
  return TRUE;
}

/* A folded constant goes with the first node that reads it, through other constants, too. */
static void
add_constants (const GobanOnnxModel *model, GobanSourceNodes *found)
{
  g_autofree guint32 *reader_of = new_ids (model->tensors->len);

  for (guint i = model->n_order; i-- > 0;)
    {
      const GobanOnnxNode *node = &model->nodes[model->order[i]];
      GobanNodeId *id = &found->nodes[model->order[i]];

      for (gsize j = 0; *id == GOBAN_NO_NODE && j < node->proto->n_output; j++)
        if (node->outputs[j] != GOBAN_ONNX_NONE)
          *id = reader_of[node->outputs[j]];
      for (guint j = 0; *id != GOBAN_NO_NODE && j < node->n_inputs; j++)
        if (node->inputs[j] != GOBAN_ONNX_NONE)
          reader_of[node->inputs[j]] = *id;
    }
}

/* (nullable) (transfer full): the first file that an initializer names. */
static char *
dup_external (const Onnx__GraphProto *graph)
{
  for (gsize i = 0; i < graph->n_initializer; i++)
    for (gsize j = 0; j < graph->initializer[i]->n_external_data; j++)
      if (g_strcmp0 (graph->initializer[i]->external_data[j]->key, "location") == 0)
        return g_strdup (goban_onnx_str (graph->initializer[i]->external_data[j]->value));
  return NULL;
}

GobanSourceNodes *
goban_onnx_model_find_nodes (const GobanOnnxModel *model, const GobanGraph *graph, GError **error)
{
  g_autoptr (GobanSourceNodes) found = g_new0 (GobanSourceNodes, 1);

  found->external = dup_external (model->graph);
  found->n = model->n_nodes;
  found->nodes = g_new (GobanNodeId, model->n_nodes + 1);
  found->is_folded = g_new0 (guint8, model->n_nodes + 1);
  found->names = g_new0 (char *, model->n_nodes + 1);
  if (!name_nodes (model, graph, found, error)
      || !goban_source_nodes_check (found, graph, model->path, error))
    return NULL;
  add_constants (model, found);
  return g_steal_pointer (&found);
}

GobanSourceNodes *
goban_onnx_find_nodes (GBytes *bytes, const char *path, const GobanGraph *graph, GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "onnx");
  GobanSourceNodes *found = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  Onnx__ModelProto *proto = goban_onnx_unpack (data, size, path, error);
  GobanOnnxModel model;

  if (proto == NULL)
    return NULL;
  if (goban_onnx_model_init (&model, proto, path, NULL, builder, error)
      && goban_onnx_infer (&model, NULL, error))
    found = goban_onnx_model_find_nodes (&model, graph, error);
  goban_onnx_model_clear (&model);
  onnx__model_proto__free_unpacked (proto, NULL);
  return found;
}

const GobanFormat goban_format_onnx = {
  .name = "onnx",
  .extensions = ".onnx",
  .blurb = "ONNX models, with or without weights",
  .sniff = sniff,
  .read = read_onnx,
};
