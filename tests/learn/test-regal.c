/* test-regal.c: without choices regal is brkga, and its network is a file like any other. */
#include "engine/learn/rl/baselines/regal.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <string.h>

static GobanCostModel *
new_costs (guint n_nodes, const char *cluster)
{
  GraphGen gen = graph_gen_small (n_nodes);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 2);

  return toy_costs (graph, cluster);
}

static void
assert_same_plan (const GobanPlan *a, const GobanPlan *b, const GobanGraph *graph)
{
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_assert_cmpuint (goban_plan_get_device (a, v), ==, goban_plan_get_device (b, v));
      g_assert_cmpint (goban_plan_get_priority (a, v), ==, goban_plan_get_priority (b, v));
    }
  g_assert_cmpmem (
      goban_plan_get_transfer_priorities (a), goban_graph_get_n_tensors (graph) * sizeof (gint32),
      goban_plan_get_transfer_priorities (b), goban_graph_get_n_tensors (graph) * sizeof (gint32));
}

static void
set_all (GobanRegalNet *net, float value)
{
  for (guint t = 0; t < net->params->tensors->len; t++)
    for (gsize i = 0; i < goban_params_get_size (net->params, t); i++)
      goban_params_value (net->params, t)[i] = value;
}

/* A network of zeros finds all choices alike and takes the first: what brkga does by itself. */
static void
test_uniform_is_brkga (void)
{
  static const char *const clusters[] = { "p100x2", "p100x4", "cpu+gpu" };

  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (40, clusters[i]);
      GobanPlacerOptions options = { .seed = 7 + i, .max_evaluations = 400 };
      g_auto (GobanRegalNet) net = { 0 };
      g_auto (GobanRegalChoices) choices = { 0 };
      g_autoptr (GobanPlan) plain = NULL;
      g_autoptr (GobanPlan) steered = NULL;
      g_autoptr (GError) error = NULL;
      guint64 n_plain = 0, n_steered = 0;
      GobanRng rng;

      goban_rng_init (&rng, 1);
      goban_regal_net_init_default (&net, &rng);
      set_all (&net, 0);
      goban_regal_choose (costs, &net, &choices);
      steered = goban_regal_search (costs, &choices, goban_brkga_config_default (), &options,
                                    &n_steered, NULL, &error);
      g_assert_no_error (error);
      plain = goban_placer_place (&goban_placer_brkga, costs, &options, &n_plain, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n_plain, ==, n_steered);
      assert_same_plan (plain, steered, goban_cost_model_get_graph (costs));
    }
}

/* All the choices of a head for one device: affinities near 0.9 there and near 0.1 elsewhere. */
static void
test_choices_reach_the_search (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (40, "equal:3");
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  GobanPlacerOptions options = { .seed = 3, .max_evaluations = 1 };

  for (guint favourite = 0; favourite < 3; favourite++)
    {
      g_auto (GobanRegalChoices) choices = { 0 };
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;

      goban_regal_choices_init (&choices, n_nodes, 3);
      for (guint d = 0; d < 3; d++)
        for (guint v = 0; v < n_nodes; v++)
          choices.rows[GOBAN_REGAL_DEVICE][d * n_nodes + v]
              = d == favourite ? GOBAN_REGAL_N_BETAS - 1 : GOBAN_REGAL_N_BETAS - 5;
      plan = goban_regal_search (costs, &choices, goban_brkga_config_default (), &options,
                                 &evaluations, NULL, &error);
      g_assert_no_error (error);
      for (guint v = 0; v < n_nodes; v++)
        g_assert_cmpuint (goban_plan_get_device (plan, v), ==, favourite);
    }
}

/* The first entries of the tables are what brkga does; the others are what they are said to be. */
static void
test_tables (void)
{
  GobanBrkgaConfig config = goban_brkga_config_default ();

  g_assert_cmpfloat (goban_regal_get_bias (0), ==, (float) config.elite_bias);
  for (guint i = 0; i < GOBAN_REGAL_N_BETAS; i++)
    {
      GobanBeta beta = goban_regal_get_beta (i);
      float sum = beta.alpha + beta.beta;

      g_assert_cmpfloat_with_epsilon (sum, i == 0 ? 2 : i <= 5 ? 4 : 40, 1e-4f);
      if (i > 0)
        g_assert_cmpfloat_with_epsilon (beta.alpha / sum, 0.1f + 0.2f * ((i - 1) % 5), 1e-5f);
    }
  for (guint i = 0; i < GOBAN_REGAL_N_BIASES; i++)
    {
      g_assert_cmpfloat (goban_regal_get_bias (i), >=, 0.5f);
      g_assert_cmpfloat (goban_regal_get_bias (i), <=, 0.9f);
    }
}

