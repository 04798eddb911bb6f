#include "engine/rl/builder-training-private.h"

#include "engine/base/error.h"
#include "engine/nn/adam.h"
#include "engine/nn/vector.h"
#include "engine/rl/builder-training-file.h"
#include "engine/rl/collapse.h"
#include "engine/rl/training-fields.h"

#include <math.h>

/* Added to the deviation of rewards, so that negligible differences are not amplified. */
#define LEAST_DEVIATION 0.02
/* Factor of gradients, which are means over decisions and so small that Adam's epsilon would
 * matter. */
#define GRADIENT_SCALE 10
#define BETA2 0.99

#define N_SAMPLES (GOBAN_BUILDER_N_SPLITS - 1)
#define TRY_TEMPERATURE 2

/* --- configuration -------------------------------------------------------------------------- */

GobanBuilderTrainingConfig
goban_builder_training_config_default (void)
{
  return (GobanBuilderTrainingConfig){
    .n_updates = 9000,
    .n_lessons = 800,
    .n_problems = 4,
    .n_rollouts = 8,
    .n_imitations = 60,
    .n_labels = 100,
    .n_validation = 64,
    .every = 300,
    .rate = 4e-3,
    .last_rate = 0.1,
    .entropy = 0.012,
    .risk = 1.5,
    .temperature = 1,
    .average = 0.995,
    .encoder_rate = 0.25,
  };
}

static const GobanTrainingField fields[] = {
  { "seed", offsetof (GobanBuilderTrainingConfig, seed), GOBAN_FIELD_SEED, 0, 0, NULL },
  { "updates", offsetof (GobanBuilderTrainingConfig, n_updates), GOBAN_FIELD_COUNT, 1, 1e9, NULL },
  { "lessons", offsetof (GobanBuilderTrainingConfig, n_lessons), GOBAN_FIELD_COUNT, 1, 1e5, NULL },
  { "problems", offsetof (GobanBuilderTrainingConfig, n_problems), GOBAN_FIELD_COUNT, 1, 64, NULL },
  { "rollouts", offsetof (GobanBuilderTrainingConfig, n_rollouts), GOBAN_FIELD_COUNT, 2, 256,
    NULL },
  { "imitations", offsetof (GobanBuilderTrainingConfig, n_imitations), GOBAN_FIELD_COUNT, 0, 1e9,
    NULL },
  { "labels", offsetof (GobanBuilderTrainingConfig, n_labels), GOBAN_FIELD_COUNT, 0, 1e6, NULL },
  { "validation", offsetof (GobanBuilderTrainingConfig, n_validation), GOBAN_FIELD_COUNT, 1, 1e4,
    NULL },
  { "every", offsetof (GobanBuilderTrainingConfig, every), GOBAN_FIELD_COUNT, 1, 1e9, NULL },
  { "rate", offsetof (GobanBuilderTrainingConfig, rate), GOBAN_FIELD_NUMBER, 0, 1, NULL },
  { "last-rate", offsetof (GobanBuilderTrainingConfig, last_rate), GOBAN_FIELD_NUMBER, 0, 1, NULL },
  { "entropy", offsetof (GobanBuilderTrainingConfig, entropy), GOBAN_FIELD_NUMBER, 0, 10, NULL },
  { "risk", offsetof (GobanBuilderTrainingConfig, risk), GOBAN_FIELD_NUMBER, 0, 20, NULL },
  { "temperature", offsetof (GobanBuilderTrainingConfig, temperature), GOBAN_FIELD_NUMBER, 0.01,
    100, NULL },
  { "average", offsetof (GobanBuilderTrainingConfig, average), GOBAN_FIELD_NUMBER, 0, 0.999999,
    NULL },
  { "families", offsetof (GobanBuilderTrainingConfig, families), GOBAN_FIELD_COUNT, 0, 1, NULL },
  { "encoder", offsetof (GobanBuilderTrainingConfig, encoder), GOBAN_FIELD_WORD, 0, 0,
    goban_encoder_names },
  { "encoder-rate", offsetof (GobanBuilderTrainingConfig, encoder_rate), GOBAN_FIELD_NUMBER, 0, 1,
    NULL },
};

