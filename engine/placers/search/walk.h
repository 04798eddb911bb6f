/* walk.h: a walk from plan to plan by moves, shared by annealing and local search.
 *
 * The caller fills the first three fields and begins; the rest is made by that. One thread.
 */
#pragma once

#include "engine/placers/search/trials.h"

typedef struct
{
  GobanCostModel *costs;       /* borrowed */
  const char *what;            /* "annealing": for those who wait */
  guint64 default_evaluations; /* where the options name no budget */

  GobanUnits *units;
  GobanSearch search;
  GobanEvaluator *evaluator;
  GobanMoves *moves;
  GobanTrials trials; /* they stand on the best start that goes by priorities */
} GobanWalk;

/* Offers the options' start to the search and stands on it, or without one offers the plans of
 * starts.h and stands on the best. %FALSE with an error set: no
 * plan exists, or cancelled. To be cleared either way. */
gboolean goban_walk_begin (GobanWalk *self, const GobanPlacerOptions *options, GError **error);
void goban_walk_clear (GobanWalk *self);
