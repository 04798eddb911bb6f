#include "engine/training/train-go-private.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/bench/suite.h"
#include "engine/rl/pretrain-results.h"
#include "engine/rl/training-file.h"
#include "engine/run/graph-source.h"
#include "engine/training/train.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SAVE_EVERY_US (60 * G_USEC_PER_SEC)

GobanGoTraining
goban_go_training_new (void)
{
  return (GobanGoTraining){ .n_rows = -1, .seed = -1, .every = -1 };
}

/* --- what to learn on --------------------------------------------------------------------------- */

static GobanGraph *
load_graph (const char *path, GError **error)
{
  GobanLoadOptions options = { .only_regular = TRUE }; /* suites and trainings name it */

  return goban_graph_source_load (path, &options, error);
}

static gboolean
add_suite (GobanCurriculum *curriculum, const char *name, GobanTask task, GError **error)
{
  g_autoptr (GobanSuite) suite = goban_suite_load (name, error);

  if (suite == NULL)
    return FALSE;
  for (guint i = 0; i < goban_suite_get_n_graphs (suite); i++)
    {
      const GobanSuiteGraph *graph = goban_suite_get_graph (suite, i);

      if (graph->clusters[task] == NULL)
        {
          g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                       "suite %s: “%s” has no cluster for the task %s", name, graph->name,
                       goban_task_get_name (task));
          return FALSE;
        }
      goban_curriculum_add (curriculum, graph->graph, graph->clusters[task]);
    }
  goban_curriculum_need_trials (curriculum);
  return TRUE;
}

static GobanCurriculum *
make_curriculum (const GobanGoTraining *options, GobanDecisions decisions, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = goban_curriculum_new (options->left_out, error);
  GobanTask task = decisions == GOBAN_DECISIONS_DEFAULT ? GOBAN_TASK_PLACEMENT : GOBAN_TASK_JOINT;

  if (curriculum == NULL)
    return NULL;
  goban_curriculum_set_loader (curriculum, load_graph);
  if (options->suite == NULL)
    {
      goban_curriculum_add_built_in (curriculum);
      goban_curriculum_add_synthetic (curriculum);
    }
  else if (!add_suite (curriculum, options->suite, task, error))
    return NULL;
  return g_steal_pointer (&curriculum);
}

static gboolean
check_preset (const char *preset, GError **error)
{
  if (preset == NULL || strcmp (preset, "goban") == 0 || strcmp (preset, "paper") == 0)
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "there is no preset “%s”; there are goban and paper", preset);
  return FALSE;
}

/* An error here is not the fault of a file. */
static gboolean
parse_settings (const GobanGoTraining *options, GobanPretrainConfig *config, GError **error)
{
  g_autofree char *text
      = g_strdup_printf ("preset=%s,%s", options->preset != NULL ? options->preset : "goban",
                         options->settings != NULL ? options->settings : "");
  g_autoptr (GError) inner = NULL;

  if (goban_pretrain_config_parse (text, config, &inner))
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "settings: %s", inner->message);
  return FALSE;
}

static gboolean
make_config (const GobanGoTraining *options, GobanPretrainConfig *config, GError **error)
{
  if (!check_preset (options->preset, error) || !parse_settings (options, config, error)
      || (options->tasks != NULL
          && !goban_decisions_parse (options->tasks, &config->go.net.decisions, error))
      || !goban_train_check_count ("steps", options->n_steps, G_MAXINT, error)
      || !goban_train_check_count ("rollouts", options->n_rollouts, 4096, error)
      || !goban_train_check_count ("rows", options->n_rows, 10000000, error)
      || !goban_train_check_count ("steps between trials", options->every, G_MAXINT, error))
    return FALSE;
  if (options->seed >= 0)
    config->seed = (guint64) options->seed;
  if (options->n_rollouts > 0)
    config->go.ppo.n_rollouts = (guint) options->n_rollouts;
  if (options->n_rows >= 0)
    config->go.n_rows = (guint) options->n_rows;
  if (options->every >= 0)
    config->try_every = (guint) options->every;
  if (options->n_steps > 0 || options->seconds > 0)
    config->n_steps = (guint) options->n_steps;
  config->max_seconds = options->seconds;
  return TRUE;
}

char *
goban_go_training_list (const GobanGoTraining *options, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = NULL;
  GobanPretrainConfig config;

  if (!make_config (options, &config, error))
    return NULL;
  curriculum = make_curriculum (options, config.go.net.decisions, error);
  return curriculum != NULL ? goban_curriculum_to_text (curriculum) : NULL;
}

/* --- beginning ---------------------------------------------------------------------------------- */

