/* Pictures of what differs: which items are marked, and how that is drawn. */
#include "engine/study/analysis/difference/compare-values.h"
#include "tests/draw/draw-golden.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/compare-lanes.h"

#include <math.h>
#include <string.h>

#define WIDTH 420
#define HEIGHT 300

/* A graph of groups placed in two ways: every fifth node of the second plan is elsewhere. */
typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *before;
  GobanRun *after;
  GobanDifference *difference;
  GobanPlot *plot;
  GobanGraphScene *scenes[2];
  GobanTextCache *text;
} Fixture;

static GobanRun *
place (Fixture *f, guint every, const char *name)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (f->graph, 4);

  for (guint v = 0; v < goban_graph_get_n_nodes (f->graph); v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (v % every == 0 ? 2 : v / 10 % 2));
  return goban_run_new (f->costs, plan, name);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const char *open[] = { "encoder", NULL };
  GobanLook look
      = { .grouping = data != NULL ? GOBAN_GROUPING_SCOPE : GOBAN_GROUPING_NONE, .expanded = open };
  GobanRun *runs[2];

  f->graph = scoped_graph_new (70, 11);
  f->costs = toy_costs (f->graph, "equal:4");
  f->before = place (f, 1000, "before");
  f->after = place (f, 5, "after");
  f->difference = goban_difference_new (f->before, f->after, 0, NULL);
  f->plot = goban_plot_new (f->graph, &look, NULL);
  f->text = goban_text_cache_new ();
  runs[0] = f->before;
  runs[1] = f->after;
  for (guint i = 0; i < 2; i++)
    f->scenes[i] = goban_plot_take_scene (
        f->plot, goban_graph_scene_new (f->graph, f->costs, goban_run_get_plan (runs[i]),
                                        goban_run_get_trace (runs[i])));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    goban_graph_scene_free (f->scenes[i]);
  goban_text_cache_free (f->text);
  goban_plot_unref (f->plot);
  goban_difference_unref (f->difference);
  goban_run_unref (f->before);
  goban_run_unref (f->after);
  goban_cost_model_unref (f->costs);
  goban_graph_unref (f->graph);
}

static cairo_surface_t *
paint (const Fixture *f, const GobanCompareLook *look, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, f->text);
  GobanBox bounds = f->plot->layout->bounds;
  GobanGraphPicture picture = { .scene = f->scenes[1],
                                .layout = f->plot->layout,
                                .camera = goban_camera_fit (bounds, WIDTH, HEIGHT, 8, 4),
                                .compare = look };

  if (scale > 0)
    {
      picture.camera.scale = scale;
      goban_camera_centre (&picture.camera,
                           (GobanPoint){ (bounds.x0 + bounds.x1) / 2, (bounds.y0 + bounds.y1) / 2 },
                           WIDTH, HEIGHT);
    }
  goban_graph_paint (&picture, pen);
  return surface;
}

/* Every item counts its own nodes, and no more. */
static void
test_marks (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCompareMarks) marks = goban_compare_marks_new (f->difference, f->plot->outline);
  g_autofree char *legend = goban_compare_marks_legend (marks, FALSE);
  g_autofree char *brief = goban_compare_marks_legend (marks, TRUE);
  g_autofree guint32 *expected = g_new0 (guint32, marks->n_items);
  guint n = 0;

  for (guint v = 0; v < goban_graph_get_n_nodes (f->graph); v++)
    if (v % 5 == 0 && v != 0)
      {
        expected[f->plot->outline->item_of[v]]++;
        n++;
      }
  g_assert_cmpuint (marks->n_nodes[GOBAN_CHANGE_DEVICE], ==, n);
  for (guint i = 0; i < marks->n_items; i++)
    {
      g_assert_cmpuint (marks->n_moved[i], ==, expected[i]);
      g_assert_cmpuint (marks->n_changed[i], ==, expected[i]);
      g_assert_cmpint ((marks->kinds[i] & 1 << GOBAN_CHANGE_DEVICE) != 0, ==, expected[i] > 0);
    }
  g_assert_true (g_str_has_prefix (legend, "▢ "));
  g_assert_nonnull (strstr (legend, "moved"));
  g_assert_true (g_str_has_prefix (brief, "▢ "));
  g_assert_cmpuint (strlen (brief), <=, strlen (legend));
}

/* The same pictures each time, as they were looked at. */
static void
test_pictures (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCompareMarks) marks = goban_compare_marks_new (f->difference, f->plot->outline);
  const struct
  {
    const char *name;
    GobanCompareLook look;
  } cases[] = {
    { "show", { marks, NULL, GOBAN_UNCHANGED_SHOW } },
    { "dim", { marks, NULL, GOBAN_UNCHANGED_DIM } },
    { "hide", { marks, NULL, GOBAN_UNCHANGED_HIDE } },
    { "overlay", { marks, f->scenes[0], GOBAN_UNCHANGED_DIM } },
  };
  double scales[] = { 0, 0.12 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cairo_surface_t *surface = paint (f, &cases[i].look, scales[data == NULL]);
      g_autofree char *name
          = g_strdup_printf ("compare-%s-%s", data != NULL ? "groups" : "nodes", cases[i].name);

      draw_golden_check_image (surface, name);
      cairo_surface_destroy (surface);
    }
}

