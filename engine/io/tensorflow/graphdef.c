/* graphdef.c: reader of TensorFlow's graphs: GraphDef, MetaGraphDef, SavedModel; binary or text.
 *
 * A node of the file is a node of the graph; an output that is declared or read is a tensor. A
 * `while` loop is one node, with the costs of one iteration. Calls of functions are replaced by the
 * functions' nodes (tf-functions.h).
 *
 * Variables are parameters. So are constants of a floating or a small integer type, if the file
 * has no variables: then it is frozen, and they are what were variables. Nodes colocated by
 * `_class` are a group. Devices are those of file-devices.h; that of a loop is its first node's.
 */
#include <math.h>
#include <string.h>

#include "engine/core/disjoint.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/graph/file-devices.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/protobuf-text.h"
#include "engine/io/source-nodes.h"
#include "engine/io/tensorflow/tf-devices.h"
#include "engine/io/tensorflow/tf-functions.h"
#include "engine/io/tensorflow/tf-served.h"
#include "engine/io/tensorflow/tf-shapes.h"
#include "engine/io/text.h"

/* --- the message: GraphDef, MetaGraphDef or SavedModel; binary or text ---- */

typedef enum
{
  GOBAN_TF_FORM_NONE,
  GOBAN_TF_FORM_GRAPH,
  GOBAN_TF_FORM_META,
  GOBAN_TF_FORM_SAVED,
} GobanTfForm;

/* --- recognising ----------------------------------------------------------------------------- */

/* By the first field of a text, by the structure of bytes; GOBAN_TF_FORM_NONE if the text or the
 * bytes are of another kind. */
static GobanTfForm
tf_form_of_text (const char *data, gsize size)
{
  /* Any of them may be the first. */
  static const struct
  {
    const char *name;
    GobanTfForm form;
  } fields[] = {
    { "node", GOBAN_TF_FORM_GRAPH },
    { "library", GOBAN_TF_FORM_GRAPH },
    { "versions", GOBAN_TF_FORM_GRAPH },
    { "meta_info_def", GOBAN_TF_FORM_META },
    { "graph_def", GOBAN_TF_FORM_META },
    { "saver_def", GOBAN_TF_FORM_META },
    { "collection_def", GOBAN_TF_FORM_META },
    { "signature_def", GOBAN_TF_FORM_META },
    { "asset_file_def", GOBAN_TF_FORM_META },
    { "object_graph_def", GOBAN_TF_FORM_META },
    { "saved_model_schema_version", GOBAN_TF_FORM_SAVED },
    { "meta_graphs", GOBAN_TF_FORM_SAVED },
  };
  char name[32];

  goban_protobuf_text_first_field (data, size, name, sizeof name);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (name, fields[i].name) == 0)
      return fields[i].form;
  return GOBAN_TF_FORM_NONE;
}

