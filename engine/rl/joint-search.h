/* joint-search.h: a search from plan to plan that decides any of placement, order and fusion.
 *
 * It begins under the best fusion rule and the best order rule for its start, an evaluation each,
 * if these are tasks. Then each evaluation is given to one task: a move of placement that a network
 * proposes (improver.h), of the order (order-moves.h) or of fusion levels (fusion-moves.h); a small
 * share of the moves is drawn by chance. A task's share grows with what it gained lately, but each
 * keeps the same least share. After gains the rules are tried again.
 *
 * What is not a task stays as the start has it: its placement, its order and priorities, its
 * kernels (less those that a move would spread over devices).
 *
 * The same start, network, seed and budget of evaluations make the same search. One thread at a
 * time.
 */
#pragma once

#include "engine/plan/decision.h"
#include "engine/rl/fusion-moves.h"
#include "engine/rl/improver.h"
#include "engine/rl/joint-choices.h"
#include "engine/rl/order-moves.h"

G_BEGIN_DECLS

typedef struct
{
  double least_share; /* of the evaluations, of each task */
  double memory;      /* share of a task's mean gain that its last evaluation makes */
  double work;        /* weight at first of work saved by fusion, beside the makespan; 0: none */
} GobanJointSettings;

GobanJointSettings goban_joint_settings_default (void);

/* How a task did. */
typedef struct
{
  guint64 n_evaluations;
  guint64 n_gains;
  double gain; /* of all, as the sum of shares of the best makespan */
  double mean; /* lately, per evaluation */
} GobanTaskRecord;

typedef struct
{
  GobanImprover *improver; /* borrowed */
  GobanDecisions decisions;
  GobanJointSettings settings;
  GobanJointExecutor *executor;
  GobanJointChoices *choices; /* of the plan that the improver stands on */
  GobanOrderMoves *orders;
  GobanFusionMoves *fusions;
  GobanTaskRecord records[GOBAN_N_DECISIONS];
  GobanTaskRecord rules; /* of orders and fusion, tried as a whole */

  GobanTrace *trace;        /* (nullable): of that plan, until moves are found from it */
  gboolean has_order_moves; /* of that plan */
  gboolean has_fusion_moves;
  gboolean has_own_keys; /* its order comes of keys */
  GHashTable *failed;    /* hashes of moves: when they last failed */
  guint64 n_steps;
  guint n_rules; /* changes of a rule so far */
  double best_us;
  double ruled_us; /* score when rules were last tried */
  guint64 ruled_step;
} GobanJointSearch;

/* @improver must outlive it and is used by nobody else meanwhile. */
GobanJointSearch *goban_joint_search_new (GobanImprover *improver,
                                          GobanDecisions decisions) G_GNUC_WARN_UNUSED_RESULT;
void goban_joint_search_free (GobanJointSearch *self);

/**
 * goban_joint_search_run:
 * @net: (nullable): proposes moves of placement; %NULL: all moves are drawn by chance
 * @plan: has been offered to the search, which is how the best is never worse
 *
 * Spends what is left of the search's budget.
 *
 * Returns: %FALSE with an error set if it was cancelled
 */
gboolean goban_joint_search_run (GobanJointSearch *self, const GobanScorerNet *net,
                                 const GobanPlan *plan, GobanSearch *search, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointSearch, goban_joint_search_free)

G_END_DECLS
