#include "engine/learn/rl/baselines/hdp.h"

#include "engine/core/arrays.h"
#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/attention.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/lstm.h"
#include "engine/learn/nn/softmax.h"

#include <math.h>
#include <string.h>

/* Units per block, so that the output of a layer is still in the cache for the next. */
#define BLOCK 512

/* Units whose entropies are measured: a logarithm per unit and group would take long. */
#define MAX_MEASURED 1024

struct _GobanHdpGrouper
{
  GobanHdpConfig config;
  GobanParams *params; /* borrowed */
  guint types, w1, b1, w2, b2;

  const float *features; /* borrowed from forward to backward */
  const guint32 *type_of;
  GPtrArray *arrays;
  float *hidden;  /* (N,grouper_width) */
  float *p;       /* (N,G) */
  float *x;       /* (BLOCK,inputs) */
  float *dx;      /* (BLOCK,inputs) */
  float *dhidden; /* (BLOCK,grouper_width) */
  float *dlogits; /* (BLOCK,G) */
};

static int
n_inputs (const GobanHdpConfig *config)
{
  return config->type_width + config->F;
}

GobanHdpGrouper *
goban_hdp_grouper_new (const GobanHdpConfig *config, GobanParams *params)
{
  GobanHdpGrouper *self = g_new0 (GobanHdpGrouper, 1);
  guint inputs = (guint) n_inputs (config);
  guint width = (guint) config->grouper_width, n_groups = (guint) config->G;

  self->config = *config;
  self->params = params;
  self->types = goban_params_add (params, "grouper.types", (guint) config->V,
                                  (guint) config->type_width, GOBAN_INIT_EMBEDDING);
  self->w1 = goban_params_add (params, "grouper.w1", width, inputs, GOBAN_INIT_GLOROT);
  self->b1 = goban_params_add (params, "grouper.b1", 1, width, GOBAN_INIT_ZEROS);
  self->w2 = goban_params_add (params, "grouper.w2", n_groups, width, GOBAN_INIT_GLOROT);
  self->b2 = goban_params_add (params, "grouper.b2", 1, n_groups, GOBAN_INIT_ZEROS);

  self->arrays = goban_arrays_new ();
  self->hidden = goban_own (self, float, (gsize) config->N *width);
  self->p = goban_own (self, float, (gsize) config->N *n_groups);
  self->x = goban_own (self, float, (gsize) BLOCK *inputs);
  self->dx = goban_own (self, float, (gsize) BLOCK *inputs);
  self->dhidden = goban_own (self, float, (gsize) BLOCK *width);
  self->dlogits = goban_own (self, float, (gsize) BLOCK *n_groups);
  return self;
}

