/* exact-orders.h: feasibility test: can the ordering decisions of a search come from one priority
 * list?
 *
 * An order states that the highest priority in one set exceeds, or at least equals, the highest in
 * another. Ops of a device that are ready together give orders of single nodes; transfers that
 * compete for one channel give orders of their consumers. A list of distinct priorities that
 * satisfies all orders exists if and only if a greedy search finds it: any element that may come
 * first among the remaining ones can be put there without harm, since that satisfies orders and
 * violates none.
 *
 * Decision E22 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 above;
  guint64 below;
  gboolean is_strict; /* equality of the two is not enough */
} ExactOrder;

/* rank (n) (nullable): filled with ranks, 0 is first. %FALSE if no list satisfies all orders. */
gboolean exact_orders_solve (const ExactOrder *orders, guint n_orders, guint n, guint8 *rank);
