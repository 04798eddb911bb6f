/* Arrows, chains, ghosts, places of lanes and moments: what is drawn over and behind a timeline. */
#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"

#include "engine/session/session.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/test-program.h"
#include "ui/draw/timeline/timeline-arrows.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>

#define WIDTH 560
#define HEIGHT 260

/* gpu:0   aaaaaaaaaa cccccc
 * gpu:1                     bbbb, which waits for what a sends */
static const Scenario before = {
  .cluster = "p100x2",
  .nodes = { { "a", 100, 0, 0, 0, NULL, 0 },
             { "c", 60, 0, 0, 0, NULL, 0 },
             { "b", 40, 1, 0, 0, NULL, 0 },
             { "d", 30, 0, 0, 0, NULL, 0 } },
  .edges = { { "a", "b", 1e6 }, { "a", "c", 8 }, { "b", "d", 1e6 } },
};

/* The same with b where a is. */
static const Scenario after = {
  .cluster = "p100x2",
  .nodes = { { "a", 100, 0, 0, 0, NULL, 0 },
             { "c", 60, 0, 0, 0, NULL, 0 },
             { "b", 40, 0, 0, 0, NULL, 0 },
             { "d", 30, 0, 0, 0, NULL, 0 } },
  .edges = { { "a", "b", 1e6 }, { "a", "c", 8 }, { "b", "d", 1e6 } },
};

/* --- arrows ----------------------------------------------------------------------------------- */

static gboolean
has_arrow (const GArray *arrows, GobanSlicePlace from, GobanSlicePlace to)
{
  for (guint i = 0; i < arrows->len; i++)
    {
      const GobanTimelineArrow *arrow = &g_array_index (arrows, GobanTimelineArrow, i);

      if (arrow->from.lane == from.lane && arrow->from.slice == from.slice
          && arrow->to.lane == to.lane && arrow->to.slice == to.slice)
        return TRUE;
    }
  return FALSE;
}

static void
assert_arrows_of_edge (const GobanTimelineScene *scene, GobanTrace *trace, const GArray *arrows,
                       const GobanEdge *edge)
{
  const GobanPlan *plan = goban_trace_get_plan (trace);
  GobanSlicePlace from = goban_timeline_scene_find_op (scene, edge->tail);
  GobanSlicePlace to = goban_timeline_scene_find_op (scene, edge->head);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (guint i = 0; i < n; i++)
    if (transfers[i].tensor == edge->tensor
        && transfers[i].to == goban_plan_get_device (plan, edge->head)
        && transfers[i].from != transfers[i].to)
      {
        GobanSlicePlace way = goban_timeline_scene_find_transfer (scene, i);

        g_assert_true (has_arrow (arrows, from, way));
        g_assert_true (has_arrow (arrows, way, to));
        return;
      }
  g_assert_true (has_arrow (arrows, from, to));
}

static void
test_arrows_of_one_hop (void)
{
  guint n_checked = 0;

  for (guint64 seed = 1; seed <= 60; seed++)
    {
      g_auto (RandomRun) random;
      g_autoptr (GobanRun) run = NULL;
      g_autoptr (GobanTimelineScene) scene = NULL;
      guint n_edges;
      GobanTrace *trace;

      random_run_init (&random, 3 + seed % 12, seed);
      run = goban_run_new (random.costs, random.plan, NULL);
      trace = goban_run_get_trace (run);
      if (goban_trace_get_ops (trace) == NULL || !isfinite (goban_trace_get_makespan (trace)))
        continue;
      scene = goban_timeline_scene_new (trace);
      n_edges = goban_graph_get_n_edges (random.graph);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (random.graph); v++)
        {
          g_autoptr (GobanSelection) one = goban_selection_new (&v, 1);
          g_autoptr (GArray) arrows = goban_timeline_arrows_new (scene, trace, one, 1);
          g_autoptr (GArray) none = goban_timeline_arrows_new (scene, trace, one, 0);
          guint n_touching = 0;

          for (guint e = 0; e < n_edges; e++)
            {
              const GobanEdge *edge = goban_graph_get_edge (random.graph, e);

              if (edge->tail != v && edge->head != v)
                continue;
              assert_arrows_of_edge (scene, trace, arrows, edge);
              n_touching++;
            }
          g_assert_cmpuint (arrows->len, <=, 2 * n_touching);
          g_assert_cmpuint (none->len, ==, 0);
          n_checked += n_touching;
        }
    }
  g_assert_cmpuint (n_checked, >, 200);
}

