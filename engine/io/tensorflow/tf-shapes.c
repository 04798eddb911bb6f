#include "engine/io/tensorflow/tf-shapes.h"

#include <math.h>
#include <string.h>

#include "engine/core/find-word.h"
#include "engine/io/onnx/onnx-stub.h"

/* --- rules ---------------------------------------------------------------- */

typedef enum
{
  GOBAN_TF_PLAIN,       /* inputs and outputs are those of the ONNX operator */
  GOBAN_TF_SAME,        /* the output is like input `like`, `steps` an element */
  GOBAN_TF_INPUT,       /* shapes as the file says, `steps` an element of input `like` */
  GOBAN_TF_CONV,        /* channels last, weights in height, width, in, out */
  GOBAN_TF_DEPTHWISE,   /* weights in height, width, channel, multiplier */
  GOBAN_TF_GRAD_INPUT,  /* of a convolution: sizes, weights, gradient */
  GOBAN_TF_GRAD_WEIGHT, /* of a convolution: input, sizes, gradient */
  GOBAN_TF_POOL,
  GOBAN_TF_POOL_GRAD, /* costs of the pool over the last input */
  GOBAN_TF_MATMUL,
  GOBAN_TF_CONCAT,  /* the axis is the last input */
  GOBAN_TF_NOTHING, /* no work and no shape to find */
} GobanTfKind;

typedef struct
{
  const char *op;
  GobanTfKind kind;
  const char *onnx; /* (nullable) */
  guint like;
  double steps;
} GobanTfRule;

#define PLAIN(tf, name)                                                                            \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_PLAIN, .onnx = name                                                 \
  }
#define SAME(tf, in, n)                                                                            \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_SAME, .like = in, .steps = n                                        \
  }
#define INPUT(tf, in, n)                                                                           \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_INPUT, .like = in, .steps = n                                       \
  }
#define AS(tf, what, name)                                                                         \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_##what, .onnx = name                                                \
  }
#define NOTHING(tf)                                                                                \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_NOTHING                                                             \
  }

