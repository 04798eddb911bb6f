/* fusion-rules.h: rules for fusing nodes into one kernel.
 *
 * A cluster is a set of nodes that share a fusion number in a plan. It may run as one kernel if
 *
 *   - every member may be fused at all: none is OPAQUE;
 *   - all members are on one device;
 *   - there are at most 64 of them, at most one HEAVY and at most one REDUCTION. XLA forbids a
 *     reduction fused into a reduction because the inner one would be computed again for every
 *     element of the outer;
 *   - no path leads out of the cluster and back: the ops on it could never start.
 *
 * Members need not be neighbours. A node alone in its cluster runs as it would unfused.
 */
#pragma once

#include <glib.h>

#define GOBAN_FUSION_MAX_OPS 64

typedef enum
{
  GOBAN_FUSION_CHEAP,     /* element by element: Add, Relu, BiasAdd */
  GOBAN_FUSION_METADATA,  /* reads each element once, elsewhere: Reshape, Transpose, Concat */
  GOBAN_FUSION_BROADCAST, /* reads elements many times: Tile, Expand */
  GOBAN_FUSION_REDUCTION, /* Sum, Softmax, pooling */
  GOBAN_FUSION_HEAVY,     /* matrix products and convolutions */
  GOBAN_FUSION_OPAQUE,    /* never fused: variables, inputs, random numbers, control, gathers,
                           * loops, libraries' own kernels, and every word that is not known */
  GOBAN_N_FUSION_CLASSES
} GobanFusionClass;

/* By the words of TensorFlow, ONNX and HLO, in any case, with or without '-', '_', '.' and a
 * version like "V2". "MatMulGrad" is HEAVY like MatMul; the gradient of a broadcast is a
 * REDUCTION and the other way round. */
GobanFusionClass goban_fusion_classify (const char *op);

/* "reduction": for messages. */
const char *goban_fusion_class_name (GobanFusionClass class);
