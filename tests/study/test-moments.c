/* test-moments.c: moments of records in words, as cards, states, runs and files. */
#include "engine/study/analysis/moments/moment-card.h"
#include "engine/study/analysis/moments/moment-export.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"

#include "engine/core/error.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/io/io.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define N_NODES 10
#define N_DEVICES 3

static GobanRun *
new_run (GobanCostModel *costs, const char *policy)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 150 };
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, policy, &options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (goban_run_get_decisions (run));
  return run;
}

static GobanCostModel *
new_paper_costs (void)
{
  g_autoptr (GobanGraph) graph = toy_topcuoglu ();

  return toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
}

static GobanRun *
new_paper_run (void)
{
  g_autoptr (GobanCostModel) costs = new_paper_costs ();

  return new_run (costs, "heft");
}

static void
assert_words (GobanCostModel *costs, const GobanDecisions *decisions, GobanMoment moment,
              const char *expected)
{
  g_autofree char *text = goban_moment_describe (costs, decisions, moment);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_reason (GobanCostModel *costs, const GobanDecisions *decisions, GobanMoment moment,
               const char *expected)
{
  g_autofree char *text = goban_moment_explain (costs, decisions, moment);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_path (const GobanDecisions *decisions, GobanMoment moment, const char *expected)
{
  g_autofree char *text = goban_moment_describe_path (decisions, moment);

  g_assert_cmpstr (text, ==, expected);
}

/* --- a record by hand ----------------------------------------------------------------------- */

/* The first row has T1 and T2, the second one the others. */
static guint32
decide_row (GobanDecisionsWriter *writer, guint32 row, GobanDeviceId device, guint flags)
{
  static const GobanNodeId nodes[N_NODES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  static const double chances[N_DEVICES] = { 0.625, 0.375, 0 };
  static const GobanAttended attended[] = { { 2, 0.25f }, { 1, 0.5f } };

  for (guint d = 0; d < N_DEVICES; d++)
    goban_decisions_writer_score (writer, d, chances[d], d == 2 ? GOBAN_REFUSAL_MEMORY : 0);
  return goban_decisions_writer_decide (writer,
                                        &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                              .options = GOBAN_OPTION_DEVICE,
                                                              .score = GOBAN_SCORE_PROBABILITY,
                                                              .nodes = row == 1 ? nodes : nodes + 2,
                                                              .n_nodes = row == 1 ? 2 : N_NODES - 2,
                                                              .row = row,
                                                              .n_options = N_DEVICES,
                                                              .entropy = 0.6616f,
                                                              .attended = attended,
                                                              .n_attended = 2,
                                                              .flags = flags },
                                        device);
}

/* A span of one move of T1 and T2 to @device, or without changes. */
static void
move (GobanDecisionsWriter *writer, guint32 device, guint n_changes, gboolean is_accepted)
{
  const GobanDecisionChange changes[]
      = { { GOBAN_TASK_PLACEMENT, 0, 0, device }, { GOBAN_TASK_PLACEMENT, 1, 0, device } };
  GobanDecisionsWriter *batch = goban_decisions_writer_open (
      writer, &(GobanSpanHead){ .name = "batch", .level = GOBAN_LEVEL_PLAN, .n_left_out = 3 });

  goban_decisions_writer_decide (batch,
                                 &(GobanDecisionHead){ .options = GOBAN_OPTION_MOVE,
                                                       .n_options = 8,
                                                       .changes = changes,
                                                       .n_changes = n_changes,
                                                       .before_us = 612e3,
                                                       .after_us = 598e3,
                                                       .temperature = 0.5f },
                                 n_changes > 0 ? 5 : 7);
  goban_decisions_writer_close (batch, &(GobanSpanResult){ .makespan_us = 598e3 }, is_accepted);
}

/* Moments 1..8: two updates of two rollouts of two rows each, of which only the last one is
 * accepted; 9..11: batches of moves, taken, taken back and none; 12: levels; 13: a whole plan;
 * 14: a rule. */
static GobanDecisions *
new_record (GobanCostModel *costs)
{
  static const GobanNodeId third[] = { 2 };
  const GobanDecisionChange orders[] = { { GOBAN_TASK_SCHEDULING, 0, 0, 7 },
                                         { GOBAN_TASK_FUSION, 1, 0, 1 },
                                         { GOBAN_TASK_FUSION, 2, 0, 1 } };
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), N_DEVICES);
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (guint u = 0; u < 2; u++)
    {
      GobanDecisionsWriter *update = goban_decisions_writer_open (
          writer, &(GobanSpanHead){ .name = "update", .level = GOBAN_LEVEL_ROUND });

      for (guint r = 0; r < 2; r++)
        {
          GobanDecisionsWriter *rollout = goban_decisions_writer_open (
              update,
              &(GobanSpanHead){ .name = "rollout", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });

          decide_row (rollout, 1, 0, 0);
          decide_row (rollout, 2, 1, GOBAN_DECISION_SAMPLED);
          goban_decisions_writer_close (
              rollout, &(GobanSpanResult){ .makespan_us = 612e3 + (u * 2 + r) }, r == 1);
        }
      goban_decisions_writer_close (update, NULL, u == 1);
    }
  move (writer, 1, 2, TRUE);
  move (writer, 2, 2, FALSE);
  move (writer, 0, 0, TRUE);
  goban_decisions_writer_decide (writer,
                                 &(GobanDecisionHead){ .task = GOBAN_TASK_SCHEDULING,
                                                       .options = GOBAN_OPTION_LEVEL,
                                                       .nodes = third,
                                                       .n_nodes = 1,
                                                       .n_options = 16,
                                                       .note = "by hand" },
                                 7);
  goban_decisions_writer_set_plan (writer,
                                   &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN,
                                                         .score = GOBAN_SCORE_MAKESPAN_US,
                                                         .n_options = 2,
                                                         .after_us = 500e3 },
                                   plan);
  goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_decide (writer,
                                 &(GobanDecisionHead){ .task = GOBAN_TASK_FUSION,
                                                       .options = GOBAN_OPTION_RULE,
                                                       .n_options = 1,
                                                       .changes = orders,
                                                       .n_changes = 3 },
                                 0);
  return goban_decisions_writer_end (writer);
}