/* Starting again by mistake would lose hours. */
static gboolean
check_nothing_is_lost (const char *run_path, GError **error)
{
  g_autoptr (GobanPretrain) old = NULL;

  if (!g_file_test (run_path, G_FILE_TEST_EXISTS))
    return TRUE;
  old = goban_training_file_load (run_path, NULL, NULL); /* a file that is not a run is replaced */
  if (old == NULL || goban_pretrain_is_done (old))
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "%s holds a run that stopped after %u steps: go on with it, or remove it", run_path,
               goban_pretrain_get_step (old));
  return FALSE;
}

static GobanPretrain *
begin (const GobanGoTraining *options, const char *run_path, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = NULL;
  g_autoptr (GobanNet) net = NULL;
  GobanPretrainConfig config;

  if (!make_config (options, &config, error) || !check_nothing_is_lost (run_path, error))
    return NULL;
  if (options->from != NULL)
    {
      net = goban_net_load (options->from, error);
      if (net == NULL)
        return NULL;
      if (options->tasks == NULL)
        config.go.net.decisions = goban_net_get_config (net)->decisions;
    }
  curriculum = make_curriculum (options, config.go.net.decisions, error);
  if (curriculum == NULL)
    return NULL;
  return goban_pretrain_new (&config, g_steal_pointer (&curriculum), g_steal_pointer (&net), error);
}

static gboolean
check_resume (const GobanGoTraining *options, GError **error)
{
  if (options->from == NULL && options->suite == NULL && options->preset == NULL
      && options->settings == NULL && options->tasks == NULL
      && (options->left_out == NULL || options->left_out[0] == NULL) && options->n_rollouts == 0
      && options->n_rows < 0 && options->seed < 0 && options->every < 0)
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "%s says all of the run itself: only its end can be another (steps, seconds)",
               options->resume);
  return FALSE;
}

static GobanPretrain *
go_on (const GobanGoTraining *options, GError **error)
{
  g_autoptr (GobanPretrain) run = NULL;
  const GobanPretrainConfig *config;

  if (!check_resume (options, error)
      || !goban_train_check_count ("steps", options->n_steps, G_MAXINT, error))
    return NULL;
  run = goban_training_file_load (options->resume, load_graph, error);
  if (run == NULL)
    return NULL;
  config = goban_pretrain_get_config (run);
  if (options->n_steps > 0 && options->n_steps < goban_pretrain_get_step (run))
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                   "%s has made %u steps already, more than %" PRId64, options->resume,
                   goban_pretrain_get_step (run), options->n_steps);
      return NULL;
    }
  if (options->n_steps > 0 || options->seconds > 0)
    goban_pretrain_set_end (run, options->n_steps > 0 ? (guint) options->n_steps : config->n_steps,
                            options->seconds > 0 ? options->seconds : config->max_seconds);
  return g_steal_pointer (&run);
}

/* --- learning ----------------------------------------------------------------------------------- */

typedef struct
{
  const GobanGoTraining *options;
  GobanPretrain *run;
  GobanTrainLog *log;
  const GobanProgress *progress;
  char *output;
  char *run_path;
  gint64 saved_us;
  double first_fraction; /* of this sitting */
  double first_seconds;
  gboolean is_stopped;
} Sitting;

static gboolean
save_run (Sitting *self, GError **error)
{
  g_autofree char *csv = NULL;

  self->saved_us = g_get_monotonic_time ();
  if (!goban_training_file_save (self->run, self->run_path, error))
    return FALSE;
  if (self->options->curve == NULL)
    return TRUE;
  csv = goban_train_log_to_csv (self->log);
  return goban_file_write (self->options->curve, csv, strlen (csv), error);
}

static void
append_left (GString *text, double seconds)
{
  if (seconds < 90)
    g_string_append_printf (text, ", %.0f s left", seconds);
  else if (seconds < 90 * 60)
    g_string_append_printf (text, ", %.0f min left", seconds / 60);
  else
    g_string_append_printf (text, ", %.1f h left", seconds / 3600);
}

/* "step 120 of 4000, 0.93 of the reference, 12 min left": the last round over the batch, at this pace. */
static void
tell (const Sitting *self)
{
  const GobanPretrainConfig *config = goban_pretrain_get_config (self->run);
  double fraction = goban_pretrain_get_fraction (self->run);
  double spent = goban_pretrain_get_seconds (self->run) - self->first_seconds;
  guint n = goban_train_log_get_n_points (self->log);
  double ratio = goban_train_log_get_ratio (self->log, n - MIN (n, config->n_graphs), n);
  double trial_ratio = goban_train_log_get_trial_ratio (self->log, TRUE);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "step %u", goban_pretrain_get_step (self->run));
  if (config->n_steps > 0)
    g_string_append_printf (text, " of %u", config->n_steps);
  if (isfinite (ratio))
    g_string_append_printf (text, ", %.2f of the reference", ratio);
  if (isfinite (trial_ratio))
    g_string_append_printf (text, ", trials %.2f of the expert", trial_ratio);
  if (isfinite (goban_pretrain_get_score (self->run)))
    g_string_append_printf (text, ", validation %.2f", goban_pretrain_get_score (self->run));
  if (goban_pretrain_get_warning (self->run) != NULL)
    g_string_append_printf (text, "; %s", goban_pretrain_get_warning (self->run));
  if (fraction > self->first_fraction)
    append_left (text, spent * (1 - fraction) / (fraction - self->first_fraction));
  goban_progress_step (self->progress, fraction, text->str);
}

