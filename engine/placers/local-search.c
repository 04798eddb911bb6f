/* Iterated local search: variable neighbourhood descent over devices and priorities, and kicks.
 *
 * Starts from the best of the plans of starts.h. A neighbourhood is a kind of move; as many of its
 * moves are drawn as it has, within limits, and the best of those simulated side by side is
 * taken if it is no worse: walking along a plateau is what leads off it. After a gain the descent
 * goes back to the first neighbourhood, after the last one it is over. The plan is then kicked by some
 * moves, taken whatever they cost, and descends again, from the best plan or from where it ended
 * if that is as good. Kicks grow while nothing is gained, up to a plan drawn from scratch; of
 * small graphs that covers all there is.
 */
#include "engine/placers/policies.h"
#include "engine/placers/walk.h"

#include <math.h>

#define DEFAULT_EVALUATIONS 10000

/* Moves drawn from a neighbourhood before it is given up. */
#define MIN_PATIENCE 16
#define MAX_PATIENCE 300

/* Descents without a gain before the search goes elsewhere, and the most it is kicked by. */
#define MAX_FAILURES 12
#define MAX_KICKS 6
#define MAX_UNITS_AFRESH 64

/* The descent goes through these in order: cheap and likely ones first. */
static const GobanMoveKind neighbourhoods[] = {
  GOBAN_MOVE_CRITICAL, GOBAN_MOVE_UNIT,  GOBAN_MOVE_PRIORITY, GOBAN_MOVE_CLUSTER,
  GOBAN_MOVE_GROUP,    GOBAN_MOVE_SCOPE, GOBAN_MOVE_WINDOW,   GOBAN_MOVE_PATH,
  GOBAN_MOVE_SWAP,     GOBAN_MOVE_PAIR,  GOBAN_MOVE_RANKS,
};

static const double kick_weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_CLUSTER] = 1, [GOBAN_MOVE_UNIT] = 2, [GOBAN_MOVE_PAIR] = 1,
  [GOBAN_MOVE_GROUP] = 2,   [GOBAN_MOVE_PATH] = 1, [GOBAN_MOVE_SCOPE] = 1,
  [GOBAN_MOVE_WINDOW] = 1,  [GOBAN_MOVE_SWAP] = 1, [GOBAN_MOVE_PRIORITY] = 2,
};

typedef struct
{
  GobanWalk walk;
  GobanPlan *home; /* where kicks start */
  GobanOutcome home_outcome;
  double gain_rate; /* running mean over moves tried */
  guint n_failures; /* descents since the last gain */
} Climb;

static guint
find_patience (const Climb *self, GobanMoveKind kind)
{
  double n = self->walk.units->n_units;
  double n_others = self->walk.units->n_devices - 1;
  double size = n * n_others;

  if (kind == GOBAN_MOVE_RANKS)
    return 1;
  if (kind == GOBAN_MOVE_PRIORITY)
    size = n * n;
  else if (kind == GOBAN_MOVE_PAIR)
    size = n * n * n_others * n_others / 2;
  return (guint) CLAMP (size, MIN_PATIENCE, MAX_PATIENCE);
}

/* The best of @n trials, the first among equals, if it is no worse than the plan. */
static guint
choose (const Climb *self, guint n, gboolean *is_gain)
{
  const GobanTrials *trials = &self->walk.trials;
  guint best = 0;
  int sign;

  *is_gain = FALSE;
  if (n == 0)
    return GOBAN_TAKE_NONE;
  for (guint i = 1; i < n; i++)
    if (goban_outcome_compare (&trials->outcomes[i], &trials->outcomes[best]) < 0)
      best = i;
  sign = goban_outcome_compare (&trials->outcomes[best], &trials->outcome);
  *is_gain = sign < 0;
  return sign <= 0 ? best : GOBAN_TAKE_NONE;
}

/* %TRUE as soon as one of its moves is a gain. */
static gboolean
search_neighbourhood (Climb *self, GobanMoveKind kind, GError **error)
{
  double weights[GOBAN_N_MOVE_KINDS] = { 0 };
  guint n_left = find_patience (self, kind);

  weights[kind] = 1;
  while (n_left > 0 && goban_search_go_on (&self->walk.search, self->walk.what, error))
    {
      double wanted = 0.5 / MAX (self->gain_rate, 1e-3);
      guint n_most = MIN (n_left, GOBAN_MAX_TRIALS);
      guint n = goban_trials_try (&self->walk.trials, weights, (guint) CLAMP (wanted, 1, n_most),
                                  &self->walk.search);
      gboolean is_gain;
      guint taken = choose (self, n, &is_gain);

      goban_trials_settle (&self->walk.trials, taken);
      self->gain_rate += 0.02 * n * ((is_gain ? 1.0 / n : 0) - self->gain_rate);
      if (is_gain)
        return TRUE;
      n_left -= n;
    }
  return FALSE;
}

