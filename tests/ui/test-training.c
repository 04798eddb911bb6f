/* The pane of a training: curves that grow, words, buttons, range and cursor.
 * Needs a display: run by gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/support/rounds.h"
#include "tests/support/toys.h"
#include "tests/ui/gui.h"

#include "engine/core/file-read.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training.h"
#include "tests/support/test-program.h"
#include "ui/training/networks-dialog.h"
#include "ui/training/training-page.h"
#include "ui/training/training-view.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Even, with a trial after every other. */
#define N_STEPS (TEST_IS_SANITIZED ? 12 : 40)

typedef struct
{
  char *folder;
  char *output;
  GListStore *trainings;
  GtkWidget *window;
  GobanTrainingView *view;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("goban-training-XXXXXX", NULL);
  self->output = g_build_filename (self->folder, "a.net", NULL);
  self->trainings = g_list_store_new (GOBAN_TYPE_TRAINING_JOB);
  self->view = GOBAN_TRAINING_VIEW (goban_training_view_new (G_LIST_MODEL (self->trainings)));
  self->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (self->window), 900, 420);
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self->window));
  gui_wait (gui_is_mapped, self->view, "the pane");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_object_unref (self->trainings);
  gui_rest ();
  remove_folder (self->folder);
  g_free (self->output);
  g_free (self->folder);
}

/* A small training of the plan builder in the list. Borrowed. */
static GobanTrainingJob *
begin (Fixture *self, const char *output, gint64 n_steps)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;

  options.output = output;
  options.settings = "lessons=3,validation=2,labels=10,imitations=1";
  options.n_steps = n_steps;
  options.every = 2;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_list_store_append (self->trainings, training);
  return training;
}

static gboolean
is_there (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_EXISTS);
}

static gboolean
is_done (gpointer data)
{
  return goban_training_job_get_state (data) >= GOBAN_TRAINING_FINISHED;
}

static gboolean
has_points (gpointer data)
{
  Fixture *self = data;

  return goban_training_charts_get_n_points (goban_training_view_get_charts (self->view)) > 5;
}

static gboolean
has_all (gpointer data)
{
  Fixture *self = data;
  GobanTrainingJob *training = goban_training_view_get_training (self->view);

  return goban_training_charts_get_n_points (goban_training_view_get_charts (self->view))
         == goban_training_log_get_n_points (goban_training_job_get_log (training));
}

/* A sentence is in their room until curves come while it runs; at the end all points are there, and
 * the words say where it went. */
static void
test_runs (Fixture *self, gconstpointer data)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (self->view);
  GobanTrainingJob *training = begin (self, self->output, N_STEPS);
  g_autofree char *finished = g_strdup_printf ("Finished after %d steps: ", N_STEPS);
  g_autofree char *begins = g_strdup_printf ("Update %d: ", N_STEPS);
  g_autofree char *text = NULL;
  double x0, x1;

  g_assert_true (goban_training_view_get_training (self->view) == training);
  g_assert_true (gtk_widget_get_visible (gui_child (self->view, "waiting")));
  gui_wait (is_done, training, "the end of the training");
  gui_wait (has_all, self, "all points");
  g_assert_false (gtk_widget_get_visible (gui_child (self->view, "waiting")));
  g_assert_cmpuint (goban_training_charts_get_n_points (charts), ==, N_STEPS + N_STEPS / 2 + 1);
  g_assert_cmpuint (goban_training_charts_get_n_charts (charts), ==, 5);
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), finished));
  goban_training_charts_get_range (charts, &x0, &x1);
  g_assert_true (x0 == 0 && x1 == N_STEPS);
  text = goban_training_charts_describe (charts);
  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, begins));
  g_assert_nonnull (strstr (text, "Entropy "));
  g_assert_nonnull (strstr (text, "Best of 17 plans "));
  gui_draw (GTK_WIDGET (self->view));
}

