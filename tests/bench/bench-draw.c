/* Times of layouts and pictures, in milliseconds of this thread's processor time: median of 15
 * frames, each panned by a few pixels, best of 3 layouts. The graph is the one of a screenful:
 * about as wide as high, 1.5 edges a node, one in ten skips up to ten layers, one in a hundred up
 * to a hundred. */
#include "engine/core/rng.h"
#include "tests/bench/bench-pan.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 1600
#define HEIGHT 1000
#define N_FRAMES 15
#define N_DEVICES 8

typedef struct
{
  guint32 *tails;
  guint32 *heads;
  GobanLayoutInput input;
} Edges;

static Edges
make_edges (guint n_nodes, guint width)
{
  guint n_edges = n_nodes + n_nodes / 2;
  Edges edges = { g_new (guint32, n_edges),
                  g_new (guint32, n_edges),
                  { n_nodes, 0, NULL, NULL, NULL, NULL } };
  GobanRng rng;
  guint n = 0;

  goban_rng_init (&rng, 7);
  for (guint v = width; v < n_nodes; v++)
    for (guint k = 0; k < 1 + (goban_rng_below (&rng, 2) == 0); k++)
      {
        guint chance = goban_rng_below (&rng, 100);
        guint layers = 1
                       + (chance == 0   ? goban_rng_below (&rng, 100)
                          : chance < 10 ? goban_rng_below (&rng, 10)
                                        : 0);
        gint64 tail = (gint64) v - (gint64) layers * width + (int) goban_rng_below (&rng, 9) - 4;

        if (n == n_edges)
          break;
        edges.tails[n] = (guint32) CLAMP (tail, 0, (gint64) v - 1);
        edges.heads[n++] = v;
      }
  edges.input = (GobanLayoutInput){ n_nodes, n, edges.tails, edges.heads, NULL, NULL };
  return edges;
}

static void
free_edges (Edges *edges)
{
  g_free (edges->tails);
  g_free (edges->heads);
}

static GobanLayout *
time_layout (const char *name, const Edges *edges, guint n_times)
{
  double best = INFINITY;
  GobanLayout *layout = NULL;

  for (guint i = 0; i < n_times; i++)
    {
      double start = cpu_ms ();

      g_clear_pointer (&layout, goban_layout_unref);
      layout = goban_layout_new_from_edges (&edges->input, NULL, NULL);
      best = MIN (best, cpu_ms () - start);
    }
  printf ("%s %.1f ms\n", name, best);
  return layout;
}

static GobanGraphScene *
make_scene (const Edges *edges)
{
  GobanGraphScene *scene
      = goban_graph_scene_new_empty (edges->input.n_nodes, edges->input.n_edges, N_DEVICES);

  for (guint d = 0; d < N_DEVICES; d++)
    scene->devices[d].name = g_strdup_printf ("gpu:%u", d);
  for (guint v = 0; v < scene->n_nodes; v++)
    scene->nodes[v] = (GobanSceneNode){ .name = "encoder/layer/matmul",
                                        .op = "MatMul",
                                        .time_us = v % 977,
                                        .device = (GobanDeviceId) (v * 8ull / scene->n_nodes) };
  for (guint e = 0; e < scene->n_edges; e++)
    scene->edges[e] = (GobanSceneEdge){ edges->tails[e], edges->heads[e], (e % 10) * 0.1f, 0 };
  return scene;
}

static void
time_paint (const char *name, GobanGraphPicture *picture, GobanPen *pen)
{
  printf ("%s %.2f ms\n", name, pan_ms (picture, pen, N_FRAMES));
}

static void
bench_zooms (const GobanGraphScene *scene, GobanLayout *layout, GobanPen *pen)
{
  static const double scales[] = { 0.06, 0.10, 0.15, 0.22, 0.30, 0.38, 0.5, 0.75, 1.0, 2.0 };
  GobanGraphPicture picture
      = { .scene = scene, .layout = layout, .style = { .show_critical = TRUE } };
  GobanPoint middle = { (layout->bounds.x0 + layout->bounds.x1) / 2,
                        (layout->bounds.y0 + layout->bounds.y1) / 2 };

  picture.camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 20, 1);
  time_paint ("paint-80k-fit", &picture, pen);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      char name[40];

      picture.camera.scale = scales[i];
      goban_camera_centre (&picture.camera, middle, WIDTH, HEIGHT);
      g_snprintf (name, sizeof name, "paint-80k-zoom-%.2f", scales[i]);
      time_paint (name, &picture, pen);
    }
}

