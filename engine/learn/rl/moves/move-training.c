#include "engine/learn/rl/moves/move-training.h"

#include "engine/core/arrays.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/vector.h"

#include <math.h>
#include <string.h>

#define BETA2 0.999
#define CLIP_NORM 1.0
/* Factor of gradients, which are so small that Adam's epsilon would matter. */
#define GRADIENT_SCALE 10

/* Best gains below this share of the makespan count as none. */
#define LEAST_GAIN 1e-4

/* Shares of searches for labels that use the network and hand-set weights; the others use uniform
 * moves. */
#define SHARE_OF_NET 0.6
#define SHARE_OF_HAND 0.2
/* Number of first updates that do not use the network for searches. */
#define N_BLIND 30

/* Temperature of annealing in these searches: nearly none. */
#define HEAT 0.003

#define SHARE_OF_GOOD_STARTS 0.5
#define SPLITS_OF_START 5

/* Share of the labels of a state that the network chooses. */
#define SHARE_OF_CHOSEN 0.35
#define GROUPS_PER_LABEL 0.75

static const guint tried[GOBAN_MOVE_N_TRIED] = { 17, 64 };
/* Number of searches with uniform moves with which a validation is compared. */
#define N_UNIFORM 2
#define TRY_SEED 20
/* Largest log ratio, for pairs in which one plan does not fit in memory. */
#define MOST_LOG 0.5

/* --- configuration -------------------------------------------------------------------------- */

static const GobanMoveTrainingConfig usual = {
  .base = { .n_updates = 1500,
            .n_lessons = 400,
            .n_validation = 48,
            .every = 150,
            .rate = 4e-3,
            .last_rate = 0.05,
            .average = 0.999 },
  .n_evaluations = 500,
  .n_labels = 48,
  .n_states = 3000,
  .n_batches = 16,
  .batch = 16,
};

#define FIELD(kind, ...) GOBAN_SETTING_FIELD (kind, GobanMoveTrainingConfig, __VA_ARGS__)

/* clang-format off */
static const GobanSettingField fields[] = {
  FIELD (SEED, "seed", base.seed, 0, 0, "of all chance"),
  FIELD (COUNT, "updates", base.n_updates, 1, 1e9, "steps of training"),
  FIELD (COUNT, "lessons", base.n_lessons, 1, 1e5, "problems that are searched"),
  FIELD (COUNT, "evaluations", n_evaluations, 1, 1e6, "of a search, at most; drawn log-uniformly"),
  FIELD (COUNT, "labels", n_labels, 2, 4096, "moves of a state whose gain is measured"),
  FIELD (COUNT, "states", n_states, 1, 1e6, "that are kept to learn from"),
  FIELD (COUNT, "batches", n_batches, 1, 1e4, "steps of Adam in an update"),
  FIELD (COUNT, "batch", batch, 1, 1e4, "states of each of them"),
  FIELD (COUNT, "validation", base.n_validation, 1, 1e4,
         "problems that the best network is chosen by"),
  FIELD (COUNT, "every", base.every, 1, 1e9, "steps between trials on them"),
  FIELD (NUMBER, "rate", base.rate, 0, 1, "of Adam at first"),
  FIELD (NUMBER, "last-rate", base.last_rate, 0, 1, "the last rate, as a share of the first"),
  FIELD (NUMBER, "average", base.average, 0, 0.999999,
         "share that the moving average of the weights keeps in a step of Adam"),
};
/* clang-format on */

GobanMoveTrainingConfig
goban_move_training_config_default (void)
{
  return usual;
}

/* --- construction and disposal -------------------------------------------------------------- */

/* Without networks, states and points. */
static GobanMoveTraining *
new_empty (const GobanMoveTrainingConfig *config)
{
  GobanMoveTraining *self = g_new0 (GobanMoveTraining, 1);

  self->config = *config;
  goban_learning_run_init (&self->base, &goban_move_training_kind, &self->config.base,
                           sizeof (GobanMovePoint));
  self->states = goban_own (&self->base, GobanLabelledState, config->n_states);
  self->hand = goban_move_net_new_by_hand ();
  self->lessons = goban_own (&self->base, GobanMoveProblem *, config->base.n_lessons);
  self->validation = goban_own (&self->base, GobanMoveProblem *, config->base.n_validation);
  self->uniform_us
      = goban_own (&self->base, double, (gsize) config->base.n_validation *GOBAN_MOVE_N_TRIED);
  return self;
}

