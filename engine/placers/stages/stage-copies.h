/* stage-copies.h: stages of a pipeline with copies that share out the micro-batches, as PipeDream's
 * optimiser plans them (Narayanan et al., SOSP 2019, section 3.1).
 *
 * m devices take blocks i to j as one stage: each copy has all weights and every m-th micro-batch,
 * and all-reduces its gradients over a ring while it computes. Such a stage takes
 *
 *   T (i, j, m) = max (sum of the ops' times, 2 (m - 1) bytes of weights / bandwidth) / m
 *
 * per micro-batch, and A (j, m) = min over i and m' of max (A (i, m - m'), C (i), T (i, j, m')) is
 * the slowest stage of blocks 1 to j on m devices, if C is the time of the tensors over the cut.
 * PipeDream fills this table, in O(N^2 M^2).
 *
 * Here devices may differ: a stage takes the next ones of their order, is as slow as the slowest,
 * and syncs over the slowest link of their ring. Because T grows with j, it is enough to keep for
 * each limit and m the farthest block that m devices reach, and to halve the interval of the limit:
 * O(M^2 log N) a step.
 *
 * parallel/micro-batches.h makes the graph of such a plan.
 */
#pragma once

#include "engine/placers/stages/stages.h"

typedef struct
{
  guint end;      /* the block after its last */
  guint first;    /* the place of its first device in the request */
  guint n_copies; /* on as many devices from that on */
} GobanCopiedStage;

typedef struct
{
  double slowest_us; /* of stages and cuts, per micro-batch */
  gboolean fits;     /* weights and activations keep to the devices' memory */
} GobanCopiesOutcome;

/**
 * goban_stages_copy:
 * @request: its n_stages are the devices that there are; all or some are used. Its n_batches, if
 *   any, are the most copies of a stage
 *
 * Returns: (transfer full) (element-type GobanCopiedStage) (nullable): the stages of the least
 *   slowest time, those that fit before others; %NULL with %GOBAN_ERROR_INFEASIBLE set if some op
 *   can run on none of the devices that it would be on
 */
GArray *goban_stages_copy (const GobanStageChain *chain, const GobanStageRequest *request,
                           GobanCopiesOutcome *outcome, GError **error) G_GNUC_WARN_UNUSED_RESULT;
