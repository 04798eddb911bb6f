/* test-shipped-net.c: the network that comes along has not collapsed: its plans use devices that
 * help, and differ. */
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/go/go-settings.h"
#include "engine/learn/roster.h"
#include "engine/placers/placer.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_SAMPLES 8

/* Of families and random networks, none of them a lesson; on some several devices hardly help. */
static const struct
{
  const char *graph;
  const char *cluster;
} problems[] = {
  { "synthetic:seed=2000001", "p100x4" },
  { "synthetic:seed=2000002", "p100x2" },
  { "synthetic:seed=2000003", "p100x8" },
  { "synthetic:seed=2000004", "p100x4" },
  { "transformer-xl:layers=3,segments=4", "p100x4" },
  { "inception-v3:batch=32,mode=inference", "p100x4" },
  { "amoebanet:layers=4,batch=24", "p100x4" },
  { "rnnlm:layers=2,steps=12", "p100x2" },
};

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanProblem *problem;
  GobanLearner *learner;
} Case;

static void
case_clear (Case *self)
{
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static Case
new_case (gsize i)
{
  g_autofree char *path = project_path ("data/policies/go.net");
  GobanGoSettings settings = goban_go_settings_goban ();
  GobanProblemOptions options = { .n_rows = settings.n_rows, .ranks_alike = TRUE };
  g_autoptr (GError) error = NULL;
  Case self = { .graph = goban_workload_generate (problems[i].graph, &error) };
  GobanNet *net;

  g_assert_no_error (error);
  self.costs = toy_costs (self.graph, problems[i].cluster);
  self.problem = goban_problem_new (self.costs, &options, NULL, &error);
  g_assert_no_error (error);
  net = goban_net_load (path, &error);
  g_assert_no_error (error);
  self.learner = goban_learner_new (net, &settings.ppo, i);
  return self;
}

static GobanOutcome
evaluate (Case *self, GobanPlan *plan)
{
  GobanOutcome outcome;

  goban_evaluator_evaluate (goban_problem_get_evaluator (self->problem), &plan, 1, &outcome);
  return outcome;
}

static double
place_us (Case *self, const char *policy)
{
  g_autoptr (GobanPlan) plan = toy_place (self->costs, policy, 0);

  return toy_makespan_us (self->costs, plan);
}

/* Devices that have at least a fiftieth of the nodes. */
static guint
count_devices (const GobanPlan *plan)
{
  guint n_nodes = goban_plan_get_n_nodes (plan), n_devices = 0;
  guint counts[64] = { 0 };

  for (GobanNodeId v = 0; v < n_nodes; v++)
    counts[goban_plan_get_device (plan, v)]++;
  for (guint d = 0; d < G_N_ELEMENTS (counts); d++)
    n_devices += counts[d] > 0 && counts[d] * 50 >= n_nodes;
  return n_devices;
}

/* Where the best of simple splits is clearly ahead of one device, the likeliest plan uses several,
 * but for one problem at most, and all have the memory. */
static void
test_devices (void)
{
  guint n_split = 0, n_single = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (problems); i++)
    {
      g_auto (Case) self = new_case (i);
      g_autoptr (GobanPlan) plan = goban_learner_new_greedy_plan (self.learner, self.problem);
      double split_us = place_us (&self, "cells"), single_us = place_us (&self, "single");

      g_assert_cmpfloat (evaluate (&self, plan).overflow_bytes, <=, 0);
      g_test_message ("%s on %s: %u devices, %.3f of one device's time; splits %.3f",
                      problems[i].graph, problems[i].cluster, count_devices (plan),
                      evaluate (&self, plan).makespan_us / single_us, split_us / single_us);
      if (split_us > 0.9 * single_us)
        continue;
      n_split++;
      n_single += count_devices (plan) < 2;
    }
  g_assert_cmpuint (n_split, >=, 4);
  g_assert_cmpuint (n_single, <=, 1);
}

/* Samples of a problem are nearly all different plans. */
static void
test_samples (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (problems); i++)
    {
      g_auto (Case) self = new_case (i);
      g_autoptr (GPtrArray) plans
          = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
      guint n_distinct = 0;

      for (guint k = 0; k < N_SAMPLES; k++)
        {
          GobanPlan *plan = goban_learner_new_sampled_plan (self.learner, self.problem);
          gboolean is_new = TRUE;

          for (guint other = 0; other < plans->len; other++)
            is_new = is_new && !toy_plans_are_same (plan, g_ptr_array_index (plans, other));
          n_distinct += is_new;
          g_ptr_array_add (plans, plan);
        }
      g_test_message ("%s: %u of %u samples distinct", problems[i].graph, n_distinct, N_SAMPLES);
      g_assert_cmpuint (n_distinct, >=, N_SAMPLES / 2);
    }
}

/* What is shipped is for use: at most a megabyte. */
static void
test_size (void)
{
  g_autofree char *path = project_path ("data/policies/go.net");
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, <, 1000 * 1000);
}

TEST_PROGRAM (shipped_net)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/shipped-net/devices", test_devices);
  g_test_add_func ("/rl/shipped-net/samples", test_samples);
  g_test_add_func ("/rl/shipped-net/size", test_size);
  return g_test_run ();
}
