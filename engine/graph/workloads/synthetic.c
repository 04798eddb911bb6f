/* synthetic.c: random networks, for lessons and tests: no two seeds have the same structure.
 *
 * A seed draws a style, a size, the shapes of activations and weights, and which blocks there are:
 *   grid      recurrent layers unrolled in time, sometimes with a decoder that attends to all steps
 *   towers    the same layers for segment after segment, each reading the segment before
 *   deep      blocks in a row, with skip connections to the end
 *   branches  cells of five pairs of ops on two hidden states, as architecture search finds them
 *   multi     several networks beside each other that exchange what they know now and then
 * Gradients and updates are those of any other family. After the synthetic graphs of Paliwal et al.
 * (2020) and Zhou et al. (2020) in purpose; the structures are ours.
 */
#include "engine/core/i18n.h"
#include "engine/core/rng.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-conv.h"
#include "engine/graph/workloads/tape-ops.h"

/* --- blocks --------------------------------------------------------------- */

/* The content of a block follows from the seed and the block's scope: the same layer has the same
 * structure and the same weights at every step, and another layer others. All draws are of whole
 * numbers, so a network does not depend on the machine's floating point. */

typedef enum
{
  SYNTHETIC_CHAIN,    /* products and elementwise ops in a row */
  SYNTHETIC_BRANCHES, /* several chains beside each other, summed */
  SYNTHETIC_SKIP,     /* a gated unit with a residual and a skip connection */
  /* self-attention and a feed-forward part, each with a residual; not of maps */
  SYNTHETIC_ATTENTION,
  SYNTHETIC_N_BLOCKS
} SyntheticBlock;

typedef struct
{
  Tape *tape;
  guint64 seed;
  guint n_wanted;    /* forward nodes, about */
  gboolean has_maps; /* activations are (n, h, w, width), else (rows, width) */
  gint64 rows;       /* of an activation, or maps */
  gint64 side;       /* h and w of maps */
  gint64 width;
  gint64 vocabulary; /* rows of embeddings, and classes */
  SyntheticBlock kinds[2];
  guint step;             /* 0: outside of steps */
  GHashTable *weights;    /* scope to Value: kernels that have been read */
  gboolean gathers_skips; /* to the end; else a skip is one more residual */
  GArray *skips;          /* Value */
  GArray *losses;         /* Value */
} Synthetic;

#define MAX_BRANCHES 6
#define MAX_CLASSES_OF_MAPS 1000
#define N_CHANNELS 3

/* Chance of the seed and a scope. */
static GobanRng
synthetic_rng (const Synthetic *self, const char *scope)
{
  GobanRng rng;

  goban_rng_init (&rng, self->seed * 0x9e3779b97f4a7c15u + g_str_hash (scope));
  return rng;
}

/* In least .. most. */
static guint
synthetic_draw (GobanRng *rng, guint least, guint most)
{
  return least + goban_rng_below (rng, most - least + 1);
}

/* Weights are in SCOPE, the ops of a step in SCOPE/step_N. */
static void
synthetic_push (const Synthetic *self, const char *scope)
{
  if (self->step > 0)
    tape_push (self->tape, "%s/step_%u", scope, self->step);
  else
    tape_push (self->tape, "%s", scope);
}

static void
synthetic_pop (const Synthetic *self)
{
  tape_pop (self->tape);
}

/* --- layers --------------------------------------------------------------------------------- */

static Value
get_kernel (Synthetic *self, const char *scope, Shape shape)
{
  gpointer found = g_hash_table_lookup (self->weights, scope);
  Value kernel;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  tape_push (self->tape, "%s", scope);
  kernel = tape_read (self->tape, tape_variable (self->tape, "kernel", shape));
  tape_pop (self->tape);
  g_hash_table_insert (self->weights, g_strdup (scope), GUINT_TO_POINTER (kernel + 1));
  return kernel;
}

/* x times a kernel of the scope: a product of matrices, or a convolution. */
static Value
synthetic_project (Synthetic *self, const char *scope, Value x, gint64 n_out)
{
  GobanRng rng = synthetic_rng (self, scope);
  gint64 window = synthetic_draw (&rng, 0, 2) == 0 ? 3 : 1;
  gint64 n_in = tape_dim (self->tape, x, self->has_maps ? 3 : 1);
  Value kernel = get_kernel (
      self, scope, self->has_maps ? SHAPE (window, window, n_in, n_out) : SHAPE (n_in, n_out));

  synthetic_push (self, scope);
  x = self->has_maps ? tape_conv_2d (self->tape, x, kernel, 1, TAPE_SAME)
                     : tape_matmul (self->tape, x, kernel);
  synthetic_pop (self);
  return x;
}

