/* learner.h: PPO: a network, its optimiser and its random numbers, and one update after another.
 *
 * An update looks at one problem: it draws rollouts, simulates them, and climbs
 *
 *   L = mean over rollouts and rows of
 *         min (ratio A, clip (ratio, 1 - clip, 1 + clip) A) + beta entropy
 *
 * with a ratio per row and task (Schulman et al., Proximal Policy Optimization, 2017; GO section
 * 3.5), for some epochs. A is the rollout's reward against its fellows' (or against the running
 * mean of the graph, paper), plus each row's own credit from the critical path
 * (engine/rl/credit.h).
 *
 * The same learner asked for the same updates makes the same bytes.
 *
 * Decision G3 (engine/NOTES.md).
 */
#pragma once

#include "engine/nn/adam.h"
#include "engine/placers/search.h"
#include "engine/policy/decision-log.h"
#include "engine/rl/incumbent.h"
#include "engine/rl/problem.h"

G_BEGIN_DECLS

typedef struct
{
  double rate;      /* of Adam */
  double last_rate; /* at the end of a run: cosine between */
  guint n_rollouts; /* an update */
  guint n_epochs;   /* over them */
  double clip;      /* of the ratio */
  double entropy;   /* beta at the beginning, and at the end */
  double last_entropy;
  double credit; /* weight of the critical path's; 0: none */
  /* advantages are standardised within the update; else reward - running mean (paper) */
  gboolean is_fellows;
  double invalid_reward; /* flat, of a plan without memory; 0: in proportion to what lacks */
  double clip_norm;
  /* groups that a rollout changes of a plan that is to be improved, on the mean */
  double n_changes;
  guint n_rows;          /* of the finest boards of such a plan */
  double improve_credit; /* as credit, there */
  /* Where several tasks are decided of such a plan: */
  guint n_unions; /* evaluations that an update may spend on its good changes, together */
  double work;    /* what work counts beside makespan at first: goban_incumbent_weigh_work() */
} GobanPpoConfig;

GobanPpoConfig goban_ppo_config_paper (void);
GobanPpoConfig goban_ppo_config_goban (void);

/* What is remembered of a graph between updates. Plain values: a training run keeps one per
 * graph. */
typedef struct
{
  double mean_reward; /* running mean of all rollouts so far */
  guint64 n_rewards;
} GobanBaseline;

/* How one update went. */
typedef struct
{
  guint n_rollouts;
  guint n_valid;
  double mean_us; /* of the valid rollouts' makespans; NAN without */
  double best_us;
  double mean_reward;
  double top_share;     /* as goban_rollouts_get_top_share() */
  double entropy;       /* mean nats of a row's choice, over all tasks, before the update */
  double clipped;       /* share of ratios that the last epoch clipped */
  double gradient_norm; /* of the last epoch, before clipping */
} GobanUpdate;

typedef struct _GobanLearner GobanLearner;

/* Takes the network. */
GobanLearner *goban_learner_new (GobanNet *net, const GobanPpoConfig *config,
                                 guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
void goban_learner_free (GobanLearner *self);

/* Updates draw and simulate from now on, and leave the network as it is. */
void goban_learner_stop_learning (GobanLearner *self);

/* (nullable): from now on, decisions that make a better plan than there was are added to it: in
 * updates the best of the search, in improvements the incumbent. Borrowed. */
void goban_learner_set_log (GobanLearner *self, GobanDecisionLog *log);

GobanNet *goban_learner_get_net (GobanLearner *self);
GobanRng *goban_learner_get_rng (GobanLearner *self);

/**
 * goban_learner_update:
 * @baseline: of this problem; zeroes at first
 * @search: (nullable): is offered every rollout, and says how many may still be made: where none,
 *   nothing is done
 * @fraction: of the whole run that is behind, for the schedules
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set, which names the tensor, where something is not
 *   finite: the network is as the last epoch left it
 */
gboolean goban_learner_update (GobanLearner *self, GobanProblem *problem, GobanBaseline *baseline,
                               GobanSearch *search, double fraction, GobanUpdate *update,
                               GError **error);

/**
 * goban_learner_improve:
 *
 * The same on a board of the best plan so far: rollouts change a few of its groups, and the best of
 * them becomes the next plan to be improved, if it is better.
 */
gboolean goban_learner_improve (GobanLearner *self, GobanProblem *problem,
                                GobanIncumbent *incumbent, GobanBaseline *baseline,
                                GobanSearch *search, double fraction, GobanUpdate *update,
                                GError **error);

/**
 * goban_learner_practise:
 *
 * For teaching: @n_updates of goban_learner_improve() in a row, from a plan of the network's own
 * or, as often, a cut of the order, so that both ways of deciding are learned by one network.
 * @update: of the last.
 */
gboolean goban_learner_practise (GobanLearner *self, GobanProblem *problem, guint n_updates,
                                 double fraction, GobanUpdate *update, GError **error);

/* The likeliest decisions, without chance: zero-shot. @record: (nullable) (out) of them. (transfer
 * full) */
GobanPlan *goban_learner_new_greedy_plan (GobanLearner *self, GobanProblem *problem,
                                          GobanDecisionRecord **record) G_GNUC_WARN_UNUSED_RESULT;
/* Decisions that are drawn, likewise. (transfer full) */
GobanPlan *goban_learner_new_sampled_plan (GobanLearner *self, GobanProblem *problem,
                                           GobanDecisionRecord **record) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLearner, goban_learner_free)

G_END_DECLS
