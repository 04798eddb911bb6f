#include "engine/learn/rl/builder/builder-training.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/builder/builder-training-private.h"
#include "engine/learn/rl/collapse.h"
#include "engine/learn/rl/run-file.h"
#include "engine/learn/rl/setting-fields.h"

#include <math.h>

#define BETA2 0.99

#define N_SAMPLES (GOBAN_BUILDER_N_SPLITS - 1)
#define TRY_TEMPERATURE 2

/* Trials and updates before a warning. */
#define N_WORSE 3
#define N_FLAT 10

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
    .embedding = TRUE,
    .attention = TRUE,
    .modulation = TRUE,
    .devices = TRUE,
    .actions = TRUE,
    .encoder_rate = 0.25,
  };
}

#define FIELD(kind, ...) GOBAN_SETTING_FIELD (kind, GobanBuilderTrainingConfig, __VA_ARGS__)

/* clang-format off */
static const GobanSettingField fields[] = {
  FIELD (SEED, "seed", seed, 0, 0, "of all chance"),
  FIELD (COUNT, "updates", n_updates, 1, 1e9, "steps of training"),
  FIELD (COUNT, "lessons", n_lessons, 1, 1e5,
         "random problems that are drawn before the first step"),
  FIELD (COUNT, "problems", n_problems, 1, 64, "of a step"),
  FIELD (COUNT, "rollouts", n_rollouts, 2, 256,
         "plans of a problem in a step, compared with each other"),
  FIELD (COUNT, "imitations", n_imitations, 0, 1e9, "steps at first that follow annealed plans"),
  FIELD (COUNT, "labels", n_labels, 0, 1e6, "evaluations of each of these plans"),
  FIELD (COUNT, "validation", n_validation, 1, 1e4, "problems that the best network is chosen by"),
  FIELD (COUNT, "every", every, 1, 1e9, "steps between trials on them"),
  FIELD (NUMBER, "rate", rate, 0, 1, "of Adam at first"),
  FIELD (NUMBER, "last-rate", last_rate, 0, 1, "the last rate, as a share of the first"),
  FIELD (NUMBER, "entropy", entropy, 0, 10, "weight of the bonus for undecided rows"),
  FIELD (NUMBER, "risk", risk, 0, 20,
         "how much more the best plans of a problem weigh; 0: as they are"),
  FIELD (NUMBER, "temperature", temperature, 0.01, 100, "of the draws of plans"),
  FIELD (NUMBER, "average", average, 0, 0.999999,
         "share that the moving average of the weights keeps in a step"),
  FIELD (NUMBER, "entropy-floor", entropy_floor, 0, 10,
         "nats of a decision below which the bonus is raised; 0: never"),
  FIELD (COUNT, "structures", structures, 0, 1,
         "1: lessons are layers, branches and the like, too"),
  FIELD (COUNT, "families", families, 0, 1,
         "1: every fourth lesson is of a model family that is not left out"),
  FIELD (COUNT, "embedding", embedding, 0, 1, "0: the network has no embedding of the graph"),
  FIELD (COUNT, "attention", attention, 0, 1, "0: it has no attention"),
  FIELD (COUNT, "modulation", modulation, 0, 1, "0: it has no modulation by the graph"),
  FIELD (COUNT, "devices", devices, 0, 1, "0: it does not see the other devices of a row"),
  FIELD (COUNT, "actions", actions, 0, 1, "0: it does not see what was decided before"),
  FIELD (NUMBER, "encoder-rate", encoder_rate, 0, 1,
         "of Adam for the embedding, as a share of the others"),
};
/* clang-format on */

char *
goban_builder_training_config_describe (void)
{
  const GobanBuilderTrainingConfig usual = goban_builder_training_config_default ();

  return goban_setting_fields_describe (fields, G_N_ELEMENTS (fields), &usual);
}

char *
goban_builder_training_config_to_text (const GobanBuilderTrainingConfig *self)
{
  return goban_setting_fields_to_text (fields, G_N_ELEMENTS (fields), self);
}

