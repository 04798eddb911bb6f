/* Panels of a comparison: cells select, parts are tried and undone, rows are sorted, and all of it
 * is saved. */
#include "tests/ui/gui-window.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/compare/compare-panels.h"
#include "ui/frame/frame.h"
#include "ui/panels/inspector.h"

#include <string.h>

/* The panels of the window, which shows its comparison. */
typedef struct
{
  GobanSession *session;
  GobanComparePanels *panels;
} Panels;

static void
run_of (GuiWindow *f, const char *policy, GobanRun **run)
{
  GListModel *runs = goban_session_get_runs (f->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *at = goban_run_list_get (runs, i);

      if (g_str_equal (goban_run_get_name (at), policy))
        *run = at;
    }
  g_assert_nonnull (*run);
}

static gboolean
has_rows (gpointer data)
{
  Panels *p = data;
  GobanNodeModel *model = goban_node_columns_get_model (
      GOBAN_NODE_COLUMNS (goban_compare_panels_get_changes (p->panels)));
  guint n;

  goban_node_model_get_nodes (model, &n);
  return n > 0 && !goban_node_model_is_sorting (model);
}

static gboolean
has_all_bars (gpointer data)
{
  Panels *p = data;
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (
      GOBAN_BREAKDOWN_LIST (gui_find (GTK_WIDGET (p->panels), GOBAN_TYPE_BREAKDOWN_LIST)));

  return goban_attributor_get_found (attributor) != NULL
         && !goban_attributor_is_running (attributor);
}

static Panels
open_panels (GuiWindow *f)
{
  GobanRun *runs[2] = { NULL, NULL };
  Panels p = { .session = f->session };

  gui_open_toy (f);
  run_of (f, "single", &runs[0]);
  run_of (f, "heft", &runs[1]);
  goban_compare_set_show (goban_session_get_compare_set (f->session), runs, 2);
  p.panels = GOBAN_COMPARE_PANELS (gui_part (f, GOBAN_TYPE_COMPARE_PANELS));
  gui_wait (gui_is_mapped, p.panels, "the panels are mapped");
  gui_wait (has_all_bars, &p, "all bars are found");
  gtk_stack_set_visible_child_name (gui_child (p.panels, "pages"), "changes");
  gui_wait (has_rows, &p, "changes are listed");
  gui_draw (GTK_WIDGET (f->window));
  return p;
}

/* A cell selects what went that way, its total all that left. */
static void
test_moves (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GtkGrid *grid = gui_child (gui_find (GTK_WIDGET (p.panels), GOBAN_TYPE_MOVES_TABLE), "grid");
  GobanDifference *difference
      = goban_compare_set_get_difference (goban_session_get_compare_set (f->session));
  GtkWidget *cell = gtk_grid_get_child_at (grid, 2, 1); /* from gpu:0 to gpu:1 */
  g_autoptr (GobanSelection) expected = goban_difference_dup_moves (difference, 0, 1);

  g_assert_true (GTK_IS_BUTTON (cell));
  g_assert_false (GTK_IS_BUTTON (gtk_grid_get_child_at (grid, 1, 2)));
  g_signal_emit_by_name (cell, "clicked");
  g_assert_true (goban_selection_equal (goban_session_get_selection (f->session), expected));
}

static gboolean
shows_column (GtkWidget *list, const char *title)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (gui_find (list, GTK_TYPE_COLUMN_VIEW));
  GListModel *headers = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (headers); i++)
    {
      g_autoptr (GtkColumnViewColumn) header = g_list_model_get_item (headers, i);

      if (g_str_equal (gtk_column_view_column_get_title (header), title))
        return gtk_column_view_column_get_visible (header);
    }
  g_assert_not_reached ();
}

static gboolean
has_folded (gpointer list)
{
  return !shows_column (list, "Fusion");
}

static gboolean
has_unfolded (gpointer list)
{
  return shows_column (list, "Fusion");
}

/* Beside the panes of 1280 by 800 pixels the waterfall has all its rows in sight, and the list
 * drops columns from the least important on; with room they all come back. */
