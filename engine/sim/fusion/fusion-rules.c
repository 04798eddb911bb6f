#include "engine/sim/fusion/fusion-rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *word; /* lower case, letters and digits only, no version, no "grad" */
  GobanFusionClass class;
} Rule;

#define CHEAP GOBAN_FUSION_CHEAP
#define METADATA GOBAN_FUSION_METADATA
#define BROADCAST GOBAN_FUSION_BROADCAST
#define REDUCTION GOBAN_FUSION_REDUCTION
#define HEAVY GOBAN_FUSION_HEAVY
#define OPAQUE GOBAN_FUSION_OPAQUE

/* Sorted by word; an op that is not listed is opaque. Gradients are listed if they differ from
 * their op's class. "max" and "min" reduce in TensorFlow and go element by element in ONNX: the
 * stricter one holds. */
/* clang-format off */
static const Rule rules[] = {
  { "abs", CHEAP }, { "acos", CHEAP }, { "acosh", CHEAP }, { "add", CHEAP }, { "addn", CHEAP },
  { "adjustcontrast", CHEAP }, { "all", REDUCTION }, { "and", CHEAP }, { "any", REDUCTION },
  { "approximateequal", CHEAP }, { "argmax", REDUCTION }, { "argmin", REDUCTION },
  { "asin", CHEAP }, { "asinh", CHEAP }, { "atan", CHEAP }, { "atan2", CHEAP },
  { "atanh", CHEAP }, { "averagepool", REDUCTION }, { "avgpool", REDUCTION },
  { "avgpool3d", REDUCTION }, { "batchmatmul", HEAVY }, { "batchnormalization", CHEAP },
  { "batchnormalizationgrad", REDUCTION },
  { "batchtospace", METADATA }, { "batchtospacend", METADATA }, { "biasadd", CHEAP },
  { "biasaddgrad", REDUCTION }, { "bitcast", METADATA }, { "bitcastconvert", METADATA },
  { "broadcast", BROADCAST }, { "broadcastindim", BROADCAST }, { "broadcastto", BROADCAST },
  { "cast", CHEAP }, { "cbrt", CHEAP }, { "ceil", CHEAP }, { "celu", CHEAP }, { "clamp", CHEAP },
  { "clip", CHEAP }, { "clipbyvalue", CHEAP }, { "clz", CHEAP }, { "compare", CHEAP },
  { "complex", CHEAP }, { "concat", METADATA }, { "concatenate", METADATA }, { "conj", CHEAP },
  { "conv", HEAVY }, { "conv1d", HEAVY }, { "conv2d", HEAVY },
  { "conv2dbackpropfilter", HEAVY }, { "conv2dbackpropinput", HEAVY }, { "conv3d", HEAVY },
  { "conv3dbackpropfilter", HEAVY }, { "conv3dbackpropinput", HEAVY }, { "convert", CHEAP },
  { "convinteger", HEAVY }, { "convolution", HEAVY }, { "convtranspose", HEAVY },
  { "copy", METADATA }, { "cos", CHEAP }, { "cosh", CHEAP }, { "cosine", CHEAP },
  { "depthtospace", METADATA }, { "depthwiseconv2dnative", HEAVY },
  { "depthwiseconv2dnativebackpropfilter", HEAVY },
  { "depthwiseconv2dnativebackpropinput", HEAVY }, { "dequantizelinear", CHEAP },
  { "div", CHEAP }, { "divide", CHEAP }, { "divnonan", CHEAP }, { "dot", HEAVY },
  { "dotgeneral", HEAVY }, { "einsum", HEAVY }, { "elu", CHEAP }, { "equal", CHEAP },
  { "erf", CHEAP }, { "erfc", CHEAP }, { "exp", CHEAP }, { "expand", BROADCAST },
  { "expanddims", METADATA }, { "expm1", CHEAP }, { "exponential", CHEAP },
  { "exponentialminusone", CHEAP }, { "fill", BROADCAST }, { "flatten", METADATA },
  { "floor", CHEAP }, { "floordiv", CHEAP }, { "floormod", CHEAP }, { "fullyconnected", HEAVY },
  { "fusedbatchnorm", REDUCTION }, { "fusedbatchnormgrad", REDUCTION },
  { "fusedmatmul", HEAVY }, { "gelu", CHEAP }, { "gemm", HEAVY },
  { "globalaveragepool", REDUCTION }, { "globalmaxpool", REDUCTION }, { "greater", CHEAP },
  { "greaterequal", CHEAP }, { "greaterorequal", CHEAP }, { "groupnormalization", REDUCTION },
  { "hardsigmoid", CHEAP }, { "hardswish", CHEAP }, { "identity", METADATA }, { "imag", CHEAP },
  { "instancenormalization", REDUCTION }, { "inv", CHEAP }, { "invert", CHEAP },
  { "iota", CHEAP }, { "isfinite", CHEAP }, { "isinf", CHEAP }, { "isnan", CHEAP },
  { "l2loss", REDUCTION }, { "layernorm", REDUCTION }, { "layernormalization", REDUCTION },
  { "layernormalizationgrad", REDUCTION }, { "layernormgrad", REDUCTION },
  { "leakyrelu", CHEAP }, { "less", CHEAP }, { "lessequal", CHEAP }, { "lessorequal", CHEAP },
  { "log", CHEAP }, { "log1p", CHEAP }, { "logicaland", CHEAP }, { "logicalnot", CHEAP },
  { "logicalor", CHEAP }, { "logistic", CHEAP }, { "logplusone", CHEAP },
  { "logsoftmax", REDUCTION }, { "logsoftmaxgrad", REDUCTION }, { "lrn", REDUCTION },
  { "map", CHEAP }, { "matmul", HEAVY },
  { "matmulinteger", HEAVY }, { "max", REDUCTION }, { "maximum", CHEAP },
  { "maxpool", REDUCTION }, { "maxpool3d", REDUCTION }, { "maxpool3dgrad", OPAQUE },
  { "maxpoolgrad", OPAQUE }, { "mean", REDUCTION },
  { "min", REDUCTION }, { "minimum", CHEAP }, { "mirrorpad", METADATA }, { "mish", CHEAP },
  { "mod", CHEAP }, { "mul", CHEAP }, { "multiply", CHEAP }, { "neg", CHEAP },
  { "negate", CHEAP }, { "negative", CHEAP }, { "not", CHEAP }, { "notequal", CHEAP },
  { "onehot", BROADCAST }, { "oneslike", CHEAP }, { "or", CHEAP }, { "pack", METADATA },
  { "pad", METADATA }, { "popcnt", CHEAP }, { "pow", CHEAP }, { "power", CHEAP },
  { "prelu", CHEAP }, { "preventgradient", METADATA }, { "prod", REDUCTION },
  { "quantizelinear", CHEAP }, { "real", CHEAP }, { "realdiv", CHEAP }, { "reciprocal", CHEAP },
  { "reduce", REDUCTION }, { "reducel1", REDUCTION }, { "reducel2", REDUCTION },
  { "reducelogsum", REDUCTION }, { "reducelogsumexp", REDUCTION }, { "reducemax", REDUCTION },
  { "reducemean", REDUCTION }, { "reducemin", REDUCTION }, { "reduceprecision", CHEAP },
  { "reduceprod", REDUCTION }, { "reducesum", REDUCTION }, { "reducesumsquare", REDUCTION },
  { "reducewindow", REDUCTION }, { "relu", CHEAP }, { "relu6", CHEAP }, { "remainder", CHEAP },
  { "reshape", METADATA }, { "resizenearestneighbor", BROADCAST }, { "reverse", METADATA },
  { "rint", CHEAP }, { "round", CHEAP }, { "roundnearestafz", CHEAP }, { "rsqrt", CHEAP },
  { "select", CHEAP }, { "selu", CHEAP }, { "shape", METADATA }, { "shiftleft", CHEAP },
  { "shiftrightarithmetic", CHEAP }, { "shiftrightlogical", CHEAP }, { "sigmoid", CHEAP },
  { "sign", CHEAP }, { "sin", CHEAP }, { "sine", CHEAP }, { "sinh", CHEAP }, { "slice", METADATA },
  { "snapshot", METADATA }, { "softmax", REDUCTION },
  { "softmaxcrossentropywithlogits", REDUCTION }, { "softmaxgrad", REDUCTION },
  { "softplus", CHEAP }, { "softsign", CHEAP }, { "spacetobatch", METADATA },
  { "spacetobatchnd", METADATA }, { "spacetodepth", METADATA },
  { "sparsesoftmaxcrossentropywithlogits", REDUCTION }, { "split", METADATA },
  { "sqrt", CHEAP }, { "square", CHEAP }, { "squareddifference", CHEAP }, { "squeeze", METADATA },
  { "stopgradient", METADATA }, { "stridedslice", METADATA }, { "sub", CHEAP },
  { "subtract", CHEAP }, { "sum", REDUCTION }, { "swish", CHEAP }, { "tan", CHEAP },
  { "tanh", CHEAP }, { "thresholdedrelu", CHEAP }, { "tile", BROADCAST },
  { "transpose", METADATA }, { "truncate", CHEAP }, { "truncatediv", CHEAP },
  { "truncatemod", CHEAP }, { "unpack", METADATA }, { "unsqueeze", METADATA },
  { "upsample", BROADCAST }, { "where", CHEAP }, { "xdivy", CHEAP }, { "xlogy", CHEAP },
  { "xor", CHEAP }, { "zeroslike", CHEAP },
};
/* clang-format on */

