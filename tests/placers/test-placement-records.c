#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/decision-log.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/machine/plan/placement-record-writer.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define FEW_EVALUATIONS 60

/* clang-format off */
#define TIGHT_CLUSTER                                                                              \
  "{ \"devices\": ["                                                                               \
  TOY_DEVICE ("d0", "gpu", "30") "," TOY_DEVICE ("d1", "gpu", "40") ","                          \
  TOY_DEVICE ("d2", "gpu", "60") "], \"all_pairs\": { \"bandwidth\": 1e6 } }"
/* clang-format on */

typedef struct
{
  GobanCostModel *costs;
  guint64 seed;
  guint64 max_evaluations; /* 0: few */
  const GobanPlacer *placer;
  GobanPlacementRecord *record;
  GobanDecisionLog *log; /* (nullable) */
  GobanPlan *plan;
} Case;

static GobanPlan *
place (const Case *self, GobanPlacementRecord *record, GobanDecisionLog **log)
{
  g_autoptr (GError) error = NULL;
  const GobanLearnedOptions learned = { .log = log };
  const GobanPlacerOptions options
      = { .seed = self->seed,
          .max_evaluations = self->max_evaluations > 0 ? self->max_evaluations : FEW_EVALUATIONS,
          .record = record,
          .learned = &learned,
          .n_threads = 1 };
  guint64 evaluations = 0;
  GobanPlan *plan = goban_placer_place (self->placer, self->costs, &options, &evaluations, &error);

  g_assert_no_error (error);
  return plan;
}

static void
case_begin (Case *self)
{
  self->log = NULL;
  self->record = goban_placement_record_new (
      goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs)),
      goban_cluster_get_n_devices (goban_cost_model_get_cluster (self->costs)));
  self->plan = place (self, self->record, &self->log);
}

static void
case_end (Case *self)
{
  goban_plan_unref (self->plan);
  goban_placement_record_unref (self->record);
  g_clear_pointer (&self->log, goban_decision_log_unref);
}

/* --- graphs ----------------------------------------------------------------------------------- */

static GobanCostModel *
new_costs (guint i)
{
  g_autoptr (GobanGraph) graph = NULL;

  switch (i % 4)
    {
    case 0:
      graph = toy_mixed (8 + i, i);
      return toy_costs (graph, TOY_MIXED_CLUSTER);
    case 1:
      graph = toy_topcuoglu ();
      return toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
    case 2:
      return toy_small_costs (6 + 2 * i, i, "p100x4");
    default:
      return toy_small_costs (10 + i, i, TIGHT_CLUSTER);
    }
}

#define N_GRAPHS 16
/* Those that learn are asked on a graph of each kind. */
#define N_GRAPHS_LEARNED 4

/* (nullable): every policy on several graphs, placed once for all tests */
static GArray *cases;

static void
clear_case (gpointer data)
{
  Case *self = data;

  case_end (self);
  goban_cost_model_unref (self->costs);
}

static void
place_cases (void)
{
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  cases = g_array_new (FALSE, FALSE, sizeof (Case));
  g_array_set_clear_func (cases, clear_case);
  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (i);

      for (gsize p = 0; p < n_placers; p++)
        {
          Case self = { .costs = costs, .seed = i, .placer = placers[p] };

          if (placers[p]->effort == GOBAN_EFFORT_LEARNED && i >= N_GRAPHS_LEARNED)
            continue;
          case_begin (&self);
          goban_cost_model_ref (costs);
          g_array_append_val (cases, self);
        }
    }
}

/* Calls @check for every policy on the first @n_graphs. */
static void
for_each (void (*check) (const Case *self), guint n_graphs)
{
  if (cases == NULL)
    place_cases ();
  for (guint i = 0; i < cases->len; i++)
    {
      const Case *self = &g_array_index (cases, Case, i);

      if (self->seed < n_graphs)
        check (self);
    }
}

/* --- properties ------------------------------------------------------------------------------- */

static void
check_same_plan (const Case *self)
{
  g_autoptr (GobanPlan) without = place (self, NULL, NULL);

  if (!toy_plans_are_same (without, self->plan))
    g_error ("%s: the record changes the plan", self->placer->name);
}

static void
test_plans_do_not_depend_on_it (void)
{
  for_each (check_same_plan, 8);
}

