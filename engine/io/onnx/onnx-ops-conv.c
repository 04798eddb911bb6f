/* Sliding windows: convolutions, pools and other ops that change the size of images. Shapes are N,
 * C, then one to three (or more) spatial axes. */
#include <math.h>

#include "engine/io/onnx/onnx-ops.h"

/* The first spatial axis. */
#define SPATIAL 2

/* One spatial axis of a sliding window. Doubles, since files may say anything. */
typedef struct
{
  double kernel;
  double stride;
  double dilation;
  double pad_begin;
  double pad_end;
} Window;

typedef enum
{
  PAD_EXPLICIT,
  PAD_SAME,
  PAD_VALID,
} PadMode;

static PadMode
get_pad_mode (const GobanOnnxOp *op)
{
  if (goban_onnx_attr_is (op, "auto_pad", "SAME_UPPER")
      || goban_onnx_attr_is (op, "auto_pad", "SAME_LOWER"))
    return PAD_SAME;
  return goban_onnx_attr_is (op, "auto_pad", "VALID") ? PAD_VALID : PAD_EXPLICIT;
}

/* Axis @i of @n spatial ones; @kernel is the weight's extent, or -1 if only the
 * attribute says. */
static Window
get_window (const GobanOnnxOp *op, guint i, guint n, gint64 kernel)
{
  Window w;

  w.kernel = (double) goban_onnx_attr_at (op, "kernel_shape", i, kernel);
  w.stride = (double) goban_onnx_attr_at (op, "strides", i, 1);
  w.dilation = (double) goban_onnx_attr_at (op, "dilations", i, 1);
  w.pad_begin = (double) goban_onnx_attr_at (op, "pads", i, 0);
  w.pad_end = (double) goban_onnx_attr_at (op, "pads", i + n, 0);
  return w;
}

static gboolean
window_is_sane (const Window *w)
{
  return w->kernel >= 1 && w->stride >= 1 && w->dilation >= 1;
}

/* How many places the window has on an axis of @extent. */
static gint64
slide (const Window *w, gint64 extent, PadMode mode, gboolean ceil_mode)
{
  double span = (w->kernel - 1) * w->dilation + 1;
  double pads = mode == PAD_EXPLICIT ? w->pad_begin + w->pad_end : 0;
  double places;

  if (extent < 0 || !window_is_sane (w))
    return -1;
  if (mode == PAD_SAME)
    return goban_onnx_extent (ceil ((double) extent / w->stride));

  places = ((double) extent + pads - span) / w->stride;
  if (places < 0)
    return goban_onnx_extent (0);
  if (!ceil_mode)
    return goban_onnx_extent (floor (places) + 1);

  places = ceil (places) + 1;
  /* A window that starts in the padding at the end does not count. */
  if ((places - 1) * w->stride >= (double) extent + w->pad_begin)
    places--;
  return goban_onnx_extent (places);
}

/* Shape of a convolution of @x by weights @w, to output 0. */
static void
set_conv (GobanOnnxOp *op, const GobanOnnxValue *x, const GobanOnnxValue *w, int dtype)
{
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint n;

  goban_onnx_set_dtype (op, 0, dtype);
  if (x == NULL || !x->has_rank || x->n_dims <= SPATIAL)
    return;

  n = x->n_dims - SPATIAL;
  dims[0] = x->dims[0];
  dims[1] = goban_onnx_dim (w, 0);
  for (guint i = 0; i < n; i++)
    {
      Window window = get_window (op, i, n, goban_onnx_dim (w, SPATIAL + i));

      dims[SPATIAL + i] = slide (&window, x->dims[SPATIAL + i], get_pad_mode (op), FALSE);
    }
  goban_onnx_set (op, 0, dtype, dims, x->n_dims);
}

static void
shape_conv (GobanOnnxOp *op)
{
  set_conv (op, goban_onnx_in (op, 0), goban_onnx_in (op, 1), goban_onnx_in_dtype (op, 0));
}

static void
shape_conv_integer (GobanOnnxOp *op)
{
  set_conv (op, goban_onnx_in (op, 0), goban_onnx_in (op, 1), ONNX__TENSOR_PROTO__DATA_TYPE__INT32);
}

/* x, its scale and zero point, w, its scale and zero point, y's scale and zero point, bias */
static void
shape_conv_qlinear (GobanOnnxOp *op)
{
  set_conv (op, goban_onnx_in (op, 0), goban_onnx_in (op, 3), goban_onnx_in_dtype (op, 7));
}

/* Every output element is a dot product over the weights of one output channel. */
static void
count_conv (GobanOnnxOp *op, const GobanOnnxValue *w, const GobanOnnxValue *bias)
{
  double n_out = goban_onnx_value_elements (&op->out[0]);
  double n_weights = w != NULL ? goban_onnx_value_elements (w) : (double) NAN;
  double n_channels = (double) goban_onnx_dim (w, 0);

  op->macs = n_channels > 0 ? n_out * (n_weights / n_channels) : 0;
  op->flops = 2 * op->macs + (bias != NULL ? n_out : 0);
}

