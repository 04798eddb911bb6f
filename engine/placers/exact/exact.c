/* The best plan there is, with a proof, if the graph is small: branch and bound.
 *
 * Units are placed one by one, the most urgent first; where all are placed, exact-dispatch.c
 * branches on the order of ops and transfers. What cannot beat the best plan so far is cut off: by
 * longest paths over the devices still open, by the work and the transfers that wait in one line,
 * and by memory. Devices that may change places are tried once.
 */
#include "engine/core/i18n.h"
#include "engine/placers/exact/exact-dispatch.h"
#include "engine/placers/policies.h"

#include <math.h>
#include <string.h>

#define DEFAULT_EVALUATIONS 2000000
/* Share of the budget for a first plan. */
#define FIRST_SHARE 8
#define FIRST_MOST 4000

typedef struct
{
  ExactContext *context;
  const ExactProblem *problem;
  guint n_units;
  guint32 order[EXACT_MAX_NODES];
  guint8 device[EXACT_MAX_NODES];
  guint n_on[EXACT_MAX_DEVICES]; /* units placed there */
  /* Bounds of the devices of the units on the way, in their order, and GobanRefusal. */
  double bounds_us[EXACT_MAX_NODES][EXACT_MAX_DEVICES];
  guint8 refusals[EXACT_MAX_NODES][EXACT_MAX_DEVICES];
} Placing;

static void
order_units (Placing *self)
{
  const GobanUnits *units = self->problem->units;
  g_autofree double *rank_us = g_new (double, self->problem->N);
  double unit_us[EXACT_MAX_NODES] = { 0 };

  goban_units_upward_ranks (units, rank_us);
  for (guint v = 0; v < self->problem->N; v++)
    unit_us[units->unit_of[v]] = MAX (unit_us[units->unit_of[v]], rank_us[v]);
  self->n_units = units->n_units;
  for (guint32 u = 0; u < units->n_units; u++)
    {
      guint i = u;

      for (; i > 0 && unit_us[self->order[i - 1]] < unit_us[u]; i--)
        self->order[i] = self->order[i - 1];
      self->order[i] = u;
    }
}

static void
put_unit (Placing *self, guint32 unit, guint8 device)
{
  const GobanUnits *units = self->problem->units;

  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    self->device[units->nodes[i]] = device;
}

/* Only the first of the twins without a unit is tried: the others give the same plans. */
static gboolean
is_repetition (const Placing *self, guint d)
{
  if (self->n_on[d] > 0)
    return FALSE;
  for (guint twin = 0; twin < d; twin++)
    if (self->n_on[twin] == 0 && self->problem->twin_of[twin] == self->problem->twin_of[d])
      return TRUE;
  return FALSE;
}

typedef struct
{
  double bound_us;
  guint8 device;
} Choice;

/* For the unit at place @at in the order. */
static guint
list_choices (Placing *self, guint at, Choice *choices)
{
  guint32 unit = self->order[at];
  guint n = 0;

  for (guint d = 0; d < self->problem->D; d++)
    {
      Choice choice = { (double) NAN, (guint8) d };
      guint i;

      self->refusals[at][d] = is_repetition (self, d) ? GOBAN_REFUSAL_RULE : 0;
      if (!goban_units_can_run (self->problem->units, unit, d))
        self->refusals[at][d] |= GOBAN_REFUSAL_CANNOT_RUN;
      if (self->refusals[at][d] == 0)
        {
          put_unit (self, unit, d);
          choice.bound_us = exact_placement_bound (self->problem, self->device);
          for (i = n++; i > 0 && choices[i - 1].bound_us > choice.bound_us; i--)
            choices[i] = choices[i - 1];
          choices[i] = choice;
        }
      self->bounds_us[at][d] = choice.bound_us;
    }
  return n;
}

