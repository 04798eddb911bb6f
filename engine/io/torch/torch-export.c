/* torch-export.c: reader of exported programs of PyTorch (torch.export, .pt2).
 *
 * A .pt2 file is a zip archive. Its program is the member `models/NAME.json` or, of versions before
 * 2.8, `serialized_exported_program.json`, which is read alone, too. A node of the program is one
 * of the graph, named by its module and its first output. Inputs are no nodes. Parameters, buffers
 * and constants belong to the first node that reads them, as in ONNX models.
 */
#include "engine/io/torch/torch-export.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-stub.h"
#include "engine/io/packed.h"
#include "engine/io/text.h"
#include "engine/io/torch/torch-program.h"

/* --- rules ---------------------------------------------------------------- */

typedef enum
{
  GOBAN_TORCH_ALIKE,  /* the ONNX operator `onnx` has the same inputs */
  GOBAN_TORCH_SHIFT,  /* its inputs begin at the second, and the first is added */
  GOBAN_TORCH_LINEAR, /* a matrix product; a third input is added */
  GOBAN_TORCH_CONV,   /* with the argument `transposed` that of a ConvTranspose */
  GOBAN_TORCH_POOL,   /* the window is the argument `kernel_size` */
  GOBAN_TORCH_OUTPUT, /* `steps` an element of the output */
  GOBAN_TORCH_INPUT,  /* `steps` an element of the input */
  GOBAN_TORCH_VIEW,   /* no work, and no bytes move */
} GobanTorchKind;

typedef struct
{
  const char *op; /* "conv2d": without namespace and overload, and without the "_" of in place */
  GobanTorchKind kind;
  const char *onnx; /* (nullable) */
  double steps;
} GobanTorchRule;

#define AS(torch, what, name)                                                                      \
  {                                                                                                \
    .op = torch, .kind = GOBAN_TORCH_##what, .onnx = name                                          \
  }
#define STEPS(torch, what, n)                                                                      \
  {                                                                                                \
    .op = torch, .kind = GOBAN_TORCH_##what, .steps = n                                            \
  }
#define VIEW(torch)                                                                                \
  {                                                                                                \
    .op = torch, .kind = GOBAN_TORCH_VIEW                                                          \
  }

/* Slices, transposed tensors and the like are views of the same memory in PyTorch; dropout does
 * nothing at inference. */