static const GobanTfRule tf_rules[] = {
  PLAIN ("Abs", "Abs"),
  PLAIN ("Add", "Add"),
  PLAIN ("AddV2", "Add"),
  PLAIN ("AddN", "Sum"),
  SAME ("ApplyAdagrad", 0, 6),
  SAME ("ApplyAdam", 0, 12), /* two moments, their correction, a root, a quotient, the step */
  SAME ("ApplyGradientDescent", 0, 2),
  SAME ("ApplyMomentum", 0, 4),
  SAME ("ApplyRMSProp", 0, 9),
  INPUT ("ArgMax", 0, 1),
  INPUT ("ArgMin", 0, 1),
  SAME ("Assign", 1, 0),
  SAME ("AssignAdd", 0, 1),
  INPUT ("AssignAddVariableOp", 1, 1),
  SAME ("AssignSub", 0, 1),
  INPUT ("AssignVariableOp", 1, 0),
  AS ("AvgPool", POOL, "AveragePool"),
  AS ("AvgPool3D", POOL, "AveragePool"),
  AS ("AvgPoolGrad", POOL_GRAD, "AveragePool"),
  AS ("BatchMatMul", MATMUL, "MatMul"),
  AS ("BatchMatMulV2", MATMUL, "MatMul"),
  SAME ("BiasAdd", 0, 1),
  INPUT ("BiasAddGrad", 0, 1),
  INPUT ("BroadcastGradientArgs", 0, 0),
  SAME ("Cast", 0, 1),
  PLAIN ("Ceil", "Ceil"),
  SAME ("CheckNumerics", 0, 1),
  AS ("ConcatV2", CONCAT, "Concat"),
  NOTHING ("Const"),
  NOTHING ("ControlTrigger"),
  AS ("Conv2D", CONV, "Conv"),
  AS ("Conv2DBackpropFilter", GRAD_WEIGHT, "Conv"),
  AS ("Conv2DBackpropInput", GRAD_INPUT, "Conv"),
  AS ("Conv3D", CONV, "Conv"),
  PLAIN ("Cos", "Cos"),
  AS ("DepthwiseConv2dNative", DEPTHWISE, "Conv"),
  PLAIN ("Div", "Div"),
  PLAIN ("DivNoNan", "Div"),
  PLAIN ("Elu", "Elu"),
  SAME ("EluGrad", 0, 3),
  SAME ("Enter", 0, 0),
  PLAIN ("Equal", "Equal"),
  PLAIN ("Erf", "Erf"),
  SAME ("Exit", 0, 0),
  PLAIN ("Exp", "Exp"),
  PLAIN ("ExpandDims", "Unsqueeze"),
  INPUT ("Fill", 1, 0),
  PLAIN ("Floor", "Floor"),
  PLAIN ("FloorDiv", "Div"),
  PLAIN ("FloorMod", "Mod"),
  SAME ("FusedBatchNorm", 0, 2), /* at inference: one scale, one shift */
  SAME ("FusedBatchNormV2", 0, 2),
  SAME ("FusedBatchNormV3", 0, 2),
  SAME ("FusedBatchNormGrad", 0, 8),
  SAME ("FusedBatchNormGradV2", 0, 8),
  SAME ("FusedBatchNormGradV3", 0, 8),
  PLAIN ("Gather", "Gather"),
  INPUT ("GatherV2", 1, 0),
  PLAIN ("Greater", "Greater"),
  PLAIN ("GreaterEqual", "GreaterOrEqual"),
  PLAIN ("Identity", "Identity"),
  NOTHING ("IdentityN"),
  PLAIN ("InvertPermutation", "Identity"),
  INPUT ("L2Loss", 0, 2),
  INPUT ("LRN", 0, 7),
  INPUT ("LRNGrad", 0, 9),
  SAME ("LeakyRelu", 0, 2),
  PLAIN ("Less", "Less"),
  PLAIN ("LessEqual", "LessOrEqual"),
  PLAIN ("Log", "Log"),
  SAME ("Log1p", 0, 2),
  SAME ("LogSoftmax", 0, 5),
  PLAIN ("LogicalAnd", "And"),
  PLAIN ("LogicalNot", "Not"),
  PLAIN ("LogicalOr", "Or"),
  SAME ("LoopCond", 0, 0),
  AS ("MatMul", MATMUL, "MatMul"),
  INPUT ("Max", 0, 1),
  AS ("MaxPool", POOL, "MaxPool"),
  AS ("MaxPoolGrad", POOL_GRAD, "MaxPool"),
  PLAIN ("Maximum", "Max"),
  INPUT ("Mean", 0, 1),
  SAME ("Merge", 0, 0),
  INPUT ("Min", 0, 1),
  PLAIN ("Minimum", "Min"),
  PLAIN ("Mul", "Mul"),
  PLAIN ("Neg", "Neg"),
  SAME ("NextIteration", 0, 0),
  NOTHING ("NoOp"),
  PLAIN ("NotEqual", "Equal"),
  SAME ("OnesLike", 0, 0),
  INPUT ("OneHot", 0, 0),
  INPUT ("Pack", 0, 0),
  INPUT ("Pad", 0, 0),
  INPUT ("PadV2", 0, 0),
  NOTHING ("PartitionedCall"),
  NOTHING ("Placeholder"),
  SAME ("PlaceholderWithDefault", 0, 0),
  PLAIN ("Pow", "Pow"),
  SAME ("PreventGradient", 0, 0),
  INPUT ("Prod", 0, 1),
  INPUT ("RandomStandardNormal", 0, 0),
  INPUT ("RandomUniform", 0, 0),
  INPUT ("Range", 0, 0),
  INPUT ("Rank", 0, 0),
  NOTHING ("ReadVariableOp"),
  PLAIN ("RealDiv", "Div"),
  PLAIN ("Reciprocal", "Reciprocal"),
  PLAIN ("Relu", "Relu"),
  SAME ("Relu6", 0, 2),
  SAME ("Relu6Grad", 0, 2),
  SAME ("ReluGrad", 0, 1),
  PLAIN ("Reshape", "Reshape"),
  INPUT ("ResourceApplyAdam", 6, 12),
  INPUT ("ResourceApplyGradientDescent", 2, 2),
  INPUT ("ResourceApplyKerasMomentum", 3, 4),
  INPUT ("ResourceApplyMomentum", 3, 4),
  SAME ("Rsqrt", 0, 2),
  SAME ("RsqrtGrad", 0, 4),
  PLAIN ("Select", "Where"),
  PLAIN ("SelectV2", "Where"),
  INPUT ("Shape", 0, 0),
  INPUT ("ShapeN", 0, 0),
  PLAIN ("Sigmoid", "Sigmoid"),
  SAME ("SigmoidGrad", 0, 3),
  PLAIN ("Sign", "Sign"),
  PLAIN ("Sin", "Sin"),
  INPUT ("Size", 0, 0),
  INPUT ("ResizeBilinear", 0, 7), /* four neighbours */
  INPUT ("Slice", 0, 0),
  SAME ("Softmax", 0, 5), /* max, subtract, exp, sum, divide */
  INPUT ("SoftmaxCrossEntropyWithLogits", 0, 8),
  PLAIN ("Softplus", "Softplus"),
  SAME ("SoftplusGrad", 0, 3),
  INPUT ("SparseSoftmaxCrossEntropyWithLogits", 0, 8),
  INPUT ("Split", 1, 0),
  INPUT ("SplitV", 0, 0),
  PLAIN ("Sqrt", "Sqrt"),
  SAME ("SqrtGrad", 0, 2),
  SAME ("Square", 0, 1),
  SAME ("SquaredDifference", 0, 2),
  INPUT ("Squeeze", 0, 0),
  NOTHING ("StatefulPartitionedCall"),
  SAME ("StopGradient", 0, 0),
  INPUT ("StridedSlice", 0, 0),
  INPUT ("StridedSliceGrad", 4, 0),
  PLAIN ("Sub", "Sub"),
  INPUT ("Sum", 0, 1),
  SAME ("Switch", 0, 0),
  PLAIN ("Tanh", "Tanh"),
  SAME ("TanhGrad", 0, 3),
  INPUT ("Tile", 0, 0),
  INPUT ("TopKV2", 0, 1),
  INPUT ("Transpose", 0, 0),
  INPUT ("TruncatedNormal", 0, 0),
  INPUT ("Unpack", 0, 0),
  NOTHING ("VarHandleOp"),
  NOTHING ("Variable"),
  NOTHING ("VariableV2"),
  SAME ("ZerosLike", 0, 0),
};

