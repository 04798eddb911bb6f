/* placer.h: every policy behind one table of name, function and blurb.
 *
 * A policy gives every node a device and a priority. It never fails for want of
 * memory: it returns its best plan, and the simulator says what overflows. It respects
 * where nodes can run and colocation groups, so its plans pass goban_plan_check().
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/plan/plan.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 seed;
  guint64 max_evaluations;       /* simulations a search may spend, 0: its own default */
  double max_seconds;            /* 0: no limit */
  const GobanProgress *progress; /* (nullable) */
} GobanPlacerOptions;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID, INFEASIBLE or CANCELLED set.
 * Adds the simulations it made to *evaluations. */
typedef GobanPlan *(*GobanPlaceFunc) (GobanCostModel *costs, const GobanPlacerOptions *options,
                                      guint64 *evaluations, GError **error);

typedef struct
{
  const char *name;
  const char *blurb;  /* one line for menus and `goban-cli policies` */
  const char *source; /* where the method is published */
  GobanPlaceFunc place;
} GobanPlacer;

/* All of them, in the order in which people should see them. */
const GobanPlacer *goban_placers (gsize *n);

/* (nullable): %NULL with %GOBAN_ERROR_INVALID set, which lists the names there are. */
const GobanPlacer *goban_placer_find (const char *name, GError **error);

/* Runs one of the table and marks the plan with its name. (transfer full) (nullable) */
GobanPlan *goban_placer_place (const GobanPlacer *placer, GobanCostModel *costs,
                               const GobanPlacerOptions *options, guint64 *evaluations,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
