#include "tests/io/onnx-make.h"

#include <string.h>

#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-model.h"

struct _OnnxMake
{
  Onnx__ModelProto model;
  Onnx__GraphProto graph;
  Onnx__OperatorSetIdProto opsets[2];
  Onnx__OperatorSetIdProto *opset_list[2];
  GPtrArray *nodes;
  GPtrArray *inputs;
  GPtrArray *outputs;
  GPtrArray *constants;
  GPtrArray *declared;
  GPtrArray *garbage;
  guint n_values;
};

/* Memory that lives as long as the model. */
static gpointer
keep (OnnxMake *self, gpointer memory)
{
  g_ptr_array_add (self->garbage, memory);
  return memory;
}

static char *
keep_string (OnnxMake *self, const char *text)
{
  return keep (self, g_strdup (text));
}

OnnxMake *
onnx_make_new (gint64 opset)
{
  OnnxMake *self = g_new0 (OnnxMake, 1);

  onnx__model_proto__init (&self->model);
  onnx__graph_proto__init (&self->graph);
  for (guint i = 0; i < 2; i++)
    {
      onnx__operator_set_id_proto__init (&self->opsets[i]);
      self->opsets[i].has_version = TRUE;
      self->opsets[i].version = i == 0 ? opset : 1;
      self->opset_list[i] = &self->opsets[i];
    }
  self->opsets[0].domain = (char *) "";
  self->opsets[1].domain = (char *) "com.microsoft";
  self->model.has_ir_version = TRUE;
  self->model.ir_version = 8;
  self->model.opset_import = self->opset_list;
  self->model.n_opset_import = 2;
  self->model.graph = &self->graph;
  self->nodes = g_ptr_array_new ();
  self->inputs = g_ptr_array_new ();
  self->outputs = g_ptr_array_new ();
  self->constants = g_ptr_array_new ();
  self->declared = g_ptr_array_new ();
  self->garbage = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
onnx_make_free (OnnxMake *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->constants);
  g_ptr_array_unref (self->declared);
  g_ptr_array_unref (self->garbage);
  g_free (self);
}

static int
find_dtype (const char *name, gsize length)
{
  static const struct
  {
    const char *name;
    int dtype;
  } names[] = { { "f32", 1 }, { "u8", 2 },   { "s8", 3 },  { "s32", 6 },
                { "s64", 7 }, { "bool", 9 }, { "f16", 10 } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i].name) == length && memcmp (names[i].name, name, length) == 0)
      return names[i].dtype;
  g_assert_not_reached ();
}

/* "s64:2x3" to a type and the extents' texts; "scalar" has none. */
static char **
split_value (const char *value, int *dtype)
{
  const char *colon = strchr (value, ':');
  const char *dims = colon != NULL ? colon + 1 : value;

  *dtype = colon != NULL ? find_dtype (value, (gsize) (colon - value)) : 1;
  return g_str_equal (dims, "scalar") ? g_new0 (char *, 1) : g_strsplit (dims, "x", -1);
}

static Onnx__ValueInfoProto *
make_info (OnnxMake *self, const char *name, const char *value)
{
  Onnx__ValueInfoProto *info = keep (self, g_new (Onnx__ValueInfoProto, 1));
  Onnx__TypeProto *type = keep (self, g_new (Onnx__TypeProto, 1));
  Onnx__TypeProto__Tensor *tensor = keep (self, g_new (Onnx__TypeProto__Tensor, 1));
  Onnx__TensorShapeProto *shape = keep (self, g_new (Onnx__TensorShapeProto, 1));
  int dtype;
  g_auto (GStrv) dims = split_value (value, &dtype);

  onnx__value_info_proto__init (info);
  onnx__type_proto__init (type);
  onnx__type_proto__tensor__init (tensor);
  onnx__tensor_shape_proto__init (shape);
  info->name = keep_string (self, name);
  info->type = type;
  type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  type->tensor_type = tensor;
  tensor->has_elem_type = TRUE;
  tensor->elem_type = dtype;
  tensor->shape = shape;
  shape->n_dim = g_strv_length (dims);
  shape->dim = keep (self, g_new0 (Onnx__TensorShapeProto__Dimension *, shape->n_dim + 1));
  for (guint i = 0; i < shape->n_dim; i++)
    {
      Onnx__TensorShapeProto__Dimension *dim
          = keep (self, g_new (Onnx__TensorShapeProto__Dimension, 1));

      onnx__tensor_shape_proto__dimension__init (dim);
      shape->dim[i] = dim;
      if (g_str_equal (dims[i], "?"))
        continue;
      if (g_ascii_isdigit (dims[i][0]) || dims[i][0] == '-')
        {
          dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
          dim->dim_value = g_ascii_strtoll (dims[i], NULL, 10);
        }
      else
        {
          dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
          dim->dim_param = keep_string (self, dims[i]);
        }
    }
  return info;
}