/* --- shapes --------------------------------------------------------------- */

#define FLOAT ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT
#define BOOL ONNX__TENSOR_PROTO__DATA_TYPE__BOOL
/* Number of inputs that a rule reads. */
#define MAX_IN 64

typedef struct
{
  GobanTfModel *model;
  GHashTable *rules;      /* of TensorFlow's operators */
  GHashTable *onnx_rules; /* of ONNX's */
  GHashTable *unruled;    /* op to number of nodes */
  gint64 batch;
  guint n_unknown;
  const char *first_unknown;
} Inference;

/* One call of an ONNX rule. */
typedef struct
{
  GobanOnnxStub onnx;
  GobanOnnxValue turned[2]; /* inputs with channels first */
  const GobanOnnxValue *in[MAX_IN];
} Call;

int
goban_tf_dtype (int dtype)
{
  /* ONNX lacks E4M3B11FNUZ, which is as large as E4M3FNUZ. */
  static const guint8 onnx[] = { 0, 1, 11, 6,  2, 5, 3,  8,  14, 7,  9,  3,  2,  6,  16, 5,
                                 4, 4, 15, 10, 0, 0, 12, 13, 19, 17, 18, 18, 20, 22, 21 };
  int plain = dtype > 100 ? dtype - 100 : dtype; /* a reference to it */

  return plain >= 0 && plain < (int) G_N_ELEMENTS (onnx) ? onnx[plain] : 0;
}

/* --- shapes declared in the file ------------------------------------------------------------ */

