#include "engine/core/error.h"
#include "engine/study/training/training-film.h"
#include "engine/study/training/training-list.h"
#include "engine/study/training/training.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Between two looks at what a worker has done: without a rest they take half of its processor. */
#define PAUSE_US 1000
#define FEW_LESSONS "lessons=3,validation=2,labels=10,imitations=1"

typedef struct
{
  char *folder;
  char *output;
  char *run;
} Fixture;

/* Dispatches what is due in the main loop. */
static void
pause_briefly (void)
{
  if (!g_main_context_iteration (NULL, FALSE))
    g_usleep (PAUSE_US);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("goban-training-XXXXXX", NULL);
  self->output = g_build_filename (self->folder, "a.net", NULL);
  self->run = g_strconcat (self->output, GOBAN_TRAINING_SUFFIX, NULL);
}

static void
remove_film (Fixture *self)
{
  g_autofree char *film = goban_training_film_dup_folder (self->output);

  if (g_file_test (film, G_FILE_TEST_IS_DIR))
    remove_folder (film);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_remove (self->output);
  g_remove (self->run);
  remove_film (self);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0); /* and nothing else was left there */
  g_free (self->run);
  g_free (self->output);
  g_free (self->folder);
}

static GobanTrainingOptions
small (const Fixture *self)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");

  options.output = self->output;
  options.settings = FEW_LESSONS;
  options.n_steps = 3;
  options.every = 2;
  return options;
}

static void
test_networks (void)
{
  const char *const *names = goban_training_get_networks ();

  g_assert_cmpuint (g_strv_length ((char **) names), ==, 3);
  for (guint i = 0; names[i] != NULL; i++)
    g_assert_cmpuint (strlen (goban_training_get_purpose (names[i])), >, 10);
  g_assert_null (goban_training_get_purpose ("heft"));
}

/* The log has every update and every trial, in their order. */
static void
test_log (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GError) error = NULL;
  GobanTrainingOptions options = small (self);
  GobanTrainingPoint points[8];
  const char *order[] = { "trial 0", "update 1", "update 2", "trial 2", "update 3", "trial 3" };

  report = goban_training_run (&options, log, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (report->is_finished);
  g_assert_cmpuint (report->step, ==, 3);
  g_assert_cmpuint (goban_training_log_read (log, 0, points, 8), ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autofree char *name
          = g_strdup_printf ("%s %u", points[i].is_trial ? "trial" : "update", points[i].step);

      g_assert_cmpstr (name, ==, order[i]);
    }
  g_assert_nonnull (strstr (report->json, "builder"));
  g_assert_nonnull (strstr (report->text, "3 of 3 steps"));
}

/* A rate that destroys the network: the one that it began with is written, and report, log, text
 * and JSON say so. */
static void
test_kept_start (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GError) error = NULL;
  GobanTrainingOptions options = small (self);

  options.settings = FEW_LESSONS ",rate=1,last-rate=1,average=0";
  options.seed = 3;
  options.n_steps = 6;
  report = goban_training_run (&options, log, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (report->kept_start);
  g_assert_cmpfloat (report->score, ==, report->first_score);
  g_assert_nonnull (strstr (report->warning, "nothing gained"));
  g_assert_cmpstr (goban_training_log_get_warning (log), ==, report->warning);
  g_assert_nonnull (strstr (report->text, "nothing gained"));
  g_assert_nonnull (strstr (report->json, "\"kept_start\": true"));
}

/* Of a run that is resumed the log has all of it. */
static void
test_resume (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainingReport) first = NULL;
  g_autoptr (GobanTrainingReport) rest = NULL;
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GError) error = NULL;
  GobanTrainingOptions options = small (self);
  GobanTrainingOptions more = goban_training_options_new ("builder");

  first = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  more.resume = self->run;
  more.n_steps = 5;
  rest = goban_training_run (&more, log, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (rest->output, ==, self->output);
  g_assert_cmpuint (rest->step, ==, 5);
  g_assert_cmpuint (goban_training_log_get_n_points (log), ==, 5 + 5); /* trials of 0, 2, 3, 4, 5 */
}

static gboolean
stop_cb (gpointer job)
{
  goban_job_cancel (job);
  return G_SOURCE_REMOVE;
}

