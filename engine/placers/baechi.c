#include "engine/placers/baechi.h"

#include "engine/placers/coplacement.h"
#include "engine/placers/earliest-start.h"
#include "engine/placers/memory-fit.h"
#include "engine/placers/policies.h"

#include <string.h>

typedef struct
{
  GobanCostModel *costs;
  const GobanPlacerOptions *options;
  GobanMemoryFit fitting;
  GobanUnits *tried; /* (nullable): of the grouping before */
} Baechi;

typedef struct
{
  GobanEarliestStartRules *rules;
  const GobanPlacerOptions *options;
} Maker;

static const GobanChoiceWords words = { NULL, GOBAN_SCORE_START_US, TRUE, "the first device" };
/* A device that waits for a favourite child leaves the nodes that it could start first to
 * others. */
static const GobanChoiceWords words_of_favourites = { NULL, GOBAN_SCORE_START_US, FALSE, NULL };

static GobanPlan *
make_plan (gpointer data, const GobanAttempt *attempt, GError **error)
{
  Maker *maker = data;
  g_autoptr (GobanListSchedule) schedule = NULL;

  maker->rules->attempt = *attempt;
  schedule = goban_earliest_start_schedule (maker->rules, maker->options, error);
  return schedule != NULL ? goban_list_schedule_new_plan (schedule) : NULL;
}

static gboolean
try_rules (Baechi *self, GobanEarliestStartRules *rules, GError **error)
{
  Maker maker = { rules, self->options };

  return goban_memory_fit_try (&self->fitting, &(GobanPlanMaker){ make_plan, &maker, rules->words },
                               error);
}

/* All rules group a graph without variables alike, and one grouping always gives the same plans. */
static gboolean
are_tried (const Baechi *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);

  return self->tried != NULL && self->tried->n_units == units->n_units
         && memcmp (self->tried->unit_of, units->unit_of, n_nodes * sizeof *units->unit_of) == 0;
}

/* Takes the units. */
static void
keep_tried (Baechi *self, GobanUnits *units)
{
  g_clear_pointer (&self->tried, goban_units_free);
  self->tried = units;
}

static gboolean
try_units (Baechi *self, const GobanUnits *units, gboolean favourites, GError **error)
{
  g_auto (GobanTrees) trees = { 0 };
  g_autofree guint32 *children = NULL;
  GobanEarliestStartRules rules;

  goban_trees_init (&trees, units);
  if (favourites)
    {
      children = g_new (guint32, MAX (trees.n_trees, 1));
      if (!goban_m_sct_favourites (units, &trees, children, self->options->progress, error))
        return FALSE;
    }
  rules = (GobanEarliestStartRules){
    .units = units,
    .trees = &trees,
    .leaders = TRUE,
    .channels = !goban_cost_model_is_contention_free (self->costs),
    .favourites = children,
    .words = favourites ? &words_of_favourites : &words,
  };
  if (!try_rules (self, &rules, error))
    return FALSE;
  rules.reserves_kept = TRUE;
  return try_rules (self, &rules, error);
}

static gboolean
try_grouping (Baechi *self, GobanCoplacement coplacement, gboolean favourites, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new_coplaced (self->costs, coplacement, error);

  if (units == NULL)
    return FALSE;
  if (are_tried (self, units))
    return TRUE;
  if (!try_units (self, units, favourites, error))
    return FALSE;
  keep_tried (self, g_steal_pointer (&units));
  return TRUE;
}

GobanPlan *
goban_baechi_place (GobanCostModel *costs, gboolean favourites, const GobanPlacerOptions *options,
                    guint64 *evaluations, GError **error)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  Baechi self = { .costs = costs,
                  .options = options,
                  .fitting = { .simulator = simulator, .decisions = options->decisions } };

  if (!try_grouping (&self, GOBAN_COPLACE_CONSUMERS, favourites, error)
      || !try_grouping (&self, GOBAN_COPLACE_READERS, favourites, error))
    g_clear_pointer (&self.fitting.best, goban_plan_unref);
  g_clear_pointer (&self.tried, goban_units_free);
  *evaluations += self.fitting.n_evaluations;
  return self.fitting.best;
}