/* An elementwise function that the scope draws. */
static Value
synthetic_activate (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint drawn = synthetic_draw (&rng, 0, 3);

  synthetic_push (self, scope);
  switch (drawn)
    {
    case 0:
      x = tape_tanh (self->tape, x);
      break;
    case 1:
      x = tape_sigmoid (self->tape, tape_offset (self->tape, x));
      break;
    case 2:
      x = tape_mul (self->tape, x, tape_sigmoid (self->tape, x));
      break;
    default:
      x = tape_relu (self->tape, x);
    }
  synthetic_pop (self);
  return x;
}

static Value
add (Synthetic *self, const char *scope, Value a, Value b)
{
  Value sum;

  synthetic_push (self, scope);
  sum = tape_add (self->tape, a, b);
  synthetic_pop (self);
  return sum;
}

static char *
nest (const char *scope, const char *name, guint i)
{
  return g_strdup_printf ("%s/%s_%u", scope, name, i + 1);
}

/* --- blocks --------------------------------------------------------------------------------- */

static Value
build_chain (Synthetic *self, const char *scope, Value x, gint64 n_out)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint length = synthetic_draw (&rng, 1, 4);

  for (guint i = 0; i < length; i++)
    {
      g_autofree char *link = nest (scope, "link", i);

      if (i == 0 || synthetic_draw (&rng, 0, 1) == 0)
        x = synthetic_project (self, link, x, n_out);
      x = synthetic_activate (self, link, x);
    }
  return x;
}

static Value
build_branches (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint n = synthetic_draw (&rng, 2, MAX_BRANCHES);
  Value ends[MAX_BRANCHES];
  Value sum;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *branch = nest (scope, "branch", i);
      g_autofree char *end = nest (scope, "end", i);
      gint64 width = self->width * synthetic_draw (&rng, 1, 4) / 2;

      ends[i] = synthetic_project (self, end, build_chain (self, branch, x, width), self->width);
    }
  synthetic_push (self, scope);
  sum = tape_add_n (self->tape, ends, n);
  synthetic_pop (self);
  return sum;
}

static Value
build_skip (Synthetic *self, const char *scope, Value x)
{
  g_autofree char *filter = g_strconcat (scope, "/filter", NULL);
  g_autofree char *gate = g_strconcat (scope, "/gate", NULL);
  g_autofree char *skip = g_strconcat (scope, "/skip", NULL);
  g_autofree char *dense = g_strconcat (scope, "/dense", NULL);
  Value a = synthetic_project (self, filter, x, self->width);
  Value b = synthetic_project (self, gate, x, self->width);
  Value gated;
  Value aside;

  synthetic_push (self, scope);
  gated = tape_mul (self->tape, tape_tanh (self->tape, a), tape_sigmoid (self->tape, b));
  synthetic_pop (self);
  aside = synthetic_project (self, skip, gated, self->width);
  if (self->gathers_skips)
    g_array_append_val (self->skips, aside);
  else
    x = add (self, scope, x, aside);
  return add (self, scope, x, synthetic_project (self, dense, gated, self->width));
}

/* Rows attend to the rows of their own group. */
static Value
attend (Synthetic *self, const char *scope, const Value operands[3])
{
  GobanRng rng = synthetic_rng (self, scope);
  gint64 n_groups = 1 << synthetic_draw (&rng, 0, 4);
  Shape grouped;
  Value parts[3];
  Value y;

  while (self->rows % n_groups != 0)
    n_groups /= 2;
  grouped = SHAPE (n_groups, self->rows / n_groups, self->width);
  synthetic_push (self, scope);
  for (guint i = 0; i < 3; i++)
    parts[i] = tape_reshape (self->tape, operands[i], grouped);
  y = tape_batch_matmul (self->tape, parts[0], parts[1], TAPE_TRANSPOSE_B);
  y = tape_softmax (self->tape, tape_scale (self->tape, y));
  y = tape_batch_matmul (self->tape, y, parts[2], TAPE_PLAIN);
  y = tape_reshape (self->tape, y, SHAPE (self->rows, self->width));
  synthetic_pop (self);
  return y;
}

