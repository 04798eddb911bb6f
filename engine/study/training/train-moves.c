/* train-moves.c: training of the network that proposes moves
   (engine/learn/rl/moves/move-training.h). */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/learn/rl/collapse.h"
#include "engine/learn/rl/moves/move-training.h"
#include "engine/study/training/training-kind.h"

#include <math.h>

#define MAX_STEPS 1000000000

enum
{
  ERROR,
  CONSTANT_ERROR,
  IMPROVING,
  BEST_GAIN,
  GRADIENT,
  VALID_17,
  VALID_64,
  N_SERIES
};

static const GobanTrainingSeries series[N_SERIES] = {
  [ERROR] = { "error", N_ ("Network"), GOBAN_SERIES_ERROR, FALSE },
  [CONSTANT_ERROR] = { "constant_error", N_ ("Mean as guess"), GOBAN_SERIES_ERROR, FALSE },
  [IMPROVING] = { "improving", N_ ("Moves that improve"), GOBAN_SERIES_SHARE, FALSE },
  [BEST_GAIN] = { "best_gain", N_ ("Best gain"), GOBAN_SERIES_SHARE, FALSE },
  [GRADIENT] = { "gradient_norm", N_ ("Gradient norm"), GOBAN_SERIES_GRADIENT, FALSE },
  [VALID_17] = { "valid_17", N_ ("After 17 evaluations"), GOBAN_SERIES_RATIO, TRUE },
  [VALID_64] = { "valid_64", N_ ("After 64 evaluations"), GOBAN_SERIES_RATIO, TRUE },
};

/* --- beginning -------------------------------------------------------------------------------- */

static gpointer
begin (const GobanTrainingOptions *options, GError **error)
{
  GobanMoveTrainingConfig config = goban_move_training_config_default ();

  if (options->settings != NULL
      && !goban_move_training_config_parse (options->settings, &config, error))
    return NULL;
  if (!goban_training_check_count ("steps", options->n_steps, MAX_STEPS, error)
      || !goban_training_check_count ("steps between trials", options->every, MAX_STEPS, error))
    return NULL;
  if (options->n_steps > 0)
    config.n_updates = (guint) options->n_steps;
  if (options->seed >= 0)
    config.seed = (guint64) options->seed;
  if (options->every > 0)
    config.every = (guint) options->every;
  return goban_move_training_new (&config);
}

static gpointer
resume (const GobanTrainingOptions *options, GError **error)
{
  g_autoptr (GobanMoveTraining) run = NULL;

  if (!goban_training_check_resume (options, error)
      || !goban_training_check_count ("steps", options->n_steps, MAX_STEPS, error))
    return NULL;
  run = goban_move_training_load (options->resume, error);
  if (run != NULL && options->n_steps > 0)
    goban_move_training_set_end (run, (guint) options->n_steps);
  return g_steal_pointer (&run);
}

static gpointer
peek (const char *path)
{
  return goban_move_training_load (path, NULL);
}

static void
free_run (gpointer run)
{
  goban_move_training_free (run);
}

/* --- steps ------------------------------------------------------------------------------------ */

static gboolean
is_done (gpointer run)
{
  return goban_move_training_is_done (run);
}

static gboolean
step (gpointer run, gboolean *has_tried, const GobanProgress *progress, GError **error)
{
  if (!goban_move_training_step (run, progress, error))
    return FALSE;
  *has_tried
      = goban_move_training_get_n_done (run) % goban_move_training_get_config (run)->every == 0;
  return TRUE;
}

static guint
get_step (gpointer run)
{
  return goban_move_training_get_n_done (run);
}

static guint
get_n_steps (gpointer run)
{
  return goban_move_training_get_config (run)->n_updates;
}

/* --- log -------------------------------------------------------------------------------------- */

static void
add_update (const GobanMovePoint *from, GobanTrainingLog *log)
{
  GobanTrainingPoint point = goban_training_point_new (from->update, 0, FALSE);

  point.values[ERROR] = from->error;
  point.values[CONSTANT_ERROR] = from->constant_error;
  point.values[IMPROVING] = from->improving;
  point.values[BEST_GAIN] = from->best_gain;
  point.values[GRADIENT] = from->gradient_norm;
  goban_training_log_add (log, &point);
  if (isnan (from->valid[0]))
    return;
  point = goban_training_point_new (from->update, 1, TRUE);
  point.values[VALID_17] = from->valid[0];
  point.values[VALID_64] = from->valid[1];
  goban_training_log_add (log, &point);
}

static void
add_points (gpointer run, GobanTrainingLogged *logged, GobanTrainingLog *log)
{
  const GArray *points = goban_move_training_get_points (run);

  for (; logged->n_points < points->len; logged->n_points++)
    add_update (&g_array_index (points, GobanMovePoint, logged->n_points), log);
}

static const char *
get_warning (gpointer run)
{
  const GArray *points = goban_move_training_get_points (run);
  double errors[GOBAN_COLLAPSE_WINDOW], constant_errors[GOBAN_COLLAPSE_WINDOW];
  guint n = MIN (points->len, GOBAN_COLLAPSE_WINDOW);

  for (guint i = 0; i < n; i++)
    {
      const GobanMovePoint *point = &g_array_index (points, GobanMovePoint, points->len - n + i);

      errors[i] = point->error;
      constant_errors[i] = point->constant_error;
    }
  return goban_collapse_describe_errors (errors, constant_errors, n);
}

static guint
get_kept_step (gpointer run)
{
  return goban_move_training_get_kept_step (run);
}

