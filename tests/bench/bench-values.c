/* bench-values.c: cost of colouring 84,464 nodes by a number: milliseconds of this thread's
 * processor time, the least of a few runs. The graph is gnmt:layers=8 on p100x8, placed by heft.
 *
 * "node-values" is one field of all nodes, sorted and ranged, with its run known; "slack" is what
 * the first question about slack costs; "paint" is a frame of 1600 x 1000, "minimap" the small
 * picture of all.
 */
#include "engine/session/session.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/slack.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/minimap.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 9
#define WIDTH 1600
#define HEIGHT 1000

static void
bench_field (const char *name, const GobanNodeContext *context)
{
  const GobanNodeField *field = goban_node_field_find (name, NULL);
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      GobanNodeValues *values = goban_node_values_new (field, context);

      best = MIN (best, cpu_ms () - start);
      goban_node_values_unref (values);
    }
  printf ("node-values-80k-%s %.2f ms\n", name, best);
}

static void
bench_bins (const GobanNodeValues *values)
{
  double best = INFINITY;
  guint counts[48];

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      GobanSelection *half;

      goban_node_values_count (values, counts, 48);
      half = goban_node_values_select (values, 48, 12, 35);
      best = MIN (best, cpu_ms () - start);
      goban_selection_unref (half);
    }
  printf ("node-values-80k-brush %.2f ms\n", best);
}

static void
bench_paint (const char *name, GobanGraphPicture *picture)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();

      goban_camera_pan (&picture->camera, i % 2 == 0 ? 7 : -5, i % 3 == 0 ? 3 : -2);
      goban_graph_paint (picture, pen);
      best = MIN (best, cpu_ms () - start);
    }
  printf ("%s %.2f ms\n", name, best);
  cairo_surface_destroy (surface);
}

static void
bench_minimap (const GobanGraphPicture *picture)
{
  GobanMinimap map = goban_minimap_new (picture->layout->bounds, 180, 140);
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) map.width, (int) map.height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  double best = INFINITY, best_frame = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();

      goban_minimap_paint (&map, picture, pen);
      best = MIN (best, cpu_ms () - start);
      start = cpu_ms ();
      goban_minimap_paint_view (&map, &picture->camera, (GobanBox){ 0, 0, WIDTH, HEIGHT },
                                picture->style.theme, pen);
      best_frame = MIN (best_frame, cpu_ms () - start);
    }
  printf ("minimap-80k %.2f ms\n", best);
  printf ("minimap-80k-frame %.3f ms\n", best_frame);
  cairo_surface_destroy (surface);
}

int
main (void)
{
  static const char *const names[] = { "cost", "bytes", "mem", "start", "slack", "priority" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, &error);
  g_autoptr (GobanLayout) layout = goban_layout_new (graph, NULL, &error);
  g_autoptr (GobanGraphScene) scene
      = goban_graph_scene_new (graph, NULL, NULL, goban_run_get_trace (run));
  g_autoptr (GobanNodeValues) values = NULL;
  GobanNodeContext context = { costs, run };
  GobanGraphPicture picture = {
    .scene = scene, .layout = layout, .camera = { 1, 0, 0 }, .style.fill = GOBAN_FILL_METRIC
  };
  GobanPoint middle = { (layout->bounds.x0 + layout->bounds.x1) / 2,
                        (layout->bounds.y0 + layout->bounds.y1) / 2 };
  double start = cpu_ms ();

  goban_run_get_slacks (run);
  printf ("slack-80k %.2f ms\n", cpu_ms () - start);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    bench_field (names[i], &context);
  values = goban_node_values_get (goban_node_field_find ("slack", NULL), &context);
  bench_bins (values);
  start = cpu_ms ();
  goban_graph_scene_set_values (scene, values);
  printf ("scene-80k-set-values %.2f ms\n", cpu_ms () - start);

  picture.camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 24, 1);
  bench_paint ("paint-80k-metric-fit", &picture);
  bench_minimap (&picture);
  picture.camera.scale = 0.22;
  goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
  bench_paint ("paint-80k-metric-zoom-0.22", &picture);
  picture.camera.scale = 0.75;
  goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
  bench_paint ("paint-80k-metric-zoom-0.75", &picture);
  return 0;
}
