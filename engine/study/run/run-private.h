/* run-private.h: data of a run and of its source, shared by the files that make one. */
#pragma once

#include "engine/study/run/run-origin.h"

struct _GobanRunSource
{
  gatomicrefcount ref_count;
  GobanRun *run; /* (nullable): weak; guarded by the mutex in run.c */

  char *name;
  const char *new_name; /* (nullable): atomic; interned */
  GobanCostModel *costs;
  GobanPlan *plan;
  GobanTrace *recorded;   /* (nullable): of a run that was measured and is never simulated */
  GobanRunOrigin origin;  /* owned; its improvements are never NULL */
  gboolean is_unfinished; /* some nodes of its plan are not decided */
  GArray *improvements;   /* those of the origin */
  char *expression;       /* (nullable), likewise */
  char *forced_of;        /* (nullable), likewise */
};

struct _GobanRun
{
  gint ref_count; /* atomic; not a gatomicrefcount, for a source may take it up from its last */
  GobanRunSource *source;
  GobanRunParts parts;
  GData *derived;
};

/* @started_us: monotonic time at which the plan was begun; @evaluations: without this one.
 * (transfer full) */
GobanRun *goban_run_simulate (GobanCostModel *costs, GobanPlan *plan, const char *name,
                              gint64 started_us, guint64 evaluations) G_GNUC_WARN_UNUSED_RESULT;

/* @request: (nullable): referenced. */
void goban_run_source_set_request (GobanRunSource *self, GobanRunOptions *request,
                                   const GobanForcedDecision *forced);
