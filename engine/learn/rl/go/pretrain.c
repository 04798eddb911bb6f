#include "engine/learn/rl/go/pretrain-private.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/learn/rl/collapse.h"
#include "engine/learn/rl/go/pretrain-results.h"

#include <math.h>
#include <string.h>

/* Number of updates of a step that improves plans. */
#define PRACTICE_UPDATES 6

#define CACHE_BYTES ((gsize) 1000 * 1000 * 1000)

/* Streams of independent random number generators. */
#define NET_STREAM 1
#define LEARNER_STREAM 2
#define BATCH_STREAM 3
#define VALIDATION_STREAM 4

/* Samples per validation problem. */
#define N_SAMPLES 8
/* Factor of the makespan of a plan that does not fit in memory. */
#define LACKS_MEMORY 2

/* --- configuration -------------------------------------------------------------------------- */

/* Six batches of all graphs; the paper does not give the number of updates. */
GobanPretrainConfig
goban_pretrain_config_paper (void)
{
  return (GobanPretrainConfig){
    .go = goban_go_settings_paper (),
    .n_steps = 6000,
    .n_graphs = 6,
    .n_batch_steps = 1000,
    .n_lessons = 1,
    .try_every = 500,
  };
}

/* Batches change often, because with a thousand steps per batch a network forgets the graphs of the
 * previous one. Only whole plans are trained (decision G10). */
GobanPretrainConfig
goban_pretrain_config_goban (void)
{
  GobanPretrainConfig config = {
    .go = goban_go_settings_goban (),
    .n_steps = 6000,
    .n_graphs = 12,
    .n_batch_steps = 24,
    .n_lessons = 1,
    .try_every = 200,
  };

  config.go.direct = 1;
  config.go.ppo.n_rollouts = 16;
  config.go.ppo.rate = 5e-4;
  config.go.ppo.last_rate = 5e-5;
  config.go.ppo.entropy = 0.06;
  config.go.ppo.last_entropy = 0.01;
  return config;
}

typedef struct
{
  const char *key;
  gsize offset;
  guint most;
} Count;

static const Count counts[] = {
  { "steps", offsetof (GobanPretrainConfig, n_steps), G_MAXINT },
  { "graphs", offsetof (GobanPretrainConfig, n_graphs), 100000 },
  { "batch-steps", offsetof (GobanPretrainConfig, n_batch_steps), G_MAXINT },
  { "lessons", offsetof (GobanPretrainConfig, n_lessons), 4096 },
  { "every", offsetof (GobanPretrainConfig, try_every), G_MAXINT },
};

char *
goban_pretrain_config_to_text (const GobanPretrainConfig *self)
{
  g_autofree char *go = goban_go_settings_to_text (&self->go);
  GString *text = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "seed=%" G_GUINT64_FORMAT ",seconds=%s,", self->seed,
                          goban_format_double (buffer, self->max_seconds));
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      guint count;

      memcpy (&count, (const char *) self + counts[i].offset, sizeof count);
      g_string_append_printf (text, "%s=%u,", counts[i].key, count);
    }
  g_string_append (text, go);
  return g_string_free (text, FALSE);
}

static gboolean
refuse (const char *key, const char *value, GError **error)
{
  goban_set_error (error, GOBAN_ERROR_INVALID, "%s=%s: this cannot be", key, value);
  return FALSE;
}

/* Sets a field if the key is known; *good: whether the value is valid. */
static gboolean
set_own (GobanPretrainConfig *self, const char *key, const char *value, gboolean *good)
{
  guint64 number = 0;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (strcmp (counts[i].key, key) == 0)
      {
        guint count;

        *good = g_ascii_string_to_unsigned (value, 10, 0, counts[i].most, &number, NULL);
        count = (guint) number;
        if (*good)
          memcpy ((char *) self + counts[i].offset, &count, sizeof count);
        return TRUE;
      }
  if (strcmp (key, "seed") == 0)
    {
      *good = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, &self->seed, NULL);
      return TRUE;
    }
  if (strcmp (key, "seconds") == 0)
    {
      *good = goban_parse_number (value, &self->max_seconds) && self->max_seconds >= 0;
      return TRUE;
    }
  return FALSE;
}

