/* train-builder.c: training of the network that builds plans row by row
 * (engine/learn/rl/builder/builder-training.h). */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/learn/rl/builder/builder-training.h"
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

static void
set_ranks (gpointer run, GobanRanks *ranks)
{
  ((GobanBuilderTraining *) run)->ranks = ranks;
}

static const GobanScaling *
get_scaling (gpointer run)
{
  return &((GobanBuilderTraining *) run)->scaling;
}

/* --- log -------------------------------------------------------------------------------------- */

/* A trial's point of the log. */
static GobanTrainingPoint
builder_trial_new (const GobanBuilderPoint *from)
{
  GobanTrainingPoint point = goban_training_point_new (from->update, 1, TRUE);

  point.values[GREEDY] = from->valid_greedy;
  point.values[BEST] = from->valid_best;
  return point;
}

static void
add_trial (const GobanBuilderPoint *from, GobanTrainingLog *log)
{
  GobanTrainingPoint point = builder_trial_new (from);

  goban_training_log_add (log, &point);
}

static void
add_update (const GobanBuilderPoint *from, GobanTrainingLog *log)
{
  GobanTrainingPoint point = goban_training_point_new (from->update, 0, FALSE);

  point.values[REWARD] = from->reward;
  point.values[IMITATES] = from->imitates;
  point.values[ENTROPY] = from->entropy;
  point.values[TOP_SHARE] = from->top_share;
  point.values[EVEN_SHARE] = from->even_share;
  point.values[GRADIENT] = from->gradient_norm;
  goban_training_log_add (log, &point);
  if (!isnan (from->valid_greedy))
    add_trial (from, log);
}

static void
add_points (gpointer run, GobanTrainingLogged *logged, GobanTrainingLog *log)
{
  const GobanBuilderTraining *self = run;
  const GArray *points = self->base.points;

  if (logged->n_trials == 0 && !isnan (self->first.valid_greedy))
    {
      add_trial (&self->first, log);
      logged->n_trials = 1;
    }
  for (; logged->n_points < points->len; logged->n_points++)
    add_update (&g_array_index (points, GobanBuilderPoint, logged->n_points), log);
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

/* Makespans over those of contiguous splits at equal evaluations, on validation problems. */
typedef struct
{
  double first_greedy, first_best;
  double greedy, best; /* at last */
} Validation;

static Validation
get_validation (const GobanBuilderTraining *run)
{
  const GArray *points = run->base.points;
  Validation valid = { run->first.valid_greedy, run->first.valid_best, NAN, NAN };

  for (guint i = 0; i < points->len; i++)
    {
      const GobanBuilderPoint *point = &g_array_index (points, GobanBuilderPoint, i);

      if (isnan (point->valid_greedy))
        continue;
      valid.greedy = point->valid_greedy;
      valid.best = point->valid_best;
    }
  return valid;
}

static char *
make_text (const GobanTrainingReport *report, const Validation *valid)
{
  GString *text = g_string_new (NULL);

  goban_training_report_begin_text (report, text);
  g_string_append (text,
                   "validation over the best of 17 contiguous splits, at as many evaluations:\n");
  g_string_append (text, "           likeliest plan  best of 17\n");
  g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at first", valid->first_greedy,
                          valid->first_best);
  if (!isnan (valid->greedy))
    g_string_append_printf (text, "%-10s %14.3f  %10.3f\n", "at last", valid->greedy, valid->best);
  if (!isnan (report->score))
    g_string_append_printf (text, "%-10s %14.3f  (geometric mean of both)\n", "kept",
                            report->score);
  if (report->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", report->warning);
  return g_string_free (text, FALSE);
}

static char *
make_json (const GobanTrainingReport *report, const Validation *valid, const char *settings)
{
  GString *json = g_string_new ("{");

  goban_training_report_begin_json (report, json);
  goban_json_add_string (json, "settings", settings);
  goban_json_add_string (json, "warning", report->warning != NULL ? report->warning : "");
  goban_json_add_number (json, "greedy_before", valid->first_greedy);
  goban_json_add_number (json, "best_before", valid->first_best);
  goban_json_add_number (json, "greedy", valid->greedy);
  goban_json_add_number (json, "best", valid->best);
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
  Validation valid = get_validation (run);

  report->text = make_text (report, &valid);
  report->json = make_json (report, &valid, settings);
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
  .rollouts = &goban_training_builder_rollouts,
  .set_ranks = set_ranks,
  .get_scaling = get_scaling,
  .add_points = add_points,
  .get_warning = get_warning,
  .describe = describe,
  .count_parameters = count_parameters,
  .finish = finish,
};

/* --- rollouts and lessons --------------------------------------------------------------------- */

static gboolean
roll_out (gpointer run, GArray *rollouts, const GobanProgress *progress, GError **error)
{
  const GobanBuilderTraining *self = run;

  if (!goban_builder_training_roll_out (run, progress, error))
    return FALSE;
  for (guint k = 0; k < self->config.n_problems; k++)
    for (guint i = 0; i < self->groups[k].n_rollouts; i++)
      {
        const GobanBuilderGroup *group = &self->groups[k];
        GobanTrainerRollout rollout = { .lesson = g_strdup (group->name),
                                        .time_us = group->scores_us[i],
                                        .reference_us = group->problem->reference_us,
                                        .reward = group->rewards[i],
                                        .entropy = group->entropies[i],
                                        .top_share = group->top_shares[i] };

        g_array_append_val (rollouts, rollout);
      }
  return TRUE;
}

/* %FALSE with an error set if there are not so many rollouts. */
static gboolean
check_rollouts (const GobanBuilderTraining *self, guint n, GError **error)
{
  if (n <= (self->has_rollouts ? self->config.n_problems * self->groups[0].n_rollouts : 0))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "there is no rollout %u of the next update: ask for its rollouts first", n);
  return FALSE;
}

