/* train-go.c: pre-training of GO's network on batches of many graphs
   (engine/learn/rl/go/pretrain.h). */
#include "engine/study/training/train-go.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/learn/rl/go/pretrain-results.h"
#include "engine/learn/rl/go/training-file.h"
#include "engine/study/bench/suite.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/training-log-summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- lessons ---------------------------------------------------------------------------------- */

static GobanGraph *
load_graph (const char *path, GError **error)
{
  GobanLoadOptions options = { .only_regular = TRUE }; /* suites and trainings name it */

  return goban_graph_source_load (path, &options, error);
}

static gboolean
add_suite (GobanCurriculum *curriculum, const char *name, GobanSuiteTask task, GError **error)
{
  g_autoptr (GobanSuite) suite = goban_suite_load (name, error);

  if (suite == NULL)
    return FALSE;
  for (guint i = 0; i < goban_suite_get_n_graphs (suite); i++)
    {
      const GobanSuiteGraph *graph = goban_suite_get_graph (suite, i);

      if (graph->clusters[task] == NULL)
        {
          goban_set_error (error, GOBAN_ERROR_INVALID,
                           "suite %s: “%s” has no cluster for the task %s", name, graph->name,
                           goban_suite_task_get_name (task));
          return FALSE;
        }
      goban_curriculum_add (curriculum, graph->graph, graph->clusters[task]);
    }
  goban_curriculum_need_trials (curriculum);
  return TRUE;
}

static GobanCurriculum *
make_curriculum (const GobanTrainingOptions *options, GobanTasks decisions, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = goban_curriculum_new (options->left_out, error);
  GobanSuiteTask task
      = decisions == GOBAN_TASKS_DEFAULT ? GOBAN_SUITE_TASK_PLACEMENT : GOBAN_SUITE_TASK_JOINT;

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
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no preset “%s”; there are goban and paper",
                   preset);
  return FALSE;
}

/* An error here is not the fault of a file. */
static gboolean
parse_settings (const GobanTrainingOptions *options, GobanPretrainConfig *config, GError **error)
{
  g_autofree char *text
      = g_strdup_printf ("preset=%s,%s", options->preset != NULL ? options->preset : "goban",
                         options->settings != NULL ? options->settings : "");
  g_autoptr (GError) inner = NULL;

  if (goban_pretrain_config_parse (text, config, &inner))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_INVALID, "settings: %s", inner->message);
  return FALSE;
}

static gboolean
make_config (const GobanTrainingOptions *options, GobanPretrainConfig *config, GError **error)
{
  if (!check_preset (options->preset, error) || !parse_settings (options, config, error)
      || (options->tasks != NULL
          && !goban_tasks_parse (options->tasks, &config->go.net.decisions, error))
      || !goban_training_check_count ("steps", options->n_steps, G_MAXINT, error)
      || !goban_training_check_count ("rollouts", options->n_rollouts, 4096, error)
      || !goban_training_check_count ("rows", options->n_rows, 10000000, error)
      || !goban_training_check_count ("steps between trials", options->every, G_MAXINT, error))
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

static char *
list (const GobanTrainingOptions *options, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = NULL;
  GobanPretrainConfig config;

  if (!make_config (options, &config, error))
    return NULL;
  curriculum = make_curriculum (options, config.go.net.decisions, error);
  return curriculum != NULL ? goban_curriculum_to_text (curriculum) : NULL;
}

/* --- beginning -------------------------------------------------------------------------------- */

static gpointer
begin (const GobanTrainingOptions *options, GError **error)
{
  g_autoptr (GobanCurriculum) curriculum = NULL;
  g_autoptr (GobanNet) net = NULL;
  GobanPretrainConfig config;
  GobanPretrain *run;

  if (!make_config (options, &config, error))
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
  run = goban_pretrain_new (&config, g_steal_pointer (&curriculum), g_steal_pointer (&net), error);
  if (run != NULL)
    goban_pretrain_set_ranks (run, options->ranks);
  return run;
}

static gpointer
resume (const GobanTrainingOptions *options, GError **error)
{
  g_autoptr (GobanPretrain) run = NULL;
  const GobanPretrainConfig *config;

  if (!goban_training_check_resume (options, error)
      || !goban_training_check_count ("steps", options->n_steps, G_MAXINT, error))
    return NULL;
  run = goban_training_file_load (options->resume, load_graph, error);
  if (run == NULL)
    return NULL;
  config = goban_pretrain_get_config (run);
  if (config->max_seconds > 0 && goban_ranks_get_size (options->ranks) > 1)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s ends by the clock, which differs between processes: go on with one",
                       options->resume);
      return NULL;
    }
  goban_pretrain_set_ranks (run, options->ranks);
  if (options->n_steps > 0 && options->n_steps < goban_pretrain_get_step (run))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s has made %u steps already, more than %" PRId64, options->resume,
                       goban_pretrain_get_step (run), options->n_steps);
      return NULL;
    }
  if (options->n_steps > 0 || options->seconds > 0)
    goban_pretrain_set_end (run, options->n_steps > 0 ? (guint) options->n_steps : config->n_steps,
                            options->seconds > 0 ? options->seconds : config->max_seconds);
  return g_steal_pointer (&run);
}

