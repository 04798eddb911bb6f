/* tf-shapes.h: shapes, values and costs of the nodes of a TensorFlow graph.
 *
 * Shapes are the file's own (`_output_shapes`, `shape`, `value`); if it has none, the rules for the
 * equivalent ONNX operator are used. Costs always come from these rules. Of a loop's nodes the
 * costs are those of one iteration.
 */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/io/tensorflow/tf-model.h"

/* Fills the outputs and costs of every node; unknown extents of inputs become @batch if they come
 * first (0: 1). Warns of operators without a rule and of unknown sizes. */
void goban_tf_infer (GobanTfModel *model, gint64 batch, GobanGraphBuilder *builder);

/* ONNX's number of a type of TensorFlow; 0: unknown. */
int goban_tf_dtype (int dtype);
