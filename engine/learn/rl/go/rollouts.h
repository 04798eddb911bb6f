/* rollouts.h: rollouts of one update: sampled choices, simulated outcomes and advantages per row.
 *
 * Arrays of R rollouts, N rows and the decided tasks. Made by goban_rollouts_new() for one problem
 * and configuration, and filled again by every update.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/core/rng.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "engine/machine/plan/task.h"
#include "engine/placers/search.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/evaluator.h"
#include "engine/sim/trace.h"

#include <glib.h>

/* Credit assignment: the share of a run's makespan that each node's decisions caused.
 *
 * The critical path of a trace explains the end of the run: each step started when the one before
 * it finished, and each microsecond of the makespan belongs to one step. Time that other decisions
 * could have avoided is assigned to the nodes whose decisions caused it:
 *
 *   placement   the wait of a ready op for its device: half to it, half to the op it waited for;
 *               the time of a transfer: half to its producer, half to the op that needed it, or to
 *               the producer of the transfer that waited for its channel
 *   scheduling  the same waits for devices and channels, because another order could avoid them
 *   fusion      launch and memory traffic of an op on the path: to the op, and also to its only
 *               producer if that is on the same device
 *
 * An ordinary reward is the same for all nodes; credit differs from node to node. The idea is ours.
 *
 * Decision G5 (engine/NOTES.md).
 */

/* Adds the credit of each node to blame_us (n_nodes). No amount is negative; their sum is at most
 * the makespan, and 0 for a run without spans. O(critical path). */
void goban_credit_blame (const GobanTrace *trace, GobanTask decision, double *blame_us);

/* A graph on a cluster for GO's learning: its board, its executors and its rewards.
 *
 * The executors turn choices into plans: placement puts every node of a row on the row's device;
 * fusion levels go to GO's executor (engine/sim/fusion/fusion.h); scheduling levels shift each
 * row's place in the order by upward rank under the plan's own placement. Undecided tasks are as in
 * TensorFlow: first in, first out, unfused. The reward is -sqrt (makespan / reference), minus a
 * penalty in proportion to the missing memory, and at least -10.
 *
 * One thread at a time; rollouts are simulated in parallel inside.
 */

/* Range of the scheduling levels, from lowest to highest, as a share of the longest rank. */
#define GOBAN_LEVEL_REACH 0.5

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

/* Only read from outside. */
typedef struct
{
  GobanCostModel *costs;
  GobanTasks decisions;
  gboolean fuses_alike, ranks_alike;
  GobanBoard *board;
  GobanEvaluator *evaluator;
  GobanPlan *base;     /* the plan into which choices are written */
  double reference_us; /* of the best known plan */
  GArray *executors;   /* made as they are needed */
  GobanPass *pass;
  char *pass_config; /* that the pass is for */
} GobanProblem;

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

/* Memory for passes of a network of this configuration over the problem's own board; kept until
 * another configuration is requested. Borrowed. */
GobanPass *goban_problem_get_pass (GobanProblem *self, const GobanNetConfig *config);

/* Makes plans (n) from choices (n) by rows of the board, in parallel. (transfer full) They pass
 * goban_plan_check() and goban_fusion_check(). */
void goban_problem_new_plans (GobanProblem *self, GobanChoices *const *choices, guint n,
                              GobanPlan **plans);

double goban_problem_reward (const GobanProblem *self, const GobanOutcome *outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanProblem, goban_problem_free)

/* The clipped surrogate of proximal policy optimisation, for a choice per row.
 *
 *   L = 1/(R N) sum_r sum_n min (ratio A, clip (ratio, 1 - clip, 1 + clip) A) + entropy/N sum_n H_n
 *   ratio_rn = exp (log p_n (chosen_rn) - old_rn)
 *
 * Schulman et al., Proximal Policy Optimization Algorithms, 2017, equation 7. The ratio is per row,
 * because the joint ratio of 10,000 rows would always be clipped (GO's own form is not published).
 */

typedef struct
{
  int R, N, A;                  /* rollouts, rows, actions */
  const float *logits;          /* (N,A) -INFINITY where masked */
  const guint32 *const *chosen; /* (R) of (N) */
  const float *old;             /* (R,N) log-probabilities when they were chosen */
  const float *advantages;      /* (R,N) */
  double clip;
  double entropy;
  double scale; /* factor of the gradient, such as the weight of a task */
} GobanPpo;

typedef struct
{
  double surrogate; /* the first term, unscaled */
  double entropy;   /* mean nats a row */
  double clipped;   /* share of ratios without gradient because of clipping */
} GobanPpoStats;

/* Writes to old (N) the log-probabilities of chosen (N), given logits (N,A). */
void goban_ppo_log_probs (float *old, const float *logits, const guint32 *chosen, int N, int A);

/* Subtracts the gradient of scale x L from dlogits (N,A), for an optimiser that descends. */
void goban_ppo_backward (float *dlogits, const GobanPpo *self, GobanPpoStats *stats);

typedef struct
{
  GobanProblem *problem;   /* borrowed */
  const GobanBoard *board; /* borrowed: the problem's */
  GobanNetConfig config;
  guint n;                /* R: number of rollouts */
  guint n_rows;           /* N */
  GPtrArray *arrays;      /* all below */
  GobanChoices **choices; /* (R) */
  GobanPlan **plans;      /* (R) plans of these choices */
  GobanOutcome *outcomes; /* (R) */
  double *rewards;        /* (R) */
  /* By iteration and task, NULL for undecided tasks. (R, N) */
  float *old[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_TASKS]; /* log-probabilities */
  float *advantages[GOBAN_N_TASKS];
  double *blame_us; /* (n_nodes) working memory */
} GobanRollouts;

GobanRollouts *goban_rollouts_new (GobanProblem *problem, const GobanNetConfig *config,
                                   guint n) G_GNUC_WARN_UNUSED_RESULT;
void goban_rollouts_free (GobanRollouts *self);

/* The first iteration with decisions: if all rollouts share one pass, only the last one. */
int goban_rollouts_get_first_iteration (const GobanRollouts *self);

/* Draws the rollouts with the network embedded in @pass, and stores their log-probabilities. */
void goban_rollouts_draw (GobanRollouts *self, GobanPass *pass, const GobanNet *net, GobanRng *rng);

/* Replaces the first rollout's choices by the likeliest, task after task, each seeing those
 * before. */
void goban_rollouts_set_best (GobanRollouts *self, GobanPass *pass, const GobanNet *net);

/* Writes the decisions of rollout @r to the span of its plan: task by task, all
 * rows at once. @pass: the one of the draw, before the network learns from it. @is_drawn: FALSE for
 * the likeliest. */
void goban_rollouts_write (GobanRollouts *self, GobanPass *pass, const GobanNet *net, guint r,
                           gboolean is_drawn, GobanDecisionsWriter *span);

/* Makes and simulates the rollouts' plans and offers them to @search (nullable), whose best plan is
 * to be written then. If @with_credit,
 * advantages are the credit of each row (mean 0, deviation 1 over rollouts and rows), else 0. */
void goban_rollouts_simulate (GobanRollouts *self, GobanSearch *search, gboolean with_credit);

/* Largest share of the work on one device, mean over rollouts; NAN unless whole plans are drawn,
 * placement is decided and there are devices to choose from. */
double goban_rollouts_get_top_share (const GobanRollouts *self);

/* Adds the rollouts' advantages: advantages = advantages_of (n) + weight x advantages. */
void goban_rollouts_add_rewards (GobanRollouts *self, const double *advantages_of, double weight);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRollouts, goban_rollouts_free)
