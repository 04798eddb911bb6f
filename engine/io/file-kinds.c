#include "engine/io/file-kinds.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/protobuf-kinds.h"

#include <string.h>

/* Bytes of a text or of an archive in which names are searched. */
#define SEARCHED_BYTES 65536

typedef struct
{
  gsize offset;
  const char *magic;
  gsize n; /* bytes of it */
  const char *kind;
  const char *advice;
} Magic;

#define AT(offset, magic, kind, advice)                                                            \
  {                                                                                                \
    offset, magic, sizeof magic - 1, kind, advice                                                  \
  }

static const Magic magics[] = {
  AT (0, "\x1f\x8b", N_ ("a gzip file"), N_ ("unpack it first (gunzip)")),
  AT (0, "\x28\xb5\x2f\xfd", N_ ("a Zstandard file"), N_ ("unpack it first (unzstd)")),
  AT (0, "\xfd\x37zXZ\0", N_ ("an xz file"), N_ ("unpack it first (unxz)")),
  AT (0, "BZh", N_ ("a bzip2 file"), N_ ("unpack it first (bunzip2)")),
  AT (257, "ustar", N_ ("a tar archive"), N_ ("unpack it first (tar -xf)")),
  AT (4, "TFL3", N_ ("a TensorFlow Lite model"),
      N_ ("export its graph with Model Explorer, or use the TensorFlow model it was made from")),
  AT (0, "\x89HDF\r\n\x1a\n", N_ ("an HDF5 file, perhaps of Keras"),
      N_ ("save the model as a SavedModel or as ONNX")),
  AT (0, "GGUF", N_ ("a GGUF file"), N_ ("it has weights, but no graph")),
  AT (0, "\x93NUMPY", N_ ("a NumPy array"), N_ ("it has no graph")),
  AT (0, "ML\xef\x52", N_ ("MLIR bytecode"), N_ ("convert it to HLO text or ONNX")),
  AT (0, "SQLite format 3", N_ ("an SQLite database"), N_ ("it has no graph")),
  AT (0, "\x89PNG\r\n", N_ ("a picture"), N_ ("it has no graph")),
  AT (0, "%PDF-", N_ ("a PDF document"), N_ ("it has no graph")),
  AT (0, "version https://git-lfs.github.com/spec/", N_ ("a Git LFS pointer, not the file itself"),
      N_ ("fetch the file (git lfs pull)")),
  AT (0, "version https://hawser.github.com/spec/", N_ ("a Git LFS pointer, not the file itself"),
      N_ ("fetch the file (git lfs pull)")),
};

#define PYTORCH_TRACE N_ ("an execution trace of PyTorch (ExecutionTraceObserver)")
#define PYTORCH_ADVICE                                                                             \
  N_ ("convert it to a Chakra trace (chakra_trace_link, then chakra_converter), or export the "    \
      "model "                                                                                     \
      "as ONNX")

#define WEB_PAGE N_ ("a web page, not the file itself")
#define DOWNLOAD N_ ("download the file itself (raw)")
#define NO_GRAPH N_ ("it has no graph")
#define KERAS_CONFIG N_ ("a model's configuration by Keras")
#define SAVE_KERAS N_ ("save the model as a SavedModel or as ONNX")
#define PRINTED_PYTORCH N_ ("a printed graph of PyTorch")
#define SAVE_PYTORCH                                                                               \
  N_ ("save the exported program (torch.export.save), or export the model as ONNX")
#define RELAY N_ ("Relay text of TVM")
#define TEXT_ONNX N_ ("an ONNX model as text")
#define SAVE_ONNX N_ ("save it in the binary form (onnx.save)")
#define MODEL_ORIGIN N_ ("use the model it was made from, or export that as ONNX")
#define WRITE_DOT N_ ("write it as DOT")

