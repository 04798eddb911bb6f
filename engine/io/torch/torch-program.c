#include "engine/io/torch/torch-program.h"

#include "engine/io/torch/torch-sizes.h"

#include <math.h>
#include <string.h>

#define INT64 ONNX__TENSOR_PROTO__DATA_TYPE__INT64

typedef struct
{
  GobanTorchProgram *program;
  GobanTorchSizes sizes;
  const GobanReadOptions *options;
  GobanGraphBuilder *builder;
  guint n_unsized; /* tensors of a type, or with more dimensions, than are known here */
  const char *first_unsized;
} Reading;

/* --- values ---------------------------------------------------------------------------------- */

const GobanTorchValue *
goban_torch_program_value (const GobanTorchProgram *self, guint32 value)
{
  return value != GOBAN_TORCH_NONE ? &g_array_index (self->values, GobanTorchValue, value) : NULL;
}

static GobanTorchValue *
get_value (GobanTorchProgram *self, guint32 value)
{
  return &g_array_index (self->values, GobanTorchValue, value);
}

/* @dtype: PyTorch's ScalarType, to ONNX's. */
static int
convert_dtype (gint64 dtype)
{
  static const guint8 onnx[] = { 0, 2, 3, 5, 6, 7, 10, 1, 11, 0, 14, 15, 9, 16 };
  static const guint8 late[] = { 4, 17, 19, 18, 20, 24, 12, 13 }; /* from 28 on */

  if (dtype >= 28)
    return dtype - 28 < (gint64) G_N_ELEMENTS (late) ? late[dtype - 28] : 0;
  return dtype >= 0 && dtype < (gint64) G_N_ELEMENTS (onnx) ? onnx[dtype] : 0;
}

/* The value of that name, or a new one. */
static guint32
put_value (GobanTorchProgram *self, const char *name)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));
  GobanTorchValue value = { .name = name,
                            .meta = self->none,
                            .value = { .dtype = INT64, .has_rank = TRUE },
                            .producer = GOBAN_TORCH_NONE };

  if (found > 0)
    return found - 1;
  g_array_append_val (self->values, value);
  g_hash_table_insert (self->by_name, (gpointer) name, GUINT_TO_POINTER (self->values->len));
  return self->values->len - 1;
}

/* All names that the graph declares: tensors, and numbers for open sizes. */
static gboolean
declare (GobanTorchProgram *self, GobanJsonValue graph, GError **error)
{
  static const char *const kinds[]
      = { "tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values" };
  GobanJsonItems members;
  GobanJsonValue meta;
  const char *name;

  if (!goban_json_has (graph, kinds[0]))
    return goban_json_refuse_missing (graph, kinds[0], error);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (!goban_json_get_members (graph, kinds[i], &members, error))
        return FALSE;
      while (goban_json_members_next (&members, &name, &meta))
        {
          GobanTorchValue *value = get_value (self, put_value (self, name));

          if (i == 0 && !goban_json_check_object (meta, NULL, error))
            return FALSE;
          value->is_declared = TRUE;
          if (i == 0)
            value->meta = meta;
        }
    }
  return TRUE;
}

static gboolean
read_meta (Reading *self, GobanTorchValue *value, GError **error)
{
  GobanOnnxValue read = { 0 };
  gint64 dtype = 0;
  GobanJsonItems sizes;
  GobanJsonValue size;

  if (!goban_json_get_whole (value->meta, "dtype", (GobanJsonWhole){ 0, G_MAXINT32 }, &dtype, error)
      || !goban_json_get_list (value->meta, "sizes", &sizes, error))
    return FALSE;
  read.dtype = convert_dtype (dtype);
  read.has_rank = sizes.n <= GOBAN_ONNX_MAX_DIMS;
  while (read.has_rank && goban_json_items_next (&sizes, &size))
    if (!goban_torch_sizes_read (&self->sizes, size, &read.dims[read.n_dims++], error))
      return FALSE;
  value->value = read;
  if ((read.dtype == 0 || !read.has_rank) && self->n_unsized++ == 0)
    self->first_unsized = value->name;
  return TRUE;
}

static gboolean
read_tensors (Reading *self, GError **error)
{
  for (guint i = 0; i < self->program->values->len; i++)
    {
      GobanTorchValue *value = get_value (self->program, i);

      if (!goban_json_is_missing (value->meta) && !read_meta (self, value, error))
        return FALSE;
    }
  return TRUE;
}