static void
cost_conv (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  count_conv (op, goban_onnx_in (op, 1), goban_onnx_in (op, 2));
}

static void
cost_conv_integer (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  count_conv (op, goban_onnx_in (op, 1), NULL);
}

static void
cost_conv_qlinear (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  count_conv (op, goban_onnx_in (op, 3), goban_onnx_in (op, 8));
}

static void
shape_conv_transpose (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *w = goban_onnx_in (op, 1);
  gint64 per_group = goban_onnx_dim (w, 1);
  PadMode mode = get_pad_mode (op);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint n;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || x->n_dims <= SPATIAL)
    return;

  n = x->n_dims - SPATIAL;
  dims[0] = x->dims[0];
  dims[1] = per_group < 0 ? -1
                          : goban_onnx_extent ((double) per_group
                                               * (double) goban_onnx_attr_int (op, "group", 1));
  for (guint i = 0; i < n; i++)
    {
      Window window = get_window (op, i, n, goban_onnx_dim (w, SPATIAL + i));
      gint64 given = goban_onnx_attr_at (op, "output_shape", i, -1);
      double extent = (double) x->dims[SPATIAL + i];
      double grown = window.stride * (extent - 1)
                     + (double) goban_onnx_attr_at (op, "output_padding", i, 0)
                     + (window.kernel - 1) * window.dilation + 1;

      if (given >= 0)
        dims[SPATIAL + i] = given;
      else if (extent < 0 || !window_is_sane (&window))
        dims[SPATIAL + i] = -1;
      else if (mode == PAD_SAME)
        dims[SPATIAL + i] = goban_onnx_extent (extent * window.stride);
      else
        dims[SPATIAL + i] = goban_onnx_extent (
            grown - (mode == PAD_VALID ? 0 : window.pad_begin + window.pad_end));
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, x->n_dims);
}

/* Every input element meets all weights of its input channel. */
static void
cost_conv_transpose (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  const GobanOnnxValue *w = goban_onnx_in (op, 1);
  double n_channels = (double) goban_onnx_dim (w, 0);

  if (x == NULL || w == NULL || n_channels <= 0)
    return;
  op->macs = goban_onnx_value_elements (x) * (goban_onnx_value_elements (w) / n_channels);
  op->flops = 2 * op->macs
              + (goban_onnx_in (op, 2) != NULL ? goban_onnx_value_elements (&op->out[0]) : 0);
}

static void
shape_pool (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gboolean ceil_mode = goban_onnx_attr_int (op, "ceil_mode", 0) != 0;
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint n;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || x->n_dims <= SPATIAL)
    return;

  n = x->n_dims - SPATIAL;
  dims[0] = x->dims[0];
  dims[1] = x->dims[1];
  for (guint i = 0; i < n; i++)
    {
      Window window = get_window (op, i, n, -1);

      dims[SPATIAL + i] = slide (&window, x->dims[SPATIAL + i], get_pad_mode (op), ceil_mode);
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, x->n_dims);
  goban_onnx_set (op, 1, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, dims, x->n_dims);
}

/* One step per element under the window; padding counts, as it does in most kernels. */
static void
cost_pool (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  double window = 1;

  for (guint i = 0; x != NULL && i + SPATIAL < x->n_dims; i++)
    window *= (double) goban_onnx_attr_at (op, "kernel_shape", i, 1);
  op->flops = rule->steps * window * goban_onnx_value_elements (&op->out[0]);
}

static void
shape_global_pool (GobanOnnxOp *op)
{
  goban_onnx_shape_same (op);
  if (op->n_out > 0)
    for (guint i = SPATIAL; i < op->out[0].n_dims; i++)
      op->out[0].dims[i] = 1;
}

/* Input 1 has one row per region of interest; output R, C, height, width. */
static void
set_regions (GobanOnnxOp *op, gint64 height, gint64 width)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  gint64 dims[4]
      = { goban_onnx_dim (goban_onnx_in (op, 1), 0), goban_onnx_dim (x, 1), height, width };

  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, 4);
}

static void
shape_roi_align (GobanOnnxOp *op)
{
  set_regions (op, goban_onnx_attr_int (op, "output_height", 1),
               goban_onnx_attr_int (op, "output_width", 1));
}

static void
shape_roi_pool (GobanOnnxOp *op)
{
  set_regions (op, goban_onnx_attr_at (op, "pooled_shape", 0, -1),
               goban_onnx_attr_at (op, "pooled_shape", 1, -1));
}

/* x: N, C, ...; grid: N, extents of the output, number of axes */
static void
shape_grid_sample (GobanOnnxOp *op)
{
  const GobanOnnxValue *grid = goban_onnx_in_ranked (op, 1);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (grid == NULL || grid->n_dims < SPATIAL)
    return;
  dims[0] = grid->dims[0];
  dims[1] = goban_onnx_dim (goban_onnx_in (op, 0), 1);
  for (guint i = SPATIAL; i < grid->n_dims; i++)
    dims[i] = grid->dims[i - 1];
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, grid->n_dims);
}

