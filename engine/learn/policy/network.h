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
 * bias, and their logits differ only by their labels, which a pass may exchange, and by what a
 * board of a plan says of the row and the device. Boards of plans have no labels: there the plan
 * tells devices apart.
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
/* Values and moments. (transfer full) */
GobanNet *goban_net_copy (const GobanNet *self) G_GNUC_WARN_UNUSED_RESULT;

const GobanNetConfig *goban_net_get_config (const GobanNet *self);
GobanParams *goban_net_get_params (GobanNet *self);

/* A checkpoint of engine/learn/nn/params.h, without Adam's moments, whose network is "go-2:" and
 * the configuration: 2 is the version of the format. */
gboolean goban_net_save (GobanNet *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE set, which names the
 * path */
GobanNet *goban_net_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file contains such a network, of any version and configuration. */
gboolean goban_net_is_file (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNet, goban_net_free)

G_END_DECLS
