#include "engine/study/measure/model-parts.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/io/onnx/onnx-model.h"
#include "engine/io/onnx/onnx-shapes.h"
#include "engine/io/source-nodes.h"
#include "engine/study/measure/random-fill.h"

#include <string.h>

/* Not that of any node in a body, whose times are in the profile, too. */
#define NODE_PREFIX "goban-node-"
/* Since this version of the format constants need not be inputs as well. */
#define LEAST_IR_VERSION 4

struct _GobanModelParts
{
  char *path;
  GobanGraph *graph;
  Onnx__ModelProto *proto;
  GobanGraphBuilder *builder; /* takes the reader's warnings */
  GobanOnnxModel model;
  GobanSourceNodes *sources;
  GHashTable *initializers; /* name -> Onnx__TensorProto */
  GHashTable *sparse;       /* name -> Onnx__SparseTensorProto */
  guint32 *part_of;         /* (n_nodes of the model); of constants undefined */
  guint8 *is_shared;        /* (n_tensors) read by another part than the one that writes it */
  guint8 *is_result;        /* (n_tensors) an output of the model, or without readers */
  GHashTable *made;         /* numbers of tensors with random data */
};

/* A part under construction. Its arrays own the messages that were made for it. */
typedef struct
{
  GobanModelParts *parts;
  guint32 part;
  GPtrArray *nodes;        /* Onnx__NodeProto, shallow copies */
  GPtrArray *initializers; /* Onnx__TensorProto, borrowed */
  GPtrArray *sparse;       /* Onnx__SparseTensorProto, borrowed */
  GPtrArray *inputs;       /* Onnx__ValueInfoProto */
  GPtrArray *outputs;      /* Onnx__ValueInfoProto */
  GPtrArray *owned;        /* memory */
  GHashTable *seen;        /* tensor + 1 */
  double n_random_bytes;
  GobanModelPart *result;
} Draft;

/* --- reading --------------------------------------------------------------------------------- */

static guint8
is_folded (const GobanModelParts *self, guint32 node)
{
  return self->sources->is_folded[node];
}

static void
index_constants (GobanModelParts *self)
{
  const Onnx__GraphProto *graph = self->proto->graph;

  self->initializers = g_hash_table_new (g_str_hash, g_str_equal);
  self->sparse = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; i < graph->n_initializer; i++)
    g_hash_table_insert (self->initializers,
                         (gpointer) goban_onnx_str (graph->initializer[i]->name),
                         graph->initializer[i]);
  for (gsize i = 0; i < graph->n_sparse_initializer; i++)
    if (graph->sparse_initializer[i]->values != NULL)
      g_hash_table_insert (self->sparse,
                           (gpointer) goban_onnx_str (graph->sparse_initializer[i]->values->name),
                           graph->sparse_initializer[i]);
}

/* A tensor without readers is a result, so that every part has an output. */
static void
find_results (GobanModelParts *self)
{
  const Onnx__GraphProto *graph = self->proto->graph;
  guint n = goban_model_parts_get_n_tensors (self);

  self->is_result = g_new (guint8, n + 1);
  memset (self->is_result, TRUE, n);
  for (guint i = 0; i < self->model.n_nodes; i++)
    for (guint j = 0; j < self->model.nodes[i].n_inputs; j++)
      if (self->model.nodes[i].inputs[j] != GOBAN_ONNX_NONE)
        self->is_result[self->model.nodes[i].inputs[j]] = FALSE;
  for (gsize i = 0; i < graph->n_output; i++)
    {
      guint32 tensor
          = goban_onnx_model_find_tensor (&self->model, goban_onnx_str (graph->output[i]->name));

      if (tensor != GOBAN_ONNX_NONE)
        self->is_result[tensor] = TRUE;
    }
}