/* --- open sizes ------------------------------------------------------------------------------ */

static gboolean
add_sizes (Reading *self, GobanJsonValue ranges, GError **error)
{
  for (guint i = 0; i < self->program->values->len; i++)
    {
      GobanJsonItems sizes;
      GobanJsonValue size;

      if (!goban_json_get_list (get_value (self->program, i)->meta, "sizes", &sizes, error))
        return FALSE;
      while (goban_json_items_next (&sizes, &size))
        goban_torch_sizes_add (&self->sizes, size, ranges);
    }
  return TRUE;
}

/* The first size of the first tensor that the user gives; missing if there is none. */
static gboolean
find_batch (const GobanTorchProgram *self, GobanJsonValue module, GobanJsonValue *size,
            GError **error)
{
  GobanJsonItems specs;
  GobanJsonValue spec;

  *size = self->none;
  if (!goban_json_get_list (goban_json_find (module, "signature"), "input_specs", &specs, error))
    return FALSE;
  while (goban_json_is_missing (*size) && goban_json_items_next (&specs, &spec))
    {
      GobanJsonValue arg = goban_json_find (goban_json_find (spec, "user_input"), "arg");
      const char *name
          = goban_json_peek_text (goban_json_find (goban_json_find (arg, "as_tensor"), "name"));
      guint found = name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name)) : 0;

      if (found > 0)
        *size = goban_json_get_element (goban_torch_program_value (self, found - 1)->meta, "sizes",
                                        0);
    }
  return TRUE;
}

static gboolean
read_sizes (Reading *self, GobanJsonValue root, GobanJsonValue module, GError **error)
{
  gint64 wanted = self->options != NULL ? self->options->batch : 0;
  GobanJsonValue batch;

  if (!find_batch (self->program, module, &batch, error))
    return FALSE;
  if ((wanted > 0 || !goban_json_has (goban_json_find (batch, "as_expr"), "hint"))
      && !goban_torch_sizes_set (&self->sizes, batch, MAX (wanted, 1)) && wanted > 0)
    goban_graph_builder_warn (self->builder, "the batch is fixed in the file: --batch has no "
                                             "effect; export it with a dynamic batch");
  return add_sizes (self, goban_json_find (root, "range_constraints"), error);
}

/* --- arguments ------------------------------------------------------------------------------- */

static gboolean gather_list (GobanTorchProgram *self, GobanJsonValue list, GArray *found,
                             gboolean *has_body, GError **error);

/* Appends the names in an argument, or in a part of it, to @found; ignores everything else in
 * it. */
