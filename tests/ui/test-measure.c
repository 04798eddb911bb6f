/* The dialog of a measurement: what it offers and refuses, and what is measured behind what is
 * predicted. The library computes nothing (tests/study/fake-ort.c), so that no machine is too
 * busy. Needs a display: run by gui-run.sh. */
#include "tests/study/fake-ort.h"
#include "tests/support/folder.h"
#include "tests/ui/gui-window.h"

#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/study/measure/ort.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/measure-dialog.h"
#include "ui/timeline/timeline-reasons.h"

#include <dlfcn.h>
#include <string.h>

static FakeOrt *fake;
static char *library; /* its path */

/* --- a model ---------------------------------------------------------------------------------- */

static void
put_bytes (GString *out, int tag, const GString *bytes)
{
  g_assert_cmpuint (bytes->len, <, 1 << 14);
  g_string_append_c (out, (char) (tag << 3 | 2));
  if (bytes->len >= 128)
    g_string_append_c (out, (char) (bytes->len % 128 | 128));
  g_string_append_c (out, (char) (bytes->len >= 128 ? bytes->len / 128 : bytes->len));
  g_string_append_len (out, bytes->str, (gssize) bytes->len);
}

static void
put_text (GString *out, int tag, const char *text)
{
  g_autoptr (GString) bytes = g_string_new (text);

  put_bytes (out, tag, bytes);
}

static void
put_number (GString *out, int tag, int value)
{
  g_string_append_c (out, (char) (tag << 3));
  g_string_append_c (out, (char) value);
}

static void
put_node (GString *graph, const char *op, const char *inputs, const char *output)
{
  g_autoptr (GString) node = g_string_new (NULL);
  g_auto (GStrv) names = g_strsplit (inputs, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    put_text (node, 1, names[i]);
  put_text (node, 2, output);
  put_text (node, 3, output);
  put_text (node, 4, op);
  put_bytes (graph, 1, node);
}

/* x, two floats, through two nodes side by side and one that joins them. */
static void
write_model (const char *path)
{
  g_autoptr (GString) dim = g_string_new (NULL), shape = g_string_new (NULL);
  g_autoptr (GString) tensor = g_string_new (NULL), type = g_string_new (NULL);
  g_autoptr (GString) input = g_string_new (NULL), output = g_string_new (NULL);
  g_autoptr (GString) graph = g_string_new (NULL), opset = g_string_new (NULL);
  g_autoptr (GString) model = g_string_new (NULL);

  put_number (dim, 1, 2);
  put_bytes (shape, 1, dim);
  put_number (tensor, 1, 1);
  put_bytes (tensor, 2, shape);
  put_bytes (type, 1, tensor);
  put_text (input, 1, "x");
  put_bytes (input, 2, type);
  put_text (output, 1, "c");
  put_bytes (graph, 11, input);
  put_bytes (graph, 12, output);
  put_node (graph, "Relu", "x", "a");
  put_node (graph, "Neg", "x", "b");
  put_node (graph, "Add", "a b", "c");
  put_number (model, 1, 8);
  put_bytes (model, 7, graph);
  put_text (opset, 1, "");
  put_number (opset, 2, 13);
  put_bytes (model, 8, opset);
  g_assert_true (g_file_set_contents (path, model->str, (gssize) model->len, NULL));
}

/* --- the dialog ------------------------------------------------------------------------------- */

static GobanMeasureDialog *
find_dialog (GuiWindow *f)
{
  return GOBAN_MEASURE_DIALOG (gui_dialog (f, GOBAN_TYPE_MEASURE_DIALOG));
}

/* (transfer full): the folder of the open model */
static char *
open_model (GuiWindow *f)
{
  char *folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "small.onnx", NULL);

  write_model (path);
  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the model is placed");
  return folder;
}

static GobanMeasureDialog *
open_dialog (GuiWindow *f)
{
  GobanMeasureDialog *dialog;

  gui_act (f, "measure", NULL);
  dialog = find_dialog (f);
  g_assert_nonnull (dialog);
  gui_draw (GTK_WIDGET (dialog));
  return dialog;
}

static void
choose (GobanMeasureDialog *dialog, const char *name, gboolean is_chosen)
{
  GtkWidget *check = gtk_widget_get_first_child (gui_child (dialog, "choices"));
  g_autofree char *begin = g_strconcat (name, ", ", NULL);

  while (!g_str_has_prefix (gtk_check_button_get_label (GTK_CHECK_BUTTON (check)), begin))
    check = gtk_widget_get_next_sibling (check);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_chosen);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void
test_only_onnx (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  gui_act (f, "measure", NULL);
  g_assert_null (find_dialog (f));
  g_assert_true (gui_has_notice (f, "Only models from ONNX files"));
}

static void
test_without_library (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = open_model (f);
  GobanMeasureDialog *dialog;

  g_setenv (GOBAN_ORT_VARIABLE, "/nowhere", TRUE);
  dialog = open_dialog (f);
  g_setenv (GOBAN_ORT_VARIABLE, library, TRUE);
  g_assert_nonnull (strstr (gui_child_text (dialog, "runtime"), "onnxruntime-node"));
  g_assert_false (gtk_widget_get_sensitive (gui_child (dialog, "measure")));
  g_signal_emit_by_name (gui_child (dialog, "measure"), "clicked");
  g_assert_null (goban_session_get_job (f->session));
  remove_folder (folder);
}

