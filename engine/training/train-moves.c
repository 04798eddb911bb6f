#include "engine/training/train-moves.h"

#include "engine/base/error.h"
#include "engine/base/json-text.h"
#include "engine/rl/move-training-file.h"
#include "engine/rl/move-training.h"
#include "engine/training/train-sitting.h"
#include "engine/training/train.h"

#include <math.h>

#define MOST_STEPS 1000000000

GobanMovesOptions
goban_moves_options_new (void)
{
  return (GobanMovesOptions){ .seed = -1, .every = -1 };
}

/* --- beginning ---------------------------------------------------------------------------------- */

static GobanMoveTraining *
begin (const GobanMovesOptions *options, const GobanSitting *sitting, GError **error)
{
  GobanMoveTrainingConfig config = goban_move_training_config_default ();

  if (options->settings != NULL
      && !goban_move_training_config_parse (options->settings, &config, error))
    return NULL;
  if (!goban_train_check_count ("steps", options->n_steps, MOST_STEPS, error)
      || !goban_train_check_count ("steps between trials", options->every, MOST_STEPS, error)
      || !goban_sitting_check_nothing_is_lost (sitting, error))
    return NULL;
  if (options->n_steps > 0)
    config.n_updates = (guint) options->n_steps;
  if (options->seed >= 0)
    config.seed = (guint64) options->seed;
  if (options->every > 0)
    config.every = (guint) options->every;
  return goban_move_training_new (&config);
}

static GobanMoveTraining *
go_on (const GobanMovesOptions *options, GError **error)
{
  g_autoptr (GobanMoveTraining) run = NULL;

  if (options->settings != NULL || options->seed >= 0 || options->every >= 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                   "%s says all of the run itself: only its steps can be others", options->resume);
      return NULL;
    }
  run = goban_move_training_load (options->resume, error);
  if (run == NULL || !goban_train_check_count ("steps", options->n_steps, MOST_STEPS, error))
    return NULL;
  if (options->n_steps > 0)
    goban_move_training_set_end (run, (guint) options->n_steps);
  return g_steal_pointer (&run);
}

/* --- kind --------------------------------------------------------------------------------------- */

static gpointer
load_run (const char *path, GError **error)
{
  return goban_move_training_load (path, error);
}

static void
free_run (gpointer run)
{
  goban_move_training_free (run);
}

static gboolean
step (gpointer run, const GobanProgress *progress, GError **error)
{
  return goban_move_training_step (run, progress, error);
}

static guint
get_n_done (gpointer run)
{
  return goban_move_training_get_n_done (run);
}

static guint
get_n_steps (gpointer run)
{
  return goban_move_training_get_config (run)->n_updates;
}

static guint
get_every (gpointer run)
{
  return goban_move_training_get_config (run)->every;
}

/* ", 120000 moves, validation 0.93 of uniform moves" */
static void
describe (gpointer run, GString *text)
{
  double score = goban_move_training_get_score (run);

  g_string_append_printf (text, ", %" G_GUINT64_FORMAT " moves",
                          goban_move_training_get_n_labels (run));
  if (!isnan (score))
    g_string_append_printf (text, ", validation %.3f of uniform moves", score);
}

static gboolean
save_run (gpointer run, const char *path, GError **error)
{
  return goban_move_training_save (run, path, error);
}

static gboolean
save_net (gpointer run, const char *path, GError **error)
{
  return goban_scorer_net_save (goban_move_training_get_net (run), path, error);
}

static char *
to_csv (gpointer run)
{
  return goban_move_training_to_csv (run);
}

static const GobanTrainingKind kind = { load_run,  free_run, step,     get_n_done, get_n_steps,
                                        get_every, describe, save_run, save_net,   to_csv };

/* --- reports ------------------------------------------------------------------------------------ */

static GobanMovesReport *
new_report (const GobanSitting *self)
{
  GobanMovesReport *report = g_new0 (GobanMovesReport, 1);
  const GobanMoveTrainingConfig *config = goban_move_training_get_config (self->run);
  const GArray *points = goban_move_training_get_points (self->run);

  report->output = g_strdup (self->output);
  report->run = g_strdup (self->run_path);
  report->settings = goban_move_training_config_to_text (config);
  report->is_finished = !self->is_stopped;
  report->n_done = goban_move_training_get_n_done (self->run);
  report->n_steps = config->n_updates;
  report->n_parameters = goban_params_get_total (
      goban_scorer_net_get_params (goban_move_training_get_net (self->run)));
  report->n_labels = goban_move_training_get_n_labels (self->run);
  report->few = report->many = NAN;
  report->score = goban_move_training_get_score (self->run);
  for (guint i = 0; i < points->len; i++)
    {
      const GobanMovePoint *point = &g_array_index (points, GobanMovePoint, i);

      if (isnan (point->valid[0]))
        continue;
      report->few = point->valid[0];
      report->many = point->valid[1];
    }
  return report;
}

GobanMovesReport *
goban_train_moves (const GobanMovesOptions *options, const GobanProgress *progress, GError **error)
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
goban_moves_report_free (GobanMovesReport *self)
{
  g_free (self->output);
  g_free (self->run);
  g_free (self->settings);
  g_free (self);
}

char *
goban_moves_report_to_text (const GobanMovesReport *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters\n", "network",
                          self->output, self->n_parameters);
  g_string_append_printf (text, "%-10s %s, %u of %u steps, %" G_GUINT64_FORMAT " moves simulated\n",
                          "run", self->run, self->n_done, self->n_steps, self->n_labels);
  if (isnan (self->score))
    return g_string_free (text, FALSE);
  g_string_append (text, "validation over searches by uniform moves, at as many evaluations:\n");
  g_string_append (text, "           17 evaluations  64 evaluations\n");
  g_string_append_printf (text, "%-10s %14.3f  %14.3f\n", "at last", self->few, self->many);
  g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both)\n", "kept", self->score);
  return g_string_free (text, FALSE);
}

char *
goban_moves_report_to_json (const GobanMovesReport *self)
{
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "policy", "moves");
  goban_json_add_string (json, "output", self->output);
  goban_json_add_string (json, "run", self->run);
  goban_json_add_boolean (json, "finished", self->is_finished);
  goban_json_add_number (json, "step", self->n_done);
  goban_json_add_number (json, "steps", self->n_steps);
  goban_json_add_number (json, "parameters", self->n_parameters);
  goban_json_add_number (json, "labels", (double) self->n_labels);
  goban_json_add_string (json, "settings", self->settings);
  goban_json_add_number (json, "after_17", self->few);
  goban_json_add_number (json, "after_64", self->many);
  goban_json_add_number (json, "score", self->score);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}