/* A training as small as its kind can be. Borrowed. */
static GobanTrainingJob *
begin_kind (Fixture *self, const char *network)
{
  GobanTrainingOptions options = goban_training_options_new (network);
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;

  options.output = self->output;
  options.n_steps = 100000;
  if (g_str_equal (network, "builder"))
    options.settings = "lessons=3,validation=2,labels=10,imitations=1";
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_list_store_append (self->trainings, training);
  return training;
}

static gboolean
has_charts (gpointer data)
{
  Fixture *self = data;

  return goban_training_charts_get_n_charts (goban_training_view_get_charts (self->view)) > 0;
}

static gboolean
has_tooltip (GtkWidget *root, const char *text)
{
  gboolean has = g_strcmp0 (gtk_widget_get_tooltip_text (root), text) == 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && !has;
       child = gtk_widget_get_next_sibling (child))
    has = has_tooltip (child, text);
  return has;
}

static gboolean
has_label (GtkWidget *root, const char *text)
{
  gboolean has = gtk_widget_get_mapped (root) && g_strcmp0 (gui_get_text (root), text) == 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && !has;
       child = gtk_widget_get_next_sibling (child))
    has = has_label (child, text);
  return has;
}

/* Every kind has curves long before its end, and charts of what was measured only. */
static void
test_kinds (Fixture *self, gconstpointer data)
{
  const char *const *networks = goban_training_get_networks ();

  for (guint i = 0; networks[i] != NULL; i++)
    {
      GobanTrainingJob *training = begin_kind (self, networks[i]);
      gboolean is_kept = !g_str_equal (networks[i], "regal");
      g_autofree char *text = NULL;
      g_autofree char *name = g_strconcat (networks[i], ": a.net", NULL);

      g_test_message ("%s", networks[i]);
      g_assert_true (has_label (GTK_WIDGET (self->view), name));
      gui_wait (has_charts, self, "curves");
      g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
      text = goban_training_charts_describe (goban_training_view_get_charts (self->view));
      g_assert_null (strstr (text, "nan"));
      g_assert_true (has_tooltip (GTK_WIDGET (self->view), is_kept
                                                               ? "Stop and keep what was learned"
                                                               : "Stop and keep nothing"));
      gui_draw (GTK_WIDGET (self->view));
      goban_training_view_stop (self->view);
      gui_wait (is_done, training, "the end");
      g_list_store_remove_all (self->trainings);
      g_remove (self->output);
    }
}

/* A series that a policy does not measure has no line and no name in a legend. */
static void
test_unmeasured (Fixture *self, gconstpointer data)
{
  static const GobanTrainingSeries series[]
      = { { "reward", "Reward", GOBAN_SERIES_REWARD, FALSE },
          { "clipped", "Clipped", GOBAN_SERIES_SHARE, FALSE } };
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GtkWidget) charts
      = g_object_ref_sink (g_object_new (GOBAN_TYPE_TRAINING_CHARTS, NULL));
  GobanTrainingPoint point = goban_training_point_new (1, 0, FALSE);
  const char *name = "one";

  goban_training_log_begin (log, series, G_N_ELEMENTS (series), NULL);
  point.values[0] = -1;
  goban_training_log_add (log, &point);
  goban_training_charts_set_logs (GOBAN_TRAINING_CHARTS (charts), &log, &name, 1);
  g_assert_cmpuint (goban_training_charts_get_n_charts (GOBAN_TRAINING_CHARTS (charts)), ==, 1);
  point.step = 2;
  point.values[1] = 0.5;
  goban_training_log_add (log, &point);
  goban_training_charts_update (GOBAN_TRAINING_CHARTS (charts));
  g_assert_cmpuint (goban_training_charts_get_n_charts (GOBAN_TRAINING_CHARTS (charts)), ==, 2);
}

