/* bench-listeners.c: time of each signal handler of a window when the selection changes: "name
 * value unit".
 *
 * Of the largest graph, with the table hidden and shown: for each set of nodes that people select,
 * each listener's own time, in milliseconds of the main thread's processor time, the best of
 * several; and what all of it takes, the line of the log and those who are no part of the window
 * included. Needs a display: run by gui-run.sh.
 */
#include "tests/bench/bench-clock.h"
#include "tests/ui/gui-window.h"

#include "engine/session/document/document.h"
#include "engine/session/session-marks.h"
#include "engine/study/analysis/query.h"
#include "ui/graph/graph-view.h"
#include "ui/table/node-table.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 5
#define SHORTEST_MS 0.02 /* that is told */

typedef struct
{
  GuiWindow window;
  GobanNodeModel *rows;
  GPtrArray *listeners; /* (element-type GObject) borrowed */
  GobanSelection *none;
  GobanSelection *before; /* what was selected before what is timed */
} Bench;

/* --- who listens ---------------------------------------------------------------------------- */

static const GSignalMatchType match
    = G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DETAIL | G_SIGNAL_MATCH_DATA;

static void
add_listener (Bench *bench, gpointer object)
{
  guint notify = g_signal_lookup ("notify", G_TYPE_OBJECT);
  GQuark selection = g_quark_from_static_string ("selection");

  if (g_signal_handler_find (bench->window.session, match, notify, selection, NULL, NULL, object)
      != 0)
    g_ptr_array_add (bench->listeners, object);
}

static void
add_widgets (Bench *bench, GtkWidget *root)
{
  add_listener (bench, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_widgets (bench, child);
}

static void
set_blocked (Bench *bench, gpointer listener, gboolean is_blocked)
{
  guint notify = g_signal_lookup ("notify", G_TYPE_OBJECT);
  GQuark selection = g_quark_from_static_string ("selection");

  if (is_blocked)
    g_signal_handlers_block_matched (bench->window.session, match, notify, selection, NULL, NULL,
                                     listener);
  else
    g_signal_handlers_unblock_matched (bench->window.session, match, notify, selection, NULL, NULL,
                                       listener);
}

static void
set_all_blocked (Bench *bench, gboolean is_blocked)
{
  for (guint i = 0; i < bench->listeners->len; i++)
    set_blocked (bench, bench->listeners->pdata[i], is_blocked);
}

/* --- how long they take --------------------------------------------------------------------- */

static double
time_selecting (Bench *bench, GobanSelection *nodes)
{
  double start_ms = cpu_ms ();

  goban_session_set_selection (bench->window.session, nodes);
  return cpu_ms () - start_ms;
}

/* As if it alone were told. */
static double
time_listener (Bench *bench, gpointer listener, GobanSelection *nodes)
{
  double best_ms = INFINITY;

  for (guint i = 0; i < N_TIMES && best_ms >= SHORTEST_MS; i++)
    {
      double start_ms, ms;

      set_blocked (bench, listener, FALSE);
      goban_session_set_selection (bench->window.session, bench->before);
      gui_draw (GTK_WIDGET (bench->window.window));
      set_blocked (bench, listener, TRUE);
      goban_session_set_selection (bench->window.session, nodes);
      set_blocked (bench, listener, FALSE);
      start_ms = cpu_ms ();
      g_object_notify (G_OBJECT (bench->window.session), "selection");
      ms = cpu_ms () - start_ms;
      best_ms = MIN (best_ms, ms);
      set_blocked (bench, listener, TRUE);
    }
  return best_ms;
}

static void
bench_set (Bench *bench, const char *name, GobanSelection *nodes)
{
  double all_ms = INFINITY;
  double rest_ms = INFINITY;
  double ms;

  for (guint i = 0; i < N_TIMES; i++)
    {
      goban_session_set_selection (bench->window.session, bench->before);
      gui_draw (GTK_WIDGET (bench->window.window));
      ms = time_selecting (bench, nodes);
      all_ms = MIN (all_ms, ms);
    }
  printf ("%s-all %.2f ms\n", name, all_ms);

  set_all_blocked (bench, TRUE);
  for (guint i = 0; i < N_TIMES; i++)
    {
      goban_session_set_selection (bench->window.session, bench->before);
      ms = time_selecting (bench, nodes);
      rest_ms = MIN (rest_ms, ms);
    }
  printf ("%s-session %.2f ms\n", name, rest_ms);
  for (guint i = 0; i < bench->listeners->len; i++)
    {
      ms = time_listener (bench, bench->listeners->pdata[i], nodes);
      if (ms >= SHORTEST_MS)
        printf ("%s-%s %.2f ms\n", name, G_OBJECT_TYPE_NAME (bench->listeners->pdata[i]), ms);
    }
  set_all_blocked (bench, FALSE);
  gui_draw (GTK_WIDGET (bench->window.window));
}

/* --- what is selected ----------------------------------------------------------------------- */

static GobanSelection *
find (Bench *bench, const char *text)
{
  GobanNodeContext context = { goban_session_get_costs (bench->window.session),
                               goban_session_get_current_run (bench->window.session) };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanQuery) query = goban_query_new (text, &error);

  g_assert_no_error (error);
  return goban_query_select (query, &context);
}

