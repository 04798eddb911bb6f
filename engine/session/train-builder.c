#include "engine/session/train-builder.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json-text.h"
#include "engine/rl/builder-training.h"
#include "engine/session/train.h"

#include <math.h>
#include <string.h>

#define SAVE_EVERY_US (60 * G_USEC_PER_SEC)

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

/* Whoever begins again by mistake would lose what there is. */
static gboolean
check_nothing_is_lost (const char *run_path, GError **error)
{
  g_autoptr (GobanBuilderTraining) old = NULL;

  if (!g_file_test (run_path, G_FILE_TEST_EXISTS))
    return TRUE;
  old = goban_builder_training_load (run_path, NULL); /* what is not a run is replaced */
  if (old == NULL || goban_builder_training_is_done (old))
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "%s holds a run that stopped after %u steps: go on with it, or remove it", run_path,
               goban_builder_training_get_n_done (old));
  return FALSE;
}

static GobanBuilderTraining *
begin (const GobanBuilderOptions *options, const char *run_path, GError **error)
{
  GobanBuilderTrainingConfig config;

  if (!make_config (options, &config, error) || !check_nothing_is_lost (run_path, error))
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

/* --- learning ----------------------------------------------------------------------------------- */

typedef struct
{
  const GobanBuilderOptions *options;
  GobanBuilderTraining *run;
  const GobanProgress *progress;
  char *output;
  char *run_path;
  gint64 saved_us;
  gboolean is_stopped;
} Sitting;

static void
sitting_clear (Sitting *self)
{
  g_clear_pointer (&self->run, goban_builder_training_free);
  g_free (self->output);
  g_free (self->run_path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sitting, sitting_clear)

static gboolean
save (Sitting *self, GError **error)
{
  g_autofree char *csv = NULL;

  self->saved_us = g_get_monotonic_time ();
  if (!goban_builder_training_save (self->run, self->run_path, error)
      || !goban_builder_net_save (goban_builder_training_get_net (self->run), self->output, error))
    return FALSE;
  if (self->options->curve == NULL)
    return TRUE;
  csv = goban_builder_training_to_csv (self->run);
  return goban_file_write (self->options->curve, csv, strlen (csv), error);
}

/* "step 120 of 4000, 0.93 of the splits; collapsed: ..." */
static void
tell (const Sitting *self)
{
  guint n_steps = goban_builder_training_get_config (self->run)->n_updates;
  guint n_done = goban_builder_training_get_n_done (self->run);
  double score = goban_builder_training_get_score (self->run);
  const char *warning = goban_builder_training_get_warning (self->run);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "step %u of %u", n_done, n_steps);
  if (!isnan (score))
    g_string_append_printf (text, ", validation %.3f of contiguous splits", score);
  if (warning != NULL)
    g_string_append_printf (text, "; %s", warning);
  goban_progress_step (self->progress, (double) n_done / n_steps, text->str);
}

/* A trial may have found a better network. */
static gboolean
is_tried (const Sitting *self)
{
  guint every = goban_builder_training_get_config (self->run)->every;

  return goban_builder_training_get_n_done (self->run) % every == 0;
}

static gboolean
learn (Sitting *self, GError **error)
{
  self->saved_us = g_get_monotonic_time ();
  while (!goban_builder_training_is_done (self->run))
    {
      g_autoptr (GError) trouble = NULL;

      tell (self);
      if (!goban_builder_training_step (self->run, self->progress, &trouble))
        {
          self->is_stopped = g_error_matches (trouble, GOBAN_ERROR, GOBAN_ERROR_CANCELLED)
                             && goban_builder_training_get_n_done (self->run) > 0;
          if (!self->is_stopped)
            g_propagate_error (error, g_steal_pointer (&trouble));
          return self->is_stopped;
        }
      if ((is_tried (self) || g_get_monotonic_time () - self->saved_us > SAVE_EVERY_US)
          && !save (self, error))
        return FALSE;
    }
  tell (self);
  return TRUE;
}

static GobanBuilderReport *
new_report (const Sitting *self)
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
  g_auto (Sitting) sitting = { .options = options, .progress = progress };

  sitting.output = goban_train_choose_output (options->output, options->resume, error);
  if (sitting.output == NULL || !goban_train_check_output (sitting.output, error)
      || (options->curve != NULL && !goban_train_check_output (options->curve, error)))
    return NULL;
  sitting.run_path = options->resume != NULL && options->output == NULL
                         ? g_strdup (options->resume)
                         : g_strconcat (sitting.output, GOBAN_TRAINING_SUFFIX, NULL);
  sitting.run
      = options->resume != NULL ? go_on (options, error) : begin (options, sitting.run_path, error);
  if (sitting.run == NULL || !learn (&sitting, error) || !save (&sitting, error))
    return NULL;
  return new_report (&sitting);
}

/* --- reports ------------------------------------------------------------------------------------ */

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
