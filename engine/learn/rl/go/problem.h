/* problem.h: a graph on a cluster for GO's learning: its board, its executors and its rewards.
 *
 * The executors turn choices into plans: placement puts every node of a row on the row's device;
 * fusion levels go to GO's executor (engine/sim/fusion/fusion.h); scheduling levels shift each
 * row's place in the order by upward rank under the plan's own placement. Undecided tasks are as in
 * TensorFlow: first in, first out, unfused. The reward is -sqrt (makespan / reference), minus a
 * penalty in proportion to the missing memory, and at least -10.
 *
 * One thread at a time; rollouts are simulated in parallel inside.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/evaluator.h"

G_BEGIN_DECLS

/* Range of the scheduling levels, from lowest to highest, as a share of the longest rank. */
#define GOBAN_LEVEL_REACH 0.5

typedef struct _GobanProblem GobanProblem;

typedef struct
{
  guint n_rows; /* as goban_board_new() has it */
  GobanTasks decisions;
  /* (nullable): gives the undecided tasks, except kernels if placement is decided */
  const GobanPlan *start;
  /* if fusion is not decided: XLA's default after every placement instead of none */
  gboolean fuses_alike;
  /* if the order is neither decided nor given by a start: upward rank under every placement instead
   * of FIFO */
  gboolean ranks_alike;
} GobanProblemOptions;

/**
 * goban_problem_new:
 *
 * The reference is the best valid plan among one device, the expert's and m-ETF's; these are
 * neither counted as evaluations nor shown to the network. A placement that is neither decided nor
 * given by a start is the expert's.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE, INVALID (a start for
 *   another graph) or CANCELLED set
 */
GobanProblem *goban_problem_new (GobanCostModel *costs, const GobanProblemOptions *options,
                                 const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_problem_free (GobanProblem *self);

const GobanBoard *goban_problem_get_board (const GobanProblem *self);
/* The plan into which choices are written. */
GobanPlan *goban_problem_get_base (const GobanProblem *self);
GobanTasks goban_problem_get_decisions (const GobanProblem *self);
double goban_problem_get_reference_us (const GobanProblem *self);
GobanEvaluator *goban_problem_get_evaluator (const GobanProblem *self);

/* Memory for passes of a network of this configuration over the problem's own board; kept until
 * another configuration is requested. Borrowed. */
GobanPass *goban_problem_get_pass (GobanProblem *self, const GobanNetConfig *config);

/* Makes plans (n) from choices (n) by rows of the board, in parallel. (transfer full) They pass
 * goban_plan_check() and goban_fusion_check(). */
void goban_problem_new_plans (GobanProblem *self, GobanChoices *const *choices, guint n,
                              GobanPlan **plans);

double goban_problem_reward (const GobanProblem *self, const GobanOutcome *outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanProblem, goban_problem_free)

G_END_DECLS
