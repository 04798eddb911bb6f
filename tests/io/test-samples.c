/* samples/ holds what the script writes, and gives the counts its README states. */
#include <glib/gstdio.h>

#include "engine/core/file-read.h"
#include "engine/io/formats.h"
#include "tests/io/onnx-make.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

typedef struct
{
  const char *file;
  guint n_nodes;
  guint n_edges;
  double params;
  double macs;
} Sample;

static const Sample samples[] = {
  { "inception-v3", 313, 347, 23869000, 5713216096 },
  { "resnet-50", 175, 190, 25610152, 4089184256 },
};

static GobanGraph *
read_sample (const char *file, const GobanReadOptions *options)
{
  g_autofree char *name = g_strdup_printf ("samples/%s.onnx", file);
  g_autofree char *path = project_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_GRAPH, &error);
  GobanGraph *graph;
  const char *data;
  gsize size;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  g_assert_cmpuint (size, <, 200000);
  graph = goban_format_onnx.read (data, size, path, options, &error);
  g_assert_no_error (error);
  return graph;
}

static void
test_counts (gconstpointer data)
{
  const Sample *sample = data;
  g_autoptr (GobanGraph) graph = read_sample (sample->file, NULL);
  double macs = onnx_make_sum_macs (graph);

  g_test_message ("%s: %u nodes, %u edges, %.0f parameters, %.0f MACs", sample->file,
                  goban_graph_get_n_nodes (graph), goban_graph_get_n_edges (graph),
                  onnx_make_sum_params (graph), macs);
  g_assert_cmpstr (goban_graph_get_name (graph), ==, sample->file);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, sample->n_nodes);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, sample->n_edges);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, sample->params);
  g_assert_cmpfloat (macs, ==, sample->macs);
  g_assert_null (goban_graph_get_warnings (graph)[0]);
  for (guint i = 0; i < goban_graph_get_n_tensors (graph); i++)
    g_assert_cmpfloat (goban_graph_get_tensor (graph, i)->size_bytes, >, 0);
}

static void
test_batch (gconstpointer data)
{
  const Sample *sample = data;
  const GobanReadOptions options = { .batch = 32 };
  g_autoptr (GobanGraph) graph = read_sample (sample->file, &options);

  g_assert_cmpfloat (onnx_make_sum_macs (graph), ==, 32 * sample->macs);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, sample->params);
}

/* 740 and 840 us side by side between 10 and 220: two devices clearly beat one. */
static void
test_toy (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  double sum_us = 0;
  guint kind;

  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_format (graph), ==, "dot");
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 12);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 14);
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 12);
  g_assert_null (goban_graph_get_warnings (graph)[0]);
  kind = goban_graph_find_kind (graph, "gpu");
  for (guint i = 0; i < 12; i++)
    sum_us += goban_graph_get_time_us (graph, i, kind);
  g_assert_cmpfloat (sum_us, ==, 1810);
}

static void
assert_same (const char *folder, const char *file)
{
  g_autofree char *name = g_strdup_printf ("samples/%s", file);
  g_autofree char *shipped = project_path (name);
  g_autofree char *made = g_build_filename (folder, file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) a = goban_file_read (shipped, GOBAN_FILE_GRAPH, &error);
  g_autoptr (GBytes) b = NULL;

  g_assert_no_error (error);
  b = goban_file_read (made, GOBAN_FILE_GRAPH, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (a, b));
  g_unlink (made);
}

static void
test_reproduced (void)
{
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *script = project_path ("scripts/dev/make-samples.py");
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (python == NULL)
    {
      g_test_skip ("no python3");
      return;
    }
  folder = g_dir_make_tmp ("goban-samples-XXXXXX", &error);
  g_assert_no_error (error);
  {
    char *argv[] = { python, script, folder, NULL };

    g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  }
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL)); /* python has said why */
  assert_same (folder, "inception-v3.onnx");
  assert_same (folder, "resnet-50.onnx");
  assert_same (folder, "toy.dot");
  g_rmdir (folder);
}

TEST_PROGRAM (samples)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *counts = g_strdup_printf ("/samples/counts/%s", samples[i].file);
      g_autofree char *batch = g_strdup_printf ("/samples/batch/%s", samples[i].file);

      g_test_add_data_func (counts, &samples[i], test_counts);
      g_test_add_data_func (batch, &samples[i], test_batch);
    }
  g_test_add_func ("/samples/toy", test_toy);
  g_test_add_func ("/samples/reproduced", test_reproduced);

  return g_test_run ();
}