/* Paused it rests, stopped it keeps what it has. */
static void
test_steered (Fixture *self, gconstpointer data)
{
  GobanTrainingJob *training = begin (self, self->output, 1000000);

  gui_wait (has_points, self, "points");
  goban_training_view_pause (self->view, TRUE);
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), "Paused: step "));
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_PAUSED);
  goban_training_view_pause (self->view, FALSE);
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
  goban_training_view_stop (self->view);
  gui_wait (is_done, training, "the end");
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_STOPPED);
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), "Stopped after "));
  g_assert_true (g_file_test (self->output, G_FILE_TEST_EXISTS));
}

static GtkWidget *
find_icon (GtkWidget *root, const char *icon)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (root)), icon) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_icon (child, icon);
  return found;
}

static void
count_cb (guint *n_stopped)
{
  (*n_stopped)++;
}

/* A policy that a script runs has no job: it stops with the script, and the button says so. */
static void
test_of_script (Fixture *self, gconstpointer data)
{
  static const GobanTrainingSeries series[]
      = { { "reward", "Reward", GOBAN_SERIES_REWARD, FALSE } };
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GSimpleActionGroup) window = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) stop = g_simple_action_new ("stop", NULL);
  GtkWidget *pause, *button;
  guint n_stopped = 0;

  g_signal_connect_swapped (stop, "activate", G_CALLBACK (count_cb), &n_stopped);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (stop));
  gtk_widget_insert_action_group (self->window, "win", G_ACTION_GROUP (window));
  goban_training_log_begin (log, series, G_N_ELEMENTS (series), NULL);
  training = goban_training_job_new_on_graph ("go-one", 1, log, NULL);
  g_list_store_append (self->trainings, training);
  pause = find_icon (GTK_WIDGET (self->view), "media-playback-pause-symbolic");
  button = find_icon (GTK_WIDGET (self->view), "media-playback-stop-symbolic");
  g_assert_false (gtk_widget_get_sensitive (pause));
  g_assert_true (
      g_str_has_prefix (gtk_widget_get_tooltip_text (pause), "A script runs this policy"));
  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==,
                   "Stop the script that runs this policy");
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (n_stopped, ==, 1);
  goban_training_log_end (log, NULL);
  gui_wait (is_done, training, "the end");
  g_assert_false (gtk_widget_get_sensitive (button));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==, "This training has ended");
}

/* Plans of the film take a hundredth of the time while a training runs, all of it afterwards. */
static void
test_film_rests (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (goban_film_maker_get_next_us (1000, 1050, TRUE), ==, 1000 + 100 * 50);
  g_assert_cmpint (goban_film_maker_get_next_us (1000, 1050, FALSE), ==, 1050);
}

/* A picture of 4 ms is made again when the work has had 396 ms, or when it is two seconds old. */
static void
test_pane_rests (Fixture *self, gconstpointer data)
{
  g_assert_false (goban_training_view_is_due (500000, 395999, 4000));
  g_assert_true (goban_training_view_is_due (500000, 396000, 4000));
  g_assert_false (goban_training_view_is_due (1999999, 0, 4000));
  g_assert_true (goban_training_view_is_due (2000000, 0, 4000));
  g_assert_true (goban_training_view_is_due (500000, 0, 0)); /* no frame has been painted */
}

static gboolean
has_two_pictures (gpointer data)
{
  return goban_film_maker_get_pictures (data)->len == 2;
}

/* The files of a film are listed by a worker: a slow disk does not stop the window. */
static void
test_film_files (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanFilmMaker) maker = goban_film_maker_new ();
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  GobanTrainingJob *training = begin (self, self->output, 1);

  gui_wait (is_done, training, "the end");
  goban_film_maker_set_training (maker, training);
  goban_film_maker_set_costs (maker, costs);
  g_assert_cmpuint (goban_film_maker_get_pictures (maker)->len, ==, 0);
  gui_wait (has_two_pictures, maker, "the networks of updates 0 and 1");
  goban_film_maker_update (maker);
  goban_film_maker_set_training (maker, NULL); /* while it looks: what it finds is of no use */
  g_assert_cmpuint (goban_film_maker_get_pictures (maker)->len, ==, 0);
  gui_rest ();
  g_assert_cmpuint (goban_film_maker_get_pictures (maker)->len, ==, 0);
}