static void
take_shape (GobanOnnxValue *value, const GobanTf__Shape *shape)
{
  if (shape == NULL || shape->unknown_rank || shape->n_dim > GOBAN_ONNX_MAX_DIMS)
    return;
  value->has_rank = TRUE;
  value->n_dims = (guint) shape->n_dim;
  for (guint i = 0; i < value->n_dims; i++)
    value->dims[i] = goban_onnx_extent ((double) shape->dim[i]->size);
}

static gint64
get_stored (const GobanTf__Tensor *tensor, guint i, gsize width)
{
  gint32 narrow;
  gint64 wide;

  if (tensor->tensor_content.len < width * (i + 1))
    {
      gsize n = width == 4 ? tensor->n_int_val : tensor->n_int64_val;
      gsize at = MIN (i, n - 1); /* the last one stands for all that follow */

      return width == 4 ? tensor->int_val[at] : tensor->int64_val[at];
    }
  memcpy (&narrow, tensor->tensor_content.data + width * i, sizeof narrow);
  if (width == 4)
    return GINT32_FROM_LE (narrow);
  memcpy (&wide, tensor->tensor_content.data + width * i, sizeof wide);
  return GINT64_FROM_LE (wide);
}

/* Shapes and axes are small constants of whole numbers. */
static void
take_data (GobanOnnxValue *value, const GobanTf__Tensor *tensor)
{
  double n = goban_onnx_value_elements (value);
  gsize width = tensor->dtype == GOBAN_TF__DATA_TYPE__DT_INT64 ? 8 : 4;
  gsize n_listed = width == 4 ? tensor->n_int_val : tensor->n_int64_val;

  if (!(n > 0 && n <= GOBAN_ONNX_MAX_DATA)
      || (tensor->dtype != GOBAN_TF__DATA_TYPE__DT_INT32 && width == 4)
      || ((double) tensor->tensor_content.len < n * (double) width && n_listed == 0))
    return;
  value->n_data = (guint) n;
  value->data = g_new (double, value->n_data);
  for (guint i = 0; i < value->n_data; i++)
    value->data[i] = (double) get_stored (tensor, i, width);
}

/* The type of the first output, by the attribute that names it. */
static int
find_dtype (const GobanTf__Node *node)
{
  static const char *const names[] = { "dtype", "DstT", "out_type", "output_type", "T", "Tparams" };
  static const char *const tests[]
      = { "Equal", "Greater", "GreaterEqual", "Less", "LessEqual", "NotEqual" };

  if (goban_find_word (tests, G_N_ELEMENTS (tests), node->op) >= 0)
    return BOOL;
  if (strncmp (node->op, "Logical", 7) == 0 || strcmp (node->op, "LoopCond") == 0)
    return BOOL;
  if (strcmp (node->op, "VarHandleOp") == 0)
    return 0; /* a handle, not the variable */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const GobanTf__Value *value = goban_tf_attr (node, names[i]);

      if (value != NULL && value->type != 0)
        return goban_tf_dtype (value->type);
    }
  return 0;
}

/* Fills the outputs as the file declares them, and counts them. */
static void
declare (GobanTfNode *node)
{
  const GobanTf__Value *shapes = goban_tf_attr (node->proto, "_output_shapes");
  const GobanTf__Value *shape = goban_tf_attr (node->proto, "shape");
  const GobanTf__Value *stored = goban_tf_attr (node->proto, "value");
  const GobanTf__ValueList *list = shapes != NULL ? shapes->list : NULL;
  guint n_declared = list != NULL ? (guint) MIN (list->n_shape, GOBAN_TF_MAX_PORT + 1) : 0;
  int dtype = find_dtype (node->proto);

  node->n_out = list != NULL ? n_declared : strcmp (node->proto->op, "Switch") == 0 ? 2 : 1;
  if (strcmp (node->proto->op, "NoOp") == 0)
    node->n_out = 0;
  node->out = g_new0 (GobanOnnxValue, node->n_out + 1);
  for (guint i = 0; i < node->n_out; i++)
    {
      node->out[i].dtype = dtype;
      if (i < n_declared)
        take_shape (&node->out[i], list->shape[i]);
    }
  if (node->n_out == 0 || node->out[0].has_rank || strcmp (node->proto->op, "VarHandleOp") == 0)
    node->is_given = TRUE;
  else if (shape != NULL && shape->shape != NULL)
    take_shape (&node->out[0], shape->shape);
  if (node->n_out == 0 || stored == NULL || stored->tensor == NULL)
    return;
  if (!node->out[0].has_rank)
    take_shape (&node->out[0], stored->tensor->tensor_shape);
  if (node->out[0].has_rank)
    take_data (&node->out[0], stored->tensor);
}

