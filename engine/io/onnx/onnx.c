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
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-shapes.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/text.h"

/* --- local functions ------------------------------------------------------ */

/* Exporters of PyTorch and others keep layers in functions (ModelProto.functions) that call each
 * other. A node of a function gets the name of its call before its own, "call/MatMul", and so do
 * the tensors inside. References to attributes of the call take their values; inputs that a call
 * leaves out are left out inside. Bodies of If, Loop and Scan are searched, too. */

/* Calls within each other. */
#define MAX_DEPTH 64
#define MAX_NODES 500000
/* Bytes of all nodes that are made. */
#define MAX_BYTES ((gsize) 1 << 30)

/* Fields that older schemas lack. */
#define NODE_OVERLOAD 8
#define FUNCTION_DEFAULT 11
#define FUNCTION_OVERLOAD 13

typedef struct
{
  const char *path;
  Onnx__ModelProto *model;
  GHashTable *functions; /* "domain:name:overload" to Onnx__FunctionProto */
  GHashTable *used;      /* a set: names of tensors, and scopes of calls behind a "/" */
  GPtrArray *open;       /* functions that are being inlined, the outermost first */
  gsize n_nodes;
  gsize n_bytes;
} Inlining;

/* A call of a function. */
typedef struct
{
  Inlining *inlining;
  const Onnx__FunctionProto *function;
  const Onnx__NodeProto *node;
  const char *scope; /* before the names inside */
  GHashTable *names; /* of tensors inside, to those outside; owns the latter */
} Call;

/* --- fields that the schema may lack --------------------------------------------------------- */

