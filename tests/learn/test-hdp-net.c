/* test-hdp-net.c: HDP's networks as a whole: the gradients of all their tensors, and that what a
 * sample is said to have had as probability is what the network gives it when asked again. */
#include "engine/learn/rl/baselines/hdp.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  N = 9,
  F = 5,
  V = 3,
  G = 4,
  D = 3,
  M = 6,
  K = 2
};

typedef struct
{
  GobanParams *params;
  GobanHdpGrouper *grouper;
  GobanHdpPlacer *placer;
  float features[N * F], embeddings[G * M], weights[K];
  guint32 types[N], groups[N], devices[G * K];
  guint8 allowed[G * D];
} Net;

static void
net_init (Net *self, guint64 seed)
{
  GobanHdpConfig config = { .N = N,
                            .F = F,
                            .V = V,
                            .G = G,
                            .D = D,
                            .M = M,
                            .K = K,
                            .type_width = 3,
                            .grouper_width = 4,
                            .encoder_width = 3,
                            .temperature = 1.5f,
                            .tanh_constant = 2 };
  GobanRng rng;

  goban_rng_init (&rng, seed);
  *self = (Net){ .params = goban_params_new ("hdp"), .weights = { 0.7f, -1.1f } };
  self->grouper = goban_hdp_grouper_new (&config, self->params);
  self->placer = goban_hdp_placer_new (&config, self->params);
  goban_params_finish (self->params, &rng);
  grad_fill (self->features, N * F, 1, 1);
  grad_fill (self->embeddings, G * M, 1, 2);
  for (int u = 0; u < N; u++)
    self->types[u] = (guint32) (u % V);
  for (int i = 0; i < G * D; i++)
    self->allowed[i] = i != 4 && i != 6 && i != 7;
}

static void
net_clear (Net *self)
{
  goban_hdp_grouper_free (self->grouper);
  goban_hdp_placer_free (self->placer);
  goban_params_free (self->params);
}

static double
placer_loss (gpointer data)
{
  Net *self = data;
  double log_probs[K];

  goban_hdp_placer_forward (self->placer, self->devices, log_probs, self->embeddings, self->allowed,
                            0, NULL);
  return (double) self->weights[0] * log_probs[0] + (double) self->weights[1] * log_probs[1];
}

static double
grouper_loss (gpointer data)
{
  Net *self = data;

  return goban_hdp_grouper_forward (self->grouper, self->groups, self->features, self->types, NULL);
}

/* The tensors whose name begins so, or does not. */
static guint
gather (const Net *self, GradArray *arrays, const char *prefix, gboolean has_prefix)
{
  guint n = 0;

  for (guint t = 0; t < self->params->tensors->len; t++)
    if (g_str_has_prefix (goban_params_get_tensor (self->params, t)->name, prefix) == has_prefix)
      arrays[n++] = grad_array_of (self->params, t);
  return n;
}

static void
test_grouper_gradient (void)
{
  Net self;
  GradArray arrays[32];
  GobanRng rng;
  guint n;

  net_init (&self, 1);
  goban_rng_init (&rng, 2);
  goban_hdp_grouper_forward (self.grouper, self.groups, self.features, self.types, &rng);
  goban_hdp_grouper_backward (self.grouper, self.groups, 1);
  n = gather (&self, arrays, "grouper.", TRUE);
  g_assert_cmpuint (n, ==, 5);
  grad_check_assert (grouper_loss, &self, arrays, n, 0.02, 5e-3);
  net_clear (&self);
}

/* The placer's tensors, filled anew, with the gradients of a draw; returns how many. */
static guint
run_placer (Net *self, GradArray *arrays)
{
  double log_probs[K];
  GobanRng rng;
  guint n = gather (self, arrays, "grouper.", FALSE);

  goban_rng_init (&rng, 2);
  /* Small weights at the start would hide what goes wrong. */
  for (guint i = 0; i < n; i++)
    grad_fill (arrays[i].x, arrays[i].n, 1.2, i);
  goban_hdp_placer_forward (self->placer, self->devices, log_probs, self->embeddings, self->allowed,
                            0, &rng);
  goban_hdp_placer_backward (self->placer, self->devices, self->weights);
  return n;
}

