/* regal-train.h: training of REGAL's network in advance, on generated graphs.
 *
 * REINFORCE over lessons. In an episode the network evaluates a lesson,
 * choices are drawn, the genetic search runs with them, and the reward is minus the ratio
 * of its objective to that of the search without them, both of GOBAN_REGAL_BUDGET fitness calls.
 * The critic's expected reward is subtracted. The same options give the same network.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/learn/rl/baselines/regal.h"
#include "engine/machine/cluster/cost-model.h"

/* Small random graphs for training REGAL's network, in any number.
 *
 * Lesson number n of a seed is always the same: a random task graph, a random training step (layers
 * forward, the same backward, updates), a workload of one node per layer, or one of single ops cut
 * down to a step or two; on a cluster of two to eight devices. Ten to some seven hundred nodes.
 */

/* (transfer full) (nullable): %NULL with an error of the workloads' or the clusters' set */
GobanCostModel *goban_regal_lesson_new (guint64 seed, guint n,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Searches during training are small: 20 chromosomes for five generations. */
#define GOBAN_REGAL_BUDGET 100

/* A step of the optimiser. */
typedef struct
{
  guint step;   /* from 1 */
  double ratio; /* mean of the episodes: below 1 the drawn choices helped */
  double best_ratio;
  double entropy;       /* of a choice, in nats */
  double gradient_norm; /* before clipping */
  double critic_error;  /* mean square of expected reward minus reward */
  double seconds;       /* that it took */
} GobanRegalStep;

/* Receives steps and measured graphs as they come, in the thread of the training, without influence
 * on the network. */
typedef struct
{
  void (*add_step) (const GobanRegalStep *step, gpointer user_data);
  /* A held-out graph, with the likeliest choices of the network after @n_steps. */
  void (*add_measured) (guint n_steps, double ratio, gpointer user_data);
  gpointer user_data;
} GobanRegalWatcher;

typedef struct
{
  guint64 seed;
  guint n_steps;                    /* steps of the optimiser, each with 32 episodes */
  guint n_held_out;                 /* graphs that are only measured, before and after; 0: 32 */
  const GobanProgress *progress;    /* (nullable) */
  const GobanRegalWatcher *watcher; /* (nullable) */
} GobanRegalTraining;

/* A point of the learning curve: the mean ratio of episodes with drawn choices; below 1 the network
 * helps. */
typedef struct
{
  guint step; /* last step of the averaged part */
  double ratio;
  double entropy; /* of a choice, in nats */
} GobanRegalPoint;

typedef struct
{
  GArray *curve;       /* GobanRegalPoint */
  double ratio_before; /* on held-out graphs, with the likeliest choices */
  double ratio_after;
  double worst_after;  /* the largest ratio on one held-out graph */
  gboolean kept_start; /* the taught network was not better: the initial one is the result */
  guint n_held_out;
} GobanRegalReport;

void goban_regal_report_clear (GobanRegalReport *self);

/**
 * goban_regal_train:
 * @net: (out): the network, on success
 * @report: (out): the learning curve and results, on success
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED or %GOBAN_ERROR_INVALID set; the outputs are
 *   unchanged then
 */
gboolean goban_regal_train (const GobanRegalTraining *options, GobanRegalNet *net,
                            GobanRegalReport *report, GError **error);

/**
 * goban_regal_measure:
 * @ratio: (out): the mean over lessons @first .. @first + @n - 1 of @seed, with the likeliest
 *   choices
 *
 * Measures how much a network helps. Lessons from GOBAN_REGAL_N_LESSONS on are never used in
 * training.
 */
gboolean goban_regal_measure (const GobanRegalNet *net, guint64 seed, guint first, guint n,
                              const GobanProgress *progress, double *ratio, GError **error);

#define GOBAN_REGAL_N_LESSONS 128

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRegalReport, goban_regal_report_clear)
