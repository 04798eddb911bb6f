/* transformer-xl.c: attention over a segment and the one before it, relative positions.
 *
 * Dai et al. (2019), "Transformer-XL: attentive language models beyond a fixed-length context",
 * spelled as in the authors' TensorFlow code: shape of the 12-layer enwik8 model (512 wide, 8
 * heads, 2048 inner, segments and memory of 512 characters, 41 M parameters; biases of the queries
 * are each layer's own). A plain softmax tied to the embedding. A step is a few segments in a row:
 * no gradient flows through the memory, so they meet only in it and in the weights' gradients.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-ops.h"

static const GobanKnob knobs[] = {
  { "layers", N_ ("attention layers"), NULL, 2, 1, 1024 },
  { "segments", N_ ("segments in one step"), NULL, 4, 1, 4096 },
  { "batch", N_ ("rows of text"), NULL, 8, 1, 65536 },
  { "steps", N_ ("characters of a segment"), NULL, 512, 1, 65536 },
  { "memory", N_ ("characters looked back at"), NULL, 512, 1, 65536 },
  { "width", N_ ("numbers per character"), NULL, 512, 2, 65536 },
  { "heads", N_ ("heads of attention"), NULL, 8, 1, 1024 },
  { "head-width", N_ ("numbers per head"), NULL, 64, 1, 65536 },
  { "inner", N_ ("width of the feed-forward layer"), NULL, 2048, 1, 262144 },
  { "vocabulary", N_ ("characters there are"), NULL, 204, 2, 10000000 },
};

/* Everything of one layer that is learned. */
typedef struct
{
  Value qkv;
  Value position;
  Value output;
  Value content_bias;
  Value position_bias;
  Value gamma[2];
  Value beta[2];
  Value inner_kernel;
  Value inner_bias;
  Value outer_kernel;
  Value outer_bias;
} Layer;

typedef struct
{
  guint n_layers;
  guint n_segments;
  gint64 batch;
  gint64 n_steps;
  gint64 n_memory;
  gint64 width;
  gint64 n_heads;
  gint64 head_width;
  gint64 inner;
  gint64 vocabulary;
  Variable table;
  Value softmax_bias;
  Layer *layers;   /* (n_layers) */
  Value *memories; /* (n_layers): (n_memory batch, width), what each layer looks back at */
  Value mask;      /* of the segment at hand */
  Value positions; /* (keys, width) of the segment at hand */
} Model;

static double
estimate_nodes (const Spec *spec)
{
  return (double) spec_get (spec, "segments") * (425.0 * (double) spec_get (spec, "layers") + 100);
}

static void
make_weights (Tape *tape, Model *model)
{
  tape_push (tape, "embedding");
  model->table = tape_variable (tape, "table", SHAPE (model->vocabulary, model->width));
  tape_pop (tape);
  for (guint i = 0; i < model->n_layers; i++)
    {
      tape_push (tape, "transformer/layer_%u", i + 1);

      Layer *layer = &model->layers[i];
      gint64 n_out = model->n_heads * model->head_width;
      Shape wide = SHAPE (model->width);

      tape_push (tape, "attention");
      layer->qkv = tape_weight (tape, "qkv/kernel", SHAPE (model->width, 3 * n_out));
      layer->position = tape_weight (tape, "r/kernel", SHAPE (model->width, n_out));
      layer->output = tape_weight (tape, "o/kernel", SHAPE (n_out, model->width));
      layer->content_bias
          = tape_weight (tape, "r_w_bias", SHAPE (model->n_heads, model->head_width));
      layer->position_bias
          = tape_weight (tape, "r_r_bias", SHAPE (model->n_heads, model->head_width));
      layer->gamma[0] = tape_weight (tape, "LayerNorm/gamma", wide);
      layer->beta[0] = tape_weight (tape, "LayerNorm/beta", wide);
      tape_pop (tape);
      tape_push (tape, "feed_forward");
      layer->inner_kernel
          = tape_weight (tape, "layer_1/kernel", SHAPE (model->width, model->inner));
      layer->inner_bias = tape_weight (tape, "layer_1/bias", SHAPE (model->inner));
      layer->outer_kernel
          = tape_weight (tape, "layer_2/kernel", SHAPE (model->inner, model->width));
      layer->outer_bias = tape_weight (tape, "layer_2/bias", wide);
      layer->gamma[1] = tape_weight (tape, "LayerNorm/gamma", wide);
      layer->beta[1] = tape_weight (tape, "LayerNorm/beta", wide);
      tape_pop (tape);

      model->memories[i] = tape_input (tape, "memory",
                                       SHAPE (model->n_memory * model->batch, model->width), "f32");
      tape_pop (tape);
    }
  tape_push (tape, "softmax");
  model->softmax_bias = tape_weight (tape, "bias", SHAPE (model->vocabulary));
  tape_pop (tape);
}

