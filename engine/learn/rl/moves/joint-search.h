/* joint-search.h: a search from plan to plan that decides any of placement, order and fusion.
 *
 * It first tries all fusion rules and order rules on the start plan, if these are tasks, an
 * evaluation each. Then each evaluation goes to one task: a move of placement that a network
 * proposes (improver.h), of the order or of fusion levels (joint-moves.h). A small
 * share of the moves is drawn uniformly. A task's share of the evaluations grows with its recent
 * gain, above a least share. After gains the rules are tried again.
 *
 * Decisions that are not tasks stay as in the start plan: placement, order and priorities, kernels
 * (except those that a move would spread over devices).
 *
 * The same start, network, seed and budget of evaluations make the same search. One thread at a
 * time.
 */
#pragma once

#include "engine/learn/rl/joint-choices.h"
#include "engine/learn/rl/moves/improver.h"
#include "engine/learn/rl/moves/joint-moves.h"
#include "engine/machine/plan/task.h"

/* Statistics of a task. */
typedef struct
{
  guint64 n_evaluations;
  double mean; /* recent gain per evaluation */
} GobanTaskRecord;

typedef struct
{
  GobanImprover *improver; /* borrowed */
  GobanTasks decisions;
  double least_share; /* of the evaluations, for each task */
  GobanJointExecutor *executor;
  GobanJointChoices *choices; /* of the improver's current plan */
  GobanOrderMoves *orders;
  GobanFusionMoves *fusions;
  GobanTaskRecord records[GOBAN_N_TASKS];
  GobanTaskRecord rules; /* of trials of order and fusion rules */

  GobanTrace *trace;        /* (nullable): of the current plan, until moves are found from it */
  gboolean has_order_moves; /* of that plan */
  gboolean has_fusion_moves;
  gboolean has_own_keys; /* the plan's order is given by keys */
  GHashTable *failed;    /* hashes of moves: when they last failed */
  guint64 n_steps;
  guint n_rules; /* changes of a rule so far */
  double best_us;
  double ruled_us; /* score at the last trial of rules */
  guint64 ruled_step;
} GobanJointSearch;

/* @improver must outlive the search, which uses it exclusively. */
GobanJointSearch *goban_joint_search_new (GobanImprover *improver,
                                          GobanTasks decisions) G_GNUC_WARN_UNUSED_RESULT;
void goban_joint_search_free (GobanJointSearch *self);

/**
 * goban_joint_search_run:
 * @net: (nullable): proposes moves of placement; %NULL: all moves are drawn uniformly
 * @plan: must have been offered to the search, so that the best is never worse
 *
 * Spends the rest of the search's budget.
 *
 * Returns: %FALSE with an error set if it was cancelled
 */
gboolean goban_joint_search_run (GobanJointSearch *self, const GobanScorerNet *net,
                                 const GobanPlan *plan, GobanSearch *search, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointSearch, goban_joint_search_free)