static gboolean
has_warning (gpointer data)
{
  Fixture *self = data;

  return gtk_widget_get_mapped (gui_child (self->view, "warning"))
         && *gui_child_text (self->view, "warning") != '\0';
}

/* A collapse is said in words while the training runs. All rewards are alike, and the entropy is
 * pushed down, so that decisions have none left. */
static void
test_collapse (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;

  options.output = self->output;
  options.settings = "lessons=2,problems=1,rollouts=2,validation=1,labels=2,imitations=1,"
                     "temperature=0.01,entropy=0,rate=1";
  options.n_steps = 1000000;
  options.every = 1000;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_list_store_append (self->trainings, training);
  gui_wait (has_warning, self, "the warning");
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
  g_test_message ("%s", gui_child_text (self->view, "warning"));
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "warning"), "Collapsed: "));
  goban_training_view_stop (self->view);
  gui_wait (is_done, training, "the end");
}

/* Zoomed it stays where it is while updates come; fitted it follows them again. */
static void
test_range (Fixture *self, gconstpointer data)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (self->view);
  double x0, x1, y0, y1;

  gui_wait (is_done, begin (self, self->output, N_STEPS), "the end");
  gui_wait (has_all, self, "all points");
  gui_draw (GTK_WIDGET (self->view));
  goban_picture_zoom (GOBAN_PICTURE (charts), 2);
  goban_training_charts_get_range (charts, &x0, &x1);
  g_assert_cmpfloat_with_epsilon (x1 - x0, N_STEPS / 2, 1e-9);
  goban_picture_pan (GOBAN_PICTURE (charts), -1, 0);
  goban_training_charts_get_range (charts, &y0, &y1);
  g_assert_cmpfloat_with_epsilon (y1 - y0, N_STEPS / 2, 1e-9);
  g_assert_cmpfloat (y0, !=, x0);
  goban_picture_zoom (GOBAN_PICTURE (charts), 1000);
  goban_training_charts_get_range (charts, &x0, &x1);
  g_assert_cmpfloat_with_epsilon (x1 - x0, 4, 1e-9); /* no closer */
  goban_training_charts_fit (charts);
  goban_training_charts_get_range (charts, &x0, &x1);
  g_assert_true (x0 == 0 && x1 == N_STEPS);
}

/* A training of two graphs, the second only tried: a chart for each, and brushed updates. */
static void
test_by_graph (Fixture *self, gconstpointer data)
{
  static const GobanTrainingSeries series[]
      = { { "mean_ratio", "Mean", GOBAN_SERIES_RATIO, FALSE },
          { "entropy", "Entropy", GOBAN_SERIES_ENTROPY, FALSE },
          { "ratio", "Trial", GOBAN_SERIES_RATIO, TRUE } };
  const char *const names[] = { "bert on p100x2", "rnnlm on p100x4", NULL };
  const char *const name = "a.net";
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GtkWidget) widget
      = g_object_ref_sink (g_object_new (GOBAN_TYPE_TRAINING_CHARTS, NULL));
  GobanTrainingCharts *charts = GOBAN_TRAINING_CHARTS (widget);
  g_autofree char *together = NULL;
  g_autofree char *apart = NULL;

  goban_training_log_begin (log, series, G_N_ELEMENTS (series), names);
  for (guint i = 1; i <= 10; i++)
    {
      GobanTrainingPoint point = goban_training_point_new (i, i % 5 == 0, i % 5 == 0);

      point.values[0] = 2.0 / i;
      point.values[1] = 1.0 / i;
      point.values[2] = 3.0;
      goban_training_log_add (log, &point);
    }
  goban_training_charts_set_logs (charts, &log, &name, 1);
  g_assert_true (goban_training_charts_has_graphs (charts));
  together = goban_training_charts_describe (charts);
  g_assert_nonnull (strstr (together, "Entropy"));
  goban_training_charts_set_by_graph (charts, TRUE);
  g_assert_cmpuint (goban_training_charts_get_n_charts (charts), ==, 2);
  apart = goban_training_charts_describe (charts);
  g_assert_cmpstr (apart, ==,
                   "Update 10: Mean of bert on p100x2: 0.2222, "
                   "Trial of rnnlm on p100x4, held out: 3");
  goban_training_charts_set_logs (charts, (GobanTrainingLog *const[]){ log, log },
                                  (const char *const[]){ "a", "b" }, 2);
  g_assert_false (goban_training_charts_has_graphs (charts));
  g_assert_cmpuint (goban_training_charts_get_n_charts (charts), ==, 3);
}

