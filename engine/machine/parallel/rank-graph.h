/* rank-graph.h: training graph of one rank of a parallel training, with what its ranks exchange.
 *
 * The copies of a model do the same at the same time, so one stands for all: what they exchange is
 * nodes whose times follow from the links of a group of ranks (engine/machine/cluster/fold.h). To
 * a training graph of one rank are added
 *
 *   recomputation   copies "recompute/..." of a layer's forward ops, which its backward ops read,
 *                   and which wait for the gradient of its output, so that activations need not be
 *                   kept (Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016)
 *   copies          one collective of gradients for each layer, before its updates:
 *                   "all-reduce/..." (group "dp"; "edp" of experts, whose copies are fewer)
 *   ZeRO            optimiser state and updates (1), gradients (2) and weights (3) shared out to
 *                   the copies, with "reduce-scatter/..." and "all-gather/..." (Rajbhandari et al.,
 *                   2020)
 *   sends           between stages: "send/..." (group "pp"), which keep the sender busy
 *
 * A layer is a scope such as layer_3, block_3, layers.3 or h.3 at the beginning of a name, after
 * gradients/, optimizer/, grad/ or update/.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef enum
{
  GOBAN_RECOMPUTE_NONE,
  GOBAN_RECOMPUTE_SELECTIVE, /* ops of layers that are no products of matrices */
  GOBAN_RECOMPUTE_FULL,      /* all ops of layers */
  GOBAN_N_RECOMPUTES
} GobanRecompute;

/* "none", "selective", "full", ended by NULL. */
extern const char *const goban_recompute_names[GOBAN_N_RECOMPUTES + 1];

#define GOBAN_MAX_ZERO 3
#define GOBAN_RECOMPUTE_SCOPE "recompute/" /* begins the names of ops that are computed again */
/* Ops of goban_rank_graph_new_passes() that are shares of a pass. */
#define GOBAN_RECOMPUTE_OP "Recompute"
#define GOBAN_COLLECTIVES_OP "Collectives"
#define GOBAN_SEND_OP "Send"
#define GOBAN_NO_LAYER G_MAXUINT

typedef struct
{
  guint n_copies;        /* of the model; 1: one */
  guint n_expert_copies; /* of weights below a scope "experts", which divide n_copies */
  guint zero;            /* 0 to GOBAN_MAX_ZERO */
  GobanRecompute recompute;
  const guint *stages; /* (n_nodes) of the graph; (nullable): one */
  /* (n_stages) (nullable): ops send tensors between stages of different places; NULL: none do, the
   * simulator transfers */
  const guint *places;
} GobanRankOptions;

typedef struct
{
  GobanGraph *graph;
  guint *stages; /* (n_nodes) of the graph made */
} GobanRankGraph;

/* layers (n_nodes): the layer of each node, 0 .. n - 1 in the order of their numbers, or
 * GOBAN_NO_LAYER. Returns n. */
guint goban_graph_find_layers (const GobanGraph *graph, guint *layers);

/**
 * goban_graph_cut_layers:
 * @stages: (n_nodes): below @n_stages, none of which is empty
 *
 * As many layers for each stage, the first ones one more if they do not divide. What comes before
 * the layers is on the first stage, what comes after them on the last.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set if there are fewer layers than stages
 */
gboolean goban_graph_cut_layers (const GobanGraph *graph, guint n_stages, guint *stages,
                                 GError **error);

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if the graph has no layers to
 * recompute, no gradients to exchange, or an option is out of range. */
GobanRankGraph *goban_rank_graph_new (const GobanGraph *graph, const GobanRankOptions *options,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/**
 * goban_rank_graph_new_passes:
 * @costs: of the rank's graph
 * @devices: (n_stages)
 * @splits_backward: gradients of weights are passes of their own, as in zero-bubble schedules
 *
 * Passes of stages as ops, "forward/stage_0", "backward/stage_0" and "weights/stage_0", that take
 * as long as their ops one after another on the stage's device; what is recomputed, exchanged and
 * sent has ops of its own around them ("backward/stage_0/collectives"). Updates and what else is
 * done once for all micro-batches stay as they are. A pipeline of such a graph takes as long as one
 * of all ops, and has few nodes.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set if an op cannot run on its device
 */
GobanRankGraph *goban_rank_graph_new_passes (const GobanRankGraph *self,
                                             const GobanCostModel *costs,
                                             const GobanDeviceId *devices, gboolean splits_backward,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_rank_graph_free (GobanRankGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRankGraph, goban_rank_graph_free)