/* ", 120 000 moves, validation 0.93 of uniform moves" */
static void
describe (gpointer run, GobanTrainingLog *log, GString *text)
{
  double score = goban_move_training_get_score (run);
  char n[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, _ (", %s moves"),
                          goban_format_grouped (n, goban_move_training_get_n_labels (run)));
  if (!isnan (score))
    g_string_append_printf (text, _ (", validation %.3f of uniform moves"), score);
}

/* --- files and report ------------------------------------------------------------------------- */

static gboolean
save_run (gpointer run, const char *path, GError **error)
{
  return goban_move_training_save (run, path, error);
}

static gboolean
save_present (gpointer run, const char *path, GError **error)
{
  return goban_scorer_net_save (goban_move_training_get_average (run), path, error);
}

static gboolean
save_net (gpointer run, const char *path, GError **error)
{
  return goban_scorer_net_save (goban_move_training_get_net (run), path, error);
}

/* Makespans over those of uniform moves on validation problems, at last. */
static void
get_validation (gpointer run, double valid[GOBAN_MOVE_N_TRIED])
{
  const GArray *points = goban_move_training_get_points (run);

  for (guint b = 0; b < GOBAN_MOVE_N_TRIED; b++)
    valid[b] = NAN;
  for (guint i = 0; i < points->len; i++)
    for (guint b = 0; b < GOBAN_MOVE_N_TRIED; b++)
      if (!isnan (g_array_index (points, GobanMovePoint, i).valid[b]))
        valid[b] = g_array_index (points, GobanMovePoint, i).valid[b];
}

static char *
make_text (const GobanTrainingReport *report, const double *valid, guint64 n_labels)
{
  GString *text = g_string_new (NULL);

  goban_training_report_begin_text (report, text);
  g_string_append_printf (text, "%-10s %" G_GUINT64_FORMAT " moves simulated\n", "learned on",
                          n_labels);
  if (report->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", report->warning);
  if (isnan (report->score))
    return g_string_free (text, FALSE);
  g_string_append (text, "validation over searches by uniform moves, at as many evaluations:\n");
  g_string_append (text, "           17 evaluations  64 evaluations\n");
  g_string_append_printf (text, "%-10s %14.3f  %14.3f\n", "at last", valid[0], valid[1]);
  g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both; at first %.3f)\n", "kept",
                          report->score, report->first_score);
  return g_string_free (text, FALSE);
}

static gsize
count_parameters (const char *path, GError **error)
{
  g_autoptr (GobanScorerNet) net = goban_move_net_load (path, error);

  return net != NULL ? goban_params_get_total (goban_scorer_net_get_params (net)) : 0;
}

static char *
dup_taught (gpointer run)
{
  return g_strdup_printf (_ ("%u random networks"),
                          goban_move_training_get_config (run)->n_lessons);
}

static double
get_score (gpointer run)
{
  return goban_move_training_get_score (run);
}

static void
finish (gpointer run, GobanTrainingLog *log, GobanTrainingReport *report)
{
  g_autofree char *settings
      = goban_move_training_config_to_text (goban_move_training_get_config (run));
  GobanScorerNet *net = goban_move_training_get_net (run);
  guint64 n_labels = goban_move_training_get_n_labels (run);
  double valid[GOBAN_MOVE_N_TRIED];
  GString *json = g_string_new ("{");

  get_validation (run, valid);
  report->n_parameters = goban_params_get_total (goban_scorer_net_get_params (net));
  report->score = goban_move_training_get_score (run);
  report->first_score = goban_move_training_get_first_score (run);
  report->text = make_text (report, valid, n_labels);
  goban_training_report_begin_json (report, json);
  goban_json_add_number (json, "labels", (double) n_labels);
  goban_json_add_string (json, "settings", settings);
  goban_json_add_number (json, "after_17", valid[0]);
  goban_json_add_number (json, "after_64", valid[1]);
  goban_json_add_number (json, "score_before", report->first_score);
  goban_json_add_number (json, "score", report->score);
  g_string_append (json, "}\n");
  report->json = g_string_free (json, FALSE);
}

static gboolean
check_settings (const char *text, GError **error)
{
  GobanMoveTrainingConfig config = goban_move_training_config_default ();

  return goban_move_training_config_parse (text, &config, error);
}

static const char *const users[] = { "go-finetune", NULL };

const GobanTrainingKind goban_training_moves = {
  .network = "moves",
  .trial = "lessons=8,validation=1",
  .shipped = { N_ ("random networks"), 1500, 0.842 },
  .purpose = N_ ("Proposes moves of a plan: go-finetune"),
  .policy = "go-finetune",
  .users = users,
  .takes
  = GOBAN_TRAINING_RESUME | GOBAN_TRAINING_CURVE | GOBAN_TRAINING_SETTINGS | GOBAN_TRAINING_EVERY,
  .describe_settings = goban_move_training_config_describe,
  .check_settings = check_settings,
  .series = series,
  .n_series = N_SERIES,
  .begin = begin,
  .resume = resume,
  .peek = peek,
  .free = free_run,
  .is_done = is_done,
  .step = step,
  .get_step = get_step,
  .get_n_steps = get_n_steps,
  .add_points = add_points,
  .get_warning = get_warning,
  .get_kept_step = get_kept_step,
  .describe = describe,
  .count_parameters = count_parameters,
  .dup_taught = dup_taught,
  .get_score = get_score,
  .save_run = save_run,
  .save_net = save_net,
  .save_present = save_present,
  .finish = finish,
};
