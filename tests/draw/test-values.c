/* Pictures of values: nodes and slices filled by a number, its histogram, and the map of all. */
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "ui/draw/charts/histogram.h"
#include "ui/draw/export/export.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/graph/minimap.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <glib/gstdio.h>
#include <math.h>

#define N_NODES 60
#define WIDTH 600
#define HEIGHT 420

typedef struct
{
  GobanGraph *graph;
  GobanLayout *layout;
  GobanGraphScene *scene; /* four devices in turn */
  GobanNodeValues *values;
} Fixture;

/* 0, 1, 4, 9 ...; every tenth is unknown. */
static void
set_up (Fixture *f, gconstpointer data)
{
  GraphGen gen = { .n_nodes = N_NODES, .edges_per_node = 1.5, .width = 8, .max_time_us = 50 };
  double numbers[N_NODES];

  f->graph = graph_gen_new (&gen, 5);
  f->layout = outlines_lay_out_graph (f->graph, NULL, NULL);
  f->scene = draw_scene_new (f->graph, 4, 1);
  for (guint v = 0; v < N_NODES; v++)
    numbers[v] = v % 10 == 9 ? (double) NAN : v * v;
  f->values = goban_node_values_new_from_numbers ("squares", GOBAN_FIELD_COUNT, numbers, N_NODES);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_graph_scene_free (f->scene);
  goban_layout_unref (f->layout);
  goban_graph_unref (f->graph);
  goban_node_values_unref (f->values);
}

static GobanGraphPicture
picture_of (const Fixture *f, double scale)
{
  GobanGraphPicture picture = { .scene = f->scene,
                                .layout = f->layout,
                                .camera = { scale, 0, 0 },
                                .style = { .fill = GOBAN_FILL_METRIC } };

  goban_camera_centre (&picture.camera, draw_middle_of (f->layout->bounds), WIDTH, HEIGHT);
  return picture;
}

static void
test_scene_takes_values (Fixture *f, gconstpointer data)
{
  goban_graph_scene_set_values (f->scene, f->values);
  for (guint v = 0; v < N_NODES; v++)
    g_assert_true (v % 10 == 9 ? isnan (f->scene->nodes[v].value)
                               : f->scene->nodes[v].value == f->values->places[v]);
  goban_graph_scene_set_values (f->scene, NULL);
  g_assert_null (f->scene->values);
}

/* Where groups are closed, they have the mean of their nodes on the ramp, and others their own
 * value. */
static void
test_groups_take_means (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, NULL);
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree double *numbers = g_new (double, n);
  GobanLook look = { .grouping = GOBAN_GROUPING_SCOPE };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &look, NULL);
  g_autoptr (GobanGraphScene) scene
      = goban_plot_take_scene (plot, goban_graph_scene_new (graph, NULL, NULL, NULL));
  g_autoptr (GobanNodeValues) values = NULL;

  for (guint v = 0; v < n; v++)
    numbers[v] = v % 3 == 1 ? (double) NAN : v;
  values = goban_node_values_new_from_numbers ("every third is unknown", GOBAN_FIELD_COUNT, numbers,
                                               n);
  g_assert_cmpuint (plot->outline->n_closed, >, 0);
  goban_graph_scene_set_values (scene, values);
  for (guint i = 0; i < scene->n_nodes; i++)
    {
      double sum = 0;
      guint n_known = 0;

      for (guint v = 0; v < n; v++)
        if (plot->outline->item_of[v] == i && isfinite (numbers[v]))
          {
            sum += (double) values->places[v];
            n_known++;
          }
      g_assert_true (isnan (scene->nodes[i].value) == (n_known == 0));
      if (n_known > 0)
        g_assert_cmpfloat_with_epsilon (scene->nodes[i].value, sum / n_known, 1e-6);
    }
}