/* --- calls of ONNX rules---------------------------------------------------------------------- */

static gboolean
is_channels_first (const GobanTf__Node *node)
{
  return goban_tf_attr_is (node, "data_format", "NCHW")
         || goban_tf_attr_is (node, "data_format", "NCDHW");
}

/* From channels last to channels first, or back. */
static GobanOnnxValue
turn (const GobanOnnxValue *value, gboolean back)
{
  GobanOnnxValue turned = *value;
  guint n = value->n_dims;

  turned.data = NULL;
  turned.n_data = 0;
  if (!value->has_rank || n < 3)
    return turned;
  for (guint i = 1; i < n; i++)
    {
      if (back)
        turned.dims[i] = value->dims[i + 1 < n ? i + 1 : 1];
      else
        turned.dims[i] = value->dims[i > 1 ? i - 1 : n - 1];
    }
  return turned;
}

/* Weights: height, width, in, out become out, in, height, width. */
static GobanOnnxValue
turn_weights (const GobanOnnxValue *value, gboolean is_depthwise)
{
  GobanOnnxValue turned = *value;
  guint n = value->n_dims;

  turned.data = NULL;
  turned.n_data = 0;
  if (!value->has_rank || n < 3)
    return (GobanOnnxValue){ .dtype = value->dtype };
  turned.dims[0] = value->dims[n - 1];
  turned.dims[1] = value->dims[n - 2];
  if (is_depthwise)
    {
      gboolean known = value->dims[n - 1] >= 0 && value->dims[n - 2] >= 0;

      turned.dims[0]
          = known ? goban_onnx_extent ((double) value->dims[n - 1] * (double) value->dims[n - 2])
                  : -1;
      turned.dims[1] = 1;
    }
  for (guint i = 2; i < n; i++)
    turned.dims[i] = value->dims[i - 2];
  return turned;
}

/* The spatial part of a list such as `strides`. */
static void
add_spatial (Call *call, const GobanTf__Node *node, const char *from, const char *to)
{
  const GobanTf__Value *value = goban_tf_attr (node, from);
  gsize n = value != NULL && value->list != NULL ? value->list->n_i : 0;

  if (n >= 3 && n <= GOBAN_ONNX_MAX_DIMS)
    goban_onnx_stub_add_ints (&call->onnx, to, value->list->i + (is_channels_first (node) ? 2 : 1),
                              n - 2);
}

/* Converts pairs for all dimensions (before, after) to the paddings before each spatial dimension,
 * then those after. */
static void
add_paddings (Call *call, const GobanTf__Node *node)
{
  const GobanTf__Value *value = goban_tf_attr (node, "explicit_paddings");
  gsize n = value != NULL && value->list != NULL ? value->list->n_i / 2 : 0;
  gsize first = is_channels_first (node) ? 2 : 1;
  gint64 pads[2 * GOBAN_ONNX_MAX_DIMS];

  if (n < 3 || n > GOBAN_ONNX_MAX_DIMS)
    return;
  for (gsize i = 0; i < n - 2; i++)
    {
      pads[i] = value->list->i[2 * (first + i)];
      pads[n - 2 + i] = value->list->i[2 * (first + i) + 1];
    }
  goban_onnx_stub_add_ints (&call->onnx, "pads", pads, 2 * (n - 2));
}

static void
add_window (Call *call, const GobanTf__Node *node)
{
  add_spatial (call, node, "ksize", "kernel_shape");
  add_spatial (call, node, "strides", "strides");
  add_spatial (call, node, "dilations", "dilations");
  if (goban_tf_attr_is (node, "padding", "EXPLICIT"))
    {
      add_paddings (call, node);
      return;
    }
  goban_onnx_stub_add_text (&call->onnx, "auto_pad",
                            goban_tf_attr_is (node, "padding", "SAME") ? "SAME_UPPER" : "VALID");
}