static gboolean
learn_once (Sitting *self, gboolean *has_tried, GError **error)
{
  *has_tried = goban_pretrain_wants_trials (self->run);
  return *has_tried ? goban_pretrain_try (self->run, self->progress, error)
                    : goban_pretrain_step (self->run, self->progress, error);
}

/* Runs to the end, or until it is cancelled. */
static gboolean
learn (Sitting *self, GError **error)
{
  while (!goban_pretrain_is_done (self->run) || goban_pretrain_wants_trials (self->run))
    {
      g_autoptr (GError) trouble = NULL;
      gboolean has_tried = FALSE;

      tell (self);
      if (!goban_progress_check (self->progress, &trouble)
          || !learn_once (self, &has_tried, &trouble))
        {
          self->is_stopped = g_error_matches (trouble, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
          if (!self->is_stopped)
            g_propagate_error (error, g_steal_pointer (&trouble));
          return self->is_stopped;
        }
      goban_train_log_update (self->log, goban_pretrain_get_points (self->run),
                              goban_pretrain_get_trials (self->run));
      if (goban_pretrain_get_step (self->run) > 0
          && (has_tried || g_get_monotonic_time () - self->saved_us > SAVE_EVERY_US)
          && !save_run (self, error))
        return FALSE;
    }
  tell (self);
  return TRUE;
}

static void
name_lessons (const Sitting *self)
{
  const GobanCurriculum *curriculum = goban_pretrain_get_curriculum (self->run);
  guint n_lessons = goban_curriculum_get_n_lessons (curriculum);
  guint n_trials = goban_curriculum_get_n_trials (curriculum);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n_lessons; i++)
    g_ptr_array_add (names, goban_go_dup_lesson_name (goban_curriculum_get_lesson (curriculum, i)));
  for (guint i = 0; i < n_trials; i++)
    g_ptr_array_add (names, goban_go_dup_lesson_name (goban_curriculum_get_trial (curriculum, i)));
  goban_train_log_set_names (self->log, (const char *const *) names->pdata, n_lessons, n_trials);
}

static gboolean
sit (Sitting *self, GError **error)
{
  self->first_fraction = goban_pretrain_get_fraction (self->run);
  self->first_seconds = goban_pretrain_get_seconds (self->run);
  self->saved_us = g_get_monotonic_time ();
  name_lessons (self);
  goban_train_log_update (self->log, goban_pretrain_get_points (self->run),
                          goban_pretrain_get_trials (self->run));
  if (!learn (self, error))
    return FALSE;
  if (goban_pretrain_get_step (self->run) == 0)
    {
      g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED,
                           "stopped before the first step: nothing is written");
      return FALSE;
    }
  return goban_net_save (goban_pretrain_get_net (self->run), self->output, error)
         && save_run (self, error);
}

static void
sitting_clear (Sitting *self)
{
  g_clear_pointer (&self->run, goban_pretrain_free);
  g_clear_pointer (&self->log, goban_train_log_unref);
  g_free (self->output);
  g_free (self->run_path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sitting, sitting_clear)

GobanGoReport *
goban_train_go (const GobanGoTraining *options, GobanTrainLog *log, const GobanProgress *progress,
                GError **error)
{
  g_auto (Sitting) sitting = { .options = options, .progress = progress };

  sitting.log = log != NULL ? goban_train_log_ref (log) : goban_train_log_new ();
  sitting.output = goban_train_choose_output (options->output, options->resume, error);
  if (sitting.output == NULL || !goban_train_check_output (sitting.output, error)
      || (options->curve != NULL && !goban_train_check_output (options->curve, error)))
    return NULL;
  sitting.run_path = options->resume != NULL && options->output == NULL
                         ? g_strdup (options->resume)
                         : g_strconcat (sitting.output, GOBAN_TRAINING_SUFFIX, NULL);
  sitting.run
      = options->resume != NULL ? go_on (options, error) : begin (options, sitting.run_path, error);
  if (sitting.run == NULL || !sit (&sitting, error))
    return NULL;
  return goban_go_report_new (sitting.run, sitting.log, sitting.output, sitting.run_path,
                              !sitting.is_stopped);
}
