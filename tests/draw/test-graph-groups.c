#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/graph/visible-items.h"

#include <math.h>
#include <string.h>

#define WIDTH 420
#define HEIGHT 300
#define TALL 1200

/* A graph with two groups open, one of them in the other, and the rest closed. */
typedef struct
{
  GobanGraph *graph;
  GobanGraphScene *base;
  GobanPlot *plot;
  GobanGraphScene *scene;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  const char *open[] = { "encoder", "encoder/mlp", NULL };
  GobanLook look = { .grouping = GOBAN_GROUPING_SCOPE, .expanded = open };
  guint n;

  f->graph = scoped_graph_new (70, 11);
  n = goban_graph_get_n_nodes (f->graph);
  f->base = draw_scene_new (f->graph, 3, 5);
  for (guint v = 0; v < n; v++)
    {
      f->base->nodes[v].time_us = 1 + v % 5;
      f->base->nodes[v].priority = (float) v / (float) n;
      f->base->nodes[v].flags = v % 9 == 0 ? GOBAN_NODE_CRITICAL : 0;
    }
  f->base->makespan_us = 1000;
  f->base->critical_us = g_new0 (float, n);
  for (guint v = 0; v < n; v += 9)
    f->base->critical_us[v] = 2;
  for (guint e = 0; e < f->base->n_edges; e += 11)
    f->base->edges[e].flags = GOBAN_EDGE_CRITICAL;
  f->plot = goban_plot_new (f->graph, &look, NULL);
  g_assert_cmpuint (f->plot->layout->n_hulls, >=, 3);
  f->scene = goban_graph_scene_new_outlined (f->base, f->plot->outline);
  goban_graph_scene_wire (f->scene, f->plot->layout);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_graph_scene_free (f->scene);
  goban_graph_scene_free (f->base);
  goban_plot_unref (f->plot);
  goban_graph_unref (f->graph);
}

static GobanGraphPicture
picture_of (const Fixture *f, double scale)
{
  GobanBox bounds = f->plot->layout->bounds;
  GobanGraphPicture picture = { .scene = f->scene,
                                .layout = f->plot->layout,
                                .camera = goban_camera_fit (bounds, WIDTH, HEIGHT, 8, 4) };

  if (scale > 0)
    {
      picture.camera.scale = scale;
      goban_camera_centre (&picture.camera, draw_middle_of (bounds), WIDTH, HEIGHT);
    }
  return picture;
}

/* --- the scene ------------------------------------------------------------------------------ */

static void
check_group (const Fixture *f, const GobanSceneGroup *group, const GobanSelection *nodes)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);
  double time_us = 0, sum = 0;
  double of_device[3] = { 0 };
  guint n_critical = 0;

  for (guint i = 0; i < n; i++)
    {
      const GobanSceneNode *node = &f->base->nodes[ids[i]];

      time_us += node->time_us;
      of_device[node->device] += node->time_us;
      n_critical += (node->flags & GOBAN_NODE_CRITICAL) != 0;
    }
  g_assert_cmpuint (group->n_nodes, ==, n);
  g_assert_cmpfloat (group->time_us, ==, time_us);
  g_assert_cmpuint (group->n_critical, ==, n_critical);
  g_assert_cmpfloat_with_epsilon (group->critical_share, n_critical * 2 / 1000.0, 1e-9);
  for (guint d = 0; d < 3; d++)
    {
      g_assert_cmpfloat_with_epsilon ((double) group->shares[d], of_device[d] / time_us, 1e-5);
      sum += (double) group->shares[d];
    }
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
}

static void
test_groups_add_up (Fixture *f, gconstpointer data)
{
  const GobanOutline *outline = f->plot->outline;

  for (guint i = 0; i < outline->n_items; i++)
    {
      const GobanSceneGroup *group = goban_graph_scene_get_group (f->scene, i);
      g_autoptr (GobanSelection) nodes = goban_outline_dup_item_nodes (outline, i);

      g_assert_cmpint (group != NULL, ==, outline->items[i].group != GOBAN_NO_GROUP);
      if (group != NULL)
        check_group (f, group, nodes);
      else
        g_assert_true (g_str_has_suffix (
            goban_graph_get_node (f->graph, goban_graph_scene_get_id (f->scene, i))->name,
            f->scene->nodes[i].name));
    }
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      g_autoptr (GobanSelection) nodes = goban_outline_dup_hull_nodes (outline, h);

      check_group (f, &f->scene->groups.hulls[h], nodes);
    }
}

