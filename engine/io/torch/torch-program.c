#include "engine/io/torch/torch-program.h"

#include <math.h>
#include <string.h>

/* --- sizes ---------------------------------------------------------------- */

/* An extent is a number, or an expression such as "2*s0 + 1" with the value that it had for the
 * example inputs. A name has the value of its example; without one, 1 if it is the batch and else
 * 128, within the range that the file allows. A batch that is asked for replaces the value of the
 * first extent of the first input, and so of all expressions with it. */

typedef struct
{
  GHashTable *names; /* to a gint64 */
  GPtrArray *order;  /* the names as they came, owned by the table */
  guint n_unknown;   /* expressions that could not be evaluated */
  guint n_kept;      /* the same, but with the example's value, which is of another batch */
  gboolean is_other; /* the batch is not the example's */
} GobanTorchSizes;

/* Parentheses within each other. */
#define MAX_DEPTH 64
/* Names that the warning lists. */
#define MAX_SHOWN 8
/* The value of a name without an example, as in ONNX models. */
#define USUAL_EXTENT 128

/* --- names ----------------------------------------------------------------------------------- */

static void
torch_sizes_init (GobanTorchSizes *self)
{
  *self = (GobanTorchSizes){ 0 };
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->order = g_ptr_array_new ();
}

static void
torch_sizes_clear (GobanTorchSizes *self)
{
  g_clear_pointer (&self->order, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
}

static gboolean
is_name (const char *text)
{
  gsize n = strspn (text, G_CSET_a_2_z G_CSET_A_2_Z "_0123456789");

  return n > 0 && text[n] == '\0' && !g_ascii_isdigit (*text);
}

/* (nullable): the expression, and the value it had in the example, -1 if there is none. */
static const char *
get_expression (GobanJsonValue size, gint64 *hint)
{
  GobanJsonValue expression = goban_json_find (size, "as_expr");
  double value;

  *hint = -1;
  if (goban_json_is_number (goban_json_find (goban_json_find (expression, "hint"), "as_int"),
                            &value))
    *hint = goban_onnx_extent (value);
  return goban_json_peek_text (goban_json_find (expression, "expr_str"));
}

static void
put (GobanTorchSizes *self, const char *name, gint64 value)
{
  gint64 *known = g_hash_table_lookup (self->names, name);
  char *key;

  if (known != NULL)
    {
      *known = value;
      return;
    }
  key = g_strdup (name);
  g_hash_table_insert (self->names, key, g_memdup2 (&value, sizeof value));
  g_ptr_array_add (self->order, key);
}

static gint64
get_usual (const char *name, GobanJsonValue ranges)
{
  GobanJsonValue range = goban_json_find (ranges, name);
  double least = 0, most = GOBAN_ONNX_MAX_EXTENT;

  goban_json_is_number (goban_json_find (range, "min_val"), &least);
  goban_json_is_number (goban_json_find (range, "max_val"), &most);
  return goban_onnx_extent (MAX (MIN (USUAL_EXTENT, most), least));
}

/* Notes the name of @size, `{"as_expr": {"expr_str", "hint"}}`, if it is a single one. @ranges: the
 * file's `range_constraints`, which may be missing. */
static void
torch_sizes_add (GobanTorchSizes *self, GobanJsonValue size, GobanJsonValue ranges)
{
  gint64 hint;
  const char *name = get_expression (size, &hint);

  if (name == NULL || !is_name (name) || g_hash_table_contains (self->names, name))
    return;
  put (self, name, hint >= 0 ? hint : get_usual (name, ranges));
}

/* Sets a name's value, for the batch. FALSE if @size is not a single name. */
static gboolean
torch_sizes_set (GobanTorchSizes *self, GobanJsonValue size, gint64 value)
{
  gint64 hint;
  const char *name = get_expression (size, &hint);

  if (name == NULL || !is_name (name))
    return FALSE;
  self->is_other |= hint >= 0 && hint != value;
  put (self, name, value);
  return TRUE;
}

/* --- expressions ----------------------------------------------------------------------------- */

typedef struct
{
  const GobanTorchSizes *sizes;
  const char *at;
  guint depth;
} Parser;

static double parse_sum (Parser *self);

static gboolean
accept (Parser *self, const char *sign)
{
  self->at += strspn (self->at, " ");
  if (strncmp (self->at, sign, strlen (sign)) != 0)
    return FALSE;
  self->at += strlen (sign);
  return TRUE;
}

static double
divide_down (double a, double b)
{
  return b != 0 ? floor (a / b) : (double) NAN;
}

/* Calls a function of one argument; NAN for other functions. */
static double
call_one (const char *name, double a)
{
  if (strcmp (name, "floor") == 0)
    return floor (a);
  if (strcmp (name, "ceiling") == 0)
    return ceil (a);
  return NAN;
}

/* Calls a function of two arguments; NAN for other functions. */
static double
call (const char *name, double a, double b)
{
  if (strcmp (name, "Max") == 0)
    return a > b ? a : b;
  if (strcmp (name, "Min") == 0)
    return a < b ? a : b;
  if (strcmp (name, "Mod") == 0 || strcmp (name, "PythonMod") == 0)
    return a - b * divide_down (a, b);
  if (strcmp (name, "CeilDiv") == 0)
    return -divide_down (-a, b);
  if (strcmp (name, "FloorDiv") == 0 || strcmp (name, "CleanDiv") == 0)
    return divide_down (a, b);
  return NAN;
}

static double
parse_name (Parser *self)
{
  gsize n = strspn (self->at, G_CSET_a_2_z G_CSET_A_2_Z "_0123456789");
  g_autofree char *name = g_strndup (self->at, n);
  const gint64 *value = g_hash_table_lookup (self->sizes->names, name);
  double result;
  guint n_arguments = 1;

  self->at += n;
  if (!accept (self, "("))
    return value != NULL ? (double) *value : (double) NAN;
  result = parse_sum (self);
  for (; accept (self, ","); n_arguments++)
    result = n_arguments < 2 || strcmp (name, "Max") == 0 || strcmp (name, "Min") == 0
                 ? call (name, result, parse_sum (self))
                 : (double) NAN;
  if (n_arguments == 1)
    result = call_one (name, result);
  return accept (self, ")") ? result : (double) NAN;
}

static double
parse_atom (Parser *self)
{
  double value = NAN;
  char *end;

  self->at += strspn (self->at, " ");
  if (self->depth == MAX_DEPTH)
    return NAN;
  self->depth++;
  if (accept (self, "-"))
    value = -parse_atom (self);
  else if (accept (self, "("))
    {
      value = parse_sum (self);
      if (!accept (self, ")"))
        value = NAN;
    }
  else if (g_ascii_isdigit (*self->at))
    {
      value = (double) g_ascii_strtoull (self->at, &end, 10);
      self->at = end;
    }
  else if (g_ascii_isalpha (*self->at) || *self->at == '_')
    value = parse_name (self);
  if (accept (self, "**"))
    value = pow (value, parse_atom (self));
  self->depth--;
  return value;
}

static double
parse_product (Parser *self)
{
  double value = parse_atom (self);

  for (;;)
    if (accept (self, "//"))
      value = divide_down (value, parse_atom (self));
    else if (accept (self, "/"))
      value /= parse_atom (self);
    else if (accept (self, "*"))
      value *= parse_atom (self);
    else
      return value;
}

static double
parse_sum (Parser *self)
{
  double value = parse_product (self);

  for (;;)
    if (accept (self, "+"))
      value += parse_product (self);
    else if (accept (self, "-"))
      value -= parse_product (self);
    else
      return value;
}

/* The value, which is whole; -1 if it is not, or if a part is unknown. */
static gint64
evaluate (const GobanTorchSizes *self, const char *text)
{
  Parser parser = { .sizes = self, .at = text };
  double value = parse_sum (&parser);

  parser.at += strspn (parser.at, " ");
  if (*parser.at != '\0' || !(value >= 0) || value != floor (value))
    return -1;
  return goban_onnx_extent (value);
}

/* --- extents --------------------------------------------------------------------------------- */

/* The extent that @size is; -1 if it is unknown. FALSE with an error if it is no extent. */
static gboolean
torch_sizes_read (GobanTorchSizes *self, GobanJsonValue size, gint64 *extent, GError **error)
{
  GobanJsonValue whole = goban_json_find (size, "as_int");
  gint64 hint;
  const char *text = get_expression (size, &hint);

  if (!goban_json_is_missing (whole))
    {
      if (!goban_json_read_whole (whole, (GobanJsonWhole){ 0, G_MAXINT64 }, extent, error))
        return FALSE;
      *extent = goban_onnx_extent ((double) *extent);
      return TRUE;
    }
  if (text == NULL)
    return goban_json_refuse_value (size, "a size (as_int or as_expr)", error);
  *extent = evaluate (self, text);
  if (*extent < 0)
    {
      *extent = hint;
      self->n_kept += hint >= 0 && self->is_other;
    }
  self->n_unknown += *extent < 0;
  return TRUE;
}

/* Reports the values of open extents. */
static void
torch_sizes_warn (const GobanTorchSizes *self, GobanGraphBuilder *builder)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < MIN (self->order->len, MAX_SHOWN); i++)
    {
      const char *name = g_ptr_array_index (self->order, i);

      g_string_append_printf (list, "%s%s = %" G_GINT64_FORMAT, i > 0 ? ", " : "", name,
                              *(const gint64 *) g_hash_table_lookup (self->names, name));
    }
  if (list->len > 0)
    goban_graph_builder_warn (builder,
                              "its sizes are open; they are taken as %s%s: the example's, or 128 "
                              "where it has none; --batch sets the first one",
                              list->str, self->order->len > MAX_SHOWN ? ", …" : "");
  if (self->n_unknown > 0)
    goban_graph_builder_warn (builder,
                              "%u sizes are expressions that cannot be evaluated: tensors that "
                              "have them count as 0 bytes",
                              self->n_unknown);
  if (self->n_kept > 0)
    goban_graph_builder_warn (builder,
                              "%u sizes are expressions that cannot be evaluated: they are those "
                              "of the example, whatever the batch",
                              self->n_kept);
}

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
    if (!torch_sizes_read (&self->sizes, size, &read.dims[read.n_dims++], error))
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
        torch_sizes_add (&self->sizes, size, ranges);
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
      && !torch_sizes_set (&self->sizes, batch, MAX (wanted, 1)) && wanted > 0)
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
  torch_sizes_init (&reading.sizes);
  ok = read_program (&reading, root, error);
  if (ok)
    torch_sizes_warn (&reading.sizes, builder);
  if (ok && reading.n_unsized > 0)
    goban_graph_builder_warn (builder,
                              "%u tensors have a type that is not known here, or more than %d "
                              "dimensions, the first is \"%s\": they count as 0 bytes",
                              reading.n_unsized, GOBAN_ONNX_MAX_DIMS, reading.first_unsized);
  torch_sizes_clear (&reading.sizes);
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