static gpointer
peek (const char *path)
{
  return goban_training_file_load (path, NULL, NULL);
}

static void
free_run (gpointer run)
{
  goban_pretrain_free (run);
}

/* --- steps ------------------------------------------------------------------------------------ */

static gboolean
is_done (gpointer run)
{
  return goban_pretrain_is_done (run) && !goban_pretrain_wants_trials (run);
}

static gboolean
is_trial_due (gpointer run)
{
  return goban_pretrain_wants_trials (run);
}

static gboolean
step (gpointer run, gboolean *has_tried, const GobanProgress *progress, GError **error)
{
  *has_tried = goban_pretrain_wants_trials (run);
  return *has_tried ? goban_pretrain_try (run, progress, error)
                    : goban_pretrain_step (run, progress, error);
}

static guint
get_step (gpointer run)
{
  return goban_pretrain_get_step (run);
}

static const GobanScaling *
get_scaling (gpointer run)
{
  return goban_pretrain_get_scaling (run);
}

static guint
get_n_steps (gpointer run)
{
  return goban_pretrain_get_config (run)->n_steps;
}

static double
get_fraction (gpointer run)
{
  return goban_pretrain_get_fraction (run);
}

/* --- log -------------------------------------------------------------------------------------- */

/* The lessons first. */
static char **
dup_names (gpointer run)
{
  const GobanCurriculum *curriculum = goban_pretrain_get_curriculum (run);
  guint n_lessons = goban_curriculum_get_n_lessons (curriculum);
  guint n_trials = goban_curriculum_get_n_trials (curriculum);
  char **names = g_new0 (char *, n_lessons + n_trials + 1);

  for (guint i = 0; i < n_lessons + n_trials; i++)
    {
      const GobanLesson *lesson = i < n_lessons
                                      ? goban_curriculum_get_lesson (curriculum, i)
                                      : goban_curriculum_get_trial (curriculum, i - n_lessons);

      names[i] = g_strdup_printf ("%s on %s", lesson->graph, lesson->cluster);
    }
  return names;
}

/* Trials that were measured after so many steps. */
static void
add_trials (gpointer run, guint step, GobanTrainingLogged *logged, GobanTrainingLog *log)
{
  const GArray *trials = goban_pretrain_get_trials (run);
  guint n_lessons = goban_curriculum_get_n_lessons (goban_pretrain_get_curriculum (run));

  for (; logged->n_trials < trials->len; logged->n_trials++)
    {
      const GobanCurveTrial *from = &g_array_index (trials, GobanCurveTrial, logged->n_trials);
      GobanTrainingPoint point
          = goban_training_point_new (from->step, n_lessons + from->trial, TRUE);

      if (from->step > step)
        return;
      point.values[GOBAN_CURVE_LOG_EXPERT_RATIO] = from->expert_ratio;
      point.values[GOBAN_CURVE_LOG_RATIO] = from->ratio;
      goban_training_log_add (log, &point);
    }
}