GobanModelParts *
goban_model_parts_new_from_bytes (GBytes *bytes, const char *path, GobanGraph *graph, gint64 batch,
                                  GError **error)
{
  g_autoptr (GobanModelParts) self = g_new0 (GobanModelParts, 1);
  GobanReadOptions options = { .batch = batch };
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  self->path = g_strdup (path);
  self->graph = goban_graph_ref (graph);
  self->proto = goban_onnx_unpack (data, size, path, error);
  if (self->proto == NULL)
    return NULL;
  self->builder = goban_graph_builder_new ("", "onnx");
  if (!goban_onnx_model_init (&self->model, self->proto, self->path, &options, self->builder, error)
      || !goban_onnx_infer (&self->model, NULL, error))
    return NULL;
  self->sources = goban_onnx_model_find_nodes (&self->model, graph, error);
  if (self->sources == NULL)
    return NULL;
  index_constants (self);
  find_results (self);
  self->part_of = g_new0 (guint32, self->model.n_nodes + 1);
  self->is_shared = g_new0 (guint8, self->model.tensors->len + 1);
  self->made = g_hash_table_new (NULL, NULL);
  return g_steal_pointer (&self);
}

GobanModelParts *
goban_model_parts_new (const char *path, GobanGraph *graph, gint64 batch, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (!g_str_equal (goban_graph_get_format (graph), "onnx"))
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: only ONNX models can be run here; this graph is of the format %s", path,
                       goban_graph_get_format (graph));
      return NULL;
    }
  bytes = goban_file_read (path, GOBAN_FILE_GRAPH, error);
  if (bytes == NULL)
    return NULL;
  return goban_model_parts_new_from_bytes (bytes, path, graph, batch, error);
}

void
goban_model_parts_free (GobanModelParts *self)
{
  goban_onnx_model_clear (&self->model);
  g_clear_pointer (&self->builder, goban_graph_builder_free);
  g_clear_pointer (&self->sources, goban_source_nodes_free);
  if (self->proto != NULL)
    onnx__model_proto__free_unpacked (self->proto, NULL);
  g_clear_pointer (&self->initializers, g_hash_table_unref);
  g_clear_pointer (&self->sparse, g_hash_table_unref);
  g_clear_pointer (&self->made, g_hash_table_unref);
  goban_graph_unref (self->graph);
  g_free (self->part_of);
  g_free (self->is_shared);
  g_free (self->is_result);
  g_free (self->path);
  g_free (self);
}

/* --- tensors --------------------------------------------------------------------------------- */

GobanGraph *
goban_model_parts_get_graph (const GobanModelParts *self)
{
  return self->graph;
}

guint
goban_model_parts_get_n_tensors (const GobanModelParts *self)
{
  return self->model.tensors->len;
}

const char *
goban_model_parts_get_tensor_name (const GobanModelParts *self, guint32 tensor)
{
  return goban_onnx_model_tensor (&self->model, tensor)->name;
}

char *
goban_model_parts_dup_shown_name (const GobanModelParts *self, guint32 tensor)
{
  return g_utf8_make_valid (goban_model_parts_get_tensor_name (self, tensor), -1);
}

const GobanOnnxValue *
goban_model_parts_get_value (const GobanModelParts *self, guint32 tensor)
{
  return &goban_onnx_model_tensor (&self->model, tensor)->value;
}

void
goban_model_parts_set_value (GobanModelParts *self, guint32 tensor, const GobanOnnxValue *value)
{
  GobanOnnxValue *own = &goban_onnx_model_tensor (&self->model, tensor)->value;

  goban_onnx_value_clear (own);
  *own = *value;
  own->data = NULL;
  own->n_data = 0;
}

guint
goban_model_parts_get_n_random (const GobanModelParts *self)
{
  return g_hash_table_size (self->made);
}

void
goban_model_parts_divide (GobanModelParts *self, const guint32 *part_of)
{
  memset (self->is_shared, 0, self->model.tensors->len);
  for (guint i = 0; i < self->model.n_nodes; i++)
    if (!is_folded (self, i))
      self->part_of[i] = part_of[self->sources->nodes[i]];
  for (guint i = 0; i < self->model.n_nodes; i++)
    for (guint j = 0; j < self->model.nodes[i].n_inputs; j++)
      {
        guint32 tensor = self->model.nodes[i].inputs[j];
        guint32 producer = tensor != GOBAN_ONNX_NONE
                               ? goban_onnx_model_tensor (&self->model, tensor)->producer
                               : GOBAN_ONNX_NONE;

        if (producer != GOBAN_ONNX_NONE && !is_folded (self, producer) && !is_folded (self, i)
            && self->part_of[producer] != self->part_of[i])
          self->is_shared[tensor] = TRUE;
      }
}

