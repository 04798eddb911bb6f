/* bench-large.c: from a name to a first picture, and moving about in it, at 84,464 and at a million
 * nodes, generated and derived: "name value unit". Milliseconds of this thread's processor time:
 * made, laid out, its scene, the first frame of 1600 x 1000, then the median of 15 frames panned by
 * a few pixels; resident memory after each. "placed" is one quick plan with its simulation, which
 * a derived graph is made with; "flat" all nodes without groups, "open" all groups open. Argument:
 * the name of the only one to be looked at.
 */
#include "engine/machine/cluster/cluster.h"
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/parallel-training.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 1600
#define HEIGHT 1000
#define N_FRAMES 15

typedef struct
{
  const char *name;
  const char *spec;
  const char *cluster; /* (nullable): trained on it, every op of every micro-batch */
  double start_ms;
  GobanPen *pen;
} Bench;

static void
lap (Bench *bench, const char *what)
{
  printf ("large-%s-%s %.1f ms\n", bench->name, what, cpu_ms () - bench->start_ms);
  bench->start_ms = cpu_ms ();
}

static void
print_median (Bench *bench, const char *what, double median)
{
  printf ("large-%s-%s %.1f ms\n", bench->name, what, median);
  bench->start_ms = cpu_ms ();
}

/* Hither and thither. */
static void
time_pans (Bench *bench, const char *what, GobanGraphPicture *picture)
{
  double times_ms[N_FRAMES];

  for (guint i = 0; i < N_FRAMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_camera_pan (&picture->camera, i % 2 == 0 ? 7 : -5, i % 3 == 0 ? 3 : -2);
      goban_graph_paint (picture, bench->pen);
      times_ms[i] = cpu_ms () - start_ms;
    }
  print_median (bench, what, median_ms (times_ms, N_FRAMES));
}

/* Fitted, and at scales from specks to boxes with names. */
static void
time_zooms (Bench *bench, const char *what, GobanGraphPicture *picture)
{
  static const double scales[] = { 0.03, 0.06, 0.1, 0.22, 0.3, 0.5, 1 };
  const GobanLayout *layout = picture->layout;
  guint busy = layout->n_nodes / 2;
  char name[60];

  picture->camera = goban_camera_fit (layout->bounds, WIDTH, HEIGHT, 24, 1);
  g_snprintf (name, sizeof name, "%s-pan-fitted", what);
  time_pans (bench, name, picture);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      GobanPoint at = { (double) layout->x[busy], (double) layout->y[busy] };

      picture->camera.scale = scales[i];
      goban_camera_centre (&picture->camera, at, WIDTH, HEIGHT);
      g_snprintf (name, sizeof name, "%s-pan-%.2f", what, scales[i]);
      time_pans (bench, name, picture);
    }
}

/* @expanded: (nullable): groups that are open */
static void
show_graph (Bench *bench, GobanGraph *graph, GobanGrouping grouping, const char *const *expanded,
            const char *what)
{
  g_autoptr (GobanPlot) plot = goban_plot_new (
      graph, &(GobanLook){ .grouping = grouping, .expanded = expanded, .board = { WIDTH, HEIGHT } },
      NULL);
  g_autoptr (GobanGraphScene) scene = NULL;
  GobanPick *pick;
  GobanGraphPicture picture
      = { .layout = plot->layout, .style = { .show_critical = TRUE, .is_frame = TRUE } };
  char name[60];

  g_snprintf (name, sizeof name, "%s-layout", what);
  lap (bench, name);
  pick = goban_pick_new (plot->layout);
  scene = goban_plot_take_scene (plot, goban_graph_scene_new (graph, NULL, NULL, NULL));
  g_snprintf (name, sizeof name, "%s-scene", what);
  lap (bench, name);
  picture.scene = scene;
  picture.camera = goban_camera_fit (plot->layout->bounds, WIDTH, HEIGHT, 24, 1);
  goban_graph_paint (&picture, bench->pen);
  g_snprintf (name, sizeof name, "%s-first-frame", what);
  lap (bench, name);
  time_zooms (bench, what, &picture);
  goban_pick_unref (pick);
  printf ("large-%s-%s-memory %.0f MB\n", bench->name, what,
          memory_mb ("/proc/self/status", "VmRSS"));
}

