/* The dialog of trainings, pipelines, copies of the model and collectives: live results, refusals
 * in words, the run that is opened, and the way back. Needs a display: run by gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-window.h"

#include "engine/session/session-derived.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/parallel-dialog.h"

#include <string.h>

static GobanParallelDialog *
find_dialog (GuiWindow *f)
{
  return GOBAN_PARALLEL_DIALOG (gui_dialog (f, GOBAN_TYPE_PARALLEL_DIALOG));
}

static gboolean
has_model (gpointer data)
{
  const char *path = goban_session_get_path (((GuiWindow *) data)->session);

  return path != NULL && g_str_has_suffix (path, "transformer-xl-coarse.json")
         && gui_has_settled (data);
}

/* A training graph of 21 nodes. */
static void
open_model (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/transformer-xl-coarse.json");

  gui_open_path (f, path);
  gui_wait (has_model, f, "the sample is open and placed");
}

static gboolean
is_settled (gpointer data)
{
  return goban_parallel_dialog_is_settled (data);
}

static GobanParallelDialog *
open_dialog (GuiWindow *f, const char *action)
{
  GobanParallelDialog *dialog;

  gui_act (f, action, NULL);
  dialog = find_dialog (f);
  g_assert_nonnull (dialog);
  gui_draw (GTK_WIDGET (dialog));
  gui_wait (is_settled, dialog, "the choice is simulated");
  return dialog;
}

static GtkWidget *
get_child (GobanParallelDialog *dialog, const char *name)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (dialog), GOBAN_TYPE_PARALLEL_DIALOG, name));
}

/* Waits for the verdict on the choice that is made by then. */
static void
assert_says (GobanParallelDialog *dialog, const char *words, gboolean can_make)
{
  gui_wait (is_settled, dialog, "the choice is simulated");
  if (strstr (gui_child_text (dialog, "verdict"), words) == NULL)
    g_error ("“%s” is not in “%s”", words, gui_child_text (dialog, "verdict"));
  if (gtk_widget_get_sensitive (get_child (dialog, "make")) != can_make)
    g_error ("can it be made: %s", gui_child_text (dialog, "verdict"));
  g_assert_true (gtk_widget_has_css_class (get_child (dialog, "verdict"), "mistake") != can_make);
}

static void
choose (GobanParallelDialog *dialog, const char *name, guint row)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get_child (dialog, name)), row);
}

static void
set_number (GobanParallelDialog *dialog, const char *name, double value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, name)), value);
}

static const char *
get_line (GuiWindow *f, guint from_last)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  return g_ptr_array_index (log, log->len - 1 - from_last);
}

static const char *
get_color (GuiWindow *f)
{
  return goban_view_get_color (goban_session_get_view (f->session));
}

static gboolean
can_go_back (GuiWindow *f)
{
  return g_action_get_enabled (
      g_action_map_lookup_action (G_ACTION_MAP (f->window), "back-to-model"));
}

/* --- pipelines -------------------------------------------------------------------------------- */

static void
test_pipeline_says_what_is_wrong (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanGraph *graph;

  open_model (f);
  graph = goban_session_get_graph (f->session);
  dialog = open_dialog (f, "make-pipeline");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (dialog)),
                                         get_child (dialog, "schedule")));
  g_assert_nonnull (gtk_widget_get_tooltip_text (get_child (dialog, "n_stages_label")));
  assert_says (dialog, "Stages: 4, devices: 4, micro-batches: 8.", TRUE);

  choose (dialog, "stages", 2);
  set_number (dialog, "n_stages", 7);
  assert_says (dialog, "7 stages", FALSE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  g_assert_null (goban_session_get_job (f->session));
  choose (dialog, "stages", 1);
  assert_says (dialog, "With copies of stages (devices of each: ", TRUE);
  choose (dialog, "stages", 3);
  assert_says (dialog, "Devices of each stage: ", TRUE);
  choose (dialog, "schedule", 4);
  assert_says (dialog, "Zero-bubble has one copy of each stage", FALSE);
  choose (dialog, "stages", 1);
  choose (dialog, "schedule", 3);
  assert_says (dialog, "The number of stages can only be chosen", FALSE);
  choose (dialog, "stages", 0);
  choose (dialog, "schedule", 5);
  set_number (dialog, "n_batches", 2);
  assert_says (dialog, "Dualpipe-v trains two stages a rank", FALSE);
  choose (dialog, "schedule", 2);
  assert_says (dialog, "versions of its weights", TRUE);
  set_number (dialog, "n_batches", 4096);
  assert_says (dialog, "it is simulated when it is made", TRUE);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (dialog), "window.close", NULL));
  g_assert_null (find_dialog (f));
  g_assert_true (goban_session_get_graph (f->session) == graph);
}

