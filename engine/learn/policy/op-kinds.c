#include "engine/learn/policy/op-kinds.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *word; /* lower case, letters and digits only, no version */
  GobanOpKind kind;
} Rule;

/* Sorted by word. "sum" adds up in TensorFlow and adds two in ONNX, "max" likewise: TensorFlow's
 * sense holds for the first, ONNX's for the second, as either is by far the more frequent. */
/* clang-format off */
static const Rule rules[] = {
  { "abs", GOBAN_OP_NEGATE }, { "accumulate", GOBAN_OP_ADD_N },
  { "accumulategrad", GOBAN_OP_ADD_N }, { "accumulatenv", GOBAN_OP_ADD_N },
  { "acos", GOBAN_OP_TRANSCENDENTAL }, { "acosh", GOBAN_OP_TRANSCENDENTAL },
  { "activation", GOBAN_OP_ACTIVATION }, { "adadelta", GOBAN_OP_OPTIMIZER },
  { "adagrad", GOBAN_OP_OPTIMIZER }, { "adam", GOBAN_OP_OPTIMIZER },
  { "adamoptimizer", GOBAN_OP_OPTIMIZER }, { "adamw", GOBAN_OP_OPTIMIZER },
  { "adaptiveavgpool2d", GOBAN_OP_AVERAGE_POOL }, { "adaptivemaxpool2d", GOBAN_OP_MAX_POOL },
  { "add", GOBAN_OP_ADD }, { "addbias", GOBAN_OP_BIAS }, { "addcomputation", GOBAN_OP_ADD },
  { "addmm", GOBAN_OP_MATMUL }, { "addn", GOBAN_OP_ADD_N }, { "afterall", GOBAN_OP_CONTROL },
  { "aftercall", GOBAN_OP_CONTROL }, { "alias", GOBAN_OP_IDENTITY }, { "all", GOBAN_OP_LOGIC },
  { "allgather", GOBAN_OP_TRANSFER }, { "allreduce", GOBAN_OP_TRANSFER },
  { "allreducedone", GOBAN_OP_TRANSFER }, { "allreducestart", GOBAN_OP_TRANSFER },
  { "alltoall", GOBAN_OP_TRANSFER }, { "alphadropout", GOBAN_OP_DROPOUT },
  { "and", GOBAN_OP_LOGIC }, { "any", GOBAN_OP_LOGIC }, { "apply", GOBAN_OP_OPTIMIZER },
  { "applyadagrad", GOBAN_OP_OPTIMIZER }, { "applyadam", GOBAN_OP_OPTIMIZER },
  { "applyftrl", GOBAN_OP_OPTIMIZER }, { "applygradientdescent", GOBAN_OP_OPTIMIZER },
  { "applymomentum", GOBAN_OP_OPTIMIZER }, { "applyrmsprop", GOBAN_OP_OPTIMIZER },
  { "approximateequal", GOBAN_OP_COMPARE }, { "arange", GOBAN_OP_SHAPE },
  { "arg", GOBAN_OP_INPUT }, { "argmax", GOBAN_OP_SORT }, { "argmin", GOBAN_OP_SORT },
  { "argreduce", GOBAN_OP_REDUCE }, { "argsort", GOBAN_OP_SORT },
  { "asin", GOBAN_OP_TRANSCENDENTAL }, { "asinh", GOBAN_OP_TRANSCENDENTAL },
  { "assert", GOBAN_OP_CONTROL }, { "assign", GOBAN_OP_ASSIGN }, { "assignadd", GOBAN_OP_ASSIGN },
  { "assignaddvariableop", GOBAN_OP_ASSIGN }, { "assignsub", GOBAN_OP_ASSIGN },
  { "assignsubvariableop", GOBAN_OP_ASSIGN }, { "assignvariable", GOBAN_OP_ASSIGN },
  { "assignvariableop", GOBAN_OP_ASSIGN }, { "astype", GOBAN_OP_CAST },
  { "atan", GOBAN_OP_TRANSCENDENTAL }, { "atan2", GOBAN_OP_TRANSCENDENTAL },
  { "atanh", GOBAN_OP_TRANSCENDENTAL }, { "attention", GOBAN_OP_ATTENTION },
  { "averagepool", GOBAN_OP_AVERAGE_POOL }, { "averagepool2d", GOBAN_OP_AVERAGE_POOL },
  { "avgpool", GOBAN_OP_AVERAGE_POOL }, { "avgpool1d", GOBAN_OP_AVERAGE_POOL },
  { "avgpool2d", GOBAN_OP_AVERAGE_POOL }, { "avgpool3d", GOBAN_OP_AVERAGE_POOL },
  { "baddbmm", GOBAN_OP_MATMUL }, { "basiclstmcell", GOBAN_OP_RECURRENT },
  { "batchmatmul", GOBAN_OP_MATMUL }, { "batchnorm", GOBAN_OP_BATCH_NORM },
  { "batchnorm1d", GOBAN_OP_BATCH_NORM }, { "batchnorm2d", GOBAN_OP_BATCH_NORM },
  { "batchnorm3d", GOBAN_OP_BATCH_NORM }, { "batchnormalization", GOBAN_OP_BATCH_NORM },
  { "batchnorminference", GOBAN_OP_BATCH_NORM }, { "batchnormtraining", GOBAN_OP_BATCH_NORM },
  { "batchnormwithglobalnormalization", GOBAN_OP_BATCH_NORM },
  { "batchtospace", GOBAN_OP_TRANSPOSE }, { "batchtospacend", GOBAN_OP_TRANSPOSE },
  { "bcewithlogitsloss", GOBAN_OP_LOSS }, { "bernoulli", GOBAN_OP_RANDOM },
  { "bias", GOBAN_OP_VARIABLE }, { "biasadd", GOBAN_OP_BIAS },
  { "biasaddgrad", GOBAN_OP_BIAS_GRAD }, { "biasaddv1", GOBAN_OP_BIAS },
  { "biasdropout", GOBAN_OP_DROPOUT }, { "biasgelu", GOBAN_OP_ACTIVATION },
  { "biasgrad", GOBAN_OP_BIAS_GRAD }, { "bidirectionallstm", GOBAN_OP_RECURRENT },
  { "bilstm", GOBAN_OP_RECURRENT }, { "bitcast", GOBAN_OP_RESHAPE },
  { "bitcastconvert", GOBAN_OP_RESHAPE }, { "bitshift", GOBAN_OP_LOGIC },
  { "bitwiseand", GOBAN_OP_LOGIC }, { "bitwisenot", GOBAN_OP_LOGIC },
  { "bitwiseor", GOBAN_OP_LOGIC }, { "bitwisexor", GOBAN_OP_LOGIC },
  { "blocklstm", GOBAN_OP_RECURRENT }, { "bmm", GOBAN_OP_MATMUL },
  { "broadcast", GOBAN_OP_BROADCAST }, { "broadcastargs", GOBAN_OP_SHAPE },
  { "broadcastgradientargs", GOBAN_OP_SHAPE }, { "broadcastindim", GOBAN_OP_BROADCAST },
  { "broadcastto", GOBAN_OP_BROADCAST }, { "call", GOBAN_OP_CONTROL }, { "cast", GOBAN_OP_CAST },
  { "castlike", GOBAN_OP_CAST }, { "cat", GOBAN_OP_CONCAT }, { "cbrt", GOBAN_OP_ROOT },
  { "ceil", GOBAN_OP_ROUND }, { "celu", GOBAN_OP_ACTIVATION },
  { "channelshuffle", GOBAN_OP_TRANSPOSE }, { "checknumerics", GOBAN_OP_IDENTITY },
  { "chunk", GOBAN_OP_SPLIT }, { "clamp", GOBAN_OP_MIN_MAX }, { "classifier", GOBAN_OP_MATMUL },
  { "clip", GOBAN_OP_MIN_MAX }, { "clipbyvalue", GOBAN_OP_MIN_MAX }, { "clz", GOBAN_OP_LOGIC },
  { "collectivegather", GOBAN_OP_TRANSFER }, { "collectivepermute", GOBAN_OP_TRANSFER },
  { "collectivereduce", GOBAN_OP_TRANSFER }, { "combine", GOBAN_OP_SCATTER },
  { "combinegrad", GOBAN_OP_GATHER }, { "compare", GOBAN_OP_COMPARE },
  { "complex", GOBAN_OP_CAST }, { "compress", GOBAN_OP_SORT }, { "concat", GOBAN_OP_CONCAT },
  { "concatenate", GOBAN_OP_CONCAT }, { "concatfromsequence", GOBAN_OP_CONCAT },
  { "concatoffset", GOBAN_OP_SHAPE }, { "conditional", GOBAN_OP_CONTROL },
  { "conjugatetranspose", GOBAN_OP_TRANSPOSE }, { "const", GOBAN_OP_CONSTANT },
  { "constant", GOBAN_OP_CONSTANT }, { "constantofshape", GOBAN_OP_SHAPE },
  { "constantpad", GOBAN_OP_PAD }, { "controltrigger", GOBAN_OP_CONTROL },
  { "conv", GOBAN_OP_CONV }, { "conv1d", GOBAN_OP_CONV },
  { "conv1dgrad", GOBAN_OP_CONV_GRAD_INPUT }, { "conv2d", GOBAN_OP_CONV },
  { "conv2dbackpropfilter", GOBAN_OP_CONV_GRAD_FILTER },
  { "conv2dbackpropinput", GOBAN_OP_CONV_GRAD_INPUT }, { "conv2dgrad", GOBAN_OP_CONV_GRAD_INPUT },
  { "conv3d", GOBAN_OP_CONV }, { "conv3dbackpropfilter", GOBAN_OP_CONV_GRAD_FILTER },
  { "conv3dbackpropinput", GOBAN_OP_CONV_GRAD_INPUT }, { "conv3dgrad", GOBAN_OP_CONV_GRAD_INPUT },
  { "convbackpropfilter", GOBAN_OP_CONV_GRAD_FILTER },
  { "convbackpropinput", GOBAN_OP_CONV_GRAD_INPUT }, { "convert", GOBAN_OP_CAST },
  { "convgrad", GOBAN_OP_CONV_GRAD_INPUT }, { "convgradfilter", GOBAN_OP_CONV_GRAD_FILTER },
  { "convgradinput", GOBAN_OP_CONV_GRAD_INPUT }, { "convgradweight", GOBAN_OP_CONV_GRAD_FILTER },
  { "convgradweights", GOBAN_OP_CONV_GRAD_FILTER }, { "convinteger", GOBAN_OP_CONV },
  { "convolution", GOBAN_OP_CONV }, { "convolutionfiltergrad", GOBAN_OP_CONV_GRAD_FILTER },
  { "convolutiongrad", GOBAN_OP_CONV_GRAD_INPUT },
  { "convolutioninputgrad", GOBAN_OP_CONV_GRAD_INPUT }, { "convtranspose", GOBAN_OP_CONV },
  { "convtranspose1d", GOBAN_OP_CONV }, { "convtranspose2d", GOBAN_OP_CONV },
  { "convtranspose3d", GOBAN_OP_CONV }, { "copy", GOBAN_OP_TRANSPOSE },
  { "copydone", GOBAN_OP_TRANSFER }, { "copystart", GOBAN_OP_TRANSFER },
  { "cos", GOBAN_OP_TRANSCENDENTAL }, { "cosh", GOBAN_OP_TRANSCENDENTAL },
  { "cosine", GOBAN_OP_TRANSCENDENTAL }, { "countleadingzeros", GOBAN_OP_LOGIC },
  { "crop", GOBAN_OP_SLICE }, { "cropandresize", GOBAN_OP_SLICE },
  { "crossattention", GOBAN_OP_ATTENTION }, { "crossentropy", GOBAN_OP_LOSS },
  { "crossentropyloss", GOBAN_OP_LOSS }, { "ctcloss", GOBAN_OP_LOSS }, { "cube", GOBAN_OP_POWER },
  { "cublasgemm", GOBAN_OP_MATMUL }, { "cudnnrnn", GOBAN_OP_RECURRENT },
  { "cudnnrnnbackprop", GOBAN_OP_RECURRENT_GRAD }, { "cumprod", GOBAN_OP_REDUCE },
  { "cumsum", GOBAN_OP_REDUCE }, { "customcall", GOBAN_OP_CONTROL }, { "data", GOBAN_OP_INPUT },
  { "debugidentity", GOBAN_OP_IDENTITY }, { "deconvolution", GOBAN_OP_CONV },
  { "deformconv", GOBAN_OP_CONV }, { "dense", GOBAN_OP_MATMUL },
  { "depthtospace", GOBAN_OP_TRANSPOSE }, { "depthwiseconv", GOBAN_OP_CONV_DEPTHWISE },
  { "depthwiseconv2d", GOBAN_OP_CONV_DEPTHWISE },
  { "depthwiseconv2dnative", GOBAN_OP_CONV_DEPTHWISE },
  { "depthwiseconv2dnativebackpropfilter", GOBAN_OP_CONV_GRAD_FILTER },
  { "depthwiseconv2dnativebackpropinput", GOBAN_OP_CONV_GRAD_INPUT },
  { "depthwiseconvolution", GOBAN_OP_CONV_DEPTHWISE }, { "dequantize", GOBAN_OP_CAST },
  { "dequantizelinear", GOBAN_OP_CAST }, { "diagpart", GOBAN_OP_SLICE },
  { "digamma", GOBAN_OP_TRANSCENDENTAL }, { "dispatch", GOBAN_OP_GATHER },
  { "dispatchgrad", GOBAN_OP_SCATTER }, { "div", GOBAN_OP_DIV }, { "divide", GOBAN_OP_DIV },
  { "divnonan", GOBAN_OP_DIV }, { "dot", GOBAN_OP_MATMUL }, { "dotgeneral", GOBAN_OP_MATMUL },
  { "dropout", GOBAN_OP_DROPOUT }, { "dropoutadd", GOBAN_OP_DROPOUT },
  { "dynamicpartition", GOBAN_OP_SPLIT }, { "dynamicquantizelinear", GOBAN_OP_CAST },
  { "dynamicquantizematmul", GOBAN_OP_MATMUL }, { "dynamicslice", GOBAN_OP_SLICE },
  { "dynamicstitch", GOBAN_OP_CONCAT }, { "dynamicupdateslice", GOBAN_OP_CONCAT },
  { "einsum", GOBAN_OP_MATMUL }, { "elu", GOBAN_OP_ACTIVATION }, { "embedding", GOBAN_OP_GATHER },
  { "embeddingbackprop", GOBAN_OP_SCATTER }, { "embeddingbag", GOBAN_OP_GATHER },
  { "embeddinggrad", GOBAN_OP_SCATTER }, { "embeddinglookup", GOBAN_OP_GATHER },
  { "embedlayernormalization", GOBAN_OP_LAYER_NORM }, { "emubidirlstm", GOBAN_OP_RECURRENT },
  { "ensureshape", GOBAN_OP_IDENTITY }, { "enter", GOBAN_OP_CONTROL }, { "eq", GOBAN_OP_COMPARE },
  { "equal", GOBAN_OP_COMPARE }, { "erf", GOBAN_OP_TRANSCENDENTAL },
  { "erfc", GOBAN_OP_TRANSCENDENTAL }, { "euclideannorm", GOBAN_OP_REDUCE },
  { "exit", GOBAN_OP_CONTROL }, { "exp", GOBAN_OP_TRANSCENDENTAL },
  { "exp2", GOBAN_OP_TRANSCENDENTAL }, { "expand", GOBAN_OP_BROADCAST },
  { "expanddims", GOBAN_OP_RESHAPE }, { "expm1", GOBAN_OP_TRANSCENDENTAL },
  { "exponential", GOBAN_OP_TRANSCENDENTAL }, { "exponentialminusone", GOBAN_OP_TRANSCENDENTAL },
  { "eyelike", GOBAN_OP_SHAPE }, { "fakequant", GOBAN_OP_CAST },
  { "fastgelu", GOBAN_OP_ACTIVATION }, { "feed", GOBAN_OP_INPUT }, { "fill", GOBAN_OP_BROADCAST },
  { "flashattention", GOBAN_OP_ATTENTION }, { "flatten", GOBAN_OP_RESHAPE },
  { "floatdiv", GOBAN_OP_DIV }, { "floor", GOBAN_OP_ROUND }, { "floordiv", GOBAN_OP_ROUND },
  { "floordivide", GOBAN_OP_ROUND }, { "floormod", GOBAN_OP_ROUND }, { "fmod", GOBAN_OP_ROUND },
  { "frozenbatchnorm2d", GOBAN_OP_BATCH_NORM }, { "ftrl", GOBAN_OP_OPTIMIZER },
  { "fullyconnected", GOBAN_OP_MATMUL }, { "fusedadam", GOBAN_OP_OPTIMIZER },
  { "fusedadd", GOBAN_OP_ADD }, { "fusedbatchnorm", GOBAN_OP_BATCH_NORM },
  { "fusedbatchnormex", GOBAN_OP_BATCH_NORM }, { "fusedconv", GOBAN_OP_CONV },
  { "fusedgemm", GOBAN_OP_MATMUL }, { "fusedmatmul", GOBAN_OP_MATMUL },
  { "fusion", GOBAN_OP_CONTROL }, { "gatedadd", GOBAN_OP_ADD }, { "gather", GOBAN_OP_GATHER },
  { "gatheredlm", GOBAN_OP_GATHER }, { "gatherelements", GOBAN_OP_GATHER },
  { "gathergrad", GOBAN_OP_SCATTER }, { "gathernd", GOBAN_OP_GATHER },
  { "gatherndgrad", GOBAN_OP_SCATTER }, { "gatherv", GOBAN_OP_GATHER }, { "ge", GOBAN_OP_COMPARE },
  { "gelu", GOBAN_OP_ACTIVATION }, { "gemm", GOBAN_OP_MATMUL },
  { "getdimensionsize", GOBAN_OP_SHAPE }, { "getitem", GOBAN_OP_SLICE },
  { "gettupleelement", GOBAN_OP_IDENTITY }, { "globalaveragepool", GOBAN_OP_AVERAGE_POOL },
  { "globallppool", GOBAN_OP_AVERAGE_POOL }, { "globalmaxpool", GOBAN_OP_MAX_POOL },
  { "greater", GOBAN_OP_COMPARE }, { "greaterequal", GOBAN_OP_COMPARE },
  { "greaterorequal", GOBAN_OP_COMPARE }, { "gridsample", GOBAN_OP_BROADCAST },
  { "groupedmatmul", GOBAN_OP_MATMUL }, { "groupnorm", GOBAN_OP_LAYER_NORM },
  { "groupnormalization", GOBAN_OP_LAYER_NORM }, { "groupqueryattention", GOBAN_OP_ATTENTION },
  { "gru", GOBAN_OP_RECURRENT }, { "grublockcell", GOBAN_OP_RECURRENT },
  { "grucell", GOBAN_OP_RECURRENT }, { "gt", GOBAN_OP_COMPARE }, { "hardmax", GOBAN_OP_SOFTMAX },
  { "hardshrink", GOBAN_OP_ACTIVATION }, { "hardsigmoid", GOBAN_OP_SIGMOID },
  { "hardswish", GOBAN_OP_ACTIVATION }, { "hardtanh", GOBAN_OP_TANH },
  { "hidden", GOBAN_OP_INPUT }, { "hostconst", GOBAN_OP_CONSTANT },
  { "hostrecv", GOBAN_OP_TRANSFER }, { "hostsend", GOBAN_OP_TRANSFER }, { "iadd", GOBAN_OP_ADD },
  { "identity", GOBAN_OP_IDENTITY }, { "identityn", GOBAN_OP_IDENTITY },
  { "if", GOBAN_OP_CONTROL }, { "imag", GOBAN_OP_CAST }, { "immutableconst", GOBAN_OP_CONSTANT },
  { "imul", GOBAN_OP_MUL }, { "increment", GOBAN_OP_ASSIGN }, { "indexselect", GOBAN_OP_GATHER },
  { "infeed", GOBAN_OP_INPUT }, { "inner", GOBAN_OP_MATMUL }, { "innerproduct", GOBAN_OP_MATMUL },
  { "input", GOBAN_OP_INPUT }, { "inputlayer", GOBAN_OP_INPUT },
  { "instancenorm", GOBAN_OP_LAYER_NORM }, { "instancenorm2d", GOBAN_OP_LAYER_NORM },
  { "instancenormalization", GOBAN_OP_LAYER_NORM },
  { "int32permissiveembeddingscattercombiner", GOBAN_OP_SCATTER },
  { "integerdiv", GOBAN_OP_ROUND }, { "interpolate", GOBAN_OP_BROADCAST },
  { "intopk", GOBAN_OP_SORT }, { "inv", GOBAN_OP_DIV }, { "invert", GOBAN_OP_LOGIC },
  { "invertpermutation", GOBAN_OP_TRANSPOSE }, { "iota", GOBAN_OP_SHAPE },
  { "isfinite", GOBAN_OP_COMPARE }, { "isinf", GOBAN_OP_COMPARE }, { "isnan", GOBAN_OP_COMPARE },
  { "iterator", GOBAN_OP_INPUT }, { "iteratorgetnext", GOBAN_OP_INPUT },
  { "kernel", GOBAN_OP_VARIABLE }, { "l2loss", GOBAN_OP_LOSS }, { "l2norm", GOBAN_OP_REDUCE },
  { "l2normalize", GOBAN_OP_LAYER_NORM }, { "lamb", GOBAN_OP_OPTIMIZER },
  { "lamboptimizer", GOBAN_OP_OPTIMIZER }, { "layernorm", GOBAN_OP_LAYER_NORM },
  { "layernormalization", GOBAN_OP_LAYER_NORM },
  { "layernormweightgrad", GOBAN_OP_LAYER_NORM_GRAD }, { "le", GOBAN_OP_COMPARE },
  { "leakyrelu", GOBAN_OP_RELU }, { "less", GOBAN_OP_COMPARE }, { "lessequal", GOBAN_OP_COMPARE },
  { "lessorequal", GOBAN_OP_COMPARE }, { "lgamma", GOBAN_OP_TRANSCENDENTAL },
  { "linear", GOBAN_OP_MATMUL }, { "linspace", GOBAN_OP_SHAPE }, { "literal", GOBAN_OP_CONSTANT },
  { "localresponsenorm", GOBAN_OP_BATCH_NORM }, { "log", GOBAN_OP_TRANSCENDENTAL },
  { "log1p", GOBAN_OP_TRANSCENDENTAL }, { "log2", GOBAN_OP_TRANSCENDENTAL },
  { "logaddexp", GOBAN_OP_ADD }, { "logicaland", GOBAN_OP_LOGIC },
  { "logicalnot", GOBAN_OP_LOGIC }, { "logicalor", GOBAN_OP_LOGIC },
  { "logicalxor", GOBAN_OP_LOGIC }, { "logistic", GOBAN_OP_SIGMOID },
  { "logplusone", GOBAN_OP_TRANSCENDENTAL }, { "logsigmoid", GOBAN_OP_ACTIVATION },
  { "logsoftmax", GOBAN_OP_SOFTMAX }, { "logsumexp", GOBAN_OP_REDUCE },
  { "lookup", GOBAN_OP_GATHER }, { "loop", GOBAN_OP_CONTROL }, { "loopcond", GOBAN_OP_CONTROL },
  { "loss", GOBAN_OP_LOSS }, { "losses", GOBAN_OP_LOSS }, { "lowerbound", GOBAN_OP_SORT },
  { "lpnormalization", GOBAN_OP_LAYER_NORM }, { "lppool", GOBAN_OP_AVERAGE_POOL },
  { "lrn", GOBAN_OP_BATCH_NORM }, { "lstm", GOBAN_OP_RECURRENT },
  { "lstmblockcell", GOBAN_OP_RECURRENT }, { "lstmcell", GOBAN_OP_RECURRENT },
  { "lt", GOBAN_OP_COMPARE }, { "map", GOBAN_OP_CONTROL }, { "maskedfill", GOBAN_OP_SELECT },
  { "matmul", GOBAN_OP_MATMUL }, { "matmulinteger", GOBAN_OP_MATMUL },
  { "matmulintegertofloat", GOBAN_OP_MATMUL }, { "matmulnbits", GOBAN_OP_MATMUL },
  { "matrixbandpart", GOBAN_OP_SELECT }, { "matvec", GOBAN_OP_MATMUL },
  { "max", GOBAN_OP_MIN_MAX }, { "maxcomputation", GOBAN_OP_MIN_MAX },
  { "maximum", GOBAN_OP_MIN_MAX }, { "maxpool", GOBAN_OP_MAX_POOL },
  { "maxpool1d", GOBAN_OP_MAX_POOL }, { "maxpool2d", GOBAN_OP_MAX_POOL },
  { "maxpool3d", GOBAN_OP_MAX_POOL }, { "maxpoolwithargmax", GOBAN_OP_MAX_POOL },
  { "maxroipool", GOBAN_OP_MAX_POOL }, { "mean", GOBAN_OP_REDUCE },
  { "meanvariancenormalization", GOBAN_OP_LAYER_NORM }, { "memcpy", GOBAN_OP_TRANSFER },
  { "memcpydtoh", GOBAN_OP_TRANSFER }, { "memcpyhtod", GOBAN_OP_TRANSFER },
  { "merge", GOBAN_OP_CONTROL }, { "min", GOBAN_OP_MIN_MAX },
  { "mincomputation", GOBAN_OP_MIN_MAX }, { "minimum", GOBAN_OP_MIN_MAX },
  { "minus", GOBAN_OP_SUB }, { "mirrorpad", GOBAN_OP_PAD }, { "mish", GOBAN_OP_ACTIVATION },
  { "mm", GOBAN_OP_MATMUL }, { "mod", GOBAN_OP_ROUND }, { "modulate", GOBAN_OP_MUL },
  { "moments", GOBAN_OP_LAYER_NORM }, { "momentum", GOBAN_OP_OPTIMIZER },
  { "momentumoptimizer", GOBAN_OP_OPTIMIZER }, { "mseloss", GOBAN_OP_LOSS },
  { "mul", GOBAN_OP_MUL }, { "mulnonan", GOBAN_OP_MUL },
  { "multiheadattention", GOBAN_OP_ATTENTION }, { "multinomial", GOBAN_OP_RANDOM },
  { "multiply", GOBAN_OP_MUL }, { "mv", GOBAN_OP_MATMUL }, { "narrow", GOBAN_OP_SLICE },
  { "nativebatchnorm", GOBAN_OP_BATCH_NORM }, { "nativebatchnormlegit", GOBAN_OP_BATCH_NORM },
  { "nativebatchnormlegitfunctional", GOBAN_OP_BATCH_NORM },
  { "nativebatchnormlegitnotraining", GOBAN_OP_BATCH_NORM },
  { "nativegroupnorm", GOBAN_OP_LAYER_NORM }, { "nativelayernorm", GOBAN_OP_LAYER_NORM },
  { "ncclallreduce", GOBAN_OP_TRANSFER }, { "ncclbroadcast", GOBAN_OP_TRANSFER },
  { "ne", GOBAN_OP_COMPARE }, { "neg", GOBAN_OP_NEGATE }, { "negate", GOBAN_OP_NEGATE },
  { "negative", GOBAN_OP_NEGATE }, { "negativeloglikelihoodloss", GOBAN_OP_LOSS },
  { "nextiteration", GOBAN_OP_CONTROL }, { "nhwcconv", GOBAN_OP_CONV },
  { "nllloss", GOBAN_OP_LOSS }, { "nonmaxsuppression", GOBAN_OP_SORT },
  { "nonmaxsuppressionv3", GOBAN_OP_SORT }, { "nonzero", GOBAN_OP_SORT },
  { "noop", GOBAN_OP_CONTROL }, { "noopcopy", GOBAN_OP_IDENTITY }, { "norm", GOBAN_OP_REDUCE },
  { "not", GOBAN_OP_LOGIC }, { "notequal", GOBAN_OP_COMPARE }, { "onehot", GOBAN_OP_GATHER },
  { "onehotgrad", GOBAN_OP_SCATTER }, { "oneshotiterator", GOBAN_OP_INPUT },
  { "oneslike", GOBAN_OP_SHAPE }, { "optimizationbarrier", GOBAN_OP_IDENTITY },
  { "optimizer", GOBAN_OP_OPTIMIZER }, { "or", GOBAN_OP_LOGIC }, { "outer", GOBAN_OP_MATMUL },
  { "outfeed", GOBAN_OP_TRANSFER }, { "output", GOBAN_OP_INPUT }, { "pack", GOBAN_OP_CONCAT },
  { "pad", GOBAN_OP_PAD }, { "parallelconcat", GOBAN_OP_CONCAT }, { "param", GOBAN_OP_VARIABLE },
  { "parameter", GOBAN_OP_VARIABLE }, { "partitionedcall", GOBAN_OP_CONTROL },
  { "partitionid", GOBAN_OP_CONTROL }, { "peepholelstm", GOBAN_OP_RECURRENT },
  { "permute", GOBAN_OP_TRANSPOSE }, { "philoxrandom", GOBAN_OP_RANDOM },
  { "pixelshuffle", GOBAN_OP_TRANSPOSE }, { "placeholder", GOBAN_OP_INPUT },
  { "placeholderwithdefault", GOBAN_OP_INPUT }, { "plus", GOBAN_OP_ADD },
  { "pool", GOBAN_OP_AVERAGE_POOL }, { "pooling", GOBAN_OP_AVERAGE_POOL },
  { "popcnt", GOBAN_OP_LOGIC }, { "populationcount", GOBAN_OP_LOGIC }, { "pow", GOBAN_OP_POWER },
  { "power", GOBAN_OP_POWER }, { "prelu", GOBAN_OP_RELU },
  { "preventgradient", GOBAN_OP_IDENTITY }, { "print", GOBAN_OP_CONTROL },
  { "prod", GOBAN_OP_REDUCE }, { "qgemm", GOBAN_OP_MATMUL }, { "qlinearadd", GOBAN_OP_ADD },
  { "qlinearaveragepool", GOBAN_OP_AVERAGE_POOL }, { "qlinearconv", GOBAN_OP_CONV },
  { "qlinearglobalaveragepool", GOBAN_OP_AVERAGE_POOL }, { "qlinearleakyrelu", GOBAN_OP_RELU },
  { "qlinearmatmul", GOBAN_OP_MATMUL }, { "qlinearmul", GOBAN_OP_MUL },
  { "qlinearsigmoid", GOBAN_OP_SIGMOID }, { "quantize", GOBAN_OP_CAST },
  { "quantizelinear", GOBAN_OP_CAST }, { "quantizev", GOBAN_OP_CAST },
  { "queuedequeue", GOBAN_OP_INPUT }, { "quickgelu", GOBAN_OP_ACTIVATION },
  { "randomdataset", GOBAN_OP_INPUT }, { "randomnormal", GOBAN_OP_RANDOM },
  { "randomnormallike", GOBAN_OP_RANDOM }, { "randomshuffle", GOBAN_OP_RANDOM },
  { "randomstandardnormal", GOBAN_OP_RANDOM }, { "randomuniform", GOBAN_OP_RANDOM },
  { "randomuniformint", GOBAN_OP_RANDOM }, { "randomuniformlike", GOBAN_OP_RANDOM },
  { "range", GOBAN_OP_SHAPE }, { "rank", GOBAN_OP_SHAPE }, { "ravel", GOBAN_OP_RESHAPE },
  { "read", GOBAN_OP_READ }, { "readvariable", GOBAN_OP_READ },
  { "readvariableop", GOBAN_OP_READ }, { "real", GOBAN_OP_CAST }, { "realdiv", GOBAN_OP_DIV },
  { "receive", GOBAN_OP_TRANSFER }, { "reciprocal", GOBAN_OP_DIV },
  { "recurrentattention", GOBAN_OP_ATTENTION }, { "recv", GOBAN_OP_TRANSFER },
  { "recvdone", GOBAN_OP_TRANSFER }, { "reduce", GOBAN_OP_REDUCE },
  { "reduceand", GOBAN_OP_LOGIC }, { "reducel1", GOBAN_OP_REDUCE },
  { "reducel2", GOBAN_OP_REDUCE }, { "reducelogsum", GOBAN_OP_REDUCE },
  { "reducelogsumexp", GOBAN_OP_REDUCE }, { "reducemax", GOBAN_OP_REDUCE },
  { "reducemean", GOBAN_OP_REDUCE }, { "reducemin", GOBAN_OP_REDUCE },
  { "reduceor", GOBAN_OP_LOGIC }, { "reduceprecision", GOBAN_OP_ROUND },
  { "reduceprod", GOBAN_OP_REDUCE }, { "reducescatter", GOBAN_OP_TRANSFER },
  { "reducesum", GOBAN_OP_REDUCE }, { "reducesumsquare", GOBAN_OP_REDUCE },
  { "reducewindow", GOBAN_OP_AVERAGE_POOL }, { "relu", GOBAN_OP_RELU }, { "relu6", GOBAN_OP_RELU },
  { "remainder", GOBAN_OP_ROUND }, { "repeat", GOBAN_OP_BROADCAST },
  { "replicaid", GOBAN_OP_CONTROL }, { "reshape", GOBAN_OP_RESHAPE },
  { "resize", GOBAN_OP_BROADCAST }, { "resizebicubic", GOBAN_OP_BROADCAST },
  { "resizebilinear", GOBAN_OP_BROADCAST }, { "resizenearestneighbor", GOBAN_OP_BROADCAST },
  { "resourcegather", GOBAN_OP_GATHER }, { "resourcegathernd", GOBAN_OP_GATHER },
  { "result", GOBAN_OP_INPUT }, { "return", GOBAN_OP_INPUT }, { "retval", GOBAN_OP_INPUT },
  { "reverse", GOBAN_OP_TRANSPOSE }, { "reversesequence", GOBAN_OP_TRANSPOSE },
  { "reversev", GOBAN_OP_TRANSPOSE }, { "rint", GOBAN_OP_ROUND },
  { "rmsnorm", GOBAN_OP_LAYER_NORM }, { "rmsnormalization", GOBAN_OP_LAYER_NORM },
  { "rmsnormweightgrad", GOBAN_OP_LAYER_NORM_GRAD }, { "rmsprop", GOBAN_OP_OPTIMIZER },
  { "rng", GOBAN_OP_RANDOM }, { "rngbitgenerator", GOBAN_OP_RANDOM },
  { "rnggetandupdatestate", GOBAN_OP_RANDOM }, { "rngnormal", GOBAN_OP_RANDOM },
  { "rnguniform", GOBAN_OP_RANDOM }, { "rnn", GOBAN_OP_RECURRENT },
  { "rnncell", GOBAN_OP_RECURRENT }, { "roialign", GOBAN_OP_MAX_POOL },
  { "roipool", GOBAN_OP_MAX_POOL }, { "roll", GOBAN_OP_TRANSPOSE }, { "rotary", GOBAN_OP_MUL },
  { "rotaryembedding", GOBAN_OP_ATTENTION }, { "round", GOBAN_OP_ROUND },
  { "roundnearestafz", GOBAN_OP_ROUND }, { "roundnearesteven", GOBAN_OP_ROUND },
  { "rsqrt", GOBAN_OP_ROOT }, { "rsub", GOBAN_OP_SUB }, { "savedinvstdvar", GOBAN_OP_VARIABLE },
  { "savedmean", GOBAN_OP_VARIABLE }, { "scale", GOBAN_OP_MUL },
  { "scaleddotproductattention", GOBAN_OP_ATTENTION }, { "scan", GOBAN_OP_CONTROL },
  { "scatter", GOBAN_OP_SCATTER }, { "scatteradd", GOBAN_OP_SCATTER },
  { "scattercombiner", GOBAN_OP_SCATTER }, { "scatterelements", GOBAN_OP_SCATTER },
  { "scatternd", GOBAN_OP_SCATTER }, { "scatterupdate", GOBAN_OP_SCATTER },
  { "segmentmean", GOBAN_OP_REDUCE }, { "segmentsum", GOBAN_OP_REDUCE },
  { "select", GOBAN_OP_SELECT }, { "selectandscatter", GOBAN_OP_POOL_GRAD },
  { "selectn", GOBAN_OP_SELECT }, { "selfattention", GOBAN_OP_ATTENTION },
  { "selu", GOBAN_OP_ACTIVATION }, { "send", GOBAN_OP_TRANSFER },
  { "senddone", GOBAN_OP_TRANSFER }, { "separableconv2d", GOBAN_OP_CONV_DEPTHWISE },
  { "sgd", GOBAN_OP_OPTIMIZER }, { "sgdoptimizer", GOBAN_OP_OPTIMIZER },
  { "shape", GOBAN_OP_SHAPE }, { "shapen", GOBAN_OP_SHAPE }, { "shiftleft", GOBAN_OP_LOGIC },
  { "shiftrightarithmetic", GOBAN_OP_LOGIC }, { "shiftrightlogical", GOBAN_OP_LOGIC },
  { "shrink", GOBAN_OP_ACTIVATION }, { "sigmoid", GOBAN_OP_SIGMOID },
  { "sigmoidcrossentropywithlogits", GOBAN_OP_LOSS }, { "sign", GOBAN_OP_NEGATE },
  { "silu", GOBAN_OP_ACTIVATION }, { "simplecrossentropylossbackwardadd", GOBAN_OP_LOSS },
  { "simplecrossentropylossforwardadd", GOBAN_OP_LOSS },
  { "simplecrossentropylossforwardmax", GOBAN_OP_LOSS },
  { "simplifiedlayernormalization", GOBAN_OP_LAYER_NORM }, { "sin", GOBAN_OP_TRANSCENDENTAL },
  { "sine", GOBAN_OP_TRANSCENDENTAL }, { "sinh", GOBAN_OP_TRANSCENDENTAL },
  { "size", GOBAN_OP_SHAPE }, { "skiplayernormalization", GOBAN_OP_LAYER_NORM },
  { "skipsimplifiedlayernormalization", GOBAN_OP_LAYER_NORM }, { "slice", GOBAN_OP_SLICE },
  { "slicegrad", GOBAN_OP_PAD }, { "snapshot", GOBAN_OP_IDENTITY },
  { "softmax", GOBAN_OP_SOFTMAX }, { "softmaxcrossentropy", GOBAN_OP_LOSS },
  { "softmaxcrossentropyloss", GOBAN_OP_LOSS }, { "softmaxcrossentropywithlogits", GOBAN_OP_LOSS },
  { "softplus", GOBAN_OP_ACTIVATION }, { "softshrink", GOBAN_OP_ACTIVATION },
  { "softsign", GOBAN_OP_ACTIVATION }, { "sort", GOBAN_OP_SORT },
  { "spacetobatch", GOBAN_OP_TRANSPOSE }, { "spacetobatchnd", GOBAN_OP_TRANSPOSE },
  { "spacetodepth", GOBAN_OP_TRANSPOSE }, { "sparsematmul", GOBAN_OP_MATMUL },
  { "sparsesoftmaxcrossentropy", GOBAN_OP_LOSS },
  { "sparsesoftmaxcrossentropywithlogits", GOBAN_OP_LOSS }, { "sparsetodense", GOBAN_OP_SCATTER },
  { "split", GOBAN_OP_SPLIT }, { "splittosequence", GOBAN_OP_SPLIT }, { "splitv", GOBAN_OP_SPLIT },
  { "sqrt", GOBAN_OP_ROOT }, { "square", GOBAN_OP_POWER }, { "squareddifference", GOBAN_OP_SUB },
  { "squeeze", GOBAN_OP_RESHAPE }, { "stack", GOBAN_OP_CONCAT }, { "state", GOBAN_OP_VARIABLE },
  { "statefulpartitionedcall", GOBAN_OP_CONTROL }, { "statelessrandomnormal", GOBAN_OP_RANDOM },
  { "statelessrandomuniform", GOBAN_OP_RANDOM }, { "std", GOBAN_OP_REDUCE },
  { "stopgradient", GOBAN_OP_IDENTITY }, { "stridedslice", GOBAN_OP_SLICE },
  { "stridedslicegrad", GOBAN_OP_PAD }, { "sub", GOBAN_OP_SUB }, { "subtract", GOBAN_OP_SUB },
  { "sum", GOBAN_OP_REDUCE }, { "swapaxes", GOBAN_OP_TRANSPOSE },
  { "swiglu", GOBAN_OP_ACTIVATION }, { "swish", GOBAN_OP_ACTIVATION },
  { "switch", GOBAN_OP_CONTROL }, { "switchselect", GOBAN_OP_SELECT },
  { "syncbatchnorm", GOBAN_OP_BATCH_NORM }, { "take", GOBAN_OP_GATHER },
  { "tan", GOBAN_OP_TRANSCENDENTAL }, { "tangent", GOBAN_OP_TRANSCENDENTAL },
  { "tanh", GOBAN_OP_TANH }, { "temporaryvariable", GOBAN_OP_VARIABLE },
  { "tensordot", GOBAN_OP_MATMUL }, { "tensorscatteradd", GOBAN_OP_SCATTER },
  { "tensorscatterupdate", GOBAN_OP_SCATTER }, { "thresholdedrelu", GOBAN_OP_RELU },
  { "tile", GOBAN_OP_BROADCAST }, { "times", GOBAN_OP_MUL }, { "to", GOBAN_OP_CAST },
  { "topk", GOBAN_OP_SORT }, { "trainabledropout", GOBAN_OP_DROPOUT },
  { "transpose", GOBAN_OP_TRANSPOSE }, { "transposed", GOBAN_OP_TRANSPOSE },
  { "trilu", GOBAN_OP_SELECT }, { "truediv", GOBAN_OP_DIV }, { "trunc", GOBAN_OP_ROUND },
  { "truncate", GOBAN_OP_ROUND }, { "truncatediv", GOBAN_OP_ROUND },
  { "truncatednormal", GOBAN_OP_RANDOM }, { "truncatemod", GOBAN_OP_ROUND },
  { "tuple", GOBAN_OP_IDENTITY }, { "unbind", GOBAN_OP_SPLIT }, { "unique", GOBAN_OP_SORT },
  { "unpack", GOBAN_OP_SPLIT }, { "unsortedsegmentsum", GOBAN_OP_SCATTER },
  { "unsqueeze", GOBAN_OP_RESHAPE }, { "unstack", GOBAN_OP_SPLIT },
  { "update", GOBAN_OP_OPTIMIZER }, { "upperbound", GOBAN_OP_SORT },
  { "upsample", GOBAN_OP_BROADCAST }, { "varhandle", GOBAN_OP_VARIABLE },
  { "varhandleop", GOBAN_OP_VARIABLE }, { "variable", GOBAN_OP_VARIABLE },
  { "variance", GOBAN_OP_REDUCE }, { "varisinitializedop", GOBAN_OP_VARIABLE },
  { "view", GOBAN_OP_RESHAPE }, { "weight", GOBAN_OP_VARIABLE }, { "weights", GOBAN_OP_VARIABLE },
  { "where", GOBAN_OP_SELECT }, { "while", GOBAN_OP_CONTROL }, { "xdivy", GOBAN_OP_DIV },
  { "xlogy", GOBAN_OP_TRANSCENDENTAL }, { "xor", GOBAN_OP_LOGIC }, { "zeropad", GOBAN_OP_PAD },
  { "zeropad2d", GOBAN_OP_PAD }, { "zeroslike", GOBAN_OP_SHAPE },
};
/* clang-format on */