GobanMoveTraining *
goban_move_training_new (const GobanMoveTrainingConfig *config)
{
  GobanMoveTraining *self = new_empty (config);

  goban_learning_run_begin (&self->base);
  return self;
}

static GobanScorerNet *
new_net (const GobanLearningRun *run, GobanRng *rng)
{
  return goban_move_net_new (rng);
}

static void
clear (GobanLearningRun *run)
{
  GobanMoveTraining *self = (gpointer) run;

  for (guint i = 0; i < run->settings->n_lessons; i++)
    g_clear_pointer (&self->lessons[i], goban_move_problem_free);
  for (guint i = 0; i < run->settings->n_validation; i++)
    g_clear_pointer (&self->validation[i], goban_move_problem_free);
  for (guint i = 0; i < self->config.n_states; i++)
    {
      g_free (self->states[i].x);
      g_free (self->states[i].target);
    }
  goban_scorer_net_free (self->hand);
}

/* --- problems ------------------------------------------------------------------------------- */

/* Returns a problem; a negative @index is for validation. (nullable) borrowed. */
static GobanMoveProblem *
get_problem (GobanMoveTraining *self, gint index, GError **error)
{
  GobanMoveProblem **place = index < 0 ? &self->validation[-1 - index] : &self->lessons[index];
  g_autoptr (GobanBuilderLesson) lesson = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  if (*place != NULL)
    return *place;
  lesson = goban_builder_lesson_draw (self->config.base.seed, index, NULL);
  costs = goban_builder_lesson_new_costs (lesson, error);
  *place = costs != NULL ? goban_move_problem_new (costs, error) : NULL;
  if (*place == NULL)
    {
      g_autofree char *name = goban_builder_lesson_to_text (lesson);

      g_prefix_error (error, "%s: ", name);
      return NULL;
    }
  (*place)->improver->settings.heat = HEAT;
  return *place;
}

/* --- labels --------------------------------------------------------------------------------- */

/* Moves the candidates to label to the front: those with the best scores, then random ones. Returns
 * their number. */
static guint
choose_labels (GobanMoveTraining *self, const GobanImprover *improver)
{
  GobanMoveCandidate *candidates = (GobanMoveCandidate *) (void *) improver->candidates->data;
  guint n = improver->candidates->len;
  guint n_labels = MIN (n, self->config.n_labels);
  guint n_chosen = self->base.n_done < N_BLIND ? 0 : (guint) (n_labels * SHARE_OF_CHOSEN);

  for (guint i = 0; i < n; i++)
    goban_scorer_forward (&self->base.average->scorer, &candidates[i].score, candidates[i].features,
                          improver->profile->facts, 1);
  qsort (candidates, n, sizeof *candidates, goban_move_candidate_compare);
  for (guint i = n_chosen; i < n_labels; i++)
    {
      guint other = i + goban_rng_below (&self->base.rng, n - i);
      GobanMoveCandidate candidate = candidates[i];

      candidates[i] = candidates[other];
      candidates[other] = candidate;
    }
  return n_labels;
}

static GobanLabelledState *
take_place (GobanMoveTraining *self, guint n)
{
  GobanLabelledState *state = &self->states[self->next];

  self->next = (self->next + 1) % self->config.n_states;
  self->n_kept = MIN (self->n_kept + 1, self->config.n_states);
  state->n = n;
  state->x = g_renew (float, state->x, (gsize) n *GOBAN_MOVE_N_FEATURES);
  state->target = g_renew (float, state->target, n);
  return state;
}

/* Sums of an update's labels. */
typedef struct
{
  guint n_states;
  guint n_labels;
  guint n_improving;
  double best_gain;
  double error;
  double constant_error;
  guint n_errors;
} Sums;