/* --- constants ------------------------------------------------------------------------------- */

static gpointer
own (Draft *self, gpointer memory)
{
  g_ptr_array_add (self->owned, memory);
  return memory;
}

/* A copy with random numbers, which depend on the name alone. */
static gboolean
add_random (Draft *self, guint32 tensor, GError **error)
{
  const GobanOnnxValue *value = goban_model_parts_get_value (self->parts, tensor);
  const char *name = goban_model_parts_get_tensor_name (self->parts, tensor);
  g_autofree char *shown = goban_model_parts_dup_shown_name (self->parts, tensor);
  double n_bytes = goban_onnx_value_bytes (value);
  Onnx__TensorProto *made;
  guint8 *data;

  if (!(n_bytes >= 0) || n_bytes > (double) G_MAXINT32
      || (n_bytes > 0 && !goban_onnx_dtype_is_weight (value->dtype)))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: the constant “%s” has no data in the file, and none can be made up "
                         "for a constant of indices or of unknown shape",
                         self->parts->path, shown);
  self->n_random_bytes += n_bytes;
  data = self->n_random_bytes <= (double) G_MAXINT32 ? g_try_malloc ((gsize) n_bytes + 1) : NULL;
  if (data == NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: the constants without data, up to “%s”, take more memory than there "
                         "is room for",
                         self->parts->path, shown);
  made = own (self, g_new (Onnx__TensorProto, 1));
  onnx__tensor_proto__init (made);
  made->name = (char *) name;
  made->has_data_type = TRUE;
  made->data_type = value->dtype;
  made->n_dims = value->n_dims;
  made->dims = (gint64 *) value->dims;
  made->has_raw_data = TRUE;
  made->raw_data.len = (gsize) n_bytes;
  made->raw_data.data = own (self, data);
  goban_random_fill (made->raw_data.data, made->raw_data.len, value->dtype,
                     goban_random_weight_range (value->dims, value->n_dims), g_str_hash (name));
  g_ptr_array_add (self->initializers, made);
  g_hash_table_add (self->parts->made, GUINT_TO_POINTER (tensor + 1));
  return TRUE;
}

static gboolean
add_initializer (Draft *self, guint32 tensor, GError **error)
{
  const char *name = goban_model_parts_get_tensor_name (self->parts, tensor);
  Onnx__TensorProto *stored = g_hash_table_lookup (self->parts->initializers, name);
  gpointer sparse = g_hash_table_lookup (self->parts->sparse, name);

  if (sparse != NULL)
    g_ptr_array_add (self->sparse, sparse);
  else if (stored != NULL && goban_onnx_tensor_has_data (stored))
    g_ptr_array_add (self->initializers, stored);
  else
    return add_random (self, tensor, error);
  return TRUE;
}

/* A weight that a light model makes of one number, over and over. */
static gboolean
stands_for_weight (const Draft *self, guint32 tensor)
{
  const GobanOnnxTensor *about = goban_onnx_model_tensor (&self->parts->model, tensor);

  return g_str_equal (self->parts->model.nodes[about->producer].proto->op_type, "ConstantOfShape")
         && goban_onnx_dtype_is_float (about->value.dtype)
         && goban_onnx_value_elements (&about->value) > 1;
}

/* --- nodes ----------------------------------------------------------------------------------- */

static Onnx__ValueInfoProto *
new_info (Draft *self, guint32 tensor)
{
  Onnx__ValueInfoProto *info = own (self, g_new (Onnx__ValueInfoProto, 1));

  onnx__value_info_proto__init (info);
  info->name = (char *) goban_model_parts_get_tensor_name (self->parts, tensor);
  return info;
}