/* Prefixes of whole families of words, tried if a word is not in the table. */
static const Rule prefixes[] = {
  { "resourcesparseapply", GOBAN_OP_OPTIMIZER },
  { "resourceapply", GOBAN_OP_OPTIMIZER },
  { "sparseapply", GOBAN_OP_OPTIMIZER },
  { "apply", GOBAN_OP_OPTIMIZER },
  { "resourcescatter", GOBAN_OP_SCATTER },
  { "nccl", GOBAN_OP_TRANSFER },
  { "memcpy", GOBAN_OP_TRANSFER },
};

/* Suffixes, likewise. */
static const Rule suffixes[] = {
  { "optimizer", GOBAN_OP_OPTIMIZER },
  { "loss", GOBAN_OP_LOSS },
};

static const char *const gradients[] = { "gradient", "grads", "grad", "backprop", "backward" };

#define MAX_WORD 64

static int
compare_rules (const void *a, const void *b)
{
  return strcmp (((const Rule *) a)->word, ((const Rule *) b)->word);
}

static GobanOpKind
find_exact (const char *word)
{
  Rule key = { .word = word };
  const Rule *rule = bsearch (&key, rules, G_N_ELEMENTS (rules), sizeof *rules, compare_rules);

  return rule != NULL ? rule->kind : GOBAN_OP_OTHER;
}