/* The content of the field @tag with a length, the one after *@at; NULL if there is no other. */
static const guint8 *
next_unknown (const ProtobufCMessage *message, guint32 tag, guint *at, gsize *n)
{
  while (*at < message->n_unknown_fields)
    {
      const ProtobufCMessageUnknownField *field = &message->unknown_fields[(*at)++];
      gsize head = 0;

      if (field->tag != tag || field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
        continue;
      while (head < field->len && (field->data[head] & 0x80))
        head++;
      head = MIN (head + 1, field->len);
      *n = field->len - head;
      return field->data + head;
    }
  return NULL;
}

/* (transfer full): of a field of text; "" for none. */
static char *
dup_text_field (const ProtobufCMessage *message, guint32 tag)
{
  const ProtobufCFieldDescriptor *known
      = protobuf_c_message_descriptor_get_field (message->descriptor, tag);
  const guint8 *text;
  guint at = 0;
  gsize n;

  if (known != NULL)
    return g_strdup (goban_onnx_str (*(char *const *) G_STRUCT_MEMBER_P (message, known->offset)));
  text = next_unknown (message, tag, &at, &n);
  return text != NULL ? g_strndup ((const char *) text, n) : g_strdup ("");
}

/* --- copies ---------------------------------------------------------------------------------- */

/* Owned as if unpacked from the file. */
static ProtobufCMessage *
copy_message (const ProtobufCMessage *from)
{
  gsize n = protobuf_c_message_get_packed_size (from);
  g_autofree guint8 *bytes = g_malloc (n + 1);

  protobuf_c_message_pack (from, bytes);
  return protobuf_c_message_unpack (from->descriptor, NULL, n, bytes);
}

static void
set_text (char **text, const char *value)
{
  /* The empty text of protobuf-c is not its message's own. */
  if (*text != NULL && *text != (const char *) protobuf_c_empty_string)
    free (*text);
  *text = g_strdup (value);
}

/* A list that is to be freed by protobuf-c. */
static gpointer *
steal_list (GPtrArray *list, gsize *n)
{
  *n = list->len;
  return g_ptr_array_free (list, FALSE);
}

/* --- attributes ------------------------------------------------------------------------------ */

static const Onnx__AttributeProto *
find_attribute (const Onnx__NodeProto *node, const char *name)
{
  for (gsize i = 0; i < node->n_attribute; i++)
    if (strcmp (goban_onnx_str (node->attribute[i]->name), name) == 0)
      return node->attribute[i];
  return NULL;
}

/* (transfer full) (nullable): the value that the function itself has for it. */
static Onnx__AttributeProto *
copy_default (const Onnx__FunctionProto *function, const char *name)
{
  const ProtobufCMessage *message = &function->base;
  const ProtobufCFieldDescriptor *known
      = protobuf_c_message_descriptor_get_field (message->descriptor, FUNCTION_DEFAULT);
  const guint8 *bytes;
  guint at = 0;
  gsize n;

  if (known != NULL)
    {
      gsize n_defaults = *(const size_t *) G_STRUCT_MEMBER_P (message, known->quantifier_offset);
      Onnx__AttributeProto *const *defaults
          = *(Onnx__AttributeProto *const *const *) G_STRUCT_MEMBER_P (message, known->offset);

      for (gsize i = 0; i < n_defaults; i++)
        if (strcmp (goban_onnx_str (defaults[i]->name), name) == 0)
          return (Onnx__AttributeProto *) copy_message (&defaults[i]->base);
    }
  while ((bytes = next_unknown (message, FUNCTION_DEFAULT, &at, &n)) != NULL)
    {
      Onnx__AttributeProto *attribute
          = goban_protobuf_check (&onnx__attribute_proto__descriptor, bytes, n, "", "", NULL)
                ? onnx__attribute_proto__unpack (NULL, n, bytes)
                : NULL;

      if (attribute != NULL && strcmp (goban_onnx_str (attribute->name), name) == 0)
        return attribute;
      if (attribute != NULL)
        onnx__attribute_proto__free_unpacked (attribute, NULL);
    }
  return NULL;
}

/* The node's attribute for one that refers to it; NULL if the call leaves it out. */
static Onnx__AttributeProto *
resolve_reference (const Call *self, const Onnx__AttributeProto *from)
{
  const Onnx__AttributeProto *given = find_attribute (self->node, from->ref_attr_name);
  Onnx__AttributeProto *copy = given != NULL ? (Onnx__AttributeProto *) copy_message (&given->base)
                                             : copy_default (self->function, from->ref_attr_name);

  if (copy != NULL)
    set_text (&copy->name, goban_onnx_str (from->name));
  return copy;
}

static void
resolve_references (const Call *self, Onnx__NodeProto *node)
{
  gsize n = 0;

  for (gsize i = 0; i < node->n_attribute; i++)
    {
      Onnx__AttributeProto *from = node->attribute[i];

      if (*goban_onnx_str (from->ref_attr_name) == '\0')
        {
          node->attribute[n++] = from;
          continue;
        }
      node->attribute[n] = resolve_reference (self, from);
      n += node->attribute[n] != NULL;
      onnx__attribute_proto__free_unpacked (from, NULL);
    }
  node->n_attribute = n;
}

/* --- names ----------------------------------------------------------------------------------- */

/* (transfer full): @name, or that with a number behind it if there is one; taken from now on. */
static char *
dup_unused (GHashTable *used, const char *name)
{
  g_autofree char *found = g_strdup (name);

  for (guint i = 2; g_hash_table_contains (used, found); i++)
    {
      g_free (found);
      found = g_strdup_printf ("%s_%u", name, i);
    }
  g_hash_table_add (used, g_strdup (found));
  return g_steal_pointer (&found);
}

/* The name outside of a tensor inside. Borrowed. */
static const char *
find_name (const Call *self, const char *name)
{
  const char *found = g_hash_table_lookup (self->names, name);
  g_autofree char *wanted = NULL;
  char *made;

  if (found != NULL || *name == '\0')
    return found != NULL ? found : name;
  wanted = g_strconcat (self->scope, "/", name, NULL);
  made = dup_unused (self->inlining->used, wanted);
  g_hash_table_insert (self->names, g_strdup (name), made);
  return made;
}

static void
rename_text (const Call *self, char **text)
{
  set_text (text, find_name (self, goban_onnx_str (*text)));
}

static void rename_node (const Call *self, Onnx__NodeProto *node);

static void
rename_body (const Call *self, Onnx__GraphProto *body)
{
  for (gsize i = 0; i < body->n_input; i++)
    rename_text (self, &body->input[i]->name);
  for (gsize i = 0; i < body->n_output; i++)
    rename_text (self, &body->output[i]->name);
  for (gsize i = 0; i < body->n_value_info; i++)
    rename_text (self, &body->value_info[i]->name);
  for (gsize i = 0; i < body->n_initializer; i++)
    rename_text (self, &body->initializer[i]->name);
  for (gsize i = 0; i < body->n_sparse_initializer; i++)
    if (body->sparse_initializer[i]->values != NULL)
      rename_text (self, &body->sparse_initializer[i]->values->name);
  for (gsize i = 0; i < body->n_node; i++)
    rename_node (self, body->node[i]);
}

/* Names, and attributes that refer to those of the call. */
static void
rename_node (const Call *self, Onnx__NodeProto *node)
{
  const char *name = goban_onnx_str (node->name);
  g_autofree char *own = NULL;

  for (gsize i = 0; *name == '\0' && i < node->n_output; i++)
    name = node->output[i];
  own = g_strconcat (self->scope, "/", *name != '\0' ? name : goban_onnx_str (node->op_type), NULL);
  set_text (&node->name, own);
  for (gsize i = 0; i < node->n_input; i++)
    rename_text (self, &node->input[i]);
  for (gsize i = 0; i < node->n_output; i++)
    rename_text (self, &node->output[i]);
  resolve_references (self, node);
  for (gsize i = 0; i < node->n_attribute; i++)
    {
      if (node->attribute[i]->g != NULL)
        rename_body (self, node->attribute[i]->g);
      for (gsize k = 0; k < node->attribute[i]->n_graphs; k++)
        rename_body (self, node->attribute[i]->graphs[k]);
    }
}

/* All names of the file's tensors, so that none is made twice. */
static void
use_names (GHashTable *used, const Onnx__GraphProto *graph)
{
  for (gsize i = 0; i < graph->n_input; i++)
    g_hash_table_add (used, g_strdup (goban_onnx_str (graph->input[i]->name)));
  for (gsize i = 0; i < graph->n_initializer; i++)
    g_hash_table_add (used, g_strdup (goban_onnx_str (graph->initializer[i]->name)));
  for (gsize i = 0; i < graph->n_node; i++)
    {
      const Onnx__NodeProto *node = graph->node[i];

      for (gsize k = 0; k < node->n_output; k++)
        g_hash_table_add (used, g_strdup (node->output[k]));
      for (gsize k = 0; k < node->n_attribute; k++)
        if (node->attribute[k]->g != NULL)
          use_names (used, node->attribute[k]->g);
    }
}

/* --- functions ------------------------------------------------------------------------------- */

static char *
make_key (const char *domain, const char *name, const char *overload)
{
  return g_strconcat (strcmp (domain, "ai.onnx") == 0 ? "" : domain, ":", name, ":", overload,
                      NULL);
}

/* (nullable): the function that a node calls. */
static const Onnx__FunctionProto *
find_function (const Inlining *self, const Onnx__NodeProto *node)
{
  g_autofree char *overload = dup_text_field (&node->base, NODE_OVERLOAD);
  g_autofree char *key
      = make_key (goban_onnx_str (node->domain), goban_onnx_str (node->op_type), overload);

  return g_hash_table_lookup (self->functions, key);
}

static void
add_functions (Inlining *self)
{
  for (gsize i = 0; i < self->model->n_functions; i++)
    {
      const Onnx__FunctionProto *function = self->model->functions[i];
      g_autofree char *overload = dup_text_field (&function->base, FUNCTION_OVERLOAD);

      g_hash_table_insert (
          self->functions,
          make_key (goban_onnx_str (function->domain), goban_onnx_str (function->name), overload),
          (gpointer) function);
    }
}

/* The nodes of a function are of versions that it names; where the model names another one for the
 * same domain, the format demands that both say the same. */
static void
import_opsets (Inlining *self, const Onnx__FunctionProto *function)
{
  Onnx__ModelProto *model = self->model;

  for (gsize i = 0; i < function->n_opset_import; i++)
    {
      const char *domain = goban_onnx_str (function->opset_import[i]->domain);
      gboolean is_there = FALSE;

      for (gsize k = 0; k < model->n_opset_import; k++)
        is_there |= strcmp (goban_onnx_str (model->opset_import[k]->domain), domain) == 0;
      if (is_there)
        continue;
      model->opset_import
          = g_renew (Onnx__OperatorSetIdProto *, model->opset_import, model->n_opset_import + 1);
      model->opset_import[model->n_opset_import++]
          = (Onnx__OperatorSetIdProto *) copy_message (&function->opset_import[i]->base);
    }
}

static gboolean
check_call (const Inlining *self, const Onnx__FunctionProto *function, GError **error)
{
  g_autofree char *name = g_utf8_make_valid (goban_onnx_str (function->name), -1);

  for (guint i = 0; i < self->open->len; i++)
    if (self->open->pdata[i] == function)
      return goban_refuse (error, GOBAN_ERROR_PARSE,
                           "%s: function “%s” calls itself, by way of others or not", self->path,
                           name);
  if (self->open->len == MAX_DEPTH)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: function “%s”: calls nest more than %d deep", self->path, name,
                         MAX_DEPTH);
  return TRUE;
}