static const GobanCardOption *
get_option (const GobanMomentCard *card, guint i)
{
  return &g_array_index (card->options, GobanCardOption, i);
}

/* --- words ---------------------------------------------------------------------------------- */

static void
test_words_of_list_schedules (void)
{
  g_autoptr (GobanRun) run = new_paper_run ();
  GobanCostModel *costs = goban_run_get_costs (run);
  const GobanDecisions *decisions = goban_run_get_decisions (run);

  assert_words (costs, decisions, 0, "the beginning: nothing is decided yet");
  assert_words (costs, decisions, 1, "T1 to P3, finish 9 µs");
  assert_words (costs, decisions, 10, "T10 to P2, finish 80 µs");
  assert_path (decisions, 0, "");
  assert_path (decisions, 10, "Decision 10 of 10");
}

static void
test_words_of_networks_and_searches (void)
{
  static const char *const expected[] = {
    "row 1 (2 ops) to P1, probability 0.625",
    "row 2 (8 ops) to P2, probability 0.375, sampled",
    "move of 2 ops to P2, 612 → 598 ms, taken",
    "move of 2 ops to P3, 612 → 598 ms, not taken",
    "7 moves, none taken, 612 → 598 ms",
    "T3 to scheduling level 7, by hand",
    "plan 1 of 2: 10 ops to P1, 500 ms",
    "fusion rule: 2 ops fused otherwise, 1 op with another priority",
  };
  static const char *const paths[] = {
    "Update 2 of 2 › Rollout 2 of 2 › Decision 1 of 2",
    "Update 2 of 2 › Rollout 2 of 2 › Decision 2 of 2",
    "Batch 4 of 12",
    "Batch 8 of 12",
    "Batch 12 of 12",
    "Decision 12 of 14",
    "Decision 13 of 14",
    "Decision 14 of 14",
  };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = new_record (costs);

  g_assert_cmpuint (goban_decisions_get_n_moments (decisions), ==, 14);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      assert_words (costs, decisions, 7 + i, expected[i]);
      assert_path (decisions, 7 + i, paths[i]);
    }
  assert_path (decisions, 2, "Update 1 of 2 › Rollout 1 of 2 › Decision 2 of 2");
}

/* The note of a decision among rules names them; a plan beside another decision of its batch is
 * named, too. */
static void
test_words_of_rules (void)
{
  const GobanDecisionHead rule = { .task = GOBAN_TASK_SCHEDULING,
                                   .options = GOBAN_OPTION_RULE,
                                   .score = GOBAN_SCORE_EXPECTED_US,
                                   .takes_least = TRUE,
                                   .n_options = 3,
                                   .note = "depth, fifo, index" };
  const GobanDecisionChange change = { GOBAN_TASK_PLACEMENT, 0, 0, 1 };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (guint u = 0; u < 2; u++)
    {
      GobanDecisionsWriter *batch = goban_decisions_writer_open (
          writer, &(GobanSpanHead){ .name = "batch", .level = GOBAN_LEVEL_ROUND });
      GobanDecisionsWriter *plan = goban_decisions_writer_open (
          batch, &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN });

      for (guint k = 0; k < 3; k++)
        goban_decisions_writer_score (plan, k, 12 - k, 0);
      goban_decisions_writer_decide (plan, &rule, 2);
      goban_decisions_writer_close (plan, NULL, TRUE);
      if (u == 0)
        goban_decisions_writer_decide (
            batch,
            &(GobanDecisionHead){
                .options = GOBAN_OPTION_PLAN, .n_options = 1, .changes = &change, .n_changes = 1 },
            0);
      goban_decisions_writer_close (batch, NULL, TRUE);
    }
  decisions = goban_decisions_writer_end (writer);
  assert_words (costs, decisions, 1,
                "scheduling rule 3 of 3 (graph's order), expected makespan 10 µs");
  assert_reason (costs, decisions, 1, "graph's order: better by 1 µs than first in, first out");
  assert_words (costs, decisions, 2, "new plan: 1 op to P2");
  assert_path (decisions, 1, "Batch 1 of 2 › Plan");
  assert_path (decisions, 2, "Batch 1 of 2 › Decision 2 of 2");
  assert_path (decisions, 3, "Batch 2 of 2");
}

