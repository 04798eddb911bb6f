#include "engine/io/onnx/onnx-model.h"

#include "engine/core/error.h"

/* The assumed extent of an open axis that is not the batch. */
#define DEFAULT_EXTENT 128
#define DEFAULT_IMAGE_EXTENT 224

GobanOnnxTensor *
goban_onnx_model_tensor (const GobanOnnxModel *self, guint32 tensor)
{
  return &g_array_index (self->tensors, GobanOnnxTensor, tensor);
}

guint32
goban_onnx_model_find_tensor (const GobanOnnxModel *self, const char *name)
{
  /* A number + 1, so that a missing name is 0 - 1, which is NONE. */
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name)) - 1;
}

static guint32
add_tensor (GobanOnnxModel *self, const char *name, guint32 producer)
{
  GobanOnnxTensor tensor = { .name = name, .producer = producer };

  g_array_append_val (self->tensors, tensor);
  g_hash_table_insert (self->by_name, (gpointer) name, GUINT_TO_POINTER (self->tensors->len));
  return self->tensors->len - 1;
}

/* --- constants ----------------------------------------------------------- */

static gboolean
add_constant (GobanOnnxModel *self, const Onnx__TensorProto *proto, GobanOnnxValue value,
              GError **error)
{
  const char *name = goban_onnx_str (proto->name);
  GobanOnnxTensor *tensor;

  if (goban_onnx_model_find_tensor (self, name) != GOBAN_ONNX_NONE)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "%s: there are two constants \"%s\"",
                       self->path, name);
      goban_onnx_value_clear (&value);
      return FALSE;
    }
  tensor = goban_onnx_model_tensor (self, add_tensor (self, name, GOBAN_ONNX_NONE));
  tensor->value = value;
  tensor->is_constant = TRUE;
  return TRUE;
}

static gboolean
add_constants (GobanOnnxModel *self, GError **error)
{
  for (gsize i = 0; i < self->graph->n_initializer; i++)
    {
      GobanOnnxValue value = { 0 };

      if (!goban_onnx_value_from_tensor (&value, self->graph->initializer[i], self->path, error)
          || !add_constant (self, self->graph->initializer[i], value, error))
        return FALSE;
    }
  for (gsize i = 0; i < self->graph->n_sparse_initializer; i++)
    {
      const Onnx__SparseTensorProto *sparse = self->graph->sparse_initializer[i];
      Onnx__TensorProto dense = ONNX__TENSOR_PROTO__INIT;
      GobanOnnxValue value = { 0 };

      if (sparse->values == NULL)
        continue;
      dense.name = sparse->values->name;
      dense.data_type = sparse->values->data_type;
      dense.dims = sparse->dims;
      dense.n_dims = sparse->n_dims;
      if (!goban_onnx_value_from_tensor (&value, &dense, self->path, error)
          || !add_constant (self, &dense, value, error))
        return FALSE;
    }
  return TRUE;
}

/* --- inputs -------------------------------------------------------------- */