/* --- calls ----------------------------------------------------------------------------------- */

static gboolean inline_node (Inlining *self, Onnx__NodeProto *node, GPtrArray *to, GError **error);

/* A result that is an argument as it is. */
static void
add_identity (const char *from, const char *result, const char *scope, GPtrArray *to)
{
  Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
  char *inputs[] = { (char *) from }, *outputs[] = { (char *) result };
  g_autofree char *name = g_strconcat (scope, "/Identity", NULL);

  node.op_type = (char *) "Identity";
  node.name = name;
  node.input = inputs;
  node.output = outputs;
  node.n_input = node.n_output = 1;
  g_ptr_array_add (to, copy_message (&node.base));
}

static void
map_arguments (Call *self, GPtrArray *to)
{
  for (gsize i = 0; i < self->function->n_input; i++)
    g_hash_table_insert (self->names, g_strdup (self->function->input[i]),
                         g_strdup (i < self->node->n_input ? self->node->input[i] : ""));
  for (gsize i = 0; i < MIN (self->function->n_output, self->node->n_output); i++)
    {
      const char *inside = self->function->output[i], *outside = self->node->output[i];
      const char *known = g_hash_table_lookup (self->names, inside);

      if (*outside == '\0')
        continue;
      if (known != NULL)
        add_identity (known, outside, self->scope, to);
      else
        g_hash_table_insert (self->names, g_strdup (inside), g_strdup (outside));
    }
}