static const GobanOnnxValue *
turn_input (Call *call, const GobanTf__Node *node, const GobanOnnxValue *value)
{
  if (value == NULL || is_channels_first (node))
    return value;
  call->turned[0] = turn (value, FALSE);
  return &call->turned[0];
}

static const GobanOnnxValue *
turn_filter (Call *call, const GobanOnnxValue *value, gboolean is_depthwise)
{
  if (value == NULL)
    return NULL;
  call->turned[1] = turn_weights (value, is_depthwise);
  return &call->turned[1];
}

/* --- costs and shapes ------------------------------------------------------------------------ */

static double
known_or_zero (double value)
{
  return isfinite (value) && value > 0 ? value : 0;
}

/* Value of a data input; NULL if it is unknown. */
static const GobanOnnxValue *
get_input (const Inference *self, const GobanTfNode *node, guint i)
{
  const GobanTfInput *input;

  if (i >= node->proto->n_input)
    return NULL;
  input = goban_tf_model_input (self->model, node, i);
  if (input->port >= self->model->nodes[input->tail].n_out)
    return NULL;
  return &self->model->nodes[input->tail].out[input->port];
}

static guint
count_data_inputs (const Inference *self, const GobanTfNode *node)
{
  guint n = 0;

  while (n < node->proto->n_input
         && goban_tf_model_input (self->model, node, n)->port != GOBAN_TF_CONTROL)
    n++;
  return n;
}

/* Fills dimensions that the file leaves open. */
static void
merge (GobanOnnxValue *value, const GobanOnnxValue *found)
{
  if (value->dtype == 0)
    value->dtype = found->dtype;
  if (!found->has_rank)
    return;
  if (!value->has_rank)
    {
      value->has_rank = TRUE;
      value->n_dims = found->n_dims;
      memcpy (value->dims, found->dims, sizeof value->dims);
    }
  else if (value->n_dims == found->n_dims)
    for (guint i = 0; i < value->n_dims; i++)
      if (value->dims[i] < 0)
        value->dims[i] = found->dims[i];
}

static void
merge_data (GobanOnnxValue *value, const GobanOnnxValue *found)
{
  if (value->data == NULL && found->data != NULL
      && goban_onnx_value_elements (value) == (double) found->n_data)
    {
      value->data = g_memdup2 (found->data, found->n_data * sizeof *found->data);
      value->n_data = found->n_data;
    }
}

/* Sets up the inputs and attributes of @call. Returns: the number of inputs */
static guint
arrange (const Inference *self, GobanTfNode *node, const GobanTfRule *rule, Call *call)
{
  guint n = MIN (count_data_inputs (self, node), MAX_IN);

  for (guint i = 0; i < n; i++)
    call->in[i] = get_input (self, node, i);
  switch (rule->kind)
    {
    case GOBAN_TF_CONV:
    case GOBAN_TF_DEPTHWISE:
      add_window (call, node->proto);
      call->in[0] = turn_input (call, node->proto, call->in[0]);
      call->in[1] = turn_filter (call, call->in[1], rule->kind == GOBAN_TF_DEPTHWISE);
      return 2;
    case GOBAN_TF_POOL:
      add_window (call, node->proto);
      call->in[0] = turn_input (call, node->proto, call->in[0]);
      return 1;
    case GOBAN_TF_GRAD_INPUT:
      call->in[1] = turn_filter (call, call->in[1], FALSE);
      return 2;
    case GOBAN_TF_GRAD_WEIGHT:
      call->in[1] = node->n_out > 0 ? turn_filter (call, &node->out[0], FALSE) : NULL;
      return 2;
    case GOBAN_TF_POOL_GRAD:
      add_window (call, node->proto);
      call->in[0] = n > 0 ? turn_input (call, node->proto, call->in[n - 1]) : NULL;
      return 1;
    case GOBAN_TF_MATMUL:
      for (guint i = 0; i < 2; i++)
        {
          const GobanTf__Value *plain
              = goban_tf_attr (node->proto, i == 0 ? "transpose_a" : "transpose_b");
          const GobanTf__Value *batched = goban_tf_attr (node->proto, i == 0 ? "adj_x" : "adj_y");
          gint64 is_turned = (plain != NULL && plain->b) || (batched != NULL && batched->b);

          goban_onnx_stub_add_ints (&call->onnx, i == 0 ? "transA" : "transB", &is_turned, 1);
        }
      return n;
    case GOBAN_TF_CONCAT:
      if (n > 1 && call->in[n - 1] != NULL && call->in[n - 1]->n_data == 1
          && fabs (call->in[n - 1]->data[0]) <= GOBAN_ONNX_MAX_DIMS)
        {
          gint64 axis = (gint64) call->in[n - 1]->data[0];

          goban_onnx_stub_add_ints (&call->onnx, "axis", &axis, 1);
          return n - 1;
        }
      return 0;
    default:
      return n;
    }
}