/* Most first, and the rest together; a makespan that stays stands once; lack of memory is said. */
static void
test_words_of_plans (void)
{
  static const GobanDeviceId devices[N_NODES] = { 0, 1, 1, 1, 1, 2, 2, 3, 4, 4 };
  g_autoptr (GobanGraph) graph = toy_topcuoglu ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:5");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 5);
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *writer
      = goban_decisions_writer_new (&(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = 5 });
  GobanDecisionsWriter *span;
  const GobanDecisionHead head
      = { .options = GOBAN_OPTION_PLAN, .before_us = 500e3, .after_us = 500e3 };

  for (GobanNodeId v = 0; v < N_NODES; v++)
    goban_plan_set_device (plan, v, devices[v]);
  goban_decisions_writer_set_plan (writer, &head, plan);
  goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_set_plan (writer, &head, plan);
  goban_decisions_writer_settle (writer, plan);
  span = goban_decisions_writer_open (
      writer, &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN });
  goban_decisions_writer_set_plan (span, &head, plan);
  goban_decisions_writer_settle (span, plan);
  goban_decisions_writer_close (span, &(GobanSpanResult){ 500e3, 3e9, NULL }, FALSE);
  decisions = goban_decisions_writer_end (writer);
  assert_words (costs, decisions, 1,
                "whole plan: 4 ops to gpu:1, 2 ops to gpu:2, 2 ops to gpu:4, 2 elsewhere, 500 ms");
  assert_words (costs, decisions, 2, "new plan: same devices, 500 ms");
  assert_words (costs, decisions, 3, "new plan: same devices, 500 ms, lacks 3 GB of memory");
}

static void
test_reasons (void)
{
  static const char *const expected[] = {
    "P3 finishes 5 µs earlier than P1, because the op runs 5 µs faster there",
    "P2 finishes as early as P3, and the policy takes the first device",
    "P3 finishes 4 µs earlier than P1, because the input from T1 is there",
    "P1 finishes 6 µs earlier than P2, because the op runs 6 µs faster there",
    "P3 finishes 1 µs earlier than P2, because the op runs 3 µs faster there",
    "P2 finishes 5 µs earlier than P3, because P3 is busy with T5 until then",
  };
  g_autoptr (GobanRun) run = new_paper_run ();
  GobanCostModel *costs = goban_run_get_costs (run);
  g_autoptr (GobanDecisions) by_hand = new_record (costs);

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_reason (costs, goban_run_get_decisions (run), i + 1, expected[i]);
  /* Both are true in part, and neither in full. */
  assert_reason (costs, goban_run_get_decisions (run), 10, "P2 finishes 17 µs earlier than P3");
  assert_reason (costs, by_hand, 7, "the likeliest of 2 options");
  assert_reason (costs, by_hand, 8, "drawn by chance; P1 was likelier, 0.625");
  assert_reason (costs, by_hand, 9, NULL);
  assert_reason (costs, by_hand, 0, NULL);
}

/* The input is on the chosen device, but it would be on the other one in time: T1 runs on P3 until
 * 9, T2 on P1 until 60. T3 takes 11 on P1 and 19 on P3, and its input takes 12. */
static void
test_reason_is_not_the_input (void)
{
  static const GobanNodeId nodes[] = { 0, 1, 2 };
  static const guint32 chosen[] = { 2, 0, 2 };
  static const double finishes_us[] = { 9, 60, 28 };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (guint i = 0; i < 3; i++)
    {
      goban_decisions_writer_score (writer, 0, i == 2 ? 71 : 60, 0);
      goban_decisions_writer_score (writer, 1, 99, 0);
      goban_decisions_writer_score (writer, 2, i == 0 ? 9 : i == 1 ? 80 : 28, 0);
      goban_decisions_writer_decide (writer,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .score = GOBAN_SCORE_FINISH_US,
                                                           .takes_least = TRUE,
                                                           .nodes = &nodes[i],
                                                           .n_nodes = 1,
                                                           .n_options = N_DEVICES },
                                     chosen[i]);
      goban_decisions_writer_set_times (writer, i == 1 ? 47 : finishes_us[i] - 9, finishes_us[i]);
    }
  decisions = goban_decisions_writer_end (writer);
  assert_reason (costs, decisions, 3,
                 "P3 finishes 43 µs earlier than P1, because P1 is busy with T2 until then");
}

/* A rule that takes the least finish: the scores and refusals of the three devices, the choice and
 * the policy's remark. */
typedef struct
{
  double scores[N_DEVICES];
  guint refusals[N_DEVICES];
  guint32 chosen, best;
  const char *note;
  const char *reason;
} Choice;

static void
test_reasons_against_the_best (void)
{
  static const Choice choices[] = {
    { { 5, 9, 12 },
      { GOBAN_REFUSAL_MEMORY, 0, 0 },
      1,
      1,
      NULL,
      "P1 would finish 4 µs earlier than P2, but is not available: memory" },
    { { 5, 9, 12 },
      { 0, 0, 0 },
      1,
      0,
      "critical path",
      "P1 would finish 4 µs earlier than P2; the choice has another reason: critical path" },
    { { 5, 9, 12 },
      { GOBAN_REFUSAL_MEMORY, 0, GOBAN_REFUSAL_GROUP | GOBAN_REFUSAL_MEMORY },
      1,
      1,
      NULL,
      "the only option left; P1: memory; P3: group, memory" },
  };
  static const GobanNodeId first[] = { 0 };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanMomentCard) gains = NULL;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      for (guint d = 0; d < N_DEVICES; d++)
        goban_decisions_writer_score (writer, d, choices[i].scores[d], choices[i].refusals[d]);
      goban_decisions_writer_decide (writer,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .score = GOBAN_SCORE_FINISH_US,
                                                           .takes_least = TRUE,
                                                           .nodes = first,
                                                           .n_nodes = 1,
                                                           .n_options = N_DEVICES,
                                                           .note = choices[i].note },
                                     choices[i].chosen);
    }
  for (guint d = 0; d < N_DEVICES; d++)
    goban_decisions_writer_score (writer, d, choices[0].scores[d], 0);
  goban_decisions_writer_decide (
      writer, &(GobanDecisionHead){ .score = GOBAN_SCORE_GAIN, .n_options = N_DEVICES }, 1);
  decisions = goban_decisions_writer_end (writer);
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autoptr (GobanMomentCard) card
          = goban_moment_card_new (costs, decisions, (GobanMoment) i + 1);

      assert_reason (costs, decisions, (GobanMoment) i + 1, choices[i].reason);
      for (guint d = 0; d < N_DEVICES; d++)
        g_assert_true (get_option (card, d)->is_best == (d == choices[i].best));
    }
  gains = goban_moment_card_new (costs, decisions, G_N_ELEMENTS (choices) + 1);
  g_assert_true (get_option (gains, 2)->is_best);
  g_assert_cmpfloat (get_option (gains, 0)->difference, ==, 7);
}

