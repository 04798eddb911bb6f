#include "tests/ui/gui-window.h"

#include "tests/support/test-program.h"
#include "ui/dialogs/export-dialog.h"
#include "ui/draw/export/film.h"

static GtkWidget *
find_dialog (GuiWindow *f)
{
  return gui_dialog (f, GOBAN_TYPE_EXPORT_DIALOG);
}

static const char *
get_first_number (GtkWidget *dialog)
{
  return gtk_editable_get_text (GTK_EDITABLE (gui_find (dialog, GTK_TYPE_SPIN_BUTTON)));
}

/* Every command of export opens the one dialog, with its own subject. */
static void
test_subjects (GuiWindow *f, gconstpointer data)
{
  static const char *const actions[]
      = { "export-graph", "export-timeline", "export-table", "export-page", "export-film" };
  const char *const suffixes[]
      = { ".svg", ".svg", ".csv", ".html", goban_film_get_usual_ending () };

  GobanExportRequest request;

  gui_open_toy (f);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gui_act (f, actions[i], NULL);
      gui_wait (gui_is_mapped, find_dialog (f), "the dialog is shown");
      request = goban_export_dialog_get_request (GOBAN_EXPORT_DIALOG (find_dialog (f)));
      g_assert_cmpuint (request.what, ==, i);
      g_assert_cmpstr (request.suffix, ==, suffixes[i]);
      g_assert_cmpfloat (request.options.scale, ==, 1);
      g_assert_cmpfloat (request.options.width, ==, 0);
      g_assert_cmpstr (get_first_number (find_dialog (f)), ==, "Automatic");
    }

  /* The toy is of no framework's format: the last of them. */
  gui_act (f, "export-plan", NULL);
  request = goban_export_dialog_get_request (GOBAN_EXPORT_DIALOG (find_dialog (f)));
  g_assert_cmpuint (request.what, ==, GOBAN_EXPORT_PLAN);
  g_assert_cmpstr (goban_apply_get_name (request.target), ==, "model-explorer");
  goban_export_dialog_set_what (GOBAN_EXPORT_DIALOG (find_dialog (f)), GOBAN_EXPORT_PLAN + 2);
  request = goban_export_dialog_get_request (GOBAN_EXPORT_DIALOG (find_dialog (f)));
  g_assert_cmpstr (goban_apply_get_name (request.target), ==, "tensorflow");
  g_assert_null (request.suffix);
  gtk_window_destroy (GTK_WINDOW (find_dialog (f)));
  g_assert_null (find_dialog (f));
}

static gpointer
wait_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  while (goban_progress_check (progress, error))
    {
      goban_progress_step (progress, 0.5, "painting");
      g_usleep (1000);
    }
  return NULL;
}

static void
done_cb (GobanJob *job, gboolean *is_done)
{
  *is_done = TRUE;
}

static gboolean
is_set (gpointer data)
{
  return *(gboolean *) data;
}

static gboolean
is_half (gpointer data)
{
  return gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (gui_find (data, GTK_TYPE_PROGRESS_BAR)))
         == 0.5;
}

/* Closing the dialog stops what it shows. */
static void
test_stops (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanJob) job = goban_job_start ("waiting", wait_worker, NULL, NULL, NULL);
  gboolean is_done = FALSE;

  g_signal_connect (job, "done", G_CALLBACK (done_cb), &is_done);
  gui_open_toy (f);
  gui_act (f, "export-graph", NULL);
  goban_export_dialog_follow (GOBAN_EXPORT_DIALOG (find_dialog (f)), job);
  gui_wait (is_half, find_dialog (f), "the dialog shows how far it is");
  gtk_window_destroy (GTK_WINDOW (find_dialog (f)));
  gui_wait (is_set, &is_done, "the work has ended");
}

/* What was chosen is there the next time. */
static void
test_remembers (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanSettings) settings = goban_settings_new ("/nonexistent");
  GtkWidget *dialog;
  GobanExportRequest request;

  goban_settings_set_int (settings, GOBAN_SETTING_EXPORT_FORMAT, 1);
  goban_settings_set_int (settings, GOBAN_SETTING_EXPORT_PERCENT, 250);
  goban_settings_set_int (settings, GOBAN_SETTING_EXPORT_WIDTH, 20000);
  goban_settings_set_boolean (settings, GOBAN_SETTING_EXPORT_SEEN, TRUE);
  goban_settings_set_boolean (settings, GOBAN_SETTING_EXPORT_TRANSPARENT, TRUE);
  dialog = goban_export_dialog_new (GTK_WINDOW (f->window), settings);
  request = goban_export_dialog_get_request (GOBAN_EXPORT_DIALOG (dialog));
  g_assert_cmpstr (request.suffix, ==, ".png");
  g_assert_cmpfloat (request.options.scale, ==, 2.5);
  g_assert_cmpfloat (request.options.width, ==, 20000);
  g_assert_true (request.only_seen);
  g_assert_true (request.options.is_transparent);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

TEST_PROGRAM (export_dialog)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/export-dialog/subjects", test_subjects);
  gui_window_add ("/ui/export-dialog/stops", test_stops);
  gui_window_add ("/ui/export-dialog/remembers", test_remembers);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
