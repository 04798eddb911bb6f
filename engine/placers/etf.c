/* Earliest Task First: Hwang, Chow, Anger and Lee (1989), with memory. */
#include "engine/core/i18n.h"
#include "engine/placers/earliest-start.h"
#include "engine/placers/memory-fit.h"
#include "engine/placers/policies.h"

typedef struct
{
  GobanEarliestStartRules rules;
  const GobanPlacerOptions *options;
} Maker;

static const GobanChoiceWords words
    = { "static_level_us", GOBAN_SCORE_START_US, TRUE, "the first device" };

static GobanPlan *
make_plan (gpointer data, const GobanAttempt *attempt, GError **error)
{
  Maker *maker = data;
  g_autoptr (GobanListSchedule) schedule = NULL;

  maker->rules.attempt = *attempt;
  schedule = goban_earliest_start_schedule (&maker->rules, maker->options, error);
  return schedule != NULL ? goban_list_schedule_new_plan (schedule) : NULL;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_auto (GobanTrees) trees = { 0 };
  g_autofree double *levels = NULL;
  Maker maker = { .options = options };

  if (units == NULL)
    return NULL;

  levels = g_new (double, goban_graph_get_n_nodes (units->graph));
  goban_units_static_levels (units, levels);
  goban_trees_init_trivial (&trees, units);
  maker.rules = (GobanEarliestStartRules){
    .units = units,
    .trees = &trees,
    .levels = levels,
    .words = &words,
  };
  return goban_memory_fit_plan (costs, &(GobanPlanMaker){ make_plan, &maker, &words }, options,
                                evaluations, error);
}

const GobanPlacer goban_placer_etf = {
  .name = "etf",
  .blurb = N_ ("of all ready nodes and devices the pair that can start first"),
  .about
  = N_ ("Of all pairs of a ready node and a device the one that can start first is "
        "scheduled, again and again; among those that start together the node with the "
        "longest path to the end by times alone, its static level. Transfers take their "
        "time but do not wait for each other, as in the paper. Its proven bound is for "
        "equal devices: where they differ a slow idle one counts as much as a fast one. "
        "Ours: variables and constants come along with their first reader; the first "
        "node of a colocation group binds the group; a device without room is passed "
        "over while another has room, and a plan that overflows is made again as with heft; ops "
        "run in the planned order."),
  .source
  = "Hwang, Chow, Anger and Lee, Scheduling Precedence Graphs in Systems with Interprocessor "
    "Communication Times, 1989",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