static Value
build_attention (Synthetic *self, const char *scope, Value x)
{
  static const char *const names[] = { "query", "key", "value" };
  g_autofree char *output = g_strconcat (scope, "/output", NULL);
  g_autofree char *inner = g_strconcat (scope, "/inner", NULL);
  g_autofree char *outer = g_strconcat (scope, "/outer", NULL);
  GobanRng rng = synthetic_rng (self, output);
  Value operands[G_N_ELEMENTS (names)];
  Value y;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *part = g_strdup_printf ("%s/%s", scope, names[i]);

      operands[i] = synthetic_project (self, part, x, self->width);
    }
  y = synthetic_project (self, output, attend (self, scope, operands), self->width);
  x = add (self, scope, x, y);
  y = synthetic_project (self, inner, x, self->width * synthetic_draw (&rng, 1, 4));
  y = synthetic_project (self, outer, synthetic_activate (self, inner, y), self->width);
  return add (self, scope, x, y);
}

/* A block of the kind that the scope draws; its output is of the network's width. */
static Value
synthetic_block (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);

  switch (self->kinds[synthetic_draw (&rng, 0, G_N_ELEMENTS (self->kinds) - 1)])
    {
    case SYNTHETIC_BRANCHES:
      return build_branches (self, scope, x);
    case SYNTHETIC_SKIP:
      return build_skip (self, scope, x);
    case SYNTHETIC_ATTENTION:
      return build_attention (self, scope, x);
    case SYNTHETIC_CHAIN:
    case SYNTHETIC_N_BLOCKS:
      break;
    }
  return build_chain (self, scope, x, self->width);
}

/* --- both ends ------------------------------------------------------------------------------ */

static Value
gather (Synthetic *self, const char *scope)
{
  g_autofree char *key = g_strconcat (scope, "/table", NULL);
  gpointer found = g_hash_table_lookup (self->weights, key);
  Variable table = found != NULL ? GPOINTER_TO_UINT (found) - 1 : 0;
  Value x;

  if (found == NULL)
    {
      tape_push (self->tape, "%s", scope);
      table = tape_variable (self->tape, "table", SHAPE (self->vocabulary, self->width));
      tape_pop (self->tape);
      g_hash_table_insert (self->weights, g_steal_pointer (&key), GUINT_TO_POINTER (table + 1));
    }
  synthetic_push (self, scope);
  x = tape_gather (self->tape, table, tape_input (self->tape, "ids", SHAPE (self->rows), "s32"));
  synthetic_pop (self);
  return x;
}

/* Input of the network. */
static Value
synthetic_embed (Synthetic *self, const char *scope)
{
  Value x;

  if (!self->has_maps)
    return gather (self, scope);
  synthetic_push (self, scope);
  x = tape_input (self->tape, "images", SHAPE (self->rows, self->side, self->side, N_CHANNELS),
                  "f32");
  synthetic_pop (self);
  return synthetic_project (self, scope, x, self->width);
}

/* A softmax's loss. */
static void
synthetic_lose (Synthetic *self, const char *scope, Value x)
{
  gint64 n_classes
      = self->has_maps ? MIN (self->vocabulary, MAX_CLASSES_OF_MAPS) : self->vocabulary;
  Value kernel = get_kernel (self, scope, SHAPE (self->width, n_classes));
  Value loss;

  synthetic_push (self, scope);
  if (self->has_maps)
    x = tape_mean (self->tape, x, 1 << 1 | 1 << 2, FALSE);
  x = tape_matmul (self->tape, x, kernel);
  x = tape_cross_entropy (self->tape, x,
                          tape_input (self->tape, "labels", SHAPE (self->rows), "s32"));
  loss = tape_sum (self->tape, x, 1, FALSE);
  synthetic_pop (self);
  g_array_append_val (self->losses, loss);
}

/* --- the families --------------------------------------------------------- */

#define LEAST_NODES 150
#define MOST_NODES 2400
/* Nodes of a training graph for each node of its forward pass. */
#define NODES_PER_FORWARD_NODE 3