/* Stopped, a job has a report and files from which it goes on. */
static void
test_stop (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GobanJob) job = NULL;
  g_autoptr (GError) error = NULL;

  options.n_steps = 1000000;
  job = goban_training_start (&options, log);
  while (goban_training_log_get_n_points (log) < 3)
    pause_briefly ();
  g_idle_add (stop_cb, job);
  goban_job_wait (job);
  report = goban_job_steal_result (job, &error);
  g_assert_no_error (error);
  g_assert_false (report->is_finished);
  g_assert_cmpuint (report->step, >=, 2);
  g_assert_cmpuint (report->n_steps, ==, 1000000);
  g_assert_true (g_file_test (report->run, G_FILE_TEST_EXISTS));
}

static void
refuse (const GobanTrainingOptions *options, int code, const char *why)
{
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) earlier = NULL;

  report = goban_training_run (options, NULL, NULL, &error);
  g_assert_null (report);
  g_assert_error (error, GOBAN_ERROR, code);
  g_assert_nonnull (strstr (error->message, why));
  g_assert_false (goban_training_check (options, &earlier));
  g_assert_cmpstr (earlier->message, ==, error->message);
}

static void
test_refusals (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);

  options.network = "heft";
  refuse (&options, GOBAN_ERROR_INVALID, "heft learns nothing beforehand");
  options.network = "nix";
  refuse (&options, GOBAN_ERROR_INVALID, "there is no policy “nix”");
  options = small (self);
  options.tasks = "all";
  refuse (&options, GOBAN_ERROR_INVALID, "no training takes the option “tasks”");
  options = small (self);
  options.output = NULL;
  refuse (&options, GOBAN_ERROR_INVALID, "where is the network to go?");
  options.output = self->folder;
  refuse (&options, GOBAN_ERROR_IO, "it is a folder");
}

/* Starting anew over a run that is not done is refused. */
static void
test_nothing_is_lost (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GobanTrainingReport) again = NULL;
  g_autoptr (GobanTrainingReport) longer = NULL;
  g_autoptr (GError) error = NULL;
  GobanTrainingOptions options = small (self);
  GobanTrainingOptions more = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanJob) job = NULL;

  report = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  again = goban_training_run (&options, NULL, NULL, &error); /* a run that is done is replaced */
  g_assert_no_error (error);

  more.resume = self->run;
  more.n_steps = 1000000;
  job = goban_training_start (&more, log);
  while (goban_training_log_get_n_points (log) < 12)
    pause_briefly ();
  g_idle_add (stop_cb, job);
  goban_job_wait (job);
  longer = goban_job_steal_result (job, &error);
  g_assert_no_error (error);
  g_assert_null (goban_training_run (&options, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "go on with it, or remove it"));
}

/* The list of an object has what was started for it, and goes with it. */
static void
test_list (Fixture *self, gconstpointer data)
{
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  GObject *other = g_object_new (G_TYPE_OBJECT, NULL);
  GobanTrainingOptions options = small (self);
  GobanTrainingJob *training;
  g_autoptr (GError) error = NULL;

  options.n_steps = 1000000;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  goban_training_list_add (owner, training);
  g_assert_cmpuint (g_list_model_get_n_items (goban_training_list_of (owner)), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (goban_training_list_of (other)), ==, 0);
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
  g_assert_cmpstr (goban_training_job_get_state_name (training), ==, "running");
  while (goban_training_log_get_n_points (goban_training_job_get_log (training)) < 3)
    pause_briefly ();
  g_object_unref (training);
  g_object_unref (owner); /* which ends it; it writes what it has */
  g_object_unref (other);
  g_assert_true (g_file_test (self->run, G_FILE_TEST_EXISTS));
}

