/* memory-fit.h: plans made repeatedly with more memory kept free, until a simulation shows that
 * they fit.
 *
 * A list scheduler estimates memory in the order in which it takes the nodes; ops run in another
 * one. Where a simulation finds that a plan overflows, the next is made with as much memory kept
 * free on every device. The best plan counts: of those that fit the shortest, else the one that
 * lacks the least.
 *
 * Decision E35 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/placer.h"
#include "engine/sim/evaluator.h"

/* How a plan is to be made. */
typedef struct
{
  double headroom_bytes;           /* memory left unused on every device where that can be */
  GobanDecisionsWriter *decisions; /* (nullable) of the attempt's span */
} GobanAttempt;

/* (transfer full) (nullable): a plan; %NULL with @error set. */
typedef GobanPlan *(*GobanMakePlan) (gpointer maker, const GobanAttempt *attempt, GError **error);

typedef struct
{
  GobanMakePlan make;
  gpointer data;
  const GobanChoiceWords *words; /* static */
} GobanPlanMaker;

typedef struct
{
  GobanSimulator *simulator;       /* borrowed */
  GobanDecisionsWriter *decisions; /* (nullable) borrowed: receives a span for each attempt */
  guint64 max_tries;               /* 0: a dozen */
  GobanPlan *best;                 /* (nullable) before the first, owned */
  GobanOutcome outcome;            /* of the best */
  guint64 n_evaluations;
} GobanMemoryFit;

/* Makes plans with increasing headroom from 0, until one fits or enough were tried. %FALSE with
 * @error set by @make. */
gboolean goban_memory_fit_try (GobanMemoryFit *self, const GobanPlanMaker *maker, GError **error);

/* The best plan of one maker, in as many simulations as @options allow. Nothing is simulated if no
 * device can overflow, so that the plan of a graph whose memory does not bind is the first one, and
 * costs no simulation; nor is it where one is allowed, because there would be no second plan. Adds
 * them to *evaluations. (transfer full) (nullable) */
GobanPlan *goban_memory_fit_plan (GobanCostModel *costs, const GobanPlanMaker *maker,
                                  const GobanPlacerOptions *options, guint64 *evaluations,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