/* --- cards ---------------------------------------------------------------------------------- */

static void
test_cards (void)
{
  g_autoptr (GobanRun) run = new_paper_run ();
  GobanCostModel *costs = goban_run_get_costs (run);
  g_autoptr (GobanMomentCard) card
      = goban_moment_card_new (costs, goban_run_get_decisions (run), 3);

  g_assert_null (goban_moment_card_new (costs, goban_run_get_decisions (run), 0));
  g_assert_cmpuint (card->options->len, ==, 3);
  g_assert_cmpuint (card->node, ==, 2);
  g_assert_cmpstr (card->key, ==, "upward rank 80 µs");
  g_assert_null (card->had);
  g_assert_cmpstr (get_option (card, 1)->name, ==, "P2");
  g_assert_cmpstr (get_option (card, 1)->words, ==, "39 µs");
  g_assert_cmpfloat (get_option (card, 0)->difference, ==, 4);
  g_assert_cmpfloat (get_option (card, 1)->difference, ==, 11);
  g_assert_cmpfloat (get_option (card, 2)->difference, ==, 0);
  g_assert_true (get_option (card, 2)->is_best && get_option (card, 2)->is_chosen);
  g_assert_false (get_option (card, 0)->is_best || get_option (card, 0)->is_chosen);
  g_assert_true (isnan (get_option (card, 0)->probability));
  g_assert_cmpstr (card->what, ==, "T3 to P3, finish 28 µs");
  g_assert_cmpstr (get_option (card, 0)->words, ==, "32 µs");
  g_assert_cmpstr (get_option (card, 2)->words, ==, "28 µs");
  g_assert_cmpstr (card->why, ==,
                   "P3 finishes 4 µs earlier than P1, because the input from T1 is there");
}

static void
test_cards_of_networks (void)
{
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = new_record (costs);
  g_autoptr (GobanMomentCard) card = goban_moment_card_new (costs, decisions, 8);
  g_autoptr (GobanMomentCard) moves = goban_moment_card_new (costs, decisions, 9);
  const GobanCardAttended *attended;

  g_assert_cmpuint (card->row, ==, 2);
  g_assert_cmpuint (card->n_nodes, ==, 8);
  g_assert_cmpfloat_with_epsilon (get_option (card, 0)->probability, 0.625, 1e-4);
  g_assert_true (get_option (card, 0)->is_best && get_option (card, 1)->is_chosen);
  g_assert_cmpfloat_with_epsilon (get_option (card, 1)->difference, 0.25, 1e-4);
  g_assert_cmpstr (get_option (card, 2)->words, ==, "");
  g_assert_cmpstr (get_option (card, 2)->why_not, ==, "memory");
  g_assert_cmpfloat_with_epsilon (card->entropy, 0.6616, 1e-6);
  g_assert_cmpfloat (card->after_us, ==, 612e3 + 3);

  /* By weight, with the nodes of the moments that decided them. */
  g_assert_cmpuint (card->attended->len, ==, 2);
  attended = &g_array_index (card->attended, GobanCardAttended, 0);
  g_assert_cmpuint (attended->row, ==, 1);
  g_assert_cmpuint (attended->node, ==, 0);
  g_assert_cmpuint (attended->n_nodes, ==, 2);
  g_assert_cmpuint (attended[1].node, ==, 2);
  g_assert_cmpfloat (attended[0].weight, ==, 0.5);
  g_assert_cmpuint (attended[1].row, ==, 2);
  g_assert_cmpfloat (attended[1].weight, ==, 0.25);
  g_assert_cmpstr (card->what, ==, "row 2 (8 ops) to P2, probability 0.375, sampled");
  g_assert_cmpstr (get_option (card, 0)->words, ==, "0.625");
  g_assert_cmpstr (card->why, ==, "drawn by chance; P1 was likelier, 0.625");

  g_assert_cmpuint (moves->options->len, ==, 8);
  g_assert_cmpstr (get_option (moves, 5)->name, ==, "move 6");
  g_assert_true (get_option (moves, 5)->is_chosen);
  g_assert_cmpfloat (moves->temperature, ==, 0.5);
  g_assert_cmpfloat (moves->before_us, ==, 612e3);
}

/* --- states --------------------------------------------------------------------------------- */

static guint
count (GobanSelection *selection)
{
  guint n;

  goban_selection_get_ids (selection, &n);
  goban_selection_unref (selection);
  return n;
}