/* Elements of one activation, and of all activations of a network. */
#define MOST_ELEMENTS 16.0e6
#define MOST_ELEMENTS_IN_ALL 2.0e9

#define MOST_LAYERS 8
#define LEAST_STEPS 3
#define MOST_NETWORKS 4
#define N_PAIRS 5

static const char *const styles[] = { "any", "grid", "towers", "deep", "branches", "multi", NULL };

static const GobanKnob knobs[] = {
  { .name = "seed", .meaning = N_ ("which network"), .minimum = 0, .maximum = 1000000000 },
  { .name = "style", .meaning = N_ ("its structure; any: drawn by the seed"), .words = styles },
  { .name = "nodes",
    .meaning = N_ ("about how many, in training; 0: drawn by the seed"),
    .minimum = 0,
    .maximum = 1000000 },
  { .name = "batch",
    .meaning = N_ ("rows of an activation; 0: drawn by the seed"),
    .minimum = 0,
    .maximum = 65536 },
};

/* --- random draws --------------------------------------------------------------------------- */

static GobanRng
begin (const Spec *spec)
{
  GobanRng rng;

  goban_rng_init (&rng, (guint64) spec_get (spec, "seed"));
  return rng;
}

/* Small networks are as likely as large ones: the logarithm of the size is uniform. */
static guint
draw_nodes (const Spec *spec, GobanRng *rng)
{
  guint nodes = LEAST_NODES * synthetic_draw (rng, 4, 7) / 4;
  guint n_doublings = synthetic_draw (rng, 0, 4);

  return spec_get (spec, "nodes") > 0 ? (guint) spec_get (spec, "nodes")
                                      : MIN (nodes << n_doublings, MOST_NODES);
}

static double
estimate_nodes (const Spec *spec)
{
  GobanRng rng = begin (spec);

  return draw_nodes (spec, &rng);
}

static gint64
draw_width (GobanRng *rng, guint least, guint most)
{
  static const gint64 mantissas[] = { 8, 10, 12, 14 };

  gint64 mantissa = mantissas[synthetic_draw (rng, 0, 3)];

  return mantissa << synthetic_draw (rng, least, most);
}

static void
draw_shapes (Synthetic *self, const Spec *spec, GobanRng *rng)
{
  static const gint64 sides[] = { 7, 14, 28, 56 };
  double most = MIN (MOST_ELEMENTS, MOST_ELEMENTS_IN_ALL / self->n_wanted);
  gint64 wanted = spec_get (spec, "batch");

  self->has_maps = synthetic_draw (rng, 0, 3) == 0;
  self->side = self->has_maps ? sides[synthetic_draw (rng, 0, 3)] : 1;
  self->width = draw_width (rng, self->has_maps ? 2 : 4, self->has_maps ? 5 : 8);
  self->vocabulary = draw_width (rng, 7, 12);
  self->rows = (gint64) 1 << synthetic_draw (rng, 5, self->has_maps ? 7 : 12);
  while (self->rows > 16 && (double) (self->rows * self->side * self->side * self->width) > most)
    self->rows /= 2;
  while (self->rows > 16 && (double) (self->rows * self->vocabulary) > most
         && self->vocabulary > 1000)
    self->vocabulary /= 2;
  if (wanted > 0)
    self->rows = wanted;
}

static void
draw (Synthetic *self, Tape *tape, const Spec *spec, GobanRng *rng)
{
  *self = (Synthetic){
    .tape = tape,
    .seed = (guint64) spec_get (spec, "seed") + 1,
    .n_wanted = draw_nodes (spec, rng) / NODES_PER_FORWARD_NODE,
    .weights = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .skips = g_array_new (FALSE, FALSE, sizeof (Value)),
    .losses = g_array_new (FALSE, FALSE, sizeof (Value)),
  };
  draw_shapes (self, spec, rng);
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    self->kinds[i] = synthetic_draw (rng, 0, SYNTHETIC_N_BLOCKS - (self->has_maps ? 2 : 1));
}

static void
clear (Synthetic *self)
{
  g_hash_table_unref (self->weights);
  g_array_unref (self->skips);
  g_array_unref (self->losses);
}

/* Whether @share of the forward nodes are there. */
static gboolean
is_full (const Synthetic *self, double share)
{
  return tape_get_n_nodes (self->tape) >= share * self->n_wanted;
}

/* --- grid ----------------------------------------------------------------------------------- */