/* Every node once, and the plan's device. */
static void
check_choices (const Case *self)
{
  guint n_nodes = goban_plan_get_n_nodes (self->plan);
  g_autofree guint *n_times = g_new0 (guint, n_nodes + 1);
  guint n = goban_placement_record_get_n_choices (self->record);
  float length_us = 0;

  for (guint k = 1; k <= n; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (self->record, k);

      g_assert_cmpuint (choice.n_nodes, >=, 1);
      g_assert_true (choice.length_us >= length_us);
      length_us = choice.length_us;
      for (guint i = 0; i < choice.n_nodes; i++)
        {
          g_assert_cmpuint (choice.device, ==, goban_plan_get_device (self->plan, choice.nodes[i]));
          g_assert_cmpuint (goban_placement_record_find_choice (self->record, choice.nodes[i]), ==,
                            k);
          n_times[choice.nodes[i]]++;
        }
      if (choice.refusals != NULL)
        g_assert_false (choice.refusals[choice.device] & GOBAN_REFUSAL_CANNOT_RUN);
    }
  for (guint v = 0; n > 0 && v < n_nodes; v++)
    g_assert_cmpuint (n_times[v], ==, 1);
}

/* Each plan better than the one before, the last one the policy's. */
static void
check_plans (const Case *self)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (self->record);
  guint n = goban_placement_record_get_n_plans (self->record);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (self->costs);
  g_autoptr (GobanPlan) last = NULL;
  double after_us = NAN;

  for (guint k = 1; k <= n; k++)
    {
      const GobanPlanStep *step = goban_plan_chain_get_step (plans, k);
      g_autoptr (GobanPlan) plan = goban_plan_chain_new_plan (plans, k);
      GobanOutcome outcome = goban_simulator_evaluate (simulator, plan);

      g_assert_true (step->before_us == after_us || (isnan (after_us) && isnan (step->before_us)));
      g_assert_true (isnan (after_us) || step->after_us < after_us);
      g_assert_true (isnan (step->after_us) ? outcome.overflow_bytes > 0
                                            : step->after_us == outcome.makespan_us);
      after_us = step->after_us;
    }
  if (n == 0)
    return;
  last = goban_plan_chain_new_plan (plans, n);
  if (!toy_plans_are_same (last, self->plan))
    g_error ("%s: the last plan of the record is not the policy's", self->placer->name);
}

static void
check_replay (const Case *self)
{
  const char *reason = goban_placement_record_get_reason (self->record);

  if (self->log != NULL)
    return;
  g_assert_true ((goban_placement_record_get_n_steps (self->record) == 0) == (reason != NULL));
  check_choices (self);
  check_plans (self);
}

static void
test_replaying_gives_the_plan (void)
{
  for_each (check_replay, N_GRAPHS);
}

/* Of the devices that were not refused, none had a smaller candidate, and none before it an equal
 * one; times are whole numbers, exact in single precision, unless @is_whole is %FALSE. */
static void
check_least (const GobanPlacementChoice *choice, guint n_devices, gboolean is_whole,
             gboolean is_first)
{
  float own = choice->candidates[choice->device];
  gboolean has_room = choice->refusals[choice->device] == 0;

  for (guint d = 0; d < n_devices; d++)
    {
      if (choice->refusals[d] != 0)
        continue;
      g_assert_true (has_room);
      g_assert_true (choice->candidates[d] >= own);
      if (is_whole && is_first && d < choice->device)
        g_assert_true (choice->candidates[d] > own);
    }
}

static guint n_least;

static void
check_rule (const Case *self)
{
  const GobanChoiceWords *words = goban_placement_record_get_words (self->record);
  guint n_devices = goban_placement_record_get_n_devices (self->record);
  guint n = goban_placement_record_get_n_choices (self->record);

  for (guint k = 1; words != NULL && words->takes_least && k <= n; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (self->record, k);

      if (choice.candidates == NULL || choice.note != NULL)
        continue;
      n_least++;
      check_least (&choice, n_devices, n_devices == 3,
                   strcmp (words->ties, "the first device") == 0);
    }
}

static void
test_least_candidate_is_chosen (void)
{
  n_least = 0;
  for_each (check_rule, N_GRAPHS);
  g_assert_cmpuint (n_least, >, 1000);
}

static const GobanPlacer *
find (const char *name)
{
  g_autoptr (GError) error = NULL;
  const GobanPlacer *placer = goban_roster_find (name, &error);

  g_assert_no_error (error);
  return placer;
}

/* Ranks, devices and finish times of the paper's figure 3 and table 3. Tasks 3 and 4 have one rank,
 * which rounding tells apart. */
