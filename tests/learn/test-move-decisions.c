/* test-move-decisions.c: records of decisions of go-finetune: checked, without
 * influence on the plan, and forced. */
#include "engine/decisions/replay.h"
#include "engine/learn/rl/moves/joint-moves.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/search/static-orders.h"
#include "tests/learn/decision-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

#define FEW_EVALUATIONS 60

/* graph: (transfer full) */
static DecisionRun
new_run (GobanGraph *graph, const char *cluster)
{
  DecisionRun self = { .placer = &goban_placer_go_finetune,
                       .costs = toy_costs (graph, cluster),
                       .max_evaluations = FEW_EVALUATIONS };

  goban_graph_unref (graph);
  return self;
}

/* --- records -------------------------------------------------------------------------------- */

typedef struct
{
  guint n_evaluations; /* in spans */
  guint n_moves, n_taken, n_scored, n_drawn;
  guint n_of[GOBAN_N_TASKS]; /* moves */
  guint n_rules;
} Counts;

static void
count_move (const GobanDecision *decision, const GobanSpan *span, Counts *counts)
{
  counts->n_moves++;
  counts->n_taken += span->is_accepted;
  counts->n_of[decision->task]++;
  g_assert_cmpstr (span->name, ==, "move");
  g_assert_cmpuint (span->level, ==, GOBAN_LEVEL_PLAN);
  g_assert_nonnull (decision->note);
  g_assert_cmpfloat (decision->after_us, ==, span->after_us);
  g_assert_cmpuint (decision->n_options, >=, 1);
  g_assert_cmpuint (decision->n_options, <=, GOBAN_MOVE_STEP_N_OPTIONS);
  if ((decision->flags & GOBAN_DECISION_SAMPLED) != 0)
    {
      counts->n_drawn++;
      g_assert_cmpstr (decision->note, ==, "chance");
      g_assert_null (decision->scores);
      return;
    }
  counts->n_scored += decision->scores != NULL;
  /* The best is taken; the options come in their order. */
  for (guint k = 1; k < decision->n_options; k++)
    g_assert_cmpfloat (decision->scores[k - 1], >=, decision->scores[k]);
  if ((decision->flags & GOBAN_DECISION_FORCED) == 0)
    g_assert_cmpuint (decision->chosen, ==, 0);
}

/* Rules are compared by their makespans. */
static void
count_rules (const GobanDecision *decision, Counts *counts)
{
  counts->n_rules++;
  g_assert_cmpint (decision->score, ==, GOBAN_SCORE_MAKESPAN_US);
  if ((decision->flags & GOBAN_DECISION_FORCED) != 0)
    return;
  for (guint k = 0; k < decision->n_options; k++)
    g_assert_false (decision->scores[k] < decision->scores[decision->chosen]);
}

static Counts
count (GobanDecisions *decisions)
{
  Counts counts = { 0 };
  GobanDecisionRoom room = { 0 };
  const GobanSpan *first = goban_decisions_get_span (decisions, 1);
  guint n_rounds = 0;

  g_assert_cmpstr (first->name, ==, "build");
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      n_rounds += span->level == GOBAN_LEVEL_ROUND;
      if (span->level == GOBAN_LEVEL_PLAN && strcmp (span->name, "best") != 0)
        counts.n_evaluations += span->n_left_out + (span->evaluation > 0);
    }
  g_assert_cmpuint (n_rounds, ==, 2);
  for (GobanMoment m = first->end + 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
      /* The search ends where it found its best plan. */
      if (decision.options == GOBAN_OPTION_PLAN
          && strcmp (goban_decisions_get_span (decisions, decision.span)->name, "best") == 0)
        {
          g_autoptr (GArray) changes = goban_decisions_list_changes (
              decisions, goban_decisions_get_previous (decisions, m), m);

          g_assert_cmpuint (changes->len, ==, 0);
        }
      if (decision.options == GOBAN_OPTION_MOVE)
        count_move (&decision, goban_decisions_get_span (decisions, decision.span), &counts);
      else if (decision.options == GOBAN_OPTION_RULE)
        count_rules (&decision, &counts);
    }
  goban_decision_room_clear (&room);
  return counts;
}

/* A search that goes back to its best plan, which may be the builder's, names the evaluation that
 * found it. */