static void
test_placer_gradient (void)
{
  Net self;
  GradArray arrays[32];
  guint n;

  net_init (&self, 1);
  n = run_placer (&self, arrays);
  g_assert_cmpuint (n, ==, 14);
  grad_check_assert (placer_loss, &self, arrays, n, 0.05, 1e-2);
  net_clear (&self);
}

/* The checker sees it when one tensor of the whole network is wrong. */
static void
test_planted_error_is_found (void)
{
  Net self;
  GradArray arrays[32];
  guint n;
  GradReport report;

  net_init (&self, 1);
  n = run_placer (&self, arrays);
  for (gsize i = 0; i < arrays[4].n; i++)
    ((float *) arrays[4].dx)[i] *= -1;
  report = grad_check (placer_loss, &self, arrays, n, 0.05, 1e-2);
  g_assert_cmpuint (report.n_wrong, >, arrays[4].n / 2);
  g_assert_cmpuint (report.n_wrong_signs, >, 0);
  g_assert_cmpstr (report.worst_name, ==, arrays[4].name);
  net_clear (&self);
}

/* Sampled, then scored again: the same numbers to the last bit. */
static void
test_log_probs_are_those_of_the_sample (void)
{
  Net self;
  GobanRng rng;

  net_init (&self, 3);
  goban_rng_init (&rng, 4);
  for (int round = 0; round < 20; round++)
    {
      double sampled[K], scored[K], grouped;

      grouped
          = goban_hdp_grouper_forward (self.grouper, self.groups, self.features, self.types, &rng);
      g_assert_cmpfloat (grouper_loss (&self), ==, grouped);
      goban_hdp_placer_forward (self.placer, self.devices, sampled, self.embeddings, self.allowed,
                                0, &rng);
      goban_hdp_placer_forward (self.placer, self.devices, scored, self.embeddings, self.allowed, 0,
                                NULL);
      for (int k = 0; k < K; k++)
        g_assert_cmpfloat (scored[k], ==, sampled[k]);
      for (int i = 0; i < G * K; i++)
        g_assert_true (self.allowed[i / K * D + (int) self.devices[i]]);
    }
  net_clear (&self);
}

/* Over all placements there are, the probabilities sum to 1: the last group's choice depends on the
 * first's, and is counted so. */
static void
test_probabilities_sum_to_one (void)
{
  Net self;
  double total = 0;
  guint n_placements = 0;

  net_init (&self, 5);
  for (int i = 0; i < D * D * D * D; i++)
    {
      int digits = i;
      double log_probs[K];
      gboolean is_allowed = TRUE;

      for (int g = 0; g < G; g++)
        {
          for (int k = 0; k < K; k++)
            self.devices[g * K + k] = (guint32) (digits % D);
          is_allowed = is_allowed && self.allowed[g * D + digits % D];
          digits /= D;
        }
      if (!is_allowed)
        continue;
      goban_hdp_placer_forward (self.placer, self.devices, log_probs, self.embeddings, self.allowed,
                                0, NULL);
      total += exp (log_probs[0]);
      n_placements++;
    }
  g_assert_cmpuint (n_placements, ==, 3 * 2 * 1 * 3);
  g_assert_cmpfloat_with_epsilon (total, 1, 1e-5);
  net_clear (&self);
}

TEST_PROGRAM (hdp_net)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hdp-net/grouper-gradient", test_grouper_gradient);
  g_test_add_func ("/hdp-net/placer-gradient", test_placer_gradient);
  g_test_add_func ("/hdp-net/planted-error-is-found", test_planted_error_is_found);
  g_test_add_func ("/hdp-net/log-probs-are-those-of-the-sample",
                   test_log_probs_are_those_of_the_sample);
  g_test_add_func ("/hdp-net/probabilities-sum-to-one", test_probabilities_sum_to_one);
  return g_test_run ();
}