static void
test_heft_of_the_paper (void)
{
  static const guint order[] = { 1, 3, 4, 2, 5, 6, 9, 7, 8, 10 };
  static const double ranks[] = { 108, 80, 80, 77, 69, 63.333, 44.333, 42.667, 35.667, 14.667 };
  /* by task */
  static const double finishes[] = { 9, 40, 28, 26, 38, 42, 49, 62, 68, 80 };
  static const guint processors[] = { 3, 1, 3, 2, 3, 2, 3, 1, 2, 2 };
  g_autoptr (GobanGraph) graph = toy_topcuoglu ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
  Case self = { .costs = costs, .placer = find ("heft") };

  case_begin (&self);
  g_assert_cmpuint (goban_placement_record_get_n_steps (self.record), ==, 10);
  for (guint i = 0; i < 10; i++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (self.record, i + 1);

      if (i != 1 && i != 2)
        g_assert_cmpuint (choice.nodes[0] + 1, ==, order[i]);
      g_assert_cmpfloat_with_epsilon ((double) choice.key, ranks[i], 0.001);
      g_assert_cmpuint (choice.device + 1u, ==, processors[choice.nodes[0]]);
      g_assert_cmpfloat_with_epsilon ((double) choice.finish_us, finishes[choice.nodes[0]], 1e-9);
      g_assert_true (choice.candidates[choice.device] == choice.finish_us);
    }
  case_end (&self);
}

/* Where nothing contends a run follows HEFT's own schedule, ops of time in no gap before it. */
static void
test_heft_finishes_as_it_says (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (20 + i, i, "equal:3,bandwidth=1e6B/s");
      Case self = { .costs = costs, .placer = find ("heft") };
      g_autoptr (GobanUnits) units = NULL;
      g_autoptr (GobanListSchedule) schedule = NULL;

      case_begin (&self);
      units = goban_units_new (costs, NULL);
      schedule = goban_heft_schedule (units, &(GobanPlacerOptions){ .seed = 0 }, NULL);
      for (guint k = 1; k <= goban_placement_record_get_n_choices (self.record); k++)
        {
          GobanPlacementChoice choice = goban_placement_record_get_choice (self.record, k);
          GobanNodeId v = choice.nodes[0];

          g_assert_true (choice.start_us == (float) goban_list_schedule_get_starts (schedule)[v]);
          g_assert_true (choice.finish_us
                         == (float) goban_list_schedule_get_finishes (schedule)[v]);
          if (choice.candidates != NULL)
            g_assert_true (choice.candidates[choice.device] == choice.finish_us);
        }
      case_end (&self);
    }
}

/* Moves go on from what was taken before. */
static void
check_moves (const char *policy)
{
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (20 + 5 * i, i, "p100x4");
      Case self = { .costs = costs, .seed = i, .max_evaluations = 1000, .placer = find (policy) };
      double here_us = NAN, best_us = INFINITY;
      guint n_taken = 0, n_rows;

      case_begin (&self);
      n_rows = goban_placement_record_get_n_rows (self.record);
      for (guint r = 0; r < n_rows; r++)
        {
          const double *row = goban_placement_record_get_row (self.record, r);

          g_assert_true (r == 0 || row[3] == here_us);
          here_us = row[5] != 0 ? row[4] : row[3];
          n_taken += row[5] != 0;
          best_us = MIN (best_us, MIN (row[3], row[4]));
        }
      g_assert_cmpuint (n_rows, >, 20);
      g_assert_cmpuint (n_taken, >, 0);
      g_assert_true (best_us >= toy_makespan_us (costs, self.plan));
      case_end (&self);
    }
}

static void
test_moves_go_on (void)
{
  check_moves ("anneal");
  check_moves ("local-search");
}

/* The best of a population never gets worse, and ends in the plan's makespan at whole
 * generations. */
static void
test_generations (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (20, i, "p100x4");
      GobanPlacementRecord *record = goban_placement_record_new (20, 4);
      const GobanPlacerOptions options
          = { .seed = i, .max_evaluations = 100 + 80 * 5, .record = record };
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan = goban_placer_place (find (i == 0 ? "brkga" : "regal"), costs,
                                                       &options, &evaluations, NULL);
      double best_us = INFINITY;

      g_assert_cmpuint (goban_placement_record_get_n_rows (record), ==, 6);
      for (guint r = 0; r < 6; r++)
        {
          const double *row = goban_placement_record_get_row (record, r);

          g_assert_cmpfloat (row[0], ==, r + 1);
          g_assert_cmpfloat (row[1], ==, 100 + 80 * r);
          g_assert_true (row[2] <= best_us && row[3] >= row[2]);
          best_us = row[2];
        }
      g_assert_cmpfloat (best_us, ==, toy_makespan_us (costs, plan));
      goban_placement_record_unref (record);
    }
}

