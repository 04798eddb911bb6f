#include "engine/core/error.h"
#include "engine/io/file-kinds.h"
#include "engine/io/io.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

#define BYTES(text) text, sizeof text - 1

/* What is said of each; NULL: nothing is known of it. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *data;
    gsize size;
    const char *message;
  } cases[] = {
    { BYTES ("\x1f\x8b\b\0"), "x: this is a gzip file: unpack it first (gunzip)" },
    { BYTES ("\x28\xb5\x2f\xfd"), "x: this is a Zstandard file: unpack it first (unzstd)" },
    { BYTES ("PK\3\4\0\0archive/data.pkl"),
      "x: this is a PyTorch file (.pt, .pth): export the model as ONNX (torch.onnx.export)" },
    { BYTES ("PK\3\4\0\0m/data/aotinductor/model/x.so"),
      "x: this is a compiled model of PyTorch (AOTInductor): save the exported program "
      "(torch.export.save)" },
    { BYTES ("PK\3\4\0\0metadata.json\0config.json"),
      "x: this is a Keras model (.keras): save the model as a SavedModel or as ONNX" },
    { BYTES ("PK\3\4\0\0a.txt"), "x: this is a zip archive: unpack it first (unzip)" },
    { BYTES (" {\"schemaVersion\": 1, \"traceEvents\": []}"),
      "x: this is a Chrome trace: it has times of a run, but no graph to place" },
    { BYTES ("[{\"ph\": \"X\"}]"),
      "x: this is a Chrome trace: it has times of a run, but no graph to place" },
    { BYTES ("\x09\0\0\0\0\0\0\0{\"a\": {}}"),
      "x: this is a safetensors file: it has weights, but no graph" },
    { BYTES ("\x1c\0\0\0TFL3"),
      "x: this is a TensorFlow Lite model: export its graph with Model Explorer, or use the "
      "TensorFlow model it was made from" },
    { BYTES ("\x80\x02}q\1."),
      "x: this is a Python pickle, perhaps of PyTorch: export the model as ONNX "
      "(torch.onnx.export)" },
    { BYTES ("\x89HDF\r\n\x1a\n"),
      "x: this is an HDF5 file, perhaps of Keras: save the model as a SavedModel or as ONNX" },
    { BYTES ("module @jit_f {\n  func.func public @main"),
      "x: this is MLIR text: convert it to HLO text or ONNX" },
    { BYTES ("version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 4\n"),
      "x: this is a Git LFS pointer, not the file itself: fetch the file (git lfs pull)" },
    { BYTES ("{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 1, \"nodes\": [{\"id\": 1, \"name\": "
             "\"a\", \"ctrl_deps\": 1}]}"),
      "x: this is an execution trace of PyTorch (ExecutionTraceObserver): convert it to a Chakra "
      "trace (chakra_trace_link, then chakra_converter), or export the model as ONNX" },
    { BYTES ("\x0a\x19\x08\x01\x12\x09/host:CPU\x1a\x0a\x08\x01\x12\x04main\x22\x00"),
      "x: this is a profile of TensorFlow or JAX (XPlane): it has times of a run, but no graph to "
      "place; XLA's dump of the module (--xla_dump_to) has one" },
    /* The same, the plane's name and lines before its number. */
    { BYTES ("\x0a\x19\x1a\x0a\x22\x00\x12\x04main\x08\x01\x12\x09/host:CPU\x08\x01"),
      "x: this is a profile of TensorFlow or JAX (XPlane): it has times of a run, but no graph to "
      "place; XLA's dump of the module (--xla_dump_to) has one" },
    { BYTES ("{\n  \"goban_plan\": 1}"),
      "x: this is a plan, not a graph: open the graph first, then the plan (goban-cli simulate "
      "GRAPH --plan FILE)" },
    { BYTES ("{\"modelTopology\": {\"keras_version\": \"2\"}}"),
      "x: this is a model of TensorFlow.js: use the model it was made from, or export that as "
      "ONNX" },
    { BYTES ("{\"class_name\": \"Sequential\"}"),
      "x: this is a model's configuration by Keras: save the model as a SavedModel or as ONNX" },
    { BYTES ("{\"nodes\": [], \"arg_nodes\": []}"),
      "x: this is a graph of MXNet or TVM: use the model it was made from, or export that as "
      "ONNX" },
    { BYTES ("\n\n<!DOCTYPE html>\n<html>"),
      "x: this is a web page, not the file itself: download the file itself (raw)" },
    { BYTES ("<net batch=\"1\"></net>"),
      "x: this is a model of OpenVINO: use the ONNX or TensorFlow model it was made from" },
    { BYTES ("<?xml version=\"1.0\"?>\n<graphml>"),
      "x: this is GraphML: convert it to DOT (graphml2gv)" },
    { BYTES ("graph(%x : Float(2)):\n"),
      "x: this is a printed graph of PyTorch: save the exported program (torch.export.save), or "
      "export the model as ONNX" },
    { BYTES ("#[version = \"0.0.5\"]\ndef @main() {}"),
      "x: this is Relay text of TVM: use the model it was made from, or export that as ONNX" },
    { BYTES ("#loc\nmodule {\n  func.func @f() }"),
      "x: this is MLIR text: convert it to HLO text or ONNX" },
    { BYTES ("graph {\n  node { input: \"X\" op_type: \"Relu\" } }"),
      "x: this is an ONNX model as text: save it in the binary form (onnx.save)" },
    { BYTES ("layer {\n  bottom: \"data\"\n}"),
      "x: this is a network of Caffe: convert it to ONNX" },
    { BYTES ("---\n Name   Self CPU %   Self CPU\n"),
      "x: this is a table of PyTorch's profiler: save the trace instead (export_chrome_trace)" },
    { BYTES ("\x1f"), NULL },
    { BYTES ("hello"), NULL },
    { BYTES ("{}"), NULL },
    { BYTES ("\xff\xff\xff\xff\xff\xff\xff\xff{\"a\""), NULL },
    { "", 0, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_known = goban_file_kind_refuse (cases[i].data, cases[i].size, "x", &error);

      g_assert_cmpint (is_known, ==, cases[i].message != NULL);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].message);
    }
}

/* Opening such a file says it, too. */
static void
test_load (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("goban-XXXXXX.npy", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, "\x93NUMPY", 6, NULL));
  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "this is a NumPy array"));
  g_assert_true (g_str_has_prefix (error->message, path));
  g_unlink (path);
}

/* Packed files are unpacked first: a graph opens, and an archive is still named. */
static void
test_real (void)
{
  g_autofree char *archive = shared_data_path ("chakra/json_trace.tar.gz");
  g_autofree char *model = shared_data_path ("model-explorer/coco-ssd.json.gz");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  if (archive == NULL || model == NULL)
    return;
  g_assert_null (goban_graph_load (archive, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "this is a tar archive: unpack it first"));
  g_clear_error (&error);
  graph = goban_graph_load (model, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 304);
}

TEST_PROGRAM (file_kinds)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/file-kinds/named", test_kinds);
  g_test_add_func ("/io/file-kinds/loaded", test_load);
  g_test_add_func ("/io/file-kinds/real-files", test_real);
  return g_test_run ();
}
