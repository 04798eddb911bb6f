/* onnx-stub.h: ONNX nodes made up for one call of a rule, for operators of other frameworks, and
 * warnings of operators without a rule. */
#pragma once

#include "engine/graph/graph-builder.h"
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

/* @ops: names of ops to the number of their nodes, as GUINT_TO_POINTER(). By name, so that the
 * warnings do not depend on the table's order; the number of the others stands for those beyond the
 * first twenty. */
void goban_unruled_ops_warn (GHashTable *ops, GobanGraphBuilder *builder);