/* --- attention ------------------------------------------------------------------------------ */

/* Rows of characters, (n batch, heads x head_width), as (heads, batch, n, head_width). */
static Value
by_head (Tape *tape, const Model *model, Value x)
{
  gint64 n = tape_dim (tape, x, 0);

  if (tape_shape (tape, x).n_dims == 2)
    {
      n /= model->batch;
      x = tape_reshape (tape, x, SHAPE (n, model->batch, model->n_heads, model->head_width));
    }
  return tape_transpose (tape, x, (const guint[]){ 2, 1, 0, 3 });
}

/* Query i looks at the position i characters further to the right than query 0 does: with one
 * column more, the same numbers read in rows of another length are shifted so. */
static Value
shift (Tape *tape, const Model *model, Value x)
{
  gint64 n_keys = tape_dim (tape, x, 3);
  Shape shape = tape_shape (tape, x);

  x = tape_pad (tape, x, 3, 1, 0);
  x = tape_reshape (tape, x, SHAPE (model->n_heads, model->batch, n_keys + 1, model->n_steps));
  x = tape_slice (tape, x, 2, 1, n_keys);
  return tape_reshape (tape, x, shape);
}

/* How much each query cares for each position, (heads, batch, steps, keys). */
static Value
score_positions (Tape *tape, const Model *model, const Layer *layer, Value query)
{
  gint64 n_keys = model->n_memory + model->n_steps;
  Value keys = tape_matmul (tape, model->positions, layer->position);

  keys = tape_reshape (tape, keys, SHAPE (n_keys, model->n_heads, model->head_width));
  keys = tape_transpose (tape, keys, (const guint[]){ 1, 0, 2 });
  query = by_head (tape, model, tape_add (tape, query, layer->position_bias));
  query = tape_reshape (tape, query,
                        SHAPE (model->n_heads, model->batch * model->n_steps, model->head_width));
  query = tape_batch_matmul (tape, query, keys, TAPE_TRANSPOSE_B);
  query = tape_reshape (tape, query, SHAPE (model->n_heads, model->batch, model->n_steps, n_keys));
  return shift (tape, model, query);
}

static Value
attend (Tape *tape, const Model *model, const Layer *layer, Value x, Value memory)
{
  gint64 n_out = model->n_heads * model->head_width;
  gint64 n_rows = model->n_steps * model->batch;
  Value all = tape_concat (tape, (Value[]){ memory, x }, 2, 0);
  Value qkv = tape_split (tape, tape_matmul (tape, all, layer->qkv), 3, 1);
  Value query = tape_slice (tape, qkv, 0, model->n_memory * model->batch, n_rows);
  Value score;

  query = tape_reshape (tape, query,
                        SHAPE (model->n_steps, model->batch, model->n_heads, model->head_width));
  score = by_head (tape, model, tape_add (tape, query, layer->content_bias));
  score = tape_batch_matmul (tape, score, by_head (tape, model, qkv + 1), TAPE_TRANSPOSE_B);
  score = tape_add (tape, score, score_positions (tape, model, layer, query));
  score = tape_add (tape, tape_scale (tape, score), model->mask);
  score = tape_dropout (tape, tape_softmax (tape, score));

  all = tape_batch_matmul (tape, score, by_head (tape, model, qkv + 2), TAPE_PLAIN);
  all = tape_transpose (tape, all, (const guint[]){ 2, 1, 0, 3 });
  all = tape_matmul (tape, tape_reshape (tape, all, SHAPE (n_rows, n_out)), layer->output);
  return tape_dropout (tape, all);
}

static Value
feed_forward (Tape *tape, const Layer *layer, Value x)
{
  x = tape_bias_add (tape, tape_matmul (tape, x, layer->inner_kernel), layer->inner_bias);
  x = tape_dropout (tape, tape_relu (tape, x));
  x = tape_bias_add (tape, tape_matmul (tape, x, layer->outer_kernel), layer->outer_bias);
  return tape_dropout (tape, x);
}

/* --- a segment ------------------------------------------------------------------------------ */