/* Cuts "12" off "dropout12", then "v2" off "concatv2" likewise. */
static gboolean
drop_number (char *word)
{
  gsize n = strlen (word);
  gsize end = n;

  while (end > 0 && g_ascii_isdigit (word[end - 1]))
    end--;
  if (end == n || end == 0)
    return FALSE;
  word[end] = '\0';
  if (end > 1 && word[end - 1] == 'v' && find_exact (word) == GOBAN_OP_OTHER)
    word[end - 1] = '\0';
  return TRUE;
}

static GobanOpKind
differentiate (GobanOpKind kind)
{
  switch (kind)
    {
    case GOBAN_OP_CONV:
    case GOBAN_OP_CONV_DEPTHWISE:
      return GOBAN_OP_CONV_GRAD_INPUT;
    case GOBAN_OP_RECURRENT:
      return GOBAN_OP_RECURRENT_GRAD;
    case GOBAN_OP_BIAS:
      return GOBAN_OP_BIAS_GRAD;
    case GOBAN_OP_RELU:
    case GOBAN_OP_ACTIVATION:
    case GOBAN_OP_TANH:
    case GOBAN_OP_SIGMOID:
      return GOBAN_OP_ACTIVATION_GRAD;
    case GOBAN_OP_SOFTMAX:
      return GOBAN_OP_SOFTMAX_GRAD;
    case GOBAN_OP_BATCH_NORM:
      return GOBAN_OP_BATCH_NORM_GRAD;
    case GOBAN_OP_LAYER_NORM:
      return GOBAN_OP_LAYER_NORM_GRAD;
    case GOBAN_OP_MAX_POOL:
    case GOBAN_OP_AVERAGE_POOL:
      return GOBAN_OP_POOL_GRAD;
    case GOBAN_OP_GATHER:
      return GOBAN_OP_SCATTER;
    case GOBAN_OP_SLICE:
      return GOBAN_OP_PAD;
    default:
      return kind;
    }
}

