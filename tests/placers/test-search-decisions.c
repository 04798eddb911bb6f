/* The records of decisions of searches, of exact, METIS and recorded runs. */
#include "engine/decisions/replay.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/sim/simulator.h"
#include "tests/support/decisions-check.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_GRAPHS 8
#define SOME_EVALUATIONS 400
#define MANY_EVALUATIONS 40000
#define SEED 7
#define N_FORCED 3

/* clang-format off */
/* Transfers take so long that no plan reaches the bound. */
#define SLOW_CLUSTER                                                                               \
  "{ \"devices\": ["                                                                               \
  TOY_DEVICE ("d0", "gpu", "\"unlimited\"") "," TOY_DEVICE ("d1", "gpu", "\"unlimited\"") ","    \
  TOY_DEVICE ("d2", "gpu", "\"unlimited\"") "], \"all_pairs\": { \"bandwidth\": 1e6 } }"
/* clang-format on */

typedef struct
{
  GobanPlan *plan;
  GArray *improvements; /* of GobanImprovement */
  guint64 n_evaluations;
  GobanDecisions *decisions; /* (nullable) */
  char *problem;             /* (nullable) */
} Run;

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->improvements, g_array_unref);
  g_clear_pointer (&self->decisions, goban_decisions_unref);
  g_clear_pointer (&self->problem, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static GobanDecisionsOptions
writer_options (GobanCostModel *costs)
{
  return (GobanDecisionsOptions){
    .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
    .n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)),
  };
}

/* @how (nullable): without one nothing is written. */
static Run
run_policy (GobanCostModel *costs, const char *policy, guint64 max_evaluations,
            const GobanDecisionsOptions *how)
{
  Run self = { .improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement)) };
  GobanDecisionsWriter *writer = how != NULL ? goban_decisions_writer_new (how) : NULL;
  const GobanLearnedOptions learned = { 0 };
  const GobanPlacerOptions options = { .seed = SEED,
                                       .max_evaluations = max_evaluations,
                                       .improvements = self.improvements,
                                       .decisions = writer,
                                       .learned = &learned,
                                       .n_threads = 1 };
  g_autoptr (GError) error = NULL;

  self.plan = goban_placer_place (goban_roster_find (policy, NULL), costs, &options,
                                  &self.n_evaluations, &error);
  g_assert_no_error (error);
  self.problem = g_strdup (goban_decisions_writer_get_problem (writer));
  self.decisions = goban_decisions_writer_end (writer);
  return self;
}

static Run
record (GobanCostModel *costs, const char *policy, guint64 max_evaluations)
{
  const GobanDecisionsOptions how = writer_options (costs);

  return run_policy (costs, policy, max_evaluations, &how);
}

static GobanCostModel *
new_slow_costs (void)
{
  return toy_small_costs (40, 3, SLOW_CLUSTER);
}

/* --- all policies --------------------------------------------------------------------------- */

static void
check_alike (const Run *a, const Run *b)
{
  g_assert_cmphex (goban_settling_digest_plan (a->plan), ==, goban_settling_digest_plan (b->plan));
  g_assert_cmpuint (a->n_evaluations, ==, b->n_evaluations);
  g_assert_cmpmem (a->improvements->data, a->improvements->len * sizeof (GobanImprovement),
                   b->improvements->data, b->improvements->len * sizeof (GobanImprovement));
}

static gboolean
has_improvement (const Run *self, const GobanImprovement *step)
{
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (self->decisions); s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, s);

      if (strcmp (span->name, "best") != 0 && span->digest != 0
          && span->evaluation == step->evaluation && span->after_us == step->makespan_us)
        return TRUE;
    }
  return FALSE;
}

/* A search's improvements are plans of the record, but for those that were tried together with the
 * next one. */
static void
check_improvements (const Run *self, guint n_together)
{
  for (guint i = 0; i < self->improvements->len; i++)
    {
      const GobanImprovement *step = &g_array_index (self->improvements, GobanImprovement, i);

      if (i + 1 == self->improvements->len || step[1].evaluation >= step->evaluation + n_together)
        g_assert_true (has_improvement (self, step));
    }
}

