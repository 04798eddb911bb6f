/* Pictures of a policy's decisions: tracks of sliders, and what a decision changed in a graph. */
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/graph-gen.h"
#include "ui/draw/charts/treads.h"
#include "ui/draw/graph/graph-layout.h"
#include "ui/draw/graph/graph-painter.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"

#include <math.h>

#define WIDTH 420
#define HEIGHT 24
#define N_NODES 24

static const double shares[] = { 1, 0.5, (double) NAN, 0.6, 0.1, 0 };
static const guint devices[] = { 0, 0, 1, G_MAXUINT, 2, 1 };

static double
get_share (guint tread, gpointer data)
{
  return shares[tread];
}

static guint
get_device (guint tread, gpointer data)
{
  return devices[tread % G_N_ELEMENTS (devices)];
}

static void
paint (const GobanTreads *treads, cairo_surface_t *surface)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_treads_paint (treads, pen);
  cairo_surface_mark_dirty (surface);
}

/* Plans in light colours, decisions in dark ones. */
static void
test_golden (void)
{
  const GobanTreads plans = { .get_share = get_share,
                              .n = G_N_ELEMENTS (shares),
                              .shown = 4,
                              .hover = 1,
                              .theme = GOBAN_THEME_LIGHT };
  const GobanTreads decisions
      = { .get_device = get_device, .n = 32, .shown = 15, .hover = -1, .theme = GOBAN_THEME_DARK };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);

  paint (&plans, surface);
  draw_golden_check_image (surface, "draw-steps-light");
  paint (&decisions, surface);
  draw_golden_check_image (surface, "draw-steps-dark");
  cairo_surface_destroy (surface);
}

/* Every place belongs to the tread whose middle is nearest, beside the track too. */
static void
test_places (void)
{
  const GobanTreads treads = { .n = G_N_ELEMENTS (shares) };

  for (guint i = 0; i < treads.n; i++)
    g_assert_cmpuint (goban_treads_at (&treads, WIDTH, goban_treads_x (&treads, WIDTH, i)), ==, i);
  g_assert_cmpuint (goban_treads_at (&treads, WIDTH, -10), ==, 0);
  g_assert_cmpuint (goban_treads_at (&treads, WIDTH, 10 * WIDTH), ==, treads.n - 1);
  for (double x = 1; x < WIDTH; x++)
    g_assert_cmpuint (goban_treads_at (&treads, WIDTH, x - 1), <=,
                      goban_treads_at (&treads, WIDTH, x));
}

static guint n_asked;

static guint
count_device (guint tread, gpointer data)
{
  n_asked++;
  return tread % 3;
}

/* None, one in no room, and so many that a pixel has several: just those that are seen are asked
 * for. */
static void
test_extremes (void)
{
  const GobanTreads treads[] = {
    { .get_share = get_share, .n = 1, .shown = 0, .hover = 0 },
    { .get_share = get_share, .n = 0, .shown = -1, .hover = -1 },
    { .get_device = get_device, .n = 2, .shown = 1, .hover = 5 },
  };
  const GobanTreads many = { .get_device = count_device, .n = 84464, .shown = 84463, .hover = -1 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 3, 2);
  cairo_surface_t *wide = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (treads); i++)
    {
      paint (&treads[i], surface);
      g_assert_cmpuint (goban_treads_at (&treads[i], WIDTH, 50), <, MAX (treads[i].n, 1));
    }
  paint (&many, wide);
  g_assert_cmpuint (n_asked, >=, WIDTH);
  g_assert_cmpuint (n_asked, <=, 2 * WIDTH);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (wide);
}

/* --- a graph -------------------------------------------------------------------------------- */

/* A run whose last decision has moved nodes 3 to 8 from gpu:0 to gpu:1. */
static GobanRun *
new_run (GobanGraph *graph)
{
  static const GobanNodeId nodes[] = { 3, 4, 5, 6, 7, 8 };
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *writer
      = goban_decisions_writer_new (&(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = 2 });
  const GobanDecisionHead head = { .options = GOBAN_OPTION_PLAN };

  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  goban_decisions_writer_set_plan (writer, &head, plan);
  goban_decisions_writer_settle (writer, plan);
  for (gsize i = 0; i < G_N_ELEMENTS (nodes); i++)
    goban_plan_set_device (plan, nodes[i], 1);
  goban_decisions_writer_set_plan (writer, &head, plan);
  goban_decisions_writer_settle (writer, plan);
  decisions = goban_decisions_writer_end (writer);
  return goban_run_new_kept (costs, plan, "go-one", &(GobanRunOrigin){ .decisions = decisions });
}

static cairo_surface_t *
draw (const GobanGraphScene *scene, const GobanLayout *layout, double scale)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  GobanGraphPicture picture = { .scene = scene, .layout = layout, .camera = { scale, 0, 0 } };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 260);
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_camera_centre (&picture.camera,
                       (GobanPoint){ (layout->bounds.x0 + layout->bounds.x1) / 2,
                                     (layout->bounds.y0 + layout->bounds.y1) / 2 },
                       300, 260);
  goban_graph_paint (&picture, pen);
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Marked nodes have a stripe of what they had, at every size; without the mark the picture is as
 * before. */
static void
test_marks (void)
{
  static const double scales[] = { 0.05, 0.2, 0.3 };
  GraphGen gen = { .n_nodes = N_NODES, .edges_per_node = 1.5, .width = 6, .max_time_us = 50 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 5);
  g_autoptr (GobanLayout) layout = outlines_lay_out_graph (graph, NULL, NULL);
  g_autoptr (GobanRun) run = new_run (graph);
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new (
      graph, goban_run_get_costs (run), goban_run_get_plan (run), goban_run_get_trace (run));
  guint n_marked = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *plain = draw (scene, layout, scales[i]);
      cairo_surface_t *marked, *again;
      guint32 before = goban_palette_device (GOBAN_THEME_LIGHT, 0);

      goban_graph_scene_set_step (scene, run);
      marked = draw (scene, layout, scales[i]);
      goban_graph_scene_set_step (scene, NULL);
      again = draw (scene, layout, scales[i]);
      g_assert_false (draw_images_equal (plain, marked));
      g_assert_true (draw_images_equal (plain, again));
      if (i > 0)
        g_assert_cmpuint (draw_count_pixels (marked, before), >, draw_count_pixels (plain, before));
      if (i == 1)
        draw_golden_check_image (marked, "draw-steps-graph");
      cairo_surface_destroy (plain);
      cairo_surface_destroy (marked);
      cairo_surface_destroy (again);
    }
  goban_graph_scene_set_step (scene, run);
  for (guint v = 0; v < N_NODES; v++)
    if ((scene->nodes[v].flags & GOBAN_NODE_CHANGED) != 0)
      {
        g_assert_cmpuint (scene->nodes[v].had, ==, 0);
        n_marked++;
      }
  g_assert_cmpuint (n_marked, ==, 6);
}

TEST_PROGRAM (steps)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/steps/golden", test_golden);
  g_test_add_func ("/draw/steps/places", test_places);
  g_test_add_func ("/draw/steps/extremes", test_extremes);
  g_test_add_func ("/draw/steps/marks", test_marks);
  return g_test_run ();
}
