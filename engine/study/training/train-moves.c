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

/* In the order of a point's values. */
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
G_STATIC_ASSERT (N_SERIES == GOBAN_MOVE_POINT_N_VALUES);

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

  if (!goban_training_change_settings (options, &goban_move_training_kind, &config.base, error))
    return NULL;
  return goban_move_training_new (&config);
}

/* --- log -------------------------------------------------------------------------------------- */

static guint
read_point (gconstpointer run, int index, double *values)
{
  const GArray *points = ((const GobanLearningRun *) run)->points;
  const GobanMovePoint *point = &g_array_index (points, GobanMovePoint, MAX (index, 0));

  for (guint k = 0; k < N_SERIES; k++)
    values[k] = index == GOBAN_LEARNING_FIRST ? (double) NAN : point->values[k];
  return index == GOBAN_LEARNING_FIRST ? 0 : point->update;
}

static const char *
get_warning (gpointer run)
{
  const GArray *points = ((const GobanLearningRun *) run)->points;
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

/* ", 120 000 moves, validation 0.93 of uniform moves" */
static void
describe (gpointer run, GString *text)
{
  const GobanMoveTraining *self = run;
  char n[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, _ (", %s moves"), goban_format_grouped (n, self->n_labels));
  if (!isnan (self->base.best_score))
    g_string_append_printf (text, _ (", validation %.3f of uniform moves"), self->base.best_score);
}

/* --- report ----------------------------------------------------------------------------------- */

/* @last: of the series, makespans over those of uniform moves on validation problems. */
static char *
make_text (const GobanTrainingReport *report, const double *last, guint64 n_labels)
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
  g_string_append_printf (text, "%-10s %14.3f  %14.3f\n", "at last", last[VALID_17],
                          last[VALID_64]);
  g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both; at first %.3f)\n", "kept",
                          report->score, report->first_score);
  return g_string_free (text, FALSE);
}

static gsize
count_parameters (const char *path, GError **error)
{
  g_autoptr (GobanScorerNet) net = goban_move_net_load (path, error);

  return net != NULL ? goban_params_get_total (net->params) : 0;
}

static void
finish (gpointer run, GobanTrainingReport *report)
{
  const GobanMoveTraining *self = run;
  g_autofree char *settings
      = goban_setting_table_to_text (&goban_move_training_kind.settings, &self->config);
  double last[N_SERIES];
  GString *json = g_string_new ("{");

  goban_training_read_last_trial (&goban_training_moves, run, last);
  report->text = make_text (report, last, self->n_labels);
  goban_training_report_begin_json (report, json);
  goban_json_add_number (json, "labels", (double) self->n_labels);
  goban_json_add_string (json, "settings", settings);
  goban_json_add_number (json, "after_17", last[VALID_17]);
  goban_json_add_number (json, "after_64", last[VALID_64]);
  goban_json_add_number (json, "score_before", report->first_score);
  goban_json_add_number (json, "score", report->score);
  g_string_append (json, "}\n");
  report->json = g_string_free (json, FALSE);
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
  .series = series,
  .n_series = N_SERIES,
  .run = &goban_move_training_kind,
  .begin = begin,
  .read_point = read_point,
  .get_warning = get_warning,
  .describe = describe,
  .count_parameters = count_parameters,
  .finish = finish,
};