/* The bound rises, the incumbent falls, and they meet. */
static void
test_bounds_of_a_proof (void)
{
  const GraphGen gen = graph_gen_ten ();

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
      GobanPlacementRecord *record
          = goban_placement_record_new (goban_graph_get_n_nodes (graph), 2);
      const GobanPlacerOptions options = { .seed = i, .max_evaluations = 200000, .record = record };
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan
          = goban_placer_place (find ("exact"), costs, &options, &evaluations, NULL);
      guint n_rows = goban_placement_record_get_n_rows (record);
      const double *row = NULL;
      double bound_us = 0, incumbent_us = INFINITY;

      g_assert_cmpuint (n_rows, >=, 2);
      for (guint r = 0; r < n_rows; r++)
        {
          row = goban_placement_record_get_row (record, r);
          g_assert_true (row[2] >= bound_us * (1 - 1e-12) && row[1] <= incumbent_us);
          bound_us = row[2];
          incumbent_us = row[1];
          g_assert_true (bound_us <= incumbent_us);
        }
      g_assert_cmpfloat (incumbent_us, ==, toy_makespan_us (costs, plan));
      g_assert_cmpfloat (bound_us, ==, goban_plan_get_proven_bound_us (plan, costs));
      goban_placement_record_unref (record);
    }
}

/* All others have steps. */
static void
check_reason (const Case *self)
{
  static const char *const at_once[] = { "metis", "metis-mem", NULL };
  gboolean has_steps = goban_placement_record_get_n_steps (self->record) > 0
                       || (self->log != NULL && goban_decision_log_get_n_steps (self->log) > 0);
  const char *reason = goban_placement_record_get_reason (self->record);

  g_assert_true (g_strv_contains (at_once, self->placer->name) == (reason != NULL));
  if (reason == NULL)
    {
      g_assert_true (has_steps);
      return;
    }
  g_assert_nonnull (strstr (reason, "METIS"));
  g_assert_cmpuint (goban_placement_record_get_n_rows (self->record), ==, 1);
}

static void
test_policies_without_steps_say_why (void)
{
  for_each (check_reason, 4);
}

static double
time_heft (GobanCostModel *costs, GobanPlacementRecord *record)
{
  const GobanPlacerOptions options = { .record = record };
  gint64 started_us = g_get_monotonic_time ();
  guint64 evaluations = 0;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (find ("heft"), costs, &options, &evaluations, NULL);

  g_assert_nonnull (plan);
  return (g_get_monotonic_time () - started_us) / 1e6;
}

/* With -m perf: what recording costs on 84,464 nodes and 8 devices. */
static void
test_cost_of_recording (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  double with_s = INFINITY, without_s = INFINITY;
  gsize n_bytes = 0;

  if (!g_test_perf ())
    {
      g_test_skip ("only with -m perf");
      return;
    }
  graph = goban_workload_generate ("gnmt:layers=8", &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "p100x8");
  for (guint i = 0; i < 7; i++)
    {
      g_autoptr (GobanPlacementRecord) record
          = goban_placement_record_new (goban_graph_get_n_nodes (graph), 8);

      without_s = MIN (without_s, time_heft (costs, NULL));
      with_s = MIN (with_s, time_heft (costs, record));
      n_bytes = goban_placement_record_get_n_bytes (record);
    }
  g_test_message ("%u nodes: heft %.3f s, recorded %.3f s (%.2f), %.1f MB",
                  goban_graph_get_n_nodes (graph), without_s, with_s, with_s / without_s,
                  n_bytes / 1e6);
  g_assert_cmpuint (n_bytes, <, 100000000);
}

TEST_PROGRAM (placement_records)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement-records/plans-do-not-depend-on-it", test_plans_do_not_depend_on_it);
  g_test_add_func ("/placement-records/replaying-gives-the-plan", test_replaying_gives_the_plan);
  g_test_add_func ("/placement-records/least-candidate-is-chosen", test_least_candidate_is_chosen);
  g_test_add_func ("/placement-records/heft-of-the-paper", test_heft_of_the_paper);
  g_test_add_func ("/placement-records/heft-finishes-as-it-says", test_heft_finishes_as_it_says);
  g_test_add_func ("/placement-records/moves-go-on", test_moves_go_on);
  g_test_add_func ("/placement-records/generations", test_generations);
  g_test_add_func ("/placement-records/bounds-of-a-proof", test_bounds_of_a_proof);
  g_test_add_func ("/placement-records/policies-without-steps-say-why",
                   test_policies_without_steps_say_why);
  g_test_add_func ("/placement-records/cost-of-recording", test_cost_of_recording);
  status = g_test_run ();
  g_clear_pointer (&cases, g_array_unref);
  return status;
}