/* a -> (sent) -> b -> (sent) -> d, and a -> c: of d one hop, two, and then no more. */
static void
test_arrows_reach_further (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&before);
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);
  GobanNodeId d
      = goban_graph_find_node (goban_cost_model_get_graph (goban_trace_get_costs (trace)), "d");
  const guint expected[] = { 0, 2, 4, 4 };

  for (guint hops = 0; hops < G_N_ELEMENTS (expected); hops++)
    {
      g_autoptr (GobanSelection) one = goban_selection_new (&d, 1);
      g_autoptr (GArray) arrows = goban_timeline_arrows_new (scene, trace, one, hops);

      g_assert_cmpuint (arrows->len, ==, expected[hops]);
    }
}

static void
test_chain_leads_to_the_gap (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&before);
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);
  g_autoptr (GobanCauses) causes = goban_causes_new_for_device (trace, 1, 5);
  g_autoptr (GArray) chain = goban_timeline_chain_new (scene, causes);
  const GobanTimelineArrow *arrows = (const GobanTimelineArrow *) (gpointer) chain->data;

  /* a, what it sends, b: two arrows in order of time, each starting where the one before ends. */
  g_assert_cmpuint (chain->len, ==, 2);
  g_assert_cmpuint (arrows[0].to.lane, ==, arrows[1].from.lane);
  g_assert_cmpuint (arrows[0].to.slice, ==, arrows[1].from.slice);
  g_assert_cmpint (scene->lanes[arrows[0].from.lane].kind, ==, GOBAN_LANE_DEVICE);
  g_assert_cmpint (scene->lanes[arrows[0].to.lane].kind, ==, GOBAN_LANE_LINK);
  g_assert_cmpuint (scene->lanes[arrows[1].to.lane].device, ==, 1);
}

/* Everything on one device is one chain; only what is near its end is drawn. */
static void
test_long_chains_end (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("rnnlm:layers=1", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "single", NULL, &error);
  g_autoptr (GobanTimelineScene) scene = NULL;
  g_autoptr (GobanCauses) causes = NULL;
  g_autoptr (GArray) chain = NULL;
  const GobanTimelineArrow *last;
  GobanNodeId end = 0;
  const GobanOpSpan *spans;
  guint n;

  g_assert_no_error (error);
  spans = goban_trace_get_ops (goban_run_get_trace (run));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (spans[v].start_us > spans[end].start_us)
      end = v;
  scene = goban_timeline_scene_new (goban_run_get_trace (run));
  causes = goban_causes_new_for_node (goban_run_get_trace (run), end);
  goban_causes_get (causes, &n);
  g_assert_cmpuint (n, >, GOBAN_MAX_TIMELINE_ARROWS);
  chain = goban_timeline_chain_new (scene, causes);
  g_assert_cmpuint (chain->len, ==, GOBAN_MAX_TIMELINE_ARROWS - 1);
  last = &g_array_index (chain, GobanTimelineArrow, chain->len - 1);
  g_assert_cmpuint (scene->lanes[last->to.lane].slices[last->to.slice].node, ==, end);
}

/* --- pictures --------------------------------------------------------------------------------- */

static GobanTimelinePicture
picture_of (const GobanTimelineScene *scene, const GobanTimelineScene *ghost)
{
  GobanTimelineStyle style = { .show_critical = FALSE };
  double end = ghost != NULL ? fmax (scene->end_us, ghost->end_us) : scene->end_us;

  return (GobanTimelinePicture){
    .scene = scene,
    .camera = goban_time_camera_fit (0, end, goban_timeline_lanes_width (&style, WIDTH)),
    .style = style,
    .ghost = ghost,
  };
}

/* Text is not the same everywhere; lanes are. */
static void
strip_names (GobanTimelineScene *scene)
{
  for (guint l = 0; l < scene->n_lanes; l++)
    {
      g_clear_pointer (&scene->lanes[l].name, g_free);
      g_clear_pointer (&scene->lanes[l].detail, g_free);
    }
  scene->names = NULL; /* the words' */
  g_clear_pointer (&scene->bytes, g_free);
}

/* The lanes alone, without the axis. */
static cairo_surface_t *
crop_lanes (cairo_surface_t *surface)
{
  int top = (int) GOBAN_TIMELINE_AXIS;

  return draw_rows_new (surface, top, HEIGHT - top);
}

static void
test_ghost_golden (void)
{
  g_autoptr (GobanTrace) old = scenario_run (&before);
  g_autoptr (GobanTrace) trace = scenario_run (&after);
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_for_lanes (trace, old, NULL, NULL);
  g_autoptr (GobanTimelineScene) ghost = goban_timeline_scene_new_like (old, scene);
  g_autofree char *difference = goban_timeline_describe_difference (scene, ghost);
  GobanTimelinePicture picture;
  cairo_surface_t *surface, *lanes;

  /* Two devices with memory, and both ways between them, though nothing is sent any more. */
  g_assert_cmpuint (scene->n_lanes, ==, 6);
  g_assert_cmpuint (ghost->n_lanes, ==, 6);
  g_assert_true (g_str_has_prefix (difference, "−"));
  strip_names (scene);
  strip_names (ghost);
  picture = picture_of (scene, ghost);
  surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
  lanes = crop_lanes (surface);
  draw_golden_check_image (lanes, "draw-timeline-ghost");
  cairo_surface_destroy (lanes);
  cairo_surface_destroy (surface);
}