gboolean
goban_builder_training_config_parse (const char *text, GobanBuilderTrainingConfig *config,
                                     GError **error)
{
  GobanBuilderTrainingConfig own = *config;

  if (!goban_setting_fields_parse (fields, G_N_ELEMENTS (fields), text, &own, error))
    return FALSE;
  *config = own;
  return TRUE;
}

GobanDecoderParts
goban_builder_training_config_get_parts (const GobanBuilderTrainingConfig *self)
{
  return (self->embedding ? GOBAN_PART_EMBEDDING : 0) | (self->attention ? GOBAN_PART_ATTENTION : 0)
         | (self->modulation ? GOBAN_PART_MODULATION : 0) | (self->devices ? GOBAN_PART_DEVICES : 0)
         | (self->actions ? GOBAN_PART_ACTIONS : 0);
}

/* --- construction and disposal -------------------------------------------------------------- */

/* Without networks and points. (nullable): as goban_builder_training_new(). */
static GobanBuilderTraining *
new_empty (const GobanBuilderTrainingConfig *config, const char *const *left_out, GError **error)
{
  g_autoptr (GobanCurriculum) families = goban_curriculum_new (left_out, error);
  GobanBuilderTraining *self;

  if (families == NULL)
    return NULL;
  self = g_new0 (GobanBuilderTraining, 1);
  self->config = *config;
  self->families = g_steal_pointer (&families);
  self->best_score = NAN;
  self->first = (GobanBuilderPoint){ .valid_greedy = NAN, .valid_best = NAN };
  self->points = g_array_new (FALSE, FALSE, sizeof (GobanBuilderPoint));
  goban_builder_rollouts_init (self);
  return self;
}

GobanBuilderTraining *
goban_builder_training_new (const GobanBuilderTrainingConfig *config, const char *const *left_out,
                            GError **error)
{
  GobanBuilderTraining *self = new_empty (config, left_out, error);

  if (self == NULL)
    return NULL;
  goban_rng_init (&self->rng, config->seed);
  self->net = goban_builder_net_new (goban_builder_training_config_get_parts (config), &self->rng);
  self->average = goban_builder_net_copy (self->net);
  self->best = goban_builder_net_copy (self->net);
  return self;
}

void
goban_builder_training_begin_with (GobanBuilderTraining *self, const GobanBuilderNet *net)
{
  GobanBuilderNet *own[] = { self->net, self->average, self->best };

  g_return_if_fail (self->n_done == 0);

  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    goban_builder_net_adopt (own[i], net);
}