static void
get_middle (GobanTrainingCharts *charts, double *middle, double *width)
{
  double x0, x1;

  goban_training_charts_get_range (charts, &x0, &x1);
  *middle = (x0 + x1) / 2;
  *width = x1 - x0;
}

/* A rectangle over the middle half of the first chart shows the middle half of the updates. */
static void
test_brush (Fixture *self, gconstpointer data)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (self->view);
  GobanPicture *picture = GOBAN_PICTURE (charts);
  double middle, width;

  gui_wait (is_done, begin (self, self->output, N_STEPS), "the end");
  gui_wait (has_all, self, "all points");
  gui_draw (GTK_WIDGET (self->view));
  GOBAN_PICTURE_GET_CLASS (picture)->pick_box (picture, (GobanBox){ 0, 0, 1, 1 }, GDK_SHIFT_MASK);
  get_middle (charts, &middle, &width);
  g_assert_cmpfloat_with_epsilon (width, N_STEPS, 1e-9); /* outside of the charts */
  goban_training_charts_brush (charts, 0.25, 0.75);
  get_middle (charts, &middle, &width);
  g_assert_cmpfloat_with_epsilon (middle, N_STEPS / 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (width, N_STEPS / 2, 1e-9);
}

/* The cursor tells the values of an update, by keys too. */
static void
test_cursor (Fixture *self, gconstpointer data)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (self->view);
  g_autofree char *at_last = g_strdup_printf ("Update %d: ", N_STEPS);
  g_autofree char *at_half = g_strdup_printf ("Update %d: ", N_STEPS / 2);
  g_autofree char *last = NULL;
  g_autofree char *middle = NULL;

  gui_wait (is_done, begin (self, self->output, N_STEPS), "the end");
  gui_wait (has_all, self, "all points");
  goban_training_charts_move_cursor (charts, 0);
  last = goban_training_charts_describe (charts);
  g_assert_true (g_str_has_prefix (last, at_last));
  goban_training_charts_move_cursor (charts, -0.5);
  middle = goban_training_charts_describe (charts);
  g_assert_true (g_str_has_prefix (middle, at_half));
}

/* A second training is drawn beside the first: a chart per series, with a line of each. */
static void
test_compared (Fixture *self, gconstpointer data)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (self->view);
  g_autofree char *other = g_build_filename (self->folder, "b.net", NULL);
  g_autofree char *text = NULL;
  g_autofree char *alone = NULL;
  g_autoptr (GArray) drawn = NULL;
  double x0, x1;

  gui_wait (is_done, begin (self, self->output, 8), "the first");
  gui_wait (is_done, begin (self, other, 4), "the second");
  gui_wait (has_all, self, "all points");
  goban_training_view_compare (self->view, 1, TRUE); /* the shown one itself */
  g_assert_cmpuint (goban_training_charts_get_n_charts (charts), ==, 5);
  goban_training_view_compare (self->view, 0, TRUE);
  drawn = goban_training_view_dup_drawn (self->view);
  g_assert_cmpuint (drawn->len, ==, 2);
  g_assert_cmpuint (g_array_index (drawn, guint, 0), ==, 1);
  g_assert_cmpuint (goban_training_charts_get_n_charts (charts), ==, 8);
  goban_training_charts_get_range (charts, &x0, &x1);
  g_assert_true (x1 == 8); /* of the longer one */
  text = goban_training_charts_describe (charts);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "Entropy of a.net: "));
  g_assert_nonnull (strstr (text, "Best of 17 plans of b.net: "));
  gui_draw (GTK_WIDGET (self->view));
  goban_training_view_compare (self->view, 0, FALSE);
  alone = goban_training_charts_describe (charts);
  g_assert_null (strstr (alone, "a.net"));
}