static Onnx__TensorShapeProto *
new_shape (Draft *self, const GobanOnnxValue *value)
{
  Onnx__TensorShapeProto *shape = own (self, g_new (Onnx__TensorShapeProto, 1));

  onnx__tensor_shape_proto__init (shape);
  shape->n_dim = value->n_dims;
  shape->dim = own (self, g_new0 (Onnx__TensorShapeProto__Dimension *, value->n_dims + 1));
  for (guint i = 0; i < value->n_dims; i++)
    {
      shape->dim[i] = own (self, g_new (Onnx__TensorShapeProto__Dimension, 1));
      onnx__tensor_shape_proto__dimension__init (shape->dim[i]);
      if (value->dims[i] < 0)
        continue;
      shape->dim[i]->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
      shape->dim[i]->dim_value = value->dims[i];
    }
  return shape;
}

static gboolean
add_graph_input (Draft *self, guint32 tensor, GError **error)
{
  const GobanOnnxValue *value = goban_model_parts_get_value (self->parts, tensor);
  g_autofree char *shown = goban_model_parts_dup_shown_name (self->parts, tensor);
  Onnx__ValueInfoProto *info;

  if (value->dtype == 0)
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "%s: the type of the tensor “%s” is not known: nothing in the file says it",
        self->parts->path, shown);
  info = new_info (self, tensor);
  info->type = own (self, g_new (Onnx__TypeProto, 1));
  onnx__type_proto__init (info->type);
  info->type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  info->type->tensor_type = own (self, g_new (Onnx__TypeProto__Tensor, 1));
  onnx__type_proto__tensor__init (info->type->tensor_type);
  info->type->tensor_type->has_elem_type = TRUE;
  info->type->tensor_type->elem_type = value->dtype;
  if (value->has_rank)
    info->type->tensor_type->shape = new_shape (self, value);
  g_ptr_array_add (self->inputs, info);
  g_array_append_val (self->result->inputs, tensor);
  return TRUE;
}

/* "goban-node-17" for node 17. (transfer full) */
static char *
dup_node_name (GobanNodeId node)
{
  return g_strdup_printf (NODE_PREFIX "%u", node);
}

static void
add_node (Draft *self, guint32 node)
{
  const GobanModelParts *parts = self->parts;
  Onnx__NodeProto *copy
      = own (self, g_memdup2 (parts->model.nodes[node].proto, sizeof (Onnx__NodeProto)));

  if (!is_folded (parts, node))
    copy->name = own (self, dup_node_name (parts->sources->nodes[node]));
  g_ptr_array_add (self->nodes, copy);
}

static gboolean
add_read (Draft *self, guint32 tensor, GError **error)
{
  const GobanModelParts *parts = self->parts;
  const GobanOnnxTensor *about;
  const GobanOnnxNode *node;

  if (tensor == GOBAN_ONNX_NONE || !g_hash_table_add (self->seen, GUINT_TO_POINTER (tensor + 1)))
    return TRUE;
  about = goban_onnx_model_tensor (&parts->model, tensor);
  if (about->producer == GOBAN_ONNX_NONE)
    return about->is_constant ? add_initializer (self, tensor, error)
                              : add_graph_input (self, tensor, error);
  if (!is_folded (parts, about->producer))
    return parts->part_of[about->producer] == self->part || add_graph_input (self, tensor, error);
  if (stands_for_weight (self, tensor))
    return add_random (self, tensor, error);
  /* Constants are made of stored constants alone: one step. */
  node = &parts->model.nodes[about->producer];
  for (guint i = 0; i < node->n_inputs; i++)
    if (node->inputs[i] != GOBAN_ONNX_NONE
        && g_hash_table_add (self->seen, GUINT_TO_POINTER (node->inputs[i] + 1))
        && goban_onnx_model_tensor (&parts->model, node->inputs[i])->producer == GOBAN_ONNX_NONE
        && !add_initializer (self, node->inputs[i], error))
      return FALSE;
  add_node (self, about->producer);
  return TRUE;
}

static gboolean
add_part_node (Draft *self, guint32 i, GError **error)
{
  const GobanModelParts *parts = self->parts;
  const GobanOnnxNode *node = &parts->model.nodes[i];

  for (guint j = 0; j < node->n_inputs; j++)
    if (!add_read (self, node->inputs[j], error))
      return FALSE;
  add_node (self, i);
  for (gsize j = 0; j < node->proto->n_output; j++)
    {
      guint32 tensor = node->outputs[j];

      if (tensor == GOBAN_ONNX_NONE || (!parts->is_shared[tensor] && !parts->is_result[tensor]))
        continue;
      g_ptr_array_add (self->outputs, new_info (self, tensor));
      g_array_append_val (self->result->outputs, tensor);
    }
  return TRUE;
}