void
goban_builder_training_free (GobanBuilderTraining *self)
{
  goban_builder_rollouts_clear (self);
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

/* Whether the last update is to be validated, and was not: a validation can be cancelled. */
static gboolean
owes_validation (const GobanBuilderTraining *self)
{
  guint n = self->points->len;

  return n > 0 && isnan (g_array_index (self->points, GobanBuilderPoint, n - 1).valid_greedy)
         && (self->n_done % self->config.every == 0 || self->n_done >= self->config.n_updates);
}

gboolean
goban_builder_training_is_done (const GobanBuilderTraining *self)
{
  return self->n_done >= self->config.n_updates && !owes_validation (self);
}

void
goban_builder_training_set_end (GobanBuilderTraining *self, guint n_updates)
{
  self->config.n_updates = n_updates;
}

void
goban_builder_training_set_ranks (GobanBuilderTraining *self, GobanRanks *ranks)
{
  self->ranks = ranks;
}

const GobanScaling *
goban_builder_training_get_scaling (const GobanBuilderTraining *self)
{
  return &self->scaling;
}

const GArray *
goban_builder_training_get_points (const GobanBuilderTraining *self)
{
  return self->points;
}

/* Random networks do not say how good a network is at lessons or rewards of the caller's. */
static gboolean
keeps_present (const GobanBuilderTraining *self)
{
  return self->has_own_goal && !self->has_own_validation;
}

static double
get_point_score (const GobanBuilderPoint *point)
{
  return sqrt (point->valid_greedy * point->valid_best);
}

GobanBuilderNet *
goban_builder_training_get_net (GobanBuilderTraining *self)
{
  return isnan (self->best_score) || keeps_present (self) ? self->average : self->best;
}

GobanBuilderNet *
goban_builder_training_get_average (GobanBuilderTraining *self)
{
  return self->average;
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

guint
goban_builder_training_get_kept_step (const GobanBuilderTraining *self)
{
  if (isnan (self->best_score) || keeps_present (self))
    return self->n_done;
  for (guint i = 0; self->best_score != get_point_score (&self->first) && i < self->points->len;
       i++)
    {
      const GobanBuilderPoint *point = &g_array_index (self->points, GobanBuilderPoint, i);

      if (get_point_score (point) == self->best_score)
        return point->update;
    }
  return 0;
}

/* Whether the last trials were all worse than the first. */
static gboolean
gets_worse (const GobanBuilderTraining *self)
{
  double first = get_point_score (&self->first);
  guint n = 0;

  for (guint i = self->points->len; i > 0 && n < N_WORSE; i--)
    {
      double score = get_point_score (&g_array_index (self->points, GobanBuilderPoint, i - 1));

      if (score <= first)
        return FALSE;
      n += !isnan (score);
    }
  return n == N_WORSE;
}

const char *
goban_builder_training_get_warning (const GobanBuilderTraining *self)
{
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n = MIN (self->points->len, GOBAN_COLLAPSE_WINDOW);
  const char *collapse;

  for (guint i = 0; i < n; i++)
    {
      const GobanBuilderPoint *point
          = &g_array_index (self->points, GobanBuilderPoint, self->points->len - n + i);

      signs[i] = (GobanCollapseSign){ point->entropy, point->top_share };
    }
  collapse = goban_collapse_describe (signs, n);
  if (collapse != NULL)
    return collapse;
  if (self->n_flat >= N_FLAT)
    return N_ ("learns nothing: in the last updates all plans of a problem had the same reward");
  return gets_worse (self) ? N_ ("gets worse: in validation the last trials were worse than the "
                                 "network it began with")
                           : NULL;
}

/* --- validation ----------------------------------------------------------------------------- */

/* The logarithms of a validation problem's scores over its reference. */
typedef struct
{
  double greedy;
  double best;
} Score;

/* Tries this rank's share of the problems. @scores: of Score */
static gboolean
try_own (GobanBuilderTraining *self, GArray *scores, const GobanProgress *progress, GError **error)
{
  guint first, end;

  goban_ranks_share_own (self->ranks, self->config.n_validation, &first, &end);
  for (guint i = first; i < end; i++)
    {
      GobanBuilderProblem *problem
          = goban_builder_training_get_problem (self, -1 - (gint) i, error);
      double greedy_us;
      double best_us;
      Score score;

      if (problem == NULL || !goban_progress_check (progress, error))
        return FALSE;
      best_us = goban_builder_problem_try (problem, self->average, N_SAMPLES, TRY_TEMPERATURE,
                                           &greedy_us);
      score = (Score){ goban_log (greedy_us / problem->reference_us),
                       goban_log (best_us / problem->reference_us) };
      g_array_append_val (scores, score);
    }
  return TRUE;
}

gboolean
goban_builder_training_measure (GobanBuilderTraining *self, GobanBuilderPoint *point,
                                const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (Score));
  g_autoptr (GByteArray) all = g_byte_array_new ();
  const Score *scores;
  double greedy = 0;
  double best = 0;

  if (!try_own (self, own, progress, error)
      || !goban_ranks_gather (self->ranks, own->data, own->len * sizeof (Score), all, error))
    return FALSE;
  scores = (const Score *) (const void *) all->data;
  for (guint i = 0; i < self->config.n_validation; i++)
    {
      greedy += scores[i].greedy / self->config.n_validation;
      best += scores[i].best / self->config.n_validation;
    }
  point->valid_greedy = exp (greedy);
  point->valid_best = exp (best);
  return TRUE;
}

/* Until the first validation of an update the best network is the one that it began with. */
static void
keep_best (GobanBuilderTraining *self, const GobanBuilderPoint *point)
{
  double score = get_point_score (point);

  if (isnan (self->best_score))
    self->best_score = get_point_score (&self->first);
  if (isnan (score) || (score >= self->best_score && !keeps_present (self)))
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

GobanAdam
goban_builder_training_new_adam (double rate, double encoder_rate)
{
  GobanAdam adam = goban_adam_new (rate);

  adam.beta2 = BETA2;
  adam.first_slow = GOBAN_SCORER_NET_N_TENSORS;
  adam.slow_share = encoder_rate;
  return adam;
}

static gboolean
climb (GobanBuilderTraining *self, double *norm, GError **error)
{
  const GobanBuilderTrainingConfig *config = &self->config;
  GobanParams *params = goban_builder_net_get_params (self->net);
  double rate = config->rate * (1 - (1 - config->last_rate) * get_fraction (self));
  GobanAdam adam = goban_builder_training_new_adam (rate, config->encoder_rate);
  double n = self->n_done + 1;

  if (!goban_adam_step (&adam, params, norm, error))
    return FALSE;
  /* The average forgets faster at first, or the initial weights would dominate it for long. */
  goban_builder_net_average (self->average, self->net, MIN (config->average, n / (n + 10)));
  return TRUE;
}

/* On FALSE the generator is as it was before the rollouts. */
static gboolean
update (GobanBuilderTraining *self, GobanBuilderPoint *point, const GobanProgress *progress,
        GError **error)
{
  if (!goban_builder_training_roll_out (self, progress, error))
    return FALSE;
  if (goban_builder_training_learn (self, point, error)
      && climb (self, &point->gradient_norm, error))
    return TRUE;
  self->rng = self->earlier;
  return FALSE;
}

/* Validates the network of the last update. On FALSE nothing has changed. */
static gboolean
validate (GobanBuilderTraining *self, const GobanProgress *progress, GError **error)
{
  GobanBuilderPoint *last = &g_array_index (self->points, GobanBuilderPoint, self->points->len - 1);

  if (!goban_builder_training_measure (self, last, progress, error))
    return FALSE;
  keep_best (self, last);
  return TRUE;
}

gboolean
goban_builder_training_step (GobanBuilderTraining *self, const GobanProgress *progress,
                             GError **error)
{
  GobanBuilderPoint point = { .update = self->n_done + 1, .valid_greedy = NAN, .valid_best = NAN };

  g_return_val_if_fail (!goban_builder_training_is_done (self), FALSE);

  if (isnan (self->first.valid_greedy)
      && !goban_builder_training_measure (self, &self->first, progress, error))
    return FALSE;
  if (owes_validation (self))
    return validate (self, progress, error);
  if (!goban_progress_check (progress, error) || !update (self, &point, progress, error))
    return FALSE;
  self->n_done++;
  g_array_append_val (self->points, point);
  /* The update stays when its validation is cancelled: the next step makes up for it. */
  if (owes_validation (self))
    validate (self, progress, NULL);
  return TRUE;
}

/* File of a training run (builder-training.h): "GOBANBLD", version, configuration, left-out
 * families, random number generator, counts, three networks with their moments, the curve, and a
 * checksum. */

static const GobanRunFormat format
    = { "GOBANBLD", 1, N_ ("this is not a training run of the plan builder") };

/* --- writing -------------------------------------------------------------------------------- */

static void
put_point (GByteArray *out, const GobanBuilderPoint *point)
{
  const double values[]
      = { point->reward,        point->entropy,      point->top_share, point->even_share,
          point->gradient_norm, point->valid_greedy, point->valid_best };

  goban_bytes_put_u32 (out, point->update);
  goban_bytes_put_u32 (out, (guint32) point->imitates);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    goban_bytes_put_double (out, values[i]);
}

GByteArray *
goban_builder_training_write (GobanBuilderTraining *self)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *config = goban_builder_training_config_to_text (&self->config);
  g_autofree char *left_out
      = g_strjoinv (",", (char **) goban_curriculum_get_left_out (self->families));

  goban_run_file_begin (out, &format);
  goban_bytes_put_text (out, config);
  goban_bytes_put_text (out, left_out);
  goban_run_file_put_rng (out, self->has_rollouts ? &self->earlier : &self->rng);
  goban_bytes_put_u32 (out, self->n_done);
  goban_bytes_put_double (out, self->best_score);
  goban_run_file_put_net (out, self->net);
  goban_run_file_put_net (out, self->average);
  goban_run_file_put_net (out, self->best);
  put_point (out, &self->first);
  goban_bytes_put_u32 (out, self->points->len);
  for (guint i = 0; i < self->points->len; i++)
    put_point (out, &g_array_index (self->points, GobanBuilderPoint, i));
  goban_bytes_seal (out);
  return out;
}

gboolean
goban_builder_training_save (GobanBuilderTraining *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_builder_training_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading -------------------------------------------------------------------------------- */

static GobanBuilderPoint
take_point (GobanByteReader *reader)
{
  GobanBuilderPoint point = { .update = goban_byte_reader_read_u32 (reader) };
  double *values[]
      = { &point.reward,        &point.entropy,      &point.top_share, &point.even_share,
          &point.gradient_norm, &point.valid_greedy, &point.valid_best };

  point.imitates = goban_byte_reader_read_u32 (reader) != 0;
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    *values[i] = goban_byte_reader_read_double (reader);
  return point;
}

/* (nullable) */
static GobanBuilderTraining *
take_head (GobanByteReader *reader, GError **error)
{
  g_autofree char *text = goban_byte_reader_read_text (reader);
  g_autofree char *names = goban_byte_reader_read_text (reader);
  g_auto (GStrv) left_out = g_strsplit (names, ",", -1);
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();

  if (!goban_builder_training_config_parse (text, &config, error))
    return NULL;
  return new_empty (&config, (const char *const *) left_out, error);
}

static gboolean
take_state (GobanByteReader *reader, GobanBuilderTraining *self, const char *origin, GError **error)
{
  GobanBuilderNet **nets[] = { &self->net, &self->average, &self->best };
  GobanRng rng;
  guint32 n;

  goban_rng_init (&rng, 0);
  goban_run_file_read_rng (reader, &self->rng);
  self->n_done = goban_byte_reader_read_u32 (reader);
  self->best_score = goban_byte_reader_read_double (reader);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      *nets[i]
          = goban_builder_net_new (goban_builder_training_config_get_parts (&self->config), &rng);
      if (!goban_run_file_read_net (reader, *nets[i], origin, error))
        return FALSE;
    }
  self->first = take_point (reader);
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanBuilderPoint point = take_point (reader);

      g_array_append_val (self->points, point);
    }
  return !reader->is_short;
}

GobanBuilderTraining *
goban_builder_training_read (const guint8 *data, gsize size, const char *origin, GError **error)
{
  GobanByteReader reader;
  g_autoptr (GobanBuilderTraining) self = NULL;
  g_autoptr (GError) inner = NULL;

  if (!goban_run_file_open (&reader, data, size, &format, origin, error))
    return NULL;
  self = take_head (&reader, &inner);
  if (self == NULL || !take_state (&reader, self, origin, &inner))
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin,
                       inner != NULL ? inner->message : _ ("it ends too early"));
      return NULL;
    }
  return g_steal_pointer (&self);
}

GobanBuilderTraining *
goban_builder_training_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);

  return bytes != NULL ? goban_builder_training_read (g_bytes_get_data (bytes, NULL),
                                                      g_bytes_get_size (bytes), path, error)
                       : NULL;
}