/* Moment by moment one choice more, none taken back. */
static void
check_states (GobanRun *run)
{
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *nothing = NULL;
  guint n_decided = 0;

  g_assert_cmpuint (count (goban_moment_dup_undecided (decisions, 0)), ==, n_nodes);
  g_assert_true (goban_moment_dup_spans (goban_run_get_costs (run), decisions, 0) == nothing);
  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      g_autofree GobanOpSpan *spans
          = goban_moment_dup_spans (goban_run_get_costs (run), decisions, m);
      g_autoptr (GobanSelection) undecided = goban_moment_dup_undecided (decisions, m);
      g_autoptr (GobanSelection) changed
          = goban_moment_dup_changed (decisions, m, GOBAN_TASK_PLACEMENT);
      g_autofree GobanDeviceId *had = goban_moment_dup_had (decisions, m);
      guint n_changed, n_undecided;

      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          gboolean is_known = spans != NULL && isfinite (spans[v].start_us);

          g_assert_cmpuint (had[v], ==, GOBAN_NO_DEVICE);
          if (goban_selection_contains (changed, v))
            g_assert_false (goban_selection_contains (undecided, v));
          if (spans != NULL)
            g_assert_true (is_known != goban_selection_contains (undecided, v));
          if (is_known)
            g_assert_cmpfloat (spans[v].finish_us, >=, spans[v].start_us);
        }
      goban_selection_get_ids (changed, &n_changed);
      goban_selection_get_ids (undecided, &n_undecided);
      n_decided += n_changed;
      g_assert_cmpuint (n_undecided, ==, n_nodes - n_decided);
      g_assert_cmpint (goban_moment_is_finished (decisions, m), ==, n_undecided == 0);
      if (n_changed > 0)
        {
          GobanNodeId first = goban_moment_find_node (decisions, m);
          g_autoptr (GArray) moments = goban_moments_list_of_node (decisions, first, m);

          g_assert_cmpuint (first, ==, goban_selection_get_ids (changed, &n_changed)[0]);
          g_assert_cmpuint (g_array_index (moments, GobanMoment, 0), ==, m);
        }
    }
  g_assert_cmpuint (n_decided, ==, n_nodes);
}

static void
test_states_of_list_schedules (void)
{
  static const char *const policies[]
      = { "heft",  "cpop",   "etf",    "critical-path", "m-etf",
          "m-sct", "m-topo", "expert", "tf-default",    "round-robin" };

  for (guint seed = 0; seed < 3; seed++)
    for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
      {
        g_autoptr (GobanGraph) graph = toy_mixed (20 + seed, seed);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
        g_autoptr (GobanRun) run = new_run (costs, policies[i]);

        if (goban_decisions_get_n_spans (goban_run_get_decisions (run)) == 1)
          check_states (run);
      }
}

/* Nodes that are decided together run one after another; the last decision counts. */
static void
test_schedule_of_groups (void)
{
  static const GobanNodeId nodes[] = { 0, 1 };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (guint d = 0; d < 2; d++)
    {
      goban_decisions_writer_decide (
          writer,
          &(GobanDecisionHead){
              .task = GOBAN_TASK_PLACEMENT, .nodes = nodes, .n_nodes = 2, .n_options = N_DEVICES },
          d);
      goban_decisions_writer_set_times (writer, 5, 50);
    }
  decisions = goban_decisions_writer_end (writer);
  for (guint d = 0; d < 2; d++)
    {
      g_autofree GobanOpSpan *spans = goban_moment_dup_spans (costs, decisions, d + 1);

      g_assert_cmpfloat (spans[0].start_us, ==, 5);
      g_assert_cmpfloat (spans[0].finish_us, ==, d == 0 ? 19 : 21); /* T1 takes 14, then 16 */
      g_assert_cmpfloat (spans[1].start_us, ==, spans[0].finish_us);
      g_assert_cmpfloat (spans[1].finish_us, ==, 50);
      g_assert_true (isnan (spans[2].start_us));
    }
}

static void
test_states_of_moves (void)
{
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = new_record (costs);
  g_autofree GobanDeviceId *had = goban_moment_dup_had (decisions, 9);
  GobanDecision decision;
  double before_us, after_us;

  g_assert_cmpuint (had[0], ==, 0);
  g_assert_cmpuint (had[2], ==, GOBAN_NO_DEVICE);
  g_assert_cmpuint (count (goban_moment_dup_changed (decisions, 9, GOBAN_N_TASKS)), ==, 2);
  g_assert_cmpuint (count (goban_moment_dup_changed (decisions, 9, GOBAN_TASK_FUSION)), ==, 0);
  g_assert_cmpuint (count (goban_moment_dup_changed (decisions, 14, GOBAN_N_TASKS)), ==, 3);
  g_assert_cmpuint (goban_moment_find_node (decisions, 11), ==, GOBAN_NO_NODE);
  g_assert_true (goban_moment_is_finished (decisions, 9));
  g_assert_null (goban_moment_dup_spans (costs, decisions, 9));

  /* Its own, or that of the span whose plan it is. */
  goban_decisions_get (decisions, 9, NULL, &decision);
  goban_decision_get_times (decisions, &decision, &before_us, &after_us);
  g_assert_cmpfloat (before_us, ==, 612e3);
  goban_decisions_get (decisions, 8, NULL, &decision);
  goban_decision_get_times (decisions, &decision, &before_us, &after_us);
  g_assert_cmpfloat (after_us, ==, 612e3 + 3);
  goban_decisions_get (decisions, 7, NULL, &decision);
  goban_decision_get_times (decisions, &decision, &before_us, &after_us);
  g_assert_true (isnan (after_us));
}