static void
bench_sets (Bench *bench, const char *when)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_session_get_graph (bench->window.session));
  g_autoptr (GobanSelection) all = goban_selection_complement (bench->none, n_nodes);
  g_autoptr (GobanSelection) found = find (bench, "e");
  g_autoptr (GobanSelection) brushed = find (bench, "cost > 5us");
  g_autoptr (GobanSelection) few = find (bench, "cost > 60us and device = gpu:1");
  g_autoptr (GobanSelection) inverted = goban_selection_complement (few, n_nodes);
  const struct
  {
    const char *name;
    GobanSelection *nodes;
  } sets[] = { { "none", bench->none }, { "all", all }, { "matches", found },
               { "brush", brushed },    { "few", few }, { "invert", inverted } };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      g_autofree char *name = g_strdup_printf ("listen%s-%s", when, sets[i].name);
      guint n;

      bench->before = sets[i].nodes == bench->none ? few : bench->none;
      goban_selection_get_ids (sets[i].nodes, &n);
      printf ("%s-nodes %u nodes\n", name, n);
      bench_set (bench, name, sets[i].nodes);
    }
}

/* --- the window ------------------------------------------------------------------------------- */

static gboolean
has_settled (gpointer data)
{
  Bench *bench = data;

  return gui_has_settled (&bench->window) && !goban_node_model_is_sorting (bench->rows);
}

static void
run_bench (Bench *bench)
{
  GuiWindow *window = &bench->window;
  GtkWidget *table;
  GObject *widget;

  window->session = goban_session_new ();
  window->window = gui_window_new (window->session);
  gtk_window_set_default_size (GTK_WINDOW (window->window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (window->window));
  gui_draw (GTK_WIDGET (window->window));
  gui_act (window, "cluster", g_variant_new_string ("p100x8"));
  table = gui_part (window, GOBAN_TYPE_NODE_TABLE);
  bench->rows = goban_node_columns_get_model (GOBAN_NODE_COLUMNS (table));
  add_widgets (bench, GTK_WIDGET (window->window));
  add_listener (bench, bench->rows);
  add_listener (bench, goban_document_get (window->session));

  gui_open_path (window, "gnmt:layers=8");
  gui_wait (has_settled, bench, "the graph is placed");
  gui_draw (GTK_WIDGET (window->window));
  bench_sets (bench, "");
  gui_act (window, "table-pane", NULL);
  gui_wait (gui_is_mapped, table, "the table is shown");
  gui_wait (has_settled, bench, "the rows are there");
  gui_draw (GTK_WIDGET (window->window));
  bench_sets (bench, "-table");

  widget = g_object_ref (G_OBJECT (window->window));
  gtk_window_destroy (GTK_WINDOW (window->window));
  gui_wait_finalized (widget);
  g_object_unref (window->session);
}

int
main (void)
{
  Bench bench = { .listeners = g_ptr_array_new (), .none = goban_selection_new (NULL, 0) };

  setvbuf (stdout, NULL, _IOLBF, 0);
  gtk_init ();
  gui_window_begin ();
  run_bench (&bench);
  gui_window_end ();
  g_ptr_array_unref (bench.listeners);
  goban_selection_unref (bench.none);
  return 0;
}
