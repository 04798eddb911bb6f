/* onnx-shapes.h: inference of shapes, values and costs over an ONNX model in topological order.
 *
 * If a rule has no result, the file's declaration is used; if both exist, the rule wins, since
 * edited files often keep stale declarations.
 */
#pragma once

#include "engine/io/onnx/onnx-model.h"

/* Fills values and costs of every node in the model's order. Returns: %FALSE when cancelled. */
gboolean goban_onnx_infer (GobanOnnxModel *model, const GobanProgress *progress, GError **error);