/* The gradients of a convolution do as many multiplications as the convolution itself. */
static const GobanOnnxValue *
get_counted (const Inference *self, const GobanTfNode *node, const GobanTfRule *rule)
{
  guint n = count_data_inputs (self, node);

  if (rule->kind == GOBAN_TF_GRAD_INPUT || rule->kind == GOBAN_TF_GRAD_WEIGHT)
    return get_input (self, node, 2);
  if (rule->kind == GOBAN_TF_POOL_GRAD)
    return n > 0 ? get_input (self, node, n - 1) : NULL;
  return NULL;
}

static void
apply_onnx (const Inference *self, GobanTfNode *node, const GobanTfRule *rule)
{
  const GobanOnnxRule *onnx = g_hash_table_lookup (self->onnx_rules, rule->onnx);
  const GobanOnnxValue *counted = get_counted (self, node, rule);
  gboolean is_turned = (rule->kind == GOBAN_TF_CONV || rule->kind == GOBAN_TF_DEPTHWISE
                        || rule->kind == GOBAN_TF_POOL)
                       && !is_channels_first (node->proto);
  GobanOnnxValue out = { 0 };
  Call call = { 0 };
  GobanOnnxOp op = { .node = &call.onnx.node, .opset = 13, .in = call.in, .n_out = 1, .out = &out };

  g_assert (onnx != NULL);
  goban_onnx_stub_init (&call.onnx, rule->onnx);
  op.n_in = arrange (self, node, rule, &call);
  if (counted == NULL && op.n_in > 0)
    {
      onnx->shape (&op);
      if (onnx->fold != NULL && goban_onnx_value_elements (&out) <= GOBAN_ONNX_MAX_DATA)
        onnx->fold (&op);
      if (is_turned)
        {
          GobanOnnxValue back = turn (&out, TRUE);

          goban_onnx_value_clear (&out);
          out = back;
        }
      merge (&node->out[0], &out);
      merge_data (&node->out[0], &out);
      goban_onnx_value_clear (&out);
    }
  /* Only the number of its elements counts. */
  out = counted != NULL ? *counted : node->out[0];
  if (op.n_in == 0)
    return;
  if (onnx->cost != NULL)
    onnx->cost (&op, onnx);
  else
    op.flops = onnx->steps * goban_onnx_value_elements (&out);
  node->flops = known_or_zero (op.flops);
  node->macs = known_or_zero (op.macs);
}

static void
apply_own (const Inference *self, GobanTfNode *node, const GobanTfRule *rule)
{
  const GobanOnnxValue *like = get_input (self, node, rule->like);

  if (like == NULL)
    return;
  if (rule->kind == GOBAN_TF_SAME)
    for (guint i = 0; i < node->n_out; i++)
      if (i == 0 || strcmp (node->proto->op, "Switch") == 0)
        merge (&node->out[i], like);
  node->flops = known_or_zero (rule->steps * goban_onnx_value_elements (like));
}

/* Views and ops that only state a shape move no bytes. */
static gboolean
is_view (const GobanTf__Node *node)
{
  static const char *const views[]
      = { "Const",    "Enter",          "Exit",          "ExpandDims",  "Identity",
          "LoopCond", "Merge",          "NextIteration", "Placeholder", "PreventGradient",
          "Rank",     "ReadVariableOp", "Reshape",       "Shape",       "ShapeN",
          "Size",     "Squeeze",        "StopGradient",  "Switch",      "VarHandleOp",
          "Variable", "VariableV2" };

  return goban_find_word (views, G_N_ELEMENTS (views), node->op) >= 0;
}