void
onnx_make_input (OnnxMake *self, const char *name, const char *value)
{
  g_ptr_array_add (self->inputs, make_info (self, name, value));
}

void
onnx_make_declare (OnnxMake *self, const char *name, const char *value)
{
  g_ptr_array_add (self->declared, make_info (self, name, value));
}

static Onnx__TensorProto *
new_tensor (OnnxMake *self, const char *name, int dtype)
{
  Onnx__TensorProto *tensor = keep (self, g_new (Onnx__TensorProto, 1));

  onnx__tensor_proto__init (tensor);
  tensor->name = keep_string (self, name);
  tensor->has_data_type = TRUE;
  tensor->data_type = dtype;
  return tensor;
}

/* Elements between the brackets of "{1,2}" or "[0.5]", or behind "=". */
static Onnx__TensorProto *
make_data (OnnxMake *self, const char *name, const char *value)
{
  gboolean is_float = value[0] == '[';
  Onnx__TensorProto *tensor = new_tensor (self, name, is_float ? 1 : 7);
  g_auto (GStrv) items = g_strsplit (value + 1, ",", -1);
  gsize n = items[0] == NULL || strchr ("}]", items[0][0]) != NULL ? 0 : g_strv_length (items);

  tensor->int64_data = keep (self, g_new0 (gint64, n + 1));
  tensor->float_data = keep (self, g_new0 (float, n + 1));
  for (guint i = 0; i < n; i++)
    if (is_float)
      tensor->float_data[tensor->n_float_data++] = (float) g_ascii_strtod (items[i], NULL);
    else
      tensor->int64_data[tensor->n_int64_data++] = g_ascii_strtoll (items[i], NULL, 10);
  if (value[0] != '=')
    {
      tensor->n_dims = 1;
      tensor->dims = keep (self, g_new0 (gint64, 1));
      tensor->dims[0] = (gint64) n;
    }
  return tensor;
}

void
onnx_make_constant (OnnxMake *self, const char *name, const char *value)
{
  Onnx__TensorProto *tensor;
  int dtype;

  if (strchr ("{[=", value[0]) != NULL)
    tensor = make_data (self, name, value);
  else
    {
      g_auto (GStrv) dims = split_value (value, &dtype);

      tensor = new_tensor (self, name, dtype);
      tensor->n_dims = g_strv_length (dims);
      tensor->dims = keep (self, g_new0 (gint64, tensor->n_dims + 1));
      for (guint i = 0; i < tensor->n_dims; i++)
        tensor->dims[i] = g_ascii_strtoll (dims[i], NULL, 10);
      tensor->has_data_location = TRUE;
      tensor->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    }
  g_ptr_array_add (self->constants, tensor);
}

/* The name of a value, which is added to the model unless it is one already. */
static char *
add_value (OnnxMake *self, const char *value)
{
  char *name;

  if (g_str_equal (value, "-"))
    return keep_string (self, "");
  if (value[0] == '$')
    return keep_string (self, value + 1);
  name = keep (self, g_strdup_printf ("v%u", self->n_values++));
  if (value[0] == '#')
    onnx_make_constant (self, name, value + 1);
  else if (strchr ("{[=", value[0]) != NULL)
    onnx_make_constant (self, name, value);
  else
    onnx_make_input (self, name, value);
  return name;
}

static void
set_value (OnnxMake *self, Onnx__AttributeProto *attr, const char *value)
{
  g_auto (GStrv) items = g_strsplit (value + (value[0] == '['), ",", -1);
  gsize n = g_strv_length (items);

  if (value[0] == '[')
    {
      attr->ints = keep (self, g_new0 (gint64, n + 1));
      for (guint i = 0; i < n && items[i][0] != ']'; i++)
        attr->ints[attr->n_ints++] = g_ascii_strtoll (items[i], NULL, 10);
    }
  else if (!g_ascii_isdigit (value[0]) && value[0] != '-')
    {
      attr->has_s = TRUE;
      attr->s.data = (guint8 *) keep_string (self, value);
      attr->s.len = strlen (value);
    }
  else if (strchr (value, '.') != NULL)
    {
      attr->has_f = TRUE;
      attr->f = (float) g_ascii_strtod (value, NULL);
    }
  else
    {
      attr->has_i = TRUE;
      attr->i = g_ascii_strtoll (value, NULL, 10);
    }
}