/* Priorities are ranked by the scene as node-values.h ranks them. */
static void
test_ranks_agree (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanCostModel) costs
      = goban_cost_model_new (f->graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (f->graph, 2);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanGraphScene) scene = NULL;
  g_autoptr (GobanNodeValues) values = NULL;

  for (guint v = 0; v < N_NODES; v++)
    goban_plan_set_priority (plan, v, g_test_rand_int_range (-5, 6));
  run = goban_run_new (costs, plan, "test");
  scene = goban_graph_scene_new (f->graph, NULL, NULL, goban_run_get_trace (run));
  values = goban_node_values_get (goban_node_field_find ("prio", NULL),
                                  &(GobanNodeContext){ costs, run });
  for (guint v = 0; v < N_NODES; v++)
    g_assert_cmpfloat_with_epsilon (scene->nodes[v].priority, values->places[v], 1e-6);
}

/* At each level of detail the ramp and what is unknown fill nodes, and devices are still there. */
static void
test_fill_keeps_devices (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.06, 0.15, 0.3, 0.8 };

  goban_graph_scene_set_values (f->scene, f->values);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
      {
        GobanGraphPicture picture = picture_of (f, scales[i]);
        cairo_surface_t *surface;

        picture.style.theme = theme;
        surface = draw_graph_new (&picture, WIDTH, HEIGHT);
        g_assert_cmpuint (draw_count_pixels (surface, goban_palette_unknown (theme)), >, 5);
        draw_check_devices_show (surface, theme, 4);
        cairo_surface_destroy (surface);
      }
}

/* Nodes of one pixel have no room for two colours. */
static void
test_specks_have_no_stripe (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 0.03);
  cairo_surface_t *surface;

  goban_graph_scene_set_values (f->scene, f->values);
  for (guint v = 0; v < N_NODES; v++)
    f->scene->nodes[v].flags = GOBAN_NODE_CRITICAL; /* those are drawn apart */
  picture.style.show_critical = TRUE;
  surface = draw_graph_new (&picture, WIDTH, HEIGHT);
  for (guint d = 0; d < 4; d++)
    g_assert_cmpuint (draw_count_pixels (surface, goban_palette_device (0, d)), ==, 0);
  cairo_surface_destroy (surface);
}

/* A scene that has no values is filled by device, and without a plan by op. */
static void
test_fill_falls_back (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 0.3);
  cairo_surface_t *metric = draw_graph_new (&picture, WIDTH, HEIGHT);
  cairo_surface_t *device;

  picture.style.fill = GOBAN_FILL_DEVICE;
  device = draw_graph_new (&picture, WIDTH, HEIGHT);
  g_assert_true (draw_images_equal (metric, device));
  cairo_surface_destroy (metric);
  cairo_surface_destroy (device);
}

static void
test_legend_names_ends (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "goban-test-values.svg", NULL);
  g_autofree char *with = NULL;
  g_autofree char *without = NULL;
  GobanExportOptions options = { .fill = GOBAN_FILL_METRIC };
  g_autoptr (GError) error = NULL;
  gsize n_with, n_without;

  g_assert_true (goban_export_graph (f->scene, f->layout, &options, path, &error));
  g_assert_true (g_file_get_contents (path, &without, &n_without, NULL));
  goban_graph_scene_set_values (f->scene, f->values);
  g_assert_true (goban_export_graph (f->scene, f->layout, &options, path, &error));
  g_assert_true (g_file_get_contents (path, &with, &n_with, NULL));
  g_assert_no_error (error);
  /* The ramp's 70 steps, two ends and the grey of what is unknown. */
  g_assert_cmpuint (n_with, >, n_without + 70 * 20);
  g_remove (path);
}

/* --- timeline ------------------------------------------------------------------------------ */

/* Ops are of the ramp's colours, alone or merged into columns; what is sent stays its
 * receiver's. */
