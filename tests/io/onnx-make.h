/* onnx-make.h: small ONNX models made in memory, written as short texts.
 *
 * Values: "1x3x224x224" is an input of floats, "s64:1xseq" one of integers with an open extent,
 * "#64x3x7x7" a constant without data, "{1,-1}" a constant vector of integers, "[1,2.5]" one of
 * floats, "=7" a constant integer, "-" an input left out, and "$name" the tensor of that name.
 * Attributes: "group=2 strides=[2,2] alpha=0.5 auto_pad=SAME_UPPER".
 */
#pragma once

#include "engine/io/io.h"
#include "engine/io/onnx.pb-c.h"

typedef struct _OnnxMake OnnxMake;

OnnxMake *onnx_make_new (gint64 opset);
void onnx_make_free (OnnxMake *self);

/* A node that reads @values, separated by spaces; @outputs are names, likewise. */
Onnx__NodeProto *onnx_make_node (OnnxMake *self, const char *op, const char *values,
                                 const char *attributes, const char *outputs);

/* An input, a constant with no data, what the file declares of a tensor, an output. */
void onnx_make_input (OnnxMake *self, const char *name, const char *value);
void onnx_make_constant (OnnxMake *self, const char *name, const char *value);
void onnx_make_declare (OnnxMake *self, const char *name, const char *value);

/* The model itself, to be changed at will; what is put in is freed with it. */
Onnx__ModelProto *onnx_make_get (OnnxMake *self);

GBytes *onnx_make_pack (OnnxMake *self);

/* Through the reader; NULL with the error set. */
GobanGraph *onnx_make_read (OnnxMake *self, const GobanReadOptions *options, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OnnxMake, onnx_make_free)

/* "f32 1x64x112x112", "s64 scalar", "? unknown"; extents nobody knows are '?'. (transfer full) */
char *onnx_make_text (const GobanTensor *tensor);

/* Sums over the graph's nodes. */
double onnx_make_sum_macs (const GobanGraph *graph);
double onnx_make_sum_params (const GobanGraph *graph);

gboolean onnx_make_has_warning (const GobanGraph *graph, const char *part);
