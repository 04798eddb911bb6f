#include "engine/io/torch/torch-sizes.h"

#include "engine/io/onnx/onnx-tensor.h"

#include <math.h>
#include <string.h>

/* Parentheses within each other. */
#define MAX_DEPTH 64
/* Names that the warning lists. */
#define MAX_SHOWN 8
/* The value of a name without an example, as in ONNX models. */
#define USUAL_EXTENT 128

/* --- names ----------------------------------------------------------------------------------- */

void
goban_torch_sizes_init (GobanTorchSizes *self)
{
  *self = (GobanTorchSizes){ 0 };
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->order = g_ptr_array_new ();
}

void
goban_torch_sizes_clear (GobanTorchSizes *self)
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

void
goban_torch_sizes_add (GobanTorchSizes *self, GobanJsonValue size, GobanJsonValue ranges)
{
  gint64 hint;
  const char *name = get_expression (size, &hint);

  if (name == NULL || !is_name (name) || g_hash_table_contains (self->names, name))
    return;
  put (self, name, hint >= 0 ? hint : get_usual (name, ranges));
}

gboolean
goban_torch_sizes_set (GobanTorchSizes *self, GobanJsonValue size, gint64 value)
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

gboolean
goban_torch_sizes_read (GobanTorchSizes *self, GobanJsonValue size, gint64 *extent, GError **error)
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

void
goban_torch_sizes_warn (const GobanTorchSizes *self, GobanGraphBuilder *builder)
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