static GobanTfForm
tf_form_of_bytes (const char *data, gsize size)
{
  static const struct
  {
    const GobanProbeShape *shape;
    GobanTfForm form;
  } forms[] = {
    { &goban_probe_graph_def, GOBAN_TF_FORM_GRAPH },
    { &goban_probe_meta_graph, GOBAN_TF_FORM_META },
    { &goban_probe_saved_model, GOBAN_TF_FORM_SAVED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (goban_protobuf_probe (forms[i].shape, (const guint8 *) data, size))
      return forms[i].form;
  return GOBAN_TF_FORM_NONE;
}

/* --- unpacking ------------------------------------------------------------------------------- */

static const ProtobufCMessageDescriptor *
get_descriptor (GobanTfForm form)
{
  if (form == GOBAN_TF_FORM_SAVED)
    return &goban_tf__saved_model__descriptor;
  return form == GOBAN_TF_FORM_META ? &goban_tf__meta_graph__descriptor
                                    : &goban_tf__graph_def__descriptor;
}

static ProtobufCMessage *
unpack (GobanTfForm form, const guint8 *data, gsize size, const char *path, GError **error)
{
  const ProtobufCMessageDescriptor *descriptor = get_descriptor (form);
  ProtobufCMessage *message;

  if (!goban_protobuf_check (descriptor, data, size, path, N_ ("a TensorFlow graph"), error))
    return NULL;
  message = protobuf_c_message_unpack (descriptor, NULL, size, data);
  if (message == NULL)
    goban_refuse (error, GOBAN_ERROR_PARSE,
                  "%s: not a TensorFlow graph: a field has another type than it should", path);
  return message;
}

/* @form: (out): of text or of bytes
 *
 * Returns: (transfer full) (nullable): for protobuf_c_message_free_unpacked(); %NULL with
 *   %GOBAN_ERROR_PARSE set
 */
static ProtobufCMessage *
tf_decode (const char *data, gsize size, const char *path, GobanTfForm *form, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (size == 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
      return NULL;
    }
  *form = tf_form_of_text (data, size);
  if (*form == GOBAN_TF_FORM_NONE)
    {
      *form = tf_form_of_bytes (data, size);
      return unpack (*form, (const guint8 *) data, size, path, error);
    }
  bytes = goban_protobuf_text_encode (get_descriptor (*form), data, size, path, error);
  return bytes != NULL ? unpack (*form, bytes->data, bytes->len, path, error) : NULL;
}

/* (nullable): the first graph of the message, and its model, if there is one. @builder takes the
 * warnings. */
static const GobanTf__GraphDef *
tf_find_graph (const ProtobufCMessage *message, GobanTfForm form, GobanGraphBuilder *builder,
               const GobanTf__MetaGraph **meta)
{
  const GobanTf__SavedModel *saved = (const GobanTf__SavedModel *) message;

  *meta = form == GOBAN_TF_FORM_META ? (const GobanTf__MetaGraph *) message : NULL;
  if (form == GOBAN_TF_FORM_GRAPH)
    return (const GobanTf__GraphDef *) message;
  if (form == GOBAN_TF_FORM_SAVED && saved->n_meta_graphs > 1)
    goban_graph_builder_warn (builder, "the file holds %zu graphs; the first is read",
                              saved->n_meta_graphs);
  if (form == GOBAN_TF_FORM_SAVED && saved->n_meta_graphs > 0)
    *meta = saved->meta_graphs[0];
  return *meta != NULL ? (*meta)->graph_def : NULL;
}

/* --- the reader ----------------------------------------------------------- */

#define COLOCATED "loc:@"
/* Devices that a message lists. */
#define MAX_SHOWN 6

/* --- recognising ----------------------------------------------------------------------------- */

static int
sniff (const char *head, gsize size, const char *path)
{
  if (tf_form_of_text (head, size) != GOBAN_TF_FORM_NONE)
    return 85;
  return tf_form_of_bytes (head, size) != GOBAN_TF_FORM_NONE ? 90 : 0;
}

/* --- building -------------------------------------------------------------------------------- */

typedef struct
{
  GobanTfModel *model;
  const GobanTfExpansion *expansion;
  GobanGraphBuilder *builder;
  guint32 *node_ids;     /* the builder's, of the model's nodes */
  guint32 *region_ids;   /* of the model's regions */
  GobanIdTable *tensors; /* the builder's, by the model's node and port */
  gboolean is_frozen;    /* it has no variables */
} Building;

static gboolean
is_variable (const GobanTf__Node *node)
{
  return strcmp (node->op, "VariableV2") == 0 || strcmp (node->op, "Variable") == 0
         || strcmp (node->op, "VarHandleOp") == 0;
}

static GobanPhase
get_phase (const GobanTf__Node *node)
{
  if (g_str_has_prefix (node->op, "Apply") || g_str_has_prefix (node->op, "ResourceApply")
      || g_str_has_prefix (node->op, "SparseApply"))
    return GOBAN_PHASE_UPDATE;
  if (g_str_has_prefix (node->name, "gradients/") || strstr (node->name, "/gradients/") != NULL
      || g_str_has_prefix (node->name, "gradient_tape/"))
    return GOBAN_PHASE_BACKWARD;
  return GOBAN_PHASE_FORWARD;
}

static void
add_parameters (const Building *self, const GobanTfNode *from, GobanNode *node)
{
  GobanOnnxValue value = { 0 };
  const GobanTf__Value *dtype = goban_tf_attr (from->proto, "dtype");
  const GobanTf__Value *shape = goban_tf_attr (from->proto, "shape");
  gboolean is_constant = self->is_frozen && strcmp (from->proto->op, "Const") == 0;

  if (!is_variable (from->proto) && !is_constant)
    return;
  if (from->n_out > 0)
    value = from->out[0];
  if (strcmp (from->proto->op, "VarHandleOp") == 0)
    {
      value = (GobanOnnxValue){ .dtype = dtype != NULL ? goban_tf_dtype (dtype->type) : 0 };
      value.has_rank = shape != NULL && shape->shape != NULL && !shape->shape->unknown_rank
                       && shape->shape->n_dim <= GOBAN_ONNX_MAX_DIMS;
      value.n_dims = value.has_rank ? (guint) shape->shape->n_dim : 0;
      for (guint i = 0; i < value.n_dims; i++)
        value.dims[i] = goban_onnx_extent ((double) shape->shape->dim[i]->size);
    }
  if (isnan (goban_onnx_value_bytes (&value))
      || (is_constant && !goban_onnx_dtype_is_weight (value.dtype)))
    return;
  node->param_bytes += goban_onnx_value_bytes (&value);
  node->param_count += goban_onnx_value_elements (&value);
}

static void
add_node (Building *self, guint32 v)
{
  const GobanTfNode *from = &self->model->nodes[v];
  gboolean is_loop = from->region != GOBAN_TF_NONE;
  guint32 id = is_loop ? self->region_ids[from->region] : GOBAN_TF_NONE;
  GobanNode *node;

  if (id == GOBAN_TF_NONE)
    {
      g_autofree char *name = g_utf8_make_valid (
          is_loop ? g_ptr_array_index (self->model->regions, from->region) : from->proto->name, -1);
      g_autofree char *op = g_utf8_make_valid (is_loop ? "While" : from->proto->op, -1);

      id = goban_graph_builder_add_node (self->builder, name, op);
      goban_graph_builder_get_node (self->builder, id)->phase = get_phase (from->proto);
      goban_graph_builder_get_node (self->builder, id)->size_source
          = from->is_given && !is_loop ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED;
    }
  if (is_loop)
    self->region_ids[from->region] = id;
  self->node_ids[v] = id;
  node = goban_graph_builder_get_node (self->builder, id);
  node->flops += from->flops;
  node->macs += from->macs;
  node->read_bytes += from->read_bytes;
  node->written_bytes += from->written_bytes;
  add_parameters (self, from, node);
}

static guint32
get_tensor (Building *self, guint32 v, guint32 port)
{
  const GobanTfNode *from = &self->model->nodes[v];
  const GobanOnnxValue *value = port < from->n_out ? &from->out[port] : NULL;
  guint64 key = (guint64) v << 32 | port;
  guint32 tensor;
  double bytes;

  if (goban_id_table_find (self->tensors, key, &tensor))
    return tensor;
  bytes = value != NULL ? goban_onnx_value_bytes (value) : (double) NAN;
  tensor = goban_graph_builder_add_tensor (self->builder, self->node_ids[v],
                                           isnan (bytes) ? 0 : bytes);
  if (value != NULL && value->has_rank)
    goban_graph_builder_set_tensor_shape (
        self->builder, tensor, goban_onnx_dtype_name (value->dtype), value->dims, value->n_dims);
  goban_id_table_add (self->tensors, key, tensor);
  return tensor;
}

static void
add_edges (Building *self)
{
  GobanTfModel *model = self->model;

  for (guint32 v = 0; v < model->n_nodes; v++)
    if (model->nodes[v].region == GOBAN_TF_NONE)
      for (guint port = 0; port < model->nodes[v].n_out; port++)
        get_tensor (self, v, port);
  for (guint32 v = 0; v < model->n_nodes; v++)
    for (gsize i = 0; i < model->nodes[v].proto->n_input; i++)
      {
        const GobanTfInput *input = goban_tf_model_input (model, &model->nodes[v], i);
        guint32 region = model->nodes[v].region;

        if (region != GOBAN_TF_NONE && model->nodes[input->tail].region == region)
          continue;
        if (input->port == GOBAN_TF_CONTROL)
          goban_graph_builder_add_control_edge (self->builder, self->node_ids[input->tail],
                                                self->node_ids[v]);
        else
          goban_graph_builder_add_edge (self->builder, get_tensor (self, input->tail, input->port),
                                        self->node_ids[v]);
      }
}

/* --- colocation ------------------------------------------------------------------------------ */

static void
join (Building *self, guint32 *parents, guint32 v, const ProtobufCBinaryData *class)
{
  g_autofree char *text = goban_tf_dup_text (class);
  g_autofree char *other = NULL;
  guint found;
  guint32 a, b;

  if (!g_str_has_prefix (text, COLOCATED))
    return;
  other = g_strconcat (goban_tf_expansion_get_prefix (self->expansion, self->model->nodes[v].proto),
                       text + strlen (COLOCATED), NULL);
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->model->by_name, other));
  if (found == 0)
    return;
  a = goban_disjoint_find (parents, self->node_ids[v]);
  b = goban_disjoint_find (parents, self->node_ids[found - 1]);
  parents[MAX (a, b)] = MIN (a, b);
}

