/* hdp.h: HDP's learning rule without its network: rewards, baseline, selection of training
 * samples.
 *
 * Decision E50 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/params.h"
#include "engine/sim/simulator.h"

/* HDP's two networks over plain arrays, forward beside backward.
 *
 * The grouper is a feed-forward network of two layers that gives every unit a group. The placer
 * reads the groups' embeddings with a bidirectional LSTM, and an LSTM with attention over its
 * outputs chooses one device per group, which is its next input:
 *
 *   logits = C tanh ([h ; attended] Wd / temperature)
 *
 * N units, F features, V op types, G groups, D devices, M width of a group's embedding, K
 * placements sampled side by side for one grouping. The networks keep what their backward needs of
 * the last forward. One thread at a time.
 */

typedef struct
{
  int N, F, V, G, D, M, K;
  int type_width;    /* of an op type's embedding */
  int grouper_width; /* of the grouper's hidden layer */
  int encoder_width; /* of each direction; the decoder is twice as wide */
  float temperature;
  float tanh_constant;
} GobanHdpConfig;

/* --- grouper ------------------------------------------------------------------------------ */

typedef struct _GobanHdpGrouper GobanHdpGrouper;

/* Adds its tensors to @params, which must be finished before its first use and outlive it. */
GobanHdpGrouper *goban_hdp_grouper_new (const GobanHdpConfig *config,
                                        GobanParams *params) G_GNUC_WARN_UNUSED_RESULT;
void goban_hdp_grouper_free (GobanHdpGrouper *self);

/* Draws groups (N), or keeps them if @rng is NULL, and returns their log-probability. features
 * (N,F) types (N): both borrowed until backward. */
double goban_hdp_grouper_forward (GobanHdpGrouper *self, guint32 *groups, const float *features,
                                  const guint32 *types, GobanRng *rng);

/* Adds weight times the gradient of that log-probability. */
void goban_hdp_grouper_backward (GobanHdpGrouper *self, const guint32 *groups, float weight);

/* How likely it was in the last forward that a unit is in a group. */
float goban_hdp_grouper_get_probability (const GobanHdpGrouper *self, guint unit, guint group);

/* Mean nats of a group's choice in the last forward, of units evenly spaced if they are many. */
double goban_hdp_grouper_get_entropy (const GobanHdpGrouper *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHdpGrouper, goban_hdp_grouper_free)

/* --- placer ------------------------------------------------------------------------------- */

typedef struct _GobanHdpPlacer GobanHdpPlacer;

GobanHdpPlacer *goban_hdp_placer_new (const GobanHdpConfig *config,
                                      GobanParams *params) G_GNUC_WARN_UNUSED_RESULT;
void goban_hdp_placer_free (GobanHdpPlacer *self);

/* Draws devices (G,K) among allowed (G,D), or keeps them if @rng is NULL, and writes the
 * log-probability of each placement to log_probs (K). embeddings (G,M): borrowed until backward.
 * @noise: standard deviation of the noise on the logits while sampling, in units of their root mean
 * square; 0 without @rng. */
void goban_hdp_placer_forward (GobanHdpPlacer *self, guint32 *devices, double *log_probs,
                               const float *embeddings, const guint8 *allowed, float noise,
                               GobanRng *rng);

/* Replaces the device that the next forward draws for group @g in placement @k by *@device, which
 * becomes the drawn one. */
void goban_hdp_placer_force (GobanHdpPlacer *self, guint g, guint k, guint32 *device);

/* The last forward of group @g in placement @k; borrowed: the probabilities of devices (D), with
 * the noise, and the attention on groups (G). */
const float *goban_hdp_placer_get_probabilities (const GobanHdpPlacer *self, guint g, guint k);
const float *goban_hdp_placer_get_attention (const GobanHdpPlacer *self, guint g, guint k);

/* Adds the sum over placements of weights[k] times the gradient of log_probs[k].   weights (K) */
void goban_hdp_placer_backward (GobanHdpPlacer *self, const guint32 *devices, const float *weights);

/* Mean nats of a device's choice in the last forward, with its noise. */
double goban_hdp_placer_get_entropy (const GobanHdpPlacer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHdpPlacer, goban_hdp_placer_free)

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