char *
goban_builder_training_config_to_text (const GobanBuilderTrainingConfig *self)
{
  return goban_training_fields_to_text (fields, G_N_ELEMENTS (fields), self);
}

gboolean
goban_builder_training_config_parse (const char *text, GobanBuilderTrainingConfig *config,
                                     GError **error)
{
  GobanBuilderTrainingConfig own = *config;

  if (!goban_training_fields_parse (fields, G_N_ELEMENTS (fields), text, &own, error))
    return FALSE;
  *config = own;
  return TRUE;
}

/* --- life ----------------------------------------------------------------------------------- */

GobanBuilderTraining *
goban_builder_training_new_empty (const GobanBuilderTrainingConfig *config,
                                  const char *const *left_out, GError **error)
{
  g_autoptr (GobanCurriculum) families = goban_curriculum_new (left_out, error);
  GobanBuilderTraining *self;

  if (families == NULL)
    return NULL;
  goban_curriculum_add_built_in (families);
  self = g_new0 (GobanBuilderTraining, 1);
  self->config = *config;
  self->families = g_steal_pointer (&families);
  self->best_score = NAN;
  self->first = (GobanBuilderPoint){ .valid_greedy = NAN, .valid_best = NAN };
  self->points = g_array_new (FALSE, FALSE, sizeof (GobanBuilderPoint));
  self->lessons = g_new0 (GobanBuilderProblem *, config->n_lessons);
  self->labels = g_new0 (guint32 *, config->n_lessons);
  self->validation = g_new0 (GobanBuilderProblem *, config->n_validation);
  self->records = g_new0 (GobanBuildRecord *, config->n_rollouts);
  for (guint i = 0; i < config->n_rollouts; i++)
    self->records[i] = goban_build_record_new ();
  return self;
}

GobanBuilderTraining *
goban_builder_training_new (const GobanBuilderTrainingConfig *config, const char *const *left_out,
                            GError **error)
{
  GobanBuilderTraining *self = goban_builder_training_new_empty (config, left_out, error);

  if (self == NULL)
    return NULL;
  goban_rng_init (&self->rng, config->seed);
  self->net = goban_builder_net_new_with ((GobanEncoder) config->encoder, &self->rng);
  self->average = goban_builder_net_copy (self->net);
  self->best = goban_builder_net_copy (self->net);
  return self;
}

void
goban_builder_training_free (GobanBuilderTraining *self)
{
  for (guint i = 0; i < self->config.n_lessons; i++)
    {
      g_clear_pointer (&self->lessons[i], goban_builder_problem_free);
      g_free (self->labels[i]);
    }
  for (guint i = 0; i < self->config.n_validation; i++)
    g_clear_pointer (&self->validation[i], goban_builder_problem_free);
  for (guint i = 0; i < self->config.n_rollouts; i++)
    goban_build_record_free (self->records[i]);
  g_free (self->lessons);
  g_free (self->labels);
  g_free (self->validation);
  g_free (self->records);
  g_clear_pointer (&self->net, goban_builder_net_free);
  g_clear_pointer (&self->average, goban_builder_net_free);
  g_clear_pointer (&self->best, goban_builder_net_free);
  goban_curriculum_free (self->families);
  g_array_unref (self->points);
  g_free (self);
}

/* --- accessors ------------------------------------------------------------------------------ */

const GobanBuilderTrainingConfig *
goban_builder_training_get_config (const GobanBuilderTraining *self)
{
  return &self->config;
}

guint
goban_builder_training_get_n_done (const GobanBuilderTraining *self)
{
  return self->n_done;
}

