/* onnx-stub.h: an ONNX node made up for one call of a rule, for operators of other frameworks. */
#pragma once

#include "engine/io/onnx/onnx-ops.h"

#define GOBAN_ONNX_STUB_ATTRS 6

/* Attributes point into the stub: it may not be moved. */
typedef struct
{
  Onnx__NodeProto node;
  Onnx__AttributeProto attrs[GOBAN_ONNX_STUB_ATTRS];
  Onnx__AttributeProto *list[GOBAN_ONNX_STUB_ATTRS];
  gint64 ints[GOBAN_ONNX_STUB_ATTRS][2 * GOBAN_ONNX_MAX_DIMS];
} GobanOnnxStub;

/* @op is borrowed, and so are all names and texts. */
void goban_onnx_stub_init (GobanOnnxStub *self, const char *op);
/* At most 2 * GOBAN_ONNX_MAX_DIMS of @values, and GOBAN_ONNX_STUB_ATTRS attributes. */
void goban_onnx_stub_add_ints (GobanOnnxStub *self, const char *name, const gint64 *values,
                               gsize n);
void goban_onnx_stub_add_text (GobanOnnxStub *self, const char *name, const char *value);