/* The newest plan of a policy that is still running is the last finished one. */
static void
test_plans_of_a_running_policy (void)
{
  static const GobanMoment newest[] = { 0, 2, 2, 4 };
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });
  GobanDecisionsWriter *rollout = NULL;
  g_autoptr (GobanDecisions) ended = NULL;

  for (GobanMoment m = 1; m <= G_N_ELEMENTS (newest); m++)
    {
      gboolean is_first = m % 2 == 1;
      g_autoptr (GobanDecisions) decisions = NULL;

      if (is_first)
        rollout = goban_decisions_writer_open (
            writer,
            &(GobanSpanHead){ .name = "rollout", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
      decide_row (rollout, is_first ? 1 : 2, 0, 0);
      decisions = goban_decisions_writer_peek (writer);
      g_assert_cmpint (goban_moment_is_finished (decisions, m), ==, !is_first);
      g_assert_cmpuint (goban_moment_find_newest (decisions), ==, newest[m - 1]);
      g_assert_cmpuint (goban_moment_find_plan (decisions, m), ==, newest[m - 1]);
      if (!is_first)
        goban_decisions_writer_close (rollout, NULL, TRUE);
    }
  ended = goban_decisions_writer_end (writer);
  g_assert_cmpuint (goban_moment_find_newest (ended), ==, 4);
}

/* --- runs ----------------------------------------------------------------------------------- */

static void
test_runs (void)
{
  g_autoptr (GobanRun) run = new_paper_run ();
  GobanCostModel *costs = goban_run_get_costs (run);
  GobanDecisions *decisions = goban_run_get_decisions (run);
  gpointer work = goban_moment_new_work (costs, decisions, "heft", 10);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) last = goban_moment_work (NULL, work, &error);
  g_autoptr (GobanRun) second = goban_moment_new_run (costs, decisions, "heft", 2, &error);

  goban_moment_free_work (work);
  g_assert_no_error (error);
  g_assert_true (toy_plans_are_same (goban_run_get_plan (last), goban_run_get_plan (run)));
  g_assert_cmpfloat (goban_run_get_makespan_us (last), ==, goban_run_get_makespan_us (run));
  g_assert_cmpstr (goban_run_get_name (second), ==, "heft, moment 2");
  g_assert_true (goban_run_get_decisions (second) == decisions);
  g_assert_null (goban_run_get_entropies (run));
  g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (second), 3), ==, 1);
  g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (second), 2), ==, 0);

  g_assert_null (goban_moment_new_run (costs, decisions, "heft", 11, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (goban_moment_new_run (costs, NULL, "by hand", 1, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "by hand has recorded no decisions"));
}

/* The last decision with one counts, on the way to the plan alone. */
static void
test_entropies (void)
{
  static const GobanNodeId first[] = { 0 };
  static const float entropies[] = { 0.5f, 0.25f, 0, 0.75f };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), N_DEVICES);
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanRun) within = NULL;
  g_autoptr (GError) error = NULL;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });

  for (guint i = 0; i < G_N_ELEMENTS (entropies); i++)
    {
      GobanDecisionsWriter *rollout = goban_decisions_writer_open (
          writer, &(GobanSpanHead){ .name = "rollout", .level = GOBAN_LEVEL_PLAN });

      goban_decisions_writer_decide (rollout,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .nodes = first,
                                                           .n_nodes = 1,
                                                           .n_options = N_DEVICES,
                                                           .entropy = entropies[i] },
                                     i % 2);
      goban_decisions_writer_close (rollout, NULL, i < 3);
    }
  decisions = goban_decisions_writer_end (writer);
  run = goban_run_new_kept (costs, plan, "by hand", &(GobanRunOrigin){ .decisions = decisions });
  g_assert_cmpfloat (goban_run_get_entropies (run)[0], ==, 0.25f);
  g_assert_true (isnan (goban_run_get_entropies (run)[1]));
  within = goban_moment_new_run (costs, decisions, "by hand", 1, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_run_get_entropies (within)[0], ==, 0.5f);
}

/* --- files ---------------------------------------------------------------------------------- */

static JsonArray *
parse_decisions (const char *json, JsonNode **root)
{
  g_autoptr (GError) error = NULL;

  *root = json_from_string (json, &error);
  g_assert_no_error (error);
  return json_object_get_array_member (json_node_get_object (*root), "decisions");
}

/* One field of a line of CSV beside the same member in JSON; unknown values are empty and null. */
static void
assert_same_field (JsonObject *object, const char *key, const char *field)
{
  JsonNode *node = json_object_get_member (object, key);

  g_assert_nonnull (node);
  if (json_node_is_null (node))
    g_assert_cmpstr (field, ==, "");
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      g_autoptr (GString) names = g_string_new (NULL);
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? "; " : "",
                                json_array_get_string_element (array, i));
      g_assert_cmpstr (field, ==, names->str);
    }
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    g_assert_cmpstr (field, ==, json_node_get_string (node));
  else
    g_assert_cmpfloat (g_ascii_strtod (field, NULL), ==, json_node_get_double (node));
}

/* All options in one cell of CSV beside names and scores in JSON: "gpu:0 612.5; cpu:0 refused". */
static void
assert_same_scores (JsonObject *object, const char *field)
{
  g_auto (GStrv) options = g_strsplit (field, "; ", -1);
  JsonArray *names, *scores;

  if (!json_object_has_member (object, "scores"))
    {
      g_assert_cmpstr (field, ==, "");
      return;
    }
  names = json_object_get_array_member (object, "names");
  scores = json_object_get_array_member (object, "scores");
  g_assert_cmpuint (g_strv_length (options), ==, json_array_get_length (names));
  g_assert_cmpuint (json_array_get_length (scores), ==, json_array_get_length (names));
  for (guint i = 0; options[i] != NULL; i++)
    {
      const char *name = json_array_get_string_element (names, i);
      const char *score = options[i] + strlen (name) + 1;

      g_assert_true (g_str_has_prefix (options[i], name));
      if (g_str_equal (score, "refused"))
        g_assert_true (
            json_object_has_member (json_object_get_object_member (object, "refused"), name));
      else if (!json_array_get_null_element (scores, i))
        g_assert_cmpfloat (g_ascii_strtod (score, NULL), ==,
                           json_array_get_double_element (scores, i));
    }
}