static void
take_path_cb (GobanTrainingView *view, const char *path, gpointer user_data)
{
  char **taken = user_data;

  g_free (*taken);
  *taken = g_strdup (path);
}

/* The network of a training that has ended can be used; the newest of two is shown. */
static void
test_network (Fixture *self, gconstpointer data)
{
  g_autofree char *other = g_build_filename (self->folder, "b.net", NULL);
  g_autofree char *taken = NULL;
  GobanTrainingJob *second;

  gui_wait (is_done, begin (self, self->output, 2), "the first");
  second = begin (self, other, 2);
  g_assert_true (goban_training_view_get_training (self->view) == second);
  gui_wait (is_done, second, "the second");
  g_signal_connect (self->view, "use-network", G_CALLBACK (take_path_cb), &taken);
  gui_rest ();
  g_signal_emit_by_name (gui_find_button (GTK_WIDGET (self->view), "Place with it"), "clicked");
  g_assert_cmpstr (taken, ==, other);
}

/* What fails says why. */
static void
test_fails (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;

  options.output = self->output;
  options.resume = self->output; /* which is not there */
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_list_store_append (self->trainings, training);
  gui_wait (is_done, training, "the end");
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), "Failed: "));
  g_assert_nonnull (strstr (gui_child_text (self->view, "text"), "a.net"));
}

/* The run of another process, played by a job that is not in the list: its curves come, and it goes
 * on when nobody follows it any more. */
static void
test_followed (Fixture *self, gconstpointer data)
{
  g_autofree char *run = g_strconcat (self->output, GOBAN_TRAINING_SUFFIX, NULL);
  g_autoptr (GobanTrainingJob) trained = g_object_ref (begin (self, self->output, 1000000));
  GobanTrainingOptions options = goban_training_options_new (NULL);
  g_autoptr (GobanTrainingJob) followed = NULL;
  g_autofree char *code = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  g_list_store_remove_all (self->trainings);
  gui_wait (is_there, run, "the run");
  options.follow = run;
  code = goban_training_dup_code (&options);
  expected = g_strdup_printf ("job.train{ follow = \"%s\" }", run);
  g_assert_cmpstr (code, ==, expected);
  followed = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_list_store_append (self->trainings, followed);
  gui_wait (has_points, self, "points");
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), "step "));
  goban_training_view_stop (self->view);
  gui_wait (is_done, followed, "the end");
  g_assert_true (g_str_has_prefix (gui_child_text (self->view, "text"), "Stopped after "));
  g_assert_false (is_done (trained));
}

static void
take_options_cb (GobanTrainingPage *page, gpointer user_data)
{
  char **code = user_data;
  GobanTrainingOptions options = goban_training_page_get_options (page);

  *code = goban_training_dup_code (&options);
}

static gboolean
has_networks (gpointer data)
{
  return goban_training_page_has_networks (data);
}

/* In a window of its own, with the networks to begin with. */
static GobanTrainingPage *
open_page (GtkWidget **window)
{
  GtkWidget *page = goban_training_page_new ();

  *window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (*window), page);
  gtk_widget_show (page);
  gtk_window_present (GTK_WINDOW (*window));
  gui_wait (gui_is_mapped, page, "the page");
  gui_wait (has_networks, page, "the networks are read");
  return GOBAN_TRAINING_PAGE (page);
}

