/* bench-compare-panes.c: what two plans of the largest graph beside each other take, "name value unit", in milliseconds of
 * this thread's processor time, the best of several.
 */
#include "engine/session/session.h"
#include "tests/bench/bench-clock.h"
#include "tests/support/toys.h"
#include "ui/draw/compare-lanes.h"
#include "ui/draw/graph-painter.h"
#include "ui/draw/graph-plot.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 5
#define WIDTH 1600
#define HEIGHT 1000

typedef struct
{
  GobanRun *runs[2];
  GobanPlot *plot;
  GobanGraphScene *scenes[2];
  GobanCompareMarks *marks;
  GobanTextCache *text;
  cairo_surface_t *surface;
} Bench;

static GobanGraphScene *
make_scene (const Bench *b, GobanRun *run)
{
  return goban_plot_take_scene (
      b->plot, goban_graph_scene_new (goban_run_get_graph (run), goban_run_get_costs (run),
                                      goban_run_get_plan (run), goban_run_get_trace (run)));
}

static void
bench_frame (const Bench *b, const char *name, const GobanCompareLook *look)
{
  double best_ms = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      g_autoptr (GobanPen) pen = goban_pen_new_for_image (b->surface, b->text);
      GobanGraphPicture picture
          = { .scene = b->scenes[1],
              .layout = b->plot->layout,
              .camera = goban_camera_fit (b->plot->layout->bounds, WIDTH, HEIGHT, 24, 1),
              .compare = look };
      double start_ms = cpu_ms ();

      goban_graph_paint (&picture, pen);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.1f ms\n", name, best_ms);
}

static void
bench_switch (const Bench *b, const char *name)
{
  double best_ms = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      g_autoptr (GobanDifference) difference = NULL;
      double start_ms = cpu_ms ();

      goban_graph_scene_free (make_scene (b, b->runs[0]));
      difference = goban_difference_new (b->runs[0], b->runs[1], 100, NULL);
      goban_compare_marks_free (goban_compare_marks_new (difference, b->plot->outline));
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.1f ms\n", name, best_ms);
}

static void
bench_lanes (const Bench *b)
{
  double best_ms = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_compare_lanes_free (goban_compare_lanes_new (goban_run_get_trace (b->runs[0]),
                                                         goban_run_get_trace (b->runs[1]), 100));
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("compare-lanes %.1f ms\n", best_ms);
}

static void
bench_grouping (Bench *b, GobanGraph *graph, GobanGrouping grouping)
{
  GobanLook look = { .grouping = grouping };
  const char *how = goban_grouping_name (grouping);
  g_autoptr (GobanDifference) difference = goban_difference_new (b->runs[0], b->runs[1], 100, NULL);
  GobanCompareLook compare = { .unchanged = GOBAN_UNCHANGED_SHOW };
  g_autofree char *switched = g_strdup_printf ("compare-switch-%s", how);

  b->plot = goban_plot_new (graph, &look, NULL);
  for (guint i = 0; i < 2; i++)
    b->scenes[i] = make_scene (b, b->runs[i]);
  b->marks = goban_compare_marks_new (difference, b->plot->outline);
  compare.marks = b->marks;
  bench_switch (b, switched);
  for (guint mode = 0; mode < 4; mode++)
    {
      static const char *const names[] = { "show", "dim", "hide", "overlay" };
      g_autofree char *name = g_strdup_printf ("compare-frame-%s-%s", how, names[mode]);

      compare.unchanged = MIN (mode, GOBAN_UNCHANGED_HIDE);
      compare.other = mode == 3 ? b->scenes[0] : NULL;
      bench_frame (b, name, &compare);
    }
  goban_compare_marks_free (b->marks);
  for (guint i = 0; i < 2; i++)
    goban_graph_scene_free (b->scenes[i]);
  goban_plot_unref (b->plot);
}

int
main (void)
{
  const GobanLoadOptions options = { .format = NULL };
  g_autoptr (GobanGraph) graph = goban_session_load_graph ("gnmt:layers=8", &options, NULL);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x8");
  Bench b = { .text = goban_text_cache_new (),
              .surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT) };

  b.runs[0] = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  b.runs[1] = goban_run_new_from_policy (costs, "metis", NULL, NULL);
  bench_grouping (&b, graph, GOBAN_GROUPING_NONE);
  bench_grouping (&b, graph, GOBAN_GROUPING_SCOPE);
  bench_lanes (&b);
  g_object_unref (b.runs[0]);
  g_object_unref (b.runs[1]);
  goban_text_cache_free (b.text);
  cairo_surface_destroy (b.surface);
  return 0;
}
