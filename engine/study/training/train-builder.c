/* train-builder.c: training of the network that builds plans row by row
 * (engine/learn/rl/builder/builder-training.h). */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "engine/study/training/training-kind.h"
#include "engine/study/training/training-loop.h"

#include <math.h>

#define MAX_STEPS 1000000000

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

static gboolean
make_config (const GobanTrainingOptions *options, GobanBuilderTrainingConfig *config,
             GError **error)
{
  *config = goban_builder_training_config_default ();
  config->families = options->left_out != NULL && options->left_out[0] != NULL;
  if (options->settings != NULL
      && !goban_builder_training_config_parse (options->settings, config, error))
    return FALSE;
  if (!goban_training_check_count ("steps", options->n_steps, MAX_STEPS, error)
      || !goban_training_check_count ("rollouts", options->n_rollouts, 256, error)
      || !goban_training_check_count ("steps between trials", options->every, MAX_STEPS, error))
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

static gpointer
begin (const GobanTrainingOptions *options, GError **error)
{
  GobanBuilderTrainingConfig config;
  GobanBuilderTraining *run;
  g_autoptr (GobanBuilderNet) from = NULL;

  if (!make_config (options, &config, error))
    return NULL;
  if (options->from != NULL)
    {
      from = goban_builder_net_load (options->from, error);
      if (from == NULL)
        return NULL;
    }
  run = goban_builder_training_new (&config, options->left_out, error);
  if (run == NULL)
    return NULL;
  goban_builder_training_set_ranks (run, options->ranks);
  if (from != NULL)
    goban_builder_training_begin_with (run, from);
  return run;
}

static gpointer
resume (const GobanTrainingOptions *options, GError **error)
{
  g_autoptr (GobanBuilderTraining) run = NULL;

  if (!goban_training_check_resume (options, error)
      || !goban_training_check_count ("steps", options->n_steps, MAX_STEPS, error))
    return NULL;
  run = goban_builder_training_load (options->resume, error);
  if (run == NULL)
    return NULL;
  goban_builder_training_set_ranks (run, options->ranks);
  if (options->n_steps > 0)
    goban_builder_training_set_end (run, (guint) options->n_steps);
  return g_steal_pointer (&run);
}

static gpointer
peek (const char *path)
{
  return goban_builder_training_load (path, NULL);
}

static void
free_run (gpointer run)
{
  goban_builder_training_free (run);
}

/* --- steps ------------------------------------------------------------------------------------ */

static gboolean
is_done (gpointer run)
{
  return goban_builder_training_is_done (run);
}

static gboolean
step (gpointer run, gboolean *has_tried, const GobanProgress *progress, GError **error)
{
  if (!goban_builder_training_step (run, progress, error))
    return FALSE;
  *has_tried
      = goban_builder_training_get_n_done (run) % goban_builder_training_get_config (run)->every
        == 0;
  return TRUE;
}

static guint
get_step (gpointer run)
{
  return goban_builder_training_get_n_done (run);
}

static const GobanScaling *
get_scaling (gpointer run)
{
  return goban_builder_training_get_scaling (run);
}

static guint
get_n_steps (gpointer run)
{
  return goban_builder_training_get_config (run)->n_updates;
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
  const GArray *points = goban_builder_training_get_points (run);

  const GobanBuilderPoint *first = goban_builder_training_get_first (run);

  if (logged->n_trials == 0 && !isnan (first->valid_greedy))
    {
      add_trial (first, log);
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

static guint
get_kept_step (gpointer run)
{
  return goban_builder_training_get_kept_step (run);
}

/* ", validation 0.93 of contiguous splits" */
static void
describe (gpointer run, GobanTrainingLog *log, GString *text)
{
  double score = goban_builder_training_get_score (run);

  if (!isnan (score))
    g_string_append_printf (text, _ (", validation %.3f of contiguous splits"), score);
}

/* --- files and report ------------------------------------------------------------------------- */

static gboolean
save_run (gpointer run, const char *path, GError **error)
{
  return goban_builder_training_save (run, path, error);
}

static gboolean
save_present (gpointer run, const char *path, GError **error)
{
  return goban_builder_net_save (goban_builder_training_get_average (run), path, error);
}

static gboolean
save_net (gpointer run, const char *path, GError **error)
{
  return goban_builder_net_save (goban_builder_training_get_net (run), path, error);
}

/* Makespans over those of contiguous splits at equal evaluations, on validation problems. */
typedef struct
{
  double first_greedy, first_best;
  double greedy, best; /* at last */
} Validation;

static Validation
get_validation (gpointer run)
{
  const GobanBuilderPoint *first = goban_builder_training_get_first (run);
  const GArray *points = goban_builder_training_get_points (run);
  Validation valid = { first->valid_greedy, first->valid_best, NAN, NAN };

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

  return net != NULL ? goban_params_get_total (goban_builder_net_get_params (net)) : 0;
}

static char *
dup_taught (gpointer run)
{
  const GobanBuilderTrainingConfig *config = goban_builder_training_get_config (run);

  return g_strdup_printf (_ ("%u random networks"), config->n_lessons);
}

static double
get_score (gpointer run)
{
  return goban_builder_training_get_score (run);
}

static void
finish (gpointer run, GobanTrainingLog *log, GobanTrainingReport *report)
{
  g_autofree char *settings
      = goban_builder_training_config_to_text (goban_builder_training_get_config (run));
  Validation valid = get_validation (run);
  GobanBuilderNet *net = goban_builder_training_get_net (run);

  report->n_parameters = goban_params_get_total (goban_builder_net_get_params (net));
  report->score = goban_builder_training_get_score (run);
  report->first_score = sqrt (valid.first_greedy * valid.first_best);
  report->text = make_text (report, &valid);
  report->json = make_json (report, &valid, settings);
}

static gboolean
check_settings (const char *text, GError **error)
{
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();

  return goban_builder_training_config_parse (text, &config, error);
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
  .is_shared = TRUE,
  .describe_settings = goban_builder_training_config_describe,
  .check_settings = check_settings,
  .series = series,
  .n_series = N_SERIES,
  .begin = begin,
  .resume = resume,
  .peek = peek,
  .free = free_run,
  .is_done = is_done,
  .rollouts = &goban_training_builder_rollouts,
  .step = step,
  .get_step = get_step,
  .get_n_steps = get_n_steps,
  .get_scaling = get_scaling,
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

/* --- rollouts and lessons --------------------------------------------------------------------- */

static gboolean
roll_out (gpointer run, GArray *rollouts, const GobanProgress *progress, GError **error)
{
  guint n_groups = goban_builder_training_get_n_groups (run);

  if (!goban_builder_training_roll_out (run, progress, error))
    return FALSE;
  for (guint k = 0; k < n_groups; k++)
    for (guint i = 0; i < goban_builder_training_get_n_rollouts (run); i++)
      {
        GobanBuilderRollout from = goban_builder_training_get_rollout (run, k, i);
        GobanTrainerRollout rollout = { .lesson = g_strdup (from.lesson),
                                        .time_us = from.score_us,
                                        .reference_us = from.reference_us,
                                        .reward = from.reward,
                                        .entropy = from.entropy,
                                        .top_share = from.top_share };

        g_array_append_val (rollouts, rollout);
      }
  return TRUE;
}

/* %FALSE with an error set if there are not so many rollouts. */
static gboolean
check_rollouts (gpointer run, guint n, GError **error)
{
  guint n_all
      = goban_builder_training_get_n_groups (run) * goban_builder_training_get_n_rollouts (run);

  if (n <= n_all)
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "there is no rollout %u of the next update: ask for its rollouts first", n);
  return FALSE;
}

static GobanPlan *
dup_plan (gpointer run, guint index, GobanCostModel **costs, GError **error)
{
  guint n = goban_builder_training_get_n_rollouts (run);

  if (!check_rollouts (run, index + 1, error))
    return NULL;
  *costs
      = goban_cost_model_ref (goban_builder_training_get_rollout (run, index / n, index % n).costs);
  return goban_builder_training_dup_plan (run, index / n, index % n);
}

static gboolean
set_rewards (gpointer run, const double *rewards, guint n, GError **error)
{
  guint n_rollouts = goban_builder_training_get_n_rollouts (run);

  if (!check_rollouts (run, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    goban_builder_training_set_reward (run, i / n_rollouts, i % n_rollouts, rewards[i]);
  return TRUE;
}

static guint
get_n_lessons (gpointer run)
{
  return goban_builder_training_get_n_groups (run);
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
  measured.update = goban_builder_training_get_n_done (run);
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