static void
test_choices (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = open_model (f);
  GobanMeasureDialog *dialog = open_dialog (f);
  GobanMeasureOrder *order;

  g_assert_cmpstr (gui_child_text (dialog, "runtime"), ==,
                   "ONNX Runtime 0.0.1-fake runs the model.");
  gtk_spin_button_set_value (gui_child (dialog, "cores"), 1);
  gtk_spin_button_set_value (gui_child (dialog, "repeats"), 7);
  choose (dialog, "metis", FALSE);
  order = goban_measure_dialog_make_order (dialog);
  g_assert_cmpstr (strstr (order->code, "/small.onnx"), ==,
                   "/small.onnx\", policies = { \"single\", \"heft\", \"critical-path\" }, "
                   "cores = 1, runs = 7 }):show()");
  g_assert_cmpuint (order->options.n_runs, ==, 7);
  goban_measure_order_free (order);
  for (GtkWidget *check = gtk_widget_get_first_child (gui_child (dialog, "choices")); check != NULL;
       check = gtk_widget_get_next_sibling (check))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), FALSE);
  g_assert_false (gtk_widget_get_sensitive (gui_child (dialog, "measure")));
  remove_folder (folder);
}

/* For as many devices as there are cores. */
static void
assert_offers_plans_of_the_list (GobanMeasureDialog *dialog)
{
  GtkWidget *check = gtk_widget_get_last_child (gui_child (dialog, "choices"));
  g_autofree char *label = g_strdup (gtk_check_button_get_label (GTK_CHECK_BUTTON (check)));
  GobanMeasureOrder *order;

  g_assert_true (g_str_has_suffix (label, "cores: 1"));
  gtk_spin_button_set_value (gui_child (dialog, "cores"), 1);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  g_assert_true (gtk_widget_get_sensitive (check));
  order = goban_measure_dialog_make_order (dialog);
  g_assert_cmpuint (order->runs->len, ==, 1);
  g_assert_nonnull (strstr (order->code, "plans = { "));
  goban_measure_order_free (order);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static gboolean
is_refused (gpointer data)
{
  GobanMeasureDialog *dialog = find_dialog (data);

  return dialog != NULL && *gui_child_text (dialog, "refusal") != '\0';
}

/* Every other run takes much longer, so that this machine cannot be idle. Measured all the same,
 * the run lies behind the prediction; undo takes both back. */
static void
test_refused_and_forced (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = open_model (f);
  GobanMeasureDialog *dialog = open_dialog (f);
  GobanCluster *cluster = goban_session_get_cluster (f->session);
  g_autofree char *deviation = NULL;
  GobanRun *run;

  gtk_spin_button_set_value (gui_child (dialog, "cores"), 1);
  gtk_spin_button_set_value (gui_child (dialog, "repeats"), 3);
  fake->sleep_us = 2000;
  g_signal_emit_by_name (gui_child (dialog, "measure"), "clicked");
  g_assert_nonnull (goban_session_get_job (f->session));
  gui_wait (is_refused, f, "the machine is refused");
  g_assert_nonnull (strstr (gui_child_text (dialog, "refusal"), "not idle"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  g_assert_true (gtk_widget_get_visible (gui_child (dialog, "anyway")));
  g_assert_null (goban_session_get_job (f->session));

  g_signal_emit_by_name (gui_child (dialog, "anyway"), "clicked");
  gui_wait_undo (f, "measure plans");
  fake->sleep_us = 0;
  g_assert_null (find_dialog (f));
  g_assert_true (gui_has_notice (f, "provisional"));
  run = goban_session_get_current_run (f->session);
  g_assert_false (goban_run_is_recorded (run));
  g_assert_cmpstr (goban_cluster_get_device (goban_run_get_cluster (run), 0)->name, ==, "cpu:0");
  g_assert_true (goban_run_is_recorded (goban_session_get_ghost (f->session)));
  g_assert_true (goban_run_get_plan (goban_session_get_ghost (f->session))
                 == goban_run_get_plan (run));
  deviation = goban_describe_deviation (run, goban_session_get_ghost (f->session), 0);
  g_assert_true (g_str_has_prefix (deviation, "measured "));
  g_assert_null (goban_describe_deviation (run, run, 0));
  g_assert_nonnull (strstr (gui_last_line (f), "cores = 1, runs = 3, force = true }):show()"));
  assert_offers_plans_of_the_list (open_dialog (f));
  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_cluster (f->session) == cluster);
  remove_folder (folder);
}

/* The work ends at the next look, and nothing has changed. */
static void
test_stopped (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = open_model (f);
  GobanMeasureDialog *dialog = open_dialog (f);
  GobanRun *run = goban_session_get_current_run (f->session);

  gtk_spin_button_set_value (gui_child (dialog, "cores"), 1);
  g_signal_emit_by_name (gui_child (dialog, "anyway"), "clicked");
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the measurement is stopped");
  g_assert_null (find_dialog (f));
  g_assert_true (gui_has_notice (f, "Stopped on request"));
  g_assert_true (goban_session_get_current_run (f->session) == run);
  remove_folder (folder);
}

TEST_PROGRAM (measure)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  library = g_strdup (g_getenv (GOBAN_ORT_VARIABLE));
  fake = dlsym (dlopen (library, RTLD_NOW), "fake_ort");
  g_assert_nonnull (fake);
  gui_window_begin ();
  gui_window_add ("/ui/measure/only-onnx", test_only_onnx);
  gui_window_add ("/ui/measure/without-library", test_without_library);
  gui_window_add ("/ui/measure/choices", test_choices);
  gui_window_add ("/ui/measure/refused-and-forced", test_refused_and_forced);
  gui_window_add ("/ui/measure/stopped", test_stopped);
  status = g_test_run ();
  gui_window_end ();
  g_free (library);
  return status;
}
