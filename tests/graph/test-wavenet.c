/* WaveNet against formulas of its layers. */
#include "tests/graph/workload-probe.h"
#include "tests/support/test-program.h"

#define LEVELS 256.0

typedef struct
{
  const char *spec;
  double layers;
  double width;
  double skip;
  double samples; /* steps x batch */
} Row;

static const Row rows[] = {
  { "wavenet", 18, 512, 256, 4 * 8192 },
  { "wavenet:stacks=4,layers=36", 36, 512, 256, 4 * 8192 },
  { "wavenet:layers=3,steps=1000,batch=1,width=32,skip=16", 3, 32, 16, 1000 },
};

/* Of all convolutions for one sample: two taps before and in the gates, one elsewhere; the last
 * layer has no residual. */
static double
macs_per_sample (const Row *row)
{
  double per_layer = 4 * row->width * row->width + row->width * row->skip;

  return 2 * LEVELS * row->width + row->layers * per_layer
         + (row->layers - 1) * row->width * row->width + row->skip * row->skip + row->skip * LEVELS;
}

static double
biases (const Row *row)
{
  return row->width + row->layers * (2 * row->width + row->skip) + (row->layers - 1) * row->width
         + row->skip + LEVELS;
}

/* A dilation reads some more samples than it writes where they do not divide: not in the others. */
static void
test_formula (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GobanGraph) graph = probe_generate (row->spec);
  double macs = probe_macs (graph, GOBAN_PHASE_FORWARD);

  g_assert_cmpfloat (probe_params (graph), ==, macs_per_sample (row) + biases (row));
  g_assert_cmpfloat (macs, ==, macs_per_sample (row) * row->samples);
  probe_training (graph, "ResourceApplyAdam");

  /* All but the input of the first convolution have both gradients. */
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_BACKWARD), ==,
                     2 * macs - 2 * LEVELS * row->width * row->samples);
}

/* Dilations double in a stack and begin again in the next; lengths stay. */
static void
test_dilations (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("wavenet:stacks=2,layers=18,batch=1,steps=1000");

  for (guint stack = 1; stack <= 2; stack++)
    for (guint layer = 1; layer <= 9; layer++)
      {
        gint64 dilation = 1 << (layer - 1);
        g_autofree char *out = g_strdup_printf ("stack_%u/layer_%u/gate/BiasAdd", stack, layer);
        g_autofree char *in = g_strdup_printf ("stack_%u/layer_%u/gate/%s", stack, layer,
                                               dilation > 1 ? "SpaceToBatchND" : "Pad");
        const GobanTensor *read = probe_output (graph, in);

        g_assert_cmpint (probe_output (graph, out)->dims[2], ==, 1000);
        g_assert_cmpint (read->dims[0], ==, dilation);
        g_assert_cmpint (read->dims[2], ==, (1000 + dilation + dilation - 1) / dilation);
      }
  g_assert_cmpuint (probe_count (graph, "SpaceToBatchND"), ==, 4 * 2 * 8);
  g_assert_cmpuint (probe_count (graph, "BatchToSpaceND"), ==, 4 * 2 * 8);
}

/* Layers that do not divide evenly: as equal as can be, the later stacks the longer. */
static void
test_stacks_share_layers (void)
{
  g_autoptr (GobanGraph) graph
      = probe_generate ("wavenet:stacks=3,layers=8,batch=1,steps=64,mode=inference");

  g_assert_cmpuint (goban_graph_find_node (graph, "stack_1/layer_2/Tanh"), !=, GOBAN_NO_NODE);
  g_assert_cmpuint (goban_graph_find_node (graph, "stack_1/layer_3/Tanh"), ==, GOBAN_NO_NODE);
  g_assert_cmpuint (goban_graph_find_node (graph, "stack_3/layer_3/Tanh"), !=, GOBAN_NO_NODE);
  g_assert_cmpuint (probe_count (graph, "Tanh"), ==, 8);
}

static void
test_time_and_coarse (void)
{
  g_autoptr (GobanGraph) small = probe_generate ("wavenet");
  g_autoptr (GobanGraph) large = probe_generate ("wavenet:stacks=4,layers=36");

  probe_coarse (small, "wavenet:granularity=coarse");
  probe_coarse (large, "wavenet:stacks=4,layers=36,granularity=coarse");
  probe_step_time (small, 0.1, 1);
  probe_step_time (large, 0.2, 2);
}

TEST_PROGRAM (wavenet)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/workloads/wavenet/formula-%zu", i);

      g_test_add_data_func (path, &rows[i], test_formula);
    }
  g_test_add_func ("/workloads/wavenet/dilations", test_dilations);
  g_test_add_func ("/workloads/wavenet/stacks-share-layers", test_stacks_share_layers);
  g_test_add_func ("/workloads/wavenet/time-and-coarse", test_time_and_coarse);
  return g_test_run ();
}
