#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include "ui/draw/graph/graph-plot.h"

/* The graph pane of Explore in a window of 1280x800. */
#define WIDTH 806
#define HEIGHT 560

static GobanPlot *
open_plot (GobanGraph *graph)
{
  GobanLook look = { .grouping = GOBAN_GROUPING_AUTO, .board = { WIDTH, HEIGHT } };
  g_autoptr (GError) error = NULL;
  GobanPlot *plot = goban_plot_new (graph, &look, &error);

  g_assert_no_error (error);
  return plot;
}

static double
fitted_label (const GobanPlot *plot)
{
  return goban_plot_get_label_size (
      plot, goban_plot_fit (plot->layout->bounds, WIDTH, HEIGHT, 1, 1).scale);
}

/* Samples open as boxes with names that can be read. */
static void
test_samples (void)
{
  static const struct
  {
    const char *file;
    guint n_boxes;
  } samples[] = {
    { "inception-v3.onnx", 21 },
    { "inception-v3-coarse.json", 22 },
    { "resnet-50.onnx", 20 },
    { "toy.dot", 12 },
    { "gnmt-coarse.json", 12 },
    { "rnnlm-coarse.json", 12 },
    { "transformer-xl-coarse.json", 12 },
    { "wavenet-coarse.json", 16 },
    { "amoebanet-coarse.json", 17 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *name = g_strconcat ("samples/", samples[i].file, NULL);
      g_autofree char *path = project_path (name);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
      g_autoptr (GobanPlot) plot = NULL;

      g_assert_no_error (error);
      plot = open_plot (graph);
      g_test_message ("%s: %u boxes, labels of %.1f px", samples[i].file, plot->outline->n_items,
                      fitted_label (plot));
      g_assert_cmpuint (plot->outline->n_items, ==, samples[i].n_boxes);
      g_assert_cmpfloat (fitted_label (plot), >=, 9);
    }
}

TEST_PROGRAM (graph_plot)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/plot/samples", test_samples);

  return g_test_run ();
}
