/* bench-drag.c: cost of a drag to another device at 80,000 nodes on eight devices: from the
 * choice of the target to the picture of both panes, 1600 x 1000. "name value unit" in
 * milliseconds of this thread's processor time, best of several; "run" is a worker's, all else
 * the main thread's. Then what else a drag needs: the lasso, and the words of a set. */
#include "engine/session/edit.h"
#include "engine/session/session-cluster.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/lasso.h"
#include "ui/draw/timeline/timeline-build.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N_TIMES 7
#define WIDTH 1600
#define GRAPH_HEIGHT 650
#define TIMELINE_HEIGHT 350

typedef struct
{
  double run_ms;
  double graph_scene_ms;
  double timeline_scene_ms;
  double graph_paint_ms;
  double timeline_paint_ms;
} Costs;

/* Both panes of one moment. */
typedef struct
{
  GobanSession *session;
  GobanPlot *plot;
  GobanGraphScene *all; /* of the base */
  GobanTimelineScene *before;
  cairo_surface_t *graph_surface;
  cairo_surface_t *timeline_surface;
  GobanTextCache *text;
} Panes;

static double
paint_graph (Panes *p, GobanGraphScene *scene)
{
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (p->graph_surface, p->text);
  GobanGraphPicture picture = {
    .scene = scene,
    .layout = p->plot->layout,
    .camera = goban_camera_fit (p->plot->layout->bounds, WIDTH, GRAPH_HEIGHT, 24, 1),
    .style = { .ui_scale = 1 },
  };
  double start_ms = cpu_ms ();

  goban_graph_paint (&picture, pen);
  return cpu_ms () - start_ms;
}

static double
paint_timeline (Panes *p, GobanTimelineScene *scene)
{
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (p->timeline_surface, p->text);
  GobanTimelinePicture picture = {
    .scene = scene,
    .ghost = p->before,
    .camera = goban_time_camera_fit (0, fmax (scene->end_us, p->before->end_us), WIDTH - 206),
    .style = { .ui_scale = 1 },
  };
  double start_ms = cpu_ms ();

  goban_timeline_paint (&picture, pen);
  return cpu_ms () - start_ms;
}

static void
aim (Panes *p, GobanEdit *edit, Costs *costs)
{
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanGraphScene) scene = NULL;
  g_autoptr (GobanTimelineScene) timeline = NULL;
  double start_ms = cpu_ms ();

  run = goban_edit_run (edit, NULL); /* it can */
  costs->run_ms = fmin (costs->run_ms, cpu_ms () - start_ms);
  start_ms = cpu_ms ();
  scene = goban_plot_take_scene (
      p->plot, goban_graph_scene_new_after (p->all, goban_run_get_plan (edit->base),
                                            goban_run_get_trace (run)));
  costs->graph_scene_ms = fmin (costs->graph_scene_ms, cpu_ms () - start_ms);
  start_ms = cpu_ms ();
  timeline = goban_timeline_scene_new_like (goban_run_get_trace (run), p->before);
  costs->timeline_scene_ms = fmin (costs->timeline_scene_ms, cpu_ms () - start_ms);
  costs->graph_paint_ms = fmin (costs->graph_paint_ms, paint_graph (p, scene));
  costs->timeline_paint_ms = fmin (costs->timeline_paint_ms, paint_timeline (p, timeline));
}

static void
bench_aim (GobanSession *session, GobanSelection *nodes, GobanGrouping grouping, const char *name)
{
  GobanRun *base = goban_session_get_current_run (session);
  GobanLook look = { .grouping = grouping };
  Costs costs = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
  Panes panes = {
    .session = session,
    .plot = goban_plot_new (goban_run_get_graph (base), &look, NULL),
    .all
    = goban_graph_scene_new (goban_run_get_graph (base), NULL, NULL, goban_run_get_trace (base)),
    .before = goban_timeline_scene_new (goban_run_get_trace (base)),
    .graph_surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, GRAPH_HEIGHT),
    .timeline_surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, TIMELINE_HEIGHT),
    .text = goban_text_cache_new (),
  };

  goban_timeline_scene_arrange (panes.before, NULL);
  for (guint i = 0; i < N_TIMES; i++)
    {
      g_autoptr (GobanEdit) edit = goban_edit_new (session, GOBAN_EDIT_MOVE, nodes);

      edit->device = (GobanDeviceId) (i % 8);
      aim (&panes, edit, &costs);
    }
  printf ("drag-80k-%s-run %.1f ms\n", name, costs.run_ms);
  printf ("drag-80k-%s-graph-scene %.1f ms\n", name, costs.graph_scene_ms);
  printf ("drag-80k-%s-timeline-scene %.1f ms\n", name, costs.timeline_scene_ms);
  printf ("drag-80k-%s-graph-paint %.1f ms\n", name, costs.graph_paint_ms);
  printf ("drag-80k-%s-timeline-paint %.1f ms\n", name, costs.timeline_paint_ms);
  printf ("drag-80k-%s-all %.1f ms\n", name,
          costs.run_ms + costs.graph_scene_ms + costs.timeline_scene_ms + costs.graph_paint_ms
              + costs.timeline_paint_ms);
  goban_plot_unref (panes.plot);
  goban_graph_scene_free (panes.all);
  goban_timeline_scene_free (panes.before);
  cairo_surface_destroy (panes.graph_surface);
  cairo_surface_destroy (panes.timeline_surface);
  goban_text_cache_free (panes.text);
}