gboolean
goban_builder_training_is_done (const GobanBuilderTraining *self)
{
  return self->n_done >= self->config.n_updates;
}

void
goban_builder_training_set_end (GobanBuilderTraining *self, guint n_updates)
{
  self->config.n_updates = n_updates;
}

const GArray *
goban_builder_training_get_points (const GobanBuilderTraining *self)
{
  return self->points;
}

GobanBuilderNet *
goban_builder_training_get_net (GobanBuilderTraining *self)
{
  return isnan (self->best_score) ? self->average : self->best;
}

double
goban_builder_training_get_score (const GobanBuilderTraining *self)
{
  return self->best_score;
}

const GobanBuilderPoint *
goban_builder_training_get_first (const GobanBuilderTraining *self)
{
  return &self->first;
}

const char *
goban_builder_training_get_warning (const GobanBuilderTraining *self)
{
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n = MIN (self->points->len, GOBAN_COLLAPSE_WINDOW);

  for (guint i = 0; i < n; i++)
    {
      const GobanBuilderPoint *point
          = &g_array_index (self->points, GobanBuilderPoint, self->points->len - n + i);

      signs[i] = (GobanCollapseSign){ point->entropy, point->top_share };
    }
  return goban_collapse_describe (signs, n);
}

/* --- problems ------------------------------------------------------------------------------- */

/* (nullable) borrowed. */
static GobanBuilderProblem *
get_problem (const GobanBuilderTraining *self, GobanBuilderProblem **problems, gint index,
             GError **error)
{
  guint at = (guint) (index < 0 ? -1 - index : index);
  g_autoptr (GobanBuilderLesson) lesson = NULL;

  if (problems[at] != NULL)
    return problems[at];
  lesson = goban_builder_lesson_draw (self->config.seed, index,
                                      index >= 0 && self->config.families ? self->families : NULL);
  problems[at] = goban_builder_lesson_load (lesson, error);
  if (problems[at] == NULL)
    {
      g_autofree char *name = goban_builder_lesson_to_text (lesson);

      g_prefix_error (error, "lesson %s: ", name);
    }
  return problems[at];
}

/* Anneals with a random number generator of its own, so the result does not depend on the time of
 * the call. */
static const guint32 *
get_label (GobanBuilderTraining *self, guint index)
{
  GobanBuilderProblem *problem = self->lessons[index];
  GobanRng rng;

  if (self->labels[index] != NULL)
    return self->labels[index];
  goban_rng_init (&rng, self->config.seed + index);
  self->labels[index] = g_new (guint32, problem->rows->n_rows);
  goban_builder_problem_anneal (problem, self->config.n_labels, &rng, self->labels[index]);
  return self->labels[index];
}

/* --- validation ----------------------------------------------------------------------------- */

static gboolean
try_net (GobanBuilderTraining *self, GobanBuilderPoint *point, const GobanProgress *progress,
         GError **error)
{
  double greedy = 0;
  double best = 0;

  for (guint i = 0; i < self->config.n_validation; i++)
    {
      GobanBuilderProblem *problem = get_problem (self, self->validation, -1 - (gint) i, error);
      double greedy_us;
      double best_us;

      if (problem == NULL || !goban_progress_check (progress, error))
        return FALSE;
      best_us = goban_builder_problem_try (problem, self->average, N_SAMPLES, TRY_TEMPERATURE,
                                           &greedy_us);
      greedy += goban_log (greedy_us / problem->reference_us) / self->config.n_validation;
      best += goban_log (best_us / problem->reference_us) / self->config.n_validation;
    }
  point->valid_greedy = exp (greedy);
  point->valid_best = exp (best);
  return TRUE;
}

static void
keep_best (GobanBuilderTraining *self, const GobanBuilderPoint *point)
{
  double score = sqrt (point->valid_greedy * point->valid_best);

  if (isnan (score) || score >= self->best_score)
    return;
  self->best_score = score;
  goban_builder_net_average (self->best, self->average, 0);
}

