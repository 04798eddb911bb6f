/* Scenes made from real runs: what they show is what the trace says. */
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-scene.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>

/* A recording, "lanes:…", has no bytes. */
static GobanTrace *
any_run (guint64 seed, const char *cluster_spec, gboolean contention_free)
{
  gboolean has_bytes = !g_str_has_prefix (cluster_spec, "lanes:");
  GraphGen gen = { .n_nodes = 80,
                   .edges_per_node = 1.6,
                   .width = 10,
                   .max_time_us = 50,
                   .max_bytes = has_bytes ? 1e6 : 0,
                   .max_param_bytes = has_bytes ? 1e4 : 0 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (cluster_spec, NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, contention_free);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));

  for (guint v = 0; v < 80; v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (v * 7 / 3 % goban_plan_get_n_devices (plan)));
  goban_plan_set_policy (plan, "by hand");
  return goban_simulate (costs, plan);
}

/* Every op and every transfer is a slice once, at its time, on its lane. */
static void
check_lanes (const GobanTimelineScene *scene, GobanTrace *trace)
{
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  const GobanPlan *plan = goban_trace_get_plan (trace);
  guint n_transfers, n_ops = 0, n_sent = 0;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[i];

      for (guint k = 0; k < lane->n_slices; k++)
        {
          const GobanSlice *slice = &lane->slices[k];

          if (lane->kind == GOBAN_LANE_DEVICE)
            {
              g_assert_cmpuint (goban_plan_get_device (plan, slice->node), ==, lane->device);
              g_assert_cmpfloat (slice->start_us, ==, ops[slice->node].start_us);
              g_assert_cmpfloat (slice->finish_us, ==, ops[slice->node].finish_us);
              n_ops++;
              continue;
            }
          g_assert_cmpuint (transfers[slice->transfer].from, ==, lane->device);
          g_assert_cmpuint (transfers[slice->transfer].to, ==, lane->peer);
          g_assert_cmpfloat (slice->start_us, ==, transfers[slice->transfer].start_us);
          n_sent++;
        }
    }
  g_assert_cmpuint (n_ops, ==, 80);
  g_assert_cmpuint (n_sent, ==, n_transfers);
}

static void
test_lanes_are_the_trace (void)
{
  for (guint round = 0; round < 6; round++)
    {
      gboolean free_links = round % 2 == 1;
      g_autoptr (GobanTrace) trace = any_run (round, "p100x4", free_links);
      g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);

      g_assert_cmpfloat (scene->end_us, ==, goban_trace_get_makespan (trace));
      check_lanes (scene, trace);
      for (guint i = 0; i < scene->n_lanes; i++)
        {
          const GobanLane *lane = &scene->lanes[i];
          double peak = 0;

          /* With channels, transfers of one pair take turns. */
          if (!free_links || lane->kind == GOBAN_LANE_DEVICE)
            g_assert_cmpuint (lane->n_rows, ==, 1);
          for (guint k = 0; k < lane->n_points; k++)
            peak = MAX (peak, lane->points[k].bytes);
          if (lane->kind == GOBAN_LANE_MEMORY)
            g_assert_cmpfloat_with_epsilon (peak, lane->peak_bytes, 1e-6 * (1 + peak));
        }
    }
}

static void
assert_same_lanes (const GobanTimelineScene *a, const GobanTimelineScene *b)
{
  g_assert_cmpuint (a->n_lanes, ==, b->n_lanes);
  g_assert_cmpmem (a->order, a->n_lanes * sizeof *a->order, b->order,
                   b->n_lanes * sizeof *b->order);
  for (guint l = 0; l < a->n_lanes; l++)
    {
      g_assert_cmpstr (a->lanes[l].id, ==, b->lanes[l].id);
      g_assert_cmpfloat (a->lanes[l].y, ==, b->lanes[l].y);
      g_assert_cmpfloat (a->lanes[l].height, ==, b->lanes[l].height);
      g_assert_cmpint (a->lanes[l].place.fold, ==, b->lanes[l].place.fold);
      g_assert_cmpint (a->lanes[l].place.is_stuck, ==, b->lanes[l].place.is_stuck);
      g_assert_cmpuint (a->lanes[l].n_slices, ==, b->lanes[l].n_slices);
      for (guint s = 0; s < a->lanes[l].n_slices; s++)
        {
          g_assert_cmpuint (a->lanes[l].slices[s].node, ==, b->lanes[l].slices[s].node);
          g_assert_cmpfloat (a->lanes[l].slices[s].start_us, ==, b->lanes[l].slices[s].start_us);
        }
    }
}

/* A worker makes a scene of lanes without what is in them; where they are is put right
 * afterwards. */