/* The curves of a run that somebody else makes: first some, then all of them. */
static void
test_follow (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  GobanTrainingOptions following = goban_training_options_new (NULL);
  g_autoptr (GobanTrainingReport) first = NULL;
  g_autoptr (GobanTrainingReport) second = NULL;
  g_autoptr (GobanTrainingJob) job = NULL;
  g_autoptr (GobanTrainingJob) none = NULL;
  g_autoptr (GError) error = NULL;
  guint n_points;

  following.follow = self->run;
  none = goban_training_job_start (&following, &error);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "not the run of a training"));
  g_clear_error (&error);

  /* Of one step, which is longer than it should be. */
  options.n_steps = 1;
  first = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  {
    g_autoptr (GobanTrainingJob) done = goban_training_job_start (&following, &error);

    goban_job_wait (goban_training_job_get_job (done));
    g_assert_cmpint (goban_training_job_get_state (done), ==, GOBAN_TRAINING_FINISHED);
    g_assert_cmpstr (goban_training_job_get_network (done), ==, "builder");
    n_points = goban_training_log_get_n_points (goban_training_job_get_log (done));
    g_assert_cmpuint (n_points, ==, 3); /* a trial before, an update, a trial after */
  }
  options = goban_training_options_new ("builder");
  options.resume = self->run;
  options.n_steps = 4;
  second = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  job = goban_training_job_start (&following, &error);
  goban_job_wait (goban_training_job_get_job (job));
  g_assert_cmpuint (goban_training_log_get_n_points (goban_training_job_get_log (job)), >,
                    n_points + 3);
  g_assert_cmpuint (goban_training_job_get_report (job)->step, ==, 4);
  g_assert_cmpstr (goban_training_job_get_report (job)->output, ==, self->output);

  /* What a training of one's own takes is refused. */
  following.output = self->output;
  following.settings = "rate=1";
  g_assert_false (goban_training_check (&following, &error));
  g_assert_nonnull (strstr (error->message, "“settings” is for the process that trains"));
}

/* While it runs, new points come as they are written; a stop ends the watching alone. */
static void
test_follow_running (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  GobanTrainingOptions following = goban_training_options_new (NULL);
  g_autoptr (GobanTrainingJob) trained = NULL;
  g_autoptr (GobanTrainingJob) followed = NULL;
  g_autoptr (GError) error = NULL;
  guint n_first;

  options.n_steps = 1000000;
  options.every = 1;
  following.follow = self->run;
  trained = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  while (!g_file_test (self->run, G_FILE_TEST_EXISTS))
    pause_briefly ();
  followed = goban_training_job_start (&following, &error);
  g_assert_no_error (error);
  while ((n_first = goban_training_log_get_n_points (goban_training_job_get_log (followed))) == 0)
    pause_briefly ();
  while (goban_training_log_get_n_points (goban_training_job_get_log (followed)) == n_first)
    pause_briefly ();
  goban_job_cancel (goban_training_job_get_job (followed));
  goban_job_wait (goban_training_job_get_job (followed));
  g_assert_cmpint (goban_training_job_get_state (followed), ==, GOBAN_TRAINING_STOPPED);
  {
    /* Its film is that of the training, which is beside the network and not beside the run. */
    g_autoptr (GArray) film = goban_training_film_list (goban_training_job_get_output (followed));

    g_assert_cmpstr (goban_training_job_get_output (followed), ==, self->output);
    g_assert_cmpuint (film->len, >, 1);
  }
  g_assert_cmpint (goban_training_job_get_state (trained), ==, GOBAN_TRAINING_RUNNING);
}

static void
wait_for_points (GobanTrainingJob *training, guint n)
{
  while (goban_training_log_get_n_points (goban_training_job_get_log (training)) < n)
    {
      g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
      pause_briefly ();
    }
}

/* Moves the folder to one of @away, and leaves a file in its place, in which nothing can be
 * written. The training may make the folder anew before the file is there. */
static void
block_folder (const char *folder, GPtrArray *away)
{
  gboolean is_blocked = FALSE;

  while (!is_blocked)
    {
      char *to = g_strdup_printf ("%s-%u", folder, away->len);

      g_assert_cmpint (g_rename (folder, to), ==, 0);
      g_ptr_array_add (away, to);
      is_blocked = g_file_set_contents (folder, "", 0, NULL);
    }
}

/* A folder that goes while a training writes into it, as a disk that is full for a while, does not
 * end it: it learns on, says that nothing is saved, and saves later. A folder that is away for good
 * is made again. */
