/* The descent and the kicks of iterated local search; local-search.c says where it comes from.
 *
 * A neighbourhood is a kind of move; as many of its moves are drawn as it has, within limits, and
 * the best of those simulated side by side is taken if it is no worse: walking along a plateau is
 * what leads off it. After a gain the descent goes back to the first neighbourhood, after the last
 * one it is over. The plan is then kicked by some moves, taken whatever they cost, and descends
 * again, from the best plan or from where it ended if that is as good. Kicks grow while nothing is
 * gained, up to a plan drawn from scratch; of small graphs that covers all there is.
 */
#include "engine/placers/search/refine.h"

#include "engine/placers/search/starts.h"
#include "engine/placers/search/trials.h"

#include <string.h>

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

static gboolean
is_of_order (GobanMoveKind kind)
{
  return kind == GOBAN_MOVE_PRIORITY || kind == GOBAN_MOVE_RANKS;
}

static const double kick_weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_CLUSTER] = 1, [GOBAN_MOVE_UNIT] = 2, [GOBAN_MOVE_PAIR] = 1,
  [GOBAN_MOVE_GROUP] = 2,   [GOBAN_MOVE_PATH] = 1, [GOBAN_MOVE_SCOPE] = 1,
  [GOBAN_MOVE_WINDOW] = 1,  [GOBAN_MOVE_SWAP] = 1, [GOBAN_MOVE_PRIORITY] = 2,
};

typedef struct
{
  GobanSearch *search;
  GobanTrials trials;
  GobanCostModel *costs;
  GobanEvaluator *evaluator;
  const GobanUnits *units;
  gboolean has_order; /* priorities are searched, too */
  GobanPlan *home;    /* plan from which kicks start */
  GobanOutcome home_outcome;
  GobanMoment home_moment; /* of the search's decisions; 0: unknown */
  double gain_rate;        /* running mean over moves tried */
  guint n_failures;        /* descents since the last gain */
} Refiner;