static gboolean
gather (GobanTorchProgram *self, GobanJsonValue arg, GArray *found, gboolean *has_body,
        GError **error)
{
  static const char *const lists[] = { "as_tensors",  "as_optional_tensors", "as_nested_tensors",
                                       "as_sym_ints", "as_sym_bools",        "as_sym_floats" };
  static const char *const singles[] = { "as_sym_int", "as_sym_bool", "as_sym_float" };
  GobanJsonValue tensor = goban_json_find (arg, "as_tensor");
  const char *name = goban_json_peek_text (goban_json_find (tensor, "name"));

  if (goban_json_get_type (arg) == GOBAN_JSON_ARRAY)
    return gather_list (self, arg, found, has_body, error);
  *has_body |= goban_json_has (arg, "as_graph");
  if (name == NULL)
    name = goban_json_peek_text (goban_json_find (arg, "name"));
  if (name == NULL)
    name = goban_json_peek_text (goban_json_find (arg, "as_name"));
  for (guint i = 0; name == NULL && i < G_N_ELEMENTS (singles); i++)
    name = goban_json_peek_text (goban_json_find (goban_json_find (arg, singles[i]), "as_name"));
  if (name != NULL)
    {
      guint32 value = put_value (self, name);

      g_array_append_val (found, value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (!gather_list (self, goban_json_find (arg, lists[i]), found, has_body, error))
      return FALSE;
  return TRUE;
}

static gboolean
gather_list (GobanTorchProgram *self, GobanJsonValue list, GArray *found, gboolean *has_body,
             GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_read_list (list, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!gather (self, item, found, has_body, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_inputs (GobanTorchProgram *self, GobanTorchNode *node, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  guint32 none = GOBAN_TORCH_NONE;

  if (!goban_json_get_list (node->json, "inputs", &items, error))
    return FALSE;
  node->first_input = self->inputs->len;
  while (goban_json_items_next (&items, &item))
    {
      guint before = self->inputs->len;

      if (!goban_json_check_object (item, NULL, error)
          || !gather (self, goban_json_find (item, "arg"), self->inputs, &node->has_body, error))
        return FALSE;
      if (self->inputs->len == before)
        g_array_append_val (self->inputs, none);
    }
  node->n_inputs = self->inputs->len - node->first_input;
  return TRUE;
}

static gboolean
read_outputs (GobanTorchProgram *self, GobanTorchNode *node, guint32 number, GError **error)
{
  gboolean has_body = FALSE;
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (node->json, "outputs", &items, error))
    return FALSE;
  node->first_output = self->outputs->len;
  while (goban_json_items_next (&items, &item))
    if (!gather (self, item, self->outputs, &has_body, error))
      return FALSE;
  node->n_outputs = self->outputs->len - node->first_output;
  for (guint i = 0; i < node->n_outputs; i++)
    {
      guint32 id = g_array_index (self->outputs, guint32, node->first_output + i);
      GobanTorchValue *value = get_value (self, id);

      if (value->producer != GOBAN_TORCH_NONE || value->is_constant)
        return goban_json_refuse (node->json, error, "“%s” is written twice", value->name);
      value->producer = number;
    }
  return TRUE;
}

GobanJsonValue
goban_torch_node_argument (const GobanTorchNode *node, const char *name)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (goban_json_get_list (node->json, "inputs", &items, NULL)) /* it was read before */
    while (goban_json_items_next (&items, &item))
      if (g_strcmp0 (goban_json_peek_text (goban_json_find (item, "name")), name) == 0)
        return goban_json_find (item, "arg");
  return (GobanJsonValue){ node->json.reader, GOBAN_JSON_MISSING };
}

/* --- nodes and signature --------------------------------------------------------------------- */

static gboolean
read_node (GobanTorchProgram *self, GobanJsonValue object, GError **error)
{
  GobanTorchNode node = { .json = object };

  if (!goban_json_check_object (object, NULL, error)
      || !goban_json_get_name (object, "target", &node.target, error))
    return FALSE;
  if (node.target == NULL)
    return goban_json_refuse_missing (object, "target", error);
  if (!read_inputs (self, &node, error) || !read_outputs (self, &node, self->nodes->len, error))
    return FALSE;
  g_array_append_val (self->nodes, node);
  return TRUE;
}

static gboolean
read_nodes (Reading *self, GobanJsonValue graph, GError **error)
{
  const GobanProgress *progress = self->options != NULL ? self->options->progress : NULL;
  GobanJsonItems nodes;
  GobanJsonValue node;

  if (!goban_json_has (graph, "nodes"))
    return goban_json_refuse_missing (graph, "nodes", error);
  if (!goban_json_get_list (graph, "nodes", &nodes, error))
    return FALSE;
  while (goban_json_items_next (&nodes, &node))
    if (!goban_progress_check (progress, error) || !read_node (self->program, node, error))
      return FALSE;
  return TRUE;
}

/* Parameters, buffers and constants have their tensor's name in `arg`. */
static gboolean
read_constants (GobanTorchProgram *self, GobanJsonValue module, GError **error)
{
  static const char *const kinds[] = { "parameter", "buffer", "tensor_constant" };
  GobanJsonItems specs;
  GobanJsonValue spec;

  if (!goban_json_get_list (goban_json_find (module, "signature"), "input_specs", &specs, error))
    return FALSE;
  while (goban_json_items_next (&specs, &spec))
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        GobanJsonValue arg = goban_json_find (goban_json_find (spec, kinds[i]), "arg");
        const char *name = goban_json_peek_text (goban_json_find (arg, "name"));

        if (name != NULL)
          get_value (self, put_value (self, name))->is_constant = TRUE;
      }
  return TRUE;
}

/* Inputs of the user besides tensors: numbers and open sizes. */
static gboolean
declare_inputs (GobanTorchProgram *self, GobanJsonValue graph, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean has_body = FALSE;
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (graph, "inputs", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!gather (self, item, found, &has_body, error))
      return FALSE;
  for (guint i = 0; i < found->len; i++)
    get_value (self, g_array_index (found, guint32, i))->is_declared = TRUE;
  return TRUE;
}

static gboolean
check_inputs (const GobanTorchProgram *self, GError **error)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const GobanTorchNode *node = &g_array_index (self->nodes, GobanTorchNode, i);

      for (guint j = 0; j < node->n_inputs; j++)
        {
          guint32 input = g_array_index (self->inputs, guint32, node->first_input + j);
          const GobanTorchValue *value = goban_torch_program_value (self, input);

          if (value != NULL && value->producer == GOBAN_TORCH_NONE && !value->is_constant
              && !value->is_declared)
            return goban_json_refuse (node->json, error, "it reads “%s”, which is not in the graph",
                                      value->name);
        }
    }
  return TRUE;
}