/* Whether some pixel of the columns beside @x has another colour than the axis. */
static gboolean
has_ink (cairo_surface_t *surface, int x, int n_columns)
{
  int stride = cairo_image_surface_get_stride (surface) / 4;
  const guint32 *pixels = (gconstpointer) cairo_image_surface_get_data (surface);

  for (int y = (int) GOBAN_TIMELINE_AXIS / 2 - 6; y < (int) GOBAN_TIMELINE_AXIS / 2 + 5; y++)
    for (int i = x; i < x + n_columns; i++)
      if ((pixels[y * stride + i] & 0xffffff) != goban_palette_get (GOBAN_THEME_LIGHT)->canvas)
        return TRUE;
  return FALSE;
}

/* A label of the axis that the difference would cover is left out: wherever the run ends, there is
 * a gap at both sides. */
static void
test_difference_covers_no_label (void)
{
  g_autoptr (GobanTrace) old = scenario_run (&before);
  g_autoptr (GobanTrace) trace = scenario_run (&after);
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_for_lanes (trace, old, NULL, NULL);
  g_autoptr (GobanTimelineScene) ghost = goban_timeline_scene_new_like (old, scene);
  GobanTimelinePicture picture = picture_of (scene, ghost);
  int left = WIDTH - (int) goban_timeline_lanes_width (&picture.style, WIDTH);
  double us_per_px = picture.camera.us_per_px;

  for (guint i = 0; i < 60; i++)
    {
      int end, begin;
      cairo_surface_t *surface;

      picture.camera.us_per_px = us_per_px * (1 + 0.02 * i);
      end = left
            + (int) floor ((scene->end_us - picture.camera.start_us) / picture.camera.us_per_px);
      surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
      for (begin = end; begin > left && has_ink (surface, begin - 1, 1); begin--)
        ;
      g_assert_cmpint (end - begin, >, 20);
      g_assert_cmpint (end - begin, <, 70);
      g_assert_false (end + 2 < WIDTH && has_ink (surface, end, 2));
      cairo_surface_destroy (surface);
    }
}

static void
test_overlay_golden (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&before);
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);
  g_autoptr (GobanCauses) causes = goban_causes_new_for_device (trace, 1, 5);
  g_autoptr (GArray) chain = goban_timeline_chain_new (scene, causes);
  GobanTimelineOverlay overlay = goban_timeline_overlay_none ();
  const guint8 area[] = { FALSE, TRUE, FALSE, FALSE, FALSE, TRUE };
  GobanTimelinePicture picture;
  cairo_surface_t *surface, *lanes;

  strip_names (scene);
  picture = picture_of (scene, NULL);
  surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
  overlay.chain = (const GobanTimelineArrow *) (gpointer) chain->data;
  overlay.n_chain = chain->len;
  overlay.area = (GobanTimelineArea){ 20, 60, area };
  overlay.time_us = 120;
  overlay.target_lane = 3;
  draw_timeline_overlay (surface, &picture, &overlay);
  lanes = crop_lanes (surface);
  draw_golden_check_image (lanes, "draw-timeline-overlay");
  cairo_surface_destroy (lanes);
  cairo_surface_destroy (surface);
}

/* --- lanes ------------------------------------------------------------------------------------ */

static guint
lane_of (const GobanTimelineScene *scene, const char *id)
{
  guint lane = goban_timeline_scene_find_lane (scene, id);

  g_assert_cmpuint (lane, !=, GOBAN_NO_LANE);
  return lane;
}

/* A pinned device comes first, and its sub-rows with it; order sorts devices and, within each,
 * sub-rows. */