/* In the order in which they were measured. */
static void
add_points (gpointer run, GobanTrainingLogged *logged, GobanTrainingLog *log)
{
  const GArray *points = goban_pretrain_get_points (run);

  for (; logged->n_points < points->len; logged->n_points++)
    {
      const GobanCurvePoint *from = &g_array_index (points, GobanCurvePoint, logged->n_points);

      add_trials (run, from->step - 1, logged, log);
      goban_curve_log_add (log, from);
    }
  add_trials (run, goban_pretrain_get_step (run), logged, log);
}

static const char *
get_warning (gpointer run)
{
  return goban_pretrain_get_warning (run);
}

static gboolean
has_kept_start (gpointer run)
{
  return goban_pretrain_has_kept_start (run);
}

/* ", 0.93 of the reference": over the last batch. */
static void
describe (gpointer run, GobanTrainingLog *log, GString *text)
{
  guint n_graphs = goban_pretrain_get_config (run)->n_graphs;
  double ratio = goban_training_log_get_mean (log, GOBAN_CURVE_MEAN, n_graphs);
  double trials = goban_training_log_get_trial_mean (log, GOBAN_CURVE_LOG_EXPERT_RATIO, TRUE);
  double score = goban_pretrain_get_score (run);

  if (isfinite (ratio))
    g_string_append_printf (text, _ (", %.2f of the reference"), ratio);
  if (isfinite (trials))
    g_string_append_printf (text, _ (", trials %.2f of the expert"), trials);
  if (isfinite (score))
    g_string_append_printf (text, _ (", validation %.2f"), score);
}

/* --- files ------------------------------------------------------------------------------------ */

static gboolean
save_run (gpointer run, const char *path, GError **error)
{
  return goban_training_file_save (run, path, error);
}

static gboolean
save_present (gpointer run, const char *path, GError **error)
{
  return goban_net_save (goban_pretrain_get_present (run), path, error);
}

static gboolean
save_net (gpointer run, const char *path, GError **error)
{
  return goban_net_save (goban_pretrain_get_net (run), path, error);
}

static gsize
count_parameters (const char *path, GError **error)
{
  g_autoptr (GobanNet) net = goban_net_load (path, error);

  return net != NULL ? goban_params_get_total (goban_net_get_params (net)) : 0;
}

static char *
dup_taught (gpointer run)
{
  return g_strdup_printf (_ ("%u graphs on clusters"),
                          goban_curriculum_get_n_lessons (goban_pretrain_get_curriculum (run)));
}

static double
get_score (gpointer run)
{
  return goban_pretrain_get_score (run);
}

static const char *const users[] = { "go-zeroshot", "go-portfolio", "go-finetune", "go", NULL };

const GobanTrainingKind goban_training_go = {
  .network = "go",
  .shipped = { N_ ("126 sizes of model families and 240 random networks"), 6000, 1.194 },
  .purpose = N_ ("GO's network as the paper has it: go, go-finetune with method=paper"),
  .policy = "go-zeroshot",
  .users = users,
  .takes = GOBAN_TRAINING_ALL,
  .is_shared = TRUE,
  .series = goban_curve_log_series,
  .n_series = GOBAN_CURVE_LOG_N_SERIES,
  .list = list,
  .begin = begin,
  .resume = resume,
  .peek = peek,
  .free = free_run,
  .is_done = is_done,
  .is_trial_due = is_trial_due,
  .step = step,
  .get_step = get_step,
  .get_n_steps = get_n_steps,
  .get_fraction = get_fraction,
  .get_scaling = get_scaling,
  .dup_names = dup_names,
  .add_points = add_points,
  .get_warning = get_warning,
  .has_kept_start = has_kept_start,
  .describe = describe,
  .count_parameters = count_parameters,
  .dup_taught = dup_taught,
  .get_score = get_score,
  .save_run = save_run,
  .save_net = save_net,
  .save_present = save_present,
  .finish = goban_go_training_finish,
};