gboolean
goban_pretrain_config_parse (const char *text, GobanPretrainConfig *config, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GString) rest = g_string_new (NULL);
  GobanPretrainConfig own = goban_pretrain_config_goban ();

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (g_strstrip (words[i]), "preset=paper") == 0)
      own = goban_pretrain_config_paper ();
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);
      gboolean good = TRUE;

      /* A preset here also sets the training, not only GO's settings. */
      if (strcmp (words[i], "preset=paper") == 0 || strcmp (words[i], "preset=goban") == 0)
        continue;
      if (pair[0] != NULL && pair[1] != NULL && set_own (&own, pair[0], pair[1], &good))
        {
          if (!good)
            return refuse (pair[0], pair[1], error);
        }
      else
        g_string_append_printf (rest, "%s%s", rest->len > 0 ? "," : "", words[i]);
    }
  if (own.n_graphs == 0 || own.n_batch_steps == 0 || own.n_lessons == 0)
    return refuse (own.n_graphs == 0        ? "graphs"
                   : own.n_batch_steps == 0 ? "batch-steps"
                                            : "lessons",
                   "0", error);
  if (!goban_go_settings_change (&own.go, rest->str, error))
    return FALSE;
  if (own.n_lessons > 1 && own.go.direct < 1)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "lessons=%u: a step on several graphs learns whole plans, direct=1",
                         own.n_lessons);
  *config = own;
  return TRUE;
}

/* --- construction and disposal -------------------------------------------------------------- */

static guint64
seed_of (guint64 seed, guint64 stream)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  return goban_rng_next (&rng) + stream;
}

/* Returns @from, with its own configuration, or a new network. (transfer full) (nullable) */
static GobanNet *
take_net (GobanPretrainConfig *config, GobanNet *from, GError **error)
{
  g_autoptr (GobanNet) net = from;
  GobanRng rng;

  if (net == NULL)
    {
      goban_rng_init (&rng, seed_of (config->seed, NET_STREAM));
      return goban_net_new (&config->go.net, &rng);
    }
  if (goban_net_get_config (net)->decisions != config->go.net.decisions)
    {
      g_autofree char *its = goban_tasks_to_text (goban_net_get_config (net)->decisions);
      g_autofree char *asked = goban_tasks_to_text (config->go.net.decisions);

      goban_set_error (error, GOBAN_ERROR_INVALID, "the network to go on with decides %s, not %s",
                       its, asked);
      return NULL;
    }
  config->go.net = *goban_net_get_config (net);

  /* Resets Adam's moments, which belong to other graphs and would determine the first steps. */
  GobanParams *params = goban_net_get_params (net);

  for (guint t = 0; t < goban_params_get_n_tensors (params); t++)
    {
      gsize size = goban_params_get_size (params, t) * sizeof (float);

      memset (goban_params_mean (params, t), 0, size);
      memset (goban_params_square (params, t), 0, size);
    }
  goban_params_set_n_steps (params, 0);

  return g_steal_pointer (&net);
}