/* The devices of a settled plan are those of its state, too. */
static void
check_devices (GobanCostModel *costs, const Run *self)
{
  guint n_nodes = goban_plan_get_n_nodes (self->plan);
  guint n_spans = goban_decisions_get_n_spans (self->decisions);
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, n_nodes);
  for (guint32 s = 1; s <= n_spans; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, s);
      g_autoptr (GobanPlan) plan = NULL;

      if (span->digest == 0)
        continue;
      plan = goban_replay_plan (costs, self->decisions, span->last, NULL);
      goban_decisions_fill_state (self->decisions, span->last, &state);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        g_assert_cmpuint (goban_plan_get_device (plan, v), ==,
                          state.choices[GOBAN_TASK_PLACEMENT][v]);
    }
  goban_decision_state_clear (&state);
}

static void
test_all (void)
{
  /* The number of plans tried together; 0: the improvements are those of others. */
  static const struct
  {
    const char *name;
    guint n_together;
  } policies[] = { { "anneal", 8 },  { "local-search", 8 }, { "cells", 1 }, { "brkga", 100 },
                   { "regal", 100 }, { "exact", 0 },        { "metis", 0 }, { "metis-mem", 0 } };

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_various_costs (i);

      for (guint k = 0; k < G_N_ELEMENTS (policies); k++)
        {
          g_auto (Run) with = record (costs, policies[k].name, SOME_EVALUATIONS);
          g_auto (Run) without = run_policy (costs, policies[k].name, SOME_EVALUATIONS, NULL);

          check_alike (&with, &without);
          check_decisions (costs, with.plan, with.decisions);
          check_devices (costs, &with);
          if (policies[k].n_together > 0)
            check_improvements (&with, policies[k].n_together);
        }
    }
}

/* --- the generic search --------------------------------------------------------------------- */

static const GobanSpan *
get_span (const GobanDecisions *decisions, guint32 n, const char *name, guint64 evaluation,
          guint64 n_left_out)
{
  const GobanSpan *span = goban_decisions_get_span (decisions, n);

  g_assert_cmpstr (span->name, ==, name);
  g_assert_cmpuint (span->evaluation, ==, evaluation);
  g_assert_cmpuint (span->n_left_out, ==, n_left_out);
  g_assert_true (span->is_accepted);
  return span;
}

/* Each better plan is a span; those between are counted. If the search has left its best plan, the
 * record goes back to it. */
static void
test_offers (void)
{
  static const double makespans_us[] = { 50, 60, 40, 45, 44, 30 };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  const GobanDecisionsOptions how = writer_options (costs);
  GobanDecisionsWriter *writer = goban_decisions_writer_new (&how);
  const GobanPlacerOptions options = { .decisions = writer };
  GobanSearch search;
  guint64 evaluations = 0;
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) best = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanPlan) last = NULL;
  GobanDecisionsWriter *span;

  goban_search_begin (&search, &options, 100);
  for (guint i = 0; i < G_N_ELEMENTS (makespans_us); i++)
    {
      goban_plan_set_device (plan, i % 4,
                             (GobanDeviceId) (1 - goban_plan_get_device (plan, i % 4)));
      goban_search_offer (&search, plan, (GobanOutcome){ .makespan_us = makespans_us[i] });
    }
  /* The search goes on from elsewhere. */
  goban_plan_set_device (plan, 3, 0);
  span = goban_search_open_batch (&search, plan, 0, 7, &evaluations);
  goban_decisions_writer_close (span, NULL, TRUE);
  best = goban_search_end (&search, &evaluations);
  decisions = goban_decisions_writer_end (writer);

  g_assert_cmpuint (goban_decisions_get_n_spans (decisions), ==, 5);
  g_assert_cmpfloat (get_span (decisions, 1, "plan", 1, 0)->after_us, ==, 50);
  g_assert_cmpfloat (get_span (decisions, 2, "plan", 3, 1)->after_us, ==, 40);
  g_assert_cmpfloat (get_span (decisions, 3, "plan", 6, 2)->after_us, ==, 30);
  g_assert_cmpfloat (get_span (decisions, 3, "plan", 6, 2)->before_us, ==, 40);
  g_assert_cmpuint (get_span (decisions, 5, "best", 6, 0)->base, ==, 3);
  g_assert_true (goban_decisions_is_on_line (decisions, 3));
  g_assert_false (goban_decisions_is_on_line (decisions, 4));
  last = goban_replay_plan (costs, decisions, goban_decisions_get_last (decisions), NULL);
  g_assert_cmphex (goban_settling_digest_plan (last), ==, goban_settling_digest_plan (best));
}