static const Onnx__TensorShapeProto *
get_shape (const Onnx__TypeProto *type)
{
  if (type == NULL)
    return NULL;
  if (type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    return type->tensor_type != NULL ? type->tensor_type->shape : NULL;
  if (type->value_case == ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE)
    return type->sparse_tensor_type != NULL ? type->sparse_tensor_type->shape : NULL;
  return NULL;
}

/* Its extent if the file gives one, else -1. */
static gint64
get_extent (const Onnx__TensorShapeProto__Dimension *dim)
{
  if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
    return goban_onnx_extent ((double) dim->dim_value);
  return -1;
}

/* The name of an open extent, "" for none. */
static const char *
get_symbol (const Onnx__TensorShapeProto__Dimension *dim)
{
  if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
    return goban_onnx_str (dim->dim_param);
  return "";
}

GobanOnnxValue
goban_onnx_model_declared (const GobanOnnxModel *self, const Onnx__TypeProto *type)
{
  const Onnx__TensorShapeProto *shape = get_shape (type);
  GobanOnnxValue value = { 0 };

  if (type != NULL && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE
      && type->tensor_type != NULL)
    value.dtype = type->tensor_type->elem_type;
  if (shape == NULL || shape->n_dim > GOBAN_ONNX_MAX_DIMS)
    return value;

  value.has_rank = TRUE;
  value.n_dims = (guint) shape->n_dim;
  for (guint i = 0; i < value.n_dims; i++)
    {
      const gint64 *known = g_hash_table_lookup (self->symbols, get_symbol (shape->dim[i]));

      value.dims[i] = known != NULL ? *known : get_extent (shape->dim[i]);
    }
  return value;
}

static void
set_symbol (GobanOnnxModel *self, const char *symbol, gint64 extent)
{
  if (*symbol != '\0' && !g_hash_table_contains (self->symbols, symbol))
    g_hash_table_insert (self->symbols, (gpointer) symbol, g_memdup2 (&extent, sizeof extent));
}

/* Sums such as "past + sequence" add up their parts. */
static gint64
guess_extent (const GobanOnnxModel *self, const char *symbol, gint64 fallback)
{
  g_auto (GStrv) parts = g_strsplit (symbol, "+", 0);
  double sum = 0;

  if (g_strv_length (parts) < 2)
    return fallback;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      const gint64 *known = g_hash_table_lookup (self->symbols, g_strstrip (parts[i]));
      gint64 number;

      if (known != NULL)
        sum += (double) *known;
      else if (g_ascii_string_to_signed (parts[i], 10, 0, G_MAXINT32, &number, NULL))
        sum += (double) number; /* not a number, so a name; the error is irrelevant */
      else
        sum += (double) fallback;
    }
  return goban_onnx_extent (sum);
}

/* Decides the batch: from the option, else 1 if the file leaves it open. */
static void
find_batch (GobanOnnxModel *self, gint64 asked)
{
  self->batch = asked > 0 ? asked : 1;
  for (gsize i = 0; i < self->graph->n_input; i++)
    {
      const Onnx__TensorShapeProto *shape = get_shape (self->graph->input[i]->type);
      gint64 extent;

      if (goban_onnx_model_find_tensor (self, goban_onnx_str (self->graph->input[i]->name))
              != GOBAN_ONNX_NONE
          || shape == NULL || shape->n_dim == 0)
        continue;
      extent = get_extent (shape->dim[0]);
      if (extent <= 0)
        set_symbol (self, get_symbol (shape->dim[0]), self->batch);
      else if (asked > 0 && self->old_batch == 0 && extent != asked)
        self->old_batch = extent;
    }
}

/* Gives every open extent of an input a value. */
static void
close_extents (GobanOnnxModel *self, GobanOnnxValue *value, const Onnx__ValueInfoProto *info)
{
  const Onnx__TensorShapeProto *shape = get_shape (info->type);

  for (guint i = 0; i < value->n_dims; i++)
    {
      const char *symbol = get_symbol (shape->dim[i]);
      gboolean is_image = value->n_dims == 4 && i >= 2;

      if (i == 0 && (value->dims[0] <= 0 || value->dims[0] == self->old_batch))
        value->dims[0] = self->batch;
      if (value->dims[i] >= 0)
        continue;
      value->dims[i]
          = guess_extent (self, symbol, is_image ? DEFAULT_IMAGE_EXTENT : DEFAULT_EXTENT);
      set_symbol (self, symbol, value->dims[i]);
      goban_graph_builder_warn (self->builder,
                                "the file leaves dimension %u%s%s%s of input \"%s\" open: taken "
                                "as %" G_GINT64_FORMAT,
                                i, *symbol != '\0' ? " (" : "", symbol, *symbol != '\0' ? ")" : "",
                                info->name, value->dims[i]);
    }
}

