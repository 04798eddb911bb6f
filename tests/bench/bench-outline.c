/* Times of an outline of a real graph, gnmt:layers=8 with 84,464 nodes in groups within groups, in
 * milliseconds of this thread's processor time: best of 3 layouts, median of 15 frames of 1600 x
 * 1000, each panned by a few pixels. Grouped is what a window shows at first; open has every group
 * open. */
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-pan.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/graph/graph-plot.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 1600
#define HEIGHT 1000
#define N_FRAMES 15
#define N_DEVICES 8

typedef struct
{
  GobanGraph *graph;
  GobanHierarchy *hierarchy;
  GobanGraphScene *base;
  GobanTextCache *text;
  GobanPen *pen;
} Bench;

static GobanGraphScene *
make_base (GobanGraph *graph)
{
  guint n = goban_graph_get_n_nodes (graph);
  GobanGraphScene *plain = goban_graph_scene_new (graph, NULL, NULL, NULL);
  GobanGraphScene *scene
      = goban_graph_scene_new_empty (n, goban_graph_get_n_edges (graph), N_DEVICES);

  scene->graph = goban_graph_ref (graph);
  for (guint d = 0; d < N_DEVICES; d++)
    scene->devices[d].name = g_strdup_printf ("gpu:%u", d);
  for (guint v = 0; v < n; v++)
    {
      scene->nodes[v] = plain->nodes[v];
      scene->nodes[v].time_us = 1 + v % 97;
      scene->nodes[v].device = (GobanDeviceId) (v * 8ull / n);
    }
  for (guint e = 0; e < scene->n_edges; e++)
    scene->edges[e] = plain->edges[e];
  goban_graph_scene_free (plain);
  return scene;
}

/* (transfer full): the paths of all groups */
static char **
list_groups (const GobanHierarchy *hierarchy)
{
  guint n = goban_hierarchy_get_n_groups (hierarchy);
  char **paths = g_new0 (char *, n + 1);

  for (guint g = 0; g < n; g++)
    paths[g] = g_strdup (goban_hierarchy_get_group (hierarchy, g)->path);
  return paths;
}

static GobanPlot *
time_plot (const Bench *bench, const char *name, const char *const *expanded)
{
  double outline = INFINITY, layout = INFINITY;
  GobanPlot *plot = NULL;

  for (guint i = 0; i < 3; i++)
    {
      GobanLook look = { .expanded = expanded, .hierarchy = bench->hierarchy };
      double start = cpu_ms ();

      g_clear_pointer (&plot, goban_plot_unref);
      plot = goban_plot_new (bench->graph, &look, NULL);
      layout = MIN (layout, cpu_ms () - start);
      start = cpu_ms ();
      goban_outline_unref (goban_outline_new (bench->graph, bench->hierarchy, expanded, NULL));
      outline = MIN (outline, cpu_ms () - start);
    }
  printf ("outline-%s-80k %.1f ms\n", name, outline);
  printf ("layout-%s-80k %.1f ms\n", name, layout);
  return plot;
}

static void
time_frames (const Bench *bench, const char *name, GobanGraphPicture *picture)
{
  printf ("paint-%s %.2f ms\n", name, pan_ms (picture, bench->pen, N_FRAMES));
}

static void
bench_frames (const Bench *bench, const char *name, const GobanPlot *plot)
{
  static const double scales[] = { 0.03, 0.06, 0.10, 0.15, 0.22, 0.30, 0.38, 0.5, 1.0, 2.0 };
  double start = cpu_ms ();
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new_outlined (bench->base, plot->outline);
  GobanLayout *layout = plot->layout;
  GobanGraphPicture picture
      = { .scene = scene, .layout = layout, .style = { .show_critical = TRUE } };
  guint busy = layout->n_nodes / 2; /* there is something around it, whatever the shape */
  GobanPoint middle = { (double) layout->x[busy], (double) layout->y[busy] };
  char label[60];

  goban_graph_scene_wire (scene, layout);
  printf ("scene-%s-80k %.2f ms\n", name, cpu_ms () - start);
  picture.camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 20, 1);
  g_snprintf (label, sizeof label, "%s-80k-fit", name);
  time_frames (bench, label, &picture);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      picture.camera.scale = scales[i];
      goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
      g_snprintf (label, sizeof label, "%s-80k-zoom-%.2f", name, scales[i]);
      time_frames (bench, label, &picture);
    }
}

