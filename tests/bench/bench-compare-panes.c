/* bench-compare-panes.c: costs of comparing two plans of the largest graph, "name value unit".
 *
 * First what workers do, in milliseconds of this thread's processor time, the best of several. Then
 * in a window, for each change of what is compared: until all of it is painted, on the wall and in
 * processor time of all threads, the longest turn of the main loop and the longest frame. Needs a
 * display: run by gui-run.sh.
 */
#include "engine/session/compare-set-looks.h"
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"
#include "tests/support/toys.h"
#include "tests/ui/gui-pulse.h"
#include "tests/ui/gui-window.h"
#include "ui/compare/compare-page.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/compare-lanes.h"

#include <malloc.h>
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

static void
bench_workers (void)
{
  const GobanLoadOptions options = { .format = NULL };
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", &options, NULL);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x8");
  Bench b = { .text = goban_text_cache_new (),
              .surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT) };

  b.runs[0] = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  b.runs[1] = goban_run_new_from_policy (costs, "metis", NULL, NULL);
  bench_grouping (&b, graph, GOBAN_GROUPING_NONE);
  bench_grouping (&b, graph, GOBAN_GROUPING_SCOPE);
  bench_lanes (&b);
  goban_run_unref (b.runs[0]);
  goban_run_unref (b.runs[1]);
  goban_text_cache_free (b.text);
  cairo_surface_destroy (b.surface);
}

/* --- in a window ---------------------------------------------------------------------------- */

typedef struct
{
  GuiWindow window;
  GobanCompareSet *set;
  GobanComparePage *page;
} Panes;

static gboolean
is_placed (gpointer data)
{
  Panes *panes = data;

  return goban_session_get_graph (panes->window.session) != NULL && gui_has_settled (&panes->window)
         && gui_has_no_job (&panes->window);
}

static gboolean
is_still (gpointer data)
{
  return is_placed (data) && !goban_compare_page_is_busy (((Panes *) data)->page);
}

static void
wait_for_paint (GobanPicture *picture)
{
  guint n = goban_picture_get_n_paints (picture);

  goban_picture_invalidate (picture);
  while (goban_picture_get_n_paints (picture) == n)
    g_main_context_iteration (NULL, TRUE);
}

/* The frame that asks for what is to be seen, its making, and the frame that shows it. */
static void
finish (Panes *panes, const char *name, double start_ms, double cpu_start_ms)
{
  GobanPicture *timeline = GOBAN_PICTURE (goban_compare_page_get_timeline (panes->page));
  double wall, cpu;
  GuiPulse longest;

  wait_for_paint (timeline);
  while (!is_still (panes))
    g_main_context_iteration (NULL, TRUE);
  wait_for_paint (timeline);
  wall = wall_ms () - start_ms;
  cpu = process_ms () - cpu_start_ms;
  longest = gui_pulse_take ();
  printf ("compare-window-%s-wall %.0f ms\n", name, wall);
  printf ("compare-window-%s-cpu %.0f ms\n", name, cpu);
  gui_rest ();
  gui_draw (GTK_WIDGET (panes->window.window));
  longest.turn_ms = MAX (longest.turn_ms, gui_pulse_take ().turn_ms);
  printf ("compare-window-%s-turn %.1f ms\n", name, longest.turn_ms);
  printf ("compare-window-%s-frame %.1f ms\n", name, longest.frame_ms);
}

static GobanRun *
listed (Panes *panes, guint place)
{
  GobanRun *run = goban_run_list_get (goban_session_get_runs (panes->window.session), place);

  return run;
}

static void
change (Panes *panes, const char *name)
{
  GobanView *view = goban_session_get_view (panes->window.session);
  double start_ms = wall_ms (), cpu_start_ms = process_ms ();
  GobanRun *runs[] = { listed (panes, 0), listed (panes, 1), listed (panes, 2) };

  gui_pulse_take ();
  if (g_str_equal (name, "open"))
    goban_compare_set_show (panes->set, runs, 2);
  else if (g_str_equal (name, "add"))
    goban_compare_set_show (panes->set, runs, 3);
  else if (g_str_has_prefix (name, "pair"))
    goban_compare_set_set_pair (panes->set, g_str_equal (name, "pair") ? 0 : 1, 2);
  else if (g_str_equal (name, "replace"))
    goban_compare_set_replace (panes->set, 0, listed (panes, 3));
  else if (g_str_equal (name, "swap"))
    goban_compare_set_swap (panes->set);
  else if (g_str_equal (name, "slack"))
    goban_view_set_color (view, "slack");
  else if (g_str_equal (name, "own-scales"))
    goban_compare_set_set_own_scales (panes->set, TRUE);
  else if (g_str_equal (name, "device"))
    goban_view_set_color (view, "device");
  else if (g_str_equal (name, "all-lanes"))
    goban_compare_set_set_all_lanes (panes->set, TRUE);
  else if (g_str_equal (name, "overlay"))
    goban_compare_set_set_mode (panes->set, GOBAN_COMPARE_OVERLAY);
  finish (panes, name, start_ms, cpu_start_ms);
}

static void
bench_window (void)
{
  static const char *const changes[]
      = { "open",  "add",        "pair",   "pair-again", "replace", "swap",
          "slack", "own-scales", "device", "all-lanes",  "overlay" };
  Panes panes = { 0 };
  GuiWindow *window = &panes.window;
  GObject *widget;

  window->session = goban_session_new ();
  window->window = gui_window_new (window->session);
  gtk_window_set_default_size (GTK_WINDOW (window->window), WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window->window));
  gui_draw (GTK_WIDGET (window->window));
  panes.set = goban_session_get_compare_set (window->session);
  panes.page = GOBAN_COMPARE_PAGE (gui_part (window, GOBAN_TYPE_COMPARE_PAGE));
  gui_act (window, "cluster", g_variant_new_string ("p100x8"));
  gui_open_path (window, "gnmt:layers=8");
  gui_wait (is_placed, &panes, "the graph is placed");
  gui_draw (GTK_WIDGET (window->window));
  gui_pulse_begin (GTK_WIDGET (window->window));
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    change (&panes, changes[i]);
  gui_pulse_end ();

  widget = g_object_ref (G_OBJECT (window->window));
  gtk_window_destroy (GTK_WINDOW (window->window));
  gui_wait_finalized (widget);
  g_object_unref (window->session);
}

int
main (int argc, char **argv)
{
  /* As app/main.c has it. */
  mallopt (M_MMAP_THRESHOLD, 1 << 30);
  mallopt (M_TRIM_THRESHOLD, 1 << 30);
  mallopt (M_TOP_PAD, 64 << 20);
  setvbuf (stdout, NULL, _IOLBF, 0);
  bench_workers ();
  gtk_init ();
  gui_window_begin ();
  bench_window ();
  gui_window_end ();
  return 0;
}