static gboolean
check (const GobanPretrainConfig *config, const GobanCurriculum *curriculum, GError **error)
{
  const char *problem = NULL;

  if (goban_curriculum_get_n_lessons (curriculum) == 0)
    problem = "there is no graph left to learn on";
  else if (config->n_steps == 0 && !(config->max_seconds > 0))
    problem = "neither steps nor seconds say how long to learn";
  if (problem != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s", problem);
  return problem == NULL;
}

GobanPretrain *
goban_pretrain_new (const GobanPretrainConfig *config, GobanCurriculum *curriculum, GobanNet *from,
                    GError **error)
{
  g_autoptr (GobanCurriculum) taken = curriculum;
  g_autoptr (GobanNet) net = from;
  GobanPretrainConfig own = *config;
  GobanPretrain *self;

  if (!check (&own, taken, error))
    return NULL;
  net = take_net (&own, g_steal_pointer (&net), error);
  if (net == NULL)
    return NULL;

  self = g_new0 (GobanPretrain, 1);
  self->config = own;
  self->curriculum = g_steal_pointer (&taken);
  self->learner
      = goban_learner_new (g_steal_pointer (&net), &own.go.ppo, seed_of (own.seed, LEARNER_STREAM));
  self->cache = goban_problem_cache_new (self->curriculum,
                                         &(GobanProblemOptions){
                                             .n_rows = own.go.n_rows,
                                             .decisions = own.go.net.decisions,
                                             .ranks_alike = own.go.order != GOBAN_GO_ORDER_FIFO,
                                             .fuses_alike = own.go.fuses_alike,
                                         },
                                         CACHE_BYTES);
  goban_problem_cache_set_n_held (self->cache, own.n_lessons);
  goban_rng_init (&self->rng, seed_of (own.seed, BATCH_STREAM));
  self->batch = g_new0 (guint, goban_curriculum_get_n_lessons (self->curriculum));
  self->baselines = g_new0 (GobanBaseline, goban_curriculum_get_n_lessons (self->curriculum));
  self->tried_step = G_MAXUINT;
  self->best_score = self->first_score = NAN;
  self->points = g_array_new (FALSE, TRUE, sizeof (GobanCurvePoint));
  self->trials = g_array_new (FALSE, TRUE, sizeof (GobanCurveTrial));
  return self;
}

void
goban_pretrain_free (GobanPretrain *self)
{
  goban_problem_cache_free (self->cache);
  goban_learner_free (self->learner);
  g_clear_pointer (&self->best, goban_net_free);
  goban_curriculum_free (self->curriculum);
  g_free (self->batch);
  g_free (self->baselines);
  g_array_unref (self->points);
  g_array_unref (self->trials);
  g_free (self);
}

/* --- accessors ------------------------------------------------------------------------------ */

const GobanPretrainConfig *
goban_pretrain_get_config (const GobanPretrain *self)
{
  return &self->config;
}

const GobanCurriculum *
goban_pretrain_get_curriculum (const GobanPretrain *self)
{
  return self->curriculum;
}

GobanNet *
goban_pretrain_get_net (GobanPretrain *self)
{
  return self->best != NULL ? self->best : goban_learner_get_net (self->learner);
}

GobanNet *
goban_pretrain_get_present (GobanPretrain *self)
{
  return goban_learner_get_net (self->learner);
}

guint
goban_pretrain_get_step (const GobanPretrain *self)
{
  return self->step;
}

double
goban_pretrain_get_seconds (const GobanPretrain *self)
{
  return self->spent_seconds;
}

double
goban_pretrain_get_fraction (const GobanPretrain *self)
{
  const GobanPretrainConfig *config = &self->config;
  double of_steps = config->n_steps > 0 ? (double) self->step / config->n_steps : 0;
  double of_time = config->max_seconds > 0 ? self->spent_seconds / config->max_seconds : 0;

  return CLAMP (MAX (of_steps, of_time), 0, 1);
}

const GArray *
goban_pretrain_get_points (const GobanPretrain *self)
{
  return self->points;
}

const GArray *
goban_pretrain_get_trials (const GobanPretrain *self)
{
  return self->trials;
}

void
goban_pretrain_set_end (GobanPretrain *self, guint n_steps, double max_seconds)
{
  g_return_if_fail (n_steps > 0 || max_seconds > 0);

  self->config.n_steps = n_steps;
  self->config.max_seconds = max_seconds;
}

void
goban_pretrain_set_cache (GobanPretrain *self, gsize size_bytes)
{
  goban_problem_cache_set_size (self->cache, size_bytes);
}

const GobanScaling *
goban_pretrain_get_scaling (const GobanPretrain *self)
{
  return &self->scaling;
}

void
goban_pretrain_set_ranks (GobanPretrain *self, GobanRanks *ranks)
{
  self->ranks = ranks;
}

/* At least one step is made, however short the time. */
gboolean
goban_pretrain_is_done (const GobanPretrain *self)
{
  return self->step > 0 && goban_pretrain_get_fraction (self) >= 1;
}

gboolean
goban_pretrain_wants_trials (const GobanPretrain *self)
{
  guint every = self->config.try_every;

  if (self->tried_step == self->step
      || goban_curriculum_get_n_trials (self->curriculum)
                 + goban_curriculum_get_n_validation (self->curriculum)
             == 0)
    return FALSE;
  /* The initial network is measured, so that it is kept if none is better. */
  if (self->step == 0 && goban_curriculum_get_n_validation (self->curriculum) > 0)
    return TRUE;
  return goban_pretrain_is_done (self) || (every > 0 && self->step % every == 0);
}

/* --- learning -------------------------------------------------------------------------------- */

static double
measure_seconds (gint64 started_us)
{
  return (double) (g_get_monotonic_time () - started_us) / G_USEC_PER_SEC;
}

static void
next_batch (GobanPretrain *self)
{
  guint n = MIN (self->config.n_graphs, goban_curriculum_get_n_lessons (self->curriculum));

  if (self->n_in_batch > 0 && self->batch_step < self->config.n_batch_steps)
    return;
  self->n_in_batch = goban_curriculum_draw (self->curriculum, &self->rng, self->batch, n);
  self->batch_step = 0;
}

static void
add_point (GobanPretrain *self, guint lesson, double reference_us, const GobanUpdate *update,
           double seconds)
{
  GobanCurvePoint point = goban_update_get_point (update, self->step, reference_us, seconds);

  point.lesson = lesson;
  g_array_append_val (self->points, point);
}

/* Every other round of the batch trains improvements of plans, unless only whole plans are
 * trained. */
static gboolean
teach (GobanPretrain *self, GobanProblem *problem, guint i, GobanUpdate *update, GError **error)
{
  gboolean is_improving
      = self->config.go.direct < 1 && self->batch_step / self->n_in_batch % 2 == 1;
  double fraction = goban_pretrain_get_fraction (self);

  if (is_improving)
    return goban_learner_practise (self->learner, problem, PRACTICE_UPDATES, fraction, update,
                                   error);
  return goban_learner_update (self->learner, problem, &self->baselines[i], NULL, fraction, update,
                               error);
}

/* Learns on the next graph of the batch. */
static gboolean
step_one (GobanPretrain *self, gint64 started_us, const GobanProgress *progress, GError **error)
{
  guint i = self->batch[self->batch_step % self->n_in_batch];
  const GobanLesson *lesson = goban_curriculum_get_lesson (self->curriculum, i);
  GobanProblem *problem = goban_problem_cache_get (self->cache, lesson, progress, error);
  GobanUpdate update;

  if (problem == NULL)
    return FALSE;
  if (!teach (self, problem, i, &update, error))
    {
      g_prefix_error (error, "step %u, %s on %s: ", self->step + 1, lesson->graph, lesson->cluster);
      return FALSE;
    }
  goban_problem_cache_measure (self->cache,
                               goban_net_get_config (goban_learner_get_net (self->learner)));
  self->step++;
  self->batch_step++;
  add_point (self, i, goban_problem_get_reference_us (problem), &update,
             measure_seconds (started_us));
  return TRUE;
}

/* Loads this rank's share of the next graphs. References (n) of the others are 0. */
static gboolean
load_items (GobanPretrain *self, GobanLearnerItem *items, guint n, double *references_us,
            const GobanProgress *progress, GError **error)
{
  guint first, end;

  goban_ranks_share_own (self->ranks, n, &first, &end);
  for (guint k = 0; k < n; k++)
    {
      guint i = self->batch[(self->batch_step + k) % self->n_in_batch];

      items[k] = (GobanLearnerItem){ .baseline = &self->baselines[i] };
      references_us[k] = 0;
      if (k < first || k >= end)
        continue;
      items[k].problem = goban_problem_cache_get (
          self->cache, goban_curriculum_get_lesson (self->curriculum, i), progress, error);
      if (items[k].problem == NULL)
        return FALSE;
      references_us[k] = goban_problem_get_reference_us (items[k].problem);
    }
  return TRUE;
}

/* The sums (n) of what the ranks have. */
static gboolean
sum_numbers (GobanPretrain *self, double *numbers, guint n, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();

  if (!goban_ranks_gather (self->ranks, numbers, n * sizeof *numbers, all, error))
    return FALSE;
  memset (numbers, 0, n * sizeof *numbers);
  for (guint i = 0; i < all->len / sizeof *numbers; i++)
    numbers[i % n] += ((const double *) (const void *) all->data)[i];
  return TRUE;
}

/* Passes have been made for these problems. */
static void
measure_items (GobanPretrain *self, const GobanLearnerItem *items, guint n)
{
  const GobanNetConfig *config = goban_net_get_config (goban_learner_get_net (self->learner));

  for (guint k = 0; k < n; k++)
    {
      guint i = self->batch[(self->batch_step + k) % self->n_in_batch];

      if (items[k].problem != NULL
          && goban_problem_cache_get (self->cache,
                                      goban_curriculum_get_lesson (self->curriculum, i), NULL,
                                      NULL) /* it is held */
                 != NULL)
        goban_problem_cache_measure (self->cache, config);
    }
}

/* Learns on the next @n graphs of the batch at once. */
static gboolean
step_all (GobanPretrain *self, guint n, gint64 started_us, const GobanProgress *progress,
          GError **error)
{
  g_autofree GobanLearnerItem *items = g_new (GobanLearnerItem, n);
  g_autofree double *references_us = g_new (double, n);

  if (!load_items (self, items, n, references_us, progress, error)
      || !sum_numbers (self, references_us, n, error))
    return FALSE;
  if (!goban_learner_update_all (self->learner, self->ranks, items, n,
                                 goban_pretrain_get_fraction (self), &self->scaling, error))
    {
      g_prefix_error (error, "step %u: ", self->step + 1);
      return FALSE;
    }
  measure_items (self, items, n);
  self->step++;
  for (guint k = 0; k < n; k++)
    add_point (self, self->batch[(self->batch_step + k) % self->n_in_batch], references_us[k],
               &items[k].update, measure_seconds (started_us));
  self->batch_step += n;
  return TRUE;
}

gboolean
goban_pretrain_step (GobanPretrain *self, const GobanProgress *progress, GError **error)
{
  gint64 started_us = g_get_monotonic_time ();
  guint n;

  g_return_val_if_fail (!goban_pretrain_is_done (self), FALSE);

  next_batch (self);
  n = MIN (self->config.n_lessons, self->n_in_batch);
  if (!(n > 1 ? step_all (self, n, started_us, progress, error)
              : step_one (self, started_us, progress, error)))
    return FALSE;
  self->spent_seconds += measure_seconds (started_us);
  return TRUE;
}

static gboolean
try_one (GobanPretrain *self, guint i, GobanCurveTrial *trial, const GobanProgress *progress,
         GError **error)
{
  GobanProblem *problem = goban_problem_cache_get (
      self->cache, goban_curriculum_get_trial (self->curriculum, i), progress, error);
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;

  if (problem == NULL)
    return FALSE;
  trial->step = self->step;
  trial->trial = i;
  trial->expert_ratio = trial->ratio = NAN;
  plan = goban_learner_new_greedy_plan (self->learner, problem);
  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
  goban_problem_cache_measure (self->cache,
                               goban_net_get_config (goban_learner_get_net (self->learner)));
  if (outcome.overflow_bytes <= 0)
    {
      trial->ratio = outcome.makespan_us / goban_problem_get_reference_us (problem);
      trial->expert_ratio = outcome.makespan_us / goban_problem_get_expert_us (problem);
    }
  return TRUE;
}

/* Adds a trial of each graph that is not learned on; each rank makes its share. */
static gboolean
try_all (GobanPretrain *self, const GobanProgress *progress, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree GobanCurveTrial *own = NULL;
  guint first, end;

  goban_ranks_share_own (self->ranks, goban_curriculum_get_n_trials (self->curriculum), &first,
                         &end);
  own = g_new0 (GobanCurveTrial, end - first + 1);
  for (guint i = first; i < end; i++)
    if (!goban_progress_check (progress, error)
        || !try_one (self, i, &own[i - first], progress, error))
      return FALSE;
  if (!goban_ranks_gather (self->ranks, own, (end - first) * sizeof *own, all, error))
    return FALSE;
  if (all->len > 0)
    g_array_append_vals (self->trials, all->data, all->len / sizeof *own);
  return TRUE;
}

static double
evaluate (GobanProblem *problem, GobanPlan *plan)
{
  GobanOutcome outcome;

  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
  return outcome.makespan_us * (outcome.overflow_bytes > 0 ? LACKS_MEMORY : 1)
         / goban_problem_get_reference_us (problem);
}

/* Sets the two parts (2) of the logarithm of problem @i's score. Samples have their own random
 * number generator. */
static gboolean
validate_one (GobanPretrain *self, guint i, double *parts, const GobanProgress *progress,
              GError **error)
{
  GobanProblem *problem = goban_problem_cache_get (
      self->cache, goban_curriculum_get_validation (self->curriculum, i), progress, error);
  GobanRng *rng = goban_learner_get_rng (self->learner);
  GobanRng kept = *rng;
  g_autoptr (GobanPlan) greedy = NULL;
  double best;

  if (problem == NULL)
    return FALSE;
  goban_rng_init (rng, seed_of (self->config.seed, VALIDATION_STREAM) + i);
  greedy = goban_learner_new_greedy_plan (self->learner, problem);
  best = evaluate (problem, greedy);
  parts[0] = 0.5 * log (best);
  for (guint k = 0; k < N_SAMPLES; k++)
    {
      g_autoptr (GobanPlan) plan = goban_learner_new_sampled_plan (self->learner, problem);

      best = MIN (best, evaluate (problem, plan));
    }
  parts[1] = 0.5 * log (best);
  *rng = kept;
  goban_problem_cache_measure (self->cache,
                               goban_net_get_config (goban_learner_get_net (self->learner)));
  return TRUE;
}

/* Each rank measures its share. */
static gboolean
validate (GobanPretrain *self, double *score, const GobanProgress *progress, GError **error)
{
  guint n = goban_curriculum_get_n_validation (self->curriculum);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree double *own = NULL;
  guint first, end;

  goban_ranks_share_own (self->ranks, n, &first, &end);
  own = g_new (double, 2 * (end - first) + 1);
  for (guint i = first; i < end; i++)
    if (!goban_progress_check (progress, error)
        || !validate_one (self, i, &own[2 * (i - first)], progress, error))
      return FALSE;
  if (!goban_ranks_gather (self->ranks, own, 2 * (end - first) * sizeof *own, all, error))
    return FALSE;
  *score = 0;
  for (guint i = 0; i < 2 * n; i++)
    *score += ((const double *) (const void *) all->data)[i];
  *score = n > 0 ? exp (*score / n) : (double) NAN;
  return TRUE;
}

static void
keep_best (GobanPretrain *self, double score)
{
  if (isnan (self->first_score))
    self->first_score = score;
  if (isnan (score) || score >= self->best_score)
    return;
  g_clear_pointer (&self->best, goban_net_free);
  self->best = goban_net_copy (goban_learner_get_net (self->learner));
  self->best_score = score;
  self->best_step = self->step;
}

gboolean
goban_pretrain_try (GobanPretrain *self, const GobanProgress *progress, GError **error)
{
  gint64 started_us = g_get_monotonic_time ();
  double score;

  if (!validate (self, &score, progress, error) || !try_all (self, progress, error))
    return FALSE;
  keep_best (self, score);
  self->tried_step = self->step;
  self->spent_seconds += measure_seconds (started_us);
  return TRUE;
}

double
goban_pretrain_get_score (const GobanPretrain *self)
{
  return self->best_score;
}

double
goban_pretrain_get_first_score (const GobanPretrain *self)
{
  return self->first_score;
}

gboolean
goban_pretrain_has_kept_start (const GobanPretrain *self)
{
  return self->step > 0 && self->best != NULL && self->best_step == 0;
}

guint
goban_pretrain_get_best_step (const GobanPretrain *self)
{
  return self->best_step;
}

const char *
goban_pretrain_get_warning (const GobanPretrain *self)
{
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n = 0;

  /* The last updates that drew whole plans; their order does not matter. */
  for (guint i = self->points->len; i > 0 && n < GOBAN_COLLAPSE_WINDOW; i--)
    {
      const double *values = g_array_index (self->points, GobanCurvePoint, i - 1).values;

      if (!isnan (values[GOBAN_CURVE_TOP_SHARE]))
        signs[n++]
            = (GobanCollapseSign){ values[GOBAN_CURVE_ENTROPY], values[GOBAN_CURVE_TOP_SHARE] };
    }
  return goban_collapse_describe (signs, n);
}

double
goban_pretrain_get_trial_mean (const GobanPretrain *self)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->trials->len; i++)
    {
      const GobanCurveTrial *trial = &g_array_index (self->trials, GobanCurveTrial, i);

      if (trial->step != self->tried_step || !isfinite (trial->expert_ratio))
        continue;
      sum += log (trial->expert_ratio);
      n++;
    }
  return n > 0 ? exp (sum / n) : (double) NAN;
}
