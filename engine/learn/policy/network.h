/* network.h: GO's policy network: one for every graph, every cluster and all three tasks.
 *
 *   x0 = GraphSAGE (features)
 *   h  = layers of segment-level recurrent attention over the rows in topological order, each
 *        layer's input modulated by the graph embedding:  x <- c (x0) * x,
 *        c = 2 sigmoid (W x0 + b); all layers, those of the tasks too, share one c
 *   for each task, in order:
 *     z = attention_shared (layernorm (h + a))
 *     logits = head_task (z)
 *     a = a + embedding (decision)
 *
 * GraphSAGE takes the maximum over neighbours and is trained with the rest. attention_shared is one
 * more layer of recurrent attention, with the same parameters for all tasks; a is the residual
 * connection of the decisions.
 *
 * Source: Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020, sections 3.1
 * to 3.4. Decisions are not autoregressive: all rows decide at once, T times over, each time but
 * the first seeing the decisions before. Where the configuration says "sampled", later tasks and
 * iterations see what was drawn, so every rollout has its own pass from there on; otherwise they
 * see probabilities, and all rollouts of a graph share one pass.
 *
 * A device is its features (engine/learn/policy/board.h), and a logit the product of a row's vector
 * and a device's: so any number of devices is served by the same parameters. Nothing depends on a
 * device's number, unless the configuration says "numbered" (paper): equal devices have the same
 * bias, and their logits differ only by their labels, which a pass may exchange.
 *
 * Only an optimiser changes a network. A pass holds the activations of one forward computation on
 * one board, which backward reads. One thread at a time per pass; inside, rows are worked on in
 * parallel by engine/core/parallel.h, with the same bytes for any number of threads.
 *
 * Decision G7 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/params.h"
#include "engine/learn/policy/net-config.h"

G_BEGIN_DECLS

typedef struct _GobanNet GobanNet;

GobanNet *goban_net_new (const GobanNetConfig *config, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_net_free (GobanNet *self);

const GobanNetConfig *goban_net_get_config (const GobanNet *self);
GobanParams *goban_net_get_params (GobanNet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNet, goban_net_free)

G_END_DECLS
