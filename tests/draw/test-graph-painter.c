#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/visible-items.h"

#include <math.h>

#define WIDTH 420
#define HEIGHT 300
#define TALL 1200

/* A graph with its layout, four devices in turn, and a critical path along the first edges. */
typedef struct
{
  GobanGraph *graph;
  GobanLayout *layout;
  GobanGraphScene *scene;
} Fixture;

static void
set_up_sized (Fixture *f, guint n_nodes)
{
  GraphGen gen = { .n_nodes = n_nodes, .edges_per_node = 1.5, .width = 8, .max_bytes = 100 };
  guint at = 0;

  f->graph = graph_gen_new (&gen, 5);
  f->layout = outlines_lay_out_graph (f->graph, NULL, NULL);
  f->scene = draw_scene_new (f->graph, 4, 3);
  for (guint v = 0; v < n_nodes; v++)
    {
      f->scene->nodes[v].time_us = NAN;
      f->scene->nodes[v].priority = (float) v / (float) n_nodes;
    }
  for (guint e = 0; e < f->scene->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (f->graph, e);

      f->scene->edges[e].weight = (float) (e % 5) / 5;
      if (edge->tail != at)
        continue;
      f->scene->edges[e].flags = GOBAN_EDGE_CRITICAL;
      f->scene->nodes[at].flags = f->scene->nodes[edge->head].flags = GOBAN_NODE_CRITICAL;
      at = edge->head;
    }
}

static void
set_up (Fixture *f, gconstpointer data)
{
  set_up_sized (f, 60);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_graph_scene_free (f->scene);
  goban_layout_unref (f->layout);
  goban_graph_unref (f->graph);
}

static GobanGraphPicture
picture_of (const Fixture *f, double scale)
{
  GobanBox bounds = f->layout->bounds;
  GobanGraphPicture picture = { .scene = f->scene,
                                .layout = f->layout,
                                .camera = goban_camera_fit (bounds, WIDTH, HEIGHT, 8, 4),
                                .style = { .show_critical = TRUE } };

  if (scale > 0)
    {
      picture.camera.scale = scale;
      goban_camera_centre (&picture.camera,
                           (GobanPoint){ (double) f->layout->x[6], (double) f->layout->y[6] },
                           WIDTH, HEIGHT);
    }
  return picture;
}

/* Levels of detail without text only: fonts differ between machines. */
static void
test_golden (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *name;
    double node_height;
    GobanGraphStyle style;
  } rows[] = {
    { "draw-graph-pixels", 1.5, { .show_critical = FALSE } },
    { "draw-graph-rects", 7, { .show_critical = TRUE } },
    { "draw-graph-curves", 13, { .theme = GOBAN_THEME_DARK, .fill = GOBAN_FILL_PRIORITY } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GobanGraphPicture picture = picture_of (f, rows[i].node_height / GOBAN_NODE_HEIGHT);
      cairo_surface_t *surface;

      picture.style = rows[i].style;
      surface = draw_graph_new (&picture, WIDTH, HEIGHT);
      draw_golden_check_image (surface, rows[i].name);
      cairo_surface_destroy (surface);
    }
}

static void
test_strips_equal_whole (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.03, 0.15, 0.3, 0.8 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      draw_check_strips (&picture, WIDTH, HEIGHT);
    }
}

/* A picture so large that it is painted in bands, and strips so small that they are not. */
static void
test_bands_equal_strips (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.03, 0.3, 0.8 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      g_assert_cmpuint (goban_bands_of (0, TALL, WIDTH).n, >, 2);
      goban_camera_centre (&picture.camera,
                           (GobanPoint){ (double) f->layout->x[6], (double) f->layout->y[6] },
                           WIDTH, TALL);
      draw_check_strips (&picture, WIDTH, TALL);
    }
}

static void
test_devices_show_their_colours (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.04, 0.2, 0.3, 0.4 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
      {
        GobanGraphPicture picture = picture_of (f, scales[i]);
        cairo_surface_t *surface;

        picture.style = (GobanGraphStyle){ .theme = theme };
        surface = draw_graph_new (&picture, WIDTH, HEIGHT);
        draw_check_devices_show (surface, theme, 4);
        g_assert_cmpuint (draw_count_pixels (surface, goban_palette_get (theme)->canvas), >, 1000);
        cairo_surface_destroy (surface);
      }
}

/* By priority, devices remain visible as stripes. */
static void
test_priority_keeps_devices (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 0.4);
  cairo_surface_t *surface;

  picture.style.fill = GOBAN_FILL_PRIORITY;
  surface = draw_graph_new (&picture, WIDTH, HEIGHT);
  draw_check_devices_show (surface, GOBAN_THEME_LIGHT, 4);
  cairo_surface_destroy (surface);
}

/* Whether nodes of this height have labels at this scale of texts. */
static gboolean
has_labels (Fixture *f, double node_height, double ui_scale)
{
  GobanGraphPicture picture = picture_of (f, node_height / GOBAN_NODE_HEIGHT);
  cairo_surface_t *named, *nameless;
  gboolean differ;

  picture.style.ui_scale = ui_scale;
  named = draw_graph_new (&picture, WIDTH, HEIGHT);
  for (guint v = 0; v < f->scene->n_nodes; v++)
    f->scene->nodes[v].name = "";
  nameless = draw_graph_new (&picture, WIDTH, HEIGHT);
  for (guint v = 0; v < f->scene->n_nodes; v++)
    f->scene->nodes[v].name = goban_graph_get_node (f->graph, v)->name;
  differ = memcmp (cairo_image_surface_get_data (named), cairo_image_surface_get_data (nameless),
                   (gsize) cairo_image_surface_get_stride (named) * HEIGHT)
           != 0;
  cairo_surface_destroy (named);
  cairo_surface_destroy (nameless);
  return differ;
}

