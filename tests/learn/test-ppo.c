/* The clipped surrogate: its gradient against the formula computed plainly, and which way it
 * points. */
#include "engine/learn/rl/go/rollouts.h"

#include "engine/core/rng.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  R = 5,
  N = 7,
  A = 4
};

typedef struct
{
  float logits[N * A];
  float old[R * N];
  float advantages[R * N];
  guint32 chosen[R][N];
  const guint32 *rows[R];
  double clip, entropy, scale;
} Case;

static gboolean
is_masked (const Case *self, int n, int a)
{
  return !isfinite (self->logits[n * A + a]);
}

/* The first action is never masked: rows have something to choose. */
static void
fill (Case *self, gboolean has_masks, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  *self = (Case){ .clip = 0.2, .entropy = 0.03, .scale = 0.7 };
  grad_fill (self->logits, N * A, 1.5, seed + 1);
  grad_fill (self->advantages, R * N, 2, seed + 2);
  for (int i = 0; has_masks && i < N * A; i++)
    if (i % A > 0 && goban_rng_below (&rng, 3) == 0)
      self->logits[i] = -INFINITY;
  for (int r = 0; r < R; r++)
    {
      self->rows[r] = self->chosen[r];
      for (int n = 0; n < N; n++)
        do
          self->chosen[r][n] = goban_rng_below (&rng, A);
        while (is_masked (self, n, (int) self->chosen[r][n]));
    }
}

static double
get_log_prob (const Case *self, int n, guint32 a)
{
  double total = 0;

  for (int b = 0; b < A; b++)
    total += exp ((double) self->logits[n * A + b]);
  return (double) self->logits[n * A + (int) a] - log (total);
}

/* Ratios of exp (-spread) .. exp (spread), none so near to where the clip begins that a step would
 * cross it. */
static void
fill_old (Case *self, double spread, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (int r = 0; r < R; r++)
    for (int n = 0; n < N; n++)
      {
        double shift, ratio;

        do
          {
            shift = spread * (2 * goban_rng_uniform (&rng) - 1);
            ratio = exp (shift);
          }
        while (fabs (ratio - (1 - self->clip)) < 0.06 || fabs (ratio - (1 + self->clip)) < 0.06);
        self->old[r * N + n] = (float) (get_log_prob (self, n, self->chosen[r][n]) - shift);
      }
}

static GobanPpo
get_ppo (const Case *self)
{
  return (GobanPpo){
    .R = R,
    .N = N,
    .A = A,
    .logits = self->logits,
    .chosen = self->rows,
    .old = self->old,
    .advantages = self->advantages,
    .clip = self->clip,
    .entropy = self->entropy,
    .scale = self->scale,
  };
}

static double
find_surrogate (const Case *self, double *clipped)
{
  double total = 0;

  *clipped = 0;
  for (int r = 0; r < R; r++)
    for (int n = 0; n < N; n++)
      {
        double advantage = (double) self->advantages[r * N + n];
        double ratio
            = exp (get_log_prob (self, n, self->chosen[r][n]) - (double) self->old[r * N + n]);
        double bounded = ratio < 1 - self->clip   ? 1 - self->clip
                         : ratio > 1 + self->clip ? 1 + self->clip
                                                  : ratio;

        total += fmin (ratio * advantage, bounded * advantage);
        *clipped += bounded * advantage < ratio * advantage;
      }
  *clipped /= R * N;
  return total / (R * N);
}

static double
find_entropy (const Case *self)
{
  double total = 0;

  for (int n = 0; n < N; n++)
    for (guint32 a = 0; a < A; a++)
      if (!is_masked (self, n, (int) a))
        total -= exp (get_log_prob (self, n, a)) * get_log_prob (self, n, a);
  return total / N;
}

/* What an optimiser that descends sees. */
static double
find_loss (gpointer user_data)
{
  const Case *self = user_data;
  double clipped;

  return -self->scale * (find_surrogate (self, &clipped) + self->entropy * find_entropy (self));
}

/* The rows' finite logits, one array each, for what is masked has no derivative. */
static guint
list_arrays (Case *self, const float *dlogits, GradArray *arrays)
{
  guint n_arrays = 0;

  for (int i = 0; i < N * A; i++)
    if (isfinite (self->logits[i]))
      arrays[n_arrays++] = (GradArray){ "logits", &self->logits[i], &dlogits[i], 1 };
  return n_arrays;
}

static GradReport
check (Case *self, const float *dlogits)
{
  GradArray arrays[N * A];
  guint n_arrays = list_arrays (self, dlogits, arrays);

  return grad_check (find_loss, self, arrays, n_arrays, 5e-3, 5e-3);
}

static void
test_gradient (gconstpointer data)
{
  const double spread = GPOINTER_TO_INT (data) / 10.0;

  for (guint64 seed = 1; seed <= 6; seed++)
    {
      Case self;
      float dlogits[N * A] = { 0 };
      GobanPpoStats stats;
      GradReport report;
      GobanPpo ppo;
      double clipped;

      fill (&self, seed % 2 == 0, seed);
      fill_old (&self, spread, seed);
      ppo = get_ppo (&self);
      goban_ppo_backward (dlogits, &ppo, &stats);

      report = check (&self, dlogits);
      g_assert_cmpuint (report.n_wrong, ==, 0);
      g_assert_cmpuint (report.n_checked, >=, N);
      g_assert_cmpfloat_with_epsilon (stats.surrogate, find_surrogate (&self, &clipped), 1e-5);
      g_assert_cmpfloat_with_epsilon (stats.clipped, clipped, 1e-9);
      g_assert_cmpfloat_with_epsilon (stats.entropy, find_entropy (&self), 1e-5);
      /* Both sides of the clip are in it where ratios reach so far. */
      g_assert_true (spread > 0.5 ? clipped > 0.1 && clipped < 0.9 : clipped == 0);
      for (int i = 0; i < N * A; i++)
        if (!isfinite (self.logits[i]))
          g_assert_cmpfloat (dlogits[i], ==, 0);
    }
}