/* Element i of a list over @axes of a rank, by default over all axes in order. */
static double
get_scaling (const GobanOnnxList *list, const GobanOnnxList *axes, guint axis, guint rank)
{
  if (!axes->is_present)
    return axis < list->n ? list->values[axis] : (double) NAN;
  for (guint i = 0; i < axes->n && i < list->n; i++)
    if (goban_onnx_axis (axes->values[i], rank) == (int) axis)
      return list->values[i];
  return -1;
}

/* Up to opset 10 (x, scales), later (x, roi, scales, sizes) */
static void
shape_resize (GobanOnnxOp *op)
{
  gboolean is_old = op->opset < 11 || g_str_equal (op->node->op_type, "Upsample");
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList scales = goban_onnx_list (op, "scales", is_old ? 1 : 2);
  GobanOnnxList sizes = goban_onnx_list (op, "sizes", is_old ? G_MAXUINT : 3);
  GobanOnnxList axes = goban_onnx_list (op, "axes", G_MAXUINT);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL)
    return;
  for (guint i = 0; i < x->n_dims; i++)
    {
      gboolean by_size = sizes.is_known && sizes.n > 0;
      double factor = by_size ? get_scaling (&sizes, &axes, i, x->n_dims)
                              : get_scaling (&scales, &axes, i, x->n_dims);

      if (factor == -1)
        dims[i] = x->dims[i]; /* an axis that is not listed */
      else if (by_size)
        dims[i] = goban_onnx_extent (factor);
      else
        dims[i] = x->dims[i] < 0 || isnan (factor)
                      ? -1
                      : goban_onnx_extent (floor ((double) x->dims[i] * factor));
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, x->n_dims);
}

/* Nearest copies; linear blends 2 neighbours and cubic 4 on every axis that changes. */
static void
cost_resize (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  double taps = goban_onnx_attr_is (op, "mode", "linear")  ? 2
                : goban_onnx_attr_is (op, "mode", "cubic") ? 4
                                                           : 0;
  double per_element = taps > 0 ? 2 : 0;

  for (guint i = 0; taps > 0 && x != NULL && i < x->n_dims && i < op->out[0].n_dims; i++)
    if (x->dims[i] != op->out[0].dims[i])
      per_element *= taps;
  op->flops = per_element * goban_onnx_value_elements (&op->out[0]);
}

/* Moves blocks between channels and space: one is divided by the factor of the other. */
static void
shape_blocks (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gboolean to_space = g_str_equal (op->node->op_type, "DepthToSpace");
  double block = (double) goban_onnx_attr_int (op, "blocksize", 0);
  gint64 dims[4];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || x->n_dims != 4 || block < 1)
    return;
  dims[0] = x->dims[0];
  for (guint i = 1; i < 4; i++)
    {
      double factor = i == 1 ? 1 / (block * block) : block;

      if (!to_space)
        factor = 1 / factor;
      dims[i]
          = x->dims[i] < 0 ? -1 : goban_onnx_extent (floor ((double) x->dims[i] * factor + 1e-9));
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, 4);
}

static const GobanOnnxRule rules[] = {
  { "AveragePool", shape_pool, .cost = cost_pool, .steps = 1 },
  { "Conv", shape_conv, .cost = cost_conv },
  { "ConvInteger", shape_conv_integer, .cost = cost_conv_integer },
  { "ConvTranspose", shape_conv_transpose, .cost = cost_conv_transpose },
  { "DepthToSpace", shape_blocks, .steps = 0 },
  { "FusedConv", shape_conv, .cost = cost_conv },
  { "GlobalAveragePool", shape_global_pool, .cost = goban_onnx_cost_input, .steps = 1 },
  { "GlobalLpPool", shape_global_pool, .cost = goban_onnx_cost_input, .steps = 2 },
  { "GlobalMaxPool", shape_global_pool, .cost = goban_onnx_cost_input, .steps = 1 },
  { "GridSample", shape_grid_sample, .steps = 8 }, /* four neighbours, a multiply-add each */
  { "LpPool", shape_pool, .cost = cost_pool, .steps = 2 },
  { "MaxPool", shape_pool, .cost = cost_pool, .steps = 1 },
  { "MaxRoiPool", shape_roi_pool, .steps = 1 },
  { "QLinearAveragePool", shape_pool, .cost = cost_pool, .steps = 1 },
  { "QLinearConv", shape_conv_qlinear, .cost = cost_conv_qlinear },
  { "QLinearGlobalAveragePool", shape_global_pool, .cost = goban_onnx_cost_input, .steps = 1 },
  { "Resize", shape_resize, .cost = cost_resize },
  { "RoiAlign", shape_roi_align, .steps = 8 },
  { "SpaceToDepth", shape_blocks, .steps = 0 },
  { "Upsample", shape_resize, .cost = cost_resize },
};

const GobanOnnxRules goban_onnx_rules_conv = { rules, G_N_ELEMENTS (rules) };
