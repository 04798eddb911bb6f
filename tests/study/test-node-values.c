/* Values of all nodes against what asking one by one, sorting and counting say. */
#include "engine/study/analysis/coloring.h"
#include "engine/study/analysis/node-values.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <stdlib.h>

#define N_BINS 32

static GobanNodeValues *
from (const double *numbers, guint n)
{
  return goban_node_values_new_from_numbers ("test", GOBAN_FIELD_COUNT, numbers, n);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Numbers of many magnitudes, some equal, some unknown, some infinite. */
static double *
any_numbers (guint n)
{
  double *numbers = g_new (double, n);
  double decades = g_test_rand_double_range (0, 9);
  double shift = g_test_rand_bit () ? 0 : g_test_rand_double_range (-50, 50);

  for (guint i = 0; i < n; i++)
    {
      int kind = g_test_rand_int_range (0, 12);

      numbers[i] = kind == 0   ? (double) NAN
                   : kind == 1 ? (double) INFINITY
                   : kind < 4  ? shift
                               : shift + pow (10, g_test_rand_double_range (-decades, 2));
    }
  return numbers;
}

/* Range, median and unknown by sorting; places by order; every bin by looking at every node. */
static void
check_values (const GobanNodeValues *values, const double *numbers, guint n)
{
  g_autofree double *known = g_new (double, n + 1);
  guint counts[N_BINS];
  guint n_known = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (numbers[i]))
      known[n_known++] = numbers[i];
  qsort (known, n_known, sizeof *known, compare_doubles);
  g_assert_cmpuint (values->n_known, ==, n_known);
  if (n_known > 0)
    {
      g_assert_cmpfloat (values->least, ==, known[0]);
      g_assert_cmpfloat (values->most, ==, known[n_known - 1]);
      g_assert_cmpfloat_with_epsilon (values->median,
                                      (known[(n_known - 1) / 2] + known[n_known / 2]) / 2, 1e-9);
    }

  for (guint i = 0; i < n; i++)
    {
      guint other = (guint) g_test_rand_int_range (0, (int) n);

      g_assert_true (isnan (values->places[i]) == !isfinite (numbers[i]));
      if (!isfinite (numbers[i]) || !isfinite (numbers[other]))
        continue;
      g_assert_true (values->places[i] >= 0 && values->places[i] <= 1);
      if (numbers[i] <= numbers[other])
        g_assert_true (values->places[i] <= values->places[other]);
      if (numbers[i] == numbers[other])
        g_assert_true (values->places[i] == values->places[other]);
    }

  goban_node_values_count (values, counts, N_BINS);
  for (guint bin = 0; bin < N_BINS; bin++)
    {
      guint last = (guint) g_test_rand_int_range ((int) bin, N_BINS);
      g_autoptr (GobanSelection) chosen = goban_node_values_select (values, N_BINS, bin, last);
      double least = INFINITY, most = -INFINITY, low, high;
      guint n_bin = 0, n_chosen = 0, n_selected;

      for (guint i = 0; i < n; i++)
        {
          guint of = isfinite (numbers[i])
                         ? MIN ((guint) ((double) values->places[i] * N_BINS), N_BINS - 1)
                         : N_BINS;

          g_assert_cmpuint (goban_node_values_bin (values, i, N_BINS), ==, of);
          g_assert_true (goban_selection_contains (chosen, i) == (of >= bin && of <= last));
          n_bin += of == bin;
          if (of < bin || of > last)
            continue;
          n_chosen++;
          least = MIN (least, numbers[i]);
          most = MAX (most, numbers[i]);
        }
      g_assert_cmpuint (counts[bin], ==, n_bin);
      goban_selection_get_ids (chosen, &n_selected);
      g_assert_cmpuint (n_selected, ==, n_chosen);
      g_assert_true (goban_node_values_range (values, N_BINS, bin, last, &low, &high)
                     == (n_chosen > 0));
      if (n_chosen > 0)
        {
          g_assert_cmpfloat (low, ==, least);
          g_assert_cmpfloat (high, ==, most);
        }
    }
}

static void
test_against_brute_force (void)
{
  for (guint round = 0; round < 60; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 300);
      g_autofree double *numbers = any_numbers (n);
      g_autoptr (GobanNodeValues) values = from (numbers, n);

      check_values (values, numbers, n);
    }
}

/* The value at a node's place is the node's value. */
static void
test_ramp_goes_back (void)
{
  for (guint round = 0; round < 40; round++)
    {
      g_autofree double *numbers = any_numbers (100);
      g_autoptr (GobanNodeValues) values = from (numbers, 100);

      for (guint i = 0; i < 100; i++)
        if (isfinite (numbers[i]) && values->places[i] > 0 && values->least < values->most)
          g_assert_cmpfloat_with_epsilon (goban_node_values_at (values, (double) values->places[i]),
                                          numbers[i], 1e-5 * (values->most - values->least));
      g_assert_cmpfloat (goban_node_values_at (values, 0), ==, values->least);
      g_assert_cmpfloat (goban_node_values_at (values, 1), ==, values->most);
    }
}