/* The best plan, unit by unit: the bounds are those of the plans with the units so far. */
static void
write_incumbent (gpointer data, const guint8 *place)
{
  const Placing *self = data;
  const GobanUnits *units = self->problem->units;
  GobanSearch *search = self->context->search;
  const GobanSpanResult result = goban_search_get_result (search->outcome);
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      search->decisions,
      &(GobanSpanHead){ .name = "incumbent",
                        .level = GOBAN_LEVEL_PLAN,
                        .evaluation = search->best_evaluation,
                        .n_left_out = search->n_evaluations - search->written - 1,
                        .key = "upward_rank_us",
                        .has_base = TRUE });

  for (guint i = 0; i < self->n_units && span != NULL; i++)
    {
      guint32 first = units->offsets[self->order[i]];
      guint8 device = self->device[units->nodes[first]];

      for (guint d = 0; d < self->problem->D; d++)
        goban_decisions_writer_score (span, place[d], self->bounds_us[i][d], self->refusals[i][d]);
      goban_decisions_writer_decide (
          span,
          &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                .options = GOBAN_OPTION_DEVICE,
                                .score = GOBAN_SCORE_BOUND_US,
                                .nodes = &units->nodes[first],
                                .n_nodes = units->offsets[self->order[i] + 1] - first,
                                .n_options = self->problem->D,
                                .after_us = self->bounds_us[i][device] },
          place[device]);
    }
  goban_search_set_best (search, span, NULL);
  goban_decisions_writer_close (span, &result, TRUE);
}

static void
place_from (Placing *self, guint i, double bound_us)
{
  ExactContext *context = self->context;
  Choice choices[EXACT_MAX_DEVICES];
  guint n;

  if (i == self->n_units)
    {
      exact_dispatch (context, self->device, bound_us);
      return;
    }
  exact_count (context);
  n = list_choices (self, i, choices);
  for (guint k = 0; k < n; k++)
    {
      guint8 d = choices[k].device;

      if (choices[k].bound_us >= exact_target_us (context))
        break;
      if (context->is_over)
        {
          context->open_us = MIN (context->open_us, choices[k].bound_us);
          break;
        }
      put_unit (self, self->order[i], d);
      self->n_on[d]++;
      place_from (self, i + 1, choices[k].bound_us);
      self->n_on[d]--;
    }
  put_unit (self, self->order[i], EXACT_NONE);
}

/* --- first plans ------------------------------------------------------------------------- */

typedef struct
{
  GobanCostModel *costs;
  GobanSearch *search;
  GobanSimulator *simulator;
  GError **error;
} First;

/* Reports a plan that a policy found, after the evaluations spent before. */
static void
adopt_improvements (GobanSearch *search, const GArray *found)
{
  for (guint i = 0; i < found->len; i++)
    {
      const GobanImprovement *step = &g_array_index (found, GobanImprovement, i);

      goban_improvements_add (search->options->improvements,
                              search->n_evaluations + step->evaluation, step->makespan_us);
    }
}

static gboolean
try_policy (First *self, const GobanPlacer *placer, GobanPlacerOptions *options)
{
  guint64 n_spent = 0;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GobanPlan) plan = NULL;

  options->improvements = found;
  plan = placer->place (self->costs, options, &n_spent, self->error);

  if (plan == NULL)
    {
      self->search->is_cancelled = TRUE;
      return FALSE;
    }
  adopt_improvements (self->search, found);
  self->search->n_evaluations += n_spent;
  self->search->note = placer->name;
  goban_search_offer (self->search, plan, goban_simulator_evaluate (self->simulator, plan));
  return TRUE;
}

/* FALSE if it was stopped. Large graphs get the whole budget: there will be no proof. */
static gboolean
find_first (First *self, gboolean is_small)
{
  GobanSearch *search = self->search;
  GobanPlacerOptions options = *search->options;
  guint64 n_left;

  options.decisions = NULL;
  /* Their first plans alone: this search simulates them, and finds those that fit by itself. */
  options.max_evaluations = 1;
  if (!try_policy (self, &goban_placer_heft, &options))
    return FALSE;
  if (search->max_evaluations > 2 && !try_policy (self, &goban_placer_critical_path, &options))
    return FALSE;

  n_left = search->max_evaluations - MIN (search->n_evaluations, search->max_evaluations);
  if (is_small)
    options.max_evaluations
        = search->max_evaluations > 0 ? MIN (n_left / FIRST_SHARE, FIRST_MOST) : FIRST_MOST;
  else if (search->options->max_evaluations > 0)
    options.max_evaluations = n_left - MIN (n_left, 1);
  else
    options.max_evaluations
        = search->max_evaluations > 0 ? goban_placer_anneal.default_evaluations : 0;
  if (search->max_evaluations > 0 && options.max_evaluations < 1)
    return TRUE;
  return try_policy (self, &goban_placer_anneal, &options);
}