static void
test_small (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GtkWidget *list = GTK_WIDGET (goban_compare_panels_get_changes (p.panels));
  GtkWidget *breakdown = gui_find (GTK_WIDGET (p.panels), GOBAN_TYPE_BREAKDOWN_LIST);
  GobanFrame *frame = GOBAN_FRAME (gui_part (f, GOBAN_TYPE_FRAME));
  g_autoptr (GVariant) wide = g_variant_ref_sink (g_variant_new_parsed ("{'right': 900}"));
  GtkAdjustment *along;

  gui_wait (has_folded, list, "columns without room are hidden");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (shows_column (list, "Node") && shows_column (list, "Finish"));
  along = gtk_scrolled_window_get_hadjustment (
      GTK_SCROLLED_WINDOW (gui_find (list, GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (along), <=, gtk_adjustment_get_page_size (along));
  gtk_stack_set_visible_child_name (gui_child (p.panels, "pages"), "reasons");
  gui_draw (GTK_WIDGET (f->window));
  along = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gui_find (breakdown, GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (along), <=, gtk_adjustment_get_page_size (along));
  gtk_stack_set_visible_child_name (gui_child (p.panels, "pages"), "changes");
  goban_frame_set_layout (frame, GOBAN_WORKSPACE_COMPARE, wide);
  gui_wait (has_unfolded, list, "all columns are shown");
}

static guint
find_bar (const GobanBreakdown *found, GobanBarKind kind)
{
  for (guint i = 0; i < found->n_bars; i++)
    if (found->bars[i].kind == kind)
      return i;
  g_assert_not_reached ();
}

/* The sentence has the letters of the panes, and each bar is a row that can be read and chosen. */
static void
test_breakdown (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanBreakdownList *list
      = GOBAN_BREAKDOWN_LIST (gui_find (GTK_WIDGET (p.panels), GOBAN_TYPE_BREAKDOWN_LIST));
  const GobanBreakdown *found
      = goban_attributor_get_found (goban_breakdown_list_get_attributor (list));
  guint placement = find_bar (found, GOBAN_BAR_PLACEMENT);
  GtkWidget *rows = gui_find (GTK_WIDGET (list), GTK_TYPE_LIST_BOX);
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (rows), (int) placement);
  g_autofree char *sentence = goban_breakdown_list_dup_sentence (list);

  g_assert_true (g_str_has_prefix (sentence, "B takes "));
  g_assert_nonnull (strstr (sentence, " less than A (−"));
  g_assert_nonnull (strstr (sentence, "placement −"));
  g_signal_emit_by_name (rows, "row-activated", row);
  g_assert_true (goban_selection_equal (goban_session_get_selection (f->session),
                                        found->bars[placement].nodes));
}

/* Trying a part adds the plan without it; undo takes it away again. */
static void
test_try (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanBreakdownList *list
      = GOBAN_BREAKDOWN_LIST (gui_find (GTK_WIDGET (p.panels), GOBAN_TYPE_BREAKDOWN_LIST));
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (list);
  const GobanBreakdown *found = goban_attributor_get_found (attributor);
  GobanDifference *difference = goban_attributor_get_difference (attributor);
  guint placement = find_bar (found, GOBAN_BAR_PLACEMENT);
  g_autoptr (GobanPlan) plan = goban_revert_change (
      difference->before, difference->after, GOBAN_REVERT_MOVE, found->bars[placement].nodes);
  guint n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  GtkWidget *rows = gui_find (GTK_WIDGET (list), GTK_TYPE_LIST_BOX);
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (rows), (int) placement);
  GobanRun *tried;

  g_signal_emit_by_name (gui_find (GTK_WIDGET (row), GTK_TYPE_BUTTON), "clicked");
  while (g_list_model_get_n_items (goban_session_get_runs (f->session)) == n)
    g_main_context_iteration (NULL, TRUE);
  tried = goban_session_get_current_run (f->session);
  g_assert_true (toy_plans_are_same (goban_run_get_plan (tried), plan));
  gui_act (f, "undo", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n);
}