/* The forward graph of the toy: its gradients are missing for some schedules. */
static void
test_pipeline_without_backward (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;

  gui_open_toy (f);
  dialog = open_dialog (f, "make-pipeline");
  assert_says (dialog, "no backward part: each schedule runs forward passes alone", TRUE);
  choose (dialog, "schedule", 5);
  assert_says (dialog, "the graph has no backward part", FALSE);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static gboolean
has_forward_model (gpointer data)
{
  const char *path = goban_session_get_path (((GuiWindow *) data)->session);

  return path != NULL && g_str_has_prefix (path, "rnnlm") && gui_has_settled (data);
}

/* Copies of a forward graph add what is missing, unless they are told not to. */
static void
test_copies_of_inference (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GtkWidget *adds;

  open_model (f);
  dialog = open_dialog (f, "copy-model");
  g_assert_false (gtk_widget_get_mapped (get_child (dialog, "add_backward")));
  gtk_window_destroy (GTK_WINDOW (dialog));

  gui_open_path (f, "rnnlm:granularity=coarse,mode=inference");
  gui_wait (has_forward_model, f, "the forward graph is open and placed");
  dialog = open_dialog (f, "copy-model");
  adds = get_child (dialog, "add_backward");
  g_assert_true (gtk_widget_get_mapped (adds));
  assert_says (dialog, "gradients", TRUE);
  g_assert_false (gtk_widget_get_sensitive (get_child (dialog, "plan_copies")));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (adds), FALSE);
  assert_says (dialog, "gradient", FALSE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (adds), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (get_child (dialog, "split_copies")), FALSE);
  set_number (dialog, "n_copies", 2);
  assert_says (dialog, "Copies: 2.", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "copy the model");
  g_assert_nonnull (strstr (get_line (f, 0), "g:training():replicas{ n = 2, "));
}

static void
test_pipeline_is_opened (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanGraph *graph;
  GobanRun *run;

  open_model (f);
  graph = goban_session_get_graph (f->session);
  run = goban_session_get_current_run (f->session);
  g_assert_false (can_go_back (f));
  dialog = open_dialog (f, "make-pipeline");
  set_number (dialog, "n_batches", 4);
  gui_wait (is_settled, dialog, "the choice is simulated");
  g_signal_emit_by_name (get_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "make a pipeline");
  g_assert_null (find_dialog (f));
  g_assert_true (goban_session_get_graph (f->session) != graph);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "1f1b");
  g_assert_cmpstr (get_color (f), ==, "micro_batch");
  g_assert_cmpstr (get_line (f, 1), ==,
                   "view.derive(assert(g:pipeline{ schedule = \"1f1b\", micro_batches = 4, split = "
                   "true }))");
  g_assert_cmpstr (get_line (f, 0), ==, "view.color \"micro_batch\"");
  g_assert_true (gui_has_notice (f, "micro-batches: 4"));
  gui_wait (gui_has_settled, f, "the pipeline is laid out");
  g_assert_true (can_go_back (f));

  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_graph (f->session) == graph);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpstr (get_color (f), ==, "device");
  g_assert_false (can_go_back (f));
  gui_wait (gui_has_settled, f, "the model is laid out again");
  gui_act (f, "redo", NULL);
  g_assert_true (goban_session_get_graph (f->session) != graph);
  gui_act (f, "back-to-model", NULL);
  g_assert_true (goban_session_get_graph (f->session) == graph);
}

