#include "engine/learn/policy/op-kinds.h"

#include <string.h>

/* Words by kind: lower case, letters and digits only, no version. "sum" adds up in TensorFlow and
 * adds two in ONNX, "max" likewise: TensorFlow's sense holds for the first, ONNX's for the second,
 * as either is by far the more frequent. */
/* clang-format off */
static const char *const words_of[GOBAN_N_OP_KINDS] = {
  [GOBAN_OP_MATMUL] =
    "addmm baddbmm batchmatmul bmm classifier cublasgemm dense dot dotgeneral "
    "dynamicquantizematmul einsum fullyconnected fusedgemm fusedmatmul gemm groupedmatmul inner "
    "innerproduct linear matmul matmulinteger matmulintegertofloat matmulnbits matvec mm mv outer "
    "qgemm qlinearmatmul sparsematmul tensordot",
  [GOBAN_OP_ATTENTION] =
    "attention crossattention flashattention groupqueryattention multiheadattention "
    "recurrentattention rotaryembedding scaleddotproductattention selfattention",
  [GOBAN_OP_CONV] =
    "conv conv1d conv2d conv3d convinteger convolution convtranspose convtranspose1d "
    "convtranspose2d convtranspose3d deconvolution deformconv fusedconv nhwcconv qlinearconv",
  [GOBAN_OP_CONV_DEPTHWISE] =
    "depthwiseconv depthwiseconv2d depthwiseconv2dnative depthwiseconvolution separableconv2d",
  [GOBAN_OP_CONV_GRAD_INPUT] =
    "conv1dgrad conv2dbackpropinput conv2dgrad conv3dbackpropinput conv3dgrad convbackpropinput "
    "convgrad convgradinput convolutiongrad convolutioninputgrad "
    "depthwiseconv2dnativebackpropinput",
  [GOBAN_OP_CONV_GRAD_FILTER] =
    "conv2dbackpropfilter conv3dbackpropfilter convbackpropfilter convgradfilter convgradweight "
    "convgradweights convolutionfiltergrad depthwiseconv2dnativebackpropfilter",
  [GOBAN_OP_RECURRENT] =
    "basiclstmcell bidirectionallstm bilstm blocklstm cudnnrnn emubidirlstm gru grublockcell "
    "grucell lstm lstmblockcell lstmcell peepholelstm rnn rnncell",
  [GOBAN_OP_RECURRENT_GRAD] =
    "cudnnrnnbackprop",
  [GOBAN_OP_ADD] =
    "add addcomputation fusedadd gatedadd iadd logaddexp plus qlinearadd",
  [GOBAN_OP_ADD_N] =
    "accumulate accumulategrad accumulatenv addn",
  [GOBAN_OP_SUB] =
    "minus rsub squareddifference sub subtract",
  [GOBAN_OP_MUL] =
    "imul modulate mul mulnonan multiply qlinearmul rotary scale times",
  [GOBAN_OP_DIV] =
    "div divide divnonan floatdiv inv realdiv reciprocal truediv xdivy",
  [GOBAN_OP_NEGATE] =
    "abs neg negate negative sign",
  [GOBAN_OP_POWER] =
    "cube pow power square",
  [GOBAN_OP_ROOT] =
    "cbrt rsqrt sqrt",
  [GOBAN_OP_TRANSCENDENTAL] =
    "acos acosh asin asinh atan atan2 atanh cos cosh cosine digamma erf erfc exp exp2 expm1 "
    "exponential exponentialminusone lgamma log log1p log2 logplusone sin sine sinh tan tangent "
    "xlogy",
  [GOBAN_OP_ROUND] =
    "ceil floor floordiv floordivide floormod fmod integerdiv mod reduceprecision remainder rint "
    "round roundnearestafz roundnearesteven trunc truncate truncatediv truncatemod",
  [GOBAN_OP_MIN_MAX] =
    "clamp clip clipbyvalue max maxcomputation maximum min mincomputation minimum",
  [GOBAN_OP_COMPARE] =
    "approximateequal compare eq equal ge greater greaterequal greaterorequal gt isfinite isinf "
    "isnan le less lessequal lessorequal lt ne notequal",
  [GOBAN_OP_LOGIC] =
    "all and any bitshift bitwiseand bitwisenot bitwiseor bitwisexor clz countleadingzeros invert "
    "logicaland logicalnot logicalor logicalxor not or popcnt populationcount reduceand reduceor "
    "shiftleft shiftrightarithmetic shiftrightlogical xor",
  [GOBAN_OP_SELECT] =
    "maskedfill matrixbandpart select selectn switchselect trilu where",
  [GOBAN_OP_BIAS] =
    "addbias biasadd biasaddv1",
  [GOBAN_OP_BIAS_GRAD] =
    "biasaddgrad biasgrad",
  [GOBAN_OP_RELU] =
    "leakyrelu prelu qlinearleakyrelu relu relu6 thresholdedrelu",
  [GOBAN_OP_ACTIVATION] =
    "activation biasgelu celu elu fastgelu gelu hardshrink hardswish logsigmoid mish quickgelu "
    "selu shrink silu softplus softshrink softsign swiglu swish",
  [GOBAN_OP_TANH] =
    "hardtanh tanh",
  [GOBAN_OP_SIGMOID] =
    "hardsigmoid logistic qlinearsigmoid sigmoid",
  [GOBAN_OP_SOFTMAX] =
    "hardmax logsoftmax softmax",
  [GOBAN_OP_BATCH_NORM] =
    "batchnorm batchnorm1d batchnorm2d batchnorm3d batchnormalization batchnorminference "
    "batchnormtraining batchnormwithglobalnormalization frozenbatchnorm2d fusedbatchnorm "
    "fusedbatchnormex localresponsenorm lrn nativebatchnorm nativebatchnormlegit "
    "nativebatchnormlegitfunctional nativebatchnormlegitnotraining syncbatchnorm",
  [GOBAN_OP_LAYER_NORM] =
    "embedlayernormalization groupnorm groupnormalization instancenorm instancenorm2d "
    "instancenormalization l2normalize layernorm layernormalization lpnormalization "
    "meanvariancenormalization moments nativegroupnorm nativelayernorm rmsnorm rmsnormalization "
    "simplifiedlayernormalization skiplayernormalization skipsimplifiedlayernormalization",
  [GOBAN_OP_LAYER_NORM_GRAD] =
    "layernormweightgrad rmsnormweightgrad",
  [GOBAN_OP_MAX_POOL] =
    "adaptivemaxpool2d globalmaxpool maxpool maxpool1d maxpool2d maxpool3d maxpoolwithargmax "
    "maxroipool roialign roipool",
  [GOBAN_OP_AVERAGE_POOL] =
    "adaptiveavgpool2d averagepool averagepool2d avgpool avgpool1d avgpool2d avgpool3d "
    "globalaveragepool globallppool lppool pool pooling qlinearaveragepool "
    "qlinearglobalaveragepool reducewindow",
  [GOBAN_OP_POOL_GRAD] =
    "selectandscatter",
  [GOBAN_OP_DROPOUT] =
    "alphadropout biasdropout dropout dropoutadd trainabledropout",
  [GOBAN_OP_RANDOM] =
    "bernoulli multinomial philoxrandom randomnormal randomnormallike randomshuffle "
    "randomstandardnormal randomuniform randomuniformint randomuniformlike rng rngbitgenerator "
    "rnggetandupdatestate rngnormal rnguniform statelessrandomnormal statelessrandomuniform "
    "truncatednormal",
  [GOBAN_OP_REDUCE] =
    "argreduce cumprod cumsum euclideannorm l2norm logsumexp mean norm prod reduce reducel1 "
    "reducel2 reducelogsum reducelogsumexp reducemax reducemean reducemin reduceprod reducesum "
    "reducesumsquare segmentmean segmentsum std sum variance",
  [GOBAN_OP_SORT] =
    "argmax argmin argsort compress intopk lowerbound nonmaxsuppression nonmaxsuppressionv3 "
    "nonzero sort topk unique upperbound",
  [GOBAN_OP_RESHAPE] =
    "bitcast bitcastconvert expanddims flatten ravel reshape squeeze unsqueeze view",
  [GOBAN_OP_TRANSPOSE] =
    "batchtospace batchtospacend channelshuffle conjugatetranspose copy depthtospace "
    "invertpermutation permute pixelshuffle reverse reversesequence reversev roll spacetobatch "
    "spacetobatchnd spacetodepth swapaxes transpose transposed",
  [GOBAN_OP_SLICE] =
    "crop cropandresize diagpart dynamicslice getitem narrow slice stridedslice",
  [GOBAN_OP_CONCAT] =
    "cat concat concatenate concatfromsequence dynamicstitch dynamicupdateslice pack "
    "parallelconcat stack",
  [GOBAN_OP_SPLIT] =
    "chunk dynamicpartition split splittosequence splitv unbind unpack unstack",
  [GOBAN_OP_PAD] =
    "constantpad mirrorpad pad slicegrad stridedslicegrad zeropad zeropad2d",
  [GOBAN_OP_BROADCAST] =
    "broadcast broadcastindim broadcastto expand fill gridsample interpolate repeat resize "
    "resizebicubic resizebilinear resizenearestneighbor tile upsample",
  [GOBAN_OP_GATHER] =
    "combinegrad dispatch embedding embeddingbag embeddinglookup gather gatheredlm gatherelements "
    "gathernd gatherv indexselect lookup onehot resourcegather resourcegathernd take",
  [GOBAN_OP_SCATTER] =
    "combine dispatchgrad embeddingbackprop embeddinggrad gathergrad gatherndgrad "
    "int32permissiveembeddingscattercombiner onehotgrad scatter scatteradd scattercombiner "
    "scatterelements scatternd scatterupdate sparsetodense tensorscatteradd tensorscatterupdate "
    "unsortedsegmentsum",
  [GOBAN_OP_SHAPE] =
    "arange broadcastargs broadcastgradientargs concatoffset constantofshape eyelike "
    "getdimensionsize iota linspace oneslike range rank shape shapen size zeroslike",
  [GOBAN_OP_LOSS] =
    "bcewithlogitsloss crossentropy crossentropyloss ctcloss l2loss loss losses mseloss "
    "negativeloglikelihoodloss nllloss sigmoidcrossentropywithlogits "
    "simplecrossentropylossbackwardadd simplecrossentropylossforwardadd "
    "simplecrossentropylossforwardmax softmaxcrossentropy softmaxcrossentropyloss "
    "softmaxcrossentropywithlogits sparsesoftmaxcrossentropy sparsesoftmaxcrossentropywithlogits",
  [GOBAN_OP_OPTIMIZER] =
    "adadelta adagrad adam adamoptimizer adamw apply applyadagrad applyadam applyftrl "
    "applygradientdescent applymomentum applyrmsprop ftrl fusedadam lamb lamboptimizer momentum "
    "momentumoptimizer optimizer rmsprop sgd sgdoptimizer update",
  [GOBAN_OP_ASSIGN] =
    "assign assignadd assignaddvariableop assignsub assignsubvariableop assignvariable "
    "assignvariableop increment",
  [GOBAN_OP_VARIABLE] =
    "bias kernel param parameter savedinvstdvar savedmean state temporaryvariable varhandle "
    "varhandleop variable varisinitializedop weight weights",
  [GOBAN_OP_READ] =
    "read readvariable readvariableop",
  [GOBAN_OP_CONSTANT] =
    "const constant hostconst immutableconst literal",
  [GOBAN_OP_INPUT] =
    "arg data feed hidden infeed input inputlayer iterator iteratorgetnext oneshotiterator output "
    "placeholder placeholderwithdefault queuedequeue randomdataset result return retval",
  [GOBAN_OP_CAST] =
    "astype cast castlike complex convert dequantize dequantizelinear dynamicquantizelinear "
    "fakequant imag quantize quantizelinear quantizev real to",
  [GOBAN_OP_IDENTITY] =
    "alias checknumerics debugidentity ensureshape gettupleelement identity identityn noopcopy "
    "optimizationbarrier preventgradient snapshot stopgradient tuple",
  [GOBAN_OP_CONTROL] =
    "afterall aftercall assert call conditional controltrigger customcall enter exit fusion if "
    "loop loopcond map merge nextiteration noop partitionedcall partitionid print replicaid scan "
    "statefulpartitionedcall switch while",
  [GOBAN_OP_TRANSFER] =
    "allgather allreduce allreducedone allreducestart alltoall collectivegather collectivepermute "
    "collectivereduce copydone copystart hostrecv hostsend memcpy memcpydtoh memcpyhtod "
    "ncclallreduce ncclbroadcast outfeed receive recv recvdone reducescatter send senddone",
};
/* clang-format on */

typedef struct
{
  const char *word;
  GobanOpKind kind;
} Rule;

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

/* The words and their kinds, made once. */
static GHashTable *
get_kinds (void)
{
  static GHashTable *kinds;
  static gsize is_ready;

  if (!g_once_init_enter (&is_ready))
    return kinds;
  kinds = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint k = 0; k < GOBAN_OP_OTHER; k++)
    {
      /* Words of a gradient follow from those of its op. */
      char **words = g_strsplit (words_of[k] != NULL ? words_of[k] : "", " ", -1);

      for (guint i = 0; words[i] != NULL; i++)
        g_hash_table_insert (kinds, words[i], GUINT_TO_POINTER (k));
      g_free (words);
    }
  g_once_init_leave (&is_ready, 1);
  return kinds;
}

static GobanOpKind
find_exact (const char *word)
{
  gpointer kind;

  return g_hash_table_lookup_extended (get_kinds (), word, NULL, &kind) ? GPOINTER_TO_UINT (kind)
                                                                        : GOBAN_OP_OTHER;
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
goban_op_kind_get_words (GobanOpKind kind)
{
  return words_of[kind];
}
