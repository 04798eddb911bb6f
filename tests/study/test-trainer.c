/* test-trainer.c: steps on request give the job's bytes, whatever is asked for in between; rewards
 * and lessons of the owner's change what is learned. */
#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/training/networks.h"
#include "engine/study/training/training-film.h"
#include "engine/study/training/training-list.h"
#include "engine/study/training/training-loop.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define SETTINGS "lessons=4,problems=2,rollouts=3,labels=5,imitations=1,validation=2,every=2"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("goban-trainer-XXXXXX", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  remove_folder (self->folder);
  g_free (self->folder);
}

/* A training with its files under a name; with a trainer it makes its steps on request. */
static GobanTrainingJob *
start (Fixture *self, const char *name, GobanTrainer *trainer)
{
  g_autofree char *output = g_build_filename (self->folder, name, "a.net", NULL);
  GobanTrainingOptions options = goban_training_options_new ("builder");
  GobanTrainingJob *job;
  g_autoptr (GError) error = NULL;

  options.output = output;
  options.settings = SETTINGS;
  options.n_steps = 4;
  options.seed = 7;
  options.trainer = trainer;
  job = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  return job;
}

static void
finish (GobanTrainingJob *job)
{
  goban_job_wait (goban_training_job_get_job (job));
  g_assert_cmpstr (goban_training_job_get_error (job), ==, NULL);
}