void
goban_hdp_grouper_free (GobanHdpGrouper *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* x = type's embedding ‖ features, of the units from @first on */
static void
gather_inputs (GobanHdpGrouper *self, int first, int n)
{
  const float *table = goban_params_value (self->params, self->types);
  gsize width = (gsize) self->config.type_width, F = (gsize) self->config.F;

  for (gsize i = 0; i < (gsize) n; i++)
    {
      gsize unit = (gsize) first + i;
      float *row = self->x + i * (width + F);

      memcpy (row, table + self->type_of[unit] * width, width * sizeof *row);
      memcpy (row + width, self->features + unit * F, F * sizeof *row);
    }
}

static void
forward_block (GobanHdpGrouper *self, int first, int n)
{
  int width = self->config.grouper_width, G = self->config.G;
  float *hidden = self->hidden + (gsize) first * width;
  float *p = self->p + (gsize) first * G;

  gather_inputs (self, first, n);
  goban_linear_forward (hidden, self->x, goban_params_value (self->params, self->w1),
                        goban_params_value (self->params, self->b1), n, n_inputs (&self->config),
                        width);
  goban_linear_forward (p, hidden, goban_params_value (self->params, self->w2),
                        goban_params_value (self->params, self->b2), n, width, G);
  goban_softmax_forward (p, p, n, G);
}

double
goban_hdp_grouper_forward (GobanHdpGrouper *self, guint32 *groups, const float *features,
                           const guint32 *types, GobanRng *rng)
{
  int N = self->config.N, G = self->config.G;
  double log_prob = 0;

  self->features = features;
  self->type_of = types;
  for (int first = 0; first < N; first += BLOCK)
    {
      int n = MIN (BLOCK, N - first);

      forward_block (self, first, n);
      for (int u = first; u < first + n; u++)
        {
          const float *p = self->p + (gsize) u * G;

          if (rng != NULL)
            groups[u] = (guint32) goban_categorical_sample (p, G, rng);
          log_prob += log ((double) p[groups[u]]);
        }
    }
  return log_prob;
}

static void
backward_block (GobanHdpGrouper *self, const guint32 *groups, float weight, int first, int n)
{
  int width = self->config.grouper_width, G = self->config.G, inputs = n_inputs (&self->config);
  int type_width = self->config.type_width;
  float *dtypes = goban_params_grad (self->params, self->types);
  float weights[BLOCK];

  for (int i = 0; i < n; i++)
    weights[i] = weight;
  memset (self->dlogits, 0, (gsize) n * G * sizeof (float));
  memset (self->dhidden, 0, (gsize) n * width * sizeof (float));
  memset (self->dx, 0, (gsize) n * inputs * sizeof (float));

  gather_inputs (self, first, n);
  goban_log_prob_backward (self->dlogits, weights, groups + first, self->p + (gsize) first * G, n,
                           G);
  goban_linear_backward (self->dhidden, goban_params_grad (self->params, self->w2),
                         goban_params_grad (self->params, self->b2), self->dlogits,
                         self->hidden + (gsize) first * width,
                         goban_params_value (self->params, self->w2), n, width, G);
  goban_linear_backward (self->dx, goban_params_grad (self->params, self->w1),
                         goban_params_grad (self->params, self->b1), self->dhidden, self->x,
                         goban_params_value (self->params, self->w1), n, inputs, width);
  for (int i = 0; i < n; i++)
    goban_embedding_backward (dtypes, self->dx + (gsize) i * inputs, &self->type_of[first + i], 1,
                              type_width);
}

void
goban_hdp_grouper_backward (GobanHdpGrouper *self, const guint32 *groups, float weight)
{
  for (int first = 0; first < self->config.N; first += BLOCK)
    backward_block (self, groups, weight, first, MIN (BLOCK, self->config.N - first));
}

float
goban_hdp_grouper_get_probability (const GobanHdpGrouper *self, guint unit, guint group)
{
  return self->p[(gsize) unit * self->config.G + group];
}

double
goban_hdp_grouper_get_entropy (const GobanHdpGrouper *self)
{
  int stride = (self->config.N + MAX_MEASURED - 1) / MAX_MEASURED, n = 0;
  double total = 0;

  for (int u = 0; u < self->config.N; u += stride)
    {
      float entropy;

      goban_entropy_forward (&entropy, self->p + (gsize) u * self->config.G, 1, self->config.G);
      total += (double) entropy;
      n++;
    }
  return n > 0 ? total / n : 0;
}

/* Tensors of an LSTM and its activations. */
typedef struct
{
  guint wx, wh, b;
  GobanLstm run;
  GobanLstmGrad grad;
  float *h0, *c0;
} Recurrent;

struct _GobanHdpPlacer
{
  GobanHdpConfig config;
  int H; /* width of the decoder, and of the encoder's output for a group */
  GobanParams *params;
  Recurrent forth, back, decoder;
  guint inputs, key_w, query_w, v, head_w;

  GPtrArray *arrays;             /* all that is owned below */
  float *encoded, *dencoded;     /* (G,H) */
  float *keys, *dkeys;           /* (G,H) */
  float *projected, *dprojected; /* (D + 1,4H) every possible input times the decoder's wx */
  guint32 *input_ids;            /* (G,K) */
  float *queries, *dqueries;     /* (G,K,H) */
  float *attended;               /* (K,H) */
  float *dattended;              /* (G,K,H) */
  float *weights, *dweights;     /* (G,K,G) of the attention */
  float *both, *dboth;           /* (G,K,2H) h ‖ attended */
  float *squashed;               /* (G,K,D) tanh of the logits */
  float *p;                      /* (G,K,D) */
  float *dlogits;                /* (G,K,D) */
  float *draws;                  /* (G,K) the gradient's weight of each choice */
  guint32 *forced_device;        /* (nullable) borrowed: in the next forward, */
  gsize forced;                  /* at this index in (G,K) */
};

static const float *
value (const GobanHdpPlacer *self, guint tensor)
{
  return goban_params_value (self->params, tensor);
}

static float *
grad (const GobanHdpPlacer *self, guint tensor)
{
  return goban_params_grad (self->params, tensor);
}

/* --- construction and disposal -------------------------------------------------------------- */

static void
add_recurrent (GobanHdpPlacer *self, Recurrent *r, const char *name, int B, int I, int H)
{
  g_autofree char *wx = g_strconcat (name, ".wx", NULL);
  g_autofree char *wh = g_strconcat (name, ".wh", NULL);
  g_autofree char *b = g_strconcat (name, ".b", NULL);
  gsize T = (gsize) self->config.G, state = (gsize) B * H;

  r->wx = goban_params_add (self->params, wx, 4 * (guint) H, (guint) I, GOBAN_INIT_GLOROT);
  r->wh = goban_params_add (self->params, wh, 4 * (guint) H, (guint) H, GOBAN_INIT_GLOROT);
  r->b = goban_params_add (self->params, b, 1, 4 * (guint) H, GOBAN_INIT_ZEROS);
  r->h0 = goban_own (self, float, state);
  r->c0 = goban_own (self, float, state);
  r->run = (GobanLstm){ .T = (int) T, .B = B, .I = I, .H = H, .h0 = r->h0, .c0 = r->c0 };
  r->run.h = goban_own (self, float, T *state);
  r->run.c = goban_own (self, float, T *state);
  r->run.gates = goban_own (self, float, 4 * T * state);
  r->grad.dh = goban_own (self, float, T *state);
  r->grad.dc = goban_own (self, float, state);
  r->grad.dsums = goban_own (self, float, 4 * T * state);
}

/* The tensors' addresses, known once the table is finished. */
static void
bind (GobanHdpPlacer *self, Recurrent *r)
{
  r->run.wx = value (self, r->wx);
  r->run.wh = value (self, r->wh);
  r->run.b = value (self, r->b);
  r->grad.dwx = grad (self, r->wx);
  r->grad.dwh = grad (self, r->wh);
  r->grad.db = grad (self, r->b);
}

static void
add_buffers (GobanHdpPlacer *self)
{
  gsize G = (gsize) self->config.G, K = (gsize) self->config.K, D = (gsize) self->config.D;
  gsize H = (gsize) self->H;

  self->encoded = goban_own (self, float, G *H);
  self->dencoded = goban_own (self, float, G *H);
  self->keys = goban_own (self, float, G *H);
  self->dkeys = goban_own (self, float, G *H);
  self->projected = goban_own (self, float, (D + 1) * 4 * H);
  self->dprojected = goban_own (self, float, (D + 1) * 4 * H);
  self->queries = goban_own (self, float, G *K *H);
  self->dqueries = goban_own (self, float, G *K *H);
  self->attended = goban_own (self, float, K *H);
  self->dattended = goban_own (self, float, G *K *H);
  self->weights = goban_own (self, float, G *K *G);
  self->dweights = goban_own (self, float, G *K *G);
  self->both = goban_own (self, float, G *K * 2 * H);
  self->dboth = goban_own (self, float, G *K * 2 * H);
  self->squashed = goban_own (self, float, G *K *D);
  self->p = goban_own (self, float, G *K *D);
  self->dlogits = goban_own (self, float, G *K *D);
  self->draws = goban_own (self, float, G *K);
  self->input_ids = goban_own (self, guint32, G * K);
}

GobanHdpPlacer *
goban_hdp_placer_new (const GobanHdpConfig *config, GobanParams *params)
{
  GobanHdpPlacer *self = g_new0 (GobanHdpPlacer, 1);
  int E = config->encoder_width, H = 2 * E;
  guint width = (guint) H;

  self->config = *config;
  self->H = H;
  self->params = params;
  self->arrays = goban_arrays_new ();
  add_recurrent (self, &self->forth, "encoder.forth", 1, config->M, E);
  add_recurrent (self, &self->back, "encoder.back", 1, config->M, E);
  self->back.run.is_backwards = TRUE;
  add_recurrent (self, &self->decoder, "decoder", config->K, H, H);
  self->decoder.grad.dh0 = goban_own (self, float, (gsize) config->K *width);
  self->decoder.grad.dc0 = goban_own (self, float, (gsize) config->K *width);
  /* The last row is "go". */
  self->inputs = goban_params_add (params, "decoder.inputs", (guint) config->D + 1, width,
                                   GOBAN_INIT_EMBEDDING);
  self->key_w = goban_params_add (params, "attention.keys", width, width, GOBAN_INIT_GLOROT);
  self->query_w = goban_params_add (params, "attention.queries", width, width, GOBAN_INIT_GLOROT);
  self->v = goban_params_add (params, "attention.v", 1, width, GOBAN_INIT_GLOROT);
  self->head_w
      = goban_params_add (params, "head.w", (guint) config->D, 2 * width, GOBAN_INIT_GLOROT);
  add_buffers (self);
  return self;
}

void
goban_hdp_placer_free (GobanHdpPlacer *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- forward -------------------------------------------------------------------------------- */

/* One step of the decoder: h, the attention's output, and both side by side. */
static void
decode (GobanHdpPlacer *self, gsize t)
{
  int K = self->config.K, G = self->config.G, H = self->H;
  gsize state = (gsize) K * H;
  const GobanLstm *run = &self->decoder.run;
  float *gates = run->gates + t * 4 * state, *h = run->h + t * state;
  float *q = self->queries + t * state;

  /* The input is one of D + 1 rows, so its product with wx is looked up. */
  goban_embedding_forward (gates, self->projected, self->input_ids + t * (gsize) K, K, 4 * H);
  goban_gemm_nt (gates, t > 0 ? h - state : run->h0, run->wh, K, 4 * H, H);
  goban_lstm_cell_forward (h, run->c + t * state, gates, t > 0 ? run->c + (t - 1) * state : run->c0,
                           K, H);

  goban_linear_forward (q, h, value (self, self->query_w), NULL, K, H, H);
  goban_attention_forward (self->attended, self->weights + t * (gsize) K * G, self->keys, q,
                           value (self, self->v), K, G, H);
  for (gsize k = 0; k < (gsize) K; k++)
    {
      float *row = self->both + (t * (gsize) K + k) * 2 * H;

      memcpy (row, h + k * H, (gsize) H * sizeof *row);
      memcpy (row + H, self->attended + k * H, (gsize) H * sizeof *row);
    }
}

static void
add_noise (float *logits, int n, float noise, GobanRng *rng)
{
  double squares = 0;
  float deviation;

  for (int i = 0; i < n; i++)
    squares += (double) logits[i] * (double) logits[i];
  deviation = noise * (float) sqrt (squares / n);
  for (int i = 0; i < n; i++)
    logits[i] += deviation * goban_normal_sample (rng);
}

/* The probabilities of step t, from the logits to the softmax. */
static void
judge (GobanHdpPlacer *self, gsize t, const guint8 *allowed, float noise, GobanRng *rng)
{
  int K = self->config.K, D = self->config.D;
  gsize n = (gsize) K * D;
  float *squashed = self->squashed + t * n, *p = self->p + t * n;

  goban_linear_forward (squashed, self->both + t * (gsize) K * 2 * self->H,
                        value (self, self->head_w), NULL, K, 2 * self->H, D);
  for (gsize i = 0; i < n; i++)
    squashed[i] /= self->config.temperature;
  goban_tanh_forward (squashed, squashed, n);
  for (gsize i = 0; i < n; i++)
    p[i] = self->config.tanh_constant * squashed[i];
  if (noise > 0 && rng != NULL)
    add_noise (p, (int) n, noise, rng);
  for (int k = 0; k < K; k++)
    goban_mask_logits (p + (gsize) k * D, allowed + t * (gsize) D, 1, D);
  goban_softmax_forward (p, p, K, D);
}

void
goban_hdp_placer_forward (GobanHdpPlacer *self, guint32 *devices, double *log_probs,
                          const float *embeddings, const guint8 *allowed, float noise,
                          GobanRng *rng)
{
  int K = self->config.K, D = self->config.D;

  /* Computes encoded[g], the outputs of both directions at group g, and its keys; the final
   * states initialise the decoder. */
  int G = self->config.G, H = self->H, E = H / 2;
  gsize bytes = (gsize) E * sizeof (float);

  bind (self, &self->forth);
  bind (self, &self->back);
  self->forth.run.x = embeddings;
  self->back.run.x = embeddings;
  goban_lstm_forward (&self->forth.run);
  goban_lstm_forward (&self->back.run);

  for (gsize g = 0; g < (gsize) G; g++)
    {
      memcpy (self->encoded + g * H, self->forth.run.h + g * E, bytes);
      memcpy (self->encoded + g * H + E, self->back.run.h + g * E, bytes);
    }
  goban_linear_forward (self->keys, self->encoded, value (self, self->key_w), NULL, G, H, H);

  for (gsize k = 0; k < (gsize) self->config.K; k++)
    {
      gsize last = (gsize) (G - 1) * E;

      memcpy (self->decoder.h0 + k * H, self->forth.run.h + last, bytes);
      memcpy (self->decoder.h0 + k * H + E, self->back.run.h, bytes);
      memcpy (self->decoder.c0 + k * H, self->forth.run.c + last, bytes);
      memcpy (self->decoder.c0 + k * H + E, self->back.run.c, bytes);
    }

  bind (self, &self->decoder);
  goban_linear_forward (self->projected, value (self, self->inputs), self->decoder.run.wx,
                        self->decoder.run.b, D + 1, self->H, 4 * self->H);
  for (int k = 0; k < K; k++)
    log_probs[k] = 0;

  for (gsize t = 0; t < (gsize) self->config.G; t++)
    {
      guint32 *chosen = devices + t * (gsize) K;

      for (int k = 0; k < K; k++)
        self->input_ids[t * (gsize) K + k] = t > 0 ? chosen[k - K] : (guint32) D;
      decode (self, t);
      judge (self, t, allowed, noise, rng);
      for (int k = 0; k < K; k++)
        {
          const float *p = self->p + (t * (gsize) K + k) * D;

          if (rng != NULL)
            chosen[k] = (guint32) goban_categorical_sample (p, D, rng);
          if (self->forced_device != NULL && t * (gsize) K + k == self->forced)
            {
              guint32 drawn = chosen[k];

              chosen[k] = *self->forced_device;
              *self->forced_device = drawn;
            }
          log_probs[k] += log ((double) p[chosen[k]]);
        }
    }
  self->forced_device = NULL;
}

void
goban_hdp_placer_force (GobanHdpPlacer *self, guint g, guint k, guint32 *device)
{
  self->forced = (gsize) g * self->config.K + k;
  self->forced_device = device;
}

const float *
goban_hdp_placer_get_probabilities (const GobanHdpPlacer *self, guint g, guint k)
{
  return self->p + ((gsize) g * self->config.K + k) * self->config.D;
}

const float *
goban_hdp_placer_get_attention (const GobanHdpPlacer *self, guint g, guint k)
{
  return self->weights + ((gsize) g * self->config.K + k) * self->config.G;
}

/* --- backward ------------------------------------------------------------------------------- */

/* Backward from the choices to h and the attention's output: dboth, and the head's own gradient. */
static void
head_backward (GobanHdpPlacer *self, const guint32 *devices, const float *weights)
{
  int rows = self->config.G * self->config.K, D = self->config.D;
  float slope = self->config.tanh_constant / self->config.temperature;

  for (int i = 0; i < rows; i++)
    self->draws[i] = weights[i % self->config.K];
  memset (self->dlogits, 0, (gsize) rows * D * sizeof (float));
  memset (self->dboth, 0, (gsize) rows * 2 * self->H * sizeof (float));
  goban_log_prob_backward (self->dlogits, self->draws, devices, self->p, rows, D);

  /* forward was logits = C u with u = tanh (raw / T); the noise was a constant */
  for (gsize i = 0; i < (gsize) rows * D; i++)
    self->dlogits[i] *= slope * (1.0f - self->squashed[i] * self->squashed[i]);
  goban_linear_backward (self->dboth, grad (self, self->head_w), NULL, self->dlogits, self->both,
                         value (self, self->head_w), rows, 2 * self->H, D);
}

/* The attention's output is no input of later steps, so all steps are computed at once. Leaves the
 * gradients of every h in the decoder's dh. */
static void
attention_backward (GobanHdpPlacer *self)
{
  int rows = self->config.G * self->config.K, G = self->config.G, H = self->H;
  gsize n = (gsize) rows * H;
  float *dattended = self->dattended;
  float *dh = self->decoder.grad.dh;

  for (gsize i = 0; i < (gsize) rows; i++)
    {
      memcpy (dh + i * H, self->dboth + i * 2 * H, (gsize) H * sizeof *dh);
      memcpy (dattended + i * H, self->dboth + i * 2 * H + H, (gsize) H * sizeof *dh);
    }
  memset (self->dqueries, 0, n * sizeof (float));
  memset (self->dkeys, 0, (gsize) G * H * sizeof (float));
  goban_attention_backward (self->dkeys, self->dqueries, grad (self, self->v), self->dweights,
                            dattended, self->weights, self->keys, self->queries,
                            value (self, self->v), rows, G, H);
  goban_linear_backward (dh, grad (self, self->query_w), NULL, self->dqueries, self->decoder.run.h,
                         value (self, self->query_w), rows, H, H);
}

/* The inputs are D + 1 different rows, so the gradients of the sums are collected by row before
 * they meet the weights. */
static void
decoder_backward (GobanHdpPlacer *self)
{
  int rows = self->config.G * self->config.K, D = self->config.D, H = self->H;
  gsize state = (gsize) self->config.K * H;
  Recurrent *r = &self->decoder;

  memset (r->grad.dc, 0, state * sizeof (float));
  memset (r->grad.dh0, 0, state * sizeof (float));
  memset (r->grad.dc0, 0, state * sizeof (float));
  r->grad.dwx = NULL;
  goban_lstm_backward (&r->run, &r->grad);

  memset (self->dprojected, 0, (gsize) (D + 1) * 4 * H * sizeof (float));
  goban_embedding_backward (self->dprojected, r->grad.dsums, self->input_ids, rows, 4 * H);
  goban_linear_backward (grad (self, self->inputs), grad (self, r->wx), grad (self, r->b),
                         self->dprojected, value (self, self->inputs), r->run.wx, D + 1, H, 4 * H);
}

/* Backward through one direction, from the keys and from the decoder's initial state. */
static void
direction_backward (GobanHdpPlacer *self, Recurrent *r, gsize offset, gsize end)
{
  gsize G = (gsize) self->config.G, H = (gsize) self->H, E = H / 2;
  float *dh = r->grad.dh, *dc = r->grad.dc;

  for (gsize g = 0; g < G; g++)
    memcpy (dh + g * E, self->dencoded + g * H + offset, E * sizeof *dh);
  memset (dc, 0, E * sizeof *dc);
  for (gsize k = 0; k < (gsize) self->config.K; k++)
    for (gsize i = 0; i < E; i++)
      {
        dh[end * E + i] += self->decoder.grad.dh0[k * H + offset + i];
        dc[i] += self->decoder.grad.dc0[k * H + offset + i];
      }
  goban_lstm_backward (&r->run, &r->grad);
}

void
goban_hdp_placer_backward (GobanHdpPlacer *self, const guint32 *devices, const float *weights)
{
  int G = self->config.G, H = self->H;

  head_backward (self, devices, weights);
  attention_backward (self);
  decoder_backward (self);

  memset (self->dencoded, 0, (gsize) G * H * sizeof (float));
  goban_linear_backward (self->dencoded, grad (self, self->key_w), NULL, self->dkeys, self->encoded,
                         value (self, self->key_w), G, H, H);
  direction_backward (self, &self->forth, 0, (gsize) G - 1);
  direction_backward (self, &self->back, (gsize) H / 2, 0);
}

double
goban_hdp_placer_get_entropy (const GobanHdpPlacer *self)
{
  int rows = self->config.G * self->config.K, D = self->config.D;
  double total = 0;

  for (int i = 0; i < rows; i++)
    {
      float entropy;

      goban_entropy_forward (&entropy, self->p + (gsize) i * D, 1, D);
      total += (double) entropy;
    }
  return total / rows;
}
