/* The light models of the ONNX project against the values that are known of them. */
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/io/formats.h"
#include "tests/io/onnx-make.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

typedef struct
{
  const char *file;
  guint n_nodes; /* with constants */
  guint n_edges;
  guint n_computing; /* nodes without constants */
  double made;       /* parameters that ConstantOfShape nodes stand for */
  double stored;     /* parameters stored in the file */
  double macs;
} Model;

/* 25.608 M, 6.997 M, 11.230 M and 1.235 M parameters are made; a few short vectors are
 * stored and are parameters no less. */
static const Model models[] = {
  { "resnet50", 415, 430, 176, 25608360, 1792, 4.089e9 },
  { "inception_v1", 237, 263, 144, 6997480, 1072, 1.432e9 },
  { "inception_v2", 916, 943, 509, 11229992, 4800, 2.019e9 },
  { "squeezenet", 105, 112, 66, 1234856, 640, 0.349e9 },
};

/* NULL, with the test skipped, where the file is not there. */
static GobanGraph *
read_light (const Model *model, const GobanReadOptions *options)
{
  g_autofree char *name = g_strdup_printf ("onnx/light_%s.onnx", model->file);
  g_autofree char *path = shared_data_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GobanGraph *graph;
  const char *data;
  gsize size;

  if (path == NULL)
    return NULL;
  bytes = goban_file_read (path, GOBAN_FILE_GRAPH, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  g_assert_cmpint (goban_format_onnx.sniff (data, MIN (size, 4096), "x"), >=, 90);
  graph = goban_format_onnx.read (data, size, path, options, &error);
  g_assert_no_error (error);
  return graph;
}

static guint
count_op (const GobanGraph *graph, const char *op)
{
  guint n = 0;

  for (guint i = 0; i < goban_graph_get_n_nodes (graph); i++)
    n += g_str_equal (goban_graph_get_node (graph, i)->op, op);
  return n;
}

static void
assert_all_shapes (const GobanGraph *graph)
{
  for (guint i = 0; i < goban_graph_get_n_tensors (graph); i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, i);

      g_assert_true (tensor->has_shape);
      g_assert_cmpfloat (tensor->size_bytes, >, 0);
    }
}

static void
test_folded (gconstpointer data)
{
  const Model *model = data;
  g_autoptr (GobanGraph) graph = read_light (model, NULL);

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, model->n_computing);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==,
                    model->n_edges - (model->n_nodes - model->n_computing));
  g_assert_cmpuint (count_op (graph, "ConstantOfShape"), ==, 0);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, model->made + model->stored);
  g_assert_cmpfloat_with_epsilon (onnx_make_sum_macs (graph), model->macs, 0.0005e9);
  g_assert_true (onnx_make_has_warning (graph, "a light file"));
  assert_all_shapes (graph);
}

static void
test_kept (gconstpointer data)
{
  const Model *model = data;
  const GobanReadOptions options = { .keep_constants = TRUE };
  g_autoptr (GobanGraph) graph = read_light (model, &options);
  double made = 0;

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, model->n_nodes);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, model->n_edges);
  g_assert_cmpuint (count_op (graph, "ConstantOfShape"), ==, model->n_nodes - model->n_computing);
  for (guint i = 0; i < goban_graph_get_n_nodes (graph); i++)
    {
      const GobanNode *node = goban_graph_get_node (graph, i);

      if (g_str_equal (node->op, "ConstantOfShape"))
        made += node->param_count;
    }
  g_assert_cmpfloat (made, ==, model->made);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, model->made + model->stored);
  g_assert_cmpfloat_with_epsilon (onnx_make_sum_macs (graph), model->macs, 0.0005e9);
}

static double
sum_bytes (const GobanGraph *graph)
{
  double sum = 0;

  for (guint i = 0; i < goban_graph_get_n_tensors (graph); i++)
    sum += goban_graph_get_tensor (graph, i)->size_bytes;
  return sum;
}

/* Eight images take eight times the work and the activations, and the same weights. The
 * reshape before the classifier says "1 x 2048" in the file. */
static void
test_batch (gconstpointer data)
{
  const Model *model = data;
  const GobanReadOptions options = { .batch = 8 };
  g_autoptr (GobanGraph) one = read_light (model, NULL);
  g_autoptr (GobanGraph) eight = NULL;
  double of_weights = 0;

  if (one == NULL)
    return;
  eight = read_light (model, &options);
  g_assert_cmpfloat (onnx_make_sum_macs (eight), ==, 8 * onnx_make_sum_macs (one));
  g_assert_cmpfloat (onnx_make_sum_params (eight), ==, onnx_make_sum_params (one));
  assert_all_shapes (eight);

  /* The Inceptions reshape weights, which know no batch: nodes that read no other node. */
  for (guint i = 0; i < goban_graph_get_n_nodes (one); i++)
    if (!g_str_equal (goban_graph_get_node (one, i)->op, "Conv")
        && goban_graph_get_in_edges (one, i).n == 0)
      of_weights += goban_graph_get_output_bytes (one, i);
  g_assert_cmpfloat (sum_bytes (eight) - of_weights, ==, 8 * (sum_bytes (one) - of_weights));
}

/* A batch with which sizes overflow would leave tensors without one. */
static void
test_too_large_batch (void)
{
  const GobanReadOptions options = { .batch = G_MAXINT64 };
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graph_load (path, NULL, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (
      strstr (error->message,
              "a batch of 9223372036854775807 is out of range; it may be at most 1000000000"));
}

TEST_PROGRAM (onnx_models)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/onnx-models/too-large-batch", test_too_large_batch);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *folded = g_strdup_printf ("/onnx-models/folded/%s", models[i].file);
      g_autofree char *kept = g_strdup_printf ("/onnx-models/kept/%s", models[i].file);
      g_autofree char *batch = g_strdup_printf ("/onnx-models/batch/%s", models[i].file);

      g_test_add_data_func (folded, &models[i], test_folded);
      g_test_add_data_func (kept, &models[i], test_kept);
      g_test_add_data_func (batch, &models[i], test_batch);
    }

  return g_test_run ();
}
