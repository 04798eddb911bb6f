/* test-regal-train.c: lessons and training are functions of their seeds, and what comes along
 * helps. */
#include "engine/learn/rl/baselines/regal-train.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
test_lessons (void)
{
  for (guint n = 0; n < 24; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCostModel) first = goban_regal_lesson_new (5, n, &error);
      g_autoptr (GobanCostModel) second = goban_regal_lesson_new (5, n, &error);
      g_autoptr (GobanCostModel) other = goban_regal_lesson_new (6, n, &error);
      guint n_nodes;

      g_assert_no_error (error);
      n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (first));
      g_assert_cmpuint (n_nodes, >=, 10);
      g_assert_cmpuint (n_nodes, <=, 700);
      g_assert_cmpuint (goban_graph_get_hash (goban_cost_model_get_graph (first)), ==,
                        goban_graph_get_hash (goban_cost_model_get_graph (second)));
      if (n % 4 < 2)
        g_assert_cmpuint (goban_graph_get_hash (goban_cost_model_get_graph (first)), !=,
                          goban_graph_get_hash (goban_cost_model_get_graph (other)));
    }
}

#define SEED 3
/* Graphs measured before and after a training: a few are as good for its order. */
#define N_HELD_OUT 4

/* On held-out graphs, two of each kind, with a small budget. */
static void
test_trained_helps (void)
{
  g_auto (GobanRegalNet) trained = { 0 };
  g_auto (GobanRegalNet) untrained = { 0 };
  g_autoptr (GError) error = NULL;
  double with, without;
  GobanRng rng;

  g_assert_true (goban_regal_net_load (&trained, NULL, &error));
  g_assert_no_error (error);
  goban_rng_init (&rng, 0);
  goban_regal_net_init_default (&untrained, &rng);
  g_assert_true (goban_regal_measure (&trained, 0, GOBAN_REGAL_N_LESSONS, 8, NULL, &with, &error));
  g_assert_true (
      goban_regal_measure (&untrained, 0, GOBAN_REGAL_N_LESSONS, 8, NULL, &without, &error));
  g_test_message ("trained %.3f, untrained %.3f of brkga", with, without);
  g_assert_cmpfloat (with, <=, without);
  g_assert_cmpfloat (with, <=, 1);
}

typedef struct
{
  guint n_asked;
  guint stop_at; /* 0: never */
} Asker;

static gboolean
should_stop (gpointer user_data)
{
  Asker *self = user_data;

  return ++self->n_asked == self->stop_at;
}

/* What a watcher was told. */
typedef struct
{
  GobanRegalStep last;
  guint n_steps;
  guint n_before; /* graphs that were measured */
  guint n_after;
} Told;

static void
add_step_cb (const GobanRegalStep *step, gpointer user_data)
{
  Told *told = user_data;

  told->last = *step;
  told->n_steps++;
}

static void
add_measured_cb (guint n_steps, double ratio, gpointer user_data)
{
  Told *told = user_data;

  g_assert_true (ratio > 0);
  told->n_before += n_steps == 0;
  told->n_after += n_steps > 0;
}

static gboolean
train (GobanRegalNet *net, GobanRegalReport *report, Asker *asker, Told *told, GError **error)
{
  GobanRegalWatcher watcher = { add_step_cb, add_measured_cb, told };
  GobanProgress progress = { NULL, should_stop, asker };
  GobanRegalTraining options = {
    .seed = SEED,
    .n_steps = 1,
    .n_held_out = N_HELD_OUT,
    .progress = &progress,
    .watcher = told != NULL ? &watcher : NULL,
  };

  return goban_regal_train (&options, net, report, error);
}

/* A network that is not better than the initial one is dropped, and the report says so. Which one
 * is kept depends on the last digits of a processor. */
static void
assert_better_is_kept (const GobanRegalNet *net, const GobanRegalReport *report)
{
  g_auto (GobanRegalNet) start = { 0 };
  g_autoptr (GByteArray) kept = goban_params_write (net->params);
  g_autoptr (GByteArray) initial = NULL;
  GobanRng rng;

  goban_rng_init (&rng, SEED);
  goban_regal_net_init_default (&start, &rng);
  initial = goban_params_write (start.params);
  g_assert_cmpuint (kept->len, ==, initial->len);
  g_test_message ("%.4f before, %.4f after", report->ratio_before, report->ratio_after);
  g_assert_cmpint (report->kept_start, ==, !(report->ratio_after < report->ratio_before));
  g_assert_cmpint (memcmp (kept->data, initial->data, kept->len) == 0, ==, report->kept_start);
}

/* With a watcher and without. */
static void
test_same_seed_same_network (void)
{
  g_auto (GobanRegalNet) first = { 0 };
  g_auto (GobanRegalNet) second = { 0 };
  g_auto (GobanRegalReport) report = { 0 };
  g_auto (GobanRegalReport) again = { 0 };
  g_autoptr (GError) error = NULL;
  Asker asker = { 0 };
  Told told = { 0 };

  g_assert_true (train (&first, &report, &asker, &told, &error));
  g_assert_true (train (&second, &again, &asker, NULL, &error));
  g_assert_no_error (error);
  assert_better_is_kept (&first, &report);
  g_assert_cmpuint (report.curve->len, ==, 1);
  g_assert_cmpuint (report.n_held_out, ==, N_HELD_OUT);
  g_assert_cmpfloat (report.ratio_after, ==, again.ratio_after);
  g_assert_cmpuint (told.n_steps, ==, 1);
  g_assert_true (told.n_before == N_HELD_OUT && told.n_after == N_HELD_OUT);
  g_assert_cmpuint (told.last.step, ==, 1);
  g_assert_cmpfloat (told.last.ratio, ==, g_array_index (report.curve, GobanRegalPoint, 0).ratio);
  g_assert_true (told.last.best_ratio > 0 && told.last.best_ratio <= told.last.ratio);
  g_assert_true (told.last.entropy > 0 && told.last.gradient_norm > 0);
  g_assert_true (told.last.critic_error > 0);
  for (guint t = 0; t < first.params->tensors->len; t++)
    g_assert_cmpmem (goban_params_value (first.params, t),
                     goban_params_get_size (first.params, t) * sizeof (float),
                     goban_params_value (second.params, t),
                     goban_params_get_size (second.params, t) * sizeof (float));
}

static void
test_stops (void)
{
  /* At once, while lessons are measured, in one of 32 episodes, and while lessons are measured
   * again. */
  static const guint moments[] = { 1, N_HELD_OUT, 20, N_HELD_OUT + 32 + 2 };

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_auto (GobanRegalNet) net = { 0 };
      g_auto (GobanRegalReport) report = { 0 };
      g_autoptr (GError) error = NULL;
      Asker asker = { .stop_at = moments[i] };

      g_assert_false (train (&net, &report, &asker, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      g_assert_cmpuint (asker.n_asked, ==, moments[i]);
      g_assert_null (net.params);
      g_assert_null (report.curve);
    }
}

TEST_PROGRAM (regal_train)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/regal-train/lessons", test_lessons);
  g_test_add_func ("/rl/regal-train/trained-helps", test_trained_helps);
  if (g_test_slow ())
    {
      g_test_add_func ("/rl/regal-train/same-seed-same-network", test_same_seed_same_network);
      g_test_add_func ("/rl/regal-train/stops", test_stops);
    }
  return g_test_run ();
}
