/* Matrix products and ops composed of them: Gemm, MatMul, Einsum, recurrent layers. */
#include <math.h>
#include <string.h>

#include "engine/io/onnx/onnx-ops.h"

#define FLOAT ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT
#define INT32 ONNX__TENSOR_PROTO__DATA_TYPE__INT32

/* --- Gemm ---------------------------------------------------------------- */

static void
shape_gemm (GobanOnnxOp *op)
{
  gboolean trans_a = goban_onnx_attr_int (op, "transA", 0) != 0;
  gboolean trans_b = goban_onnx_attr_int (op, "transB", 0) != 0;
  gint64 dims[2] = { goban_onnx_dim (goban_onnx_in (op, 0), trans_a ? 1 : 0),
                     goban_onnx_dim (goban_onnx_in (op, 1), trans_b ? 0 : 1) };

  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, 2);
}

static void
cost_gemm (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  gboolean trans_a = goban_onnx_attr_int (op, "transA", 0) != 0;
  gint64 inner = goban_onnx_dim (goban_onnx_in (op, 0), trans_a ? 0 : 1);
  double n_out = goban_onnx_value_elements (&op->out[0]);

  op->macs = inner >= 0 ? n_out * (double) inner : (double) NAN;
  op->flops = 2 * op->macs + (goban_onnx_in (op, 2) != NULL ? n_out : 0);
}

/* --- MatMul -------------------------------------------------------------- */

/* numpy's rules: vectors gain an axis for the product and lose it again; the axes before
 * the last two broadcast. */
static void
set_product (GobanOnnxOp *op, const GobanOnnxValue *a, const GobanOnnxValue *b, int dtype)
{
  gboolean trans_a = goban_onnx_attr_int (op, "transA", 0) != 0;
  gboolean trans_b = goban_onnx_attr_int (op, "transB", 0) != 0;
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint rank, n = 0;

  goban_onnx_set_dtype (op, 0, dtype);
  if (a == NULL || b == NULL || !a->has_rank || !b->has_rank || a->n_dims == 0 || b->n_dims == 0)
    return;

  rank = MAX (MAX (a->n_dims, b->n_dims), 2);
  for (guint behind = rank; behind > 2; behind--)
    dims[n++] = goban_onnx_broadcast_extent (behind <= a->n_dims ? a->dims[a->n_dims - behind] : 1,
                                             behind <= b->n_dims ? b->dims[b->n_dims - behind] : 1);
  if (a->n_dims > 1)
    dims[n++] = goban_onnx_dim (a, trans_a ? -1 : -2);
  if (b->n_dims > 1)
    dims[n++] = goban_onnx_dim (b, trans_b ? -2 : -1);
  goban_onnx_set (op, 0, dtype, dims, n);
}

static void
count_product (GobanOnnxOp *op, const GobanOnnxValue *a)
{
  gboolean trans_a = goban_onnx_attr_int (op, "transA", 0) != 0;
  gint64 inner = goban_onnx_dim (a, trans_a && a->n_dims > 1 ? -2 : -1);

  op->macs = inner >= 0 ? goban_onnx_value_elements (&op->out[0]) * (double) inner : (double) NAN;
  op->flops = 2 * op->macs;
}

static void
shape_matmul (GobanOnnxOp *op)
{
  set_product (op, goban_onnx_in (op, 0), goban_onnx_in (op, 1), goban_onnx_in_dtype (op, 0));
}

static void
shape_matmul_integer (GobanOnnxOp *op)
{
  set_product (op, goban_onnx_in (op, 0), goban_onnx_in (op, 1), INT32);
}

static void
shape_matmul_to_float (GobanOnnxOp *op)
{
  set_product (op, goban_onnx_in (op, 0), goban_onnx_in (op, 1), FLOAT);
}

/* a, its scale and zero point, b, its scale and zero point, the result's */
static void
shape_matmul_qlinear (GobanOnnxOp *op)
{
  set_product (op, goban_onnx_in (op, 0), goban_onnx_in (op, 3), goban_onnx_in_dtype (op, 7));
}

static void
cost_matmul (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *a = goban_onnx_in (op, 0);

  if (a != NULL)
    count_product (op, a);
}

/* --- Einsum -------------------------------------------------------------- */

