/* graph-curve.h: learning curve of a policy that learns on the graph that it places: collects the
 * samples of an update into a point.
 *
 * For the decoder, HDP, Placeto and Post; PPO has its statistics (learner.h). It draws no random
 * numbers and simulates with an evaluator of its own, so plans are the same with it. Without a
 * receiver it does nothing and costs nothing.
 *
 * Decision E70 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/learn/rl/curve.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/placers/placer.h"
#include "engine/sim/evaluator.h"

/* The unit of learning curves: the makespan of the best plan that is made without learning (one
 * device, the expert's, m-ETF's; placed as TensorFlow runs them) and fits in memory, else of the
 * best; 1 without any. @progress: (nullable). %FALSE with %GOBAN_ERROR_CANCELLED set; *reference_us
 * is unchanged then. */
gboolean goban_graph_curve_measure_reference (GobanCostModel *costs, GobanEvaluator *evaluator,
                                              const GobanProgress *progress, double *reference_us,
                                              GError **error);

typedef struct
{
  const GobanCurveSink *sink; /* borrowed; NULL: nothing is collected */
  double reference_us;        /* goban_graph_curve_measure_reference() */
  double *work_us;            /* (n_nodes) mean over the devices */
  double *shares;             /* (n_devices) scratch */
  guint n_devices;
  guint n_updates;
  gint64 begun_us; /* monotonic: of the update */

  /* Sums over the update so far. */
  guint n_samples, n_valid, n_choices;
  double makespan_us, best_us, reward, top_share, entropy;
} GobanGraphCurve;

/* Measures the reference, unless the options have no receiver of a curve. %FALSE with
 * %GOBAN_ERROR_CANCELLED set. */
gboolean goban_graph_curve_init (GobanGraphCurve *self, GobanCostModel *costs,
                                 const GobanPlacerOptions *options, GError **error);
void goban_graph_curve_clear (GobanGraphCurve *self);

/* Begins an update; what was collected since the last one is dropped. */
void goban_graph_curve_begin_update (GobanGraphCurve *self);
/* Adds a plan that the policy has drawn, with its reward. */
void goban_graph_curve_add_sample (GobanGraphCurve *self, const GobanPlan *plan,
                                   const GobanOutcome *outcome, double reward);
/* Adds a plan on the way to a sample: it counts for the best only. */
void goban_graph_curve_add_draft (GobanGraphCurve *self, const GobanOutcome *outcome);
/* Adds the entropies of @n choices, their mean being @entropy nats. */
void goban_graph_curve_add_choices (GobanGraphCurve *self, double entropy, guint n);
/* Sends the update's point. @gradient_norm: before clipping; @clipped: share of clipped ratios;
 * NAN: not measured. */
void goban_graph_curve_end_update (GobanGraphCurve *self, double gradient_norm, double clipped);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanGraphCurve, goban_graph_curve_clear)