static void
test_slices_take_levels (Fixture *f, gconstpointer data)
{
  static const double lanes_px[] = { 380, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (lanes_px); i++)
    {
      g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new_empty (2);
      cairo_surface_t *surface;
      GobanTimelinePicture picture = { .scene = scene, .style = { .fill = GOBAN_FILL_METRIC } };
      GobanSlice sent = { 0, 50, 0, 0, 2, 0, FALSE };
      GobanSlice slices[N_NODES];

      /* Those that are unknown last long enough to fill a column. */
      for (guint v = 0; v < N_NODES; v++)
        slices[v] = (GobanSlice){ .start_us = v < 30 ? v * 1.0 : 30 + (v - 30) * 2.0,
                                  .finish_us = v < 30 ? v + 1.0 : 32 + (v - 30) * 2.0,
                                  .node = v < 30 ? v : 9,
                                  .transfer = GOBAN_NO_TRANSFER };
      goban_lane_set_slices (&scene->lanes[0], slices, N_NODES);
      scene->lanes[1].kind = GOBAN_LANE_LINK;
      goban_lane_set_slices (&scene->lanes[1], &sent, 1);
      scene->end_us = 90;
      goban_timeline_scene_arrange (scene, NULL, INFINITY);
      goban_timeline_scene_set_values (scene, f->values);
      picture.camera = goban_time_camera_fit (0, 90, lanes_px[i]);
      surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
      g_assert_cmpuint (draw_count_pixels (surface, goban_palette_unknown (0)), >, 100);
      g_assert_cmpuint (draw_count_pixels (surface, goban_palette_ramp (0, 0)), >, 20);
      g_assert_cmpuint (draw_count_pixels (surface, goban_palette_device (0, 2)), >, 20);
      cairo_surface_destroy (surface);

      picture.style.fill = GOBAN_FILL_DEVICE;
      surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
      g_assert_cmpuint (draw_count_pixels (surface, goban_palette_unknown (0)), ==, 0);
      cairo_surface_destroy (surface);
    }
}

/* --- histogram ----------------------------------------------------------------------------- */

/* Without the words below: fonts differ between machines. */
static void
test_histogram_golden (Fixture *f, gconstpointer data)
{
  int height = (int) GOBAN_HISTOGRAM_HEIGHT;
  cairo_surface_t *whole = draw_image_new (200, height);
  cairo_surface_t *bars;
  GobanBrush brush = { 12, 25 };
  GobanHistogram histogram = { .brush = &brush };
  g_autoptr (GobanSelection) some
      = goban_node_values_select (f->values, GOBAN_HISTOGRAM_BINS, 20, 30);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (whole, text);

  goban_histogram_count (&histogram, f->values, some);
  goban_histogram_paint (&histogram, pen);
  bars = draw_rows_new (whole, 0, height - 18);
  draw_golden_check_image (bars, "draw-histogram");
  cairo_surface_destroy (whole);
  cairo_surface_destroy (bars);
}

static void
test_histogram_in_words (Fixture *f, gconstpointer data)
{
  GobanNodeId chosen[] = { 0, 1, 59 };
  g_autoptr (GobanSelection) selection = goban_selection_new (chosen, 3);
  GobanHistogram histogram = { 0 };
  g_autofree char *all = NULL;
  g_autofree char *one = NULL;
  guint n = 0, n_selected = 0;

  goban_histogram_count (&histogram, f->values, selection);
  for (guint bin = 0; bin < GOBAN_HISTOGRAM_BINS; bin++)
    {
      n += histogram.counts[bin];
      n_selected += histogram.selected[bin];
    }
  g_assert_cmpuint (n, ==, N_NODES - 6);
  g_assert_cmpuint (n_selected, ==, 2); /* 59 is unknown */
  all = goban_histogram_describe (&histogram, (GobanBrush){ 0, GOBAN_HISTOGRAM_BINS - 1 });
  g_assert_cmpstr (all, ==, "0 to 3 364: 54 nodes, 2 selected");
  one = goban_histogram_describe (
      &histogram, (GobanBrush){ GOBAN_HISTOGRAM_BINS - 1, GOBAN_HISTOGRAM_BINS - 1 });
  g_assert_cmpstr (one, ==, "3 364: 1 node");
}

static void
test_histogram_bins (void)
{
  g_assert_cmpuint (goban_histogram_bin_at (200, -5), ==, 0);
  g_assert_cmpuint (goban_histogram_bin_at (200, 4.9), ==, 0);
  g_assert_cmpuint (goban_histogram_bin_at (200, 5), ==, 1);
  g_assert_cmpuint (goban_histogram_bin_at (200, 900), ==, GOBAN_HISTOGRAM_BINS - 1);
  g_assert_cmpuint (goban_histogram_bin_at (0, 0), ==, 0);
}

