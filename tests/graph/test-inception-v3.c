/* Inception-v3 against the published figures and, convolution by convolution, against the sample
 * that was made independently of it. */
#include "engine/core/file-read.h"
#include "engine/io/formats.h"
#include "tests/graph/workload-probe.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* torchvision's inception_v3, without and with the auxiliary head; its batch normalisations have a
 * scale per channel, which slim's have not. */
#define TORCHVISION_PARAMS 23834568.0
#define TORCHVISION_AUX_PARAMS 27161264.0
#define SCALES 17216.0
#define AUX_SCALES (128.0 + 768.0)

/* Ops of the same model in Mirhoseini et al., A Hierarchical Model for Device Placement, 2018. */
#define PUBLISHED_OPS 24713.0

static void
test_parameters (void)
{
  g_autoptr (GobanGraph) inference = probe_generate ("inception-v3:mode=inference");
  g_autoptr (GobanGraph) training = probe_generate ("inception-v3");

  g_assert_cmpfloat (probe_params (inference) + SCALES, ==, TORCHVISION_PARAMS);
  g_assert_cmpfloat (probe_params (training) + SCALES + AUX_SCALES, ==, TORCHVISION_AUX_PARAMS);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The MACs of all convolutions and products, ascending. */
static GArray *
gather_macs (const GobanGraph *graph)
{
  GArray *macs = g_array_new (FALSE, FALSE, sizeof (double));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->macs > 0)
      g_array_append_val (macs, goban_graph_get_node (graph, v)->macs);
  g_array_sort (macs, compare_doubles);
  return macs;
}

static void
test_same_as_sample (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_TEXT, &error);
  g_autoptr (GobanGraph) graph = probe_generate ("inception-v3:mode=inference,batch=1");
  g_autoptr (GobanGraph) sample = NULL;
  g_autoptr (GArray) ours = gather_macs (graph);
  g_autoptr (GArray) theirs = NULL;
  gsize size;
  const char *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  sample = goban_format_onnx.read (data, size, path, NULL, &error);
  g_assert_no_error (error);
  theirs = gather_macs (sample);

  g_assert_cmpuint (ours->len, ==, 95);
  g_assert_cmpuint (theirs->len, ==, ours->len);
  for (guint i = 0; i < ours->len; i++)
    g_assert_cmpfloat (g_array_index (ours, double, i), ==, g_array_index (theirs, double, i));

  /* The published 5.7 G; and the sample's parameters but for scales and running statistics. */
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_FORWARD), ==, 5713216096.0);
  g_assert_cmpfloat (probe_params (graph) + 3 * SCALES, ==, probe_params (sample));
}

static void
test_number_of_ops (void)
{
  g_autoptr (GobanGraph) b32 = probe_generate ("inception-v3:batch=32");
  g_autoptr (GobanGraph) b64 = probe_generate ("inception-v3:batch=64");
  double n = goban_graph_get_n_nodes (b32);

  g_assert_cmpfloat (fabs (n / PUBLISHED_OPS - 1), <, 0.05);
  probe_same_structure (b32, b64);
  g_assert_cmpfloat (probe_macs (b64, GOBAN_PHASE_FORWARD), ==,
                     2 * probe_macs (b32, GOBAN_PHASE_FORWARD));
}

/* Each product has two gradients of its size, but for the first, whose input is the image. */
static void
test_backward (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("inception-v3:batch=2");
  double first
      = goban_graph_get_node (graph, goban_graph_find_node (graph, "conv_1a/Conv2D"))->macs;

  g_assert_cmpfloat (first, ==, 2.0 * 149 * 149 * 32 * 27);
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_BACKWARD), ==,
                     2 * probe_macs (graph, GOBAN_PHASE_FORWARD) - first);
  probe_training (graph, "ResourceApplyRMSProp");
  g_assert_cmpuint (probe_count (graph, "Conv2D"), ==, 96);
  g_assert_cmpuint (probe_count (graph, "Conv2DBackpropFilter"), ==, 96);
  g_assert_cmpuint (probe_count (graph, "Conv2DBackpropInput"), ==, 95);
  g_assert_cmpuint (probe_count (graph, "AssignSubVariableOp"), ==, 2 * 96);
}

static void
test_shapes (void)
{
  static const struct
  {
    const char *name;
    gint64 size;
    gint64 n_maps;
  } rows[] = {
    { "conv_2a/Conv2D", 147, 32 },
    { "conv_4a/Conv2D", 71, 192 },
    { "mixed_5b/concat", 35, 256 },
    { "mixed_5c/concat", 35, 288 },
    { "mixed_6a/concat", 17, 768 },
    { "mixed_6e/concat", 17, 768 },
    { "mixed_7a/concat", 8, 1280 },
    { "mixed_7c/concat", 8, 2048 },
    { "mixed_5b/branch_2/conv_2/Conv2D", 35, 64 },
    { "aux_logits/conv_1/Conv2D", 5, 128 },
  };
  g_autoptr (GobanGraph) graph = probe_generate ("inception-v3:batch=2");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const GobanTensor *tensor = probe_output (graph, rows[i].name);

      g_assert_cmpuint (tensor->n_dims, ==, 4);
      g_assert_cmpint (tensor->dims[0], ==, 2);
      g_assert_cmpint (tensor->dims[1], ==, rows[i].size);
      g_assert_cmpint (tensor->dims[2], ==, rows[i].size);
      g_assert_cmpint (tensor->dims[3], ==, rows[i].n_maps);
    }
}

static void
test_repeats (void)
{
  g_autoptr (GobanGraph) a = probe_generate ("inception-v3:batch=3");
  g_autoptr (GobanGraph) b = probe_generate ("inception-v3:batch=3");

  g_assert_cmpuint (goban_graph_get_hash (a), ==, goban_graph_get_hash (b));
}

static void
test_time_and_coarse (void)
{
  g_autoptr (GobanGraph) b32 = probe_generate ("inception-v3");
  g_autoptr (GobanGraph) b64 = probe_generate ("inception-v3:batch=64");

  probe_coarse (b32, "inception-v3:granularity=coarse");
  probe_step_time (b32, 0.1, 0.5);
  probe_step_time (b64, 0.2, 1);
}

TEST_PROGRAM (inception_v3)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/inception-v3/parameters", test_parameters);
  g_test_add_func ("/workloads/inception-v3/same-as-sample", test_same_as_sample);
  g_test_add_func ("/workloads/inception-v3/number-of-ops", test_number_of_ops);
  g_test_add_func ("/workloads/inception-v3/backward", test_backward);
  g_test_add_func ("/workloads/inception-v3/shapes", test_shapes);
  g_test_add_func ("/workloads/inception-v3/repeats", test_repeats);
  g_test_add_func ("/workloads/inception-v3/time-and-coarse", test_time_and_coarse);
  return g_test_run ();
}
