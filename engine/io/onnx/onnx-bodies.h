/* onnx-bodies.h: iterations of the bodies of Loop and Scan: how many, and what goes in and out.
 *
 * A loop of a constant number of iterations costs that many times its body. Shapes are those of the
 * first iteration.
 */
#pragma once

#include "engine/io/onnx/onnx-ops.h"

G_BEGIN_DECLS

/* Cost of one run through a body. */
typedef struct
{
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
  double param_count;
  double param_bytes;
} GobanOnnxCost;

typedef struct
{
  double n_times; /* NAN if only the run knows it */
  guint n_inputs;
  GobanOnnxValue *values;        /* (n_inputs) of the body's inputs; no data of their own */
  const GobanOnnxValue **inputs; /* (n_inputs): into values */
  guint n_results;               /* of the body that are followed */
  guint n_skipped;               /* of these, before the node's first output: a Loop's condition */
  guint n_carried;               /* outputs that come from the last iteration; others stack up */
} GobanOnnxIteration;

/* @op: a Loop or Scan; clear with goban_onnx_iteration_clear() */
GobanOnnxIteration goban_onnx_iteration_new (const GobanOnnxOp *op) G_GNUC_WARN_UNUSED_RESULT;
void goban_onnx_iteration_clear (GobanOnnxIteration *self);

/* Shape and type of the node's output @i, from the body's results. */
GobanOnnxValue goban_onnx_iteration_get_output (const GobanOnnxIteration *self, guint i,
                                                const GobanOnnxValue *results);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanOnnxIteration, goban_onnx_iteration_clear)

G_END_DECLS