static double
finish_change (Panels *p, guint row)
{
  guint n;
  const GobanNodeId *nodes
      = goban_node_model_get_nodes (goban_node_columns_get_model (GOBAN_NODE_COLUMNS (
                                        goban_compare_panels_get_changes (p->panels))),
                                    &n);
  GobanDifference *difference
      = goban_compare_set_get_difference (goban_session_get_compare_set (p->session));

  g_assert_cmpuint (row, <, n);
  return difference->times[nodes[row]].finish_us;
}

static char *
dup_csv (GobanChangeList *changes)
{
  guint n;
  const GobanNodeId *nodes = goban_node_model_get_nodes (
      goban_node_columns_get_model (GOBAN_NODE_COLUMNS (changes)), &n);
  GobanSession *session
      = goban_window_get_session (GOBAN_WINDOW (gtk_widget_get_root (GTK_WIDGET (changes))));

  return goban_change_rows_to_csv (
      goban_compare_set_get_difference (goban_session_get_compare_set (session)), nodes, n);
}

typedef struct
{
  Panels *panels;
  gboolean is_descending;
} Sorting;

static gboolean
is_sorted (gpointer data)
{
  Sorting *sorting = data;
  guint n;

  if (!has_rows (sorting->panels))
    return FALSE;
  goban_node_model_get_nodes (goban_node_columns_get_model (GOBAN_NODE_COLUMNS (
                                  goban_compare_panels_get_changes (sorting->panels->panels))),
                              &n);
  for (guint i = 1; i < n; i++)
    {
      double step = finish_change (sorting->panels, i) - finish_change (sorting->panels, i - 1);

      if (sorting->is_descending ? step > 0 : step < 0)
        return FALSE;
    }
  return TRUE;
}

/* Rows can be sorted and chosen; a threshold that nothing reaches leaves what has moved. */
static void
test_changes (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanChangeList *changes = goban_compare_panels_get_changes (p.panels);
  GobanNodeModel *model = goban_node_columns_get_model (GOBAN_NODE_COLUMNS (changes));
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  Sorting sorting = { &p, TRUE };
  g_autofree char *csv = NULL;
  const GobanNodeId *nodes;
  guint n, n_before;

  goban_node_model_get_nodes (model, &n_before);
  gui_wait (is_sorted, &(Sorting){ &p, FALSE }, "the earliest are first");
  gui_sort (GTK_WIDGET (changes), "Finish", TRUE);
  gui_wait (is_sorted, &sorting, "the latest are first");

  nodes = goban_node_model_get_nodes (model, &n);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (model), 0, TRUE);
  g_assert_true (goban_selection_contains (goban_session_get_selection (f->session), nodes[0]));

  csv = dup_csv (changes);
  g_assert_true (g_str_has_prefix (csv, "node,op,from,to,"));

  goban_compare_set_set_min_change_us (set, 1e6);
  do
    {
      g_main_context_iteration (NULL, TRUE);
      goban_node_model_get_nodes (model, &n);
    }
  while (n == n_before);
  g_assert_cmpuint (n, <, n_before);
  g_assert_cmpuint (n, >, 0);
}

static void
test_export (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-report-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename (folder, "changes.csv", NULL);
  g_autofree char *page = g_build_filename (folder, "report.html", NULL);
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  Panels p = open_panels (f);
  GobanChangeList *changes = goban_compare_panels_get_changes (p.panels);
  Sorting sorting = { &p, TRUE };

  /* In the order of the list, whatever it is. */
  gui_sort (GTK_WIDGET (changes), "Finish", TRUE);
  gui_wait (is_sorted, &sorting, "the latest are first");
  shown = dup_csv (changes);
  goban_window_export_comparison (f->window, csv, FALSE);
  gui_wait_notice (f, "Saved changes.csv");
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "node,op,from,to,rank_change,"));
  g_assert_cmpstr (text, ==, shown);
  goban_window_export_comparison (f->window, page, TRUE);
  gui_wait_notice (f, "Saved report.html");
  g_assert_true (g_file_test (page, G_FILE_TEST_EXISTS));
  goban_window_export_comparison (f->window, "report.pdf", TRUE);
  gui_wait_notice (f, "print that page");
  remove_folder (folder);
}