/* --- the whole ------------------------------------------------------------------------------- */

static gboolean
read_program (Reading *self, GobanJsonValue root, GError **error)
{
  GobanJsonValue module, graph;

  if (!goban_json_check_object (root, NULL, error))
    return FALSE;
  module = goban_json_find (root, "graph_module");
  if (goban_json_is_missing (module))
    return goban_json_refuse_missing (root, "graph_module", error);
  graph = goban_json_find (module, "graph");
  if (goban_json_is_missing (graph))
    return goban_json_refuse_missing (module, "graph", error);
  return declare (self->program, graph, error) && read_sizes (self, root, module, error)
         && read_tensors (self, error) && declare_inputs (self->program, graph, error)
         && read_constants (self->program, module, error) && read_nodes (self, graph, error)
         && check_inputs (self->program, error);
}

gboolean
goban_torch_program_init (GobanTorchProgram *self, GobanJsonValue root,
                          const GobanReadOptions *options, GobanGraphBuilder *builder,
                          GError **error)
{
  Reading reading = { .program = self, .options = options, .builder = builder };
  gboolean ok;

  self->none = (GobanJsonValue){ root.reader, GOBAN_JSON_MISSING };
  self->values = g_array_new (FALSE, FALSE, sizeof (GobanTorchValue));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GobanTorchNode));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  goban_torch_sizes_init (&reading.sizes);
  ok = read_program (&reading, root, error);
  if (ok)
    goban_torch_sizes_warn (&reading.sizes, builder);
  if (ok && reading.n_unsized > 0)
    goban_graph_builder_warn (builder,
                              "%u tensors have a type that is not known here, or more than %d "
                              "dimensions, the first is \"%s\": they count as 0 bytes",
                              reading.n_unsized, GOBAN_ONNX_MAX_DIMS, reading.first_unsized);
  goban_torch_sizes_clear (&reading.sizes);
  return ok;
}

void
goban_torch_program_clear (GobanTorchProgram *self)
{
  g_array_unref (self->values);
  g_array_unref (self->nodes);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_hash_table_unref (self->by_name);
}

/* The path of the innermost module: of "key,path,type;key,path,type" the last one.
 * (transfer full) */
static char *
dup_module (const char *stack)
{
  const char *last = strrchr (stack, ';');
  g_auto (GStrv) parts = g_strsplit (last != NULL ? last + 1 : stack, ",", 3);
  const char *path = parts[0] != NULL && parts[1] != NULL ? parts[1] : "";

  if (g_str_has_prefix (path, "L['self']"))
    path += strlen ("L['self']");
  return g_strdup (*path == '.' ? path + 1 : path);
}

char *
goban_torch_program_dup_name (const GobanTorchProgram *self, const GobanTorchNode *node)
{
  GobanJsonValue metadata = goban_json_find (node->json, "metadata");
  const char *stack = goban_json_peek_text (goban_json_find (metadata, "nn_module_stack"));
  g_autofree char *module = dup_module (stack != NULL ? stack : "");
  const char *dot = strrchr (node->target, '.');
  const char *own = dot != NULL ? dot + 1 : node->target;

  if (node->n_outputs > 0)
    own = g_array_index (self->values, GobanTorchValue,
                         g_array_index (self->outputs, guint32, node->first_output))
              .name;
  if (*module == '\0')
    return g_strdup (own);
  g_strdelimit (module, ".", '/');
  return g_strconcat (module, "/", own, NULL);
}