static void
test_folder_goes (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  g_autofree char *folder = g_build_filename (self->folder, "nets", NULL);
  g_autoptr (GPtrArray) away = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *output = g_build_filename (folder, "b.net", NULL);
  g_autofree char *what = NULL;
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;
  guint n_points;

  options.output = output;
  options.n_steps = 1000000;
  options.every = 1; /* and so it is saved after every step */
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  wait_for_points (training, 5);
  block_folder (folder, away);
  n_points = goban_training_log_get_n_points (goban_training_job_get_log (training));
  wait_for_points (training, n_points + 8);
  do
    {
      pause_briefly ();
      g_free (what);
      what = goban_training_job_dup_what (training);
      g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_RUNNING);
    }
  while (strstr (what, "not saved: ") == NULL);
  g_assert_cmpint (g_remove (folder), ==, 0);
  goban_job_cancel (goban_training_job_get_job (training));
  goban_job_wait (goban_training_job_get_job (training));
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_STOPPED);
  g_assert_true (g_file_test (output, G_FILE_TEST_IS_REGULAR));
  remove_folder (folder);
  for (guint i = 0; i < away->len; i++)
    remove_folder (away->pdata[i]);
}

/* Two trainings of one file would overwrite each other's, even before there is a run. */
static void
test_one_writer (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  g_autofree char *same = g_build_filename (self->folder, ".", "a.net", NULL);
  g_autoptr (GobanTrainingReport) second = NULL;
  g_autoptr (GobanTrainingReport) later = NULL;
  g_autoptr (GobanTrainingJob) first = NULL;
  g_autoptr (GError) error = NULL;

  options.n_steps = options.every = 1000000;
  first = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  wait_for_points (first, 3);
  options.output = same;
  options.n_steps = 2;
  second = goban_training_run (&options, NULL, NULL, &error);
  g_assert_null (second);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "another training writes"));
  g_clear_error (&error);
  goban_job_cancel (goban_training_job_get_job (first));
  goban_job_wait (goban_training_job_get_job (first));
  g_remove (self->run);
  later = goban_training_run (&options, NULL, NULL, &error); /* it is free again */
  g_assert_no_error (error);
}

/* A run that is begun anew under the same name has other curves: they are not mixed. */
static void
test_follow_begun_anew (Fixture *self, gconstpointer data)
{
  GobanTrainingOptions options = small (self);
  GobanTrainingOptions following = goban_training_options_new (NULL);
  g_autoptr (GobanTrainingJob) stopped = NULL;
  g_autoptr (GobanTrainingJob) followed = NULL;
  g_autoptr (GobanTrainingReport) other = NULL;
  g_autoptr (GError) error = NULL;

  options.n_steps = 1000000;
  options.every = 1;
  stopped = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  wait_for_points (stopped, 9);
  goban_job_cancel (goban_training_job_get_job (stopped));
  goban_job_wait (goban_training_job_get_job (stopped));
  following.follow = self->run;
  followed = goban_training_job_start (&following, &error);
  g_assert_no_error (error);
  while (goban_training_log_get_n_points (goban_training_job_get_log (followed)) == 0)
    pause_briefly ();
  g_remove (self->run);
  options.n_steps = 2;
  other = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  goban_job_wait (goban_training_job_get_job (followed));
  g_assert_cmpint (goban_training_job_get_state (followed), ==, GOBAN_TRAINING_FAILED);
  g_assert_nonnull (strstr (goban_training_job_get_error (followed), "was begun anew"));
}

TEST_PROGRAM (training)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training/networks", test_networks);
  g_test_add ("/training/log", Fixture, NULL, set_up, test_log, tear_down);
  g_test_add ("/training/kept-start", Fixture, NULL, set_up, test_kept_start, tear_down);
  g_test_add ("/training/resume", Fixture, NULL, set_up, test_resume, tear_down);
  g_test_add ("/training/stop", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add ("/training/refusals", Fixture, NULL, set_up, test_refusals, tear_down);
  g_test_add ("/training/list", Fixture, NULL, set_up, test_list, tear_down);
  g_test_add ("/training/follow", Fixture, NULL, set_up, test_follow, tear_down);
  g_test_add ("/training/follow-running", Fixture, NULL, set_up, test_follow_running, tear_down);
  g_test_add ("/training/follow-begun-anew", Fixture, NULL, set_up, test_follow_begun_anew,
              tear_down);
  g_test_add ("/training/folder-goes", Fixture, NULL, set_up, test_folder_goes, tear_down);
  g_test_add ("/training/one-writer", Fixture, NULL, set_up, test_one_writer, tear_down);
  g_test_add ("/training/nothing-is-lost", Fixture, NULL, set_up, test_nothing_is_lost, tear_down);
  return g_test_run ();
}
