/* onnx-fold.h: the values of small constant outputs, so that shapes computed by the
 * model itself can be followed.
 *
 * Called after the shape rule, when output 0 has few elements and every extent is known. A fold
 * function fills op->out[0].data from the known values of the inputs, and leaves NAN for unknown
 * ones.
 */
#pragma once

#include "engine/io/onnx/onnx-ops.h"

void goban_onnx_fold_binary (GobanOnnxOp *op); /* and variadic, with broadcasting */
void goban_onnx_fold_concat (GobanOnnxOp *op);
void goban_onnx_fold_constant (GobanOnnxOp *op);
void goban_onnx_fold_constant_of_shape (GobanOnnxOp *op);
void goban_onnx_fold_copy (GobanOnnxOp *op); /* Cast, Reshape, ...: the same elements in order */
void goban_onnx_fold_expand (GobanOnnxOp *op);
void goban_onnx_fold_gather (GobanOnnxOp *op);
void goban_onnx_fold_range (GobanOnnxOp *op);
void goban_onnx_fold_reduce (GobanOnnxOp *op);
void goban_onnx_fold_shape (GobanOnnxOp *op);
void goban_onnx_fold_size (GobanOnnxOp *op);
void goban_onnx_fold_slice (GobanOnnxOp *op);
void goban_onnx_fold_split (GobanOnnxOp *op);
void goban_onnx_fold_unary (GobanOnnxOp *op);
void goban_onnx_fold_where (GobanOnnxOp *op);