/* --- moves ---------------------------------------------------------------------------------- */

static gboolean
get_move (const GobanDecisions *decisions, GobanMoment moment, GobanDecisionRoom *room,
          GobanDecision *decision)
{
  return goban_decisions_get (decisions, moment, room, decision)
         && decision->options == GOBAN_OPTION_MOVE;
}

/* The last option is to stay; the chosen one is the plan of the batch, which goes on from that of
 * its base. Returns the number of moves that are taken. */
static guint
check_batches (const GobanDecisions *decisions)
{
  GobanDecisionRoom room = { 0 };
  guint n_taken = 0;
  guint n_linked = 0;

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      GobanDecision decision;
      const GobanSpan *span;

      if (!get_move (decisions, m, &room, &decision))
        continue;
      span = goban_decisions_get_span (decisions, decision.span);
      n_taken += decision.chosen + 1 < decision.n_options;
      g_assert_cmpstr (span->name, ==, "batch");
      g_assert_cmpint (span->level, ==, GOBAN_LEVEL_ROUND);
      g_assert_cmpuint (span->last, ==, m);
      g_assert_cmpfloat (span->after_us, ==, decision.after_us);
      g_assert_cmpfloat (decision.scores[decision.chosen], ==, (float) decision.after_us);
      g_assert_cmpfloat (decision.scores[decision.n_options - 1], ==, (float) decision.before_us);
      g_assert_true (decision.note != NULL || decision.chosen + 1 == decision.n_options);
      if (span->begin + 1 != m || isnan (span->before_us))
        continue;
      g_assert_cmpfloat (decision.before_us, ==, span->before_us);
      n_linked++;
    }
  g_assert_cmpuint (n_linked, >, 10);
  goban_decision_room_clear (&room);
  return n_taken;
}

static void
check_moves (const char *policy)
{
  g_autoptr (GobanCostModel) costs = new_slow_costs ();
  g_auto (Run) self = record (costs, policy, SOME_EVALUATIONS);
  guint n_warm = 0;

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (self.decisions); m++)
    {
      GobanDecision decision;

      if (get_move (self.decisions, m, NULL, &decision))
        n_warm += decision.temperature > 0;
    }
  g_assert_cmpuint (self.n_evaluations, ==, SOME_EVALUATIONS);
  g_assert_cmpuint (check_batches (self.decisions), >, 10);
  g_assert_cmpint (n_warm > 10, ==, strcmp (policy, "local-search") != 0);
}

static void
test_moves (void)
{
  check_moves ("anneal");
  check_moves ("local-search");
  check_moves ("cells");
}

