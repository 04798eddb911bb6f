/* gnmt.c: Google's neural machine translation system: an encoder, a decoder, attention between.
 *
 * Wu et al. (2016), "Google's neural machine translation system": the encoder's first layer looks
 * both ways; residual connections from the third layer on; the decoder's first layer of the step
 * before asks the attention, and its answer is fed to all layers of the decoder; 1024 units, 32,000
 * word pieces, Adam, gradients clipped by their norm. Attention is Bahdanau's, normed (Salimans and
 * Kingma 2016) as in TensorFlow's tutorial of it. Sentences of "steps" words on both sides.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-ops.h"

static const GobanKnob knobs[] = {
  { "layers", N_ ("LSTM layers of the encoder, and of the decoder"), NULL, 2, 1, 1024 },
  { "steps", N_ ("words of a sentence"), NULL, 50, 1, 4096 },
  { "batch", N_ ("pairs of sentences"), NULL, 128, 1, 65536 },
  { "width", N_ ("units of a layer"), NULL, 1024, 1, 65536 },
  { "vocabulary", N_ ("word pieces of either language"), NULL, 32000, 2, 10000000 },
};

/* Layers below this one have no residual connection; counted from 0. */
#define FIRST_RESIDUAL 2

typedef struct
{
  LstmWeights weights;
  LstmState state;
} Cell;

typedef struct
{
  guint n_layers;
  guint n_steps;
  gint64 batch;
  gint64 width;
  gint64 vocabulary;
  Value query_kernel;
  Value score_vector; /* normed */
  Value score_bias;
  Value memory;          /* (batch, steps, width): output of the encoder */
  Value keys;            /* the same, as the attention sees it */
  Variable target_table; /* embedding of the decoder */
  Value softmax_kernel;
  Value softmax_bias;
  Cell *decoder; /* (n_layers) */
} Model;

static double
estimate_nodes (const Spec *spec)
{
  return (double) spec_get (spec, "steps") * (190.0 * (double) spec_get (spec, "layers") + 190);
}

static Cell
make_cell (Tape *tape, const Model *model, gint64 n_in)
{
  return (Cell){ .weights = tape_lstm_weights (tape, n_in, model->width),
                 .state = tape_lstm_zero_state (tape, model->batch, model->width) };
}

static Value
embed (Tape *tape, const Model *model, Variable table)
{
  Value ids = tape_input (tape, "ids", SHAPE (model->batch), "s32");

  return tape_gather (tape, table, ids);
}

static Variable
make_table (Tape *tape, const Model *model)
{
  return tape_variable (tape, "table", SHAPE (model->vocabulary, model->width));
}

/* --- encoder -------------------------------------------------------------------------------- */

/* One cell over all steps of x (n_steps), forwards or backwards; y (n_steps). */
static void
run_direction (Tape *tape, const Model *model, const char *direction, const Value *x, Value *y)
{
  gboolean is_backward = direction[0] == 'b';
  Cell cell;

  tape_push (tape, "encoder/layer_1/%s", direction);
  cell = make_cell (tape, model, model->width);
  tape_pop (tape);
  for (guint i = 0; i < model->n_steps; i++)
    {
      guint step = is_backward ? model->n_steps - 1 - i : i;
      Value input;

      tape_push (tape, "encoder/layer_1/step_%u/%s", step + 1, direction);
      input = tape_dropout (tape, x[step]);
      cell.state = tape_lstm_step (tape, &cell.weights, &input, 1, cell.state);
      y[step] = cell.state.h;
      tape_pop (tape);
    }
}

/* x (n_steps) is replaced. */
static void
run_bottom (Tape *tape, const Model *model, Value *x)
{
  g_autofree Value *forward = g_new (Value, model->n_steps);
  g_autofree Value *backward = g_new (Value, model->n_steps);

  run_direction (tape, model, "forward", x, forward);
  run_direction (tape, model, "backward", x, backward);
  for (guint i = 0; i < model->n_steps; i++)
    {
      tape_push (tape, "encoder/layer_1/step_%u", i + 1);
      x[i] = tape_concat (tape, (Value[]){ forward[i], backward[i] }, 2, 1);
      tape_pop (tape);
    }
}

static void
run_encoder_layer (Tape *tape, const Model *model, guint layer, Value *x)
{
  Cell cell;

  tape_push (tape, "encoder/layer_%u", layer + 1);
  cell = make_cell (tape, model, layer == 1 ? 2 * model->width : model->width);
  for (guint i = 0; i < model->n_steps; i++)
    {
      Value input;

      tape_push (tape, "step_%u", i + 1);
      input = tape_dropout (tape, x[i]);
      cell.state = tape_lstm_step (tape, &cell.weights, &input, 1, cell.state);
      x[i] = layer >= FIRST_RESIDUAL ? tape_add (tape, cell.state.h, x[i]) : cell.state.h;
      tape_pop (tape);
    }
  tape_pop (tape);
}

/* --- attention ------------------------------------------------------------------------------ */

/* g v / |v|, once for all steps. */
static Value
norm_vector (Tape *tape, gint64 width)
{
  Value v = tape_read (tape, tape_variable (tape, "v", SHAPE (width)));
  Value g = tape_read (tape, tape_variable (tape, "g", SHAPE_SCALAR));
  Value norm = tape_rsqrt (tape, tape_sum (tape, tape_square (tape, v), 1, FALSE));

  return tape_mul (tape, tape_mul (tape, g, v), norm);
}