/* The fields of a line of CSV, of which some are quoted; none has quotes. (transfer full) */
static GStrv
split_fields (const char *line)
{
  g_autoptr (GStrvBuilder) fields = g_strv_builder_new ();

  for (const char *at = line; at != NULL;)
    {
      const char *start = *at == '"' ? at + 1 : at;
      const char *end = *at == '"' ? strchr (start, '"') : strchrnul (at, ',');
      g_autofree char *field = g_strndup (start, (gsize) (end - start));

      g_strv_builder_add (fields, field);
      at = strchr (end, ',') != NULL ? strchr (end, ',') + 1 : NULL;
    }
  return g_strv_builder_end (fields);
}

/* All moments of @run, with the same members in JSON and columns in CSV. Returns their number. */
static guint
assert_same_files (GobanRun *run)
{
  g_autofree char *json = goban_moments_to_json (run);
  g_autofree char *csv = goban_moments_to_csv (run);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  g_auto (GStrv) keys = g_strsplit (lines[0], ",", -1);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *list = parse_decisions (json, &root);
  guint n = json_array_get_length (list);

  g_assert_cmpuint (g_strv_length (lines), ==, n + 2);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = json_array_get_object_element (list, i);
      g_auto (GStrv) fields = split_fields (lines[i + 1]);
      g_autofree char *words
          = goban_moment_describe (goban_run_get_costs (run), goban_run_get_decisions (run),
                                   (GobanMoment) json_object_get_int_member (object, "number"));
      g_autofree char *path = goban_moment_describe_path (
          goban_run_get_decisions (run),
          (GobanMoment) json_object_get_int_member (object, "number"));

      g_assert_cmpuint (g_strv_length (fields), ==, g_strv_length (keys));
      for (guint k = 0; keys[k] != NULL; k++)
        if (g_str_equal (keys[k], "scores"))
          assert_same_scores (object, fields[k]);
        else
          assert_same_field (object, keys[k], fields[k]);
      g_assert_cmpstr (path, ==, json_object_get_string_member (object, "path"));
      if (strcmp (json_object_get_string_member (object, "kind"), "device") == 0)
        {
          JsonArray *nodes = json_object_get_array_member (object, "nodes");

          g_assert_nonnull (strstr (words, json_object_get_string_member (object, "chosen")));
          if (json_object_get_null_member (object, "row"))
            g_assert_true (g_str_has_prefix (words, json_array_get_string_element (nodes, 0)));
        }
    }
  return n;
}

/* 313 ops: 313 moments, called alike in words, JSON and CSV. */
static void
test_files_of_heft (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanRun) run = new_run (costs, "heft");
  GobanDecisions *decisions = goban_run_get_decisions (run);

  g_assert_cmpuint (assert_same_files (run), ==, 313);
  assert_path (decisions, 60, "Decision 60 of 313");
}

/* People read in how many groups a graph is decided; files have the same words in English. */
static void
test_words_of_groups (void)
{
  const GobanDecisionHead rule = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_RULE,
                                   .score = GOBAN_SCORE_EXPECTED_US,
                                   .takes_least = TRUE,
                                   .n_options = 2,
                                   .note = "1 groups, 12 groups" };
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), N_DEVICES);
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;
  g_autofree char *title = NULL;
  g_autofree char *one = NULL;
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  JsonObject *line;

  goban_decisions_writer_score (writer, 0, 12, 0);
  goban_decisions_writer_score (writer, 1, 10, 0);
  goban_decisions_writer_decide (writer, &rule, 1);
  decisions = goban_decisions_writer_end (writer);
  assert_words (costs, decisions, 1, "groups of ops 2 of 2 (12 groups), expected makespan 10 µs");
  assert_reason (costs, decisions, 1, "12 groups: better by 2 µs than 1 group");
  g_assert_true (goban_decisions_get (decisions, 1, &room, &decision));
  title = goban_moment_dup_title (costs, decisions, &decision, GOBAN_TITLE_SHORT);
  one = goban_option_dup_name (costs, &decision, 0);
  g_assert_cmpstr (title, ==, "Groups of ops");
  g_assert_cmpstr (one, ==, "1 group");
  goban_decision_room_clear (&room);
  run = goban_run_new_kept (costs, plan, "by hand",
                            &(GobanRunOrigin){ .evaluations = 1, .decisions = decisions });
  json = goban_moments_to_json (run);
  line = json_array_get_object_element (parse_decisions (json, &root), 0);
  g_assert_cmpstr (json_object_get_string_member (line, "chosen"), ==, "12 groups");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (line, "names"), 0),
                   ==, "1 groups");
}

/* Rules, plans, rows of networks and moves. */
static void
test_files_of_other_policies (void)
{
  static const char *const policies[]
      = { "go-zeroshot", "go-oneshot", "anneal", "brkga", "metis", "m-etf" };

  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (30, 2, "p100x4");
      g_autoptr (GobanRun) run = new_run (costs, policies[i]);

      g_assert_cmpuint (assert_same_files (run), ==,
                        goban_decisions_get_n_moments (goban_run_get_decisions (run)));
    }
}