/* Sines and cosines of the distances, and the mask of what lies ahead. */
static void
make_positions (Tape *tape, Model *model)
{
  gint64 n_keys = model->n_memory + model->n_steps;
  Shape half = SHAPE (n_keys, (model->width + 1) / 2);
  double n_half = shape_count (&half);
  Value angles = tape_emit (
      tape, &(TapeCall){ .op = "Mul",
                         .name = "outer",
                         TAPE_INPUTS (tape_const (tape, "range", (guint) n_keys),
                                      tape_const (tape, "inv_freq", (guint) half.dims[1])),
                         TAPE_OUTPUTS (half),
                         .flops = n_half });
  Value parts[] = { tape_emit_elementwise (tape, "Sin", &angles, 1, 4),
                    tape_emit_elementwise (tape, "Cos", &angles, 1, 4) };

  Value positions = tape_concat (tape, parts, 2, 1);

  if (tape_dim (tape, positions, 1) > model->width) /* an odd width has one cosine less */
    positions = tape_slice (tape, positions, 1, 0, model->width);
  model->positions = tape_dropout (tape, positions);
  model->mask = tape_emit (tape, &(TapeCall){ .op = "MatrixBandPart",
                                              .name = "mask",
                                              TAPE_INPUTS (tape_const (tape, "ones", 1)),
                                              TAPE_OUTPUTS (SHAPE (model->n_steps, n_keys)) });
}

static Value
embed (Tape *tape, const Model *model)
{
  Shape rows = SHAPE (model->n_steps * model->batch);
  Value x = tape_gather (tape, model->table, tape_input (tape, "ids", rows, "s32"));

  return tape_dropout (tape, tape_scale (tape, x));
}

static Value
run_layer (Tape *tape, Model *model, guint index, Value x)
{
  const Layer *layer = &model->layers[index];
  gint64 n_rows = model->n_memory * model->batch;
  Value memory = model->memories[index];
  Value all = tape_concat (tape, (Value[]){ memory, tape_stop_gradient (tape, x) }, 2, 0);
  Value y;

  model->memories[index] = tape_slice (tape, all, 0, tape_dim (tape, all, 0) - n_rows, n_rows);
  tape_push (tape, "attention");
  y = tape_add (tape, attend (tape, model, layer, x, memory), x);
  x = tape_layer_norm (tape, "LayerNorm", y, layer->gamma[0], layer->beta[0]);
  tape_pop (tape);
  tape_push (tape, "feed_forward");
  y = tape_add (tape, feed_forward (tape, layer, x), x);
  x = tape_layer_norm (tape, "LayerNorm", y, layer->gamma[1], layer->beta[1]);
  tape_pop (tape);
  return x;
}

/* The losses of one segment, summed. */
static Value
run_segment (Tape *tape, Model *model, guint segment)
{
  Shape rows = SHAPE (model->n_steps * model->batch);
  Value x;

  tape_push (tape, "embedding/segment_%u", segment);
  x = embed (tape, model);
  make_positions (tape, model);
  tape_pop (tape);
  for (guint i = 0; i < model->n_layers; i++)
    {
      tape_push (tape, "transformer/layer_%u/segment_%u", i + 1, segment);
      x = run_layer (tape, model, i, x);
      tape_pop (tape);
    }
  tape_push (tape, "softmax/segment_%u", segment);
  x = tape_dropout (tape, x);
  x = tape_matmul_with (tape, x, tape_read (tape, model->table), TAPE_TRANSPOSE_B);
  x = tape_bias_add (tape, x, model->softmax_bias);
  x = tape_cross_entropy (tape, x, tape_input (tape, "labels", rows, "s32"));
  x = tape_sum (tape, x, 1, FALSE);
  tape_pop (tape);
  return x;
}

static Value
build (Tape *tape, const Spec *spec)
{
  guint n_layers = (guint) spec_get (spec, "layers");
  guint n_segments = (guint) spec_get (spec, "segments");
  g_autofree Value *losses = g_new (Value, n_segments);
  g_autofree Layer *layers = g_new (Layer, n_layers);
  g_autofree Value *memories = g_new (Value, n_layers);
  Model model = {
    .n_layers = n_layers,
    .n_segments = n_segments,
    .batch = spec_get (spec, "batch"),
    .n_steps = spec_get (spec, "steps"),
    .n_memory = spec_get (spec, "memory"),
    .width = spec_get (spec, "width"),
    .n_heads = spec_get (spec, "heads"),
    .head_width = spec_get (spec, "head-width"),
    .inner = spec_get (spec, "inner"),
    .vocabulary = spec_get (spec, "vocabulary"),
    .layers = layers,
    .memories = memories,
  };

  make_weights (tape, &model);
  for (guint i = 0; i < n_segments; i++)
    losses[i] = run_segment (tape, &model, i + 1);
  return tape_mean_loss (tape, losses, n_segments);
}

const Workload workload_transformer_xl = {
  .family = { .name = "transformer-xl",
              .blurb = N_ ("attention with a memory of the segment before, over a few segments"),
              .source = "Dai et al. 2019",
              .knobs = knobs,
              .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_adam,
  .coarsen = workload_coarsen,
};
