/* rollouts.h: rollouts of one update: sampled choices, simulated outcomes and advantages per row.
 *
 * Arrays of R rollouts, N rows and the decided tasks. Made by goban_rollouts_new() for one problem
 * and configuration, and filled again by every update.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/rl/go/problem.h"
#include "engine/placers/search.h"

#include <glib.h>

G_BEGIN_DECLS

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
  GobanChoices **choices; /* (R) */
  GobanPlan **plans;      /* (R) plans of these choices */
  GobanOutcome *outcomes; /* (R) */
  double *rewards;        /* (R) */
  /* By iteration and task, NULL for undecided tasks. (R, N) */
  float *old[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_TASKS]; /* log-probabilities */
  float *advantages[GOBAN_N_TASKS];
  double *blames;   /* (R, N) working memory */
  double *blame_us; /* (n_nodes) likewise */
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

G_END_DECLS
