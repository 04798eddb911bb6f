/* The scorer against its slow twin in double, and its gradient against the twin's differences. */
#include "engine/learn/nn/scorer.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  N = 5,
  F = 7,
  C = 4,
  H = GOBAN_SCORER_HIDDEN,
  K = GOBAN_SCORER_SECOND,
  N_WEIGHTS = F * H + C * H + H + H * K + K + K + F,
};

#define STEP 1e-5
#define TOLERANCE 2e-4

typedef struct
{
  float weights[N_WEIGHTS], gradients[N_WEIGHTS], x[N * F], c[C], dscores[N], scores[N];
} Case;

static GobanScorer
cut (float *w)
{
  GobanScorer self = { .n_features = F, .n_context = C };

  self.features = w;
  self.context = self.features + F * H;
  self.hidden = self.context + C * H;
  self.second = self.hidden + H;
  self.second_bias = self.second + H * K;
  self.out = self.second_bias + K;
  self.linear = self.out + K;
  return self;
}

static void
fill (Case *self)
{
  grad_fill (self->weights, N_WEIGHTS, 0.5, 1);
  grad_fill (self->x, N * F, 1, 2);
  grad_fill (self->c, C, 1, 3);
  grad_fill (self->dscores, N, 1, 4);
  memset (self->gradients, 0, sizeof self->gradients);
}

static double
leaky (double z)
{
  return z > 0 ? z : z / 10;
}

/* score_n as the header says, in double. w (N_WEIGHTS) */
static double
twin (const double *w, const Case *self, int n)
{
  const double *wx = w, *wc = wx + F * H, *b1 = wc + C * H, *w2 = b1 + H, *b2 = w2 + H * K,
               *w3 = b2 + K, *u = w3 + K;
  double score = 0;

  for (int i = 0; i < F; i++)
    score += u[i] * (double) self->x[n * F + i];
  for (int k = 0; k < K; k++)
    {
      double sum = b2[k];

      for (int j = 0; j < H; j++)
        {
          double z = b1[j];

          for (int i = 0; i < C; i++)
            z += (double) self->c[i] * wc[i * H + j];
          for (int i = 0; i < F; i++)
            z += (double) self->x[n * F + i] * wx[i * H + j];
          sum += leaky (z) * w2[j * K + k];
        }
      score += leaky (sum) * w3[k];
    }
  return score;
}

static double
twin_loss (const double *w, const Case *self)
{
  double loss = 0;

  for (int n = 0; n < N; n++)
    loss += (double) self->dscores[n] * twin (w, self, n);
  return loss;
}

static void
test_twin (void)
{
  Case self;
  GobanScorer scorer = cut (self.weights);
  double w[N_WEIGHTS];

  fill (&self);
  for (int i = 0; i < N_WEIGHTS; i++)
    w[i] = self.weights[i];
  goban_scorer_forward (&scorer, self.scores, self.x, self.c, N);
  for (int n = 0; n < N; n++)
    g_assert_cmpfloat_with_epsilon (self.scores[n], twin (w, &self, n), 1e-5);
}

/* How many of the gradients are not the twin's differences. */
static guint
count_wrong (Case *self)
{
  double w[N_WEIGHTS];
  guint n_wrong = 0;

  for (int i = 0; i < N_WEIGHTS; i++)
    w[i] = self->weights[i];
  for (int i = 0; i < N_WEIGHTS; i++)
    {
      double middle = w[i];
      double difference;

      w[i] = middle + STEP;
      difference = twin_loss (w, self);
      w[i] = middle - STEP;
      difference = (difference - twin_loss (w, self)) / (2 * STEP);
      w[i] = middle;
      n_wrong += fabs (difference - (double) self->gradients[i])
                 > TOLERANCE * (fabs (difference) + 0.1);
    }
  return n_wrong;
}

static void
test_gradient (void)
{
  Case self;
  GobanScorer scorer = cut (self.weights);
  GobanScorer gradients = cut (self.gradients);

  fill (&self);
  goban_scorer_backward (&scorer, &gradients, self.dscores, self.x, self.c, N);
  g_assert_cmpuint (count_wrong (&self), ==, 0);
  /* Gradients add. */
  goban_scorer_backward (&scorer, &gradients, self.dscores, self.x, self.c, N);
  g_assert_cmpuint (count_wrong (&self), >, N_WEIGHTS / 2);
}

/* A flipped sign of any one part is found. */
static void
test_planted_sign (void)
{
  Case self;
  GobanScorer scorer = cut (self.weights);
  GobanScorer g = cut (self.gradients);
  const struct
  {
    float *part;
    int n;
  } parts[] = { { g.features, F * H }, { g.context, C * H }, { g.hidden, H }, { g.second, H * K },
                { g.second_bias, K },  { g.out, K },         { g.linear, F } };

  for (gsize p = 0; p < G_N_ELEMENTS (parts); p++)
    {
      fill (&self);
      goban_scorer_backward (&scorer, &g, self.dscores, self.x, self.c, N);
      for (int i = 0; i < parts[p].n; i++)
        parts[p].part[i] = -parts[p].part[i];
      g_assert_cmpuint (count_wrong (&self), >=, (guint) parts[p].n / 2);
    }
}

/* An alternative's score depends on its own features and the context alone, to the bit. */
static void
test_exchangeable (void)
{
  Case self;
  GobanScorer scorer = cut (self.weights);
  float turned[N * F], scores[N];

  fill (&self);
  goban_scorer_forward (&scorer, self.scores, self.x, self.c, N);
  for (int n = 0; n < N; n++)
    memcpy (turned + (n + 2) % N * F, self.x + n * F, F * sizeof (float));
  goban_scorer_forward (&scorer, scores, turned, self.c, N);
  for (int n = 0; n < N; n++)
    g_assert_true (memcmp (&scores[(n + 2) % N], &self.scores[n], sizeof (float)) == 0);
}

TEST_PROGRAM (scorer)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nn/scorer/twin-in-double", test_twin);
  g_test_add_func ("/nn/scorer/gradient", test_gradient);
  g_test_add_func ("/nn/scorer/gradient/planted-sign", test_planted_sign);
  g_test_add_func ("/nn/scorer/alternatives-are-exchangeable", test_exchangeable);
  return g_test_run ();
}
