/* hdp.h: HDP's learning rule without its network: rewards, baseline, selection of training
 * samples.
 *
 * Decision E50 (engine/NOTES.md).
 */
#pragma once

#include "engine/rl/hdp-net.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* What an update makes of its K simulations. */
typedef struct
{
  double reference_us; /* run times are told in this unit */
  double baseline;
  gboolean has_baseline;
} GobanHdpRule;

/* -sqrt (makespan / reference), or -10 where memory does not suffice. */
double goban_hdp_reward (const GobanHdpRule *self, const GobanOutcome *outcome);

/**
 * goban_hdp_learn:
 * @weights: (out) (array length=n): what the gradient of each log-probability is to be multiplied
 *   with, to go DOWN: minus the advantage over the mean, 0 where nothing is learned from it
 * @n: at least 1
 * @only_valid: leave out what does not fit, from the baseline too; unless nothing fits, for a
 *   policy that had come to sample nothing else would never leave it
 *
 * The advantage is over the baseline as it was; then the baseline <- 0.9 baseline + 0.1 mean
 * reward. The first mean is the first baseline.
 */
void goban_hdp_learn (GobanHdpRule *self, float *weights, const GobanOutcome *outcomes, guint n,
                      gboolean only_valid);

G_END_DECLS