static void
set_groups (Building *self)
{
  guint n = goban_graph_builder_get_n_nodes (self->builder);
  g_autofree guint32 *parents = goban_disjoint_new (n);
  g_autofree guint32 *sizes = g_new0 (guint32, n + 1);

  for (guint32 v = 0; v < self->model->n_nodes; v++)
    {
      const GobanTf__Value *value = goban_tf_attr (self->model->nodes[v].proto, "_class");

      for (gsize i = 0; value != NULL && value->list != NULL && i < value->list->n_s; i++)
        join (self, parents, v, &value->list->s[i]);
    }
  for (guint32 i = 0; i < n; i++)
    sizes[goban_disjoint_find (parents, i)]++;
  for (guint32 i = 0; i < n; i++)
    if (sizes[goban_disjoint_find (parents, i)] > 1)
      goban_graph_builder_set_group (self->builder, i, goban_disjoint_find (parents, i));
}

/* --- messages -------------------------------------------------------------------------------- */

static void
warn_loops (Building *self)
{
  guint n = self->model->regions->len;
  guint n_nodes = 0;

  for (guint32 v = 0; v < self->model->n_nodes; v++)
    n_nodes += self->model->nodes[v].region != GOBAN_TF_NONE;
  if (n > 0)
    goban_graph_builder_warn (self->builder,
                              "%u loops of %u nodes are one node each, the first is \"%s\": their "
                              "costs are those of one iteration",
                              n, n_nodes,
                              (const char *) g_ptr_array_index (self->model->regions, 0));
}