static void
test_policy (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (60, "p100x4");
  GobanPlacerOptions options = { .seed = 11, .max_evaluations = 300 };
  g_autoptr (GobanPlan) first = NULL;
  g_autoptr (GobanPlan) second = NULL;
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;

  g_assert_cmpuint (goban_placer_regal.default_evaluations, ==, 5000);
  first = goban_placer_place (&goban_placer_regal, costs, &options, &evaluations, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (evaluations, ==, 300);
  second = goban_placer_place (&goban_placer_regal, costs, &options, NULL, &error);
  g_assert_no_error (error);
  assert_same_plan (first, second, goban_cost_model_get_graph (costs));
}

/* --- the file ------------------------------------------------------------------------------- */

static void
assert_refused (const char *path, int code, const char *what)
{
  g_auto (GobanRegalNet) net = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_regal_net_load (&net, path, &error));
  g_assert_error (error, GOBAN_ERROR, code);
  g_assert_nonnull (strstr (error->message, "goban-cli train regal -o FILE"));
  g_assert_nonnull (strstr (error->message, what));
  g_assert_null (net.params);
}

static void
test_broken_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "regal.net", NULL);
  g_auto (GobanRegalNet) net = { 0 };
  g_autoptr (GobanParams) other = goban_params_new ("placeto");
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *damaged = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  GobanRng rng;

  assert_refused (path, GOBAN_ERROR_IO, path);

  g_assert_true (goban_file_write (path, "no weights", 10, &error));
  assert_refused (path, GOBAN_ERROR_PARSE, path);

  goban_rng_init (&rng, 1);
  goban_params_add (other, "w", 2, 2, GOBAN_INIT_GLOROT);
  goban_params_finish (other, &rng);
  g_assert_true (goban_params_save (other, path, &error));
  assert_refused (path, GOBAN_ERROR_PARSE, "placeto");

  goban_regal_net_init_default (&net, &rng);
  g_assert_true (goban_params_save (net.params, path, &error));
  bytes = goban_file_read (path, GOBAN_FILE_NETWORK, &error);
  g_assert_no_error (error);
  damaged = g_memdup2 (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  size = g_bytes_get_size (bytes);
  g_assert_true (goban_file_write (path, damaged, size / 2, &error));
  assert_refused (path, GOBAN_ERROR_PARSE, "it ends");
  damaged[size / 2] ^= 1;
  g_assert_true (goban_file_write (path, damaged, size, &error));
  assert_refused (path, GOBAN_ERROR_PARSE, "it is damaged");

  g_unlink (path);
  g_rmdir (folder);
}

/* What was saved is what is loaded, and it says the same of a graph. */
static void
test_saved_and_loaded (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "regal.net", NULL);
  g_autoptr (GobanCostModel) costs = new_costs (30, "p100x2");
  g_auto (GobanRegalNet) net = { 0 };
  g_auto (GobanRegalNet) again = { 0 };
  g_auto (GobanRegalChoices) choices = { 0 };
  g_auto (GobanRegalChoices) same = { 0 };
  g_autoptr (GError) error = NULL;
  GobanRng rng;

  goban_rng_init (&rng, 9);
  goban_regal_net_init_default (&net, &rng);
  g_assert_true (goban_params_save (net.params, path, &error));
  g_assert_true (goban_regal_net_load (&again, path, &error));
  g_assert_no_error (error);
  goban_regal_choose (costs, &net, &choices);
  goban_regal_choose (costs, &again, &same);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_assert_cmpmem (choices.rows[head], choices.n_nodes * sizeof (guint32), same.rows[head],
                     same.n_nodes * sizeof (guint32));
  g_unlink (path);
  g_rmdir (folder);
}

TEST_PROGRAM (regal)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/regal/uniform-is-brkga", test_uniform_is_brkga);
  g_test_add_func ("/rl/regal/choices-reach-the-search", test_choices_reach_the_search);
  g_test_add_func ("/rl/regal/tables", test_tables);
  g_test_add_func ("/rl/regal/policy", test_policy);
  g_test_add_func ("/rl/regal/broken-files", test_broken_files);
  g_test_add_func ("/rl/regal/saved-and-loaded", test_saved_and_loaded);
  return g_test_run ();
}
