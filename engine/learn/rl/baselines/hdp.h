/* hdp.h: HDP's learning rule without its network: rewards, baseline, selection of training
 * samples.
 *
 * Decision E50 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/rl/baselines/hdp-net.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* The state of the learning rule between updates. */
typedef struct
{
  double reference_us; /* unit of run times */
  double baseline;
  gboolean has_baseline;
} GobanHdpRule;

/* The reward: -sqrt (makespan / reference), or -10 if memory is short. */
double goban_hdp_reward (const GobanHdpRule *self, const GobanOutcome *outcome);

/**
 * goban_hdp_learn:
 * @weights: (out) (array length=n): factors of the gradients of the log-probabilities, for an
 *   optimiser that descends: minus the advantage over n; 0 for samples that are left out
 * @n: at least 1
 * @only_valid: leave out samples that do not fit in memory, also from the baseline; if none fits,
 *   all count, because a policy that only draws such samples could never improve otherwise
 *
 * The advantage is the reward minus the old baseline; then baseline <- 0.9 baseline + 0.1 mean
 * reward. The first baseline is the first mean.
 */
void goban_hdp_learn (GobanHdpRule *self, float *weights, const GobanOutcome *outcomes, guint n,
                      gboolean only_valid);

G_END_DECLS
