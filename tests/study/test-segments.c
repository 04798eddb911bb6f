/* Segments of plans: where they are cut, what they wait for, and that none waits for ever. */
#include "engine/study/measure/executor.h"
#include "engine/study/measure/measured-run.h"
#include "engine/study/measure/timing.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* "0: source left sink <- 1; 1: right <- 0": device, nodes and waits of each segment. */
static char *
describe (const GobanSegments *self, const GobanGraph *graph)
{
  GString *text = g_string_new (NULL);

  for (guint s = 0; s < self->n; s++)
    {
      const GobanSegment *segment = &self->segments[s];

      g_string_append_printf (text, "%s%u:", s > 0 ? "; " : "", segment->device);
      for (guint i = 0; i < segment->n; i++)
        g_string_append_printf (
            text, " %s", goban_graph_get_node (graph, self->nodes[segment->first + i])->name);
      for (guint i = 0; i < segment->n_waits; i++)
        g_string_append_printf (text, " <%u", self->waits[segment->first_wait + i]);
    }
  return g_string_free (text, FALSE);
}

static GobanRun *
run_plan (GobanCostModel *costs, GobanPlan *plan)
{
  return goban_run_new (costs, plan, "test");
}

static void
test_diamond (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSegments) apart = NULL;
  g_autoptr (GobanSegments) single = goban_segments_new_single (graph);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *all = describe (single, graph);

  goban_plan_set_device (plan, goban_graph_find_node (graph, "right"), 1);
  run = run_plan (costs, plan);
  apart = goban_segments_new (run, &error);
  g_assert_no_error (error);
  text = describe (apart, graph);
  g_assert_cmpstr (text, ==, "0: source; 0: left; 1: right <0; 0: sink <2");
  g_assert_cmpuint (apart->n_hand_overs, ==, 2);
  g_assert_cmpstr (all, ==, "0: source left right sink");
}

/* source 1 us, left 10 us; right 20 us on the other core, after source; sink 2 us after both. */
static void
test_replay (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSegments) segments = NULL;
  GobanSegmentSpan spans[]
      = { { 90, 99, 1 }, { 500, 600, 10 }, { 100, 1000, 20 }, { 2000, 3000, 2 } };

  goban_plan_set_device (plan, goban_graph_find_node (graph, "right"), 1);
  run = run_plan (costs, plan);
  segments = goban_segments_new (run, NULL);
  g_assert_cmpuint (segments->n, ==, 4);
  goban_timing_replay (segments, spans);
  g_assert_cmpfloat (spans[0].start_us, ==, 0);
  g_assert_cmpfloat (spans[1].start_us, ==, 1);
  g_assert_cmpfloat (spans[1].finish_us, ==, 11);
  g_assert_cmpfloat (spans[2].start_us, ==, 1);
  g_assert_cmpfloat (spans[2].finish_us, ==, 21);
  g_assert_cmpfloat (spans[3].start_us, ==, 21);
  g_assert_cmpfloat (spans[3].finish_us, ==, 23);
}

/* Every segment runs after what it waits for and after the one before it on its device: the numbers
 * are such an order, whatever the plan, nodes without time included. */
static void
check_order (GobanCostModel *costs, guint64 seed)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph), n_listed = 0;
  g_autoptr (GobanPlan) plan = toy_place (costs, "random", seed);
  g_autoptr (GobanRun) run = run_plan (costs, plan);
  g_autoptr (GobanSegments) self = goban_segments_new (run, NULL);

  g_assert_nonnull (self);
  for (guint s = 0; s < self->n; s++)
    {
      const GobanSegment *segment = &self->segments[s];

      g_assert_cmpuint (segment->first, ==, n_listed);
      n_listed += segment->n;
      for (guint i = 0; i < segment->n_waits; i++)
        g_assert_cmpuint (self->waits[segment->first_wait + i], <, s);
    }
  g_assert_cmpuint (n_listed, ==, n_nodes);
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      guint32 from = self->segment_of[edge->tail], to = self->segment_of[edge->head];

      if (goban_plan_get_device (plan, edge->tail) == goban_plan_get_device (plan, edge->head))
        g_assert_cmpuint (from, <=, to);
      else
        {
          const GobanSegment *sender = &self->segments[from], *receiver = &self->segments[to];

          g_assert_cmpuint (self->nodes[sender->first + sender->n - 1], ==, edge->tail);
          g_assert_cmpuint (self->nodes[receiver->first], ==, edge->head);
        }
    }
}

static void
test_random (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (8 + seed % 20, seed, "equal:3");

      check_order (costs, seed);
    }
}

/* Whatever the times, no op ends after its segment, not by the last bit of a double either: another
 * core goes on at that time. */
static void
test_lay_out (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (6);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) plan = toy_place (costs, "random", 2);
  g_autoptr (GobanRun) run = run_plan (costs, plan);
  g_autoptr (GobanSegments) segments = goban_segments_new (run, NULL);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree GobanSpread *kernels = g_new (GobanSpread, n_nodes);
  g_autofree GobanSegmentSpan *spans = g_new0 (GobanSegmentSpan, segments->n);
  g_autofree GobanMeasuredOp *ops = g_new0 (GobanMeasuredOp, n_nodes);
  GobanCalibration calibration = { .graph = graph, .kernel_us = kernels };
  GobanTiming timing = { .spans = spans, .n_segments = segments->n, .kernels_us = kernels };
  GobanMeasuredRun measured = { .predicted = run, .ops = ops };

  for (guint round = 0; round < 200; round++)
    {
      for (guint v = 0; v < n_nodes; v++)
        kernels[v].median = kernels[v].low = kernels[v].high = g_test_rand_double_range (0, 90);
      for (guint s = 0; s < segments->n; s++)
        {
          spans[s].start_us = s == 0 ? 1000 : spans[s - 1].finish_us;
          spans[s].finish_us = spans[s].start_us + g_test_rand_double_range (0, 300);
        }
      goban_measured_run_compute (&measured, &calibration, segments, &timing);
      for (guint v = 0; v < n_nodes; v++)
        {
          const GobanSegmentSpan *span = &spans[segments->segment_of[v]];

          g_assert_cmpfloat (ops[v].start_us, >=, span->start_us - spans[0].start_us);
          g_assert_cmpfloat (ops[v].start_us + ops[v].measured_us, <=,
                             span->finish_us - spans[0].start_us);
        }
    }
}

static void
test_fused (void)
{
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSegments) segments = NULL;
  g_autoptr (GError) error = NULL;

  goban_plan_set_fusion (plan, 0, 1);
  goban_plan_set_fusion (plan, 1, 1);
  run = run_plan (costs, plan);
  segments = goban_segments_new (run, &error);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_null (segments);
}

TEST_PROGRAM (segments)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/segments/diamond", test_diamond);
  g_test_add_func ("/measure/segments/replay", test_replay);
  g_test_add_func ("/measure/segments/random", test_random);
  g_test_add_func ("/measure/segments/lay-out", test_lay_out);
  g_test_add_func ("/measure/segments/fused", test_fused);
  return g_test_run ();
}