static gboolean
add_inputs (GobanOnnxModel *self, GError **error)
{
  for (gsize i = 0; i < self->graph->n_input; i++)
    {
      const Onnx__ValueInfoProto *info = self->graph->input[i];
      guint32 found = goban_onnx_model_find_tensor (self, goban_onnx_str (info->name));
      GobanOnnxValue value;

      /* Files of the first years repeat every constant among the inputs. */
      if (found != GOBAN_ONNX_NONE && goban_onnx_model_tensor (self, found)->is_constant)
        continue;
      if (found != GOBAN_ONNX_NONE || goban_onnx_str (info->name)[0] == '\0')
        return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH,
                             "%s: input %zu is named \"%s\", as another is or as none may be",
                             self->path, i, goban_onnx_str (info->name));
      value = goban_onnx_model_declared (self, info->type);
      close_extents (self, &value, info);
      value.varies = TRUE;
      goban_onnx_model_tensor (self, add_tensor (self, info->name, GOBAN_ONNX_NONE))->value = value;
    }
  return TRUE;
}

/* The first inputs have those values; extents that nobody knows stay open. */
static gboolean
add_body_inputs (GobanOnnxModel *self, const GobanOnnxValue *const *inputs, guint n_inputs,
                 GError **error)
{
  for (gsize i = 0; i < self->graph->n_input; i++)
    {
      const Onnx__ValueInfoProto *info = self->graph->input[i];
      const char *name = goban_onnx_str (info->name);
      GobanOnnxValue value = goban_onnx_model_declared (self, info->type);

      if (goban_onnx_model_find_tensor (self, name) != GOBAN_ONNX_NONE)
        return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH,
                             "%s: input %zu of a body is named \"%s\", as another is", self->path,
                             i, name);
      if (i < n_inputs && inputs[i] != NULL && inputs[i]->has_rank)
        {
          int dtype = inputs[i]->dtype != 0 ? inputs[i]->dtype : value.dtype;

          value = *inputs[i];
          value.dtype = dtype;
          value.data = NULL; /* it may change from one iteration to the next */
          value.n_data = 0;
        }
      value.varies = TRUE;
      goban_onnx_model_tensor (self, add_tensor (self, name, GOBAN_ONNX_NONE))->value = value;
    }
  return TRUE;
}

/* A tensor of that name around the body, copied into it; NONE if there is none. */
static guint32
capture (GobanOnnxModel *self, const char *name)
{
  for (const GobanOnnxModel *outer = self->parent; outer != NULL; outer = outer->parent)
    {
      guint32 found = goban_onnx_model_find_tensor (outer, name);
      const GobanOnnxTensor *from;
      GobanOnnxTensor *to;
      guint32 tensor;

      if (found == GOBAN_ONNX_NONE)
        continue;
      from = goban_onnx_model_tensor (outer, found);
      tensor = add_tensor (self, name, GOBAN_ONNX_NONE);
      to = goban_onnx_model_tensor (self, tensor);
      to->value = from->value;
      if (from->value.data != NULL)
        to->value.data = g_memdup2 (from->value.data, from->value.n_data * sizeof (double));
      return tensor;
    }
  return GOBAN_ONNX_NONE;
}

/* --- nodes --------------------------------------------------------------- */

/* Exporters write scopes as paths; a name is the node's own, else that of its first output. */
static char *
make_name (const Onnx__NodeProto *proto)
{
  const char *name = goban_onnx_str (proto->name);

  for (gsize i = 0; *name == '\0' && i < proto->n_output; i++)
    name = proto->output[i];
  if (*name == '\0')
    name = goban_onnx_str (proto->op_type);
  while (name[0] == '/' && name[1] != '\0')
    name++;
  return g_utf8_make_valid (name, -1);
}

static gboolean
check_attributes (const GobanOnnxModel *self, const GobanOnnxNode *node, GError **error)
{
  for (gsize i = 0; i < node->proto->n_attribute; i++)
    {
      const Onnx__TensorProto *tensor = node->proto->attribute[i]->t;
      GobanOnnxValue value = { 0 };

      if (tensor != NULL && !goban_onnx_value_from_tensor (&value, tensor, self->path, error))
        {
          g_prefix_error (error, "node \"%s\": ", node->name);
          return FALSE;
        }
      goban_onnx_value_clear (&value);
    }
  return TRUE;
}

