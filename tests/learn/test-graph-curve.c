/* Points of a policy gradient's learning curve, from samples that are given by hand. */
#include "engine/learn/rl/graph-curve.h"

#include "engine/core/error.h"
#include "engine/learn/rl/learned-options.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define CHAIN 4

typedef struct
{
  GobanCurvePoint points[2];
  guint n;
} Points;

static void
add_cb (const GobanCurvePoint *point, gpointer user_data)
{
  Points *points = user_data;

  g_assert_cmpuint (points->n, <, G_N_ELEMENTS (points->points));
  points->points[points->n++] = *point;
}

static void
add_sample (GobanGraphCurve *curve, GobanPlan *plan, double makespan_us, double overflow_bytes,
            double reward)
{
  GobanOutcome outcome = { makespan_us, overflow_bytes };

  goban_graph_curve_add_sample (curve, plan, &outcome, reward);
}

static void
test_point (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=100MB/s");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  Points points = { 0 };
  GobanCurveSink sink = { .add = add_cb, .user_data = &points };
  GobanLearnedOptions learned = { .curve = &sink };
  GobanPlacerOptions options = { .learned = &learned };
  GobanOutcome draft = { 30, 0 }, lacking = { 5, 1 };
  g_auto (GobanGraphCurve) curve = { 0 };
  g_autoptr (GError) error = NULL;
  double reference_us, *values = points.points[0].values;

  g_assert_true (goban_graph_curve_init (&curve, costs, &options, &error));
  g_assert_true (curve.sink != NULL);
  reference_us = curve.reference_us;
  g_assert_cmpfloat (reference_us, >=, 10 * CHAIN); /* two chains of ops of 10 us, in parallel */
  g_assert_cmpfloat (reference_us, <=, 20 * CHAIN);
  goban_graph_curve_begin_update (&curve);
  add_sample (&curve, plan, 60, 0, -1); /* all on one device */
  goban_plan_set_device (plan, 0, 1);
  add_sample (&curve, plan, 40, 0, -2);
  add_sample (&curve, plan, 10, 7, -10);
  goban_graph_curve_add_draft (&curve, &draft);
  goban_graph_curve_add_draft (&curve, &lacking);
  goban_graph_curve_add_choices (&curve, 0.5, 3);
  goban_graph_curve_add_choices (&curve, 0.1, 1);
  goban_graph_curve_end_update (&curve, 2.5, 0.25);

  g_assert_cmpuint (points.n, ==, 1);
  g_assert_cmpuint (points.points[0].step, ==, 1);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_MEAN], 50 / reference_us, 1e-12);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_BEST], 30 / reference_us, 1e-12);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_VALID], 2.0 / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_REWARD], -13.0 / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_ENTROPY], 0.4, 1e-12);
  g_assert_cmpfloat (values[GOBAN_CURVE_GRADIENT], ==, 2.5);
  g_assert_cmpfloat (values[GOBAN_CURVE_CLIPPED], ==, 0.25);
  g_assert_cmpfloat_with_epsilon (values[GOBAN_CURVE_TOP_SHARE],
                                  (1 + 2 * (1 - 1.0 / (2 * CHAIN))) / 3, 1e-12);

  /* Sums begin anew; without a valid sample no time is known. */
  goban_graph_curve_begin_update (&curve);
  add_sample (&curve, plan, 10, 7, -10);
  goban_graph_curve_end_update (&curve, 1, NAN);
  values = points.points[1].values;
  g_assert_cmpuint (points.points[1].step, ==, 2);
  g_assert_true (isnan (values[GOBAN_CURVE_MEAN]) && isnan (values[GOBAN_CURVE_BEST]));
  g_assert_true (values[GOBAN_CURVE_VALID] == 0 && values[GOBAN_CURVE_REWARD] == -10);
}

/* With one device there is nothing to collapse to. */
static void
test_one_device (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:1");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
  Points points = { 0 };
  GobanCurveSink sink = { .add = add_cb, .user_data = &points };
  GobanLearnedOptions learned = { .curve = &sink };
  GobanPlacerOptions options = { .learned = &learned };
  g_auto (GobanGraphCurve) curve = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_graph_curve_init (&curve, costs, &options, &error));
  goban_graph_curve_begin_update (&curve);
  add_sample (&curve, plan, 60, 0, -1);
  goban_graph_curve_end_update (&curve, 1, NAN);
  g_assert_true (isnan (points.points[0].values[GOBAN_CURVE_TOP_SHARE]));
}

/* Nobody looks: nothing is measured beforehand, and all calls do nothing. */
static void
test_unwatched (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=100MB/s");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  GobanPlacerOptions options = { 0 };
  g_auto (GobanGraphCurve) curve = { 0 };

  g_assert_true (goban_graph_curve_init (&curve, costs, &options, NULL));
  g_assert_false (curve.sink != NULL);
  g_assert_null (curve.work_us);
  goban_graph_curve_begin_update (&curve);
  add_sample (&curve, plan, 60, 0, -1);
  goban_graph_curve_end_update (&curve, 1, NAN);
}

static void
refuse_step (double fraction, const char *what, gpointer user_data)
{
  g_assert_not_reached ();
}

static gboolean
stop_cb (gpointer user_data)
{
  return GPOINTER_TO_INT (user_data);
}

/* Plans of the reference can be stopped, and their progress is not that of the learning. */
static void
test_reference_is_quiet (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=100MB/s");
  GobanCurveSink sink = { .add = add_cb };
  GobanLearnedOptions learned = { .curve = &sink };
  g_autoptr (GError) error = NULL;

  for (int is_stopped = 0; is_stopped < 2; is_stopped++)
    {
      GobanProgress progress = { refuse_step, stop_cb, GINT_TO_POINTER (is_stopped) };
      GobanPlacerOptions options = { .learned = &learned, .progress = &progress };
      g_auto (GobanGraphCurve) curve = { 0 };

      g_assert_true (goban_graph_curve_init (&curve, costs, &options, &error) == !is_stopped);
    }
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

TEST_PROGRAM (graph_curve)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/graph-curve/point", test_point);
  g_test_add_func ("/rl/graph-curve/one-device", test_one_device);
  g_test_add_func ("/rl/graph-curve/unwatched", test_unwatched);
  g_test_add_func ("/rl/graph-curve/reference-is-quiet", test_reference_is_quiet);
  return g_test_run ();
}