/* What the page asks for is a line that can be typed. */
static void
test_page (Fixture *self, gconstpointer data)
{
  GtkWidget *window;
  GobanTrainingPage *page = open_page (&window);
  g_autofree char *code = NULL;

  gtk_drop_down_set_selected (gui_child (page, "network"), 1);
  gtk_spin_button_set_value (gui_child (page, "steps"), 30);
  g_signal_connect (page, "train", G_CALLBACK (take_options_cb), &code);
  goban_training_page_confirm (page);
  g_assert_cmpstr (code, ==,
                   "job.train{ policy = \"moves\", output = \"goban-out/moves.net\", steps = 30, "
                   "seed = 0 }");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (page)));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Rows for what the network's training takes, and the line that has it all; the steps are those of
 * the network that comes with the program. */
static void
test_page_rows (Fixture *self, gconstpointer data)
{
  GtkWidget *window;
  GobanTrainingPage *page = open_page (&window);
  g_autofree char *code = NULL;
  g_autofree char *steps
      = g_strdup_printf (", steps = %u, seed = 0 }", goban_training_get_n_steps ("builder"));

  gtk_drop_down_set_selected (gui_child (page, "network"), 0);
  g_assert_false (gtk_widget_get_visible (gui_child (page, "minutes")));
  g_assert_false (gtk_widget_get_visible (gui_child (page, "suite")));
  g_assert_true (gtk_widget_get_visible (gui_child (page, "from")));
  gtk_drop_down_set_selected (gui_child (page, "from"), 1);
  g_signal_connect (page, "train", G_CALLBACK (take_options_cb), &code);
  goban_training_page_confirm (page);
  g_test_message ("%s", code);
  g_assert_true (g_str_has_prefix (code, "job.train{ policy = \"builder\", output = "));
  g_assert_nonnull (strstr (code, ", from = \""));
  g_assert_true (g_str_has_suffix (code, steps));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
has_duration (gpointer data)
{
  return g_str_has_prefix (gui_child_text (data, "duration"), "About ");
}

/* A trial of seconds tells how long the training would take, for each network; half the steps take
 * half as long. */
static void
test_page_duration (Fixture *self, gconstpointer data)
{
  GtkWidget *window;
  GobanTrainingPage *page = open_page (&window);
  g_autofree char *long_text = NULL;

  for (guint i = 0; goban_training_get_networks ()[i] != NULL; i++)
    {
      gint64 begin_us = g_get_monotonic_time ();

      gtk_drop_down_set_selected (gui_child (page, "network"), i);
      gui_wait (has_duration, page, "the duration");
      g_test_message ("%s: %s, after %.1f s", goban_training_get_networks ()[i],
                      gui_child_text (page, "duration"),
                      (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC);
    }
  gtk_spin_button_set_value (gui_child (page, "steps"), 1000000);
  long_text = g_strdup (gui_child_text (page, "duration"));
  gtk_spin_button_set_value (gui_child (page, "steps"), 1);
  g_assert_cmpstr (gui_child_text (page, "duration"), !=, long_text);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Reads of files, by the thread that made them. */
typedef struct
{
  GThread *main;
  gint n_on_main; /* atomic, as the next one */
  gint n_elsewhere;
} Reads;

static gboolean
count_read (gpointer user_data)
{
  Reads *reads = user_data;

  g_atomic_int_inc (g_thread_self () == reads->main ? &reads->n_on_main : &reads->n_elsewhere);
  return FALSE;
}

static gpointer
networks_of (gpointer dialog)
{
  return gtk_column_view_get_model (gui_child (dialog, "view"));
}

static gboolean
has_rows (gpointer data)
{
  return g_list_model_get_n_items (networks_of (data)) >= 4;
}

/* However many networks there are, and however slow the disk is, the window does not wait for it:
 * page and list have a worker read the files. One that closes before is not told of them. */
static void
test_read_by_a_worker (Fixture *self, gconstpointer data)
{
  const char *const folders[] = { self->folder, NULL };
  static Reads reads;
  static GobanProgress watching; /* of the program, for its life */
  GtkWidget *dialog, *window;

  gui_wait (is_done, begin (self, self->output, 2), "a network of one's own");
  reads.main = g_thread_self ();
  watching = (GobanProgress){ .should_stop = count_read, .user_data = &reads };
  goban_file_set_progress (&watching);

  open_page (&window);
  g_assert_cmpint (g_atomic_int_get (&reads.n_on_main), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&reads.n_elsewhere), >=, 4);
  gtk_window_destroy (GTK_WINDOW (window));

  dialog = goban_networks_dialog_new (GTK_WINDOW (self->window), folders);
  gtk_window_present (GTK_WINDOW (dialog));
  gui_wait (has_rows, dialog, "the list");
  {
    guint n = g_list_model_get_n_items (networks_of (dialog));
    g_autofree char *name
        = goban_networks_dialog_dup_text (GOBAN_NETWORKS_DIALOG (dialog), 0, n - 1);

    g_assert_cmpstr (name, ==, "a");
  }
  g_assert_cmpint (g_atomic_int_get (&reads.n_on_main), ==, 0);
  gui_draw (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));

  dialog = goban_networks_dialog_new (GTK_WINDOW (self->window), folders);
  gtk_window_destroy (GTK_WINDOW (dialog)); /* before it has anything */
  gui_rest ();
  goban_file_set_progress (NULL);
}

TEST_PROGRAM (training)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/ui/training/runs", Fixture, NULL, set_up, test_runs, tear_down);
  g_test_add ("/ui/training/followed", Fixture, NULL, set_up, test_followed, tear_down);
  g_test_add ("/ui/training/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
  g_test_add ("/ui/training/unmeasured", Fixture, NULL, set_up, test_unmeasured, tear_down);
  g_test_add ("/ui/training/steered", Fixture, NULL, set_up, test_steered, tear_down);
  g_test_add ("/ui/training/of-script", Fixture, NULL, set_up, test_of_script, tear_down);
  g_test_add ("/ui/training/collapse", Fixture, NULL, set_up, test_collapse, tear_down);
  g_test_add ("/ui/training/film-rests", Fixture, NULL, set_up, test_film_rests, tear_down);
  g_test_add ("/ui/training/pane-rests", Fixture, NULL, set_up, test_pane_rests, tear_down);
  g_test_add ("/ui/training/film-files", Fixture, NULL, set_up, test_film_files, tear_down);
  g_test_add ("/ui/training/range", Fixture, NULL, set_up, test_range, tear_down);
  g_test_add ("/ui/training/by-graph", Fixture, NULL, set_up, test_by_graph, tear_down);
  g_test_add ("/ui/training/brush", Fixture, NULL, set_up, test_brush, tear_down);
  g_test_add ("/ui/training/cursor", Fixture, NULL, set_up, test_cursor, tear_down);
  g_test_add ("/ui/training/compared", Fixture, NULL, set_up, test_compared, tear_down);
  g_test_add ("/ui/training/network", Fixture, NULL, set_up, test_network, tear_down);
  g_test_add ("/ui/training/fails", Fixture, NULL, set_up, test_fails, tear_down);
  g_test_add ("/ui/training/page", Fixture, NULL, set_up, test_page, tear_down);
  g_test_add ("/ui/training/page-rows", Fixture, NULL, set_up, test_page_rows, tear_down);
  g_test_add ("/ui/training/page-duration", Fixture, NULL, set_up, test_page_duration, tear_down);
  g_test_add ("/ui/training/read-by-a-worker", Fixture, NULL, set_up, test_read_by_a_worker,
              tear_down);
  return g_test_run ();
}
