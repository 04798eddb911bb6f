/* builder-problem.h: a graph on a cluster for the plan builder: rows, simulator and rewards of
 * plans.
 *
 * A plan is a device for every row and one of the static orders (static-orders.h). The reward
 * is -log (makespan / reference). The reference is the best of a few contiguous splits of cells;
 * neither names nor the expert's plan are used. A plan that lacks memory counts as two to four
 * times its makespan.
 *
 * One thread at a time.
 */
#pragma once

#include "engine/learn/policy/plan-builder.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* Number of splits that are tried for the reference. */
#define GOBAN_BUILDER_N_SPLITS 17

/* Cells, or connected groups. */
typedef struct
{
  double groups;     /* number of groups of parameters, as a multiple of goban_cells_choose() */
  double slots;      /* number of slots, likewise */
  guint n_connected; /* if not 0: about this many connected groups instead of cells */
} GobanBuilderRows;

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanCellRows *cells; /* (nullable): the two coordinates of the rows, if rows are cells */
  GobanRows *rows;
  GobanPlanBuilder *builder;
  GobanStaticOrders *orders;
  GobanSimulator *simulator;
  GobanPlan *plan;
  double reference_us;
  guint32 *reference; /* (R) the device on which the best split has most work of each row */
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

/* Simulates devices (R) under an order; the plan is then in self->plan. */
GobanOutcome goban_builder_problem_evaluate (GobanBuilderProblem *self, const guint32 *devices,
                                             GobanStaticOrder order);

/* The makespan with a penalty for missing memory, by which plans are compared. */
double goban_builder_score_us (const GobanCluster *cluster, GobanOutcome outcome);
/* The reward of a score, clamped to [-3, 2]. */
double goban_builder_problem_reward (const GobanBuilderProblem *self, double score_us);

/* The largest share of the work on one device. */
double goban_builder_problem_get_top_share (const GobanBuilderProblem *self,
                                            const guint32 *devices);

/* Writes a good plan to devices (R) and returns its score. Simulated annealing from the best split:
 * each of the @n_evaluations changes a group, a slot, a stretch or a row. */
double goban_builder_problem_anneal (GobanBuilderProblem *self, guint n_evaluations, GobanRng *rng,
                                     guint32 *devices);

/* Returns the best score of the likeliest plan and of @n_samples plans drawn at @temperature.
 * greedy_us (out) (nullable): the score of the likeliest plan. */
double goban_builder_problem_try (GobanBuilderProblem *self, const GobanBuilderNet *net,
                                  guint n_samples, double temperature, double *greedy_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderProblem, goban_builder_problem_free)

G_END_DECLS
