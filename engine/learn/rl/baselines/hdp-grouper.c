#include "engine/learn/nn/embedding.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/baselines/hdp-net.h"

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

  self->hidden = g_new (float, (gsize) config->N *width);
  self->p = g_new (float, (gsize) config->N *n_groups);
  self->x = g_new (float, (gsize) BLOCK *inputs);
  self->dx = g_new (float, (gsize) BLOCK *inputs);
  self->dhidden = g_new (float, (gsize) BLOCK *width);
  self->dlogits = g_new (float, (gsize) BLOCK *n_groups);
  return self;
}

void
goban_hdp_grouper_free (GobanHdpGrouper *self)
{
  g_free (self->hidden);
  g_free (self->p);
  g_free (self->x);
  g_free (self->dx);
  g_free (self->dhidden);
  g_free (self->dlogits);
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