static GobanOpKind
find_by_ends (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (word, prefixes[i].word))
      return prefixes[i].kind;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (word, suffixes[i].word))
      return suffixes[i].kind;
  return GOBAN_OP_OTHER;
}

/* Shortens the word until it is known. */
static GobanOpKind
find_word (char *word)
{
  gboolean is_gradient = FALSE;
  gboolean is_shorter = TRUE;
  GobanOpKind kind = find_exact (word);

  while (kind == GOBAN_OP_OTHER && is_shorter)
    {
      is_shorter = drop_number (word);
      for (guint i = 0; i < G_N_ELEMENTS (gradients) && !is_shorter; i++)
        if (g_str_has_suffix (word, gradients[i]))
          {
            word[strlen (word) - strlen (gradients[i])] = '\0';
            is_gradient = is_shorter = TRUE;
          }
      kind = find_exact (word);
    }
  if (kind == GOBAN_OP_OTHER)
    kind = find_by_ends (word);
  return is_gradient ? differentiate (kind) : kind;
}

/* Copies letters, in lower case, and digits of n bytes; FALSE if longer than any known word. */
static gboolean
normalize (const char *op, gsize n, char *word)
{
  gsize length = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (!g_ascii_isalnum (op[i]))
        continue;
      if (length + 1 == MAX_WORD)
        return FALSE;
      word[length++] = g_ascii_tolower (op[i]);
    }
  word[length] = '\0';
  return TRUE;
}

