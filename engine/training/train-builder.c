#include "engine/training/train-builder.h"

#include "engine/base/error.h"
#include "engine/base/json-text.h"
#include "engine/rl/builder-training-file.h"
#include "engine/rl/builder-training.h"
#include "engine/training/train-sitting.h"
#include "engine/training/train.h"

#include <math.h>

GobanBuilderOptions
goban_builder_options_new (void)
{
  return (GobanBuilderOptions){ .seed = -1, .every = -1 };
}

/* --- beginning ---------------------------------------------------------------------------------- */

static gboolean
make_config (const GobanBuilderOptions *options, GobanBuilderTrainingConfig *config, GError **error)
{
  *config = goban_builder_training_config_default ();
  config->families = options->left_out != NULL && options->left_out[0] != NULL;
  if (options->settings != NULL
      && !goban_builder_training_config_parse (options->settings, config, error))
    return FALSE;
  if (!goban_train_check_count ("steps", options->n_steps, 1000000000, error)
      || !goban_train_check_count ("rollouts", options->n_rollouts, 256, error)
      || !goban_train_check_count ("steps between trials", options->every, 1000000000, error))
    return FALSE;
  if (options->n_steps > 0)
    config->n_updates = (guint) options->n_steps;
  if (options->n_rollouts > 0)
    config->n_rollouts = (guint) options->n_rollouts;
  if (options->seed >= 0)
    config->seed = (guint64) options->seed;
  if (options->every > 0)
    config->every = (guint) options->every;
  return TRUE;
}

static GobanBuilderTraining *
begin (const GobanBuilderOptions *options, const GobanSitting *sitting, GError **error)
{
  GobanBuilderTrainingConfig config;

  if (!make_config (options, &config, error)
      || !goban_sitting_check_nothing_is_lost (sitting, error))
    return NULL;
  return goban_builder_training_new (&config, options->left_out, error);
}

static GobanBuilderTraining *
go_on (const GobanBuilderOptions *options, GError **error)
{
  g_autoptr (GobanBuilderTraining) run = NULL;

  if (options->settings != NULL || options->seed >= 0 || options->every >= 0
      || options->n_rollouts > 0 || (options->left_out != NULL && options->left_out[0] != NULL))
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                   "%s says all of the run itself: only its steps can be others", options->resume);
      return NULL;
    }
  run = goban_builder_training_load (options->resume, error);
  if (run == NULL || !goban_train_check_count ("steps", options->n_steps, 1000000000, error))
    return NULL;
  if (options->n_steps > 0)
    goban_builder_training_set_end (run, (guint) options->n_steps);
  return g_steal_pointer (&run);
}

/* --- kind --------------------------------------------------------------------------------------- */

static gpointer
load_run (const char *path, GError **error)
{
  return goban_builder_training_load (path, error);
}

static void
free_run (gpointer run)
{
  goban_builder_training_free (run);
}

static gboolean
step (gpointer run, const GobanProgress *progress, GError **error)
{
  return goban_builder_training_step (run, progress, error);
}

static guint
get_n_done (gpointer run)
{
  return goban_builder_training_get_n_done (run);
}

static guint
get_n_steps (gpointer run)
{
  return goban_builder_training_get_config (run)->n_updates;
}

static guint
get_every (gpointer run)
{
  return goban_builder_training_get_config (run)->every;
}

/* ", validation 0.93 of contiguous splits; collapsed: ..." */
static void
describe (gpointer run, GString *text)
{
  double score = goban_builder_training_get_score (run);
  const char *warning = goban_builder_training_get_warning (run);

  if (!isnan (score))
    g_string_append_printf (text, ", validation %.3f of contiguous splits", score);
  if (warning != NULL)
    g_string_append_printf (text, "; %s", warning);
}

static gboolean
save_run (gpointer run, const char *path, GError **error)
{
  return goban_builder_training_save (run, path, error);
}

static gboolean
save_net (gpointer run, const char *path, GError **error)
{
  return goban_builder_net_save (goban_builder_training_get_net (run), path, error);
}

static char *
to_csv (gpointer run)
{
  return goban_builder_training_to_csv (run);
}

