/* onnx-shapes.h: inference of shapes, values and costs over an ONNX model in topological order.
 *
 * Where a rule cannot tell, what the file declares fills in; if both speak, the rule
 * is believed, since files are edited and their declarations forgotten.
 */
#pragma once

#include "engine/io/onnx-model.h"

G_BEGIN_DECLS

/* Fills values and costs of every node in the model's order. Returns: %FALSE when cancelled. */
gboolean goban_onnx_infer (GobanOnnxModel *model, const GobanProgress *progress, GError **error);

G_END_DECLS
