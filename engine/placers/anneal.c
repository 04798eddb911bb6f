/* Simulated annealing over devices and priorities, with moves of connected groups.
 *
 * Starts from the best of the plans of starts.h. Several moves are drawn from the same plan and
 * simulated side by side; the first that Metropolis accepts is taken and those behind it are
 * lost, so many are tried at once only while few are accepted. The first moves, none of which is
 * taken, say what a typical loss is; from there the temperature falls geometrically with the
 * budget, in cycles that each start from the best plan so far, cooler than the one before.
 * Kinds of moves that have improved plans lately are drawn more often. Every so often the plan is
 * traced, which counts as an evaluation, to learn what its critical path waits for.
 */
#include "engine/base/words.h"
#include "engine/placers/policies.h"
#include "engine/placers/walk.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_EVALUATIONS 5000
#define N_PROBES 32 /* moves that measure the deltas */
#define LEARN_EVERY 50

/* A cycle ends at this share of the budget, and begins at this share of the first temperature. */
typedef struct
{
  double end;
  double heat;
} Cycle;

static const Cycle cycles[] = { { 0.5, 1 }, { 0.75, 0.5 }, { 1, 0.25 } };

/* The chance that a typical loss is taken at first, and the share of the first temperature left at
 * the end. */
#define FIRST_CHANCE 1e-4
#define LAST_HEAT 0.01

/* How far groups reach at the end, compared with the beginning. */
#define LAST_REACH 0.03

/* As a share of what a plan takes: more than rounding can make of an energy or a chance. */
#define LIMIT_MARGIN 1e-9

/* Memory missing costs as if a device's whole memory were worth that many start makespans. */
#define OVERFLOW_WEIGHT 10

static const double base_weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_UNIT] = 2,     [GOBAN_MOVE_PAIR] = 0.5,   [GOBAN_MOVE_GROUP] = 3,
  [GOBAN_MOVE_CLUSTER] = 3,  [GOBAN_MOVE_PATH] = 1,     [GOBAN_MOVE_SCOPE] = 2,
  [GOBAN_MOVE_WINDOW] = 1,   [GOBAN_MOVE_SWAP] = 1,     [GOBAN_MOVE_CRITICAL] = 8,
  [GOBAN_MOVE_PRIORITY] = 2, [GOBAN_MOVE_RANKS] = 0.05,
};

/* What moves that are tried leave behind, taken or not. */
typedef struct
{
  GobanRng rng;                         /* of the moves, when this is set aside */
  double acceptance;                    /* running mean over moves tried */
  double successes[GOBAN_N_MOVE_KINDS]; /* running means */
  double weights[GOBAN_N_MOVE_KINDS];
} Habits;

typedef struct
{
  GobanWalk walk;
  double us_per_missing_byte;
  double first_temperature_us;
  Habits habits;
  Habits ahead; /* when the moves ahead had been drawn */
  guint cycle;
  guint64 learned_at; /* evaluations when it was traced last */
  gboolean has_moved; /* since then */
} Annealing;

static double
energy_us (const Annealing *self, const GobanOutcome *outcome)
{
  return outcome->makespan_us + outcome->overflow_bytes * self->us_per_missing_byte;
}

/* The least memory of a device that has a limit is what makes bytes comparable with time. */
static double
find_penalty (const GobanUnits *units, double makespan_us)
{
  double least_bytes = INFINITY;

  for (guint d = 0; d < units->n_devices; d++)
    least_bytes = MIN (least_bytes, goban_cluster_get_device (units->cluster, d)->memory_bytes);
  return least_bytes > 0 ? OVERFLOW_WEIGHT * makespan_us / least_bytes : 1;
}

static int
compare_doubles (const void *a, const void *b)
{
  const double *x = a;
  const double *y = b;

  return (*x > *y) - (*x < *y);
}

/* The median loss of moves that lose. */
static double
measure_loss (Annealing *self)
{
  double losses[N_PROBES];
  guint n = 0;
  guint n_tried = 0;

  while (n_tried < N_PROBES)
    {
      guint n_now = goban_trials_try (&self->walk.trials, self->habits.weights, GOBAN_MAX_TRIALS,
                                      &self->walk.search);

      for (guint i = 0; i < n_now; i++)
        {
          double loss = energy_us (self, &self->walk.trials.outcomes[i])
                        - energy_us (self, &self->walk.trials.outcome);

          if (loss > 0)
            losses[n++] = loss;
        }
      goban_trials_settle (&self->walk.trials, GOBAN_TAKE_NONE);
      n_tried += n_now;
      if (n_now == 0)
        break;
    }
  if (n == 0)
    return energy_us (self, &self->walk.trials.outcome) / 1e3;
  qsort (losses, n, sizeof *losses, compare_doubles);
  return losses[n / 2];
}