static gboolean
add_copies (Call *self, GPtrArray *to, GError **error)
{
  Inlining *inlining = self->inlining;

  for (gsize i = 0; i < self->function->n_node; i++)
    {
      const ProtobufCMessage *from = &self->function->node[i]->base;
      Onnx__NodeProto *copy;

      inlining->n_bytes += protobuf_c_message_get_packed_size (from);
      if (++inlining->n_nodes > MAX_NODES || inlining->n_bytes > MAX_BYTES)
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "%s: its calls of functions stand for more than %d nodes",
                             inlining->path, MAX_NODES);
      copy = (Onnx__NodeProto *) copy_message (from);
      rename_node (self, copy);
      if (!inline_node (inlining, copy, to, error))
        return FALSE;
    }
  return TRUE;
}

/* (transfer full): the node's name, not that of another call */
static char *
dup_scope (Inlining *self, const Onnx__NodeProto *node)
{
  const char *name = goban_onnx_str (node->name);
  g_autofree char *wanted = NULL;
  g_autofree char *found = NULL;

  for (gsize i = 0; *name == '\0' && i < node->n_output; i++)
    name = node->output[i];
  if (*name == '\0')
    name = goban_onnx_str (node->op_type);
  wanted = g_strconcat ("/", name, NULL);
  found = dup_unused (self->used, wanted);
  return g_strdup (found + 1);
}