static gboolean
add_outputs (GobanOnnxModel *self, guint32 i, GError **error)
{
  GobanOnnxNode *node = &self->nodes[i];

  node->outputs = g_new (guint32, node->proto->n_output + 1);
  for (gsize j = 0; j < node->proto->n_output; j++)
    {
      const char *name = node->proto->output[j];
      guint32 found = goban_onnx_model_find_tensor (self, name);

      node->outputs[j] = GOBAN_ONNX_NONE;
      if (*name == '\0')
        continue;
      if (found != GOBAN_ONNX_NONE)
        {
          guint32 other = goban_onnx_model_tensor (self, found)->producer;

          return goban_refuse (
              error, GOBAN_ERROR_INVALID_GRAPH,
              "%s: node \"%s\" writes \"%s\", which is %s%s%s too", self->path, node->name, name,
              other != GOBAN_ONNX_NONE ? "written by node \"" : "a constant or input",
              other != GOBAN_ONNX_NONE ? self->nodes[other].name : "",
              other != GOBAN_ONNX_NONE ? "\"" : "");
        }
      node->outputs[j] = add_tensor (self, name, i);
    }
  return TRUE;
}

static gboolean
add_nodes (GobanOnnxModel *self, GError **error)
{
  self->nodes = g_new0 (GobanOnnxNode, self->graph->n_node + 1);
  for (gsize i = 0; i < self->graph->n_node; i++)
    {
      GobanOnnxNode *node = &self->nodes[i];

      node->proto = self->graph->node[i];
      node->name = make_name (node->proto);
      self->n_nodes++;
      if (goban_onnx_str (node->proto->op_type)[0] == '\0')
        return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node \"%s\" has no operator",
                             self->path, node->name);
      if (!check_attributes (self, node, error) || !add_outputs (self, (guint32) i, error))
        return FALSE;
    }
  return TRUE;
}

/* --- inputs of nodes ----------------------------------------------------- */

/* Names defined in a body and read in it, bodies within included. */
static void
walk_body (const Onnx__GraphProto *body, GHashTable *defined, GPtrArray *read)
{
  for (gsize i = 0; i < body->n_initializer; i++)
    g_hash_table_add (defined, (gpointer) goban_onnx_str (body->initializer[i]->name));
  for (gsize i = 0; i < body->n_input; i++)
    g_hash_table_add (defined, (gpointer) goban_onnx_str (body->input[i]->name));
  for (gsize i = 0; i < body->n_output; i++)
    g_ptr_array_add (read, (gpointer) goban_onnx_str (body->output[i]->name));
  for (gsize i = 0; i < body->n_node; i++)
    {
      const Onnx__NodeProto *node = body->node[i];

      for (gsize j = 0; j < node->n_input; j++)
        g_ptr_array_add (read, node->input[j]);
      for (gsize j = 0; j < node->n_output; j++)
        g_hash_table_add (defined, node->output[j]);
      for (gsize j = 0; j < node->n_attribute; j++)
        if (node->attribute[j]->g != NULL)
          walk_body (node->attribute[j]->g, defined, read);
    }
}

static gboolean
has_body (const Onnx__NodeProto *node)
{
  for (gsize i = 0; i < node->n_attribute; i++)
    if (node->attribute[i]->g != NULL)
      return TRUE;
  return FALSE;
}

static void
add_captured (GobanOnnxModel *self, const GobanOnnxNode *node, GArray *inputs)
{
  g_autoptr (GHashTable) defined = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) read = g_ptr_array_new ();

  for (gsize i = 0; i < node->proto->n_attribute; i++)
    if (node->proto->attribute[i]->g != NULL)
      walk_body (node->proto->attribute[i]->g, defined, read);
  for (guint i = 0; i < read->len; i++)
    {
      const char *name = g_ptr_array_index (read, i);
      guint32 tensor = goban_onnx_model_find_tensor (self, name);

      if (tensor == GOBAN_ONNX_NONE && !g_hash_table_contains (defined, name))
        tensor = capture (self, name);
      if (tensor != GOBAN_ONNX_NONE && !g_hash_table_contains (defined, name))
        {
          g_array_append_val (inputs, tensor);
          g_hash_table_add (defined, (gpointer) name); /* once is enough */
        }
    }
}

/* A file may be part of a larger one, or have its weights stripped: a tensor without a producer is
 * an input of unknown shape. */
