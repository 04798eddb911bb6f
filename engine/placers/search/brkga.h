/* brkga.h: a biased random-key genetic algorithm, in the setting that REGAL steers.
 *
 * A chromosome is numbers in [0, 1): for every unit an affinity to every device (the largest
 * of those that can run it is its device), for every node a scheduling priority, for every tensor
 * that may travel a transfer priority. A generation keeps the elites, adds mutants, and fills up
 * with children of an elite and a common parent, each gene from the elite with a probability.
 *
 * REGAL is this algorithm with other mutants and other biases: it gives a Beta
 * distribution for every gene and a bias for every node, which are the optional rows of the config.
 * The same seed gives the same plan for any number of threads.
 */
#pragma once

#include "engine/placers/placer.h"
#include "engine/placers/search/beta.h"
#include "engine/sim/evaluator.h"

/* Everything is borrowed. The genes of a unit's devices go by the rows of its first node. */
typedef struct
{
  guint n_population; /* at least 3 */
  double elite_share; /* of the population, in (0, 0.5] */
  double mutant_share;
  double elite_bias; /* a gene comes from the elite parent with this probability */

  /* Distributions of the mutants' genes. */
  const GobanBeta *device_betas;   /* (n_nodes x n_devices) (nullable) NULL: uniform */
  const GobanBeta *priority_betas; /* (n_nodes) (nullable) */
  const GobanBeta *transfer_betas; /* (n_tensors) (nullable) */
  /* (n_nodes) (nullable) instead of elite_bias; a tensor's gene goes by its producer's */
  const float *elite_biases;

  /* The first population is drawn like mutants, as in REGAL; uniform otherwise. */
  gboolean biases_first_population;

  GobanEvaluator *evaluator; /* (nullable) of the same costs, for callers that run it often */
} GobanBrkgaConfig;

/* 100 chromosomes, 20 % elites, 15 % mutants, bias 0.7, uniform distributions. */
GobanBrkgaConfig goban_brkga_config_default (void);

#define GOBAN_BRKGA_EVALUATIONS 5000

/**
 * goban_brkga_run:
 * @options: its evaluations are fitness calls, %GOBAN_BRKGA_EVALUATIONS unless given
 * @evaluations: (inout): the fitness calls are added to it
 * @outcome: (out) (optional): of the plan
 *
 * Returns: (transfer full) (nullable): the best plan found, or %NULL with %GOBAN_ERROR_INFEASIBLE,
 *   %GOBAN_ERROR_INVALID (of the config) or %GOBAN_ERROR_CANCELLED set
 */
GobanPlan *goban_brkga_run (GobanCostModel *costs, const GobanBrkgaConfig *config,
                            const GobanPlacerOptions *options, guint64 *evaluations,
                            GobanOutcome *outcome, GError **error) G_GNUC_WARN_UNUSED_RESULT;