static void
test_lanes_have_places (void)
{
  static const char *const pinned[] = { "gpu:1", "gpu:0>gpu:1", NULL };
  static const char *const open[] = { "gpu:1", "no such lane", NULL };
  static const char *const order[] = { "gpu:1>gpu:0", NULL };
  const GobanLanes lanes = { open, pinned, order, FALSE };
  g_autoptr (GobanTrace) trace = scenario_run (&before);
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);
  GobanTimelinePicture picture;
  double y = -1;

  goban_timeline_scene_arrange (scene, &lanes, 70);
  g_assert_cmpuint (scene->order[0], ==, lane_of (scene, "gpu:1"));
  g_assert_cmpuint (scene->order[1], ==, lane_of (scene, "gpu:1>gpu:0"));
  g_assert_cmpuint (scene->order[2], ==, lane_of (scene, "gpu:1/memory"));
  g_assert_cmpuint (scene->order[3], ==, lane_of (scene, "gpu:0"));
  g_assert_cmpint (scene->lanes[lane_of (scene, "gpu:1")].place.fold, ==, GOBAN_FOLD_OPEN);
  /* A pinned sub-row is seen although its device is closed. */
  g_assert_cmpint (scene->lanes[lane_of (scene, "gpu:0")].place.fold, ==, GOBAN_FOLD_CLOSED);
  g_assert_cmpfloat (scene->lanes[lane_of (scene, "gpu:0/memory")].height, ==, 0);
  g_assert_cmpfloat (scene->lanes[lane_of (scene, "gpu:0>gpu:1")].height, >, 0);
  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[scene->order[i]];

      g_assert_cmpfloat (lane->y, >=, y);
      y = lane->y + lane->height;
    }

  /* Bars stay where they are while sub-rows scroll under them. */
  picture = picture_of (scene, NULL);
  for (picture.camera.scroll_y = 0; picture.camera.scroll_y <= scene->height - 70;
       picture.camera.scroll_y++)
    {
      g_assert_cmpuint (goban_timeline_lane_at (&picture, GOBAN_TIMELINE_AXIS + 4), ==,
                        lane_of (scene, "gpu:1"));
      y = GOBAN_TIMELINE_AXIS + 3
          + goban_lane_get_top (&scene->lanes[lane_of (scene, "gpu:0")], picture.camera.scroll_y);
      g_assert_cmpfloat (y, <, GOBAN_TIMELINE_AXIS + 70);
      g_assert_cmpuint (goban_timeline_lane_at (&picture, y), ==, lane_of (scene, "gpu:0"));
    }
}

/* --- moments ---------------------------------------------------------------------------------- */

/* One node of each state side by side, each of them its own colour. */
static void
test_states_differ (void)
{
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new_empty (4, 0, 1);
  float x[] = { 100, 300, 500, 700 };
  const guint8 states[]
      = { GOBAN_NODE_DONE, GOBAN_NODE_RUNNING, GOBAN_NODE_READY, GOBAN_NODE_WAITING };
  const guint32 none = 0;
  GobanLayoutInput input = { .n_nodes = 4, .tails = &none, .heads = &none };
  g_autoptr (GobanLayout) layout = goban_layout_new_from_edges (&input, NULL, NULL);
  cairo_surface_t *surface;
  GobanGraphPicture picture
      = { .scene = scene, .layout = layout, .camera = { 0.2, 0, 0 }, .states = states };
  GobanRgb device = goban_palette_device (GOBAN_THEME_LIGHT, 0);
  GobanRgb faint;

  scene->devices[0].name = g_strdup ("gpu:0");
  for (guint v = 0; v < 4; v++)
    {
      scene->nodes[v] = (GobanSceneNode){ .name = "n", .op = "Op", .time_us = NAN };
      layout->x[v] = x[v] / 0.2f;
      layout->y[v] = 50 / 0.2f;
    }
  picture.camera.scale = 0.2;
  surface = draw_graph_new (&picture, 800, 100);
  cairo_surface_flush (surface);
  g_assert_cmphex (draw_pixel (surface, 100, 50), ==, device);
  g_assert_cmphex (draw_pixel (surface, 300, 50), ==, device);
  faint = draw_pixel (surface, 700, 50);
  g_assert_cmpfloat (goban_rgb_luminance (faint), >, goban_rgb_luminance (device) + 0.3);
  g_assert_cmphex (draw_pixel (surface, 500, 50), !=, faint);
  cairo_surface_destroy (surface);
}

TEST_PROGRAM (timeline_relations)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/draw/timeline-relations/arrows-of-one-hop", test_arrows_of_one_hop);
  g_test_add_func ("/draw/timeline-relations/arrows-reach-further", test_arrows_reach_further);
  g_test_add_func ("/draw/timeline-relations/chain-leads-to-the-gap", test_chain_leads_to_the_gap);
  g_test_add_func ("/draw/timeline-relations/long-chains-end", test_long_chains_end);
  g_test_add_func ("/draw/timeline-relations/ghost-golden", test_ghost_golden);
  g_test_add_func ("/draw/timeline-relations/difference", test_difference_covers_no_label);
  g_test_add_func ("/draw/timeline-relations/overlay-golden", test_overlay_golden);
  g_test_add_func ("/draw/timeline-relations/lanes-have-places", test_lanes_have_places);
  g_test_add_func ("/draw/timeline-relations/states-differ", test_states_differ);
  return g_test_run ();
}
