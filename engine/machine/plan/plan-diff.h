/* plan-diff.h: differences of two plans of one graph, node by node. */
#pragma once

#include "engine/machine/plan/plan.h"

typedef struct _GobanPlanDiff
{
  GobanNodeId *moved; /* (n_moved) device differs */
  guint n_moved;
  GobanNodeId *reprioritised; /* (n_reprioritised) */
  guint n_reprioritised;
  GobanNodeId *refused; /* (n_refused) fusion differs */
  guint n_refused;
  guint *matrix; /* (n_devices x n_devices) moves from row to column */
  guint n_devices;
  gboolean same_order;
  gboolean same_transfers; /* neither gives transfers priorities, or both the same */
} GobanPlanDiff;

/* (transfer full); both plans must be for one graph and as many devices. Exact, by node. */
GobanPlanDiff *goban_plan_diff (const GobanPlan *a, const GobanPlan *b) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_diff_free (GobanPlanDiff *diff);

/* Whether two plans decide the same: devices, priorities, fusions, order and transfers. Not their
 * policies and proofs. */
gboolean goban_plan_decides_same (const GobanPlan *a, const GobanPlan *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanDiff, goban_plan_diff_free)