static void
test_like_another_in_parts (void)
{
  static const char *const order[] = { "gpu:2", "gpu:1", NULL };
  static const char *const open[] = { "gpu:0", NULL };
  const GobanLanes lanes_shown = { .open = open, .order = order };
  g_autoptr (GobanTrace) trace = any_run (1, "p100x4", FALSE);
  g_autoptr (GobanTrace) other = any_run (2, "p100x4", FALSE);
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_for_lanes (trace, other, NULL, NULL);
  g_autoptr (GArray) lanes = goban_timeline_scene_dup_lanes (scene);
  g_autoptr (GobanTimelineScene) in_parts
      = goban_timeline_scene_new_for_lanes (other, NULL, lanes, NULL);
  g_autoptr (GobanTimelineScene) at_once = NULL;

  goban_timeline_scene_arrange (scene, &lanes_shown, 90);
  at_once = goban_timeline_scene_new_like (other, scene);
  g_assert_cmpuint (in_parts->order[0], !=, at_once->order[0]);
  goban_timeline_scene_follow (in_parts, scene);
  assert_same_lanes (in_parts, at_once);
}

/* The same plan with some nodes elsewhere, and one more urgent where @hurries. */
static GobanTrace *
change_some (GobanTrace *trace, gboolean hurries)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_trace_get_plan (trace));

  for (guint v = 20; v < 50; v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (v % 2));
  if (hurries)
    goban_plan_set_priority (plan, 30, 5);
  return goban_simulate (goban_trace_get_costs (trace), plan);
}

/* From the scene before or from nothing. */
static void
test_after_another_is_the_same (void)
{
  for (guint hurries = 0; hurries < 2; hurries++)
    {
      g_autoptr (GobanTrace) trace = any_run (3, "p100x4", FALSE);
      g_autoptr (GobanTrace) changed = change_some (trace, hurries);
      GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
      g_autoptr (GobanGraphScene) before = goban_graph_scene_new (graph, NULL, NULL, trace);
      g_autoptr (GobanGraphScene) scene = goban_graph_scene_new (graph, NULL, NULL, changed);
      g_autoptr (GobanGraphScene) after
          = goban_graph_scene_new_after (before, goban_trace_get_plan (trace), changed);

      g_assert_cmpmem (after->nodes, after->n_nodes * sizeof *after->nodes, scene->nodes,
                       scene->n_nodes * sizeof *scene->nodes);
      g_assert_cmpmem (after->edges, after->n_edges * sizeof *after->edges, scene->edges,
                       scene->n_edges * sizeof *scene->edges);
      for (guint d = 0; d < after->n_devices; d++)
        g_assert_cmpuint (after->devices[d].n_nodes, ==, scene->devices[d].n_nodes);
      g_assert_cmpstr (after->subtitle, ==, scene->subtitle);
      g_assert_cmpint (after->most_priority, ==, scene->most_priority);
    }
}

/* A scene that gets the lanes of another is as if it had been made with them. */
static void
test_lanes_of_another (void)
{
  static const char *const order[] = { "gpu:2", "gpu:1", NULL };
  const GobanLanes lanes_shown = { .order = order };
  g_autoptr (GobanTrace) trace = any_run (1, "p100x4", FALSE);
  g_autoptr (GobanTrace) changed = change_some (trace, FALSE);
  g_autoptr (GobanPlan) alone = goban_plan_new (
      goban_cost_model_get_graph (goban_trace_get_costs (trace)), 4); /* sends nothing */
  g_autoptr (GobanTrace) quiet = goban_simulate (goban_trace_get_costs (trace), alone);
  GobanTrace *const others[] = { changed, quiet };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GobanTimelineScene) scene
          = goban_timeline_scene_new_for_lanes (others[i], trace, NULL, NULL);
      g_autoptr (GobanTimelineScene) ghost
          = goban_timeline_scene_new_for_lanes (trace, changed, NULL, NULL);
      g_autoptr (GobanTimelineScene) made = NULL;

      goban_timeline_scene_arrange (scene, &lanes_shown, INFINITY);
      made = goban_timeline_scene_new_like (trace, scene);
      goban_timeline_scene_relane (ghost, scene);
      assert_same_lanes (ghost, made);
      for (GobanNodeId v = 0; v < 80; v++)
        {
          GobanSlicePlace at = goban_timeline_scene_find_op (ghost, v);

          g_assert_cmpuint (at.lane, ==, goban_timeline_scene_find_op (made, v).lane);
          g_assert_cmpuint (ghost->lanes[at.lane].slices[at.slice].node, ==, v);
        }
    }
}

static void
test_copy_is_the_same (void)
{
  g_autoptr (GobanTrace) trace = any_run (3, "p100x4", FALSE);
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new (graph, NULL, NULL, trace);
  g_autoptr (GobanGraphScene) copy = goban_graph_scene_copy (scene);

  g_assert_cmpmem (copy->nodes, copy->n_nodes * sizeof *copy->nodes, scene->nodes,
                   scene->n_nodes * sizeof *scene->nodes);
  g_assert_cmpmem (copy->edges, copy->n_edges * sizeof *copy->edges, scene->edges,
                   scene->n_edges * sizeof *scene->edges);
  g_assert_cmpuint (copy->n_devices, ==, scene->n_devices);
  for (guint d = 0; d < copy->n_devices; d++)
    g_assert_cmpstr (copy->devices[d].name, ==, scene->devices[d].name);
  g_assert_cmpstr (copy->title, ==, scene->title);
  g_assert_cmpstr (copy->subtitle, ==, scene->subtitle);
  g_assert_cmpint (copy->most_priority, ==, scene->most_priority);
}