static const GobanTorchRule torch_rules[] = {
  STEPS ("_adaptive_avg_pool2d", INPUT, 1),
  VIEW ("_assert_async"),
  VIEW ("_assert_scalar"),
  VIEW ("_assert_tensor_metadata"),
  AS ("_convolution", CONV, "Conv"),
  AS ("_fused_rms_norm", ALIKE, "RMSNormalization"),
  VIEW ("_local_scalar_dense"),
  AS ("_log_softmax", ALIKE, "LogSoftmax"),
  AS ("_native_batch_norm_legit", ALIKE, "BatchNormalization"),
  AS ("_native_batch_norm_legit_functional", ALIKE, "BatchNormalization"),
  AS ("_native_batch_norm_legit_no_training", ALIKE, "BatchNormalization"),
  AS ("_prelu_kernel", ALIKE, "PRelu"),
  VIEW ("_reshape_alias"),
  AS ("_safe_softmax", ALIKE, "Softmax"),
  AS ("_scaled_dot_product_efficient_attention", ALIKE, "MultiHeadAttention"),
  AS ("_scaled_dot_product_flash_attention", ALIKE, "MultiHeadAttention"),
  AS ("_scaled_dot_product_flash_attention_for_cpu", ALIKE, "MultiHeadAttention"),
  AS ("_softmax", ALIKE, "Softmax"),
  AS ("_to_copy", ALIKE, "Cast"),
  VIEW ("_unsafe_view"),
  STEPS ("_upsample_bilinear2d_aa", OUTPUT, 7),
  AS ("abs", ALIKE, "Abs"),
  AS ("acos", ALIKE, "Acos"),
  STEPS ("adaptive_avg_pool1d", INPUT, 1),
  STEPS ("adaptive_avg_pool2d", INPUT, 1),
  STEPS ("adaptive_avg_pool3d", INPUT, 1),
  STEPS ("adaptive_max_pool2d", INPUT, 1),
  AS ("add", ALIKE, "Add"),
  AS ("addbmm", SHIFT, "MatMul"),
  STEPS ("addcdiv", OUTPUT, 2),
  STEPS ("addcmul", OUTPUT, 2),
  AS ("addmm", SHIFT, "MatMul"),
  VIEW ("alias"),
  AS ("all", ALIKE, "ReduceMin"),
  AS ("amax", ALIKE, "ReduceMax"),
  AS ("amin", ALIKE, "ReduceMin"),
  AS ("any", ALIKE, "ReduceMax"),
  STEPS ("arange", OUTPUT, 0),
  AS ("argmax", ALIKE, "ArgMax"),
  AS ("argmin", ALIKE, "ArgMin"),
  VIEW ("as_strided"),
  AS ("asin", ALIKE, "Asin"),
  AS ("atan", ALIKE, "Atan"),
  AS ("avg_pool1d", POOL, "AveragePool"),
  AS ("avg_pool2d", POOL, "AveragePool"),
  AS ("avg_pool3d", POOL, "AveragePool"),
  AS ("baddbmm", SHIFT, "MatMul"),
  AS ("batch_norm", ALIKE, "BatchNormalization"),
  AS ("bitwise_and", ALIKE, "And"),
  AS ("bitwise_not", ALIKE, "Not"),
  AS ("bitwise_or", ALIKE, "Or"),
  STEPS ("bitwise_xor", OUTPUT, 1),
  AS ("bmm", ALIKE, "MatMul"),
  AS ("cat", ALIKE, "Concat"),
  AS ("ceil", ALIKE, "Ceil"),
  AS ("celu", ALIKE, "Celu"),
  STEPS ("channel_shuffle", OUTPUT, 0),
  VIEW ("chunk"),
  AS ("clamp", ALIKE, "Clip"),
  STEPS ("clamp_max", OUTPUT, 1),
  STEPS ("clamp_min", OUTPUT, 1),
  STEPS ("clone", OUTPUT, 0),
  STEPS ("constant_pad_nd", OUTPUT, 0),
  STEPS ("contiguous", OUTPUT, 0),
  AS ("conv1d", CONV, "Conv"),
  AS ("conv2d", CONV, "Conv"),
  AS ("conv3d", CONV, "Conv"),
  AS ("conv_transpose1d", CONV, "ConvTranspose"),
  AS ("conv_transpose2d", CONV, "ConvTranspose"),
  AS ("conv_transpose3d", CONV, "ConvTranspose"),
  AS ("convolution", CONV, "Conv"),
  STEPS ("copy", OUTPUT, 0),
  AS ("cos", ALIKE, "Cos"),
  AS ("cosh", ALIKE, "Cosh"),
  STEPS ("cross_entropy_loss", INPUT, 8),
  AS ("cudnn_batch_norm", ALIKE, "BatchNormalization"),
  AS ("cudnn_convolution", CONV, "Conv"),
  STEPS ("cumprod", INPUT, 1),
  AS ("cumsum", ALIKE, "CumSum"),
  VIEW ("detach"),
  VIEW ("detach_copy"),
  VIEW ("diagonal"),
  AS ("div", ALIKE, "Div"),
  AS ("divide", ALIKE, "Div"),
  AS ("dot", ALIKE, "MatMul"),
  VIEW ("dropout"),
  AS ("elu", ALIKE, "Elu"),
  AS ("embedding", ALIKE, "Gather"),
  STEPS ("empty", OUTPUT, 0),
  STEPS ("empty_like", OUTPUT, 0),
  AS ("eq", ALIKE, "Equal"),
  AS ("erf", ALIKE, "Erf"),
  AS ("exp", ALIKE, "Exp"),
  STEPS ("exp2", OUTPUT, 1),
  VIEW ("expand"),
  VIEW ("expand_as"),
  STEPS ("expand_copy", OUTPUT, 0),
  STEPS ("expm1", OUTPUT, 2),
  STEPS ("eye", OUTPUT, 0),
  VIEW ("feature_dropout"),
  STEPS ("fill", OUTPUT, 0),
  VIEW ("flatten"),
  STEPS ("flip", OUTPUT, 0),
  AS ("floor", ALIKE, "Floor"),
  AS ("floor_divide", ALIKE, "Div"),
  STEPS ("fmod", OUTPUT, 2),
  STEPS ("full", OUTPUT, 0),
  STEPS ("full_like", OUTPUT, 0),
  AS ("gather", ALIKE, "GatherElements"),
  AS ("ge", ALIKE, "GreaterOrEqual"),
  AS ("gelu", ALIKE, "Gelu"),
  STEPS ("glu", OUTPUT, 5),
  AS ("grid_sampler_2d", ALIKE, "GridSample"),
  AS ("group_norm", ALIKE, "GroupNormalization"),
  AS ("gt", ALIKE, "Greater"),
  AS ("hardsigmoid", ALIKE, "HardSigmoid"),
  AS ("hardswish", ALIKE, "HardSwish"),
  AS ("hardtanh", ALIKE, "Clip"),
  VIEW ("imag"),
  AS ("index", ALIKE, "Gather"),
  STEPS ("index_add", OUTPUT, 1),
  STEPS ("index_put", OUTPUT, 0),
  AS ("index_select", ALIKE, "Gather"),
  AS ("instance_norm", ALIKE, "InstanceNormalization"),
  STEPS ("isinf", OUTPUT, 1),
  STEPS ("isnan", OUTPUT, 1),
  VIEW ("item"),
  AS ("layer_norm", ALIKE, "LayerNormalization"),
  AS ("le", ALIKE, "LessOrEqual"),
  AS ("leaky_relu", ALIKE, "LeakyRelu"),
  STEPS ("lerp", OUTPUT, 3),
  VIEW ("lift_fresh"),
  VIEW ("lift_fresh_copy"),
  AS ("linalg_vector_norm", ALIKE, "ReduceL2"),
  AS ("linear", LINEAR, "MatMul"),
  AS ("log", ALIKE, "Log"),
  STEPS ("log10", OUTPUT, 1),
  STEPS ("log1p", OUTPUT, 2),
  STEPS ("log2", OUTPUT, 1),
  AS ("log_softmax", ALIKE, "LogSoftmax"),
  AS ("logical_and", ALIKE, "And"),
  AS ("logical_not", ALIKE, "Not"),
  AS ("logical_or", ALIKE, "Or"),
  STEPS ("logical_xor", OUTPUT, 1),
  AS ("logsumexp", ALIKE, "ReduceLogSumExp"),
  AS ("lt", ALIKE, "Less"),
  AS ("masked_fill", ALIKE, "Where"),
  STEPS ("masked_select", OUTPUT, 0),
  AS ("matmul", ALIKE, "MatMul"),
  AS ("max", ALIKE, "ReduceMax"),
  AS ("max_pool1d", POOL, "MaxPool"),
  AS ("max_pool2d", POOL, "MaxPool"),
  AS ("max_pool2d_with_indices", POOL, "MaxPool"),
  AS ("max_pool3d", POOL, "MaxPool"),
  AS ("max_pool3d_with_indices", POOL, "MaxPool"),
  AS ("maximum", ALIKE, "Max"),
  AS ("mean", ALIKE, "ReduceMean"),
  AS ("min", ALIKE, "ReduceMin"),
  AS ("minimum", ALIKE, "Min"),
  AS ("mish", ALIKE, "Mish"),
  AS ("mkldnn_convolution", CONV, "Conv"),
  AS ("mm", ALIKE, "MatMul"),
  VIEW ("movedim"),
  STEPS ("mse_loss", INPUT, 3),
  AS ("mul", ALIKE, "Mul"),
  AS ("multiply", ALIKE, "Mul"),
  AS ("mv", ALIKE, "MatMul"),
  VIEW ("narrow"),
  AS ("native_batch_norm", ALIKE, "BatchNormalization"),
  VIEW ("native_dropout"),
  AS ("native_group_norm", ALIKE, "GroupNormalization"),
  AS ("native_layer_norm", ALIKE, "LayerNormalization"),
  AS ("ne", ALIKE, "Equal"),
  AS ("neg", ALIKE, "Neg"),
  STEPS ("new_empty", OUTPUT, 0),
  STEPS ("new_full", OUTPUT, 0),
  STEPS ("new_ones", OUTPUT, 0),
  STEPS ("new_zeros", OUTPUT, 0),
  STEPS ("nll_loss_forward", INPUT, 1),
  STEPS ("nll_loss_nd", INPUT, 1),
  STEPS ("norm", INPUT, 2),
  VIEW ("numel"),
  VIEW ("numpy_T"),
  STEPS ("one_hot", OUTPUT, 0),
  STEPS ("ones", OUTPUT, 0),
  STEPS ("ones_like", OUTPUT, 0),
  STEPS ("pad", OUTPUT, 0),
  VIEW ("permute"),
  STEPS ("permute_copy", OUTPUT, 0),
  STEPS ("pixel_shuffle", OUTPUT, 0),
  AS ("pow", ALIKE, "Pow"),
  AS ("prelu", ALIKE, "PRelu"),
  AS ("prod", ALIKE, "ReduceProd"),
  STEPS ("rand", OUTPUT, 0),
  STEPS ("rand_like", OUTPUT, 0),
  STEPS ("randn", OUTPUT, 0),
  STEPS ("randn_like", OUTPUT, 0),
  VIEW ("ravel"),
  VIEW ("real"),
  AS ("reciprocal", ALIKE, "Reciprocal"),
  AS ("relu", ALIKE, "Relu"),
  STEPS ("relu6", OUTPUT, 2),
  AS ("remainder", ALIKE, "Mod"),
  STEPS ("repeat", OUTPUT, 0),
  STEPS ("repeat_interleave", OUTPUT, 0),
  VIEW ("reshape"),
  AS ("rms_norm", ALIKE, "RMSNormalization"),
  STEPS ("roll", OUTPUT, 0),
  AS ("round", ALIKE, "Round"),
  STEPS ("rsqrt", OUTPUT, 2),
  AS ("rsub", ALIKE, "Sub"),
  STEPS ("scalar_tensor", OUTPUT, 0),
  AS ("scaled_dot_product_attention", ALIKE, "MultiHeadAttention"),
  STEPS ("scatter", OUTPUT, 0),
  STEPS ("scatter_add", OUTPUT, 1),
  VIEW ("select"),
  STEPS ("select_scatter", OUTPUT, 0),
  AS ("selu", ALIKE, "Selu"),
  AS ("sigmoid", ALIKE, "Sigmoid"),
  AS ("sign", ALIKE, "Sign"),
  AS ("silu", ALIKE, "Swish"),
  AS ("sin", ALIKE, "Sin"),
  AS ("sinh", ALIKE, "Sinh"),
  VIEW ("size"),
  VIEW ("slice"),
  STEPS ("slice_scatter", OUTPUT, 0),
  AS ("softmax", ALIKE, "Softmax"),
  AS ("softplus", ALIKE, "Softplus"),
  STEPS ("softsign", OUTPUT, 3),
  STEPS ("sort", INPUT, 1),
  VIEW ("split"),
  VIEW ("split_with_sizes"),
  AS ("sqrt", ALIKE, "Sqrt"),
  STEPS ("square", OUTPUT, 1),
  VIEW ("squeeze"),
  AS ("stack", ALIKE, "Concat"),
  STEPS ("std", INPUT, 5),
  AS ("sub", ALIKE, "Sub"),
  AS ("subtract", ALIKE, "Sub"),
  AS ("sum", ALIKE, "ReduceSum"),
  VIEW ("swapaxes"),
  VIEW ("sym_constrain_range"),
  VIEW ("sym_constrain_range_for_size"),
  VIEW ("sym_numel"),
  VIEW ("sym_size"),
  VIEW ("sym_stride"),
  VIEW ("t"),
  AS ("tan", ALIKE, "Tan"),
  AS ("tanh", ALIKE, "Tanh"),
  STEPS ("threshold", OUTPUT, 1),
  STEPS ("tile", OUTPUT, 0),
  AS ("to", ALIKE, "Cast"),
  AS ("topk", ALIKE, "TopK"),
  VIEW ("transpose"),
  STEPS ("transpose_copy", OUTPUT, 0),
  STEPS ("tril", OUTPUT, 0),
  STEPS ("triu", OUTPUT, 0),
  VIEW ("type_as"),
  VIEW ("unbind"),
  VIEW ("unflatten"),
  VIEW ("unfold"),
  STEPS ("unfold_copy", OUTPUT, 0),
  VIEW ("unsqueeze"),
  STEPS ("upsample_bilinear2d", OUTPUT, 7),
  STEPS ("upsample_nearest1d", OUTPUT, 0),
  STEPS ("upsample_nearest2d", OUTPUT, 0),
  STEPS ("upsample_nearest2d_vec", OUTPUT, 0),
  STEPS ("var", INPUT, 4),
  STEPS ("var_mean", INPUT, 4),
  VIEW ("view"),
  VIEW ("view_as"),
  VIEW ("view_as_complex"),
  VIEW ("view_as_real"),
  STEPS ("view_copy", OUTPUT, 0),
  AS ("where", ALIKE, "Where"),
  STEPS ("zeros", OUTPUT, 0),
  STEPS ("zeros_like", OUTPUT, 0),
};