/* Calls that could not be replaced, and the branches and bodies of If and While. */
static gboolean
has_function (const GobanTf__Node *node)
{
  static const char *const names[] = { "f", "body", "then_branch" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const GobanTf__Value *value = goban_tf_attr (node, names[i]);

      if (value != NULL && value->func != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
warn_calls (Building *self)
{
  const GobanTf__Library *library = self->model->proto->library;
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  const char *first = NULL;
  guint n = 0;

  for (gsize i = 0; library != NULL && i < library->n_function; i++)
    if (library->function[i]->signature != NULL)
      g_hash_table_add (names, library->function[i]->signature->name);
  for (guint32 v = 0; v < self->model->n_nodes; v++)
    {
      const GobanTf__Node *node = self->model->nodes[v].proto;

      if (g_hash_table_contains (names, node->op) || has_function (node))
        first = n++ == 0 ? node->name : first;
    }
  if (n > 0)
    goban_graph_builder_warn (self->builder,
                              "%u calls of functions stay one node each, the first is \"%s\": the "
                              "work inside is not counted; a frozen graph has it",
                              n, first);
}

static void
warn_left_out (GobanGraphBuilder *builder, const GobanTfExpansion *expansion)
{
  if (expansion->n_left_out == 0)
    return;
  goban_graph_builder_warn (builder,
                            "%u nodes that the signature \"%s\" does not need are left out: they "
                            "save, restore or initialise the model",
                            expansion->n_left_out, expansion->signature);
}

/* Whether its nodes are on devices of several tasks. */
static gboolean
has_tasks (const GobanTf__GraphDef *proto)
{
  g_autofree const char **devices = g_new (const char *, proto->n_node + 1);

  for (gsize i = 0; i < proto->n_node; i++)
    devices[i] = proto->node[i]->device;
  return goban_tf_devices_are_apart (devices, proto->n_node);
}

static void
set_devices (Building *self)
{
  const GobanTf__GraphDef *proto = self->model->proto;
  gboolean are_apart = has_tasks (proto);
  guint n = goban_graph_builder_get_n_nodes (self->builder);
  g_autofree guint8 *has_device = g_new0 (guint8, n + 1);
  /* By the texts themselves, of which the nodes of a call share one. */
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint32 v = 0; v < self->model->n_nodes; v++)
    {
      char *device = self->model->nodes[v].proto->device;
      const char *name = g_hash_table_lookup (names, device);

      if (name == NULL)
        {
          name = goban_tf_device_name (device, are_apart);
          g_hash_table_insert (names, device, (gpointer) name);
        }
      if (*name == '\0' || has_device[self->node_ids[v]])
        continue;
      has_device[self->node_ids[v]] = TRUE;
      goban_graph_builder_set_file_device (self->builder, self->node_ids[v], name);
    }
}

/* How many nodes have each device, and the devices in their order. */
static void
count_devices (const Building *self, GHashTable *counts, GPtrArray *names)
{
  g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL); /* by the texts themselves */
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint32 v = 0; v < self->model->n_nodes; v++)
    {
      char *device = self->model->nodes[v].proto->device;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (own, device));

      if (*device == '\0')
        continue;
      if (n == 0)
        g_ptr_array_add (texts, device);
      g_hash_table_insert (own, device, GUINT_TO_POINTER (n + 1));
    }
  for (guint i = 0; i < texts->len; i++)
    {
      char *device = g_ptr_array_index (texts, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, device));

      if (n == 0)
        g_ptr_array_add (names, device);
      n += GPOINTER_TO_UINT (g_hash_table_lookup (own, device));
      g_hash_table_insert (counts, device, GUINT_TO_POINTER (n));
    }
}