typedef struct
{
  gboolean is_lstm;
  char *scope;
  LstmWeights weights;
  LstmState state;
} Layer;

/* Recurrent layers without maps: a step is a vector a row. */
static void
begin_layers (Synthetic *self, Layer *layers, guint n, const char *part, gboolean are_lstm)
{
  for (guint i = 0; i < n; i++)
    {
      layers[i]
          = (Layer){ .is_lstm = are_lstm, .scope = g_strdup_printf ("%s/layer_%u", part, i + 1) };
      tape_push (self->tape, "%s", layers[i].scope);
      if (are_lstm)
        layers[i].weights = tape_lstm_weights (self->tape, self->width, self->width);
      layers[i].state = tape_lstm_zero_state (self->tape, self->rows, self->width);
      tape_pop (self->tape);
    }
}

static Value
step_layer (Synthetic *self, Layer *layer, Value x)
{
  if (layer->is_lstm)
    {
      synthetic_push (self, layer->scope);
      layer->state = tape_lstm_step (self->tape, &layer->weights, &x, 1, layer->state);
      synthetic_pop (self);
      return layer->state.h;
    }
  synthetic_push (self, layer->scope);
  x = tape_concat (self->tape, (Value[]){ x, layer->state.h }, 2, 1);
  synthetic_pop (self);
  layer->state.h = synthetic_block (self, layer->scope,
                                    synthetic_project (self, layer->scope, x, self->width));
  return layer->state.h;
}

/* One layer over all steps, to and fro. */
static void
run_layer (Synthetic *self, Layer *layer, Value *xs, guint n, gboolean is_reversed)
{
  for (guint i = 0; i < n; i++)
    {
      guint at = is_reversed ? n - 1 - i : i;

      self->step = at + 1;
      xs[at] = step_layer (self, layer, xs[at]);
    }
  self->step = 0;
}

/* What a decoder's step sees of all steps of the encoder. memory (n, rows, width) */
static Value
look_back (Synthetic *self, const char *scope, Value memory, Value h)
{
  Tape *tape = self->tape;
  Value weights;
  Value seen;

  synthetic_push (self, scope);
  weights = tape_tanh (tape, tape_sum (tape, tape_mul (tape, memory, h), 1 << 2, TRUE));
  seen = tape_sum (tape, tape_mul (tape, memory, weights), 1, FALSE);
  seen = tape_add (tape, seen, h);
  synthetic_pop (self);
  return seen;
}

static void
decode (Synthetic *self, const Value *xs, guint n, guint n_layers, gboolean are_lstm)
{
  g_autofree Layer *layers = g_new (Layer, n_layers);
  Value memory;

  begin_layers (self, layers, n_layers, "decoder", are_lstm);
  tape_push (self->tape, "memory");
  memory = tape_stack (self->tape, xs, n);
  tape_pop (self->tape);
  for (guint i = 0; i < n; i++)
    {
      Value x;

      self->step = i + 1;
      x = synthetic_embed (self, "decoder/embedding");
      for (guint l = 0; l < n_layers; l++)
        {
          x = step_layer (self, &layers[l], x);
          if (l == 0)
            x = look_back (self, "decoder/attention", memory, x);
        }
      synthetic_lose (self, "softmax", x);
    }
  self->step = 0;
  for (guint l = 0; l < n_layers; l++)
    g_free (layers[l].scope);
}

/* All layers of one step, made to be counted on a tape of its own, which is thrown away. */
static guint
measure_step (const Synthetic *self, guint n_layers, gboolean are_lstm)
{
  Synthetic probe = *self;
  g_autoptr (Tape) tape = tape_new ("probe", FALSE);
  g_autofree Layer *layers = g_new (Layer, n_layers);
  guint n_before;
  Value x;

  probe.tape = tape;
  probe.weights = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  probe.skips = g_array_new (FALSE, FALSE, sizeof (Value));
  probe.losses = g_array_new (FALSE, FALSE, sizeof (Value));
  begin_layers (&probe, layers, n_layers, "encoder", are_lstm);
  n_before = tape_get_n_nodes (tape);
  x = synthetic_embed (&probe, "embedding");
  for (guint i = 0; i < n_layers; i++)
    {
      x = step_layer (&probe, &layers[i], x);
      g_free (layers[i].scope);
    }
  synthetic_lose (&probe, "softmax", x);
  n_before = tape_get_n_nodes (tape) - n_before;
  clear (&probe);
  return n_before;
}