/* What is planned can be opened: an undoable change as any other. */
static void
test_copies_of_stages_are_opened (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanGraph *graph;

  open_model (f);
  graph = goban_session_get_graph (f->session);
  dialog = open_dialog (f, "make-pipeline");
  choose (dialog, "stages", 3);
  assert_says (dialog, "Devices of each stage: ", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "make a pipeline");
  g_assert_cmpstr (
      get_line (f, 1), ==,
      "view.derive(assert(g:pipeline{ schedule = \"1f1b\", micro_batches = 8, copies = "
      "true, split = true }))");
  g_assert_cmpstr (get_color (f), ==, "micro_batch");
  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_graph (f->session) == graph);
}

static void
show_plan (GuiWindow *f, const char *policy)
{
  GListModel *runs = goban_session_get_runs (f->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    if (g_str_equal (goban_run_get_name (goban_run_list_get (runs, i)), policy))
      goban_session_set_current_run (f->session, goban_run_list_get (runs, i));
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, policy);
}

/* The devices of the plan that is shown are the stages: "single" has one. */
static void
test_pipeline_of_the_plan (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;

  open_model (f);
  show_plan (f, "single");
  dialog = open_dialog (f, "make-pipeline");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (get_child (dialog, "plan_pipeline")), TRUE);
  g_assert_false (gtk_widget_get_sensitive (get_child (dialog, "stages")));
  assert_says (dialog, "Stages: 1, devices: 1, micro-batches: 8.", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "make a pipeline");
  g_assert_nonnull (strstr (get_line (f, 1), ", split = true, plan = r.plan }"));
}

static void
test_schedule_from_a_file (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "two.csv", NULL);
  GobanParallelDialog *dialog;

  g_assert_true (g_file_set_contents (path, "0F0,0F1,,0B0,0B1\n,1F0,1F1,1B0,1B1\n", -1, NULL));
  open_model (f);
  dialog = open_dialog (f, "make-pipeline");
  choose (dialog, "schedule", 7);
  assert_says (dialog, "Choose the file of the schedule", FALSE);
  goban_parallel_dialog_set_file (dialog, "/nowhere/x.csv");
  assert_says (dialog, "/nowhere/x.csv", FALSE);
  goban_parallel_dialog_set_file (dialog, path);
  assert_says (dialog, "Stages: 2, devices: 2, micro-batches: 2.", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "make a pipeline");
  g_assert_nonnull (strstr (get_line (f, 1), "two.csv\""));
  remove_folder (folder);
}

/* Nothing has changed, and the dialog is gone. */
static void
test_stopped (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanGraph *graph;

  open_model (f);
  graph = goban_session_get_graph (f->session);
  dialog = open_dialog (f, "make-pipeline");
  set_number (dialog, "n_batches", 3000);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  g_assert_nonnull (goban_session_get_job (f->session));
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the work is stopped");
  g_assert_null (find_dialog (f));
  g_assert_true (goban_session_get_graph (f->session) == graph);
}

/* What the worker refuses is said in the dialog, which is there again: a file that has gone. */
static void
test_refused (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;

  open_model (f);
  dialog = open_dialog (f, "make-pipeline");
  choose (dialog, "schedule", 7);
  goban_parallel_dialog_set_file (dialog, "/nowhere/x.csv");
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked"); /* before its verdict is there */
  g_assert_nonnull (goban_session_get_job (f->session));
  gui_wait (gui_has_no_job, f, "the order is refused");
  g_assert_true (find_dialog (f) == dialog);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  assert_says (dialog, "/nowhere/x.csv", FALSE);
}

/* --- trainings ------------------------------------------------------------------------------ */

static gboolean
has_gpt (gpointer data)
{
  const char *path = goban_session_get_path (((GuiWindow *) data)->session);

  return path != NULL && g_str_has_prefix (path, "gpt") && gui_has_settled (data);
}

static void
open_gpt (GuiWindow *f)
{
  gui_open_path (f, "gpt:layers=4,width=256,heads=8,vocabulary=1024,sequence=128,batch=1");
  gui_wait (has_gpt, f, "the model is generated and placed");
}

