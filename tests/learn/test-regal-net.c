/* test-regal-net.c: the whole network's gradient, and what its answers do and do not depend on, in
 * double. */
#include "engine/learn/rl/baselines/regal-net.h"
#include "tests/support/grad-check.h"
#include "tests/support/kite.h"
#include "tests/support/test-program.h"

#include <string.h>

enum
{
  N = KITE_N,
  A = 3,
  F = 4,
  B = 2,
  D = 4,
  C = 3
};

typedef struct
{
  GobanRegalNet net;
  GobanRegalWork *work;
  GobanRegalInput input;
  float features[N * F];
  float device_features[A * N * B];
  float *weights[GOBAN_REGAL_N_HEADS];
  float value_weight;
} Fixture;

static gsize
n_logits (const Fixture *self, int head)
{
  return (gsize) goban_regal_work_get_n_rows (self->work, head)
         * (gsize) self->net.shape.n_choices[head];
}

static void
set_up (Fixture *self, gboolean learns)
{
  GobanRegalShape shape = { .n_node_features = F,
                            .n_device_features = B,
                            .width = D,
                            .n_rounds = 2,
                            .n_choices = { C, C, C, 2 } };
  GobanRng rng;

  goban_rng_init (&rng, 5);
  goban_regal_net_init (&self->net, shape, &rng);
  self->work = goban_regal_work_new (&self->net, N, A, learns);
  grad_fill (self->features, N * F, 1, 2);
  grad_fill (self->device_features, A * N * B, 1, 3);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      self->weights[head] = g_new (float, n_logits (self, head));
      grad_fill (self->weights[head], n_logits (self, head), 1, 4 + (guint64) head);
    }
  self->value_weight = 0.7f;
  self->input = (GobanRegalInput){
    .n_nodes = N,
    .n_devices = A,
    .node_features = self->features,
    .device_features = self->device_features,
    .predecessors = kite_predecessors,
    .successors = kite_successors,
  };
  /* Everything off its first values, so that every part of the sum is there to be seen. */
  for (guint t = 0; t < self->net.params->tensors->len; t++)
    grad_fill (goban_params_value (self->net.params, t),
               goban_params_get_size (self->net.params, t), 0.5, 10 + t);
}

static void
tear_down (Fixture *self)
{
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_free (self->weights[head]);
  goban_regal_work_free (self->work);
  goban_regal_net_clear (&self->net);
}

static double
loss (gpointer data)
{
  Fixture *self = data;
  double sum;

  goban_regal_forward (&self->net, self->work, &self->input);
  sum = (double) self->value_weight * (double) self->work->value;
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    sum += grad_dot (self->work->logits[head], self->weights[head], n_logits (self, head));
  return sum;
}

#define STEP 1e-5
#define TOLERANCE 1e-6

static void
test_gradient (void)
{
  Fixture self;
  GradArray arrays[32];
  GradReport report;
  float *largest;
  guint n;

  set_up (&self, TRUE);
  n = self.net.params->tensors->len;
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (arrays));
  for (guint t = 0; t < n; t++)
    arrays[t] = grad_array_of (self.net.params, t);
  loss (&self);
  goban_params_zero_grad (self.net.params);
  goban_regal_backward (&self.net, self.work, &self.input, self.weights, self.value_weight);
  grad_check_assert (loss, &self, arrays, n, STEP, TOLERANCE);

  /* A sign that is planted in each tensor is found, and nothing else. */
  for (guint t = 0; t < n; t++)
    {
      largest = grad_largest (goban_params_grad (self.net.params, t), arrays[t].n);
      *largest = -*largest;
    }
  report = grad_check (loss, &self, arrays, n, STEP, TOLERANCE);
  g_assert_cmpuint (report.n_checked, ==, (guint) goban_params_get_total (self.net.params));
  g_assert_cmpuint (report.n_wrong, ==, n);
  g_assert_cmpuint (report.n_wrong_signs, ==, n);
  tear_down (&self);
}

/* Rounds that overwrite each other give what rounds that are kept give. */
static void
test_looks_alike_without_learning (void)
{
  Fixture learner, looker;

  set_up (&learner, TRUE);
  set_up (&looker, FALSE);
  loss (&learner);
  loss (&looker);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_assert_cmpmem (learner.work->logits[head], n_logits (&learner, head) * sizeof (float),
                     looker.work->logits[head], n_logits (&looker, head) * sizeof (float));
  tear_down (&learner);
  tear_down (&looker);
}

/* Two devices with the same features get the same answers, wherever they stand. */
static void
test_devices_are_their_features (void)
{
  Fixture self;
  const float *logits;

  set_up (&self, FALSE);
  memcpy (self.device_features + 2 * N * B, self.device_features, N * B * sizeof (float));
  loss (&self);
  logits = self.work->logits[GOBAN_REGAL_DEVICE];
  for (int i = 0; i < N * C; i++)
    g_assert_cmpfloat_with_epsilon (logits[i], logits[2 * N * C + i], 1e-5f);
  g_assert_cmpint (memcmp (logits, logits + N * C, N * C * sizeof (float)), !=, 0);
  tear_down (&self);
}

/* What is learnt of a node does not depend on its number: 1 and 2 stand alike. */
static void
test_numbering_does_not_matter (void)
{
  static const int swapped[N] = { 0, 2, 1, 3, 4 };
  Fixture self;
  float before[N * C];
  float features[N * F];
  const float *logits;

  set_up (&self, FALSE);
  loss (&self);
  logits = self.work->logits[GOBAN_REGAL_PRIORITY];
  memcpy (before, logits, sizeof before);
  for (int v = 0; v < N; v++)
    memcpy (features + swapped[v] * F, self.features + v * F, F * sizeof (float));
  memcpy (self.features, features, sizeof features);
  loss (&self);
  for (int v = 0; v < N; v++)
    for (int c = 0; c < C; c++)
      g_assert_cmpfloat_with_epsilon (logits[swapped[v] * C + c], before[v * C + c], 1e-5f);
  tear_down (&self);
}

TEST_PROGRAM (regal_net)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/regal-net/gradient", test_gradient);
  g_test_add_func ("/rl/regal-net/looks-alike-without-learning", test_looks_alike_without_learning);
  g_test_add_func ("/rl/regal-net/devices-are-their-features", test_devices_are_their_features);
  g_test_add_func ("/rl/regal-net/numbering", test_numbering_does_not_matter);
  return g_test_run ();
}
