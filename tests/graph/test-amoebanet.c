/* AmoebaNet-D against the parameters that GPipe published, and against sums over its layers. */
#include "tests/graph/workload-probe.h"
#include "tests/support/test-program.h"

#include <math.h>

/* Sums over the layers of the network, written down a second time without a graph. */
typedef struct
{
  double params;
  double macs; /* of one image */
  gint64 size; /* of the maps at hand, and of those a cell earlier */
  gint64 size_before;
  gint64 n_maps;
  gint64 n_maps_before;
  gint64 n_filters;
} Sums;

static void
add_conv (Sums *sums, gint64 n_in, gint64 n_out, gint64 window, gint64 size)
{
  double weights = (double) (n_in * n_out * window);

  sums->params += weights + 2 * (double) n_out;
  sums->macs += weights * (double) (size * size);
}

/* 1x1 to a quarter, windows, 1x1 back. */
static void
add_bottleneck (Sums *sums, gint64 window, guint n_windows, gint64 size_in, gint64 size)
{
  gint64 n = sums->n_filters;

  add_conv (sums, n, n / 4, 1, size_in);
  for (guint i = 0; i < n_windows; i++)
    add_conv (sums, n / 4, n / 4, window, size);
  add_conv (sums, n / 4, n, 1, size);
}

static void
add_cell (Sums *sums, gboolean reduces)
{
  gint64 size_in = sums->size;
  gint64 n;

  n = sums->n_filters *= reduces ? 2 : 1;
  add_conv (sums, sums->n_maps, n, 1, size_in);
  if (sums->size_before != size_in || sums->n_maps_before != n)
    add_conv (sums, sums->n_maps_before, n, 1, size_in);
  sums->size_before = size_in;
  sums->n_maps_before = sums->n_maps;

  if (reduces)
    {
      sums->size = (size_in + 1) / 2;
      add_bottleneck (sums, 9, 1, size_in, sums->size);
      add_bottleneck (sums, 7, 2, sums->size, sums->size);
      add_conv (sums, n, n, 1, sums->size);
      sums->n_maps = 3 * n;
      return;
    }
  for (guint i = 0; i < 2; i++)
    add_bottleneck (sums, 7, 2, size_in, size_in);
  for (guint i = 0; i < 3; i++)
    add_conv (sums, n, n, 1, size_in);
  sums->n_maps = 4 * n;
}

static Sums
sum_layers (gint64 n_layers, gint64 width, gint64 image)
{
  Sums sums = { .n_filters = width / 4, .n_maps = width / 4, .n_maps_before = width / 4 };

  sums.size = sums.size_before = (image + 1) / 2;
  add_conv (&sums, 3, width / 4, 9, sums.size);
  add_cell (&sums, TRUE);
  add_cell (&sums, TRUE);
  for (gint64 i = 0; i < n_layers; i++)
    {
      if (i == n_layers / 3 || i == 2 * n_layers / 3)
        add_cell (&sums, TRUE);
      add_cell (&sums, FALSE);
    }
  sums.params += (double) (sums.n_maps * 1000 + 1000);
  sums.macs += (double) (sums.n_maps * 1000);
  return sums;
}

typedef struct
{
  gint64 layers;
  gint64 width;
  double published; /* GPipe, table 1, as rounded there */
  double tolerance;
} Row;

static const Row rows[] = {
  { 18, 208, 82e6, 0.01 },   { 18, 416, 318e6, 0.01 }, { 18, 544, 542e6, 0.01 },
  { 36, 544, 1.05e9, 0.01 }, { 72, 512, 1.8e9, 0.03 },
};

static void
test_published (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *spec = g_strdup_printf ("amoebanet:layers=%d,width=%d,batch=3,mode=inference",
                                           (int) row->layers, (int) row->width);
  g_autoptr (GobanGraph) graph = probe_generate (spec);
  Sums sums = sum_layers (row->layers, row->width, 224);

  g_assert_cmpfloat (fabs (probe_params (graph) / row->published - 1), <, row->tolerance);
  g_assert_cmpfloat (probe_params (graph), ==, sums.params);
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_FORWARD), ==, 3 * sums.macs);
}

/* What training adds: the auxiliary head, of 0.4 of 128 and 768 maps, on maps of 14x14. */
static void
test_training (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("amoebanet:batch=2");
  g_autoptr (GobanGraph) inference = probe_generate ("amoebanet:batch=2,mode=inference");
  double window = 4 * 4;
  double aux = 4 * 416 * 51 + 2 * 51 + window * 51 * 307 + 2 * 307 + 307 * 1000 + 1000;
  double stem
      = goban_graph_get_node (graph, goban_graph_find_node (graph, "stem/conv/Conv2D"))->macs;

  g_assert_cmpint (probe_output (graph, "aux_logits/proj/Conv2D")->dims[1], ==, 4);
  g_assert_cmpfloat (probe_params (graph), ==, probe_params (inference) + aux);
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_BACKWARD), ==,
                     2 * probe_macs (graph, GOBAN_PHASE_FORWARD) - stem);
  probe_training (graph, "ResourceApplyRMSProp");
  g_assert_cmpuint (probe_count (graph, "FusedBatchNormGradV3"), ==,
                    probe_count (graph, "FusedBatchNormV3"));
}

static void
test_shapes (void)
{
  static const struct
  {
    const char *name;
    gint64 size;
    gint64 n_maps;
  } shapes[] = {
    { "stem_cell_1/concat", 56, 3 * 104 },      { "stem_cell_2/concat", 28, 3 * 208 },
    { "cell_1/concat", 28, 4 * 208 },           { "cell_6/concat", 28, 4 * 208 },
    { "reduction_cell_1/concat", 14, 3 * 416 }, { "cell_12/concat", 14, 4 * 416 },
    { "reduction_cell_2/concat", 7, 3 * 832 },  { "cell_18/concat", 7, 4 * 832 },
  };
  g_autoptr (GobanGraph) graph = probe_generate ("amoebanet:mode=inference,batch=1");

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      const GobanTensor *tensor = probe_output (graph, shapes[i].name);

      g_assert_cmpint (tensor->dims[1], ==, shapes[i].size);
      g_assert_cmpint (tensor->dims[2], ==, shapes[i].size);
      g_assert_cmpint (tensor->dims[3], ==, shapes[i].n_maps);
    }
}

/* Any numbers of layers and images, odd ones too. */
static void
test_odd_sizes (void)
{
  static const char *const specs[] = { "amoebanet:layers=3,width=16,image=32,batch=1,classes=2",
                                       "amoebanet:layers=4,width=17,image=33,batch=1,classes=2",
                                       "amoebanet:layers=5,width=100,image=331,batch=1" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GobanGraph) graph = probe_generate (specs[i]);

      probe_training (graph, "ResourceApplyRMSProp");
    }
}

static void
test_time_and_coarse (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("amoebanet");

  probe_coarse (graph, "amoebanet:granularity=coarse");
  probe_step_time (graph, 0.1, 1);
}

TEST_PROGRAM (amoebanet)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/workloads/amoebanet/published-%d-%d",
                                               (int) rows[i].layers, (int) rows[i].width);

      g_test_add_data_func (path, &rows[i], test_published);
    }
  g_test_add_func ("/workloads/amoebanet/training", test_training);
  g_test_add_func ("/workloads/amoebanet/shapes", test_shapes);
  g_test_add_func ("/workloads/amoebanet/odd-sizes", test_odd_sizes);
  g_test_add_func ("/workloads/amoebanet/time-and-coarse", test_time_and_coarse);
  return g_test_run ();
}