/* The check above would see a twentieth too much of the entropy, or one clip on the wrong side. */
static void
test_planted (void)
{
  Case self;
  float dlogits[N * A] = { 0 };
  GobanPpoStats stats;
  GobanPpo ppo;

  fill (&self, TRUE, 3);
  fill_old (&self, 0.6, 3);
  ppo = get_ppo (&self);
  ppo.entropy *= 1.5;
  goban_ppo_backward (dlogits, &ppo, &stats);
  g_assert_cmpuint (check (&self, dlogits).n_wrong, >, 0);

  memset (dlogits, 0, sizeof dlogits);
  ppo = get_ppo (&self);
  ppo.clip = 0.45;
  goban_ppo_backward (dlogits, &ppo, &stats);
  g_assert_cmpuint (check (&self, dlogits).n_wrong, >, 0);
}

/* It adds, and a task's weight is a factor. */
static void
test_adds (void)
{
  Case self;
  float once[N * A] = { 0 }, twice[N * A];
  GobanPpoStats stats;
  GobanPpo ppo;

  fill (&self, TRUE, 4);
  fill_old (&self, 0.6, 4);
  ppo = get_ppo (&self);
  goban_ppo_backward (once, &ppo, &stats);
  for (int i = 0; i < N * A; i++)
    twice[i] = 1;
  ppo.scale *= 2;
  goban_ppo_backward (twice, &ppo, &stats);
  for (int i = 0; i < N * A; i++)
    g_assert_cmpfloat_with_epsilon (twice[i], 1 + 2 * once[i], 1e-6);
}

static void
test_log_probs (void)
{
  Case self;
  float log_probs[N];

  fill (&self, TRUE, 5);
  goban_ppo_log_probs (log_probs, self.logits, self.chosen[2], N, A);
  for (int n = 0; n < N; n++)
    g_assert_cmpfloat_with_epsilon (log_probs[n], get_log_prob (&self, n, self.chosen[2][n]), 1e-6);
}

/* A step along -dlogits: what went better than the average becomes likelier, what went worse less
 * so. */
static void
test_direction (void)
{
  for (guint64 seed = 1; seed <= 10; seed++)
    {
      Case self;
      float dlogits[N * A] = { 0 };
      double before[R];
      GobanPpoStats stats;
      GobanPpo ppo;

      fill (&self, seed % 2 == 0, seed);
      self.entropy = 0;
      fill_old (&self, 0, seed);
      /* One rollout is good, one is bad, each in a choice of its own; of the rest nothing is
       * known. */
      memset (self.advantages, 0, sizeof self.advantages);
      for (int n = 0; n < N; n++)
        {
          self.advantages[0 * N + n] = 1;
          self.advantages[1 * N + n] = -1;
        }
      ppo = get_ppo (&self);
      goban_ppo_backward (dlogits, &ppo, &stats);
      for (int n = 0; n < N; n++)
        {
          guint32 good = self.chosen[0][n], bad = self.chosen[1][n];

          if (good == bad)
            continue;
          before[0] = get_log_prob (&self, n, good);
          before[1] = get_log_prob (&self, n, bad);
          for (int a = 0; a < A; a++)
            self.logits[n * A + a] -= 0.5f * dlogits[n * A + a];
          g_assert_cmpfloat (get_log_prob (&self, n, good), >, before[0]);
          g_assert_cmpfloat (get_log_prob (&self, n, bad), <, before[1]);
        }
    }
}

/* Entropy alone makes a peak flatter. */
static void
test_entropy (void)
{
  Case self;
  float dlogits[N * A] = { 0 };
  GobanPpoStats stats;
  GobanPpo ppo;
  double before;

  fill (&self, TRUE, 6);
  fill_old (&self, 0, 6);
  memset (self.advantages, 0, sizeof self.advantages);
  ppo = get_ppo (&self);
  goban_ppo_backward (dlogits, &ppo, &stats);
  before = find_entropy (&self);
  for (int i = 0; i < N * A; i++)
    self.logits[i] -= 10 * dlogits[i];
  g_assert_cmpfloat (find_entropy (&self), >, before);
}

TEST_PROGRAM (ppo)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/rl/ppo/gradient-inside-the-clip", GINT_TO_POINTER (1), test_gradient);
  g_test_add_data_func ("/rl/ppo/gradient-outside-the-clip", GINT_TO_POINTER (8), test_gradient);
  g_test_add_func ("/rl/ppo/planted-errors-are-found", test_planted);
  g_test_add_func ("/rl/ppo/adds-by-its-scale", test_adds);
  g_test_add_func ("/rl/ppo/log-probabilities", test_log_probs);
  g_test_add_func ("/rl/ppo/good-choices-become-likelier", test_direction);
  g_test_add_func ("/rl/ppo/entropy-flattens", test_entropy);
  return g_test_run ();
}
