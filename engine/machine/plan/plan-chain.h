/* plan-chain.h: successive plans of one graph, each stored as its difference from the one before.
 *
 * Steps are numbered from 1. A plan that differs in more than devices and priorities, or in most of
 * its nodes, is stored whole. Number and size of the steps are bounded: the oldest are dropped and
 * counted as folded.
 *
 * Written by one thread; immutable after that, for any thread.
 */
#pragma once

#include "engine/machine/plan/plan.h"

G_BEGIN_DECLS

#define GOBAN_PLAN_CHAIN_MAX_STEPS 256
/* Bound of all stored differences and whole plans; a single plan may take more. */
#define GOBAN_PLAN_CHAIN_MAX_BYTES ((gsize) 32 << 20)

typedef struct _GobanPlanChain GobanPlanChain;

/* Device and priority of a node after a step. */
typedef struct
{
  GobanNodeId node;
  gint32 priority;
  GobanDeviceId device;
} GobanPlanChange;

typedef struct
{
  guint64 evaluation; /* number of the simulation that tried it, from 1; 0: none did */
  double before_us;   /* makespans; NAN without a plan, or if it exceeds the memory */
  double after_us;
  const char *note; /* (nullable) static string: kind of the step */
} GobanPlanStep;

GobanPlanChain *goban_plan_chain_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_chain_free (GobanPlanChain *self);

/* Appends a plan; it is copied, and @step's before_us is ignored: it is the previous after_us. */
void goban_plan_chain_add (GobanPlanChain *self, const GobanPlan *plan, const GobanPlanStep *step);

/* Sets the number of dropped steps before the first; for steps from a file. */
void goban_plan_chain_set_folded (GobanPlanChain *self, guint n_folded);

guint goban_plan_chain_get_n_steps (const GobanPlanChain *self);
guint goban_plan_chain_get_n_folded (const GobanPlanChain *self);

/* Step @n, from 1; borrowed. */
const GobanPlanStep *goban_plan_chain_get_step (const GobanPlanChain *self, guint n);

/* The nodes that step @n changed, ascending, (element-type GobanPlanChange); all nodes if it is the
 * first. (transfer full) */
GArray *goban_plan_chain_list_changes (const GobanPlanChain *self,
                                       guint n) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): the plan after step @n. */
GobanPlan *goban_plan_chain_new_plan (const GobanPlanChain *self,
                                      guint n) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable): the plan of step @n, if it is stored whole; borrowed. */
const GobanPlan *goban_plan_chain_get_whole (const GobanPlanChain *self, guint n);

/* About the memory that it takes. */
gsize goban_plan_chain_get_n_bytes (const GobanPlanChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanChain, goban_plan_chain_free)

G_END_DECLS
