/* rnnlm.c: the recurrent language model: an embedding, LSTM layers, a softmax at every step.
 *
 * Zaremba, Sutskever and Vinyals (2014), "Recurrent neural network regularization": dropout between
 * layers, not in time; Jozefowicz et al. (2016), "Exploring the limits of language modeling":
 * 2048 units, Adagrad, gradients clipped by their norm. The vocabulary is WikiText-2's (Merity et
 * al. 2016): 33,278 words; PTB's is 10,000.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-ops.h"

static const GobanKnob knobs[] = {
  { "layers", N_ ("LSTM layers"), NULL, 2, 1, 1024 },
  { "steps", N_ ("words in a row"), NULL, 40, 1, 4096 },
  { "batch", N_ ("rows of words"), NULL, 64, 1, 65536 },
  { "width", N_ ("units of a layer"), NULL, 2048, 1, 65536 },
  { "vocabulary", N_ ("words there are"), NULL, 33278, 2, 10000000 },
};

typedef struct
{
  LstmWeights weights;
  LstmState state;
} Layer;

typedef struct
{
  Variable table;
  Layer *layers;
  guint n_layers;
  gint64 batch;
  Value ids;    /* (steps, batch) */
  Value labels; /* (steps, batch) */
  Value softmax_kernel;
  Value softmax_bias;
} Model;

static double
estimate_nodes (const Spec *spec)
{
  return (double) spec_get (spec, "steps") * (90.0 * (double) spec_get (spec, "layers") + 50);
}

/* The losses of one step, summed over the batch. */
static Value
step_loss (Tape *tape, const Model *model, Value x, guint step)
{
  x = tape_matmul (tape, x, model->softmax_kernel);
  x = tape_bias_add (tape, x, model->softmax_bias);
  return tape_sum (tape, tape_cross_entropy (tape, x, tape_pick (tape, model->labels, step - 1)), 1,
                   FALSE);
}

static Value
build_step (Tape *tape, Model *model, guint step)
{
  Value x;

  tape_push (tape, "embedding/step_%u", step);
  x = tape_gather (tape, model->table, tape_pick (tape, model->ids, step - 1));
  x = tape_dropout (tape, x);
  tape_pop (tape);
  for (guint i = 0; i < model->n_layers; i++)
    {
      Layer *layer = &model->layers[i];

      tape_push (tape, "rnn/layer_%u/step_%u", i + 1, step);
      layer->state = tape_lstm_step (tape, &layer->weights, &x, 1, layer->state);
      x = tape_dropout (tape, layer->state.h);
      tape_pop (tape);
    }
  tape_push (tape, "softmax/step_%u", step);
  x = step_loss (tape, model, x, step);
  tape_pop (tape);
  return x;
}

static Value
build (Tape *tape, const Spec *spec)
{
  guint n_steps = (guint) spec_get (spec, "steps");
  guint n_layers = (guint) spec_get (spec, "layers");
  g_autofree Value *losses = g_new (Value, n_steps);
  g_autofree Layer *layers = g_new (Layer, n_layers);
  Model model = { .layers = layers, .n_layers = n_layers, .batch = spec_get (spec, "batch") };

  gint64 width = spec_get (spec, "width");
  gint64 vocabulary = spec_get (spec, "vocabulary");
  Shape words = SHAPE (spec_get (spec, "steps"), model.batch);

  tape_push (tape, "embedding");
  model.ids = tape_input (tape, "ids", words, "s32");
  model.table = tape_variable (tape, "table", SHAPE (vocabulary, width));
  tape_pop (tape);
  for (guint i = 0; i < model.n_layers; i++)
    {
      tape_push (tape, "rnn/layer_%u", i + 1);
      model.layers[i].weights = tape_lstm_weights (tape, width, width);
      model.layers[i].state = tape_lstm_zero_state (tape, model.batch, width);
      tape_pop (tape);
    }
  tape_push (tape, "softmax");
  model.labels = tape_input (tape, "labels", words, "s32");
  model.softmax_kernel
      = tape_read (tape, tape_variable (tape, "kernel", SHAPE (width, vocabulary)));
  model.softmax_bias = tape_read (tape, tape_variable (tape, "bias", SHAPE (vocabulary)));
  tape_pop (tape);

  for (guint i = 0; i < n_steps; i++)
    losses[i] = build_step (tape, &model, i + 1);
  return tape_mean_loss (tape, losses, n_steps);
}

const Workload workload_rnnlm = {
  .family = { .name = "rnnlm",
              .blurb = N_ ("recurrent language model: LSTM layers unrolled in time"),
              .source = "Zaremba et al. 2014; Jozefowicz et al. 2016",
              .knobs = knobs,
              .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_adagrad,
  .coarsen = workload_coarsen,
};