static double
find_temperature_us (const Annealing *self, double fraction)
{
  double begin = self->cycle > 0 ? cycles[self->cycle - 1].end : 0;
  double part = (fraction - begin) / (cycles[self->cycle].end - begin);
  double first_us = self->first_temperature_us * cycles[self->cycle].heat;
  double last_us = self->first_temperature_us * LAST_HEAT;

  return first_us * pow (last_us / first_us, CLAMP (part, 0, 1));
}

static gboolean
must_turn (const Annealing *self, double fraction)
{
  return self->cycle + 1 < G_N_ELEMENTS (cycles) && fraction >= cycles[self->cycle].end;
}

static gboolean
must_learn (const Annealing *self, guint64 n_evaluations)
{
  return self->has_moved && n_evaluations >= self->learned_at + LEARN_EVERY;
}

static void
set_reach (Annealing *self, double fraction)
{
  goban_moves_set_reach (self->walk.trials.moves, pow (LAST_REACH, fraction));
}

/* Each cycle but the first begins at the best plan that goes by priorities. */
static void
turn_cycle (Annealing *self, double fraction)
{
  if (!must_turn (self, fraction))
    return;
  self->cycle++;
  if (goban_plan_get_order (self->walk.search.best) == GOBAN_ORDER_PRIORITY)
    goban_trials_go_to (&self->walk.trials, self->walk.search.best, self->walk.search.outcome);
  self->has_moved = TRUE;
}

static void
credit (Annealing *self, GobanMoveKind kind, gboolean improved)
{
  self->habits.successes[kind] += 0.02 * (improved - self->habits.successes[kind]);
  self->habits.weights[kind] = base_weights[kind] * (0.02 + self->habits.successes[kind]);
}

/* What a plan may take at most to be accepted, if all tried before it are not: each of those loses, and so draws a
 * number. Decisions are those of whole runs. */
static void
find_limits (const Annealing *self, double temperature_us, guint n, double *limits_us)
{
  GobanRng rng = *goban_moves_get_rng (self->walk.trials.moves);
  double here_us = energy_us (self, &self->walk.trials.outcome);

  for (guint i = 0; i < n; i++)
    {
      double chance = goban_rng_uniform (&rng);
      double loss_us = chance > 0 ? -log (chance) * temperature_us : HUGE_VAL;

      limits_us[i] = (here_us + loss_us) * (1 + LIMIT_MARGIN);
    }
}

static guint
count_wanted (const Annealing *self)
{
  return (guint) CLAMP (0.5 / MAX (self->habits.acceptance, 1e-3), 1, GOBAN_MAX_TRIALS);
}

static void
note_trial (Annealing *self, GobanMoveKind kind, gboolean improved, gboolean is_taken)
{
  credit (self, kind, improved);
  self->habits.acceptance += 0.02 * (is_taken - self->habits.acceptance);
}

/* Whether a step that takes nothing is followed by one that differs in chance alone: no cycle turns and nothing
 * is learned in between, and time has no say. */
static gboolean
can_look_ahead (const Annealing *self, guint n, double *fraction)
{
  const GobanSearch *search = &self->walk.search;
  guint64 n_evaluations = search->n_evaluations + n;

  if (search->options->max_seconds > 0 || n_evaluations >= search->max_evaluations
      || n >= goban_evaluator_get_n_threads (self->walk.evaluator))
    return FALSE;
  *fraction = (double) n_evaluations / (double) search->max_evaluations;
  return !must_turn (self, *fraction) && !must_learn (self, n_evaluations);
}

/* While a processor would be idle: draws the next batch as it will be if all @n moves of this one lose and are not
 * taken, and leaves everything else as it was. limits_us (n_ahead) */
static void
look_ahead (Annealing *self, guint n, double *limits_us)
{
  GobanTrials *trials = &self->walk.trials;
  GobanRng *rng = goban_moves_get_rng (trials->moves);
  Habits now = self->habits;
  double fraction;

  if (!can_look_ahead (self, n, &fraction))
    return;
  now.rng = *rng;
  for (guint i = 0; i < n; i++)
    {
      goban_rng_uniform (rng);
      note_trial (self, trials->tried[i].kind, FALSE, FALSE);
    }
  set_reach (self, fraction);
  goban_trials_draw_ahead (trials, self->habits.weights, count_wanted (self), &self->walk.search);
  find_limits (self, find_temperature_us (self, fraction), trials->n_ahead, limits_us);
  self->ahead = self->habits;
  self->ahead.rng = *rng;
  self->habits = now;
  *rng = now.rng;
}

