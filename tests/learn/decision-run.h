/* decision-run.h: runs of a policy with and without a record of its decisions, for tests of such
 * records. */
#pragma once

#include "engine/decisions/decisions-writer.h"
#include "engine/machine/plan/task.h"
#include "engine/placers/placer.h"

typedef struct
{
  const GobanPlacer *placer;
  GobanCostModel *costs;  /* owned */
  const GobanPlan *start; /* (nullable) */
  char *network; /* (nullable) owned: a file that is deleted at last; NULL: the shipped one */
  GobanTasks tasks;
  guint64 seed, max_evaluations;
  const char *settings;
} DecisionRun;

void decision_run_clear (DecisionRun *self);

/* The graph of samples/@name. (transfer full) */
GobanGraph *decision_run_load_sample (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* decisions, improvements (of GobanImprovement): (nullable). (transfer full) */
GobanPlan *decision_run_place (const DecisionRun *self, GobanDecisionsWriter *decisions,
                               GArray *improvements,
                               guint64 *evaluations) G_GNUC_WARN_UNUSED_RESULT;

/* The record, which is checked, and the plan. @expected: (nullable): the record whose decision
 * @moment is forced. (transfer full) */
GobanDecisions *decision_run_record (const DecisionRun *self, GobanDecisions *expected,
                                     GobanMoment moment, guint32 option, GArray *improvements,
                                     GobanPlan **plan) G_GNUC_WARN_UNUSED_RESULT;

/* Reports the processor time of recording, as a share of that without; the least of so many pairs
 * of runs. */
void decision_run_measure_cost (const DecisionRun *self, const char *name, guint n_pairs);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DecisionRun, decision_run_clear)