static void
warn_devices (Building *self)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);

  count_devices (self, counts, names);
  if (names->len == 0)
    return;
  for (guint i = 0; i < MIN (names->len, MAX_SHOWN); i++)
    {
      const char *name = g_ptr_array_index (names, i);

      g_string_append_printf (list, "%s%s (%u)", i > 0 ? ", " : "", name,
                              GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)));
    }
  goban_graph_builder_warn (self->builder,
                            "the file puts its nodes on %u device%s, which the policy tf-default "
                            "keeps: %s%s",
                            names->len, names->len == 1 ? "" : "s", list->str,
                            names->len > MAX_SHOWN ? ", …" : "");
}

/* --- the reader ------------------------------------------------------------------------------ */

static void
fill_builder (GobanGraphBuilder *builder, GobanTfModel *model, const GobanTfExpansion *expansion)
{
  g_autofree guint32 *node_ids = g_new (guint32, model->n_nodes + 1);
  g_autofree guint32 *region_ids = g_new (guint32, model->regions->len + 1);
  g_autoptr (GobanIdTable) tensors = goban_id_table_new ();
  Building self = { model, expansion, builder, node_ids, region_ids, tensors, TRUE };

  for (guint i = 0; i < model->regions->len; i++)
    region_ids[i] = GOBAN_TF_NONE;
  for (guint32 v = 0; v < model->n_nodes; v++)
    self.is_frozen &= !is_variable (model->nodes[v].proto);
  for (guint32 v = 0; v < model->n_nodes; v++)
    add_node (&self, v);
  add_edges (&self);
  set_groups (&self);
  warn_loops (&self);
  warn_calls (&self);
  set_devices (&self);
  warn_devices (&self);
}

