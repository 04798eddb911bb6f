/* run-private.h: data of a run, shared by the files that make one. */
#pragma once

#include "engine/plan/placement-record.h"
#include "engine/policy/decision-log.h"
#include "engine/run/run.h"

G_BEGIN_DECLS

struct _GobanRun
{
  GObject parent_instance;

  char *name;
  GobanCostModel *costs;
  guint64 seed;
  GobanTrace *trace;  /* NULL while it rests */
  GobanPlan *resting; /* (nullable): the trace's plan meanwhile */
  guint64 evaluations;
  GArray *improvements;         /* of GobanImprovement */
  GobanDecisionLog *decisions;  /* (nullable) */
  GobanPlacementRecord *record; /* (nullable) */
  char *expression;             /* (nullable) */
  double seconds;
};

/* @started_us: monotonic time at which the plan was begun; @evaluations: without this one.
 * (transfer full) */
GobanRun *goban_run_simulate (GobanCostModel *costs, GobanPlan *plan, const char *name,
                              gint64 started_us, guint64 evaluations) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
