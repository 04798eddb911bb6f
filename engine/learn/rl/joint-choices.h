/* joint-choices.h: decisions on order and fusion of all ops, and the plans that follow from them
 * and a placement.
 *
 * An order is a rule that gives each op a key, plus a shift of each op's key; the largest key runs
 * first. Fusion is a rule, or a level of each op for GO's executor (engine/sim/fusion/fusion.h).
 * Both can be applied to any placement, so every resulting plan passes goban_plan_check() and
 * goban_fusion_check().
 *
 * Decision G9 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/plan.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/fusion/fusion.h"

/* Upward ranks of a fused plan, computed on its kernels instead of its nodes.
 *
 * A kernel takes a third less time than its members one by one, and tensors within it are free.
 * Ranks of single nodes (engine/placers/placed-ranks.h) ignore that and run fused ops too early.
 * Keeps its memory from plan to plan. One thread at a time.
 */

typedef struct _GobanFusedRanks GobanFusedRanks;

GobanFusedRanks *goban_fused_ranks_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_fused_ranks_free (GobanFusedRanks *self);

/* ranks_us (n_nodes): the longest path from the start of each node's kernel to the end, with times
 * on the plan's devices and transfers without contention. O(N + E). @plan must pass
 * goban_fusion_check(). */
void goban_fused_ranks_fill (GobanFusedRanks *self, const GobanPlan *plan, double *ranks_us);

/* Total time of all kernels of @plan. */
double goban_fused_ranks_get_work_us (GobanFusedRanks *self, const GobanPlan *plan);

/* Writes the time of each op's kernel over that of its members one by one to shares (n_nodes); 1
 * for kernels that take no time. */
void goban_fused_ranks_fill_shares (GobanFusedRanks *self, const GobanPlan *plan, double *shares);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusedRanks, goban_fused_ranks_free)

/* Orders: a GobanStaticOrder, or one of these. */
enum
{
  /* upward ranks with transfers, of kernels instead of ops */
  GOBAN_JOINT_KERNELS = GOBAN_N_STATIC_ORDERS,
  GOBAN_JOINT_KEYS, /* the keys of GobanJointChoices */
  GOBAN_JOINT_N_ORDERS,
  GOBAN_JOINT_ORDER_AS_IT_IS = GOBAN_JOINT_N_ORDERS, /* keep the plan's order and priorities */
};

/* All orders but the plan's own, for people. */
#define GOBAN_JOINT_ORDER_NAMES GOBAN_STATIC_ORDER_NAMES ", kernels, keys"

typedef enum
{
  GOBAN_FUSES_NOTHING,
  GOBAN_FUSES_DEFAULT, /* XLA's rules of 2020 */
  GOBAN_FUSES_ALIKE,   /* all ops at one level: fuses whatever may be fused, by ascending id */
  GOBAN_FUSES_TRAFFIC, /* ops that save most traffic first */
  GOBAN_N_FUSION_RULES,
  GOBAN_FUSES_LEVELS = GOBAN_N_FUSION_RULES, /* the levels of GobanJointChoices */
  GOBAN_FUSES_AS_IT_IS, /* keep the plan's kernels, except those spread over several devices */
} GobanFusionRule;

/* The rules in their order, for people. */
#define GOBAN_FUSION_RULE_NAMES "nothing, default, alike, traffic"

typedef struct
{
  guint order;
  double *shifts; /* (n_nodes) added to keys */
  double *keys;   /* (n_nodes) of GOBAN_JOINT_KEYS */
  GobanFusionRule fusion;
  gint32 *levels; /* (n_nodes) for GOBAN_FUSES_LEVELS; 0: not fused */
} GobanJointChoices;

/* New choices that keep a plan's order and kernels. */
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

/* Writes the keys of the plan's order, shifts included, to keys (n_nodes). FALSE for FIFO and for
 * the plan's own order. */
gboolean goban_joint_executor_get_keys (GobanJointExecutor *self, const GobanJointChoices *choices,
                                        const GobanPlan *plan, double *keys);

/* Writes levels (n_nodes) with which GO's executor fuses as the rule does. For GOBAN_FUSES_DEFAULT
 * the fused ops are those of the rule, but GO's executor chooses the kernels. */
void goban_joint_executor_get_levels (GobanJointExecutor *self, GobanFusionRule rule,
                                      const GobanPlan *plan, gint32 *levels);

/* Writes the time of each op's kernel over that of its members one by one to shares (n_nodes). */
void goban_joint_executor_get_shares (GobanJointExecutor *self, const GobanPlan *plan,
                                      double *shares);

/* Total time of all kernels of @plan. */
double goban_joint_executor_get_work_us (GobanJointExecutor *self, const GobanPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointChoices, goban_joint_choices_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJointExecutor, goban_joint_executor_free)