static GobanGraph *
read_message (const ProtobufCMessage *message, GobanTfForm form, const char *path,
              const GobanReadOptions *options, GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "graphdef");
  const GobanTf__MetaGraph *meta;
  const GobanTf__GraphDef *proto = tf_find_graph (message, form, builder, &meta);
  const GobanProgress *progress = options != NULL ? options->progress : NULL;
  const GobanTfSource source
      = { proto, meta, path, progress, options != NULL && options->keep_constants };
  GobanTfExpansion expansion;
  GobanTfModel model = { 0 };
  gboolean ok;

  if (proto == NULL || proto->n_node == 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the TensorFlow graph has no nodes", path);
      return NULL;
    }
  ok = goban_tf_expansion_init (&expansion, &source, error)
       && goban_tf_model_init (&model, &expansion.graph, path, error)
       && goban_progress_check (progress, error);
  if (ok)
    {
      goban_tf_infer (&model, options != NULL ? options->batch : 0, builder);
      fill_builder (builder, &model, &expansion);
      warn_left_out (builder, &expansion);
    }
  goban_tf_model_clear (&model);
  goban_tf_expansion_clear (&expansion);
  return ok ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

static GobanGraph *
read_graphdef (const char *data, gsize size, const char *path, const GobanReadOptions *options,
               GError **error)
{
  ProtobufCMessage *message;
  GobanGraph *graph;
  GobanTfForm form;

  if (options != NULL && !goban_onnx_check_batch (options->batch, path, error))
    return NULL;
  message = tf_decode (data, size, path, &form, error);
  if (message == NULL)
    return NULL;
  graph = read_message (message, form, path, options, error);
  protobuf_c_message_free_unpacked (message, NULL);
  return graph;
}

/* --- nodes of the file ----------------------------------------------------------------------- */

/* Finds the devices that the file gives to nodes which the graph leaves out because the model's
 * signature does not need them. */
static void
find_left_out (const GobanTf__GraphDef *proto, const GobanTf__MetaGraph *meta,
               const GobanGraph *graph, GobanSourceNodes *found)
{
  const GobanTf__NamedSignature *signature = goban_tf_served_find (meta);
  g_autoptr (GPtrArray) served = NULL;
  g_autoptr (GHashTable) is_served = g_hash_table_new (NULL, NULL);
  guint n_removed;

  if (signature != NULL)
    served = goban_tf_served_nodes (proto, signature, &n_removed);
  if (served == NULL)
    return;
  for (guint i = 0; i < served->len; i++)
    g_hash_table_add (is_served, served->pdata[i]);
  for (gsize i = 0; i < proto->n_node; i++)
    if (!g_hash_table_contains (is_served, proto->node[i])
        && goban_graph_find_node (graph, proto->node[i]->name) != GOBAN_NO_NODE)
      return; /* they were kept */
  for (gsize i = 0; i < proto->n_node; i++)
    if (!g_hash_table_contains (is_served, proto->node[i]))
      found->devices[i] = g_strdup (proto->node[i]->device);
}