static void
add_attributes (OnnxMake *self, Onnx__NodeProto *node, const char *text)
{
  g_auto (GStrv) items = g_strsplit (text, " ", -1);

  node->attribute = keep (self, g_new0 (Onnx__AttributeProto *, g_strv_length (items) + 4));
  for (guint i = 0; items[i] != NULL; i++)
    {
      const char *sign = strchr (items[i], '=');
      Onnx__AttributeProto *attr;

      if (sign == NULL)
        continue;
      attr = keep (self, g_new (Onnx__AttributeProto, 1));
      onnx__attribute_proto__init (attr);
      attr->name = keep (self, g_strndup (items[i], (gsize) (sign - items[i])));
      set_value (self, attr, sign + 1);
      node->attribute[node->n_attribute++] = attr;
    }
}

Onnx__NodeProto *
onnx_make_node (OnnxMake *self, const char *op, const char *values, const char *attributes,
                const char *outputs)
{
  Onnx__NodeProto *node = keep (self, g_new (Onnx__NodeProto, 1));
  g_auto (GStrv) value_list = g_strsplit (values, " ", -1);
  g_auto (GStrv) output_list = g_strsplit (outputs, " ", -1);

  onnx__node_proto__init (node);
  if (g_str_has_prefix (op, "ms."))
    {
      node->domain = (char *) "com.microsoft";
      op += 3;
    }
  node->op_type = keep_string (self, op);
  node->input = keep (self, g_new0 (char *, g_strv_length (value_list) + 1));
  for (guint i = 0; value_list[i] != NULL; i++)
    if (value_list[i][0] != '\0')
      node->input[node->n_input++] = add_value (self, value_list[i]);
  node->output = keep (self, g_new0 (char *, g_strv_length (output_list) + 1));
  for (guint i = 0; output_list[i] != NULL; i++)
    node->output[node->n_output++]
        = keep_string (self, g_str_equal (output_list[i], "-") ? "" : output_list[i]);
  add_attributes (self, node, attributes);
  g_ptr_array_add (self->nodes, node);
  return node;
}

Onnx__ModelProto *
onnx_make_get (OnnxMake *self)
{
  self->graph.node = (Onnx__NodeProto **) self->nodes->pdata;
  self->graph.n_node = self->nodes->len;
  self->graph.input = (Onnx__ValueInfoProto **) self->inputs->pdata;
  self->graph.n_input = self->inputs->len;
  self->graph.initializer = (Onnx__TensorProto **) self->constants->pdata;
  self->graph.n_initializer = self->constants->len;
  self->graph.value_info = (Onnx__ValueInfoProto **) self->declared->pdata;
  self->graph.n_value_info = self->declared->len;
  return &self->model;
}

GBytes *
onnx_make_pack (OnnxMake *self)
{
  return goban_onnx_pack (onnx_make_get (self));
}

GobanGraph *
onnx_make_read (OnnxMake *self, const GobanReadOptions *options, GError **error)
{
  g_autoptr (GBytes) bytes = onnx_make_pack (self);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return goban_format_onnx.read (data, size, "made.onnx", options, error);
}

char *
onnx_make_text (const GobanTensor *tensor)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s ", tensor->dtype[0] != '\0' ? tensor->dtype : "?");
  if (!tensor->has_shape)
    g_string_append (text, "unknown");
  else if (tensor->n_dims == 0)
    g_string_append (text, "scalar");
  for (guint i = 0; tensor->has_shape && i < tensor->n_dims; i++)
    if (tensor->dims[i] < 0)
      g_string_append (text, i > 0 ? "x?" : "?");
    else
      g_string_append_printf (text, i > 0 ? "x%" G_GINT64_FORMAT : "%" G_GINT64_FORMAT,
                              tensor->dims[i]);
  return g_string_free (text, FALSE);
}

double
onnx_make_sum_macs (const GobanGraph *graph)
{
  double sum = 0;

  for (guint i = 0; i < goban_graph_get_n_nodes (graph); i++)
    sum += goban_graph_get_node (graph, i)->macs;
  return sum;
}

double
onnx_make_sum_params (const GobanGraph *graph)
{
  double sum = 0;

  for (guint i = 0; i < goban_graph_get_n_nodes (graph); i++)
    sum += goban_graph_get_node (graph, i)->param_count;
  return sum;
}

gboolean
onnx_make_has_warning (const GobanGraph *graph, const char *part)
{
  const char *const *warnings = goban_graph_get_warnings (graph);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}
