/* Efficiencies fitted to iterations: those that the simulator has made are found again. */
#include "engine/study/measure/iteration-fit.h"

#include "engine/core/error.h"
#include "engine/study/run/parallel-training.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define MODEL "gpt:width=2048,heads=16,layers=%u,batch=4"

/* Iterations of four trainings on devices with these shares. */
static char *
make_table (double compute, double memory)
{
  GString *csv = g_string_new ("model,tp,pp,\"seconds\",batch\r\n");
  g_autofree char *spec = g_strdup_printf ("a100x8,compute=%g,memory=%g", compute, memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    {
      const GobanTrainingShape shape
          = { .tp = 1 << i % 2, .pp = 1 + i / 2, .micro_batch = 0, .batch = 64 };
      g_autofree char *model = g_strdup_printf (MODEL, 4 + 2 * i);
      g_autoptr (GobanParallelTraining) training
          = goban_parallel_training_new (model, NULL, cluster, &shape, &error);
      double us;

      g_assert_no_error (error);
      us = goban_run_get_makespan_us (training->run);
      g_string_append_printf (csv, "\"%s\",%u,%u,%.12g,64\n", model, shape.tp, shape.pp, us / 1e6);
    }
  return g_string_free (csv, FALSE);
}

static void
test_found_again (void)
{
  static const double shares[][2] = { { 0.8, 0.6 }, { 0.9, 0.45 } };
  g_autoptr (GobanCluster) sheet = goban_cluster_new_from_spec ("a100x8", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autofree char *csv = make_table (shares[i][0], shares[i][1]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanIterations) table = goban_iterations_parse (csv, "table", &error);
      g_autoptr (GobanCluster) fitted = NULL;
      GobanDeviceFit fit;

      g_assert_no_error (error);
      g_assert_cmpuint (goban_iterations_get_n (table), ==, 4);
      goban_iterations_simulate (table, sheet, NULL, NULL, &error);
      g_assert_no_error (error);
      /* A point of the grid is simulated as the table was. */
      for (guint row = 0; row < 4; row++)
        g_assert_cmpfloat_with_epsilon (
            goban_iterations_predict_us (table, row, shares[i][0], shares[i][1])
                / goban_iterations_get_measured_us (table, row),
            1, 1e-9);
      goban_iterations_fit (table, NULL, 0, &fit, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (fit.kind, ==, "gpu");
      g_assert_cmpfloat (fit.fitted.high, <, 0.01);
      g_assert_cmpfloat (fit.sheet.median, >, 0.1);
      g_assert_cmpfloat_with_epsilon (fit.compute_efficiency, shares[i][0], 0.02);
      g_assert_cmpfloat_with_epsilon (fit.memory_efficiency, shares[i][1], 0.02);
      fitted = goban_device_fit_apply (&fit, sheet, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (goban_cluster_get_device (fitted, 7)->memory_efficiency, ==,
                         fit.memory_efficiency);
    }
}

static void
assert_refused (const char *csv, const char *words)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("a100x8", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanIterations) table = goban_iterations_parse (csv, "t.csv", &error);
  GobanDeviceFit fit;

  if (table != NULL && goban_iterations_simulate (table, cluster, NULL, NULL, &error))
    goban_iterations_fit (table, NULL, 0, &fit, &error);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in “%s”", words, error->message);
}

static void
test_refused (void)
{
  assert_refused ("", "there is no column “seconds” in “”");
  assert_refused ("seconds,tp\n1,2\n", "there is no column “model”");
  assert_refused ("model,seconds\ngpt,fast\n", "line 2: “fast” is not a time in seconds");
  assert_refused ("model,seconds,tp\ngpt,1,two\n", "line 2: “two” is not a whole number, as tp is");
  assert_refused ("model,seconds,tp\ngpt,1\n", "line 2: there is no cell for the column tp");
  assert_refused ("model,seconds\n,1\n", "line 2 has no model");
  /* A decimal comma, and the semicolons of a spreadsheet that writes such commas. */
  assert_refused ("model,seconds\ngpt,1,5\n", "line 2 has 3 cells for 2 columns");
  assert_refused ("model;seconds\ngpt;0,5\n", "“seconds” in “model;seconds”: commas part");
  assert_refused ("model,layers,seconds\ngpt,2,1\n", "at least 3 are needed");
  assert_refused ("model,seconds,tp\ngpt:layers=2,1,16\n", "row 1");
}

TEST_PROGRAM (iteration_fit)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/study/iteration-fit/found-again", test_found_again);
  g_test_add_func ("/study/iteration-fit/refused", test_refused);
  return g_test_run ();
}
