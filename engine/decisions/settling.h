/* settling.h: makes a plan of a state: a rule for priorities, and a patch of what it does not give.
 *
 * Immutable and counted, as part of a record of decisions; any thread may read it.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_SETTLE_DEVICES,    /* all priorities are 0 */
  GOBAN_SETTLE_PRIORITIES, /* the choice of scheduling is the priority of an op; undecided: 0 */
} GobanSettlingRule;

typedef struct
{
  GobanSettlingRule rule;
  double proven_bound_us; /* of the plan; 0: nothing is proven */
} GobanSettling;

typedef struct _GobanSettled GobanSettled;

/* What makes @plan of @state. (transfer full) */
GobanSettled *goban_settled_new (const GobanSettling *settling, const GobanDecisionState *state,
                                 const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
GobanSettled *goban_settled_ref (GobanSettled *self);
void goban_settled_unref (GobanSettled *self);
/* A hash of all that a simulation of the plan depends on; never 0. */
guint64 goban_settling_digest_plan (const GobanPlan *plan);
gsize goban_settled_get_n_bytes (const GobanSettled *self);

/* The plan of a state: with the patch if it is the state that was settled, else by the rule alone;
 * nodes without a device go to the first one. (transfer full) */
GobanPlan *goban_settled_new_plan (const GobanSettled *self, const GobanDecisionState *state,
                                   gboolean is_settled,
                                   const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSettled, goban_settled_unref)

G_END_DECLS