/* As many steps as fill the network, and fewer layers if three steps would be too many. */
static guint
choose_steps (const Synthetic *self, guint *n_layers, gboolean are_lstm, gboolean has_decoder)
{
  /* A step of a recurrence has more gradients than other layers: states have two readers. */
  guint wanted = self->n_wanted * 3 / 4 / (has_decoder ? 2 : 1);
  guint n = measure_step (self, *n_layers, are_lstm);

  while (LEAST_STEPS * n > wanted && *n_layers > 1)
    n = measure_step (self, --*n_layers, are_lstm);
  return MAX (LEAST_STEPS, wanted / n);
}

static void
build_grid (Synthetic *self, GobanRng *rng)
{
  guint n_layers = synthetic_draw (rng, 1, MIN (MOST_LAYERS, 1 + self->n_wanted / 100));
  gboolean has_decoder = synthetic_draw (rng, 0, 2) == 0;
  gboolean are_lstm = synthetic_draw (rng, 0, 1) == 0;
  gboolean is_reversed = synthetic_draw (rng, 0, 2) == 0;
  g_autofree Layer *layers = NULL;
  g_autofree Value *xs = NULL;
  guint n;

  self->has_maps = FALSE;
  n = choose_steps (self, &n_layers, are_lstm, has_decoder);
  layers = g_new (Layer, n_layers);
  xs = g_new (Value, n);
  for (self->step = 1; self->step <= n; self->step++)
    xs[self->step - 1] = synthetic_embed (self, "embedding");
  self->step = 0;
  begin_layers (self, layers, n_layers, "encoder", are_lstm);
  for (guint i = 0; i < n_layers; i++)
    {
      run_layer (self, &layers[i], xs, n, i == 0 && is_reversed);
      g_free (layers[i].scope);
    }
  if (has_decoder)
    decode (self, xs, n, n_layers, are_lstm);
  for (self->step = 1; !has_decoder && self->step <= n; self->step++)
    synthetic_lose (self, "softmax", xs[self->step - 1]);
  self->step = 0;
}

/* --- stacks of blocks ----------------------------------------------------------------------- */

/* Layers of a tower: as many as fill the first one's share; previous (element-type Value) */
static void
build_tower (Synthetic *self, guint n_towers, GArray *previous)
{
  Value x = synthetic_embed (self, "embedding");
  gboolean is_first = previous->len == 0;

  for (guint i = 0; is_first ? i == 0 || !is_full (self, 1.0 / n_towers) : i < previous->len; i++)
    {
      g_autofree char *scope = g_strdup_printf ("tower/layer_%u", i + 1);

      if (!is_first)
        x = add (self, scope, x, g_array_index (previous, Value, i));
      x = synthetic_block (self, scope, x);
      if (is_first)
        g_array_append_val (previous, x);
      else
        g_array_index (previous, Value, i) = x;
    }
  synthetic_lose (self, "softmax", x);
}

static void
build_towers (Synthetic *self, GobanRng *rng)
{
  guint n = synthetic_draw (rng, 2, 6);
  g_autoptr (GArray) previous = g_array_new (FALSE, FALSE, sizeof (Value));

  for (self->step = 1; self->step <= n; self->step++)
    build_tower (self, n, previous);
  self->step = 0;
}

static void
lose_with_skips (Synthetic *self, Value x)
{
  if (self->skips->len > 0)
    {
      g_array_append_val (self->skips, x);
      tape_push (self->tape, "skips");
      x = tape_add_n (self->tape, (const Value *) self->skips->data, self->skips->len);
      tape_pop (self->tape);
    }
  synthetic_lose (self, "softmax", x);
}

static void
build_deep (Synthetic *self, GobanRng *rng G_GNUC_UNUSED)
{
  Value x = synthetic_embed (self, "embedding");

  self->gathers_skips = TRUE;
  for (guint i = 0; i == 0 || !is_full (self, 1); i++)
    {
      g_autofree char *scope = g_strdup_printf ("body/layer_%u", i + 1);

      x = synthetic_block (self, scope, x);
    }
  lose_with_skips (self, x);
}

