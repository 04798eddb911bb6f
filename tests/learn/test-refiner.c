/* Boards of a plan: groups that are connected and alike, what is said of them, and that staying
 * changes nothing. */
#include "engine/learn/policy/refiner.h"

#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/credit.h"
#include "engine/learn/rl/go/problem.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanProblem *problem;
  GobanRefiner *refiner; /* the problem's */
  const GobanUnits *units;
} Case;

static void
case_clear (Case *self)
{
  goban_problem_free (self->problem);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* graph: (transfer full) */
static Case
new_case (GobanGraph *graph, const char *cluster, GobanTasks decisions)
{
  Case self = { .graph = graph, .costs = toy_costs (graph, cluster) };
  GobanProblemOptions options = { .decisions = decisions };
  g_autoptr (GError) error = NULL;

  self.problem = goban_problem_new (self.costs, &options, NULL, &error);
  g_assert_no_error (error);
  self.refiner = goban_problem_get_refiner (self.problem);
  self.units = goban_problem_get_board (self.problem)->units;
  return self;
}

/* Units in stretches of about @stretch that do the same where they can, of one level each. */
static GobanUnitChoices
draw_choices (const Case *self, guint stretch, guint64 seed)
{
  GobanTasks decisions = goban_problem_get_decisions (self->problem);
  GobanUnitChoices choices = { { NULL } };
  const GobanUnits *units = self->units;
  GobanDeviceId device = 0;
  guint32 level = 8;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if ((decisions & (1u << k)) != 0 || k == GOBAN_TASK_PLACEMENT)
      choices.of[k] = g_new (guint32, units->n_units);
  for (guint u = 0; u < units->n_units; u++)
    {
      if (goban_rng_below (&rng, stretch) == 0)
        {
          device = (GobanDeviceId) goban_rng_below (&rng, units->n_devices);
          level = goban_rng_below (&rng, GOBAN_N_LEVELS);
        }
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        if (choices.of[k] != NULL)
          choices.of[k][u] = level;
      choices.of[GOBAN_TASK_PLACEMENT][u]
          = goban_units_can_run (units, u, device) ? device : goban_units_fastest_device (units, u);
    }
  return choices;
}

static GobanBoard *
draw_board (const Case *self, const GobanUnitChoices *choices, guint n_wanted, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  return goban_refiner_new_board (self->refiner, choices, n_wanted, &rng);
}

static void
look (const Case *self, const GobanUnitChoices *choices)
{
  g_autoptr (GobanPlan) plan = goban_problem_new_plan (self->problem, choices);
  g_autoptr (GobanTrace) trace = goban_simulate (self->costs, plan);
  g_autofree double *blame_us = g_new0 (double, goban_graph_get_n_nodes (self->graph));

  goban_credit_blame (trace, GOBAN_TASK_PLACEMENT, blame_us);
  goban_refiner_look_at (self->refiner, trace, blame_us);
}

/* --- groups ----------------------------------------------------------------------------------- */

static guint32
find_row (const GobanBoard *board, guint unit)
{
  return board->row_of[board->units->nodes[board->units->offsets[unit]]];
}

/* Spreads the lowest unit of each row along edges within it; all must be reached. */
static void
check_connected (const GobanBoard *board)
{
  const GobanUnits *units = board->units;
  g_autofree guint32 *label = g_new (guint32, units->n_units);
  g_autofree guint32 *label_of_row = g_new (guint32, board->n_rows);
  gboolean is_changed = TRUE;

  for (guint u = 0; u < units->n_units; u++)
    label[u] = u;
  while (is_changed)
    {
      is_changed = FALSE;
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (units->graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (units->graph, e);
          guint32 *a = &label[units->unit_of[edge->tail]], *b = &label[units->unit_of[edge->head]];

          if (*a == *b || board->row_of[edge->tail] != board->row_of[edge->head])
            continue;
          *a = *b = MIN (*a, *b);
          is_changed = TRUE;
        }
    }
  for (guint r = 0; r < board->n_rows; r++)
    label_of_row[r] = G_MAXUINT32;
  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 *expected = &label_of_row[find_row (board, u)];

      if (*expected == G_MAXUINT32)
        *expected = label[u];
      g_assert_cmpuint (label[u], ==, *expected);
    }
}

