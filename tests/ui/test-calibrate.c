/* The dialog that fits efficiencies of devices: to a table, to the open graph, and back by undo.
 * Needs a display: run by gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/ui/gui-window.h"

#include "engine/graph/workloads/workload.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/calibrate-dialog.h"

#include <string.h>

static gboolean
is_settled (gpointer data)
{
  return goban_calibrate_dialog_is_settled (data);
}

static GobanCalibrateDialog *
open_dialog (GuiWindow *f)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gpt:layers=2,batch=1", NULL);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("a100x8", NULL);
  GobanCalibrateDialog *dialog;

  goban_session_set_usual_cluster (f->session, cluster);
  goban_session_set_graph (f->session, graph, NULL);
  gui_act (f, "calibrate", NULL);
  dialog = GOBAN_CALIBRATE_DIALOG (gui_dialog (f, GOBAN_TYPE_CALIBRATE_DIALOG));
  g_assert_nonnull (dialog);
  gui_draw (GTK_WIDGET (dialog));
  return dialog;
}

static double
get_efficiency (GuiWindow *f)
{
  return goban_cluster_get_device (goban_session_get_cluster (f->session), 0)->compute_efficiency;
}

/* That of a100x8. */
#define SHEET 0.83

static gboolean
has_changed (gpointer data)
{
  return get_efficiency (data) != SHEET;
}

static void
test_table (GuiWindow *f, gconstpointer data)
{
  GobanCalibrateDialog *dialog = open_dialog (f);
  g_autofree char *folder = g_dir_make_tmp ("goban-calibrate-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.csv", NULL);

  g_assert_true (g_file_set_contents (path,
                                      "model,layers,batch,seconds\ngpt,2,8,0.1\ngpt,3,8,0.15\n"
                                      "gpt,4,8,0.2\n",
                                      -1, NULL));
  goban_calibrate_dialog_set_file (dialog, path);
  gui_wait (is_settled, dialog, "the table is fitted to");
  gui_draw (GTK_WIDGET (dialog));
  g_assert_nonnull (strstr (gui_child_text (dialog, "text"), "gpu, 3 iterations"));
  g_assert_nonnull (strstr (gui_child_text (dialog, "text"), "90th percentile"));
  g_signal_emit_by_name (gui_child (dialog, "apply"), "clicked");
  gui_wait (has_changed, f, "the cluster has the constants");
  goban_session_undo (f->session);
  g_assert_cmpfloat (get_efficiency (f), ==, SHEET);
  remove_folder (folder);
}

/* A generated graph has no measured times, and a file that is no table says so. */
static void
test_refused (GuiWindow *f, gconstpointer data)
{
  GobanCalibrateDialog *dialog = open_dialog (f);

  g_signal_emit_by_name (gui_child (dialog, "apply"), "clicked"); /* without a fit: nothing */
  goban_calibrate_dialog_set_file (dialog, NULL);
  gui_wait (is_settled, dialog, "the graph is looked at");
  g_assert_nonnull (strstr (gui_child_text (dialog, "text"), "no op has a measured time"));
  goban_calibrate_dialog_set_file (dialog, "/nowhere.csv");
  gui_wait (is_settled, dialog, "the file is looked at");
  g_assert_nonnull (strstr (gui_child_text (dialog, "text"), "/nowhere.csv"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpfloat (get_efficiency (f), ==, SHEET);
}

TEST_PROGRAM (calibrate)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/calibrate/table", test_table);
  gui_window_add ("/ui/calibrate/refused", test_refused);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