/* The encoder's outputs, weighted by their match with the query (batch, width). */
static Value
attend (Tape *tape, const Model *model, Value query)
{
  Value x = tape_expand_dims (tape, tape_matmul (tape, query, model->query_kernel), 1);

  x = tape_add (tape, model->keys, tape_add (tape, x, model->score_bias));
  x = tape_mul (tape, tape_tanh (tape, x), model->score_vector);
  x = tape_softmax (tape, tape_sum (tape, x, 1 << 2, FALSE));
  x = tape_expand_dims (tape, x, 1);
  x = tape_batch_matmul (tape, x, model->memory, TAPE_PLAIN);
  return tape_squeeze (tape, x, 1);
}

/* --- decoder -------------------------------------------------------------------------------- */

/* The losses of one step, summed over the batch. */
static Value
decode_step (Tape *tape, Model *model, guint step)
{
  Value context;
  Value x;

  tape_push (tape, "decoder/embedding/step_%u", step);
  x = embed (tape, model, model->target_table);
  tape_pop (tape);
  tape_push (tape, "decoder/attention/step_%u", step);
  context = attend (tape, model, model->decoder[0].state.h);
  tape_pop (tape);
  for (guint i = 0; i < model->n_layers; i++)
    {
      tape_push (tape, "decoder/layer_%u/step_%u", i + 1, step);

      Cell *cell = &model->decoder[i];
      Value inputs[] = { tape_dropout (tape, x), context };

      cell->state = tape_lstm_step (tape, &cell->weights, inputs, 2, cell->state);
      x = i >= FIRST_RESIDUAL ? tape_add (tape, cell->state.h, x) : cell->state.h;

      tape_pop (tape);
    }
  tape_push (tape, "softmax/step_%u", step);
  x = tape_bias_add (tape, tape_matmul (tape, x, model->softmax_kernel), model->softmax_bias);
  x = tape_cross_entropy (tape, x, tape_input (tape, "labels", SHAPE (model->batch), "s32"));
  x = tape_sum (tape, x, 1, FALSE);
  tape_pop (tape);
  return x;
}

static Value
build (Tape *tape, const Spec *spec)
{
  guint n_layers = (guint) spec_get (spec, "layers");
  guint n_steps = (guint) spec_get (spec, "steps");
  g_autofree Value *steps = g_new (Value, n_steps);
  g_autofree Cell *decoder = g_new (Cell, n_layers);
  Model model = {
    .n_layers = n_layers,
    .n_steps = n_steps,
    .batch = spec_get (spec, "batch"),
    .width = spec_get (spec, "width"),
    .vocabulary = spec_get (spec, "vocabulary"),
    .decoder = decoder,
  };

  /* y (n_steps): the encoder's output for each word. */
  Variable table;

  tape_push (tape, "encoder/embedding");
  table = make_table (tape, &model);
  for (guint i = 0; i < model.n_steps; i++)
    {
      tape_push (tape, "step_%u", i + 1);
      steps[i] = embed (tape, &model, table);
      tape_pop (tape);
    }
  tape_pop (tape);

  run_bottom (tape, &model, steps);
  for (guint i = 1; i < model.n_layers; i++)
    run_encoder_layer (tape, &model, i, steps);

  gint64 n_in = tape_dim (tape, steps[0], 1);
  gint64 n_rows = model.batch * model.n_steps;
  Value kernel;
  Value keys;

  tape_push (tape, "decoder/attention");
  model.memory = tape_stack (tape, steps, model.n_steps);
  model.memory = tape_transpose (tape, model.memory, (const guint[]){ 1, 0, 2 });
  kernel = tape_read (tape, tape_variable (tape, "memory_kernel", SHAPE (n_in, model.width)));
  keys = tape_matmul (tape, tape_reshape (tape, model.memory, SHAPE (n_rows, n_in)), kernel);
  model.keys = tape_reshape (tape, keys, SHAPE (model.batch, model.n_steps, model.width));
  model.query_kernel
      = tape_read (tape, tape_variable (tape, "query_kernel", SHAPE (model.width, model.width)));
  model.score_vector = norm_vector (tape, model.width);
  model.score_bias = tape_read (tape, tape_variable (tape, "bias", SHAPE (model.width)));
  tape_pop (tape);

  gint64 n_context = tape_dim (tape, model.memory, 2);

  tape_push (tape, "decoder/embedding");
  model.target_table = make_table (tape, &model);
  tape_pop (tape);
  for (guint i = 0; i < model.n_layers; i++)
    {
      tape_push (tape, "decoder/layer_%u", i + 1);
      model.decoder[i] = make_cell (tape, &model, model.width + n_context);
      tape_pop (tape);
    }
  tape_push (tape, "softmax");
  model.softmax_kernel
      = tape_read (tape, tape_variable (tape, "kernel", SHAPE (model.width, model.vocabulary)));
  model.softmax_bias = tape_read (tape, tape_variable (tape, "bias", SHAPE (model.vocabulary)));
  tape_pop (tape);

  for (guint i = 0; i < n_steps; i++)
    steps[i] = decode_step (tape, &model, i + 1);
  return tape_mean_loss (tape, steps, n_steps);
}

const Workload workload_gnmt = {
  .family
  = { .name = "gnmt",
      .blurb = N_ ("neural machine translation: encoder, attention and decoder unrolled in time"),
      .source = "Wu et al. 2016",
      .knobs = knobs,
      .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_adam,
  .coarsen = workload_coarsen,
};