/* --- costs ---------------------------------------------------------------- */

typedef struct
{
  GHashTable *rules;      /* of PyTorch's operators */
  GHashTable *onnx_rules; /* of ONNX's */
  GHashTable *unruled;    /* op to number of nodes */
} GobanTorchCosts;

/* Number of inputs that a rule reads. */
#define MAX_IN 64

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

/* The ONNX operator that costs as much. */
static void
count_onnx (const GobanTorchCosts *self, const GobanTorchProgram *program,
            const GobanTorchNode *node, const GobanTorchRule *rule, GobanNode *to)
{
  const char *name
      = rule->kind == GOBAN_TORCH_CONV && is_transposed (node) ? "ConvTranspose" : rule->onnx;
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

/* Fills flops, macs, read_bytes and written_bytes of @to. */
static void
count_costs (const GobanTorchCosts *self, const GobanTorchProgram *program,
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

/* Its tokens take some four times as much. */
#define MOST_PROGRAM_BYTES ((gsize) 128 << 20)
#define SNIFFED_BYTES 65536
#define OLD_PROGRAM "serialized_exported_program.json"

/* --- the archive ----------------------------------------------------------------------------- */

/* "models/x.json", in the archive's own folder, which may be called "models", too. */
static gboolean
is_program (const char *name)
{
  const char *last = strrchr (name, '/');
  g_autofree char *folder = last != NULL ? g_strndup (name, (gsize) (last - name)) : NULL;

  if (g_str_has_suffix (name, OLD_PROGRAM))
    return TRUE;
  return folder != NULL && g_str_has_suffix (name, ".json")
         && (strcmp (folder, "models") == 0 || g_str_has_suffix (folder, "/models"));
}

/* The first program; the number of them in @n. */
static guint
find_program (const GobanZip *zip, guint *n)
{
  guint found = 0;

  *n = 0;
  for (guint i = 0; i < goban_zip_get_n_members (zip); i++)
    if (is_program (goban_zip_get_name (zip, i)) && (*n)++ == 0)
      found = i;
  return found;
}

static int
sniff (const char *head, gsize size, const char *path)
{
  gsize n = MIN (size, SNIFFED_BYTES);
  gsize start = 0;
  guint n_programs;

  if (goban_zip_is (head, size))
    {
      g_autoptr (GobanZip) zip = goban_zip_open (head, size, path, NULL /* then it is none */);

      if (zip == NULL)
        return g_str_has_suffix (path, ".pt2") ? 30 : 0;
      find_program (zip, &n_programs);
      return n_programs > 0 ? 95 : 0;
    }
  while (start < n && g_ascii_isspace (head[start]))
    start++;
  return start < n && head[start] == '{' && g_strstr_len (head, n, "\"graph_module\"") != NULL ? 90
                                                                                               : 0;
}

/* --- building -------------------------------------------------------------------------------- */

static double
get_bytes (const GobanTorchValue *value)
{
  double bytes = goban_onnx_value_bytes (&value->value);

  return isnan (bytes) ? 0 : bytes;
}

/* Nodes and their outputs; the tensors of values are in @tensors. */
static void
add_nodes (GobanGraphBuilder *builder, const GobanTorchProgram *program, guint32 *tensors)
{
  g_autoptr (GHashTable) rules = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) onnx_rules = goban_onnx_rules_new ();
  g_autoptr (GHashTable) unruled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const GobanTorchCosts costs = { rules, onnx_rules, unruled };

  for (gsize i = 0; i < G_N_ELEMENTS (torch_rules); i++)
    g_hash_table_insert (rules, (gpointer) torch_rules[i].op, (gpointer) &torch_rules[i]);
  for (guint i = 0; i < program->nodes->len; i++)
    {
      const GobanTorchNode *from = &g_array_index (program->nodes, GobanTorchNode, i);
      g_autofree char *name = goban_torch_program_dup_name (program, from);
      g_autofree char *op = goban_torch_dup_op (from->target);
      guint32 id = goban_graph_builder_add_node (builder, name, op);
      GobanNode *node = goban_graph_builder_get_node (builder, id);

      count_costs (&costs, program, from, node);
      node->size_source = GOBAN_SOURCE_GIVEN;
      for (guint j = 0; j < from->n_outputs; j++)
        {
          guint32 value = g_array_index (program->outputs, guint32, from->first_output + j);
          const GobanTorchValue *out = goban_torch_program_value (program, value);

          tensors[value] = goban_graph_builder_add_tensor (builder, id, get_bytes (out));
          if (out->value.has_rank)
            goban_graph_builder_set_tensor_shape (builder, tensors[value],
                                                  goban_onnx_dtype_name (out->value.dtype),
                                                  out->value.dims, out->value.n_dims);
        }
    }
  goban_unruled_ops_warn (unruled, builder);
}

static void
own (GobanNode *node, const GobanTorchValue *value)
{
  if (!goban_onnx_dtype_is_weight (value->value.dtype)
      || isnan (goban_onnx_value_bytes (&value->value)))
    return;
  node->param_count += goban_onnx_value_elements (&value->value);
  node->param_bytes += goban_onnx_value_bytes (&value->value);
}

/* Edges, and parameters for the first node that reads them. Builder and program number nodes
 * alike. */
static void
add_inputs (GobanGraphBuilder *builder, const GobanTorchProgram *program, const guint32 *tensors)
{
  g_autofree guint8 *is_owned = g_new0 (guint8, program->values->len + 1);

  for (guint i = 0; i < program->nodes->len; i++)
    {
      const GobanTorchNode *node = &g_array_index (program->nodes, GobanTorchNode, i);

      for (guint j = 0; j < node->n_inputs; j++)
        {
          guint32 input = g_array_index (program->inputs, guint32, node->first_input + j);
          const GobanTorchValue *value = goban_torch_program_value (program, input);

          if (value == NULL)
            continue;
          if (value->producer != GOBAN_TORCH_NONE)
            goban_graph_builder_add_edge (builder, tensors[input], i);
          else if (value->is_constant && !is_owned[input])
            {
              is_owned[input] = TRUE;
              own (goban_graph_builder_get_node (builder, i), value);
            }
        }
    }
}

static void
warn_bodies (GobanGraphBuilder *builder, const GobanTorchProgram *program)
{
  const char *first = NULL;
  guint n = 0;

  for (guint i = 0; i < program->nodes->len; i++)
    if (g_array_index (program->nodes, GobanTorchNode, i).has_body && n++ == 0)
      first = goban_graph_builder_get_node (builder, i)->name;
  if (n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s a body that is not expanded, the first is \"%s\": the work "
                              "inside is not counted",
                              n, n == 1 ? "node has" : "nodes have", first);
}

/* --- numbers that are none -------------------------------------------------------------------- */

/* PyTorch before 2.6 writes such numbers as Python's json does, which is not JSON. */
static const char *const words[] = { "-Infinity", "Infinity", "NaN" };

static gsize
find_word_at (const char *p, const char *end)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if ((gsize) (end - p) >= n && memcmp (p, words[i], n) == 0)
        return n;
    }
  return 0;
}

