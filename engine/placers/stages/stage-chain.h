/* stage-chain.h: a model as a row of blocks, between any two of which a pipeline may be cut.
 *
 * A block is the units of forward ops that lie on a cycle, which is one unit as a rule, or the
 * layer of a recurrent network. Blocks are in topological order, so tensors of the forward pass go
 * to later blocks alone. Backward and update ops that no unit joins to a forward op follow what
 * they read. Read-only once made.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

typedef struct
{
  GobanUnits *units;
  guint n_blocks;
  guint *block_of; /* (n_units) */
} GobanStageChain;

/**
 * goban_stage_chain_new:
 * @n_stages: required number of blocks: smaller units are taken if there are fewer
 *
 * O(N + E log E). Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set, as
 *   goban_units_new() says, or if the graph has fewer blocks
 */
GobanStageChain *goban_stage_chain_new (GobanCostModel *costs, guint n_stages,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (n_blocks + 1): time of the tensors that cross the cut before each block, over a mean link, of
 * either direction the longer: links go one way. (transfer full) */
double *goban_stage_chain_new_cuts (const GobanStageChain *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_stage_chain_free (GobanStageChain *self);

/* Prefix sums over the blocks, so that the sum of any stage is a difference of two. */
typedef struct
{
  double *times_us; /* (n_devices x (n_blocks + 1)) of the units that the device can run */
  guint *refusals;  /* the same: units that it cannot run */
  double *params;   /* (n_blocks + 1) bytes */
  double *outputs;  /* (n_blocks + 1) bytes of the forward pass's outputs */
} GobanStageSums;

/* @devices: (n_devices). To be cleared. */
GobanStageSums goban_stage_chain_sum (const GobanStageChain *self, const GobanDeviceId *devices,
                                      guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
void goban_stage_sums_clear (GobanStageSums *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanStageChain, goban_stage_chain_free)

G_END_DECLS