/* Simulates moves from the improver's current plan. */
static void
label (GobanMoveTraining *self, GobanImprover *improver, Sums *sums)
{
  guint n;
  GobanLabelledState *state;
  double best = 0;

  goban_improver_draw (improver, (guint) (self->config.n_labels * GROUPS_PER_LABEL) + 1);
  n = choose_labels (self, improver);
  if (n == 0)
    return;
  state = take_place (self, n);
  memcpy (state->facts, improver->profile->facts, sizeof state->facts);
  for (guint i = 0; i < n; i++)
    {
      const GobanMoveCandidate *candidate
          = &g_array_index (improver->candidates, GobanMoveCandidate, i);
      g_autoptr (GobanPlan) plan = goban_improver_new_plan (improver, candidate);
      GobanOutcome outcome = goban_simulator_evaluate (improver->simulator, plan);
      double gain = 1 - goban_improver_score_us (improver, outcome) / improver->score_us;

      memcpy (state->x + (gsize) i * GOBAN_MOVE_N_FEATURES, candidate->features,
              GOBAN_MOVE_N_FEATURES * sizeof (float));
      state->target[i] = (float) MAX (gain, 0);
      best = MAX (best, gain);
      sums->n_improving += gain > 1e-9;
    }
  for (guint i = 0; i < n; i++)
    state->target[i] /= (float) MAX (best, LEAST_GAIN);
  sums->best_gain += best;
  sums->n_labels += n;
  sums->n_states++;
  self->n_labels += n;
}

/* Runs one search and labels two of its states. */
static gboolean
collect (GobanMoveTraining *self, Sums *sums, GError **error)
{
  GobanMoveProblem *problem = get_problem (
      self, (gint) goban_rng_below (&self->base.rng, self->config.base.n_lessons), error);
  double who = goban_rng_uniform (&self->base.rng);
  gboolean is_good = goban_rng_uniform (&self->base.rng) < SHARE_OF_GOOD_STARTS;
  double longest = goban_log (self->config.n_evaluations + 1);
  guint n_steps = (guint) goban_exp ((float) (goban_rng_uniform (&self->base.rng) * longest));
  const GobanScorerNet *net = NULL;
  g_autoptr (GobanPlan) start = NULL;
  guint order;

  if (problem == NULL)
    return FALSE;
  if (who < SHARE_OF_NET && self->base.n_done >= N_BLIND)
    net = self->base.average;
  else if (who < SHARE_OF_NET + SHARE_OF_HAND)
    net = self->hand;
  start = is_good ? goban_move_problem_start (problem, NULL, SPLITS_OF_START, &order, NULL)
                  : goban_move_problem_draw_start (problem, &self->base.rng, &order);
  goban_rng_init (&problem->improver->rng, goban_rng_next (&self->base.rng));
  goban_improver_go_to (problem->improver, start, order);
  for (guint i = 1; i < n_steps; i++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (i == n_steps / 16 || i == n_steps / 4)
        label (self, problem->improver, sums);
      if (!goban_improver_step (problem->improver, net, (double) i / n_steps, &plan, &outcome))
        break;
    }
  label (self, problem->improver, sums);
  return TRUE;
}

/* --- gradient steps ------------------------------------------------------------------------- */

/* Adds the gradients of a state's mean squared error. */
static void
learn_state (GobanMoveTraining *self, const GobanLabelledState *state, double weight, Sums *sums)
{
  g_autofree float *scores = g_new (float, state->n);
  double mean = 0;

  goban_scorer_forward (&self->base.net->scorer, scores, state->x, state->facts, (int) state->n);
  for (guint i = 0; i < state->n; i++)
    mean += (double) state->target[i] / state->n;
  for (guint i = 0; i < state->n; i++)
    {
      double difference = (double) scores[i] - (double) state->target[i];
      double constant = mean - (double) state->target[i];

      sums->error += difference * difference;
      sums->constant_error += constant * constant;
      scores[i] = (float) (GRADIENT_SCALE * weight * difference / state->n);
    }
  sums->n_errors += state->n;
  goban_scorer_backward (&self->base.net->scorer, &self->base.net->gradients, scores, state->x,
                         state->facts, (int) state->n);
}