static void
test_critical_path_is_marked (void)
{
  g_autoptr (GobanTrace) trace = any_run (3, "p100x2", FALSE);
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new (graph, NULL, NULL, trace);
  guint n, n_marked = 0, n_ops = 0, n_edges = 0;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  double path_us = 0, marked_us = 0;

  for (guint i = 0; i < n; i++)
    if (!steps[i].is_transfer)
      {
        path_us += spans[steps[i].index].finish_us - spans[steps[i].index].start_us;
        g_assert_true (scene->nodes[steps[i].index].flags & GOBAN_NODE_CRITICAL);
        n_ops++;
      }
  for (guint v = 0; v < scene->n_nodes; v++)
    {
      n_marked += (scene->nodes[v].flags & GOBAN_NODE_CRITICAL) != 0;
      marked_us += (double) scene->critical_us[v];
    }
  g_assert_cmpuint (n_marked, ==, n_ops);
  g_assert_cmpfloat_with_epsilon (marked_us, path_us, path_us * 1e-5);
  g_assert_cmpfloat (marked_us, <=, scene->makespan_us * (1 + 1e-5));
  for (guint e = 0; e < scene->n_edges; e++)
    /* Not so its tail: a transfer on the path may have waited for a channel, not for its
     * producer. */
    if (scene->edges[e].flags & GOBAN_EDGE_CRITICAL)
      {
        g_assert_true (scene->nodes[scene->edges[e].head].flags & GOBAN_NODE_CRITICAL);
        n_edges++;
      }
  g_assert_cmpuint (n_edges, >, 0);
}

static void
test_graph_scene_says_the_plan (void)
{
  g_autoptr (GobanTrace) trace = any_run (1, "p100x4", FALSE);
  GobanCostModel *costs = goban_trace_get_costs (trace);
  GobanPlan *plan = goban_trace_get_plan (trace);
  g_autoptr (GobanGraphScene) scene
      = goban_graph_scene_new (goban_cost_model_get_graph (costs), costs, plan, NULL);
  g_autoptr (GobanGraphScene) bare
      = goban_graph_scene_new (goban_cost_model_get_graph (costs), NULL, NULL, NULL);
  guint n = 0;

  g_assert_cmpuint (scene->n_devices, ==, 4);
  g_assert_cmpuint (bare->n_devices, ==, 0);
  for (guint d = 0; d < 4; d++)
    n += scene->devices[d].n_nodes;
  g_assert_cmpuint (n, ==, 80);
  for (guint v = 0; v < 80; v++)
    {
      g_assert_cmpuint (scene->nodes[v].device, ==, goban_plan_get_device (plan, v));
      g_assert_cmpfloat (scene->nodes[v].time_us, ==,
                         goban_cost_model_time_us (costs, v, scene->nodes[v].device));
    }
  for (guint e = 0; e < scene->n_edges; e++)
    g_assert_cmpint (goban_graph_scene_is_cut (scene, e), ==,
                     scene->nodes[scene->edges[e].tail].device
                         != scene->nodes[scene->edges[e].head].device);
}

/* No row of memory where nothing is known of it, and a lane that is no device says so. */
static void
test_lanes_of_recordings (void)
{
  static const char *const names[] = { "gpu:0 stream 7", "unexplained delays" };
  g_autoptr (GobanTrace) trace = any_run (1, "lanes:gpu:0 stream 7=gpu,delays=delays", TRUE);
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (trace);
  guint n = 0;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      g_assert_cmpint (scene->lanes[i].kind, !=, GOBAN_LANE_MEMORY);
      if (scene->lanes[i].kind == GOBAN_LANE_DEVICE)
        g_assert_cmpstr (scene->lanes[i].name, ==, names[n++]);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
}

TEST_PROGRAM (scene_trace)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/scene/lanes-are-the-trace", test_lanes_are_the_trace);
  g_test_add_func ("/draw/scene/like-another-in-parts", test_like_another_in_parts);
  g_test_add_func ("/draw/scene/after-another-is-the-same", test_after_another_is_the_same);
  g_test_add_func ("/draw/scene/lanes-of-another", test_lanes_of_another);
  g_test_add_func ("/draw/scene/lanes-of-recordings", test_lanes_of_recordings);
  g_test_add_func ("/draw/scene/copy-is-the-same", test_copy_is_the_same);
  g_test_add_func ("/draw/scene/critical-path-is-marked", test_critical_path_is_marked);
  g_test_add_func ("/draw/scene/graph-scene-says-the-plan", test_graph_scene_says_the_plan);
  return g_test_run ();
}