/* Extents by letter; the axes of "..." broadcast under letters of their own. */
typedef struct
{
  gint64 extent[128]; /* 0: no such letter */
  char output[GOBAN_ONNX_MAX_DIMS + 1];
  guint n_output;
  gboolean failed;
} Equation;

/* The letters of the axes behind "..." are \1, \2, ... counted from the last axis, so that they
 * align for broadcasting. */
static void
take_ellipsis (Equation *eq, const gint64 *dims, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      gint64 *extent = &eq->extent[n - i];

      *extent = *extent == 0 ? dims[i] : goban_onnx_broadcast_extent (*extent, dims[i]);
    }
}

static void
take_operand (Equation *eq, const char *term, gsize length, const GobanOnnxValue *in)
{
  guint axis = 0, n_letters = 0;

  for (gsize i = 0; i < length; i++)
    n_letters += g_ascii_isalpha (term[i]);
  for (gsize i = 0; i < length; i++)
    if (term[i] == '.' && i + 2 < length && term[i + 1] == '.' && n_letters <= in->n_dims)
      {
        take_ellipsis (eq, in->dims + axis, in->n_dims - n_letters);
        axis += in->n_dims - n_letters;
        i += 2;
      }
    else if (g_ascii_isalpha (term[i]) && axis < in->n_dims)
      {
        gint64 *extent = &eq->extent[(guchar) term[i]];

        *extent
            = *extent == 0 ? in->dims[axis] : goban_onnx_broadcast_extent (*extent, in->dims[axis]);
        axis++;
      }
    else if (term[i] != ' ')
      eq->failed = TRUE;
  if (axis != in->n_dims)
    eq->failed = TRUE;
}

static void
add_output (Equation *eq, char letter)
{
  if (eq->n_output < GOBAN_ONNX_MAX_DIMS && eq->extent[(guchar) letter] != 0)
    eq->output[eq->n_output++] = letter;
  else
    eq->failed = TRUE;
}

static void
add_ellipsis (Equation *eq)
{
  for (guint i = GOBAN_ONNX_MAX_DIMS; i > 0; i--)
    if (eq->extent[i] != 0)
      add_output (eq, (char) i);
}

/* After "->", or without it: the letters that occur once, in alphabetic order. */
static void
take_output (Equation *eq, const char *inputs, const char *arrow)
{
  if (arrow == NULL)
    {
      add_ellipsis (eq);
      for (char c = 'A'; c <= 'z'; c++)
        {
          const char *first = g_ascii_isalpha (c) ? strchr (inputs, c) : NULL;

          if (first != NULL && strchr (first + 1, c) == NULL)
            add_output (eq, c);
        }
      return;
    }
  for (const char *p = arrow + 2; *p != '\0'; p++)
    if (g_str_has_prefix (p, "..."))
      {
        add_ellipsis (eq);
        p += 2;
      }
    else if (g_ascii_isalpha (*p))
      add_output (eq, *p);
    else if (*p != ' ')
      eq->failed = TRUE;
}

static void
parse_equation (const GobanOnnxOp *op, Equation *eq)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "equation");
  g_autofree char *text = NULL;
  const char *arrow, *term, *end;

  *eq = (Equation){ .failed = attr == NULL || !attr->has_s };
  if (eq->failed)
    return;
  text = g_strndup ((const char *) attr->s.data, attr->s.len);
  arrow = strstr (text, "->");
  end = arrow != NULL ? arrow : text + strlen (text);
  term = text;
  for (guint i = 0; i < op->n_in && !eq->failed; i++)
    {
      const char *comma = memchr (term, ',', (gsize) (end - term));
      const GobanOnnxValue *in = goban_onnx_in_ranked (op, i);

      if (in == NULL || (comma == NULL) != (i + 1 == op->n_in))
        eq->failed = TRUE;
      else
        take_operand (eq, term, (gsize) ((comma != NULL ? comma : end) - term), in);
      term = comma != NULL ? comma + 1 : end;
    }
  if (!eq->failed)
    take_output (eq, text, arrow);
}

static void
shape_einsum (GobanOnnxOp *op)
{
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  Equation eq;

  parse_equation (op, &eq);
  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (eq.failed)
    return;
  for (guint i = 0; i < eq.n_output; i++)
    dims[i] = eq.extent[(guchar) eq.output[i]];
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, eq.n_output);
}