static gboolean
descend (GobanMoveTraining *self, Sums *sums, double *norm, GError **error)
{
  const GobanMoveTrainingConfig *config = &self->config;
  GobanParams *params = self->base.net->params;
  GobanAdam adam = goban_adam_new (goban_learning_run_get_rate (&self->base));

  adam.beta2 = BETA2;
  adam.clip_norm = CLIP_NORM * GRADIENT_SCALE;
  for (guint i = 0; i < config->n_batches; i++)
    {
      double n = (double) self->base.n_done * config->n_batches + i + 1;

      goban_params_zero_grad (params);
      for (guint k = 0; k < config->batch; k++)
        learn_state (self, &self->states[goban_rng_below (&self->base.rng, self->n_kept)],
                     1.0 / config->batch, sums);
      if (!goban_adam_step (&adam, params, norm, error))
        return FALSE;
      /* The average forgets faster at first, or the initial weights would dominate it for long. */
      goban_scorer_net_average (self->base.average, self->base.net,
                                MIN (config->base.average, n / (n + 10)));
    }
  return TRUE;
}

/* --- validation ----------------------------------------------------------------------------- */

/* Log scores of a validation problem with uniform moves. */
static const double *
get_uniform (GobanMoveTraining *self, guint index)
{
  double *logs = self->uniform_us + (gsize) index * GOBAN_MOVE_N_TRIED;

  if (logs[0] != 0)
    return logs;
  for (guint i = 0; i < N_UNIFORM; i++)
    {
      double best_us[GOBAN_MOVE_N_TRIED];

      goban_move_problem_try (self->validation[index], NULL, i, tried, GOBAN_MOVE_N_TRIED, best_us);
      for (guint k = 0; k < GOBAN_MOVE_N_TRIED; k++)
        logs[k] += goban_log (best_us[k]) / N_UNIFORM;
    }
  return logs;
}

static GobanMovePoint *
get_point (const GobanLearningRun *run, int point)
{
  return &g_array_index (run->points, GobanMovePoint, point);
}

static double
get_score (const GobanLearningRun *run, int point)
{
  const double *valid;

  if (point == GOBAN_LEARNING_FIRST)
    return run->first_score;
  valid = get_point (run, point)->valid;
  return sqrt (valid[0] * valid[1]);
}

static gboolean
try (GobanLearningRun *run, int point, const GobanProgress *progress, GError **error)
{
  GobanMoveTraining *self = (gpointer) run;
  double sums[GOBAN_MOVE_N_TRIED] = { 0 };

  for (guint i = 0; i < run->settings->n_validation; i++)
    {
      GobanMoveProblem *problem = get_problem (self, -1 - (gint) i, error);
      double best_us[GOBAN_MOVE_N_TRIED];
      const double *uniform;

      if (problem == NULL || !goban_progress_check (progress, error))
        return FALSE;
      uniform = get_uniform (self, i);
      goban_move_problem_try (problem, run->average, TRY_SEED, tried, GOBAN_MOVE_N_TRIED, best_us);
      for (guint k = 0; k < GOBAN_MOVE_N_TRIED; k++)
        sums[k] += CLAMP (goban_log (best_us[k]) - uniform[k], -MOST_LOG, MOST_LOG)
                   / run->settings->n_validation;
    }
  if (point == GOBAN_LEARNING_FIRST)
    run->first_score = sqrt (exp (sums[0]) * exp (sums[1]));
  for (guint k = 0; k < GOBAN_MOVE_N_TRIED && point != GOBAN_LEARNING_FIRST; k++)
    get_point (run, point)->valid[k] = exp (sums[k]);
  return TRUE;
}

/* --- updates -------------------------------------------------------------------------------- */

static gboolean
update (GobanLearningRun *run, const GobanProgress *progress, GError **error)
{
  GobanMoveTraining *self = (gpointer) run;
  GobanRng rng = run->rng;
  GobanMovePoint point = { .update = run->n_done + 1 };
  Sums sums = { 0 };

  if (!collect (self, &sums, error) || !descend (self, &sums, &point.gradient_norm, error))
    {
      run->rng = rng;
      return FALSE;
    }
  point.error = sums.error / MAX (sums.n_errors, 1);
  point.constant_error = sums.constant_error / MAX (sums.n_errors, 1);
  point.improving = (double) sums.n_improving / MAX (sums.n_labels, 1);
  point.best_gain = sums.best_gain / MAX (sums.n_states, 1);
  point.valid[0] = point.valid[1] = NAN;
  g_array_append_val (run->points, point);
  return TRUE;
}