/* Forces an option of a batch: it is taken, and all before it is the same. */
static void
force (GobanCostModel *costs, const char *policy, const Run *plain, const GobanDecision *decision,
       guint32 option)
{
  GobanDecisionsOptions how = writer_options (costs);
  g_auto (Run) forced = { NULL };
  GobanDecision there;

  how.moment = decision->number;
  how.option = option;
  how.expected = plain->decisions;
  forced = run_policy (costs, policy, SOME_EVALUATIONS, &how);
  g_assert_cmpstr (forced.problem, ==, NULL);
  check_decisions (costs, forced.plan, forced.decisions);
  check_devices (costs, &forced);
  check_batches (forced.decisions);
  g_assert_true (goban_decisions_get (forced.decisions, decision->number, NULL, &there));
  g_assert_cmpuint (there.chosen, ==, option);
  g_assert_cmpint ((there.flags & GOBAN_DECISION_FORCED) != 0, ==, option != decision->chosen);
  g_assert_true (isfinite (there.after_us));
  if (option == decision->chosen)
    check_alike (plain, &forced);
  else if (option + 1 == decision->n_options)
    {
      g_autoptr (GArray) changes = goban_decisions_list_changes (
          forced.decisions, goban_decisions_get_previous (forced.decisions, there.number),
          there.number);

      g_assert_cmpfloat (there.after_us, ==, there.before_us);
      g_assert_cmpuint (changes->len, ==, 0);
    }
}

static void
check_forced (const char *policy)
{
  g_autoptr (GobanCostModel) costs = new_slow_costs ();
  g_auto (Run) plain = record (costs, policy, SOME_EVALUATIONS);
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  GobanDecision decision;

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (plain.decisions); m++)
    if (get_move (plain.decisions, m, NULL, &decision) && decision.after_us != decision.before_us)
      g_array_append_val (moments, m);
  g_assert_cmpuint (moments->len, >=, N_FORCED);
  for (guint i = 0; i < N_FORCED; i++)
    {
      GobanMoment m = g_array_index (moments, GobanMoment, i * moments->len / N_FORCED);

      get_move (plain.decisions, m, NULL, &decision);
      for (guint32 option = 0; option < decision.n_options; option++)
        force (costs, policy, &plain, &decision, option);
    }
}

static void
test_forced_moves (void)
{
  check_forced ("anneal");
  check_forced ("local-search");
  check_forced ("cells");
}

/* Few of many simulations are written. */
static void
check_many (const char *policy, guint n_together)
{
  g_autoptr (GobanCostModel) costs = new_slow_costs ();
  g_auto (Run) with = record (costs, policy, MANY_EVALUATIONS);
  g_auto (Run) without = run_policy (costs, policy, MANY_EVALUATIONS, NULL);
  guint n_spans = goban_decisions_get_n_spans (with.decisions);

  g_assert_cmpuint (with.n_evaluations, ==, MANY_EVALUATIONS);
  check_alike (&with, &without);
  check_decisions (costs, with.plan, with.decisions);
  check_devices (costs, &with);
  check_improvements (&with, n_together);
  if (strcmp (policy, "brkga") != 0)
    check_batches (with.decisions);
  g_assert_cmpuint (n_spans, >, 100);
  g_assert_cmpuint (n_spans, <, 512 * (1 + log (MANY_EVALUATIONS / 512)) + 200);
  g_assert_cmpuint (goban_decisions_get_n_bytes (with.decisions), <, 4 << 20);
}

static void
test_many (void)
{
  check_many ("anneal", 8);
  check_many ("local-search", 8);
  check_many ("cells", 1);
  check_many ("brkga", 100);
}

/* The best plan is the last state even if the moment that found it was dropped. */
static void
test_little_memory (void)
{
  static const char *const policies[] = { "anneal", "local-search", "cells", "brkga" };
  g_autoptr (GobanCostModel) costs = new_slow_costs ();

  for (guint k = 0; k < G_N_ELEMENTS (policies); k++)
    {
      GobanDecisionsOptions how = writer_options (costs);
      g_auto (Run) self = { NULL };
      g_autoptr (GobanPlan) last = NULL;
      guint n_scores, n_moments;

      how.max_bytes = 40000;
      self = run_policy (costs, policies[k], MANY_EVALUATIONS / 2, &how);
      goban_decisions_count_left_out (self.decisions, &n_scores, &n_moments);
      g_assert_cmpuint (n_moments, >, 0);
      last = goban_replay_plan (costs, self.decisions, goban_decisions_get_last (self.decisions),
                                NULL);
      g_assert_cmphex (goban_settling_digest_plan (last), ==,
                       goban_settling_digest_plan (self.plan));
    }
}

