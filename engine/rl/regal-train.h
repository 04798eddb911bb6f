/* regal-train.h: training of REGAL's network in advance, on generated graphs.
 *
 * REINFORCE over the lessons of engine/rl/regal-lessons.h. An episode: the network looks at a
 * lesson, choices are drawn, the genetic search runs with them, and the reward is minus the ratio
 * of its objective to that of the search without them, both of GOBAN_REGAL_BUDGET fitness calls.
 * What the critic expected of the graph is subtracted. The same options give the same network.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/rl/regal.h"

G_BEGIN_DECLS

/* Searches while it learns are small in every way: 20 chromosomes for five generations. */
#define GOBAN_REGAL_BUDGET 100

GobanBrkgaConfig goban_regal_training_config (void);

typedef struct
{
  guint64 seed;
  guint n_steps;                 /* of the optimiser, each of 32 episodes */
  const GobanProgress *progress; /* (nullable) */
} GobanRegalTraining;

/* Part of the way: the mean ratio, below 1 where it helps, of episodes with choices that were
 * drawn. */
typedef struct
{
  guint step; /* the last of the part */
  double ratio;
  double entropy; /* of a choice, in nats */
} GobanRegalPoint;

typedef struct
{
  GArray *curve;       /* GobanRegalPoint */
  double ratio_before; /* on graphs that it was not taught on, the likeliest choices taken */
  double ratio_after;
  double worst_after; /* the largest ratio on one of them */
  guint n_held_out;
} GobanRegalReport;

void goban_regal_report_clear (GobanRegalReport *self);

/**
 * goban_regal_train:
 * @net: (out): the network, where it succeeds
 * @report: (out): how it went, where it succeeds
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED or %GOBAN_ERROR_INVALID set; nothing is made then
 */
gboolean goban_regal_train (const GobanRegalTraining *options, GobanRegalNet *net,
                            GobanRegalReport *report, GError **error);

/**
 * goban_regal_measure:
 * @worst: (out) (optional)
 * @ratio: (out): the mean over lessons @first .. @first + @n - 1 of @seed, with the likeliest
 *   choices
 *
 * For telling whether a network helps, and how much. Lessons from GOBAN_REGAL_N_LESSONS on are
 * never taught.
 */
gboolean goban_regal_measure (const GobanRegalNet *net, guint64 seed, guint first, guint n,
                              const GobanProgress *progress, double *ratio, double *worst,
                              GError **error);

#define GOBAN_REGAL_N_LESSONS 128

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRegalReport, goban_regal_report_clear)

G_END_DECLS