/* An outline of some hundred points around a third of all nodes. */
static void
bench_lasso (GobanGraph *graph)
{
  GobanLook look = { .grouping = GOBAN_GROUPING_NONE };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &look, NULL);
  g_autoptr (GobanPick) pick = goban_pick_new (plot->layout);
  GobanBox all = plot->layout->bounds;
  double best_ms = INFINITY;
  guint n_inside = 0;

  for (guint round = 0; round < N_TIMES; round++)
    {
      g_autoptr (GobanLasso) lasso = goban_lasso_new ();
      g_autofree GobanNodeId *items = NULL;
      double start_ms = cpu_ms ();
      guint n;

      for (guint i = 0; i < 400; i++)
        {
          double angle = 2 * G_PI * i / 400;
          double reach = 0.3 + 0.05 * sin (17 * angle);

          goban_lasso_add (
              lasso,
              (GobanPoint){ (all.x0 + all.x1) / 2 + reach * (all.x1 - all.x0) * cos (angle),
                            (all.y0 + all.y1) / 2 + reach * (all.y1 - all.y0) * sin (angle) },
              0);
        }
      items = goban_pick_inside (pick, goban_lasso_get_box (lasso), &n);
      for (guint i = n_inside = 0; i < n; i++)
        n_inside
            += goban_lasso_contains (lasso, (GobanPoint){ (double) plot->layout->x[items[i]],
                                                          (double) plot->layout->y[items[i]] });
      best_ms = fmin (best_ms, cpu_ms () - start_ms);
    }
  printf ("lasso-80k %.1f ms\n", best_ms);
  g_assert_cmpuint (n_inside, >, 1000);
}

static void
bench_words (GobanGraph *graph)
{
  g_autoptr (GobanSetDescription) words = goban_set_description_new ();
  guint n = goban_graph_get_n_nodes (graph), n_some = 0;
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  g_autoptr (GobanSelection) nodes = NULL;
  double best_ms = INFINITY;
  gsize length = 0;

  for (GobanNodeId v = 0; v < n; v++)
    if (strstr (goban_graph_get_node (graph, v)->name, "layer_1") != NULL)
      ids[n_some++] = v;
  nodes = goban_selection_new (ids, n_some);
  goban_set_description_get_scopes (words, graph);
  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();
      g_autofree char *text = goban_set_description_to_lua (words, graph, nodes, NULL);

      best_ms = fmin (best_ms, cpu_ms () - start_ms);
      length = strlen (text);
    }
  printf ("set-words-80k %.2f ms\n", best_ms);
  printf ("set-words-80k-length %u characters\n", (guint) length);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanRun) run = NULL;
  GobanNodeId ids[400];

  g_assert_no_error (error);
  goban_session_set_cluster (session, cluster);
  goban_session_set_graph (session, graph, NULL);
  run = goban_run_new_from_policy (goban_session_get_costs (session), "expert", NULL, &error);
  g_assert_no_error (error);
  goban_session_add_run (session, run);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = goban_graph_get_n_nodes (graph) / 2 + i;
  nodes = goban_selection_new (ids, G_N_ELEMENTS (ids));
  bench_aim (session, nodes, GOBAN_GROUPING_AUTO, "groups");
  bench_aim (session, nodes, GOBAN_GROUPING_NONE, "flat");
  bench_lasso (graph);
  bench_words (graph);
  return 0;
}