static GobanOpKind
find_part (const char *op, gsize n)
{
  char word[MAX_WORD];

  return normalize (op, n, word) ? find_word (word) : GOBAN_OP_OTHER;
}

/* Profiles use node names as ops, such as "AdamOptimizer_12_transposed", so the first and the last
 * part are tried if the whole word is unknown. */
GobanOpKind
goban_op_kind_from_word (const char *op)
{
  GobanOpKind kind = find_part (op, strlen (op));
  const char *first = strchr (op, '_');
  const char *last = strrchr (op, '_');

  if (kind == GOBAN_OP_OTHER && first != NULL)
    kind = find_part (op, (gsize) (first - op));
  if (kind == GOBAN_OP_OTHER && last != NULL)
    kind = find_part (last, strlen (last));
  return kind;
}

const char *
goban_op_kind_get_name (GobanOpKind kind)
{
  static const char *const names[] = {
#define KIND_NAME(kind, name) name,
    GOBAN_OP_KINDS (KIND_NAME)
#undef KIND_NAME
        "other",
  };

  g_return_val_if_fail (kind < G_N_ELEMENTS (names), NULL);
  return names[kind];
}

const char *
goban_op_kind_get_word (guint i)
{
  return i < G_N_ELEMENTS (rules) ? rules[i].word : NULL;
}