static void
test_training_says_what_is_wrong (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GtkWidget *memory;

  open_gpt (f);
  dialog = open_dialog (f, "in-parallel");
  memory = get_child (dialog, "memory");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (dialog)),
                                         get_child (dialog, "tp")));
  assert_says (dialog, "4 of 4 devices train on 32 samples", TRUE);
  g_assert_true (gtk_widget_get_mapped (memory));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (memory), "weights"));
  /* Experts are another family's, and one rank has no one to split a sequence with. */
  g_assert_false (gtk_widget_get_mapped (get_child (dialog, "ep")));
  g_assert_false (gtk_widget_get_sensitive (get_child (dialog, "splits_sequence")));

  set_number (dialog, "tp", 3);
  assert_says (dialog, "heads", FALSE);
  g_assert_false (gtk_widget_get_mapped (memory));
  set_number (dialog, "tp", 2);
  assert_says (dialog, "more ranks than the 4 devices", FALSE);
  set_number (dialog, "dp", 2);
  set_number (dialog, "batch", 7);
  assert_says (dialog, "A batch of 7 is not divided by 2 copies", FALSE);
  set_number (dialog, "batch", 0);
  assert_says (dialog, "4 of 4 devices train on 16 samples", TRUE);

  /* Another kind has a verdict of its own, and no bars. */
  gtk_stack_set_visible_child_name (GTK_STACK (get_child (dialog, "kinds")), "copies");
  assert_says (dialog, "Copies: 4.", TRUE);
  g_assert_false (gtk_widget_get_mapped (memory));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* It is opened with the folded cluster, and undo brings model and cluster back. */
static void
test_training_is_opened (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanCluster *cluster;
  GobanGraph *graph;

  open_gpt (f);
  graph = goban_session_get_graph (f->session);
  cluster = goban_session_get_cluster (f->session);
  dialog = open_dialog (f, "in-parallel");
  set_number (dialog, "tp", 2);
  set_number (dialog, "pp", 2);
  set_number (dialog, "dp", 1);
  choose (dialog, "zero", 1);
  choose (dialog, "recompute", 2);
  choose (dialog, "training_schedule", 3);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (get_child (dialog, "splits_sequence")), TRUE);
  assert_says (dialog, "Recomputation: ", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "train in parallel");
  g_assert_cmpstr (get_line (f, 1), ==,
                   "view.derive(assert(g:parallel{ tp = 2, pp = 2, dp = 1, sp = true, micro_batch "
                   "= 1, zero = 1, recompute = \"full\", schedule = \"zero-bubble\" }))");
  g_assert_cmpstr (get_color (f), ==, "micro_batch");
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_session_get_cluster (f->session)), ==, 2);
  gui_wait (gui_has_settled, f, "the training is laid out");
  gui_act (f, "devices", g_variant_new_string (""));
  /* A training is not split once more. */
  dialog = open_dialog (f, "in-parallel");
  assert_says (dialog, "has micro-batches already", FALSE);
  gtk_window_destroy (GTK_WINDOW (dialog));
  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_graph (f->session) == graph);
  g_assert_true (goban_session_get_cluster (f->session) == cluster);
  gui_wait (gui_has_settled, f, "the model is laid out again");
  gui_act (f, "redo", NULL);
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_session_get_cluster (f->session)), ==, 2);
}

static gboolean
has_mixtral (gpointer data)
{
  const char *path = goban_session_get_path (((GuiWindow *) data)->session);

  return path != NULL && g_str_has_prefix (path, "mixtral") && gui_has_settled (data);
}