static void
test_files_of_other_kinds (void)
{
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanDecisions) decisions = new_record (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), N_DEVICES);
  g_autoptr (GobanRun) run = goban_run_new_kept (
      costs, plan, "by hand", &(GobanRunOrigin){ .evaluations = 1, .decisions = decisions });
  g_autofree char *json = goban_moments_to_json (run);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *list = parse_decisions (json, &root);
  JsonObject *object = json_array_get_object_element (list, 7);

  g_assert_cmpuint (assert_same_files (run), ==, 14);
  g_assert_cmpstr (json_object_get_string_member (object, "by"), ==, "probability");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "scores")), ==, 3);
  g_assert_true (json_object_has_member (json_object_get_object_member (object, "refused"), "P3"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "attended")), ==,
                    2);
  object = json_array_get_object_element (list, 8);
  g_assert_cmpfloat (json_object_get_double_member (object, "before_us"), ==, 612e3);
  g_assert_cmpfloat (json_object_get_double_member (object, "after_us"), ==, 598e3);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "changes")), ==,
                    2);
  list = json_object_get_array_member (json_node_get_object (root), "spans");
  g_assert_cmpuint (json_array_get_length (list), ==, 9);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (list, 0), "name"),
                   ==, "update");
}

static void
test_saving (void)
{
  g_autoptr (GobanRun) run = new_paper_run ();
  g_autoptr (GobanRun) plain
      = goban_run_new (goban_run_get_costs (run), goban_run_get_plan (run), "by hand");
  g_autofree char *csv = g_build_filename (g_get_tmp_dir (), "goban-moments.csv", NULL);
  g_autofree char *json = g_build_filename (g_get_tmp_dir (), "goban-moments.json", NULL);
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_decisions_save (run, csv, &error));
  g_assert_true (goban_decisions_save (run, json, &error));
  g_assert_true (g_file_get_contents (csv, &text, NULL, &error));
  g_assert_true (g_file_get_contents (json, &other, NULL, &error));
  g_assert_true (g_str_has_prefix (text, "number,path,"));
  g_assert_true (g_str_has_prefix (other, "{\"graph\""));
  g_assert_false (goban_decisions_save (plain, csv, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "by hand has recorded no decisions"));
  g_assert_null (goban_moments_to_json (plain));
}

/* Moments that were dropped to save memory are counted, not described. */
static void
test_dropped_moments (void)
{
  g_autoptr (GobanCostModel) costs = new_paper_costs ();
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), N_DEVICES);
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) root = NULL;
  guint n_scores, n_dropped, n = 0;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES, .max_bytes = 40000 });

  for (guint i = 0; i < 1000; i++)
    decide_row (writer, 1 + i % 2, i / 2 % 2, 0);
  decisions = goban_decisions_writer_end (writer);
  goban_decisions_count_left_out (decisions, &n_scores, &n_dropped);
  g_assert_cmpuint (n_dropped, >, 0);
  run = goban_run_new_kept (costs, plan, "by hand",
                            &(GobanRunOrigin){ .evaluations = 1, .decisions = decisions });
  json = goban_moments_to_json (run);
  g_assert_cmpuint (json_array_get_length (parse_decisions (json, &root)), ==, 1000 - n_dropped);
  assert_words (costs, decisions, 1, "dropped to save memory");
  g_assert_null (goban_moment_card_new (costs, decisions, 1));
  for (GobanMoment m = 1; m <= 1000; m++)
    if (goban_decisions_has (decisions, m))
      {
        g_autoptr (GobanMomentCard) card = goban_moment_card_new (costs, decisions, m);

        g_free (goban_moment_dup_had (decisions, m));
        n += card != NULL && !card->lacks_scores;
      }
  g_assert_cmpuint (n, ==, 1000 - n_scores);
}

TEST_PROGRAM (moments)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/moments/words-of-list-schedules", test_words_of_list_schedules);
  g_test_add_func ("/moments/words-of-networks-and-searches", test_words_of_networks_and_searches);
  g_test_add_func ("/moments/words-of-rules", test_words_of_rules);
  g_test_add_func ("/moments/words-of-groups", test_words_of_groups);
  g_test_add_func ("/moments/words-of-plans", test_words_of_plans);
  g_test_add_func ("/moments/reasons", test_reasons);
  g_test_add_func ("/moments/reason-is-not-the-input", test_reason_is_not_the_input);
  g_test_add_func ("/moments/reasons-against-the-best", test_reasons_against_the_best);
  g_test_add_func ("/moments/cards", test_cards);
  g_test_add_func ("/moments/cards-of-networks", test_cards_of_networks);
  g_test_add_func ("/moments/states-of-list-schedules", test_states_of_list_schedules);
  g_test_add_func ("/moments/schedule-of-groups", test_schedule_of_groups);
  g_test_add_func ("/moments/states-of-moves", test_states_of_moves);
  g_test_add_func ("/moments/plans-of-a-running-policy", test_plans_of_a_running_policy);
  g_test_add_func ("/moments/runs", test_runs);
  g_test_add_func ("/moments/entropies", test_entropies);
  g_test_add_func ("/moments/files-of-heft", test_files_of_heft);
  g_test_add_func ("/moments/files-of-other-policies", test_files_of_other_policies);
  g_test_add_func ("/moments/files-of-other-kinds", test_files_of_other_kinds);
  g_test_add_func ("/moments/saving", test_saving);
  g_test_add_func ("/moments/dropped-moments", test_dropped_moments);
  return g_test_run ();
}