/* --- updates -------------------------------------------------------------------------------- */

static double
get_fraction (const GobanBuilderTraining *self)
{
  return MIN (1, (double) self->n_done / self->config.n_updates);
}

/* Sums over the rollouts of an update. */
typedef struct
{
  double reward;
  double entropy;
  double top_share;
  double even_share;
  guint n;
} Sums;

static void
add_rollout (Sums *sums, const GobanBuilderProblem *problem, const GobanBuildRecord *record,
             const guint32 *devices, double reward)
{
  sums->reward += reward;
  sums->entropy += goban_build_record_get_entropy (record);
  sums->top_share += goban_builder_problem_get_top_share (problem, devices);
  sums->even_share += 1.0 / problem->rows->n_devices;
  sums->n++;
}

static void
imitate (GobanBuilderTraining *self, guint index, Sums *sums)
{
  GobanBuilderProblem *problem = self->lessons[index];
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self->net, problem->rows);
  GobanBuildOptions options
      = { .wanted = get_label (self, index), .encoding = encoding, .record = self->records[0] };
  GobanBuildLesson lesson = { .advantage = GRADIENT_SCALE / (double) self->config.n_problems,
                              .pools = TRUE,
                              .encoding = encoding };
  double score_us;

  goban_plan_builder_build (problem->builder, self->net, &options, devices);
  score_us = goban_builder_problem_score_us (
      problem, goban_builder_problem_evaluate (problem, devices, GOBAN_STATIC_TRANSFERS));
  goban_build_record_learn (self->records[0], self->net, &lesson, problem->units->classes);
  if (encoding != NULL)
    goban_row_encoding_backward (encoding, self->net);
  add_rollout (sums, problem, self->records[0], devices,
               goban_builder_problem_reward (problem, score_us));
}

/* Builds n_rollouts plans of the problem and writes their rewards. */
static void
roll_out (GobanBuilderTraining *self, GobanBuilderProblem *problem,
          const GobanRowEncoding *encoding, double *rewards, Sums *sums)
{
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);

  for (guint i = 0; i < self->config.n_rollouts; i++)
    {
      GobanBuildOptions options = { .temperature = self->config.temperature,
                                    .rng = &self->rng,
                                    .encoding = encoding,
                                    .record = self->records[i] };
      double score_us;

      goban_plan_builder_build (problem->builder, self->net, &options, devices);
      score_us = goban_builder_problem_score_us (
          problem, goban_builder_problem_evaluate (problem, devices, GOBAN_STATIC_TRANSFERS));
      rewards[i] = goban_builder_problem_reward (problem, score_us);
      add_rollout (sums, problem, self->records[i], devices, rewards[i]);
    }
}

void
goban_builder_training_weigh (double *rewards, guint n, double risk)
{
  double mean = 0, variance = 0, squares = 0, sum = 0;
  double deviation;

  for (guint i = 0; i < n; i++)
    mean += rewards[i] / n;
  for (guint i = 0; i < n; i++)
    variance += (rewards[i] - mean) * (rewards[i] - mean) / n;
  deviation = sqrt (variance);
  for (guint i = 0; i < n; i++)
    rewards[i] = (rewards[i] - mean) / (deviation + LEAST_DEVIATION);
  if (risk <= 0)
    return;
  for (guint i = 0; i < n; i++)
    sum += rewards[i] = (double) goban_exp ((float) (risk * rewards[i]));
  for (guint i = 0; i < n; i++)
    {
      rewards[i] = n * rewards[i] / sum - 1;
      squares += rewards[i] * rewards[i] / n;
    }
  for (guint i = 0; i < n && squares > 0; i++)
    rewards[i] *= deviation / (deviation + LEAST_DEVIATION) / sqrt (squares);
}