/* An edge of items is cut, critical or for control as the edges that it stands for. */
static void
test_edges_keep_their_marks (Fixture *f, gconstpointer data)
{
  g_autofree guint8 *is_cut = g_malloc0 (f->scene->n_edges + 1);
  g_autofree guint8 *is_critical = g_malloc0 (f->scene->n_edges + 1);

  for (guint e = 0; e < f->base->n_edges; e++)
    if (f->plot->outline->edge_of[e] != GOBAN_NO_ITEM)
      {
        is_cut[f->plot->outline->edge_of[e]] |= goban_graph_scene_is_cut (f->base, e);
        is_critical[f->plot->outline->edge_of[e]]
            |= (f->base->edges[e].flags & GOBAN_EDGE_CRITICAL) != 0;
      }
  for (guint e = 0; e < f->scene->n_edges; e++)
    {
      g_assert_cmpint (goban_graph_scene_is_cut (f->scene, e), ==, is_cut[e]);
      g_assert_cmpint ((f->scene->edges[e].flags & GOBAN_EDGE_CRITICAL) != 0, ==, is_critical[e]);
      g_assert_cmpint (f->scene->edges[e].flags & GOBAN_EDGE_CONTROL, ==, 0);
    }
}

/* --- pictures ------------------------------------------------------------------------------- */

static void
clear_names (GobanGraphScene *scene)
{
  for (guint i = 0; i < scene->n_nodes; i++)
    scene->nodes[i].name = "";
  for (guint g = 0; g < scene->groups.n_closed; g++)
    scene->groups.closed[g].name = "";
  for (guint h = 0; h < scene->groups.n_hulls; h++)
    scene->groups.hulls[h].name = "";
}

/* Without names and where nothing else is written: fonts differ between machines. */
static void
test_golden (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *name;
    double scale;
    GobanGraphStyle style;
  } rows[] = {
    { "draw-groups-light", 0.31, { .show_critical = TRUE } },
    { "draw-groups-dark", 0.31, { .theme = GOBAN_THEME_DARK } },
    { "draw-groups-far", 0.045, { .fill = GOBAN_FILL_PRIORITY } },
  };

  clear_names (f->scene);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GobanGraphPicture picture = picture_of (f, rows[i].scale);
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
  static const double scales[] = { 0.04, 0.15, 0.3, 0.5, 1.2 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      draw_check_strips (&picture, WIDTH, HEIGHT);
    }
}

/* Each device of a closed group is seen in it, however small it is. */
/* A picture so large that it is painted in bands, and strips so small that they are not. */
static void
test_bands_equal_strips (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.04, 0.3, 1.2 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      g_assert_cmpuint (goban_bands_of (0, TALL, WIDTH).n, >, 2);
      goban_camera_centre (&picture.camera, draw_middle_of (picture.layout->bounds), WIDTH, TALL);
      draw_check_strips (&picture, WIDTH, TALL);
    }
}

static void
test_devices_show_their_colours (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 0.05, 0.2, 0.6 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
      {
        GobanGraphPicture picture = picture_of (f, scales[i]);
        cairo_surface_t *surface;

        picture.style = (GobanGraphStyle){ .theme = theme };
        surface = draw_graph_new (&picture, WIDTH, HEIGHT);
        draw_check_devices_show (surface, theme, 3);
        cairo_surface_destroy (surface);
      }
}

/* Whole and partly selected groups are marked, and not alike. */
static void
test_marks_differ (Fixture *f, gconstpointer data)
{
  GobanGraphPicture picture = picture_of (f, 0);
  cairo_surface_t *surfaces[3];
  guint32 group = 0;

  while (goban_graph_scene_get_group (f->scene, group) == NULL)
    group++;
  for (guint i = 0; i < 3; i++)
    {
      GobanGraphOverlay overlay = { .selected = &group,
                                    .n_selected = i == 1,
                                    .hover = GOBAN_NO_NODE,
                                    .partly = &group,
                                    .n_partly = i == 2 };

      surfaces[i] = draw_graph_new (&picture, WIDTH, HEIGHT);
      draw_graph_overlay (surfaces[i], &picture, &overlay);
    }
  g_assert_false (draw_images_equal (surfaces[0], surfaces[1]));
  g_assert_false (draw_images_equal (surfaces[0], surfaces[2]));
  g_assert_false (draw_images_equal (surfaces[1], surfaces[2]));
  for (guint i = 0; i < 3; i++)
    cairo_surface_destroy (surfaces[i]);
}