/* Names are numbered by a builder, as they were when the graph was read. */
static gboolean
name_nodes (const GobanTfModel *model, const GobanGraph *graph, GobanSourceNodes *found,
            GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "graphdef");
  g_autofree GobanNodeId *of_region = g_new (GobanNodeId, model->regions->len + 1);

  for (guint i = 0; i < model->regions->len; i++)
    of_region[i] = GOBAN_NO_NODE;
  for (guint32 v = 0; v < model->n_nodes; v++)
    {
      guint32 region = model->nodes[v].region;
      guint32 id;

      found->nodes[v] = GOBAN_NO_NODE;
      if (found->devices[v] != NULL)
        continue;
      if (region != GOBAN_TF_NONE && of_region[region] != GOBAN_NO_NODE)
        {
          found->nodes[v] = of_region[region];
          continue;
        }
      id = goban_graph_builder_add_node (builder,
                                         region != GOBAN_TF_NONE
                                             ? g_ptr_array_index (model->regions, region)
                                             : model->nodes[v].proto->name,
                                         "");
      found->nodes[v] = goban_source_nodes_find (
          graph, goban_graph_builder_get_node (builder, id)->name, model->path, error);
      if (found->nodes[v] == GOBAN_NO_NODE)
        return FALSE;
      if (region != GOBAN_TF_NONE)
        of_region[region] = found->nodes[v];
    }
  return goban_source_nodes_check (found, graph, model->path, error);
}

static gboolean
find_nodes (const ProtobufCMessage *message, const char *path, const GobanGraph *graph,
            GobanSourceNodes *found, GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "graphdef");
  const GobanTf__MetaGraph *meta;
  const GobanTf__GraphDef *proto
      = tf_find_graph (message, (GobanTfForm) (GOBAN_TF_FORM_GRAPH + found->depth), builder, &meta);
  GobanTfModel model;
  gboolean ok;

  if (proto == NULL)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the TensorFlow graph has no nodes", path);
  if (goban_tf_has_calls (proto))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: its nodes are in functions, which have the same devices in all "
                         "calls: freeze the graph first",
                         path);
  ok = goban_tf_model_init (&model, proto, path, error);
  if (ok)
    {
      found->n = model.n_nodes;
      found->nodes = g_new (GobanNodeId, model.n_nodes + 1);
      found->devices = g_new0 (char *, model.n_nodes + 1);
      find_left_out (proto, meta, graph, found);
      ok = name_nodes (&model, graph, found, error);
    }
  goban_tf_model_clear (&model);
  return ok;
}

GobanSourceNodes *
goban_graphdef_find_nodes (GBytes *bytes, const char *path, const GobanGraph *graph, GError **error)
{
  g_autoptr (GobanSourceNodes) found = g_new0 (GobanSourceNodes, 1);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  ProtobufCMessage *message;
  GobanTfForm form;
  gboolean ok;

  message = tf_decode (data, size, path, &form, error);
  if (message == NULL)
    return NULL;
  found->is_text = tf_form_of_text (data, size) != GOBAN_TF_FORM_NONE;
  found->depth = form - GOBAN_TF_FORM_GRAPH;
  ok = find_nodes (message, path, graph, found, error);
  protobuf_c_message_free_unpacked (message, NULL);
  return ok ? g_steal_pointer (&found) : NULL;
}

const GobanFormat goban_format_graphdef = {
  .name = "graphdef",
  .extensions = ".pb .pbtxt .meta",
  .blurb = "TensorFlow graphs: GraphDef, MetaGraphDef, SavedModel",
  .sniff = sniff,
  .read = read_graphdef,
};