static int
compare_rules (const void *a, const void *b)
{
  return strcmp (((const Rule *) a)->word, ((const Rule *) b)->word);
}

static const Rule *
find_rule (const char *word)
{
  Rule key = { .word = word };

  return bsearch (&key, rules, G_N_ELEMENTS (rules), sizeof *rules, compare_rules);
}

#define MAX_WORD 48 /* the longest of the table, and a version */

/* Letters in lower case and digits; FALSE if that is longer than any word known. */
static gboolean
normalize (const char *op, char *word)
{
  gsize n = 0;

  for (; *op != '\0'; op++)
    {
      if (!g_ascii_isalnum (*op))
        continue;
      if (n + 1 == MAX_WORD)
        return FALSE;
      word[n++] = g_ascii_tolower (*op);
    }
  word[n] = '\0';
  return TRUE;
}

/* Cuts "v2" off "concatv2"; a TensorFlow op of one name changes its arguments, not its work. */
static void
drop_version (char *word)
{
  gsize n = strlen (word);
  gsize end = n;

  while (end > 0 && g_ascii_isdigit (word[end - 1]))
    end--;
  if (end < n && end > 1 && word[end - 1] == 'v')
    word[end - 1] = '\0';
}

/* A gradient reads the shape that its op wrote and writes the shape that it read. */
static GobanFusionClass
transpose (GobanFusionClass class)
{
  switch (class)
    {
    case GOBAN_FUSION_BROADCAST:
      return GOBAN_FUSION_REDUCTION;
    case GOBAN_FUSION_REDUCTION:
      return GOBAN_FUSION_BROADCAST;
    default:
      return class;
    }
}

GobanFusionClass
goban_fusion_classify (const char *op)
{
  char word[MAX_WORD];
  const Rule *rule;

  if (!normalize (op, word))
    return GOBAN_FUSION_OPAQUE;
  drop_version (word);
  rule = find_rule (word);
  if (rule != NULL)
    return rule->class;

  if (!g_str_has_suffix (word, "grad"))
    return GOBAN_FUSION_OPAQUE;
  word[strlen (word) - strlen ("grad")] = '\0';
  drop_version (word);
  rule = find_rule (word);
  return rule != NULL ? transpose (rule->class) : GOBAN_FUSION_OPAQUE;
}

const char *
goban_fusion_class_name (GobanFusionClass class)
{
  static const char *const names[]
      = { "elementwise", "reshape", "broadcast", "reduction", "heavy", "opaque" };

  g_return_val_if_fail (class < G_N_ELEMENTS (names), NULL);
  return names[class];
}