static void
bench_overlay (const GobanGraphScene *scene, GobanLayout *layout, cairo_surface_t *surface,
               GobanTextCache *text)
{
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, WIDTH, HEIGHT, text);
  g_autofree GobanNodeId *all = g_new (GobanNodeId, scene->n_nodes);
  GobanGraphOverlay overlay = { .selected = all, .n_selected = 100, .hover = 5 };
  GobanGraphPicture picture = { .scene = scene,
                                .layout = layout,
                                .camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 20, 1) };
  double start;

  for (guint v = 0; v < scene->n_nodes; v++)
    all[v] = v;
  start = cpu_ms ();
  goban_graph_paint_overlay (&picture, &overlay, pen);
  printf ("overlay-80k-hundred-selected %.2f ms\n", cpu_ms () - start);
  overlay.n_selected = scene->n_nodes;
  start = cpu_ms ();
  goban_graph_paint_overlay (&picture, &overlay, pen);
  printf ("overlay-80k-all-selected %.2f ms\n", cpu_ms () - start);
  cairo_destroy (cr);
}

static void
bench_pick (GobanLayout *layout)
{
  GobanCamera camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 20, 1);
  double start = cpu_ms ();
  g_autoptr (GobanPick) pick = goban_pick_new (layout);
  guint n_hits = 0;

  printf ("pick-80k-build %.2f ms\n", cpu_ms () - start);
  start = cpu_ms ();
  for (guint i = 0; i < 10000; i++)
    n_hits += goban_pick_at (pick, &camera, (GobanPoint){ i * 7 % WIDTH, i * 13 % HEIGHT }, 6)
              != GOBAN_NO_NODE;
  printf ("pick-80k-at %.4f ms\n", (cpu_ms () - start) / 10000);
  g_assert (n_hits > 0);
}

static GobanTimelineScene *
make_timeline (guint n_nodes)
{
  GobanTimelineScene *scene = goban_timeline_scene_new_empty (2 * N_DEVICES);
  guint each = n_nodes / N_DEVICES;
  g_autofree GobanSlice *slices = g_new0 (GobanSlice, each);

  for (guint lane = 0; lane < scene->n_lanes; lane++)
    {
      for (guint i = 0; i < each; i++)
        slices[i] = (GobanSlice){ .start_us = i * 10.0,
                                  .finish_us = i * 10.0 + 3 + i % 8,
                                  .node = lane * each + i,
                                  .transfer = GOBAN_NO_TRANSFER,
                                  .device = (guint16) (lane / 2),
                                  .family = (guint8) (i % 7) };
      scene->lanes[lane].kind = lane % 2 == 0 ? GOBAN_LANE_DEVICE : GOBAN_LANE_LINK;
      scene->lanes[lane].name = g_strdup_printf ("lane %u", lane);
      goban_lane_set_slices (&scene->lanes[lane], slices, each);
    }
  scene->end_us = each * 10.0;
  goban_timeline_scene_arrange (scene, NULL);
  return scene;
}

static void
bench_timeline (GobanPen *pen)
{
  static const double zooms[] = { 1, 10, 100, 1000 };
  g_autoptr (GobanTimelineScene) scene = make_timeline (80000);

  for (guint z = 0; z < G_N_ELEMENTS (zooms); z++)
    {
      GobanTimelinePicture picture
          = { .scene = scene, .camera = goban_time_camera_fit (0, scene->end_us, WIDTH) };
      double times[N_FRAMES];

      goban_time_camera_zoom (&picture.camera, zooms[z], WIDTH / 2);
      for (guint i = 0; i < N_FRAMES; i++)
        {
          double start = cpu_ms ();

          goban_time_camera_pan (&picture.camera, i % 2 == 0 ? 7 : -5, 0);
          goban_timeline_paint (&picture, pen);
          times[i] = cpu_ms () - start;
        }
      printf ("timeline-80k-zoom-%.0f %.2f ms\n", zooms[z], median_ms (times, N_FRAMES));
    }
}

int
main (void)
{
  Edges small = make_edges (2000, 30);
  Edges large = make_edges (80000, 190);
  Edges deep = make_edges (80000, 12);
  Edges million = make_edges (1000000, 700);
  g_autoptr (GobanLayout) layout_small = time_layout ("layout-2k", &small, 3);
  g_autoptr (GobanLayout) layout = time_layout ("layout-80k", &large, 3);
  g_autoptr (GobanLayout) layout_deep = time_layout ("layout-80k-deep", &deep, 3);
  g_autoptr (GobanLayout) layout_million = time_layout ("layout-1m", &million, 1);
  g_autoptr (GobanGraphScene) scene = make_scene (&large);
  g_autoptr (GobanGraphScene) scene_million = make_scene (&million);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  GobanPen *pen = goban_pen_new_for_image (surface, text);
  GobanGraphPicture all = { .scene = scene_million, .layout = layout_million };

  bench_zooms (scene, layout, pen);
  all.camera = goban_camera_fit (layout_million->bounds, WIDTH, HEIGHT, 20, 1);
  time_paint ("paint-1m-fit", &all, pen);
  bench_timeline (pen);
  goban_pen_free (pen);
  bench_overlay (scene, layout, surface, text);
  bench_pick (layout);
  cairo_surface_destroy (surface);
  free_edges (&small);
  free_edges (&large);
  free_edges (&deep);
  free_edges (&million);
  return 0;
}
