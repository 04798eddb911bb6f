/* joint-choices.h: the order and the kernels of all ops, beside their placement, and the plans that
 * follow from the three.
 *
 * An order is a rule that gives every op a key, and a shift of each op's key; larger keys go first.
 * Fusion is a rule, or a level for every op that GO's executor visits (engine/fusion/fusion.h).
 * Both hold for any placement, so every plan that follows passes goban_plan_check() and
 * goban_fusion_check().
 *
 * Decision G15 (engine/NOTES.md).
 */
#pragma once

#include "engine/fusion/fusion.h"
#include "engine/placers/static-orders.h"
#include "engine/rl/fused-ranks.h"

G_BEGIN_DECLS

/* Orders: a GobanStaticOrder, or one of these. */
enum
{
  GOBAN_JOINT_KERNELS = GOBAN_N_STATIC_ORDERS, /* ranks with transfers, of kernels, not of ops */
  GOBAN_JOINT_KEYS,                            /* the keys of GobanJointChoices */
  GOBAN_JOINT_N_ORDERS,
  GOBAN_JOINT_ORDER_AS_IT_IS = GOBAN_JOINT_N_ORDERS, /* order and priorities of the plan */
};

typedef enum
{
  GOBAN_FUSES_NOTHING,
  GOBAN_FUSES_DEFAULT, /* as XLA did in 2020 */
  GOBAN_FUSES_ALIKE,   /* all ops of one level: whatever may be fused, the lowest id first */
  GOBAN_FUSES_TRAFFIC, /* what saves most traffic first */
  GOBAN_N_FUSION_RULES,
  GOBAN_FUSES_LEVELS = GOBAN_N_FUSION_RULES, /* the levels of GobanJointChoices */
  GOBAN_FUSES_AS_IT_IS, /* the plan's kernels, less those that are on several devices */
} GobanFusionRule;

typedef struct
{
  guint order;
  double *shifts; /* (n_nodes) added to keys */
  double *keys;   /* (n_nodes) of GOBAN_JOINT_KEYS */
  GobanFusionRule fusion;
  gint32 *levels; /* (n_nodes) of GOBAN_FUSES_LEVELS; 0: alone */
} GobanJointChoices;

/* As the plan is. */
GobanJointChoices *goban_joint_choices_new (guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;
GobanJointChoices *goban_joint_choices_copy (const GobanJointChoices *self,
                                             guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;
void goban_joint_choices_free (GobanJointChoices *self);

/* Keeps its memory from plan to plan. One thread at a time. */
typedef struct _GobanJointExecutor GobanJointExecutor;

/* Both must outlive it. */
GobanJointExecutor *
goban_joint_executor_new (const GobanUnits *units,
                          const GobanStaticOrders *orders) G_GNUC_WARN_UNUSED_RESULT;
void goban_joint_executor_free (GobanJointExecutor *self);

/* Fuses and orders @plan by its placement. O(N log N + E). */
void goban_joint_executor_apply (GobanJointExecutor *self, const GobanJointChoices *choices,
                                 GobanPlan *plan);

/* keys (n_nodes): those that the plan's order comes of, shifts included. FALSE if it is first in,
 * first out, or as it is. */
gboolean goban_joint_executor_get_keys (GobanJointExecutor *self, const GobanJointChoices *choices,
                                        const GobanPlan *plan, double *keys);

/* levels (n_nodes) that fuse as a rule does, but for GOBAN_FUSES_DEFAULT: its kernels are left to
 * GO's executor. */
void goban_joint_executor_get_levels (GobanJointExecutor *self, GobanFusionRule rule,
                                      const GobanPlan *plan, gint32 *levels);

/* How long all kernels of @plan take together. */
double goban_joint_executor_get_work_us (GobanJointExecutor *self, const GobanPlan *plan);

/* "traffic": English, for reports. Static. */
const char *goban_fusion_rule_get_name (GobanFusionRule rule);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointChoices, goban_joint_choices_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointExecutor, goban_joint_executor_free)

G_END_DECLS
