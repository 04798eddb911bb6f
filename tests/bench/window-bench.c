#include "tests/bench/window-bench.h"

#include "tests/bench/bench-clock.h"
#include "tests/ui/gui-pulse.h"

#include "engine/core/jobs/malloc-tuning.h"
#include "engine/session/session-marks.h"
#include "ui/timeline/timeline-scenes.h"

#include <stdio.h>

#define N_EDITS 15
/* Edits go round all devices from here: each moves the nodes to another one. */
#define FIRST_DEVICE 3

/* --- waiting -------------------------------------------------------------------------------- */

static gboolean
is_still (gpointer data)
{
  WindowBench *bench = data;

  return gui_has_no_job (&bench->window)
         && (goban_session_get_graph (bench->window.session) == NULL
             || goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (bench->graph)))
         && !goban_timeline_view_is_busy (GOBAN_TIMELINE_VIEW (bench->timeline))
         && !goban_search_bar_is_searching (bench->search)
         && !goban_node_model_is_sorting (
             goban_node_columns_get_model (GOBAN_NODE_COLUMNS (bench->table)));
}

void
window_bench_settle (WindowBench *bench)
{
  gui_wait (is_still, bench, "all is still");
  gui_draw (GTK_WIDGET (bench->window.window));
  gui_wait (is_still, bench, "all is still");
  gui_draw (GTK_WIDGET (bench->window.window));
}

void
window_bench_print (WindowBench *bench, const char *what, double value_ms)
{
  const double *before
      = bench->reference != NULL ? g_hash_table_lookup (bench->reference, what) : NULL;

  printf ("%s-%s %.1f ms\n", bench->name, what, value_ms);
  if (before != NULL)
    printf ("%s-%s-ratio %.2f\n", bench->name, what, value_ms / *before);
  else if (bench->reference != NULL)
    g_hash_table_insert (bench->reference, g_strdup (what), g_memdup2 (&value_ms, sizeof value_ms));
}