static guint
find_patience (const Refiner *self, GobanMoveKind kind)
{
  double n = self->units->n_units;
  double n_others = self->units->n_devices - 1;
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
choose (const Refiner *self, guint n, gboolean *is_gain)
{
  const GobanTrials *trials = &self->trials;
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

/* Draws moves and simulates them; those longer than the plan need not end. */
static guint
try_moves (Refiner *self, const double *weights, guint n_wanted)
{
  GobanTrials *trials = &self->trials;
  double limits_us[GOBAN_MAX_TRIALS];
  guint n = goban_trials_draw (trials, weights, n_wanted);

  for (guint i = 0; i < n; i++)
    limits_us[i] = trials->outcome.makespan_us;
  goban_trials_run (trials, goban_trials_may_limit (trials) ? limits_us : NULL);
  return n;
}

/* %TRUE as soon as one of its moves is a gain. */
static gboolean
search_neighbourhood (Refiner *self, GobanMoveKind kind, GError **error)
{
  double weights[GOBAN_N_MOVE_KINDS] = { 0 };
  guint n_left = find_patience (self, kind);

  weights[kind] = 1;
  while (n_left > 0 && goban_search_go_on (self->search, "searching", error))
    {
      double wanted = 0.5 / MAX (self->gain_rate, 1e-3);
      guint n_most = MIN (n_left, GOBAN_MAX_TRIALS);
      guint n = try_moves (self, weights, (guint) CLAMP (wanted, 1, n_most));
      gboolean is_gain;
      guint taken = choose (self, n, &is_gain);

      goban_trials_settle (&self->trials, taken);
      self->gain_rate += 0.02 * n * ((is_gain ? 1.0 / n : 0) - self->gain_rate);
      if (is_gain)
        return TRUE;
      n_left -= n;
    }
  return FALSE;
}

static void
descend (Refiner *self, GError **error)
{
  guint k = 0;

  goban_trials_learn (&self->trials, self->costs);
  while (k < G_N_ELEMENTS (neighbourhoods) && !self->search->is_cancelled
         && goban_search_get_fraction (self->search) < 1)
    {
      GobanMoveKind kind = neighbourhoods[k];
      gboolean is_searched = self->has_order || !is_of_order (kind);

      k = is_searched && search_neighbourhood (self, kind, error) ? 0 : k + 1;
    }
}

/* Every unit anywhere, every node whenever. */
static void
draw_afresh (Refiner *self)
{
  GobanRng *rng = goban_moves_get_rng (self->trials.moves);
  g_autoptr (GobanPlan) plan = goban_plan_copy (self->home);
  guint n_priorities = goban_plan_get_n_nodes (plan) * GOBAN_PRIORITY_SPREAD;
  GobanOutcome outcome;

  for (guint u = 0; u < self->units->n_units; u++)
    {
      GobanDeviceId d = (GobanDeviceId) goban_rng_below (rng, self->units->n_devices);

      while (!goban_units_can_run (self->units, u, d))
        d = (GobanDeviceId) ((d + 1) % self->units->n_devices);
      for (guint i = self->units->offsets[u]; i < self->units->offsets[u + 1]; i++)
        {
          goban_plan_set_device (plan, self->units->nodes[i], d);
          if (self->has_order)
            goban_plan_set_priority (plan, self->units->nodes[i],
                                     (gint32) goban_rng_below (rng, n_priorities));
        }
    }
  goban_evaluator_evaluate (self->evaluator, &plan, 1, &outcome);
  goban_search_offer (self->search, plan, outcome);
  goban_trials_go_to (&self->trials, plan, outcome, 0);
}

static void
kick (Refiner *self)
{
  GobanRng *rng = goban_moves_get_rng (self->trials.moves);
  guint n_most = MIN (2 + self->n_failures / 2, MAX_KICKS);
  guint n_kicks = 1 + goban_rng_below (rng, n_most);
  double weights[GOBAN_N_MOVE_KINDS];

  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    weights[k] = self->has_order || !is_of_order (k) ? kick_weights[k] : 0;
  goban_trials_go_to (&self->trials, self->home, self->home_outcome, self->home_moment);
  for (guint i = 0; i < n_kicks; i++)
    {
      goban_trials_try (&self->trials, weights, 1);
      goban_trials_settle (&self->trials, 0);
    }
}

static void
move_home (Refiner *self)
{
  goban_plan_unref (self->home);
  self->home = goban_plan_copy (self->trials.plan);
  self->home_outcome = self->trials.outcome;
  self->home_moment = self->trials.moment;
}

/* Whether @plan is valid as a start: nodes that moves do not touch are as in the home plan. */
static gboolean
differs_by_moves (const Refiner *self, const GobanPlan *plan)
{
  gsize n_bytes = goban_plan_get_n_nodes (plan) * sizeof (gint32);

  return goban_plan_get_order (plan) == goban_plan_get_order (self->home)
         && memcmp (goban_plan_get_fusions (plan), goban_plan_get_fusions (self->home), n_bytes)
                == 0;
}

/* On a small graph a new start may lead to plans that no kick reaches; on a large one it leads
 * nowhere. */
static void
go_elsewhere (Refiner *self, GError **error)
{
  self->n_failures = 0;
  if (self->units->n_units <= MAX_UNITS_AFRESH)
    {
      draw_afresh (self);
      descend (self, error);
      move_home (self);
    }
  else if (differs_by_moves (self, self->search->best))
    {
      goban_trials_go_to (&self->trials, self->search->best, self->search->outcome,
                          self->search->best_moment);
      move_home (self);
    }
}

static void
climb (Refiner *self, GError **error)
{
  descend (self, error);
  move_home (self);
  while (goban_search_go_on (self->search, "searching", error))
    {
      int sign;

      if (self->n_failures >= MAX_FAILURES)
        {
          go_elsewhere (self, error);
          continue;
        }
      kick (self);
      descend (self, error);
      sign = goban_outcome_compare (&self->trials.outcome, &self->home_outcome);
      self->n_failures = sign < 0 ? 0 : self->n_failures + 1;
      if (sign <= 0)
        move_home (self);
    }
}

/* --- start of the descent ------------------------------------------------------------------ */

/* Nodes that are fused or colocated, directly or by way of others, get one label. */
static guint32
find_label (guint32 *parents, guint32 label)
{
  while (parents[label] != label)
    label = parents[label] = parents[parents[label]];
  return label;
}

/* Units that hold whole kernels, so that no move takes one apart. (transfer full) (nullable) */
static GobanUnits *
new_fused_units (const GobanUnits *units, const GobanPlan *plan, GError **error)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autoptr (GHashTable) first_of = g_hash_table_new (NULL, NULL); /* fusion: unit + 1 */
  g_autofree guint32 *labels = g_new (guint32, n_nodes);
  g_autofree guint32 *parents = g_new (guint32, units->n_units);

  for (guint u = 0; u < units->n_units; u++)
    parents[u] = u;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gpointer fusion = GINT_TO_POINTER (fusions[v]);
      guint32 first;

      if (fusions[v] == GOBAN_NO_FUSION)
        continue;
      first = GPOINTER_TO_UINT (g_hash_table_lookup (first_of, fusion));
      if (first == 0)
        g_hash_table_insert (first_of, fusion, GUINT_TO_POINTER (units->unit_of[v] + 1));
      else
        parents[find_label (parents, units->unit_of[v])] = find_label (parents, first - 1);
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    labels[v] = find_label (parents, units->unit_of[v]);
  return goban_units_new_labelled (units->costs, labels, units->n_units, error);
}

/* A FIFO plan whose order is to be searched gets one. (transfer full) */
static GobanPlan *
new_start (const Refiner *self, const GobanPlan *plan, GobanOutcome *outcome)
{
  GobanPlan *start;

  if (!self->has_order || goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY
      || goban_search_clip (self->search, 1) == 0)
    return goban_plan_copy (plan);

  start = goban_starts_new_as_it_ran (self->costs, plan);
  goban_evaluator_evaluate (self->evaluator, &start, 1, outcome);
  goban_search_offer (self->search, start, *outcome);
  return start;
}

gboolean
goban_refine (const GobanRefining *refining, const GobanPlan *plan, GobanOutcome outcome,
              GError **error)
{
  gboolean is_fused = goban_plan_is_fused (plan);
  g_autoptr (GobanUnits) fused = NULL;
  g_autoptr (GobanMoves) moves = NULL;
  g_autoptr (GobanPlan) start = NULL;
  Refiner self = {
    .search = refining->search,
    .costs = refining->costs,
    .evaluator = refining->evaluator,
    .units = refining->units,
    .has_order = goban_tasks_have (refining->decisions, GOBAN_TASK_SCHEDULING),
    .gain_rate = 0.1,
  };

  if (is_fused)
    {
      self.units = fused = new_fused_units (refining->units, plan, error);
      if (fused == NULL)
        return FALSE;
    }
  start = new_start (&self, plan, &outcome);
  moves = goban_moves_new (self.units, refining->seed);
  goban_trials_init (&self.trials, self.evaluator, moves, start, outcome);
  self.trials.search = self.search;
  self.home = goban_plan_copy (start);
  self.home_outcome = outcome;
  climb (&self, error);
  goban_plan_unref (self.home);
  goban_trials_clear (&self.trials);
  return !self.search->is_cancelled;
}