static void
test_scale_by_spread (void)
{
  double even[100], crowded[100], negative[100];

  for (guint i = 0; i < 100; i++)
    {
      even[i] = i;
      crowded[i] = i < 50 ? 0 : pow (1.25, i - 50);
      negative[i] = i == 0 ? -1 : pow (2, i / 2.0);
    }
  {
    g_autoptr (GobanNodeValues) a = from (even, 100);
    g_autoptr (GobanNodeValues) b = from (crowded, 100);
    g_autoptr (GobanNodeValues) c = from (negative, 100);

    g_assert_cmpint (a->scale, ==, GOBAN_SCALE_LINEAR);
    g_assert_cmpfloat_with_epsilon (a->places[33], 1.0 / 3, 1e-6);
    g_assert_cmpint (b->scale, ==, GOBAN_SCALE_LOG);
    g_assert_true (b->places[0] == 0 && b->places[99] == 1);
    /* Equal factors are equal ways. */
    g_assert_cmpfloat_with_epsilon (b->places[99] - b->places[89], b->places[89] - b->places[79],
                                    1e-5);
    g_assert_cmpint (c->scale, ==, GOBAN_SCALE_LINEAR);
  }
}

static void
test_few_values (void)
{
  const double none[] = { NAN, INFINITY };
  const double same[] = { 7, NAN, 7 };
  g_autoptr (GobanNodeValues) empty = from (NULL, 0);
  g_autoptr (GobanNodeValues) unknown = from (none, 2);
  g_autoptr (GobanNodeValues) equal = from (same, 3);
  g_autoptr (GobanSelection) nobody = goban_node_values_select (unknown, N_BINS, 0, N_BINS - 1);
  g_autofree char *text = goban_node_values_describe (equal);
  guint n;

  g_assert_true (isnan (goban_node_values_at (empty, 0.5)));
  g_assert_true (isnan (unknown->median));
  goban_selection_get_ids (nobody, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (equal->places[0] == 0.5f && isnan (equal->places[1]));
  g_assert_cmpfloat (equal->median, ==, 7);
  g_assert_cmpstr (text, ==, "test of 2 nodes: 7 to 7, median 7; of 1 unknown");
}

/* Every field that is a number, of real runs: what it says of each node, asked one by one. */
static void
test_fields_of_runs (void)
{
  gsize n_fields;
  const GobanNodeField *fields = goban_node_field_table (&n_fields);

  for (guint64 seed = 0; seed < 12; seed++)
    {
      g_auto (RandomRun) random = { 0 };
      g_autoptr (GobanRun) run = NULL;
      GobanNodeContext context;

      if (seed % 2 == 0)
        random_run_init (&random, 60, seed);
      else
        fused_run_init (&random, 60, seed);
      run = goban_run_new (random.costs, random.plan, "test");
      context = (GobanNodeContext){ random.costs, run };
      for (gsize f = 0; f < n_fields; f++)
        {
          g_autoptr (GobanNodeValues) values = NULL;
          g_autoptr (GobanNodeValues) again = NULL;
          double numbers[60];

          if (fields[f].number == NULL)
            continue;
          for (guint v = 0; v < 60; v++)
            numbers[v] = fields[f].number (&context, v);
          values = goban_node_values_get (&fields[f], &context);
          again = goban_node_values_get (&fields[f], &context);
          check_values (values, numbers, 60);
          g_assert_true (again == values);
          g_assert_cmpint (values->scale == GOBAN_SCALE_RANK, ==, fields[f].is_rank);
          if (!goban_node_field_is_known (&fields[f], &context))
            g_assert_cmpuint (values->n_known, ==, 0);
          else if (g_str_equal (fields[f].name, "cluster"))
            g_assert_cmpuint (values->n_known, >, 0);
        }
    }
}

static void
test_words (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_color_check ("device", NULL));
  g_assert_true (goban_color_check ("slack", NULL));
  g_assert_false (goban_color_check ("name", &error));
  g_assert_true (g_str_has_prefix (error->message,
                                   "there is no colouring “name”; there are: device, "
                                   "op, cost, "));
}

TEST_PROGRAM (node_values)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/node-values/equal/brute-force", test_against_brute_force);
  g_test_add_func ("/analysis/node-values/ramp/goes-back", test_ramp_goes_back);
  g_test_add_func ("/analysis/node-values/scale/by-spread", test_scale_by_spread);
  g_test_add_func ("/analysis/node-values/few", test_few_values);
  g_test_add_func ("/analysis/node-values/fields/of-runs", test_fields_of_runs);
  g_test_add_func ("/analysis/node-values/session/words", test_words);
  return g_test_run ();
}
