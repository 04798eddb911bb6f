#include "engine/placers/baechi.h"

#include "engine/placers/coplacement.h"
#include "engine/placers/earliest.h"
#include "engine/placers/fitting.h"
#include "engine/placers/policies.h"

typedef struct
{
  GobanCostModel *costs;
  const GobanPlacerOptions *options;
  GobanFitting fitting;
} Baechi;

typedef struct
{
  GobanEarliestRules *rules;
  const GobanPlacerOptions *options;
} Maker;

static GobanPlan *
make_plan (gpointer data, double headroom_bytes, GError **error)
{
  Maker *maker = data;
  g_autoptr (GobanListSchedule) schedule = NULL;

  maker->rules->headroom_bytes = headroom_bytes;
  schedule = goban_earliest_schedule (maker->rules, maker->options, error);
  return schedule != NULL ? goban_list_schedule_new_plan (schedule) : NULL;
}

static gboolean
try_rules (Baechi *self, GobanEarliestRules *rules, GError **error)
{
  Maker maker = { rules, self->options };

  return goban_fitting_try (&self->fitting, &(GobanPlanMaker){ make_plan, &maker }, error);
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
  rules.reserves_kept = TRUE;
  return try_rules (self, &rules, error);
}

GobanPlan *
goban_baechi_place (GobanCostModel *costs, gboolean favourites, const GobanPlacerOptions *options,
                    guint64 *evaluations, GError **error)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  Baechi self = { .costs = costs, .options = options, .fitting.simulator = simulator };

  if (!try_grouping (&self, GOBAN_COPLACE_CONSUMERS, favourites, error)
      || !try_grouping (&self, GOBAN_COPLACE_READERS, favourites, error))
    g_clear_pointer (&self.fitting.best, goban_plan_unref);
  *evaluations += self.fitting.n_evaluations;
  return self.fitting.best;
}
