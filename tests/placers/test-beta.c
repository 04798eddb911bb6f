/* test-beta.c: numbers from Beta distributions have their moments, and tables their very
 * chances. */
#include "engine/placers/search/beta.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_DRAWS 20000

/* Mean a / (a + b), variance ab / ((a + b)^2 (a + b + 1)); shapes below 1 and far above
 * included. */
static void
test_moments (void)
{
  static const GobanBeta betas[] = {
    { 1, 1 }, { 2, 2 }, { 0.5f, 0.5f }, { 8, 2 }, { 0.1f, 3 }, { 60, 40 }, { 0.01f, 0.01f },
  };
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < G_N_ELEMENTS (betas); i++)
    {
      double a = (double) betas[i].alpha;
      double b = (double) betas[i].beta;
      double mean = a / (a + b);
      double variance = a * b / ((a + b) * (a + b) * (a + b + 1));
      double sum = 0;
      double squares = 0;

      for (guint k = 0; k < N_DRAWS; k++)
        {
          double x = goban_beta_draw (&rng, betas[i]);

          g_assert_cmpfloat (x, >=, 0);
          g_assert_cmpfloat (x, <, 1);
          sum += x;
          squares += (x - mean) * (x - mean);
        }
      g_assert_cmpfloat (fabs (sum / N_DRAWS - mean), <, 5 * sqrt (variance / N_DRAWS));
      g_assert_cmpfloat (fabs (squares / N_DRAWS / variance - 1), <, 0.1);
    }
}

/* chances (GOBAN_BETA_CELLS): what the table gives each fraction, by adding up its cells. */
static double *
add_up (GobanBeta beta)
{
  g_autofree GobanBetaTable *table = goban_beta_table_new (beta);
  double *chances = g_new0 (double, GOBAN_BETA_CELLS);

  for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
    {
      double own = (double) (table->cells[i] >> 16) * 0x1p-48;

      chances[i] += own / GOBAN_BETA_CELLS;
      chances[table->cells[i] & 0xffff] += (1 - own) / GOBAN_BETA_CELLS;
    }
  return chances;
}

static double
power_of_four_tenths (double x)
{
  return pow (x, 0.4);
}

static double
mirrored_power (double x)
{
  return 1 - pow (1 - x, 36);
}

static double
arc_sine (double x)
{
  return 2 / G_PI * asin (sqrt (x));
}

static double
cubic (double x)
{
  return x * x * (3 - 2 * x);
}

/* Where the distribution function is known in closed form. */
static void
test_chances (void)
{
  static const struct
  {
    GobanBeta beta;
    double (*below) (double x);
  } cases[] = {
    { { 0.4f, 1 }, power_of_four_tenths },
    { { 1, 36 }, mirrored_power },
    { { 0.5f, 0.5f }, arc_sine },
    { { 2, 2 }, cubic },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autofree double *chances = add_up (cases[k].beta);
      double sum = 0;

      for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
        {
          double below = cases[k].below ((double) i / GOBAN_BETA_CELLS);
          double chance = cases[k].below ((i + 1.0) / GOBAN_BETA_CELLS) - below;

          g_assert_cmpfloat_with_epsilon (sum, below, 1e-8);
          g_assert_cmpfloat_with_epsilon (chances[i], chance, 1e-12 + 1e-6 * chance);
          sum += chances[i];
        }
    }
}

/* Of all others the moments, to what cells can tell; the extremes that have tables included. */
static void
test_chances_have_the_moments (void)
{
  static const GobanBeta betas[] = {
    { 0.4f, 3.6f }, { 3.6f, 0.4f }, { 2.8f, 1.2f }, { 4, 36 },    { 28, 12 },
    { 20, 20 },     { 200, 1 },     { 512, 512 },   { 0.01f, 1 }, { 0.02f, 0.01f },
  };

  for (guint k = 0; k < G_N_ELEMENTS (betas); k++)
    {
      g_autofree double *chances = add_up (betas[k]);
      double a = (double) betas[k].alpha;
      double b = (double) betas[k].beta;
      double mean = a / (a + b);
      double variance = a * b / ((a + b) * (a + b) * (a + b + 1));
      double first = 0, second = 0;

      g_assert_true (goban_beta_can_tabulate (betas[k]));
      for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
        {
          double x = (i + 0.5) / GOBAN_BETA_CELLS;

          g_assert_cmpfloat (chances[i], >=, 0);
          first += chances[i] * x;
          second += chances[i] * (x - mean) * (x - mean);
        }
      g_assert_cmpfloat_with_epsilon (first, mean, 1e-5);
      g_assert_cmpfloat_with_epsilon (second / variance, 1, 1e-3);
    }
  g_assert_false (goban_beta_can_tabulate ((GobanBeta){ 1, 1000 }));
  g_assert_false (goban_beta_can_tabulate ((GobanBeta){ 0.001f, 1 }));
}

/* What is drawn from a table goes by its chances. */
static void
test_draws_go_by_the_chances (void)
{
  const GobanBeta beta = { 1.2f, 2.8f };
  g_autofree GobanBetaTable *table = goban_beta_table_new (beta);
  g_autofree double *chances = add_up (beta);
  guint counts[16] = { 0 };
  double expected[16] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
    expected[i >> 12] += N_DRAWS * chances[i];
  for (guint k = 0; k < N_DRAWS; k++)
    counts[goban_beta_table_draw (table, &rng) >> 12]++;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpfloat (fabs (counts[i] - expected[i]), <=, 4 * sqrt (expected[i] + 1));
}

TEST_PROGRAM (beta)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beta/moments", test_moments);
  g_test_add_func ("/beta/chances", test_chances);
  g_test_add_func ("/beta/chances-have-the-moments", test_chances_have_the_moments);
  g_test_add_func ("/beta/draws-go-by-the-chances", test_draws_go_by_the_chances);
  return g_test_run ();
}
