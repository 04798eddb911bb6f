/* problem.h: a graph on a cluster, ready to be learned on: its board, its executors and its rewards.
 *
 * The executors turn choices into plans: placement puts every node of a row on the row's device; fusion levels
 * go to GO's executor (engine/fusion/fusion.h); scheduling levels shift each row's place in the order by upward rank under
 * the plan's own placement. What is not decided is as TensorFlow has it: first in first out, unfused.
 * Reward: -sqrt (makespan / reference), less in proportion to the memory that lacks, never below -10.
 *
 * One thread at a time; rollouts are simulated in parallel inside.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/placers/static-orders.h"
#include "engine/policy/network.h"
#include "engine/policy/pass.h"
#include "engine/policy/refiner.h"
#include "engine/sim/evaluator.h"

G_BEGIN_DECLS

/* How far scheduling levels reach: from the lowest to the highest is this share of the longest rank. */
#define GOBAN_LEVEL_REACH 0.5

typedef struct _GobanProblem GobanProblem;

typedef struct
{
  guint n_rows; /* as goban_board_new() has it */
  GobanDecisions decisions;
  const GobanPlan
      *start; /* (nullable): says what is not decided, but for kernels where placement is */
  gboolean
      fuses_alike; /* where fusion is not decided: XLA's default after every placement, not none */
  gboolean
      ranks_alike; /* where neither decided nor in a start: by upward rank under every placement, not first in first out */
} GobanProblemOptions;

/**
 * goban_problem_new:
 *
 * The reference is the best valid plan among one device, the expert's and m-ETF: they are not counted as
 * evaluations, and none of them is shown to the network. Placement that is neither decided nor in a start is
 * the expert's.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE, INVALID (a start for another graph)
 *   or CANCELLED set
 */
GobanProblem *goban_problem_new (GobanCostModel *costs, const GobanProblemOptions *options,
                                 const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_problem_free (GobanProblem *self);

GobanCostModel *goban_problem_get_costs (const GobanProblem *self);
const GobanBoard *goban_problem_get_board (const GobanProblem *self);
/* What plans are before choices are written into them. */
GobanPlan *goban_problem_get_base (const GobanProblem *self);
/* Boards of plans of this problem. */
GobanRefiner *goban_problem_get_refiner (GobanProblem *self);
GobanDecisions goban_problem_get_decisions (const GobanProblem *self);
double goban_problem_get_reference_us (const GobanProblem *self);
/* The makespan of the expert's plan; NAN where it lacks memory or there is none. */
double goban_problem_get_expert_us (const GobanProblem *self);
/* Whether plans that come after are ordered by the ranks of their kernels, not by those that their ops would have
 * unfused, as at first: which is better depends on the graph, and on its memory. */
void goban_problem_rank_kernels (GobanProblem *self, gboolean ranks_kernels);
/* The order that plans are made with from now on, where neither fusion decides it nor a start: scheduling levels shift its
 * ranks. GOBAN_STATIC_TRANSFERS at first. %FALSE, and nothing changes, where plans go first in, first out or as
 * the start does, or where scheduling is decided and the order has no ranks. */
gboolean goban_problem_set_order (GobanProblem *self, GobanStaticOrder order);
GobanStaticOrder goban_problem_get_order (const GobanProblem *self);
GobanEvaluator *goban_problem_get_evaluator (const GobanProblem *self);

/* Room for a look at its own board by a network of this configuration; kept until another is asked for. Borrowed. */
GobanPass *goban_problem_get_pass (GobanProblem *self, const GobanNetConfig *config);

/* plans (n): (transfer full) one for each of choices (n), by rows of @board, which is its own or one of its
 * refiner's; made in parallel. They pass goban_plan_check() and goban_fusion_check(). */
void goban_problem_new_plans (GobanProblem *self, const GobanBoard *board,
                              GobanChoices *const *choices, guint n, GobanPlan **plans);

/* The same of choices by unit. (transfer full) */
GobanPlan *goban_problem_new_plan (GobanProblem *self,
                                   const GobanUnitChoices *choices) G_GNUC_WARN_UNUSED_RESULT;

/* How long the mean device is busy with its kernels. */
double goban_problem_get_work_us (GobanProblem *self, const GobanPlan *plan);

double goban_problem_reward (const GobanProblem *self, const GobanOutcome *outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanProblem, goban_problem_free)

G_END_DECLS
