/* tf-rules.h: the ONNX operator that stands for each of TensorFlow's, with its attributes. */
#pragma once

#include "engine/io/onnx/onnx-ops.h"
#include "engine/io/tensorflow/tf-model.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_TF_PLAIN,       /* inputs and outputs are those of the ONNX operator */
  GOBAN_TF_SAME,        /* the output is like input `like`, `steps` an element */
  GOBAN_TF_INPUT,       /* shapes as the file says, `steps` an element of input `like` */
  GOBAN_TF_CONV,        /* channels last, weights in height, width, in, out */
  GOBAN_TF_DEPTHWISE,   /* weights in height, width, channel, multiplier */
  GOBAN_TF_GRAD_INPUT,  /* of a convolution: sizes, weights, gradient */
  GOBAN_TF_GRAD_WEIGHT, /* of a convolution: input, sizes, gradient */
  GOBAN_TF_POOL,
  GOBAN_TF_POOL_GRAD, /* costs of the pool over the last input */
  GOBAN_TF_MATMUL,
  GOBAN_TF_CONCAT,  /* the axis is the last input */
  GOBAN_TF_NOTHING, /* no work and no shape to find */
} GobanTfKind;

typedef struct
{
  const char *op;
  GobanTfKind kind;
  const char *onnx; /* (nullable) */
  guint like;
  double steps;
} GobanTfRule;

/* From op to GobanTfRule; g_hash_table_unref() it. */
GHashTable *goban_tf_rules_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