/* --- generations ---------------------------------------------------------------------------- */

/* Options are the plans by fitness; the budget ends within the last generation. */
static void
check_generations (GobanCostModel *costs, guint n_whole, guint *n_parts)
{
  g_auto (Run) self = record (costs, "brkga", 100 + 80 * n_whole + 30);
  GobanDecisionRoom room = { 0 };
  guint n_moments = goban_decisions_get_n_moments (self.decisions);
  double best_us = INFINITY;

  g_assert_cmpuint (n_moments, >=, n_whole + 1);
  g_assert_cmpuint (n_moments, <=, n_whole + 2);
  *n_parts += n_moments == n_whole + 2;
  for (GobanMoment m = 1; m <= n_moments; m++)
    {
      GobanDecision decision;

      g_assert_true (goban_decisions_get (self.decisions, m, &room, &decision));
      g_assert_cmpstr (goban_decisions_get_span (self.decisions, decision.span)->name, ==,
                       "generation");
      g_assert_cmpint (decision.options, ==, GOBAN_OPTION_PLAN);
      g_assert_cmpuint (decision.n_options, ==, m < n_whole + 2 ? 100 : 20 + 30);
      g_assert_cmpuint (decision.chosen, ==, 0);
      for (guint k = 1; k < decision.n_options; k++)
        g_assert_true (decision.scores[k] >= decision.scores[k - 1]);
      g_assert_true ((double) decision.scores[0] <= best_us);
      best_us = (double) decision.scores[0];
    }
  g_assert_cmpfloat ((float) best_us, ==, (float) toy_makespan_us (costs, self.plan));
  goban_decision_room_clear (&room);
}

static void
test_generations (void)
{
  g_autoptr (GobanCostModel) costs = new_slow_costs ();
  guint n_parts = 0;

  for (guint n_whole = 0; n_whole < 8; n_whole++)
    check_generations (costs, n_whole, &n_parts);
  g_assert_cmpuint (n_parts, >, 0);
}

/* --- exact ---------------------------------------------------------------------------------- */

/* An incumbent decides each unit once, under bounds that rise up to its makespan. */
static void
check_incumbent (GobanCostModel *costs, const GobanDecisions *decisions, const GobanSpan *span)
{
  GobanDecisionRoom room = { 0 };
  double bound_us = 0;
  guint n = 0;

  g_assert_cmpuint (span->base, ==, 0);
  for (GobanMoment m = span->begin + 1; m <= span->end; m++)
    {
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
      g_assert_cmpint (decision.score, ==, GOBAN_SCORE_BOUND_US);
      g_assert_cmpfloat (decision.scores[decision.chosen], ==, (float) decision.after_us);
      g_assert_true (decision.after_us >= bound_us * (1 - 1e-12));
      bound_us = decision.after_us;
      n += decision.n_nodes;
    }
  g_assert_true (bound_us <= span->after_us * (1 + 1e-12));
  g_assert_cmpuint (n, ==, goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)));
  goban_decision_room_clear (&room);
}

static void
test_incumbents (void)
{
  const GraphGen gen = graph_gen_ten ();
  guint n_incumbents = 0;
  guint n_proven = 0;

  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
      g_auto (Run) self = record (costs, "exact", 20000);

      check_decisions (costs, self.plan, self.decisions);
      n_proven += goban_plan_get_proven_bound_us (self.plan, costs) > 0;
      for (guint32 s = 1; s <= goban_decisions_get_n_spans (self.decisions); s++)
        {
          const GobanSpan *span = goban_decisions_get_span (self.decisions, s);

          if (strcmp (span->name, "incumbent") != 0)
            continue;
          check_incumbent (costs, self.decisions, span);
          n_incumbents++;
        }
    }
  g_assert_cmpuint (n_incumbents, >, 0);
  g_assert_cmpuint (n_proven, ==, 30);
}

