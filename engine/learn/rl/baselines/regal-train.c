#include "engine/learn/rl/baselines/regal-train.h"

#include "engine/core/error.h"
#include "engine/learn/nn/adam.h"
#include "engine/learn/rl/baselines/regal-episodes.h"
#include "engine/learn/rl/baselines/regal-lessons.h"
#include "engine/placers/units.h"

#include <math.h>
#include <string.h>

#define N_HELD_OUT 32
#define N_REFERENCES 3 /* searches without choices, whose mean is the reference of a lesson */
#define N_LESSONS_A_STEP 8
#define N_EPISODES 4 /* of each lesson of a step */
#define N_POINTS 20  /* of the curve */

#define FIRST_RATE 1.5e-3
#define LAST_RATE 3e-4
#define CLIP_NORM 1.0
#define FIRST_ENTROPY 5e-4 /* weight, falling to 0 */
#define LAST_SPREAD 0.35   /* final spread of the common parts; the initial one is 1 */
#define CRITIC_WEIGHT 0.5
#define SMALLEST_SCALE 1e-3 /* of advantages */
#define SCALE_MEMORY 0.95
#define WORST_RATIO 3.0 /* larger ratios count as this */
/* Penalty: a plan that needs twice the memory counts as eleven times as long. */
#define OVERFLOW_WEIGHT 10.0

/* A lesson, with the result of the plain search. */
typedef struct
{
  GobanCostModel *costs;
  GobanRegalView *view;
  guint8 *is_asked; /* (N) whether the search reads the node's device choices: one node per unit */
  double memory_bytes;
  double reference;
} Lesson;

/* Lessons @first .. @first + @n - 1 of @seed. Each is prepared when it is first needed, which takes
 * three searches. */
typedef struct
{
  guint64 seed;
  guint first, n;
  Lesson *items; /* (n), zeroed until prepared */
} Lessons;

/* Ratios of several lessons. */
typedef struct
{
  double mean;
  double largest;
} Ratios;

/* What a step is told with to a watcher. */
typedef struct
{
  double ratio, best_ratio, entropy, square_error;
  guint n_episodes;
} Sums;

typedef struct
{
  const GobanRegalTraining *options;
  GobanRegalNet net;
  GobanAdam adam;
  GobanRng rng;
  Lessons taught;
  Lessons held_out;
  double square; /* running mean square of the advantages */
  guint step;
  Sums now; /* of the step */

  /* since the last point of the curve */
  double ratio_sum, entropy_sum;
  guint n_ratios, n_entropies;
} Trainer;

void
goban_regal_report_clear (GobanRegalReport *self)
{
  g_clear_pointer (&self->curve, g_array_unref);
}

/* --- lessons -------------------------------------------------------------------------------- */

static double
objective_of (const Lesson *lesson, GobanOutcome outcome)
{
  double lack = lesson->memory_bytes > 0 ? outcome.overflow_bytes / lesson->memory_bytes : 0;

  return outcome.makespan_us * (1 + OVERFLOW_WEIGHT * lack);
}

/* Runs one search. %FALSE with @error set if the lesson cannot be run. */
static gboolean
search (const Lesson *lesson, const GobanRegalChoices *choices, guint64 seed, double *objective,
        GError **error)
{
  GobanBrkgaConfig config = goban_brkga_config_default ();

  config.n_population = 20;
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = GOBAN_REGAL_BUDGET };
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (lesson->costs, 1);
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome = { 0 };
  guint64 evaluations = 0;

  config.evaluator = evaluator;
  plan = goban_regal_search (lesson->costs, choices, config, &options, &evaluations, &outcome,
                             error);
  if (plan == NULL)
    return FALSE;
  *objective = objective_of (lesson, outcome);
  return TRUE;
}