/* --- files ------------------------------------------------------------------------------------ */

static void
put_floats (GByteArray *out, const float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    goban_bytes_put_float (out, values[i]);
}

static void
put (const GobanLearningRun *run, GByteArray *out)
{
  const GobanMoveTraining *self = (gconstpointer) run;

  goban_learning_run_put_rng (out, &run->rng);
  goban_bytes_put_u32 (out, run->n_done);
  goban_bytes_put_u64 (out, self->n_labels);
  goban_bytes_put_double (out, run->best_score);
  goban_learning_run_put_nets (run, out);
  goban_bytes_put_u32 (out, self->n_kept);
  goban_bytes_put_u32 (out, self->next);
  for (guint i = 0; i < self->n_kept; i++)
    {
      const GobanLabelledState *state = &self->states[i];

      goban_bytes_put_u32 (out, state->n);
      put_floats (out, state->facts, GOBAN_PROFILE_N);
      put_floats (out, state->x, (gsize) state->n * GOBAN_MOVE_N_FEATURES);
      put_floats (out, state->target, state->n);
    }
  goban_bytes_put_u32 (out, run->points->len);
  for (int i = 0; i < (int) run->points->len; i++)
    {
      goban_bytes_put_u32 (out, get_point (run, i)->update);
      goban_learning_run_put_doubles (out, get_point (run, i)->values, GOBAN_MOVE_POINT_N_VALUES);
    }
  goban_bytes_put_double (out, run->first_score);
}

static void
take_floats (GobanByteReader *reader, float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    values[i] = goban_byte_reader_read_float (reader);
}

static gboolean
take_state (GobanByteReader *reader, const GobanMoveTrainingConfig *config,
            GobanLabelledState *state)
{
  guint32 n = goban_byte_reader_read_u32 (reader);

  if (n == 0 || n > config->n_labels)
    return FALSE;
  state->n = n;
  state->x = g_new (float, (gsize) n *GOBAN_MOVE_N_FEATURES);
  state->target = g_new (float, n);
  take_floats (reader, state->facts, GOBAN_PROFILE_N);
  take_floats (reader, state->x, (gsize) n * GOBAN_MOVE_N_FEATURES);
  take_floats (reader, state->target, n);
  return !reader->is_short;
}

static gboolean
take_lists (GobanByteReader *reader, GobanMoveTraining *self)
{
  guint32 n;

  self->n_kept = goban_byte_reader_read_u32 (reader);
  self->next = goban_byte_reader_read_u32 (reader);
  if (self->n_kept > self->config.n_states || self->next >= self->config.n_states)
    return FALSE;
  for (guint i = 0; i < self->n_kept; i++)
    if (!take_state (reader, &self->config, &self->states[i]))
      return FALSE;
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanMovePoint point = { .update = goban_byte_reader_read_u32 (reader) };

      goban_learning_run_read_doubles (reader, point.values, GOBAN_MOVE_POINT_N_VALUES);
      g_array_append_val (self->base.points, point);
    }
  if (reader->left > 0) /* older files end here */
    self->base.first_score = goban_byte_reader_read_double (reader);
  return !reader->is_short;
}

static GobanLearningRun *
take (GobanByteReader *reader, gconstpointer settings, const char *origin, GError **error)
{
  g_autoptr (GobanMoveTraining) self = new_empty (settings);

  goban_learning_run_read_rng (reader, &self->base.rng);
  self->base.n_done = goban_byte_reader_read_u32 (reader);
  self->n_labels = goban_byte_reader_read_u64 (reader);
  self->base.best_score = goban_byte_reader_read_double (reader);
  if (!goban_learning_run_read_nets (&self->base, reader, origin, error)
      || !take_lists (reader, self))
    return NULL;
  return &g_steal_pointer (&self)->base;
}

const GobanLearningKind goban_move_training_kind = {
  .magic = "GOBANMOV",
  .problem = N_ ("this is not a training run of the network of moves"),
  .settings = { fields, G_N_ELEMENTS (fields), sizeof usual, &usual },
  .new_net = new_net,
  .update = update,
  .try = try,
  .get_score = get_score,
  .clear = clear,
  .put = put,
  .take = take,
};