/* Who has larger texts on the desktop sees at the same zoom what others see. */
static void
test_larger_texts_stay (Fixture *f, gconstpointer data)
{
  g_assert_false (has_labels (f, 11, 1));
  g_assert_true (has_labels (f, 13, 1));
  g_assert_true (has_labels (f, 20, 1));
  g_assert_true (has_labels (f, 20, 1.5));
  g_assert_false (has_labels (f, 11, 1.5));
  g_assert_false (has_labels (f, 20, 2));
  g_assert_true (has_labels (f, 24, 2));
}

static void
test_critical_path_is_optional (Fixture *f, gconstpointer data)
{
  GobanRgb critical = goban_palette_get (GOBAN_THEME_LIGHT)->critical;
  static const double scales[] = { 0.04, 0.2, 0.3, 0.8 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    for (guint shown = 0; shown < 2; shown++)
      {
        GobanGraphPicture picture = picture_of (f, scales[i]);
        cairo_surface_t *surface;

        picture.style.show_critical = shown == 1;
        surface = draw_graph_new (&picture, WIDTH, HEIGHT);
        g_assert_cmpint (draw_count_pixels (surface, critical) > 0, ==, shown);
        cairo_surface_destroy (surface);
      }
}

static void
test_overlay_draws_only_what_is_chosen (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.04, 0.8 };
  const GobanColours *colours = goban_palette_get (GOBAN_THEME_LIGHT);
  GobanNodeId chosen[] = { 20, 31 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    for (guint how = 0; how < 4; how++)
      {
        guint n = how % 2 == 1 ? 2 : 0;
        gboolean is_match = how >= 2; /* what is found by a search, else what is selected */
        GobanGraphPicture picture = picture_of (f, scales[i]);
        GobanGraphOverlay overlay = { .selected = chosen,
                                      .n_selected = is_match ? 0 : n,
                                      .hover = GOBAN_NO_NODE,
                                      .matched = chosen,
                                      .n_matched = is_match ? n : 0 };
        cairo_surface_t *base = draw_graph_new (&picture, WIDTH, HEIGHT);
        cairo_surface_t *over = draw_graph_new (&picture, WIDTH, HEIGHT);

        goban_camera_centre (&picture.camera,
                             (GobanPoint){ (double) f->layout->x[20], (double) f->layout->y[20] },
                             WIDTH, HEIGHT);
        draw_graph_overlay (over, &picture, &overlay);
        g_assert_cmpint (draw_images_equal (base, over), ==, n == 0);
        g_assert_cmpint (draw_count_pixels (over, colours->selection) > 0, ==, n > 0 && !is_match);
        g_assert_cmpint (draw_count_pixels (over, colours->match) > 0, ==, n > 0 && is_match);
        cairo_surface_destroy (base);
        cairo_surface_destroy (over);
      }
}

/* Edges of what is selected are marked, unless that is everything. */
static void
test_overlay_of_all_marks_no_edges (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 0.8);
  guint n = f->layout->n_nodes;
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  guint n_pixels[2];

  for (guint i = 0; i < n; i++)
    ids[i] = i;
  for (guint is_all = 0; is_all < 2; is_all++)
    {
      GobanGraphOverlay overlay
          = { .selected = ids, .n_selected = n - 1 + is_all, .hover = GOBAN_NO_NODE };
      cairo_surface_t *over = draw_graph_new (&picture, WIDTH, HEIGHT);

      draw_graph_overlay (over, &picture, &overlay);
      n_pixels[is_all] = draw_count_pixels (over, goban_palette_get (GOBAN_THEME_LIGHT)->selection);
      cairo_surface_destroy (over);
    }
  g_assert_cmpuint (n_pixels[1], >, 0);
  g_assert_cmpuint (n_pixels[1], <, n_pixels[0]);
}

static void
test_empty_and_extreme (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 1e-6, 1e-3, 50, 1e5 };
  Fixture none = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      cairo_surface_destroy (draw_graph_new (&picture, WIDTH, HEIGHT));
    }
  set_up_sized (&none, 0);
  {
    GobanGraphPicture picture = picture_of (&none, 0);

    cairo_surface_destroy (draw_graph_new (&picture, WIDTH, HEIGHT));
  }
  tear_down (&none, NULL);
}

TEST_PROGRAM (graph_painter)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/draw/graph-painter/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("golden", test_golden);
  ADD ("strips-equal-whole", test_strips_equal_whole);
  ADD ("bands-equal-strips", test_bands_equal_strips);
  ADD ("devices-show-their-colours", test_devices_show_their_colours);
  ADD ("priority-keeps-devices", test_priority_keeps_devices);
  ADD ("critical-path-is-optional", test_critical_path_is_optional);
  ADD ("larger-texts-stay", test_larger_texts_stay);
  ADD ("overlay-draws-only-what-is-chosen", test_overlay_draws_only_what_is_chosen);
  ADD ("overlay-of-all-marks-no-edges", test_overlay_of_all_marks_no_edges);
  ADD ("empty-and-extreme", test_empty_and_extreme);
  return g_test_run ();
}