/* (nullable) (transfer full): a copy with null for each of them, or "0" if that is longer, filled
 * up with blanks, so that messages keep their columns; NULL: there are none. */
static char *
dup_without_infinities (const char *data, gsize size)
{
  gboolean is_string = FALSE;
  char *copy = NULL;

  if (size == 0
      || (memmem (data, size, "Infinity", 8) == NULL && memmem (data, size, "NaN", 3) == NULL))
    return NULL;
  for (gsize i = 0, n; i < size; i += MAX (n, 1))
    {
      n = is_string ? 0 : find_word_at (data + i, data + size);
      if (data[i] == '"')
        is_string = !is_string;
      else if (is_string && data[i] == '\\')
        n = 2;
      else if (n > 0)
        {
          copy = copy != NULL ? copy : g_memdup2 (data, size);
          memset (copy + i, ' ', n);
          memcpy (copy + i, n > 3 ? "null" : "0", n > 3 ? 4 : 1);
        }
    }
  return copy;
}

/* --- the reader ------------------------------------------------------------------------------ */

static GobanGraph *
read_json (const char *data, gsize size, const char *place, GobanGraphBuilder *builder,
           const GobanReadOptions *options, GError **error)
{
  g_autofree char *plain = NULL; /* outlives the reader, which borrows it */
  g_autoptr (GobanJsonReader) json = NULL;
  GobanTorchProgram program;
  gboolean ok;

  if (size > MOST_PROGRAM_BYTES)
    {
      goban_packed_refuse_size (place, MOST_PROGRAM_BYTES, error);
      return NULL;
    }
  plain = dup_without_infinities (data, size);
  json = goban_json_reader_new (plain != NULL ? plain : data, (gssize) size, place, error);
  if (json == NULL)
    return NULL;
  ok = goban_torch_program_init (&program, goban_json_reader_get_root (json), options, builder,
                                 error);
  if (ok)
    {
      g_autofree guint32 *tensors = g_new (guint32, program.values->len + 1);

      add_nodes (builder, &program, tensors);
      add_inputs (builder, &program, tensors);
      warn_bodies (builder, &program);
    }
  goban_torch_program_clear (&program);
  return ok ? goban_text_file_finish_graph (builder, place, error) : NULL;
}

