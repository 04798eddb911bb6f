/* Points of the learning curve of moves, from moves that are given by hand. */
#include "engine/learn/rl/moves/move-curve.h"

#include "engine/learn/rl/learned-options.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define CHAIN 4

typedef struct
{
  GobanMoveCurvePoint points[2];
  guint n;
} Points;

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanPlan *plan;
  Points points;
  GobanCurveSink sink;
  GobanLearnedOptions learned;
  GobanMoveCurve curve;
} Fixture;

static void
add_cb (const GobanMoveCurvePoint *point, gpointer user_data)
{
  Points *points = user_data;

  g_assert_cmpuint (points->n, <, G_N_ELEMENTS (points->points));
  points->points[points->n++] = *point;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  GobanPlacerOptions options = { .learned = &f->learned };
  g_autoptr (GError) error = NULL;

  f->graph = toy_two_chains (CHAIN);
  f->costs = toy_costs (f->graph, "equal:2,bandwidth=100MB/s");
  f->plan = goban_plan_new (f->graph, 2);
  f->sink = (GobanCurveSink){ .add_moves = add_cb, .user_data = &f->points };
  f->learned.curve = data != NULL ? NULL : &f->sink;
  goban_move_curve_init (&f->curve, f->costs, &options, &error);
  g_assert_no_error (error);
  goban_move_curve_begin (&f->curve);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_move_curve_clear (&f->curve);
  goban_plan_unref (f->plan);
  goban_cost_model_unref (f->costs);
  goban_graph_unref (f->graph);
}

static void
add (Fixture *f, GobanProposer proposer, GobanDeviceId device, gboolean improves,
     double makespan_us)
{
  GobanCurveMove move = { proposer, device, improves, 0.5 };
  GobanOutcome outcome = { makespan_us, makespan_us < 20 ? 1 : 0 };

  goban_move_curve_add (&f->curve, &move, f->plan, &outcome);
}

/* Sixteen moves are an update. Those of chance are not proposals, and a plan that lacks memory is
 * neither the best nor in the mean. */
static void
test_update (Fixture *f, gconstpointer data)
{
  const double *values = f->points.points[0].values;
  double unit = f->curve.graph.reference_us;
  double entropy = -(10 / 13.0 * log (10 / 13.0) + 3 / 13.0 * log (3 / 13.0));
  GobanOutcome best = { 45, 0 }, lacking = { 1, 1 };

  goban_move_curve_set_best (&f->curve, &best);
  goban_move_curve_set_best (&f->curve, &lacking);
  for (guint i = 0; i < 8; i++)
    add (f, GOBAN_PROPOSER_LEARNER, 0, i < 2, 50);
  for (guint i = 0; i < 4; i++)
    add (f, GOBAN_PROPOSER_NETWORK, i < 3, i == 0, 50);
  add (f, GOBAN_PROPOSER_NETWORK, 0, FALSE, 50);
  add (f, GOBAN_PROPOSER_CHANCE, 1, TRUE, 70);
  add (f, GOBAN_PROPOSER_CHANCE, 1, FALSE, 10);
  g_assert_cmpuint (f->points.n, ==, 0);
  add (f, GOBAN_PROPOSER_CHANCE, 1, FALSE, 50);
  g_assert_cmpuint (f->points.n, ==, 1);
  g_assert_cmpuint (f->points.points[0].step, ==, 1);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_MEAN], (14 * 50 + 70) / 15.0 / unit,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_BEST], 45 / unit, 1e-9);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_VALID], 15 / 16.0, 1e-9);
  g_assert_cmpfloat (values[GOBAN_MOVE_CURVE_OWN_GAINS], ==, 0.25);
  g_assert_cmpfloat (values[GOBAN_MOVE_CURVE_NET_GAINS], ==, 0.2);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_OWN_TURNS], 8 / 13.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_ERROR], 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_ENTROPY], entropy, 1e-9);
  g_assert_cmpfloat (values[GOBAN_MOVE_CURVE_TOP_SHARE], ==, 1); /* the plan is on one device */
  g_assert_true (values[GOBAN_MOVE_CURVE_SECONDS] >= 0);
}

/* Counts begin anew with an update, the best goes on, and the end sends an update that has begun.
 * Nothing is said of proposers who proposed nothing. */
static void
test_end (Fixture *f, gconstpointer data)
{
  const double *values = f->points.points[1].values;

  for (guint i = 0; i < GOBAN_MOVE_CURVE_MOVES; i++)
    add (f, GOBAN_PROPOSER_NETWORK, 1, TRUE, 30);
  add (f, GOBAN_PROPOSER_CHANCE, 1, FALSE, 60);
  goban_move_curve_end (&f->curve);
  goban_move_curve_end (&f->curve);
  g_assert_cmpuint (f->points.n, ==, 2);
  g_assert_cmpuint (f->points.points[1].step, ==, 2);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_MEAN], 60 / f->curve.graph.reference_us,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_MOVE_CURVE_BEST], 30 / f->curve.graph.reference_us,
                                  1e-9);
  g_assert_true (isnan (values[GOBAN_MOVE_CURVE_OWN_GAINS]));
  g_assert_true (isnan (values[GOBAN_MOVE_CURVE_NET_GAINS]));
  g_assert_true (isnan (values[GOBAN_MOVE_CURVE_OWN_TURNS]));
  g_assert_true (isnan (values[GOBAN_MOVE_CURVE_ENTROPY]));
}

/* Without a receiver all calls do nothing. */
static void
test_unwatched (Fixture *f, gconstpointer data)
{
  g_assert_false (goban_move_curve_is_watched (&f->curve));
  for (guint i = 0; i < 2 * GOBAN_MOVE_CURVE_MOVES; i++)
    add (f, GOBAN_PROPOSER_LEARNER, 1, TRUE, 30);
  goban_move_curve_end (&f->curve);
  g_assert_cmpuint (f->points.n, ==, 0);
}

TEST_PROGRAM (move_curve)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/rl/move-curve/update", Fixture, NULL, set_up, test_update, tear_down);
  g_test_add ("/rl/move-curve/end", Fixture, NULL, set_up, test_end, tear_down);
  g_test_add ("/rl/move-curve/unwatched", Fixture, "unwatched", set_up, test_unwatched, tear_down);
  return g_test_run ();
}