static void
count_bytes (const Inference *self, GobanTfNode *node)
{
  if (is_view (node->proto))
    return;
  for (guint i = 0; i < node->n_out; i++)
    node->written_bytes += known_or_zero (goban_onnx_value_bytes (&node->out[i]));
  for (guint i = 0; i < node->proto->n_input; i++)
    {
      const GobanOnnxValue *value = get_input (self, node, i);

      if (value != NULL)
        node->read_bytes += known_or_zero (goban_onnx_value_bytes (value));
    }
}

/* A first extent that the file leaves open is the batch. */
static void
take_batch (const Inference *self, GobanTfNode *node)
{
  if (strcmp (node->proto->op, "Placeholder") == 0 && node->n_out > 0 && node->out[0].has_rank
      && node->out[0].n_dims > 0 && node->out[0].dims[0] < 0)
    node->out[0].dims[0] = self->batch;
}

static void
infer_node (Inference *self, GobanTfNode *node)
{
  const GobanTfRule *rule = g_hash_table_lookup (self->rules, node->proto->op);
  gpointer n_before;

  take_batch (self, node);
  if (rule == NULL)
    {
      n_before = g_hash_table_lookup (self->unruled, node->proto->op);
      g_hash_table_insert (self->unruled, node->proto->op,
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (n_before) + 1));
    }
  else if (strcmp (node->proto->op, "ReadVariableOp") == 0 && node->n_out > 0)
    {
      const GobanTfInput *input
          = node->proto->n_input > 0 ? goban_tf_model_input (self->model, node, 0) : NULL;
      const GobanTf__Value *shape
          = input != NULL ? goban_tf_attr (self->model->nodes[input->tail].proto, "shape") : NULL;

      if (!node->out[0].has_rank && shape != NULL)
        take_shape (&node->out[0], shape->shape);
    }
  else if (rule->onnx != NULL && node->n_out > 0)
    apply_onnx (self, node, rule);
  else if (rule->kind != GOBAN_TF_NOTHING)
    apply_own (self, node, rule);
  count_bytes (self, node);
  if (node->n_out > 0 && node->out[0].dtype != 0 && isnan (goban_onnx_value_bytes (&node->out[0]))
      && goban_onnx_dtype_bits (node->out[0].dtype) > 0 && self->n_unknown++ == 0)
    self->first_unknown = node->proto->name;
}

static void
warn (const Inference *self, GobanGraphBuilder *builder)
{
  goban_unruled_ops_warn (self->unruled, builder);
  if (self->n_unknown > 0)
    goban_graph_builder_warn (builder,
                              "%u of %u nodes have outputs of unknown size, the first is \"%s\": "
                              "they count as 0 bytes",
                              self->n_unknown, self->model->n_nodes, self->first_unknown);
}

void
goban_tf_infer (GobanTfModel *model, gint64 batch, GobanGraphBuilder *builder)
{
  g_autoptr (GHashTable) rules = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) onnx_rules = goban_onnx_rules_new ();
  g_autoptr (GHashTable) unruled = g_hash_table_new (g_str_hash, g_str_equal);
  Inference self = { .model = model,
                     .rules = rules,
                     .onnx_rules = onnx_rules,
                     .unruled = unruled,
                     .batch = batch > 0 ? batch : 1 };
  g_autofree guint32 *order = NULL;
  guint n;

  for (gsize i = 0; i < G_N_ELEMENTS (tf_rules); i++)
    g_hash_table_insert (rules, (gpointer) tf_rules[i].op, (gpointer) &tf_rules[i]);
  for (guint32 v = 0; v < model->n_nodes; v++)
    declare (&model->nodes[v]);
  order = goban_tf_model_dup_order (model, &n);
  for (guint i = 0; i < n; i++)
    infer_node (&self, &model->nodes[order[i]]);
  warn (&self, builder);
}