static GobanGraph *
read_archive (const char *data, gsize size, const char *path, GobanGraphBuilder *builder,
              const GobanReadOptions *options, GError **error)
{
  g_autoptr (GobanZip) zip = goban_zip_open (data, size, path, error);
  g_autofree char *place = NULL;
  g_autoptr (GBytes) text = NULL;
  guint program, n;

  if (zip == NULL)
    return NULL;
  program = find_program (zip, &n);
  if (n == 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE,
                    "%s: the archive has no exported program: neither models/NAME.json nor %s",
                    path, OLD_PROGRAM);
      return NULL;
    }
  place = g_strconcat (path, "/", goban_zip_get_name (zip, program), NULL);
  if (n > 1)
    goban_graph_builder_warn (builder, "the file holds %u programs; the first is read: %s", n,
                              goban_zip_get_name (zip, program));
  text = goban_zip_unpack (zip, program, MOST_PROGRAM_BYTES,
                           options != NULL ? options->progress : NULL, error);
  if (text == NULL)
    return NULL;
  data = g_bytes_get_data (text, &size);
  return read_json (data, size, place, builder, options, error);
}

static GobanGraph *
read_torch_export (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                   GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "torch-export");

  if (options != NULL && !goban_onnx_check_batch (options->batch, path, error))
    return NULL;
  return goban_zip_is (data, size) ? read_archive (data, size, path, builder, options, error)
                                   : read_json (data, size, path, builder, options, error);
}

const GobanFormat goban_format_torch_export = {
  .name = "torch-export",
  .extensions = ".pt2",
  .blurb = "exported programs of PyTorch (torch.export)",
  .sniff = sniff,
  .read = read_torch_export,
};