/* Takes the node. */
static gboolean
inline_call (Inlining *self, const Onnx__FunctionProto *function, Onnx__NodeProto *node,
             GPtrArray *to, GError **error)
{
  g_autofree char *scope = dup_scope (self, node);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Call call = { self, function, node, scope, names };
  gboolean ok = check_call (self, function, error);

  if (ok)
    {
      g_ptr_array_add (self->open, (gpointer) function);
      import_opsets (self, function);
      map_arguments (&call, to);
      ok = add_copies (&call, to, error);
      g_ptr_array_set_size (self->open, (int) self->open->len - 1);
    }
  onnx__node_proto__free_unpacked (node, NULL);
  return ok;
}

/* In place. If it fails, nodes of the graph are lost, but none is freed twice. */
static gboolean
inline_graph (Inlining *self, Onnx__GraphProto *graph, GError **error)
{
  GPtrArray *nodes = g_ptr_array_new ();
  gboolean ok = TRUE;

  for (gsize i = 0; i < graph->n_node; i++)
    if (!ok)
      onnx__node_proto__free_unpacked (graph->node[i], NULL);
    else
      ok = inline_node (self, graph->node[i], nodes, error);
  free (graph->node);
  graph->node = (Onnx__NodeProto **) steal_list (nodes, &graph->n_node);
  return ok;
}

/* Takes the node and adds it, or what it stands for. */
static gboolean
inline_node (Inlining *self, Onnx__NodeProto *node, GPtrArray *to, GError **error)
{
  const Onnx__FunctionProto *function = find_function (self, node);

  if (function != NULL)
    return inline_call (self, function, node, to, error);
  g_ptr_array_add (to, node);
  for (gsize i = 0; i < node->n_attribute; i++)
    {
      if (node->attribute[i]->g != NULL && !inline_graph (self, node->attribute[i]->g, error))
        return FALSE;
      for (gsize k = 0; k < node->attribute[i]->n_graphs; k++)
        if (!inline_graph (self, node->attribute[i]->graphs[k], error))
          return FALSE;
    }
  return TRUE;
}

/* @proto: changed in place; has no functions afterwards
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set for a function that calls itself,
 *   %GOBAN_ERROR_UNSUPPORTED for more nodes than can be placed
 */
static gboolean
onnx_inline (Onnx__ModelProto *proto, const char *path, GError **error)
{
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  Inlining self
      = { .path = path, .model = proto, .functions = functions, .used = used, .open = open };

  if (proto->n_functions == 0 || proto->graph == NULL)
    return TRUE;
  add_functions (&self);
  use_names (used, proto->graph);
  if (!inline_graph (&self, proto->graph, error))
    return FALSE;
  for (gsize i = 0; i < proto->n_functions; i++)
    onnx__function_proto__free_unpacked (proto->functions[i], NULL);
  free (proto->functions);
  proto->functions = NULL;
  proto->n_functions = 0;
  return TRUE;
}

/* --- the reader ----------------------------------------------------------- */

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
                             N_ ("an ONNX model"), error))
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
  else if (!onnx_inline (proto, path, error))
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
