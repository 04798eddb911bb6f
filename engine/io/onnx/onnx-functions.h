/* onnx-functions.h: calls of a model's own functions replaced by the functions' nodes.
 *
 * Exporters of PyTorch and others keep layers in functions (ModelProto.functions) that call each
 * other. A node of a function gets the name of its call before its own, "call/MatMul", and so do
 * the tensors inside. References to attributes of the call take their values; inputs that a call
 * leaves out are left out inside. Bodies of If, Loop and Scan are searched, too.
 */
#pragma once

#include <glib.h>

#include "engine/io/onnx.pb-c.h"

G_BEGIN_DECLS

/**
 * goban_onnx_inline:
 * @proto: changed in place; has no functions afterwards
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set for a function that calls itself,
 *   %GOBAN_ERROR_UNSUPPORTED for more nodes than can be placed
 */
gboolean goban_onnx_inline (Onnx__ModelProto *proto, const char *path, GError **error);

G_END_DECLS