void
window_bench_refer (WindowBench *bench)
{
  g_clear_pointer (&bench->reference, g_hash_table_unref);
  bench->reference = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
print_kind (WindowBench *bench, const char *what, const char *kind, double value_ms)
{
  g_autofree char *name = g_strdup_printf ("%s-%s", what, kind);

  window_bench_print (bench, name, value_ms);
}

void
window_bench_report (WindowBench *bench, const char *what)
{
  GuiPulse longest;

  window_bench_settle (bench);
  longest = gui_pulse_take ();
  print_kind (bench, what, "turn", longest.turn_ms);
  print_kind (bench, what, "frame", longest.frame_ms);
}

/* --- what is done --------------------------------------------------------------------------- */

void
window_bench_act (WindowBench *bench, const char *action, const char *parameter)
{
  GVariant *value = parameter != NULL ? g_variant_new_parsed (parameter) : NULL;

  gui_act (&bench->window, action, value);
}

static gboolean
is_painted (gpointer data)
{
  WindowBench *bench = data;

  return goban_session_get_graph (bench->window.session) != NULL
         && goban_graph_view_get_scale (GOBAN_GRAPH_VIEW (bench->graph)) > 0
         && goban_picture_get_n_paints (bench->graph) > 0;
}

static gboolean
has_run (gpointer data)
{
  WindowBench *bench = data;

  return goban_session_get_current_run (bench->window.session) != NULL && is_still (bench);
}

void
window_bench_open (WindowBench *bench)
{
  double start_ms = wall_ms (), process_start_ms = process_ms ();

  gui_open_path (&bench->window, bench->spec);
  gui_wait (is_painted, bench, "the graph is there");
  printf ("%s-open-first-picture-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  printf ("%s-open-first-picture-cpu %.0f ms\n", bench->name, process_ms () - process_start_ms);
  gui_wait (has_run, bench, "the graph is placed");
  printf ("%s-open-placed-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  window_bench_report (bench, "open");
}

void
window_bench_select (WindowBench *bench, guint n)
{
  GobanGraph *graph = goban_session_get_graph (bench->window.session);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  g_autoptr (GobanSelection) some = NULL;

  for (guint i = 0; i < n; i++)
    ids[i] = goban_graph_get_n_nodes (graph) / 2 + 2 * i;
  some = goban_selection_new (ids, n);
  goban_session_set_selection (bench->window.session, some);
}

#define N_SELECTIONS 9

void
window_bench_select_all (WindowBench *bench)
{
  double turns[N_SELECTIONS], frames[N_SELECTIONS];

  for (guint i = 0; i < N_SELECTIONS; i++)
    {
      GuiPulse longest;

      window_bench_act (bench, "select-none", NULL);
      window_bench_settle (bench);
      gui_pulse_take ();
      window_bench_act (bench, "select-all", NULL);
      window_bench_settle (bench);
      longest = gui_pulse_take ();
      turns[i] = longest.turn_ms;
      frames[i] = longest.frame_ms;
    }
  print_kind (bench, "select-all", "turn", median_ms (turns, N_SELECTIONS));
  print_kind (bench, "select-all", "frame", median_ms (frames, N_SELECTIONS));
  print_kind (bench, "select-all", "most", frames[N_SELECTIONS - 1]);
}

void
window_bench_pan (GobanPicture *picture)
{
  for (int i = 0; i < WINDOW_BENCH_N_PANS; i++)
    {
      goban_picture_pan (picture, i % 2 == 0 ? 1 : -1, i % 3 == 0);
      gui_rest ();
    }
}

/* --- edits ---------------------------------------------------------------------------------- */

static const char *const edit_names[WINDOW_BENCH_N_FIGURES]
    = { "edit-run-wall",     "edit-run-cpu", "edit-picture-wall", "edit-picture-cpu",
        "edit-picture-main", "edit-turn",    "edit-frame" };

/* Goes round until both panes have painted what they had been waiting for. */
static void
wait_for_picture (WindowBench *bench)
{
  guint n_graph, n_timeline;

  n_graph = goban_picture_get_n_paints (bench->graph);
  n_timeline = goban_picture_get_n_paints (bench->timeline);
  while (goban_picture_get_n_paints (bench->graph) == n_graph
         || goban_picture_get_n_paints (bench->timeline) == n_timeline)
    {
      g_main_context_iteration (NULL, TRUE);
      /* What is painted while another scene is made is not yet it. */
      if (!goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (bench->graph)))
        n_graph = goban_picture_get_n_paints (bench->graph);
      if (goban_timeline_view_is_busy (GOBAN_TIMELINE_VIEW (bench->timeline)))
        n_timeline = goban_picture_get_n_paints (bench->timeline);
    }
}

void
window_bench_edit (WindowBench *bench, guint device, double *figures)
{
  GobanRun *before = goban_session_get_current_run (bench->window.session);
  g_autofree char *parameter = g_strdup_printf ("%u", device);
  double start_ms, start_process_ms, start_main_ms;
  GuiPulse longest;

  window_bench_settle (bench);
  gui_pulse_take ();
  start_ms = wall_ms ();
  start_process_ms = process_ms ();
  start_main_ms = cpu_ms ();
  window_bench_act (bench, "move-selection", parameter);
  while (goban_session_get_current_run (bench->window.session) == before)
    g_main_context_iteration (NULL, TRUE);
  figures[WINDOW_BENCH_RUN_WALL] = wall_ms () - start_ms;
  figures[WINDOW_BENCH_RUN_CPU] = process_ms () - start_process_ms;
  wait_for_picture (bench);
  figures[WINDOW_BENCH_PICTURE_WALL] = wall_ms () - start_ms;
  figures[WINDOW_BENCH_PICTURE_CPU] = process_ms () - start_process_ms;
  figures[WINDOW_BENCH_MAIN_CPU] = cpu_ms () - start_main_ms;
  longest = gui_pulse_take ();
  figures[WINDOW_BENCH_TURN] = longest.turn_ms;
  figures[WINDOW_BENCH_FRAME] = longest.frame_ms;
}

void
window_bench_print_edit (WindowBench *bench, const double *figures)
{
  for (guint f = 0; f < WINDOW_BENCH_N_FIGURES; f++)
    window_bench_print (bench, edit_names[f], figures[f]);
}

void
window_bench_edit_often (WindowBench *bench, WindowBenchFunc prepare)
{
  double figures[WINDOW_BENCH_N_FIGURES][N_EDITS];
  guint n_devices = goban_cluster_get_n_devices (goban_session_get_cluster (bench->window.session));

  for (guint i = 0; i < N_EDITS; i++)
    {
      double once[WINDOW_BENCH_N_FIGURES];

      if (prepare != NULL)
        prepare (bench);
      window_bench_edit (bench, (FIRST_DEVICE + i) % n_devices, once);
      for (guint f = 0; f < WINDOW_BENCH_N_FIGURES; f++)
        figures[f][i] = once[f];
    }
  for (guint f = 0; f < WINDOW_BENCH_N_FIGURES; f++)
    {
      window_bench_print (bench, edit_names[f], median_ms (figures[f], N_EDITS));
      print_kind (bench, edit_names[f], "least", figures[f][0]);
    }
}

/* --- life ------------------------------------------------------------------------------------ */

void
window_bench_begin (WindowBench *bench)
{
  GuiWindow *window = &bench->window;

  goban_malloc_tuning_begin ();
  setvbuf (stdout, NULL, _IOLBF, 0);
  gtk_init ();
  gui_window_begin ();
  window->session = goban_session_new ();
  window->window = gui_window_new (window->session);
  gtk_window_set_default_size (GTK_WINDOW (window->window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (window->window));
  gui_draw (GTK_WIDGET (window->window));
  bench->graph = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_GRAPH_VIEW));
  bench->timeline = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_TIMELINE_VIEW));
  bench->table = GOBAN_NODE_TABLE (gui_part (window, GOBAN_TYPE_NODE_TABLE));
  bench->search = GOBAN_SEARCH_BAR (gui_part (window, GOBAN_TYPE_SEARCH_BAR));
  if (bench->cluster != NULL)
    gui_act (window, "cluster", g_variant_new_string (bench->cluster));
  gui_pulse_begin (GTK_WIDGET (window->window));
}

void
window_bench_end (WindowBench *bench)
{
  GObject *widget = g_object_ref (G_OBJECT (bench->window.window));

  g_clear_pointer (&bench->reference, g_hash_table_unref);
  gtk_window_destroy (GTK_WINDOW (bench->window.window));
  gui_wait_finalized (widget);
  g_object_unref (bench->window.session);
  gui_window_end ();
}