static const GobanTrainingKind kind = { load_run,  free_run, step,     get_n_done, get_n_steps,
                                        get_every, describe, save_run, save_net,   to_csv };

/* --- reports ------------------------------------------------------------------------------------ */

static GobanBuilderReport *
new_report (const GobanSitting *self)
{
  GobanBuilderReport *report = g_new0 (GobanBuilderReport, 1);
  const GobanBuilderTrainingConfig *config = goban_builder_training_get_config (self->run);
  const GobanBuilderPoint *first = goban_builder_training_get_first (self->run);
  const GArray *points = goban_builder_training_get_points (self->run);
  GobanBuilderNet *net = goban_builder_training_get_net (self->run);

  report->output = g_strdup (self->output);
  report->run = g_strdup (self->run_path);
  report->settings = goban_builder_training_config_to_text (config);
  report->warning = g_strdup (goban_builder_training_get_warning (self->run));
  report->is_finished = !self->is_stopped;
  report->n_done = goban_builder_training_get_n_done (self->run);
  report->n_steps = config->n_updates;
  report->n_parameters = goban_params_get_total (goban_builder_net_get_params (net));
  report->first_greedy = first->valid_greedy;
  report->first_best = first->valid_best;
  report->greedy = report->best = NAN;
  report->score = goban_builder_training_get_score (self->run);
  for (guint i = 0; i < points->len; i++)
    {
      const GobanBuilderPoint *point = &g_array_index (points, GobanBuilderPoint, i);

      if (isnan (point->valid_greedy))
        continue;
      report->greedy = point->valid_greedy;
      report->best = point->valid_best;
    }
  return report;
}

GobanBuilderReport *
goban_train_builder (const GobanBuilderOptions *options, const GobanProgress *progress,
                     GError **error)
{
  g_auto (GobanSitting) sitting
      = { .kind = &kind, .resume = options->resume, .curve = options->curve, .progress = progress };

  if (!goban_sitting_choose_files (&sitting, options->output, error))
    return NULL;
  sitting.run = options->resume != NULL ? go_on (options, error) : begin (options, &sitting, error);
  if (sitting.run == NULL || !goban_sitting_learn (&sitting, error))
    return NULL;
  return new_report (&sitting);
}

void
goban_builder_report_free (GobanBuilderReport *self)
{
  g_free (self->output);
  g_free (self->run);
  g_free (self->settings);
  g_free (self->warning);
  g_free (self);
}

char *
goban_builder_report_to_text (const GobanBuilderReport *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters\n", "network",
                          self->output, self->n_parameters);
  g_string_append_printf (text, "%-10s %s, %u of %u steps\n", "run", self->run, self->n_done,
                          self->n_steps);
  g_string_append (text,
                   "validation over the best of 17 contiguous splits, at as many evaluations:\n");
  g_string_append (text, "           likeliest plan  best of 17\n");
  g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at first", self->first_greedy,
                          self->first_best);
  if (!isnan (self->greedy))
    g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at last", self->greedy, self->best);
  if (!isnan (self->score))
    g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both)\n", "kept", self->score);
  if (self->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", self->warning);
  return g_string_free (text, FALSE);
}

char *
goban_builder_report_to_json (const GobanBuilderReport *self)
{
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "policy", "builder");
  goban_json_add_string (json, "output", self->output);
  goban_json_add_string (json, "run", self->run);
  goban_json_add_boolean (json, "finished", self->is_finished);
  goban_json_add_number (json, "step", self->n_done);
  goban_json_add_number (json, "steps", self->n_steps);
  goban_json_add_number (json, "parameters", self->n_parameters);
  goban_json_add_string (json, "settings", self->settings);
  goban_json_add_string (json, "warning", self->warning != NULL ? self->warning : "");
  goban_json_add_number (json, "greedy_before", self->first_greedy);
  goban_json_add_number (json, "best_before", self->first_best);
  goban_json_add_number (json, "greedy", self->greedy);
  goban_json_add_number (json, "best", self->best);
  goban_json_add_number (json, "score", self->score);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}