static void
reinforce (GobanBuilderTraining *self, guint index, Sums *sums)
{
  guint n = self->config.n_rollouts;
  g_autofree double *rewards = g_new (double, n);
  double scale = GRADIENT_SCALE / (double) (n * self->config.n_problems);
  GobanBuilderProblem *problem = self->lessons[index];
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self->net, problem->rows);

  roll_out (self, problem, encoding, rewards, sums);
  goban_builder_training_weigh (rewards, n, self->config.risk);
  for (guint i = 0; i < n; i++)
    {
      GobanBuildLesson lesson = { .advantage = scale * rewards[i],
                                  .entropy = scale * self->config.entropy,
                                  .encoding = encoding };

      goban_build_record_learn (self->records[i], self->net, &lesson, NULL);
    }
  if (encoding != NULL)
    goban_row_encoding_backward (encoding, self->net);
}

static gboolean
climb (GobanBuilderTraining *self, double *norm, GError **error)
{
  const GobanBuilderTrainingConfig *config = &self->config;
  GobanParams *params = goban_builder_net_get_params (self->net);
  GobanAdam adam
      = goban_adam_new (config->rate * (1 - (1 - config->last_rate) * get_fraction (self)));
  double n = self->n_done + 1;

  adam.beta2 = BETA2;
  adam.first_slow = GOBAN_SCORER_NET_N_TENSORS;
  adam.slow_share = config->encoder_rate;
  if (!goban_adam_step (&adam, params, norm, error))
    return FALSE;
  /* The average forgets faster at first, or the initial weights would dominate it for long. */
  goban_builder_net_average (self->average, self->net, MIN (config->average, n / (n + 10)));
  return TRUE;
}

/* Draws lessons, distinct ones if there are enough. */
static gboolean
draw_lessons (GobanBuilderTraining *self, guint *drawn, GError **error)
{
  for (guint i = 0; i < self->config.n_problems; i++)
    {
      drawn[i] = goban_rng_below (&self->rng, self->config.n_lessons);
      if (get_problem (self, self->lessons, (gint) drawn[i], error) == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
update (GobanBuilderTraining *self, GobanBuilderPoint *point, GError **error)
{
  g_autofree guint *drawn = g_new (guint, self->config.n_problems);
  Sums sums = { 0 };

  if (!draw_lessons (self, drawn, error))
    return FALSE;
  goban_params_zero_grad (goban_builder_net_get_params (self->net));
  for (guint i = 0; i < self->config.n_problems; i++)
    if (point->imitates)
      imitate (self, drawn[i], &sums);
    else
      reinforce (self, drawn[i], &sums);
  point->reward = sums.reward / sums.n;
  point->entropy = sums.entropy / sums.n;
  point->top_share = sums.top_share / sums.n;
  point->even_share = sums.even_share / sums.n;
  return climb (self, &point->gradient_norm, error);
}

gboolean
goban_builder_training_step (GobanBuilderTraining *self, const GobanProgress *progress,
                             GError **error)
{
  GobanRng rng = self->rng;
  GobanBuilderPoint point = { .update = self->n_done + 1,
                              .imitates = self->n_done < self->config.n_imitations,
                              .valid_greedy = NAN,
                              .valid_best = NAN };

  g_return_val_if_fail (!goban_builder_training_is_done (self), FALSE);

  if (isnan (self->first.valid_greedy) && !try_net (self, &self->first, progress, error))
    return FALSE;
  if (!goban_progress_check (progress, error) || !update (self, &point, error))
    {
      self->rng = rng;
      return FALSE;
    }
  self->n_done++;
  /* A validation only selects the best network, so a cancelled one is ignored. */
  if (self->n_done % self->config.every == 0 || goban_builder_training_is_done (self))
    {
      if (try_net (self, &point, progress, NULL)) /* the next step reports the error */
        keep_best (self, &point);
      else
        point.valid_greedy = point.valid_best = NAN;
    }
  g_array_append_val (self->points, point);
  return TRUE;
}