static void
check_best (GobanDecisions *decisions, const GArray *improvements)
{
  const GobanSpan *best
      = goban_decisions_get_span (decisions, goban_decisions_get_n_spans (decisions));
  const GobanImprovement *last;

  if (strcmp (best->name, "best") != 0 || best->overflow_bytes > 0)
    return;
  g_assert_cmpuint (improvements->len, >, 0);
  last = &g_array_index (improvements, GobanImprovement, improvements->len - 1);
  g_assert_cmpuint (best->evaluation, ==, last->evaluation);
  g_assert_cmpfloat (best->after_us, ==, last->makespan_us);
}

/* The plan of a run without a record, and every simulation is in a span or counted. */
static Counts
check_record (const DecisionRun *self)
{
  guint64 evaluations;
  g_autoptr (GArray) improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GobanPlan) without = decision_run_place (self, NULL, improvements, &evaluations);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = decision_run_record (self, NULL, 0, 0, NULL, &plan);
  Counts counts = count (decisions);

  g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (without));
  g_assert_cmpuint (counts.n_evaluations, ==, evaluations);
  check_best (decisions, improvements);
  return counts;
}

static void
test_sample (void)
{
  g_auto (DecisionRun) self = new_run (decision_run_load_sample ("wavenet-coarse.json"), "p100x4");
  Counts counts;

  self.max_evaluations = TEST_IS_SANITIZED ? 80 : 200;
  counts = check_record (&self);
  g_assert_cmpuint (counts.n_moves, >, 0);
  g_assert_cmpuint (counts.n_scored, >, 0);
  g_assert_cmpuint (counts.n_taken, >, 0);
  g_assert_cmpuint (counts.n_taken, <, counts.n_moves);
}

static void
test_toys (void)
{
  static const char *const settings[] = { NULL, "proposals=hand,start=cells",
                                          "proposals=uniform,start=cells", "updates=0,heat=0.2" };
  Counts sum = { 0 };

  for (guint i = 0; i < 8; i++)
    {
      g_auto (DecisionRun) self = new_run (toy_mixed (30 + 10 * i, i), TOY_MIXED_CLUSTER);
      Counts counts;

      self.seed = i;
      self.settings = settings[i % G_N_ELEMENTS (settings)];
      counts = check_record (&self);
      sum.n_rules += counts.n_rules;
      sum.n_drawn += counts.n_drawn;
      sum.n_scored += counts.n_scored;
    }
  g_assert_cmpuint (sum.n_rules, >, 0);
  g_assert_cmpuint (sum.n_drawn, >, 0);
  g_assert_cmpuint (sum.n_scored, >, 0);
}

/* Order and fusion, together with placement or alone, from a given plan, too. */
static void
test_tasks (void)
{
  static const GobanTasks tasks[]
      = { GOBAN_TASKS_ALL, 1u << GOBAN_TASK_FUSION, 1u << GOBAN_TASK_SCHEDULING };
  guint n_of[GOBAN_N_TASKS] = { 0 };

  for (guint i = 0; i < 6; i++)
    {
      g_auto (DecisionRun) self = new_run (toy_generate ("synthetic:seed=61,nodes=200"), "p100x4");
      g_autoptr (GobanPlan) start = toy_place (self.costs, "heft", 1);
      Counts counts;

      self.seed = i;
      self.tasks = tasks[i % G_N_ELEMENTS (tasks)];
      self.start = i >= 3 || self.tasks != GOBAN_TASKS_ALL ? start : NULL;
      counts = check_record (&self);
      g_assert_cmpuint (counts.n_rules, >, 0);
      for (guint task = 0; task < GOBAN_N_TASKS; task++)
        n_of[task] += counts.n_of[task];
    }
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    g_assert_cmpuint (n_of[task], >, 0);
}

/* --- forcing -------------------------------------------------------------------------------- */

static gboolean
is_same_change (GobanDecisions *a, GobanDecisions *b, GobanMoment moment)
{
  g_autoptr (GArray) of_a
      = goban_decisions_list_changes (a, goban_decisions_get_previous (a, moment), moment);
  g_autoptr (GArray) of_b
      = goban_decisions_list_changes (b, goban_decisions_get_previous (b, moment), moment);

  return of_a->len == of_b->len
         && (of_a->len == 0
             || memcmp (of_a->data, of_b->data, of_a->len * sizeof (GobanDecisionChange)) == 0);
}

