/* bench-timeline.c: frame times of the largest timeline: "name value unit", in milliseconds of this
 * thread's processor time, the median of several frames. With a ghost behind it, an area of
 * everything and its totals, the arrows of a selection, and a frame of playback of the graph.
 */
#include "engine/machine/cluster/cluster.h"
#include "engine/session/session.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/analysis/span-totals.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/timeline/timeline-arrows.h"
#include "ui/draw/timeline/timeline-build.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 1600
#define HEIGHT 1000
#define N_FRAMES 15

static void
print_median (const char *name, double *times)
{
  printf ("%s %.2f ms\n", name, median_ms (times, N_FRAMES));
}

/* The whole, and a hundredth of it, where slices have names. */
static void
time_frames (const char *name, GobanTimelinePicture *picture, GobanPen *pen, double share)
{
  double width = goban_timeline_lanes_width (&picture->style, WIDTH);
  double end_us = picture->scene->end_us;
  double times[N_FRAMES];

  picture->camera = goban_time_camera_fit (0, end_us * share, width);
  for (guint i = 0; i < N_FRAMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_time_camera_pan (&picture->camera, i % 2 == 0 ? -7 : 5, 0);
      goban_timeline_paint (picture, pen);
      times[i] = cpu_ms () - start_ms;
    }
  print_median (name, times);
}

static void
time_selection (GobanRun *run, const GobanTimelineScene *scene)
{
  GobanTrace *trace = goban_run_get_trace (run);
  double totals_ms[N_FRAMES], arrows_ms[N_FRAMES];
  GobanNodeId node = goban_graph_get_n_nodes (goban_run_get_graph (run)) / 2;

  for (guint i = 0; i < N_FRAMES; i++)
    {
      g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
      double start_ms = cpu_ms ();

      goban_span_totals_free (goban_span_totals_new (trace, 0, scene->end_us, NULL));
      totals_ms[i] = cpu_ms () - start_ms;
      start_ms = cpu_ms ();
      g_array_unref (goban_timeline_arrows_new (scene, trace, one, 2));
      arrows_ms[i] = cpu_ms () - start_ms;
    }
  print_median ("span-totals-80k", totals_ms);
  print_median ("timeline-arrows-80k", arrows_ms);
}

/* Another moment each frame: states, and the base picture with them. */
static void
time_playback (GobanRun *run, GobanPen *pen)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_run_get_graph (run);
  g_autoptr (GobanLayout) layout = goban_layout_new (graph, NULL, &error);
  g_autoptr (GobanGraphScene) scene = goban_graph_scene_new (
      graph, goban_run_get_costs (run), goban_run_get_plan (run), goban_run_get_trace (run));
  g_autofree guint8 *states = g_malloc (goban_graph_get_n_nodes (graph));
  GobanGraphPicture picture = { .scene = scene, .layout = layout, .states = states };
  double times[N_FRAMES];

  g_assert_no_error (error);
  picture.camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 24, 1);
  for (guint i = 0; i < N_FRAMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_playback_state_compute (run, goban_run_get_makespan_us (run) * (i + 1) / (N_FRAMES + 1),
                                    states, NULL);
      goban_graph_paint (&picture, pen);
      times[i] = cpu_ms () - start_ms;
    }
  print_median ("playback-frame-80k", times);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanTimelineScene) scene = NULL;
  g_autoptr (GobanTimelineScene) ghost = NULL;
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  GobanTimelinePicture picture = { 0 };
  double start_ms;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  run = goban_run_new_from_policy (costs, "heft", NULL, &error);
  g_assert_no_error (error);
  before = goban_run_new_from_policy (costs, "metis", NULL, &error);
  g_assert_no_error (error);

  start_ms = cpu_ms ();
  scene = goban_timeline_scene_new_with (goban_run_get_trace (run), goban_run_get_trace (before));
  printf ("timeline-scene-80k %.2f ms\n", cpu_ms () - start_ms);
  ghost = goban_timeline_scene_new_like (goban_run_get_trace (before), scene);
  picture.scene = scene;
  time_frames ("timeline-frame-80k", &picture, pen, 1);
  time_frames ("timeline-frame-80k-near", &picture, pen, 0.01);
  picture.ghost = ghost;
  time_frames ("timeline-frame-80k-ghost", &picture, pen, 1);
  time_selection (run, scene);
  time_playback (run, pen);
  g_clear_pointer (&pen, goban_pen_free);
  cairo_surface_destroy (surface);
  return 0;
}