/* --- the policy -------------------------------------------------------------------------- */

/* The bound that holds in the end. */
static double
prove (Placing *self)
{
  ExactContext *context = self->context;
  double root_us;

  memset (self->device, EXACT_NONE, sizeof self->device);
  order_units (self);
  root_us = exact_placement_bound (self->problem, self->device);
  if (root_us < exact_target_us (context))
    {
      context->is_over = !goban_search_go_on (context->search, "proving", context->error);
      if (context->is_over)
        return root_us;
      place_from (self, 0, root_us);
    }
  return MAX (root_us, MIN (context->best_us, context->open_us));
}

static double
prove_optimum (const GobanUnits *units, GobanSearch *search, GobanSimulator *simulator,
               GError **error)
{
  g_autoptr (ExactProblem) problem = exact_problem_new (units);
  ExactContext context = {
    .problem = problem,
    .search = search,
    .simulator = simulator,
    .best_us
    = search->outcome.overflow_bytes <= 0 ? search->outcome.makespan_us : (double) INFINITY,
    .open_us = (double) INFINITY,
    .error = error,
  };
  Placing placing = { .context = &context, .problem = problem };
  double bound_us;

  context.found = write_incumbent;
  context.data = &placing;
  bound_us = prove (&placing);

  return MIN (bound_us, context.best_us);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanSimulator) simulator = NULL;
  g_auto (GobanSearch) search = { 0 };
  First first;
  GobanPlan *plan;
  double bound_us;
  gboolean is_small;

  if (units == NULL)
    return NULL;
  simulator = goban_simulator_new (costs);
  is_small = exact_problem_fits (units);
  goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
  if (!goban_search_go_on (&search, "first plans", error))
    return NULL;
  first = (First){ costs, &search, simulator, error };
  if (!find_first (&first, is_small))
    return goban_search_end (&search, evaluations);

  bound_us = goban_bounds (costs).bound_us;
  if (is_small && (search.outcome.overflow_bytes > 0 || search.outcome.makespan_us > bound_us))
    bound_us = fmax (bound_us, prove_optimum (units, &search, simulator, error));
  if (search.outcome.overflow_bytes <= 0)
    bound_us = MIN (bound_us, search.outcome.makespan_us);
  plan = goban_search_end (&search, evaluations);
  if (plan == NULL)
    return NULL;
  goban_plan_set_proven_bound_us (plan, costs, bound_us);
  goban_decisions_writer_settle (options->decisions, plan);
  goban_decisions_writer_prove (options->decisions, bound_us);
  return plan;
}

const GobanPlacer goban_placer_exact = {
  .name = "exact",
  .blurb = N_ ("branch and bound: the best non-delay plan with a proof, for small graphs"),
  .about = N_ ("Places the most urgent units first and cuts off what cannot beat the best plan "
               "found: by longest paths over the devices still open, by Jackson's preemptive "
               "schedule of every device and channel, by memory, and by trying devices that may "
               "change places once. Complete placements are run by the simulator's rules, "
               "branching where a device has several ready ops or transfers compete, as long as "
               "some list of priorities, of ops or of tensors, gives that run. The result is the "
               "optimum among non-delay schedules, in which no device with ready work waits; a "
               "schedule that waits on purpose can be shorter, but a plan cannot express it. "
               "Starts from HEFT, critical path and a short annealing. An evaluation is one "
               "branch. The plan carries the bound that was proven: its makespan where it is "
               "optimal, to a part in 10^12; infinity where no plan keeps within memory; "
               "otherwise the least bound of the unexplored branches. Above 64 nodes, 256 "
               "tensors or 8 devices it anneals, and the bound is that of every run."),
  .source = "Land and Doig, An Automatic Method of Solving Discrete Programming Problems, 1960; "
            "Carlier, The One-Machine Sequencing Problem, 1982",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .forcing = GOBAN_FORCING_NONE,
  .why_no_forcing = "proves its plans by searching all of them, so that another option is one "
                    "that it has already ruled out",
  .place = place,
};