/* A batch of moves with their outcomes. */
static guint
try_moves (Annealing *self, double temperature_us)
{
  GobanTrials *trials = &self->walk.trials;
  GobanSearch *search = &self->walk.search;
  double limits_us[GOBAN_MAX_TRIALS];
  guint n;

  if (trials->n_ahead > 0)
    {
      self->habits = self->ahead;
      *goban_moves_get_rng (trials->moves) = self->ahead.rng;
      return goban_trials_take_ahead (trials, search);
    }
  n = goban_trials_draw (trials, self->habits.weights, count_wanted (self), search);
  find_limits (self, temperature_us, n, limits_us);
  look_ahead (self, n, limits_us + n);
  goban_trials_run (trials, goban_trials_may_limit (trials, search) ? limits_us : NULL, search);
  return n;
}

/* One batch of moves, at most one of which is taken. */
static void
step (Annealing *self, double temperature_us)
{
  GobanTrials *trials = &self->walk.trials;
  GobanRng *rng = goban_moves_get_rng (trials->moves);
  guint n = try_moves (self, temperature_us);
  guint taken = GOBAN_TAKE_NONE;

  for (guint i = 0; i < n && taken == GOBAN_TAKE_NONE; i++)
    {
      double loss = energy_us (self, &trials->outcomes[i]) - energy_us (self, &trials->outcome);
      gboolean is_taken = loss <= 0 || goban_rng_uniform (rng) < exp (-loss / temperature_us);

      note_trial (self, trials->tried[i].kind, loss < 0, is_taken);
      if (is_taken)
        taken = i;
    }
  goban_trials_settle (trials, taken);
  self->has_moved |= taken != GOBAN_TAKE_NONE;
}

static void
learn_at_times (Annealing *self)
{
  if (!must_learn (self, self->walk.search.n_evaluations))
    return;
  goban_trials_learn (&self->walk.trials, self->walk.costs, &self->walk.search);
  self->learned_at = self->walk.search.n_evaluations;
  self->has_moved = FALSE;
}

static void
anneal (Annealing *self, GError **error)
{
  self->us_per_missing_byte
      = find_penalty (self->walk.units, self->walk.trials.outcome.makespan_us);
  self->habits.acceptance = 0.1;
  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    {
      self->habits.successes[k] = 0.2;
      self->habits.weights[k] = base_weights[k];
    }
  goban_trials_learn (&self->walk.trials, self->walk.costs, &self->walk.search);
  self->learned_at = self->walk.search.n_evaluations;
  self->first_temperature_us = measure_loss (self) / -log (FIRST_CHANCE);

  while (goban_search_go_on (&self->walk.search, self->walk.what, error))
    {
      double fraction = goban_search_get_fraction (&self->walk.search);

      turn_cycle (self, fraction);
      learn_at_times (self);
      set_reach (self, fraction);
      step (self, find_temperature_us (self, fraction));
    }
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  Annealing self
      = { .walk
          = { .costs = costs, .what = "annealing", .default_evaluations = DEFAULT_EVALUATIONS } };
  GobanPlan *plan = NULL;

  if (goban_walk_begin (&self.walk, options, error))
    {
      anneal (&self, error);
      plan = goban_search_end (&self.walk.search, evaluations);
    }
  goban_walk_clear (&self.walk);
  return plan;
}

const GobanPlacer goban_placer_anneal = {
  .name = "anneal",
  .blurb = N_ ("simulated annealing with moves of connected groups and priorities"),
  .about = N_ ("Starts from the best of HEFT, the expert, critical path, METIS, m-TOPO, one "
               "device, a balanced contiguous cut, cuts along numbered scopes and splits along "
               "parameters or their uses (--set cells=0 leaves these out), then moves connected "
               "groups of ops, scopes, stretches and paths between devices, swaps groups, moves "
               "what the critical path waits for and shifts priorities. The temperature is taken "
               "from the first moves' losses and falls geometrically, in three cycles."),
  .source = "Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, 1983",
  .effort = GOBAN_EFFORT_SEARCH,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .place = place,
};