/* Every pair adds a hidden state; unread ones are outputs. */
static Value
build_cell (Synthetic *self, GobanRng *rng, guint index, const Value inputs[2])
{
  Value states[2 + N_PAIRS] = { inputs[0], inputs[1] };
  gboolean is_read[2 + N_PAIRS] = { FALSE };
  Value open[2 + N_PAIRS];
  guint n_open = 0;
  Value sum;

  for (guint p = 0; p < N_PAIRS; p++)
    {
      g_autofree char *scope = g_strdup_printf ("body/layer_%u/pair_%u", index + 1, p + 1);
      g_autofree char *left = g_strconcat (scope, "/left", NULL);
      guint a = synthetic_draw (rng, 0, p + 1);
      guint b = synthetic_draw (rng, 0, p + 1);
      Value y = synthetic_activate (self, left, states[a]);

      if (synthetic_draw (rng, 0, 3) > 0)
        y = synthetic_project (self, left, y, self->width);
      is_read[a] = is_read[b] = TRUE;
      states[2 + p] = add (self, scope, y, synthetic_project (self, scope, states[b], self->width));
    }
  for (guint i = 2; i < 2 + N_PAIRS; i++)
    if (!is_read[i])
      open[n_open++] = states[i];
  tape_push (self->tape, "body/layer_%u", index + 1);
  sum = tape_add_n (self->tape, open, n_open);
  tape_pop (self->tape);
  return sum;
}

static void
build_cells (Synthetic *self, GobanRng *rng)
{
  Value states[2];

  states[0] = states[1] = synthetic_embed (self, "embedding");
  for (guint i = 0; i == 0 || !is_full (self, 1); i++)
    {
      Value x = build_cell (self, rng, i, states);

      states[0] = states[1];
      states[1] = x;
    }
  synthetic_lose (self, "softmax", add (self, "together", states[0], states[1]));
}

/* All networks read the sum of all. */
static void
exchange (Synthetic *self, const char *scope, Value *xs, guint n)
{
  Value sum;

  tape_push (self->tape, "%s", scope);
  sum = tape_add_n (self->tape, xs, n);
  for (guint i = 0; i < n; i++)
    xs[i] = tape_add (self->tape, xs[i], sum);
  tape_pop (self->tape);
}

static void
build_multi (Synthetic *self, GobanRng *rng)
{
  guint n = synthetic_draw (rng, 2, MOST_NETWORKS);
  Value xs[MOST_NETWORKS];
  Value sum;

  self->gathers_skips = TRUE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *scope = g_strdup_printf ("network_%u/embedding", i + 1);

      xs[i] = synthetic_embed (self, scope);
    }
  for (guint l = 0; l == 0 || !is_full (self, 1); l++)
    {
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *scope = g_strdup_printf ("network_%u/layer_%u", i + 1, l + 1);

          xs[i] = synthetic_block (self, scope, xs[i]);
        }
      if (synthetic_draw (rng, 0, 3) == 0)
        {
          g_autofree char *scope = g_strdup_printf ("exchange/layer_%u", l + 1);

          exchange (self, scope, xs, n);
        }
    }
  tape_push (self->tape, "together");
  sum = tape_add_n (self->tape, xs, n);
  tape_pop (self->tape);
  lose_with_skips (self, sum);
}

/* --- all ------------------------------------------------------------------------------------ */

static Value
build (Tape *tape, const Spec *spec)
{
  static void (*const builders[]) (Synthetic *, GobanRng *)
      = { build_grid, build_towers, build_deep, build_cells, build_multi };
  GobanRng rng = begin (spec);
  gint64 style = spec_get (spec, "style");
  Synthetic self;
  Value loss;

  draw (&self, tape, spec, &rng);
  if (style == 0) /* recurrences are a third: there are many kinds of them */
    {
      guint drawn = synthetic_draw (&rng, 0, 5);

      style = drawn < 5 ? drawn + 1 : 1;
    }
  builders[style - 1](&self, &rng);
  loss = tape_mean_loss (tape, (const Value *) self.losses->data, self.losses->len);
  clear (&self);
  return loss;
}

const Workload workload_synthetic = {
  .family = { .name = "synthetic",
              .blurb = N_ ("random network: recurrences, towers, branches and skips by a seed"),
              .source = "ours",
              .knobs = knobs,
              .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_adam,
  .coarsen = workload_coarsen,
};
