/* static-orders.h: priorities that follow from a graph and a placement by a fixed rule.
 *
 * Order is worth as much as placement: the same placement may take a third longer under another
 * rule. Which rule is best depends on the graph, so trying all of them, an evaluation each, is the
 * least that a search over orders has to beat.
 *
 * Decision G4 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/units.h"

typedef enum
{
  /* longest path to the end: times on the plan's devices, and its transfers */
  GOBAN_STATIC_TRANSFERS,
  GOBAN_STATIC_DEPTH, /* most hops to the end first */
  GOBAN_STATIC_TIMES, /* longest path to the end by mean times alone */
  GOBAN_STATIC_FIFO,  /* first in, first out */
  GOBAN_STATIC_INDEX, /* topological order: the lowest id first */
  GOBAN_N_STATIC_ORDERS
} GobanStaticOrder;

/* The rules in their order, for people. */
#define GOBAN_STATIC_ORDER_NAMES "transfers, depth, times, fifo, index"

typedef struct _GobanStaticOrders GobanStaticOrders;

/* @units must outlive it. O(N + E). */
GobanStaticOrders *goban_static_orders_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_static_orders_free (GobanStaticOrders *self);

/* ranks (n_nodes): larger ones go first. FALSE for first in, first out, which does not use them;
 * they are those of GOBAN_STATIC_TRANSFERS then. */
gboolean goban_static_orders_rank (const GobanStaticOrders *self, GobanStaticOrder order,
                                   const GobanPlan *plan, double *ranks);

/* Gives the plan this order, by its own placement where the rule looks at that. Priorities are
 * GOBAN_PRIORITY_SPREAD apart. */
void goban_static_orders_apply (const GobanStaticOrders *self, GobanStaticOrder order,
                                GobanPlan *plan);

/* The first static order that leaves the plan's order and priorities as they are;
 * GOBAN_N_STATIC_ORDERS if none does. */
guint goban_static_orders_find (const GobanStaticOrders *self,
                                const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanStaticOrders, goban_static_orders_free)
