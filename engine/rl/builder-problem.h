/* builder-problem.h: a graph on a cluster for the plan builder: rows, simulator and rewards of
 * plans.
 *
 * A plan is a device for every row and one of the static orders (engine/placers/static-orders.h).
 * Rewards are -log (makespan / reference), the reference being the best of a few contiguous splits
 * of cells: nothing that names or an expert know. A plan that lacks memory counts as two to four
 * times as long.
 *
 * One thread at a time.
 */
#pragma once

#include "engine/placers/cell-splits.h"
#include "engine/placers/static-orders.h"
#include "engine/policy/plan-builder.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* Evaluations of splits that the reference is the best of. */
#define GOBAN_BUILDER_N_SPLITS 17

/* Cells, or connected groups. */
typedef struct
{
  double groups;     /* times so many groups of parameters as goban_cells_choose() says */
  double slots;      /* likewise */
  guint n_connected; /* not 0: about so many connected groups instead */
} GobanBuilderRows;

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanCellRows *cells; /* (nullable): the rows' two coordinates, where they are cells */
  GobanRows *rows;
  GobanPlanBuilder *builder;
  GobanStaticOrders *orders;
  GobanSimulator *simulator;
  GobanPlan *plan;
  double reference_us;
  guint32 *reference; /* (R) the devices that the best split has most work of each row on */
} GobanBuilderProblem;

/**
 * goban_builder_problem_new:
 * @sizes: (nullable): the usual ones
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set
 */
GobanBuilderProblem *goban_builder_problem_new (GobanCostModel *costs,
                                                const GobanBuilderRows *sizes,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_builder_problem_free (GobanBuilderProblem *self);

/* Makes self->plan of devices (R) under an order and simulates it. */
GobanOutcome goban_builder_problem_evaluate (GobanBuilderProblem *self, const guint32 *devices,
                                             GobanStaticOrder order);

/* The makespan, longer where memory lacks: what plans are compared by. */
double goban_builder_problem_score_us (const GobanBuilderProblem *self, GobanOutcome outcome);
/* In [-3, 2]. */
double goban_builder_problem_reward (const GobanBuilderProblem *self, double score_us);

/* Share of the work that is on the device with most. */
double goban_builder_problem_get_top_share (const GobanBuilderProblem *self,
                                            const guint32 *devices);

/* devices (R): a good plan: the best split, then changes of groups, slots, stretches and rows,
 * accepted as annealing does, as often as @n_evaluations says. Returns its score. */
double goban_builder_problem_anneal (GobanBuilderProblem *self, guint n_evaluations, GobanRng *rng,
                                     guint32 *devices);

/* The shortest of the likeliest plan and n_samples drawn at @temperature; greedy_us (out)
 * (nullable). */
double goban_builder_problem_try (GobanBuilderProblem *self, const GobanBuilderNet *net,
                                  guint n_samples, double temperature, double *greedy_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderProblem, goban_builder_problem_free)

G_END_DECLS
