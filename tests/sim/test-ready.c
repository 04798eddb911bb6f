#include "engine/sim/sim-ready.h"

#include "engine/core/rng.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <string.h>

/* --- against the slowest twin: look at all ----------------------------------------------- */

/* Adds and takes at random; the twin is a byte per place. */
static void
assert_places_in_order (guint32 n_places, guint n_steps, guint64 seed)
{
  g_autofree guint64 *places = g_new0 (guint64, sim_places_n_words (n_places, 0));
  g_autofree guint64 *words = g_new0 (guint64, sim_places_n_words (n_places, 1));
  g_autofree guint64 *blocks = g_new0 (guint64, sim_places_n_words (n_places, 2));
  g_autofree guint8 *twin = g_new0 (guint8, n_places);
  SimPlaces ready = { places, words, blocks, sim_places_n_words (n_places, 2), SIM_NO_PLACE };
  guint n_ready = 0;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint i = 0; i < n_steps; i++)
    {
      guint32 place = goban_rng_below (&rng, n_places);
      const guint8 *first;

      if (!twin[place] && goban_rng_below (&rng, 5) < 3)
        {
          sim_places_add (&ready, place);
          twin[place] = 1;
          n_ready++;
        }
      first = memchr (twin, 1, n_places);
      g_assert_cmpuint (ready.first, ==, first != NULL ? first - twin : SIM_NO_PLACE);
      if (first != NULL && goban_rng_below (&rng, 5) < 2)
        {
          g_assert_cmpuint (sim_places_take (&ready), ==, first - twin);
          twin[first - twin] = 0;
          n_ready--;
        }
    }
  for (; n_ready > 0; n_ready--)
    {
      const guint8 *first = memchr (twin, 1, n_places);

      g_assert_cmpuint (sim_places_take (&ready), ==, first - twin);
      twin[first - twin] = 0;
    }
  g_assert_cmpuint (ready.first, ==, SIM_NO_PLACE);
}

/* Sizes around the borders of words and blocks, and several words of blocks. */
static void
test_places (void)
{
  static const guint32 sizes[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 262144, 262145, 600000 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    assert_places_in_order (sizes[i], sizes[i] < 5000 ? 2000 : 300, i);
}

/* Instants ascend, ids of one instant come in any order. */
static void
test_line (void)
{
  enum
  {
    N = 3000
  };
  guint64 storage[N];
  guint64 late[N];
  gboolean twin[N] = { FALSE };
  guint64 keys[N];
  SimLine line = { storage, late, 0, 0, 0 };
  guint n_added = 0;
  guint32 instant = 0;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  while (n_added < N || !sim_line_is_empty (&line))
    {
      guint least = N;

      if (n_added < N && goban_rng_below (&rng, 2))
        {
          instant += goban_rng_below (&rng, 4) == 0;
          keys[n_added] = key_make (instant, goban_rng_below (&rng, 1 << 12) << 12 | n_added);
          twin[n_added] = TRUE;
          sim_line_add (&line, keys[n_added++]);
        }
      if (sim_line_is_empty (&line) || goban_rng_below (&rng, 3) == 0)
        continue;
      for (guint i = 0; i < n_added; i++)
        if (twin[i] && (least == N || keys[i] < keys[least]))
          least = i;
      g_assert_cmpuint (sim_line_take (&line), ==, keys[least]);
      twin[least] = FALSE;
    }
}

/* --- priorities that are not a permutation ----------------------------------------------- */

typedef gint32 (*PriorityFunc) (GobanRng *rng, guint v);

static gint32
any_number (GobanRng *rng, guint v)
{
  return (gint32) goban_rng_below (rng, G_MAXUINT32);
}

static gint32
few_numbers (GobanRng *rng, guint v)
{
  return (gint32) goban_rng_below (rng, 5) * 1000003 - 2000000;
}

static gint32
zero (GobanRng *rng, guint v)
{
  return 0;
}

/* One number twice, so that one is missing. */
static gint32
nearly_permutation (GobanRng *rng, guint v)
{
  return v == 17 ? 18 : (gint32) v;
}

static void
test_ranks (void)
{
  static const PriorityFunc funcs[] = { any_number, few_numbers, zero, nearly_permutation };
  const GraphGen gen = { .n_nodes = 6000,
                         .edges_per_node = 1.5,
                         .width = 3000,
                         .max_time_us = 9,
                         .max_bytes = 4,
                         .max_tensors = 1 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 3);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GobanRng rng;

  goban_rng_init (&rng, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (funcs); i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GError) error = NULL;

      for (guint v = 0; v < gen.n_nodes; v++)
        {
          goban_plan_set_device (plan, v, goban_rng_below (&rng, 2));
          goban_plan_set_priority (plan, v, funcs[i](&rng, v));
        }
      goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
      trace = goban_simulate (costs, plan);
      goban_trace_check (trace, &error);
      g_assert_no_error (error);
    }
}

TEST_PROGRAM (ready)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/ready/places", test_places);
  g_test_add_func ("/sim/ready/line", test_line);
  g_test_add_func ("/sim/ready/ranks", test_ranks);
  return g_test_run ();
}