static void
check_alike (const GobanBoard *board, const GobanUnitChoices *choices)
{
  const GobanUnits *units = board->units;

  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 row = find_row (board, u);

      /* A colocation group is a unit, and units are whole. */
      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        g_assert_cmpuint (board->row_of[units->nodes[i]], ==, row);
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        {
          if (choices->of[k] != NULL)
            g_assert_cmpuint (board->of_units[k][u], ==, choices->of[k][u]);
          else
            g_assert_null (board->current[k]);
        }
      /* Levels may differ within a row, which keeps them; devices may not. */
      g_assert_cmpuint (board->current[GOBAN_TASK_PLACEMENT][row], ==,
                        choices->of[GOBAN_TASK_PLACEMENT][u]);
      for (guint d = 0; d < units->n_devices; d++)
        g_assert_cmpuint (board->allowed[row * units->n_devices + d], ==,
                          goban_units_can_run (units, u, (GobanDeviceId) d));
    }
}

static void
check_pairs (const GobanBoard *board)
{
  guint D = board->n_devices;

  for (guint r = 0; r < board->n_rows; r++)
    {
      const float *x = &board->x[r * GOBAN_BOARD_N_FEATURES];
      guint32 here = board->current[GOBAN_TASK_PLACEMENT][r];
      double total = 0;

      for (guint f = 0; f < GOBAN_BOARD_N_FEATURES; f++)
        g_assert_cmpfloat (fabsf (x[f]), <=, 8);
      g_assert_cmpfloat (x[GOBAN_FEATURE_HAS_PLAN], ==, 1);
      for (guint d = 0; d < D; d++)
        {
          const float *pair = &board->pairs[(r * D + d) * GOBAN_BOARD_N_PAIRS];

          for (guint p = 0; p < GOBAN_BOARD_N_PAIRS; p++)
            g_assert_cmpfloat (fabsf (pair[p]), <=, 3);
          g_assert_cmpfloat (pair[GOBAN_PAIR_NEAR], >=, 0);
          g_assert_cmpfloat (pair[GOBAN_PAIR_BLAME], >=, 0);
          g_assert_cmpfloat (pair[GOBAN_PAIR_MEMORY], >=, 0);
          g_assert_cmpfloat (pair[GOBAN_PAIR_NEAR_HERE], ==, x[GOBAN_FEATURE_NEAR]);
          g_assert_cmpfloat (pair[GOBAN_PAIR_LOAD_HERE], ==, x[GOBAN_FEATURE_LOAD]);
          if (d == here)
            {
              g_assert_cmpfloat (pair[GOBAN_PAIR_NEAR], ==, pair[GOBAN_PAIR_NEAR_HERE]);
              g_assert_cmpfloat (pair[GOBAN_PAIR_LOAD], ==, pair[GOBAN_PAIR_LOAD_HERE]);
            }
          total += (double) pair[GOBAN_PAIR_NEAR];
        }
      g_assert_cmpfloat (total, <=, 1 + 1e-5);
      /* All of it goes somewhere, unless there is none. */
      g_assert_true (total == 0 || total > 1 - 1e-5);
      g_assert_cmpfloat (fabsf (x[GOBAN_FEATURE_START]), <=, 1);
    }
}

static void
check_board (const GobanBoard *board, const GobanUnitChoices *choices, guint n_wanted)
{
  g_assert_cmpuint (board->n_rows, <=, board->units->n_units);
  g_assert_cmpuint (board->n_rows, >=, MIN (n_wanted, board->units->n_units));
  check_connected (board);
  check_alike (board, choices);
  check_pairs (board);
}

static void
test_groups (void)
{
  static const guint wanted[] = { 1, 3, 10, 30, 1000 };

  for (guint64 seed = 1; seed <= 12; seed++)
    {
      GobanTasks decisions = 1 + (guint) (seed % GOBAN_TASKS_ALL);
      g_auto (Case) self
          = new_case (toy_mixed (1 + 8 * (guint) seed, seed), TOY_MIXED_CLUSTER, decisions);
      GobanUnitChoices choices = draw_choices (&self, 1 + (guint) (seed % 12), seed);

      for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
        {
          g_autoptr (GobanBoard) board = NULL;

          if (i == 2)
            look (&self, &choices);
          board = draw_board (&self, &choices, wanted[i], seed + i);
          check_board (board, &choices, wanted[i]);
        }
      goban_unit_choices_clear (&choices);
    }
}