static void
update (GobanTrainer *trainer, gboolean expected)
{
  g_autoptr (GError) error = NULL;
  gboolean is_made = !expected;

  g_assert_true (goban_trainer_update (trainer, &is_made, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (is_made, ==, expected);
}

static void
assert_same_files (Fixture *self, const char *a, const char *b)
{
  static const char *const names[] = { "a.net", "a.net.run" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path_a = g_build_filename (self->folder, a, names[i], NULL);
      g_autofree char *path_b = g_build_filename (self->folder, b, names[i], NULL);
      g_autofree char *data_a = NULL;
      g_autofree char *data_b = NULL;
      gsize n_a, n_b;

      g_assert_true (g_file_get_contents (path_a, &data_a, &n_a, NULL));
      g_assert_true (g_file_get_contents (path_b, &data_b, &n_b, NULL));
      g_assert_cmpmem (data_a, n_a, data_b, n_b);
    }
}

/* Rollouts looked at, plans taken, measurements and files in between change nothing. */
static void
test_same_bytes (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainer) trainer = goban_trainer_new ();
  g_autoptr (GobanTrainingJob) whole = start (self, "whole", NULL);
  g_autoptr (GobanTrainingJob) own = start (self, "own", trainer);
  g_autoptr (GArray) rollouts = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_build_filename (self->folder, "copy.net", NULL);
  GobanTrainingPoint point;

  update (trainer, TRUE);
  rollouts = goban_trainer_roll_out (trainer, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rollouts->len, ==, 2 * 3);
  plan = goban_trainer_dup_plan (trainer, 5, &costs, &error);
  g_assert_no_error (error);
  g_assert_true (goban_trainer_save (trainer, copy, TRUE, NULL, &error));
  for (guint i = 0; i < 3; i++)
    update (trainer, TRUE);
  g_assert_true (goban_trainer_measure (trainer, &point, NULL, &error));
  g_assert_cmpuint (point.step, ==, 4);
  update (trainer, FALSE);
  goban_trainer_close (trainer);
  finish (whole);
  finish (own);
  g_assert_cmpint (goban_training_job_get_state (own), ==, GOBAN_TRAINING_FINISHED);
  assert_same_files (self, "whole", "own");
  g_assert_false (goban_trainer_save (trainer, NULL, TRUE, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* A run that is saved while rollouts wait goes on as if nobody had looked at them. */
static void
test_saved_between (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainer) trainer = goban_trainer_new ();
  g_autoptr (GobanTrainingJob) job = start (self, "a", trainer);
  g_autoptr (GobanTrainingReport) rest = NULL;
  g_autoptr (GArray) rollouts = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *run = g_build_filename (self->folder, "b", "a.net.run", NULL);
  g_autofree char *net = g_build_filename (self->folder, "b", "a.net", NULL);
  g_autofree char *folder = g_path_get_dirname (run);
  GobanTrainingOptions options = goban_training_options_new ("builder");

  g_mkdir_with_parents (folder, 0700);
  update (trainer, TRUE);
  update (trainer, TRUE);
  rollouts = goban_trainer_roll_out (trainer, NULL, &error);
  g_assert_true (goban_trainer_save (trainer, net, TRUE, NULL, &error));
  update (trainer, TRUE);
  update (trainer, TRUE);
  goban_trainer_close (trainer);
  finish (job);
  options.resume = run;
  rest = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rest->step, ==, 4);
  assert_same_files (self, "a", "b");
}

static double
get_norm (GobanTrainingJob *job)
{
  GobanTrainingLog *log = goban_training_job_get_log (job);
  GobanTrainingPoint point;

  for (guint i = goban_training_log_get_n_points (log); i > 0; i--)
    if (goban_training_log_read (log, i - 1, &point, 1) == 1 && !point.is_trial)
      return point.values[5];
  g_assert_not_reached ();
}

/* Equal rewards teach nothing but entropy; a lesson of one's own is what rollouts are of. */
static void
test_rewards_and_lessons (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainer) trainer = goban_trainer_new ();
  g_autoptr (GobanTrainingJob) job = start (self, "a", trainer);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GArray) rollouts = NULL;
  g_autoptr (GArray) first = NULL;
  g_autoptr (GError) error = NULL;
  const double equal[] = { 1, 1, 1, 1, 1, 1 };
  GobanCostModel *lessons[2];
  double with_makespans;
  guint n;

  graph = goban_workload_generate ("rnnlm:granularity=coarse,layers=2", &error);
  cluster = goban_cluster_new_from_spec ("p100x2", &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  lessons[0] = lessons[1] = costs;
  g_assert_true (goban_trainer_get_n_lessons (trainer, &n, &error));
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (goban_trainer_teach (trainer, lessons, 2, NULL, &error));
  first = goban_trainer_roll_out (trainer, NULL, &error);
  g_assert_nonnull (strstr (g_array_index (first, GobanTrainerRollout, 5).lesson, "rnnlm"));
  update (trainer, TRUE); /* at once, without imitation */
  with_makespans = get_norm (job);
  g_assert_true (goban_trainer_teach (trainer, lessons, 2, NULL, &error));
  rollouts = goban_trainer_roll_out (trainer, NULL, &error);
  g_assert_true (goban_trainer_set_rewards (trainer, equal, 6, &error));
  g_assert_false (goban_trainer_set_rewards (trainer, (const double[7]){ 0 }, 7, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  update (trainer, TRUE);
  g_assert_cmpfloat (get_norm (job), <, 0.5 * with_makespans);
  goban_trainer_close (trainer);
  finish (job);
}

static gboolean
stop_at_once (gpointer user_data)
{
  return TRUE;
}

/* A request whose owner stops, and one of a training that has failed, end with the reason. */
static void
test_refusals (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainer) trainer = goban_trainer_new ();
  g_autoptr (GobanTrainer) other = goban_trainer_new ();
  g_autoptr (GobanTrainingJob) job = start (self, "a", trainer);
  g_autoptr (GobanTrainingJob) failing = NULL;
  g_autofree char *none = g_build_filename (self->folder, "none.net.run", NULL);
  g_autoptr (GError) error = NULL;
  GobanProgress stop = { .should_stop = stop_at_once };
  GobanTrainingOptions options = goban_training_options_new ("builder");
  gboolean is_made;

  g_assert_false (goban_trainer_update (trainer, &is_made, &stop, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  update (trainer, TRUE);
  goban_job_cancel (goban_training_job_get_job (job)); /* as the pane's button does */
  finish (job);
  g_assert_cmpint (goban_training_job_get_state (job), ==, GOBAN_TRAINING_STOPPED);
  options.resume = none;
  options.trainer = other;
  failing = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  g_assert_false (goban_trainer_update (other, &is_made, NULL, &error));
  g_assert_nonnull (strstr (error->message, "none.net.run"));
}

/* Earlier networks are few, evenly spaced, and those of the run that goes on. */
static void
test_film (Fixture *self, gconstpointer data)
{
  g_autofree char *output = g_build_filename (self->folder, "a.net", NULL);
  g_autoptr (GobanTrainingFilm) film = goban_training_film_new (output, 0);
  g_autoptr (GobanTrainingFilm) rest = NULL;
  g_autoptr (GobanTrainingFilm) other = NULL;
  g_autoptr (GArray) frames = NULL;
  g_autoptr (GArray) fewer = NULL;
  g_autoptr (GArray) none = NULL;

  for (guint step = 0; step <= 100; step++)
    {
      g_autofree char *path = goban_training_film_next (film, step);

      if (path != NULL)
        g_assert_true (g_file_set_contents (path, "x", 1, NULL));
    }
  frames = goban_training_film_list (output);
  g_assert_cmpuint (frames->len, >, GOBAN_TRAINING_FILM_MAX / 2);
  g_assert_cmpuint (frames->len, <=, GOBAN_TRAINING_FILM_MAX);
  for (guint i = 0; i < frames->len; i++)
    g_assert_cmpuint (g_array_index (frames, GobanTrainingFilmFrame, i).step, ==, 8 * i);
  rest = goban_training_film_new (output, 50); /* a run of 50 updates is gone on with */
  fewer = goban_training_film_list (output);
  g_assert_cmpuint (fewer->len, ==, 48 / 8 + 1);
  g_assert_null (goban_training_film_next (rest, 51));
  other = goban_training_film_new (output, 0);
  none = goban_training_film_list (output);
  g_assert_cmpuint (none->len, ==, 0);
}

/* What a file of a network is, from the file and from the run beside it. */
static void
test_networks (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainingJob) job = start (self, "a", NULL);
  g_autofree char *folder = g_build_filename (self->folder, "a", NULL);
  const char *folders[] = { "/nowhere", folder, NULL };
  g_autoptr (GPtrArray) list = NULL;
  const GobanNetworkInfo *own;
  g_autoptr (GError) error = NULL;

  finish (job);
  list = goban_networks_list (folders);
  g_assert_cmpuint (list->len, ==, 4);
  for (guint i = 0; i < 3; i++)
    {
      const GobanNetworkInfo *shipped = g_ptr_array_index (list, i);

      g_assert_true (shipped->is_shipped && shipped->n_updates > 0 && *shipped->trained_on != '\0');
      g_assert_cmpuint (shipped->n_parameters, >, 1000);
    }
  own = g_ptr_array_index (list, 3);
  g_assert_cmpstr (own->name, ==, "a");
  g_assert_cmpstr (own->network, ==, "builder");
  g_assert_cmpuint (own->n_updates, ==, 4);
  g_assert_cmpstr (own->trained_on, ==, "4 random networks");
  g_assert_cmpfloat (own->score, ==, goban_training_job_get_report (job)->score);
  g_assert_null (goban_network_info_load ("/nowhere/a.net", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

/* A report in between tells what a report at the end would; problems of one's own are measured in
 * place of the drawn ones. */
static void
test_report_between (Fixture *self, gconstpointer data)
{
  g_autoptr (GobanTrainer) trainer = goban_trainer_new ();
  g_autoptr (GobanTrainingJob) job = start (self, "a", trainer);
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;
  GobanTrainingPoint drawn, own;

  graph = goban_workload_generate ("rnnlm:granularity=coarse,layers=2", &error);
  cluster = goban_cluster_new_from_spec ("p100x2", &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  update (trainer, TRUE);
  update (trainer, TRUE);
  g_assert_true (goban_trainer_measure (trainer, &drawn, NULL, &error));
  report = goban_trainer_report (trainer, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->step, ==, 2);
  g_assert_false (report->is_finished);
  g_assert_true (report->kept_step == 0 || report->kept_step == 2);
  g_assert_true (report->kept_start == (report->kept_step == 0));
  g_assert_true (goban_trainer_set_validation (trainer, &costs, 1, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (goban_trainer_measure (trainer, &own, NULL, &error));
  /* NANs of what was not measured are the same. */
  g_assert_cmpint (memcmp (own.values, drawn.values, sizeof own.values), !=, 0);
  goban_trainer_close (trainer);
  finish (job);
}

TEST_PROGRAM (trainer)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/training/trainer/same-bytes", Fixture, NULL, set_up, test_same_bytes, tear_down);
  g_test_add ("/training/trainer/saved-between", Fixture, NULL, set_up, test_saved_between,
              tear_down);
  g_test_add ("/training/trainer/rewards-and-lessons", Fixture, NULL, set_up,
              test_rewards_and_lessons, tear_down);
  g_test_add ("/training/trainer/report-between", Fixture, NULL, set_up, test_report_between,
              tear_down);
  g_test_add ("/training/trainer/refusals", Fixture, NULL, set_up, test_refusals, tear_down);
  g_test_add ("/training/trainer/film", Fixture, NULL, set_up, test_film, tear_down);
  g_test_add ("/training/trainer/networks", Fixture, NULL, set_up, test_networks, tear_down);
  return g_test_run ();
}
