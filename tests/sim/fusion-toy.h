/* fusion-toy.h: graphs of a few ops written down as text, for examples of fusion.
 *
 * Devices do 1e6 flops and move 1 byte a microsecond; a launch takes 5 us.
 */
#pragma once

#include "engine/machine/plan/plan.h"

/* "a:Add b:Relu c=7:MatMul | a>b b>c": ops, then edges. Every op writes 100 bytes and reads as much
 * per input, none where it has a time ("=7", in microseconds); a MatMul does 3e8 flops.
 * n_devices devices. (transfer full) */
GobanCostModel *fusion_toy (const char *text, guint n_devices) G_GNUC_WARN_UNUSED_RESULT;

GobanNodeId fusion_toy_node (const GobanCostModel *costs, const char *name);

/* The plan's clusters as text: "a+b+c d+e", by lowest node. (transfer full) */
char *fusion_toy_clusters (const GobanCostModel *costs,
                           const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