/* --- parts ----------------------------------------------------------------------------------- */

static GBytes *
pack (const Draft *self)
{
  const Onnx__ModelProto *whole = self->parts->proto;
  Onnx__ModelProto model = *whole;
  Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;

  graph.name = (char *) "part";
  graph.n_node = self->nodes->len;
  graph.node = (Onnx__NodeProto **) self->nodes->pdata;
  graph.n_initializer = self->initializers->len;
  graph.initializer = (Onnx__TensorProto **) self->initializers->pdata;
  graph.n_sparse_initializer = self->sparse->len;
  graph.sparse_initializer = (Onnx__SparseTensorProto **) self->sparse->pdata;
  graph.n_input = self->inputs->len;
  graph.input = (Onnx__ValueInfoProto **) self->inputs->pdata;
  graph.n_output = self->outputs->len;
  graph.output = (Onnx__ValueInfoProto **) self->outputs->pdata;
  model.graph = &graph;
  model.n_training_info = 0;
  model.has_ir_version = TRUE;
  model.ir_version = MAX (whole->ir_version, LEAST_IR_VERSION);
  return goban_onnx_pack (&model);
}

static gboolean
fill (Draft *self, GError **error)
{
  const GobanModelParts *parts = self->parts;

  for (guint i = 0; i < parts->model.n_order; i++)
    {
      guint32 node = parts->model.order[i];

      if (!is_folded (parts, node) && parts->part_of[node] == self->part
          && !add_part_node (self, node, error))
        return FALSE;
    }
  return TRUE;
}

GobanModelPart *
goban_model_parts_cut (GobanModelParts *self, guint32 part, GError **error)
{
  g_autoptr (GobanModelPart) result = g_new0 (GobanModelPart, 1);
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GPtrArray) initializers = g_ptr_array_new ();
  g_autoptr (GPtrArray) sparse = g_ptr_array_new ();
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) outputs = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Draft draft = { .parts = self,
                  .part = part,
                  .nodes = nodes,
                  .initializers = initializers,
                  .sparse = sparse,
                  .inputs = inputs,
                  .outputs = outputs,
                  .owned = owned,
                  .seen = seen,
                  .result = result };

  result->inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  result->outputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!fill (&draft, error))
    return NULL;
  result->model = pack (&draft);
  return g_steal_pointer (&result);
}

void
goban_model_part_free (GobanModelPart *self)
{
  g_clear_pointer (&self->model, g_bytes_unref);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_free (self);
}

/* --- names of nodes -------------------------------------------------------------------------- */

char *
goban_part_rename_nodes (const GobanGraph *graph, const char *text)
{
  GString *result = g_string_new (NULL);
  const char *found;

  while ((found = strstr (text, NODE_PREFIX)) != NULL)
    {
      const char *end = found + strlen (NODE_PREFIX);
      g_autofree char *name = NULL;
      GobanNodeId node;

      end += strspn (end, "0123456789");
      name = g_strndup (found, (gsize) (end - found));
      node = goban_part_find_node (graph, name);
      g_string_append_len (result, text, found - text);
      g_string_append (result,
                       node != GOBAN_NO_NODE ? goban_graph_get_node (graph, node)->name : name);
      text = end;
    }
  g_string_append (result, text);
  return g_string_free (result, FALSE);
}

GobanNodeId
goban_part_find_node (const GobanGraph *graph, const char *name)
{
  guint64 number;

  if (!g_str_has_prefix (name, NODE_PREFIX)
      || !g_ascii_string_to_unsigned (name + strlen (NODE_PREFIX), 10, 0, G_MAXUINT32 - 1, &number,
                                      NULL)
      || number >= goban_graph_get_n_nodes (graph))
    return GOBAN_NO_NODE;
  return (GobanNodeId) number;
}