static void
resolve_inputs (GobanOnnxModel *self)
{
  const char *tensor_name = NULL, *node_name = NULL;
  guint n_missing = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      GobanOnnxNode *node = &self->nodes[i];
      GArray *inputs = g_array_new (FALSE, FALSE, sizeof (guint32));

      for (gsize j = 0; j < node->proto->n_input; j++)
        {
          const char *name = node->proto->input[j];
          guint32 tensor
              = *name != '\0' ? goban_onnx_model_find_tensor (self, name) : GOBAN_ONNX_NONE;

          if (*name != '\0' && tensor == GOBAN_ONNX_NONE)
            tensor = capture (self, name);
          if (*name != '\0' && tensor == GOBAN_ONNX_NONE)
            {
              tensor = add_tensor (self, name, GOBAN_ONNX_NONE);
              goban_onnx_model_tensor (self, tensor)->value.varies = TRUE;
              if (n_missing++ == 0)
                {
                  tensor_name = name;
                  node_name = node->name;
                }
            }
          g_array_append_val (inputs, tensor);
        }
      node->n_own = inputs->len;
      node->has_body = has_body (node->proto);
      if (node->has_body)
        add_captured (self, node, inputs);
      node->n_inputs = inputs->len;
      node->inputs = (guint32 *) g_array_free (inputs, FALSE);
    }
  if (n_missing > 0)
    goban_graph_builder_warn (self->builder,
                              "%u tensors are read but written by nobody, the first is \"%s\", "
                              "read by node \"%s\": taken as inputs of unknown shape",
                              n_missing, tensor_name, node_name);
}

static void
take_declared (GobanOnnxModel *self, Onnx__ValueInfoProto *const *infos, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 tensor = goban_onnx_model_find_tensor (self, goban_onnx_str (infos[i]->name));

      if (tensor != GOBAN_ONNX_NONE)
        goban_onnx_model_tensor (self, tensor)->declared = infos[i]->type;
    }
}

/* An If has the outputs of its branches: either of them may declare the shapes. */
static void
take_branches (GobanOnnxModel *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const Onnx__NodeProto *proto = self->nodes[i].proto;

      if (!self->nodes[i].has_body || !g_str_equal (proto->op_type, "If"))
        continue;
      for (gsize j = 0; j < proto->n_attribute; j++)
        {
          const Onnx__GraphProto *branch = proto->attribute[j]->g;

          for (gsize k = 0; branch != NULL && k < MIN (branch->n_output, proto->n_output); k++)
            if (self->nodes[i].outputs[k] != GOBAN_ONNX_NONE)
              goban_onnx_model_tensor (self, self->nodes[i].outputs[k])->declared
                  = branch->output[k]->type;
        }
    }
}

/* --- order --------------------------------------------------------------- */

static guint32
get_producer (const GobanOnnxModel *self, const GobanOnnxNode *node, guint input)
{
  if (node->inputs[input] == GOBAN_ONNX_NONE)
    return GOBAN_ONNX_NONE;
  return goban_onnx_model_tensor (self, node->inputs[input])->producer;
}

static gboolean
is_ordered (const GobanOnnxModel *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    for (guint j = 0; j < self->nodes[i].n_inputs; j++)
      {
        guint32 producer = get_producer (self, &self->nodes[i], j);

        if (producer != GOBAN_ONNX_NONE && producer >= i)
          return FALSE;
      }
  return TRUE;
}