/* A family of experts has them among the numbers. */
static void
test_training_of_experts (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;

  gui_open_path (f, "mixtral:layers=2,width=256,heads=8,kv-heads=8,ffn=512,vocabulary=1024,"
                    "sequence=128,batch=1");
  gui_wait (has_mixtral, f, "the model is generated and placed");
  dialog = open_dialog (f, "in-parallel");
  g_assert_true (gtk_widget_get_mapped (get_child (dialog, "ep")));
  set_number (dialog, "ep", 3);
  assert_says (dialog, "3", FALSE);
  set_number (dialog, "ep", 4);
  assert_says (dialog, "4 of 4 devices", TRUE);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* --- copies and collectives ------------------------------------------------------------------- */

/* The slider has its result as it moves; undo takes the slower device back, too. */
static void
test_copies (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog;
  GobanCluster *cluster;
  g_autofree char *before = NULL;

  open_model (f);
  cluster = goban_session_get_cluster (f->session);
  dialog = open_dialog (f, "copy-model");
  assert_says (dialog, "Copies: 4.", TRUE);
  before = g_strdup (gui_child_text (dialog, "verdict"));
  for (double factor = 1.5; factor <= 3; factor += 0.5)
    gtk_range_set_value (GTK_RANGE (get_child (dialog, "slowdown")), factor);
  assert_says (dialog, "Copies: 4.", TRUE);
  g_assert_cmpstr (gui_child_text (dialog, "verdict"), !=, before);
  set_number (dialog, "n_copies", 9);
  assert_says (dialog, "9 replicas", FALSE);
  set_number (dialog, "n_copies", 2);
  choose (dialog, "algorithm", 1);
  assert_says (dialog, "Copies: 2.", TRUE);
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait_undo (f, "copy the model");
  g_assert_cmpstr (get_line (f, 0), ==,
                   "view.derive(assert(g:replicas{ n = 2, algorithm = \"tree\", bucket = 25000000, "
                   "slowdown = 3, split = true }))");
  g_assert_true (goban_session_get_cluster (f->session) != cluster);
  g_assert_cmpfloat_with_epsilon (
      goban_cluster_get_device (cluster, 1)->flops_per_us
          / goban_cluster_get_device (goban_session_get_cluster (f->session), 1)->flops_per_us,
      3, 1e-9);
  gui_wait (gui_has_settled, f, "the copies are laid out");
  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_cluster (f->session) == cluster);
}

/* Without an open graph, too. */
static void
test_collective (GuiWindow *f, gconstpointer data)
{
  GobanParallelDialog *dialog = open_dialog (f, "simulate-collective");

  assert_says (dialog, "All-reduce (ring) of 4 devices takes ", TRUE);
  choose (dialog, "operation", 4);
  g_assert_false (gtk_widget_get_sensitive (get_child (dialog, "collective_algorithm")));
  assert_says (dialog, "Broadcast (tree) of 4 devices takes ", TRUE);
  set_number (dialog, "n_ranks", 5);
  assert_says (dialog, "5 ranks do not fit", FALSE);
  set_number (dialog, "n_ranks", 3);
  gui_wait (is_settled, dialog, "the choice is simulated");
  g_signal_emit_by_name (gui_child (dialog, "make"), "clicked");
  gui_wait (gui_has_settled, f, "the collective is shown");
  g_assert_cmpstr (
      get_line (f, 0), ==,
      "view.derive(assert(graph.collective(\"broadcast\", 100000000, { ranks = 3 })))");
  g_assert_false (can_go_back (f));
}

TEST_PROGRAM (parallel)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/parallel/pipeline-says-what-is-wrong", test_pipeline_says_what_is_wrong);
  gui_window_add ("/ui/parallel/pipeline-without-backward", test_pipeline_without_backward);
  gui_window_add ("/ui/parallel/pipeline-is-opened", test_pipeline_is_opened);
  gui_window_add ("/ui/parallel/copies-of-stages-are-opened", test_copies_of_stages_are_opened);
  gui_window_add ("/ui/parallel/pipeline-of-the-plan", test_pipeline_of_the_plan);
  gui_window_add ("/ui/parallel/schedule-from-a-file", test_schedule_from_a_file);
  gui_window_add ("/ui/parallel/stopped", test_stopped);
  gui_window_add ("/ui/parallel/refused", test_refused);
  gui_window_add ("/ui/parallel/training-says-what-is-wrong", test_training_says_what_is_wrong);
  gui_window_add ("/ui/parallel/training-is-opened", test_training_is_opened);
  gui_window_add ("/ui/parallel/training-of-experts", test_training_of_experts);
  gui_window_add ("/ui/parallel/copies-of-inference", test_copies_of_inference);
  gui_window_add ("/ui/parallel/copies", test_copies);
  gui_window_add ("/ui/parallel/collective", test_collective);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