/* One multiply-accumulate per combination of all letters and per operand beyond the first. */
static void
cost_einsum (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  double product = 1;
  Equation eq;

  parse_equation (op, &eq);
  for (gsize i = 0; i < G_N_ELEMENTS (eq.extent); i++)
    if (eq.extent[i] != 0)
      product *= eq.extent[i] > 0 ? (double) eq.extent[i] : (double) NAN;
  op->macs = eq.failed || op->n_in < 2 ? 0 : product * (op->n_in - 1);
  op->flops = 2 * op->macs;
}

/* --- recurrent layers ---------------------------------------------------- */

static guint
count_gates (const GobanOnnxOp *op)
{
  return g_str_equal (op->node->op_type, "LSTM")  ? 4
         : g_str_equal (op->node->op_type, "GRU") ? 3
                                                  : 1;
}

static gint64
get_hidden (const GobanOnnxOp *op)
{
  gint64 hidden = goban_onnx_attr_int (op, "hidden_size", -1);

  return hidden >= 0 ? hidden : goban_onnx_dim (goban_onnx_in (op, 2), 2);
}

static gint64
count_directions (const GobanOnnxOp *op)
{
  return goban_onnx_attr_is (op, "direction", "bidirectional") ? 2 : 1;
}

/* x: steps, batch, width, or with layout 1 batch first. Outputs: all states, the last
 * hidden state, the last cell state. */
static void
shape_recurrent (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  gboolean batch_first = goban_onnx_attr_int (op, "layout", 0) != 0;
  gint64 batch = goban_onnx_dim (x, batch_first ? 0 : 1);
  gint64 steps = goban_onnx_dim (x, batch_first ? 1 : 0);
  gint64 n_directions = count_directions (op);
  gint64 hidden = get_hidden (op);
  const gint64 by_step[4] = { steps, n_directions, batch, hidden };
  const gint64 by_batch[4] = { batch, steps, n_directions, hidden };
  const gint64 last[3] = { n_directions, batch, hidden };
  const gint64 last_by_batch[3] = { batch, n_directions, hidden };
  int dtype = goban_onnx_in_dtype (op, 0);

  goban_onnx_set (op, 0, dtype, batch_first ? by_batch : by_step, 4);
  goban_onnx_set (op, 1, dtype, batch_first ? last_by_batch : last, 3);
  goban_onnx_set (op, 2, dtype, batch_first ? last_by_batch : last, 3);
}

/* Per step and gate: the input and the state by their matrices, and eight steps an element
 * for biases, activation and state. */
static void
cost_recurrent (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  double hidden = (double) get_hidden (op);
  double rows = (double) goban_onnx_dim (x, 0) * (double) goban_onnx_dim (x, 1);
  double width = (double) goban_onnx_dim (x, 2);
  double elements = rows * (double) count_directions (op) * count_gates (op) * hidden;

  if (hidden < 0 || rows < 0 || width < 0)
    return;
  op->macs = elements * (width + hidden);
  op->flops = 2 * op->macs + 8 * elements;
}

static const GobanOnnxRule rules[] = {
  { "DynamicQuantizeMatMul", shape_matmul_to_float, .cost = cost_matmul },
  { "Einsum", shape_einsum, .cost = cost_einsum },
  { "FusedGemm", shape_gemm, .cost = cost_gemm },
  { "FusedMatMul", shape_matmul, .cost = cost_matmul },
  { "GRU", shape_recurrent, .cost = cost_recurrent },
  { "Gemm", shape_gemm, .cost = cost_gemm },
  { "LSTM", shape_recurrent, .cost = cost_recurrent },
  { "MatMul", shape_matmul, .cost = cost_matmul },
  { "MatMulInteger", shape_matmul_integer, .cost = cost_matmul },
  { "MatMulIntegerToFloat", shape_matmul_to_float, .cost = cost_matmul },
  { "QLinearMatMul", shape_matmul_qlinear, .cost = cost_matmul },
  { "RNN", shape_recurrent, .cost = cost_recurrent },
};

const GobanOnnxRules goban_onnx_rules_matrix = { rules, G_N_ELEMENTS (rules) };