/* Kahn's: a node follows when all it reads is written. */
static void
sort_nodes (GobanOnnxModel *self)
{
  g_autofree guint32 *first = g_new0 (guint32, self->n_nodes + 2);
  g_autofree guint32 *n_waiting = g_new0 (guint32, self->n_nodes + 1);
  g_autofree guint32 *readers = NULL;

  for (guint i = 0; i < self->n_nodes; i++)
    for (guint j = 0; j < self->nodes[i].n_inputs; j++)
      {
        guint32 producer = get_producer (self, &self->nodes[i], j);

        if (producer != GOBAN_ONNX_NONE)
          {
            first[producer + 2]++;
            n_waiting[i]++;
          }
      }
  for (guint i = 2; i < self->n_nodes + 2; i++)
    first[i] += first[i - 1];
  readers = g_new (guint32, first[self->n_nodes + 1] + 1);
  /* Filling moves first[p + 1] from the start of p's readers to their end. */
  for (guint i = 0; i < self->n_nodes; i++)
    for (guint j = 0; j < self->nodes[i].n_inputs; j++)
      {
        guint32 producer = get_producer (self, &self->nodes[i], j);

        if (producer != GOBAN_ONNX_NONE)
          readers[first[producer + 1]++] = i;
      }

  for (guint i = 0; i < self->n_nodes; i++)
    if (n_waiting[i] == 0)
      self->order[self->n_order++] = i;
  for (guint i = 0; i < self->n_order; i++)
    for (guint32 r = first[self->order[i]]; r < first[self->order[i] + 1]; r++)
      if (--n_waiting[readers[r]] == 0)
        self->order[self->n_order++] = readers[r];
}

static void
order_nodes (GobanOnnxModel *self)
{
  self->order = g_new (guint32, self->n_nodes + 1);
  if (!is_ordered (self))
    {
      sort_nodes (self);
      return;
    }
  self->n_order = self->n_nodes;
  for (guint i = 0; i < self->n_nodes; i++)
    self->order[i] = i;
}

gint64
goban_onnx_model_opset (const GobanOnnxModel *self, const Onnx__NodeProto *node)
{
  const char *domain = goban_onnx_str (node->domain);

  if (g_str_equal (domain, "ai.onnx"))
    domain = "";
  for (gsize i = 0; i < self->proto->n_opset_import; i++)
    {
      const char *other = goban_onnx_str (self->proto->opset_import[i]->domain);

      if (g_str_equal (g_str_equal (other, "ai.onnx") ? "" : other, domain))
        return self->proto->opset_import[i]->version;
    }
  return 1;
}

/* What follows the inputs. */
static gboolean
add_rest (GobanOnnxModel *self, GError **error)
{
  if (!add_nodes (self, error))
    return FALSE;
  resolve_inputs (self);
  take_branches (self);
  take_declared (self, self->graph->value_info, self->graph->n_value_info);
  take_declared (self, self->graph->output, self->graph->n_output);
  order_nodes (self);
  return TRUE;
}

gboolean
goban_onnx_model_init (GobanOnnxModel *self, const Onnx__ModelProto *proto, const char *path,
                       const GobanReadOptions *options, GobanGraphBuilder *builder, GError **error)
{
  *self
      = (GobanOnnxModel){ .path = path, .proto = proto, .graph = proto->graph, .builder = builder };
  self->tensors = g_array_new (FALSE, FALSE, sizeof (GobanOnnxTensor));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->symbols = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  if (!add_constants (self, error))
    return FALSE;
  find_batch (self, options != NULL ? options->batch : 0);
  return add_inputs (self, error) && add_rest (self, error);
}

gboolean
goban_onnx_model_init_body (GobanOnnxModel *self, const GobanOnnxModel *parent,
                            const Onnx__GraphProto *body, const GobanOnnxValue *const *inputs,
                            guint n_inputs, GError **error)
{
  *self = (GobanOnnxModel){ .path = parent->path,
                            .parent = parent,
                            .proto = parent->proto,
                            .graph = body,
                            .builder = parent->builder,
                            .batch = parent->batch,
                            .old_batch = parent->old_batch };
  self->tensors = g_array_new (FALSE, FALSE, sizeof (GobanOnnxTensor));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->symbols = g_hash_table_ref (parent->symbols);
  return add_constants (self, error) && add_body_inputs (self, inputs, n_inputs, error)
         && add_rest (self, error);
}

void
goban_onnx_model_clear (GobanOnnxModel *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      g_free (self->nodes[i].name);
      g_free (self->nodes[i].inputs);
      g_free (self->nodes[i].outputs);
    }
  for (guint i = 0; self->tensors != NULL && i < self->tensors->len; i++)
    goban_onnx_value_clear (&goban_onnx_model_tensor (self, i)->value);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->tensors, g_array_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_clear_pointer (&self->symbols, g_hash_table_unref);
  self->n_nodes = 0;
}