static GobanPlan *
dup_plan (gpointer run, guint index, GobanCostModel **costs, GError **error)
{
  const GobanBuilderTraining *self = run;
  guint n = self->groups[0].n_rollouts;

  if (!check_rollouts (run, index + 1, error))
    return NULL;
  *costs = goban_cost_model_ref (self->groups[index / n].problem->costs);
  return goban_builder_training_dup_plan (run, index / n, index % n);
}

static gboolean
set_rewards (gpointer run, const double *rewards, guint n, GError **error)
{
  guint n_rollouts = ((const GobanBuilderTraining *) run)->groups[0].n_rollouts;

  if (!check_rollouts (run, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    goban_builder_training_set_reward (run, i / n_rollouts, i % n_rollouts, rewards[i]);
  return TRUE;
}

static guint
get_n_lessons (gpointer run)
{
  return ((const GobanBuilderTraining *) run)->config.n_problems;
}

static gboolean
teach (gpointer run, GobanCostModel *const *costs, guint n, GError **error)
{
  return goban_builder_training_teach (run, costs, n, error);
}

static gboolean
set_validation (gpointer run, GobanCostModel *const *costs, guint n, GError **error)
{
  return goban_builder_training_set_validation (run, costs, n, error);
}

static gboolean
measure (gpointer run, GobanTrainingPoint *point, const GobanProgress *progress, GError **error)
{
  GobanBuilderPoint measured = { .valid_greedy = NAN, .valid_best = NAN };

  if (!goban_builder_training_measure (run, &measured, progress, error))
    return FALSE;
  measured.update = ((const GobanLearningRun *) run)->n_done;
  *point = builder_trial_new (&measured);
  return TRUE;
}

const GobanTrainingRollouts goban_training_builder_rollouts = {
  .roll_out = roll_out,
  .dup_plan = dup_plan,
  .set_rewards = set_rewards,
  .get_n_lessons = get_n_lessons,
  .teach = teach,
  .set_validation = set_validation,
  .measure = measure,
};