/* The plan after the moment has a static order. */
static void
check_order (const DecisionRun *self, GobanDecisions *decisions, GobanMoment moment, guint32 order)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new (self->costs, &error);
  g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (units);
  g_autoptr (GobanPlan) plan = goban_replay_plan (self->costs, decisions, moment, &error);
  g_autoptr (GobanPlan) other = NULL;

  g_assert_no_error (error);
  other = goban_plan_copy (plan);
  goban_static_orders_apply (orders, (GobanStaticOrder) order, other);
  g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (other));
}

/* Returns whether the move is another one; it is taken even if the plan is worse. */
static gboolean
check_forced (const DecisionRun *self, GobanDecisions *decisions, GobanMoment moment,
              guint32 option)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) forced
      = decision_run_record (self, decisions, moment, option, NULL, &plan);
  GobanDecision there;

  count (forced);
  g_assert_true (goban_decisions_get (forced, moment, NULL, &there));
  g_assert_cmpuint (there.chosen, ==, option);
  g_assert_true ((there.flags & GOBAN_DECISION_FORCED) != 0);
  if (there.options != GOBAN_OPTION_MOVE)
    {
      if (there.task == GOBAN_TASK_SCHEDULING && self->tasks == 0 && option < GOBAN_N_STATIC_ORDERS)
        check_order (self, forced, moment, option);
      return FALSE;
    }
  g_assert_true (goban_decisions_get_span (forced, there.span)->is_accepted);
  g_assert_cmpuint (there.n_nodes, >, 0);
  return !is_same_change (decisions, forced, moment);
}

static guint
force_some (const DecisionRun *self, guint every)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = decision_run_record (self, NULL, 0, 0, NULL, &plan);
  GobanMoment first = goban_decisions_get_span (decisions, 1)->end + 1;
  guint n_forced = 0;

  for (GobanMoment m = first; m <= goban_decisions_get_n_moments (decisions); m += every)
    {
      g_autoptr (GobanPlan) again = NULL;
      g_autoptr (GobanDecisions) same = NULL;
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions, m, NULL, &decision));
      if (decision.options != GOBAN_OPTION_MOVE && decision.options != GOBAN_OPTION_RULE)
        continue;
      same = decision_run_record (self, decisions, m, decision.chosen, NULL, &again);
      g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (again));
      g_assert_cmpuint (goban_decisions_get_n_moments (same), ==,
                        goban_decisions_get_n_moments (decisions));
      for (guint32 k = 0; k < decision.n_options; k++)
        if (k != decision.chosen)
          n_forced += check_forced (self, decisions, m, k);
    }
  return n_forced;
}

static void
test_forced (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_auto (DecisionRun) self = new_run (toy_mixed (30 + 10 * i, i), TOY_MIXED_CLUSTER);

      self.seed = i;
      self.max_evaluations = 40;
      self.settings = i % 2 == 0 ? "start=cells" : NULL;
      self.tasks = i == 2 ? GOBAN_TASKS_ALL : 0;
      g_assert_cmpuint (force_some (&self, TEST_IS_SANITIZED ? 13 : 5), >, 0);
    }
}

/* The cost of recording in time of the processor, as a share of that without. */
static void
test_cost (void)
{
  static const char *const samples[] = { "inception-v3-coarse.json", "inception-v3.onnx" };

  if (!g_test_perf ())
    {
      g_test_skip ("only with -m perf");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_auto (DecisionRun) self = new_run (decision_run_load_sample (samples[i]), "p100x4");

      self.max_evaluations = 0;
      decision_run_measure_cost (&self, samples[i], 5);
    }
}

TEST_PROGRAM (move_decisions)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/move-decisions/sample", test_sample);
  g_test_add_func ("/rl/move-decisions/toys", test_toys);
  g_test_add_func ("/rl/move-decisions/tasks", test_tasks);
  g_test_add_func ("/rl/move-decisions/forced", test_forced);
  g_test_add_func ("/rl/move-decisions/cost", test_cost);
  return g_test_run ();
}