/* Names that only their ends tell apart look different in closed boxes that are too small for
 * them. */
static void
test_long_names (Fixture *f, gconstpointer data)
{
  static const char *const pairs[][2] = {
    { "a_word_of_many_letters_and_1", "a_word_of_many_letters_and_2" },
    { "mixed/a_word_of_many_letters_and_1", "mixed/a_word_of_many_letters_and_2" },
    { "a_word_of_m\xc3\xa9ny_letters_\xc3\xa9", "a_word_of_m\xc3\xa9ny_letters_\xc3\xa8" },
  };
  GobanGraphPicture picture = picture_of (f, 0.5);

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      cairo_surface_t *surfaces[2];

      clear_names (f->scene);
      for (guint k = 0; k < 2; k++)
        {
          for (guint g = 0; g < f->scene->groups.n_closed; g++)
            f->scene->groups.closed[g].name = pairs[i][k];
          surfaces[k] = draw_graph_new (&picture, WIDTH, HEIGHT);
        }
      g_assert_false (draw_images_equal (surfaces[0], surfaces[1]));
      for (guint k = 0; k < 2; k++)
        cairo_surface_destroy (surfaces[k]);
    }
  /* Bytes that are no letters have no middle. */
  for (guint g = 0; g < f->scene->groups.n_closed; g++)
    f->scene->groups.closed[g].name = "\xff\xfe a name of some other encoding";
  cairo_surface_destroy (draw_graph_new (&picture, WIDTH, HEIGHT));
}

static void
test_extreme (Fixture *f, gconstpointer data)
{
  static const double scales[] = { 1e-6, 1e-3, 50, 1e5 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanGraphPicture picture = picture_of (f, scales[i]);

      cairo_surface_destroy (draw_graph_new (&picture, WIDTH, HEIGHT));
    }
}

/* --- pointing ------------------------------------------------------------------------------- */

static void
test_pick (Fixture *f, gconstpointer data)
{
  const GobanOutline *outline = f->plot->outline;
  const GobanLayout *layout = f->plot->layout;
  GobanCamera camera = { 1, 0, 0 };
  g_autoptr (GobanPick) pick = goban_pick_new (f->plot->layout);

  for (guint i = 0; i < outline->n_items; i++)
    {
      GobanBox box = goban_layout_node_box (layout, i);
      GobanPoint corner = { box.x0 + 1, box.y1 - 1 };

      g_assert_cmpuint (goban_pick_at (pick, &camera, corner, 2), ==, i);
      g_assert_cmpuint (outline->items[i].hull, ==,
                        MIN (goban_pick_hull_at (pick, &camera, corner), outline->items[i].hull));
    }
  for (guint h = 1; h < outline->n_hulls; h++)
    {
      GobanBox box = layout->hulls[h];
      GobanPoint head = { box.x1 - 2, box.y0 + 2 };
      GobanPoint below = { box.x1 - 2, box.y1 - 2 };

      g_assert_cmpuint (goban_pick_hull_at (pick, &camera, head), ==, h);
      g_assert_cmpuint (goban_pick_at (pick, &camera, head, 2), ==, GOBAN_NO_NODE);
      g_assert_true (goban_pick_is_on_head (pick, &camera, h, head, 0));
      g_assert_false (goban_pick_is_on_head (pick, &camera, h, below, 0));
    }
}

TEST_PROGRAM (graph_groups)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/draw/graph-groups/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("groups-add-up", test_groups_add_up);
  ADD ("edges-keep-their-marks", test_edges_keep_their_marks);
  ADD ("golden", test_golden);
  ADD ("strips-equal-whole", test_strips_equal_whole);
  ADD ("bands-equal-strips", test_bands_equal_strips);
  ADD ("devices-show-their-colours", test_devices_show_their_colours);
  ADD ("marks-differ", test_marks_differ);
  ADD ("long-names", test_long_names);
  ADD ("extreme", test_extreme);
  ADD ("pick", test_pick);
  return g_test_run ();
}
