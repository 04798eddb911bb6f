/* Bottlenecks of runs drawn here, and their sums on random ones. */
#include "engine/study/analysis/bottlenecks.h"

#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define THREE                                                                                      \
  "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 3, \"kind\": \"gpu\","       \
  " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"                                   \
  " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}"

/* x is sent from gpu:0 at 15, but the channel of gpu:2 is busy with y from 10 to 32:
 *
 *   gpu:0   w 5 | x 10 --20--> cx 5 (gpu:2)
 *   gpu:1   y 10 --20--> cy 5 (gpu:2)
 */
static const Scenario channel = {
  .cluster = THREE,
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "w", 5, 0, 0, 0 },
             { "x", 10, 0, 0, 0 },
             { "y", 10, 1, 0, 0 },
             { "cx", 5, 2, 0, 0 },
             { "cy", 5, 2, 0, 0 } },
  .edges = { { "x", "cx", 20 }, { "y", "cy", 20 } },
};

/* b waits for gpu:0 from 4 to 10 behind a, and c for 0 us behind z, which takes none: a holds up c
 * through z.
 *
 *   gpu:0   s 4 | a 6 | z 0 | b 10
 */
static const Scenario device = {
  .cluster = THREE,
  .order = GOBAN_ORDER_PRIORITY,
  .nodes = { { "s", 4, 0, 9, 0 }, { "a", 6, 0, 8, 0 }, { "z", 0, 0, 7, 0 }, { "b", 10, 0, 6, 0 } },
  .edges = { { "s", "a", 0 }, { "a", "z", 0 }, { "s", "b", 0 } },
};

static void
assert_text (const Scenario *scenario, guint n_most, const char *expected)
{
  g_autoptr (GobanTrace) trace = scenario_run (scenario);
  g_autoptr (GobanBottlenecks) bottlenecks = goban_bottlenecks_new (trace, n_most);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < bottlenecks->n_causes; i++)
    {
      g_autofree char *words = goban_bottleneck_describe (&bottlenecks->causes[i]);

      g_string_append_printf (text, "%g us, %s; ", bottlenecks->causes[i].time_us, words);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_causes (void)
{
  assert_text (&channel, 10,
               "22 us, 37.3 % transfer gpu:0 → gpu:2; "
               "17 us, 28.8 % waits for the channel gpu:1 → gpu:2; "
               "10 us, 16.9 % y computing; 5 us, 8.5 % cx computing; "
               "5 us, 8.5 % transfer gpu:1 → gpu:2; ");
  assert_text (&channel, 2,
               "22 us, 37.3 % transfer gpu:0 → gpu:2; "
               "17 us, 28.8 % waits for the channel gpu:1 → gpu:2; "
               "20 us, 33.9 % 3 others; ");
  assert_text (&device, 10,
               "10 us, 50.0 % b computing; 6 us, 30.0 % waits for gpu:0; "
               "4 us, 20.0 % s computing; ");
}

static void
check_sum (GobanTrace *trace, guint n_most)
{
  g_autoptr (GobanBottlenecks) bottlenecks = goban_bottlenecks_new (trace, n_most);
  double sum_us = 0;
  guint permille = 0;

  g_assert_cmpuint (bottlenecks->n_causes, <=, n_most + 1);
  for (guint i = 0; i < bottlenecks->n_causes; i++)
    {
      const GobanBottleneck *cause = &bottlenecks->causes[i];

      g_assert_cmpfloat (cause->time_us, >, 0);
      g_assert_true (cause->n_nodes > 0 || cause->kind == GOBAN_BOTTLENECK_IDLE
                     || cause->kind == GOBAN_BOTTLENECK_OTHERS);
      sum_us += cause->time_us;
      permille += cause->permille;
    }
  g_assert_cmpfloat_with_epsilon (sum_us, goban_trace_get_makespan (trace), 1e-6);
  g_assert_cmpuint (permille, ==, sum_us > 0 ? 1000 : 0);
}

static void
test_sums (void)
{
  for (guint64 seed = 0; seed < 80; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;

      (seed % 2 ? fused_run_init : random_run_init) (&run, 5 + (guint) seed % 40, seed);
      trace = goban_simulate (run.costs, run.plan);
      if (!isfinite (goban_trace_get_makespan (trace)))
        continue;
      check_sum (trace, 1);
      check_sum (trace, 100);
    }
}

TEST_PROGRAM (bottlenecks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bottlenecks/causes", test_causes);
  g_test_add_func ("/bottlenecks/sums", test_sums);
  return g_test_run ();
}
