/* test-placeto-net.c: the whole network's gradient, and that every group has a say, in double. */
#include "engine/learn/rl/baselines/placeto-net.h"
#include "tests/support/grad-check.h"
#include "tests/support/kite.h"
#include "tests/support/test-program.h"

#include <string.h>

enum
{
  K = KITE_N,
  F = 4,
  A = 3,
  D = 4
};

enum
{
  N = 0,
  P = GOBAN_KIN_ANCESTOR,
  S = GOBAN_KIN_DESCENDANT,
  I = GOBAN_KIN_SELF
};

static const guint8 kin[K * K] = {
  I, S, S, S, N, /* 0 */
  P, I, N, S, N, /* 1 */
  P, N, I, S, N, /* 2 */
  P, P, P, I, N, /* 3 */
  N, N, N, N, I, /* 4 */
};

typedef struct
{
  GobanPlacetoNet net;
  GobanPlacetoWork *work;
  float features[K * F];
  float logits[A];
  float weights[A];
  GobanGroupGraph graph;
  int current;
} Fixture;

static void
set_up (Fixture *self, int n_rounds, int current)
{
  GobanPlacetoShape shape = { .n_features = F, .n_devices = A, .width = D, .n_rounds = n_rounds };
  GobanRng rng;

  goban_rng_init (&rng, 5);
  goban_placeto_net_init (&self->net, shape, &rng);
  self->work = goban_placeto_work_new (&self->net, K);
  self->graph = (GobanGroupGraph){ kite_predecessors, kite_successors, kin };
  self->current = current;
  grad_fill (self->features, K * F, 1, 2);
  grad_fill (self->weights, A, 1, 3);
  /* Biases off zero, so that no relu stands exactly at its corner. */
  for (guint t = 0; t < self->net.params->tensors->len; t++)
    if (goban_params_get_tensor (self->net.params, t)->rows == 1)
      grad_fill (goban_params_value (self->net.params, t),
                 goban_params_get_size (self->net.params, t), 0.3, 10 + t);
}

static void
tear_down (Fixture *self)
{
  goban_placeto_work_free (self->work);
  goban_placeto_net_clear (&self->net);
}

static double
loss (gpointer data)
{
  Fixture *self = data;

  goban_placeto_forward (&self->net, self->work, self->logits, self->features, &self->graph,
                         self->current);
  return grad_dot (self->logits, self->weights, A);
}

#define STEP 1e-5
#define TOLERANCE 1e-6

/* All gradients, as backward computes them. Fills arrays (64). */
static guint
compute_gradients (Fixture *self, GradArray *arrays)
{
  guint n = self->net.params->tensors->len;

  g_assert_cmpuint (n, <=, 64);
  for (guint t = 0; t < n; t++)
    arrays[t] = grad_array_of (self->net.params, t);
  loss (self);
  goban_params_zero_grad (self->net.params);
  goban_placeto_backward (&self->net, self->work, self->weights, self->features, &self->graph,
                          self->current);
  return n;
}

static void
test_gradient (void)
{
  for (int current = 0; current < K; current++)
    {
      Fixture self;
      GradArray arrays[64];
      guint n;

      set_up (&self, 3, current);
      n = compute_gradients (&self, arrays);
      grad_check_assert (loss, &self, arrays, n, STEP, TOLERANCE);
      tear_down (&self);
    }
}

/* A sign and a hundredth of a percent, in the largest gradient of each tensor that has any. */
static void
test_wrong_gradients_are_found (void)
{
  Fixture self;
  GradArray arrays[64];
  guint n, n_with_gradient = 0;

  set_up (&self, 3, 3);
  n = compute_gradients (&self, arrays);
  for (guint t = 0; t < n; t++)
    {
      float *dx = goban_params_grad (self.net.params, t);
      float *largest = grad_largest (dx, arrays[t].n);
      float right = *largest;
      GradReport report;

      if (right == 0)
        continue;
      n_with_gradient++;
      *largest = -right;
      report = grad_check (loss, &self, &arrays[t], 1, STEP, TOLERANCE);
      g_assert_cmpuint (report.n_wrong, ==, 1);
      g_assert_cmpuint (report.n_wrong_signs, ==, 1);
      g_assert_cmpuint (report.worst_index, ==, (guint) (largest - dx));
      *largest = right * (float) 1.0001;
      report = grad_check (loss, &self, &arrays[t], 1, STEP, TOLERANCE);
      g_assert_cmpuint (report.n_wrong, ==, 1);
      *largest = right;
    }
  g_assert_cmpuint (n_with_gradient, >, n / 2);
  tear_down (&self);
}

/* How much the logits of @current change when the features of group @moved do. */
static double
influence (int n_rounds, int current, int moved)
{
  Fixture self;
  float before[A];
  double sum = 0;

  set_up (&self, n_rounds, current);
  loss (&self);
  memcpy (before, self.logits, sizeof before);
  for (int f = 0; f < F; f++)
    self.features[moved * F + f] += 1;
  loss (&self);
  for (int a = 0; a < A; a++)
    sum += ABS ((double) self.logits[a] - (double) before[a]);
  tear_down (&self);
  return sum;
}

/* Through message passing and pools every group has an influence, even unrelated ones. */
static void
test_hears_everybody (void)
{
  for (int current = 0; current < K; current++)
    for (int moved = 0; moved < K; moved++)
      g_assert_cmpfloat (influence (3, current, moved), >, 0);
}

/* The same network answers alike for graphs whose groups are numbered otherwise. */
static void
test_numbering_does_not_matter (void)
{
  static const int swapped[K] = { 0, 2, 1, 3, 4 };
  Fixture self;
  float before[A];
  float features[K * F];

  /* Groups 1 and 2 stand alike, so swapping them swaps nothing but their features. */
  set_up (&self, 3, 3);
  loss (&self);
  memcpy (before, self.logits, sizeof before);
  for (int v = 0; v < K; v++)
    memcpy (features + swapped[v] * F, self.features + v * F, F * sizeof (float));
  memcpy (self.features, features, sizeof features);
  loss (&self);
  for (int a = 0; a < A; a++)
    g_assert_cmpfloat_with_epsilon (self.logits[a], before[a], 1e-5f);
  tear_down (&self);
}

TEST_PROGRAM (placeto_net)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/placeto-net/gradient", test_gradient);
  g_test_add_func ("/rl/placeto-net/wrong-gradients-are-found", test_wrong_gradients_are_found);
  g_test_add_func ("/rl/placeto-net/hears-everybody", test_hears_everybody);
  g_test_add_func ("/rl/placeto-net/numbering", test_numbering_does_not_matter);
  return g_test_run ();
}
