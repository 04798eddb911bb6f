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
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/walk.h"

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

/* Relative tolerance of a plan's energy, above the rounding errors of energies and chances. */
#define LIMIT_MARGIN 1e-9

/* Memory missing costs as if a device's whole memory were worth that many start makespans. */
#define OVERFLOW_WEIGHT 10

static const double base_weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_UNIT] = 2,     [GOBAN_MOVE_PAIR] = 0.5,   [GOBAN_MOVE_GROUP] = 3,
  [GOBAN_MOVE_CLUSTER] = 3,  [GOBAN_MOVE_PATH] = 1,     [GOBAN_MOVE_SCOPE] = 2,
  [GOBAN_MOVE_WINDOW] = 1,   [GOBAN_MOVE_SWAP] = 1,     [GOBAN_MOVE_CRITICAL] = 8,
  [GOBAN_MOVE_PRIORITY] = 2, [GOBAN_MOVE_RANKS] = 0.05,
};

typedef struct
{
  GobanWalk walk;
  double us_per_missing_byte;
  double first_temperature_us;
  double acceptance;                    /* running mean over moves tried */
  double successes[GOBAN_N_MOVE_KINDS]; /* running means */
  double weights[GOBAN_N_MOVE_KINDS];
  guint cycle;
  guint64 learned_at; /* evaluations when it was traced last */
  gboolean has_moved; /* since then */
} Annealing;

static double
energy_us (const Annealing *self, const GobanOutcome *outcome)
{
  return outcome->makespan_us + outcome->overflow_bytes * self->us_per_missing_byte;
}

/* The least memory of a limited device converts missing bytes to time. */
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
      guint n_now = goban_trials_try (&self->walk.trials, self->weights, GOBAN_MAX_TRIALS);

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

/* Each cycle but the first begins at the best plan that goes by priorities. */
static void
turn_cycle (Annealing *self, double fraction)
{
  if (self->cycle + 1 >= G_N_ELEMENTS (cycles) || fraction < cycles[self->cycle].end)
    return;
  self->cycle++;
  if (goban_plan_get_order (self->walk.search.best) == GOBAN_ORDER_PRIORITY)
    goban_trials_go_to (&self->walk.trials, self->walk.search.best, self->walk.search.outcome,
                        self->walk.search.best_moment);
  self->has_moved = TRUE;
}

static void
credit (Annealing *self, GobanMoveKind kind, gboolean improved)
{
  self->successes[kind] += 0.02 * (improved - self->successes[kind]);
  self->weights[kind] = base_weights[kind] * (0.02 + self->successes[kind]);
}

/* The longest makespan that would be accepted, plan by plan, if none before it in the batch is:
 * each of those draws one number. Decisions are the same as after complete runs. */
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

/* Draws a batch of moves and simulates them. */
static guint
try_moves (Annealing *self, double temperature_us)
{
  GobanTrials *trials = &self->walk.trials;
  double wanted = 0.5 / MAX (self->acceptance, 1e-3);
  double limits_us[GOBAN_MAX_TRIALS];
  guint n = goban_trials_draw (trials, self->weights, (guint) CLAMP (wanted, 1, GOBAN_MAX_TRIALS));

  trials->temperature_us = temperature_us;
  find_limits (self, temperature_us, n, limits_us);
  goban_trials_run (trials, goban_trials_may_limit (trials) ? limits_us : NULL);
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

      credit (self, trials->tried[i].kind, loss < 0);
      self->acceptance += 0.02 * (is_taken - self->acceptance);
      if (is_taken)
        taken = i;
    }
  self->has_moved |= goban_trials_settle (trials, taken) != GOBAN_TAKE_NONE;
}

static void
learn_at_times (Annealing *self)
{
  if (!self->has_moved || self->walk.search.n_evaluations < self->learned_at + LEARN_EVERY)
    return;
  goban_trials_learn (&self->walk.trials, self->walk.costs);
  self->learned_at = self->walk.search.n_evaluations;
  self->has_moved = FALSE;
}

static void
anneal (Annealing *self, GError **error)
{
  self->us_per_missing_byte
      = find_penalty (self->walk.units, self->walk.trials.outcome.makespan_us);
  self->acceptance = 0.1;
  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    {
      self->successes[k] = 0.2;
      self->weights[k] = base_weights[k];
    }
  goban_trials_learn (&self->walk.trials, self->walk.costs);
  self->learned_at = self->walk.search.n_evaluations;
  self->first_temperature_us = measure_loss (self) / -log (FIRST_CHANCE);

  while (goban_search_go_on (&self->walk.search, self->walk.what, error))
    {
      double fraction = goban_search_get_fraction (&self->walk.search);

      turn_cycle (self, fraction);
      learn_at_times (self);
      goban_moves_set_reach (self->walk.trials.moves, pow (LAST_REACH, fraction));
      step (self, find_temperature_us (self, fraction));
    }
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  Annealing self = {
    .walk = { .costs = costs, .what = N_ ("annealing"), .default_evaluations = DEFAULT_EVALUATIONS }
  };
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
  .is_random = TRUE,
  .has_start = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .setting = "cells",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