/* Stopped, a list keeps what it has, and can be asked for the rest. */
static void
test_stop (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanBreakdownList *list
      = GOBAN_BREAKDOWN_LIST (gui_find (GTK_WIDGET (p.panels), GOBAN_TYPE_BREAKDOWN_LIST));
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (list);
  g_autoptr (GobanDifference) difference
      = goban_difference_ref (goban_attributor_get_difference (attributor));
  GtkWidget *button = gui_find (GTK_WIDGET (list), GTK_TYPE_BUTTON);

  /* It looks only while it is on the screen. */
  gtk_stack_set_visible_child_name (gui_child (p.panels, "pages"), "reasons");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_false (gtk_widget_get_visible (button));
  goban_attributor_start (attributor, difference);
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Stop");
  g_signal_emit_by_name (button, "clicked");
  g_assert_false (goban_attributor_is_running (attributor));
  if (gtk_widget_get_visible (button))
    {
      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Find all");
      g_signal_emit_by_name (button, "clicked");
      gui_wait (has_all_bars, &p, "all bars are found again");
    }
}

/* --- what the devices do ---------------------------------------------------------------------- */

static gboolean
has_shares (gpointer data)
{
  return !goban_time_shares_view_is_busy (data)
         && goban_time_shares_view_get_bars (data)->shares[0] != NULL;
}

/* The bars of a device fill the run. */
static void
assert_filled (const GobanTimeShares *shares)
{
  for (guint d = 0; d < shares->n_devices; d++)
    {
      double sum = 0;

      for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
        sum += shares->devices_us[d][k];
      g_assert_cmpfloat_with_epsilon (sum, shares->to_us, 1e-9 * shares->to_us);
    }
}

/* Both plans beside each other, in place of the moves, and the plan itself in the inspector. */
static void
test_shares (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanTimeSharesView *view = goban_compare_panels_show_shares (p.panels);
  const GobanTimeBars *bars = goban_time_shares_view_get_bars (view);
  GobanTimeKind kind;
  guint device, run;
  int segment = -1;

  gui_wait (gui_is_mapped, view, "the page is shown");
  gui_wait (has_shares, view, "the shares are made");
  g_assert_nonnull (bars->shares[1]);
  assert_filled (bars->shares[0]);
  assert_filled (bars->shares[1]);
  g_assert_nonnull (strstr (goban_time_shares_view_get_text (view), "A gpu:0: computing"));
  for (double y = 0; segment < 0 && y < 200; y++)
    segment = goban_time_bars_find (bars, 300, (GobanPoint){ 70, y });
  g_assert_cmpint (segment, >=, 0);
  goban_time_bars_split (segment, &device, &run, &kind);
  g_assert_cmpuint (device, ==, 0);
  g_assert_cmpuint (run, ==, 0);

  goban_compare_set_close (goban_session_get_compare_set (f->session));
  gui_draw (GTK_WIDGET (f->window));
  gui_rest ();
  view = GOBAN_TIME_SHARES_VIEW (
      gui_find (gui_part (f, GOBAN_TYPE_INSPECTOR), GOBAN_TYPE_TIME_SHARES_VIEW));
  gui_wait (has_shares, view, "the shares of the plan are made");
  g_assert_null (goban_time_shares_view_get_bars (view)->shares[1]);
  assert_filled (goban_time_shares_view_get_bars (view)->shares[0]);
}

TEST_PROGRAM (compare_panels)
{
  int result;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/compare-panels/moves", test_moves);
  gui_window_add ("/compare-panels/breakdown", test_breakdown);
  gui_window_add ("/compare-panels/small", test_small);
  gui_window_add ("/compare-panels/try", test_try);
  gui_window_add ("/compare-panels/changes", test_changes);
  gui_window_add ("/compare-panels/export", test_export);
  gui_window_add ("/compare-panels/stop", test_stop);
  gui_window_add ("/compare-panels/shares", test_shares);
  result = g_test_run ();
  gui_window_end ();
  return result;
}
