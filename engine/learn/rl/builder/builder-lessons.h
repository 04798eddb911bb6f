/* builder-lessons.h: random training and validation problems of the plan builder, drawn from a
 * seed.
 *
 * A lesson is a graph on a cluster, cut into rows. The graph is a random network (synthetic:seed=N)
 * or a small member of a model family. The cluster has 2 to 8 devices, equal or not, with links of
 * 1 to 50 GB/s; every fourth is short of memory. Rows are cells, in every fourth lesson connected
 * groups. GO's 14 test graphs and families that are left out never occur.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/policy/plan-builder.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/simulator.h"

/* The model families' graphs that trainings learn on, and clusters for lessons.
 *
 * Seven sizes of each of six families (engine/graph/workloads); none of GO's 14 graphs is among
 * them. None is of a family that is left out.
 *
 * Only read once it is made.
 */

typedef struct
{
  char **left_out;   /* NULL-terminated, sorted */
  GPtrArray *graphs; /* char *: specs of engine/graph/workloads */
} GobanCurriculum;

/**
 * goban_curriculum_new:
 * @left_out: (nullable): names of families, NULL-terminated
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for a name that is no
 *   family's
 */
GobanCurriculum *goban_curriculum_new (const char *const *left_out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_curriculum_free (GobanCurriculum *self);

/* A cluster as programs know it ("p100x4", "equal:3", a file), or the devices of a preset in any
 * number and with other links: "p100xN" or "v100xN", with ",bandwidth=B/s" and ",latency=s" after
 * it. (transfer full) (nullable): with %GOBAN_ERROR_INVALID and others set */
GobanCluster *goban_curriculum_new_cluster (const char *spec,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCurriculum, goban_curriculum_free)

/* A graph on a cluster for the plan builder: rows, simulator and rewards of
 * plans.
 *
 * A plan is a device for every row and one of the static orders (static-orders.h). The reward
 * is -log (makespan / reference). The reference is the best of a few contiguous splits of cells;
 * neither names nor the expert's plan are used. A plan that lacks memory counts as two to four
 * times its makespan.
 *
 * One thread at a time.
 */

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

typedef struct
{
  char *graph;   /* a spec of engine/graph/workloads */
  char *cluster; /* as goban_curriculum_new_cluster() says */
  double memory; /* of all devices, divided by what one device would need; 0: the cluster's own */
  double slow;   /* speed of every second device, divided by the first's; 0: equal speeds */
  gboolean is_chain; /* short of memory in any case */
  GobanBuilderRows rows;
} GobanBuilderLesson;

/* Lessons beside plain random networks. */
typedef struct
{
  const GobanCurriculum *families; /* (nullable): every fourth lesson is taken from them */
  /* Every third lesson, and validation problems from number 64 on, are random structures as large
   * models have them: long recurrences, towers, chains that are short of memory. */
  gboolean structures;
} GobanBuilderLessonKinds;

void goban_builder_lesson_free (GobanBuilderLesson *self);

/**
 * goban_builder_lesson_draw:
 * @index: number of the lesson; negative numbers are validation problems, which are never lessons
 * @kinds: (nullable): %NULL: plain ones alone
 */
GobanBuilderLesson *
goban_builder_lesson_draw (guint64 seed, gint index,
                           const GobanBuilderLessonKinds *kinds) G_GNUC_WARN_UNUSED_RESULT;

/* Makes the graph and the cluster of the lesson. (transfer full) (nullable): %NULL with an error
 * set */
GobanCostModel *goban_builder_lesson_new_costs (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): %NULL with an error set that names the lesson */
GobanBuilderProblem *goban_builder_lesson_load (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "synthetic:seed=17 on p100x4, memory 1.5, rows 0.75 x 2": (transfer full) */
char *goban_builder_lesson_to_text (const GobanBuilderLesson *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderLesson, goban_builder_lesson_free)
