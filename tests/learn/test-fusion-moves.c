/* test-fusion-moves.c: what may be fused and what had better be left alone, by what either
 * saves. */
#include "engine/learn/rl/moves/joint-moves.h"

#include "engine/graph/workloads/workload.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"
#include "tests/sim/fusion-toy.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanUnits *units;
  GobanPlanProfile *profile;
  GobanFusionMoves *moves;
} Case;

static Case
case_new (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  Case self = { .units = goban_units_new (costs, &error) };

  g_assert_no_error (error);
  self.profile = goban_plan_profile_new (self.units);
  self.moves = goban_fusion_moves_new (self.profile);
  goban_plan_profile_read (self.profile, trace);
  goban_fusion_moves_read (self.moves, trace);
  return self;
}

static void
case_clear (Case *self)
{
  goban_fusion_moves_free (self->moves);
  goban_plan_profile_free (self->profile);
  goban_units_free (self->units);
}

/* Of two ops in a row the first is fused with the second: a launch of 5 us, 100 bytes written and
 * 100 read are saved, at a byte a microsecond. */
static void
test_join (void)
{
  g_autoptr (GobanCostModel) costs = fusion_toy ("a:Add b:Relu | a>b", 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  Case self = case_new (costs, plan);
  const GobanScoredMove *move = goban_scored_moves_choose (self.moves->moves);
  g_autoptr (GobanTrace) unfused = goban_simulate (costs, plan);
  g_autoptr (GobanTrace) fused = NULL;

  g_assert_nonnull (move);
  g_assert_true (move->joins);
  g_assert_cmpuint (move->n, ==, 1);
  g_assert_cmpuint (g_array_index (self.moves->nodes, guint32, move->first), ==,
                    fusion_toy_node (costs, "a"));
  goban_fusion_default (costs, plan);
  fused = goban_simulate (costs, plan);
  g_assert_cmpfloat_with_epsilon (
      move->score, 1 - goban_trace_get_makespan (fused) / goban_trace_get_makespan (unfused), 1e-6);
  g_assert_null (goban_scored_moves_choose (self.moves->moves));
  case_clear (&self);
}

/* Nothing is to be saved by what may not be fused: a variable, a second product, a reader on
 * another device. */
static void
test_refused (void)
{
  static const char *const graphs[] = { "v:VariableV2 a:Add | v>a", "a:Add v:Assign | a>v",
                                        "m:MatMul n:MatMul | m>n", "a:Add b:Relu | a~>b" };

  for (gsize i = 0; i <= G_N_ELEMENTS (graphs); i++)
    {
      gboolean is_far = i == G_N_ELEMENTS (graphs);
      g_autoptr (GobanCostModel) costs
          = fusion_toy (is_far ? "a:Add b:Relu | a>b" : graphs[i], is_far ? 2 : 1);
      g_autoptr (GobanPlan) plan
          = goban_plan_new (goban_cost_model_get_graph (costs), is_far ? 2 : 1);
      Case self;

      if (is_far)
        goban_plan_set_device (plan, 1, 1);
      self = case_new (costs, plan);
      g_assert_null (goban_scored_moves_choose (self.moves->moves));
      case_clear (&self);
    }
}

/* A member that another device waits for may be left alone; ops that are alike are moved together,
 * too. */
static void
test_part (void)
{
  g_autoptr (GobanCostModel) costs = fusion_toy ("a:Add b:Relu c:Mul d:MatMul | a>b b>c a>d", 2);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 2);
  static const gint32 levels[] = { 1, 1, 1, 1 };
  Case self;
  const GobanScoredMove *move;

  goban_plan_set_device (plan, fusion_toy_node (costs, "d"), 1);
  goban_fusion_by_priority (costs, plan, levels);
  self = case_new (costs, plan);
  move = goban_scored_moves_choose (self.moves->moves);
  g_assert_nonnull (move);
  g_assert_false (move->joins);
  g_assert_cmpuint (g_array_index (self.moves->nodes, guint32, move->first), ==,
                    fusion_toy_node (costs, "a"));
  case_clear (&self);
}

/* Chains that are alike make a move of all of them, which is worth more than one of one. */
static void
test_kinds (void)
{
  g_autoptr (GobanCostModel) costs
      = fusion_toy ("a:Add b:Relu c:Add d:Relu e:Add f:Relu | a>b c>d e>f", 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  Case self = case_new (costs, plan);
  const GobanScoredMove *move = goban_scored_moves_choose (self.moves->moves);
  float score;

  g_assert_nonnull (move);
  g_assert_cmpuint (move->n, ==, 3);
  score = move->score;
  for (guint i = 0; i < 3; i++)
    {
      move = goban_scored_moves_choose (self.moves->moves);
      g_assert_cmpuint (move->n, ==, 1);
      g_assert_cmpfloat (move->score, <, score);
    }
  g_assert_null (goban_scored_moves_choose (self.moves->moves));
  case_clear (&self);
}

TEST_PROGRAM (fusion_moves)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/fusion-moves/join", test_join);
  g_test_add_func ("/rl/fusion-moves/refused", test_refused);
  g_test_add_func ("/rl/fusion-moves/part", test_part);
  g_test_add_func ("/rl/fusion-moves/kinds", test_kinds);
  return g_test_run ();
}
