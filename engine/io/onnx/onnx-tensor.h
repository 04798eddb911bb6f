/* onnx-tensor.h: known type, shape and small values of one tensor of an ONNX model.
 *
 * Any part may be unknown: the type, the rank, single extents (-1). Tensors that carry shapes are
 * small; their elements are kept as doubles, NAN for an unknown one. Doubles hold every extent
 * below 2^53 exactly and keep 2^63-1, ONNX's "to the end", larger than all of them. Nothing is
 * allocated by claimed extents.
 */
#pragma once

#include <glib.h>

#include "engine/io/onnx.pb-c.h"

#define GOBAN_ONNX_MAX_DIMS 12
/* Elements of the largest tensor whose values are followed. */
#define GOBAN_ONNX_MAX_DATA 128
/* Upper limit of valid extents and element counts. */
#define GOBAN_ONNX_MAX_EXTENT 9007199254740992.0 /* 2^53 */

typedef struct
{
  int dtype; /* Onnx__TensorProto__DataType, 0: unknown */
  gboolean has_rank;
  guint n_dims;
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  gboolean varies; /* computed from an input of the model, not from constants alone */
  double *data;    /* (nullable): all elements, owned */
  guint n_data;
} GobanOnnxValue;

void goban_onnx_value_clear (GobanOnnxValue *self);

/* The product of all extents; NAN if one is unknown or there are more than MAX_EXTENT. */
double goban_onnx_value_elements (const GobanOnnxValue *self);
/* The size in memory; NAN if the extents or the type are unknown. */
double goban_onnx_value_bytes (const GobanOnnxValue *self);
/* TRUE when type and every extent are known. */
gboolean goban_onnx_value_is_complete (const GobanOnnxValue *self);

/* The extent as a number that fits, else -1. Arithmetic on extents goes through it. */
gint64 goban_onnx_extent (double extent);

/* Larger ones overflow the sizes of tensors, which then are unknown and cost nothing. %FALSE with
 * %GOBAN_ERROR_INVALID set. */
gboolean goban_onnx_check_batch (gint64 batch, const char *path, GError **error);

/* "f32", "s64"; "" for an unknown type. */
const char *goban_onnx_dtype_name (int dtype);
/* Bits an element takes; 0 for unknown types and strings. */
guint goban_onnx_dtype_bits (int dtype);
/* FALSE for types of indices, flags and text: constants of these are no parameters. */
gboolean goban_onnx_dtype_is_weight (int dtype);
gboolean goban_onnx_dtype_is_float (int dtype);

/**
 * goban_onnx_value_from_tensor:
 *
 * Shape and type of a constant, and its elements if they are few and in the file.
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set for impossible extents or data that is too
 *   short for them
 */
gboolean goban_onnx_value_from_tensor (GobanOnnxValue *self, const Onnx__TensorProto *tensor,
                                       const char *path, GError **error);

/* FALSE for a constant of a light model, or of one that has its weights beside it. */
gboolean goban_onnx_tensor_has_data (const Onnx__TensorProto *tensor);

/* @name for messages, "" for a missing one. */
const char *goban_onnx_str (const char *name);
