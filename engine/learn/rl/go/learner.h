/* learner.h: PPO updates of a network, with its optimiser and its random numbers.
 *
 * An update draws rollouts of one problem, simulates them, and maximises
 *
 *   L = mean over rollouts and rows of
 *         min (ratio A, clip (ratio, 1 - clip, 1 + clip) A) + beta entropy
 *
 * with a ratio per row and task (Schulman et al., Proximal Policy Optimization, 2017; GO section
 * 3.5), for some epochs. A is the advantage of the rollout, its reward compared with the other
 * rollouts of the update (paper: with the running mean of the graph), plus each row's own credit
 * from the critical path (engine/learn/rl/go/rollouts.h).
 *
 * The same sequence of updates gives the same bytes.
 *
 * Decision G2 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/ranks/ranks.h"
#include "engine/learn/nn/params.h"
#include "engine/learn/rl/go/rollouts.h"
#include "engine/placers/search.h"

typedef struct
{
  double rate;      /* of Adam */
  double last_rate; /* at the end of a run: cosine between */
  guint n_rollouts; /* per update */
  guint n_epochs;   /* over the rollouts of an update */
  double clip;      /* of the ratio */
  double entropy;   /* beta at the beginning, and at the end */
  double last_entropy;
  double credit; /* weight of critical-path credit; 0: none */
  /* advantages are rewards standardised within the update; else reward - running mean (paper) */
  gboolean is_fellows;
  /* reward of a plan without memory; 0: in proportion to the missing memory */
  double invalid_reward;
  double clip_norm;
} GobanPpoConfig;

GobanPpoConfig goban_ppo_config_goban (void);

/* Statistics of a graph's rewards, kept between updates. A training run keeps one per graph. */
typedef struct
{
  double mean_reward; /* running mean of all rollouts so far */
  guint64 n_rewards;
} GobanBaseline;

/* Statistics of one update. */
typedef struct
{
  guint n_rollouts;
  guint n_valid;
  double mean_us; /* mean makespan of the valid rollouts; NAN if there are none */
  double best_us;
  double mean_reward;
  double top_share;     /* as goban_rollouts_get_top_share() */
  double entropy;       /* mean nats of a row's choice, over all tasks, before the update */
  double clipped;       /* share of ratios that the last epoch clipped */
  double gradient_norm; /* of the last epoch, before clipping */
} GobanUpdate;

typedef struct
{
  GobanNet *net;
  GobanPpoConfig config;
  GobanAdam adam;
  GobanRng rng;
  guint n_updates; /* begun */
  guint n_written; /* the last update in the search's decisions */
} GobanLearner;

/* Makes a learner. Takes ownership of the network. */
GobanLearner *goban_learner_new (GobanNet *net, const GobanPpoConfig *config,
                                 guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
void goban_learner_free (GobanLearner *self);

/**
 * goban_learner_update:
 * @baseline: of this problem; zeroes at first
 * @search: (nullable): receives all rollouts and limits their number; does nothing if none is left
 * @fraction: elapsed share of the whole run, for the schedules
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set, which names the tensor, if a number is not finite:
 *   the network is as after the last epoch
 */
gboolean goban_learner_update (GobanLearner *self, GobanProblem *problem, GobanBaseline *baseline,
                               GobanSearch *search, double fraction, GobanUpdate *update,
                               GError **error);

/* Simulates the plan of the likeliest decisions (zero-shot) and offers it to the search. */
void goban_learner_try (GobanLearner *self, GobanProblem *problem, GobanSearch *search);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLearner, goban_learner_free)

/* Settings of GO with their text form, and two presets.
 *
 * The text is "KEY=VALUE,...": "preset=paper" or "preset=goban" (the default), and any settings of
 * the preset, which override it in any order: rows, order, fuse, the fields of GobanPpoConfig
 * (rate, last-rate, rollouts, epochs, clip, entropy, last-entropy, credit, fellows, invalid-reward,
 * clip-norm), and the network's own (goban_net_config_parse()).
 */

/* The order of ops if scheduling is not decided. If it is, levels shift the ranks. */
typedef enum
{
  GOBAN_GO_ORDER_FIFO,
  GOBAN_GO_ORDER_RANKS, /* by upward rank under every placement */
} GobanGoOrder;

typedef struct
{
  GobanNetConfig net;
  GobanPpoConfig ppo;
  guint n_rows;       /* rows of a board of whole plans; 0: a row per unit */
  GobanGoOrder order; /* "order=fifo" or "ranks" */
  /* "fuse=default" or "none": XLA's default fusion or none, if fusion is not decided */
  gboolean fuses_alike;
} GobanGoSettings;

/* The presets. Both decide placement only. */
GobanGoSettings goban_go_settings_paper (void);
GobanGoSettings goban_go_settings_goban (void);

/* text (nullable). FALSE with %GOBAN_ERROR_INVALID or PARSE set, which names the key; @self is as
 * it was then. */
gboolean goban_go_settings_parse (GobanGoSettings *self, const char *text, GError **error);

/* All settings as text; parsing it gives the same bytes. (transfer full) */
char *goban_go_settings_to_text (const GobanGoSettings *self) G_GNUC_WARN_UNUSED_RESULT;
