/* Panels of a comparison: cells select, shares are tried and undone, rows are sorted, and all of it
 * is saved. */
#include "tests/ui/gui-window.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "tests/support/folder.h"
#include "ui/compare/compare-panels.h"

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
has_all_shares (gpointer data)
{
  Panels *p = data;
  GobanAttributor *attributor
      = goban_share_list_get_attributor (goban_compare_panels_get_shares (p->panels));

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
  gui_wait (has_rows, &p, "changes are listed");
  gui_wait (has_all_shares, &p, "all shares are found");
  gui_draw (GTK_WIDGET (f->window));
  return p;
}

/* A cell selects what went that way, its total all that left. */
static void
test_moves (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanMovesTable *moves = goban_compare_panels_get_moves (p.panels);
  GobanDifference *difference
      = goban_compare_set_get_difference (goban_session_get_compare_set (f->session));
  GtkWidget *cell = goban_moves_table_get_cell (moves, 0, 1);
  g_autoptr (GobanSelection) expected = goban_difference_dup_moves (difference, 0, 1);

  g_assert_nonnull (cell);
  g_assert_null (goban_moves_table_get_cell (moves, 1, 0));
  g_signal_emit_by_name (cell, "clicked");
  g_assert_true (goban_selection_equal (goban_session_get_selection (f->session), expected));
}

/* Trying a share adds the plan it was measured with; undo takes it away again. */
static void
test_try (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanShareList *shares = goban_compare_panels_get_shares (p.panels);
  GobanAttributor *attributor = goban_share_list_get_attributor (shares);
  const GobanAttribution *found = goban_attributor_get_found (attributor);
  double delta_us = found->shares[0].delta_us;
  GobanRun *after = goban_attributor_get_after (attributor);
  guint n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  GtkWidget *button = gui_find (gui_find (GTK_WIDGET (shares), GTK_TYPE_LIST_BOX), GTK_TYPE_BUTTON);

  g_assert_cmpuint (found->n_shares, >, 0);
  g_signal_emit_by_name (button, "clicked");
  while (g_list_model_get_n_items (goban_session_get_runs (f->session)) == n)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (f->session)), ==,
                     goban_run_get_makespan_us (after) - delta_us);
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
  return goban_difference_get_times (difference)[nodes[row]].finish_us;
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
  goban_change_list_sort (changes, GOBAN_CHANGE_ROW_FINISH, TRUE);
  gui_wait (is_sorted, &sorting, "the latest are first");

  nodes = goban_node_model_get_nodes (model, &n);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (model), 0, TRUE);
  g_assert_true (goban_selection_contains (goban_session_get_selection (f->session), nodes[0]));

  csv = goban_change_list_dup_csv (changes);
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
  g_autofree char *pdf = g_build_filename (folder, "report.pdf", NULL);
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  Panels p = open_panels (f);
  GobanChangeList *changes = goban_compare_panels_get_changes (p.panels);
  Sorting sorting = { &p, TRUE };

  /* In the order of the list, whatever it is. */
  goban_change_list_sort (changes, GOBAN_CHANGE_ROW_FINISH, TRUE);
  gui_wait (is_sorted, &sorting, "the latest are first");
  shown = goban_change_list_dup_csv (changes);
  goban_window_export_comparison (f->window, csv, FALSE);
  gui_wait_notice (f, "Saved changes.csv");
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "node,op,from,to,rank_change,"));
  g_assert_cmpstr (text, ==, shown);
  goban_window_export_comparison (f->window, pdf, TRUE);
  gui_wait_notice (f, "Saved report.pdf");
  g_assert_true (g_file_test (pdf, G_FILE_TEST_EXISTS));
  remove_folder (folder);
}

/* Stopped, a list keeps what it has, and can be asked for the rest. */
static void
test_stop (GuiWindow *f, gconstpointer data)
{
  Panels p = open_panels (f);
  GobanShareList *shares = goban_compare_panels_get_shares (p.panels);
  GobanAttributor *attributor = goban_share_list_get_attributor (shares);
  GobanRun *before = goban_attributor_get_before (attributor);
  GobanRun *after = goban_attributor_get_after (attributor);
  GtkWidget *button = gui_find (GTK_WIDGET (shares), GTK_TYPE_BUTTON);

  g_assert_false (gtk_widget_get_visible (button));
  goban_attributor_start (attributor, before, after);
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Stop");
  g_signal_emit_by_name (button, "clicked");
  g_assert_false (goban_attributor_is_running (attributor));
  if (gtk_widget_get_visible (button))
    {
      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Find all");
      g_signal_emit_by_name (button, "clicked");
      gui_wait (has_all_shares, &p, "all shares are found again");
    }
}

int
main (int argc, char **argv)
{
  int result;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/compare-panels/moves", test_moves);
  gui_window_add ("/compare-panels/try", test_try);
  gui_window_add ("/compare-panels/changes", test_changes);
  gui_window_add ("/compare-panels/export", test_export);
  gui_window_add ("/compare-panels/stop", test_stop);
  result = g_test_run ();
  gui_window_end ();
  return result;
}