static void
descend (Climb *self, GError **error)
{
  guint k = 0;

  goban_trials_learn (&self->walk.trials, self->walk.costs, &self->walk.search);
  while (k < G_N_ELEMENTS (neighbourhoods) && !self->walk.search.is_cancelled
         && goban_search_get_fraction (&self->walk.search) < 1)
    k = search_neighbourhood (self, neighbourhoods[k], error) ? 0 : k + 1;
}

/* Every unit anywhere, every node whenever. */
static void
draw_afresh (Climb *self)
{
  GobanRng *rng = goban_moves_get_rng (self->walk.trials.moves);
  g_autoptr (GobanPlan) plan = goban_plan_copy (self->home);
  guint n_priorities = goban_plan_get_n_nodes (plan) * GOBAN_PRIORITY_SPREAD;
  GobanOutcome outcome;

  for (guint u = 0; u < self->walk.units->n_units; u++)
    {
      GobanDeviceId d = (GobanDeviceId) goban_rng_below (rng, self->walk.units->n_devices);

      while (!goban_units_can_run (self->walk.units, u, d))
        d = (GobanDeviceId) ((d + 1) % self->walk.units->n_devices);
      for (guint i = self->walk.units->offsets[u]; i < self->walk.units->offsets[u + 1]; i++)
        {
          goban_plan_set_device (plan, self->walk.units->nodes[i], d);
          goban_plan_set_priority (plan, self->walk.units->nodes[i],
                                   (gint32) goban_rng_below (rng, n_priorities));
        }
    }
  goban_evaluator_evaluate (self->walk.evaluator, &plan, 1, &outcome);
  goban_search_offer (&self->walk.search, plan, outcome);
  goban_trials_go_to (&self->walk.trials, plan, outcome);
}

static void
kick (Climb *self)
{
  GobanRng *rng = goban_moves_get_rng (self->walk.trials.moves);
  guint n_most = MIN (2 + self->n_failures / 2, MAX_KICKS);
  guint n_kicks = 1 + goban_rng_below (rng, n_most);

  goban_trials_go_to (&self->walk.trials, self->home, self->home_outcome);
  for (guint i = 0; i < n_kicks; i++)
    {
      goban_trials_try (&self->walk.trials, kick_weights, 1, &self->walk.search);
      goban_trials_settle (&self->walk.trials, 0);
    }
}

static void
move_home (Climb *self)
{
  goban_plan_unref (self->home);
  self->home = goban_plan_copy (self->walk.trials.plan);
  self->home_outcome = self->walk.trials.outcome;
}

/* Of a small graph a new start may lead to what no kick reaches; of a large one it leads nowhere. */
static void
go_elsewhere (Climb *self, GError **error)
{
  self->n_failures = 0;
  if (self->walk.units->n_units <= MAX_UNITS_AFRESH)
    {
      draw_afresh (self);
      descend (self, error);
      move_home (self);
    }
  else if (goban_plan_get_order (self->walk.search.best) == GOBAN_ORDER_PRIORITY)
    {
      goban_trials_go_to (&self->walk.trials, self->walk.search.best, self->walk.search.outcome);
      move_home (self);
    }
}

static void
climb (Climb *self, GError **error)
{
  self->home = goban_plan_copy (self->walk.trials.plan);
  descend (self, error);
  move_home (self);
  while (goban_search_go_on (&self->walk.search, self->walk.what, error))
    {
      int sign;

      if (self->n_failures >= MAX_FAILURES)
        {
          go_elsewhere (self, error);
          continue;
        }
      kick (self);
      descend (self, error);
      sign = goban_outcome_compare (&self->walk.trials.outcome, &self->home_outcome);
      self->n_failures = sign < 0 ? 0 : self->n_failures + 1;
      if (sign <= 0)
        move_home (self);
    }
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  Climb self
      = { .walk
          = { .costs = costs, .what = "searching", .default_evaluations = DEFAULT_EVALUATIONS },
          .gain_rate = 0.1 };
  GobanPlan *plan = NULL;

  if (goban_walk_begin (&self.walk, options, error))
    {
      climb (&self, error);
      plan = goban_search_end (&self.walk.search, evaluations);
    }
  g_clear_pointer (&self.home, goban_plan_unref);
  goban_walk_clear (&self.walk);
  return plan;
}

const GobanPlacer goban_placer_local_search = {
  .name = "local-search",
  .blurb = "iterated local search: variable neighbourhood descent, kicked on",
  .about
  = "Starts from the best of HEFT, the expert, critical path, METIS, m-TOPO, one device, a "
    "balanced contiguous cut and cuts along numbered scopes. Descends through eleven "
    "neighbourhoods of devices and priorities, first what the critical path waits for, taking "
    "moves that change nothing, too; then is kicked and descends again. Small graphs are also "
    "started from plans drawn by lot.",
  .source = "Lourenço, Martin and Stützle, Iterated Local Search, 2003; Mladenović and Hansen, "
            "Variable Neighborhood Search, 1997",
  .effort = GOBAN_EFFORT_SEARCH,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .place = place,
};