/* --- map ----------------------------------------------------------------------------------- */

static void
test_map_holds_world (void)
{
  for (guint round = 0; round < 200; round++)
    {
      double x = g_test_rand_double_range (-1e5, 1e5);
      double y = g_test_rand_double_range (-1e5, 1e5);
      GobanBox world = { x, y, x + pow (10, g_test_rand_double_range (0, 6)),
                         y + pow (10, g_test_rand_double_range (0, 6)) };
      GobanMinimap map = goban_minimap_new (world, 220, 150);
      GobanBox shown = goban_camera_box_to_screen (&map.camera, world);
      GobanBox view = { 0, 0, 800, 600 };
      GobanCamera camera
          = { pow (10, g_test_rand_double_range (-3, 1)), g_test_rand_double_range (-2000, 2000),
              g_test_rand_double_range (-2000, 2000) };
      GobanBox frame = goban_minimap_view_box (&map, &camera, view);

      g_assert_true (map.width <= 221 && map.height <= 151);
      g_assert_true (shown.x0 >= 0 && shown.y0 >= 0 && shown.x1 <= map.width + 1e-6
                     && shown.y1 <= map.height + 1e-6);
      g_assert_true (frame.x0 >= 0 && frame.y0 >= 0 && frame.x1 <= map.width
                     && frame.y1 <= map.height);
      g_assert_true (frame.x1 - frame.x0 >= 5.99 && frame.y1 - frame.y0 >= 5.99);
    }
}

static void
test_map_is_needed (void)
{
  GobanBox world = { 0, 0, 1000, 500 };
  GobanBox view = { 0, 0, 800, 600 };
  GobanCamera all = goban_camera_fit (world, 800, 600, 24, 1);
  GobanCamera some = all;

  g_assert_false (goban_minimap_is_needed (world, &all, view));
  goban_camera_zoom (&some, 2, (GobanPoint){ 400, 300 });
  g_assert_true (goban_minimap_is_needed (world, &some, view));
  for (guint i = 0; i < 4; i++)
    {
      GobanCamera beside = all;

      goban_camera_pan (&beside, i == 0 ? -60 : i == 1 ? 60 : 0, i == 2 ? -200 : i == 3 ? 200 : 0);
      g_assert_true (goban_minimap_is_needed (world, &beside, view));
    }
}

static void
test_map_shows_graph (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 2);
  GobanMinimap map = goban_minimap_new (f->layout->bounds, 220, 150);
  cairo_surface_t *surface = draw_image_new ((int) map.width, (int) map.height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();

  picture.style.fill = GOBAN_FILL_DEVICE;
  {
    g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

    goban_minimap_paint (&map, &picture, pen);
    draw_check_devices_show (surface, GOBAN_THEME_LIGHT, 4);
    goban_minimap_paint_view (&map, &picture.camera, (GobanBox){ 0, 0, WIDTH, HEIGHT }, 0, pen);
  }
  g_assert_cmpuint (draw_count_pixels (surface, goban_palette_get (0)->selection), >, 20);
  cairo_surface_destroy (surface);
}

TEST_PROGRAM (values)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run) g_test_add ("/draw/values/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("scene/takes-values", test_scene_takes_values);
  ADD ("scene/ranks-agree", test_ranks_agree);
  ADD ("fill/keeps-devices", test_fill_keeps_devices);
  ADD ("fill/specks-have-no-stripe", test_specks_have_no_stripe);
  ADD ("fill/falls-back", test_fill_falls_back);
  ADD ("legend/names-ends", test_legend_names_ends);
  ADD ("timeline/levels", test_slices_take_levels);
  ADD ("histogram/golden", test_histogram_golden);
  ADD ("histogram/in-words", test_histogram_in_words);
  ADD ("map/shows-graph", test_map_shows_graph);
  g_test_add_func ("/draw/values/scene/groups-take-means", test_groups_take_means);
  g_test_add_func ("/draw/values/histogram/bins", test_histogram_bins);
  g_test_add_func ("/draw/values/map/holds-world", test_map_holds_world);
  g_test_add_func ("/draw/values/map/is-needed", test_map_is_needed);
  return g_test_run ();
}