/* A connected graph that is all on one device can be cut into as few as anybody wants. */
static void
test_n_rows (void)
{
  static const guint wanted[] = { 1, 2, 16, 50, 100 };
  g_auto (Case) self = new_case (goban_workload_generate ("rnnlm:layers=2,steps=8", NULL), "p100x4",
                                 GOBAN_TASKS_DEFAULT);
  GobanUnitChoices choices = draw_choices (&self, G_MAXUINT32, 1);

  g_assert_cmpuint (self.units->n_units, >, 100);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autoptr (GobanBoard) board = draw_board (&self, &choices, wanted[i], i);

      check_board (board, &choices, wanted[i]);
      g_assert_cmpuint (board->n_rows, <=, wanted[i] + wanted[i] / 4 + 1);
    }
  goban_unit_choices_clear (&choices);
}

/* --- what is said of the plan --------------------------------------------------------------- */

/* source (gpu:0) -> left (gpu:0), right (gpu:1) -> sink (gpu:0), every op a row. All tensors are as
 * large. */
static void
test_traffic (void)
{
  g_auto (Case) self = new_case (toy_diamond (), "p100x2", GOBAN_TASKS_DEFAULT);
  guint32 devices[] = { 0, 0, 1, 0 };
  const GobanUnitChoices choices = { .of[GOBAN_TASK_PLACEMENT] = devices };
  g_autoptr (GobanBoard) board = NULL;
  const float *right;

  look (&self, &choices);
  board = draw_board (&self, &choices, 4, 1);
  g_assert_cmpuint (board->n_rows, ==, 4);
  check_board (board, &choices, 4);
  right = &board->pairs[(2 * 2) * GOBAN_BOARD_N_PAIRS];
  g_assert_cmpfloat (right[GOBAN_PAIR_NEAR], ==, 1);
  g_assert_cmpfloat (right[GOBAN_PAIR_NEAR_HERE], ==, 0);
  /* gpu:0 works 120 us, gpu:1 100 us, where the mean is 110. */
  g_assert_cmpfloat_with_epsilon (right[GOBAN_PAIR_LOAD], 120 / 110.0 - 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (right[GOBAN_PAIR_LOAD_HERE], 100 / 110.0 - 1, 1e-6);
  /* The source's tensors are alike, one stays. */
  g_assert_cmpfloat_with_epsilon (board->pairs[GOBAN_PAIR_NEAR], 0.5, 1e-6);
  g_assert_cmpfloat (board->x[GOBAN_FEATURE_START], ==, -1);
  /* Of the run, it is the way to right and back that is to blame. */
  g_assert_cmpfloat (right[GOBAN_PAIR_BLAME], >,
                     board->x[GOBAN_BOARD_N_FEATURES + GOBAN_FEATURE_BLAME]);
}

/* The same in two rows: what stays within a row is no traffic of it. */
static void
test_traffic_of_groups (void)
{
  g_auto (Case) self = new_case (toy_diamond (), "p100x2", GOBAN_TASKS_DEFAULT);
  guint32 devices[] = { 0, 0, 1, 0 };
  const GobanUnitChoices choices = { .of[GOBAN_TASK_PLACEMENT] = devices };
  g_autoptr (GobanBoard) board = draw_board (&self, &choices, 2, 1);

  g_assert_cmpuint (board->n_rows, ==, 2);
  check_board (board, &choices, 2);
  g_assert_cmpfloat (board->pairs[GOBAN_PAIR_NEAR_HERE], ==, 0);
  g_assert_cmpfloat (board->pairs[GOBAN_BOARD_N_PAIRS + GOBAN_PAIR_NEAR], ==, 1);
}

/* --- staying -------------------------------------------------------------------------------- */

static void
test_staying (void)
{
  for (guint64 seed = 1; seed <= 14; seed++)
    {
      GobanTasks decisions = 1 + (guint) (seed % GOBAN_TASKS_ALL);
      g_auto (Case) self = new_case (toy_mixed (50, seed), TOY_MIXED_CLUSTER, decisions);
      GobanUnitChoices choices = draw_choices (&self, 5, seed);
      GobanNetConfig config = goban_net_config_goban ();
      g_autoptr (GobanBoard) board = draw_board (&self, &choices, 12, seed);
      g_autoptr (GobanPlan) before = goban_problem_new_plan (self.problem, &choices);
      g_autoptr (GobanPlan) after = NULL;
      g_autoptr (GobanChoices) stay = NULL;

      config.decisions = decisions;
      stay = goban_choices_new (&config, board->n_rows);
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        if (stay->chosen[config.n_iterations - 1][k] != NULL)
          memcpy (stay->chosen[config.n_iterations - 1][k], board->current[k],
                  board->n_rows * sizeof (guint32));
      goban_problem_new_plans (self.problem, board, &stay, 1, &after);
      g_assert_true (toy_plans_are_same (before, after));
      goban_unit_choices_clear (&choices);
    }
}

static void
test_same_seed (void)
{
  g_auto (Case) self = new_case (toy_mixed (80, 4), TOY_MIXED_CLUSTER, GOBAN_TASKS_ALL);
  GobanUnitChoices choices = draw_choices (&self, 8, 4);
  g_autoptr (GobanBoard) a = draw_board (&self, &choices, 20, 5);
  g_autoptr (GobanBoard) b = draw_board (&self, &choices, 20, 5);
  g_autoptr (GobanBoard) c = draw_board (&self, &choices, 20, 6);
  gsize n_nodes = goban_graph_get_n_nodes (self.graph);

  g_assert_cmpuint (a->n_rows, ==, b->n_rows);
  g_assert_cmpmem (a->row_of, n_nodes * sizeof (guint32), b->row_of, n_nodes * sizeof (guint32));
  g_assert_cmpmem (a->x, a->n_rows * GOBAN_BOARD_N_FEATURES * sizeof (float), b->x,
                   b->n_rows * GOBAN_BOARD_N_FEATURES * sizeof (float));
  g_assert_cmpmem (a->pairs, a->n_rows * a->n_devices * GOBAN_BOARD_N_PAIRS * sizeof (float),
                   b->pairs, b->n_rows * b->n_devices * GOBAN_BOARD_N_PAIRS * sizeof (float));
  g_assert_true (memcmp (a->row_of, c->row_of, n_nodes * sizeof (guint32)) != 0);
  goban_unit_choices_clear (&choices);
}

/* One op, no edges, ops that take no time: nothing is divided by nothing. */
static void
test_tiny (void)
{
  for (guint n_nodes = 1; n_nodes <= 3; n_nodes++)
    {
      g_auto (Case) self = new_case (toy_mixed (n_nodes, n_nodes), TOY_MIXED_CLUSTER, 0);
      GobanUnitChoices choices = draw_choices (&self, 1, n_nodes);
      g_autoptr (GobanBoard) board = NULL;

      look (&self, &choices);
      board = draw_board (&self, &choices, 0, 1);
      check_board (board, &choices, 1);
      goban_unit_choices_clear (&choices);
    }
}

/* --- equal devices -------------------------------------------------------------------------- */

/* (transfer full) of every row and device. */
static float *
dup_logits (const GobanBoard *board, const GobanNet *net)
{
  g_autoptr (GobanPass) pass = goban_pass_new (goban_net_get_config (net), board);

  goban_pass_embed (pass, net);
  goban_pass_decide (pass, net, NULL, NULL);
  return g_memdup2 (goban_pass_get_logits (pass, 0, GOBAN_TASK_PLACEMENT),
                    (gsize) board->n_rows * board->n_devices * sizeof (float));
}

/* The same plan with two equal devices exchanged: rows are the same, and so is what the network
 * makes of them, with the two exchanged. Neither plan has been run, for what comes first in a run
 * may depend on numbers. */
static void
test_exchange (void)
{
  g_auto (Case) self = new_case (goban_workload_generate ("rnnlm:layers=2,steps=6", NULL), "p100x4",
                                 GOBAN_TASKS_DEFAULT);
  GobanUnitChoices choices = draw_choices (&self, 12, 5), exchanged = { { NULL } };
  GobanNetConfig config = goban_net_config_goban ();
  guint32 *devices = choices.of[GOBAN_TASK_PLACEMENT];
  g_autoptr (GobanBoard) board = NULL;
  g_autoptr (GobanBoard) other = NULL;
  g_autoptr (GobanNet) net = NULL;
  g_autofree float *logits = NULL;
  g_autofree float *again = NULL;
  guint n_apart = 0;
  GobanRng rng;

  goban_rng_init (&rng, 3);
  net = goban_net_new (&config, &rng);
  exchanged.of[GOBAN_TASK_PLACEMENT] = g_memdup2 (devices, self.units->n_units * sizeof *devices);
  for (guint u = 0; u < self.units->n_units; u++)
    if (devices[u] == 1 || devices[u] == 3)
      exchanged.of[GOBAN_TASK_PLACEMENT][u] = 4 - devices[u];
  board = draw_board (&self, &choices, 40, 7);
  logits = dup_logits (board, net);
  other = draw_board (&self, &exchanged, 40, 7);
  again = dup_logits (other, net);

  g_assert_cmpuint (board->n_rows, ==, other->n_rows);
  for (guint n = 0; n < board->n_rows; n++)
    for (guint d = 0; d < 4; d++)
      {
        float here = logits[n * 4 + d], there = again[n * 4 + (d % 2 == 1 ? 4 - d : d)];

        g_assert_cmpfloat_with_epsilon (here, there, 1e-3f);
        n_apart += d == 1 && fabsf (here - again[n * 4 + 1]) > 0.01f;
      }
  g_assert_cmpuint (n_apart, >, board->n_rows / 2);
  goban_unit_choices_clear (&choices);
  goban_unit_choices_clear (&exchanged);
}

/* Where device d's logits of the first pass stand in the second. */
static guint
find_column (const float *logits, const float *again, guint n_rows, guint D, guint d)
{
  for (guint other = 0; other < D; other++)
    {
      gboolean is_same = TRUE;

      for (guint n = 0; n < n_rows && is_same; n++)
        is_same = logits[n * D + d] == again[n * D + other]
                  || fabsf (logits[n * D + d] - again[n * D + other]) < 1e-4f;
      if (is_same)
        return other;
    }
  return G_MAXUINT;
}

/* Whole plans: labels that are drawn exchange the logits of equal devices in all ways, and of no
 * others. */
static void
check_labels (GobanGraph *graph, const char *cluster, guint n_moves)
{
  g_auto (Case) self = new_case (graph, cluster, GOBAN_TASKS_DEFAULT);
  const GobanBoard *board = goban_problem_get_board (self.problem);
  GobanNetConfig config = goban_net_config_goban ();
  guint D = board->n_devices, moves = 0;
  g_autoptr (GobanNet) net = NULL;
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autofree float *logits = NULL;
  GobanRng rng;

  goban_rng_init (&rng, 3);
  net = goban_net_new (&config, &rng);
  logits = dup_logits (board, net);
  for (guint i = 0; i < 60; i++)
    {
      goban_pass_draw_labels (pass, &rng);
      goban_pass_embed (pass, net);
      for (guint d = 0; d < D; d++)
        {
          guint to = find_column (logits, goban_pass_get_logits (pass, 0, GOBAN_TASK_PLACEMENT),
                                  board->n_rows, D, d);

          g_assert_cmpuint (to, <, D);
          moves |= 1u << (d * D + to);
        }
    }
  g_assert_cmpuint ((guint) __builtin_popcount (moves), ==, n_moves);
}

static void
test_labels (void)
{
  check_labels (toy_two_chains (8), "p100x4", 4 * 4);
  check_labels (toy_mixed (40, 3), TOY_MIXED_CLUSTER, 3);
}

TEST_PROGRAM (refiner)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/refiner/groups-are-connected-and-alike", test_groups);
  g_test_add_func ("/policy/refiner/as-many-rows-as-wanted", test_n_rows);
  g_test_add_func ("/policy/refiner/traffic-and-load", test_traffic);
  g_test_add_func ("/policy/refiner/traffic-of-groups", test_traffic_of_groups);
  g_test_add_func ("/policy/refiner/staying-changes-nothing", test_staying);
  g_test_add_func ("/policy/refiner/same-seed-same-bytes", test_same_seed);
  g_test_add_func ("/policy/refiner/tiny-graphs", test_tiny);
  g_test_add_func ("/policy/refiner/exchange", test_exchange);
  g_test_add_func ("/policy/refiner/labels", test_labels);
  return g_test_run ();
}
