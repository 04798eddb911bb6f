/* regal-episodes.h: repeated sampling of choices for one graph, and the policy gradient of their
 * logits.
 *
 * Choices of nodes are independent, so a plan that puts all on one device is as good as never
 * drawn, and nothing points to it: where two devices are used evenly, a few nodes more on one of
 * them change no objective. So an episode first draws what all nodes share:
 *
 *   logits'[v,c] = logits[v,c] + t_c sum_k s_k e_k b_k (v),     e_k ~ N (0, 1) for each device
 *
 * with t_c the value that choice c stands for, s_k deviations, and orthogonal functions b_k of the
 * node: 1, its place along the work of its phase, its bottom level. This is a policy in two steps:
 * common parts drawn around those of the logits, then a choice for each node given these. REINFORCE
 * applies to both; the first has fifteen numbers to find out about where the second has thousands.
 * When training is over, e is 0: the published policy.
 *
 * One thread at a time. The network, the work after its forward pass and the input are borrowed.
 */
#pragma once

#include "engine/rl/regal.h"

G_BEGIN_DECLS

typedef struct _GobanRegalEpisodes GobanRegalEpisodes;

/* @is_asked (N): whether a node's choice of devices matters to the search. */
GobanRegalEpisodes *goban_regal_episodes_new (const GobanRegalNet *net, const GobanRegalWork *work,
                                              const GobanRegalInput *input, const guint8 *is_asked,
                                              guint n_episodes) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_episodes_free (GobanRegalEpisodes *self);

/* What the deviations s_k are multiplied by, 1 at first: as it falls the logits have to say by
 * themselves what the common parts found out. */
void goban_regal_episodes_set_spread (GobanRegalEpisodes *self, double spread);

/* Draws episode @i. Borrowed. */
const GobanRegalChoices *goban_regal_episodes_draw (GobanRegalEpisodes *self, guint i,
                                                    GobanRng *rng);

/* Adds to dlogits (rows, C) of each head the gradient of
 *
 *   weight log p (what episode i drew) / N + entropy_weight entropies / N
 *
 * which makes every graph count alike, however many nodes it has. The log-probability of the common
 * parts counts N times as much: it is a second estimate of the same slope, with so much less noise.
 * Returns the mean entropy of a choice. */
double goban_regal_episodes_answer (GobanRegalEpisodes *self, guint i, double weight,
                                    double entropy_weight,
                                    float *const dlogits[GOBAN_REGAL_N_HEADS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalEpisodes, goban_regal_episodes_free)

G_END_DECLS