static void
lesson_clear (Lesson *self)
{
  g_clear_pointer (&self->view, goban_regal_view_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->is_asked, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lesson, lesson_clear)

static gboolean
lesson_init (Lesson *self, guint64 seed, guint n, GError **error)
{
  g_auto (Lesson) lesson = { .costs = goban_regal_lesson_new (seed, n, error) };
  g_auto (GobanRegalChoices) nothing = { 0 };
  g_autoptr (GobanUnits) units = NULL;

  if (lesson.costs == NULL)
    return FALSE;
  units = goban_units_new (lesson.costs, error);
  if (units == NULL)
    return FALSE;
  lesson.view = goban_regal_view_new (lesson.costs);
  lesson.memory_bytes = goban_cost_model_total_memory (lesson.costs);
  lesson.is_asked = g_new0 (guint8, lesson.view->input.n_nodes);
  for (guint u = 0; u < units->n_units; u++)
    lesson.is_asked[units->nodes[units->offsets[u]]] = 1;

  goban_regal_choices_init (&nothing, (guint) lesson.view->input.n_nodes,
                            (guint) lesson.view->input.n_devices);
  for (guint i = 0; i < N_REFERENCES; i++)
    {
      double objective;

      if (!search (&lesson, &nothing, i, &objective, error))
        return FALSE;
      lesson.reference += objective / N_REFERENCES;
    }
  *self = lesson;
  memset (&lesson, 0, sizeof lesson);
  return TRUE;
}

static Lessons
lessons_new (guint64 seed, guint first, guint n)
{
  return (Lessons){ .seed = seed, .first = first, .n = n, .items = g_new0 (Lesson, n) };
}

static void
lessons_clear (Lessons *self)
{
  for (guint i = 0; i < self->n; i++)
    lesson_clear (&self->items[i]);
  g_free (self->items);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lessons, lessons_clear)

/* Lesson @i of @self, counted from its first; %NULL with @error set if it cannot be prepared. */
static const Lesson *
lessons_get (Lessons *self, guint i, GError **error)
{
  Lesson *lesson = &self->items[i];

  if (lesson->costs == NULL && !lesson_init (lesson, self->seed, self->first + i, error))
    return NULL;
  return lesson;
}

static double
ratio_of (const Lesson *lesson, double objective)
{
  return lesson->reference > 0 ? MIN (objective / lesson->reference, WORST_RATIO) : 1;
}

/* --- measuring ------------------------------------------------------------------------------ */

static gboolean
measure_lesson (const GobanRegalNet *net, const Lesson *lesson, double *ratio, GError **error)
{
  g_auto (GobanRegalChoices) choices = { 0 };
  double sum = 0;

  goban_regal_choose (lesson->costs, net, &choices);
  for (guint i = 0; i < N_REFERENCES; i++)
    {
      double objective;

      if (!search (lesson, &choices, N_REFERENCES + i, &objective, error))
        return FALSE;
      sum += ratio_of (lesson, objective);
    }
  *ratio = sum / N_REFERENCES;
  return TRUE;
}

/* @trainer: (nullable): its watcher is told. */
static gboolean
measure (const GobanRegalNet *net, Lessons *lessons, const GobanProgress *progress,
         const Trainer *trainer, Ratios *ratios, GError **error)
{
  const GobanRegalWatcher *watcher = trainer != NULL ? trainer->options->watcher : NULL;
  Ratios all = { 0 };

  for (guint i = 0; i < lessons->n; i++)
    {
      const Lesson *lesson;
      double one;

      if (!goban_progress_check (progress, error))
        return FALSE;
      lesson = lessons_get (lessons, i, error);
      if (lesson == NULL || !measure_lesson (net, lesson, &one, error))
        return FALSE;
      all.mean += one;
      all.largest = MAX (all.largest, one);
      if (watcher != NULL)
        watcher->add_measured (trainer->step, one, watcher->user_data);
    }
  all.mean /= MAX (lessons->n, 1);
  *ratios = all;
  return TRUE;
}

gboolean
goban_regal_measure (const GobanRegalNet *net, guint64 seed, guint first, guint n,
                     const GobanProgress *progress, double *ratio, double *worst, GError **error)
{
  g_auto (Lessons) lessons = lessons_new (seed, first, n);
  Ratios ratios;

  if (!measure (net, &lessons, progress, NULL, &ratios, error))
    return FALSE;
  *ratio = ratios.mean;
  if (worst != NULL)
    *worst = ratios.largest;
  return TRUE;
}

/* --- episodes ------------------------------------------------------------------------------- */

/* The episodes of one lesson, and the gradients of its logits. */
typedef struct
{
  GobanRegalWork *work;
  GobanRegalEpisodes *episodes;
  float *dlogits[GOBAN_REGAL_N_HEADS];
  double rewards[N_EPISODES];
} Turn;

static void
turn_init (Turn *self, const GobanRegalNet *net, const Lesson *lesson)
{
  const GobanRegalInput *input = &lesson->view->input;

  *self = (Turn){ .work = goban_regal_work_new (net, input->n_nodes, input->n_devices, TRUE) };
  goban_regal_forward (net, self->work, input);
  self->episodes = goban_regal_episodes_new (net, self->work, input, lesson->is_asked, N_EPISODES);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    self->dlogits[head] = g_new0 (float, (gsize) goban_regal_work_get_n_rows (self->work, head)
                                             * (gsize) net->shape.n_choices[head]);
}

static void
turn_clear (Turn *self)
{
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_free (self->dlogits[head]);
  g_clear_pointer (&self->episodes, goban_regal_episodes_free);
  g_clear_pointer (&self->work, goban_regal_work_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Turn, turn_clear)

/* loss = - mean over episodes of (advantage / scale log p + weight entropy)
 *        + critic's weight / 2 mean over episodes of (value - reward)^2 */
static void
answer_for (Trainer *self, const Lesson *lesson, Turn *turn, double entropy_weight)
{
  double share = 1.0 / (N_EPISODES * N_LESSONS_A_STEP);
  double value = (double) goban_regal_work_get_value (turn->work);
  double advantages[N_EPISODES];
  double dvalue = 0;
  double scale;

  /* Computes advantages. The critic's expectation counts as one more episode beside the others,
   * because its errors on a graph would exceed the differences between episodes. */
  double sum = (double) goban_regal_work_get_value (turn->work);

  for (guint i = 0; i < N_EPISODES; i++)
    sum += turn->rewards[i];
  for (guint i = 0; i < N_EPISODES; i++)
    advantages[i] = turn->rewards[i] - (sum - turn->rewards[i]) / N_EPISODES;

  /* The running root mean square of advantages. */
  double square = 0;

  for (guint i = 0; i < N_EPISODES; i++)
    square += advantages[i] * advantages[i] / N_EPISODES;
  self->square
      = self->square > 0 ? SCALE_MEMORY * self->square + (1 - SCALE_MEMORY) * square : square;
  scale = MAX (sqrt (self->square), SMALLEST_SCALE);

  for (guint i = 0; i < N_EPISODES; i++)
    {
      double error = value - turn->rewards[i];
      double entropy
          = goban_regal_episodes_answer (turn->episodes, i, -advantages[i] / scale * share,
                                         -entropy_weight * share, turn->dlogits);

      dvalue += CRITIC_WEIGHT * share * error;
      self->entropy_sum += entropy;
      self->n_entropies++;
      self->now.entropy += entropy;
      self->now.square_error += error * error;
      self->now.n_episodes++;
    }
  goban_regal_backward (&self->net, turn->work, &lesson->view->input, turn->dlogits,
                        (float) dvalue);
}

static gboolean
take_turn (Trainer *self, const Lesson *lesson, double spent, GError **error)
{
  g_auto (Turn) turn = { 0 };

  turn_init (&turn, &self->net, lesson);
  goban_regal_episodes_set_spread (turn.episodes, 1 + (LAST_SPREAD - 1) * spent);
  for (guint i = 0; i < N_EPISODES; i++)
    {
      const GobanRegalChoices *choices;
      double objective;

      if (!goban_progress_check (self->options->progress, error))
        return FALSE;
      choices = goban_regal_episodes_draw (turn.episodes, i, &self->rng);
      if (!search (lesson, choices, goban_rng_next (&self->rng), &objective, error))
        return FALSE;
      turn.rewards[i] = -ratio_of (lesson, objective);
      self->ratio_sum -= turn.rewards[i];
      self->n_ratios++;
      self->now.ratio -= turn.rewards[i];
      self->now.best_ratio = MIN (self->now.best_ratio, -turn.rewards[i]);
    }

  answer_for (self, lesson, &turn, FIRST_ENTROPY * (1 - spent));
  return TRUE;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* After the step that was begun at @begun_us. */
static void
tell_step (const Trainer *self, double gradient_norm, gint64 begun_us)
{
  const GobanRegalWatcher *watcher = self->options->watcher;
  const Sums *now = &self->now;
  guint n = MAX (now->n_episodes, 1);
  GobanRegalStep step = { .step = self->step,
                          .ratio = now->ratio / n,
                          .best_ratio = now->best_ratio,
                          .entropy = now->entropy / n,
                          .gradient_norm = gradient_norm,
                          .critic_error = now->square_error / n };

  if (watcher == NULL)
    return;
  step.seconds = (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  watcher->add_step (&step, watcher->user_data);
}

static void
add_point (Trainer *self, GobanRegalReport *report)
{
  GobanRegalPoint point = { .step = self->step,
                            .ratio = self->ratio_sum / MAX (self->n_ratios, 1),
                            .entropy = self->entropy_sum / MAX (self->n_entropies, 1) };

  g_array_append_val (report->curve, point);
  self->ratio_sum = self->entropy_sum = 0;
  self->n_ratios = self->n_entropies = 0;
}

static gboolean
learn (Trainer *self, GobanRegalReport *report, GError **error)
{
  guint n_steps = self->options->n_steps;
  guint every = MAX (n_steps / N_POINTS, 1);

  while (self->step < n_steps)
    {
      g_autofree char *what = NULL;

      double spent = (double) self->step / self->options->n_steps, norm = 0;
      gint64 begun_us = g_get_monotonic_time ();

      self->now = (Sums){ .best_ratio = INFINITY };
      goban_params_zero_grad (self->net.params);
      for (guint i = 0; i < N_LESSONS_A_STEP; i++)
        {
          const Lesson *lesson
              = lessons_get (&self->taught, goban_rng_below (&self->rng, self->taught.n), error);

          if (lesson == NULL || !take_turn (self, lesson, spent, error))
            return FALSE;
        }
      self->adam.rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * spent;
      if (!goban_adam_step (&self->adam, self->net.params, &norm, error))
        return FALSE;
      self->step++;
      tell_step (self, norm, begun_us);

      what = g_strdup_printf ("step %u of %u, %.3f of the plain search", self->step, n_steps,
                              self->ratio_sum / MAX (self->n_ratios, 1));
      goban_progress_step (self->options->progress, (double) self->step / n_steps, what);
      if (self->step % every == 0 || self->step == n_steps)
        add_point (self, report);
    }
  return TRUE;
}

static gboolean
run (Trainer *self, GobanRegalReport *report, GError **error)
{
  const GobanProgress *progress = self->options->progress;
  g_autoptr (GByteArray) start = goban_params_write (self->net.params);
  Ratios before, after;

  goban_progress_step (progress, 0, "preparing the lessons");
  if (!measure (&self->net, &self->held_out, progress, self, &before, error)
      || !learn (self, report, error)
      || !measure (&self->net, &self->held_out, progress, self, &after, error))
    return FALSE;
  report->ratio_before = before.mean;
  report->ratio_after = after.mean;
  report->worst_after = after.largest;
  report->kept_start = !(after.mean < before.mean);
  return !report->kept_start
         || goban_params_read (self->net.params, start->data, start->len, "the initial network",
                               error);
}

gboolean
goban_regal_train (const GobanRegalTraining *options, GobanRegalNet *net, GobanRegalReport *report,
                   GError **error)
{
  g_auto (GobanRegalReport) local
      = { .n_held_out = options->n_held_out > 0 ? options->n_held_out : N_HELD_OUT };
  Trainer self = { .options = options, .adam = goban_adam_new (FIRST_RATE) };
  gboolean is_done;

  if (options->n_steps == 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "training takes at least one step");
      return FALSE;
    }
  goban_rng_init (&self.rng, options->seed);
  goban_regal_net_init_default (&self.net, &self.rng);
  self.adam.clip_norm = CLIP_NORM;
  self.taught = lessons_new (options->seed, 0, GOBAN_REGAL_N_LESSONS);
  self.held_out = lessons_new (options->seed, GOBAN_REGAL_N_LESSONS, local.n_held_out);
  local.curve = g_array_new (FALSE, FALSE, sizeof (GobanRegalPoint));

  is_done = run (&self, &local, error);

  lessons_clear (&self.taught);
  lessons_clear (&self.held_out);
  if (!is_done)
    {
      goban_regal_net_clear (&self.net);
      return FALSE;
    }
  *net = self.net;
  *report = local;
  local.curve = NULL;
  return TRUE;
}
