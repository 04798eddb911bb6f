#include "engine/io/torch/torch-costs.h"

#include "engine/io/onnx/onnx-stub.h"
#include "engine/io/onnx/unruled-ops.h"
#include "engine/io/torch/torch-rules.h"

#include <math.h>
#include <string.h>

/* Number of inputs that a rule reads. */
#define MAX_IN 64

void
goban_torch_costs_init (GobanTorchCosts *self)
{
  self->rules = goban_torch_rules_new ();
  self->onnx_rules = goban_onnx_rules_new ();
  self->unruled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
goban_torch_costs_clear (GobanTorchCosts *self)
{
  g_clear_pointer (&self->rules, g_hash_table_unref);
  g_clear_pointer (&self->onnx_rules, g_hash_table_unref);
  g_clear_pointer (&self->unruled, g_hash_table_unref);
}

/* "torch.ops." is followed by a namespace, the operator and mostly its overload. */
char *
goban_torch_dup_op (const char *target)
{
  static const char library[] = "torch.ops.";
  g_auto (GStrv) parts = NULL;

  if (g_str_has_prefix (target, "_operator."))
    return g_strdup (target + 1);
  if (!g_str_has_prefix (target, library))
    return g_strdup (target);
  parts = g_strsplit (target + strlen (library), ".", 3);
  if (g_strv_length (parts) < 2)
    return g_strdup (target);
  return strcmp (parts[0], "aten") == 0 || strcmp (parts[0], "higher_order") == 0
             ? g_strdup (parts[1])
             : g_strconcat (parts[0], ".", parts[1], NULL);
}

/* (nullable): in place, "relu_", is the same operator. */
static const GobanTorchRule *
find_rule (const GobanTorchCosts *self, const char *op)
{
  const GobanTorchRule *rule = g_hash_table_lookup (self->rules, op);
  gsize n = strlen (op);
  g_autofree char *plain = NULL;

  if (rule != NULL || n == 0 || op[n - 1] != '_')
    return rule;
  plain = g_strndup (op, n - 1);
  return g_hash_table_lookup (self->rules, plain);
}

static double
known_or_zero (double value)
{
  return isfinite (value) && value > 0 ? value : 0;
}

/* --- bytes ----------------------------------------------------------------------------------- */

static const GobanTorchValue *
get_input (const GobanTorchProgram *program, const GobanTorchNode *node, guint i)
{
  return goban_torch_program_value (
      program, g_array_index (program->inputs, guint32, node->first_input + i));
}

static const GobanTorchValue *
get_output (const GobanTorchProgram *program, const GobanTorchNode *node, guint i)
{
  return goban_torch_program_value (
      program, g_array_index (program->outputs, guint32, node->first_output + i));
}

/* Every tensor once, however often it is read; of very many only the first are compared. */
static double
sum_inputs (const GobanTorchProgram *program, const GobanTorchNode *node, double *largest)
{
  double sum = 0;

  *largest = 0;
  for (guint i = 0; i < node->n_inputs; i++)
    {
      const GobanTorchValue *value = get_input (program, node, i);
      gboolean is_new = value != NULL;
      double bytes;

      for (guint j = 0; is_new && j < MIN (i, MAX_IN); j++)
        is_new = get_input (program, node, j) != value;
      if (!is_new)
        continue;
      bytes = known_or_zero (goban_onnx_value_bytes (&value->value));
      sum += bytes;
      *largest = MAX (*largest, bytes);
    }
  return sum;
}

static void
count_bytes (const GobanTorchProgram *program, const GobanTorchNode *node, GobanOnnxTouch touch,
             GobanNode *to)
{
  double largest, written = 0;
  double read = sum_inputs (program, node, &largest);

  if (touch == GOBAN_ONNX_TOUCH_NONE)
    return;
  for (guint i = 0; i < node->n_outputs; i++)
    written += known_or_zero (goban_onnx_value_bytes (&get_output (program, node, i)->value));
  to->written_bytes = written;
  to->read_bytes = touch == GOBAN_ONNX_TOUCH_OUTPUT ? written + read - largest : read;
}

/* --- FLOPs ----------------------------------------------------------------------------------- */

/* The window of a pool: one number stands for all directions. */
static void
add_window (GobanOnnxStub *stub, const GobanTorchNode *node, const GobanOnnxValue *x)
{
  GobanJsonValue argument = goban_torch_node_argument (node, "kernel_size");
  gint64 window[GOBAN_ONNX_MAX_DIMS];
  gint64 last = 1;
  double number;
  guint n = x != NULL && x->has_rank && x->n_dims > 2 ? x->n_dims - 2 : 0;

  for (guint i = 0; i < n; i++)
    {
      GobanJsonValue given = goban_json_get_element (argument, "as_ints", i);

      if (goban_json_is_number (goban_json_is_missing (given) ? goban_json_find (argument, "as_int")
                                                              : given,
                                &number))
        last = MAX (goban_onnx_extent (number), 1);
      window[i] = last;
    }
  if (n > 0)
    goban_onnx_stub_add_ints (stub, "kernel_shape", window, n);
}

static gboolean
is_transposed (const GobanTorchNode *node)
{
  gboolean is = FALSE;

  return goban_json_get_boolean (goban_torch_node_argument (node, "transposed"), "as_bool", &is,
                                 NULL /* another type is no transposition */)
         && is;
}

static const char *
get_onnx (const GobanTorchNode *node, const GobanTorchRule *rule)
{
  return rule->kind == GOBAN_TORCH_CONV && is_transposed (node) ? "ConvTranspose" : rule->onnx;
}

/* The ONNX operator that costs as much. */
static void
count_onnx (const GobanTorchCosts *self, const GobanTorchProgram *program,
            const GobanTorchNode *node, const GobanTorchRule *rule, GobanNode *to)
{
  const char *name = get_onnx (node, rule);
  const GobanOnnxRule *onnx = g_hash_table_lookup (self->onnx_rules, name);
  guint skipped = rule->kind == GOBAN_TORCH_SHIFT && node->n_inputs > 0;
  const GobanOnnxValue *in[MAX_IN] = { NULL };
  GobanOnnxValue out
      = node->n_outputs > 0 ? get_output (program, node, 0)->value : (GobanOnnxValue){ 0 };
  GobanOnnxStub stub = { 0 };
  GobanOnnxOp op = { .node = &stub.node, .opset = 13, .in = in, .n_out = 1, .out = &out };
  gboolean is_added = skipped > 0
                      || (rule->kind == GOBAN_TORCH_LINEAR && node->n_inputs > 2
                          && get_input (program, node, 2) != NULL);

  g_assert (onnx != NULL);
  op.n_in = MIN (node->n_inputs - skipped, MAX_IN);
  for (guint i = 0; i < op.n_in; i++)
    in[i] = get_input (program, node, i + skipped) != NULL
                ? &get_input (program, node, i + skipped)->value
                : NULL;
  goban_onnx_stub_init (&stub, name);
  if (rule->kind == GOBAN_TORCH_POOL)
    add_window (&stub, node, in[0]);
  if (onnx->cost != NULL)
    onnx->cost (&op, onnx);
  else
    op.flops = onnx->steps * goban_onnx_value_elements (&out);
  to->macs = known_or_zero (op.macs);
  to->flops = known_or_zero (op.flops + (is_added ? goban_onnx_value_elements (&out) : 0));
  count_bytes (program, node, onnx->touch, to);
}

static void
count_steps (const GobanTorchProgram *program, const GobanTorchNode *node,
             const GobanTorchRule *rule, GobanNode *to)
{
  const GobanTorchValue *of = NULL;

  if (rule->kind == GOBAN_TORCH_INPUT && node->n_inputs > 0)
    of = get_input (program, node, 0);
  else if (rule->kind == GOBAN_TORCH_OUTPUT && node->n_outputs > 0)
    of = get_output (program, node, 0);
  if (of != NULL)
    to->flops = known_or_zero (rule->steps * goban_onnx_value_elements (&of->value));
  count_bytes (program, node,
               rule->kind == GOBAN_TORCH_VIEW ? GOBAN_ONNX_TOUCH_NONE : GOBAN_ONNX_TOUCH_ALL, to);
}

/* Numbers for open sizes are computed on the host, in no time. */
static gboolean
is_of_sizes (const GobanTorchProgram *program, const GobanTorchNode *node)
{
  for (guint i = 0; i < node->n_outputs; i++)
    if (!goban_json_is_missing (get_output (program, node, i)->meta))
      return FALSE;
  return TRUE;
}

void
goban_torch_costs_count (GobanTorchCosts *self, const GobanTorchProgram *program,
                         const GobanTorchNode *node, GobanNode *to)
{
  g_autofree char *op = goban_torch_dup_op (node->target);
  const GobanTorchRule *rule = find_rule (self, op);
  gpointer n_before;

  if (node->n_outputs > 0 && is_of_sizes (program, node))
    return;
  if (rule != NULL && rule->onnx != NULL)
    count_onnx (self, program, node, rule, to);
  else if (rule != NULL)
    count_steps (program, node, rule, to);
  else
    {
      count_bytes (program, node, GOBAN_ONNX_TOUCH_ALL, to);
      if (node->has_body)
        return;
      n_before = g_hash_table_lookup (self->unruled, op);
      g_hash_table_insert (self->unruled, g_steal_pointer (&op),
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (n_before) + 1));
    }
}

/* --- messages -------------------------------------------------------------------------------- */

void
goban_torch_costs_warn (const GobanTorchCosts *self, GobanGraphBuilder *builder)
{
  goban_unruled_ops_warn (self->unruled, builder);
}