/* --- METIS and recorded runs ---------------------------------------------------------------- */

/* One cut, or halves of parts; then units that cannot run in their part. */
static void
test_cuts (void)
{
  guint n_halves = 0;
  guint n_repairs = 0;
  guint n_single = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GobanCostModel) costs
          = i % 2 == 0 ? toy_various_costs (2 * i) : toy_small_costs (150, i, "p100x4");
      g_auto (Run) self = record (costs, "metis", 0);
      const GobanSpan *span = goban_decisions_get_span (self.decisions, 1);
      GobanDecisionRoom room = { 0 };
      guint n_cuts = 0;

      check_decisions (costs, self.plan, self.decisions);
      g_assert_cmpuint (goban_decisions_get_n_spans (self.decisions), ==, 1);
      g_assert_cmpstr (span->name, ==, "cut");
      g_assert_nonnull (strstr (span->why, "METIS decides about all ops at once"));
      for (GobanMoment m = 1; m <= span->end; m++)
        {
          GobanDecision decision;

          g_assert_true (goban_decisions_get (self.decisions, m, &room, &decision));
          g_assert_cmpint (decision.score, ==, GOBAN_SCORE_BYTES);
          n_repairs += decision.options == GOBAN_OPTION_DEVICE;
          if (decision.options != GOBAN_OPTION_PLAN)
            continue;
          n_cuts++;
          g_assert_cmpuint (decision.flags, ==, GOBAN_DECISION_AT_ONCE);
          g_assert_true (decision.scores[0] >= 0);
        }
      n_single += n_cuts == 1;
      n_halves += n_cuts > 1;
      goban_decision_room_clear (&room);
    }
  g_assert_cmpuint (n_single, >, 0);
  g_assert_cmpuint (n_halves, >, 0);
  g_assert_cmpuint (n_repairs, >, 0);
}

/* Four ops on the lanes 0, 1, 1 and 0; another lane may be forced. */
static void
test_recorded (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("recording", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  GobanDecisionsOptions how;
  g_auto (Run) plain = { NULL };
  g_auto (Run) forced = { NULL };

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("op%u", i);
      guint32 node = goban_graph_builder_add_node (builder, name, "Conv");

      goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_get_node (builder, node)->lane = i == 1 || i == 2;
    }
  graph = toy_finish (builder);
  costs = toy_costs (graph, "p100x2");
  plain = record (costs, "recorded", 0);
  check_decisions (costs, plain.plan, plain.decisions);
  g_assert_cmpuint (goban_decisions_get_n_moments (plain.decisions), ==, 4);

  how = writer_options (costs);
  how.moment = 3;
  how.option = 0;
  how.expected = plain.decisions;
  forced = run_policy (costs, "recorded", 0, &how);
  g_assert_cmpstr (forced.problem, ==, NULL);
  check_decisions (costs, forced.plan, forced.decisions);
  for (GobanNodeId v = 0; v < 4; v++)
    g_assert_cmpuint (goban_plan_get_device (forced.plan, v), ==, v == 1);
}

TEST_PROGRAM (search_decisions)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placers/search-decisions/all", test_all);
  g_test_add_func ("/placers/search-decisions/offers", test_offers);
  g_test_add_func ("/placers/search-decisions/moves", test_moves);
  g_test_add_func ("/placers/search-decisions/forced-moves", test_forced_moves);
  g_test_add_func ("/placers/search-decisions/many", test_many);
  g_test_add_func ("/placers/search-decisions/little-memory", test_little_memory);
  g_test_add_func ("/placers/search-decisions/generations", test_generations);
  g_test_add_func ("/placers/search-decisions/incumbents", test_incumbents);
  g_test_add_func ("/placers/search-decisions/cuts", test_cuts);
  g_test_add_func ("/placers/search-decisions/recorded", test_recorded);
  return g_test_run ();
}