/* What follows the pointer, with everything selected. */
static void
bench_overlay (const Bench *bench, cairo_surface_t *surface, const GobanPlot *plot)
{
  static const double scales[] = { 0.02, 0.1, 0.38, 1 };
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, WIDTH, HEIGHT, bench->text);
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new_outlined (bench->base, plot->outline);
  g_autofree guint32 *all = g_new (guint32, scene->n_nodes);
  GobanGraphOverlay overlay = { .selected = all, .n_selected = scene->n_nodes, .hover = 5 };
  GobanGraphPicture picture = { .scene = scene, .layout = plot->layout };
  guint busy = scene->n_nodes / 2;

  for (guint v = 0; v < scene->n_nodes; v++)
    all[v] = v;
  goban_graph_scene_wire (scene, plot->layout);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanPoint middle = { (double) plot->layout->x[busy], (double) plot->layout->y[busy] };
      double start;

      picture.camera.scale = scales[i];
      goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
      start = cpu_ms ();
      goban_graph_paint_overlay (&picture, &overlay, pen);
      printf ("overlay-all-open-80k-zoom-%.2f %.2f ms\n", scales[i], cpu_ms () - start);
    }
  cairo_destroy (cr);
}

/* All nodes by device and time, and a frame on the way there. */
static void
bench_lanes (const Bench *bench, const GobanPlot *plot)
{
  guint n = goban_graph_get_n_nodes (bench->graph);
  g_autofree double *start_us = g_new (double, n);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, n);
  GobanLanesInput input = { start_us, devices, n, N_DEVICES };
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new_outlined (bench->base, plot->outline);
  g_autoptr (GobanLayout) lanes = NULL;
  g_autoptr (GobanLayout) half = NULL;
  GobanGraphPicture picture = { .scene = scene };
  double start = cpu_ms ();

  for (guint v = 0; v < n; v++)
    {
      start_us[v] = v;
      devices[v] = (GobanDeviceId) (v % N_DEVICES);
    }
  lanes = goban_layout_new_lanes (plot->outline, &input);
  printf ("layout-lanes-80k %.1f ms\n", cpu_ms () - start);
  picture.layout = lanes;
  picture.camera = goban_camera_fit (lanes->bounds, WIDTH, HEIGHT, 20, 1);
  time_frames (bench, "lanes-80k-fit", &picture);
  start = cpu_ms ();
  half = goban_layout_blend (plot->layout, lanes, plot->outline, 0.5);
  printf ("blend-80k %.2f ms\n", cpu_ms () - start);
  picture.layout = half;
  picture.camera = goban_camera_fit (half->bounds, WIDTH, HEIGHT, 20, 1);
  time_frames (bench, "blend-80k-fit", &picture);
}

int
main (void)
{
  GobanLoadOptions load = { .time_unit_us = 1 };
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", &load, NULL);
  double start = cpu_ms ();
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  g_auto (GStrv) all = list_groups (hierarchy);
  g_autoptr (GobanGraphScene) base = make_base (graph);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  Bench bench = { graph, hierarchy, base, text, pen };
  g_autoptr (GobanPlot) grouped = NULL;
  g_autoptr (GobanPlot) open = NULL;

  printf ("hierarchy-80k %.1f ms\n", cpu_ms () - start);
  printf ("hierarchy-80k-groups %u groups\n", goban_hierarchy_get_n_groups (hierarchy));
  grouped = time_plot (&bench, "grouped", NULL);
  open = time_plot (&bench, "all-open", (const char *const *) all);
  bench_frames (&bench, "grouped", grouped);
  bench_frames (&bench, "all-open", open);
  bench_lanes (&bench, open);
  bench_overlay (&bench, surface, open);
  cairo_surface_destroy (surface);
  return 0;
}