static void
show_open (Bench *bench, GobanGraph *graph)
{
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  guint n = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree const char **paths = g_new0 (const char *, n + 1);

  for (guint g = 0; g < n; g++)
    paths[g] = goban_hierarchy_get_group (hierarchy, g)->path;
  bench->start_ms = cpu_ms ();
  show_graph (bench, graph, GOBAN_GROUPING_SCOPE, paths, "open");
}

/* One quick plan with its simulation. (transfer full) */
static GobanRun *
place (Bench *bench, GobanGraph *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GobanRun *run = goban_run_new_from_policy (costs, "expert", NULL, &error);

  g_assert_no_error (error);
  lap (bench, "placed");
  return run;
}

static void
show_timeline (Bench *bench, GobanRun *run)
{
  g_autoptr (GobanTimelineScene) scene = NULL;
  GobanTimelinePicture picture = { .style = { .show_critical = TRUE } };
  double times[N_FRAMES];

  scene = goban_timeline_scene_new (goban_run_get_trace (run));
  lap (bench, "timeline-scene");
  picture.scene = scene;
  picture.camera = goban_time_camera_fit (0, scene->end_us,
                                          goban_timeline_lanes_width (&picture.style, WIDTH));
  for (guint i = 0; i < N_FRAMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_time_camera_pan (&picture.camera, i % 2 == 0 ? 7 : -5, 0);
      goban_timeline_paint (&picture, bench->pen);
      times[i] = cpu_ms () - start_ms;
    }
  print_median (bench, "timeline-pan-fitted", median_ms (times, N_FRAMES));
  printf ("large-%s-timeline-memory %.0f MB\n", bench->name,
          memory_mb ("/proc/self/status", "VmRSS"));
}

/* A step of 1,424 sequences on 128 devices. (transfer full) */
static GobanRun *
train (const Bench *bench)
{
  const GobanTrainingShape shape
      = { .tp = 8, .pp = 4, .dp = 4, .micro_batch = 1, .batch = 1424, .shows_ops = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (bench->cluster, &error);
  g_autoptr (GobanParallelTraining) training
      = goban_parallel_training_new (bench->spec, NULL, cluster, &shape, &error);

  g_assert_no_error (error);
  return goban_run_ref (training->run);
}

static void
run_bench (Bench *bench)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanRun) run = NULL;

  bench->start_ms = cpu_ms ();
  if (bench->cluster != NULL)
    {
      run = train (bench);
      graph = goban_graph_ref (goban_run_get_graph (run));
    }
  else
    graph = goban_graph_source_load (bench->spec, NULL, &error);
  g_assert_no_error (error);
  printf ("large-%s-nodes %u nodes\n", bench->name, goban_graph_get_n_nodes (graph));
  lap (bench, "made");
  printf ("large-%s-made-memory %.0f MB\n", bench->name, memory_mb ("/proc/self/status", "VmRSS"));
  show_graph (bench, graph, GOBAN_GROUPING_AUTO, NULL, "grouped");
  if (run == NULL)
    run = place (bench, graph);
  show_timeline (bench, run);
  show_graph (bench, graph, GOBAN_GROUPING_NONE, NULL, "flat");
  if (g_str_equal (bench->name, "80k"))
    show_open (bench, graph);
}

int
main (int argc, char **argv)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  Bench benches[] = {
    { .name = "80k", .spec = "gnmt:layers=8", .pen = pen },
    { .name = "1m", .spec = "rnnlm:layers=16,steps=670", .pen = pen },
    { .name = "llama", .spec = "llama:size=llama-3-70b", .cluster = "h100x8*16", .pen = pen }
  };

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (guint i = 0; i < G_N_ELEMENTS (benches); i++)
    if (argc < 2 || g_str_equal (argv[1], benches[i].name))
      run_bench (&benches[i]);
  cairo_surface_destroy (surface);
  return 0;
}