/* Without a difference nothing is drawn otherwise. */
static void
test_same (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanDifference) none = goban_difference_new (f->after, f->after, 0, NULL);
  g_autoptr (GobanCompareMarks) marks = goban_compare_marks_new (none, f->plot->outline);
  g_autofree char *legend = goban_compare_marks_legend (marks, FALSE);
  g_autofree char *brief = goban_compare_marks_legend (marks, TRUE);
  GobanCompareLook look = { marks, NULL, GOBAN_UNCHANGED_SHOW };
  cairo_surface_t *with = paint (f, &look, 0);
  cairo_surface_t *without = paint (f, NULL, 0);

  g_assert_true (draw_images_equal (with, without));
  g_assert_cmpstr (legend, ==, "no node differs");
  g_assert_cmpstr (brief, ==, "");
  cairo_surface_destroy (with);
  cairo_surface_destroy (without);
}

/* Each device twice; gaps of the first run are those in which the second is at work. */
static void
test_lanes (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCompareLanes) lanes = goban_compare_lanes_new (goban_run_get_trace (f->before),
                                                                 goban_run_get_trace (f->after), 0);
  g_autofree char *text = goban_compare_lanes_describe (lanes, "before", "after");
  const GobanLane *all = lanes->scene->lanes;

  /* A device's own, its memory, then what it sends. */
  g_assert_cmpuint (lanes->scene->n_lanes, >, 4 * 4);
  for (guint l = 0; l < lanes->scene->n_lanes; l += 2)
    {
      g_assert_cmpint (all[l].kind, ==, all[l + 1].kind);
      g_assert_true (g_str_has_suffix (all[l].id, "/A") && g_str_has_suffix (all[l + 1].id, "/B"));
      g_assert_cmpuint (all[l].device, ==, all[l + 1].device);
      g_assert_true ((all[l].height > 0) == (all[l].kind == GOBAN_LANE_DEVICE));
      g_assert_cmpuint (lanes->ghost->lanes[l + 1].n_slices, ==, all[l].n_slices);
      g_assert_cmpuint (lanes->ghost->lanes[l].n_slices, ==, 0);
    }
  for (guint i = 0; i < lanes->gaps->len; i++)
    {
      const GobanVanishedGap *gap = &g_array_index (lanes->gaps, GobanVanishedGap, i);
      double busy_us = 0;

      for (guint s = 0; s < all[gap->lane].n_slices; s++)
        g_assert_true (all[gap->lane].slices[s].finish_us <= gap->from_us
                       || all[gap->lane].slices[s].start_us >= gap->to_us);
      for (guint s = 0; s < all[gap->lane + 1].n_slices; s++)
        busy_us += MAX (MIN (all[gap->lane + 1].slices[s].finish_us, gap->to_us)
                            - MAX (all[gap->lane + 1].slices[s].start_us, gap->from_us),
                        0);
      g_assert_cmpfloat (busy_us, >=, 0.89 * (gap->to_us - gap->from_us));
    }
  g_assert_true (g_str_has_prefix (text, "Timeline of before"));
}

/* Links and memory stand below their device, both plans' memory to one measure. */
static void
test_all_lanes (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCompareLanes) lanes = goban_compare_lanes_new (goban_run_get_trace (f->before),
                                                                 goban_run_get_trace (f->after), 0);
  double height = lanes->scene->height, bottom = 0;
  guint n_links = 0, n_memory = 0;

  goban_compare_lanes_arrange (lanes, TRUE, 10);
  for (guint l = 0; l < lanes->scene->n_lanes; l++)
    {
      const GobanLane *lane = &lanes->scene->lanes[l], *ghost = &lanes->ghost->lanes[l];

      g_assert_cmpfloat (lane->y, >=, bottom);
      g_assert_cmpfloat (lane->height, >, 0);
      bottom = lane->y + lane->height;
      g_assert_true (ghost->y == lane->y && ghost->height == lane->height);
      n_links += lane->kind == GOBAN_LANE_LINK && lane->n_slices > 0;
      n_memory += lane->kind == GOBAN_LANE_MEMORY && lane->n_points > 0;
      if (lane->kind == GOBAN_LANE_MEMORY)
        g_assert_cmpfloat (
            MAX (lane->peak_bytes, ghost->peak_bytes), ==,
            MAX (lanes->scene->lanes[l ^ 1].peak_bytes, lanes->ghost->lanes[l ^ 1].peak_bytes));
      if (lane->kind == GOBAN_LANE_MEMORY && lane->n_points > 0)
        g_assert_cmpfloat (
            goban_lane_get_bytes (lane, lane->points[0].time_us), ==,
            lane->points[lane->n_points > 1 && lane->points[1].time_us == lane->points[0].time_us
                             ? 1
                             : 0]
                .bytes);
    }
  g_assert_cmpuint (n_links, >, 0);
  g_assert_cmpuint (n_memory, >, 0);
  g_assert_cmpfloat (lanes->scene->height, >, height);
  goban_compare_lanes_arrange (lanes, FALSE, INFINITY);
  g_assert_cmpfloat (lanes->scene->height, ==, height);
}

