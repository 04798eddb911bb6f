/* train-builder.c: training of the network that builds plans row by row
 * (engine/learn/rl/builder/builder-training.h). */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/study/training/training-kind.h"

#include <math.h>

enum
{
  REWARD,
  IMITATES,
  ENTROPY,
  TOP_SHARE,
  EVEN_SHARE,
  GRADIENT,
  GREEDY,
  BEST,
  N_SERIES
};

static const GobanTrainingSeries series[N_SERIES] = {
  [REWARD] = { "reward", N_ ("Reward"), GOBAN_SERIES_REWARD, FALSE },
  [IMITATES] = { "imitates", N_ ("Imitated choices"), GOBAN_SERIES_SHARE, FALSE },
  [ENTROPY] = { "entropy", N_ ("Entropy"), GOBAN_SERIES_ENTROPY, FALSE },
  [TOP_SHARE] = { "top_share", N_ ("Busiest device"), GOBAN_SERIES_SHARE, FALSE },
  [EVEN_SHARE] = { "even_share", N_ ("Even share"), GOBAN_SERIES_SHARE, FALSE },
  [GRADIENT] = { "gradient_norm", N_ ("Gradient norm"), GOBAN_SERIES_GRADIENT, FALSE },
  [GREEDY] = { "valid_greedy", N_ ("Likeliest plan"), GOBAN_SERIES_RATIO, TRUE },
  [BEST] = { "valid_best", N_ ("Best of 17 plans"), GOBAN_SERIES_RATIO, TRUE },
};

/* --- beginning -------------------------------------------------------------------------------- */

static gpointer
begin (const GobanTrainingOptions *options, GError **error)
{
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();
  GobanBuilderTraining *run;
  g_autoptr (GobanBuilderNet) from = NULL;

  config.families = options->left_out != NULL && options->left_out[0] != NULL;
  if (!goban_training_change_settings (options, &goban_builder_training_kind, &config.base, error)
      || !goban_training_check_count ("rollouts", options->n_rollouts, 256, error))
    return NULL;
  if (options->n_rollouts > 0)
    config.n_rollouts = (guint) options->n_rollouts;
  if (options->from != NULL)
    {
      from = goban_builder_net_load (options->from, error);
      if (from == NULL)
        return NULL;
    }
  run = goban_builder_training_new (&config, options->left_out, error);
  if (run != NULL && from != NULL)
    goban_builder_training_begin_with (run, from);
  return run;
}

static guint
read_point (gconstpointer run, int index, double *values)
{
  const GobanBuilderTraining *self = run;
  const GobanBuilderPoint *point
      = index == GOBAN_LEARNING_FIRST
            ? &self->first
            : &g_array_index (self->base.points, GobanBuilderPoint, index);

  values[REWARD] = point->reward;
  values[IMITATES] = point->imitates;
  values[ENTROPY] = point->entropy;
  values[TOP_SHARE] = point->top_share;
  values[EVEN_SHARE] = point->even_share;
  values[GRADIENT] = point->gradient_norm;
  values[GREEDY] = point->valid_greedy;
  values[BEST] = point->valid_best;
  return point->update;
}

static const char *
get_warning (gpointer run)
{
  return goban_builder_training_get_warning (run);
}

/* ", validation 0.93 of contiguous splits" */
static void
describe (gpointer run, GString *text)
{
  double score = ((const GobanLearningRun *) run)->best_score;

  if (!isnan (score))
    g_string_append_printf (text, _ (", validation %.3f of contiguous splits"), score);
}

/* --- report ----------------------------------------------------------------------------------- */

/* @first, @last: of the series, makespans over those of contiguous splits at equal evaluations on
 * validation problems. */
static char *
make_text (const GobanTrainingReport *report, const double *first, const double *last)
{
  GString *text = g_string_new (NULL);

  goban_training_report_begin_text (report, text);
  g_string_append (text,
                   "validation over the best of 17 contiguous splits, at as many evaluations:\n");
  g_string_append (text, "           likeliest plan  best of 17\n");
  g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at first", first[GREEDY], first[BEST]);
  if (!isnan (last[GREEDY]))
    g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at last", last[GREEDY], last[BEST]);
  if (!isnan (report->score))
    g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both)\n", "kept",
                            report->score);
  if (report->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", report->warning);
  return g_string_free (text, FALSE);
}

static char *
make_json (const GobanTrainingReport *report, const double *first, const double *last,
           const char *settings)
{
  GString *json = g_string_new ("{");

  goban_training_report_begin_json (report, json);
  goban_json_add_string (json, "settings", settings);
  goban_json_add_string (json, "warning", report->warning != NULL ? report->warning : "");
  goban_json_add_number (json, "greedy_before", first[GREEDY]);
  goban_json_add_number (json, "best_before", first[BEST]);
  goban_json_add_number (json, "greedy", last[GREEDY]);
  goban_json_add_number (json, "best", last[BEST]);
  goban_json_add_number (json, "score", report->score);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

static gsize
count_parameters (const char *path, GError **error)
{
  g_autoptr (GobanBuilderNet) net = goban_builder_net_load (path, error);

  return net != NULL ? goban_params_get_total (net->params) : 0;
}

static void
finish (gpointer run, GobanTrainingReport *report)
{
  const GobanLearningRun *base = run;
  g_autofree char *settings = goban_setting_table_to_text (&base->kind->settings, base->settings);
  double first[N_SERIES], last[N_SERIES];

  read_point (run, GOBAN_LEARNING_FIRST, first);
  goban_training_read_last_trial (&goban_training_builder, run, last);
  report->text = make_text (report, first, last);
  report->json = make_json (report, first, last, settings);
}

static const char *const users[] = { "go-zeroshot", "go-finetune", NULL };

const GobanTrainingKind goban_training_builder = {
  .network = "builder",
  .trial = "lessons=16,validation=1,imitations=0",
  .shipped = { N_ ("1600 random networks"), 2700, 0.919 },
  .purpose = N_ ("Builds plans row by row: go-zeroshot, go-finetune"),
  .policy = "go-zeroshot",
  .users = users,
  .takes = GOBAN_TRAINING_RESUME | GOBAN_TRAINING_FROM | GOBAN_TRAINING_CURVE
           | GOBAN_TRAINING_LEAVE_OUT | GOBAN_TRAINING_SETTINGS | GOBAN_TRAINING_ROLLOUTS
           | GOBAN_TRAINING_EVERY,
  .series = series,
  .n_series = N_SERIES,
  .run = &goban_builder_training_kind,
  .begin = begin,
  .read_point = read_point,
  .get_warning = get_warning,
  .describe = describe,
  .count_parameters = count_parameters,
  .finish = finish,
};