/* Something inside the first bytes of a file that starts with @start. */
static const struct
{
  const char *start;
  const char *inside;
  const char *kind;
  const char *advice;
} contents[] = {
  { "PK\3\4", "data/aotinductor/", N_ ("a compiled model of PyTorch (AOTInductor)"),
    N_ ("save the exported program (torch.export.save)") },
  { "PK\3\4", "data.pkl", N_ ("a PyTorch file (.pt, .pth)"),
    N_ ("export the model as ONNX (torch.onnx.export)") },
  { "PK\3\4", "config.json", N_ ("a Keras model (.keras)"), SAVE_KERAS },
  { "PK\3\4", "", N_ ("a zip archive"), N_ ("unpack it first (unzip)") },
  { "{", "\"traceEvents\"", N_ ("a Chrome trace"),
    N_ ("it has times of a run, but no graph to place") },
  { "[", "\"ph\"", N_ ("a Chrome trace"), N_ ("it has times of a run, but no graph to place") },
  { "{", "\"rf_id\"", PYTORCH_TRACE, PYTORCH_ADVICE },
  { "{", "\"ctrl_deps\"", PYTORCH_TRACE, PYTORCH_ADVICE },
  { "{", "[pytorch|profiler|execution_", PYTORCH_TRACE, PYTORCH_ADVICE },
  { "{", "\"goban_plan\"", N_ ("a plan, not a graph"),
    N_ ("open the graph first, then the plan (goban-cli simulate GRAPH --plan FILE)") },
  { "{", "\"modelTopology\"", N_ ("a model of TensorFlow.js"), MODEL_ORIGIN },
  { "{", "\"keras_version\"", KERAS_CONFIG, SAVE_KERAS },
  { "{", "\"class_name\"", KERAS_CONFIG, SAVE_KERAS },
  { "{", "\"arg_nodes\"", N_ ("a graph of MXNet or TVM"), MODEL_ORIGIN },
  { "{ lambda", "", N_ ("a jaxpr of JAX"),
    N_ ("save XLA's module (jax.jit(f).lower(…).compile().as_text())") },
  { "<!DOCTYPE html", "", WEB_PAGE, DOWNLOAD },
  { "<!doctype html", "", WEB_PAGE, DOWNLOAD },
  { "<html", "", WEB_PAGE, DOWNLOAD },
  { "404: Not Found", "", N_ ("a server's answer, not the file itself"), DOWNLOAD },
  { "<", "<net ", N_ ("a model of OpenVINO"),
    N_ ("use the ONNX or TensorFlow model it was made from") },
  { "<", "<svg", N_ ("a picture"), NO_GRAPH },
  { "<", "<graphml", "GraphML", N_ ("convert it to DOT (graphml2gv)") },
  { "<", "<gexf", "GEXF", WRITE_DOT },
  { "<", "<adag", N_ ("a workflow of Pegasus (DAX)"), WRITE_DOT },
  { "<", "ir_version:", TEXT_ONNX, SAVE_ONNX },
  { "graph [", "", "GML", N_ ("convert it to DOT (gml2gv)") },
  { "graph(", "", PRINTED_PYTORCH, SAVE_PYTORCH },
  { "class GraphModule(", "", PRINTED_PYTORCH, SAVE_PYTORCH },
  { "ExportedProgram:", "", PRINTED_PYTORCH, SAVE_PYTORCH },
  { "#[version", "def @", RELAY, MODEL_ORIGIN },
  { "def @", "Tensor[(", RELAY, MODEL_ORIGIN },
  { "fn (", "Tensor[(", RELAY, MODEL_ORIGIN },
  { "[net]", "", N_ ("a model of Darknet"), N_ ("convert it to ONNX") },
  { "7767517", "", N_ ("a model of ncnn"), MODEL_ORIGIN },
  { "version 1.0;", "graph ", "NNEF", MODEL_ORIGIN },
  { "", "func.func", N_ ("MLIR text"), N_ ("convert it to HLO text or ONNX") },
  { "", "op_type: \"", TEXT_ONNX, SAVE_ONNX },
  { "", "bottom: \"", N_ ("a network of Caffe"), N_ ("convert it to ONNX") },
  { "", "Self CPU %", N_ ("a table of PyTorch's profiler"),
    N_ ("save the trace instead (export_chrome_trace)") },
};

static gboolean
refuse (const char *origin, const char *kind, const char *advice, GError **error)
{
  goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: this is %s: %s", origin, _ (kind), _ (advice));
  return TRUE;
}

/* The length of a header in JSON, then that header. */
static gboolean
is_safetensors (const char *data, gsize size)
{
  guint64 n;

  if (size < 10)
    return FALSE;
  memcpy (&n, data, sizeof n);
  n = GUINT64_FROM_LE (n);
  return n >= 2 && n <= size - 8 && data[8] == '{' && data[9] == '"';
}

/* Protocol 2 and later, to the dot at the end. */
static gboolean
is_pickle (const char *data, gsize size)
{
  return size > 3 && data[0] == '\x80' && data[1] >= 2 && data[1] <= 5 && data[size - 1] == '.';
}

gboolean
goban_file_kind_refuse (const char *data, gsize size, const char *origin, GError **error)
{
  gsize n = MIN (size, SEARCHED_BYTES);
  gsize start = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (magics); i++)
    if (size >= magics[i].offset + magics[i].n
        && memcmp (data + magics[i].offset, magics[i].magic, magics[i].n) == 0)
      return refuse (origin, magics[i].kind, magics[i].advice, error);
  if (is_safetensors (data, size))
    return refuse (origin, N_ ("a safetensors file"), N_ ("it has weights, but no graph"), error);
  if (is_pickle (data, size))
    return refuse (origin, N_ ("a Python pickle, perhaps of PyTorch"),
                   N_ ("export the model as ONNX (torch.onnx.export)"), error);
  if (goban_protobuf_fits (&goban_probe_xspace, (const guint8 *) data, size))
    return refuse (origin, N_ ("a profile of TensorFlow or JAX (XPlane)"),
                   N_ ("it has times of a run, but no graph to place; XLA's dump of the module "
                       "(--xla_dump_to) has one"),
                   error);
  while (start < n && g_ascii_isspace (data[start]))
    start++;
  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      gsize length = strlen (contents[i].start);

      /* memmem: archives have zero bytes, before which g_strstr_len() would stop. */
      if (n - start >= length && memcmp (data + start, contents[i].start, length) == 0
          && memmem (data + start, n - start, contents[i].inside, strlen (contents[i].inside)))
        return refuse (origin, contents[i].kind, contents[i].advice, error);
    }
  return FALSE;
}