/* Lanes of devices shrink to the room there is, but not below what can be seen; a pair has room
 * for one header. */
static void
test_lanes_shrink (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCompareLanes) lanes = goban_compare_lanes_new (goban_run_get_trace (f->before),
                                                                 goban_run_get_trace (f->after), 0);
  guint n = goban_cluster_get_n_devices (goban_run_get_cluster (f->before));
  double full = lanes->scene->height, least;

  goban_compare_lanes_arrange (lanes, FALSE, 1);
  least = lanes->scene->height;
  g_assert_cmpfloat (least, <, full);
  goban_compare_lanes_arrange (lanes, FALSE, full + 100);
  g_assert_cmpfloat (lanes->scene->height, ==, full);
  goban_compare_lanes_arrange (lanes, FALSE, (full + least) / 2);
  g_assert_cmpfloat_with_epsilon (lanes->scene->height, (full + least) / 2, 1e-6);
  goban_compare_lanes_arrange (lanes, FALSE, 1);
  g_assert_cmpfloat_with_epsilon (lanes->scene->height, least, 1e-6);
  for (guint l = 0; l < lanes->scene->n_lanes; l++)
    if (lanes->scene->lanes[l].kind == GOBAN_LANE_DEVICE)
      g_assert_cmpfloat (lanes->scene->lanes[l].height, >=, 4);
  /* Eight devices are an overview of one line each in the window of 1280 by 800 pixels. */
  g_assert_cmpfloat (least / n * 8, <=, 120);
}

/* An op has the colour of its number in the plan whose lane it is in. */
static void
test_values (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GobanCompareLanes) lanes = goban_compare_lanes_new (goban_run_get_trace (f->before),
                                                                 goban_run_get_trace (f->after), 0);

  g_ptr_array_add (runs, f->before);
  g_ptr_array_add (runs, f->after);
  for (guint own = 0; own < 2; own++)
    {
      g_autoptr (GPtrArray) values = goban_compare_values_new ("start", runs, own);
      const GobanNodeValues *a = g_ptr_array_index (values, 0), *b = g_ptr_array_index (values, 1);
      gboolean is_same_ramp = a->least == b->least && a->most == b->most;

      g_assert_true (own || is_same_ramp);
      goban_compare_lanes_set_values (lanes, a, b);
      for (guint v = 0; v < a->n_nodes; v++)
        {
          g_assert_cmpuint (lanes->scene->lanes[0].levels[v], ==,
                            (guint) (a->places[v] * (GOBAN_RAMP_LEVELS - 1)));
          g_assert_cmpuint (lanes->scene->levels[v], ==,
                            (guint) (b->places[v] * (GOBAN_RAMP_LEVELS - 1)));
          /* On one ramp, equal numbers are equal colours. */
          for (guint w = 0; w < a->n_nodes && is_same_ramp; w++)
            g_assert_true ((a->values[v] < b->values[w]   ? a->places[v] <= b->places[w]
                            : a->values[v] > b->values[w] ? a->places[v] >= b->places[w]
                                                          : a->places[v] == b->places[w]));
        }
    }
  goban_compare_lanes_set_values (lanes, NULL, NULL);
  g_assert_null (lanes->scene->lanes[0].levels);
}

TEST_PROGRAM (compare)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/compare/marks", Fixture, "scope", set_up, test_marks, tear_down);
  g_test_add ("/compare/pictures/groups", Fixture, "scope", set_up, test_pictures, tear_down);
  g_test_add ("/compare/pictures/nodes", Fixture, NULL, set_up, test_pictures, tear_down);
  g_test_add ("/compare/same", Fixture, "scope", set_up, test_same, tear_down);
  g_test_add ("/compare/lanes", Fixture, NULL, set_up, test_lanes, tear_down);
  g_test_add ("/compare/all-lanes", Fixture, NULL, set_up, test_all_lanes, tear_down);
  g_test_add ("/compare/lanes-shrink", Fixture, NULL, set_up, test_lanes_shrink, tear_down);
  g_test_add ("/compare/values", Fixture, NULL, set_up, test_values, tear_down);
  return g_test_run ();
}
