/* torch-rules.h: the costs of PyTorch's operators, by the rules of the ONNX operators alike. */
#pragma once

#include "engine/io/onnx/onnx-ops.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_TORCH_ALIKE,  /* the ONNX operator `onnx` has the same inputs */
  GOBAN_TORCH_SHIFT,  /* its inputs begin at the second, and the first is added */
  GOBAN_TORCH_LINEAR, /* a matrix product; a third input is added */
  GOBAN_TORCH_CONV,   /* with the argument `transposed` that of a ConvTranspose */
  GOBAN_TORCH_POOL,   /* the window is the argument `kernel_size` */
  GOBAN_TORCH_OUTPUT, /* `steps` an element of the output */
  GOBAN_TORCH_INPUT,  /* `steps` an element of the input */
  GOBAN_TORCH_VIEW,   /* no work, and no bytes move */
} GobanTorchKind;

typedef struct
{
  const char *op; /* "conv2d": without namespace and overload, and without the "_" of in place */
  GobanTorchKind kind;
  const char *onnx; /* (nullable) */
  double steps;
} GobanTorchRule;

/* From op to GobanTorchRule; g_hash_table_unref() it. */
GHashTable *goban_torch_rules_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
