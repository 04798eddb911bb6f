/* bench-frames.c: frame times in every state of the largest picture: "name value unit".
 *
 * The graph of 84,464 nodes, placed on eight devices, 1600 x 1000: grouped, with all groups open,
 * and without groups; fitted, and at scales from specks to boxes with names, each panned by a few
 * pixels. Milliseconds of this thread's processor time, the median of nine frames; "worst" is the
 * longest of a state. With an argument, only the state of that name, and with another, a checksum
 * of every picture.
 */
#include "engine/machine/cluster/cluster.h"
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-pan.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-plot.h"

#include <stdio.h>

#define WIDTH 1600
#define HEIGHT 1000
#define N_FRAMES 9

typedef struct
{
  const char *state;
  GobanGraph *graph;
  GobanTrace *trace;
  cairo_surface_t *surface;
  GobanPen *pen;
  gboolean has_sums;
  double worst_ms;
} Bench;

static void
print_sum (const Bench *bench, const char *name)
{
  g_autofree char *sum = NULL;

  cairo_surface_flush (bench->surface);
  sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, cairo_image_surface_get_data (bench->surface),
                                     (gsize) cairo_image_surface_get_stride (bench->surface)
                                         * HEIGHT);
  printf ("frames-%s-%s-sum %s md5\n", bench->state, name, sum);
}

static void
time_frames (Bench *bench, const char *name, GobanGraphPicture *picture)
{
  double median = pan_ms (picture, bench->pen, N_FRAMES);

  printf ("frames-%s-%s %.1f ms\n", bench->state, name, median);
  bench->worst_ms = MAX (bench->worst_ms, median);
  if (bench->has_sums)
    print_sum (bench, name);
}

static void
show (Bench *bench, const char *state, GobanGrouping grouping, const char *const *expanded)
{
  static const double scales[] = { 0.02, 0.03, 0.045, 0.06, 0.1, 0.15, 0.22, 0.3, 0.38, 0.5, 1, 2 };
  g_autoptr (GobanPlot) plot = goban_plot_new (
      bench->graph, &(GobanLook){ .grouping = grouping, .expanded = expanded, .aspect = 1.6 },
      NULL);
  g_autoptr (GobanGraphScene) scene = goban_plot_take_scene (
      plot, goban_graph_scene_new (bench->graph, NULL, NULL, bench->trace));
  GobanLayout *layout = plot->layout;
  guint busy = layout->n_nodes / 2;
  GobanPoint middle = { (double) layout->x[busy], (double) layout->y[busy] };
  GobanGraphPicture picture = { .scene = scene,
                                .layout = layout,
                                .camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 20, 1),
                                .style = { .show_critical = TRUE, .is_frame = TRUE } };

  bench->state = state;
  bench->worst_ms = 0;
  time_frames (bench, "fitted", &picture);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      char name[20];

      picture.camera.scale = scales[i];
      goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
      g_snprintf (name, sizeof name, "%.3f", scales[i]);
      time_frames (bench, name, &picture);
    }
  printf ("frames-%s-worst %.1f ms\n", state, bench->worst_ms);
}

/* (transfer full): the paths of all groups */
static char **
list_groups (GobanGraph *graph)
{
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  guint n = goban_hierarchy_get_n_groups (hierarchy);
  char **paths = g_new0 (char *, n + 1);

  for (guint g = 0; g < n; g++)
    paths[g] = g_strdup (goban_hierarchy_get_group (hierarchy, g)->path);
  return paths;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "expert", NULL, &error);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  g_auto (GStrv) all = list_groups (graph);
  const char *only = argc > 1 && *argv[1] != '\0' ? argv[1] : NULL;
  Bench bench = { .graph = graph, .surface = surface, .pen = pen, .has_sums = argc > 2 };

  g_assert_no_error (error);
  bench.trace = goban_run_get_trace (run);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (only == NULL || g_str_equal (only, "grouped"))
    show (&bench, "grouped", GOBAN_GROUPING_SCOPE, NULL);
  if (only == NULL || g_str_equal (only, "open"))
    show (&bench, "open", GOBAN_GROUPING_SCOPE, (const char *const *) all);
  if (only == NULL || g_str_equal (only, "flat"))
    show (&bench, "flat", GOBAN_GROUPING_NONE, NULL);
  cairo_surface_destroy (surface);
  return 0;
}
