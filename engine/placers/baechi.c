#include "engine/placers/baechi.h"

#include "engine/placers/coplacement.h"
#include "engine/placers/earliest.h"
#include "engine/placers/policies.h"
#include "engine/sim/evaluator.h"

/* Plans of one grouping, each with more memory kept free than the last. */
#define MAX_TRIES 6
/* A plan that keeps just what was missing free often misses a little again. */
#define HEADROOM_PER_OVERFLOW 1.1

typedef struct
{
  GobanCostModel *costs;
  GobanSimulator *simulator;
  const GobanPlacerOptions *options;
  guint64 n_evaluations;
  GobanPlan *best; /* NULL before the first */
  GobanOutcome outcome;
} Baechi;

/* Takes the plan. */
static GobanOutcome
consider (Baechi *self, GobanPlan *plan)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->simulator, plan);

  self->n_evaluations++;
  if (self->best == NULL || goban_outcome_compare (&outcome, &self->outcome) < 0)
    {
      g_clear_pointer (&self->best, goban_plan_unref);
      self->best = goban_plan_ref (plan);
      self->outcome = outcome;
    }
  goban_plan_unref (plan);
  return outcome;
}

static gboolean
try_rules (Baechi *self, GobanEarliestRules *rules, GError **error)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autoptr (GobanListSchedule) schedule
          = goban_earliest_schedule (rules, self->options, error);
      GobanOutcome outcome;

      if (schedule == NULL)
        return FALSE;
      outcome = consider (self, goban_list_schedule_new_plan (schedule));
      if (outcome.overflow_bytes == 0)
        break;
      rules->headroom_bytes += HEADROOM_PER_OVERFLOW * outcome.overflow_bytes;
    }
  return TRUE;
}

static gboolean
try_grouping (Baechi *self, GobanCoplacement coplacement, gboolean favourites, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new_coplaced (self->costs, coplacement, error);
  g_auto (GobanTrees) trees = { 0 };
  g_autofree guint32 *children = NULL;
  GobanEarliestRules rules;

  if (units == NULL)
    return FALSE;

  goban_trees_init (&trees, units);
  if (favourites)
    {
      children = g_new (guint32, MAX (trees.n_trees, 1));
      if (!goban_m_sct_favourites (units, &trees, children, self->options->progress, error))
        return FALSE;
    }
  rules = (GobanEarliestRules){
    .units = units,
    .trees = &trees,
    .leaders = TRUE,
    .channels = !goban_cost_model_is_contention_free (self->costs),
    .favourites = children,
  };
  if (!try_rules (self, &rules, error))
    return FALSE;
  rules.headroom_bytes = 0;
  rules.reserves_kept = TRUE;
  return try_rules (self, &rules, error);
}

GobanPlan *
goban_baechi_place (GobanCostModel *costs, gboolean favourites, const GobanPlacerOptions *options,
                    guint64 *evaluations, GError **error)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  Baechi self = { .costs = costs, .simulator = simulator, .options = options };

  if (!try_grouping (&self, GOBAN_COPLACE_CONSUMERS, favourites, error)
      || !try_grouping (&self, GOBAN_COPLACE_READERS, favourites, error))
    g_clear_pointer (&self.best, goban_plan_unref);
  *evaluations += self.n_evaluations;
  return self.best;
}
