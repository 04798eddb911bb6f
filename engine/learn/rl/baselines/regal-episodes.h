/* regal-episodes.h: repeated sampling of choices for one graph, and the policy gradient of their
 * logits.
 *
 * Choices of nodes are independent, so a plan with everything on one device is practically never
 * drawn, and no gradient leads to it: if two devices are used evenly, a few more nodes on one of
 * them do not change the objective. So an episode first draws a part that all nodes share:
 *
 *   logits'[v,c] = logits[v,c] + t_c sum_k s_k e_k b_k (v),     e_k ~ N (0, 1) for each device
 *
 * with t_c the value that choice c stands for, s_k deviations, and orthogonal functions b_k of the
 * node: 1, its place along the work of its phase, its bottom level. This is a policy in two steps:
 * common parts are drawn around those of the logits, then a choice for each node given these.
 * REINFORCE applies to both; the first step has fifteen numbers to learn, the second thousands.
 * After training e is 0, which is the published policy.
 *
 * One thread at a time. The network, the work after its forward pass and the input are borrowed.
 */
#pragma once

#include "engine/learn/rl/baselines/regal.h"

G_BEGIN_DECLS

typedef struct _GobanRegalEpisodes GobanRegalEpisodes;

/* @is_asked (N): whether a node's choice of devices matters to the search. */
GobanRegalEpisodes *goban_regal_episodes_new (const GobanRegalNet *net, const GobanRegalWork *work,
                                              const GobanRegalInput *input, const guint8 *is_asked,
                                              guint n_episodes) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_episodes_free (GobanRegalEpisodes *self);

/* Sets the factor of the deviations s_k, initially 1. As it falls, the logits take over what the
 * common parts have learned. */
void goban_regal_episodes_set_spread (GobanRegalEpisodes *self, double spread);

/* Draws episode @i. Borrowed. */
const GobanRegalChoices *goban_regal_episodes_draw (GobanRegalEpisodes *self, guint i,
                                                    GobanRng *rng);

/* Adds to dlogits (rows, C) of each head the gradient of
 *
 *   weight log p (choices of episode i) / N + entropy_weight entropies / N
 *
 * so every graph has the same weight, whatever its size. The log-probability of the common parts
 * counts N times: it is a second estimate of the same gradient with less noise. Returns the mean
 * entropy of a choice. */
double goban_regal_episodes_answer (GobanRegalEpisodes *self, guint i, double weight,
                                    double entropy_weight,
                                    float *const dlogits[GOBAN_REGAL_N_HEADS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalEpisodes, goban_regal_episodes_free)

G_END_DECLS
